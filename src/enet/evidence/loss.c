/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/evidence/loss.h"

#include "enet/connection/holes.h"
#include "enet/evidence/conclusions.h"
#include "enet/evidence/ending.h"
#include "enet/evidence/evidence.h"

/* The first acknowledgement of a command that was sent more than once. */
static enet_loss answered(const enet_capture *capture, const enet_command_detail *detail, uint32_t frame)
{
    const enet_transmission *next = enet_transmission_at(capture, detail->about);
    const enet_transmission *first = next ? enet_first_transmission(capture, next) : NULL;
    const enet_transmission *second = first ? enet_transmission_at(capture, first->next) : NULL;
    enet_loss loss = {.again = second ? second->frame : 0};

    for (const enet_transmission *at = first; at && at != next;
         at = enet_transmission_at(capture, at->next)) {
        /* Of at most ENET_MAX_TRANSMISSIONS. Acknowledged, but captured later: what followed was needless. */
        loss.lost = (uint8_t)(loss.lost + !at->acked_in);
        loss.needless = (uint8_t)(loss.needless + !!at->acked_in);
    }
    while (next && (next = enet_transmission_at(capture, next->next)) != NULL && next->frame < frame) {
        loss.needless++;
    }
    return loss;
}

uint32_t enet_loss_skipped(const enet_sender *sender, const enet_command *command, uint32_t number,
                           uint32_t frame)
{
    bool group = command->type == ENET_SEND_UNSEQUENCED;
    bool fragment = command->type == ENET_SEND_UNRELIABLE_FRAGMENT;
    uint16_t own = group      ? command->fields.unsequenced.group
                   : fragment ? command->fields.fragment.start_sequence
                              : command->fields.unreliable.sequence;
    const enet_hole *hole =
        enet_holes_at(sender, group ? ENET_HOLE_GROUPS : ENET_HOLE_UNRELIABLE, command->channel, own, frame);

    return hole ? hole->missing : number;
}

enet_loss enet_loss_at(const enet_capture *capture, const enet_sender *sender,
                       const enet_command_record *record, const enet_command *command, uint32_t frame,
                       bool whole)
{
    uint32_t number = record->has_detail ? enet_detail_of(capture, record, command->type).number : 0;
    bool spurious = record->notes & ENET_NOTE(ENET_NOTE_SPURIOUS);
    enet_loss loss = {.needless = spurious};

    if (number == 0) {
        return loss;
    }
    if (command->type == ENET_ACKNOWLEDGE) {
        const enet_command_detail detail = enet_detail_of(capture, record, command->type);
        return answered(capture, &detail, frame);
    }
    if (record->notes & ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP)) {
        loss.skipped = whole ? enet_loss_skipped(sender, command, number, frame) : number;
    } else if (command->type != ENET_VERIFY_CONNECT && !(record->notes & ENET_NOTE(ENET_NOTE_GAP))) {
        loss.found = !whole;
    }
    return loss;
}

bool enet_loss_unanswered(const enet_capture *capture, const enet_sender *sender,
                          const enet_transmission *first)
{
    const enet_sender *receiver = enet_other_sender(sender);
    const enet_transmission *last = enet_transmission_at(capture, first->last);
    const enet_span span = {.stream = sender->connection->stream,
                            .from_initiator = receiver->side == ENET_INITIATOR,
                            .channel = ENET_EVERY_CHANNEL,
                            .from = last ? last->frame : first->frame};

    /* An acknowledgement may be on its way for as long as the sender waits for one before it sends again. */
    int64_t wait = last && last != first ? last->time - first->time : 0;
    return last && !first->unanswerable && !first->command_acked_in && receiver->last_frame > last->frame &&
           receiver->last_time - last->time > wait &&
           enet_clock_runs(capture, first->frame, receiver->last_frame) && sender->last_frame > last->frame &&
           enet_evidence_whole(capture, &span) == ENET_YES;
}

bool enet_loss_never_answered(const enet_capture *capture, const enet_sender *sender,
                              const enet_transmission *first)
{
    if (first->unanswerable || first->command_acked_in || first->count < 2) {
        return false; /* sent once: the sender got an acknowledgement that was not captured, or had no time */
    }
    if (enet_loss_unanswered(capture, sender, first)) {
        return true;
    }
    return enet_may_conclude(sender, ENET_CONCLUDES_NEVER_ACKNOWLEDGED) &&
           (sender->disconnect_frame || enet_ending_of(capture, sender->connection).kind == ENET_GIVEN_UP);
}

bool enet_loss_is_judged(const enet_connection *connection)
{
    return enet_may_conclude(&connection->senders[ENET_INITIATOR], ENET_CONCLUDES_LOSS) &&
           enet_may_conclude(&connection->senders[ENET_ACCEPTOR], ENET_CONCLUDES_LOSS);
}
