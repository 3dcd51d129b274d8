/* traffic.c
 *
 * See traffic.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/analysis/traffic.h"

#include "enet/analysis/delivery.h"
#include "enet/analysis/timeout.h"
#include "enet/connection/messages.h"

#define FIRST_NUMBER_CYCLE 0x10000u
#define FIRST_CHANNELS     2u /* there is room for */
#define MAX_RUNS           8u /* remembered of one channel */
/* a sender waits for the acknowledgement before that */
#define MAX_AHEAD   (8u * ENET_SEQUENCE_WINDOW)
#define MAX_WAITING 256u /* messages of one run that may still be overtaken */

/* Unreliable messages between two reliable ones. */
typedef struct {
    uint16_t after;     /* number of the reliable command before them */
    uint16_t highest;   /* unreliable number seen, 0: none */
    uint16_t delivered; /* highest unreliable number of a message that is complete, 0: none */
    uint64_t seen;      /* bit n: highest - n was seen */
    uint16_t waiting_count, waiting_room;
    enet_command_record *
        *waiting; /* commands whose message waits for the reliable one; NULL if there is no room */
} unreliable_run;

/* Numbers of one channel in one direction. */
typedef struct {
    uint8_t number;
    bool known;           /* the numbers below are; else they are the same for every channel */
    bool has_reliable;    /* SEND_RELIABLE was seen */
    bool has_unreliable;  /* an unreliable or unsequenced message was seen */
    uint8_t run_count;    /* entries of `runs` */
    uint32_t highest;     /* reliable number, not wrapped */
    uint32_t base;        /* numbers up to this one were sent before the capture began */
    uint32_t acked;       /* highest number that was acknowledged, 0: none was */
    uint32_t too_far;     /* highest number that was too far ahead of that, 0: none was */
    uint32_t delivered;   /* all numbers up to this one were seen or acknowledged: a receiver has them */
    unreliable_run *runs; /* MAX_RUNS; NULL until the first unreliable message */
} enet_channel;

struct enet_traffic {
    enet_unsequenced_window *groups;      /* NULL until the first unsequenced message */
    uint16_t last_group;                  /* valid if `groups` is not NULL */
    uint16_t channel_count, channel_room; /* entries of `channels` in use and in all */
    uint16_t recent;                      /* entry that was used last */
    enet_channel channels[];
};

static enet_channel *add_channel(const enet_memory *memory, enet_sender *sender, uint8_t number)
{
    struct enet_traffic *traffic = sender->traffic, first = {0};

    if (!traffic || traffic->channel_count == traffic->channel_room) {
        first.channel_room = traffic ? (uint16_t)(2 * traffic->channel_room) : FIRST_CHANNELS;
        sender->traffic = memory->resize(memory->context, traffic,
                                         sizeof first + first.channel_room * sizeof traffic->channels[0]);
        if (first.channel_room == FIRST_CHANNELS) {
            *sender->traffic = first;
        }
        sender->traffic->channel_room = first.channel_room;
    }
    traffic = sender->traffic;
    traffic->recent = traffic->channel_count++;
    traffic->channels[traffic->recent] = (enet_channel){.number = number,
                                                        .known = sender->connection->from_start,
                                                        .highest = FIRST_NUMBER_CYCLE,
                                                        .base = FIRST_NUMBER_CYCLE,
                                                        .delivered = FIRST_NUMBER_CYCLE};
    return &traffic->channels[traffic->recent];
}

/* Valid until the next call. */
static enet_channel *channel_of(const enet_memory *memory, enet_sender *sender, uint8_t number)
{
    struct enet_traffic *traffic = sender->traffic;
    uint16_t count = traffic ? traffic->channel_count : 0;

    if (count && traffic->channels[traffic->recent].number == number) {
        return &traffic->channels[traffic->recent];
    }
    for (uint16_t i = 0; i < count; i++) {
        if (traffic->channels[i].number == number) {
            traffic->recent = i;
            return &traffic->channels[i];
        }
    }
    return add_channel(memory, sender, number);
}

