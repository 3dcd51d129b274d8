/* table-window.c
 *
 * A plugin for tests that makes tshark act as Wireshark. `-z table-window,STATISTIC[,FILTER]` opens a window
 * for a statistic with a table, like Wireshark; the option may be repeated, but only the last window gets
 * packets. After the file was read, each window with a valid filter prints a line "# window" and its tables:
 * the title, then the rows in the order of their first column, cells separated by tabs. A window opened after
 * reading follows. `-z open-again,FRAME` closes the last window and opens it once more, without a filter, when
 * this frame comes: it has the packets behind it. `-z frames-of,FILTER`: a line "# frames", the filter and the
 * numbers of the frames that it shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define WS_BUILD_DLL
#include "base/wireshark-compat.h"

#include <stdlib.h>
#include <string.h>

#include <epan/stat_tap_ui.h>
#include <epan/tap.h>

#include "test-plugin.h"

typedef struct {
    stat_data_t data; /* first: the window belongs to whatever has this pointer */
    GArray *tables;   /* the strings given when the window was opened: it keeps pointers to them */
    bool is_open;
} table_window;

static GPtrArray *windows;
static bool printed;

static int by_first_column(gconstpointer a, gconstpointer b)
{
    const stat_tap_table_item_type *first = *(stat_tap_table_item_type *const *)a;
    const stat_tap_table_item_type *second = *(stat_tap_table_item_type *const *)b;
    return first->value.int_value < second->value.int_value
               ? -1
               : first->value.int_value > second->value.int_value;
}

static void print_cell(const stat_tap_table_item_type *cell)
{
    switch (cell->type) {
    case TABLE_ITEM_STRING:
        printf("%s", cell->value.string_value);
        break;
    case TABLE_ITEM_FLOAT:
        printf(WS_AT_LEAST(4, 6) ? "%.2f" : "%f", cell->value.float_value);
        break;
    default:
        printf("%d", cell->value.int_value);
    }
}

static void print_table(const stat_tap_table *table)
{
    GPtrArray *rows = g_ptr_array_new();
    printf("%s\n", table->title);
    for (unsigned i = 0; i < table->num_elements; i++) {
        g_ptr_array_add(rows, stat_tap_get_field_data(table, i, 0));
    }
    g_ptr_array_sort(rows, by_first_column);
    for (unsigned i = 0; i < rows->len; i++) {
        const stat_tap_table_item_type *cells = (const stat_tap_table_item_type *)rows->pdata[i];
        for (unsigned column = 0; column < table->num_fields; column++) {
            printf(column ? "\t" : "");
            print_cell(&cells[column]);
        }
        printf("\n");
    }
    g_ptr_array_free(rows, TRUE);
}

static void print_window(const GArray *tables)
{
    printf("# window\n");
    for (unsigned i = 0; i < tables->len; i++) {
        print_table(g_array_index(tables, stat_tap_table *, i));
    }
}

static void print_windows(void *data)
{
    stat_tap_table_ui *ui = ((const table_window *)data)->data.stat_tap_data;
    for (unsigned i = 0; !printed && i < windows->len; i++) {
        print_window(((const table_window *)windows->pdata[i])->tables);
    }
    if (!printed) {
        ui->stat_tap_init_cb(ui);
        print_window(ui->tables);
    }
    printed = true;
}

static void fill(table_window *window, const char *filter)
{
    stat_tap_table_ui *ui = window->data.stat_tap_data;
    ui->refcount++;
    ui->stat_tap_init_cb(ui);
    GString *error = register_tap_listener(ui->tap_name, &window->data, filter, 0, NULL, ui->packet_func,
                                           print_windows, NULL);
    window->is_open = !error;
    window->tables = ui->tables;
    if (error) {
        free_stat_tables(ui);
        ui->refcount--;
        g_string_free(error, TRUE);
    }
}

static compat_stat_started start(const char *options, void *data _U_)
{
    char **words = g_strsplit(options, ",", 4); /* table-window, godot, bandwidth, filter */
    char *name = g_strdup_printf("%s,%s", words[1], words[2]);
    table_window *window = g_new0(table_window, 1);
    window->data.stat_tap_data = stat_tap_by_name(name);
    g_assert(window->data.stat_tap_data);
    fill(window, words[3]);
    windows = windows ? windows : g_ptr_array_new();
    if (window->is_open) {
        if (windows->len) {
            remove_tap_listener(windows->pdata[windows->len - 1]);
        }
        g_ptr_array_add(windows, window);
    } else {
        g_free(window);
    }
    g_free(name);
    g_strfreev(words);
    return COMPAT_STAT_STARTED;
}

static tap_packet_status open_again(void *frame, packet_info *pinfo, epan_dissect_t *edt _U_,
                                    const void *tap _U_, tap_flags_t flags _U_)
{
    if (pinfo->num == GPOINTER_TO_UINT(frame)) {
        table_window *last = windows->pdata[windows->len - 1];
        remove_tap_listener(last);
        ((stat_tap_table_ui *)last->data.stat_tap_data)->refcount--;
        fill(last, NULL);
    }
    return TAP_PACKET_DONT_REDRAW;
}

static compat_stat_started start_again(const char *options, void *data _U_)
{
    gpointer frame = GUINT_TO_POINTER((unsigned)g_ascii_strtoull(strchr(options, ',') + 1, NULL, 10));
    GString *error = register_tap_listener("frame", frame, NULL, 0, NULL, open_again, NULL, NULL);
    g_assert(!error);
    return COMPAT_STAT_STARTED;
}

static tap_packet_status note_frame(void *line, packet_info *pinfo, epan_dissect_t *edt _U_,
                                    const void *tap _U_, tap_flags_t flags _U_)
{
    g_string_append_printf((GString *)line, "\t%u", pinfo->num);
    return TAP_PACKET_DONT_REDRAW;
}

static void print_frames(void *line)
{
    printf("# frames %s\n", ((const GString *)line)->str);
}

static compat_stat_started start_frames(const char *options, void *data _U_)
{
    const char *filter = strchr(options, ',') + 1;
    GString *error =
        register_tap_listener("frame", g_string_new(filter), filter, 0, NULL, note_frame, print_frames, NULL);
    if (error) {
        printf("# %s\n", error->str);
        exit(1);
    }
    return COMPAT_STAT_STARTED;
}

static void register_protocol(void)
{
}

static void register_handoff(void)
{
    static stat_tap_ui ui = {REGISTER_STAT_GROUP_GENERIC, NULL, "table-window", start, 0, NULL};
    register_stat_tap_ui(&ui, NULL);
    static stat_tap_ui again = {REGISTER_STAT_GROUP_GENERIC, NULL, "open-again", start_again, 0, NULL};
    register_stat_tap_ui(&again, NULL);
    static stat_tap_ui frames = {REGISTER_STAT_GROUP_GENERIC, NULL, "frames-of", start_frames, 0, NULL};
    register_stat_tap_ui(&frames, NULL);
}

void plugin_register(void)
{
    static proto_plugin plugin = {register_protocol, register_handoff};
    g_set_prgname("wireshark");
    proto_register_plugin(&plugin);
}
