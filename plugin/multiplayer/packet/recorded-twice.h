/* recorded-twice.h
 *
 * Matching recordings: a packet that both of its ends have recorded is in the file twice; this finds the
 * other record.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_RECORDED_TWICE_H
#define GODOT_RECORDED_TWICE_H

#include "multiplayer/packet/items.h"

void godot_recordings_init(void);

/* Looks for the other end's record of a recorded packet and keeps the result in `message`. First pass
 * only. */
void godot_recordings_learn(packet_info *pinfo, godot_message *message, const recorder_record *recorded,
                            tvbuff_t *tvb);

/* Adds the frame of the other end's record and the time between the two. */
void godot_recordings_add(const godot_packet *packet);

/* On later passes: sets in `tap` whether and when a packet to a single peer arrived, if that peer has
 * recorded packets of this sender. A packet is lost if the receiver has no record of it, but has one of an
 * earlier and one of a later packet. */
void godot_recordings_set_arrival(const godot_message *message, godot_tap *tap);

/* True if the other end's record came earlier in the file, so statistics have counted the packet already. */
bool godot_recordings_is_second(const godot_message *message);

/* frame_order() of the record of the receiver with this number, from 0, of a recorded packet that was sent;
 * 0: there are no more. */
uint32_t godot_recordings_receiver(const godot_message *message, uint32_t index);

/* "received" or "sent", what such a record is; NULL for others. */
const char *godot_recordings_second_name(const godot_message *message);

#endif
