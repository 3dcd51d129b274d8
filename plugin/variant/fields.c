/* SPDX-License-Identifier: GPL-2.0-or-later */
#define VARIANT_FIELD
#include "variant/fields.h"

#include "base/registration.h"

#define PROBLEM_PREFIX   "godot.variant.problem."
#define COMPONENT_PREFIX "godot.variant."

int ett_variant_value = -1, ett_variant_row = -1, ett_variant_string = -1;

/* Field type of a value by its type; types without an entry: FT_STRING with the text of the value. */
static const struct {
    enum ftenum type;
    int base;
} value_fields[VARIANT_TYPE_COUNT] = {
    [VARIANT_BOOL] = {FT_BOOLEAN, BASE_NONE},
    [VARIANT_INT] = {FT_INT64, BASE_DEC},
    [VARIANT_FLOAT] = {FT_DOUBLE, BASE_NONE},
    [VARIANT_RID] = {FT_UINT64, BASE_DEC},
    [VARIANT_PACKED_BYTE_ARRAY] = {FT_BYTES, BASE_NONE},
};

static const value_string image_formats[] = {
    {0, "GRAYSCALE"},
    {1, "INTENSITY"},
    {2, "GRAYSCALE_ALPHA"},
    {3, "RGB"},
    {4, "RGBA"},
    {5, "INDEXED"},
    {6, "INDEXED_ALPHA"},
    {7, "YUV_422"},
    {8, "YUV_444"},
    {9, "BC1"},
    {10, "BC2"},
    {11, "BC3"},
    {12, "BC4"},
    {13, "BC5"},
    {14, "PVRTC2"},
    {15, "PVRTC2_ALPHA"},
    {16, "PVRTC4"},
    {17, "PVRTC4_ALPHA"},
    {18, "ETC"},
    {19, "ATC"},
    {20, "ATC_ALPHA_EXPLICIT"},
    {21, "ATC_ALPHA_INTERPOLATED"},
    {22, "CUSTOM"},
    {0, NULL},
};

static const value_string input_event_types[] = {
    {0, "none"},
    {1, "key"},
    {2, "mouse motion"},
    {3, "mouse button"},
    {4, "joystick motion"},
    {5, "joystick button"},
    {6, "screen touch"},
    {7, "screen drag"},
    {8, "action"},
    {0, NULL},
};

static void register_field(int *hf, const char *name, const char *abbreviation, enum ftenum type, int base)
{
    hf_register_info *info = wmem_new(wmem_epan_scope(), hf_register_info);

    *info = (hf_register_info){hf, {name, abbreviation, type, base, NULL, 0, NULL, HFILL}};
    proto_register_field_array(proto_godot_variant, info, 1);
}

static void register_type_fields(void)
{
    for (int type = 0; type < VARIANT_TYPE_COUNT; type++) {
        const variant_type_info *facts = variant_type_facts((variant_type)type);
        bool whole = facts->component_kind == VARIANT_INT32;

        register_field(&hf_variant_value[type], facts->name, filter_name(COMPONENT_PREFIX, facts->name, NULL),
                       value_fields[type].type == FT_NONE ? FT_STRING : value_fields[type].type,
                       value_fields[type].base);
        for (int i = 0; facts->component_names && i < facts->component_count; i++) {
            register_field(&hf_variant_component[type][i], facts->component_names[i],
                           filter_name(COMPONENT_PREFIX, facts->name, facts->component_names[i]),
                           whole ? FT_INT32 : FT_DOUBLE, whole ? BASE_DEC : BASE_NONE);
        }
    }
}

#define TYPE_NAMES                                                                                           \
    "Nil, bool, int, float, String, Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D, "      \
    "Vector4, Vector4i, Plane, Quaternion, AABB, Basis, Transform3D, Projection, Color, StringName, "        \
    "NodePath, RID, Object, Callable, Signal, Dictionary, Array, PackedByteArray, PackedInt32Array, "        \
    "PackedInt64Array, PackedFloat32Array, PackedFloat64Array, PackedStringArray, PackedVector2Array, "      \
    "PackedVector3Array, PackedColorArray, PackedVector4Array; Godot 2: also Image, InputEvent"

