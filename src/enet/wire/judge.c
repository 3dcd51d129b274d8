/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/wire/judge.h"

#include "base/bytes.h"

/* As unmodified senders write CONNECT, VERIFY_CONNECT and the DISCONNECT of a connection without a reply. */
enum {
    CONNECT_BYTE = ENET_CONNECT | ENET_COMMAND_ACKNOWLEDGE,
    VERIFY_BYTE = ENET_VERIFY_CONNECT | ENET_COMMAND_ACKNOWLEDGE,
    GIVE_UP_BYTE = ENET_DISCONNECT | ENET_COMMAND_UNSEQUENCED,
};

/* Not written by a sender that follows the rules. */
static bool breaks_rules(const enet_command *command, uint32_t body_length)
{
    bool connection = command->has_header && command->channel == ENET_CONNECTION_CHANNEL;

    if (command->skipped) {
        return true;
    }
    if (connection && command->type != ENET_ACKNOWLEDGE && command->sequence == 0) {
        return true;
    }
    for (uint32_t i = 0; i < command->finding_count; i++) {
        enet_problem problem = (enet_problem)command->findings[i].problem;

        if (problem == ENET_PROBLEM_PADDING || problem == ENET_PROBLEM_MTU_16) {
            continue;
        }
        if (problem == ENET_PROBLEM_GAVE_UP && command->length == body_length) {
            continue;
        }
        return true;
    }
    return false;
}

bool enet_may_begin_body(const enet_header *header, const uint8_t *bytes, size_t length)
{
    enet_body_context context = {.header = header};
    enet_command command;
    enet_body body;

    enet_body_init(&body, bytes, length, ENET_MAX_DATAGRAM - header->length, &context);
    while (enet_body_next(&body, &command)) {
        if (breaks_rules(&command, body.wire_length)) {
            return false;
        }
    }
    return true;
}

enet_confidence enet_judge_body(const enet_header *header, const uint8_t *bytes, size_t length, bool fastlz,
                                enet_command *handshake)
{
    enet_body_context context = {.header = header, .fastlz = fastlz};
    enet_confidence confidence = ENET_CONFIDENCE_WEAK;
    size_t datagram = header->length + length;
    enet_command command;
    enet_body body;

    if (length < ENET_COMMAND_HEADER || datagram < 8 || datagram > ENET_MAX_DATAGRAM ||
        !enet_may_begin_with(header, bytes[0])) {
        return ENET_CONFIDENCE_NONE;
    }
    if (datagram >= 24) {
        confidence = ENET_CONFIDENCE_PLAUSIBLE;
    }
    enet_body_init(&body, bytes, length, length, &context);
    while (enet_body_next(&body, &command)) {
        if (command.cut || breaks_rules(&command, body.wire_length)) {
            return ENET_CONFIDENCE_NONE;
        }
        if (command.byte == GIVE_UP_BYTE && header->to_nobody && command.sequence == 2) {
            confidence =
                ENET_CONFIDENCE_GAVE_UP; /* the second command of a connection whose first was a CONNECT */
        }
        if (command.type == ENET_CONNECT || command.type == ENET_VERIFY_CONNECT) {
            confidence = command.type == ENET_CONNECT ? ENET_CONFIDENCE_CONNECT : ENET_CONFIDENCE_VERIFY;
            if (handshake) {
                *handshake = command;
            }
        }
    }
    return body.finding_count ? ENET_CONFIDENCE_NONE : confidence;
}

/* What there is of a command of the handshake that is alone in its datagram. */
static bool is_cut_handshake(const enet_header *header, uint8_t byte, const uint8_t *body, size_t captured,
                             size_t length)
{
    enum { FIRST_NUMBER = 1 };

    return header->has_sent_time && !header->compressed && captured >= ENET_COMMAND_HEADER &&
           captured < length && length == enet_commands[byte & 15u].fixed_length && body[0] == byte &&
           body[1] == ENET_CONNECTION_CHANNEL && be16(body + 2) == FIRST_NUMBER;
}

static bool in_range(uint32_t value, uint32_t lowest, uint32_t highest)
{
    return value >= lowest && value <= highest;
}

bool enet_is_cut_connect(const enet_header *header, const uint8_t *body, size_t captured, size_t length,
                         bool is_enet)
{
    enum { MTU = 8, WINDOW = 12, CHANNELS = 16, ENOUGH = 20 };

    return header->to_nobody && is_cut_handshake(header, CONNECT_BYTE, body, captured, length) &&
           (is_enet || (captured >= ENOUGH && in_range(be32(body + MTU), ENET_MIN_MTU, ENET_MAX_MTU) &&
                        in_range(be32(body + WINDOW), ENET_MIN_WINDOW, ENET_MAX_WINDOW) &&
                        in_range(be32(body + CHANNELS), 1, ENET_MAX_CHANNELS)));
}

bool enet_is_cut_verify(const enet_header *header, const uint8_t *body, size_t captured, size_t length)
{
    return !header->to_nobody && is_cut_handshake(header, VERIFY_BYTE, body, captured, length);
}
