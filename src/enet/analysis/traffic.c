/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/analysis/traffic.h"

#include "enet/analysis/channel.h"
#include "enet/analysis/delivery.h"
#include "enet/analysis/handshake.h"
#include "enet/analysis/timeout.h"
#include "enet/connection/holes.h"
#include "enet/connection/fragments.h"
#include "enet/wire/numbers.h"

/* --- reliable commands --------------------------------------------------------------------------- */

/* What is sent again has the same bytes. */
static uint16_t hash_of(const enet_occurrence *occurrence)
{
    return (uint16_t)(hash_bytes(occurrence->bytes, occurrence->command->length) >> 48);
}

static bool is_copy(const enet_transmission *known, const enet_occurrence *occurrence, uint32_t number)
{
    const enet_command *command = occurrence->command;

    return known->number == number && known->length == (uint16_t)command->length &&
           known->type == command->type && known->hash == hash_of(occurrence);
}

static uint32_t analyse_repetition(enet_capture *capture, enet_sender *sender, uint32_t first_index,
                                   const enet_occurrence *occurrence, enet_command_detail *detail)
{
    const enet_header *header = occurrence->header;
    const enet_transmission *first = paged_list_at(&capture->transmissions, first_index);

    detail->earlier_frame = first->frame;
    if (header->has_sent_time) {
        detail->transmission = enet_sent_find_time(&capture->transmissions, first_index, header->sent_time);
    }
    if (detail->transmission || first->unanswerable) {
        return ENET_NOTE(ENET_NOTE_DUPLICATE); /* nobody waits for an acknowledgement, to send it again */
    }
    detail->transmission =
        enet_sent_repeat(&capture->memory, &capture->transmissions, first_index, occurrence->arrival, header);
    /* The acknowledgement is one of this transmission, and was only captured before it. */
    bool answers_this = header->has_sent_time && header->sent_time == sender->early_time &&
                        first->command_acked_in == sender->early_ack;
    enet_timeout_repeat(capture, sender, first_index);
    return ENET_NOTE(ENET_NOTE_RETRANSMISSION) |
           (first->command_acked_in && !answers_this && !sender->mixed ? ENET_NOTE(ENET_NOTE_SPURIOUS) : 0);
}

/* A receiver delivers reliable commands in order, without a gap. A command that was neither captured nor
 * acknowledged counts as delivered if the sender is further ahead than it may be without the
 * acknowledgement. */
static void advance_delivered(const enet_capture *capture, const enet_sender *sender, enet_channel *channel)
{
    if (channel->highest > ENET_MAX_AHEAD && channel->delivered < channel->highest - ENET_MAX_AHEAD) {
        channel->delivered = channel->highest - ENET_MAX_AHEAD;
    }
    for (;;) {
        uint32_t number = channel->delivered + 1;
        uint32_t index = enet_sent_find(&sender->sent, channel->number, (uint16_t)number);
        const enet_transmission *next = enet_transmission_at(capture, index);
        if (!next || next->number != number || next->refused) {
            return;
        }
        channel->delivered = number;
    }
}

/* The last number at which a message ends, or this one if there is none: fragments of an incomplete message
 * are not delivered. */
static uint32_t end_of_messages(const enet_capture *capture, const enet_sender *sender,
                                const enet_channel *channel, uint32_t number)
{
    uint32_t end = channel->delivered;

    for (uint32_t at = end; at > number; at--) {
        uint32_t index = enet_sent_find(&sender->sent, channel->number, (uint16_t)at);
        const enet_transmission *sent = enet_transmission_at(capture, index);
        uint32_t count = enet_message_count(capture, sender, channel->number, at);
        if ((sent && sent->type != ENET_SEND_FRAGMENT) || (count && at + count - 1 <= end)) {
            return end;
        }
        end = count ? at - 1 : end;
    }
    return number;
}

/* The first copy of this number arrives at the receiver. */
static void arrive(const enet_capture *capture, const enet_sender *sender, enet_channel *channel,
                   uint32_t number)
{
    uint32_t before = channel->delivered;

    advance_delivered(capture, sender, channel);
    if (before + 1 == number && channel->delivered > number && !sender->was_cut) {
        enet_channel_overtake(channel, before, end_of_messages(capture, sender, channel, number));
    }
}

