/* resource_binary.h
 *
 * Resources in binary form, .scn and .res, of Godot 4: what an exported game has instead of .tscn and .tres.
 * What concerns replication and scripts is written as text of that form, so that one reader reads both; the
 * rest is left out.
 *
 * Sources: core/io/resource_format_binary.cpp, scene/resources/packed_scene.cpp (SceneState), and for the
 * text scene/resources/resource_format_text.cpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RESOURCE_BINARY_H
#define RESOURCE_BINARY_H

#include "base/output.h"

#define RESOURCE_TEXT_MAX  (16u << 20) /* bytes of the text */
#define RESOURCE_MAX_DEPTH 256u        /* levels of nodes in a scene */

/* Compressed ones ("RSCC", ResourceSaver.FLAG_COMPRESS) as well. Writes the resource's text to `out`, whose
 * limit it sets. False: damaged, big-endian, or a format that is not known. */
bool resource_binary_text(const uint8_t *bytes, size_t length, output *out);

/* "uid://…" of a resource's number, at most 20 bytes with the NUL; empty for a negative one, which is
 * none. */
#define RESOURCE_UID_SIZE 20
void resource_uid_text(uint64_t uid, char text[RESOURCE_UID_SIZE]);

#endif
