/* columns.h
 *
 * The columns of `-z godot,messages` and `-z godot,values`: docs/messages.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_COLUMNS_H
#define GODOT_COLUMNS_H

#include "base/wireshark-compat.h"

#include "multiplayer/state/tap.h"
#include "multiplayer/statistics/values/shares.h"

/* A second as text, "2026-11-21T06:37:49": many rows in turn have the same. Empty: a time that no calendar
 * has. */
typedef struct {
    time_t second;
    char text[24];
} time_text;

/* What a row is about. */
typedef struct {
    packet_info *pinfo;
    const godot_tap *tap;
    uint64_t message;               /* its number, from 1 */
    const godot_tap_variant *value; /* rows of values only; NULL: of a node whose values are not known */
    godot_share share;              /* rows of values only: of its node, */
    godot_property_share property;  /* of its property, */
    bool first;                     /* and whether the row is the first one of its node */
    const char *problem;            /* NULL: none */
    const char *arguments, *values; /* JSON lists; NULL: none */
    const char *json;               /* of `value`; NULL: too long */
    time_text *time;                /* of the row before, or of this one */
    bool for_database;              /* a boolean is 1 or 0, time a whole second */
    char scratch[48];               /* what a column says, if it is not elsewhere */
} output_row;

/* Valid until the next column is asked. */
typedef const char *(*column_getter)(output_row *row);

typedef struct {
    const char *name;
    bool text;         /* a string in JSON; else it is JSON already */
    column_getter get; /* NULL: nothing */
} row_column;

extern const row_column godot_message_columns[], godot_value_columns[];
extern const size_t godot_message_column_count, godot_value_column_count;

#endif
