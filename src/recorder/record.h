/* record.h
 *
 * Records made inside of a running game by the add-on in addons/godot_wireshark (format: docs/recorder.md): a
 * head of 24 or 28 bytes, little endian, and a payload. One record is one exported PDU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RECORDER_RECORD_H
#define RECORDER_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#define RECORDER_VERSION 1

/* Where the parts of the head are. */
enum {
    RECORDER_AT_MAGIC = 0, /* "GDRC" */
    RECORDER_AT_VERSION = 4,
    RECORDER_AT_KIND = 5,
    RECORDER_AT_FLAGS = 6,
    RECORDER_AT_RESERVED = 7,
    RECORDER_AT_RECORDING = 8,
    RECORDER_AT_OWN_ID = 12,
    RECORDER_AT_OTHER_ID = 16,
    RECORDER_AT_CHANNEL = 20,
    RECORDER_AT_HEAD_LENGTH = 22,
    RECORDER_HEAD_LENGTH = 24, /* of version 1 */
    RECORDER_AT_NUMBER = 24,   /* only of packets, and only in a longer head */
    RECORDER_NUMBERED_LENGTH = 28
};

typedef enum {
    RECORDER_PACKET,       /* a packet of SceneMultiplayer */
    RECORDER_CONNECTED,    /* of the other peer */
    RECORDER_DISCONNECTED, /* likewise */
    RECORDER_INFO,         /* about who records, JSON text */
    RECORDER_NAMES,        /* of methods and properties, JSON text */
    RECORDER_RAW_PACKET,   /* of a PacketPeer */
    RECORDER_STREAM,       /* of a StreamPeer, the bytes of one call */
    RECORDER_LEFT_OUT,     /* number of records that a slow reader missed, u32 */
    RECORDER_REPORT,       /* an error or a warning of the engine or of a script, JSON text */
    RECORDER_OUTPUT,       /* what the game has printed, JSON text */
    RECORDER_NODE,         /* a change of a node, JSON text */
    RECORDER_PAUSE,        /* a frame that took long, JSON text */
    RECORDER_ORIGIN,       /* the script line that has sent the next packet, JSON text */
    RECORDER_KIND_COUNT
} recorder_kind;

enum { /* flags */
       RECORDER_RECEIVED = 0x01,
       RECORDER_SERVER = 0x02,
       RECORDER_MODE = 0x0c, /* MultiplayerPeer.TransferMode */
       RECORDER_MODE_SHIFT = 2,
       RECORDER_UNUSED_FLAGS = 0xf0
};

typedef enum {
    RECORDER_WHOLE,
    RECORDER_NO_MAGIC,        /* something else */
    RECORDER_OTHER_VERSION,   /* only `version` is valid */
    RECORDER_CUT_HEAD,        /* fewer bytes than the head has: only `version` is valid */
    RECORDER_BAD_HEAD_LENGTH, /* shorter than the head of version 1 or longer than the record: no payload */
} recorder_status;

typedef struct {
    recorder_status status;
    uint8_t version; /* not valid if RECORDER_NO_MAGIC */
    /* What follows is valid if RECORDER_WHOLE or RECORDER_BAD_HEAD_LENGTH. */
    uint8_t kind; /* a recorder_kind, others are possible */
    uint8_t flags;
    bool received, own_is_server; /* by `flags`; else sent, a client */
    uint8_t mode;                 /* 0 unreliable, 1 unreliable ordered, 2 reliable, 3 is none */
    uint32_t recording;           /* random number of the recorder */
    int32_t own_id, other_id;     /* own_id: 0 not known yet; other_id: 0 all, negative: all but this one */
    uint16_t channel;
    uint16_t head_length;
    uint32_t number; /* of a packet in its recording, from 1; 0: not numbered, or no packet */
    uint32_t payload_offset, payload_length; /* RECORDER_WHOLE only, else 0 */
    bool again; /* the caller's, by recorder/numbers.h: a packet whose record came before */
} recorder_record;

/* Reads the record in `bytes`. */
recorder_record recorder_parse(const uint8_t *bytes, uint32_t length);

/* Whether the head has a number. */
bool recorder_is_numbered(const recorder_record *record);

const char *recorder_kind_name(uint8_t kind); /* "Packet", …, "Unknown" */

/* --- headers of some MultiplayerPeer classes before SceneMultiplayer's packets ------------------- */

typedef enum {
    RECORDER_NO_HEAD,      /* the packet is SceneMultiplayer's */
    RECORDER_STEAM_HELLO,  /* SteamMultiplayerPeer: the sender's peer id, 4 bytes, its first message */
    RECORDER_EPIC_PACKET,  /* EOSGMultiplayerPeer: 6 bytes, then a packet */
    RECORDER_EPIC_PEER_ID, /* likewise: contains only the peer id of the sender */
    RECORDER_EPIC_MESH,    /* likewise: requests a connection */
} recorder_head_kind;

typedef struct {
    recorder_head_kind kind;
    uint32_t length;            /* of the head, 0 for RECORDER_NO_HEAD */
    int32_t peer_id;            /* of the sender; not valid for RECORDER_NO_HEAD */
    uint8_t event, reliability; /* EOSGMultiplayerPeer only */
} recorder_head;

/* The head of a packet that `sender` has sent through a peer of the class `peer_class` (may be NULL).
 * `first`: it is the sender's first one. A header is recognised only if it contains the sender's peer id, as
 * these classes also pass on packets of SceneMultiplayer without it. */
recorder_head recorder_parse_head(const char *peer_class, const uint8_t *bytes, uint32_t length,
                                  int32_t sender, bool first);

#endif
