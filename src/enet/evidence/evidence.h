/* evidence.h
 *
 * What the capture has of each direction of a connection: what rests on something that was not seen can be
 * concluded only where it would have been seen.
 *
 * Source: the rules of Wireshark's TCP analysis ("ACKed unseen segment"), of its tcp.completeness and of
 * Zeek's capture_loss.log, for ENet's numbers.
 *
 * Limitations: a datagram that was not captured leaves no trace if it had no reliable command and was
 * followed by no unreliable message of its channel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_EVIDENCE_H
#define ENET_EVIDENCE_H

#include "enet/analysis/channel.h"

typedef enum { ENET_NOT_KNOWN, ENET_YES, ENET_NO } enet_answer;

#define ENET_EVERY_CHANNEL (-1)

/* What one end has sent between two frames. Answers rest on the frames that were read so far: on the first
 * pass, later ones may have what is missing; the caller keeps an answer that must not change. */
typedef struct {
    uint32_t stream;     /* of the connection */
    bool from_initiator; /* which end has sent it */
    bool reliable;       /* reliable messages only */
    int channel;         /* or ENET_EVERY_CHANNEL */
    bool counted;        /* both frames have messages that are counted together: none between is overlooked */
    uint32_t from, to;   /* frames, both included; `to` 0: as long as both directions are captured */
} enet_span;

/* Whether the capture has all of it. ENET_NO: something is missing, or cut, or the whole direction was not
 * captured. */
enet_answer enet_evidence_whole(const enet_capture *capture, const enet_span *span);

/* Reliable commands that are missing in it. *proven: one of them was acknowledged, so the capture lost it. */
uint32_t enet_evidence_missing(const enet_capture *capture, const enet_span *span, bool *proven);

/* Bits of the completeness of a direction, for enet.completeness. */
typedef enum {
    ENET_COMPLETE_START = 1,    /* its first datagram was captured */
    ENET_COMPLETE_OTHER = 2,    /* the other direction was captured */
    ENET_COMPLETE_END = 4,      /* it ends with a DISCONNECT of either end */
    ENET_LACKS_RELIABLE = 8,    /* reliable commands are missing */
    ENET_LACKS_UNRELIABLE = 16, /* unreliable messages are missing: lost, dropped by the throttle or not
                                 * captured */
    ENET_LACKS_ARRIVED = 32,    /* commands that arrived are missing: the capture lost them */
    ENET_LACKS_BYTES = 64,      /* datagrams were not captured whole, or cannot be read */
} enet_completeness;

/* As far as the capture was read. */
typedef struct {
    unsigned bits;         /* enet_completeness */
    uint32_t first, last;  /* frames of its first and last datagram; 0: it was not captured */
    uint32_t missing;      /* reliable commands */
    uint32_t acknowledged; /* of all that are missing or were captured late: acknowledged before */
    uint32_t lost;         /* commands that the capture lost, at least: acknowledged, or never sent again */
    bool clocks_differ;    /* its order among the other one's is not that of the frames */
} enet_direction;

enet_direction enet_evidence_of(const enet_sender *sender);

/* The direction; NULL: there is no such connection. */
const enet_sender *enet_evidence_sender(const enet_capture *capture, uint32_t stream, bool from_initiator);

#endif
