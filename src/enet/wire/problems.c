/* problems.c
 *
 * Texts and severities of the problems of datagrams; see datagram.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/wire/datagram.h"

#define FACTS(problem, name, text, severity, effect)                                                         \
    [ENET_PROBLEM_##problem] = {name, text, PROBLEM_##severity, ENET_##effect}

const problem_facts enet_problems[ENET_PROBLEM_COUNT] = {
    FACTS(TRUNCATED_HEADER, "truncated_header", "The datagram ends inside the header of a command", ERROR,
          REST_SKIPPED),
    FACTS(UNKNOWN_COMMAND, "unknown_command", "ENet 1.3 has no command of this type", ERROR, REST_SKIPPED),
    FACTS(TRUNCATED_COMMAND, "truncated_command", "The datagram ends inside a command", ERROR, REST_SKIPPED),
    FACTS(DATA_OVERRUN, "data_overrun", "The data length runs past the end of the datagram", ERROR,
          REST_SKIPPED),
    FACTS(PADDING, "padding", "Zero bytes with which Godot fills short datagrams before FastLZ", NOTE,
          REST_SKIPPED),
    FACTS(EMPTY_BODY, "empty_body", "The datagram has no commands", WARNING, DATAGRAM_DROPPED),
    FACTS(DATAGRAM_TOO_LONG, "datagram_too_long",
          "Header and commands are longer than the 4096 bytes of a receiver's buffer", ERROR,
          DATAGRAM_DROPPED),
    FACTS(OVER_MTU, "over_mtu", "The datagram is longer than the negotiated MTU", NOTE, TOLERATED),
    FACTS(TOO_MANY_COMMANDS, "too_many_commands", "More than the 32 commands that ENet puts into a datagram",
          NOTE, TOLERATED),
    FACTS(UNUSED_SENT_TIME, "unused_sent_time", "Sent time although no command asks for an acknowledgement",
          NOTE, TOLERATED),
    FACTS(SESSION_OF_NOBODY, "session_of_nobody", "Session number in a datagram that is not for a known peer",
          NOTE, TOLERATED),
    FACTS(NOT_CONNECT, "not_connect", "Only a Connect may come without a peer ID", WARNING, REST_SKIPPED),
    FACTS(GAVE_UP, "gave_up", "The client gave up before its Connect was answered", NOTE, REST_SKIPPED),
    FACTS(AFTER_CONNECT, "behind_connect", "A command after a Connect, which has to be alone in its datagram",
          WARNING, REST_SKIPPED),
    FACTS(CONNECT_TO_PEER, "connect_to_peer", "A Connect for a peer ID that is already in use", WARNING,
          REST_SKIPPED),
    FACTS(NO_SENT_TIME, "no_sent_time", "Asks for an acknowledgement, but the datagram has no sent time",
          WARNING, NOT_ACKNOWLEDGED),
    FACTS(RESERVED_BITS, "reserved_bits", "Bits of the command byte that ENet does not use", NOTE, TOLERATED),
    FACTS(UNUSUAL_FLAGS, "unusual_flags",
          "Acknowledge or unsequenced flag that ENet does not send with this command", NOTE, TOLERATED),
    FACTS(CHANNEL, "channel", "The connection has no such channel", WARNING, REST_SKIPPED),
    FACTS(CONNECTION_CHANNEL, "connection_channel",
          "A command of the connection itself on an application's channel", NOTE, TOLERATED),
    FACTS(LATE_ACKNOWLEDGE, "late_acknowledge", "ENet puts acknowledgements before all other commands", NOTE,
          TOLERATED),
    FACTS(ACKNOWLEDGE_SEQUENCE, "acknowledge_sequence",
          "The two sequence numbers differ; ENet before 1.3.8 leaves the first one undefined", NOTE,
          TOLERATED),
    FACTS(FIRST_SEQUENCE, "first_sequence", "The first command of a connection has number 1", NOTE,
          TOLERATED),
    FACTS(PEER_ID, "peer_id", "Announces the peer ID that is reserved for \"no peer\"", WARNING, TOLERATED),
    FACTS(SESSION_BYTES, "session_bytes",
          "Session numbers are 0 to 3, or both 255 in a Connect of a fresh peer", NOTE, TOLERATED),
    FACTS(SESSION_MISMATCH, "session_mismatch", "The incoming session is not the session of this datagram",
          WARNING, TOLERATED),
    FACTS(MTU, "mtu", "The MTU is outside 576 to 4096", NOTE, CLAMPED),
    FACTS(MTU_16, "mtu_16",
          "The first versions of ENet 1.3 write the MTU as 16 bits; the client reads too big a number and "
          "keeps its own",
          NOTE, CLAMPED),
    FACTS(WINDOW_SIZE, "window_size", "The window size is outside 4096 to 65536", NOTE, CLAMPED),
    FACTS(CHANNEL_COUNT, "channel_count", "The channel count is outside 1 to 255", WARNING, REST_SKIPPED),
    FACTS(UNRELIABLE_SEQUENCE, "unreliable_sequence",
          "The first unreliable message after a reliable one has number 1", NOTE, TOLERATED),
    FACTS(UNSEQUENCED_SEQUENCE, "unsequenced_sequence",
          "An unsequenced message has reliable sequence number 0", NOTE, TOLERATED),
    FACTS(FRAGMENT_EMPTY, "fragment_empty", "A fragment without data; ENet refuses it since 1.3.18", WARNING,
          REST_SKIPPED),
    FACTS(FRAGMENT_COUNT, "fragment_count", "More than 1048576 fragments", WARNING, REST_SKIPPED),
    FACTS(FRAGMENT_SINGLE, "fragment_single", "A message of one fragment need not be fragmented", NOTE,
          TOLERATED),
    FACTS(FRAGMENT_NUMBER, "fragment_number", "The fragment number is not below the number of fragments",
          WARNING, REST_SKIPPED),
    FACTS(TOTAL_LENGTH, "total_length", "The message is longer than the 32 MiB that ENet accepts by default",
          WARNING, REST_SKIPPED),
    FACTS(TOTAL_TOO_SHORT, "total_too_short",
          "The message has fewer bytes than fragments; ENet refuses it since 1.3.18", WARNING, REST_SKIPPED),
    FACTS(FRAGMENT_OFFSET, "fragment_offset", "The fragment starts after the end of the message", WARNING,
          REST_SKIPPED),
    FACTS(FRAGMENT_END, "fragment_end", "The fragment runs past the end of the message", WARNING,
          REST_SKIPPED),
    FACTS(FRAGMENT_SEQUENCE, "fragment_sequence",
          "The sequence number is not that of the first fragment plus the fragment number", WARNING,
          TOLERATED),
    FACTS(FRAGMENT_TILING, "fragment_tiling",
          "ENet cuts messages into fragments of equal length, only the last is shorter", NOTE, TOLERATED),
};

const char *enet_effect_text(enet_effect effect)
{
    static const char *const texts[] = {
        [ENET_TOLERATED] = "A receiver accepts it",
        [ENET_CLAMPED] = "A receiver uses the nearest allowed value",
        [ENET_NOT_ACKNOWLEDGED] =
            "A receiver executes it without acknowledging and skips what comes after it",
        [ENET_REST_SKIPPED] = "A receiver skips the rest of the datagram from here on",
        [ENET_CONNECTION_DIES] = "A receiver gives up the connection and skips the rest of the datagram",
        [ENET_DATAGRAM_DROPPED] = "A receiver drops the datagram",
    };

    return (size_t)effect < sizeof texts / sizeof texts[0] ? texts[effect] : "?";
}
