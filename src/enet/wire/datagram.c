/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/wire/datagram.h"

#include "enet/wire/numbers.h"

#include <string.h>

#include "base/bytes.h"

/* --- header -------------------------------------------------------------------------------------- */

const enet_dialect_info enet_dialects[ENET_DIALECT_COUNT] = {
    [ENET_STOCK] = {"stock", "ENet 1.3", 0x8000, 0x4000, 0x3000, 0x0fff, 0, 4, ENET_NO_PEER},
    [ENET_CSHARP] = {"csharp", "ENet-CSharp", 0x4000, 0, 0x3000, 0x0fff, 0, 8, ENET_NO_PEER},
    [ENET_MORE_PEERS] = {"more_peers", "zpl ENet with more peers", 0x8000, 0x4000, 0x1800, 0x07ff, 0x2000, 4,
                         0xffff},
};

/* The bits of a mask as a number. */
static uint32_t field_of(uint16_t word, uint32_t mask)
{
    return (word & mask) / (mask & (~mask + 1));
}

/* Sets all members that depend on the header word, offsets included. */
static void read_header_word(enet_header *header, uint16_t word, const enet_dialect_info *layout,
                             bool checksum)
{
    uint8_t offset = 2;

    header->word = word;
    header->peer_id = word & layout->peer_id;
    header->to_nobody = header->peer_id == layout->no_peer;
    header->session = (uint8_t)field_of(word, layout->session);
    header->has_sent_time = (word & layout->sent_time) != 0;
    header->compressed = (word & layout->compressed) != 0;
    header->has_peer_id_high = (word & layout->peer_id_high) != 0;
    header->has_checksum = checksum;
    offset = (uint8_t)(offset + (header->has_sent_time ? 2 : 0));
    header->peer_id_high_offset = offset;
    offset = (uint8_t)(offset + (header->has_peer_id_high ? 1 : 0));
    header->checksum_offset = offset;
    header->checksum_length = checksum ? layout->checksum_length : 0;
    header->length = (uint8_t)(offset + header->checksum_length);
}

bool enet_header_read(enet_header *header, const uint8_t *bytes, size_t length, enet_dialect dialect,
                      bool checksum)
{
    const enet_dialect_info *layout = &enet_dialects[dialect];

    *header = (enet_header){.dialect = dialect, .length = 2};
    if (length < 2) {
        return false;
    }
    read_header_word(header, be16(bytes), layout, checksum);
    if (length < header->length) {
        return false;
    }
    if (header->has_sent_time) {
        header->sent_time = be16(bytes + 2);
    }
    if (header->has_peer_id_high) {
        header->peer_id |= (uint32_t)bytes[header->peer_id_high_offset] << 11;
        header->to_nobody = header->peer_id == layout->no_peer;
    }
    for (unsigned i = 0; i < header->checksum_length; i++) {
        header->checksum = header->checksum << 8 | bytes[header->checksum_offset + i];
    }
    return true;
}

/* --- tables -------------------------------------------------------------------------------------- */

const enet_command_info enet_commands[ENET_COMMAND_TYPE_MASK + 1] = {
    [ENET_NONE] = {.name = "None"},
    [ENET_ACKNOWLEDGE] = {"Acknowledge", 8, 0x01, 0x01, false, false, false, 0},
    [ENET_CONNECT] = {"Connect", 48, 0x82, 0x82, true, false, false, 0},
    [ENET_VERIFY_CONNECT] = {"Verify Connect", 44, 0x83, 0x83, true, false, false, 0},
    [ENET_DISCONNECT] = {"Disconnect", 8, 0x84, 0x44, true, false, false, 0},
    [ENET_PING] = {"Ping", 4, 0x85, 0x85, true, false, false, 0},
    [ENET_SEND_RELIABLE] = {"Send Reliable", 6, 0x86, 0x86, false, true, false, ENET_RELIABLE_DATA_LENGTH_AT},
    [ENET_SEND_UNRELIABLE] = {"Send Unreliable", 8, 0x07, 0x07, false, true, false, ENET_DATA_LENGTH_AT},
    [ENET_SEND_FRAGMENT] = {"Send Fragment", 24, 0x88, 0x88, false, true, true, ENET_DATA_LENGTH_AT},
    [ENET_SEND_UNSEQUENCED] = {"Send Unsequenced", 8, 0x49, 0x49, false, true, false, ENET_DATA_LENGTH_AT},
    [ENET_BANDWIDTH_LIMIT] = {"Bandwidth Limit", 12, 0x8a, 0x8a, true, false, false, 0},
    [ENET_THROTTLE_CONFIGURE] = {"Throttle Configure", 16, 0x8b, 0x8b, true, false, false, 0},
    [ENET_SEND_UNRELIABLE_FRAGMENT] = {"Send Unreliable Fragment", 24, 0x0c, 0x0c, false, true, true,
                                       ENET_DATA_LENGTH_AT},
    [13] = {.name = "Unknown"},
    [14] = {.name = "Unknown"},
    [15] = {.name = "Unknown"},
};
_Static_assert(ENET_COMMAND_COUNT == 13, "a new command needs a row in enet_commands");

