/* plot.h
 *
 * The fields godot.plot…: one synchronized property, for I/O graphs and filters. An I/O graph uses each
 * occurrence of a field in a frame: a graph of godot.variant.vector2.x would mix positions and velocities of
 * all nodes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PLOT_H
#define GODOT_PLOT_H

#include "multiplayer/packet/dissection.h"
#include "variant/api.h"

#include <epan/prefs.h>

typedef struct {
    const char *node; /* its path; "": not known */
    const char *property;
    bool spawned; /* the node is spawned with this value */
} godot_plotted;

/* Adds the fields if the preference godot.plot selects this property of this node, and how far the value is
 * from the previous one of the node to the same receiver. */
void godot_plot_add(const godot_packet *packet, proto_tree *tree, godot_plotted of,
                    const godot_variant *value);

void godot_plot_register(module_t *preferences);

#endif
