/* paths.h
 *
 * The path cache of a session: the ids that the parties assigned to node paths, the confirmations, and the
 * nodes that a receiver is known to have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PATHS_H
#define GODOT_PATHS_H

#include "multiplayer/state/session.h"

/* An entry of a path cache. */
typedef struct godot_path {
    godot_party owner;    /* that assigned the id */
    godot_party receiver; /* of the announcement */
    uint32_t id;
    const char *path;
    char checksum[33];            /* of the RPC methods, hexadecimal MD5; "" in Godot 3 */
    uint32_t number, frame;       /* of the announcement: message, frame_order() */
    nstime_t time;                /* of the announcement */
    uint32_t unanswered_from;     /* number of the first call with its full path that was sent although
                                   * `receiver` had had time to confirm the path; 0: none */
    uint32_t shown_in;            /* the first frame that proves that `receiver` has the node; 0: none */
    nstime_t shown_time;          /* of that frame; valid if `shown_in` is not 0 */
    struct godot_path *same_path; /* the previous entry with this path, of any party; NULL: none */
    struct godot_confirmation *confirmations; /* the latest first; NULL: none */
} godot_path;

typedef struct godot_confirmation {
    godot_party receiver;
    bool valid;                      /* the receiver has the same methods; always true in Godot 3 */
    uint32_t number, frame;          /* of the CONFIRM_PATH */
    struct godot_confirmation *next; /* the previous one, NULL: none */
} godot_confirmation;

void godot_paths_init(void);

/* An announcement. `path` and `checksum` are copied. */
void godot_session_learn_path(packet_info *pinfo, const godot_message *message, godot_party owner,
                              godot_party receiver, uint32_t id, const char *path, const char *checksum);
/* First pass, before a path id of a relayed packet is looked up: copies the entry that `owner`, a client, has
 * announced on another connection, if there is none on this one. */
void godot_session_adopt_path(packet_info *pinfo, const godot_message *message, godot_party owner,
                              uint32_t id);
void godot_session_adopt_path_by_name(packet_info *pinfo, const godot_message *message, godot_party owner,
                                      const char *path);
void godot_session_learn_confirmation(const godot_message *message, godot_path *path, godot_party receiver,
                                      bool valid);
godot_path *godot_session_path(const godot_message *message, godot_party owner, uint32_t id);
godot_path *godot_session_path_by_name(const godot_message *message, godot_party owner, const char *path);
const godot_confirmation *godot_session_confirmation(const godot_message *message, const godot_path *path,
                                                     godot_party receiver);
/* True if `receiver` does not confirm the path before the end of the capture although it had enough time:
 * four times that of the slowest confirmation, at least 0.1 s, or 1 s if there are no confirmations. The time
 * ends with the latest message of the receiver's end of the connection or, if the announcement is known to
 * have `arrived`, of either end. For later passes. */
bool godot_session_never_confirmed(const godot_message *message, const godot_path *path, godot_party receiver,
                                   bool arrived);
/* The same as of this call, which carries the full path, and with the same result on every pass; false, too,
 * if the receiver is known to have the node. Godot 4 only. */
bool godot_session_unanswered(const packet_info *pinfo, const godot_message *message, godot_path *path,
                              godot_party receiver);
/* Whether the announcement may be a retransmission of one that was sent before the capture began. */
bool godot_session_may_be_repeated(const godot_message *message, const enet_payload_info *enet,
                                   const godot_path *path);
/* First pass: `party` has announced or confirmed `path`, so it has this node and those above it. */
void godot_session_learn_has_node(const packet_info *pinfo, const godot_message *message, godot_party party,
                                  const char *path);
/* Whether the receiver of the announcement is known to have had the node when the message arrived. `time`:
 * when the message was captured; `acked_in`: frame_order() of its acknowledgement, 0: not known. */
bool godot_session_had_node(const godot_message *message, const godot_path *path, const nstime_t *time,
                            uint32_t acked_in);
/* An announcement of the same path by another party with another checksum; NULL: none. */
const godot_path *godot_session_disagreement(const godot_message *message, const godot_path *path);

#endif
