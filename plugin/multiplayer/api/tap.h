/* tap.h
 *
 * Data of the taps: "godot" for each multiplayer message, "godot_message" for the same with its values,
 * "godot_response" for each reply, and "godot_peer" for each peer that a recorded game has got or lost.
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

/* Size of a property in a message. */
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

/* The part of a message that is about one of several nodes. */
typedef struct {
    const char *node;              /* as in godot_tap */
    const char *scene;             /* of its synchronizer: "res://player.tscn"; NULL: not known */
    const char *synchronizer;      /* path of the synchronizer in the scene: "Sync"; NULL: not known */
    uint32_t id;                   /* of its synchronizer, for its author; 0: it has none */
    uint32_t length;               /* bytes of the part; more than 0 */
    const godot_tap_value *values; /* of its properties; NULL: not known */
    uint32_t value_count;          /* elements of `values` */
} godot_tap_part;

/* The transfer mode that the game has selected, as far as the transport shows it. */
typedef enum {
    GODOT_TRANSFER_UNKNOWN, /* not signalled by the transport: WebSocket, some of WebRTC */
    GODOT_TRANSFER_RELIABLE,
    GODOT_TRANSFER_UNRELIABLE,
    GODOT_TRANSFER_UNRELIABLE_ORDERED,
} godot_transfer_mode;

/* NULL: unknown. */
const char *godot_transfer_mode_name(godot_transfer_mode mode);

typedef struct godot_tap {
    const struct godot_tap *next; /* the next message of the frame, NULL: none */
    const char *node;             /* path of the node the message is about, NULL if it is about none */
    const char *what;             /* method, or "spawn", "synchronize", "path cache", …; NULL: unknown */
    uint32_t session;             /* godot.session, from 0 */
    uint32_t number;              /* of the message in its session, ascending */
    int32_t source, target;       /* peer ids, 0: not known or all peers */
    int32_t sender, receiver;     /* peer ids of the two ends of the connection, 0: not known */
    bool from_initiator, relayed;
    bool passed_on;   /* `relayed`, and on its way from the server to the addressee */
    int32_t from, to; /* peer ids of the packet's author, 0: not known, and addressee, 0: all peers, -ID: all
                       * but that one */
    bool to_unknown;  /* `to` is 0 because it is not known */
    int api;          /* 3 or 4 */
    int transport;    /* a godot_transport */
    int64_t stream;   /* enet.stream, -1: not over ENet */
    bool initiator_known;    /* the capture has ENet's handshake */
    int32_t argument_count;  /* of a call */
    bool call;               /* `what` is a method that is called */
    bool cut;                /* the snap length has cut the message */
    const char *checksum;    /* of the node's RPC methods; Godot 4 calls only */
    uint16_t method;         /* index in that list of methods; likewise */
    bool set;                /* `what` is a property that is set (RSET of Godot 3) */
    bool repeated;           /* a retransmission: not counted as a message, its bytes on the wire are */
    bool second_point;       /* the other capture point captured it earlier */
    bool later_pass;         /* not the first pass */
    bool sent_here;          /* the first transmission, at the capture point next to the sender (if known) */
    bool acknowledged, lost; /* on later passes; neither: not known */
    bool unanswered;         /* likewise: never acknowledged, and the capture would have it */
    bool points_known;       /* there are two capture points with known places, or records of both ends; the
                              * following four members are valid */
    bool held;            /* when the capture ends, the receiver's ENet still waits for an earlier message */
    uint32_t received_in; /* frame_position() at the receiver's capture point; 0: none */
    uint32_t
        delivered_in; /* frame in which the receiver's ENet delivers the message, at its capture point; or
                            * of the receiver's record, in the first of two records. 0: never */
    double wait;      /* seconds until delivered_in, if that is not 0 */
    godot_transfer_mode transfer_mode;
    int channel;                  /* as numbered by the game, -1: not known */
    const char *info;             /* text of the message in the Info column */
    const char *relay;            /* " [relay to client 2]", after that text; NULL: none */
    uint32_t length, wire_length; /* bytes of the message; its share of the frames' bytes */
    const godot_tap_part *parts;  /* of synchronized states; NULL: the message is about `node` only */
    uint32_t part_count;          /* elements of `parts` */
    const char *spawned;          /* path of the spawned node */
    const char *spawned_scene;    /* NULL: not known, or made by a spawn function */
    bool full_path;               /* the message contains the path of `node`, not only its id */
    const char *problem;          /* the first problem of the packet, NULL: none */
    const char *problem_code;     /* filter of its expert info; NULL: none */
    const char *engine_error; /* what the receiver's engine printed about the message; on later passes; NULL:
                               * nothing, or not known */
    const char *not_judged;   /* "the capture starts late": why something about the packet is not concluded;
                               * NULL: nothing was left open */
    const char *refused;      /* "node not found": why the receiver does not execute the packet, as far as the
                              * first pass finds out; NULL: no reason is known */
    int32_t net_frame;        /* synchronized states: network frame of the sender, modulo 65,536; else -1 */
    int32_t retransmissions;  /* of a reliable message over ENet, on later passes; else -1 */
    double round_trip;        /* seconds until the acknowledgement, likewise; negative: not known */
    /* Of godot_tap_variant: arguments of a method or spawn function; values of properties. NULL unless the
     * tap is "godot_message". */
    wmem_array_t *arguments, *values;
    godot_tap_variant
        payload; /* bytes of send_bytes(); `raw` unless they are one Variant. `bytes` NULL: none */
} godot_tap;

typedef enum {
    GODOT_RESPONSE_CALL,
    GODOT_RESPONSE_PATH,
    GODOT_RESPONSE_AUTHENTICATION,
    GODOT_RESPONSE_KINDS
} godot_response_kind;

typedef struct {
    godot_response_kind kind;
    const char *name; /* of the method, path or peer */
    nstime_t request; /* capture time of the request */
} godot_response_tap;

/* A record of a game's recorder: another peer has connected, or has disconnected. Peer ids. */
typedef struct {
    int32_t own, other;
    bool gone;
} godot_peer_tap;

#endif
