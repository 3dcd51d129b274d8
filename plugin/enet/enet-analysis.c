/* enet-analysis.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/enet-analysis.h"

#define MAX_TRANSMISSIONS  100u /* remembered of one command; senders give up long before */
#define MAX_STEPS          64u  /* of the search for the oldest unacknowledged number, per ACK */
#define FIRST_NUMBER_CYCLE 0x10000u

/* Unreliable messages between two reliable ones. */
typedef struct {
    uint16_t after;   /* number of the reliable command in front of them */
    uint16_t highest; /* unreliable number */
    uint64_t seen;    /* bit n: highest - n was seen */
} enet_unreliable_run;

#define MAX_RUNS 8u /* remembered of one channel */

/* Numbers of one channel in one direction. */
typedef struct {
    bool known;          /* `highest` is */
    bool has_reliable;   /* SEND_RELIABLE was seen */
    bool has_unreliable; /* an unreliable or unsequenced message was seen */
    uint32_t highest;    /* reliable number, not wrapped */
    uint32_t base;       /* numbers up to this one were sent before the capture began */
    uint32_t settled;    /* all numbers up to this one are acknowledged, as far as seen */
    uint32_t delivered;  /* all numbers up to this one were seen or are settled */
    enet_unreliable_run runs[MAX_RUNS];
    unsigned run_count;
} enet_channel;

struct enet_traffic {
    wmem_map_t *channels; /* channel → enet_channel */
    wmem_map_t *reliable; /* channel, sequence → enet_reliable, newest */
    enet_channel *recent;
    uint8_t recent_number;
    enet_unsequenced_window *groups;
    uint16_t last_group;
};

static enet_channel *channel_of(enet_sender *sender, uint8_t number)
{
    struct enet_traffic *traffic = sender->traffic;

    if (!traffic) {
        traffic = sender->traffic = wmem_new0(wmem_file_scope(), struct enet_traffic);
        traffic->channels = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
        traffic->reliable = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
    }
    if (traffic->recent && traffic->recent_number == number) {
        return traffic->recent;
    }
    enet_channel *channel = wmem_map_lookup(traffic->channels, GUINT_TO_POINTER(number));
    if (!channel) {
        channel = wmem_new0(wmem_file_scope(), enet_channel);
        channel->known = sender->connection->from_start;
        channel->highest = channel->base = channel->settled = channel->delivered = FIRST_NUMBER_CYCLE;
        wmem_map_insert(traffic->channels, GUINT_TO_POINTER(number), channel);
    }
    traffic->recent = channel;
    traffic->recent_number = number;
    return channel;
}

static uint32_t unwrap(const enet_channel *channel, uint16_t sequence)
{
    int32_t distance = (int16_t)(sequence - (uint16_t)channel->highest);
    return channel->highest + (uint32_t)distance;
}

uint32_t enet_traffic_unwrap(enet_sender *sender, uint8_t channel, uint16_t sequence)
{
    return unwrap(channel_of(sender, channel), sequence);
}

static void *reliable_key(uint8_t channel, uint16_t sequence)
{
    return GUINT_TO_POINTER((uint32_t)channel << 16 | sequence);
}

static enet_reliable *find_reliable(const enet_sender *sender, uint8_t channel, uint16_t sequence)
{
    return sender->traffic ? wmem_map_lookup(sender->traffic->reliable, reliable_key(channel, sequence))
                           : NULL;
}

static enet_transmission *find_transmission(enet_reliable *reliable, uint16_t sent_time)
{
    for (enet_transmission *at = &reliable->first; at; at = at->next) {
        if (at->has_sent_time && at->sent_time == sent_time) {
            return at;
        }
    }
    return NULL;
}

bool enet_traffic_has_sent(const enet_sender *sender, const enet_command *acknowledge)
{
    enet_reliable *reliable =
        find_reliable(sender, acknowledge->channel, acknowledge->fields.acknowledgement.sequence);
    return reliable && find_transmission(reliable, acknowledge->fields.acknowledgement.sent_time);
}

/* --- reliable commands ----------------------------------------------------------------------------- */

static void fill_transmission(enet_transmission *transmission, enet_reliable *reliable,
                              const packet_info *pinfo, const enet_header *header)
{
    transmission->command = reliable;
    transmission->frame = pinfo->num;
    transmission->time = pinfo->abs_ts;
    transmission->sent_time = header->sent_time;
    transmission->has_sent_time = header->has_sent_time;
    reliable->last = transmission;
    reliable->transmissions++;
}

