/* recordings.h
 *
 * Matching recordings: a packet that both of its ends have recorded is in the file twice; this finds the
 * other record.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_RECORDINGS_H
#define GODOT_RECORDINGS_H

#include "multiplayer/packet/items.h"

void godot_recordings_init(void);

/* Looks for the other end's record of a recorded packet. First pass only. */
void godot_recordings_learn(packet_info *pinfo, godot_message *message, const godot_recorded_info *recorded,
                            tvbuff_t *tvb);

/* Shows where the other end's record is, and the time between the two. */
void godot_recordings_add(const godot_packet *packet);

/* Of a packet from one to one, on later passes: whether and when it arrived, if the other end has recorded
 * what this one sent. It is lost if it has no record there, and one sent before and one sent
 * after it have. */
void godot_recordings_set_arrival(const godot_message *message, godot_tap *tap);

/* Whether the file had the other end's record before: statistics have counted it. */
bool godot_recordings_is_second(const godot_message *message);

#endif
