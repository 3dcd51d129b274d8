/* datagram.h
 *
 * ENet 1.3 datagrams: header, commands, and their problems. No state of a connection is needed; a few checks
 * are more exact if the caller provides parameters of the connection (enet_body_context).
 *
 * Pull parser: enet_body_next() returns one command after another, in the order of the bytes, until it
 * returns false. No allocation, no global state. Everything on the wire is big endian. Offsets in commands
 * and findings are relative to the (decompressed) body, offsets in the header to the datagram.
 *
 * The names do not collide with those of the ENet library's own <enet/enet.h>.
 *
 * Source: protocol.h and protocol.c of ENet 1.3 up to 1.3.18; the headers of nxrighthere/ENet-CSharp and
 * zpl-c/enet.
 *
 * Limitations: ENet 1.2 and the modified protocols of some games are not read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_DATAGRAM_H
#define ENET_DATAGRAM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/findings.h"
#include "enet/wire/limits.h"

/* --- header -------------------------------------------------------------------------------------- */

/* Libraries derived from ENet whose header word differs. Their commands are those of ENet 1.3. To add one
 * takes its name here and its row in datagram.c: tree, preference, detection follow from that. */
typedef enum {
    ENET_STOCK,      /* ENet 1.3, Godot, zpl-c/enet as it is built by default */
    ENET_CSHARP,     /* nxrighthere/ENet-CSharp: sent time is bit 14, 8-byte checksum, no compression */
    ENET_MORE_PEERS, /* zpl-c/enet with "more peers": one more peer id byte, announced by bit 13 */
    ENET_DIALECT_COUNT
} enet_dialect;

/* Bits of an enet_dialect in bit-fields. */
#define ENET_DIALECT_BITS 4
#define ENET_DIALECT_MASK ((1u << ENET_DIALECT_BITS) - 1u)

static_assert(ENET_DIALECT_COUNT <= ENET_DIALECT_MASK, "a dialect does not fit into ENET_DIALECT_BITS");

/* Masks of the first two bytes; 0: the dialect has no such bit. */
typedef struct {
    const char *key;  /* of the preference */
    const char *name; /* for users */
    uint16_t sent_time, compressed, session, peer_id;
    uint16_t peer_id_high;   /* one more byte with bits of the peer id follows the sent time */
    uint8_t checksum_length; /* if there is a checksum */
    uint32_t no_peer;        /* peer id: receiver's slot not known yet */
} enet_dialect_info;

extern const enet_dialect_info enet_dialects[ENET_DIALECT_COUNT];

typedef struct {
    enet_dialect dialect;
    uint16_t word;         /* the first two bytes */
    uint16_t sent_time;    /* 0 if there is none */
    uint32_t peer_id;      /* slot at the receiver */
    bool to_nobody;        /* the peer id is the reserved number: no slot is known yet */
    uint8_t session;       /* 0 - 3 */
    bool has_sent_time;    /* at offset 2 */
    bool compressed;       /* the bytes from `length` on are compressed */
    bool has_peer_id_high; /* ENET_MORE_PEERS: bits 18 - 11 of the peer id at `peer_id_high_offset` */
    bool has_checksum;     /* as the caller said */
    uint8_t peer_id_high_offset;
    uint8_t checksum_offset; /* bytes before the checksum */
    uint8_t checksum_length; /* 0, 4 (stock) or 8 (ENET_CSHARP) */
    uint8_t length;          /* of the whole header: the body starts here */
    uint64_t checksum;       /* as a big-endian number */
} enet_header;

/* Reads a header. `checksum`: whether there is a checksum, which the datagram does not signal. Returns false
 * if `length` is shorter than the header; `header` then has the members of the first two bytes (if these are
 * there) and `header->length`, the bytes needed. */
bool enet_header_read(enet_header *header, const uint8_t *bytes, size_t length, enet_dialect dialect,
                      bool checksum);

/* --- commands ------------------------------------------------------------------------------------ */

typedef enum {
    ENET_NONE, /* not a command; receivers stop there */
    ENET_ACKNOWLEDGE,
    ENET_CONNECT,
    ENET_VERIFY_CONNECT,
    ENET_DISCONNECT,
    ENET_PING,
    ENET_SEND_RELIABLE,
    ENET_SEND_UNRELIABLE,
    ENET_SEND_FRAGMENT,
    ENET_SEND_UNSEQUENCED,
    ENET_BANDWIDTH_LIMIT,
    ENET_THROTTLE_CONFIGURE,
    ENET_SEND_UNRELIABLE_FRAGMENT, /* since 1.3.2 */
    ENET_COMMAND_COUNT             /* 13 - 15 are not assigned */
} enet_command_type;

