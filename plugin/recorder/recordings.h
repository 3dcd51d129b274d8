/* recordings.h
 *
 * What is remembered of recordings: what their first record says, who has sent a packet; and their peers get
 * names. What is learned is learned on the first pass.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_RECORDINGS_OF_RECORDER_H
#define GODOT_RECORDINGS_OF_RECORDER_H

#include "base/wireshark-compat.h"

#include "recorder/record.h"

/* What a record of the kind RECORDER_INFO has said. */
typedef struct {
    const char *peer_class, *project;
    int64_t process; /* 0: not known */
} recording_info;

void recordings_register(int proto);
void recordings_learn(packet_info *pinfo, uint32_t recording, const recording_info *said);
/* As of this frame; NULL: the recording has said nothing yet. On any pass. */
const recording_info *recordings_find(const packet_info *pinfo, uint32_t recording);
/* Whether the packet is the first that the recording has of its sender; on any pass. */
bool recordings_is_first(packet_info *pinfo, const recorder_record *record);
void recordings_name_peers(packet_info *pinfo, const recorder_record *head);

#endif
