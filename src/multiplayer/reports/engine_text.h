/* engine_text.h
 *
 * Error messages that an engine prints about a packet that it has received: the node, the method and the
 * sender in them. Only those that name at least the node or the method; the texts are those of 4.6.3 and
 * 3.6 (docs/engine-errors.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENGINE_TEXT_H
#define ENGINE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"

/* What a packet is, as far as these errors tell packets apart. */
typedef enum {
    ENGINE_CALL = 1,         /* of a method, or sets a property; with the number of the node */
    ENGINE_CALL_BY_PATH = 2, /* likewise, with its path */
    ENGINE_ANNOUNCEMENT = 4, /* of a path */
    ENGINE_CONFIRMATION = 8, /* likewise */
    ENGINE_OTHER = 16
} engine_packet_kind;

typedef struct {
    slice node;        /* path; NO_SLICE: not named */
    slice method;      /* or the property of RSET; NO_SLICE: not named */
    int32_t sender;    /* peer id; 0: not named */
    int32_t arguments; /* number of those in the packet; -1: not named */
    unsigned kinds;    /* engine_packet_kind, those that the packet can have */
} engine_text;

/* Whether the text is one of these. The slices are parts of `text`. */
bool engine_text_read(const char *text, engine_text *names);

/* Whether the engine's `function` (of modules/multiplayer) prints an error without names only after another
 * one about the same packet: 'Parameter "node" is null.' after 'Node not found: …'. */
bool engine_text_follows(const char *function);

/* Whether `node`, relative to the root of the multiplayer API, can be the node that the text calls `named`:
 * that is relative to the same root, or to the root of the tree ("/root/Main/Unit"). */
bool engine_text_names_node(slice named, const char *node);

#endif
