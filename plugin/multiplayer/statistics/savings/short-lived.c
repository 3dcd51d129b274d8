/* short-lived.c
 *
 * Paths that are sent in full, and nodes that are despawned soon after they were spawned; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/savings/savings.h"

#include "multiplayer/statistics/values/key.h"
#include "statistics/report.h"

/* Seconds from spawn to despawn of a node that is short-lived. */
#define SHORT_LIFE 1.0
/* Nodes that are there at the same time. */
#define MAX_ALIVE 20000u
/* An unreliable call without arguments: head of the command, kind, ids of node and method, their number. */
enum { CALL_HEAD = 8 + 4 };

void savings_nodes_begin(savings *all)
{
    all->paths = report_list(all->pool);
    all->scenes = report_list(all->pool);
    all->spawned_at =
        report_keep(all->pool, g_hash_table_new_full(wmem_str_hash, g_str_equal, g_free, g_free),
                    (GDestroyNotify)g_hash_table_unref);
}

static void count_path(savings *all, const char *path)
{
    const char *name = strrchr(path, '/');
    size_t length = name ? (size_t)(name - path) : 0;
    bool is_new;
    if (length <= SHORT_PATH) {
        return;
    }
    char *above = g_strndup(path, length);
    godot_key_begin(all->key, 'p');
    godot_key_text(all->key, above);
    path_above *one = savings_subject(all, all->paths, sizeof(path_above), &is_new);
    if (is_new) {
        one->path = wmem_strdup(all->pool, above);
    }
    if (one) {
        one->messages++;
        savings_add(all, &one->shorter, (uint32_t)length - SHORT_PATH, false);
    }
    g_free(above);
}

/* --- spawned nodes ------------------------------------------------------------------------------- */

static spawned_scene *scene_at(savings *all, const char *scene, const char *spawner)
{
    bool is_new;
    godot_key_begin(all->key, 'n');
    godot_key_text(all->key, scene ? scene : "");
    godot_key_text(all->key, spawner);
    spawned_scene *one = savings_subject(all, all->scenes, sizeof(spawned_scene), &is_new);
    if (is_new) {
        one->scene = scene ? wmem_strdup(all->pool, scene) : NULL;
        one->spawner = wmem_strdup(all->pool, spawner);
    }
    return one;
}

/* A node at one receiver. */
typedef struct {
    spawned_scene *of;
    double time;
} living_node;

static void set_key_of_node(savings *all, const godot_tap *tap, const char *path)
{
    godot_key_begin(all->key, 'l');
    godot_key_number(all->key, tap->session);
    godot_key_number(all->key, (uint64_t)tap->receiver);
    godot_key_text(all->key, path);
}

static uint32_t values_length(const godot_tap *tap)
{
    wmem_array_t *const lists[] = {tap->values, tap->arguments};
    uint32_t length = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(lists); k++) {
        for (unsigned i = 0; lists[k] && i < wmem_array_get_count(lists[k]); i++) {
            length += ((const godot_tap_variant *)wmem_array_index(lists[k], i))->length;
        }
    }
    return length;
}

static void count_spawn(savings *all, const godot_tap *tap, double time)
{
    spawned_scene *one = scene_at(all, tap->spawned_scene, tap->node ? tap->node : "(spawner not known)");
    uint32_t length = savings_command_length(tap), call = CALL_HEAD + values_length(tap);
    if (!one || g_hash_table_size(all->spawned_at) >= MAX_ALIVE) {
        return;
    }
    one->spawns++;
    savings_add(all, &one->called, length > call ? length - call : 0, false);
    one->called.acknowledgements += tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    living_node node = {one, time};
    set_key_of_node(all, tap, tap->spawned);
    g_hash_table_insert(all->spawned_at, g_strdup(wmem_strbuf_get_str(all->key)),
                        g_memdup2(&node, sizeof node));
}

static void count_despawn(savings *all, const godot_tap *tap, double time)
{
    set_key_of_node(all, tap, tap->node);
    const living_node *node = g_hash_table_lookup(all->spawned_at, wmem_strbuf_get_str(all->key));
    if (!node) {
        return;
    }
    spawned_scene *one = node->of;
    if (time - node->time < SHORT_LIFE) {
        one->short_lived++;
        one->life += MAX(0, time - node->time);
    }
    savings_add(all, &one->called, savings_command_length(tap), true);
    one->called.acknowledgements += tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    g_hash_table_remove(all->spawned_at, wmem_strbuf_get_str(all->key));
}

void savings_count_nodes(savings *all, const godot_tap *tap, double time)
{
    if (tap->full_path && tap->node) {
        count_path(all, tap->node);
    }
    if (tap->spawned) {
        count_spawn(all, tap, time);
    } else if (tap->node && tap->what && strcmp(tap->what, "despawn") == 0) {
        count_despawn(all, tap, time);
    }
}
