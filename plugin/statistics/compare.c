/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "statistics/compare.h"

#include <errno.h>
#include <math.h>

#include <epan/tap.h>
#include <glib/gstdio.h>

#include "base/columns.h"
#include "statistics/csv.h"
#include "statistics/option.h"
#include "statistics/report.h"
#include "statistics/table.h"

/* Rows that are shown of a table: those that changed most. */
enum { MAX_SHOWN = 50 };
/* Most bytes of a baseline: five times those of a full table with long paths. */
#define MAX_BASELINE (16u << 20)
/* Bytes a second and connection, and share of what it was: a smaller difference counts as none. */
#define NO_CHANGE 0.5
#define NO_SHARE  0.0005
#define RATE      "Wire bytes/s"

/* A row that is there before, now, or both times. */
typedef struct {
    char *texts;        /* of its columns, as one line */
    double before, now; /* bytes a second; below 0: it is not there */
} compared_row;

typedef struct {
    stat_data_t data;    /* what a packet_func gets; of `table` */
    stat_table *table;   /* NULL: there is no baseline */
    char *problem;       /* why there is none; NULL: there is one */
    char *path, *filter; /* `filter` NULL: none */
    unsigned rate;       /* column */
    GHashTable **rows;   /* of each table: texts to compared_row */
    double concurrent;   /* connections at a time, in the file; 0: not known */
    unsigned *places;    /* of each column of `table` in the file, if it is needed */
    bool from_window;    /* the file was saved by a window: ranks instead of titles */
    unsigned window_table;
    double window_rank;
} comparison;

/* --- the baseline -------------------------------------------------------------------------------- */

static char *baseline_path = ""; /* preference */

static unsigned column_named(const stat_table *table, const char *name)
{
    for (unsigned i = 0; i < table->ui.nfields; i++) {
        if (strcmp(table->ui.fields[i].column_name, name) == 0) {
            return i;
        }
    }
    return UINT_MAX;
}

static bool is_text(const stat_tap_table_item *column)
{
    return column->type == TABLE_ITEM_STRING && strcmp(column->column_name, "Filter") != 0;
}

static unsigned place_of(const GPtrArray *heading, const char *name)
{
    for (unsigned i = 0; i < heading->len; i++) {
        if (strcmp((const char *)heading->pdata[i], name) == 0) {
            return i;
        }
    }
    return UINT_MAX;
}

/* Whether a file with this heading has what is compared: the texts of rows, and their rates. Its first column
 * is the title of the row's table, or in a file that a window has saved the row's rank. */
static bool is_heading_of(const stat_table *table, const GPtrArray *heading)
{
    unsigned count;
    const stat_tap_table_item *columns = stat_table_columns(table, &count);
    bool known = place_of(heading, RATE) != UINT_MAX &&
                 (place_of(heading, "Table") == 0 || place_of(heading, "#") == 0);
    for (unsigned i = 0; known && i < count; i++) {
        known = !is_text(&columns[i]) || place_of(heading, columns[i].column_name) != UINT_MAX;
    }
    return known && column_named(table, RATE) != UINT_MAX;
}

static void free_row(void *data)
{
    compared_row *row = data;
    g_free(row->texts);
    g_free(row);
}

/* The row with these texts; takes ownership of them. */
static compared_row *row_at(GHashTable *rows, char *texts)
{
    compared_row *row = g_hash_table_lookup(rows, texts);
    if (row) {
        g_free(texts);
        return row;
    }
    row = g_new0(compared_row, 1);
    row->texts = texts;
    row->before = row->now = -1;
    g_hash_table_insert(rows, row->texts, row);
    return row;
}

/* Appends a text of a row, as it is shown. The ids of peers differ from run to run: they are random, and
 * nearly all of them have at least so many digits. */
static void add_text(GString *texts, const char *text)
{
    enum { ID_DIGITS = 7 };
    char *shown = info_column_text(NULL, text, strlen(text), SIZE_MAX - 8);
    const char *at = g_strchug(shown);
    g_string_append(texts, texts->len && *at ? "  " : "");
    while (*at) {
        size_t digits = strspn(at, "0123456789");
        if (digits >= ID_DIGITS) {
            g_string_append(texts, "{id}");
        } else {
            g_string_append_len(texts, at, (gssize)MAX(digits, 1));
        }
        at += MAX(digits, 1);
    }
    wmem_free(NULL, shown);
}

static void add_rate(double *to, double rate)
{
    *to = MAX(0, *to) + rate;
}

/* The table of a line: by its title, or, in what a window has saved sorted by rank, the next one if the rank
 * begins again. title_count: none. */
