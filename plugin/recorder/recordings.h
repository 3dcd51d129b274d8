/* recordings.h
 *
 * State of recordings: contents of their first record, and the peers that have sent packets. It is written on
 * the first pass.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_RECORDINGS_OF_RECORDER_H
#define GODOT_RECORDINGS_OF_RECORDER_H

#include "base/wireshark-compat.h"

#include "multiplayer/reports/reports.h"
#include "recorder/record.h"

/* Contents of a record of the kind RECORDER_INFO. */
typedef struct {
    const char *peer_class, *project;
    int64_t process; /* 0: not known */
    uint32_t game;   /* number of the process, in all its recordings; 0: not known */
    bool reports;    /* the process records errors */
} recording_info;

void recordings_register(int proto);
/* First pass: a copy of `said` is kept from this frame on. */
void recordings_learn(packet_info *pinfo, uint32_t recording, const recording_info *said);
/* The info as of this frame, on any pass; NULL: none yet. */
const recording_info *recordings_find(const packet_info *pinfo, uint32_t recording);
/* Who has made the record; NULL: too many processes. */
engine_process *recordings_source(const packet_info *pinfo, const recorder_record *head);
/* What that is called, as of this frame: "client 2", "process 811", "game"; in pinfo->pool. */
const char *recordings_name(const packet_info *pinfo, const recorder_record *head);
/* First pass: reports of the recording's process are missing. */
void recordings_learn_left_out(const packet_info *pinfo, uint32_t recording);
/* Whether the packet is the first one of its sender in this recording; on any pass. */
bool recordings_is_first(packet_info *pinfo, const recorder_record *record);
/* First pass: gives names to the peers of a record. */
void recordings_name_peers(packet_info *pinfo, const recorder_record *head);

#endif
