/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/preferences.h"

#include "base/registration.h"

#define MAX_PORT_PREFERENCES 8

typedef struct {
    const char *table;
    dissector_handle_t handle;
    range_t *wanted; /* the user's current value */
    range_t *active; /* as it is registered in the table */
} port_preference;

static module_t *module;
static void (*listener)(void);
static port_preference port_preferences[MAX_PORT_PREFERENCES];
static unsigned port_preference_count;

static void activate(port_preference *preference)
{
    if (preference->active) {
        dissector_delete_uint_range(preference->table, preference->active, preference->handle);
        wmem_free(wmem_epan_scope(), preference->active);
    }
    preference->active = range_copy(wmem_epan_scope(), preference->wanted);
    dissector_add_uint_range(preference->table, preference->active, preference->handle);
}

static void preferences_changed(void)
{
    for (unsigned i = 0; i < port_preference_count; i++) {
        if (!ranges_are_equal(port_preferences[i].wanted, port_preferences[i].active)) {
            activate(&port_preferences[i]);
        }
    }
    if (listener) {
        listener();
    }
}

module_t *godot_preferences_register(int proto_godot, void (*changed)(void))
{
    listener = changed;
    module = prefs_register_protocol(proto_godot, preferences_changed);
    return module;
}

module_t *godot_preferences(void)
{
    DISSECTOR_ASSERT(module);
    return module;
}

void godot_preferences_add_heading(const char *name, const char *title)
{
    /* Qt's widgets interpret markup in texts: bold. */
    prefs_register_static_text_preference(godot_preferences(), name,
                                          wmem_strdup_printf(wmem_epan_scope(), "<b>%s</b>", title), NULL);
}

void godot_preferences_add_ports(const char *name, const char *title, const char *table, const char *ports,
                                 dissector_handle_t handle)
{
    DISSECTOR_ASSERT(port_preference_count < MAX_PORT_PREFERENCES);
    port_preference *preference = &port_preferences[port_preference_count++];

    preference->table = table;
    preference->handle = handle;
    range_convert_str(wmem_epan_scope(), &preference->wanted, ports, UINT16_MAX);
    prefs_register_range_preference(
        godot_preferences(), name, title,
        "Ports whose traffic is decoded as this protocol, for example 4242,5000-5010", &preference->wanted,
        UINT16_MAX);
    activate(preference);
    offer_decode_as(handle, (const char *const[]){table, NULL});
}

void *uat_copy_texts(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size / sizeof(char *); i++) {
        ((char **)to)[i] = g_strdup(((char *const *)from)[i]);
    }
    return to;
}

void uat_free_texts(void *record, size_t size)
{
    for (size_t i = 0; i < size / sizeof(char *); i++) {
        g_free(((char **)record)[i]);
    }
}
