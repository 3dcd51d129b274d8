/* fields.h
 *
 * The fields, trees and expert infos of values. Those of types and problems are made from the tables of
 * src/variant.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_VARIANT_FIELDS_H
#define GODOT_VARIANT_FIELDS_H

#include "base/wireshark-compat.h"

#include <epan/expert.h>

#include "variant/variant.h"

#define VARIANT_MAX_COMPONENTS 16 /* of a math type: Projection */

/* fields.c, which has the variables, defines this as nothing. */
#ifndef VARIANT_FIELD
#define VARIANT_FIELD extern
#endif

extern unsigned godot_variant_max_elements; /* preference `godot.variant.max_elements` */
VARIANT_FIELD int proto_godot_variant;
VARIANT_FIELD int hf_variant_type, hf_variant_type_id, hf_variant_wide, hf_variant_dialect, hf_variant_text,
    hf_variant_error, hf_variant_problem, hf_variant_invalid, hf_variant_length, hf_variant_count,
    hf_variant_padding, hf_variant_row, hf_variant_more, hf_variant_key_type, hf_variant_element_type,
    hf_variant_property, hf_variant_object_id, hf_variant_object_class, hf_variant_signal_name,
    hf_variant_path_name, hf_variant_path_subname, hf_variant_path_absolute, hf_variant_image_format,
    hf_variant_image_mipmaps, hf_variant_image_width, hf_variant_image_height, hf_variant_image_data,
    hf_variant_event_type, hf_variant_event_device, hf_variant_event_length, hf_variant_event_number,
    hf_variant_event_axis_value;
VARIANT_FIELD int hf_variant_value[VARIANT_TYPE_COUNT]; /* by type */
VARIANT_FIELD int hf_variant_component[VARIANT_TYPE_COUNT][VARIANT_MAX_COMPONENTS];
extern int ett_variant_value, ett_variant_row, ett_variant_string;
VARIANT_FIELD expert_field ei_variant_problem[VARIANT_PROBLEM_COUNT], ei_variant_more_problems,
    ei_variant_not_shown, ei_variant_object_code;

/* Registers all of them for the protocol `godot.variant`. */
void godot_variant_register_fields(int proto);

#endif
