/* tree.h
 *
 * A preference of the Variant dissector that its tree builder uses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_VARIANT_TREE_H
#define GODOT_VARIANT_TREE_H

/* Preference `godot.variant.max_elements`. */
extern unsigned godot_variant_max_elements;

#endif
