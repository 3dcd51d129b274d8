/* columns.h
 *
 * The columns of `-z godot,messages` and `-z godot,values`: docs/messages.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_COLUMNS_H
#define GODOT_COLUMNS_H

#include "base/wireshark-compat.h"

#include "multiplayer/api/tap.h"
#include "multiplayer/statistics/values/shares.h"

/* A second as text, "2026-11-21T06:37:49", kept because consecutive rows often share it. Empty: the time
 * cannot be converted. */
typedef struct {
    time_t second;
    char text[24];
} time_text;

/* The row that is being written. */
typedef struct {
    packet_info *pinfo;
    const godot_tap *tap;
    uint64_t message;               /* its number, from 1 */
    const godot_tap_variant *value; /* rows of values only; NULL: of a node whose values are not known */
    godot_share share;              /* rows of values only: share of its node */
    godot_property_share property;  /* rows of values only: share of its property */
    bool first;                     /* rows of values only: the first row of its node */
    const char *problem;            /* NULL: none */
    const char *arguments, *values; /* JSON lists; NULL: none */
    const char *json;               /* of `value`; NULL: too long */
    time_text *time;                /* of the previous row, updated by this one */
    bool for_database;              /* booleans are 1 or 0, times are whole seconds */
    char scratch[48];               /* for texts that a column_getter builds */
} output_row;

/* Returns the content of a column, valid until the next call; NULL: empty. */
typedef const char *(*column_getter)(output_row *row);

typedef struct {
    const char *name;
    bool text; /* to be written as a JSON string; else it is JSON already */
    column_getter get;
} row_column;

/* The last element has no name. */
extern const row_column godot_message_columns[], godot_value_columns[];

#endif
