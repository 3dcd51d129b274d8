/* plot.h
 *
 * The fields godot.plot…: one synchronized property, for I/O graphs. An I/O graph uses each occurrence of a
 * field in a frame: a graph of godot.variant.vector2.x would mix positions and velocities of all nodes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PLOT_H
#define GODOT_PLOT_H

#include "variant/api.h"

#include <epan/prefs.h>

/* Adds the fields if the preference godot.plot selects this property of this node. `node` may be NULL. */
void godot_plot_add(proto_tree *tree, const char *node, const char *property, const godot_variant *value);

void godot_plot_register(module_t *preferences);

#endif
