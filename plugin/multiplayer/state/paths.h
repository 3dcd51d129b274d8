/* paths.h
 *
 * The path cache of a session: which ids the parties gave to the paths of nodes, who confirmed them, which
 * nodes a receiver has.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PATHS_H
#define GODOT_PATHS_H

#include "multiplayer/state/session.h"

/* An entry of a path cache. */
typedef struct godot_path {
    godot_party owner;    /* who gave out the id */
    godot_party receiver; /* to whom it was announced */
    uint32_t id;
    const char *path;
    char checksum[33];            /* "" in Godot 3 */
    uint32_t number, frame;       /* of the announcement */
    nstime_t time;                /* as well */
    uint32_t unanswered_from;     /* number of the first call by its path for which `receiver` had had time to
                                   * confirm it; 0: none */
    uint32_t shown_in;            /* frame of the first sign that `receiver` has the node since, 0: none */
    nstime_t shown_time;          /* as well; valid if `shown_in` is not 0 */
    struct godot_path *same_path; /* the one before with this path, of any party; NULL: none */
    struct godot_confirmation *confirmations; /* the latest first; NULL: none */
} godot_path;

typedef struct godot_confirmation {
    godot_party receiver;
    bool valid;                      /* the receiver has the same methods; always true in Godot 3 */
    uint32_t number, frame;          /* of the CONFIRM_PATH */
    struct godot_confirmation *next; /* the one before, NULL: none */
} godot_confirmation;

void godot_paths_init(void);

void godot_session_learn_path(packet_info *pinfo, const godot_message *message, godot_party owner,
                              godot_party receiver, uint32_t id, const char *path, const char *checksum);
/* Before a path id of a relayed packet is looked up: takes over what `owner`, a client, has announced on
 * another connection, if nothing is known of it on this one. First pass. */
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
/* Whether `receiver` does not confirm the path up to the end of the capture although there was time for it:
 * four times as long as for the slowest confirmation, at least 0.1 s; without confirmations 1 s. Until then
 * its end of the connection has to go on sending, or either end if it has `arrived`. For later passes. */
bool godot_session_never_confirmed(const godot_message *message, const godot_path *path, godot_party receiver,
                                   bool arrived);
/* The same by what was captured up to this call, which carries the path; the answer is that on every pass.
 * Neither has the receiver shown that it has the node. Godot 4. */
bool godot_session_unanswered(const packet_info *pinfo, const godot_message *message, godot_path *path,
                              godot_party receiver);
/* Whether the announcement may be a repetition of one that was sent before the capture began. */
bool godot_session_may_be_repeated(const godot_message *message, const enet_payload_info *enet,
                                   const godot_path *path);
/* `party` has a node at `path`, hence those above it: it has announced or confirmed it. First pass. */
void godot_session_learn_has_node(const packet_info *pinfo, const godot_message *message, godot_party party,
                                  const char *path);
/* Whether the receiver of an announcement had shown that it has the node when the message reached it, which
 * was captured at `time` and acknowledged in frame `acked_in`; 0: not known. */
bool godot_session_had_node(const godot_message *message, const godot_path *path, const nstime_t *time,
                            uint32_t acked_in);
/* What another party announced for the same path, with another checksum. NULL: nothing. */
const godot_path *godot_session_disagreement(const godot_message *message, const godot_path *path);

#endif
