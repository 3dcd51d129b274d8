/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/wire/api_v3.h"

#include <string.h>

#include "base/bytes.h"
#include "base/utf8.h"
#include "variant/variant.h"

enum {
    ENET_HEADER = 8,
    ENET_FLAGS_HEADER = 12,
    ENET_SYSTEM_LENGTH = 8,
    WEBSOCKET_HEADER = 9,
    WEBSOCKET_SYSTEM_LENGTH = 13,
    CALL_LENGTH = 6,
    SIMPLIFY_LENGTH = 5,
    PLAUSIBLE_ID = 1 << 20,
};

static void parse_enet_system(const uint8_t *bytes, uint32_t length, multiplayer_v3_header *header)
{
    header->message_length = 4;
    header->message_value = le32(bytes);
    header->message = header->message_value == 0   ? MULTIPLAYER_V3_ADD_PEER
                      : header->message_value == 1 ? MULTIPLAYER_V3_REMOVE_PEER
                                                   : MULTIPLAYER_V3_UNKNOWN_MESSAGE;
    header->peer_offset = 4;
    header->peer = (int32_t)le32(bytes + 4);
    header->length = ENET_SYSTEM_LENGTH;
    if (length > ENET_SYSTEM_LENGTH) {
        multiplayer_report(&header->findings, MULTIPLAYER_PROBLEM_TRAILING, MULTIPLAYER_IGNORED,
                           ENET_SYSTEM_LENGTH, length - ENET_SYSTEM_LENGTH);
    }
}

static void parse_websocket(const uint8_t *bytes, uint32_t length, multiplayer_v3_header *header)
{
    static const multiplayer_v3_message messages[] = {MULTIPLAYER_V3_DATA, MULTIPLAYER_V3_ADD_PEER,
                                                      MULTIPLAYER_V3_REMOVE_PEER, MULTIPLAYER_V3_ASSIGN_ID};
    header->message_length = 1;
    header->message_value = bytes[0];
    header->message = bytes[0] < 4 ? messages[bytes[0]] : MULTIPLAYER_V3_UNKNOWN_MESSAGE;
    header->has_source = true;
    header->source_offset = 1;
    header->source = (int32_t)le32(bytes + 1);
    header->target_offset = 5;
    header->target = (int32_t)le32(bytes + 5);
    header->length = WEBSOCKET_HEADER;
    if (header->message == MULTIPLAYER_V3_DATA || header->message == MULTIPLAYER_V3_UNKNOWN_MESSAGE) {
        return;
    }
    if (length < WEBSOCKET_SYSTEM_LENGTH) {
        multiplayer_report(&header->findings, MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED, length, 0);
        return;
    }
    header->peer_offset = WEBSOCKET_HEADER;
    header->peer = (int32_t)le32(bytes + WEBSOCKET_HEADER);
    header->length = WEBSOCKET_SYSTEM_LENGTH;
    if (length > WEBSOCKET_SYSTEM_LENGTH) {
        multiplayer_report(&header->findings, MULTIPLAYER_PROBLEM_TRAILING, MULTIPLAYER_IGNORED,
                           WEBSOCKET_SYSTEM_LENGTH, length - WEBSOCKET_SYSTEM_LENGTH);
    }
}

static void parse_enet(const uint8_t *bytes, multiplayer_v3_header *header)
{
    header->has_source = true;
    header->source = (int32_t)le32(bytes);
    header->target_offset = 4;
    header->target = (int32_t)le32(bytes + 4);
    header->length = ENET_HEADER;
    if (header->carrier == MULTIPLAYER_V3_ENET_FLAGS) {
        header->flags_offset = 8;
        header->flags = le32(bytes + 8);
        header->length = ENET_FLAGS_HEADER;
    }
    if (header->source < 1) {
        multiplayer_report(&header->findings, MULTIPLAYER_PROBLEM_PEER_ID, MULTIPLAYER_DROPPED, 0, 4);
    }
}

