/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/analysis/receive.h"

#include "base/array.h"
#include "enet/analysis/points.h"
#include "enet/analysis/timeout.h"
#include "enet/connection/holes.h"
#include "enet/wire/judge.h"

void enet_capture_init(enet_capture *capture, const memory_allocator *memory)
{
    *capture = (enet_capture){.memory = *memory,
                              .excess_budget = ENET_EXCESS_BUDGET,
                              .commands_budget = ENET_COMMANDS_BUDGET,
                              .unpacking = ENET_BUDGET(ENET_FILE_BYTES, ENET_FILE_COMMANDS),
                              .points_budget = ENET_POINTS_BUDGET,
                              .holes_budget = ENET_MAX_HOLES,
                              .last_time = -ENET_MAX_TIME};
    capture->connections.size = sizeof(enet_connection);
    capture->transmissions.size = sizeof(enet_transmission);
    capture->terms.size = sizeof(enet_datagram_terms);
    capture->details.size = sizeof(enet_command_detail);
    capture->pauses.size = sizeof(enet_pause);
    capture->breaks.size = sizeof(enet_break);
    capture->jumps.size = sizeof(uint32_t);
    capture->lives.size = sizeof(enet_life);
    capture->messages.size = sizeof(enet_message);
}

/* --- the commands of a datagram ------------------------------------------------------------------ */

/* Reads all commands. Parameters of the connection make the checks more exact. False if there are more than
 * `most`. */
static bool read_commands(const memory_allocator *memory, const enet_datagram_record *record, uint32_t most,
                          enet_datagram *datagram)
{
    const enet_opened *opened = &datagram->opened;
    enet_body_context context = {.header = &opened->header,
                                 .channel_count = record->channel_count,
                                 .mtu = record->mtu,
                                 .fastlz = record->layout.compression == ENET_COMPRESSION_FASTLZ};

    datagram->count = datagram->data_bytes = 0;
    if (!opened->has_body) {
        return true;
    }
    enet_body_init(&datagram->body, opened->body, opened->body_captured, opened->body_length, &context);
    for (;;) {
        array_grow(memory, &datagram->commands, datagram->count, &datagram->room, UINT32_MAX,
                   sizeof *datagram->commands);
        enet_command *command = &datagram->commands[datagram->count];
        if (!enet_body_next(&datagram->body, command)) {
            return true;
        }
        if (datagram->count++ == most) {
            return false;
        }
        datagram->data_bytes += enet_data_command_length(command);
    }
}

/* Discards a body that was opened. */
static void close_body(enet_datagram *datagram, enet_datagram_record *record)
{
    datagram->opened.has_body = datagram->opened.decompressed = false;
    datagram->opened.body = NULL;
    datagram->opened.body_captured = datagram->opened.body_length = 0;
    datagram->count = datagram->data_bytes = 0;
    record->layout.decompress_result = DECOMPRESS_OVER_BUDGET;
}

/* Reads a datagram on the first pass. A compressed one is read only within the budgets:
 * enet/wire/budget.h. */
static void read_new(enet_conversation *conversation, const memory_allocator *memory, enet_datagram *datagram,
                     enet_datagram_record *record)
{
    enet_budget *own = &conversation->unpacking, *file = &conversation->capture->unpacking;
    const bool limited = datagram->opened.decompressed;
    const uint32_t length = datagram->opened.body_length;

    enet_budget_add(own, datagram->wire.captured);
    enet_budget_add(file, datagram->wire.captured);
    uint32_t of_own = enet_budget_commands(own, length), of_file = enet_budget_commands(file, length);
    uint32_t most = limited ? (of_own < of_file ? of_own : of_file) : UINT32_MAX;
    if (!most || !read_commands(memory, record, most, datagram)) {
        close_body(datagram, record);
    } else if (limited) {
        enet_budget_use(own, length, datagram->count);
        enet_budget_use(file, length, datagram->count);
    }
}

/* Whether the commands have to be read again with the parameters of the connection. */
static bool matters(const enet_datagram *datagram, uint32_t channel_count, uint32_t mtu)
{
    if (mtu && ENET_COMMAND_HEADER + datagram->opened.body_length > mtu) {
        return true;
    }
    for (uint32_t i = 0; channel_count && i < datagram->count; i++) {
        const enet_command *command = &datagram->commands[i];
        if (command->channel >= channel_count && enet_commands[command->type].data) {
            return true;
        }
    }
    return false;
}

