/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/subjects/counts.h"

#include "project/project.h"

#include <wsutil/str_util.h>

/* Synchronizers, methods and places of values; hostile traffic can have any number. */
#define MAX_SUBJECTS 4000u

void *savings_subject(savings *all, GPtrArray *list, size_t size, bool *is_new)
{
    const char *key = wmem_strbuf_get_str(all->key);
    void *found = wmem_map_lookup(all->by_key, key);
    *is_new = !found && list->len < MAX_SUBJECTS;
    if (!*is_new) {
        return found;
    }
    found = wmem_alloc0(all->pool, size);
    g_ptr_array_add(list, found);
    wmem_map_insert(all->by_key, wmem_strdup(all->pool, key), found);
    return found;
}

void savings_add(savings *all, saved_bytes *of, uint32_t bytes, bool whole)
{
    costs_add(&all->costs, of, bytes, whole);
}

/* The header of its command is before the message. */
uint32_t savings_command_length(const godot_tap *tap)
{
    enum { RELIABLE = 6, UNRELIABLE = 8 };
    if (tap->stream < 0) {
        return tap->wire_length;
    }
    return tap->length + (tap->transfer_mode == GODOT_TRANSFER_RELIABLE ? RELIABLE : UNRELIABLE);
}

/* --- names --------------------------------------------------------------------------------------- */

char *savings_source_of(const savings *all, const godot_tap *tap, const char *name)
{
    const rpc_signature found =
        tap->checksum ? godot_project_signature(tap->checksum, tap->method) : godot_project_declared(name);
    return found.path ? wmem_strdup_printf(all->pool, "%s:%u", found.path, found.line) : NULL;
}

/* Of most messages. */
static const called_node *main_node(const called_method *of)
{
    const called_node *most = NULL;
    for (unsigned i = 0; i < of->nodes->len; i++) {
        const called_node *one = of->nodes->pdata[i];
        most = !most || one->messages > most->messages ? one : most;
    }
    return most;
}

char *savings_method_text(const called_method *of, const char *arguments)
{
    const called_node *node = main_node(of);
    GString *text = g_string_new(NULL);
    unsigned others = of->nodes->len - (of->nodes->len > 0);
    g_string_append_printf(text, "%s%s%s of %s", of->name, of->is_set ? "" : "()",
                           of->is_set ? "" : arguments, node ? node->node : "(node not known)");
    if (of->source) {
        g_string_append_printf(text, " (%s)", of->source);
    }
    if (others) {
        g_string_append_printf(text, " and %u%s other %s", others, of->more_nodes ? " or more" : "",
                               others == 1 && !of->more_nodes ? "node" : "nodes");
    }
    return g_string_free(text, FALSE);
}

char *savings_synchronizer_text(const synchronizer *of)
{
    return of->scene       ? g_strdup_printf("%s, %s", of->scene, of->node)
           : of->nodes > 1 ? g_strdup_printf("%s and %u other %s", of->node, of->nodes - 1,
                                             plurality(of->nodes - 1, "node", "nodes"))
                           : g_strdup(of->node);
}
