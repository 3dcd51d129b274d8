/* lines.h
 *
 * Finds the lines of scripts that set the authority over a node (in Godot 3: the network master), and what
 * else decides which nodes these lines can reach. Code is never evaluated: what a line may do that is not
 * understood is a target that includes more nodes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef AUTHORITY_LINES_H
#define AUTHORITY_LINES_H

#include "base/source.h"
#include "project/authority/store.h"

void authority_add_autoload(authority_lines *a, uint32_t root, slice name, slice path);

void authority_add_script(authority_lines *a, rpc_language language, const source_file *file);

/* Reads a scene in text form: if a signal or an animation calls one of the functions, every node is within
 * reach. Scripts in it are to be read separately. */
void authority_add_scene(authority_lines *a, const source_file *file);

/* Reads the settings of a game, as text or in binary form: its autoloads and its main scene (settings.c). */
void authority_read_settings(authority_lines *a, uint32_t root, const uint8_t *bytes, size_t length);

/* To be called once, after everything was added. */
void authority_link(authority_lines *a);

void authority_free(authority_lines *a);

#endif
