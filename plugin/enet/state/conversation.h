/* conversation.h
 *
 * Storage of src/enet's state in Wireshark: the connections of the file, the conversation of two sockets, the
 * record of a datagram in its frame. It is written on the first pass and kept until the file is closed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_STATE_H
#define ENET_STATE_H

#include "enet/analysis/delivery.h"
#include "enet/analysis/receive.h"
#include "enet/api/tap.h"

/* Keys of p_add_proto_data() for `enet`, in packet scope. */
enum {
    ENET_KEY_CHANNEL, /* uint8_t, the channel, for Decode As */
    ENET_KEY_TAPS,    /* enet_tap_datagram, the last one of the frame; in pinfo->pool */
};

void enet_state_register(int proto);

const enet_capture *enet_state_of_file(void);
/* The packet's conversation. If there is none: NULL or, with `create`, a new one, for which `dialect` is
 * assumed at first. */
enet_conversation *enet_conversation_of(packet_info *pinfo, bool create, enet_dialect dialect);

/* The arrival data of a packet for src/enet. */
enet_arrival enet_arrival_of(const enet_conversation *conversation, const packet_info *pinfo);

/* Notes of a command of this frame that the whole capture does not prove: enet_withdrawn_notes(). 0 on the
 * first pass. */
uint32_t enet_notes_withdrawn(const packet_info *pinfo, const enet_sender *sender,
                              const enet_command_record *record, unsigned type);

/* Later passes: whether and when the receiver's ENet delivers this command, if this is the receiver's capture
 * point. */
enet_delivery_facts enet_state_delivery(const packet_info *pinfo, const enet_datagram_record *record,
                                        const enet_command *command);

/* Adds an ACKNOWLEDGE to this table, if it is the first one of its command. First pass only. */
void enet_state_learn_round_trip(const packet_info *pinfo, const enet_command_detail *detail);

/* Seconds from the acknowledged transmission of a command to the acknowledgement; negative: not known.
 * `first`: index of the command's first transmission. */
double enet_state_round_trip(uint32_t first);

/* Index of the record of the datagram at this layer of this frame; 0: there is none. */
uint32_t enet_record_here(const packet_info *pinfo);
void enet_record_keep(const packet_info *pinfo, uint32_t index);

#endif
