/* timeline.c
 *
 * Statistics → Godot Timeline, and `-z godot,timeline[,INTERVAL][,FILE.csv][,FILTER]`: messages and bytes
 * in each interval: of all messages, by method, and by node. Intervals without messages have no row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "statistics/table.h"

#include <math.h>

#include "multiplayer/api/tap.h"
#include "multiplayer/statistics/time/time.h"
#include "multiplayer/statistics/values/filters.h"
#include "multiplayer/statistics/values/shares.h"

/* Seconds: shorter ones have the same number in the table. */
#define MIN_INTERVAL 0.01
#define MAX_INTERVAL 1e6

enum { ALL, BY_METHOD, BY_NODE, TABLES };
static const char *const titles[TABLES] = {
    [ALL] = "All messages", [BY_METHOD] = "By method", [BY_NODE] = "By node"};

/* An hour of a game with a dozen methods. */
#define MAX_ROWS 50000u

enum { SECONDS, WIRE, MESSAGES, BYTES, METHOD, NODE, FILTER, COLUMNS };
static stat_tap_table_item columns[COLUMNS] = {
    [SECONDS] = {TABLE_ITEM_STRING, TAP_ALIGN_RIGHT, "Seconds", "%s"},
    [WIRE] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes on the wire", "%u"},
    [MESSAGES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Messages", "%u"},
    [BYTES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes", "%u"},
    [METHOD] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Method", "%s"},
    [NODE] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Node", "%s"},
    [FILTER] = {STAT_TABLE_FILTER},
};

/* A message and the interval that it is in. */
typedef struct {
    wmem_allocator_t *pool;
    const godot_tap *tap;
    double begin; /* seconds since the first frame */
    const char *seconds;
} timed_message;

static const char *filter_of(const stat_table *table, unsigned index, const timed_message *one,
                             const char *node)
{
    const char *of = index == ALL         ? "godot.session"
                     : index == BY_METHOD ? godot_filter_counted(one->pool, one->tap)
                                          : godot_filter_node(one->pool, node);
    const char *times =
        wmem_strdup_printf(one->pool, "frame.time_relative >= %.15g && frame.time_relative < %.15g",
                           one->begin, one->begin + table->option);
    return *of ? godot_filter_both(one->pool, times, of) : "";
}

static void add(stat_table *table, unsigned index, const timed_message *one, const char *method,
                const godot_share *share)
{
    const char *node = share->node;
    const char *key = wmem_strdup_printf(one->pool, "%s %s%s", one->seconds, method, node);
    stat_cell *row = stat_table_row(table, index, key);
    if (*row[SECONDS].value.string_value == '\0') {
        stat_cell_set_text(&row[SECONDS], one->seconds);
        stat_cell_set_text(&row[METHOD], method);
        stat_cell_set_text(&row[NODE], node);
        stat_row_set_filter(table, row, filter_of(table, index, one, node));
    }
    stat_cell_add(&row[MESSAGES], share->messages);
    stat_cell_add(&row[BYTES], share->bytes);
    stat_cell_add(&row[WIRE], share->wire);
}

static tap_packet_status packet(void *tap_data, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                tap_flags_t flags _U_)
{
    const godot_tap *tap = data;
    stat_table *table = stat_table_of(tap_data);
    const double interval = table->option;
    const char *method = godot_counted_name(pinfo->pool, tap);
    /* A nanosecond more: 0.3 / 0.1 is less than 3. */
    double begin = floor((nstime_to_sec(&pinfo->rel_ts) + 1e-9) / interval) * interval;
    /* Blanks in front: texts in the order of their numbers. */
    const timed_message one = {pinfo->pool, tap, begin, wmem_strdup_printf(pinfo->pool, "%9.2f", begin)};
    /* A retransmission is the same message: only its bytes on the wire are counted again. */
    godot_share whole = {NULL, "", tap->repeated ? 0 : 1, tap->repeated ? 0 : tap->length, tap->wire_length};
    godot_shares shares = godot_shares_of(tap);
    godot_share share;
    add(table, ALL, &one, "(all)", &whole);
    whole.node = godot_counted_node(tap, "");
    add(table, BY_METHOD, &one, method, &whole);
    while (godot_next_share(&shares, &share)) {
        add(table, BY_NODE, &one, "", &share);
    }
    return TAP_PACKET_REDRAW;
}

/* "0.5" or "0.5,FILTER"; what does not begin with a digit is a filter. */
static const char *take_interval(const char *text, double *interval, const char **error)
{
    char *end;
    if (!g_ascii_isdigit(*text)) {
        return text;
    }
    *interval = g_ascii_strtod(text, &end);
    if ((*end && *end != ',') || !(*interval >= MIN_INTERVAL && *interval <= MAX_INTERVAL)) {
        *error = "The interval is a number of seconds from 0.01 to 1000000";
    }
    return *end ? end + 1 : NULL;
}

void godot_timeline_register(int proto _U_)
{
    static stat_table table = {
        STAT_TABLE("Godot Timeline", "godot,timeline", "godot", packet, columns, titles),
        .max_rows = MAX_ROWS,
        .sort_column = STAT_TABLE_UNSORTED,
        .take_option = take_interval,
        .heading = godot_heading,
        .option = 1};
    stat_table_register(&table);
}