/* The number without wrapping: the one next to the highest seen so far. */
static uint32_t unwrap(const enet_channel *channel, uint16_t sequence)
{
    int32_t distance = (int16_t)(sequence - (uint16_t)channel->highest);

    return channel->highest + (uint32_t)distance;
}

/* The command's first transmission, if it was captured. *index is its index, also if it is known only from
 * its acknowledgement. */
static enet_transmission *find_sent(const enet_capture *capture, const enet_sender *sender, uint8_t channel,
                                    uint16_t sequence, uint32_t *index)
{
    *index = enet_sent_find(&sender->sent, channel, sequence);
    enet_transmission *first = *index ? enet_list_at(&capture->transmissions, *index) : NULL;

    return first && first->frame ? first : NULL;
}

/* --- reliable commands --------------------------------------------------------------------------- */

static uint32_t analyse_repetition(enet_capture *capture, uint32_t first_index,
                                   const enet_occurrence *occurrence, enet_command_detail *detail)
{
    const enet_header *header = occurrence->header;
    const enet_transmission *first = enet_list_at(&capture->transmissions, first_index);

    detail->earlier_frame = first->frame;
    if (header->has_sent_time) {
        detail->transmission = enet_sent_find_time(&capture->transmissions, first_index, header->sent_time);
    }
    if (detail->transmission) {
        return ENET_NOTE(ENET_NOTE_DUPLICATE);
    }
    detail->transmission =
        enet_sent_repeat(&capture->memory, &capture->transmissions, first_index, occurrence->arrival, header);
    return ENET_NOTE(ENET_NOTE_RETRANSMISSION) |
           (first->command_acked_in ? ENET_NOTE(ENET_NOTE_SPURIOUS) : 0);
}

/* A receiver delivers reliable commands in order, without a gap. What was neither captured nor acknowledged
 * counts as delivered when the sender is further ahead than it may be without an acknowledgement. */
