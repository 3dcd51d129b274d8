/* conclusions.h
 *
 * What is concluded from something that was not seen, and what the capture must have for it. docs/enet.md has
 * this table (script/field-reference).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_CONCLUSIONS_H
#define ENET_CONCLUSIONS_H

#include "enet/connection/record.h"

typedef enum {
    ENET_CONCLUDES_GAP,
    ENET_CONCLUDES_UNKNOWN,
    ENET_CONCLUDES_BEFORE_HANDSHAKE,
    ENET_CONCLUDES_UNACKNOWLEDGED,
    ENET_CONCLUDES_NEVER_ACKNOWLEDGED,
    ENET_CONCLUDES_TIMEOUT,
    ENET_CONCLUDES_LOSS,
    ENET_CONCLUDES_GONE,
    ENET_CONCLUDES_PAUSE,
    ENET_CONCLUDES_TOO_BIG,
    ENET_CONCLUDES_BAD_CHECKSUM,
    ENET_CONCLUSIONS
} enet_conclusion;

/* What a conclusion about commands of one end needs. */
enum {
    ENET_NEEDS_BYTES = 1,   /* all bytes of the datagrams of the connection */
    ENET_NEEDS_ANSWERS = 2, /* the other direction */
    ENET_NEEDS_START = 4,   /* the connection from its first datagram on */
    ENET_NEEDS_ALL = 8,     /* that the capture lost no datagram of it, as far as it shows that (holes.h) */
    ENET_NEEDS_NO_GAP = 16, /* nothing is missing in the other direction since then */
    ENET_NEEDS_HEARD = 32,  /* a later datagram of the other end */
    ENET_NEEDS_TIME = 64,   /* a later time in the capture, so the second pass */
    ENET_NEEDS_ORDER = 128, /* both directions in their order: not by clocks that differ */
};

typedef struct {
    const char *filter; /* field, or page and words of a statistic */
    unsigned needs;     /* bits */
    const char *proof;  /* what shows it */
} enet_conclusion_facts;

extern const enet_conclusion_facts enet_conclusions[ENET_CONCLUSIONS];

/* Whether the capture has what the conclusion about commands of `sender` needs of the connection as a whole:
 * not ENET_NEEDS_NO_GAP, _HEARD and _TIME, which depend on the command. */
bool enet_may_conclude(const enet_sender *sender, enet_conclusion conclusion);

/* Later passes: those of the notes of a command that the whole capture does not prove: that it was sent
 * before the handshake was complete, or needlessly. `arrival`: time and frame of its datagram. */
uint32_t enet_withdrawn_notes(const enet_capture *capture, const enet_sender *sender,
                              const enet_arrival *arrival, const enet_command_record *record, unsigned type);

#endif