/* Bits of the command byte. */
#define ENET_COMMAND_TYPE_MASK     0x0fu
#define ENET_COMMAND_RESERVED_MASK 0x30u
#define ENET_COMMAND_UNSEQUENCED   0x40u
#define ENET_COMMAND_ACKNOWLEDGE   0x80u

/* The fields of commands: place in the command, after the four bytes that all have, and length. */
#define ENET_FIELDS(X)                                                                                       \
    X(ACK_SEQUENCE, 4, 2)                                                                                    \
    X(ACK_SENT_TIME, 6, 2)                                                                                   \
    X(CONNECT_PEER_ID, 4, 2)                                                                                 \
    X(CONNECT_INCOMING_SESSION, 6, 1)                                                                        \
    X(CONNECT_OUTGOING_SESSION, 7, 1)                                                                        \
    X(CONNECT_MTU, 8, 4)                                                                                     \
    X(CONNECT_WINDOW_SIZE, 12, 4)                                                                            \
    X(CONNECT_CHANNEL_COUNT, 16, 4)                                                                          \
    X(CONNECT_INCOMING_BANDWIDTH, 20, 4)                                                                     \
    X(CONNECT_OUTGOING_BANDWIDTH, 24, 4)                                                                     \
    X(CONNECT_INTERVAL, 28, 4)                                                                               \
    X(CONNECT_ACCELERATION, 32, 4)                                                                           \
    X(CONNECT_DECELERATION, 36, 4)                                                                           \
    X(CONNECT_ID, 40, 4)                                                                                     \
    X(CONNECT_DATA, 44, 4)                                                                                   \
    X(DISCONNECT_DATA, 4, 4)                                                                                 \
    X(RELIABLE_DATA_LENGTH, 4, 2)                                                                            \
    X(DATA_LENGTH, 6, 2)                                                                                     \
    X(UNRELIABLE_SEQUENCE, 4, 2)                                                                             \
    X(UNSEQUENCED_GROUP, 4, 2)                                                                               \
    X(FRAGMENT_START, 4, 2)                                                                                  \
    X(FRAGMENT_COUNT, 8, 4)                                                                                  \
    X(FRAGMENT_NUMBER, 12, 4)                                                                                \
    X(FRAGMENT_TOTAL_LENGTH, 16, 4)                                                                          \
    X(FRAGMENT_OFFSET, 20, 4)                                                                                \
    X(BANDWIDTH_INCOMING, 4, 4)                                                                              \
    X(BANDWIDTH_OUTGOING, 8, 4)                                                                              \
    X(THROTTLE_INTERVAL, 4, 4)                                                                               \
    X(THROTTLE_ACCELERATION, 8, 4)                                                                           \
    X(THROTTLE_DECELERATION, 12, 4)

#define ENET_ENUMERATE(name, offset, length) ENET_##name##_AT = (offset), ENET_##name##_LENGTH = (length),
enum { ENET_FIELDS(ENET_ENUMERATE) };
#undef ENET_ENUMERATE

/* Both numbers of a field. */
#define ENET_PLACE(name) ENET_##name##_AT, ENET_##name##_LENGTH

/* Static facts about a command type. */
typedef struct {
    const char *name;     /* "Send Reliable"; "None" and "Unknown" for the rest */
    uint8_t fixed_length; /* without data; 0 if not a command */
    uint8_t byte;         /* as a stock sender writes it */
    uint8_t other_byte;   /* DISCONNECT: 44, not acknowledged; else the same */
    bool connection;      /* belongs on channel 255 (ACKNOWLEDGE: on any) */
    bool data;            /* bytes of an application's message follow */
    bool fragment;
    uint8_t length_offset; /* of the u16 data length in the command, if `data` */
} enet_command_info;

extern const enet_command_info enet_commands[ENET_COMMAND_TYPE_MASK + 1];

/* What a receiver does because of a problem. */
typedef enum {
    ENET_TOLERATED,        /* nothing: it continues */
    ENET_CLAMPED,          /* it uses the nearest allowed value */
    ENET_NOT_ACKNOWLEDGED, /* executes the command without acknowledging it, skips the rest of the datagram */
    ENET_REST_SKIPPED,     /* refuses the command and skips the rest of the datagram */
    ENET_CONNECTION_DIES,  /* gives up the connection, skips the rest of the datagram */
    ENET_DATAGRAM_DROPPED, /* drops the whole datagram */
} enet_effect;

