/* godot-plot.h
 *
 * One synchronized property as a field of its own, for I/O graphs: there a field is taken from the whole frame,
 * so that with godot.variant.vector2.x the positions and velocities of all nodes would be mixed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PLOT_H
#define GODOT_PLOT_H

#include "multiplayer/godot-packet.h"

#include <epan/prefs.h>

/* Adds the fields godot.plot… if the preference godot.plot names this property of this node. `node` may be NULL.
 * The value is `length` bytes at `offset`, as far as it can be read. */
void godot_plot_add(const godot_packet *packet, proto_tree *tree, const char *node, const char *property,
                    uint32_t offset, uint32_t length, variant_options options);

void godot_plot_register(module_t *preferences);

#endif
