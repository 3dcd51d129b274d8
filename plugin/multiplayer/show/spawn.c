/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/show/spawn.h"

#include "base/bytes.h"
#include "multiplayer/packet/names.h"
#include "multiplayer/session/nodes.h"
#include "multiplayer/show/path-cache.h"

#include <wsutil/str_util.h>

/* Data of a SPAWN about the spawned node. */
typedef struct {
    const char *name;
    uint32_t spawner; /* path id */
    uint8_t scene;    /* number in the spawner's list */
    uint32_t net_id;
    uint32_t sync_count; /* as announced */
    uint32_t known_ids;  /* number of these in the packet */
    const uint32_t *sync_ids;
    uint32_t values;      /* that it is spawned with */
    const uint8_t *types; /* of these, if they are known */
    bool ordered;         /* the synchronizers are in the order of the scene */
} spawn_facts;

/* The same with names from the path cache and the project. */
typedef struct {
    const spawn_facts *facts;
    const char *spawner; /* its path, NULL if it is not known */
    const char *parent;  /* path of the node that gets it, NULL if that is not certain */
    const char *path;    /* of the node; without `parent` "Main/Spawner/?/P1203" */
    const char *scene;   /* "res://player.tscn", NULL if that is not certain */
    /* The key for the names of its synchronizers: the scene or, if it was made by a spawn function and
     * recorded, its own path. NULL: they are not known. */
    const char *named;
    uint32_t synchronizers; /* number of the first in there, SCENE_UNKNOWN if that is not certain */
    bool assumed;           /* `named` is the scene that fits */
    bool several;           /* there are more, with the same properties */
} spawned_node;

/* A spawned node whose spawner's path is not known yet. */
typedef struct godot_pending_spawn {
    godot_message message;
    godot_party owner;
    spawn_facts facts;
    struct godot_pending_spawn *next; /* NULL: the last one */
} godot_pending_spawn;

static scene_announcement announcement_of(const spawn_facts *facts)
{
    return (scene_announcement){facts->sync_count, facts->values};
}

static void learn_spawn(const godot_message *message, godot_party owner, const spawned_node *spawned)
{
    const spawn_facts *facts = spawned->facts;
    godot_node node = {.path = godot_store_text(godot_state_store(), spawned->path)};
    if (godot_store_is_full(godot_state_store())) {
        return;
    }
    godot_session_learn_node(message, owner, facts->net_id, node);
    if (spawned->parent) {
        godot_session_learn_despawn(message, owner, spawned->path, false);
        godot_session_learn_scene(message, spawned->path, spawned->scene);
    }
    if (spawned->synchronizers != SCENE_UNKNOWN) {
        node.scene = spawned->named ? godot_store_text(godot_state_store(), spawned->named) : NULL;
        node.announcement = announcement_of(facts);
    }
    for (uint32_t i = 0; i < facts->known_ids; i++) {
        node.synchronizer = spawned->synchronizers + i;
        godot_session_learn_node(message, owner, facts->sync_ids[i], node);
    }
}

/* Keeps a spawned node until the spawner's path is announced. */
static void wait_for_spawner(const godot_packet *packet, const spawn_facts *facts)
{
    godot_pending_spawns *list =
        godot_session_pending_spawns(packet->message, packet->from, facts->spawner, true);
    const char *name = godot_store_text(godot_state_store(), facts->name);
    if (!list || !name ||
        !godot_store_may_keep(godot_state_store(),
                              facts->known_ids * sizeof *facts->sync_ids + facts->values)) {
        return;
    }
    godot_pending_spawn *pending = wmem_new(wmem_file_scope(), godot_pending_spawn);
    *pending = (godot_pending_spawn){*packet->message, packet->from, *facts, list->first};
    pending->facts.name = name;
    pending->facts.sync_ids =
        wmem_memdup(wmem_file_scope(), facts->sync_ids, facts->known_ids * sizeof *facts->sync_ids);
    if (facts->types) {
        pending->facts.types = wmem_memdup(wmem_file_scope(), facts->types, facts->values);
    }
    list->first = pending;
}

