/* moved.h
 *
 * Searches scripts for changes to spawners.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_MOVED_H
#define SCENE_MOVED_H

#include <stddef.h>

struct scene_project;

/* Reads one script, GDScript or C#: whether it sets the spawn_path of spawners or empties their lists. */
void scene_project_add_script(struct scene_project *project, const char *text, size_t length);

#endif