static hf_register_info fields[] = {
    {&hf_variant_type, {"Type", "godot.variant.type", FT_STRING, BASE_NONE, NULL, 0x0, TYPE_NAMES, HFILL}},
    {&hf_variant_type_id, {"Type ID", "godot.variant.type_id", FT_UINT8, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_wide,
     {"64-Bit Numbers", "godot.variant.wide", FT_BOOLEAN, BASE_NONE, NULL, 0x0,
      "64-bit int or float, or math type of an engine built with double precision", HFILL}},
    {&hf_variant_dialect,
     {"Dialect", "godot.variant.dialect", FT_STRING, BASE_NONE, NULL, 0x0,
      "Which table of types was used: godot4, godot4-manual, godot3, godot2", HFILL}},
    {&hf_variant_text,
     {"Text", "godot.variant.text", FT_STRING, BASE_NONE, NULL, 0x0, "The value as GDScript would print it",
      HFILL}},
    {&hf_variant_error,
     {"Error", "godot.variant.error", FT_STRING, BASE_NONE, NULL, 0x0,
      "The error with which the engine rejects the value: ERR_UNAUTHORIZED, ERR_OUT_OF_MEMORY, "
      "ERR_FILE_EOF, "
      "ERR_INVALID_DATA, ERR_UNAVAILABLE",
      HFILL}},
    {&hf_variant_problem,
     {"Problem", "godot.variant.problem", FT_STRING, BASE_NONE, NULL, 0x0,
      "What follows godot.variant.problem. in the name of the field that describes it", HFILL}},
    {&hf_variant_invalid,
     {"Invalid value", "godot.variant.invalid", FT_NONE, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_length, {"Length", "godot.variant.length", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_count, {"Count", "godot.variant.count", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_padding, {"Padding", "godot.variant.padding", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_row, {"Row", "godot.variant.row", FT_NONE, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_more,
     {"Values not shown", "godot.variant.more", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_key_type,
     {"Key Type", "godot.variant.key_type", FT_STRING, BASE_NONE, NULL, 0x0,
      "Of a typed Dictionary: a type as in godot.variant.type, a class or a script", HFILL}},
    {&hf_variant_element_type,
     {"Element Type", "godot.variant.element_type", FT_STRING, BASE_NONE, NULL, 0x0,
      "Of a typed Array or Dictionary: a type as in godot.variant.type, a class or a script", HFILL}},
    {&hf_variant_property,
     {"Property", "godot.variant.property", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_object_id,
     {"Object ID", "godot.variant.object.id", FT_INT64, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_object_class,
     {"Class", "godot.variant.object.class", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_signal_name,
     {"Signal Name", "godot.variant.signal.name", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_path_name,
     {"Name", "godot.variant.node_path.name", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_path_subname,
     {"Sub-name", "godot.variant.node_path.subname", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_path_absolute,
     {"Absolute", "godot.variant.node_path.absolute", FT_BOOLEAN, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_image_format,
     {"Format", "godot.variant.image.format", FT_UINT32, BASE_DEC, VALS(image_formats), 0x0, NULL, HFILL}},
    {&hf_variant_image_mipmaps,
     {"Mipmaps", "godot.variant.image.mipmaps", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_image_width,
     {"Width", "godot.variant.image.width", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_image_height,
     {"Height", "godot.variant.image.height", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_image_data,
     {"Pixels", "godot.variant.image.data", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_event_type,
     {"Event Type", "godot.variant.input_event.type", FT_UINT32, BASE_DEC, VALS(input_event_types), 0x0, NULL,
      HFILL}},
    {&hf_variant_event_device,
     {"Device", "godot.variant.input_event.device", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_event_length,
     {"Event Length", "godot.variant.input_event.length", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_variant_event_number,
     {"Number", "godot.variant.input_event.number", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Modifiers and scancode, button, touch index or axis", HFILL}},
    {&hf_variant_event_axis_value,
     {"Axis Value", "godot.variant.input_event.axis_value", FT_FLOAT, BASE_NONE, NULL, 0x0, NULL, HFILL}},
};

static int *trees[] = {&ett_variant_value, &ett_variant_row, &ett_variant_string};

static ei_register_info expert_infos[] = {
    {&ei_variant_more_problems,
     {"godot.variant.more_problems", PI_UNDECODED, PI_NOTE, "More problems in this value are not shown",
      EXPFILL}},
    {&ei_variant_not_shown,
     {"godot.variant.not_shown", PI_UNDECODED, PI_NOTE,
      "Values are not shown one by one (preference godot.variant.max_elements, or too many items)", EXPFILL}},
    {&ei_variant_object_code,
     {"godot.variant.object.code", PI_SECURITY, PI_WARN,
      "A full object: a receiver that allows objects runs its code", EXPFILL}},
};

void godot_variant_register_fields(int proto)
{
    proto_godot_variant = proto;
    proto_register_field_array(proto, fields, array_length(fields));
    register_type_fields();
    proto_register_subtree_array(trees, array_length(trees));
    expert_module_t *module = expert_register_protocol(proto);
    expert_register_field_array(module, expert_infos, array_length(expert_infos));
    register_problems(module, PROBLEM_PREFIX, variant_problems, ei_variant_problem, VARIANT_PROBLEM_COUNT);
}