/* --- findings ------------------------------------------------------------------------------------ */

static void add_with_effect(enet_command *command, enet_problem problem, enet_effect effect, uint32_t offset,
                            uint32_t length)
{
    if (command->finding_count < ENET_MAX_FINDINGS) {
        command->findings[command->finding_count++] =
            (finding){(uint8_t)problem, (uint8_t)effect, false, offset, length};
    }
    if (effect >= ENET_REST_SKIPPED) {
        command->refused = true;
    }
}

/* `offset` and `length` of a field in the command. */
static void add(enet_command *command, enet_problem problem, uint32_t offset, uint32_t length)
{
    add_with_effect(command, problem, (enet_effect)enet_problems[problem].verdict, command->offset + offset,
                    length);
}

static inline void add_if(enet_command *command, bool holds, enet_problem problem, uint32_t offset,
                          uint32_t length)
{
    if (holds) {
        add(command, problem, offset, length);
    }
}

static void add_to_body_if(enet_body *body, bool holds, enet_problem problem)
{
    if (holds && body->finding_count < sizeof body->findings / sizeof body->findings[0]) {
        body->findings[body->finding_count++] =
            (finding){(uint8_t)problem, enet_problems[problem].verdict, false, 0, body->wire_length};
    }
}

/* --- fields -------------------------------------------------------------------------------------- */

static void read_connect(enet_command *command, const uint8_t *bytes)
{
    command->fields.connect.peer_id = be16(bytes + ENET_CONNECT_PEER_ID_AT);
    command->fields.connect.incoming_session = bytes[ENET_CONNECT_INCOMING_SESSION_AT];
    command->fields.connect.outgoing_session = bytes[ENET_CONNECT_OUTGOING_SESSION_AT];
    command->fields.connect.mtu = be32(bytes + ENET_CONNECT_MTU_AT);
    command->fields.connect.window_size = be32(bytes + ENET_CONNECT_WINDOW_SIZE_AT);
    command->fields.connect.channel_count = be32(bytes + ENET_CONNECT_CHANNEL_COUNT_AT);
    command->fields.connect.incoming_bandwidth = be32(bytes + ENET_CONNECT_INCOMING_BANDWIDTH_AT);
    command->fields.connect.outgoing_bandwidth = be32(bytes + ENET_CONNECT_OUTGOING_BANDWIDTH_AT);
    command->fields.connect.throttle_interval = be32(bytes + ENET_CONNECT_INTERVAL_AT);
    command->fields.connect.throttle_acceleration = be32(bytes + ENET_CONNECT_ACCELERATION_AT);
    command->fields.connect.throttle_deceleration = be32(bytes + ENET_CONNECT_DECELERATION_AT);
    command->fields.connect.connect_id = be32(bytes + ENET_CONNECT_ID_AT);
    if (command->type == ENET_CONNECT) {
        command->fields.connect.data = be32(bytes + ENET_CONNECT_DATA_AT);
    }
}

static void read_fragment(enet_command *command, const uint8_t *bytes)
{
    command->fields.fragment.start_sequence = be16(bytes + ENET_FRAGMENT_START_AT);
    command->fields.fragment.count = be32(bytes + ENET_FRAGMENT_COUNT_AT);
    command->fields.fragment.number = be32(bytes + ENET_FRAGMENT_NUMBER_AT);
    command->fields.fragment.total_length = be32(bytes + ENET_FRAGMENT_TOTAL_LENGTH_AT);
    command->fields.fragment.offset = be32(bytes + ENET_FRAGMENT_OFFSET_AT);
}

