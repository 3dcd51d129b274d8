/* file.h
 *
 * Reads scene files and other resources in text form, .tscn and .tres.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_FILE_H
#define SCENE_FILE_H

#include "base/source.h"

typedef struct scene_project scene_project;

/* Receives a GDScript that is embedded in another file, "res://main.tscn::GDScript_abc12". */
typedef struct {
    void (*read)(void *context, const source_file *script);
    void *context;
} scene_script_reader;

/* Reads one scene. `scripts` may be NULL. */
void scene_project_add(scene_project *project, const source_file *source, const scene_script_reader *scripts);

/* Reads any other resource file (.tres), which may be a script. */
void scene_project_add_resource(scene_project *project, const source_file *source,
                                const scene_script_reader *scripts);

/* Reads one script, GDScript or C#: whether it sets the spawn_path of spawners, empties their lists, or makes
 * or changes synchronizers (moved.c). */
void scene_project_add_script(scene_project *project, const char *text, size_t length);

/* Adds the id ("uid://…") of a scene. Scene files contain their id, except in exported games. */
void scene_project_add_uid(scene_project *project, uint32_t root, const char *uid, const char *path);

/* Adds an autoload, whose path is that of a scene or of a script. */
void scene_project_add_autoload(scene_project *project, uint32_t root, const char *name, const char *path);

/* A scene exists that was not read, so no name is certain. */
void scene_project_add_unread(scene_project *project);

#endif
