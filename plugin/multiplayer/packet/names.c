/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/packet/names.h"

#include "base/allocators.h"

static wmem_map_t *nodes;     /* recording and path -> history of godot_node_names */
static wmem_map_t *scenes;    /* recording and scene -> history of godot_scene_names */
static wmem_map_t *checksums; /* checksum -> the first godot_node_names that has it */

void godot_names_init(void)
{
    nodes = file_map(wmem_str_hash, g_str_equal);
    scenes = file_map(wmem_str_hash, g_str_equal);
    checksums = file_map(wmem_str_hash, g_str_equal);
}

/* --- records ------------------------------------------------------------------------------------- */

static char *make_key(wmem_allocator_t *scope, uint32_t recording, const char *name)
{
    return wmem_strdup_printf(scope, "%08x %s", recording, name);
}

static void record(wmem_map_t *map, const packet_info *pinfo, uint32_t recording, const char *name,
                   const void *value)
{
    char *key = make_key(wmem_file_scope(), recording, name);
    wmem_tree_t *history = wmem_map_lookup(map, key);
    if (!history) {
        history = wmem_tree_new(wmem_file_scope());
        wmem_map_insert(map, key, history);
    }
    wmem_tree_insert32(history, frame_order(pinfo), (void *)value);
}

static const void *recorded(wmem_map_t *map, const godot_packet *packet, const char *name)
{
    uint32_t recording = packet->message->session->recording;
    if (recording == 0) {
        return NULL;
    }
    char *key = make_key(NULL, recording, name);
    wmem_tree_t *history = wmem_map_lookup(map, key);
    wmem_free(NULL, key);
    return history ? wmem_tree_lookup32_le(history, frame_order(packet->pinfo)) : NULL;
}

void godot_names_learn_node(packet_info *pinfo, uint32_t recording, godot_node_names *node)
{
    rpc_list *list = &node->list;
    node->frame = frame_order(pinfo);
    list->label = *node->script ? node->script : node->path;
    list->node_names = node->node_methods.names;
    list->node_count = node->node_methods.count;
    list->names = node->methods.names;
    list->count = node->methods.count;
    list->signatures = node->signatures;
    rpc_checksum(list->node_names, list->node_count, list->names, list->count, list->checksum);
    record(nodes, pinfo, recording, node->path, node);
    if (list->node_count + list->count > 0 && !wmem_map_contains(checksums, list->checksum)) {
        wmem_map_insert(checksums, list->checksum, node);
    }
}

void godot_names_learn_scene(packet_info *pinfo, uint32_t recording, const godot_scene_names *scene)
{
    record(scenes, pinfo, recording, scene->scene, scene);
}

const godot_node_names *godot_names_of_node(const godot_packet *packet, const char *path)
{
    return (const godot_node_names *)recorded(nodes, packet, path);
}

/* --- methods ------------------------------------------------------------------------------------- */

/* The checksum identifies the list, so a list of any recording can be used. */
static const rpc_list *recorded_list(const godot_packet *packet, const char *checksum)
{
    const godot_node_names *node = wmem_map_lookup(checksums, checksum);
    return node && node->frame <= frame_order(packet->pinfo) ? &node->list : NULL;
}

const char *godot_names_method(const godot_packet *packet, const char *checksum, uint16_t method)
{
    const char *name = godot_project_method(checksum, method);
    const rpc_list *list = name ? NULL : recorded_list(packet, checksum);
    return list ? rpc_list_method(list, method) : name;
}

rpc_signature godot_names_signature(const godot_packet *packet, const char *checksum, uint16_t method)
{
    rpc_signature signature = godot_project_signature(checksum, method);
    const rpc_list *list = recorded_list(packet, checksum);
    if (list && signature.mode == RPC_MODE_UNKNOWN) {
        signature.mode = rpc_list_signature(list, method).mode;
    }
    return signature;
}

const rpc_list *godot_names_list(const godot_packet *packet, const char *checksum, const rpc_list *previous)
{
    const rpc_list *own = recorded_list(packet, checksum);
    if (previous && previous == own) {
        return NULL;
    }
    const rpc_list *list = godot_project_list(checksum, previous);
    return list || previous ? list : own;
}

