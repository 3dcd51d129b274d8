/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/session/paths.h"

#include <string.h>

static void remember_client_path(const godot_message *message, godot_path *entry)
{
    godot_store *store = message->session->store;
    int32_t client = godot_session_peer_id(message, entry->owner);
    if (client <= 1) {
        return;
    }
    /* The latest announcement counts, whatever session it is from: frames are their common time. */
    godot_history_add(store, &store->by_id, client, entry->id, message->frame, entry);
    if (!entry->cut) {
        godot_history_add_text(store, &store->by_path, client, entry->path, message->frame, entry);
    }
}

/* By path, of a whole one. Announced again, to another peer: peers that have confirmed the id continue to use
 * it. */
static void index_path(const godot_message *message, godot_path *entry)
{
    godot_session *session = message->session;
    godot_store *store = session->store;
    godot_history_add_text(store, &session->by_owner, entry->owner, entry->path, message->number, entry);
    entry->same_path = godot_history_at(godot_find_history_of_text(store, &session->by_name, 0, entry->path),
                                        message->number);
    godot_history_add_text(store, &session->by_name, 0, entry->path, message->number, entry);
}

/* Whether both announcements of one id can be of one path. A cut one ends with "…". */
static bool may_be_same(const godot_path *path, const char *other, bool cut)
{
    enum { ELLIPSIS = 3 };
    size_t length = strlen(path->path), other_length = strlen(other);
    size_t known = path->cut && length >= ELLIPSIS ? length - ELLIPSIS : length;
    size_t other_known = cut && other_length >= ELLIPSIS ? other_length - ELLIPSIS : other_length;
    if (!path->cut && !cut && length != other_length) {
        return false;
    }
    if ((!path->cut && other_known > known) || (!cut && known > other_known)) {
        return false;
    }
    return memcmp(path->path, other, known < other_known ? known : other_known) == 0;
}

void godot_session_learn_path(const godot_message *message, godot_party owner, godot_party receiver,
                              uint32_t id, const char *path, bool cut, const char *checksum)
{
    godot_session *session = message->session;
    godot_store *store = session->store;
    const godot_path *before =
        godot_history_at(godot_find_history(store, &session->paths, owner, id), message->number);
    bool again = before && may_be_same(before, path, cut);
    if (again && !before->cut) {
        path = before->path; /* an id keeps its path */
        cut = false;
    }
    if (!godot_store_may_keep(store, 0) || !(path = godot_store_text(store, path))) {
        return;
    }
    godot_path *entry = allocate_zeroed(&store->memory, sizeof *entry);
    if (again) {
        entry->confirmations = before->confirmations;
        entry->used_by = before->used_by;
    }
    entry->owner = owner;
    entry->receiver = receiver;
    entry->id = id;
    entry->path = path;
    entry->cut = cut;
    if (checksum && strlen(checksum) < sizeof entry->checksum) {
        memcpy(entry->checksum, checksum, strlen(checksum) + 1);
    }
    entry->number = message->number;
    entry->frame = message->frame;
    entry->time = message->time;
    entry->sent = message->sent;
    entry->channel = message->channel;
    godot_history_add(store, &session->paths, owner, id, message->number, entry);
    if (!cut) {
        index_path(message, entry);
    }
    remember_client_path(message, entry);
}

/* A peer assigns one id to a node for all peers, and clients have random peer ids. So an announcement of a
 * client on another connection to the server is also valid for its relayed packets. */
static void adopt(const godot_message *message, godot_party owner, const godot_path *known)
{
    if (known && known->frame <= message->frame && !godot_session_path(message, owner, known->id)) {
        godot_session_learn_path(message, owner, 0, known->id, known->path, known->cut, known->checksum);
        godot_path *own = godot_session_path(message, owner, known->id);
        if (own) {
            own->frame = known->frame;
            own->time = known->time;
        }
    }
}

void godot_session_adopt_path(const godot_message *message, godot_party owner, uint32_t id)
{
    const godot_store *store = message->session->store;
    if (owner > 1) {
        adopt(message, owner,
              godot_history_at(godot_find_history(store, &store->by_id, owner, id), UINT32_MAX));
    }
}