/* Facts from the commands of a datagram whose connection is not known yet. */
static void gather_facts(const enet_datagram *datagram, bool is_enet, enet_datagram_facts *facts)
{
    const enet_opened *opened = &datagram->opened;

    *facts = (enet_datagram_facts){
        .header = &opened->header, .undecodable = !opened->has_body, .commands = datagram->commands};
    if (!opened->has_body) {
        return;
    }
    facts->cut_connect = enet_is_cut_connect(&opened->header, opened->body, opened->body_captured,
                                             opened->body_length, is_enet);
    facts->cut_verify = is_enet && enet_is_cut_verify(&opened->header, opened->body, opened->body_captured,
                                                      opened->body_length);
    facts->plausible = facts->cut_connect || facts->cut_verify;
    facts->count = datagram->count;
    for (uint32_t i = 0; i < datagram->count; i++) {
        const enet_command *command = &datagram->commands[i];
        if (opened->header.to_nobody && command->type == ENET_DISCONNECT) {
            facts->plausible = true; /* not executed, but sent by the initiator */
        }
        if (!enet_is_executed(command)) {
            continue;
        }
        facts->plausible = true;
        if ((command->type == ENET_CONNECT || command->type == ENET_VERIFY_CONNECT) && !facts->handshake) {
            facts->handshake = command;
        }
        if (command->type == ENET_ACKNOWLEDGE && !facts->acknowledge) {
            facts->acknowledge = command;
        }
    }
}

/* --- shares -------------------------------------------------------------------------------------- */

/* Whether the datagram has only acknowledgements of messages. */
static bool only_acknowledges_data(const enet_datagram *datagram)
{
    for (uint32_t i = 0; i < datagram->count; i++) {
        const enet_command *command = &datagram->commands[i];
        if (command->type != ENET_ACKNOWLEDGE || command->channel == ENET_CONNECTION_CHANNEL) {
            return false;
        }
    }
    return datagram->count > 0;
}

/* The bytes of frames with only acknowledgements are distributed among the next messages. */
static void account(const enet_arrival *arrival, const enet_datagram *datagram, enet_datagram_record *record)
{
    record->shared_bytes = arrival->bytes;
    if (!record->sender || record->dropped) {
        return;
    }
    enet_connection *connection = record->sender->connection;
    if (datagram->data_bytes) {
        record->shared_bytes += connection->unclaimed_bytes;
        connection->unclaimed_bytes = 0;
    } else if (only_acknowledges_data(datagram)) {
        connection->unclaimed_bytes += arrival->bytes;
        record->shared_bytes = 0;
    }
}

uint32_t enet_share_of(const enet_datagram_record *record, const enet_datagram *datagram,
                       uint32_t data_bytes_before, const enet_command *command)
{
    uint64_t length = enet_data_command_length(command), before = data_bytes_before;

    if (!length || !datagram->data_bytes) {
        return 0;
    }
    return (uint32_t)((before + length) * record->shared_bytes / datagram->data_bytes -
                      before * record->shared_bytes / datagram->data_bytes);
}

/* --- all ----------------------------------------------------------------------------------------- */

/* How many commands of a datagram are recorded; those beyond ENET_UNBUDGETED_COMMANDS count against
 * the limit of the file. */
static uint32_t recorded(enet_capture *capture, uint32_t count)
{
    uint32_t all = count < ENET_MAX_RECORDED ? count : ENET_MAX_RECORDED;

    if (all <= ENET_UNBUDGETED_COMMANDS) {
        return all;
    }
    uint32_t more = all - ENET_UNBUDGETED_COMMANDS;
    more = more < capture->commands_budget ? more : capture->commands_budget;
    capture->commands_budget -= more;
    return ENET_UNBUDGETED_COMMANDS + more;
}

static void analyse_commands(enet_capture *capture, const enet_arrival *arrival, bool reassemble,
                             const enet_datagram *datagram, enet_datagram_record *record)
{
    uint32_t data_bytes = 0;

    for (uint32_t i = 0; i < record->command_count; i++) {
        const enet_command *command = &datagram->commands[i];
        enet_occurrence occurrence = {
            .arrival = arrival,
            .header = &datagram->opened.header,
            .command = command,
            .bytes = datagram->opened.body + command->offset,
            .data = reassemble ? datagram->opened.body + command->data_offset : NULL,
            .share = enet_share_of(record, datagram, data_bytes, command),
            .sighting = record->sighting,
        };
        data_bytes += enet_data_command_length(command);
        if (enet_is_executed(command)) {
            enet_analyse(capture, record->sender, &occurrence, &record->commands[i]);
        }
    }
}

