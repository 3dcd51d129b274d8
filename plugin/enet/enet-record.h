/* enet-record.h
 *
 * What was decided about a datagram when its frame was dissected for the first time: everything that was
 * true at that moment and may be different later. One record per datagram; later passes only read it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_RECORD_H
#define ENET_RECORD_H

#include "enet/enet-analysis.h"
#include "enet/enet-connection.h"
#include "enet/enet-reassembly.h"

/* No receiver ever has more commands in its buffer. What follows is shown without analysis. */
#define ENET_MAX_RECORDED (ENET_MAX_DATAGRAM / ENET_COMMAND_HEADER)

/* Senders put at most 32 commands into a datagram, receivers take any number, and compressed a thousand are
 * next to nothing on the wire. Those beyond ENET_USUAL_COMMANDS are recorded as long as the file's budget for
 * them lasts, at most some 150 bytes each; then they are shown without analysis, too. */
#define ENET_USUAL_COMMANDS 64u
#define ENET_CROWD_BUDGET   1000000u

typedef enum { ENET_CHECKSUM_UNVERIFIED, ENET_CHECKSUM_GOOD, ENET_CHECKSUM_BAD } enet_checksum_verdict;

typedef struct {
    enet_sender *sender; /* NULL: no connection */
    enet_dialect dialect;
    bool has_checksum;
    bool direction_known, has_connect_data;
    bool dropped; /* a receiver drops the whole datagram */
    enet_compression compression;
    decompress_result decompress_result;
    enet_checksum_verdict checksum_verdict;
    uint32_t expected_checksum;
    uint32_t channel_count, mtu; /* negotiated so far, 0 if not known */
    uint32_t data_bytes;         /* length of the commands that carry data */
    uint32_t shared_bytes;       /* distributed among them: the frame, and earlier frames of ACKs alone */
    uint32_t command_count;      /* entries of `commands` */
    enet_command_record commands[];
} enet_datagram_record;

/* Record of the (last) ENet datagram in this frame, NULL if there is none (packet-enet.c). */
const enet_datagram_record *enet_record_of(packet_info *pinfo);

#endif
