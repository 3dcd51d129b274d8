/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/engine/missing_node.h"

#define SECONDS(s) ((int64_t)((s)*1e9))

/* Four times the time that the slowest confirmation took, at least 0.1 s, or 1 s if there were none. */
static int64_t enough_time(const godot_session *session)
{
    int64_t slow = 4 * session->slowest;
    return session->slowest == 0 ? SECONDS(1) : slow > SECONDS(0.1) ? slow : SECONDS(0.1);
}

/* Whether the receiver had time to confirm. The time ends with the latest message of its end of the
 * connection or, if the announcement is known to have `arrived`, of either end. */
static bool had_time(const godot_message *message, const godot_path *path, godot_party receiver, bool arrived)
{
    int64_t since = path->time;
    if (godot_session_delivered(message, path, receiver, &since) == GODOT_NOT_DELIVERED) {
        return false;
    }
    const godot_session *session = message->session;
    unsigned end = godot_end_index(godot_receiving_end(message)); /* where the confirmation would come from */
    if (arrived && (!session->spoke[end] || session->last[!end] > session->last[end])) {
        end = !end;
    }
    return session->spoke[end] && session->last[end] - since > enough_time(session);
}

/* ENet retransmits a command without an acknowledgement, also if only the acknowledgement was lost. So the
 * announcement may be a retransmission of one that was sent before the capture began. */
static bool may_be_repeated(const godot_message *message, const godot_path *path)
{
    /* ENET_PEER_TIMEOUT_MINIMUM (enet.h), after which a peer is given up */
    const int64_t longest_wait = SECONDS(5);
    const godot_session *session = message->session;
    return session->transport == GODOT_OVER_ENET && !session->seen[0].from_start &&
           path->time - session->began < longest_wait;
}

static bool is_never_confirmed(const godot_message *message, const godot_path *path, godot_party receiver,
                               bool arrived)
{
    return !path->cut && !path->used_by && !may_be_repeated(message, path) &&
           !godot_session_is_ever_confirmed(message->session, path, receiver) &&
           had_time(message, path, receiver, arrived);
}

godot_verdict godot_engine_never_confirms(const godot_message *message, const godot_path *path,
                                          godot_party receiver, bool arrived)
{
    godot_verdict verdict = {is_never_confirmed(message, path, receiver, arrived), GODOT_MISSING_NOTHING};
    if (verdict.holds) {
        verdict.missing = godot_engine_lacks(GODOT_PATH_NEVER_CONFIRMED, message, receiver,
                                             (godot_moment){path->number, path->frame});
    }
    return verdict;
}

/* Whether the receiver may have had the node when it got the call. ENet acknowledges a message before the
 * game gets it. If it was not acknowledged, the time between both captures is compared: a message that is
 * captured on its way arrives later, and what the receiver then sends is captured later still, in all not
 * sooner than the quickest confirmation. */
static bool had_node(const godot_message *message, const godot_path *path, const godot_delivery *delivery)
{
    if (delivery->acknowledged && !delivery->frame) {
        return true; /* in this capture, it never gets it */
    }
    if (!path->shown_in || message->number > path->shown_by) {
        return path->shown_in;
    }
    if (delivery->acknowledged) {
        return delivery->frame > path->shown_in;
    }
    return path->shown_time - message->time <= message->session->quickest;
}

/* As of this call, with the same result on every pass; false, too, if the receiver is known to have the node.
 */
static bool is_unanswered(const godot_message *message, bool first_pass, godot_path *path,
                          godot_party receiver)
{
    if (message->api != 4 || path->receiver != receiver || path->number > message->number) {
        return false;
    }
    if (first_pass && path->not_judged_from == 0 && is_never_confirmed(message, path, receiver, false)) {
        const godot_moment announced = {path->number, path->frame};
        bool whole =
            godot_engine_lacks(GODOT_NODE_NOT_FOUND, message, receiver, announced) == GODOT_MISSING_NOTHING;
        path->not_judged_from = whole ? 0 : message->number;
        path->unanswered_from = path->unanswered_from || !whole ? path->unanswered_from : message->number;
    }
    bool shown = path->shown_in && path->shown_in <= message->frame;
    bool judged = path->not_judged_from == 0 || message->number < path->not_judged_from;
    return path->unanswered_from && path->unanswered_from <= message->number && !shown && judged &&
           !godot_session_confirmation(message, path, receiver);
}

godot_verdict godot_engine_lacks_node(const godot_message *message, bool first_pass, godot_path *path,
                                      godot_party receiver, bool arrived, const godot_delivery *delivery,
                                      bool *here)
{
    *here = is_unanswered(message, first_pass, path, receiver) && !message->repeated;
    if (message->repeated || first_pass) {
        return (godot_verdict){*here, GODOT_MISSING_NOTHING};
    }
    godot_verdict verdict = godot_engine_never_confirms(message, path, receiver, arrived);
    verdict.holds = verdict.holds && !had_node(message, path, delivery);
    *here = *here && verdict.holds;
    verdict.missing =
        *here ? GODOT_MISSING_NOTHING : verdict.missing; /* the capture lacks only later packets */
    return verdict;
}

bool godot_engine_shows_node(const godot_message *message, const godot_path *path, godot_party receiver)
{
    return path->used_by || path->shown_in ||
           godot_session_is_ever_confirmed(message->session, path, receiver);
}