void godot_session_adopt_path_by_name(const godot_message *message, godot_party owner, const char *path)
{
    const godot_store *store = message->session->store;
    if (owner > 1) {
        adopt(message, owner,
              godot_history_at(godot_find_history_of_text(store, &store->by_path, owner, path), UINT32_MAX));
    }
}

godot_path *godot_session_path(const godot_message *message, godot_party owner, uint32_t id)
{
    const godot_session *session = message->session;
    godot_path *path =
        godot_history_around(godot_find_history(session->store, &session->paths, owner, id), message->number);
    if (!path || (path->number > message->number && godot_session_is_garbled(message))) {
        return NULL; /* a stream has the announcement before what uses it: this may be no id */
    }
    const godot_moment found = {path->number, path->frame};
    return godot_session_excludes_earlier(message, owner, found) ? path : NULL;
}

godot_path *godot_session_path_by_name(const godot_message *message, godot_party owner, const char *path)
{
    const godot_session *session = message->session;
    return godot_history_around(godot_find_history_of_text(session->store, &session->by_owner, owner, path),
                                message->number);
}

const godot_path *godot_session_announced_to(const godot_message *message, const godot_path *path,
                                             godot_party receiver)
{
    const godot_session *session = message->session;
    if (path->cut) {
        return path->number < message->number ? path : NULL;
    }
    const godot_history *past = godot_find_history_of_text(session->store, &session->by_name, 0, path->path);
    const godot_path *entry = godot_history_at(past, message->number);
    for (int i = 0; entry && i < MAX_CONFIRMATIONS; entry = entry->same_path, i++) {
        bool to = entry->receiver == receiver || entry->receiver == 0; /* 0: adopted */
        if (to && entry->owner == path->owner && entry->id == path->id) {
            return entry;
        }
    }
    return entry ? path : NULL; /* of too many it is not searched */
}

/* --- confirmations ------------------------------------------------------------------------------- */

void godot_session_learn_confirmation(const godot_message *message, godot_path *path, godot_party receiver,
                                      bool valid)
{
    godot_session *session = message->session;
    if (!godot_store_may_keep(session->store, 0)) {
        return;
    }
    godot_confirmation *confirmation = allocate_zeroed(&session->store->memory, sizeof *confirmation);
    confirmation->receiver = receiver;
    confirmation->valid = valid;
    confirmation->number = message->number;
    confirmation->frame = message->frame;
    confirmation->next = path->confirmations;
    path->confirmations = confirmation;
    const godot_path *announced = godot_session_announced_to(message, path, receiver);
    if (!announced || announced->receiver == 0) { /* an adopted one was sent to another peer */
        return;
    }
    int64_t took = session->last[godot_end_index(godot_sending_end(message))] - announced->time;
    session->quickest = session->slowest > 0 && session->quickest < took ? session->quickest : took;
    session->slowest = session->slowest > took ? session->slowest : took;
}

static const godot_confirmation *confirmation_by(const godot_path *path, godot_party receiver,
                                                 uint32_t number)
{
    const godot_confirmation *confirmation = path->confirmations;
    for (int i = 0; confirmation && i < MAX_CONFIRMATIONS; confirmation = confirmation->next, i++) {
        if (confirmation->receiver == receiver && confirmation->number <= number) {
            return confirmation;
        }
    }
    return NULL;
}

const godot_confirmation *godot_session_confirmation(const godot_message *message, const godot_path *path,
                                                     godot_party receiver)
{
    return confirmation_by(path, receiver, message->number);
}

/* The latest entry of the same path, which has the confirmations of all earlier ones. */
static const godot_path *latest_entry(const godot_session *session, const godot_path *path)
{
    const godot_history *past = godot_find_history(session->store, &session->paths, path->owner, path->id);
    const godot_path *latest = godot_history_at(past, UINT32_MAX);
    return latest && may_be_same(latest, path->path, path->cut) ? latest : path;
}

