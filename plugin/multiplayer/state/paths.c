/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/state/paths.h"

#include "base/allocators.h"

static wmem_map_t *client_paths; /* peer id of a client and path id -> godot_path, in any session */
static wmem_map_t *client_names; /* the same by peer id and path: godot_path_key */

void godot_paths_init(void)
{
    client_paths = file_map(godot_key_hash, godot_key_equal);
    client_names = file_map(godot_path_key_hash, godot_path_key_equal);
}

static void remember_client_path(const godot_message *message, const godot_path *entry)
{
    const godot_key key = {godot_session_peer_id(message, entry->owner), entry->id};
    if (key.party <= 1) {
        return;
    }
    wmem_map_insert(client_paths, wmem_memdup(wmem_file_scope(), &key, sizeof key), (void *)entry);
    const godot_path_key name = {key.party, entry->path};
    wmem_map_insert(client_names, wmem_memdup(wmem_file_scope(), &name, sizeof name), (void *)entry);
}

void godot_session_learn_path(packet_info *pinfo, const godot_message *message, godot_party owner,
                              godot_party receiver, uint32_t id, const char *path, const char *checksum)
{
    godot_session *session = message->session;
    if (!godot_session_may_remember(0) || !(path = godot_session_keep_text(path))) {
        return;
    }
    godot_path *entry = wmem_new0(wmem_file_scope(), godot_path);
    entry->owner = owner;
    entry->receiver = receiver;
    entry->id = id;
    entry->path = path;
    (void)g_strlcpy(entry->checksum, checksum ? checksum : "", sizeof entry->checksum);
    entry->number = message->number;
    entry->frame = frame_order(pinfo);
    entry->time = pinfo->abs_ts;
    /* Announced again, to another peer: peers that have confirmed the id continue to use it. */
    const godot_path *before =
        godot_history_at(godot_find_history(&session->paths, owner, id), message->number);
    if (before && strcmp(before->path, path) == 0) {
        entry->confirmations = before->confirmations;
    }
    godot_history_add(godot_history_of(&session->paths, owner, id), message->number, entry);
    godot_history_add(godot_history_of_owned_path(session->by_owner, owner, entry->path), message->number,
                      entry);
    godot_history *same = godot_history_of_path(session->by_name, path);
    entry->same_path = godot_history_at(same, message->number);
    godot_history_add(same, message->number, entry);
    remember_client_path(message, entry);
}

/* A peer assigns one id to a node for all peers, and clients have random peer ids. So an announcement of a
 * client on another connection to the server is also valid for its relayed packets. */
static void adopt(packet_info *pinfo, const godot_message *message, godot_party owner,
                  const godot_path *known)
{
    if (known && known->frame <= message->frame && !godot_session_path(message, owner, known->id)) {
        godot_session_learn_path(pinfo, message, owner, 0, known->id, known->path, known->checksum);
        godot_path *own = godot_session_path(message, owner, known->id);
        if (own) {
            own->frame = known->frame;
        }
    }
}

void godot_session_adopt_path(packet_info *pinfo, const godot_message *message, godot_party owner,
                              uint32_t id)
{
    const godot_key key = {owner, id};
    if (owner > 1) {
        adopt(pinfo, message, owner, (const godot_path *)wmem_map_lookup(client_paths, &key));
    }
}

void godot_session_adopt_path_by_name(packet_info *pinfo, const godot_message *message, godot_party owner,
                                      const char *path)
{
    const godot_path_key key = {owner, path};
    if (owner > 1) {
        adopt(pinfo, message, owner, (const godot_path *)wmem_map_lookup(client_names, &key));
    }
}

godot_path *godot_session_path(const godot_message *message, godot_party owner, uint32_t id)
{
    return godot_history_around(godot_find_history(&message->session->paths, owner, id), message->number);
}

godot_path *godot_session_path_by_name(const godot_message *message, godot_party owner, const char *path)
{
    const godot_history *past = godot_find_history_of_owned_path(message->session->by_owner, owner, path);
    return godot_history_around(past, message->number);
}

void godot_session_learn_confirmation(const godot_message *message, godot_path *path, godot_party receiver,
                                      bool valid)
{
    if (!godot_session_may_remember(0)) {
        return;
    }
    godot_confirmation *confirmation = wmem_new0(wmem_file_scope(), godot_confirmation);
    confirmation->receiver = receiver;
    confirmation->valid = valid;
    confirmation->number = message->number;
    confirmation->frame = message->frame;
    confirmation->next = path->confirmations;
    path->confirmations = confirmation;
    nstime_t took;
    nstime_delta(&took, &message->session->last[message->from_initiator ? 0 : 1], &path->time);
    godot_session *session = message->session;
    double seconds = nstime_to_sec(&took);
    session->quickest = session->slowest > 0 ? MIN(session->quickest, seconds) : seconds;
    session->slowest = MAX(session->slowest, seconds);
}

const godot_confirmation *godot_session_confirmation(const godot_message *message, const godot_path *path,
                                                     godot_party receiver)
{
    const godot_confirmation *confirmation = path->confirmations;
    for (int i = 0; confirmation && i < MAX_CONFIRMATIONS; confirmation = confirmation->next, i++) {
        if (confirmation->receiver == receiver && confirmation->number <= message->number) {
            return confirmation;
        }
    }
    return NULL;
}