void multiplayer_v3_parse_header(multiplayer_v3_carrier carrier, const uint8_t *bytes, size_t length,
                                 multiplayer_v3_header *header)
{
    static const uint8_t minimum[] = {
        [MULTIPLAYER_V3_BARE] = 0,
        [MULTIPLAYER_V3_ENET] = ENET_HEADER,
        [MULTIPLAYER_V3_ENET_FLAGS] = ENET_FLAGS_HEADER,
        [MULTIPLAYER_V3_ENET_SYSTEM] = ENET_SYSTEM_LENGTH,
        [MULTIPLAYER_V3_WEBSOCKET] = WEBSOCKET_HEADER,
    };
    uint32_t size = length < MULTIPLAYER_MAX_LENGTH ? (uint32_t)length : MULTIPLAYER_MAX_LENGTH;
    memset(header, 0, sizeof *header);
    header->carrier = carrier;
    if (size < minimum[carrier]) {
        multiplayer_report(&header->findings, MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED, size, 0);
        header->length = size;
    } else if (carrier == MULTIPLAYER_V3_ENET_SYSTEM) {
        parse_enet_system(bytes, size, header);
    } else if (carrier == MULTIPLAYER_V3_WEBSOCKET) {
        parse_websocket(bytes, size, header);
    } else if (carrier != MULTIPLAYER_V3_BARE) {
        parse_enet(bytes, header);
    }
    if (header->message == MULTIPLAYER_V3_UNKNOWN_MESSAGE) {
        multiplayer_report(&header->findings, MULTIPLAYER_PROBLEM_UNKNOWN_COMMAND, MULTIPLAYER_DROPPED, 0,
                           header->message_length);
    }
}

static void report(multiplayer_v3_packet *packet, multiplayer_problem problem, multiplayer_verdict verdict,
                   uint32_t offset, uint32_t length)
{
    multiplayer_report(&packet->findings, problem, verdict, offset, length);
}

/* The path after the arguments, if the target word points to one. Returns where the values end. */
static uint32_t call_path(multiplayer_v3_packet *packet, uint32_t values)
{
    uint32_t offset = packet->target & ~MULTIPLAYER_V3_PATH_FLAG;
    if (!(packet->target & MULTIPLAYER_V3_PATH_FLAG)) {
        return packet->length;
    }
    if (offset >= packet->length || offset < values) {
        /* The reader only checks the end: a path inside of the header would be read from there. */
        report(packet, MULTIPLAYER_PROBLEM_PATH_OFFSET,
               offset >= packet->length ? MULTIPLAYER_DROPPED : MULTIPLAYER_TOLERATED, packet->target_offset,
               4);
        return packet->length;
    }
    packet->path = multiplayer_last_text(packet->bytes, offset, packet->length, &packet->findings);
    return offset;
}

static void parse_call(multiplayer_v3_packet *packet)
{
    const uint8_t *bytes = packet->bytes;
    if (packet->length < CALL_LENGTH) {
        report(packet, MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED, packet->length, 0);
        return;
    }
    packet->target_offset = 1;
    packet->target = le32(bytes + 1);
    packet->name = multiplayer_read_text(bytes, 5, packet->length);
    uint32_t offset = packet->name.offset + packet->name.length + 1;
    if (!packet->name.terminated) {
        report(packet, MULTIPLAYER_PROBLEM_UNTERMINATED, MULTIPLAYER_DROPPED, packet->length, 0);
        return;
    }
    if (!is_identifier(bytes + 5, packet->name.length, IDENTIFIER_UNICODE)) {
        report(packet, MULTIPLAYER_PROBLEM_METHOD_NAME, MULTIPLAYER_DROPPED, 5, packet->name.length);
    }
    uint32_t end = call_path(packet, offset);
    if (offset >= end) {
        report(packet, MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED, offset, 0);
        return;
    }
    if (packet->command == MULTIPLAYER_V3_REMOTE_CALL) {
        packet->count_offset = offset;
        packet->count = bytes[offset++];
    }
    packet->values_offset = offset;
    packet->values_length = end - offset;
    if (packet->target == 0) {
        report(packet, MULTIPLAYER_PROBLEM_ID_ZERO, MULTIPLAYER_DROPPED, packet->target_offset, 4);
    }
}