const char *const *godot_names_scripts(const godot_packet *packet, const godot_place *place)
{
    const char **scripts = wmem_alloc0_array(packet->pinfo->pool, const char *, 2 + MAX_SCRIPTS);
    const rpc_list *list = *place->checksum ? godot_names_list(packet, place->checksum, NULL) : NULL;
    scripts[0] = list ? list->label : NULL;
    for (uint32_t i = 0; list && i < list->other_count && i < MAX_SCRIPTS; i++) {
        scripts[1 + i] = list->others[i];
    }
    return scripts;
}

/* --- replication --------------------------------------------------------------------------------- */

const char *godot_names_spawned(const godot_packet *packet, const char *spawner, uint32_t index)
{
    const godot_node_names *node = godot_names_of_node(packet, spawner);
    if (node) {
        return node->spawn_parent && index < node->scenes.count ? node->scenes.names[index] : NULL;
    }
    return godot_project_spawned(spawner, index);
}

bool godot_names_spawn_parent(const godot_packet *packet, const char *spawner, char parent[SCENE_MAX_PATH])
{
    const godot_node_names *node = godot_names_of_node(packet, spawner);
    if (node) {
        return node->spawn_parent && g_strlcpy(parent, node->spawn_parent, SCENE_MAX_PATH) < SCENE_MAX_PATH;
    }
    return godot_project_spawn_parent(spawner, parent);
}

static uint32_t copy_names(const godot_synchronizer_names *synchronizer, scene_list which, const char **names,
                           uint32_t room)
{
    const godot_name_list *list = &synchronizer->lists[which];
    for (uint32_t i = 0; i < list->count && i < room; i++) {
        names[i] = list->names[i];
    }
    return list->count;
}

static const godot_scene_names *recorded_scene(const godot_packet *packet, const char *scene)
{
    return (const godot_scene_names *)recorded(scenes, packet, scene);
}

bool godot_names_has_scene(const godot_packet *packet, const char *scene)
{
    return recorded_scene(packet, scene) != NULL;
}

/* As in the project: either all of them are announced, or the one with this number of values. */
uint32_t godot_names_announced(const godot_packet *packet, const char *scene, scene_announcement announcement)
{
    const godot_scene_names *known = recorded_scene(packet, scene);
    uint32_t sum = 0, found = SCENE_UNKNOWN;
    if (!known) {
        return godot_project_announced(scene, announcement);
    }
    for (uint32_t i = 0; i < known->count; i++) {
        uint32_t own = known->synchronizers[i].lists[SCENE_SPAWN].count;
        sum += own;
        if (own == announcement.values) {
            found = found == SCENE_UNKNOWN ? i : SCENE_UNKNOWN - 1; /* ambiguous */
        }
    }
    if (announcement.count == known->count) {
        return sum == announcement.values ? 0 : SCENE_UNKNOWN;
    }
    return announcement.count == 1 && found < known->count ? found : SCENE_UNKNOWN;
}

uint32_t godot_names_properties(const godot_packet *packet, const char *path, scene_list list,
                                scene_counts counts, const char **names, uint32_t room)
{
    const godot_node_names *node = godot_names_of_node(packet, path);
    if (node) {
        return node->synchronizer ? copy_names(node->synchronizer, list, names, room) : 0;
    }
    return godot_project_properties(path, list, counts, names, room);
}

uint32_t godot_names_spawned_properties(const godot_packet *packet, const char *scene,
                                        scene_announcement announcement, uint32_t number, scene_list list,
                                        const char **names, uint32_t room)
{
    const godot_scene_names *known = recorded_scene(packet, scene);
    if (known) {
        return number < known->count ? copy_names(&known->synchronizers[number], list, names, room) : 0;
    }
    return godot_project_spawned_properties(scene, announcement, number, list, names, room);
}

const char *godot_names_spawned_synchronizer(const godot_packet *packet, const char *scene,
                                             scene_announcement announcement, uint32_t number)
{
    const godot_scene_names *known = recorded_scene(packet, scene);
    if (known) {
        return number < known->count ? known->synchronizers[number].path : NULL;
    }
    return godot_project_spawned_synchronizer(scene, announcement, number);
}

uint32_t godot_names_inner_properties(const godot_packet *packet, const char *scene, const char *path,
                                      scene_list list, scene_counts counts, const char **names, uint32_t room)
{
    const godot_scene_names *known = recorded_scene(packet, scene);
    for (uint32_t i = 0; known && i < known->count; i++) {
        if (strcmp(known->synchronizers[i].path, path) == 0) {
            return copy_names(&known->synchronizers[i], list, names, room);
        }
    }
    return known ? SCENE_UNKNOWN : godot_project_inner_properties(scene, path, list, counts, names, room);
}