static unsigned table_of(comparison *all, const GPtrArray *line)
{
    const char *first = line->pdata[0];
    unsigned title = 0;
    if (all->from_window) {
        double rank = g_ascii_strtod(first, NULL);
        all->window_table += rank <= all->window_rank;
        all->window_rank = rank;
        return MIN(all->window_table, all->table->title_count);
    }
    while (title < all->table->title_count && strcmp(all->table->titles[title], first) != 0) {
        title++;
    }
    for (unsigned i = 0; title == all->table->title_count && i < all->table->former_count; i++) {
        if (strcmp(all->table->former[i].title, first) == 0) {
            return all->table->former[i].table;
        }
    }
    return title;
}

static void add_before(comparison *all, const GPtrArray *line)
{
    const stat_table *table = all->table;
    GString *texts = g_string_new(NULL);
    unsigned title = table_of(all, line);
    for (unsigned i = 0; i < table->ui.nfields; i++) {
        if (is_text(&table->ui.fields[i])) {
            add_text(texts, (const char *)line->pdata[all->places[i]]);
        }
    }
    char *found = g_string_free(texts, FALSE);
    if (!all->from_window && strcmp((const char *)line->pdata[0], STAT_TABLE_CONCURRENT) == 0) {
        all->concurrent = g_ascii_strtod(found, NULL);
    }
    if (title == table->title_count) {
        g_free(found);
        return;
    }
    add_rate(&row_at(all->rows[title], found)->before,
             g_ascii_strtod((const char *)line->pdata[all->places[all->rate]], NULL));
}

/* A copy of the table with this heading; NULL: there is none. */
static stat_table *table_with_heading(const GPtrArray *line)
{
    const stat_table *registered;
    for (unsigned i = 0; line && (registered = stat_table_registered(i)); i++) {
        if (is_heading_of(registered, line)) {
            return stat_table_copy(registered);
        }
    }
    return NULL;
}

static void read_rows(comparison *all, const char *at, const GPtrArray *heading)
{
    GPtrArray *line;
    unsigned needed = 0;
    all->rate = column_named(all->table, RATE);
    all->from_window = strcmp((const char *)heading->pdata[0], "#") == 0;
    all->places = g_new0(unsigned, all->table->ui.nfields);
    for (unsigned i = 0; i < all->table->ui.nfields; i++) {
        if (i == all->rate || is_text(&all->table->ui.fields[i])) {
            all->places[i] = place_of(heading, all->table->ui.fields[i].column_name);
            needed = MAX(needed, all->places[i] + 1);
        }
    }
    all->rows = g_new0(GHashTable *, all->table->title_count);
    for (unsigned i = 0; i < all->table->title_count; i++) {
        all->rows[i] = g_hash_table_new_full(wmem_str_hash, g_str_equal, NULL, free_row);
    }
    while ((line = csv_next_line(&at))) {
        if (line->len >= needed) {
            add_before(all, line);
        }
        g_ptr_array_free(line, TRUE);
    }
}

/* To be freed; NULL: it cannot be read, and `problem` is set to the reason. */
static char *read_baseline(const char *path, char **problem)
{
    /* Reading a pipe could wait for ever. */
    bool other = g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR);
    FILE *file = other ? NULL : g_fopen(path, "rb");
    GString *text = g_string_new(NULL);
    char part[4096];
    size_t length;
    while (file && text->len <= MAX_BASELINE && (length = fread(part, 1, sizeof part, file)) > 0) {
        g_string_append_len(text, part, (gssize)length);
    }
    if (other) {
        *problem = g_strdup("This is not a file");
    } else if (!file || ferror(file)) {
        *problem = g_strdup(g_strerror(errno));
    } else if (text->len > MAX_BASELINE) {
        *problem = g_strdup("This file is larger than 16 MiB: no statistic has written it");
    }
    if (file) {
        fclose(file);
    }
    return g_string_free(text, *problem != NULL);
}

/* Why this text has no heading. The windows of Wireshark save in four formats, plain text first. */
static const char *why_unknown(const char *text)
{
    bool other_format =
        g_str_has_prefix(text, "====") || g_str_has_prefix(text, "---\n") || g_str_has_prefix(text, "<?xml");
    return other_format ? "This file is not CSV: in \"Save as\" of the table's window, choose the type CSV"
                        : "This file has not the columns of Godot Bandwidth or Godot Properties";
}

/* Takes ownership of `path`. */
static comparison *begin_comparison(char *path)
{
    comparison *all = g_new0(comparison, 1);
    all->path = path;
    char *text = read_baseline(path, &all->problem);
    if (!text) {
        return all;
    }
    const char *at = text;
    GPtrArray *heading = csv_next_line(&at);
    all->table = table_with_heading(heading);
    if (all->table) {
        all->data.stat_tap_data = &all->table->ui;
        read_rows(all, at, heading);
    } else {
        all->problem = g_strdup(why_unknown(text));
    }
    if (heading) {
        g_ptr_array_free(heading, TRUE);
    }
    g_free(text);
    return all;
}

