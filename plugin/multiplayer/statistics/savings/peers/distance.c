/* distance.c
 *
 * How far the nodes that a peer gets states of are from its own; see peers.h. Its own are those whose
 * states it writes, and those with its id in their path.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/savings/peers/peers.h"

#include <math.h>

/* Nodes and peers whose positions are kept; hostile traffic can have any number. */
#define MAX_POSITIONS 20000u
/* Twice the width of Godot's default window, in pixels; metres. */
#define FAR_2D 2300.0
#define FAR_3D 100.0

struct node_position {
    int32_t owner; /* the first peer that wrote states of it, 0: not known */
    int32_t peer;  /* whose node this is, 0: nobody's */
    bool known, has_depth;
    double at[3];
};

struct node_distances {
    wmem_map_t *nodes;  /* path to node_position */
    wmem_map_t *owners; /* peer to the node_position of its latest node */
    uint64_t near, distant;
    char *place;          /* path of the first distant node */
    saved_bytes far_away; /* by not sending it to those who are far away */
    bool has_depth;
    uint32_t parts, bytes; /* of the message under way: about distant nodes */
};

void savings_distances_begin(savings *all)
{
    node_distances *distances = wmem_new0(all->pool, node_distances);
    distances->nodes = wmem_map_new(all->pool, wmem_str_hash, g_str_equal);
    distances->owners = wmem_map_new(all->pool, g_direct_hash, g_direct_equal);
    all->distances = distances;
}

/* A name on the path that is a number above 1, as Godot's ids of clients are; 0: there is none. */
static int32_t peer_in(const char *path)
{
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        char *end;
        gint64 number = g_ascii_strtoll(at, &end, 10);
        if (end != at && (*end == '\0' || *end == '/') && number > 1 && number <= INT32_MAX) {
            return (int32_t)number;
        }
    }
    return 0;
}

node_position *savings_position_of(const savings *all, const godot_update *update, int32_t author)
{
    const char *node = update->node;
    const node_distances *of = all->distances;
    node_position *one = wmem_map_lookup(of->nodes, node);
    if (!one && wmem_map_size(of->nodes) < MAX_POSITIONS) {
        one = wmem_new0(all->pool, node_position);
        one->owner = MAX(author, 0);
        one->peer = author > 1 ? author : peer_in(node);
        wmem_map_insert(of->nodes, wmem_strdup(all->pool, node), one);
        if (one->peer) {
            wmem_map_insert(of->owners, GINT_TO_POINTER(one->peer), one);
        }
    }
    return g_str_has_suffix(update->name, "position") ? one : NULL;
}

int32_t savings_owner_of(const savings *all, const char *node)
{
    char *path = g_strdup(node);
    const node_position *one = wmem_map_lookup(all->distances->nodes, path);
    for (char *end; !one && (end = strrchr(path, '/'));) {
        *end = '\0';
        one = wmem_map_lookup(all->distances->nodes, path);
    }
    g_free(path);
    return one ? one->owner : 0;
}

static bool read_position(const godot_tap_variant *value, node_position *into)
{
    unsigned count = savings_vector_at(value, into->at);
    into->has_depth = count == 3;
    into->known |= count > 0;
    return count > 0;
}

static bool is_far(const node_position *one, const node_position *other)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        square += (one->at[i] - other->at[i]) * (one->at[i] - other->at[i]);
    }
    return sqrt(square) > (one->has_depth ? FAR_3D : FAR_2D);
}

void savings_count_distance(savings *all, node_position *node, const godot_tap *tap,
                            const godot_update *update)
{
    node_distances *of = all->distances;
    if (!update->variants || !read_position(update->variants, node)) {
        return;
    }
    const node_position *own = wmem_map_lookup(of->owners, GINT_TO_POINTER(tap->receiver));
    if (!own || !own->known || node->peer == tap->receiver) {
        return;
    }
    bool far_away = is_far(node, own);
    of->near += !far_away;
    if (far_away) {
        of->distant++;
        of->has_depth |= node->has_depth;
        of->parts++;
        of->bytes += update->part->length;
        of->place = of->place ? of->place : wmem_strdup(all->pool, update->node);
    }
}

void savings_end_distances(savings *all, const godot_tap *tap)
{
    node_distances *of = all->distances;
    if (of->parts) {
        bool whole = of->parts >= tap->part_count;
        savings_add(all, &of->far_away, whole ? savings_command_length(tap) : of->bytes, whole);
        of->parts = of->bytes = 0;
    }
}

void savings_advise_visibility(const savings *all, GPtrArray *rows)
{
    const node_distances *of = all->distances;
    if (of->distant < SAVINGS_LEAST) {
        return;
    }
    savings_row found = {
        .bytes = of->far_away.bytes,
        .what = g_strdup("Visibility (add_visibility_filter()): do players need nodes that are far away?"),
        .where = g_strdup_printf("%s and others", of->place),
        .why = g_strdup_printf(
            "%.0f %% of %" PRIu64
            " states were of nodes more than %.0f %s away from the node of the peer that got them",
            100 * ratio((double)of->distant, (double)(of->distant + of->near)), of->distant + of->near,
            of->has_depth ? FAR_3D : FAR_2D, of->has_depth ? "metres" : "pixels"),
        .but = "A spawner's node is despawned where it is not visible, and spawned again. The filter is "
               "asked for "
               "peer 0, too, and has to return false then",
        .evidence = &of->far_away,
        .question = true};
    savings_add_row(all, rows, found);
}
