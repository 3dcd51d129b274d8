/* file.h
 *
 * Reads scene files and other resources in text form, .tscn and .tres.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_FILE_H
#define SCENE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of all scenes together. Beyond them no name is certain. */
#define SCENE_MAX_NODES      262144u /* synchronizers, spawners and instances of other scenes */
#define SCENE_MAX_PROPERTIES 262144u /* in all configurations */

typedef struct scene_project scene_project;

/* Receives a GDScript that is embedded in another file, "res://main.tscn::GDScript_abc12"; `source` is valid
 * during the call only. */
typedef struct {
    void (*read)(void *context, uint32_t root, const char *path, const char *source, size_t length);
    void *context;
} scene_script_reader;

/* Reads one scene. `root`: number of its project, if there are several. `path`: "res://player.tscn". `text`
 * is not needed any more afterwards. `scripts` may be NULL. */
void scene_project_add(scene_project *project, uint32_t root, const char *path, const char *text,
                       size_t length, const scene_script_reader *scripts);

/* Reads any other resource file (.tres), which may be a script. */
void scene_project_add_resource(scene_project *project, uint32_t root, const char *path, const char *text,
                                size_t length, const scene_script_reader *scripts);

/* Adds the id ("uid://…") of a scene. Scene files contain their id, except in exported games. */
void scene_project_add_uid(scene_project *project, uint32_t root, const char *uid, const char *path);

/* Adds an autoload, whose path is that of a scene or of a script. */
void scene_project_add_autoload(scene_project *project, uint32_t root, const char *name, const char *path);

/* A scene exists that was not read, so no name is certain. */
void scene_project_add_unread(scene_project *project);

#endif
