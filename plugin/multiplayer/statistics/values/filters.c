/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/values/filters.h"

#include "base/wireshark-compat.h"

/* Writes a text as a string of a display filter, with escapes for quotes, backslashes and invalid
 * characters. */
const char *godot_filter_text(wmem_allocator_t *pool, const char *field, const char *text)
{
    wmem_strbuf_t *filter = wmem_strbuf_new(pool, field);
    wmem_strbuf_append(filter, " == \"");
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7F) {
            wmem_strbuf_append_printf(filter, "\\x%02x", (unsigned)*text);
            continue;
        }
        wmem_strbuf_append(filter, *text == '"' || *text == '\\' ? "\\" : "");
        wmem_strbuf_append_c(filter, *text);
    }
    wmem_strbuf_append_c(filter, '"');
    return wmem_strbuf_get_str(filter);
}

const char *godot_filter_both(wmem_allocator_t *pool, const char *first, const char *second)
{
    return *first && *second ? wmem_strdup_printf(pool, "%s && %s", first, second) : *first ? first : second;
}

const char *godot_filter_kind(wmem_allocator_t *pool, const godot_tap *tap)
{
    static const char *const others[][2] = {
        {"synchronize", "godot.command == \"Sync\""},
        {"synchronize changes", "godot.command == \"Delta Sync\""},
        {"spawn", "godot.command == \"Spawn\""},
        {"despawn", "godot.command == \"Despawn\""},
        {"path cache", "godot.command in {\"Simplify Path\", \"Confirm Path\"}"},
        {"raw", "godot.command == \"Raw\""},
        {"Assign Id", "godot.sys.assigned_id"},
        {"unknown command", "godot.command == \"Unknown\""},
        {"unknown system message", "godot.sys.command == \"Unknown\""},
        {"", "(godot.problem.too_short || godot.problem.id_size)"},
    };
    const char *what = tap->what ? tap->what : "";
    if (tap->call && *what == '#') { /* a number has no field: the method may have a name as well */
        return wmem_strdup_printf(pool, "godot.rpc.call matches \"^%s[(]\"", what);
    }
    if (tap->call || tap->set) {
        return godot_filter_text(pool, tap->call ? "godot.rpc.method" : "godot.rset.property", what);
    }
    for (size_t i = 0; i < array_length(others); i++) {
        if (strcmp(what, others[i][0]) == 0) {
            return others[i][1];
        }
    }
    return godot_filter_text(pool, "godot.sys.command", what);
}

bool godot_filter_is_numbered(const char *node)
{
    const char *digits = g_str_has_prefix(node, "node ") ? node + 5 : "";
    return *digits && strspn(digits, "0123456789") == strlen(digits);
}

static const char *node_in(wmem_allocator_t *pool, const char *field, const char *node)
{
    return godot_filter_is_numbered(node) ? wmem_strdup_printf(pool, "godot.path.id == %s", node + 5)
                                          : godot_filter_text(pool, field, node);
}

static bool is_known(const char *node)
{
    return strcmp(node, "(no node)") != 0;
}

const char *godot_filter_node(wmem_allocator_t *pool, const char *node)
{
    return is_known(node) ? wmem_strdup_printf(pool, "(%s || %s)", node_in(pool, "godot.path", node),
                                               node_in(pool, "godot.spawner.path", node))
                          : "";
}

/* Godot allows no quotation mark in a name, and a filter's raw string takes none. */
const char *godot_filter_node_states(wmem_allocator_t *pool, const char *node)
{
    const char *itself = godot_filter_node(pool, node);
    if (!*itself || godot_filter_is_numbered(node) || strchr(node, '"')) {
        return itself;
    }
    char *escaped = g_regex_escape_string(node, -1);
    const char *filter = wmem_strdup_printf(
        pool, "(%s || (godot.sync.entry && godot.path matches r\"^%s/[^/]+$\"))", itself, escaped);
    g_free(escaped);
    return filter;
}

const char *godot_filter_value(wmem_allocator_t *pool, const godot_tap *tap, const char *node,
                               const char *property)
{
    bool spawn = g_strcmp0(tap->what, "spawn") == 0 && !tap->call && !tap->set;
    if (!is_known(node)) {
        return "";
    }
    const char *of_node = godot_filter_both(pool, godot_filter_kind(pool, tap),
                                            node_in(pool, spawn ? "godot.spawner.path" : "godot.path", node));
    /* "Property 0" is not a name in the game. */
    bool named = property && !strchr(property, ' ');
    return godot_filter_both(pool, of_node,
                             named ? godot_filter_text(pool, "godot.sync.property", property) : "");
}

const char *godot_filter_counted(wmem_allocator_t *pool, const godot_tap *tap)
{
    bool of_node = tap->call && tap->what && *tap->what == '#';
    return of_node ? godot_filter_value(pool, tap, tap->node ? tap->node : "(no node)", NULL)
                   : godot_filter_kind(pool, tap);
}
