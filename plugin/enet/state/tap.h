/* tap.h
 *
 * Data of the taps "enet" (once per datagram) and "enet_follow" (once per message).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_TAP_H
#define ENET_TAP_H

#include "enet/evidence/loss.h"
#include "enet/state/conversation.h"

#define ENET_TAP_COMMANDS 64u /* in one record; a datagram with more is counted in several */

typedef struct {
    uint8_t type, channel;
    bool reliable;                     /* the command asks for an acknowledgement */
    uint32_t length;                   /* of the command with its data */
    uint32_t notes;                    /* bits of enet_note */
    const enet_transmission *answered; /* that it acknowledges, if it is the first to do so; else NULL */
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

/* Length of a datagram's commands after compression by ENet's range coder (Godot's COMPRESS_RANGE_CODER), in
 * bytes; `pool`: for temporary data. 0: they were sent compressed, or are counted in another record of the
 * datagram. */
uint32_t enet_tap_coded_bytes(wmem_allocator_t *pool, const enet_tap_datagram *datagram);

void enet_stat_register(int proto);

#endif
