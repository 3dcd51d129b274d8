/* confirmed.c
 *
 * Whether the receiver of a path's announcement has a node there, as far as packets show it; see session.h. A
 * receiver without the node does not confirm the announcement, and nobody announces it to the receiver a
 * second time. When it gets the node later, after a change of scene, calls through the same announcement are
 * carried out: it shows the node when it announces the path itself, or confirms another node's announcement
 * of it, or either of a path below.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/state/tables.h"

bool godot_session_never_confirmed(const godot_message *message, const godot_path *path, godot_party receiver,
                                   bool arrived)
{
    const godot_session *session = message->session;
    unsigned end = message->from_initiator ? 1 : 0; /* where the confirmation would come from */
    nstime_t since;
    /* The latest entry has the confirmations of all before it. */
    const godot_history *past = godot_find_history(&session->paths, path->owner, path->id);
    const godot_path *latest = (const godot_path *)godot_history_at(past, UINT32_MAX);
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

/* ENet acknowledges what it receives before the game gets it. Without that: what is captured on its way gets
 * there later, and what the receiver then sends is captured later still, together not sooner than the
 * quickest confirmation. */
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

/* ENet sends again what is not acknowledged, also if only the acknowledgement was lost. */
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
    const godot_history *past = godot_find_history_of_path(message->session->by_name, path);
    godot_path *entry = (godot_path *)godot_history_at(past, message->number);
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
