/* tap.h
 *
 * What statistics and the dissectors of messages get of ENet besides payload.h: data of the taps "enet" (once
 * per datagram) and "enet_follow" (once per message), and questions about connections of the file. `stream`
 * and `from_initiator` are those of enet_payload_info, frames are frame_order().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_TAP_H
#define ENET_TAP_H

#include "base/frame.h"

#include "enet/analysis/points.h"
#include "enet/evidence/ending.h"
#include "enet/evidence/evidence.h"
#include "enet/evidence/loss.h"

#define ENET_TAP_COMMANDS 64u /* in one record; a datagram with more is counted in several */

typedef struct {
    uint8_t type, channel;
    bool reliable;                     /* the command asks for an acknowledgement */
    uint32_t length;                   /* of the command with its data */
    uint32_t notes;                    /* bits of enet_note */
    const enet_transmission *answered; /* that it acknowledges, if it is the first to do so; else NULL */
    uint32_t answered_first;           /* likewise: frame of the command's first transmission */
    enet_loss loss;                    /* what it shows about losses */
} enet_tap_command;

typedef struct enet_tap_datagram {
    const struct enet_tap_datagram *next; /* the previous one of the same frame */
    const enet_datagram_record *datagram;
    uint32_t frame_bytes;    /* 0 in the second and later records of a datagram */
    uint32_t overhead_bytes; /* of a frame that belongs to no message */
    uint32_t message_bytes;  /* shares of the messages delivered here */
    uint32_t messages;       /* delivered here */
    uint32_t datagram_bytes; /* UDP payload */
    uint32_t body_bytes;     /* commands, decompressed */
    const uint8_t *plain;    /* commands sent uncompressed; NULL: compressed, or cut by the capture */
    uint32_t command_count;  /* entries of `commands` */
    enet_tap_command commands[ENET_TAP_COMMANDS];
} enet_tap_datagram;

typedef struct {
    tvbuff_t *message;
    uint32_t stream;
    uint8_t channel;
} enet_tap_message;

/* The last element of the tap "enet" in this frame; NULL: none. For listeners of the tap "frame". */
const enet_tap_datagram *enet_taps_of_frame(packet_info *pinfo);

/* What ENet's range coder (Godot's COMPRESS_RANGE_CODER) would save in datagrams that were sent uncompressed.
 * The first 16,384 are encoded, then one in eight: for long captures the encoder would take more time than
 * all other parts of a page. Zeros: none yet. */
typedef struct {
    uint64_t datagrams;
    uint64_t saved;        /* bytes, in the first datagrams */
    uint64_t later, tried; /* bytes of commands after these, and of those that were encoded */
    uint64_t saved_of_tried;
} enet_coding;

/* `pool`: for temporary data. Returns false if the datagram's commands were sent compressed, or are counted
 * in another record of the datagram. */
bool enet_coding_add(enet_coding *coding, wmem_allocator_t *pool, const enet_tap_datagram *datagram);

/* Bytes; an estimate if the encoder has not tried all datagrams (enet_coding.later is not 0). */
uint64_t enet_coding_saved(const enet_coding *coding);

/* --- connections --------------------------------------------------------------------------------- */

uint32_t enet_state_connections(void);

/* The connection with this number; NULL: there is none. */
const enet_connection *enet_connection_in_file(uint32_t stream);

/* What one end of it has sent; NULL: there is no such connection. */
const enet_sender *enet_sender_in_file(uint32_t stream, bool from_initiator);

/* Sender of the (last) ENet datagram in this frame, NULL if there is none. */
const enet_sender *enet_sender_in_frame(const packet_info *pinfo);

/* Address and port of the end that opened the connection, as far as the capture shows it. */
const address *enet_state_initiator(const enet_connection *connection, uint32_t *port);

/* The first frame with a datagram between the same two sockets, if that was before the first one that `enet`
 * got: another dissector, registered for the port, took it. 0: there is none. */
uint32_t enet_state_not_given(const enet_connection *connection);

/* The side of the sender's connection that is the client: the one that opened it or, if that was not
 * captured, the one that is not the server. */
enet_side enet_client_side(const packet_info *pinfo, const enet_sender *sender);

/* Whether that is more than a guess: the Connect shows it, or a message that agrees with the ports; others
 * may be a broken client's. */
bool enet_client_agrees(const enet_connection *connection);

/* The time from `time` (nanoseconds, as enet_transmission.time) to this packet. */
nstime_t enet_time_since(const packet_info *pinfo, int64_t time);

/* The sighting of a datagram at two capture points; on the first pass only `frame` is set. */
enet_sighting_facts enet_state_sighting(const packet_info *pinfo, const enet_datagram_record *record);

/* Enables or disables the table of round-trip times of reliable commands, for a statistic that shows them. */
void enet_state_keep_round_trips(bool keep);

/* --- what the capture has of a direction: see enet/evidence/evidence.h ---------------------------- */

/* Whether the capture has all of the span. */
enet_answer enet_captured_whole(const enet_span *span);

/* Reliable commands of the span that the capture does not have; *proven: the capture lost one of them. */
uint32_t enet_captured_not(const enet_span *span, bool *proven);

/* Whether the receiver has this message (enet_payload_info) and all reliable ones before it; and since when.
 * As far as the file was read. */
bool enet_captured_delivery(uint32_t stream, bool from_initiator, uint8_t channel, uint32_t sent,
                            int64_t *time);

/* What it has of a direction; all zeroes if there is no such connection. */
enet_direction enet_captured_of(uint32_t stream, bool from_initiator);

/* Whether losses of the connection are judged: see enet_loss_is_judged(). */
bool enet_losses_judged(const enet_connection *connection);

/* How a connection ends. */
enet_ending enet_ending_in_file(const enet_connection *connection);

/* "one direction, not from the start". `any`, `all`: bits of either direction, of both. */
const char *enet_captured_text(wmem_allocator_t *pool, unsigned any, unsigned all);

/* --- names, which whoever dissects the messages may know ------------------------------------------ */

/* Name of the peer with this id, which a client of Godot gives in CONNECT: "client 2", or "peer 4711" if it
 * has none. NULL: there is nobody who names peers. */
extern const char *(*enet_peer_name)(wmem_allocator_t *scope, int32_t id);
/* Called when a CONNECT was read that opens a connection: its peers may be named. NULL: likewise. */
extern void (*enet_peer_connects)(void);
/* Name of this end of a connection; it returns NULL if the connection does not tell. NULL: likewise. */
extern const char *(*enet_end_name)(wmem_allocator_t *scope, const enet_connection *connection,
                                    enet_side side);
/* Whether the server is the end that counts as the one that opened the connection, by its messages: as in
 * some meshes, and if its ports mislead. NULL: it is never known. */
extern enet_answer (*enet_server_opens)(uint32_t stream);
/* Whether its ends may be equal peers, as in a mesh. NULL: they never are. */
extern bool (*enet_is_of_mesh)(const enet_connection *connection);

#endif