static void advance_delivered(const enet_capture *capture, const enet_sender *sender, enet_channel *channel)
{
    if (channel->highest > MAX_AHEAD && channel->delivered < channel->highest - MAX_AHEAD) {
        channel->delivered = channel->highest - MAX_AHEAD;
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

/* Messages that a receiver has put aside until the reliable one before them comes are dropped if, when it
 * comes, others after it are there already: they are delivered together. */
static void overtake(enet_channel *channel, uint32_t from, uint32_t to)
{
    for (unsigned i = 0; i < channel->run_count; i++) {
        unreliable_run *run = &channel->runs[i];
        uint32_t after = unwrap(channel, run->after);
        if (after > to) {
            continue;
        }
        for (unsigned k = 0; after > from && after < to && k < run->waiting_count; k++) {
            run->waiting[k]->notes |= ENET_NOTE(ENET_NOTE_OVERTAKEN);
        }
        run->waiting_count = 0;
    }
}

/* The last number at which a message ends, this one if none after it: fragments of one that is not complete
 * are not delivered with what came before it. */
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

/* A receiver gets this number, for the first time. */
static void arrive(const enet_capture *capture, const enet_sender *sender, enet_channel *channel,
                   uint32_t number)
{
    uint32_t before = channel->delivered;

    advance_delivered(capture, sender, channel);
    if (before + 1 == number && channel->delivered > number && !sender->was_cut) {
        overtake(channel, before, end_of_messages(capture, sender, channel, number));
    }
}

static void accept_refused(const enet_capture *capture, const enet_sender *sender, enet_channel *channel,
                           enet_transmission *first)
{
    first->refused = 0;
    channel->highest = first->number > channel->highest ? first->number : channel->highest;
    arrive(capture, sender, channel, first->number);
}

/* A receiver neither accepts nor acknowledges such a number. Without an acknowledgement there is nothing to
 * judge by. */
static bool is_too_far(const enet_channel *channel, uint32_t number)
{
    return channel->acked &&
           enet_judge_number((uint16_t)channel->acked, (uint16_t)number) == ENET_NUMBER_TOO_FAR;
}

/* The place of a number that was not seen before among those that were. A number that is too far ahead has
 * none; a second one next to it shows that the numbers between were not captured. */
static uint32_t analyse_order(enet_channel *channel, uint32_t number, enet_command_detail *detail)
{
    uint32_t notes = 0;

    if (!channel->known) {
        channel->known = true;
        channel->highest = number;
        channel->base = channel->delivered = number - 1;
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
        return number > channel->base ? ENET_NOTE(ENET_NOTE_OUT_OF_ORDER) : 0;
    }
    if (number > channel->highest + 1) {
        notes |= ENET_NOTE(ENET_NOTE_GAP);
        detail->number = number - channel->highest - 1;
    }
    channel->highest = number;
    return notes;
}

/* A copy of a command that was sent before. If none was accepted so far, this one may be. `refused`: it is
 * not, because of the connection's state. */
static uint32_t analyse_copy(enet_capture *capture, enet_sender *sender, enet_channel *channel,
                             uint32_t first_index, const enet_occurrence *occurrence, bool refused,
                             enet_command_detail *detail)
{
    uint32_t notes = analyse_repetition(capture, first_index, occurrence, detail);
    enet_transmission *first = enet_list_at(&capture->transmissions, first_index);

    if (notes & ENET_NOTE(ENET_NOTE_RETRANSMISSION)) {
        enet_silence_repeat(capture, sender, first_index);
    }
    if (!first->refused || refused) {
        return notes;
    }
    if (is_too_far(channel, first->number)) {
        return notes | ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR);
    }
    accept_refused(capture, sender, channel, first);
    return notes | ENET_NOTE(ENET_NOTE_REFUSED_BEFORE);
}

/* `refused`: the state of the connection does not allow it, a receiver ignores this copy. */
static uint32_t analyse_reliable(enet_capture *capture, enet_sender *sender,
                                 const enet_occurrence *occurrence, bool refused, enet_command_detail *detail)
{
    const enet_command *command = occurrence->command;
    enet_channel *channel = channel_of(&capture->memory, sender, command->channel);
    uint32_t number =
        channel->known ? unwrap(channel, command->sequence) : FIRST_NUMBER_CYCLE + command->sequence;
    uint32_t index, acked_in = 0;
    const enet_transmission *known = find_sent(capture, sender, command->channel, command->sequence, &index);

    if (known && known->number == number && known->length == (uint16_t)command->length &&
        known->type == command->type) {
        return analyse_copy(capture, sender, channel, index, occurrence, refused, detail);
    }
    if (index && !known) {
        const enet_transmission *unseen = enet_list_at(&capture->transmissions, index);
        acked_in = unseen->number == number ? unseen->command_acked_in : 0;
    }
    uint32_t notes = analyse_order(channel, number, detail);
    if (command->type == ENET_SEND_FRAGMENT && command->fields.fragment.number == 0 &&
        channel->has_unreliable && !channel->has_reliable) {
        notes |= ENET_NOTE(ENET_NOTE_TOO_BIG);
    }
    channel->has_reliable |= command->type == ENET_SEND_RELIABLE;
    detail->transmission = enet_sent_add(&capture->memory, &capture->transmissions, &sender->sent,
                                         occurrence->arrival, occurrence->header, command, number);
    enet_transmission *first = enet_list_at(&capture->transmissions, detail->transmission);
    first->command_acked_in = acked_in;
    first->refused = refused || (notes & ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR));
    arrive(capture, sender, channel, number);
    return notes;
}

/* --- acknowledgements ---------------------------------------------------------------------------- */

static void note_acknowledged(enet_channel *channel, uint32_t number)
{
    channel->acked = number > channel->acked ? number : channel->acked;
}