static void analyse_repetition(enet_reliable *reliable, const packet_info *pinfo, const enet_header *header,
                               enet_command_record *record)
{
    record->earlier_frame = reliable->first.frame;
    record->transmission = header->has_sent_time ? find_transmission(reliable, header->sent_time) : NULL;
    if (record->transmission) {
        record->notes |= ENET_NOTE(ENET_NOTE_DUPLICATE);
        return;
    }
    record->notes |= ENET_NOTE(ENET_NOTE_RETRANSMISSION);
    if (reliable->acked_in) {
        record->notes |= ENET_NOTE(ENET_NOTE_SPURIOUS);
    }
    if (reliable->transmissions < MAX_TRANSMISSIONS) {
        enet_transmission *last = reliable->last;
        record->transmission = last->next = wmem_new0(wmem_file_scope(), enet_transmission);
        fill_transmission(last->next, reliable, pinfo, header);
    }
}

/* A receiver delivers reliable commands in order, without a gap. */
static void advance_delivered(const enet_sender *sender, enet_channel *channel, uint8_t channel_number)
{
    channel->delivered = MAX(channel->delivered, channel->settled);
    for (;;) {
        uint32_t number = channel->delivered + 1;
        const enet_reliable *next = find_reliable(sender, channel_number, (uint16_t)number);
        if (!next || next->number != number) {
            return;
        }
        channel->delivered = number;
    }
}

/* The place of a number that was not seen before among those that were. */
static void analyse_order(enet_channel *channel, uint32_t number, enet_command_record *record)
{
    if (!channel->known) {
        channel->known = true;
        channel->highest = number;
        channel->base = channel->settled = channel->delivered = number - 1;
        return;
    }
    if (number <= channel->highest) {
        record->notes |= number > channel->base ? ENET_NOTE(ENET_NOTE_OUT_OF_ORDER) : 0;
        return;
    }
    if (number > channel->highest + 1) {
        record->notes |= ENET_NOTE(ENET_NOTE_GAP);
        record->number = number - channel->highest - 1;
    }
    if (enet_judge_number((uint16_t)channel->settled, (uint16_t)number) == ENET_NUMBER_TOO_FAR) {
        record->notes |= ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR);
    }
    if (number - channel->highest > ENET_SEQUENCE_WINDOW) {
        channel->settled = number - 1; /* a hole in the capture: begin anew */
    }
    channel->highest = number;
}

static void analyse_reliable(enet_sender *sender, const packet_info *pinfo, const enet_header *header,
                             const enet_command *command, enet_command_record *record)
{
    enet_channel *channel = channel_of(sender, command->channel);
    uint32_t number =
        channel->known ? unwrap(channel, command->sequence) : FIRST_NUMBER_CYCLE + command->sequence;
    enet_reliable *reliable = find_reliable(sender, command->channel, command->sequence);

    if (reliable && reliable->number == number && reliable->length == command->length &&
        reliable->type == command->type) {
        analyse_repetition(reliable, pinfo, header, record);
        return;
    }
    analyse_order(channel, number, record);
    if (command->type == ENET_SEND_FRAGMENT && command->fields.fragment.number == 0 &&
        channel->has_unreliable && !channel->has_reliable) {
        record->notes |= ENET_NOTE(ENET_NOTE_TOO_BIG);
    }
    channel->has_reliable |= command->type == ENET_SEND_RELIABLE;
    reliable = wmem_new0(wmem_file_scope(), enet_reliable);
    reliable->number = number;
    reliable->length = command->length;
    reliable->type = command->type;
    reliable->unanswerable = !command->acknowledge || !header->has_sent_time;
    fill_transmission(&reliable->first, reliable, pinfo, header);
    record->transmission = &reliable->first;
    wmem_map_insert(sender->traffic->reliable, reliable_key(command->channel, command->sequence), reliable);
    advance_delivered(sender, channel, command->channel);
}

/* --- acknowledgements ------------------------------------------------------------------------------ */

/* Moves `settled` on, over acknowledged numbers and those that were not captured. */
static void settle(const enet_sender *sender, enet_channel *channel, uint8_t channel_number, uint32_t acked)
{
    if (channel->settled + 1 == acked) {
        channel->settled =
            acked; /* the usual case; what was acknowledged beyond it is found when it matters */
        return;
    }
    for (unsigned steps = 0; steps < MAX_STEPS && channel->settled < acked; steps++) {
        const enet_reliable *next = find_reliable(sender, channel_number, (uint16_t)(channel->settled + 1));
        if (next && next->number == channel->settled + 1 && !next->acked_in && !next->unanswerable) {
            return;
        }
        channel->settled++;
    }
}

