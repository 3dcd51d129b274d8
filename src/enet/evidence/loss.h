/* loss.h
 *
 * What one command shows about losses between two peers. A transmission counts as lost if a later one of the
 * same command was acknowledged and it was not; without an acknowledgement nothing is concluded, as the other
 * end may be gone, or the capture may not have it.
 *
 * Limitations: an acknowledgement that is lost cannot be distinguished from a lost command. Which
 * transmission of CONNECT was answered is not known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_LOSS_H
#define ENET_LOSS_H

#include "enet/connection/record.h"

typedef struct {
    uint32_t skipped; /* unreliable messages that are missing before this one */
    uint32_t again;   /* if `lost`: frame of the command's first retransmission */
    uint8_t lost;     /* transmissions before the one that this ACKNOWLEDGE answers */
    uint8_t needless; /* retransmissions after it, or: this is one, of a command that was acknowledged */
    uint8_t found;    /* 1: this message was among those that were missing */
} enet_loss;

/* `whole`: on later passes, when messages that are missing only for a while are not counted. */
enet_loss enet_loss_at(const enet_capture *capture, const enet_sender *sender,
                       const enet_command_record *record, const enet_command *command, uint32_t frame,
                       bool whole);

/* Unreliable messages that are still missing before this one, at which in `frame` `number` were. */
uint32_t enet_loss_skipped(const enet_sender *sender, const enet_command *command, uint32_t number,
                           uint32_t frame);

/* Whether a command that asks for an acknowledgement or not, with these notes, is a transmission of a
 * reliable command: not a copy of a datagram that was captured before. */
static inline bool enet_is_transmission(bool acknowledge, uint32_t notes)
{
    return acknowledge && !(notes & ENET_NOTE(ENET_NOTE_DUPLICATE));
}

/* Whether what is missing in the capture says something about the network. */
bool enet_loss_is_judged(const enet_connection *connection);

/* Whether the receiver has not received the newest transmission of this command although it would have
 * answered: it was heard later, and everything it sent was captured. */
bool enet_loss_unanswered(const enet_capture *capture, const enet_sender *sender,
                          const enet_transmission *first);

/* Whether the command is never acknowledged although it was sent again: as above, or until its sender closed
 * the connection or gave it up. A sender with an acknowledgement does not send again, so of a command that
 * was sent once a lost acknowledgement is more likely one that the capture lost. */
bool enet_loss_never_answered(const enet_capture *capture, const enet_sender *sender,
                              const enet_transmission *first);

#endif
