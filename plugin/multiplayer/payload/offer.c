/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/payload/offer.h"

#include <epan/column-info.h>
#include <epan/column.h>
#include <epan/decode_as.h>
#include <epan/proto_data.h>

#include "base/columns.h"
#include "base/subdissector.h"

static int proto_godot;
static heur_dissector_list_t raw_heuristics;

typedef struct {
    const char *name, *title;
    dissector_table_t table;
    bool counted, used; /* in this file: whether there are dissectors was looked up, and there are */
} payload_table;

static payload_table tables[] = {
    [GODOT_RAW] = {"godot.raw", "Godot raw packet", NULL, false, false},
    [GODOT_METHOD] = {"godot.method", "Godot bytes as argument", NULL, false, false},
    [GODOT_PROPERTY] = {"godot.property", "Godot bytes as property", NULL, false, false},
    [GODOT_AUTH] = {"godot.auth", "Godot authentication data", NULL, false, false},
    [GODOT_SPAWN] = {"godot.spawn", "Godot bytes as spawn argument", NULL, false, false},
};

/* Of a frame in one pass; in pinfo->pool. */
typedef struct {
    godot_payload facts; /* GODOT_PAYLOAD_KEY is its address */
    uint32_t calls;
    bool stopped;                            /* by a dissector with a bug: no other is called */
    const char *shown[array_length(tables)]; /* for Decode As: the key of the first bytes, NULL: none */
} payload_frame;

static payload_frame *frame_of(packet_info *pinfo, bool make)
{
    payload_frame *frame = p_get_proto_data(pinfo->pool, pinfo, proto_godot, GODOT_PAYLOAD_KEY);
    if (!frame && make) {
        frame = wmem_new0(pinfo->pool, payload_frame);
        p_add_proto_data(pinfo->pool, pinfo, proto_godot, GODOT_PAYLOAD_KEY, frame);
    }
    return frame;
}

/* --- the Info column of another dissector --------------------------------------------------------- */

/* Columns that only have Info, so that what a dissector writes can be put in its place, also when nobody
 * wants the packet list. */
typedef struct {
    column_info info;
    col_item_t column;
    compat_bool formats[NUM_COL_FMTS];
    int first[NUM_COL_FMTS], last[NUM_COL_FMTS];
    const char *expression[1];
    char *value[1], value_text[COL_MAX_INFO_LEN]; /* of the expression */
    char text[COL_MAX_INFO_LEN];
} lone_column;

static column_info *lone_column_begin(lone_column *c, const packet_info *pinfo)
{
    memset(c, 0, offsetof(lone_column, value_text));
    c->text[0] = c->value_text[0] = '\0';
    for (int i = 0; i < NUM_COL_FMTS; i++) {
        c->first[i] = c->last[i] = -1;
    }
    c->first[COL_INFO] = c->last[COL_INFO] = 0;
    c->formats[COL_INFO] = true;
    c->column.col_fmt = COL_INFO;
    c->column.fmt_matx = c->formats;
    c->column.col_data = c->column.col_buf = c->text;
    c->column.writable = true;
    c->info.epan = pinfo->cinfo ? pinfo->cinfo->epan : NULL;
    c->info.num_cols = 1;
    c->info.columns = &c->column;
    c->info.col_first = c->first;
    c->info.col_last = c->last;
    c->info.writable = true;
    c->expression[0] = "";
    c->value[0] = c->value_text;
    c->info.col_expr.col_expr = c->expression;
    c->info.col_expr.col_expr_val = c->value;
    return &c->info;
}

/* --- facts for Lua -------------------------------------------------------------------------------- */

static void tell(GHashTable *table, const char *name, const char *text)
{
    if (text) {
        g_hash_table_insert(table, g_strdup(name), g_strdup(text));
    }
}

static void tell_number(GHashTable *table, const char *name, int64_t number, bool known)
{
    if (known) {
        g_hash_table_insert(table, g_strdup(name), g_strdup_printf("%" PRId64, number));
    }
}

/* Wireshark's own table of texts for Lua. */
static GHashTable *facts_for_lua(const godot_payload *facts)
{
    GHashTable *table = g_hash_table_new_full(wmem_str_hash, g_str_equal, g_free, g_free);
    tell(table, "godot.table", facts->table);
    tell(table, "godot.node", facts->node);
    tell(table, "godot.name", facts->name);
    tell_number(table, "godot.argument", facts->argument, facts->argument >= 0);
    tell(table, "godot.before", facts->before);
    tell(table, "godot.after", facts->after);
    tell_number(table, "godot.session", facts->session, true);
    tell_number(table, "godot.source", facts->source, facts->source != 0);
    tell_number(table, "godot.target", facts->target, !facts->target_unknown);
    tell(table, "godot.target_unknown", facts->target_unknown ? "1" : NULL);
    tell(table, "godot.from_initiator", facts->from_initiator ? "1" : NULL);
    tell_number(table, "godot.number", facts->number, true);
    tell(table, "godot.first", facts->first ? "1" : NULL);
    tell(table, "godot.repeated", facts->repeated ? "1" : NULL);
    return table;
}

