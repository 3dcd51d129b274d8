/* response-times.c
 *
 * `-z godot,srt`: response times at the capture point, of remote calls and their replies, of announced paths
 * and their confirmations, and of authentications.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <epan/srt_table.h>

#include "multiplayer/api/tap.h"
#include "multiplayer/statistics/register.h"

/* Rows of a table; further ones are counted as "(other)". */
enum { MAX_ROWS = 1000 };

static const struct {
    const char *name, *short_name, *column;
} tables[GODOT_RESPONSE_KINDS] = {
    {"Remote calls and replies (pairs: Preferences > Protocols > Godot > RPC replies)", "Calls",
     "Request and reply"},
    {"Path confirmations", "Paths", "Confirmed"},
    {"Authentications", "Authentication", "Admitted"},
};

static void start(struct register_srt *srt _U_, GArray *srt_array)
{
    for (int i = 0; i < GODOT_RESPONSE_KINDS; i++) {
        init_srt_table(tables[i].name, tables[i].short_name, srt_array, 0, tables[i].column, NULL, NULL);
    }
}

/* Row numbers by name. Wireshark neither reports when it frees a table nor finds a row by its name: a table
 * whose number of rows differs from the stored one is a new table. */
static GHashTable *rows_of(const srt_stat_table *table)
{
    static GHashTable *known;
    if (!known) {
        known = g_hash_table_new(NULL, NULL);
    }
    GHashTable *rows = g_hash_table_lookup(known, table);
    if (!rows) {
        rows = g_hash_table_new_full(wmem_str_hash, g_str_equal, g_free, NULL);
        g_hash_table_insert(known, (gpointer)table, rows);
    }
    if (g_hash_table_size(rows) != (guint)table->num_procs) {
        g_hash_table_remove_all(rows);
    }
    return rows;
}

/* The row of this name; a new one if there is none. Hostile traffic can have any number of names. */
static int row_of(srt_stat_table *table, const char *name)
{
    GHashTable *rows = rows_of(table);
    gpointer row;
    bool found = g_hash_table_lookup_extended(rows, name, NULL, &row);
    if (!found && table->num_procs >= MAX_ROWS) {
        name = "(other)";
        found = g_hash_table_lookup_extended(rows, name, NULL, &row);
    }
    if (!found) {
        row = GINT_TO_POINTER(table->num_procs);
        init_srt_table_row(table, table->num_procs, name);
        g_hash_table_insert(rows, g_strdup(name), row);
    }
    return GPOINTER_TO_INT(row);
}

static tap_packet_status packet(void *data, packet_info *pinfo, epan_dissect_t *edt _U_, const void *tap,
                                tap_flags_t flags _U_)
{
    const godot_response_tap *response = (const godot_response_tap *)tap;
    GArray *srt_array = ((srt_data_t *)data)->srt_array;
    srt_stat_table *table = g_array_index(srt_array, srt_stat_table *, response->kind);
    add_srt_table_data(table, row_of(table, response->name), &response->request, pinfo);
    return TAP_PACKET_REDRAW;
}

void godot_response_statistics_register(int proto)
{
    register_srt_table(proto, "godot_response", GODOT_RESPONSE_KINDS, packet, start, NULL);
}
