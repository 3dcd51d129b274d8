/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/session/nodes.h"

#include <string.h>

void godot_session_learn_node(const godot_message *message, godot_party owner, uint32_t net_id,
                              godot_node node)
{
    godot_session *session = message->session;
    godot_store *store = session->store;
    if (!godot_store_may_keep(store, 0)) {
        return;
    }
    node.number = message->number;
    node.frame = message->frame;
    godot_node *kept = allocate_zeroed(&store->memory, sizeof node);
    *kept = node;
    godot_history_add(store, &session->nodes, owner, net_id, message->number, kept);
}

const godot_node *godot_session_node(const godot_message *message, godot_party owner, uint32_t id, bool gone)
{
    const godot_session *session = message->session;
    const godot_node *node =
        godot_history_around(godot_find_history(session->store, &session->nodes, owner, id), message->number);
    if (!node || node->gone != gone) {
        return NULL;
    }
    const godot_moment found = {node->number, node->frame};
    return godot_session_excludes_earlier(message, owner, found) ? node : NULL;
}

void godot_session_learn_state(const godot_message *message, godot_party owner, uint32_t id, uint32_t values)
{
    godot_session *session = message->session;
    if (values > 0 && godot_session_state(message, owner, id) != values &&
        godot_store_may_keep(session->store, 0)) {
        godot_history_add(session->store, &session->states, owner, id, message->number,
                          (void *)(uintptr_t)values);
    }
}

uint32_t godot_session_state(const godot_message *message, godot_party owner, uint32_t id)
{
    const godot_session *session = message->session;
    const godot_history *past = godot_find_history(session->store, &session->states, owner, id);
    return (uint32_t)(uintptr_t)godot_history_around(past, message->number);
}

godot_pending_spawns *godot_session_pending_spawns(const godot_message *message, godot_party owner,
                                                   uint32_t spawner, bool create)
{
    godot_session *session = message->session;
    godot_store *store = session->store;
    const godot_history *past = godot_find_history(store, &session->pending, owner, spawner);
    if (!past && create && godot_store_may_keep(store, 0)) {
        godot_pending_spawns *list = allocate_zeroed(&store->memory, sizeof *list);
        godot_history_add(store, &session->pending, owner, spawner, message->number, list);
        return list;
    }
    return godot_history_at(past, UINT32_MAX);
}

/* --- facts by path ------------------------------------------------------------------------------- */

/* Keeps a fact about the node at `path`; NULL is only kept if there is another one before. */
static void learn_of_path(const godot_message *message, godot_histories *facts, const char *path, void *fact)
{
    godot_store *store = message->session->store;
    if ((fact || godot_find_history_of_text(store, facts, 0, path)) && godot_store_may_keep(store, 0) &&
        (path = godot_store_text(store, path))) {
        godot_history_add_text(store, facts, 0, path, message->number, fact);
    }
}

/* The fact about the node at `path` or (`above`) only about those above it: about the first that has one.
 * `*inside` (may be NULL) becomes the part of `path` below that node. */
static const void *fact_of_path(const godot_message *message, const godot_histories *facts, const char *path,
                                bool above, const char **inside)
{
    const godot_store *store = message->session->store;
    char prefix[GODOT_MAX_PATH];
    size_t length = strlen(path);
    if (facts->newest.count == 0 || length >= sizeof prefix) {
        return NULL;
    }
    memcpy(prefix, path, length + 1);
    for (int i = 0; i < MAX_LEVELS_ABOVE; i++) {
        if (i > 0 || above) {
            char *slash = strrchr(prefix, '/');
            if (!slash) {
                return NULL;
            }
            *slash = 0;
            if (inside) {
                *inside = path + (slash + 1 - prefix);
            }
        }
        const void *fact =
            godot_history_at(godot_find_history_of_text(store, facts, 0, prefix), message->number);
        if (fact) {
            return fact;
        }
    }
    return NULL;
}

void godot_session_learn_scene(const godot_message *message, const char *path, const char *scene)
{
    const char *kept = scene ? godot_store_text(message->session->store, scene) : NULL;
    learn_of_path(message, &message->session->scenes, path, (void *)(uintptr_t)kept);
}

const char *godot_session_scene_above(const godot_message *message, const char *path, const char **inside)
{
    return fact_of_path(message, &message->session->scenes, path, true, inside);
}

typedef struct {
    godot_party owner;
    uint32_t number, frame;
} despawn_record;

void godot_session_learn_despawn(const godot_message *message, godot_party owner, const char *path, bool gone)
{
    godot_store *store = message->session->store;
    despawn_record *entry = NULL;
    if (gone) {
        entry = allocate_zeroed(&store->memory, sizeof *entry);
        *entry = (despawn_record){owner, message->number, message->frame};
    }
    learn_of_path(message, &message->session->despawned, path, entry);
}

uint32_t godot_session_despawned(const godot_message *message, godot_party owner, const char *path,
                                 uint32_t *number)
{
    const despawn_record *entry = fact_of_path(message, &message->session->despawned, path, false, NULL);
    if (!entry || entry->owner != owner) {
        return 0;
    }
    *number = entry->number;
    return entry->frame;
}