/* --- now ----------------------------------------------------------------------------------------- */

static void add_now(comparison *all, unsigned index, const stat_cell *cells)
{
    GString *texts = g_string_new(NULL);
    for (unsigned i = 0; i < all->table->ui.nfields; i++) {
        if (cells[i].type == TABLE_ITEM_STRING && *cells[i].value.string_value) {
            add_text(texts, cells[i].value.string_value);
        }
    }
    add_rate(&row_at(all->rows[index], g_string_free(texts, FALSE))->now,
             round(stat_cell_sum(&cells[all->rate])));
}

static double change_of(const compared_row *row)
{
    return MAX(0, row->now) - MAX(0, row->before);
}

/* Connections of both captures, if known: the traffic of a server grows with its clients. */
static double concurrent_now(const comparison *all)
{
    double now = all->concurrent > 0 && all->table->concurrent ? all->table->concurrent() : 0;
    return now > 0 ? now : 1;
}

/* Sorts by the size of the change, largest first. */
static int by_change(gconstpointer a, gconstpointer b)
{
    const compared_row *first = *(const compared_row *const *)a, *second = *(const compared_row *const *)b;
    double difference = fabs(change_of(second)) - fabs(change_of(first));
    return difference < 0 ? -1 : difference > 0 ? 1 : strcmp(first->texts, second->texts);
}

static void write_row(GString *text, const compared_row *row)
{
    char percent[32];
    if (row->before < 0 || row->now < 0) {
        g_strlcpy(percent, row->before < 0 ? "new" : "gone", sizeof percent);
    } else if (row->before > 0) {
        snprintf(percent, sizeof percent, "%+.1f", 100 * change_of(row) / row->before);
    } else {
        g_strlcpy(percent, "", sizeof percent);
    }
    g_string_append_printf(text, "%10.0f  %10.0f  %+10.0f  %8s  %s\n", MAX(0, row->before), MAX(0, row->now),
                           change_of(row), percent, row->texts);
}

/* Rates of a connection; to be freed. */
static compared_row *row_of_connection(const comparison *all, const compared_row *row)
{
    compared_row *scaled = g_memdup2(row, sizeof *row);
    scaled->before /= all->concurrent > 0 ? all->concurrent : 1;
    scaled->now /= concurrent_now(all);
    return scaled;
}

static bool has_changed(const compared_row *row)
{
    double change = fabs(change_of(row));
    return row->before < 0 || row->now < 0 || (change >= NO_CHANGE && change >= NO_SHARE * row->before);
}

static void write_total(const GPtrArray *rows, GString *text)
{
    compared_row total = {.texts = "(total)"};
    for (unsigned i = 0; i < rows->len; i++) {
        const compared_row *row = rows->pdata[i];
        total.before += MAX(0, row->before);
        total.now += MAX(0, row->now);
    }
    write_row(text, &total);
}

static void write_table(const comparison *all, unsigned index, GString *text)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    GHashTableIter at;
    gpointer value;
    g_hash_table_iter_init(&at, all->rows[index]);
    while (g_hash_table_iter_next(&at, NULL, &value)) {
        g_ptr_array_add(rows, row_of_connection(all, (const compared_row *)value));
    }
    g_ptr_array_sort(rows, by_change);
    g_string_append_printf(text, "\n%s%s\n", all->table->titles[index], rows->len ? "" : ": nothing");
    if (rows->len) {
        g_string_append_printf(text, "%10s  %10s  %10s  %8s\n", "Before", "Now", "Change", "Change %");
        write_total(rows, text);
    }
    unsigned same = 0;
    for (unsigned i = 0; i < rows->len; i++) {
        const compared_row *row = rows->pdata[i];
        bool changed = has_changed(row);
        same += !changed;
        if (changed && i < MAX_SHOWN) {
            write_row(text, row);
        }
    }
    if (same) {
        g_string_append_printf(text, "and %u rows without a change\n", same);
    }
    if (rows->len - same > MAX_SHOWN) {
        g_string_append_printf(text, "and %u rows that changed less\n", rows->len - same - MAX_SHOWN);
    }
    g_ptr_array_free(rows, TRUE);
}

static void forget_now(gpointer texts _U_, gpointer row, gpointer data _U_)
{
    ((compared_row *)row)->now = -1;
}

