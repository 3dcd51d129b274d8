/* paths.h
 *
 * Paths of games: the preference godot.project of the profile, and the table "Godot projects", which
 * Wireshark stores outside of profiles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PROJECT_PATHS_H
#define PROJECT_PATHS_H

#include "base/wireshark-compat.h"

#include <epan/prefs.h>

#include "project/files.h"

void project_paths_register(module_t *preferences);

/* Whether there is any path. */
bool project_paths_any(void);

/* The files of all games; to be freed with project_listing_free(). */
project_listing project_paths_list(void);

#endif