static void add_sync_ids(const godot_packet *packet, const multiplayer_v4_spawn *spawn)
{
    uint32_t count = spawn->sync_ids_length / 4;
    if (count == 0) {
        return;
    }
    proto_item *item = proto_tree_add_none_format(packet->encoding, hf_godot_spawn_sync_ids, packet->tvb,
                                                  spawn->sync_ids_offset, spawn->sync_ids_length,
                                                  "Synchronizers (%u)", count);
    proto_tree *tree = proto_item_add_subtree(item, ett_godot_ids);
    for (uint32_t i = 0; i < count && i < MAX_SYNC_IDS; i++) {
        proto_tree_add_item(tree, hf_godot_spawn_sync_id, packet->tvb, spawn->sync_ids_offset + 4 * i, 4,
                            ENC_LITTLE_ENDIAN);
    }
    if (count > MAX_SYNC_IDS) {
        expert_add_info_format(packet->pinfo, item, &ei_godot_capped, "Only %u synchronizers are shown",
                               MAX_SYNC_IDS);
    }
}

/* Number of values that can be read. `types` (NULL, or MAX_VALUES elements) gets their Variant.Type, which is
 * in the low bits of their first byte. */
static uint32_t read_types(const godot_packet *packet, uint32_t offset, uint32_t length, uint8_t *types)
{
    enum { TYPE_BITS = 0x3f };
    variant_options options = {.dialect = VARIANT_GODOT4, .compact = true};
    uint32_t count = 0;
    while (length > 0 && count < MAX_VALUES) {
        uint32_t used = variant_skip(packet->bytes + offset, length, options, NULL);
        if (used == 0) {
            break;
        }
        if (types) {
            types[count] = packet->bytes[offset] & TYPE_BITS;
        }
        offset += used;
        length -= used;
        count++;
    }
    return count;
}

