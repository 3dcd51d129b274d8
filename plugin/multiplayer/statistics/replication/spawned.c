/* spawned.c
 *
 * Nodes that are spawned and despawned at each peer, for *Godot Replication*. A path is kept once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/replication/replication.h"

#include <string.h>

#include "statistics/report.h"

/* Limits: nodes, and node_at_peer; bytes of all paths. */
#define MAX_NODES      100000u
#define MAX_PATH_BYTES (16u << 20)

node *nodes_at(replication *all, const char *path)
{
    node *one = wmem_map_lookup(all->nodes, path);
    size_t bytes = strlen(path);
    if (one || wmem_map_size(all->nodes) >= MAX_NODES || all->path_bytes + bytes > MAX_PATH_BYTES) {
        return one;
    }
    one = wmem_new0(all->pool, node);
    one->path = wmem_strdup(all->pool, path);
    one->properties = report_list(all->pool);
    all->path_bytes += bytes;
    wmem_map_insert(all->nodes, one->path, one);
    return one;
}

/* NULL: nothing, or no such node. */
static node_at_peer *state_at(const node *one, int32_t peer)
{
    return one && one->peers ? wmem_map_lookup(one->peers, GINT_TO_POINTER(peer)) : NULL;
}

node_at_peer *nodes_at_peer(replication *all, node *one, int32_t peer)
{
    node_at_peer *state = state_at(one, peer);
    if (state || all->node_at_peer_count >= MAX_NODES) {
        return state;
    }
    if (!one->peers) {
        one->peers = wmem_map_new(all->pool, g_direct_hash, g_direct_equal);
    }
    state = wmem_new0(all->pool, node_at_peer);
    state->despawned = -1;
    wmem_map_insert(one->peers, GINT_TO_POINTER(peer), state);
    all->node_at_peer_count++;
    return state;
}

static bool is_gone_at(const node *one, int32_t peer)
{
    const node_at_peer *state = state_at(one, peer);
    return state && state->state == NODE_GONE;
}

bool nodes_is_gone(int32_t peer, const property *of)
{
    return is_gone_at(of->at, peer) || is_gone_at(of->above, peer);
}

void nodes_note_despawn(replication *all, int32_t peer, node *at, bool spawned, double time)
{
    node_at_peer *state = spawned ? state_at(at, peer) : nodes_at_peer(all, at, peer);
    if (state) {
        state->despawned = spawned ? -1 : time;
    }
}

double nodes_despawned(int32_t peer, const property *of)
{
    const node_at_peer *at = state_at(of->at, peer), *above = state_at(of->above, peer);
    return MAX(at ? at->despawned : -1, above ? above->despawned : -1);
}