/* Each number is acknowledged by itself, so this says that a receiver has it, and nothing of those before. */
static void acknowledge_unseen(enet_capture *capture, enet_sender *other, const enet_command *command,
                               uint32_t known, uint32_t frame)
{
    uint16_t sequence = command->fields.acknowledgement.sequence;
    enet_channel *channel = channel_of(&capture->memory, other, command->channel);

    if (!channel->known) {
        return;
    }
    uint32_t number = unwrap(channel, sequence);
    if (!known || ((enet_transmission *)enet_list_at(&capture->transmissions, known))->number != number) {
        enet_sent_add_unseen(&capture->memory, &capture->transmissions, &other->sent, command->channel,
                             number, frame);
    }
    note_acknowledged(channel, number);
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

static uint32_t analyse_acknowledge(enet_capture *capture, enet_sender *sender,
                                    const enet_occurrence *occurrence, enet_command_detail *detail)
{
    const enet_command *command = occurrence->command;
    uint32_t frame = occurrence->arrival->frame, index;
    enet_connection *connection = sender->connection;
    enet_sender *other = enet_other_sender(sender);
    enet_transmission *sent =
        find_sent(capture, other, command->channel, command->fields.acknowledgement.sequence, &index);

    if (!sent) {
        acknowledge_unseen(capture, other, command, index, frame);
        return connection->from_start ? ENET_NOTE(ENET_NOTE_UNKNOWN_NUMBER) : 0;
    }
    if (sent->type == ENET_VERIFY_CONNECT && connection->state == ENET_ANSWERED) {
        connection->state = ENET_ESTABLISHED;
    }
    if (!sent->command_acked_in) {
        sent->command_acked_in = frame;
    }
    detail->about =
        enet_sent_find_time(&capture->transmissions, index, command->fields.acknowledgement.sent_time);
    enet_channel *channel = channel_of(&capture->memory, other, command->channel);
    note_acknowledged(channel, sent->number);
    if (sent->refused) {
        accept_refused(capture, other, channel, sent);
    }
    advance_delivered(capture, other, channel);
    return answer(detail->about ? enet_list_at(&capture->transmissions, detail->about) : NULL, frame,
                  connection->from_start, detail);
}

/* --- handshake and end --------------------------------------------------------------------------- */

static void analyse_connect(enet_connection *connection, const enet_occurrence *occurrence)
{
    if (!connection->connect_frame) {
        connection->connect_frame = occurrence->arrival->frame;
        connection->connect = occurrence->command->fields.connect;
    }
}

static uint32_t compare_with_connect(const enet_connect_fields *connect, const enet_connect_fields *verify)
{
    uint32_t notes = 0;

    if (connect->throttle_interval != verify->throttle_interval ||
        connect->throttle_acceleration != verify->throttle_acceleration ||
        connect->throttle_deceleration != verify->throttle_deceleration) {
        notes |= ENET_NOTE(ENET_NOTE_VERIFY_MISMATCH);
    }
    if (verify->channel_count > connect->channel_count) {
        notes |= ENET_NOTE(ENET_NOTE_CHANNELS_GRANTED);
    }
    return notes;
}

/* What VERIFY_CONNECT answers; repetitions of CONNECT are not told apart. */
static void answer_connect(const enet_capture *capture, const enet_sender *initiator, uint32_t frame,
                           enet_command_detail *detail)
{
    uint32_t index;
    enet_transmission *connect = find_sent(capture, initiator, ENET_CONNECTION_CHANNEL, 1, &index);

    if (!connect || connect->type != ENET_CONNECT) {
        return;
    }
    detail->about = index;
    detail->number = connect->count;
    if (!connect->command_acked_in) {
        connect->command_acked_in = connect->acked_in = frame;
    }
}

static uint32_t analyse_verify(enet_capture *capture, enet_sender *sender, const enet_occurrence *occurrence,
                               enet_command_detail *detail)
{
    enet_connection *connection = sender->connection;
    const enet_connect_fields *verify = &occurrence->command->fields.connect;
    uint32_t mtu = enet_clamp_mtu(verify->mtu);
    uint32_t notes = connection->end_frame ? ENET_NOTE(ENET_NOTE_VERIFY_STALE) : 0;

    answer_connect(capture, enet_other_sender(sender), occurrence->arrival->frame, detail);
    if (connection->connect_frame) {
        uint32_t wanted = enet_clamp_mtu(connection->connect.mtu);
        notes |= compare_with_connect(&connection->connect, verify);
        mtu = wanted < mtu ? wanted : mtu;
    }
    if (!connection->verify_frame) {
        connection->verify_frame = occurrence->arrival->frame;
        connection->verify_time = occurrence->arrival->time;
        connection->mtu = (uint16_t)mtu;
        connection->channel_count =
            (uint8_t)(verify->channel_count < ENET_MAX_CHANNELS ? verify->channel_count : ENET_MAX_CHANNELS);
        connection->state = connection->state == ENET_CONNECTING ? ENET_ANSWERED : connection->state;
    }
    return notes;
}

static void analyse_disconnect(enet_sender *sender, const enet_occurrence *occurrence)
{
    enet_connection *connection = sender->connection;
    uint32_t frame = occurrence->arrival->frame;

    if (!sender->disconnect_frame) {
        sender->disconnect_frame = frame;
    }
    if (!connection->end_frame) {
        connection->end_frame = frame;
        connection->ended_by = sender->side;
        connection->ended_gracefully = occurrence->command->acknowledge;
    }
}

/* The handshake was completed in frames that were not captured: an acceptor neither sends nor acknowledges
 * anything else before its VERIFY_CONNECT was acknowledged, and VERIFY_CONNECT is the first thing that an
 * initiator acknowledges. */
static void conclude_handshake(const enet_sender *sender, const enet_command *command)
{
    enet_connection *connection = sender->connection;
    bool concluded = sender->side == ENET_ACCEPTOR
                         ? command->type != ENET_VERIFY_CONNECT && command->type != ENET_DISCONNECT
                         : command->type == ENET_ACKNOWLEDGE && connection->state == ENET_CONNECTING;
    if (concluded) {
        connection->state = ENET_ESTABLISHED;
    }
}

/* Commands that need an open connection. */
static uint32_t notes_of_phase(const enet_sender *sender, const enet_occurrence *occurrence)
{
    const enet_command *command = occurrence->command;
    bool opening_or_closing = command->type == ENET_ACKNOWLEDGE || command->type == ENET_CONNECT ||
                              command->type == ENET_VERIFY_CONNECT || command->type == ENET_DISCONNECT;

    if (opening_or_closing) {
        return 0;
    }
    if (sender->connection->state != ENET_ESTABLISHED) {
        return ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE);
    }
    /* enet_peer_disconnect_now() adds a ping that is due to the datagram with its DISCONNECT. */
    bool due = command->type == ENET_PING && sender->disconnect_frame == occurrence->arrival->frame;
    return sender->disconnect_frame && !due ? ENET_NOTE(ENET_NOTE_AFTER_DISCONNECT) : 0;
}

