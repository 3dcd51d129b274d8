/* conversation.h
 *
 * Storage of src/enet's state in Wireshark: the connections of the file, the conversation of two sockets, the
 * record of a datagram in its frame. It is written on the first pass and kept until the file is closed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_STATE_H
#define ENET_STATE_H

#include "base/frame.h"

#include "enet/analysis/delivery.h"
#include "enet/analysis/points.h"
#include "enet/analysis/receive.h"

/* Keys of p_add_proto_data() for `enet`, in packet scope. */
enum {
    ENET_KEY_CHANNEL, /* uint8_t, the channel, for Decode As */
    ENET_KEY_TAPS,    /* enet_tap_datagram, the last one of the frame; in pinfo->pool */
};

void enet_state_register(int proto);

/* Name of the peer with this id, which a client of Godot gives in CONNECT: "client 2", or "peer 4711" if it
 * has none. NULL: there is nobody who names peers. */
extern const char *(*enet_peer_name)(wmem_allocator_t *scope, int32_t id);
/* Called when a CONNECT was read that opens a connection: its peers may be named. NULL: likewise. */
extern void (*enet_peer_connects)(void);
/* Name of this end of a connection; it returns NULL if the connection does not tell. NULL: likewise. */
extern const char *(*enet_end_name)(wmem_allocator_t *scope, const enet_connection *connection,
                                    enet_side side);

const enet_capture *enet_state_of_file(void);
uint32_t enet_state_connections(void);

/* Address and port of the end that opened the connection, as far as the capture shows it. */
const address *enet_state_initiator(const enet_connection *connection, uint32_t *port);

/* The packet's conversation. If there is none: NULL or, with `create`, a new one, for which `dialect` is
 * assumed at first. */
enet_conversation *enet_conversation_of(packet_info *pinfo, bool create, enet_dialect dialect);

/* The arrival data of a packet for src/enet. */
enet_arrival enet_arrival_of(const enet_conversation *conversation, const packet_info *pinfo);

/* Converts nanoseconds, which src/enet uses. */
nstime_t enet_nstime(int64_t nanoseconds_of);

/* The time from `time` (nanoseconds, as enet_transmission.time) to this packet. */
nstime_t enet_time_since(const packet_info *pinfo, int64_t time);

/* The sighting of a datagram at two capture points; on the first pass only `frame` is set. */
enet_sighting_facts enet_state_sighting(const packet_info *pinfo, const enet_datagram_record *record);

/* Later passes: whether and when the receiver's ENet delivers this command, if this is the receiver's capture
 * point. */
enet_delivery_facts enet_state_delivery(const packet_info *pinfo, const enet_datagram_record *record,
                                        const enet_command *command);

/* Enables or disables the table of round-trip times of reliable commands, for a statistic that shows them. */
void enet_state_keep_round_trips(bool keep);

/* Adds an ACKNOWLEDGE to this table, if it is the first one of its command. First pass only. */
void enet_state_learn_round_trip(const packet_info *pinfo, const enet_command_detail *detail);

/* Seconds from the acknowledged transmission of a command to the acknowledgement; negative: not known.
 * `first`: index of the command's first transmission. */
double enet_state_round_trip(uint32_t first);

/* Index of the record of the datagram at this layer of this frame; 0: there is none. */
uint32_t enet_record_here(const packet_info *pinfo);
void enet_record_keep(const packet_info *pinfo, uint32_t index);

/* Sender of the (last) ENet datagram in this frame, NULL if there is none. */
const enet_sender *enet_sender_in_frame(const packet_info *pinfo);

#endif