typedef enum {
    /* the walk ends here */
    ENET_PROBLEM_TRUNCATED_HEADER,  /* fewer than 4 bytes left */
    ENET_PROBLEM_UNKNOWN_COMMAND,   /* type 0, 13, 14 or 15 */
    ENET_PROBLEM_TRUNCATED_COMMAND, /* fewer bytes left than the fixed part */
    ENET_PROBLEM_DATA_OVERRUN,      /* data length runs past the datagram */
    ENET_PROBLEM_PADDING,           /* zero bytes that Godot put before FastLZ */
    /* the datagram */
    ENET_PROBLEM_EMPTY_BODY,
    ENET_PROBLEM_DATAGRAM_TOO_LONG, /* header and body exceed 4096 bytes */
    ENET_PROBLEM_OVER_MTU,          /* longer than the negotiated MTU allows */
    ENET_PROBLEM_TOO_MANY_COMMANDS, /* more than 32 */
    ENET_PROBLEM_UNUSED_SENT_TIME,  /* sent time although nothing asks for an acknowledgement */
    ENET_PROBLEM_SESSION_OF_NOBODY, /* session bits in a datagram to no peer */
    /* addressing */
    ENET_PROBLEM_NOT_CONNECT,     /* to no peer, but no CONNECT */
    ENET_PROBLEM_GAVE_UP,         /* to no peer: an unacknowledged DISCONNECT */
    ENET_PROBLEM_AFTER_CONNECT,   /* another command in the datagram of a CONNECT */
    ENET_PROBLEM_CONNECT_TO_PEER, /* CONNECT to a slot */
    /* any command */
    ENET_PROBLEM_NO_SENT_TIME,       /* asks for an acknowledgement in a datagram without sent time */
    ENET_PROBLEM_RESERVED_BITS,      /* bits 5 and 4 of the command byte */
    ENET_PROBLEM_UNUSUAL_FLAGS,      /* flags that a stock sender does not give this type */
    ENET_PROBLEM_CHANNEL,            /* data on a channel that does not exist */
    ENET_PROBLEM_CONNECTION_CHANNEL, /* connection-level command on an application's channel */
    /* ACKNOWLEDGE */
    ENET_PROBLEM_LATE_ACKNOWLEDGE,     /* after another command */
    ENET_PROBLEM_ACKNOWLEDGE_SEQUENCE, /* its two sequence fields differ (ENet before 1.3.8) */
    /* CONNECT, VERIFY_CONNECT */
    ENET_PROBLEM_FIRST_SEQUENCE,   /* not the first of the connection's sequence */
    ENET_PROBLEM_PEER_ID,          /* announces a slot that cannot exist */
    ENET_PROBLEM_SESSION_BYTES,    /* neither fresh nor 0 - 3 */
    ENET_PROBLEM_SESSION_MISMATCH, /* VERIFY_CONNECT: not the session bits of its own datagram */
    ENET_PROBLEM_MTU,
    ENET_PROBLEM_MTU_16, /* VERIFY_CONNECT of the first ENet 1.3: as 16 bits, in the upper half */
    ENET_PROBLEM_WINDOW_SIZE,
    ENET_PROBLEM_CHANNEL_COUNT,
    /* data */
    ENET_PROBLEM_UNRELIABLE_SEQUENCE,  /* SEND_UNRELIABLE with number 0 */
    ENET_PROBLEM_UNSEQUENCED_SEQUENCE, /* SEND_UNSEQUENCED with a reliable number */
    ENET_PROBLEM_FRAGMENT_EMPTY,
    ENET_PROBLEM_FRAGMENT_COUNT,    /* more than 1048576 */
    ENET_PROBLEM_FRAGMENT_SINGLE,   /* one fragment, which no sender uses */
    ENET_PROBLEM_FRAGMENT_NUMBER,   /* not below the count */
    ENET_PROBLEM_TOTAL_LENGTH,      /* of the message: more than 32 MiB */
    ENET_PROBLEM_TOTAL_TOO_SHORT,   /* fewer bytes than fragments */
    ENET_PROBLEM_FRAGMENT_OFFSET,   /* not below the total length */
    ENET_PROBLEM_FRAGMENT_END,      /* data beyond the total length */
    ENET_PROBLEM_FRAGMENT_SEQUENCE, /* sequence number is not start + number */
    ENET_PROBLEM_FRAGMENT_TILING,   /* fragments of unequal length */
    ENET_PROBLEM_COUNT
} enet_problem;

/* By enet_problem; the verdict of findings is an enet_effect, their offsets are in the body. */
extern const problem_facts enet_problems[ENET_PROBLEM_COUNT];
const char *enet_effect_text(enet_effect effect); /* a sentence: what a receiver does */