/* --- unreliable and unsequenced messages --------------------------------------------------------- */

/* The messages after the same reliable command; a new run takes the place of the oldest one. NULL if it is
 * older than all that are remembered. */
static unreliable_run *run_of(const enet_memory *memory, enet_channel *channel, uint16_t after)
{
    if (!channel->runs) {
        channel->runs = enet_allocate(memory, MAX_RUNS * sizeof *channel->runs);
    }
    unreliable_run *oldest = &channel->runs[0];
    for (unsigned i = 0; i < channel->run_count; i++) {
        if (channel->runs[i].after == after) {
            return &channel->runs[i];
        }
        oldest = enet_serial_before(channel->runs[i].after, oldest->after) ? &channel->runs[i] : oldest;
    }
    if (channel->run_count < MAX_RUNS) {
        oldest = &channel->runs[channel->run_count++];
    } else if (enet_serial_before(after, oldest->after)) {
        return NULL;
    }
    *oldest =
        (unreliable_run){.after = after, .waiting = oldest->waiting, .waiting_room = oldest->waiting_room};
    return oldest;
}

/* Remembers a number that is not above the highest of its run; true if it was seen before. */
static bool seen_in_run(unreliable_run *run, int32_t below)
{
    bool seen = below < 64 && run->seen >> below & 1u;

    run->seen |= below < 64 ? UINT64_C(1) << below : 0;
    return seen;
}

