/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/wireshark-compat.h"

#include "multiplayer/statistics/savings/savings.h"

/* Bytes above a node. */
enum { LONG_PATH = 24 };

static void advise_path(const savings *all, GPtrArray *rows, const path_above *of)
{
    if (of->messages < SAVINGS_LEAST || strlen(of->path) < LONG_PATH) {
        return;
    }
    savings_row found = {
        .bytes = of->shorter.bytes,
        .what = g_strdup_printf("A shorter path for the nodes below: %d bytes, not %zu", SHORT_PATH,
                                strlen(of->path)),
        .where = g_strdup(of->path),
        .why = g_strdup_printf("Shorter names on the way to them, or nearer to the root: %" PRIu64
                               " messages have such a path in full, announcements of nodes and calls "
                               "before these are confirmed. A node that stays is announced once",
                               of->messages),
        .but = "Scripts and scenes that contain the path have to follow",
        .evidence = &of->shorter};
    savings_add_row(all, rows, found);
}

static void advise_no_spawn(const savings *all, GPtrArray *rows, const spawned_scene *of)
{
    if (of->short_lived < SAVINGS_LEAST || (double)of->short_lived < SAVINGS_SELDOM * (double)of->spawns) {
        return;
    }
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->called),
        .what = g_strdup("An unreliable call that makes the node at each peer, instead of spawning it"),
        .where = g_strdup_printf("%s, spawned by %s", of->scene ? of->scene : "What the spawn function makes",
                                 of->spawner),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " were despawned within a second, after %.2f s on "
                               "average. A call with the values of the spawn is subtracted",
                               of->short_lived, of->spawns, of->life / (double)of->short_lived),
        .but = "A lost call makes no node, and who joins later does not see it",
        .evidence = &of->called};
    savings_add_row(all, rows, found);
}

static void advise_compression(const savings *all, GPtrArray *rows)
{
    if (all->compressed) {
        return;
    }
    /* In Godot 4 there is a host as soon as it is created, in Godot 3 the mode is read then. */
    static const struct {
        const char *what, *where;
    } words[] = {
        {"compress(ENetConnection.COMPRESS_RANGE_CODER) of the ENetConnection; in C "
         "enet_host_compress_with_range_coder()",
         "On every peer, before it connects"},
        {"compression_mode = NetworkedMultiplayerENet.COMPRESS_RANGE_CODER",
         "On every peer, before create_server() or create_client()"},
        {"multiplayer_peer.host.compress(ENetConnection.COMPRESS_RANGE_CODER)",
         "On every peer, right after create_server() or create_client()"},
    };
    int api = all->api == 3 ? 1 : all->api == 4 ? 2 : 0;
    savings_row found = {
        .bytes = (double)enet_coding_saved(&all->coding),
        .what = g_strdup(words[api].what),
        .where = g_strdup(words[api].where),
        .why = g_strdup_printf("What ENet's encoder makes of %s",
                               all->coding.later ? "the first 16,384 datagrams and one in eight of the others"
                                                 : "each datagram of the capture"),
        .but = "A peer without it cannot connect",
        .frame = all->plain_frame};
    savings_add_row(all, rows, found);
}

void savings_advise_others(const savings *all, GPtrArray *rows)
{
    for (unsigned i = 0; i < all->places->len; i++) {
        savings_advise_encoding(all, rows, (const encoded_place *)all->places->pdata[i]);
        savings_advise_kinds(all, rows, (const encoded_place *)all->places->pdata[i]);
    }
    for (unsigned i = 0; i < all->paths->len; i++) {
        advise_path(all, rows, (const path_above *)all->paths->pdata[i]);
    }
    for (unsigned i = 0; i < all->scenes->len; i++) {
        advise_no_spawn(all, rows, (const spawned_scene *)all->scenes->pdata[i]);
    }
    advise_compression(all, rows);
}
