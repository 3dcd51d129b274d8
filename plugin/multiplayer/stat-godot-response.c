/* stat-godot-response.c
 *
 * `-z godot,srt`: how long answers took, between the two frames where the capture was made: remote calls that
 * answer others, confirmations of announced paths, authentications.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common/wireshark-compat.h"

#include <epan/srt_table.h>

#include "multiplayer/godot-tap.h"
#include "multiplayer/stat-godot.h"

/* Rows of a table; what comes after that is counted as "(other)". */
enum { MAX_ROWS = 1000 };

static const struct {
    const char *name, *short_name, *column;
} tables[GODOT_RESPONSE_KINDS] = {
    {"Remote calls", "Calls", "Request and reply"},
    {"Path confirmations", "Paths", "Confirmed"},
    {"Authentications", "Authentication", "Admitted"},
};

static void start(struct register_srt *srt _U_, GArray *srt_array)
{
    for (int i = 0; i < GODOT_RESPONSE_KINDS; i++) {
        init_srt_table(tables[i].name, tables[i].short_name, srt_array, 0, tables[i].column, NULL, NULL);
    }
}

static int find_row(const srt_stat_table *table, const char *name)
{
    for (int i = 0; i < table->num_procs; i++) {
        if (strcmp(table->procedures[i].procedure, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* The row of this name; a new one if there is none. Hostile traffic can have any number of names. */
static int row_of(srt_stat_table *table, const char *name)
{
    int row = find_row(table, name);
    if (row < 0 && table->num_procs >= MAX_ROWS) {
        name = "(other)";
        row = find_row(table, name);
    }
    if (row < 0) {
        row = table->num_procs;
        init_srt_table_row(table, row, name);
    }
    return row;
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
