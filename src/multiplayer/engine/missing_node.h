/* missing_node.h
 *
 * Whether the receiver of an announced path lacks the node.
 *
 * A receiver without the node does not confirm the announcement, and the announcement is not repeated. If it
 * gets the node later, after a change of scene, calls that use the same announcement are executed. A receiver
 * proves that it has the node by announcing the path itself, by confirming another peer's announcement of it,
 * or by either for a path below it. A sender that uses the id alone has got the confirmation.
 *
 * Source: scene_cache_interface.cpp, process_simplify_path(), of Godot 4; multiplayer_api.cpp of Godot 3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_MISSING_NODE_H
#define GODOT_MISSING_NODE_H

#include "multiplayer/engine/conclusions.h"
#include "multiplayer/session/paths.h"

/* Whether `receiver` does not confirm the path before the end of the capture although it had enough time.
 * `arrived`: the announcement is known to have arrived. For later passes. */
godot_verdict godot_engine_never_confirms(const godot_message *message, const godot_path *path,
                                          godot_party receiver, bool arrived);

/* What acknowledgements show of the delivery of a message. */
typedef struct {
    bool acknowledged; /* else the rest is not known */
    uint32_t frame;    /* in which it was delivered, at the latest; 0: none in this capture */
} godot_delivery;

/* Whether the receiver of this call, which carries the full path, lacks the node. For later passes. */
godot_verdict godot_engine_lacks_node(const godot_message *message, const godot_path *path,
                                      godot_party receiver, bool arrived, const godot_delivery *delivery);

/* Whether anything in the capture shows that `receiver` has the node, at whatever time: without it, it is not
 * known that the engine looks at more of a call than its path. For later passes. */
bool godot_engine_shows_node(const godot_message *message, const godot_path *path, godot_party receiver);

#endif
