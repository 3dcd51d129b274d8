/* project.h
 *
 * Names from the projects of games (the table "Godot projects" and the preference godot.project) and from the
 * user's lists of RPC names. When a name is first needed after a capture file was opened, the projects are
 * read again if files or preferences have changed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PROJECT_H
#define GODOT_PROJECT_H

#include <epan/prefs.h>

#include "project/game.h"
#include "project/scenes/lookup.h"

void godot_project_register(module_t *preferences);

/* Whether there is a project or a list. */
bool godot_project_available(void);

/* A text about files that could not be read; NULL: all were read. */
const char *godot_project_problem(void);

/* The projects and lists, read again if something has changed. NULL: none, or no memory. They stay until the
 * capture file is closed. */
const game *godot_project_game(void);
/* The same, NULL if there are only lists, which are not about scenes. */
const game *godot_project_with_scenes(void);

/* How this method may be called, as far as that is certain. */
rpc_signature godot_project_signature(const char *checksum, uint16_t method);

/* Godot 3: likewise, by the name of a method or property. */
rpc_signature godot_project_declared(const char *name);

/* Godot 3: whether a script has a function of this name that it does not declare as remote. */
bool godot_project_has_local(const char *name);

/* Godot 3: script that declares a method or property as remote. */
const char *godot_project_declares(const char *name, uint32_t *others);

#endif