/* Gives numbers to the messages of a datagram: to all commands with a whole message in them, even if they are
 * refused, and to fragments that completed one. */
static void number_messages(enet_capture *capture, const enet_datagram *datagram,
                            enet_datagram_record *record)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < record->command_count; i++) {
        const enet_command_info *facts = &enet_commands[datagram->commands[i].type];
        count += facts->fragment ? record->commands[i].completes : facts->data;
    }
    record->first_message = count ? capture->delivered + 1 : 0;
    capture->delivered += count;
}

/* What was negotiated before this datagram. */
static void note_connection(enet_datagram_record *record)
{
    const enet_connection *connection = record->sender->connection;

    record->channel_count = connection->channel_count;
    record->mtu = connection->mtu;
    record->direction_known = connection->roles_known;
}

/* A fragmented message is complete at the second point when all its fragments were captured there. A datagram
 * can be forged to match another one, so the reference need not be to a message. */
static void note_fragments(enet_capture *capture, const enet_datagram_record *before,
                           const enet_datagram *datagram, uint32_t frame, enet_datagram_record *record)
{
    for (uint32_t i = 0; i < before->command_count && i < record->command_count; i++) {
        const enet_command *command = &datagram->commands[i];
        if (!enet_commands[command->type].fragment || !enet_is_executed(command)) {
            continue;
        }
        uint32_t about = enet_detail_of(capture, &before->commands[i], command->type).about;
        if (about == 0 || about > capture->messages.count) {
            continue;
        }
        record->commands[i].reference = about;
        record->commands[i].completes = enet_message_again(enet_message_at(capture, about), command, frame);
    }
}

/* A datagram whose layout is kept. */
static void open_again(uint8_t *scratch, enet_datagram *datagram, enet_datagram_record *record)
{
    enet_open_again(&record->layout, &datagram->wire, scratch, &datagram->opened);
    if (record->layout.checksum_verdict == ENET_CHECKSUM_GOOD) {
        record->layout.expected_checksum = (uint32_t)datagram->opened.header.checksum;
    }
}

/* The same datagram was captured before at another point, which `record` is of: it is read in the same way,
 * without changing the state. */
static void receive_second(enet_conversation *home, const enet_receive_options *options, uint32_t frame,
                           enet_datagram *datagram, enet_datagram_record *record)
{
    enet_capture *capture = home->capture;
    const enet_datagram_record before = *record;

    open_again(options->scratch, datagram, record);
    read_new(home, options->scratch_memory, datagram, record);
    record->second = true;
    record->shared_bytes = 0;
    record->command_count = recorded(capture, datagram->count);
    enet_datagram_make(capture, record);
    note_fragments(capture, &before, datagram, frame, record);
    number_messages(capture, datagram, record);
    enet_datagram_keep(capture, record);
}

/* A receiver may be able to read it: its commands are unknown. */
static bool is_unread(const enet_datagram_record *record)
{
    uint32_t result = record->layout.decompress_result;

    return result == DECOMPRESS_UNKNOWN || result == DECOMPRESS_NOT_BUILT || result == DECOMPRESS_OVER_BUDGET;
}

/* Analyses a datagram before its commands. */
static void judge(const memory_allocator *memory, const enet_arrival *arrival,
                  const enet_datagram_facts *facts, enet_datagram *datagram, enet_datagram_record *record)
{
    const enet_wire *wire = &datagram->wire;
    const enet_opened *opened = &datagram->opened;

    if (record->sender && (wire->captured < wire->length || is_unread(record))) {
        record->sender->was_cut = true;
        enet_holes_cut(record->sender->connection->conversation->capture, record->sender, arrival->frame);
    }
    if (opened->has_header) {
        bool verify = facts->handshake && facts->handshake->type == ENET_VERIFY_CONNECT;
        enet_verify_checksum(wire, opened, verify ? facts->handshake : NULL, record->sender, &record->layout);
    }
    record->dropped = record->layout.checksum_verdict == ENET_CHECKSUM_BAD || !opened->has_body ||
                      wire->length > ENET_MAX_DATAGRAM;
    account(arrival, datagram, record);
    if (record->sender) {
        note_connection(record);
        if (matters(datagram, record->channel_count, record->mtu)) {
            read_commands(memory, record, UINT32_MAX, datagram);
        }
    }
}

