/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/engine/missing_node.h"

#define SECONDS(s) ((int64_t)((s)*1e9))

/* Four times the time that the slowest confirmation took, at least 0.1 s, or 1 s if there were none. */
static int64_t enough_time(const godot_session *session)
{
    int64_t slow = 4 * session->slowest;
    return session->slowest == 0 ? SECONDS(1) : slow > SECONDS(0.1) ? slow : SECONDS(0.1);
}

/* Where the receiver itself speaks: another client has a connection of its own to the server. NULL: that is
 * not in the capture. */
static const godot_session *session_of(const godot_message *message, godot_party receiver)
{
    bool here = receiver == GODOT_INITIATOR || receiver == GODOT_ACCEPTOR ||
                receiver == godot_session_peer_id(message, godot_receiving_end(message));
    return here ? message->session : godot_session_of_client(message, receiver);
}

/* Whether the receiver is heard for longer than `time` after `since`: by the messages of its end of the
 * connection or, if what it got is known to have `arrived`, of either end. */
static bool is_heard(const godot_message *message, godot_party receiver, bool arrived, int64_t since,
                     int64_t time)
{
    const godot_session *session = session_of(message, receiver);
    bool here = session == message->session;
    if (!session) {
        return false;
    }
    if (!here && session->transport_heard) {
        return session->transport_heard(session, godot_session_client_end(session)) - since > time;
    }
    unsigned end = godot_end_index(here ? godot_receiving_end(message) : godot_session_client_end(session));
    if (here && arrived && (!session->spoke[end] || session->last[!end] > session->last[end])) {
        end = !end;
    }
    return session->spoke[end] && session->last[end] - since > time;
}

/* Whether the receiver had time to confirm. */
static bool had_time(const godot_message *message, const godot_path *path, godot_party receiver, bool arrived)
{
    int64_t since = path->time;
    return godot_session_delivered(message, path, receiver, &since) != GODOT_NOT_DELIVERED &&
           is_heard(message, receiver, arrived, since, enough_time(message->session));
}

/* Why the receiver's confirmation may not be in the capture: packets of the receiver are missing, or of
 * another client's own connection. */
static godot_missing lacks_confirmation(const godot_message *message, const godot_path *path,
                                        godot_party receiver)
{
    const godot_session *session = session_of(message, receiver);
    godot_missing missing = godot_engine_lacks(GODOT_PATH_NEVER_CONFIRMED, message, receiver,
                                               (godot_moment){path->number, path->frame});
    bool elsewhere = session && session != message->session && session->transport_missing;
    return missing == GODOT_MISSING_NOTHING && elsewhere
               ? session->transport_missing(session, godot_session_client_end(session), path->frame, 0)
               : missing;
}

/* ENet retransmits a command without an acknowledgement, also if only the acknowledgement was lost. So the
 * announcement may be a retransmission of one that was sent before the capture began, or of one that the
 * capture lost: then it is confirmed before it seems to be announced. */
static bool may_be_repeated(const godot_message *message, const godot_path *path)
{
    godot_message announcement = *message;
    announcement.number = path->number;
    if (godot_session_said(&announcement, GODOT_TOPIC_PATH_CONFIRMED, path->owner, path->id)) {
        return true;
    }
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
        verdict.missing = lacks_confirmation(message, path, receiver);
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

/* A message that waited for one that was sent again is captured before what it refers to. */
static bool is_announced(const godot_message *message, const godot_path *path, const godot_delivery *delivery)
{
    return path->number <= message->number || (delivery->frame && delivery->frame >= path->frame);
}

godot_verdict godot_engine_lacks_node(const godot_message *message, const godot_path *path,
                                      godot_party receiver, bool arrived, const godot_delivery *delivery)
{
    if (message->repeated || !is_announced(message, path, delivery) ||
        !is_heard(message, receiver, arrived, message->time, message->session->quickest) ||
        had_node(message, path, delivery)) {
        return (godot_verdict){false, GODOT_MISSING_NOTHING};
    }
    godot_verdict verdict = godot_engine_never_confirms(message, path, receiver, arrived);
    if (verdict.holds && verdict.missing == GODOT_MISSING_NOTHING) {
        /* A confirmation of another announcement of the sender could show the node. */
        verdict.missing = godot_engine_lacks(GODOT_NODE_NOT_FOUND, message, godot_sending_end(message),
                                             (godot_moment){path->number, path->frame});
    }
    return verdict;
}

bool godot_engine_shows_node(const godot_message *message, const godot_path *path, godot_party receiver)
{
    return path->used_by || path->shown_in ||
           godot_session_is_ever_confirmed(message->session, path, receiver);
}