const godot_path *godot_session_disagreement(const godot_message *message, const godot_path *path)
{
    const godot_history *past = wmem_map_lookup(message->session->by_name, path->path);
    const godot_path *entry = godot_history_at(past, message->number);
    for (int i = 0; entry && i < MAX_SAME_PATH; entry = entry->same_path, i++) {
        if (entry->owner != path->owner) {
            return strcmp(entry->checksum, path->checksum) != 0 ? entry : NULL;
        }
    }
    return NULL;
}

/* --- whether a receiver has the node -------------------------------------------------------------
 *
 * A receiver without the node does not confirm the announcement, and the announcement is not repeated. If it
 * gets the node later, after a change of scene, calls that use the same announcement are executed. A receiver
 * proves that it has the node by announcing the path itself, by confirming another peer's announcement of it,
 * or by either for a path below it. */

bool godot_session_never_confirmed(const godot_message *message, const godot_path *path, godot_party receiver,
                                   bool arrived)
{
    const godot_session *session = message->session;
    unsigned end = message->from_initiator ? 1 : 0; /* where the confirmation would come from */
    nstime_t since;
    /* The latest entry includes the confirmations of all earlier ones. */
    const godot_history *past = godot_find_history(&session->paths, path->owner, path->id);
    const godot_path *latest = godot_history_at(past, UINT32_MAX);
    const godot_confirmation *c =
        latest && strcmp(latest->path, path->path) == 0 ? latest->confirmations : path->confirmations;
    for (int i = 0; c && i < MAX_CONFIRMATIONS; c = c->next, i++) {
        if (c->receiver == receiver) {
            return false;
        }
    }
    if (arrived && (!session->spoke[end] || nstime_cmp(&session->last[!end], &session->last[end]) > 0)) {
        end = !end;
    }
    if (!session->spoke[end]) {
        return false;
    }
    nstime_delta(&since, &session->last[end], &path->time);
    return nstime_to_sec(&since) > (session->slowest > 0 ? MAX(0.1, 4 * session->slowest) : 1);
}

bool godot_session_unanswered(const packet_info *pinfo, const godot_message *message, godot_path *path,
                              godot_party receiver)
{
    if (message->api != 4 || path->receiver != receiver || path->number > message->number) {
        return false;
    }
    if (!frame_visited(pinfo) && path->unanswered_from == 0 &&
        godot_session_never_confirmed(message, path, receiver, false)) {
        path->unanswered_from = message->number;
    }
    bool shown = path->shown_in && path->shown_in <= message->frame;
    return path->unanswered_from && path->unanswered_from <= message->number && !shown &&
           !godot_session_confirmation(message, path, receiver);
}

/* ENet acknowledges a message before the game gets it. If it was not acknowledged, the time between both
 * captures is compared: a message that is captured on its way arrives later, and what the receiver then sends
 * is captured later still, in all not sooner than the quickest confirmation. */
bool godot_session_had_node(const godot_message *message, const godot_path *path, const nstime_t *time,
                            uint32_t acked_in)
{
    nstime_t until;
    if (!path->shown_in || acked_in) {
        return path->shown_in && acked_in > path->shown_in;
    }
    nstime_delta(&until, &path->shown_time, time);
    return nstime_to_sec(&until) <= message->session->quickest;
}

/* ENet retransmits a command without an acknowledgement, also if only the acknowledgement was lost. */
bool godot_session_may_be_repeated(const godot_message *message, const enet_payload_info *enet,
                                   const godot_path *path)
{
    enum {
        LONGEST_WAIT = 5
    }; /* seconds: ENET_PEER_TIMEOUT_MINIMUM (enet.h), after which a peer is given up */
    nstime_t since;
    nstime_delta(&since, &path->time, &message->session->began);
    return enet && !enet->has_connect_data && nstime_to_sec(&since) < LONGEST_WAIT;
}

/* The latest announcements of `path` to `party`, up to one that it has been shown to have. */
static void show_node(const packet_info *pinfo, const godot_message *message, godot_party party,
                      const char *path)
{
    const godot_history *past = wmem_map_lookup(message->session->by_name, path);
    godot_path *entry = godot_history_at(past, message->number);
    for (int i = 0; entry && i < MAX_SAME_PATH; entry = entry->same_path, i++) {
        if (entry->receiver != party) {
            continue;
        }
        if (entry->shown_in) {
            break;
        }
        entry->shown_in = frame_order(pinfo);
        entry->shown_time = pinfo->abs_ts;
    }
}

void godot_session_learn_has_node(const packet_info *pinfo, const godot_message *message, godot_party party,
                                  const char *path)
{
    char *above = wmem_strdup(NULL, path);
    for (int i = 0; i <= MAX_LEVELS_ABOVE; i++) {
        show_node(pinfo, message, party, above);
        char *slash = strrchr(above, '/');
        if (!slash) {
            break;
        }
        *slash = 0;
    }
    wmem_free(NULL, above);
}