/* `bytes` has the fixed part. */
static void read_fields(enet_command *command, const uint8_t *bytes)
{
    switch (command->type) {
    case ENET_ACKNOWLEDGE:
        command->fields.acknowledgement.sequence = be16(bytes + ENET_ACK_SEQUENCE_AT);
        command->fields.acknowledgement.sent_time = be16(bytes + ENET_ACK_SENT_TIME_AT);
        break;
    case ENET_CONNECT:
    case ENET_VERIFY_CONNECT:
        read_connect(command, bytes);
        break;
    case ENET_DISCONNECT:
        command->fields.disconnect.data = be32(bytes + ENET_DISCONNECT_DATA_AT);
        break;
    case ENET_SEND_UNRELIABLE:
        command->fields.unreliable.sequence = be16(bytes + ENET_UNRELIABLE_SEQUENCE_AT);
        break;
    case ENET_SEND_UNSEQUENCED:
        command->fields.unsequenced.group = be16(bytes + ENET_UNSEQUENCED_GROUP_AT);
        break;
    case ENET_SEND_FRAGMENT:
    case ENET_SEND_UNRELIABLE_FRAGMENT:
        read_fragment(command, bytes);
        break;
    case ENET_BANDWIDTH_LIMIT:
        command->fields.bandwidth.incoming = be32(bytes + ENET_BANDWIDTH_INCOMING_AT);
        command->fields.bandwidth.outgoing = be32(bytes + ENET_BANDWIDTH_OUTGOING_AT);
        break;
    case ENET_THROTTLE_CONFIGURE:
        command->fields.throttle.interval = be32(bytes + ENET_THROTTLE_INTERVAL_AT);
        command->fields.throttle.acceleration = be32(bytes + ENET_THROTTLE_ACCELERATION_AT);
        command->fields.throttle.deceleration = be32(bytes + ENET_THROTTLE_DECELERATION_AT);
        break;
    default: /* nothing but header and data */
        break;
    }
}

/* --- checks that need no connection -------------------------------------------------------------- */

static void check_addressee(const enet_body *body, enet_command *command)
{
    bool to_nobody = body->context.header->to_nobody;

    if (command->type == ENET_CONNECT && (!to_nobody || body->seen_connect)) {
        add(command, ENET_PROBLEM_CONNECT_TO_PEER, 0, command->length);
    } else if (command->type != ENET_CONNECT && body->seen_connect) {
        add(command, ENET_PROBLEM_AFTER_CONNECT, 0, command->length);
    } else if (command->type != ENET_CONNECT && to_nobody &&
               command->byte == enet_commands[ENET_DISCONNECT].other_byte) {
        add(command, ENET_PROBLEM_GAVE_UP, 0, command->length);
    } else if (command->type != ENET_CONNECT && to_nobody) {
        add(command, ENET_PROBLEM_NOT_CONNECT, 0, command->length);
    }
}

static void check_command_header(const enet_body *body, enet_command *command)
{
    const enet_command_info *info = &enet_commands[command->type];
    uint8_t flags_and_type = (uint8_t)(command->byte & ~ENET_COMMAND_RESERVED_MASK);
    uint32_t channels = body->context.channel_count ? body->context.channel_count : ENET_MAX_CHANNELS;

    add_if(command, command->byte & ENET_COMMAND_RESERVED_MASK, ENET_PROBLEM_RESERVED_BITS, 0, 1);
    add_if(command, flags_and_type != info->byte && flags_and_type != info->other_byte,
           ENET_PROBLEM_UNUSUAL_FLAGS, 0, 1);
    add_if(command, command->acknowledge && !body->context.header->has_sent_time, ENET_PROBLEM_NO_SENT_TIME,
           0, 1);
    add_if(command, info->data && command->channel >= channels, ENET_PROBLEM_CHANNEL, 1, 1);
    add_if(command, info->connection && command->channel != ENET_CONNECTION_CHANNEL,
           ENET_PROBLEM_CONNECTION_CHANNEL, 1, 1);
}

