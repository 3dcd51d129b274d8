/* moved.h
 *
 * Searches scripts for changes to spawners and synchronizers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_MOVED_H
#define SCENE_MOVED_H

#include <stddef.h>

struct scene_project;

/* Reads one script, GDScript or C#: whether it sets the spawn_path of spawners, empties their lists, or
 * makes or changes synchronizers. */
void scene_project_add_script(struct scene_project *project, const char *text, size_t length);

#endif