#define ENET_MAX_FINDINGS 14u /* of one command; the parser never finds more */

/* Of CONNECT and VERIFY_CONNECT. */
typedef struct {
    uint16_t peer_id; /* outgoingPeerID */
    uint8_t incoming_session, outgoing_session;
    uint32_t mtu, window_size, channel_count;
    uint32_t incoming_bandwidth, outgoing_bandwidth;
    uint32_t throttle_interval, throttle_acceleration, throttle_deceleration;
    uint32_t connect_id; /* opaque: the four bytes in their order, the first most significant */
    uint32_t data;       /* CONNECT only */
} enet_connect_fields;

typedef struct enet_command {
    uint32_t index;        /* in the datagram, from 0 */
    uint32_t offset;       /* of the command byte */
    uint32_t length;       /* bytes present, data included */
    uint32_t fixed_length; /* bytes present of the fixed part */
    uint8_t byte;          /* the command byte */
    uint8_t type;          /* enet_command_type or 13 - 15 */
    uint8_t channel;
    uint16_t sequence;             /* reliableSequenceNumber */
    bool acknowledge, unsequenced; /* flags */
    bool has_header;               /* the 4 bytes of the header are there */
    bool complete;                 /* the fixed part is there: the members below are valid */
    bool skipped;                  /* a receiver does not look at it because of an earlier command */
    bool refused;                  /* a receiver does not execute it */
    bool cut;                      /* the capture ends in it; no problem of the sender */
    uint32_t data_offset;          /* of the message bytes */
    uint32_t data_length;          /* of them that are present */
    uint32_t announced_length;     /* the data length on the wire */
    union {
        struct {
            uint16_t sequence, sent_time; /* received ones */
        } acknowledgement;
        enet_connect_fields connect; /* and VERIFY_CONNECT */
        struct {
            uint32_t data;
        } disconnect;
        struct {
            uint16_t sequence;
        } unreliable;
        struct {
            uint16_t group;
        } unsequenced;
        struct {
            uint16_t start_sequence;
            uint32_t count, number, total_length, offset;
        } fragment; /* both kinds */
        struct {
            uint32_t incoming, outgoing;
        } bandwidth;
        struct {
            uint32_t interval, acceleration, deceleration;
        } throttle;
    } fields;
    uint32_t finding_count;
    finding findings[ENET_MAX_FINDINGS];
} enet_command;

static inline bool enet_is_executed(const enet_command *command)
{
    return command->complete && !command->refused && !command->skipped;
}

/* Input of the parser besides the body. */
typedef struct {
    const enet_header *header;
    uint32_t channel_count; /* negotiated; 0 if not known */
    uint32_t mtu;           /* negotiated; 0 if not known */
    bool fastlz;            /* the body was decompressed by FastLZ: accept Godot's padding */
} enet_body_context;

typedef struct {
    const uint8_t *bytes;
    uint32_t captured;    /* bytes that can be read */
    uint32_t wire_length; /* bytes that were sent; more than captured if the capture was cut */
    uint32_t position;    /* of the next command */
    uint32_t index;       /* of the next command: how many were returned */
    enet_body_context context;
    bool ended;      /* nothing more can be read */
    bool broken;     /* because a command could not be read to its end */
    bool finished;   /* the findings about the datagram are made */
    bool cut;        /* because the capture ends */
    bool skipping;   /* a receiver has stopped */
    bool seen_other; /* a command other than ACKNOWLEDGE */
    bool seen_connect;
    bool wants_sent_time; /* a command asks for an acknowledgement */
    /* valid after enet_body_next() has returned false: findings about the datagram as a whole */
    uint32_t finding_count;
    finding findings[6];
} enet_body;

/* False if no body that keeps all rules begins with this byte; rules out most traffic that is not ENet. */
bool enet_may_begin_with(const enet_header *header, uint32_t byte);

/* Prepares to walk a body of `captured` bytes, `wire_length` on the wire (the same unless the capture was
 * made with a snap length; for decompressed bodies always the same). `bytes` and the context's header must
 * stay valid while the walk goes on. */
static inline void enet_body_init(enet_body *body, const uint8_t *bytes, size_t captured, size_t wire_length,
                                  const enet_body_context *context)
{
    *body = (enet_body){.bytes = bytes,
                        .captured = (uint32_t)(captured < wire_length ? captured : wire_length),
                        .wire_length = (uint32_t)wire_length,
                        .context = *context};
}

/* Returns the next command, or false at the end. A command that cannot be read to its end is returned, too
 * (with a finding), and is the last. Each call takes a bounded number of steps. */
bool enet_body_next(enet_body *body, enet_command *command);

#endif
