/* dissection.h
 *
 * The packet that is being dissected, as the parts of the dissector `godot` pass it on, and the limits of
 * what is shown of one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_DISSECTION_H
#define GODOT_DISSECTION_H

#include "multiplayer/state/session.h"
#include "multiplayer/api/tap.h"

/* Limits of what is shown of one packet. */
enum {
    MAX_ENTRIES = 2000,    /* synchronizers in a packet */
    MAX_VALUES = 1000,     /* values of a synchronizer or spawned node */
    MAX_SYNC_IDS = 1000,   /* of a spawned node */
    MAX_STATE_NAMES = 256, /* of the values that a node is spawned with */
    MAX_PACKET_VALUES = 20000,
    MAX_PATH_TEXT = 4096,  /* bytes of a path or name */
    MAX_CALL_TEXT = 1000,  /* bytes of a call as one line */
    MAX_VALUE_TEXT = 400,  /* bytes of an argument in that line */
    MAX_INFO_MESSAGES = 8, /* messages of a frame in the Info column */
    MAX_INFO_ENTRIES = 4,  /* synchronizers of a packet in the Info column */
    MAX_INFO_TEXT = 200,   /* bytes of each of these */
    MAX_DIFFERENCE = 16,   /* methods named when two lists differ */
    MAX_SCRIPTS = 16,      /* scripts with the same methods, besides the first */
};

/* A packet while it is being dissected. If a packet is relayed, the inner one. */
enum { KEPT_TYPES = 6 }; /* arguments whose types are kept */

typedef struct {
    packet_info *pinfo;
    proto_tree *tree;          /* contents of the packet; if it is relayed, the tree of the outer packet */
    proto_tree *encoding;      /* the subtree "Encoding": bytes, ids, sizes; the last one of `tree` */
    proto_item *encoding_item; /* item in `tree` that has `encoding` as its subtree */
    proto_item *item;          /* of the protocol */
    tvbuff_t *tvb;
    const uint8_t *bytes;
    uint32_t length;                 /* as captured */
    bool cut;                        /* by the snap length, so an early end is not an error */
    const enet_payload_info *enet;   /* NULL: not over ENet */
    const recorder_record *recorded; /* NULL: captured */
    const godot_message *message;
    bool learn;                /* its contents have to be added to the state of the session */
    godot_party from, to;      /* `to` 0: all peers, or all but one */
    bool ends_assumed;         /* it is relayed, and which end is the server was guessed */
    int32_t broadcast;         /* if `to` is 0: 0 for all peers, -ID for all but that one */
    uint32_t values;           /* number of values shown so far */
    uint8_t types[KEPT_TYPES]; /* variant_type of the first arguments of a call, plus one; 0: there is none */
    wmem_strbuf_t *info;       /* text of the packet for the Info column */
    godot_tap *tap;            /* data for the tap listeners */
    bool tapped;               /* there are tap listeners: `tap` has to be complete */
    bool answered; /* the receiver's engine has said what it did with the packet, or that nothing was wrong
                    * (multiplayer/reported.h), or it never got it: nothing about it is concluded */
    const multiplayer_v3_header *v3_header; /* Godot 3: has source and target; NULL: the connection's ends */
    tvbuff_t *v3_tvb;                       /* with that header; valid if v3_header is not NULL */
} godot_packet;

#endif
