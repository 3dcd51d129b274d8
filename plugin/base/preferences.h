/* preferences.h
 *
 * All preferences whose names begin with "godot.": one page, "Godot". Wireshark takes a preference's name
 * apart at the first dot that ends the name of a module; once there is a module "godot" (for godot.project),
 * it would look for godot.variant.dialect in there and never come to a module "godot.variant". So the other
 * protocols register theirs in the module "godot" too, under names with dots: "variant.dialect".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PREFERENCES_H
#define GODOT_PREFERENCES_H

#include "base/wireshark-compat.h"

#include <epan/prefs.h>

/* Creates the module; `changed` (may be NULL) is called whenever one of its preferences may have changed. For
 * the protocol "godot" only, while protocols are registered. */
module_t *godot_preferences_register(int proto_godot, void (*changed)(void));

/* The module. From the handoff functions on. */
module_t *godot_preferences(void);

/* A heading on the page, above what is added next; `name` is that of no other preference. */
void godot_preferences_add_heading(const char *name, const char *title);

/* Adds the preference godot.NAME for ports of a table ("udp.port"), with `ports` as its default (may be
 * empty), and Decode As for that table. In handoff functions. */
void godot_preferences_add_ports(const char *name, const char *title, const char *table, const char *ports,
                                 dissector_handle_t handle);

#endif
