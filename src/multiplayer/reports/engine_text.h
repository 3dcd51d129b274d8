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

typedef struct {
    slice node;     /* path; NO_SLICE: not named */
    slice method;   /* or the property of RSET; NO_SLICE: not named */
    int32_t sender; /* peer id; 0: not named */
    bool has_path;  /* the packet has the node's path, not only its number */
} engine_text;

/* Whether the text is one of these. The slices are parts of `text`. */
bool engine_text_read(const char *text, engine_text *names);

/* Whether `node`, relative to the root of the multiplayer API, can be the node that the text calls `named`:
 * that is relative to the same root, or to the root of the tree ("/root/Main/Unit"). */
bool engine_text_names_node(slice named, const char *node);

#endif