uint32_t godot_count_values(const godot_packet *packet, uint32_t offset, uint32_t length)
{
    return read_types(packet, offset, length, NULL);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Names of the values of a spawn state: those of one synchronizer after the other. */
static uint32_t name_state(const godot_packet *packet, const spawned_node *spawned, const char **names,
                           uint32_t room)
{
    uint32_t count = 0;
    if (spawned->synchronizers == SCENE_UNKNOWN) {
        return 0;
    }
    scene_shown_synchronizer one = {.at.scene = spawned->named,
                                    .list = SCENE_SPAWN,
                                    .announcement = announcement_of(spawned->facts),
                                    .number = spawned->synchronizers};
    for (uint32_t i = 0; i < spawned->facts->sync_count && count < room; i++, one.number++) {
        const char *inside;
        const scene_name_list own = godot_names_properties(packet, &one, &inside);
        if (own.count != SCENE_UNKNOWN && own.count > room - count) {
            return 0;
        }
        for (uint32_t j = 0; own.count != SCENE_UNKNOWN && j < own.count; j++) {
            names[count++] = own.names[j];
        }
    }
    return count;
}

static void add_spawn_state(godot_packet *packet, const multiplayer_v4_spawn *spawn,
                            const spawned_node *spawned)
{
    const char *names[MAX_STATE_NAMES];
    godot_values state = {.offset = spawn->state_offset,
                          .length = spawn->state_length,
                          .expected = UINT32_MAX,
                          .label = "Property ",
                          .names = names,
                          .name_count = name_state(packet, spawned, names, array_length(names)),
                          .properties = true,
                          .place = &godot_place_property,
                          .node = spawned->path,
                          .spawned = true,
                          .options = {.dialect = VARIANT_GODOT4, .compact = true}};
    proto_item *item = proto_tree_add_item(packet->tree, hf_godot_spawn_state, packet->tvb,
                                           spawn->state_offset, spawn->state_length, ENC_NA);
    proto_tree *tree = proto_item_add_subtree(item, ett_godot_state);
    uint32_t count = godot_add_values(packet, tree, &state, MULTIPLAYER_DROPPED);
    proto_item_append_text(item, " (%u %s)", count, plurality(count, "value", "values"));
}

static void add_spawn_argument(godot_packet *packet, const multiplayer_v4_spawn *spawn, const char *spawner)
{
    if (!spawn->argument_size_offset) {
        return;
    }
    const godot_place place = {.table = GODOT_SPAWN, .argument = -1, .node = spawner};
    godot_add_number(packet, hf_godot_spawn_argument_length, spawn->argument_size_offset, 4);
    godot_values argument = {.offset = spawn->argument_offset,
                             .length = spawn->argument_length,
                             .expected = 1,
                             .label = "Spawn argument ",
                             .arguments = true,
                             .place = &place,
                             .options = {.dialect = VARIANT_GODOT4, .compact = true}};
    godot_add_values(packet, packet->tree, &argument, MULTIPLAYER_DROPPED);
}

/* The scene of a node from a spawn function is assumed to be the one of the project that fits, if there is
 * one. */
static void assume_scene(spawned_node *node, const scene_shown_node *spawner)
{
    const spawn_facts *facts = node->facts;
    const scene_spawned_values values = {facts->types, facts->values};
    const game *g = godot_project_with_scenes();
    const char *scene =
        g ? scene_project_fitting(g->scenes, spawner, facts->sync_count, &values, &node->several) : NULL;
    if (scene) {
        node->assumed = true;
        node->named = scene;
        node->scene = node->several ? NULL : scene;
        node->synchronizers = 0; /* all of its synchronizers are announced */
    }
}

/* The scene in the project's list of the spawner; NULL: not certain, or the node cannot be of that scene, so
 * that the project is not that of the capture. */
static const char *listed_scene(const godot_packet *packet, const scene_shown_node *spawner,
                                const spawn_facts *facts)
{
    const scene_spawned_values values = {facts->types, facts->values};
    const char *scene = godot_names_spawned(packet, spawner, facts->scene);
    const game *g = facts->types && !packet->recorded ? godot_project_with_scenes() : NULL;
    if (scene && g && scene_project_contradicts(g->scenes, scene, facts->sync_count, &values)) {
        godot_names_contradict(packet, spawner->path);
        return NULL;
    }
    return scene;
}

/* Names that are not on the wire: the parent is the node in the spawner's spawn_path, and the scene is an
 * index in the spawner's list. `packet`: for the recording whose names are used, and for the memory scope. */
static spawned_node look_up_spawned(const godot_packet *packet, const spawn_facts *facts, const char *spawner)
{
    const scene_shown_node at = godot_names_shown(packet, spawner);
    spawned_node node = {.facts = facts, .spawner = spawner, .synchronizers = SCENE_UNKNOWN};
    const scene_announcement announcement = announcement_of(facts);
    node.parent = spawner ? godot_names_spawn_parent(packet, &at) : NULL;
    if (node.parent) {
        node.path = wmem_strdup_printf(packet->pinfo->pool, "%s/%s", node.parent, facts->name);
    } else if (spawner) {
        node.path = wmem_strdup_printf(packet->pinfo->pool, "%s/?/%s", spawner, facts->name);
    } else {
        node.path = wmem_strdup_printf(packet->pinfo->pool, "node %u/?/%s", facts->spawner, facts->name);
    }
    if (spawner && facts->scene != MULTIPLAYER_V4_CUSTOM_SCENE) {
        node.scene = listed_scene(packet, &at, facts);
    }
    node.named = node.scene;
    if (node.named && facts->ordered) {
        node.synchronizers = godot_names_announced(packet, node.named, announcement);
    }
    /* A recorder describes the node itself where a spawn function has made it, and where one of several
     * synchronizers is announced. The receiver can do so only when the node is there, after this packet. */
    bool custom = facts->scene == MULTIPLAYER_V4_CUSTOM_SCENE;
    if (custom && spawner && facts->types && !packet->recorded) {
        assume_scene(&node, &at);
    }
    if (packet->recorded && node.parent && facts->ordered && (custom || facts->sync_count == 1) &&
        node.synchronizers == SCENE_UNKNOWN) {
        node.named = node.path;
        node.synchronizers = godot_names_has_scene(packet, node.path)
                                 ? godot_names_announced(packet, node.path, announcement)
                                 : 0;
    }
    return node;
}

void godot_resolve_spawns(const godot_packet *packet, uint32_t spawner)
{
    const godot_path *path = godot_session_path(packet->message, packet->from, spawner);
    godot_pending_spawns *list =
        path ? godot_session_pending_spawns(packet->message, packet->from, spawner, false) : NULL;
    for (godot_pending_spawn *pending = list ? list->first : NULL; pending; pending = pending->next) {
        spawned_node node = look_up_spawned(packet, &pending->facts, path->path);
        learn_spawn(&pending->message, pending->owner, &node);
    }
    if (list) {
        list->first = NULL;
    }
}

static spawn_facts facts_of(const godot_packet *packet, const multiplayer_v4_spawn *spawn)
{
    spawn_facts facts = {.name = godot_text_at(packet, spawn->name),
                         .spawner = spawn->spawner,
                         .scene = spawn->scene,
                         .net_id = spawn->net_id,
                         .sync_count = spawn->sync_count,
                         .known_ids = spawn->sync_ids_length / 4};
    uint32_t *ids = wmem_alloc_array(packet->pinfo->pool, uint32_t, facts.known_ids + 1);
    for (uint32_t i = 0; i < facts.known_ids; i++) {
        ids[i] = le32(packet->bytes + spawn->sync_ids_offset + 4 * i);
    }
    facts.sync_ids = ids;
    /* Only a server's synchronizers are certain to be its own since they exist; a change of authority changes
     * their order. */
    facts.ordered =
        !packet->cut && (spawn->sync_count == 1 || godot_session_peer_id(packet->message, packet->from) == 1);
    if (facts.ordered && (godot_project_available() || packet->recorded)) {
        uint8_t *types = wmem_alloc_array(packet->pinfo->pool, uint8_t, MAX_VALUES);
        facts.values = read_types(packet, spawn->state_offset, spawn->state_length, types);
        facts.types = types;
    }
    return facts;
}

static void append_spawn_info(const godot_packet *packet, const spawned_node *node)
{
    const spawn_facts *facts = node->facts;
    wmem_strbuf_append_printf(packet->info, "spawn %s ", facts->name);
    if (facts->scene == MULTIPLAYER_V4_CUSTOM_SCENE) {
        wmem_strbuf_append(packet->info, "(custom) ");
    } else if (node->scene) {
        wmem_strbuf_append_printf(packet->info, "(%s) ", base_name(node->scene));
    } else {
        wmem_strbuf_append_printf(packet->info, "(scene %u) ", facts->scene);
    }
    if (node->parent) {
        wmem_strbuf_append_printf(packet->info, "in %s", node->parent);
    } else if (node->spawner) {
        wmem_strbuf_append_printf(packet->info, "by %s", node->spawner);
    } else {
        wmem_strbuf_append_printf(packet->info, "by node %u", facts->spawner);
    }
}

static void add_scene(const godot_packet *packet, const spawned_node *node, proto_item *number)
{
    proto_item *item = number;
    if (node->scene) {
        item = godot_add_generated_string(packet->tree, packet->tvb, hf_godot_spawn_scene, node->scene);
    }
    if (!node->scene && !node->assumed) {
        godot_add_unread(packet, item);
    }
    if (!node->assumed) {
        return;
    }
    if (node->scene) {
        proto_item_append_text(item, " (assumed)");
    }
    if (godot_is_first(packet, GODOT_TOPIC_SCENE_ASSUMED, packet->from, node->facts->spawner)) {
        expert_add_info_format(
            packet->pinfo, item, &ei_godot_scene_assumed,
            "The spawn function's scene is not on the wire: assumed to be %s%s", node->named,
            node->several ? " or another one of the project that fits, with the same properties"
                          : ", the only one of the project that fits");
    }
}

void godot_dissect_spawn(godot_packet *packet, const multiplayer_v4_spawn *spawn, bool dropped)
{
    if (!spawn->scene_offset) {
        return;
    }
    proto_item *scene_item = proto_tree_add_uint(packet->encoding, hf_godot_spawn_scene_id, packet->tvb,
                                                 spawn->scene_offset, 1, spawn->scene);
    if (spawn->scene == MULTIPLAYER_V4_CUSTOM_SCENE) {
        proto_item_append_text(scene_item, " (custom spawn)");
    }
    const godot_path *spawner =
        godot_add_path_id(packet, packet->encoding, packet->encoding, hf_godot_spawn_spawner,
                          spawn->spawner_offset, 4, spawn->spawner);
    godot_add_number(packet, hf_godot_spawn_net_id, spawn->net_id_offset, 4);
    godot_add_number(packet, hf_godot_spawn_sync_count, spawn->sync_count_offset, 4);
    godot_add_number(packet, hf_godot_spawn_name_length, spawn->name_size_offset, 4);
    add_sync_ids(packet, spawn);
    if (!spawn->name.offset) {
        godot_add_delivery(packet);
        return;
    }
    spawn_facts facts = facts_of(packet, spawn);
    spawned_node node = look_up_spawned(packet, &facts, spawner ? spawner->path : NULL);
    godot_add_generated_string(packet->tree, packet->tvb, hf_godot_path, node.path);
    godot_add_text(packet, hf_godot_spawn_name, spawn->name);
    add_scene(packet, &node, scene_item);
    godot_add_delivery(packet);
    if (packet->learn && !dropped) {
        learn_spawn(packet->message, packet->from, &node);
        if (!spawner) {
            wait_for_spawner(packet, &facts);
        }
    }
    add_spawn_argument(packet, spawn, node.spawner);
    if (spawn->state_length) {
        add_spawn_state(packet, spawn, &node);
    }
    append_spawn_info(packet, &node);
    godot_set_tap(packet, node.spawner, "spawn");
    packet->tap->spawned = node.path;
    packet->tap->spawned_scene = node.scene;
}

void godot_dissect_despawn(godot_packet *packet, uint32_t offset, uint32_t net_id)
{
    if (!offset) {
        return;
    }
    proto_item *item =
        proto_tree_add_uint(packet->tree, hf_godot_despawn_net_id, packet->tvb, offset, 4, net_id);
    /* As of the previous message, since this one has already marked the node as despawned. */
    godot_message before = *packet->message;
    before.number--;
    const godot_node *node = godot_session_node(&before, packet->from, net_id, false), *gone = NULL;
    if (!node && packet->message->repeated) { /* despawned at its first despawn message */
        gone = godot_session_node(&before, packet->from, net_id, true);
    }
    const char *path = node ? node->path : gone ? gone->path : NULL;
    if (packet->learn) {
        godot_session_learn_node(packet->message, packet->from, net_id,
                                 (godot_node){.path = path, .gone = true});
        if (node && !strstr(path, "/?/")) { /* its parent is certain */
            godot_session_learn_despawn(packet->message, packet->from, path, true);
        }
    }
    godot_add_delivery(packet);
    if (path) {
        proto_item_append_text(item, " (%s)", path);
        godot_add_generated_string(packet->tree, packet->tvb, hf_godot_path, path);
        wmem_strbuf_append_printf(packet->info, "despawn %s", path);
    } else {
        if (!packet->message->repeated &&
            godot_is_first(packet, GODOT_TOPIC_NET_ID_UNKNOWN, packet->from, net_id)) {
            godot_conclude(packet, item, &ei_godot_unknown_net_id,
                           godot_packet_lacks(packet, GODOT_NET_ID_UNKNOWN),
                           "Net ID %u was not spawned before", net_id);
        }
        wmem_strbuf_append_printf(packet->info, "despawn net ID %u", net_id);
    }
    if (node) {
        frame_add_reference(packet->tree, hf_godot_spawned_in, packet->tvb, node->frame);
    }
    godot_set_tap(packet, path, "despawn");
}