static void analyse_acknowledge(enet_sender *sender, const packet_info *pinfo, const enet_command *command,
                                enet_command_record *record)
{
    enet_connection *connection = sender->connection;
    enet_sender *other = enet_other_sender(sender);
    enet_reliable *reliable =
        find_reliable(other, command->channel, command->fields.acknowledgement.sequence);

    if (!reliable) {
        record->notes |= connection->from_start ? ENET_NOTE(ENET_NOTE_UNKNOWN_NUMBER) : 0;
        return;
    }
    if (reliable->type == ENET_VERIFY_CONNECT && connection->state == ENET_ANSWERED) {
        connection->state = ENET_ESTABLISHED;
    }
    if (!reliable->acked_in) {
        reliable->acked_in = pinfo->num;
    }
    enet_transmission *transmission = find_transmission(reliable, command->fields.acknowledgement.sent_time);
    if (!transmission) {
        record->notes |= connection->from_start ? ENET_NOTE(ENET_NOTE_UNKNOWN_TIME) : 0;
    } else if (transmission->acked_in) {
        record->notes |= ENET_NOTE(ENET_NOTE_DUPLICATE);
        record->earlier_frame = transmission->acked_in;
    } else {
        transmission->acked_in = pinfo->num;
    }
    record->answered = transmission;
    enet_channel *channel = channel_of(other, command->channel);
    settle(other, channel, command->channel, reliable->number);
    advance_delivered(other, channel, command->channel);
}

const enet_transmission *enet_round_trip(const enet_command_record *record, unsigned type)
{
    if (type == ENET_ACKNOWLEDGE || (type == ENET_VERIFY_CONNECT && record->number == 1)) {
        return record->answered;
    }
    return NULL;
}

/* --- handshake and end ----------------------------------------------------------------------------- */

static void analyse_connect(enet_connection *connection, const packet_info *pinfo,
                            const enet_command *command)
{
    if (!connection->connect_frame) {
        connection->connect_frame = pinfo->num;
        connection->connect = *command;
    }
}

static void compare_with_connect(const enet_connection *connection, const enet_command *verify,
                                 enet_command_record *record)
{
    const enet_command *connect = &connection->connect;

    if (connect->fields.connect.throttle_interval != verify->fields.connect.throttle_interval ||
        connect->fields.connect.throttle_acceleration != verify->fields.connect.throttle_acceleration ||
        connect->fields.connect.throttle_deceleration != verify->fields.connect.throttle_deceleration) {
        record->notes |= ENET_NOTE(ENET_NOTE_VERIFY_MISMATCH);
    }
    if (verify->fields.connect.channel_count > connect->fields.connect.channel_count) {
        record->notes |= ENET_NOTE(ENET_NOTE_CHANNELS_GRANTED);
    }
}

static void analyse_verify(enet_sender *sender, const packet_info *pinfo, const enet_command *command,
                           enet_command_record *record)
{
    enet_connection *connection = sender->connection;
    enet_reliable *connect = find_reliable(enet_other_sender(sender), ENET_CONNECTION_CHANNEL, 1);

    if (connect && connect->type == ENET_CONNECT) {
        record->answered = &connect->first;
        record->number = connect->transmissions;
        if (!connect->acked_in) {
            connect->acked_in = connect->first.acked_in = pinfo->num;
        }
    }
    if (connection->end_frame) {
        record->notes |= ENET_NOTE(ENET_NOTE_VERIFY_STALE);
    }
    uint32_t mtu = enet_clamp_mtu(command->fields.connect.mtu);
    if (connection->connect_frame) {
        compare_with_connect(connection, command, record);
        mtu = MIN(mtu, enet_clamp_mtu(connection->connect.fields.connect.mtu));
    }
    if (!connection->verify_frame) {
        connection->verify_frame = pinfo->num;
        connection->mtu = mtu;
        connection->channel_count = MIN(command->fields.connect.channel_count, ENET_MAX_CHANNELS);
        connection->state = connection->state == ENET_CONNECTING ? ENET_ANSWERED : connection->state;
    }
}

