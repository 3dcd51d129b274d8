/* fuzz_enet_sequences.c
 *
 * Any sequence of datagrams between two sockets. Checked: nothing is acknowledged twice, what is concluded of
 * ends, losses and pauses agrees with what the capture has, the shares of
 * messages and the unclaimed bytes add up to the bytes of the frames, memory is bounded by the bytes sent,
 * and a datagram that is read again has the same commands.
 *
 * Input: datagrams, each after two bytes: bit 15 is the sender, bit 14 is set if only half was captured, bits
 * 13 and 12 on which interface (0: not known), 11 if it comes a second later, the rest is its length.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/capture_of_datagrams.h"
#include "enet/analysis/delivery.h"
#include "enet/analysis/points.h"
#include "enet/analysis/timeout.h"
#include "enet/connection/holes.h"
#include "enet/evidence/ending.h"
#include "enet/evidence/evidence.h"
#include "enet/evidence/loss.h"

#define MAX_TRANSMISSIONS 20000u

static fed_conversation fed;
static uint8_t answers[MAX_TRANSMISSIONS];

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_message(uint32_t index)
{
    const enet_message *message = enet_message_at(&fed.capture, index);

    require(message->seen <= message->count && message->added <= message->seen);
    require(message->completed_frame ? message->added == message->count : message->added < message->count);
    require(message->completed_frame <= fed.frame);
}

/* Whatever is concluded of a command that it has sent. */
static void check_loss(const enet_sender *sender, uint32_t index)
{
    const enet_transmission *first = enet_transmission_at(&fed.capture, index);

    if (first && first->is_first && first->frame) {
        bool unanswered = enet_loss_unanswered(&fed.capture, sender, first);
        bool never = enet_loss_never_answered(&fed.capture, sender, first);
        require(!never || !first->command_acked_in);
        require(!unanswered || never || first->count < 2); /* of what was sent once nothing is concluded */
    }
}

static void check_held(const enet_sender *sender, uint8_t channel, uint32_t index)
{
    const enet_transmission *first = enet_transmission_at(&fed.capture, index);

    if (first && first->is_first) {
        uint32_t until = enet_delivery_at_latest(sender, channel, first);
        require(!until ||
                (until >= first->command_acked_in && until <= fed.frame && first->command_acked_in));
    }
}

static void check_command(uint32_t number)
{
    const enet_command *command = &fed.datagram.commands[number];
    const enet_command_record *record = &fed.record->commands[number];
    enet_command_detail detail = enet_detail_of(&fed.capture, record, command->type);
    const enet_transmission *sent = enet_transmission_at(&fed.capture, detail.transmission);

    require(detail.earlier_frame <= fed.frame);
    if (sent) {
        const enet_transmission *first = enet_first_transmission(&fed.capture, sent);
        require(sent->frame <= fed.frame && first->is_first && first->frame <= sent->frame);
        require(first->count <= ENET_MAX_TRANSMISSIONS && sent->acked_in <= fed.frame);
        check_loss(fed.record->sender, sent->is_first ? detail.transmission : sent->first);
        check_held(fed.record->sender, command->channel, sent->is_first ? detail.transmission : sent->first);
    }
    if (command->type == ENET_ACKNOWLEDGE && detail.about && !record->notes) {
        require(enet_transmission_at(&fed.capture, detail.about)->acked_in == fed.frame);
        require(detail.about >= MAX_TRANSMISSIONS || answers[detail.about]++ == 0);
    }
    if (enet_commands[command->type].fragment && detail.about) {
        check_message(detail.about);
    }
}

static void check_shares(void)
{
    uint32_t data_bytes = 0;
    uint64_t shares = 0;

    for (uint32_t i = 0; i < fed.datagram.count; i++) {
        shares += enet_share_of(fed.record, &fed.datagram, data_bytes, &fed.datagram.commands[i]);
        data_bytes += enet_data_command_length(&fed.datagram.commands[i]);
    }
    require(data_bytes == fed.datagram.data_bytes);
    require(shares == (data_bytes ? fed.record->shared_bytes : 0));
}

/* What arrives first is delivered at once or later; copies and datagrams that are not at their receiver are
 * not. */
static void check_delivery(void)
{
    enet_sighting_facts facts = enet_points_facts(&fed.capture, fed.record->sighting);
    int64_t difference;

    require(!fed.record->sighting || (facts.frame && facts.frame <= fed.frame));
    require(!facts.has_transit || enet_points_clock(&fed.capture, fed.record->sighting, &difference));
    for (uint32_t i = 0; i < fed.datagram.count && i < fed.record->command_count; i++) {
        enet_delivery_facts delivery =
            enet_delivery_of(&fed.capture, fed.record, &fed.datagram.commands[i], fed.frame);
        require(!delivery.known || facts.receiver_frame == fed.frame);
        require(!delivery.known || delivery.copy || !delivery.frame || delivery.wait >= 0);
    }
}