bool enet_receive(enet_conversation *conversation, const enet_receive_options *options,
                  const enet_arrival *seen, const enet_wire *wire, const enet_detection *found,
                  enet_datagram *datagram, enet_datagram_record *record)
{
    enet_capture *capture = conversation->capture;
    enet_arrival arrival = *seen;
    enet_conversation *home = enet_points_home(conversation, &arrival);
    uint32_t before, sighting = enet_points_see(home, &arrival, wire, &before);
    enet_datagram_facts facts;

    *datagram = (enet_datagram){.wire = *wire};
    if (before) {
        *record = enet_datagram_kept(capture, before);
        receive_second(home, options, seen->frame, datagram, record);
        return true;
    }
    *record = (enet_datagram_record){.sighting = sighting};
    enet_open_first(home, options->choices, wire, found, options->scratch, &record->layout,
                    &datagram->opened);
    read_new(home, options->scratch_memory, datagram, record);
    gather_facts(datagram, home->bound, &facts);
    if (facts.handshake && facts.handshake->type == ENET_CONNECT &&
        enet_points_translated(conversation, seen, facts.handshake)) {
        return enet_receive(conversation, options, seen, wire, found, datagram, record);
    }
    if (datagram->opened.has_header) {
        record->sender = enet_sender_of(home, &arrival, &facts);
    }
    if (!record->sender && options->may_refuse) {
        return false; /* applications also send other data through the same socket */
    }
    judge(options->scratch_memory, &arrival, &facts, datagram, record);
    record->command_count = recorded(capture, datagram->count);
    enet_datagram_make(capture, record);
    enet_points_keep(capture, record);
    if (record->sender) {
        enet_timeout_hear(capture, record->sender, &arrival, &datagram->opened.header);
        enet_holes_settle(capture, record->sender);
    }
    if (record->sender && !record->dropped) {
        analyse_commands(capture, &arrival, options->reassemble, datagram, record);
        number_messages(capture, datagram, record);
    }
    record->has_connect_data = record->sender && record->sender->connection->connect_frame != 0;
    enet_datagram_keep(capture, record);
    return true;
}

/* The end that a datagram was sent to has closed its socket. */
static void note_closed(const enet_conversation *conversation, const enet_arrival *quoted,
                        const enet_opened *opened)
{
    const enet_sender *sender =
        opened->has_header ? enet_sender_known(conversation, quoted->endpoint, &opened->header) : NULL;
    enet_sender *gone = sender ? enet_other_sender(sender) : NULL;

    if (gone && !gone->unreachable_frame) {
        gone->unreachable_frame = quoted->frame;
    }
}

void enet_receive_quoted(enet_conversation *conversation, const enet_receive_options *options,
                         const enet_arrival *quoted, bool closed, const enet_wire *wire,
                         enet_datagram *datagram, enet_datagram_record *record)
{
    enet_arrival arrival = *quoted;
    enet_conversation unchanged = *enet_points_home(conversation, &arrival);

    unchanged.layout_known = true;
    *datagram = (enet_datagram){.wire = *wire};
    *record = (enet_datagram_record){0};
    enet_open_first(&unchanged, options->choices, wire, NULL, options->scratch, &record->layout,
                    &datagram->opened);
    if (closed) {
        note_closed(&unchanged, &arrival, &datagram->opened);
    }
    read_new(&unchanged, options->scratch_memory, datagram, record);
    record->command_count = recorded(conversation->capture, datagram->count);
    enet_datagram_make(conversation->capture, record);
    enet_datagram_keep(conversation->capture, record);
}

void enet_read_again(const enet_capture *capture, uint32_t index, const enet_receive_options *options,
                     const enet_wire *wire, enet_datagram *datagram, enet_datagram_record *record)
{
    *datagram = (enet_datagram){.wire = *wire};
    *record = enet_datagram_kept(capture, index);
    open_again(options->scratch, datagram, record);
    read_commands(options->scratch_memory, record, UINT32_MAX, datagram);
}
