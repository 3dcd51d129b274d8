/* preferences.h
 *
 * All preferences whose names begin with "godot.", on one page, "Godot". Wireshark splits a preference's name
 * at the first dot after the name of a module. As there is a module "godot" (for godot.project), it would
 * look up godot.variant.dialect there, not in a module "godot.variant". So the other protocols register their
 * preferences in the module "godot", too, with dots in their names: "variant.dialect".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PREFERENCES_H
#define GODOT_PREFERENCES_H

#include "base/wireshark-compat.h"

#include <epan/prefs.h>
#include <epan/uat.h>

/* Creates the module; `changed` (may be NULL) is called whenever one of its preferences may have changed. For
 * the protocol "godot" only, while protocols are registered. */
module_t *godot_preferences_register(int proto_godot, void (*changed)(void));

/* The module; valid in handoff functions and later. */
module_t *godot_preferences(void);

/* Adds a heading to the page; `name` must differ from those of all preferences. */
void godot_preferences_add_heading(const char *name, const char *title);

/* Adds the preference godot.NAME for ports of a table ("udp.port"), with `ports` as its default (may be
 * empty), and Decode As for that table. In handoff functions. */
void godot_preferences_add_ports(const char *name, const char *title, const char *table, const char *ports,
                                 dissector_handle_t handle);

/* For tables of the preferences whose records have nothing but texts (char *): uat_copy_texts() is their
 * copy_cb, UAT_TEXTS_FREE_DEF defines their free_cb, RECORD_free(). */
void *uat_copy_texts(void *to, const void *from, size_t size);
void uat_free_texts(void *record, size_t size);
#define UAT_TEXTS_FREE_DEF(record)                                                                           \
    static void record##_free(void *data)                                                                    \
    {                                                                                                        \
        uat_free_texts(data, sizeof(record));                                                                \
    }

#endif