/* --- offering ------------------------------------------------------------------------------------- */

static bool try_key(const godot_offered *bytes, const char *key)
{
    return dissector_try_string_with_data(tables[bytes->table].table, key, bytes->tvb, bytes->pinfo,
                                          bytes->tree, true, NULL) > 0;
}

/* "OWNER.METHOD:1" and "OWNER.METHOD", `length` bytes of the owner; without an owner "METHOD:1", "METHOD". */
static bool try_name(const godot_offered *bytes, const char *owner, size_t length)
{
    const godot_payload *facts = bytes->facts;
    const char *key = owner
                          ? wmem_strdup_printf(bytes->pinfo->pool, "%.*s.%s", (int)length, owner, facts->name)
                          : facts->name;
    return (facts->argument >= 0 &&
            try_key(bytes, wmem_strdup_printf(bytes->pinfo->pool, "%s:%d", key, (int)facts->argument))) ||
           try_key(bytes, key);
}

/* By the name of the file: "player" of "res://units/player.gd". */
static bool try_script(const godot_offered *bytes, const char *script)
{
    const char *slash = strrchr(script, '/'), *name = slash ? slash + 1 : script, *dot = strrchr(name, '.');
    return try_name(bytes, name, dot ? (size_t)(dot - name) : strlen(name));
}

static bool offer_by_name(const godot_offered *bytes)
{
    const char *node = bytes->facts->node;
    if (node && try_name(bytes, node, strlen(node))) {
        return true;
    }
    for (const char *const *script = bytes->scripts; script && *script; script++) {
        if (try_script(bytes, *script)) {
            return true;
        }
    }
    return try_name(bytes, NULL, 0) || try_key(bytes, "*");
}

static const char *sender_of(const godot_payload *facts)
{
    return facts->source == 1 || (facts->source == 0 && !facts->from_initiator) ? "server" : "client";
}

static bool offer(void *data)
{
    const godot_offered *bytes = data;
    heur_dtbl_entry_t *entry;
    switch (bytes->table) {
    case GODOT_RAW:
        return dissector_try_payload_with_data(tables[GODOT_RAW].table, bytes->tvb, bytes->pinfo, bytes->tree,
                                               true, NULL) > 0 ||
               dissector_try_heuristic(raw_heuristics, bytes->tvb, bytes->pinfo, bytes->tree, &entry, NULL);
    case GODOT_AUTH:
        return try_key(bytes, sender_of(bytes->facts)) || try_key(bytes, "*");
    case GODOT_SPAWN:
        return (bytes->facts->node && try_key(bytes, bytes->facts->node)) || try_key(bytes, "*");
    default:
        return offer_by_name(bytes);
    }
}

static void count_entry(const char *table _U_, ftenum_t type _U_, void *key _U_, void *value _U_, void *data)
{
    *(bool *)data = true;
}

static void count_heuristic(const char *list _U_, heur_dtbl_entry_t *entry _U_, void *data)
{
    *(bool *)data = true;
}

bool godot_payload_wanted(godot_payload_table which)
{
    payload_table *table = &tables[which];
    if (!table->counted) {
        table->used = which == GODOT_RAW && dissector_get_payload_handle(table->table);
        if (which == GODOT_RAW) {
            heur_dissector_table_foreach(table->name, count_heuristic, &table->used);
        } else {
            dissector_table_foreach(table->name, count_entry, &table->used);
        }
        table->counted = true;
    }
    return table->used;
}

/* The key that Decode As is to offer. */
static void keep_for_decode_as(payload_frame *frame, godot_payload_table table, const godot_payload *facts)
{
    if (!frame->shown[table]) {
        frame->shown[table] = table == GODOT_AUTH    ? sender_of(facts)
                              : table == GODOT_SPAWN ? facts->node
                                                     : facts->name;
    }
}

