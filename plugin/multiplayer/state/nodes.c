/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/state/nodes.h"

void godot_session_learn_node(const godot_message *message, godot_party owner, uint32_t net_id,
                              godot_node node)
{
    if (!godot_session_may_remember(0)) {
        return;
    }
    node.number = message->number;
    node.frame = message->frame;
    godot_history_add(godot_history_of(&message->session->nodes, owner, net_id), message->number,
                      wmem_memdup(wmem_file_scope(), &node, sizeof node));
}

const godot_node *godot_session_node(const godot_message *message, godot_party owner, uint32_t id, bool gone)
{
    const godot_history *past = godot_find_history(&message->session->nodes, owner, id);
    const godot_node *node = godot_history_around(past, message->number);
    return node && node->gone == gone ? node : NULL;
}

void godot_session_learn_state(const godot_message *message, godot_party owner, uint32_t id, uint32_t values)
{
    if (values > 0 && godot_session_state(message, owner, id) != values && godot_session_may_remember(0)) {
        godot_history_add(godot_history_of(&message->session->states, owner, id), message->number,
                          GUINT_TO_POINTER(values));
    }
}

uint32_t godot_session_state(const godot_message *message, godot_party owner, uint32_t id)
{
    const godot_history *past = godot_find_history(&message->session->states, owner, id);
    return GPOINTER_TO_UINT(godot_history_around(past, message->number));
}

void godot_session_learn_scene(const godot_message *message, const char *path, const char *scene)
{
    wmem_map_t *scenes = message->session->scenes;
    if ((!scene && !wmem_map_lookup(scenes, path)) || !godot_session_may_remember(0) ||
        !(path = godot_session_keep_text(path))) {
        return;
    }
    godot_history_add(godot_history_of_path(scenes, path), message->number,
                      (void *)(scene ? godot_session_keep_text(scene) : NULL));
}

godot_pending_spawn **godot_session_pending_spawns(const godot_message *message, godot_party owner,
                                                   uint32_t spawner, bool create)
{
    wmem_map_t *pending = message->session->pending;
    godot_key key = {owner, spawner};
    godot_pending_spawn **list = wmem_map_lookup(pending, &key);
    if (!list && create && godot_session_may_remember(0)) {
        list = wmem_new0(wmem_file_scope(), godot_pending_spawn *);
        wmem_map_insert(pending, wmem_memdup(wmem_file_scope(), &key, sizeof key), list);
    }
    return list;
}

typedef struct {
    godot_party owner;
    uint32_t frame;
} despawn_record;

void godot_session_learn_despawn(const godot_message *message, godot_party owner, const char *path, bool gone)
{
    wmem_map_t *despawned = message->session->despawned;
    if ((!gone && !wmem_map_lookup(despawned, path)) || !godot_session_may_remember(0) ||
        !(path = godot_session_keep_text(path))) {
        return;
    }
    despawn_record *entry = NULL;
    if (gone) {
        entry = wmem_new(wmem_file_scope(), despawn_record);
        *entry = (despawn_record){owner, message->frame};
    }
    godot_history_add(godot_history_of_path(despawned, path), message->number, entry);
}

uint32_t godot_session_despawned(const godot_message *message, godot_party owner, const char *path)
{
    const despawn_record *entry = NULL;
    if (wmem_map_size(message->session->despawned) == 0) {
        return 0;
    }
    char *above = wmem_strdup(NULL, path), *slash = NULL;
    for (int i = 0; !entry && i < MAX_LEVELS_ABOVE; i++) {
        entry = godot_history_at(wmem_map_lookup(message->session->despawned, above), message->number);
        slash = strrchr(above, '/');
        if (!slash) {
            break;
        }
        *slash = 0;
    }
    wmem_free(NULL, above);
    return entry && entry->owner == owner ? entry->frame : 0;
}

const char *godot_session_scene_above(const godot_message *message, const char *path, const char **inside)
{
    const char *scene = NULL;
    if (wmem_map_size(message->session->scenes) == 0) {
        return NULL;
    }
    char *above = wmem_strdup(NULL, path), *slash;
    for (int i = 0; !scene && i < MAX_LEVELS_ABOVE && (slash = strrchr(above, '/')) != NULL; i++) {
        *slash = 0;
        *inside = path + (slash + 1 - above);
        scene = godot_history_at(wmem_map_lookup(message->session->scenes, above), message->number);
    }
    wmem_free(NULL, above);
    return scene;
}