bool enet_may_begin_with(const enet_header *header, uint32_t byte)
{
    const enet_command_info *info = &enet_commands[byte & ENET_COMMAND_TYPE_MASK];

    if (info->fixed_length == 0 || (byte != info->byte && byte != info->other_byte) ||
        ((byte & ENET_COMMAND_ACKNOWLEDGE) && !header->has_sent_time)) {
        return false;
    }
    if (header->to_nobody) {
        return byte == enet_commands[ENET_CONNECT].byte || byte == enet_commands[ENET_DISCONNECT].other_byte;
    }
    return byte != enet_commands[ENET_CONNECT].byte;
}

static void check_sessions(const enet_body *body, enet_command *command)
{
    uint8_t incoming = command->fields.connect.incoming_session;
    uint8_t outgoing = command->fields.connect.outgoing_session;
    bool numbers = incoming <= 3 && outgoing <= 3;
    bool fresh =
        command->type == ENET_CONNECT && incoming == ENET_FRESH_SESSION && outgoing == ENET_FRESH_SESSION;

    if (!numbers && !fresh) {
        add(command, ENET_PROBLEM_SESSION_BYTES, ENET_CONNECT_INCOMING_SESSION_AT, 2);
    } else if (command->type == ENET_VERIFY_CONNECT && incoming != body->context.header->session) {
        add(command, ENET_PROBLEM_SESSION_MISMATCH, ENET_PLACE(CONNECT_INCOMING_SESSION));
    }
}

static bool is_mtu_of_16_bits(uint32_t mtu)
{
    return (mtu & 0xffff) == 0 && mtu >> 16 == enet_clamp_mtu(mtu >> 16);
}

static void check_connect(const enet_body *body, enet_command *command)
{
    uint32_t mtu = command->fields.connect.mtu, window_size = command->fields.connect.window_size;
    uint32_t channel_count = command->fields.connect.channel_count;

    add_if(command, command->sequence != 1, ENET_PROBLEM_FIRST_SEQUENCE, 2, 2);
    add_if(command, command->fields.connect.peer_id >= enet_dialects[body->context.header->dialect].no_peer,
           ENET_PROBLEM_PEER_ID, ENET_PLACE(CONNECT_PEER_ID));
    check_sessions(body, command);
    if (command->type == ENET_VERIFY_CONNECT && is_mtu_of_16_bits(mtu)) {
        add(command, ENET_PROBLEM_MTU_16, ENET_PLACE(CONNECT_MTU));
    } else if (mtu != enet_clamp_mtu(mtu)) {
        add(command, ENET_PROBLEM_MTU, ENET_PLACE(CONNECT_MTU));
    }
    add_if(command, window_size != enet_clamp_window(window_size), ENET_PROBLEM_WINDOW_SIZE,
           ENET_PLACE(CONNECT_WINDOW_SIZE));
    if (channel_count == 0 || channel_count > ENET_MAX_CHANNELS) {
        add_with_effect(command, ENET_PROBLEM_CHANNEL_COUNT,
                        command->type == ENET_CONNECT ? ENET_REST_SKIPPED : ENET_CONNECTION_DIES,
                        command->offset + ENET_CONNECT_CHANNEL_COUNT_AT, ENET_CONNECT_CHANNEL_COUNT_LENGTH);
    }
}

/* The fragments of a message are laid out as an ENet sender does it. Call only if the fields are in range. */
static void check_tiling(enet_command *command)
{
    uint32_t number = command->fields.fragment.number, offset = command->fields.fragment.offset;
    uint32_t length = command->announced_length;
    bool tiles;

    if (number + 1 < command->fields.fragment.count) {
        tiles = offset == (uint64_t)number * length;
    } else if (number == 0) {
        tiles = offset == 0 && length == command->fields.fragment.total_length;
    } else {
        tiles = offset + length == command->fields.fragment.total_length && offset % number == 0 &&
                offset / number >= length;
    }
    add_if(command, !tiles, ENET_PROBLEM_FRAGMENT_TILING, ENET_PLACE(FRAGMENT_OFFSET));
}