static void accept_refused(enet_capture *capture, enet_sender *sender, enet_channel *channel,
                           enet_transmission *first)
{
    first->refused = 0;
    if (first->number > channel->highest) {
        enet_channel_reach(capture, sender, channel, first->number, first->frame);
    }
    arrive(capture, sender, channel, first->number);
}

/* A receiver neither accepts nor acknowledges such a number. Without an acknowledgement, this is not
 * known. */
static bool is_too_far(const enet_channel *channel, uint32_t number)
{
    return channel->acked &&
           enet_judge_number((uint16_t)channel->acked, (uint16_t)number) == ENET_NUMBER_TOO_FAR;
}

/* The order of a new number among the earlier ones. A number that is too far ahead is ignored; a second one
 * next to it shows that the numbers between were not captured. */
static uint32_t analyse_order(enet_sender *sender, enet_channel *channel, uint32_t number, uint32_t frame,
                              enet_command_detail *detail)
{
    uint32_t notes = 0;

    if (!channel->known) {
        channel->known = true;
        channel->highest = channel->noted = number;
        channel->newest = frame;
        channel->base = channel->delivered = channel->answered = number - 1;
        return 0;
    }
    if (is_too_far(channel, number)) {
        bool alone = !channel->too_far || number - channel->too_far > ENET_SEQUENCE_WINDOW;
        channel->too_far = number;
        if (alone) {
            return ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR);
        }
        channel->acked = 0;
    }
    if (number <= channel->highest) {
        enet_holes_fill(sender, ENET_HOLE_RELIABLE, channel->number, number);
        return number > channel->base ? ENET_NOTE(ENET_NOTE_OUT_OF_ORDER) : 0;
    }
    if (number > channel->highest + 1) {
        notes |= ENET_NOTE(ENET_NOTE_GAP);
        detail->number = number - channel->highest - 1;
    }
    enet_channel_reach(sender->connection->conversation->capture, sender, channel, number, frame);
    return notes;
}

/* A copy of an earlier command may be accepted if no copy was accepted before. */
static uint32_t accept_copy(enet_capture *capture, enet_sender *sender, enet_channel *channel,
                            enet_transmission *first)
{
    if (!first->refused) {
        return 0;
    }
    if (is_too_far(channel, first->number)) {
        return ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR);
    }
    accept_refused(capture, sender, channel, first);
    return ENET_NOTE(ENET_NOTE_REFUSED_BEFORE);
}

/* The command was acknowledged before it was captured. */
static void note_late(enet_sender *sender, const enet_arrival *arrival)
{
    uint32_t other = enet_other_sender(sender)->point;
    sender->connection->clocks_differ |= arrival->point && other && arrival->point != other;
}

/* `refused`: the state of the connection does not allow it, a receiver ignores this copy. */
static uint32_t analyse_reliable(enet_capture *capture, enet_sender *sender,
                                 const enet_occurrence *occurrence, bool refused, enet_command_detail *detail)
{
    const enet_command *command = occurrence->command;
    enet_channel *channel = enet_channel_of(&capture->memory, sender, command->channel);
    uint32_t number = channel->known ? enet_channel_unwrap(channel, command->sequence)
                                     : ENET_FIRST_CYCLE + command->sequence;
    uint32_t index, acked_in = 0;
    enet_transmission *known =
        enet_channel_find_sent(capture, sender, command->channel, command->sequence, &index);

    if (known && is_copy(known, occurrence, number)) {
        uint32_t notes = analyse_repetition(capture, sender, index, occurrence, detail);
        return refused ? notes : notes | accept_copy(capture, sender, channel, known);
    }
    sender->mixed |= known && known->number == number;
    if (index && !known) {
        const enet_transmission *unseen = paged_list_at(&capture->transmissions, index);
        acked_in = unseen->number == number ? unseen->command_acked_in : 0;
    }
    if (acked_in) {
        note_late(sender, occurrence->arrival);
    }
    uint32_t notes = analyse_order(sender, channel, number, occurrence->arrival->frame, detail);
    if (command->type == ENET_SEND_FRAGMENT && command->fields.fragment.number == 0 &&
        channel->has_unreliable && !channel->has_reliable && sender->connection->from_start) {
        notes |= ENET_NOTE(ENET_NOTE_TOO_BIG);
    }
    channel->has_reliable |= command->type == ENET_SEND_RELIABLE;
    enet_holes_captured(capture, sender);
    enet_transmission *first =
        enet_sent_add(&capture->memory, &capture->transmissions, &sender->sent, command->channel, number);
    enet_sent_captured(first, occurrence->arrival, occurrence->header, command);
    detail->transmission = first->last;
    first->command_acked_in = acked_in;
    first->hash = hash_of(occurrence);
    first->refused = refused || (notes & ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR));
    arrive(capture, sender, channel, number);
    return notes;
}

