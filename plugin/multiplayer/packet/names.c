/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/packet/names.h"

#include "base/allocators.h"
#include "multiplayer/session/nodes.h"

static wmem_map_t *nodes;       /* recording and path -> history of godot_node_names */
static wmem_map_t *scenes;      /* recording and scene -> history of godot_scene_names */
static wmem_map_t *authorities; /* recording and path -> history of found_authority */
static wmem_map_t *checksums;   /* checksum -> the first godot_node_names that has it */
static wmem_map_t *answers;     /* question -> answer, of the project */
static wmem_map_t *others;      /* path of a spawner -> frame_order() from which on its list is another one */

static size_t answer_bytes; /* allocated for `answers` */

static void forget_answer_bytes(void)
{
    answer_bytes = 0;
}

static unsigned hash_question(const void *key);
static gboolean is_same_question(const void *left, const void *right);

void godot_names_init(void)
{
    answers = file_map(hash_question, is_same_question);
    others = file_map(wmem_str_hash, g_str_equal);
    register_init_routine(forget_answer_bytes);
    nodes = file_map(wmem_str_hash, g_str_equal);
    scenes = file_map(wmem_str_hash, g_str_equal);
    authorities = file_map(wmem_str_hash, g_str_equal);
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

/* --- authorities ------------------------------------------------------------------------------------ */

/* A recorder looks at so many nodes in each frame of the game, and nobody plays at less than two frames a
 * second. Nanoseconds. */
enum { LOOKED_AT = 32 };
#define SLOWEST_FRAME INT64_C(500000000)

typedef struct found_authority {
    int32_t peer;
    uint32_t frame;
    int64_t time; /* nanoseconds */
    const struct found_authority *next;
} found_authority;

void godot_names_learn_authority(packet_info *pinfo, uint32_t recording, const char *path, int32_t peer)
{
    char *key = make_key(NULL, recording, path);
    wmem_tree_t *history = wmem_map_lookup(authorities, key);
    found_authority *before = history ? wmem_tree_lookup32_le(history, frame_order(pinfo)) : NULL;
    wmem_free(NULL, key);
    if (!godot_store_may_keep(godot_state_store(), sizeof *before + strlen(path))) {
        return;
    }
    found_authority *found = wmem_new(wmem_file_scope(), found_authority);
    *found = (found_authority){peer, frame_order(pinfo), nanoseconds_of(&pinfo->abs_ts), NULL};
    if (before) {
        before->next = found;
    }
    record(authorities, pinfo, recording, path, found);
}

bool godot_names_recorded_authority(const godot_packet *packet, const char *path, int32_t *peer,
                                    uint32_t *frame)
{
    const godot_session *session = packet->message->session;
    bool here = packet->recorded && packet->recorded->received && packet->to &&
                godot_session_peer_id(packet->message, packet->to) == packet->recorded->own_id;
    const found_authority *found = here ? recorded(authorities, packet, path) : NULL;
    *peer = 0;
    if (!found) {
        return false;
    }
    /* A change before this packet would have been found by then, unless its record is missing. */
    int64_t checked = found->next ? found->next->time : MAX(session->last[0], session->last[1]);
    int64_t found_within = SLOWEST_FRAME * (1 + wmem_map_size(authorities) / LOOKED_AT);
    bool same = found->next && found->next->peer == found->peer;
    bool whole = session->transport_missing &&
                 session->transport_missing(session, GODOT_INITIATOR, found->frame,
                                            found->next ? found->next->frame : 0) == GODOT_MISSING_NOTHING;
    if (frame_visited(packet->pinfo) && whole && (same || checked - packet->message->time > found_within)) {
        *peer = found->peer;
        *frame = found->frame;
    }
    return true;
}

/* --- the project --------------------------------------------------------------------------------- */

typedef enum { ASK_PROPERTIES, ASK_SCENE, ASK_PARENT, ASK_AUTHORITY } question_kind;

/* Those about authority have the checksum or the method's name as `at.scene`. */
typedef struct {
    question_kind kind;
    scene_shown_synchronizer which;
    uint32_t index; /* of a spawner's scene; authority: whether it is a checksum */
} question;

typedef struct {
    scene_name_list names;
    const char *text; /* path of a scene or a node; authority: the reason */
    int32_t peer;
} answer;

/* A lookup may visit all nodes, and every packet needs the same ones. Beyond it answers are not kept
 * (test_questions_to_the_project_with_long_paths). */
enum { MAX_ANSWER_BYTES = 8 << 20 };

static unsigned hash_text(const char *text)
{
    return text ? wmem_str_hash(text) : 0;
}

static unsigned hash_question(const void *key)
{
    const question *q = (const question *)key;
    const scene_shown_synchronizer *w = &q->which;
    const uint32_t numbers[] = {q->kind,
                                q->index,
                                w->list,
                                w->number,
                                w->counts.least,
                                w->counts.most,
                                w->counts.always,
                                w->announcement.count,
                                w->announcement.values,
                                hash_text(w->at.path),
                                hash_text(w->at.scene),
                                hash_text(w->at.inside)};
    return wmem_strong_hash((const uint8_t *)numbers, sizeof numbers);
}

static gboolean is_same_question(const void *left, const void *right)
{
    const question *a = (const question *)left, *b = (const question *)right;
    const scene_shown_synchronizer *v = &a->which, *w = &b->which;
    return a->kind == b->kind && a->index == b->index && v->list == w->list && v->number == w->number &&
           v->counts.least == w->counts.least && v->counts.most == w->counts.most &&
           v->counts.always == w->counts.always && v->announcement.count == w->announcement.count &&
           v->announcement.values == w->announcement.values && g_strcmp0(v->at.path, w->at.path) == 0 &&
           g_strcmp0(v->at.scene, w->at.scene) == 0 && g_strcmp0(v->at.inside, w->at.inside) == 0;
}

/* Labels of the scripts with these RPC methods; Godot 3: that declare the method or property `name`. Returns
 * their number, 0 if there are more than `room`. */
static uint32_t collect_scripts(const game *g, const question *q, const char **labels, uint32_t room)
{
    uint32_t count = 0;
    if (!q->index) {
        count = rpc_project_declaring(g->names, q->which.at.scene, labels, room);
        return count <= room ? count : 0;
    }
    for (const rpc_list *list = NULL; (list = rpc_project_find(g->names, q->which.at.scene, list)) != NULL;) {
        if (!list->label || count + 1 + list->other_count > room) {
            return 0;
        }
        labels[count++] = list->label;
        for (uint32_t i = 0; i < list->other_count; i++) {
            labels[count++] = list->others[i];
        }
    }
    return count;
}

static answer find_authority(const game *g, const question *q, wmem_allocator_t *scope)
{
    const char *labels[64];
    uint32_t count = collect_scripts(g, q, labels, array_length(labels));
    node_authority found = game_authority(g, q->which.at.path, (node_scripts){labels, count, q->index != 0});
    const char *text = !game_is_whole(g) ? "not all of the project could be read"
                                         : "the script of the node is not known for certain";
    if (found.path) {
        text = wmem_strdup_printf(scope, found.line ? "%s:%u sets the authority" : "%s sets the authority",
                                  found.path, found.line);
    }
    return (answer){.text = text, .peer = found.peer};
}

static answer find_answer(const game *g, const question *q, wmem_allocator_t *scope)
{
    answer found = {.text = NULL};
    char parent[SCENE_MAX_PATH];
    switch (q->kind) {
    case ASK_PROPERTIES:
        found.names = scene_project_properties(g->scenes, &q->which, &found.text);
        break;
    case ASK_SCENE:
        found.text = scene_project_spawned(g->scenes, &q->which.at, q->index);
        break;
    case ASK_PARENT:
        found.text =
            scene_project_spawn_parent(g->scenes, &q->which.at, parent) ? wmem_strdup(scope, parent) : NULL;
        break;
    case ASK_AUTHORITY:
        found = find_authority(g, q, scope);
        break;
    }
    return found;
}

static void keep_text(const char **text)
{
    if (*text) {
        answer_bytes += strlen(*text) + 1;
        *text = wmem_strdup(wmem_file_scope(), *text);
    }
}

static answer ask(const godot_packet *packet, const question *q)
{
    const game *g = godot_project_with_scenes();
    const answer *known = g ? wmem_map_lookup(answers, q) : NULL;
    if (!g) {
        return (answer){.names = {NULL, SCENE_UNKNOWN}};
    }
    if (known) {
        return *known;
    }
    if (answer_bytes >= MAX_ANSWER_BYTES) {
        return find_answer(g, q, packet->pinfo->pool);
    }
    wmem_allocator_t *scope = wmem_file_scope();
    answer fresh = find_answer(g, q, scope);
    question *key = wmem_memdup(scope, q, sizeof *q);
    keep_text(&key->which.at.path);
    keep_text(&key->which.at.scene);
    keep_text(&key->which.at.inside);
    answer_bytes += sizeof *key + sizeof fresh + (fresh.text ? strlen(fresh.text) : 0);
    wmem_map_insert(answers, key, wmem_memdup(scope, &fresh, sizeof fresh));
    return fresh;
}

int32_t godot_names_authority(const godot_packet *packet, const char *path, const char *checksum,
                              const char *name, const char **reason)
{
    const question q = {.kind = ASK_AUTHORITY,
                        .which.at = {.path = path, .scene = checksum ? checksum : name},
                        .index = checksum != NULL};
    answer known = ask(packet, &q);
    *reason = known.text;
    return known.peer;
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
    const game *g = *checksum ? godot_project_game() : NULL;
    const char *name = g ? rpc_project_method(g->names, checksum, method) : NULL;
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
    const game *g = *checksum ? godot_project_game() : NULL;
    if (previous && previous == own) {
        return NULL;
    }
    const rpc_list *list = g ? rpc_project_find(g->names, checksum, previous) : NULL;
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

scene_shown_node godot_names_shown(const godot_packet *packet, const char *path)
{
    scene_shown_node at = {.path = path};
    at.scene = path ? godot_session_scene_above(packet->message, path, &at.inside) : NULL;
    return at;
}

const char *godot_names_spawned(const godot_packet *packet, const scene_shown_node *spawner, uint32_t index)
{
    const godot_node_names *node = godot_names_of_node(packet, spawner->path);
    if (node) {
        return node->spawn_parent && index < node->scenes.count ? node->scenes.names[index] : NULL;
    }
    uint32_t other = GPOINTER_TO_UINT(wmem_map_lookup(others, spawner->path));
    bool known = other == 0 || other >= frame_order(packet->pinfo);
    return known ? ask(packet, &(question){.kind = ASK_SCENE, .which.at = *spawner, .index = index}).text
                 : NULL;
}

void godot_names_contradict(const godot_packet *packet, const char *spawner)
{
    bool is_new = packet->learn && !wmem_map_contains(others, spawner) &&
                  godot_store_may_keep(godot_state_store(), sizeof(uint32_t));
    const char *kept = is_new ? godot_store_text(godot_state_store(), spawner) : NULL;
    if (kept) {
        wmem_map_insert(others, kept, GUINT_TO_POINTER(frame_order(packet->pinfo)));
    }
}

const char *godot_names_spawn_parent(const godot_packet *packet, const scene_shown_node *spawner)
{
    const godot_node_names *node = godot_names_of_node(packet, spawner->path);
    if (node) {
        return node->spawn_parent;
    }
    return ask(packet, &(question){.kind = ASK_PARENT, .which.at = *spawner}).text;
}

static const godot_scene_names *recorded_scene(const godot_packet *packet, const char *scene)
{
    return (const godot_scene_names *)recorded(scenes, packet, scene);
}

bool godot_names_has_scene(const godot_packet *packet, const char *scene)
{
    return recorded_scene(packet, scene) != NULL;
}

uint32_t godot_names_announced(const godot_packet *packet, const char *scene, scene_announcement announcement)
{
    const godot_scene_names *known = recorded_scene(packet, scene);
    const game *g = known ? NULL : godot_project_with_scenes();
    if (g) {
        return scene_project_announced(g->scenes, scene, announcement);
    }
    uint32_t first =
        known ? scene_first_announced(known->synchronizers, known->count, announcement) : SCENE_UNKNOWN;
    return first == SCENE_NOT_MEANT ? SCENE_UNKNOWN : first;
}

/* The synchronizer in the record of a scene, NULL: there is none. */
static const scene_synchronizer *find_synchronizer(const godot_scene_names *recorded,
                                                   const scene_shown_synchronizer *which)
{
    if (!which->at.path) {
        return which->number < recorded->count ? &recorded->synchronizers[which->number] : NULL;
    }
    for (uint32_t i = 0; i < recorded->count; i++) {
        if (strcmp(recorded->synchronizers[i].path, which->at.inside) == 0) {
            return &recorded->synchronizers[i];
        }
    }
    return NULL;
}

scene_name_list godot_names_properties(const godot_packet *packet, const scene_shown_synchronizer *which,
                                       const char **inside)
{
    static const scene_name_list unknown = {NULL, SCENE_UNKNOWN};
    const godot_scene_names *known = which->at.scene ? recorded_scene(packet, which->at.scene) : NULL;
    const scene_synchronizer *one = known ? find_synchronizer(known, which) : NULL;
    const godot_node_names *node =
        !one && which->at.path ? godot_names_of_node(packet, which->at.path) : NULL;
    *inside = which->at.path ? which->at.inside : NULL;
    if (one) {
        *inside = one->path;
        return one->lists[which->list];
    }
    if (node || (known && !which->at.path)) {
        return node && node->lists ? node->lists[which->list] : unknown;
    }
    answer found = ask(packet, &(question){.kind = ASK_PROPERTIES, .which = *which});
    if (!which->at.path) {
        *inside = found.text;
    }
    return found.names;
}
