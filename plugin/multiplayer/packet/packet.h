/* packet.h
 *
 * The packet that is being dissected, as the parts of the dissector `godot` pass it on, and the limits of
 * what is shown of one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PACKET_H
#define GODOT_PACKET_H

#include "multiplayer/state/session.h"
#include "multiplayer/state/tap.h"

/* Limits of what is shown of one packet. */
enum {
    MAX_ENTRIES = 2000,    /* synchronizers in a packet */
    MAX_VALUES = 1000,     /* values of a synchronizer or spawned node */
    MAX_SYNC_IDS = 1000,   /* of a spawned node */
    MAX_STATE_NAMES = 256, /* of the values that a node is spawned with */
    MAX_PACKET_VALUES = 20000,
    MAX_PATH_TEXT = 4096,  /* bytes of a path or name by which it is remembered and shown */
    MAX_CALL_TEXT = 1000,  /* bytes of a call as one line */
    MAX_VALUE_TEXT = 400,  /* bytes of an argument in it */
    MAX_INFO_MESSAGES = 8, /* messages of a frame in the Info column */
    MAX_INFO_ENTRIES = 4,  /* synchronizers of a packet in it */
    MAX_INFO_TEXT = 200,   /* bytes of each */
    MAX_DIFFERENCE = 16,   /* methods named when two lists differ */
    MAX_SCRIPTS = 16,      /* with the same methods, besides the first */
};

/* A packet while it is being dissected; of a relayed one, the inner packet. */
typedef struct {
    packet_info *pinfo;
    proto_tree *tree;          /* what the packet means; of a relayed one that of the outer packet */
    proto_tree *encoding;      /* how that is written: bytes, ids, sizes; the last subtree of `tree` */
    proto_item *encoding_item; /* child of `tree` that `encoding` is below */
    proto_item *item;          /* of the protocol */
    tvbuff_t *tvb;
    const uint8_t *bytes;
    uint32_t length;                     /* as captured */
    bool cut;                            /* by the snap length: an end too early says nothing */
    const enet_payload_info *enet;       /* NULL: not over ENet */
    const godot_recorded_info *recorded; /* NULL: captured */
    const godot_message *message;
    bool learn;                             /* what it says is new */
    godot_party from, to;                   /* to 0: everybody, or everybody but one */
    int32_t broadcast;                      /* which of these: 0, or below 0 that one */
    uint32_t values;                        /* shown so far */
    wmem_strbuf_t *info;                    /* what the Info column says about the packet */
    godot_tap *tap;                         /* what statistics learn about it */
    bool tapped;                            /* somebody listens: `tap` has to be complete */
    tvbuff_t **payload;                     /* of a RAW packet, for other dissectors; *payload NULL: none */
    const multiplayer_v3_header *v3_header; /* Godot 3: source and target are in it; NULL: by connection */
    tvbuff_t *v3_tvb;                       /* in which it is; valid if v3_header is not NULL */
} godot_packet;

#endif