/* --- acknowledgements ---------------------------------------------------------------------------- */

static void note_acknowledged(enet_capture *capture, const enet_sender *sender, enet_channel *channel,
                              uint32_t number, const enet_arrival *arrival)
{
    channel->acked = number > channel->acked ? number : channel->acked;
    enet_delivery_acknowledged(capture, sender, channel, number, arrival);
}

/* Whether the command that is acknowledged was sent in the connection before this one in the same slot: a
 * process that has started again also acknowledges what the other end still sends to the one before. */
static bool was_sent_before(const enet_capture *capture, const enet_sender *sender,
                            const enet_command *acknowledge)
{
    const enet_connection *before = enet_connection_at(capture, sender->replaces);

    return enet_sent_find(&before->senders[before->senders[0].endpoint != sender->endpoint].sent,
                          acknowledge->channel, acknowledge->fields.acknowledgement.sequence);
}

/* Each number is acknowledged separately: the receiver has this one, but maybe not the earlier ones. */
static void acknowledge_unseen(enet_capture *capture, enet_sender *other, const enet_command *command,
                               uint32_t known, const enet_arrival *arrival)
{
    uint16_t sequence = command->fields.acknowledgement.sequence;
    enet_channel *channel = enet_channel_of(&capture->memory, other, command->channel);

    if (!channel->known) { /* its first command may be captured next */
        enet_sent_add(&capture->memory, &capture->transmissions, &other->sent, command->channel,
                      ENET_FIRST_CYCLE + sequence)
            ->command_acked_in = arrival->frame;
        return;
    }
    uint32_t number = enet_channel_unwrap(channel, sequence);
    if (!known || ((enet_transmission *)paged_list_at(&capture->transmissions, known))->number != number) {
        enet_channel_acknowledge_unseen(capture, other, channel, number, arrival->frame);
        enet_sent_add(&capture->memory, &capture->transmissions, &other->sent, command->channel, number)
            ->command_acked_in = arrival->frame;
    }
    note_acknowledged(capture, other, channel, number, arrival);
    advance_delivered(capture, other, channel);
}

static uint32_t answer(enet_transmission *transmission, uint32_t frame, bool from_start,
                       enet_command_detail *detail)
{
    if (!transmission) {
        return from_start ? ENET_NOTE(ENET_NOTE_UNKNOWN_TIME) : 0;
    }
    if (transmission->acked_in) {
        detail->earlier_frame = transmission->acked_in;
        return ENET_NOTE(ENET_NOTE_ACK_REPEATED);
    }
    transmission->acked_in = frame;
    return 0;
}

/* The place of a transmission among those of its command, from 1. */
static uint32_t place_of(const enet_capture *capture, uint32_t first, uint32_t index)
{
    uint32_t place = 1;

    while (first && first != index) {
        first = enet_transmission_at(capture, first)->next;
        place++;
    }
    return place;
}

static uint32_t analyse_acknowledge(enet_capture *capture, enet_sender *sender,
                                    const enet_occurrence *occurrence, enet_command_detail *detail)
{
    const enet_command *command = occurrence->command;
    uint32_t frame = occurrence->arrival->frame, index;
    enet_connection *connection = sender->connection;
    enet_sender *other = enet_other_sender(sender);
    enet_transmission *sent = enet_channel_find_sent(capture, other, command->channel,
                                                     command->fields.acknowledgement.sequence, &index);

    detail->about =
        sent ? enet_sent_find_time(&capture->transmissions, index, command->fields.acknowledgement.sent_time)
             : 0;
    if (!detail->about && other->replaces && was_sent_before(capture, other, command)) {
        return 0;
    }
    if (!sent) {
        acknowledge_unseen(capture, other, command, index, occurrence->arrival);
        return connection->from_start ? ENET_NOTE(ENET_NOTE_UNKNOWN_NUMBER) : 0;
    }
    if (sent->type == ENET_VERIFY_CONNECT && connection->state == ENET_ANSWERED) {
        connection->opened_by_ack = true;
        enet_handshake_open(connection, occurrence->arrival);
    }
    if (!sent->command_acked_in) {
        sent->command_acked_in = frame;
        detail->number = detail->about && sent->count > 1 ? place_of(capture, index, detail->about) : 0;
    }
    if (!detail->about) {
        other->early_time = command->fields.acknowledgement.sent_time;
        other->early_ack = frame;
    }
    enet_timeout_answered(capture, sender, enet_transmission_at(capture, detail->about));
    enet_channel *channel = enet_channel_of(&capture->memory, other, command->channel);
    note_acknowledged(capture, other, channel, sent->number, occurrence->arrival);
    if (sent->refused) {
        connection->opened_unseen = true;
        accept_refused(capture, other, channel, sent);
    }
    advance_delivered(capture, other, channel);
    return answer(detail->about ? paged_list_at(&capture->transmissions, detail->about) : NULL, frame,
                  connection->from_start, detail);
}