static void check_fragment(enet_command *command)
{
    uint32_t count = command->fields.fragment.count, number = command->fields.fragment.number;
    uint32_t total = command->fields.fragment.total_length, offset = command->fields.fragment.offset;
    uint32_t length = command->announced_length;
    uint16_t sequence = (uint16_t)(command->fields.fragment.start_sequence + number);
    uint32_t before = command->finding_count;

    add_if(command, length == 0, ENET_PROBLEM_FRAGMENT_EMPTY, ENET_PLACE(DATA_LENGTH));
    add_if(command, count > ENET_MAX_FRAGMENTS, ENET_PROBLEM_FRAGMENT_COUNT, ENET_PLACE(FRAGMENT_COUNT));
    add_if(command, number >= count, ENET_PROBLEM_FRAGMENT_NUMBER, ENET_PLACE(FRAGMENT_NUMBER));
    add_if(command, total > ENET_MAX_MESSAGE, ENET_PROBLEM_TOTAL_LENGTH, ENET_PLACE(FRAGMENT_TOTAL_LENGTH));
    add_if(command, total < count, ENET_PROBLEM_TOTAL_TOO_SHORT, ENET_PLACE(FRAGMENT_TOTAL_LENGTH));
    if (offset >= total) {
        add(command, ENET_PROBLEM_FRAGMENT_OFFSET, ENET_PLACE(FRAGMENT_OFFSET));
    } else if (length > total - offset) {
        add(command, ENET_PROBLEM_FRAGMENT_END, ENET_PLACE(DATA_LENGTH));
    }
    if (command->finding_count == before) {
        check_tiling(command);
    }
    add_if(command, count == 1, ENET_PROBLEM_FRAGMENT_SINGLE, ENET_PLACE(FRAGMENT_COUNT));
    add_if(command, command->type == ENET_SEND_FRAGMENT && command->sequence != sequence,
           ENET_PROBLEM_FRAGMENT_SEQUENCE, 2, 2);
}

static void check_fields(const enet_body *body, enet_command *command)
{
    switch (command->type) {
    case ENET_ACKNOWLEDGE:
        add_if(command, body->seen_other, ENET_PROBLEM_LATE_ACKNOWLEDGE, 0, 8);
        add_if(command, command->sequence != command->fields.acknowledgement.sequence,
               ENET_PROBLEM_ACKNOWLEDGE_SEQUENCE, 2, 4);
        break;
    case ENET_CONNECT:
    case ENET_VERIFY_CONNECT:
        check_connect(body, command);
        break;
    case ENET_SEND_UNRELIABLE:
        add_if(command, command->fields.unreliable.sequence == 0, ENET_PROBLEM_UNRELIABLE_SEQUENCE,
               ENET_PLACE(UNRELIABLE_SEQUENCE));
        break;
    case ENET_SEND_UNSEQUENCED:
        add_if(command, command->sequence != 0, ENET_PROBLEM_UNSEQUENCED_SEQUENCE, 2, 2);
        break;
    case ENET_SEND_FRAGMENT:
    case ENET_SEND_UNRELIABLE_FRAGMENT:
        check_fragment(command);
        break;
    default:
        break;
    }
}

/* --- walk ---------------------------------------------------------------------------------------- */

static void finish(enet_body *body)
{
    const enet_header *header = body->context.header;

    if (body->finished) {
        return;
    }
    body->finished = true;
    add_to_body_if(body, body->wire_length == 0, ENET_PROBLEM_EMPTY_BODY);
    add_to_body_if(body, header->length + body->wire_length > ENET_MAX_DATAGRAM,
                   ENET_PROBLEM_DATAGRAM_TOO_LONG);
    /* The MTU counts 4 bytes of header, whatever the header has. */
    add_to_body_if(body, body->context.mtu && 4 + body->wire_length > body->context.mtu,
                   ENET_PROBLEM_OVER_MTU);
    add_to_body_if(body, body->index > ENET_MAX_COMMANDS, ENET_PROBLEM_TOO_MANY_COMMANDS);
    add_to_body_if(body,
                   header->has_sent_time && !body->wants_sent_time && body->wire_length && !body->broken &&
                       !body->cut,
                   ENET_PROBLEM_UNUSED_SENT_TIME);
    add_to_body_if(body, header->to_nobody && header->session != 0, ENET_PROBLEM_SESSION_OF_NOBODY);
}

