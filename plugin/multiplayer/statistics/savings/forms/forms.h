/* forms.h
 *
 * Other forms of the same values and calls: types, kinds, vectors, names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_FORMS_H
#define GODOT_SAVINGS_FORMS_H

#include "multiplayer/statistics/savings/rows/row.h"

/* Types and kinds: places.c, types.c */
void savings_count_encodings(savings *all, const godot_tap *tap, const godot_update *update);
/* "chat(), argument 1 of Main (res://main.gd:7)" */
char *savings_place_text(const encoded_place *of);
void savings_advise_kinds(const savings *all, GPtrArray *rows, const encoded_place *of);
void savings_advise_encoding(const savings *all, GPtrArray *rows, const encoded_place *of);

/* Vectors, floats and names: vectors.c */
void savings_count_vector(vector_parts *parts, first_vector *first, const double at[3], unsigned count);
void savings_count_forms(savings *all, called_method *of, const godot_tap *tap, const godot_update *call);
void savings_advise_forms(const savings *all, GPtrArray *rows, const called_method *of);
/* Several floats of a synchronizer. */
void savings_advise_floats(const savings *all, GPtrArray *rows, const synchronizer *of, sent_kind kind);
void savings_advise_vector(const savings *all, GPtrArray *rows, const vector_parts *parts,
                           const saved_bytes *dropped, char *where, const char *property);

#endif