static void check_reading_again(void)
{
    memory_allocator memory = {counted_resize, &fed.scratch};
    enet_receive_options options = feed_options(&fed, &memory);
    enet_datagram_record record;
    enet_datagram again;

    enet_read_again(&fed.capture, fed.record->index, &options, &fed.datagram.wire, &again, &record);
    require(record.sender == fed.record->sender && record.shared_bytes == fed.record->shared_bytes);
    require(record.commands == fed.record->commands && record.command_count == fed.record->command_count);
    require(record.sighting == fed.record->sighting && record.first_message == fed.record->first_message);
    require(record.layout.checksum_verdict == fed.record->layout.checksum_verdict);
    require(record.layout.expected_checksum == fed.record->layout.expected_checksum);
    require(again.count == fed.datagram.count && again.data_bytes == fed.datagram.data_bytes);
    for (uint32_t i = 0; i < again.count; i++) {
        require(again.commands[i].offset == fed.datagram.commands[i].offset);
        require(again.commands[i].finding_count == fed.datagram.commands[i].finding_count);
        require(again.commands[i].refused == fed.datagram.commands[i].refused);
    }
}

static void check_direction(const enet_sender *sender)
{
    const enet_direction direction = enet_evidence_of(sender);
    const enet_span all = {.stream = sender->connection->stream,
                           .from_initiator = sender->side == ENET_INITIATOR,
                           .reliable = true,
                           .channel = ENET_EVERY_CHANNEL,
                           .from = direction.first,
                           .to = direction.last};
    bool proven;

    require(direction.first <= direction.last && direction.last <= fed.frame);
    require(direction.acknowledged <= direction.lost && !(direction.lost && !sender->connection->is_lossy));
    bool whole = enet_evidence_whole(&fed.capture, &all) == ENET_YES;
    require(!whole || enet_evidence_missing(&fed.capture, &all, &proven) == 0);
    require(!whole || enet_other_sender(sender)->first_frame);
}

static void check_connection(const enet_connection *connection)
{
    const enet_ending ending = enet_ending_of(&fed.capture, connection);

    require(ending.kind < ENET_ENDING_KINDS && ending.side < ENET_SIDES && ending.frame <= fed.frame);
    require((ending.kind == ENET_DISCONNECTED) == (connection->end_frame != 0));
    require(ending.kind == ENET_NO_END || ending.kind == ENET_DISCONNECTED || ending.frame);
    require(!connection->is_lossy || !enet_loss_is_judged(connection));
    check_direction(&connection->senders[ENET_INITIATOR]);
    check_direction(&connection->senders[ENET_ACCEPTOR]);
}

static void check_evidence(void)
{
    for (uint32_t i = 1; i <= fed.capture.connections.count; i++) {
        check_connection(enet_connection_at(&fed.capture, i));
    }
    for (uint32_t i = 1; i <= fed.capture.pauses.count; i++) {
        const enet_pause *pause = paged_list_at(&fed.capture.pauses, i);
        require(pause->last < pause->first && pause->first <= fed.frame);
        require(pause->to_time > pause->from_time);
        require(enet_pause_before(&fed.capture, pause->sender, pause->first) != NULL);
    }
}

static uint64_t unclaimed(void)
{
    uint64_t bytes = 0;

    for (uint32_t i = 1; i <= fed.capture.connections.count; i++) {
        bytes += enet_connection_at(&fed.capture, i)->unclaimed_bytes;
    }
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t frames = 0, shared = 0, commands = 0, datagrams = 0;

    feed_begin(&fed);
    fed.conversation.dialect = fed.other.dialect = (uint8_t)(size % ENET_DIALECT_COUNT);
    memset(answers, 0, sizeof answers);
    for (size_t at = 0; at + 2 <= size;) {
        unsigned word = (unsigned)data[at] << 8 | data[at + 1];
        fed.clock += word & 0x0800 ? 1000000000 : 0;
        size_t length = word & 0x07ff, left = size - at - 2;
        length = length < left ? length : left;
        bool half = word & 0x4000;
        fed.point = word >> 12 & 3;
        fed.elsewhere = fed.point == 3;
        if (feed_cut(&fed, word >> 15, data + at + 2, half ? length / 2 : length, length)) {
            frames += fed.record->second ? 0 : length + 42;
            commands += fed.datagram.opened.body_captured;
            shared += fed.record->shared_bytes;
            for (uint32_t i = 0; fed.record->sender && !fed.record->dropped && i < fed.record->command_count;
                 i++) {
                check_command(i);
            }
            check_shares();
            check_delivery();
            check_reading_again();
        }
        at += 2 + length;
        datagrams++;
    }
    check_evidence();
    require(frames == shared + unclaimed());
    /* Limit: a page of each list; per datagram a connection with its maps; per command 40 bytes and a slot in
     * a map, or a channel, or a message. */
    require(fed.kept.live <= 100000 + 2000 * datagrams + 64 * commands);
    feed_end(&fed);
    return 0;
}
