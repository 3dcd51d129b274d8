/* paths.h
 *
 * The path cache of a session: the ids that the parties assigned to node paths, the confirmations, and the
 * nodes that a receiver is known to have. What follows for a receiver that does not confirm: engine/paths.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PATHS_H
#define GODOT_PATHS_H

#include "multiplayer/session/session.h"

/* An entry of a path cache. */
typedef struct godot_path {
    godot_party owner;    /* that assigned the id */
    godot_party receiver; /* of the announcement */
    uint32_t id;
    const char *path;             /* with `cut`: to be shown only, it is no key */
    char checksum[33];            /* of the RPC methods, hexadecimal MD5; "" in Godot 3 */
    bool cut;                     /* the snap length has cut the path */
    bool ends_assumed;            /* its owner was guessed */
    uint32_t number, frame;       /* of the announcement */
    int64_t time;                 /* likewise */
    uint32_t sent;                /* likewise: see godot_message */
    uint8_t channel;              /* likewise */
    uint32_t used_by;             /* number of the first message that uses the id alone, 0: none */
    uint32_t shown_in;            /* the first frame that proves that `receiver` has the node; 0: none */
    int64_t shown_time;           /* of that frame; valid if `shown_in` is not 0 */
    uint32_t shown_by;            /* likewise: number of the message at which it had the node already */
    struct godot_path *same_path; /* the previous entry with this path, of any party; NULL: none */
    struct godot_confirmation *confirmations; /* the latest first; NULL: none */
} godot_path;

typedef struct godot_confirmation {
    godot_party receiver;
    bool valid;                      /* the receiver has the same methods; always true in Godot 3 */
    uint32_t number, frame;          /* of the CONFIRM_PATH */
    struct godot_confirmation *next; /* the previous one, NULL: none */
} godot_confirmation;

/* An announcement. `path` and `checksum` are copied; `cut`: the path is not whole. */
void godot_session_learn_path(const godot_message *message, godot_party owner, godot_party receiver,
                              uint32_t id, const char *path, bool cut, const char *checksum);
/* First pass, before a path id of a relayed packet is looked up: copies the entry that `owner`, a client, has
 * announced on another connection, if there is none on this one. */
void godot_session_adopt_path(const godot_message *message, godot_party owner, uint32_t id);
void godot_session_adopt_path_by_name(const godot_message *message, godot_party owner, const char *path);
void godot_session_learn_confirmation(const godot_message *message, godot_path *path, godot_party receiver,
                                      bool valid);
/* As of the message, or else a later one, if godot_session_excludes_earlier(). */
godot_path *godot_session_path(const godot_message *message, godot_party owner, uint32_t id);
godot_path *godot_session_path_by_name(const godot_message *message, godot_party owner, const char *path);
/* The latest announcement of this path to `receiver` before the message; NULL: none is in the capture. An
 * owner announces one id to each peer, and each peer confirms its own announcement. Of a cut path, and of one
 * with MAX_CONFIRMATIONS later announcements: `path`. */
const godot_path *godot_session_announced_to(const godot_message *message, const godot_path *path,
                                             godot_party receiver);
/* The frame of the first confirmation by `receiver` after the announcement, in the whole capture; 0: none */
uint32_t godot_session_confirmed_in(const godot_session *session, const godot_path *path,
                                    godot_party receiver);
const godot_confirmation *godot_session_confirmation(const godot_message *message, const godot_path *path,
                                                     godot_party receiver);
/* A message to `receiver` has the id alone, which its sender uses only when the receiver has confirmed it. */
void godot_session_learn_use(const godot_message *message, godot_path *path, godot_party receiver);
/* Whether `receiver` confirms the path anywhere in the capture. */
bool godot_session_is_ever_confirmed(const godot_session *session, const godot_path *path,
                                     godot_party receiver);
/* First pass: `party` has announced or confirmed `path`, so it has this node and those above it, and had them
 * when it got the message with the number `since`: what it confirms, or the announcement itself. */
void godot_session_learn_has_node(const godot_message *message, godot_party party, const char *path,
                                  uint32_t since);
/* Whether `receiver` has got the announcement, as far as the capture was read; and since when. */
typedef enum { GODOT_NOT_DELIVERED, GODOT_DELIVERED, GODOT_DELIVERY_NOT_KNOWN } godot_delivered;
godot_delivered godot_session_delivered(const godot_message *message, const godot_path *path,
                                        godot_party receiver, int64_t *since);
/* An announcement of the same path by another party with another checksum; NULL: none. */
const godot_path *godot_session_disagreement(const godot_message *message, const godot_path *path);

#endif