/* Whether a receiver has already delivered something after this message. While it still waits for a reliable
 * command before them, it puts messages in order. */
static bool is_late(const enet_channel *channel, const unreliable_run *run, uint16_t after,
                    uint16_t unreliable)
{
    uint16_t delivered = (uint16_t)channel->delivered;

    if (channel->known && after != delivered) {
        return enet_serial_before(after, delivered);
    }
    return run && unreliable < run->delivered;
}

/* Remembers a command that a receiver puts aside until the reliable message before it has come. */
static void await_reliable(const enet_memory *memory, enet_channel *channel, const enet_command *command,
                           enet_command_record *record)
{
    unreliable_run *run = run_of(memory, channel, command->sequence);

    if (!run || !channel->known || !enet_serial_before((uint16_t)channel->delivered, command->sequence) ||
        run->waiting_count == MAX_WAITING) {
        return;
    }
    if (run->waiting_count == run->waiting_room) {
        run->waiting_room = run->waiting_room ? (uint16_t)(4 * run->waiting_room) : 4;
        run->waiting =
            memory->resize(memory->context, run->waiting, run->waiting_room * sizeof(enet_command_record *));
    }
    run->waiting[run->waiting_count++] = record;
}

/* The first (or only) piece of a message with this unreliable number. */
static uint32_t analyse_unreliable(const enet_memory *memory, enet_channel *channel, uint16_t after,
                                   uint16_t unreliable, enet_command_detail *detail)
{
    bool first = !channel->known && channel->run_count == 0; /* of a capture from the middle */
    unreliable_run *run = run_of(memory, channel, after);
    int32_t step = run ? unreliable - run->highest : 0;
    bool late = is_late(channel, run, after, unreliable);
    uint32_t notes = late ? ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE) : 0;

    channel->has_unreliable = true;
    if (step > 0) {
        if (step > 1 && !first && !late) {
            notes |= ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP);
            detail->number = (uint32_t)step - 1u;
        }
        run->seen = step < 64 ? run->seen << step | 1u : 1u;
        run->highest = unreliable;
    } else if (run && seen_in_run(run, -step)) {
        return ENET_NOTE(ENET_NOTE_UNRELIABLE_REPEATED);
    }
    return notes;
}

/* A message that was complete with this command. */
static void deliver_unreliable(const enet_memory *memory, enet_channel *channel, uint16_t after,
                               uint16_t unreliable)
{
    unreliable_run *run = run_of(memory, channel, after);

    if (run && run->delivered < unreliable) {
        run->delivered = unreliable;
    }
}

static uint32_t analyse_whole_unreliable(enet_capture *capture, enet_sender *sender,
                                         const enet_command *command, enet_command_detail *detail)
{
    enet_channel *channel = channel_of(&capture->memory, sender, command->channel);
    uint16_t number = command->fields.unreliable.sequence;
    uint32_t notes = analyse_unreliable(&capture->memory, channel, command->sequence, number, detail);

    deliver_unreliable(&capture->memory, channel, command->sequence, number);
    return notes;
}

