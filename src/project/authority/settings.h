/* settings.h
 *
 * Autoloads and the main scene from the settings of a project.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef AUTHORITY_SETTINGS_H
#define AUTHORITY_SETTINGS_H

#include "project/authority/store.h"

/* Reads project.godot, or project.binary of an exported game. The main scene becomes an autoload whose name
 * is "". */
void authority_read_settings(authority_lines *a, uint32_t root, const uint8_t *bytes, size_t length);

#endif
