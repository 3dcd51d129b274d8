/* tables.h
 *
 * What is in a session: for the files that remember and answer (session.c, paths.c, nodes.c), and
 * detection.c, which finds out whether a conversation is Godot's and of which generation. No other file
 * includes this one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SESSION_STATE_H
#define GODOT_SESSION_STATE_H

#include "multiplayer/state/history.h"
#include "multiplayer/state/session.h"

/* What is looked through of one path; more is not to be expected. */
enum {
    MAX_SAME_PATH = 64,       /* announcements */
    MAX_CONFIRMATIONS = 4096, /* peers */
    MAX_LEVELS_ABOVE = 8,     /* neither synchronizers nor what is called are far below what was spawned */
};

struct godot_session {
    uint32_t index; /* in the file, from 0 */
    godot_transport transport;
    uint32_t recording;     /* transport GODOT_RECORDED only */
    uint32_t messages;      /* so far */
    uint32_t first, latest; /* numbers of these */

    /* For the first pass, but for the first three: later passes know the outcome from them, or find it in the
     * message. */
    int api;                        /* 3 or 4, 0: not known yet */
    uint32_t recognised_in;         /* the frame that told `api`; valid if `api` is not 0 */
    uint32_t recognised_number;     /* number of the message in it; as well */
    multiplayer_v3_carrier carrier; /* valid if `api` is 3 */
    int evidence[5];                /* [3] and [4]: for these generations, while `api` is 0 */
    bool server_spoke;              /* WebSocket: the acceptor has sent a message */
    int32_t assigned_id;            /* WebSocket: what may be the client's id, 0: nothing */
    uint32_t assigned_number;       /* number of the message with assigned_id */
    bool unclaimed; /* of a recording, began with packets to several peers: taken by the first single peer */

    uint32_t id_number[2];      /* message from which on the peer id of initiator and acceptor is known */
    int32_t id[2];              /* valid if id_number is not 0 */
    uint32_t server_number[2];  /* message that showed this end to be the server, 0: none */
    nstime_t began;             /* first message; valid if one of the ends `spoke` */
    nstime_t last[2];           /* latest message of each end; valid if `spoke` */
    bool spoke[2];              /* a message of this end was seen */
    double slowest, quickest;   /* confirmation, in seconds; slowest 0: there was none */
    bool admitted;              /* something else than authentication was said */
    uint32_t confirm_number[2]; /* message that showed the form of path confirmations, 0: none */
    int confirm_form[2];        /* valid if confirm_number is not 0 */

    wmem_tree_t
        *partners; /* ids of the peers with which the session's ends exchange packets; values are not NULL */

    int32_t latest_partners[4]; /* of them, or what was not taken; 0: none */
    uint8_t next_partner;       /* place of the next one there, modulo their number */

    /* Histories, by number of the message, of what is named here. */
    godot_histories paths;              /* owner and path id: godot_path */
    godot_histories nodes;              /* owner and net id: godot_node */
    godot_histories states;             /* owner and path id: GUINT_TO_POINTER(number of values) */
    godot_histories presence;           /* peer id and 0: peer_presence */
    godot_histories said[GODOT_TOPICS]; /* party and id: what was said first there */
    wmem_map_t *by_owner;               /* godot_path_key: godot_path */
    wmem_map_t *by_name;                /* path: godot_path, the latest of all parties */
    wmem_map_t *scenes;                 /* path: name of the scene that the node there was spawned from */
    wmem_map_t *despawned;              /* path: despawn_record, NULL: there is one again */

    wmem_map_t *pending;        /* godot_key, owner and path id of a spawner: what waits for its path */
    godot_responses *responses; /* NULL until first used; see multiplayer/packet/response.c */
};

#endif
