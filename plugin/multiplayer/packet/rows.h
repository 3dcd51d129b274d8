/* rows.h
 *
 * What a row of `-z godot,messages` needs beyond the other statistics.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_ROWS_H
#define GODOT_ROWS_H

#include <epan/expert.h>

#include "multiplayer/packet/packet.h"

/* On the first pass its peers get their names; again when the packet has told an id. */
void godot_name_ends(const godot_packet *packet);
/* Who has made the packet and whom it is for, by `from`, `to`, `broadcast`. */
void godot_tap_set_ends(const godot_packet *packet);
/* The first problem stays. `text`: NULL for what its expert info is always called. */
void godot_tap_set_problem(const godot_packet *packet, const expert_field *expert, const char *text);
/* Values at `offset`, if anybody wants them. */
void godot_tap_add_argument(const godot_packet *packet, uint32_t offset, uint32_t length,
                            variant_options options);
/* The bare bytes of a call. */
void godot_tap_add_bytes(const godot_packet *packet, uint32_t offset, uint32_t length);
/* `node`: "" if not known. */
void godot_tap_add_value(const godot_packet *packet, const char *node, const char *property, uint32_t offset,
                         uint32_t length, variant_options options);

#endif