static void parse_path(multiplayer_v3_packet *packet, uint32_t offset)
{
    packet->path = multiplayer_last_text(packet->bytes, offset, packet->length, &packet->findings);
    if (packet->path.length == 0) {
        report(packet, MULTIPLAYER_PROBLEM_EMPTY_TEXT, MULTIPLAYER_TOLERATED, offset, 0);
    }
}

void multiplayer_v3_parse(const uint8_t *bytes, size_t length, multiplayer_v3_packet *packet)
{
    static const uint8_t minimum[MULTIPLAYER_V3_COMMAND_COUNT] = {1, 1, SIMPLIFY_LENGTH, 2, 2};
    memset(packet, 0, sizeof *packet);
    packet->bytes = bytes;
    packet->length = length < MULTIPLAYER_MAX_LENGTH ? (uint32_t)length : MULTIPLAYER_MAX_LENGTH;
    packet->command = packet->length ? bytes[0] : 0;
    if (packet->command >= MULTIPLAYER_V3_COMMAND_COUNT) {
        report(packet, MULTIPLAYER_PROBLEM_UNKNOWN_COMMAND, MULTIPLAYER_IGNORED, 0, 1);
        return;
    }
    if (packet->length < minimum[packet->command]) {
        report(packet, MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED, packet->length, 0);
        return;
    }
    switch ((multiplayer_v3_command)packet->command) {
    case MULTIPLAYER_V3_REMOTE_CALL:
    case MULTIPLAYER_V3_REMOTE_SET:
        parse_call(packet);
        break;
    case MULTIPLAYER_V3_SIMPLIFY_PATH:
        packet->target_offset = 1;
        packet->target = le32(bytes + 1);
        if (packet->target == 0) {
            report(packet, MULTIPLAYER_PROBLEM_ID_ZERO, MULTIPLAYER_TOLERATED, 1, 4);
        }
        parse_path(packet, 5);
        break;
    case MULTIPLAYER_V3_CONFIRM_PATH:
        parse_path(packet, 1);
        break;
    case MULTIPLAYER_V3_RAW:
        packet->values_offset = 1;
        packet->values_length = packet->length - 1;
        break;
    case MULTIPLAYER_V3_COMMAND_COUNT:
        break;
    }
}

/* --- is it one? ---------------------------------------------------------------------------------- */

static bool plausible_path(const multiplayer_v3_packet *packet)
{
    return packet->path.terminated &&
           utf8_is_printable(packet->bytes + packet->path.offset, packet->path.length);
}

/* `count` values, consumed exactly. */
static bool plausible_values(const multiplayer_v3_packet *packet, int count)
{
    bool readable = false; /* does not matter here */
    return multiplayer_plausible_values(packet->bytes + packet->values_offset, packet->values_length,
                                        VARIANT_GODOT3, &readable) == count;
}

multiplayer_confidence multiplayer_v3_judge(const uint8_t *bytes, size_t length)
{
    multiplayer_v3_packet packet;
    if (length == 0 || bytes[0] >= MULTIPLAYER_V3_COMMAND_COUNT) {
        return MULTIPLAYER_IMPOSSIBLE; /* as of most packets of Godot 4, for which this is called, too */
    }
    multiplayer_v3_parse(bytes, length, &packet);
    if (packet.findings.count) {
        return MULTIPLAYER_IMPOSSIBLE;
    }
    bool call = packet.command == MULTIPLAYER_V3_REMOTE_CALL;
    switch ((multiplayer_v3_command)packet.command) {
    case MULTIPLAYER_V3_REMOTE_CALL:
    case MULTIPLAYER_V3_REMOTE_SET:
        if (packet.path.offset ? !plausible_path(&packet) : packet.target >= PLAUSIBLE_ID) {
            return MULTIPLAYER_IMPOSSIBLE;
        }
        return plausible_values(&packet, call ? packet.count : 1) ? MULTIPLAYER_STRONG
                                                                  : MULTIPLAYER_IMPOSSIBLE;
    case MULTIPLAYER_V3_SIMPLIFY_PATH:
        return plausible_path(&packet) && packet.target < PLAUSIBLE_ID ? MULTIPLAYER_STRONG
                                                                       : MULTIPLAYER_IMPOSSIBLE;
    case MULTIPLAYER_V3_CONFIRM_PATH:
        return plausible_path(&packet) ? MULTIPLAYER_MEDIUM : MULTIPLAYER_IMPOSSIBLE;
    case MULTIPLAYER_V3_RAW:
    case MULTIPLAYER_V3_COMMAND_COUNT:
        break;
    }
    return MULTIPLAYER_WEAK;
}

