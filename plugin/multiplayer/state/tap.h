/* tap.h
 *
 * For statistics: what the tap "godot" says about each multiplayer message, "godot_message" with its values
 * as well, and "godot_response" about each message that answers another.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_TAP_H
#define GODOT_TAP_H

#include <stdbool.h>
#include <stdint.h>

#include <wsutil/nstime.h>
#include <wsutil/wmem/wmem.h>

#include "variant/variant.h"

/* A property of a node that a message is about. */
typedef struct {
    const char *name; /* of a property, or "Property 0" */
    uint32_t length;  /* more than 0 */
} godot_tap_value;

/* A value in a message: an argument, or a property of a node. Valid until the tap's listeners have
 * returned. */
typedef struct {
    const char *node;     /* path of its node; NULL: not known, or an argument */
    const char *property; /* its name, or "Property 0"; NULL: an argument */
    const uint8_t *bytes;
    uint32_t length; /* of `bytes` */
    bool raw;        /* bytes of the game's own, not a Variant */
    variant_options options;
} godot_tap_variant;

/* One of several nodes that a message is about. */

typedef struct {
    const char *node;              /* as below */
    const char *scene;             /* that its synchronizer is in: "res://player.tscn"; NULL: not known */
    const char *synchronizer;      /* its path inside of there, "Sync"; NULL: not known */
    uint32_t length;               /* of what is about it; more than 0 */
    const godot_tap_value *values; /* of its properties; `value_count`, 0: not known */
    uint32_t value_count;          /* entries of `values` */
} godot_tap_part;

/* As the game asked for it, as far as the transport shows it. */
typedef enum {
    GODOT_TRANSFER_UNKNOWN, /* the transport does not say: WebSocket, some of WebRTC */
    GODOT_TRANSFER_RELIABLE,
    GODOT_TRANSFER_UNRELIABLE,
    GODOT_TRANSFER_UNRELIABLE_ORDERED,
} godot_transfer_mode;

/* NULL: unknown. */
const char *godot_transfer_mode_name(godot_transfer_mode mode);

typedef struct godot_tap {
    const struct godot_tap *next; /* message after this one in the same frame, NULL: none */
    const char *node;             /* path of the node the message is about, NULL if it is about none */
    const char *what;             /* method, or "spawn", "synchronize", "path cache", …; NULL: unknown */
    uint32_t session;             /* godot.session, from 0 */
    int32_t source, target;       /* peer ids, 0: not known or everybody */
    int32_t sender, receiver;     /* peer ids of the two ends of the connection, 0: not known */
    bool from_initiator, relayed;
    int32_t from, to; /* peer ids of who has made the packet, and whom it is for; to 0: everybody, below 0:
                       * everybody but that one. from 0: not known */
    bool to_unknown;
    int api;              /* 3 or 4 */
    int transport;        /* a godot_transport */
    int64_t stream;       /* enet.stream, -1: not over ENet */
    bool initiator_known; /* ENet's handshake tells who is the initiator */
    bool call;            /* `what` is a method that is called */
    const char *checksum; /* if it is called in Godot 4: of the node's methods; */
    uint16_t method;      /* its number among these */
    bool set;             /* `what` is a property that is set (RSET of Godot 3) */
    bool repeated;        /* it was in the capture before: counted once, its bytes on the wire each time */
    bool second_point;    /* another capture point has had it before */
    bool later_pass;      /* the frame was read before; when the tap's listeners are called, it always was */
    bool sent_here;       /* here it leaves its sender for the first time, as far as it is known */
    bool acknowledged, lost; /* on later passes; neither: not known */
    bool points_known;       /* there are two capture points, and it is known which is near whom; or both ends
                              * were recorded: */
    bool held; /* near the receiver: its ENet still waits for an earlier message when the capture ends */
    uint32_t received_in;  /* number of the frame near the receiver: frame_position(); 0: none */
    uint32_t delivered_in; /* near the receiver: frame in which its ENet delivers the message; 0: it does not.
                            * Recorded at both ends: of the receiver's record, at the first of the two */
    double wait;           /* if delivered_in: seconds until then */
    godot_transfer_mode transfer_mode;
    int channel;                  /* the game's number, -1: not known */
    const char *info;             /* what the Info column says about the message */
    uint32_t length, wire_length; /* message; its share of the frames' bytes */
    const godot_tap_part
        *parts;                /* of what is synchronized, of one node or several; NULL: about `node` alone */
    uint32_t part_count;       /* entries of `parts` */
    const char *spawned;       /* path of the node that is spawned */
    const char *spawned_scene; /* NULL: not known, or made by a function */
    bool full_path;      /* `node` is in the message by its path: it is announced, or not confirmed yet */
    const char *problem; /* the first thing that is wrong with the packet, NULL: nothing */
    const char *problem_code; /* its filter; NULL: it has none */
    const char *refused;      /* "node not found": why the receiver does not carry it out, as far as the
                               * first pass tells; NULL: nothing says that */
    int32_t net_frame; /* of what is synchronized: network frame of the sender, wraps at 65,536; else -1 */
    int32_t retransmissions; /* of a reliable message over ENet, on later passes; else -1 */
    double round_trip;       /* likewise: seconds until the acknowledgement; below 0: not known */
    /* Tap "godot_message" only, else NULL; of godot_tap_variant: what a method or spawn function is called
     * with, and values of nodes. */
    wmem_array_t *arguments, *values;
} godot_tap;

typedef enum {
    GODOT_RESPONSE_CALL,
    GODOT_RESPONSE_PATH,
    GODOT_RESPONSE_AUTHENTICATION,
    GODOT_RESPONSE_KINDS
} godot_response_kind;

typedef struct {
    godot_response_kind kind;
    const char *name; /* what is answered, or by whom */
    nstime_t request; /* when it was captured */
} godot_response_tap;

#endif
