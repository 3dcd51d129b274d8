/* node-tree.c
 *
 * `-z godot,tree`: bandwidth by category. Three trees count messages, their bytes, and their bytes on the
 * wire (share of the frames that carried them, all headers and acknowledgements included, after compression),
 * by direction, node and method, and by peer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <epan/stats_tree.h>

#include "multiplayer/peers/names.h"
#include "multiplayer/api/tap.h"
#include "multiplayer/statistics/register.h"
#include "multiplayer/statistics/values/shares.h"
#include "statistics/tree-room.h"

/* Different nodes, methods and peers that are counted; further ones are counted as "other". Wireshark looks
 * for a name among all those beside it: more take seconds for each megabyte. */
enum { MAX_NAMES = 1000 };

static const char *const trees[] = {"Messages", "Message bytes", "Bytes on the wire"};
enum { TREES = 3 };

static int tree_nodes[TREES];
static stat_tree_room room;
static GHashTable *names;
/* Wireshark's stats trees use g_str_hash(), for which colliding names can be constructed. So many names with
 * the same hash are counted separately. Of 1,000 ordinary names, two collide in one of 8,000 captures. */
enum { MAX_ALIKE = 4 };
static GHashTable *alike; /* g_str_hash() of a name: how many of `names` have it */

static void start(stats_tree *st)
{
    if (!names) {
        names = g_hash_table_new_full(wmem_str_hash, g_str_equal, g_free, NULL);
        alike = g_hash_table_new(NULL, NULL);
    }
    g_hash_table_remove_all(names);
    g_hash_table_remove_all(alike);
    room = (stat_tree_room){.full = false};
    for (int i = 0; i < TREES; i++) {
        tree_nodes[i] = stats_tree_create_node(st, trees[i], 0, STAT_DT_INT, true);
    }
}

/* Hostile traffic can have any number of paths and methods. */
static const char *limited(const char *name)
{
    if (g_hash_table_contains(names, name)) {
        return name;
    }
    gpointer key = GUINT_TO_POINTER(g_str_hash(name));
    guint count = GPOINTER_TO_UINT(g_hash_table_lookup(alike, key));
    if (g_hash_table_size(names) >= MAX_NAMES || count >= MAX_ALIKE) {
        return "(other)";
    }
    g_hash_table_add(names, g_strdup(name));
    g_hash_table_insert(alike, key, GUINT_TO_POINTER(count + 1));
    return name;
}

/* Rows below which the nodes and methods of a message are counted. */
typedef struct {
    int direction, peer;
} rows_of_message;

/* If a message is about several nodes, each gets its share of the bytes, and the message is counted for each.
 * `first`: index of the first quantity that is counted. */
static void count_nodes(stats_tree *st, const packet_info *pinfo, const godot_tap *tap,
                        const rows_of_message *rows, int first)
{
    const char *what = limited(tap->what ? tap->what : "(unknown)");
    godot_shares shares = godot_shares_of(tap);
    godot_share share;
    while (godot_next_share(&shares, &share)) {
        const char *node = limited(godot_peer_names_in(pinfo->pool, share.node));
        const int values[TREES] = {(int)share.messages, (int)share.bytes, (int)share.wire};
        for (int i = first; i < TREES; i++) {
            int way = increase_stat_node(st, node, rows[i].direction, true, values[i]);
            int end = increase_stat_node(st, node, rows[i].peer, true, values[i]);
            increase_stat_node(st, what, way, false, values[i]);
            increase_stat_node(st, what, end, false, values[i]);
        }
    }
}

static tap_packet_status packet(stats_tree *st, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                tap_flags_t flags _U_)
{
    const godot_tap *tap = data;
    const char *direction = tap->from_initiator ? "Client to server" : "Server to client";
    const char *peer =
        tap->source
            ? limited(wmem_strdup_printf(pinfo->pool, "From %s", godot_peer_name(pinfo->pool, tap->source)))
            : "From a peer that is not known";
    const int values[TREES] = {1, (int)tap->length, (int)tap->wire_length};
    const uint64_t amounts[STAT_TREE_ROOTS] = {1, tap->repeated ? 0 : tap->length, tap->wire_length};
    if (!stat_tree_has_room(st, &room, amounts)) {
        return TAP_PACKET_REDRAW;
    }
    /* A retransmission is the same message: only its bytes on the wire are counted again. */
    const int first = tap->repeated ? TREES - 1 : 0;
    rows_of_message rows[TREES];
    for (int i = first; i < TREES; i++) {
        increase_stat_node(st, trees[i], 0, true, values[i]);
        rows[i].direction = increase_stat_node(st, direction, tree_nodes[i], true, values[i]);
        rows[i].peer = increase_stat_node(st, peer, tree_nodes[i], true, values[i]);
    }
    count_nodes(st, pinfo, tap, rows, first);
    return TAP_PACKET_REDRAW;
}

void godot_tree_register(int proto _U_)
{
    stats_tree_register_plugin("godot", "godot",
                               "Godot" STATS_TREE_MENU_SEPARATOR "Multiplayer by Node and Method", 0, packet,
                               start, NULL);
}
