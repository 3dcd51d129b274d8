/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/peers/names.h"

#include <epan/to_str.h>

#include "base/allocators.h"
#include "base/preferences.h"
#include "enet/api/tap.h"

/* Maximum number of peers with names in a file. */
enum { SERVER = 1, MAX_NAMES = 100000 };

/* --- the table and the preference ---------------------------------------------------------------- */

typedef struct {
    char *peer, *name;
} name_record;

static name_record *records;
static unsigned record_count;
static compat_bool use_names = true;

UAT_CSTRING_CB_DEF(name_record, peer, name_record)
UAT_CSTRING_CB_DEF(name_record, name, name_record)
UAT_TEXTS_FREE_DEF(name_record)

static compat_bool check_record(void *record, char **error)
{
    const name_record *fresh = record;
    bool whole = fresh->peer && *fresh->peer && fresh->name && *fresh->name;
    *error = whole ? NULL : g_strdup("A name needs the peer that it is for, and a text");
    return whole;
}

static void name_connected(void);

void godot_peer_names_register(module_t *preferences)
{
    static uat_field_t fields[] = {
        UAT_FLD_CSTRING(
            name_record, peer, "Peer",
            "ID; or of a client its address, its address and port (127.0.0.1:50000, [::1]:50000), or "
            "of a recording the name of the project or \"process 4711\""),
        UAT_FLD_CSTRING(name_record, name, "Name", "What it is called instead of client 1, client 2, …"),
        UAT_END_FIELDS};
    uat_t *table = uat_new("Godot Peers", sizeof(name_record), "godot_peers", false, (void **)&records,
                           &record_count, UAT_AFFECTS_DISSECTION, NULL, uat_copy_texts, check_record,
                           name_record_free, NULL, NULL, fields);
    enet_peer_name = godot_peer_name;
    enet_peer_connects = name_connected;
    prefs_register_bool_preference(preferences, "peer_names", "Names of peers",
                                   "server, client 1, client 2 in the order of their connection. Off: IDs",
                                   &use_names);
    prefs_register_uat_preference(
        preferences, "peers", "Godot peers",
        "Your own names of peers, for every profile. The first matching line is used.", table);
}

/* --- names ---------------------------------------------------------------------------------------- */

/* Of the file; a name also counts the peers that have it, or "client" and "mesh peer" before their number. */
static wmem_map_t *names, *uses;
static uint32_t connections; /* number of ENet connections whose clients have been named */
static int32_t recent[64];   /* ids that have appeared, by their lowest bits: each packet has up to four */

static void forget(void)
{
    connections = 0;
    memset(recent, 0, sizeof recent);
}

void godot_peer_names_init(void)
{
    names = file_map(g_direct_hash, g_direct_equal);
    uses = file_map(wmem_str_hash, g_str_equal);
    register_cleanup_routine(forget);
}

/* Number of peers with this name, including this one. */
static unsigned count_use(const char *name)
{
    unsigned count = GPOINTER_TO_UINT(wmem_map_lookup(uses, name)) + 1;
    wmem_map_insert(uses, wmem_strdup(wmem_file_scope(), name), GUINT_TO_POINTER(count));
    return count;
}

static bool is_meant(const name_record *record, int32_t id, const godot_peer_facts *facts)
{
    char *host = facts->address ? address_to_str(NULL, facts->address) : NULL;
    bool v6 = host && facts->address->type == AT_IPv6;
    char *keys[] = {g_strdup_printf("%d", id), g_strdup(host),
                    host ? g_strdup_printf(v6 ? "[%s]:%u" : "%s:%u", host, facts->port) : NULL,
                    g_strdup(facts->project),
                    facts->process ? g_strdup_printf("process %" PRId64, facts->process) : NULL};
    bool meant = false;
    for (unsigned i = 0; i < array_length(keys); i++) {
        meant = meant || (keys[i] && (i == 0 || id != SERVER) && strcmp(keys[i], record->peer) == 0);
        g_free(keys[i]);
    }
    wmem_free(NULL, host);
    return meant;
}

/* The name in the table, with a number if another peer already has this name; NULL: it has none. */
static const char *own_name(int32_t id, const godot_peer_facts *facts)
{
    for (unsigned i = 0; i < record_count; i++) {
        if (is_meant(&records[i], id, facts)) {
            unsigned number = count_use(records[i].name);
            return number == 1 ? wmem_strdup(wmem_file_scope(), records[i].name)
                               : wmem_strdup_printf(wmem_file_scope(), "%s %u", records[i].name, number);
        }
    }
    return NULL;
}

/* NULL: a short id was chosen by the game and is more useful than a number that is assigned here. */
static const char *new_name(int32_t id, const godot_peer_facts *facts)
{
    const char *role = facts->mesh ? "mesh peer" : "client";
    unsigned number = godot_is_likely_peer_id((uint32_t)id) ? count_use(role) : 0;
    const char *own = own_name(id, facts);
    return own            ? own
           : id == SERVER ? facts->mesh ? NULL : "server"
           : number       ? wmem_strdup_printf(wmem_file_scope(), "%s %u", role, number)
                          : NULL;
}

