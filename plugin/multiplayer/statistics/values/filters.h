/* filters.h
 *
 * Display filters of what statistics count together. A filter is about frames: of a frame with several
 * messages, one can have the kind and another one the node.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_FILTERS_H
#define GODOT_FILTERS_H

#include "multiplayer/api/tap.h"

/* A field that is this text. In `pool`, as all of them. */
const char *godot_filter_text(wmem_allocator_t *pool, const char *field, const char *text);
/* Messages of the kind of this one, calls of the same method: godot_counted_name(). */
const char *godot_filter_kind(wmem_allocator_t *pool, const godot_tap *tap);
/* "node 3": the path is not known. Each sender has numbers of its own. */
bool godot_filter_is_numbered(const char *node);
/* Messages about a node, also as a spawner. "": `node` is not known. */
const char *godot_filter_node(wmem_allocator_t *pool, const char *node);
/* Likewise, and with states of the synchronizers right below it, which are usually about it. */
const char *godot_filter_node_states(wmem_allocator_t *pool, const char *node);
/* Messages of the kind of this one about a node and a property of it; `property` NULL, or without a name of
 * the game's: about any. "": `node` is not known. */
const char *godot_filter_value(wmem_allocator_t *pool, const godot_tap *tap, const char *node,
                               const char *property);
/* Those that godot_counted_name() and godot_counted_node() count together: a number of a method means one
 * node's alone, "" if that is not known. */
const char *godot_filter_counted(wmem_allocator_t *pool, const godot_tap *tap);
/* Both of them; what is "" is left out. */
const char *godot_filter_both(wmem_allocator_t *pool, const char *first, const char *second);

#endif
