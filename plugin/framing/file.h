/* file.h
 *
 * The encapsulations of the file reader's records (file-reader.c, a wiretap module), by which the dissector
 * (file.c) is called: one for each generation of the engine. The reader detects the generation from the whole
 * file; a single record is often not sufficient.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_FILE_H
#define GODOT_FILE_H

#include "variant/variant.h"

static const struct {
    variant_dialect dialect;
    const char *name, *description;
} godot_file_encapsulations[] = {
    {VARIANT_GODOT4, "godot4-store", "Godot 4 stored value"},
    {VARIANT_GODOT3, "godot3-store", "Godot 3 stored value"},
    {VARIANT_GODOT2, "godot2-store", "Godot 2 stored value"},
};
#define GODOT_FILE_ENCAPSULATIONS (sizeof godot_file_encapsulations / sizeof *godot_file_encapsulations)

#endif
