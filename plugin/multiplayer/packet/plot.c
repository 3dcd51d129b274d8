/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/packet/plot.h"

#include "base/preferences.h"
#include "multiplayer/packet/fields.h"

static const char *wanted = "";

/* "position", of whatever node, or "Main/World/Unit1:position". A property's name may have a colon itself. */
static bool is_wanted(const char *node, const char *property)
{
    size_t length = node ? strlen(node) : 0;
    if (strcmp(wanted, property) == 0) {
        return true;
    }
    return node && strncmp(wanted, node, length) == 0 && wanted[length] == ':' &&
           strcmp(wanted + length + 1, property) == 0;
}

/* Numbers that a type consists of, 0: it cannot be plotted. */
static const uint8_t component_counts[VARIANT_TYPE_COUNT] = {
    [VARIANT_BOOL] = 1,     [VARIANT_INT] = 1,        [VARIANT_FLOAT] = 1,    [VARIANT_VECTOR2] = 2,
    [VARIANT_VECTOR2I] = 2, [VARIANT_VECTOR3] = 3,    [VARIANT_VECTOR3I] = 3, [VARIANT_VECTOR4] = 4,
    [VARIANT_VECTOR4I] = 4, [VARIANT_QUATERNION] = 4, [VARIANT_COLOR] = 4};

static double number_of(const uint8_t *bytes, const variant_event *event, uint32_t i)
{
    switch (event->type) {
    case VARIANT_BOOL:
        return event->value.b ? 1 : 0;
    case VARIANT_INT:
        return (double)event->value.i;
    case VARIANT_FLOAT:
        return event->value.f;
    case VARIANT_VECTOR2I:
    case VARIANT_VECTOR3I:
    case VARIANT_VECTOR4I:
        return (double)variant_component_int(bytes, event, i);
    default:
        return variant_component(bytes, event, i);
    }
}

void godot_plot_add(proto_tree *tree, const char *node, const char *property, const godot_variant *value)
{
    int *const fields[] = {&hf_godot_plot_x, &hf_godot_plot_y, &hf_godot_plot_z, &hf_godot_plot_w};
    const variant_event *event = godot_variant_first(value);
    if (!*wanted || event->kind != VARIANT_VALUE || !is_wanted(node, property)) {
        return;
    }
    uint32_t count = component_counts[event->type];
    for (uint32_t i = 0; i < count; i++) {
        double number = number_of(value->bytes, event, i);
        proto_item_set_generated(proto_tree_add_double(tree, count == 1 ? hf_godot_plot : *fields[i],
                                                       value->tvb, (int)value->offset, (int)event->length,
                                                       number));
    }
}

void godot_plot_register(module_t *preferences)
{
    godot_preferences_add_heading("heading.plot", "I/O graphs");
    prefs_register_string_preference(
        preferences, "plot", "Property to plot",
        "A synchronized property, for I/O graphs: position, or with its node "
        "Main/World/Unit1:position. Its numbers are in the fields godot.plot or, of "
        "vectors, godot.plot.x and so on",
        &wanted);
}
