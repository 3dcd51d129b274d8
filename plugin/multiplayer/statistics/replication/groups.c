/* groups.c
 *
 * Rows of *Godot Replication*: all flows of nodes of the same scene are one row, which names the worst of
 * them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/replication/groups.h"

#include "multiplayer/peers/names.h"
#include "multiplayer/statistics/values/filters.h"
#include "statistics/report.h"

/* Of a node whose scene is not known, those with the same parent. */
static char *kind_of(const property *of)
{
    const char *last = strrchr(of->node, '/');
    if (of->scene) {
        return g_strdup(of->scene);
    }
    return last ? g_strdup_printf("%.*s/…", (int)(last - of->node), of->node) : g_strdup(of->node);
}

static flow_group *new_group(wmem_allocator_t *pool, const flow *one, const char *kind)
{
    flow_group *group = wmem_new0(pool, flow_group);
    group->worst = one;
    group->kind = wmem_strdup(pool, kind);
    return group;
}

GPtrArray *replication_groups(wmem_allocator_t *pool, const GPtrArray *flows, bool by_property)
{
    GPtrArray *groups = report_list(pool);
    GHashTable *known = g_hash_table_new_full(wmem_str_hash, g_str_equal, g_free, NULL);
    for (unsigned i = 0; i < flows->len; i++) {
        const flow *one = flows->pdata[i];
        char *kind = kind_of(one->of);
        char *key = g_strdup_printf("%zu:%s%s", strlen(kind), kind, by_property ? one->of->name : "");
        flow_group *group = g_hash_table_lookup(known, key);
        if (!group) {
            group = new_group(pool, one, kind);
            g_ptr_array_add(groups, group);
            g_hash_table_insert(known, g_strdup(key), group);
        }
        group->flows++;
        group->sent += one->sent ? one->sent : one->passed_on;
        group->lost += one->lost;
        group->arrivals_known |= one->arrivals_known;
        group->ignored += one->early + one->gone + one->late;
        group->unconfirmed += one->unconfirmed;
        g_free(key);
        g_free(kind);
    }
    g_hash_table_destroy(known);
    return groups;
}

void replication_append_row_end(GString *text, const flow_group *group, const char *name)
{
    const flow *worst = group->worst;
    g_string_append_printf(text, "%5u  %s%s", group->flows, name, *name ? "  " : "");
    godot_peer_append_path(text, group->kind);
    g_string_append(text, "  ");
    godot_peer_append_path(text, worst->of->node);
    g_string_append(text, ", ");
    godot_peer_append(text, worst->from);
    g_string_append(text, " → ");
    godot_peer_append(text, worst->to);
    g_string_append_c(text, '\n');
}

const char *replication_filter_of_node(wmem_allocator_t *pool, const property *of)
{
    return *of->node == '(' ? "" : godot_filter_node_states(pool, of->node);
}