multiplayer_confidence multiplayer_v3_judge_enet(const uint8_t *bytes, size_t length, uint8_t channel,
                                                 multiplayer_v3_carrier *carrier)
{
    multiplayer_v3_header header;
    *carrier = MULTIPLAYER_V3_ENET;
    if (length < ENET_HEADER) {
        return MULTIPLAYER_IMPOSSIBLE;
    }
    if (channel == 0) { /* system messages only */
        *carrier = MULTIPLAYER_V3_ENET_SYSTEM;
        multiplayer_v3_parse_header(*carrier, bytes, length, &header);
        return header.findings.count || length != ENET_SYSTEM_LENGTH || header.peer < 2
                   ? MULTIPLAYER_IMPOSSIBLE
                   : MULTIPLAYER_MEDIUM;
    }
    if ((int32_t)le32(bytes) < 1) { /* its source */
        return MULTIPLAYER_IMPOSSIBLE;
    }
    multiplayer_confidence confidence = multiplayer_v3_judge(bytes + ENET_HEADER, length - ENET_HEADER);
    if (confidence != MULTIPLAYER_IMPOSSIBLE) {
        return confidence;
    }
    if (length <= ENET_FLAGS_HEADER || le32(bytes + 8) > 2) {
        return MULTIPLAYER_IMPOSSIBLE;
    }
    *carrier = MULTIPLAYER_V3_ENET_FLAGS;
    return multiplayer_v3_judge(bytes + ENET_FLAGS_HEADER, length - ENET_FLAGS_HEADER);
}

multiplayer_confidence multiplayer_v3_judge_websocket(const uint8_t *bytes, size_t length)
{
    multiplayer_v3_header header;
    multiplayer_v3_parse_header(MULTIPLAYER_V3_WEBSOCKET, bytes, length, &header);
    if (header.findings.count) {
        return MULTIPLAYER_IMPOSSIBLE;
    }
    if (header.message != MULTIPLAYER_V3_DATA) {
        return header.source == 1 && header.target == 0 && header.peer >= 1 ? MULTIPLAYER_STRONG
                                                                            : MULTIPLAYER_IMPOSSIBLE;
    }
    return header.source < 1 ? MULTIPLAYER_IMPOSSIBLE
                             : multiplayer_v3_judge(bytes + WEBSOCKET_HEADER, length - WEBSOCKET_HEADER);
}

const char *multiplayer_v3_command_name(uint8_t command)
{
    static const char *const names[MULTIPLAYER_V3_COMMAND_COUNT] = {
        [MULTIPLAYER_V3_REMOTE_CALL] = "Remote Call",
        [MULTIPLAYER_V3_REMOTE_SET] = "Remote Set",
        [MULTIPLAYER_V3_SIMPLIFY_PATH] = "Simplify Path",
        [MULTIPLAYER_V3_CONFIRM_PATH] = "Confirm Path",
        [MULTIPLAYER_V3_RAW] = "Raw",
    };
    return command < MULTIPLAYER_V3_COMMAND_COUNT ? names[command] : NULL;
}

const char *multiplayer_v3_message_name(multiplayer_v3_message message)
{
    static const char *const names[] = {
        [MULTIPLAYER_V3_DATA] = "Data",
        [MULTIPLAYER_V3_ADD_PEER] = "Add Peer",
        [MULTIPLAYER_V3_REMOVE_PEER] = "Remove Peer",
        [MULTIPLAYER_V3_ASSIGN_ID] = "Assign Id",
        [MULTIPLAYER_V3_UNKNOWN_MESSAGE] = "Unknown",
    };
    return names[message];
}
