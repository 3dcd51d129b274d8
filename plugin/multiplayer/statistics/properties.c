/* properties.c
 *
 * Statistics → Godot Properties, and `-z godot,properties`: for each synchronized property and each method,
 * the number of updates or calls, of those with unchanged values, and the bytes on the wire of both.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "statistics/table.h"

#include "multiplayer/state/session.h"
#include "multiplayer/statistics/register.h"
#include "multiplayer/statistics/values/filters.h"
#include "multiplayer/statistics/values/key.h"
#include "multiplayer/statistics/values/updates.h"

/* Different values that are counted: of a row, and of all together. */
#define MAX_VALUES     1000u
#define MAX_ALL_VALUES 500000u

enum { OF_SCENES, OF_NODES, OF_METHODS, OF_CALLED_NODES, TABLES };
/* The window sorts the tables by their titles. */
static const char *const titles[TABLES] = {
    [OF_SCENES] = "Properties",
    [OF_NODES] = "Properties of each node",
    [OF_METHODS] = "RPCs",
    [OF_CALLED_NODES] = "RPCs of each node",
};
static const stat_former_title former_titles[] = {
    {"Properties by scene and synchronizer", OF_SCENES},
    {"Properties by node", OF_NODES},
    {"RPCs by method", OF_METHODS},
    {"Calls by method", OF_METHODS},
    {"RPCs by node and method", OF_CALLED_NODES},
    {"Calls by node and method", OF_CALLED_NODES},
};

