/* receive.h
 *
 * Analyses the datagrams of a capture file in their order: the connection of each, and notes about its
 * commands. The input is the bytes of a datagram, an increasing frame number, a time, and which of two
 * sockets sent it; nothing here depends on Wireshark.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_RECEIVE_H
#define ENET_RECEIVE_H

#include "enet/analysis/traffic.h"
#include "enet/connection/layout.h"

/* Most commands that fit into a receiver's buffer. Further commands are shown without analysis. */
#define ENET_MAX_RECORDED (ENET_MAX_DATAGRAM / ENET_COMMAND_HEADER)

/* Senders put at most 32 commands into a datagram, receivers take any number, and a thousand of them can be
 * compressed to thirty bytes. In a file ENET_COMMANDS_BUDGET commands beyond the first
 * ENET_UNBUDGETED_COMMANDS of their datagrams are recorded; the others are shown without analysis, too. */
#define ENET_UNBUDGETED_COMMANDS 64u
#define ENET_COMMANDS_BUDGET     1000000u

/* Fragments are kept until the file is closed, for later passes. Decompressed they can be forty times as long
 * as in the file. So many bytes are kept in addition to the fragments' share of the frames. */
#define ENET_EXCESS_BUDGET (UINT64_C(256) << 20)

/* `memory` must stay valid as long as the state is used, and frees all of it. */
void enet_capture_init(enet_capture *capture, const memory_allocator *memory);

/* A datagram and all its commands, read once. */
typedef struct {
    enet_wire wire;
    enet_opened opened;
    enet_body body;         /* after the walk, with findings about the datagram as a whole */
    enet_command *commands; /* allocated by the caller's memory */
    uint32_t count;
    uint32_t room;       /* of `commands` */
    uint32_t data_bytes; /* length of the commands that carry data */
} enet_datagram;

typedef struct {
    const enet_layout_choices *choices;
    const memory_allocator *scratch_memory; /* for enet_datagram.commands and temporary data */
    uint8_t *scratch;                       /* ENET_MAX_DATAGRAM bytes for the decompressed body */
    bool reassemble;                        /* keep the data of fragments and put messages together */
    bool may_refuse; /* a datagram that fits no connection and starts none is not ENet */
} enet_receive_options;

/* First pass: analyses a datagram and fills `datagram` and `record`. `found`: the result of enet_detect(), or
 * NULL. False if it is not ENet (may_refuse): nothing is kept of it, and `record` is not valid. */
bool enet_receive(enet_conversation *conversation, const enet_receive_options *options,
                  const enet_arrival *seen, const enet_wire *wire, const enet_detection *found,
                  enet_datagram *datagram, enet_datagram_record *record);

/* A datagram quoted in an ICMP error message: it was sent before, so the analysis is not changed. Fills
 * `datagram` and `record`, which has no connection. `closed`: the message says that the socket it was sent to
 * is closed; it is noted that this end is gone, unless it is heard again. */
void enet_receive_quoted(enet_conversation *conversation, const enet_receive_options *options,
                         const enet_arrival *quoted, bool closed, const enet_wire *wire,
                         enet_datagram *datagram, enet_datagram_record *record);

/* Later passes: reads a datagram again, in the same way. `index` is that of its record. Only the two scratch
 * members of `options` are used. */
void enet_read_again(const enet_capture *capture, uint32_t index, const enet_receive_options *options,
                     const enet_wire *wire, enet_datagram *datagram, enet_datagram_record *record);

/* A command's share of the frame's bytes. `data_bytes_before`: length of the commands with data before it.
 * The sum of all shares is exactly record->shared_bytes. */
uint32_t enet_share_of(const enet_datagram_record *record, const enet_datagram *datagram,
                       uint32_t data_bytes_before, const enet_command *command);

/* Length of a command if it carries data, else 0. */
static inline uint32_t enet_data_command_length(const enet_command *command)
{
    return enet_commands[command->type].data && command->complete
               ? command->fixed_length + command->announced_length
               : 0;
}

#endif