bool godot_session_is_ever_confirmed(const godot_session *session, const godot_path *path,
                                     godot_party receiver)
{
    return confirmation_by(latest_entry(session, path), receiver, UINT32_MAX) != NULL;
}

uint32_t godot_session_confirmed_in(const godot_session *session, const godot_path *path,
                                    godot_party receiver)
{
    const godot_confirmation *confirmation = latest_entry(session, path)->confirmations;
    uint32_t frame = 0;
    for (int i = 0; confirmation && i < MAX_CONFIRMATIONS; confirmation = confirmation->next, i++) {
        if (confirmation->receiver == receiver && confirmation->number > path->number) {
            frame = confirmation->frame;
        }
    }
    return frame;
}

const godot_path *godot_session_disagreement(const godot_message *message, const godot_path *path)
{
    const godot_session *session = message->session;
    const godot_history *past =
        path->cut ? NULL : godot_find_history_of_text(session->store, &session->by_name, 0, path->path);
    const godot_path *entry = godot_history_at(past, message->number);
    for (int i = 0; entry && i < MAX_SAME_PATH; entry = entry->same_path, i++) {
        if (entry->owner != path->owner) {
            return strcmp(entry->checksum, path->checksum) != 0 ? entry : NULL;
        }
    }
    return NULL;
}

void godot_session_learn_use(const godot_message *message, godot_path *path, godot_party receiver)
{
    if (path->used_by == 0 && path->receiver == receiver && path->number < message->number) {
        path->used_by = message->number;
    }
}

/* --- delivery ------------------------------------------------------------------------------------ */

/* The announcement as the server passes it on to `receiver`, another client, if the capture has that client's
 * connection. */
static const godot_path *passed_on(const godot_message *message, const godot_path *path,
                                   const godot_session *other)
{
    int32_t owner = godot_session_peer_id(message, path->owner);
    const godot_path *copy =
        godot_history_at(godot_find_history(other->store, &other->paths, owner, path->id), UINT32_MAX);
    bool is = copy && copy->receiver < 0 && copy->frame >= path->frame && strcmp(copy->path, path->path) == 0;
    return is ? copy : NULL;
}

godot_delivered godot_session_delivered(const godot_message *message, const godot_path *path,
                                        godot_party receiver, int64_t *since)
{
    const godot_session *session = message->session;
    if (receiver > 0) {
        session = godot_session_of_client(message, receiver);
        path = session ? passed_on(message, path, session) : NULL;
        if (session && !path) {
            return GODOT_NOT_DELIVERED;
        }
    }
    if (!session || !session->transport_delivered || !path->sent) {
        return GODOT_DELIVERY_NOT_KNOWN;
    }
    return session->transport_delivered(session, path, since) ? GODOT_DELIVERED : GODOT_NOT_DELIVERED;
}

/* --- nodes that a receiver has ------------------------------------------------------------------- */

/* The latest announcements of the path to `party`, up to one that it has been shown to have. */
static void show_node(const godot_message *message, godot_party party, const char *path, uint32_t since)
{
    const godot_session *session = message->session;
    const godot_history *past = godot_find_history_of_text(session->store, &session->by_name, 0, path);
    godot_path *entry = godot_history_at(past, message->number);
    for (int i = 0; entry && i < MAX_SAME_PATH; entry = entry->same_path, i++) {
        if (entry->receiver != party) {
            continue;
        }
        if (entry->shown_in) {
            break;
        }
        entry->shown_in = message->frame;
        entry->shown_time = message->time;
        entry->shown_by = since;
    }
}

void godot_session_learn_has_node(const godot_message *message, godot_party party, const char *path,
                                  uint32_t since)
{
    char above[GODOT_MAX_PATH];
    size_t length = strlen(path);
    if (length >= sizeof above) {
        return;
    }
    memcpy(above, path, length + 1);
    for (int i = 0; i <= MAX_LEVELS_ABOVE; i++) {
        show_node(message, party, above, since);
        char *slash = strrchr(above, '/');
        if (!slash) {
            break;
        }
        *slash = 0;
    }
}
