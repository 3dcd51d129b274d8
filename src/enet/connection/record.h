/* record.h
 *
 * The results of the first pass for a datagram. 16 bytes are kept of a datagram and 8 of each command; later
 * passes only read them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_RECORD_H
#define ENET_RECORD_H

#include "enet/connection/connection.h"
#include "enet/connection/fragments.h"
#include "enet/wire/compression.h"

/* Notes about one command. */
typedef enum {
    ENET_NOTE_RETRANSMISSION, /* sent again with another time */
    ENET_NOTE_SPURIOUS,       /* ... although it had been acknowledged */
    ENET_NOTE_DUPLICATE,      /* the network delivered the datagram twice */
    ENET_NOTE_OUT_OF_ORDER,   /* a number first seen after a higher one */
    ENET_NOTE_GAP,            /* reliable numbers skipped: lost, late or not captured */
    ENET_NOTE_UNRELIABLE_GAP, /* unreliable numbers skipped: lost, or dropped by the sender's throttle */
    ENET_NOTE_UNRELIABLE_LATE,
    ENET_NOTE_UNRELIABLE_REPEATED,
    ENET_NOTE_GROUP_REPEATED,
    ENET_NOTE_GROUP_TOO_FAR,
    ENET_NOTE_NUMBER_TOO_FAR,
    ENET_NOTE_UNKNOWN_NUMBER, /* acknowledges a command that was not seen */
    ENET_NOTE_UNKNOWN_TIME,   /* echoes a time that was not used */
    ENET_NOTE_ACK_REPEATED,   /* acknowledges a transmission that was acknowledged before */
    ENET_NOTE_BEFORE_HANDSHAKE,
    ENET_NOTE_REFUSED_BEFORE, /* earlier copies were not accepted (before handshake, too far); this one is */
    ENET_NOTE_AFTER_DISCONNECT,
    ENET_NOTE_VERIFY_MISMATCH,  /* VERIFY_CONNECT does not repeat CONNECT's parameters */
    ENET_NOTE_VERIFY_STALE,     /* answers an attempt that was given up */
    ENET_NOTE_CHANNELS_GRANTED, /* more channels than asked for */
    ENET_NOTE_TOO_BIG,          /* fragmented, and therefore reliable, on a channel of unreliable messages */
    ENET_NOTE_FRAGMENT_LATE,    /* its message was complete already */
    ENET_NOTE_FRAGMENT_REPEATED,
    ENET_NOTE_FRAGMENT_CONFLICT, /* other count or length than the message's other fragments */
    ENET_NOTE_OVERTAKEN,         /* unreliable, and never delivered: set when a later command proves it */
    ENET_NOTE_NOT_KEPT,          /* a fragment whose data is beyond ENET_EXCESS_BUDGET */
    ENET_NOTE_COUNT
} enet_note;

#define ENET_NOTE(note) (1u << (note))

/* One command in 8 bytes. The members that few commands need are in an enet_command_detail. */
typedef struct {
    uint32_t notes : 26;    /* bits of enet_note */
    uint32_t completes : 1; /* this fragment completed its message */
    uint32_t has_detail : 1;
    uint32_t subdissector : 4; /* for the caller, 0 at first */
    /* Index: if has_detail, of an enet_command_detail; else the value of its `about` or `transmission`. */
    uint32_t reference;
} enet_command_record;

typedef struct {
    uint32_t transmission; /* index; reliable commands: this transmission, 0 if it is not kept */
    /* Index; ACKNOWLEDGE, VERIFY_CONNECT: of the transmission that it answers; fragments: of the message; 0:
     * none. */
    uint32_t about;
    uint32_t earlier_frame; /* repetitions: where it was first seen, else 0 */
    /* What a note counts: numbers skipped. VERIFY_CONNECT: CONNECTs so far. ACKNOWLEDGE, the first one of a
     * command that was sent again: which transmission it answers, from 1. Unreliable messages: 1 if the
     * number was skipped before. Else 0. */
    uint32_t number;
} enet_command_detail;

/* Reads the detail of one command of this type. */
enet_command_detail enet_detail_of(const enet_capture *capture, const enet_command_record *record,
                                   unsigned type);

/* Stores a detail in a record. */
void enet_detail_keep(enet_capture *capture, enet_command_record *record, unsigned type,
                      const enet_command_detail *detail);

/* NULL: 0, or there is none with this index, as where a record is read for another datagram than its own. */
static inline const enet_transmission *enet_transmission_at(const enet_capture *capture, uint32_t index)
{
    return index && index <= capture->transmissions.count ? paged_list_at(&capture->transmissions, index)
                                                          : NULL;
}

/* The first transmission of the same command. */
static inline const enet_transmission *enet_first_transmission(const enet_capture *capture,
                                                               const enet_transmission *transmission)
{
    return transmission->is_first ? transmission
                                  : paged_list_at(&capture->transmissions, transmission->first);
}

