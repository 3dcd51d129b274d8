/* types.h
 *
 * Types of the properties of Godot's own nodes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_TYPES_H
#define SCENE_TYPES_H

#include <stdint.h>

/* Type of a property ("position") of a node of this class ("CharacterBody2D") as Godot 4 sends it
 * (Variant.Type, class reference of 4.6); 0: not known, such as those of scripts. */
uint8_t scene_property_type(const char *class_name, const char *property);

#endif
