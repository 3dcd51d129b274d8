/* decoder.h
 *
 * Splits messages of the remote debugger into name, thread id and arguments. Names of arguments are in
 * debugger/messages.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DEBUGGER_DECODER_H
#define DEBUGGER_DECODER_H

#include "debugger/messages.h"
#include "debugger/recogniser.h"
#include "variant/variant.h"

/* A value inside of a message. */
typedef struct {
    uint32_t offset, length; /* from the first byte of the message's Variant */
    variant_type type;
    int64_t number; /* if type is VARIANT_INT */
} debugger_value;

/* Lists the elements of the Array at `bytes`, up to `room`; returns how many there are, fewer than announced
 * if it cannot be read to its end. `*consumed` (may be NULL): bytes of the Variant. */
uint32_t debugger_list_values(const uint8_t *bytes, uint32_t length, variant_dialect dialect,
                              debugger_value *values, uint32_t room, uint32_t *consumed);

typedef struct {
    bool valid;                  /* it is a message; nothing else is set if not */
    bool has_thread;             /* Godot 4.2 and later */
    debugger_value name, thread; /* `thread` if has_thread */
    debugger_value list;         /* Godot 4: the Array of the arguments */
    uint32_t argument_count;     /* the first `room` of them are in `arguments` */
    uint32_t consumed;           /* bytes of the Variant */
} debugger_decoded;

/* Godot 4: [name, thread id, [arguments]]. */
debugger_decoded debugger_decode_v4(const uint8_t *bytes, uint32_t length, debugger_value *arguments,
                                    uint32_t room);

/* Godot 3, editor to game: [name, arguments…]. */
debugger_decoded debugger_decode_v3(const uint8_t *bytes, uint32_t length, debugger_value *arguments,
                                    uint32_t room);

/* --- Godot 3, game to editor: a message is a sequence of frames with one value each -------------- */

typedef enum {
    DEBUGGER_PART_UNKNOWN, /* belongs to no message that is known */
    DEBUGGER_PART_NAME,
    DEBUGGER_PART_COUNT, /* how many values follow */
    DEBUGGER_PART_VALUE,
} debugger_part_kind;

/* The meaning of a frame. */
typedef struct {
    debugger_part_kind kind;
    uint32_t count;                   /* of values; COUNT and VALUE */
    uint32_t index;                   /* VALUE: from 0 */
    const debugger_message *message;  /* NULL: the game's own. Not UNKNOWN */
    char name[DEBUGGER_MAX_NAME + 1]; /* of the message. Not UNKNOWN */
    char label[DEBUGGER_MAX_NAME];    /* VALUE: of the argument, "" if it has none */
} debugger_part;

/* The unfinished message; all zeroes for a new connection. */
typedef struct {
    debugger_part last;      /* the previous frame */
    debugger_arguments walk; /* if `last` is COUNT or VALUE */
} debugger_sequence;

/* Interprets the next frame from the game to the editor; `bytes` is its Variant. The result is in
 * `sequence`. */
const debugger_part *debugger_next_part(debugger_sequence *sequence, const uint8_t *bytes, uint32_t length);

#endif