static void write_comparison(void *state, GString *text)
{
    static const char line[] = "===================================================================";
    comparison *all = state;
    const stat_table *table = all->table;
    if (!table) {
        g_string_append_printf(text, "%s: %s\n", all->path, all->problem);
        return;
    }
    g_string_append_printf(text, "\n%s\n%s compared with %s: wire bytes a second%s\n", line, table->ui.title,
                           all->path, all->concurrent > 0 ? " and connection" : "");
    if (all->filter) {
        g_string_append_printf(text, "Filter: %s\n", all->filter);
    }
    for (unsigned i = 0; i < table->title_count; i++) {
        stat_cell *cells;
        g_hash_table_foreach(all->rows[i], forget_now, NULL); /* a window writes again and again */
        for (unsigned k = 0; (cells = stat_table_cells(table, i, k)); k++) {
            add_now(all, i, cells);
        }
        write_table(all, i, text);
    }
    g_string_append_printf(text, "%s\n", line);
}

/* --- window -------------------------------------------------------------------------------------- */

static void *begin_page(wmem_allocator_t *pool _U_)
{
    if (*baseline_path) {
        return begin_comparison(g_strdup(baseline_path));
    }
    comparison *all = g_new0(comparison, 1);
    all->path = g_strdup("No baseline");
    all->problem =
        g_strdup("choose a file at Preferences > Protocols > Godot > Baseline; Godot Bandwidth and "
                 "Godot Properties write it with tshark, -z godot,bandwidth,FILE.csv");
    return all;
}

static void end_page(void *state)
{
    comparison *all = state;
    for (unsigned i = 0; all->table && i < all->table->title_count; i++) {
        g_hash_table_destroy(all->rows[i]);
    }
    if (all->table) {
        stat_table_free(all->table);
    }
    g_free(all->rows);
    g_free(all->places);
    g_free(all->problem);
    g_free(all->path);
    g_free(all);
}

static bool listens(const comparison *all, const char *tap)
{
    return all->table && strcmp(all->table->ui.tap_name, tap) == 0;
}

static tap_packet_status count_sent(void *state, packet_info *pinfo, epan_dissect_t *edt, const void *data,
                                    tap_flags_t flags)
{
    comparison *all = state;
    return listens(all, "godot") ? all->table->ui.packet_func(&all->data, pinfo, edt, data, flags)
                                 : TAP_PACKET_DONT_REDRAW;
}

static tap_packet_status count_values(void *state, packet_info *pinfo, epan_dissect_t *edt, const void *data,
                                      tap_flags_t flags)
{
    comparison *all = state;
    return listens(all, "godot_message") ? all->table->ui.packet_func(&all->data, pinfo, edt, data, flags)
                                         : TAP_PACKET_DONT_REDRAW;
}

/* --- option -------------------------------------------------------------------------------------- */

static void print_comparison(void *tap_data)
{
    GString *text = g_string_new(NULL);
    write_comparison(tap_data, text);
    fputs(text->str, stdout);
    g_string_free(text, TRUE);
}

static compat_stat_started start(const char *argument, void *option)
{
    const char *rest = stat_option_rest(argument, (const char *)option);
    const char *end = rest ? strchr(rest, ',') : NULL;
    char *path = end ? g_strndup(rest, (gsize)(end - rest)) : g_strdup(rest ? rest : baseline_path);
    if (!g_str_has_suffix(path, ".csv")) {
        stat_refuse(argument, "After it comes a comma and the name of a file that ends in .csv");
    }
    comparison *all = begin_comparison(path);
    all->filter = g_strdup(end ? end + 1 : NULL);
    if (!all->table) {
        stat_refuse(argument, all->problem);
    }
    GString *problem = register_tap_listener(all->table->ui.tap_name, all, all->filter, 0, NULL,
                                             all->table->ui.packet_func, print_comparison, NULL);
    if (problem) {
        stat_refuse(argument, problem->str);
    }
    return COMPAT_STAT_STARTED;
}

void stat_compare_register(const char *option, module_t *preferences)
{
    static const report_source sources[] = {{"godot", count_sent}, {"godot_message", count_values}};
    static report page = {.title = "Godot Compare",
                          .sources = sources,
                          .source_count = array_length(sources),
                          .begin = begin_page,
                          .write = write_comparison,
                          .end = end_page};
    prefs_register_filename_preference(
        preferences, "compare.baseline", "Baseline",
        "A file that tshark -z godot,bandwidth,FILE.csv or -z "
        "godot,properties,FILE.csv has written of another capture: Godot Compare "
        "shows what has changed since",
        (const char **)&baseline_path, FALSE);
    page.option = option;
    if (stat_is_tshark()) {
        stat_option_register(page.title, option, start, (void *)option);
    } else {
        report_register(&page);
    }
}
