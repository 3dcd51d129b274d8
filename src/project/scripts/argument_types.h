/* argument_types.h
 *
 * Types of parameters as scripts declare them, and which values the engine converts to them.
 *
 * Sources: Variant::can_convert_strict() in core/variant/variant.cpp (Godot 4.6) and core/variant.cpp (3.6),
 * and GDScriptDataType::is_type() in modules/gdscript/gdscript_function.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ARGUMENT_TYPES_H
#define ARGUMENT_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"

/* The number of a type by its name, "int"; 0: not one whose values are known, such as a class or an enum. */
uint8_t rpc_argument_type(slice name);
/* The type of an Array or Dictionary with elements of a type, "Array[int]"; 0: `type` is neither. */
uint8_t rpc_typed_argument(uint8_t type);
/* What the engine calls it; NULL: 0. */
const char *rpc_argument_type_name(uint8_t type);
/* What the engine calls the type of a value that has this name in Godot 4: "Quat". `api`: 3 or 4. */
const char *rpc_value_type_name(const char *name, int api);
/* Whether a parameter of this type takes a value of the type that has this name in Godot 4: "Nil". True if
 * the parameter's type is not known. `api`: 3 or 4. */
bool rpc_argument_fits(uint8_t type, const char *value, int api);

#endif