const char *godot_payload_offer(godot_offered *bytes, size_t size)
{
    packet_info *pinfo = bytes->pinfo;
    bool wanted = godot_payload_wanted(bytes->table);
    payload_frame *frame = wanted || bytes->tree ? frame_of(pinfo, true) : NULL;
    bytes->facts->table = tables[bytes->table].name;
    if (frame) {
        keep_for_decode_as(frame, bytes->table, bytes->facts);
    }
    if (!wanted || frame->stopped) {
        return NULL;
    }
    const subdissector_call call = {.tvb = bytes->tvb,
                                    .pinfo = pinfo,
                                    .tree = bytes->tree,
                                    .layered = frame->calls++ < SUBDISSECTOR_LAYERED_CALLS,
                                    .survives_bugs = true,
                                    .offer = offer,
                                    .data = bytes};
    lone_column *column = wmem_new(NULL, lone_column);
    godot_payload before = frame->facts;
    column_info *columns = pinfo->cinfo;
    GHashTable *told = pinfo->private_table, *facts_told = facts_for_lua(bytes->facts);
    frame->facts = *bytes->facts;
    pinfo->cinfo = lone_column_begin(column, pinfo);
    pinfo->private_table = facts_told;
    subdissector_result result = subdissector_run(&call);
    const char *text = col_get_text(pinfo->cinfo, COL_INFO);
    text = info_column_text(pinfo->pool, text ? text : "", text ? strlen(text) : 0, size);
    pinfo->private_table = told;
    pinfo->cinfo = columns;
    frame->facts = before;
    frame->stopped = frame->stopped || result == SUBDISSECTOR_STOPPED;
    g_hash_table_destroy(facts_told);
    wmem_free(NULL, column);
    return result == SUBDISSECTOR_DECLINED ? NULL : text;
}

/* --- Decode As and registration ------------------------------------------------------------------- */

static const char *key_shown(packet_info *pinfo, godot_payload_table table)
{
    const payload_frame *frame = frame_of(pinfo, false);
    return frame && frame->shown[table] ? frame->shown[table] : "*";
}

/* Decode As has no data for its callbacks: each table has two functions. */
#define DECODE_AS(table, words)                                                                              \
    static void prompt_##table(packet_info *pinfo, char *prompt)                                             \
    {                                                                                                        \
        snprintf(prompt, MAX_DECODE_AS_PROMPT_LEN, words " %s as", key_shown(pinfo, table));                 \
    }                                                                                                        \
    static void *value_##table(packet_info *pinfo)                                                           \
    {                                                                                                        \
        return (void *)key_shown(pinfo, table);                                                              \
    }                                                                                                        \
    static build_valid_func values_##table[] = {value_##table};                                              \
    static decode_as_value_t choice_##table = {prompt_##table, 1, values_##table};

DECODE_AS(GODOT_METHOD, "Bytes of method")
DECODE_AS(GODOT_PROPERTY, "Bytes of property")
DECODE_AS(GODOT_AUTH, "Authentication data of the")
DECODE_AS(GODOT_SPAWN, "Spawn bytes of")

static void register_table(godot_payload_table table, decode_as_value_t *choice)
{
    payload_table *t = &tables[table];
    t->table = register_dissector_table(t->name, t->title, proto_godot, FT_STRING, 0 /* case matters */);
    decode_as_t *entry = wmem_new0(wmem_epan_scope(), decode_as_t);
    *entry = (decode_as_t){"godot",
                           t->name,
                           1,
                           0,
                           choice,
                           NULL,
                           NULL,
                           decode_as_default_populate_list,
                           decode_as_default_reset,
                           decode_as_default_change,
                           NULL};
    register_decode_as(entry);
}

/* Decode As and scripts change the tables between files only. */
static void begin_file(void)
{
    for (size_t i = 0; i < array_length(tables); i++) {
        tables[i].counted = false;
    }
}

void godot_payload_register(int proto)
{
    proto_godot = proto;
    tables[GODOT_RAW].table =
        register_decode_as_next_proto(proto, tables[GODOT_RAW].name, tables[GODOT_RAW].title, NULL);
    raw_heuristics = register_heur_dissector_list("godot.raw", proto);
    register_table(GODOT_METHOD, &choice_GODOT_METHOD);
    register_table(GODOT_PROPERTY, &choice_GODOT_PROPERTY);
    register_table(GODOT_AUTH, &choice_GODOT_AUTH);
    register_table(GODOT_SPAWN, &choice_GODOT_SPAWN);
    register_init_routine(begin_file);
}

/* Under Decode As: dissectors of formats that games use as they are. */
void godot_payload_handoff(void)
{
    static const char *const names[] = {"godot.variant", "json", "msgpack", "protobuf"};
    for (size_t table = 0; table < array_length(tables); table++) {
        for (size_t i = 0; i < array_length(names); i++) {
            dissector_handle_t handle = find_dissector(names[i]);
            if (handle) {
                dissector_add_for_decode_as(tables[table].name, handle);
            }
        }
    }
}