static void analyse_disconnect(enet_sender *sender, const packet_info *pinfo, const enet_command *command)
{
    enet_connection *connection = sender->connection;

    if (!sender->disconnect_frame) {
        sender->disconnect_frame = pinfo->num;
    }
    if (!connection->end_frame) {
        connection->end_frame = pinfo->num;
        connection->ended_by = sender->side;
        connection->ended_gracefully = command->acknowledge;
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
static uint32_t notes_of_phase(const enet_sender *sender, const enet_command *command)
{
    bool opening_or_closing = command->type == ENET_ACKNOWLEDGE || command->type == ENET_CONNECT ||
                              command->type == ENET_VERIFY_CONNECT || command->type == ENET_DISCONNECT;

    if (opening_or_closing) {
        return 0;
    }
    if (sender->connection->state != ENET_ESTABLISHED) {
        return ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE);
    }
    return sender->disconnect_frame ? ENET_NOTE(ENET_NOTE_AFTER_DISCONNECT) : 0;
}

/* --- unreliable and unsequenced messages ----------------------------------------------------------- */

/* The messages behind the same reliable command; a new run takes the place of the oldest one. NULL if it is
 * older than all that are remembered. */
static enet_unreliable_run *run_of(enet_channel *channel, uint16_t after)
{
    enet_unreliable_run *oldest = &channel->runs[0];

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
    *oldest = (enet_unreliable_run){.after = after};
    return oldest;
}

/* Remembers a number that is not above the highest of its run; true if it was seen before. */
static bool seen_in_run(enet_unreliable_run *run, int32_t below)
{
    bool seen = below < 64 && run->seen >> below & 1u;

    run->seen |= below < 64 ? UINT64_C(1) << below : 0;
    return seen;
}

/* What a receiver has delivered decides about a message that comes behind later ones: while it still waits
 * for a reliable command in front of them, it puts them in order. */
void enet_analyse_unreliable(enet_sender *sender, const enet_command *command, uint16_t unreliable,
                             enet_command_record *record)
{
    enet_channel *channel = channel_of(sender, command->channel);
    uint16_t delivered = (uint16_t)channel->delivered;
    bool late = channel->known && enet_serial_before(command->sequence, delivered);
    bool first = !channel->known && channel->run_count == 0; /* of a capture from the middle */
    enet_unreliable_run *run = run_of(channel, command->sequence);
    int32_t step = run ? unreliable - run->highest : 0;

    channel->has_unreliable = true;
    if (step > 0) {
        if (step > 1 && !first && !late) {
            record->notes |= ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP);
            record->number = (uint32_t)step - 1u;
        }
        run->seen = step < 64 ? run->seen << step | 1u : 1u;
        run->highest = unreliable;
    } else if (run && seen_in_run(run, -step)) {
        record->notes |= ENET_NOTE(ENET_NOTE_UNRELIABLE_REPEATED);
        return;
    } else {
        late |= !channel->known || command->sequence == delivered;
    }
    record->notes |= late ? ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE) : 0;
}

static void analyse_unsequenced(enet_sender *sender, const enet_command *command, enet_command_record *record)
{
    channel_of(sender, command->channel)->has_unreliable = true;

    struct enet_traffic *traffic = sender->traffic;
    uint16_t group = command->fields.unsequenced.group;
    bool first = !traffic->groups;
    if (first) {
        traffic->groups = wmem_new0(wmem_file_scope(), enet_unsequenced_window);
        traffic->groups->base =
            sender->connection->from_start ? 0 : (uint16_t)(group & ~(ENET_UNSEQUENCED_WINDOW - 1u));
        traffic->last_group = sender->connection->from_start ? 0 : (uint16_t)(group - 1u);
    }
    enet_group_verdict verdict = enet_receive_group(traffic->groups, group);
    if (verdict != ENET_GROUP_NEW) {
        record->notes |=
            ENET_NOTE(verdict == ENET_GROUP_DUPLICATE ? ENET_NOTE_GROUP_REPEATED : ENET_NOTE_GROUP_TOO_FAR);
        return;
    }
    int16_t step = (int16_t)(group - traffic->last_group);
    if (step > 1) {
        record->notes |= ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP);
        record->number = (uint32_t)step - 1u;
    }
    if (step > 0) {
        traffic->last_group = group;
    }
}

/* --- all ------------------------------------------------------------------------------------------- */

void enet_analyse(enet_sender *sender, const packet_info *pinfo, const enet_header *header,
                  const enet_command *command, enet_command_record *record)
{
    conclude_handshake(sender, command);
    record->notes |= notes_of_phase(sender, command);
    switch (command->type) {
    case ENET_ACKNOWLEDGE:
        analyse_acknowledge(sender, pinfo, command, record);
        break;
    case ENET_SEND_UNRELIABLE:
        enet_analyse_unreliable(sender, command, command->fields.unreliable.sequence, record);
        break;
    case ENET_SEND_UNSEQUENCED:
        analyse_unsequenced(sender, command, record);
        break;
    case ENET_SEND_UNRELIABLE_FRAGMENT: /* with its message */
        break;
    default:
        analyse_reliable(sender, pinfo, header, command, record);
        break;
    }
    if (command->type == ENET_CONNECT) {
        analyse_connect(sender->connection, pinfo, command);
    } else if (command->type == ENET_VERIFY_CONNECT) {
        analyse_verify(sender, pinfo, command, record);
    } else if (command->type == ENET_DISCONNECT) {
        analyse_disconnect(sender, pinfo, command);
    }
}
