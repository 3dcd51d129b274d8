/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/session/session.h"

void godot_session_begin(godot_session *session, godot_store *store, godot_transport transport,
                         uint32_t index)
{
    *session = (godot_session){.store = store, .transport = transport, .index = index};
}

void godot_session_learn_message(const godot_message *message)
{
    godot_session *session = message->session;
    unsigned end = godot_end_index(godot_sending_end(message));
    if (!session->spoke[0] && !session->spoke[1]) {
        session->began = message->time;
    }
    session->last[end] = message->time;
    session->spoke[end] = true;
}

bool godot_session_first(const godot_message *message, bool first_pass, godot_topic topic, godot_party party,
                         uint32_t id)
{
    godot_store *store = message->session->store;
    godot_histories *said = &message->session->said[topic];
    const godot_history *past = godot_find_history(store, said, party, id);
    if (past) {
        return past->first == message->number;
    }
    if (godot_store_is_full(store) || !first_pass) {
        return godot_store_is_full(store); /* beyond the limit it is reported each time, on every pass */
    }
    if (godot_store_may_keep(store, 0)) {
        godot_history_add(store, said, party, id, message->number, message->session);
    }
    return true;
}

bool godot_session_said(const godot_message *message, godot_topic topic, godot_party party, uint32_t id)
{
    const godot_session *session = message->session;
    const godot_history *past = godot_find_history(session->store, &session->said[topic], party, id);
    return past && past->first < message->number;
}

/* --- ends and peers ------------------------------------------------------------------------------ */

void godot_session_learn_peer_id(const godot_message *message, godot_party end, int32_t id)
{
    godot_session *session = message->session;
    unsigned index = godot_end_index(end);
    if (session->id_number[index] == 0) {
        session->id[index] = id;
        session->id_number[index] = message->number;
        if (id > 1 && godot_store_may_keep(session->store, 0)) {
            godot_history_add(session->store, &session->store->of_client, id, 0, message->frame, session);
        }
    }
    if (id == 1 && session->server_number[index] == 0) {
        session->server_number[index] = message->number;
    }
}

bool godot_session_opened_by_server(const godot_session *session)
{
    return session && session->id[godot_end_index(GODOT_INITIATOR)] == 1;
}

const godot_session *godot_session_of_client(const godot_message *message, int32_t peer_id)
{
    const godot_store *store = message->session->store;
    return peer_id > 1
               ? godot_history_at(godot_find_history(store, &store->of_client, peer_id, 0), UINT32_MAX)
               : NULL;
}

godot_party godot_session_client_end(const godot_session *session)
{
    return godot_session_opened_by_server(session) ? GODOT_ACCEPTOR : GODOT_INITIATOR;
}

int32_t godot_session_client(const godot_session *session)
{
    return session->id[godot_end_index(godot_session_client_end(session))];
}

int32_t godot_session_peer_id(const godot_message *message, godot_party party)
{
    const godot_session *session = message->session;
    if (party > 0) {
        return party;
    }
    unsigned index = godot_end_index(party);
    bool known = session->id_number[index] && session->id_number[index] <= message->number;
    return known ? session->id[index] : 0;
}

bool godot_session_is_server(const godot_message *message, godot_party end)
{
    uint32_t number = message->session->server_number[godot_end_index(end)];
    return number && number <= message->number;
}

void godot_session_learn_presence(const godot_message *message, int32_t peer, bool present)
{
    godot_store *store = message->session->store;
    if (!godot_store_may_keep(store, 0)) {
        return;
    }
    godot_presence *entry = allocate_zeroed(&store->memory, sizeof *entry);
    *entry = (godot_presence){present, message->number, message->frame};
    godot_history_add(store, &message->session->presence, peer, 0, message->number, entry);
}

const godot_presence *godot_session_presence(const godot_message *message, int32_t peer)
{
    const godot_session *session = message->session;
    return godot_history_around(godot_find_history(session->store, &session->presence, peer, 0),
                                message->number);
}

/* --- engine versions ----------------------------------------------------------------------------- */

void godot_session_learn_confirm_form(const godot_message *message, int form)
{
    unsigned index = godot_end_index(godot_sending_end(message));
    if (!message->session->confirm_number[index]) {
        message->session->confirm_number[index] = message->number;
        message->session->confirm_form[index] = form;
    }
}

bool godot_session_versions_differ(const godot_message *message)
{
    const godot_session *session = message->session;
    for (unsigned i = 0; i < 2; i++) {
        if (session->confirm_number[i] == 0 || session->confirm_number[i] > message->number) {
            return false;
        }
    }
    return session->confirm_form[0] != session->confirm_form[1];
}

/* --- what the capture lacks ---------------------------------------------------------------------- */

void godot_session_learn_gap(const godot_message *message, godot_party end, godot_missing reason)
{
    godot_session *session = message->session;
    godot_evidence_add(&session->store->memory, &session->seen[godot_end_index(end)], message->number,
                       reason);
}

/* The end of the connection from which packets of the party come: another client's come from the server. */
static godot_party end_of(const godot_session *session, godot_party party)
{
    if (party == GODOT_INITIATOR || party == GODOT_ACCEPTOR) {
        return party;
    }
    if (party == session->id[0] && session->id_number[0]) {
        return GODOT_INITIATOR;
    }
    bool by_initiator = godot_session_opened_by_server(session) && party != session->id[1];
    return by_initiator ? GODOT_INITIATOR : GODOT_ACCEPTOR;
}

godot_missing godot_session_missing(const godot_message *message, godot_party party, godot_moment after,
                                    godot_moment before)
{
    const godot_session *session = message->session;
    godot_party end = end_of(session, party);
    const godot_evidence *seen = &session->seen[godot_end_index(end)];
    if (after.number == 0 && !seen->from_start) {
        return GODOT_MISSING_BEGINNING;
    }
    if (seen->garbled_from && seen->garbled_from <= before.number) {
        return GODOT_MISSING_SEGMENTS;
    }
    godot_missing gap = godot_evidence_between(seen, after.number, before.number);
    if (gap == GODOT_MISSING_NOTHING && session->transport_missing) {
        return session->transport_missing(session, end, after.frame, before.frame);
    }
    return gap == GODOT_MISSING_NOTHING && !session->spoke[godot_end_index(end)] ? GODOT_MISSING_DIRECTION
                                                                                 : gap;
}

bool godot_session_excludes_earlier(const godot_message *message, godot_party party, godot_moment found)
{
    const godot_moment here = {message->number, message->frame};
    return found.number <= message->number || message->session->transport != GODOT_RECORDED ||
           godot_session_missing(message, party, here, found) == GODOT_MISSING_NOTHING;
}

bool godot_session_is_garbled(const godot_message *message)
{
    const godot_evidence *seen = &message->session->seen[godot_end_index(godot_sending_end(message))];
    return seen->garbled_from && seen->garbled_from <= message->number;
}