/* Godot extends bodies below 16 bytes to 16 before it compresses them with FastLZ. */
static bool is_padding(const enet_body *body)
{
    if (!body->context.fastlz || body->wire_length != 16 || body->captured != 16 || body->position == 0) {
        return false;
    }
    for (uint32_t i = body->position; i < 16; i++) {
        if (body->bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

/* The walk ends in this command: either it is broken or the capture ends. `needed` bytes were wanted from
 * its start. */
static bool enough(enet_body *body, enet_command *command, uint32_t needed, enet_problem problem)
{
    uint32_t on_wire = body->wire_length - body->position;
    uint32_t captured = body->captured - body->position;

    if (needed <= captured) {
        return true;
    }
    command->length = captured;
    body->ended = true;
    if (needed > on_wire) {
        body->broken = true;
        add(command, problem, 0, on_wire);
    } else {
        body->cut = true;
        command->cut = true;
    }
    return false;
}

/* Reads header and fixed part; false if the walk ends there. */
static bool read_fixed_part(enet_body *body, enet_command *command)
{
    const uint8_t *bytes = body->bytes + body->position;
    uint8_t fixed_length;

    if (!enough(body, command, ENET_COMMAND_HEADER, ENET_PROBLEM_TRUNCATED_HEADER)) {
        command->fixed_length = command->length;
        return false;
    }
    command->has_header = true;
    command->byte = bytes[0];
    command->type = bytes[0] & ENET_COMMAND_TYPE_MASK;
    command->acknowledge = (bytes[0] & ENET_COMMAND_ACKNOWLEDGE) != 0;
    command->unsequenced = (bytes[0] & ENET_COMMAND_UNSEQUENCED) != 0;
    command->channel = bytes[1];
    command->sequence = be16(bytes + 2);
    command->length = command->fixed_length = ENET_COMMAND_HEADER;
    fixed_length = enet_commands[command->type].fixed_length;
    if (fixed_length == 0) {
        command->length = body->captured - body->position;
        body->ended = body->broken = true;
        add(command, ENET_PROBLEM_UNKNOWN_COMMAND, 0, 1);
        return false;
    }
    if (!enough(body, command, fixed_length, ENET_PROBLEM_TRUNCATED_COMMAND)) {
        command->fixed_length = command->length;
        return false;
    }
    command->complete = true;
    command->length = command->fixed_length = fixed_length;
    read_fields(command, bytes);
    return true;
}

static void read_data(enet_body *body, enet_command *command)
{
    const enet_command_info *info = &enet_commands[command->type];

    if (!info->data) {
        return;
    }
    command->announced_length = be16(body->bytes + body->position + info->length_offset);
    command->data_offset = command->offset + command->fixed_length;
    if (enough(body, command, command->fixed_length + command->announced_length, ENET_PROBLEM_DATA_OVERRUN)) {
        command->length = command->fixed_length + command->announced_length;
    }
    command->data_length = command->length - command->fixed_length;
}

static void check(enet_body *body, enet_command *command)
{
    check_addressee(body, command);
    check_command_header(body, command);
    check_fields(body, command);
    for (uint32_t i = 0; i < command->finding_count; i++) {
        if (command->findings[i].verdict >= ENET_NOT_ACKNOWLEDGED) {
            body->skipping = true;
        }
    }
}

bool enet_body_next(enet_body *body, enet_command *command)
{
    if (body->position >= body->captured) {
        body->cut = body->cut || (!body->ended && body->captured < body->wire_length);
        body->ended = true;
    }
    if (body->ended) {
        finish(body);
        return false;
    }
    memset(command, 0, offsetof(enet_command, findings));
    command->index = body->index++;
    command->offset = body->position;
    command->skipped = body->skipping;
    if (is_padding(body)) {
        command->length = 16 - body->position;
        body->index--;
        body->ended = true;
        add(command, ENET_PROBLEM_PADDING, 0, command->length);
    } else if (read_fixed_part(body, command)) {
        read_data(body, command);
        body->wants_sent_time |= command->acknowledge;
        if (!body->skipping) {
            check(body, command);
        }
        body->seen_other |= command->type != ENET_ACKNOWLEDGE;
        body->seen_connect |= command->type == ENET_CONNECT;
    }
    body->position += command->length;
    return true;
}
