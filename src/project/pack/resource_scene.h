/* resource_scene.h
 *
 * Scenes in binary form, as text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RESOURCE_SCENE_H
#define RESOURCE_SCENE_H

#include "project/pack/resource_reader.h"

#define RESOURCE_MAX_DEPTH 256u /* levels of nodes in a scene */

/* Writes the nodes of a PackedScene whose property _bundled is at `bundled`. */
void resource_write_scene(resource_reader *r, size_t bundled);

#endif
