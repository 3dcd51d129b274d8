/* file.h
 *
 * What joins the file reader (file-reader.c, a wiretap module) and the dissector of its records
 * (file.c): the names of their encapsulations, one for each generation of the engine. The reader
 * has seen the whole file and knows which it is; a single record often does not tell.
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
