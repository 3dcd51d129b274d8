/* bandwidth.c
 *
 * Statistics → Godot Bandwidth, and `-z godot,bandwidth`: bytes on the wire by method (of all nodes), by
 * node, and by node, method and property.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "statistics/table.h"

#include "multiplayer/peers/names.h"
#include "multiplayer/state/session.h"
#include "multiplayer/api/tap.h"
#include "multiplayer/statistics/register.h"
#include "multiplayer/statistics/values/calls.h"
#include "multiplayer/statistics/values/filters.h"
#include "multiplayer/statistics/values/shares.h"

enum { BY_METHOD, BY_NODE, BY_ALL, TABLES };
static const char *const titles[TABLES] = {
    [BY_METHOD] = "By method",
    [BY_NODE] = "By node",
    [BY_ALL] = "By property",
};

enum {
    WIRE,
    SHARE,
    METHOD,
    NODE,
    PROPERTY,
    PER_SECOND,
    MESSAGES,
    CALLS,
    CALLS_PER_SECOND,
    EACH,
    BYTES,
    FILTER,
    COLUMNS
};
static stat_tap_table_item columns[COLUMNS] = {
    [WIRE] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes on the wire", "%u"},
    [SHARE] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Share %", "%.2f"},
    [METHOD] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Method", "%s"},
    [NODE] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Node", "%s"},
    [PROPERTY] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Property", "%s"},
    [PER_SECOND] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Wire bytes/s", "%u"},
    [MESSAGES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Messages", "%u"},
    [CALLS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Calls", "%u"},
    [CALLS_PER_SECOND] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Calls/s", "%.2f"},
    [EACH] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Wire bytes each", "%u"},
    [BYTES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes", "%u"},
    [FILTER] = {STAT_TABLE_FILTER},
};

/* Share and rates are those of the whole capture, whatever the filter of the statistic. */
static void derive(stat_cell *row)
{
    const godot_totals *totals = godot_session_totals();
    double wire = stat_cell_sum(&row[WIRE]), messages = stat_cell_sum(&row[MESSAGES]);
    nstime_t duration;
    nstime_delta(&duration, &totals->last, &totals->first);
    double seconds = nstime_to_sec(&duration);
    stat_cell_set_number(&row[EACH], ratio(wire, messages));
    stat_cell_set_number(&row[PER_SECOND], ratio(wire, seconds));
    stat_cell_set_number(&row[CALLS_PER_SECOND], ratio(stat_cell_sum(&row[CALLS]), seconds));
    stat_cell_set_number(&row[SHARE], ratio(100 * wire, (double)totals->wire_bytes));
}

void godot_name_peers(stat_cell *node)
{
    const char *path = node->value.string_value, *named = godot_peer_names_in(NULL, path);
    if (named != path) {
        stat_cell_set_text(node, named);
        wmem_free(NULL, (void *)named);
    }
}

static void name_peers(stat_cell *row)
{
    godot_name_peers(&row[NODE]);
}

/* What is added to a row. */
typedef struct {
    const char *method, *node, *property;
    const godot_tap *tap;
    uint32_t messages, calls;
    uint64_t bytes, wire;
} amount;

/* What is counted in the tables together. */
static const char *filter_of(wmem_allocator_t *pool, unsigned index, const amount *of)
{
    switch (index) {
    case BY_METHOD:
        return godot_filter_counted(pool, of->tap);
    case BY_NODE:
        return godot_filter_node(pool, of->node);
    default:
        return godot_filter_value(pool, of->tap, of->node, *of->property == '(' ? NULL : of->property);
    }
}

static void add(stat_table *table, unsigned index, wmem_allocator_t *scope, const amount *of)
{
    /* A length before each text: no text can be read as two. */
    const char *key = wmem_strdup_printf(scope, "%zu:%s%zu:%s%s", strlen(of->method), of->method,
                                         strlen(of->node), of->node, of->property);
    stat_cell *row = stat_table_row(table, index, key);
    if (*row[METHOD].value.string_value == '\0') {
        stat_cell_set_text(&row[METHOD], of->method);
        stat_cell_set_text(&row[NODE], of->node);
        stat_cell_set_text(&row[PROPERTY], of->property);
        name_peers(row);
        stat_row_set_filter(table, row, filter_of(scope, index, of));
    }
    stat_cell_add(&row[MESSAGES], of->messages);
    stat_cell_add(&row[CALLS], of->calls);
    stat_cell_add(&row[BYTES], of->bytes);
    stat_cell_add(&row[WIRE], of->wire);
    derive(row);
    stat_table_rank(table, index, row);
}

/* Bytes that are not divided among properties have a row with all properties. */
static void add_properties(stat_table *table, wmem_allocator_t *scope, const amount *of,
                           const godot_shares *of_message, const godot_share *share)
{
    godot_property_shares shares = godot_property_shares_of(of_message, share);
    godot_property_share property;
    while (godot_next_property_share(&shares, &property)) {
        amount value = *of;
        value.property = property.name ? property.name : "(all)";
        value.bytes = property.bytes;
        value.wire = property.wire;
        add(table, BY_ALL, scope, &value);
    }
}

static tap_packet_status packet(void *tap_data, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                tap_flags_t flags _U_)
{
    const godot_tap *tap = data;
    stat_table *table = stat_table_of(tap_data);
    amount whole = {godot_counted_name(pinfo->pool, tap),
                    godot_counted_node(tap, "(all)"),
                    "",
                    tap,
                    tap->repeated ? 0 : 1,
                    godot_calls_begin((godot_calls *)table->state, tap, nstime_to_sec(&pinfo->rel_ts)),
                    tap->repeated ? 0 : tap->length,
                    tap->wire_length};
    godot_shares shares = godot_shares_of(tap);
    godot_share share;

    /* A retransmission is the same message: only its bytes on the wire are counted again. */
    add(table, BY_METHOD, pinfo->pool, &whole);
    while (godot_next_share(&shares, &share)) {
        amount part = {"(all)", share.node, "", tap, share.messages, whole.calls, share.bytes, share.wire};
        add(table, BY_NODE, pinfo->pool, &part);
        part.method = whole.method;
        add_properties(table, pinfo->pool, &part, &shares, &share);
    }
    return TAP_PACKET_REDRAW;
}

static void *begin(wmem_allocator_t *pool)
{
    return godot_calls_new(pool);
}

void godot_bandwidth_register(int proto _U_)
{
    static stat_table table = {
        STAT_TABLE("Godot Bandwidth", "godot,bandwidth", "godot", packet, columns, titles),
        .sort_column = WIRE,
        .begin = begin,
        .derive = derive,
        .complete = name_peers,
        .concurrent = godot_session_concurrent,
        .heading = godot_heading};
    stat_table_register(&table);
}
