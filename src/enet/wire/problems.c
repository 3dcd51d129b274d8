/* problems.c
 *
 * Texts and severities of the problems of datagrams; see datagram.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/wire/datagram.h"

static const problem_facts problems[ENET_PROBLEM_COUNT] = {
    [ENET_PROBLEM_TRUNCATED_HEADER] = {"truncated_header", "The datagram ends inside the header of a command",
                                       PROBLEM_ERROR, ENET_REST_SKIPPED},
    [ENET_PROBLEM_UNKNOWN_COMMAND] = {"unknown_command", "ENet 1.3 has no command of this type",
                                      PROBLEM_ERROR, ENET_REST_SKIPPED},
    [ENET_PROBLEM_TRUNCATED_COMMAND] = {"truncated_command", "The datagram ends inside a command",
                                        PROBLEM_ERROR, ENET_REST_SKIPPED},
    [ENET_PROBLEM_DATA_OVERRUN] = {"data_overrun", "The data length runs past the end of the datagram",
                                   PROBLEM_ERROR, ENET_REST_SKIPPED},
    [ENET_PROBLEM_PADDING] = {"padding", "Zero bytes with which Godot fills short datagrams before FastLZ",
                              PROBLEM_NOTE, ENET_REST_SKIPPED},
    [ENET_PROBLEM_EMPTY_BODY] = {"empty_body", "The datagram has no commands", PROBLEM_WARNING,
                                 ENET_DATAGRAM_DROPPED},
    [ENET_PROBLEM_DATAGRAM_TOO_LONG] = {"datagram_too_long",
                                        "Header and commands are longer than the 4096 bytes of a receiver's "
                                        "buffer",
                                        PROBLEM_ERROR, ENET_DATAGRAM_DROPPED},
    [ENET_PROBLEM_OVER_MTU] = {"over_mtu", "The datagram is longer than the negotiated MTU", PROBLEM_NOTE,
                               ENET_TOLERATED},
    [ENET_PROBLEM_TOO_MANY_COMMANDS] = {"too_many_commands",
                                        "More than the 32 commands that ENet puts into a datagram",
                                        PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_UNUSED_SENT_TIME] = {"unused_sent_time",
                                       "Sent time although no command asks for an acknowledgement",
                                       PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_SESSION_OF_NOBODY] = {"session_of_nobody",
                                        "Session number in a datagram that is not for a known peer",
                                        PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_NOT_CONNECT] = {"not_connect", "Only a Connect may come without a peer ID", PROBLEM_WARNING,
                                  ENET_REST_SKIPPED},
    [ENET_PROBLEM_GAVE_UP] = {"gave_up", "The client gave up before its Connect was answered", PROBLEM_NOTE,
                              ENET_REST_SKIPPED},
    [ENET_PROBLEM_AFTER_CONNECT] = {"behind_connect",
                                    "A command after a Connect, which has to be alone in its datagram",
                                    PROBLEM_WARNING, ENET_REST_SKIPPED},
    [ENET_PROBLEM_CONNECT_TO_PEER] = {"connect_to_peer", "A Connect for a peer ID that is already in use",
                                      PROBLEM_WARNING, ENET_REST_SKIPPED},
    [ENET_PROBLEM_NO_SENT_TIME] = {"no_sent_time",
                                   "Asks for an acknowledgement, but the datagram has no sent time",
                                   PROBLEM_WARNING, ENET_NOT_ACKNOWLEDGED},
    [ENET_PROBLEM_RESERVED_BITS] = {"reserved_bits", "Bits of the command byte that ENet does not use",
                                    PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_UNUSUAL_FLAGS] =
        {"unusual_flags", "Acknowledge or unsequenced flag that ENet does not send with this command",
         PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_CHANNEL] = {"channel", "The connection has no such channel", PROBLEM_WARNING,
                              ENET_REST_SKIPPED},
    [ENET_PROBLEM_CONNECTION_CHANNEL] = {"connection_channel",
                                         "A command of the connection itself on an application's channel",
                                         PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_LATE_ACKNOWLEDGE] = {"late_acknowledge",
                                       "ENet puts acknowledgements before all other commands", PROBLEM_NOTE,
                                       ENET_TOLERATED},
    [ENET_PROBLEM_ACKNOWLEDGE_SEQUENCE] = {"acknowledge_sequence",
                                           "The two sequence numbers differ; ENet before 1.3.8 leaves the "
                                           "first one undefined",
                                           PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_FIRST_SEQUENCE] = {"first_sequence", "The first command of a connection has number 1",
                                     PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_PEER_ID] = {"peer_id", "Announces the peer ID that is reserved for \"no peer\"",
                              PROBLEM_WARNING, ENET_TOLERATED},
    [ENET_PROBLEM_SESSION_BYTES] = {"session_bytes",
                                    "Session numbers are 0 to 3, or both 255 in a Connect of a fresh peer",
                                    PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_SESSION_MISMATCH] = {"session_mismatch",
                                       "The incoming session is not the session of this datagram",
                                       PROBLEM_WARNING, ENET_TOLERATED},
    [ENET_PROBLEM_MTU] = {"mtu", "The MTU is outside 576 to 4096", PROBLEM_NOTE, ENET_CLAMPED},
    [ENET_PROBLEM_MTU_16] =
        {"mtu_16",
         "The first versions of ENet 1.3 write the MTU as 16 bits; the client reads too big a "
         "number and keeps its own",
         PROBLEM_NOTE, ENET_CLAMPED},
    [ENET_PROBLEM_WINDOW_SIZE] = {"window_size", "The window size is outside 4096 to 65536", PROBLEM_NOTE,
                                  ENET_CLAMPED},
    [ENET_PROBLEM_CHANNEL_COUNT] = {"channel_count", "The channel count is outside 1 to 255", PROBLEM_WARNING,
                                    ENET_REST_SKIPPED},
    [ENET_PROBLEM_UNRELIABLE_SEQUENCE] = {"unreliable_sequence",
                                          "The first unreliable message after a reliable one has number 1",
                                          PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_UNSEQUENCED_SEQUENCE] = {"unsequenced_sequence",
                                           "An unsequenced message has reliable sequence number 0",
                                           PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_FRAGMENT_EMPTY] = {"fragment_empty",
                                     "A fragment without data; ENet refuses it since 1.3.18", PROBLEM_WARNING,
                                     ENET_REST_SKIPPED},
    [ENET_PROBLEM_FRAGMENT_COUNT] = {"fragment_count", "More than 1048576 fragments", PROBLEM_WARNING,
                                     ENET_REST_SKIPPED},
    [ENET_PROBLEM_FRAGMENT_SINGLE] = {"fragment_single", "A message of one fragment need not be fragmented",
                                      PROBLEM_NOTE, ENET_TOLERATED},
    [ENET_PROBLEM_FRAGMENT_NUMBER] = {"fragment_number",
                                      "The fragment number is not below the number of fragments",
                                      PROBLEM_WARNING, ENET_REST_SKIPPED},
    [ENET_PROBLEM_TOTAL_LENGTH] = {"total_length",
                                   "The message is longer than the 32 MiB that ENet accepts by default",
                                   PROBLEM_WARNING, ENET_REST_SKIPPED},
    [ENET_PROBLEM_TOTAL_TOO_SHORT] = {"total_too_short",
                                      "The message has fewer bytes than fragments; ENet refuses it since "
                                      "1.3.18",
                                      PROBLEM_WARNING, ENET_REST_SKIPPED},
    [ENET_PROBLEM_FRAGMENT_OFFSET] = {"fragment_offset", "The fragment starts after the end of the message",
                                      PROBLEM_WARNING, ENET_REST_SKIPPED},
    [ENET_PROBLEM_FRAGMENT_END] = {"fragment_end", "The fragment runs past the end of the message",
                                   PROBLEM_WARNING, ENET_REST_SKIPPED},
    [ENET_PROBLEM_FRAGMENT_SEQUENCE] = {"fragment_sequence",
                                        "The sequence number is not that of the first fragment plus the "
                                        "fragment number",
                                        PROBLEM_WARNING, ENET_TOLERATED},
    [ENET_PROBLEM_FRAGMENT_TILING] = {"fragment_tiling",
                                      "ENet cuts messages into fragments of equal length, only the last is "
                                      "shorter",
                                      PROBLEM_NOTE, ENET_TOLERATED},
};

const problem_facts *enet_problem_facts(enet_problem problem)
{
    static const problem_facts unknown = {"unknown", "Unknown problem", PROBLEM_ERROR, ENET_TOLERATED};

    return problem < ENET_PROBLEM_COUNT ? &problems[problem] : &unknown;
}

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
