/* near.h
 *
 * Finds the project.godot that somebody meant who has named another folder.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PROJECT_NEAR_H
#define PROJECT_NEAR_H

#include <stdbool.h>

bool project_is_root(const char *folder); /* has a project.godot */

/* What is wrong with a folder of which it is known that neither it nor one below has a project.godot: "has no
 * project.godot, but /home/me/game has". To be freed with g_free(). */
char *project_not_here(const char *folder);

/* The same for any path; NULL if nothing is wrong, if it is not a folder, or if it has too many files to find
 * out. */
char *project_wrong_folder(const char *path);

#endif