/* --- unreliable messages and fragments ----------------------------------------------------------- */

/* An unreliable message, or the first copy of a fragment of one (`message`, else NULL), which is judged like
 * the whole message. */
static uint32_t analyse_unreliable(enet_capture *capture, enet_sender *sender,
                                   const enet_occurrence *occurrence, const enet_message *message,
                                   enet_command_detail *detail)
{
    const enet_command *command = occurrence->command;
    uint32_t notes = 0;

    if (!message || message->seen == 1) {
        notes = enet_channel_unreliable(capture, sender, command, occurrence->arrival->frame, detail);
    } else if (enet_channel_is_late(&capture->memory, sender, command)) {
        notes = ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE);
    }
    if (!message || (message->seen == message->count && !notes)) {
        enet_channel_deliver(&capture->memory, sender, command);
    }
    return notes;
}

/* Charges a fragment's data to the budget of the capture; false if that is used up. */
static bool may_keep(enet_capture *capture, uint32_t length, uint32_t share)
{
    uint32_t excess = length > share ? length - share : 0;

    if (excess > capture->excess_budget) {
        return false;
    }
    capture->excess_budget -= excess;
    return true;
}

static uint32_t take_fragment(enet_capture *capture, enet_sender *sender, const enet_occurrence *occurrence,
                              enet_command_record *record, enet_command_detail *detail)
{
    const enet_command *command = occurrence->command;
    enet_channel *channel = enet_channel_of(&capture->memory, sender, command->channel);
    bool reliable = command->type == ENET_SEND_FRAGMENT;
    uint32_t number =
        enet_channel_unwrap(channel, command->sequence) - (reliable ? command->fields.fragment.number : 0);
    uint32_t notes = 0;

    detail->about = enet_message_of(capture, sender, command, number);
    if (!detail->about) {
        return ENET_NOTE(ENET_NOTE_FRAGMENT_CONFLICT);
    }
    enet_message *message = enet_message_at(capture, detail->about);
    uint32_t earlier_frame = enet_message_take(&capture->memory, message, command->fields.fragment.number,
                                               occurrence->arrival->frame);
    message->wire_length += message->completed_frame ? 0 : occurrence->share;
    if (earlier_frame) {
        detail->earlier_frame = detail->earlier_frame ? detail->earlier_frame : earlier_frame;
        return ENET_NOTE(message->completed_frame ? ENET_NOTE_FRAGMENT_LATE : ENET_NOTE_FRAGMENT_REPEATED);
    }
    if (!reliable) {
        notes = analyse_unreliable(capture, sender, occurrence, message, detail);
    }
    if (occurrence->data && command->data_length == command->announced_length) {
        if (!may_keep(capture, command->data_length, occurrence->share)) {
            return notes | ENET_NOTE(ENET_NOTE_NOT_KEPT);
        }
        record->completes =
            enet_message_add(capture, message, occurrence->arrival, occurrence->data, command->data_length);
    }
    return notes;
}

/* --- all ----------------------------------------------------------------------------------------- */

