/* resource_binary.h
 *
 * Resources in binary form, .scn and .res, of Godot 4: what an exported game has instead of .tscn and .tres.
 * The parts about replication and scripts are converted to that text form, so that one reader reads both.
 *
 * Sources: core/io/resource_format_binary.cpp, scene/resources/packed_scene.cpp (SceneState), and for the
 * text scene/resources/resource_format_text.cpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RESOURCE_BINARY_H
#define RESOURCE_BINARY_H

#include "base/output.h"

/* Writes the resource's text to `out`, whose limit it sets. Compressed resources ("RSCC",
 * ResourceSaver.FLAG_COMPRESS) are read, too. False: damaged, big-endian, or a format that is not known. */
bool resource_binary_text(const uint8_t *bytes, size_t length, output *out);

#endif