static uint32_t analyse_unsequenced(enet_capture *capture, enet_sender *sender, const enet_command *command,
                                    enet_command_detail *detail)
{
    channel_of(&capture->memory, sender, command->channel)->has_unreliable = true;

    struct enet_traffic *traffic = sender->traffic;
    uint16_t group = command->fields.unsequenced.group;
    bool from_start = sender->connection->from_start;
    if (!traffic->groups) {
        traffic->groups = enet_allocate(&capture->memory, sizeof *traffic->groups);
        traffic->groups->base = from_start ? 0 : (uint16_t)(group & ~(ENET_UNSEQUENCED_WINDOW - 1u));
        traffic->last_group = from_start ? 0 : (uint16_t)(group - 1u);
    }
    enet_group_verdict verdict = enet_receive_group(traffic->groups, group);
    if (verdict != ENET_GROUP_NEW) {
        return ENET_NOTE(verdict == ENET_GROUP_DUPLICATE ? ENET_NOTE_GROUP_REPEATED
                                                         : ENET_NOTE_GROUP_TOO_FAR);
    }
    int16_t step = (int16_t)(group - traffic->last_group);
    if (step > 0) {
        traffic->last_group = group;
    }
    if (step > 1) {
        detail->number = (uint32_t)step - 1u;
        return ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP);
    }
    return 0;
}

/* --- fragments ----------------------------------------------------------------------------------- */

/* The first copy of a fragment of an unreliable message, which is judged like the whole message. */
static uint32_t analyse_unreliable_fragment(enet_capture *capture, enet_channel *channel,
                                            const enet_message *message, const enet_command *command,
                                            enet_command_detail *detail)
{
    uint16_t number = command->fields.fragment.start_sequence;
    uint32_t notes = 0;

    if (message->seen == 1) {
        notes = analyse_unreliable(&capture->memory, channel, command->sequence, number, detail);
    } else if (is_late(channel, run_of(&capture->memory, channel, command->sequence), command->sequence,
                       number)) {
        notes = ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE);
    }
    if (message->seen == message->count && !notes) {
        deliver_unreliable(&capture->memory, channel, command->sequence, number);
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
    enet_channel *channel = channel_of(&capture->memory, sender, command->channel);
    bool reliable = command->type == ENET_SEND_FRAGMENT;
    uint32_t number = unwrap(channel, command->sequence) - (reliable ? command->fields.fragment.number : 0);
    uint32_t earlier_frame, notes = 0;

    detail->about = enet_message_take(capture, sender, occurrence->arrival, command, number,
                                      occurrence->share, &earlier_frame);
    if (!detail->about) {
        return ENET_NOTE(ENET_NOTE_FRAGMENT_CONFLICT);
    }
    enet_message *message = enet_message_at(capture, detail->about);
    if (earlier_frame) {
        detail->earlier_frame = detail->earlier_frame ? detail->earlier_frame : earlier_frame;
        return ENET_NOTE(message->completed_frame ? ENET_NOTE_FRAGMENT_LATE : ENET_NOTE_FRAGMENT_REPEATED);
    }
    if (!reliable) {
        notes = analyse_unreliable_fragment(capture, channel, message, command, detail);
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
        return analyse_whole_unreliable(capture, sender, command, detail);
    case ENET_SEND_UNSEQUENCED:
        return analyse_unsequenced(capture, sender, command, detail);
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
        return notes | analyse_verify(capture, sender, occurrence, detail);
    case ENET_CONNECT:
        analyse_connect(sender->connection, occurrence);
        return analyse_reliable(capture, sender, occurrence, false, detail);
    case ENET_DISCONNECT:
        analyse_disconnect(sender, occurrence);
        return analyse_reliable(capture, sender, occurrence, false, detail);
    default:
        return analyse_reliable(capture, sender, occurrence, false, detail);
    }
}

/* Notes that say what the capture does not have: nothing is known of the rest of datagrams that were cut. */
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

/* What a receiver refuses because of the connection's state, it does not deliver: the same number comes again
 * and is accepted. Only that it was sent is known from now on. */
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

    if (occurrence->crossing && sent && enet_command_facts(command->type)->data) {
        enet_delivery_note(capture, sender, command->channel,
                           sent->is_first ? detail->transmission : sent->first, occurrence->crossing);
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

    conclude_handshake(sender, command);
    uint32_t notes = notes_of_phase(sender, occurrence);
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
        await_reliable(&capture->memory, channel_of(&capture->memory, sender, command->channel), command,
                       record);
    }
}
