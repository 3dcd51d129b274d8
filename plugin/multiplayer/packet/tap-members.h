/* tap-members.h
 *
 * The members of godot_tap that are mainly for `-z godot,messages`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_TAP_MEMBERS_H
#define GODOT_TAP_MEMBERS_H

#include <epan/expert.h>

#include "multiplayer/packet/dissection.h"

/* On the first pass: gives names to the peers of the packet. To be called again when the packet has an id
 * that was not known before. */
void godot_name_ends(const godot_packet *packet);
/* Sets source and target, from `from`, `to` and `broadcast` of the packet. */
void godot_tap_set_ends(const godot_packet *packet);
/* Sets the problem unless there is one already. `text`: NULL for the summary of the expert info. */
void godot_tap_set_problem(const godot_packet *packet, const expert_field *expert, const char *text);
/* Appends to the arguments or values of the tap's data; `list` NULL: the tap "godot_message" has no
 * listeners. */
void godot_tap_add(wmem_array_t *list, godot_tap_variant value);

#endif
