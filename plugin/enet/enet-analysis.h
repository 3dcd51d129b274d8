/* enet-analysis.h
 *
 * Follows the numbers of a connection: which acknowledgement answers which transmission, what was sent
 * again, what is missing, what came in the wrong order, what the rules of the protocol forbid at this
 * moment. First pass only; the results go into the datagram's record.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_ANALYSIS_H
#define ENET_ANALYSIS_H

#include "enet/enet-connection.h"

typedef enum {
    ENET_NOTE_RETRANSMISSION, /* sent again with another time */
    ENET_NOTE_SPURIOUS,       /* ... although it had been acknowledged */
    ENET_NOTE_DUPLICATE, /* the network delivered the datagram twice, or an ACK answers what was answered */
    ENET_NOTE_OUT_OF_ORDER,   /* a number first seen behind a higher one */
    ENET_NOTE_GAP,            /* reliable numbers skipped: lost, late or not captured */
    ENET_NOTE_UNRELIABLE_GAP, /* unreliable numbers skipped: lost, or dropped by the sender's throttle */
    ENET_NOTE_UNRELIABLE_LATE,
    ENET_NOTE_UNRELIABLE_REPEATED,
    ENET_NOTE_GROUP_REPEATED,
    ENET_NOTE_GROUP_TOO_FAR,
    ENET_NOTE_NUMBER_TOO_FAR,
    ENET_NOTE_UNKNOWN_NUMBER, /* acknowledges what was not seen */
    ENET_NOTE_UNKNOWN_TIME,   /* echoes a time that was not used */
    ENET_NOTE_BEFORE_HANDSHAKE,
    ENET_NOTE_AFTER_DISCONNECT,
    ENET_NOTE_VERIFY_MISMATCH,  /* VERIFY_CONNECT does not repeat CONNECT's parameters */
    ENET_NOTE_VERIFY_STALE,     /* answers an attempt that was given up */
    ENET_NOTE_CHANNELS_GRANTED, /* more channels than asked for */
    ENET_NOTE_TOO_BIG,          /* fragmented, and therefore reliable, on a channel of unreliable messages */
    ENET_NOTE_FRAGMENT_LATE,    /* its message was complete already */
    ENET_NOTE_FRAGMENT_REPEATED,
    ENET_NOTE_FRAGMENT_CONFLICT, /* other count or length than the message's other fragments */
    ENET_NOTE_COUNT
} enet_note;

#define ENET_NOTE(note) (1u << (note))

/* One copy of a reliable command on its way. */
typedef struct enet_transmission {
    struct enet_reliable *command;
    struct enet_transmission *next; /* later one of the same command */
    uint32_t frame;
    uint32_t acked_in; /* frame of the ACK that echoes its sent time, 0 if none */
    nstime_t time;
    uint16_t sent_time;
    bool has_sent_time;
} enet_transmission;

/* One reliable command, however often it was sent. */
typedef struct enet_reliable {
    uint32_t number;   /* sequence number without wrapping */
    uint32_t acked_in; /* frame of its first ACK, 0 if none */
    uint32_t length;
    uint16_t transmissions;
    uint8_t type;
    bool unanswerable; /* nobody acknowledges this one */
    enet_transmission first;
    enet_transmission *last;
} enet_reliable;

/* What was decided about one command. */
typedef struct {
    uint32_t notes;  /* bits of enet_note */
    uint32_t number; /* what a note counts: numbers skipped; VERIFY_CONNECT: CONNECTs so far */
    enet_transmission *transmission; /* this one */
    union {
        enet_transmission *answered;  /* ACKNOWLEDGE, VERIFY_CONNECT: the one it answers */
        struct enet_message *message; /* fragments (enet-reassembly.h) */
    };
    uint32_t earlier_frame; /* repetitions: where it was first seen; 0 if not repeated */
    bool completes;         /* this fragment completed its message */
    uint8_t taker;          /* heuristic that took the message (packet-enet.c) */
} enet_command_record;

/* Takes one command that a receiver would execute into account and fills `record`. */
void enet_analyse(enet_sender *sender, const packet_info *pinfo, const enet_header *header,
                  const enet_command *command, enet_command_record *record);

/* What an ACKNOWLEDGE or VERIFY_CONNECT answers, where that is certain: of a CONNECT that was sent more than
 * once, which one was answered is not said. NULL: nothing. */
const enet_transmission *enet_round_trip(const enet_command_record *record, unsigned type);

/* Position of a message in its channel's order of unreliable messages; one in fragments counts once. */
void enet_analyse_unreliable(enet_sender *sender, const enet_command *command, uint16_t unreliable,
                             enet_command_record *record);

/* A reliable number of the channel without wrapping: the one next to the highest seen so far. */
uint32_t enet_traffic_unwrap(enet_sender *sender, uint8_t channel, uint16_t sequence);

/* `sender` sent what `acknowledge` (from the other side) acknowledges, at the time it echoes. */
bool enet_traffic_has_sent(const enet_sender *sender, const enet_command *acknowledge);

#endif