static void give_name(int32_t id, const godot_peer_facts *facts)
{
    static const godot_peer_facts nothing = {0};
    if (!wmem_map_contains(names, GINT_TO_POINTER(id)) && wmem_map_size(names) < MAX_NAMES) {
        wmem_map_insert(names, GINT_TO_POINTER(id), (void *)new_name(id, facts ? facts : &nothing));
    }
}

/* Godot's CONNECT has the peer id of the client, long before the client's first message. */
static void name_connected(void)
{
    while (connections < enet_state_connections()) {
        const enet_connection *connection = enet_connection_in_file(connections++);
        if (connection->connect_frame && godot_is_likely_peer_id(connection->connect.data)) {
            godot_peer_facts facts = {0};
            facts.address = enet_state_initiator(connection, &facts.port);
            give_name((int32_t)connection->connect.data, &facts);
            give_name(SERVER, NULL);
        }
    }
}

void godot_peer_appears(int32_t id, const godot_peer_facts *facts)
{
    int32_t *same = &recent[(uint32_t)id % array_length(recent)];
    if (id > 0 && *same != id) {
        *same = id;
        name_connected();
        give_name(id, facts);
    }
}

static const char *name_of(int32_t id)
{
    return use_names ? wmem_map_lookup(names, GINT_TO_POINTER(id)) : NULL;
}

const char *godot_peer_name(wmem_allocator_t *scope, int32_t id)
{
    const char *name = name_of(id);
    return name ? name : wmem_strdup_printf(scope, "peer %d", id);
}

const char *godot_source_name(wmem_allocator_t *scope, int32_t id)
{
    return id ? godot_peer_name(scope, id) : NULL;
}

const char *godot_target_name(wmem_allocator_t *scope, int32_t id)
{
    return id > 0    ? godot_peer_name(scope, id)
           : id == 0 ? "all"
                     : wmem_strdup_printf(scope, "all but %s", godot_peer_name(scope, godot_peer_meant(id)));
}

void godot_peer_append(GString *text, int32_t id)
{
    const char *name = name_of(id);
    if (name) {
        g_string_append(text, name);
    } else if (id) {
        g_string_append_printf(text, "peer %d", id);
    } else {
        g_string_append(text, "a peer that is not known");
    }
}

int32_t godot_peer_client_of(int32_t one, int32_t other)
{
    return one == SERVER ? other : other == SERVER ? one : MAX(one, other);
}

const char *godot_peer_connection_name(wmem_allocator_t *scope, int32_t id, int32_t other)
{
    const char *name = godot_peer_name(scope, id);
    return other > SERVER ? wmem_strdup_printf(scope, "%s with %s", name, godot_peer_name(scope, other))
                          : name;
}

/* The name of the peer with this id in `length` digits; NULL: it is not one. */
static const char *name_of_digits(const char *digits, size_t length)
{
    enum { FEWEST = 5, MOST = 10 }; /* of a likely id */
    char text[MOST + 1];
    if (length < FEWEST || length > MOST || *digits == '0') {
        return NULL;
    }
    g_strlcpy(text, digits, length + 1);
    guint64 id = g_ascii_strtoull(text, NULL, 10);
    return id <= INT32_MAX && godot_is_likely_peer_id((uint32_t)id) ? name_of((int32_t)id) : NULL;
}

const char *godot_peer_names_in(wmem_allocator_t *scope, const char *path)
{
    static const char digits[] = "0123456789";
    wmem_strbuf_t *text = NULL;
    const char *copied = path;
    for (const char *at = path + strcspn(path, digits); *at; at += strcspn(at, digits)) {
        size_t length = strspn(at, digits);
        const char *name = name_of_digits(at, length);
        if (name) {
            text = text ? text : wmem_strbuf_new(scope, NULL);
            wmem_strbuf_append_len(text, copied, (size_t)(at - copied));
            wmem_strbuf_append_printf(text, "{%s}", name);
            copied = at + length;
        }
        at += length;
    }
    if (!text) {
        return path;
    }
    wmem_strbuf_append(text, copied);
    return wmem_strbuf_finalize(text);
}

void godot_peer_append_path(GString *text, const char *path)
{
    const char *named = godot_peer_names_in(NULL, path);
    g_string_append(text, named);
    if (named != path) {
        wmem_free(NULL, (void *)named);
    }
}

/* Whether Wireshark shows texts that are appended to the item. Columns of 4.6 do without a tree, too. */
static bool has_text(proto_item *item)
{
    return item && PITEM_FINFO(item) && (PTREE_DATA(item)->visible || !PROTO_ITEM_IS_HIDDEN(item));
}

void godot_peer_name_item(proto_item *item, int32_t id)
{
    const char *name = has_text(item) ? name_of(id) : NULL;
    if (name) {
        proto_item_append_text(item, " (%s)", name);
    }
}
