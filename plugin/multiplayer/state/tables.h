/* tables.h
 *
 * The structure of a session. Private to this folder: session.c, paths.c, nodes.c and detection.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SESSION_STATE_H
#define GODOT_SESSION_STATE_H

#include "multiplayer/state/history.h"
#include "multiplayer/state/session.h"

/* Limits of searches, far above what games have. */
enum {
    MAX_SAME_PATH = 64,       /* announcements of a path */
    MAX_CONFIRMATIONS = 4096, /* of a path */
    MAX_LEVELS_ABOVE = 8,     /* from a node up to the spawned node that contains it */
};

struct godot_session {
    uint32_t index; /* in the file, from 0 */
    godot_transport transport;
    uint32_t recording;     /* number of the recorder; transport GODOT_RECORDED only */
    uint32_t messages;      /* number of messages so far */
    uint32_t first, latest; /* numbers (godot_message) of the first and the latest one */

    int api;                /* 3 or 4, 0: not known yet */
    uint32_t recognised_in; /* frame_order() of the frame in which `api` was set; valid if `api` is not 0 */
    uint32_t recognised_number; /* number of the message in which `api` was set; likewise */

    /* Detection, first pass only. */
    multiplayer_v3_carrier carrier; /* valid if `api` is 3 */
    int evidence[5];                /* [3] and [4]: scores of these generations, while `api` is 0 */
    bool server_spoke;              /* WebSocket: the acceptor has sent a message */
    int32_t assigned_id;            /* WebSocket: what may be the client's id, 0: none */
    uint32_t assigned_number;       /* number of the message with assigned_id */

    /* Recording: created for packets to several peers; the first packet to a single peer takes it over. */
    bool unclaimed;

    /* Index 0: initiator, 1: acceptor. Numbers are those of messages. */
    uint32_t id_number[2];      /* from which on the peer id is known, 0: never */
    int32_t id[2];              /* valid if id_number is not 0 */
    uint32_t server_number[2];  /* from which on this end is known to be the server, 0: never */
    nstime_t began;             /* time of the first message; valid if an end `spoke` */
    nstime_t last[2];           /* time of the latest message; valid if the end `spoke` */
    bool spoke[2];              /* the end has sent a message */
    double slowest, quickest;   /* seconds until a path was confirmed; slowest 0: none was */
    bool admitted;              /* there was a message that is not part of the authentication */
    uint32_t confirm_number[2]; /* of the message that showed the form of path confirmations, 0: none */
    int confirm_form[2];        /* 42 or 43; valid if confirm_number is not 0 */

    wmem_tree_t *partners;      /* set of peer ids: godot_session_learn_partner() */
    int32_t latest_partners[4]; /* latest arguments of that function, to return early; 0: none */
    uint8_t next_partner;       /* modulo 4: index in latest_partners to be overwritten next */

    /* Histories. Key: value. */
    godot_histories paths;              /* owner and path id: godot_path */
    godot_histories nodes;              /* owner and net id: godot_node */
    godot_histories states;             /* owner and path id: GUINT_TO_POINTER(number of values) */
    godot_histories presence;           /* peer id and 0: peer_presence */
    godot_histories said[GODOT_TOPICS]; /* party and id: not NULL if there was such an expert info */
    wmem_map_t *by_owner;               /* godot_path_key: godot_path */
    wmem_map_t *by_name;                /* path: godot_path, the latest of all parties */
    wmem_map_t *scenes;                 /* path: the scene that the node was spawned from */
    wmem_map_t *despawned;              /* path: despawn_record; NULL: spawned again */

    wmem_map_t *pending;        /* godot_key, owner and path id of a spawner: godot_pending_spawn list */
    godot_responses *responses; /* NULL until first used; see multiplayer/packet/response.c */
};

#endif