enum {
    WIRE,
    RATE,
    UNCHANGED,
    NAME,
    NODE,
    SCENE,
    SENT,
    SHARE,
    UPDATES,
    VALUES,
    PER_SECOND,
    WASTED,
    NODES,
    FILTER,
    COLUMNS
};
static stat_tap_table_item columns[COLUMNS] = {
    [WIRE] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes on the wire", "%u"},
    [RATE] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Updates/s", "%.2f"},
    [UNCHANGED] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Unchanged %", "%.2f"},
    [NAME] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Name", "%-20s"},
    [NODE] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Node", "%-40s"},
    [SCENE] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Scene", "%-30s"},
    [SENT] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Sent", "%-10s"},
    [SHARE] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Share %", "%.2f"},
    [UPDATES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Updates", "%u"},
    [VALUES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Values", "%u"},
    [PER_SECOND] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Wire bytes/s", "%u"},
    [WASTED] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Unchanged bytes", "%u"},
    [NODES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Nodes", "%u"},
    [FILTER] = {STAT_TABLE_FILTER},
};

/* Data of a row besides its cells. */
typedef struct {
    wmem_map_t *values;  /* hashes of different ones */
    uint64_t unchanged;  /* updates */
    uint64_t steps;      /* from one update to the next, of each receiver and node */
    double step_seconds; /* sum of these */
} row_facts;

typedef struct {
    wmem_allocator_t *pool;
    godot_tracks *tracks;
    wmem_map_t *rows;   /* of all tables, by their keys, to row_facts */
    wmem_map_t *nodes;  /* with names of properties and methods, those that were counted */
    wmem_strbuf_t *key; /* of what is looked for */
    uint32_t values;    /* in all rows */
    uint32_t last_frame;
} property_state;

static void *begin(wmem_allocator_t *pool)
{
    property_state *state = wmem_new0(pool, property_state);
    state->pool = pool;
    state->tracks = godot_tracks_new(pool);
    state->rows = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    state->key = wmem_strbuf_new(pool, NULL);
    state->nodes = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    return state;
}

/* Shares and bytes per second are those of the whole capture, as in Godot Bandwidth. */
static void derive(stat_cell *row)
{
    const godot_totals *totals = godot_session_totals();
    nstime_t duration;
    nstime_delta(&duration, &totals->last, &totals->first);
    double wire = stat_cell_sum(&row[WIRE]);
    stat_cell_set_number(&row[PER_SECOND], ratio(wire, nstime_to_sec(&duration)));
    stat_cell_set_number(&row[SHARE], 100 * ratio(wire, (double)totals->wire_bytes));
}

static void name_peers(stat_cell *row)
{
    godot_name_peers(&row[NODE]);
}

/* An update as a row counts it. */
typedef struct {
    wmem_allocator_t *pool;
    const godot_tap *tap;
    const godot_update *update;
    uint32_t hash;
    bool first;     /* of its node */
    bool repeated;  /* only its bytes on the wire count */
    bool unchanged; /* since the one before of the same node and receiver */
    double step;    /* seconds since that; below 0: there was none */
} counted;

static row_facts *facts_of(property_state *state, const char *key)
{
    row_facts *facts = wmem_map_lookup(state->rows, key);
    if (!facts) {
        facts = wmem_new0(state->pool, row_facts);
        facts->values = wmem_map_new(state->pool, g_direct_hash, g_direct_equal);
        wmem_map_insert(state->rows, wmem_strdup(state->pool, key), facts);
    }
    return facts;
}

static void count_value(property_state *state, row_facts *facts, uint32_t hash)
{
    const void *value = GUINT_TO_POINTER(hash);
    bool room = wmem_map_size(facts->values) < MAX_VALUES && state->values < MAX_ALL_VALUES;
    if (room && !wmem_map_contains(facts->values, value)) {
        wmem_map_insert(facts->values, value, facts);
        state->values++;
    }
}

static void count_update(property_state *state, row_facts *facts, stat_cell *row, const counted *one)
{
    facts->unchanged += one->unchanged;
    if (one->step >= 0) {
        facts->steps++;
        facts->step_seconds += one->step;
    }
    count_value(state, facts, one->hash);
    stat_cell_add(&row[UPDATES], 1);
    stat_cell_add(&row[NODES], one->first);
    stat_cell_add(&row[WASTED], one->unchanged ? one->update->wire : 0);
    stat_cell_set_number(&row[VALUES], wmem_map_size(facts->values));
    stat_cell_set_number(&row[RATE], (double)facts->steps / MAX(1, facts->step_seconds)); /* not of a burst */
    stat_cell_set_number(&row[UNCHANGED],
                         100 * ratio((double)facts->unchanged, stat_cell_sum(&row[UPDATES])));
}

/* `scene`: not available as a field. */
static const char *filter_of(const counted *one, const char *scene, const char *node)
{
    return *scene ? ""
           : *node
               ? godot_filter_value(one->pool, one->tap, node, one->update->part ? one->update->name : NULL)
               : godot_filter_kind(one->pool, one->tap);
}

/* `scene` and `node`: "" if the row is about several. */
static void add(stat_table *table, unsigned index, const char *scene, const char *node, const counted *one)
{
    property_state *state = (property_state *)table->state;
    const godot_update *update = one->update;
    wmem_strbuf_t *key = state->key;
    godot_key_begin(key, (char)('a' + index));
    godot_key_number(key, update->kind);
    godot_key_text(key, scene);
    godot_key_text(key, node);
    godot_key_text(key, update->name);
    stat_cell *row = stat_table_row(table, index, wmem_strbuf_get_str(key));
    bool other = stat_row_is_other(row);
    if (!other && *row[NAME].value.string_value == '\0') {
        stat_cell_set_text(&row[SENT], godot_update_kind_name(update->kind));
        stat_cell_set_text(&row[SCENE], scene);
        stat_cell_set_text(&row[NODE], node);
        stat_cell_set_text(&row[NAME], update->name);
        name_peers(row);
        stat_row_set_filter(table, row, filter_of(one, scene, node));
    }
    stat_cell_add(&row[WIRE], update->wire);
    if (!one->repeated) {
        count_update(state, facts_of(state, other ? titles[index] : wmem_strbuf_get_str(key)), row, one);
    }
    derive(row);
    stat_table_rank(table, index, row);
}

/* Whether this is the first update of this name of its node. */
static bool is_new_node(property_state *state, const godot_update *update)
{
    wmem_strbuf_t *key = state->key;
    godot_key_begin(key, 'n');
    godot_key_number(key, update->kind);
    godot_key_text(key, update->node);
    godot_key_text(key, update->name);
    const char *text = wmem_strbuf_get_str(key);
    if (wmem_map_size(state->nodes) >= GODOT_MAX_TRACKS || wmem_map_contains(state->nodes, text)) {
        return false;
    }
    wmem_map_insert(state->nodes, wmem_strdup(state->pool, text), state);
    return true;
}

static void count(stat_table *table, const packet_info *pinfo, const godot_tap *tap,
                  const godot_update *update)
{
    property_state *state = (property_state *)table->state;
    bool call = update->kind == GODOT_UPDATE_CALL;
    counted one = {.pool = pinfo->pool, .tap = tap, .update = update, .repeated = tap->repeated, .step = -1};
    if (!tap->repeated) {
        godot_track *track = godot_track_of(state->tracks, tap, update);
        double now = nstime_to_sec(&pinfo->rel_ts);
        one.hash = godot_update_hash(update);
        one.first = track && !track->count && is_new_node(state, update);
        one.step = track && track->count ? now - track->last : -1;
        one.unchanged = track && godot_track_note(track, update, now, pinfo->num);
    }
    if (call) {
        add(table, OF_METHODS, "", "", &one);
    } else if (update->scene) {
        add(table, OF_SCENES, update->scene, update->synchronizer ? update->synchronizer : "", &one);
    } else {
        add(table, OF_SCENES, "", update->node, &one);
    }
    add(table, call ? OF_CALLED_NODES : OF_NODES, "", update->node, &one);
}

static tap_packet_status packet(void *tap_data, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                tap_flags_t flags _U_)
{
    const godot_tap *tap = data;
    stat_table *table = stat_table_of(tap_data);
    godot_updates updates = godot_updates_of(tap);
    godot_update update;
    if (pinfo->num < ((property_state *)table->state)->last_frame) {
        stat_table_restart(table); /* a window reads the file again, its rows are empty */
    }
    ((property_state *)table->state)->last_frame = pinfo->num;
    while (godot_next_update(&updates, &update)) {
        count(table, pinfo, tap, &update);
    }
    return TAP_PACKET_REDRAW;
}

void godot_properties_register(int proto _U_)
{
    static stat_table table = {
        STAT_TABLE("Godot Properties", "godot,properties", "godot_message", packet, columns, titles),
        .former = former_titles,
        .former_count = array_length(former_titles),
        .sort_column = WIRE,
        .begin = begin,
        .derive = derive,
        .complete = name_peers,
        .concurrent = godot_session_concurrent,
        .heading = godot_heading};
    stat_table_register(&table);
}