static uint32_t analyse_by_type(enet_capture *capture, enet_sender *sender, const enet_occurrence *occurrence,
                                enet_command_record *record, enet_command_detail *detail)
{
    const enet_command *command = occurrence->command;
    uint32_t notes;

    switch (command->type) {
    case ENET_ACKNOWLEDGE:
        return analyse_acknowledge(capture, sender, occurrence, detail);
    case ENET_SEND_UNRELIABLE:
        return analyse_unreliable(capture, sender, occurrence, NULL, detail);
    case ENET_SEND_UNSEQUENCED:
        return enet_channel_unsequenced(capture, sender, command, occurrence->arrival->frame, detail);
    case ENET_SEND_UNRELIABLE_FRAGMENT:
        return take_fragment(capture, sender, occurrence, record, detail);
    case ENET_SEND_FRAGMENT:
        notes = analyse_reliable(capture, sender, occurrence, false, detail);
        if (notes & ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR)) {
            return notes;
        }
        return notes | take_fragment(capture, sender, occurrence, record, detail);
    case ENET_VERIFY_CONNECT:
        notes = analyse_reliable(capture, sender, occurrence, false, detail);
        return notes | enet_handshake_verify(capture, sender, occurrence->arrival, command, detail);
    case ENET_CONNECT:
        enet_handshake_connect(sender->connection, occurrence->arrival, command);
        return analyse_reliable(capture, sender, occurrence, false, detail);
    case ENET_DISCONNECT:
        enet_handshake_disconnect(sender, occurrence->arrival, occurrence->header, command);
        return analyse_reliable(capture, sender, occurrence, false, detail);
    default:
        return analyse_reliable(capture, sender, occurrence, false, detail);
    }
}

/* Notes about missing numbers are not given if datagrams were cut, as their rest is not known. */
static uint32_t without_claims(const enet_sender *sender, uint32_t notes)
{
    if (sender->was_cut) {
        notes &= ~(ENET_NOTE(ENET_NOTE_GAP) | ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP) |
                   ENET_NOTE(ENET_NOTE_OUT_OF_ORDER));
    }
    if (enet_other_sender(sender)->was_cut) {
        notes &= ~(ENET_NOTE(ENET_NOTE_UNKNOWN_NUMBER) | ENET_NOTE(ENET_NOTE_UNKNOWN_TIME));
    }
    return notes;
}

/* Unreliable, but not before the reliable message that was sent before it. */
static bool is_ordered_unreliable(unsigned type)
{
    return type == ENET_SEND_UNRELIABLE || type == ENET_SEND_UNRELIABLE_FRAGMENT;
}

/* A command that a receiver refuses because of the connection's state is not delivered: the same number comes
 * again and is accepted. Only the transmission is kept. */
static uint32_t analyse_refused(enet_capture *capture, enet_sender *sender, const enet_occurrence *occurrence,
                                enet_command_detail *detail)
{
    unsigned type = occurrence->command->type;

    if (is_ordered_unreliable(type) || type == ENET_SEND_UNSEQUENCED) {
        return 0;
    }
    return analyse_reliable(capture, sender, occurrence, true, detail);
}

static void note_delivery(enet_capture *capture, enet_sender *sender, const enet_occurrence *occurrence,
                          const enet_command_detail *detail)
{
    const enet_command *command = occurrence->command;
    const enet_transmission *sent = enet_transmission_at(capture, detail->transmission);

    if (occurrence->sighting && sent && enet_commands[command->type].data) {
        enet_delivery_note(capture, sender, command->channel,
                           sent->is_first ? detail->transmission : sent->first, occurrence->sighting);
    }
}

void enet_analyse(enet_capture *capture, enet_sender *sender, const enet_occurrence *occurrence,
                  enet_command_record *record)
{
    const uint32_t not_waiting =
        ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE) | ENET_NOTE(ENET_NOTE_UNRELIABLE_REPEATED) |
        ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE) | ENET_NOTE(ENET_NOTE_FRAGMENT_CONFLICT);
    const enet_command *command = occurrence->command;
    enet_command_detail detail = {0};

    enet_handshake_conclude(sender, occurrence->arrival, command);
    uint32_t notes = enet_handshake_notes(sender, occurrence->arrival, occurrence->header, command);
    if (notes & ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE)) {
        notes |= analyse_refused(capture, sender, occurrence, &detail);
    } else {
        notes |= analyse_by_type(capture, sender, occurrence, record, &detail);
    }
    notes = notes ? without_claims(sender, notes) : 0;
    note_delivery(capture, sender, occurrence, &detail);
    enet_detail_keep(capture, record, command->type, &detail);
    record->notes = notes & 0x3ffffffu;
    if (is_ordered_unreliable(command->type) && !(notes & not_waiting)) {
        enet_channel_await(&capture->memory, enet_channel_of(&capture->memory, sender, command->channel),
                           command, record);
    }
}
