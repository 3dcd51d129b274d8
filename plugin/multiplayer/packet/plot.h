/* plot.h
 *
 * One synchronized property as a field of its own, for I/O graphs: there a field is taken from the whole
 * frame, so that with godot.variant.vector2.x the positions and velocities of all nodes would be mixed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PLOT_H
#define GODOT_PLOT_H

#include "variant/api.h"

#include <epan/prefs.h>

/* Adds the fields godot.plot… if the preference godot.plot names this property of this node. `node` may be
 * NULL. */
void godot_plot_add(proto_tree *tree, const char *node, const char *property, const godot_variant *value);

void godot_plot_register(module_t *preferences);

#endif