/* Times that are kept at which the clock was set back. */
#define ENET_MAX_JUMPS 1000u

/* Whether the clock of the capture was not set back between two frames: otherwise their times say nothing
 * about each other. After the last time that is kept it is not known. */
bool enet_clock_runs(const enet_capture *capture, uint32_t from, uint32_t to);

/* The transmission that an ACKNOWLEDGE or VERIFY_CONNECT in `frame` answers. NULL: none, or not certain,
 * because a CONNECT was sent more than once; or the clock was set back in between. */
const enet_transmission *enet_round_trip(const enet_capture *capture, const enet_command_detail *detail,
                                         unsigned type, uint32_t frame);

typedef enum { ENET_CHECKSUM_UNVERIFIED, ENET_CHECKSUM_GOOD, ENET_CHECKSUM_BAD } enet_checksum_verdict;

static_assert(ENET_COMPRESSION_COUNT <= 8 && DECOMPRESS_RESULT_COUNT <= 16, "they are kept in 3 and 4 bits");

/* How the bytes of a datagram are read. */
typedef struct {
    uint32_t dialect : ENET_DIALECT_BITS; /* enet_dialect */
    uint32_t has_checksum : 1;            /* not signalled in the datagram */
    uint32_t compression : 3;             /* enet_compression; not signalled in the datagram either */
    uint32_t decompress_result : 4;       /* decompress_result; if compression is not ENET_COMPRESSION_NONE */
    uint32_t checksum_verdict : 2;        /* enet_checksum_verdict */
    uint32_t expected_checksum;           /* unless ENET_CHECKSUM_UNVERIFIED */
} enet_layout;

/* One datagram. */
typedef struct {
    uint32_t index;      /* of its enet_kept_datagram */
    enet_sender *sender; /* NULL: no connection */
    enet_layout layout;
    /* Bytes to be distributed among the commands with data: the frame, and earlier frames with
     * acknowledgements only; 0 if this is one of these. */
    uint32_t shared_bytes;
    bool direction_known;   /* the capture shows which end opened the connection */
    bool has_connect_data;  /* CONNECT was seen: `data` of the connection's `connect` is valid */
    bool dropped;           /* a receiver drops the whole datagram */
    bool second;            /* captured earlier at another point and analysed there; `commands` has only the
                             * messages that its fragments complete */
    uint8_t channel_count;  /* negotiated so far, 0 if not known */
    uint16_t mtu;           /* likewise; 13 bits */
    uint32_t sighting;      /* enet/analysis/points.h; 0: none */
    uint32_t first_message; /* number in the file of the first message that it delivers, from 1; 0: none */
    uint32_t command_count; /* entries of `commands` */
    enet_command_record *commands; /* in the file's memory, never moved */
} enet_datagram_record;

/* Members of enet_datagram_record that seldom change between the datagrams of a sender. */
typedef struct {
    enet_sender *sender;
    uint32_t dialect : ENET_DIALECT_BITS;
    uint32_t has_checksum : 1;
    uint32_t direction_known : 1;
    uint32_t has_connect_data : 1;
    uint32_t channel_count : 8;
    uint32_t mtu : 13;
} enet_datagram_terms;

/* A datagram as it is kept. Rare members follow its commands. */
typedef struct {
    uint32_t terms; /* index */
    uint32_t shared_bytes;
    uint32_t first_message;
    uint32_t command_count : 11;
    uint32_t has_rare : 1;
    uint32_t dropped : 1;
    uint32_t second : 1;
    uint32_t compression : 3;
    uint32_t decompress_result : 4;
    uint32_t checksum_verdict : 2;
    uint32_t layer : 8;    /* for the caller, 0 at first */
    uint32_t followed : 1; /* for the caller, 0 at first */
    enet_command_record commands[];
} enet_kept_datagram;

/* Allocates a record; the number of commands and the rare members have to be set. Sets `index` and
 * `commands`, which are all zeroes. */
void enet_datagram_make(enet_capture *capture, enet_datagram_record *record);

/* Stores the record. */
void enet_datagram_keep(enet_capture *capture, const enet_datagram_record *record);

/* Reads a record. layout.expected_checksum is not set if the checksum is good: it is the datagram's. */
enet_datagram_record enet_datagram_kept(const enet_capture *capture, uint32_t index);

static inline enet_kept_datagram *enet_kept_at(const enet_capture *capture, uint32_t index)
{
    return arena_at(&capture->records, index);
}

/* Its sender, NULL: no connection. */
static inline enet_sender *enet_kept_sender(const enet_capture *capture, uint32_t index)
{
    const enet_datagram_terms *terms = paged_list_at(&capture->terms, enet_kept_at(capture, index)->terms);
    return terms->sender;
}

#endif
