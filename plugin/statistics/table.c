/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "statistics/table.h"

#include <errno.h>

#include <epan/tap.h>
#include <glib/gstdio.h>

#include "base/columns.h"
#include "statistics/cells.h"
#include "statistics/csv.h"
#include "statistics/option.h"
#include "statistics/ranking.h"

/* A table of tshark, between its registration and its output. */
typedef struct {
    stat_data_t data; /* what a packet_func gets */
    char *filter;     /* NULL: none */
    FILE *file;       /* NULL: it is printed */
    char *path;       /* of `file` */
} printed_table;

stat_table *stat_table_of(void *tap_data)
{
    return (stat_table *)((stat_data_t *)tap_data)->stat_tap_data;
}

/* --- rows ---------------------------------------------------------------------------------------- */

static stat_tap_table *table_at(const stat_table *table, unsigned index)
{
    return g_array_index(table->ui.tables, stat_tap_table *, index);
}

static unsigned add_row(stat_table *table, unsigned index)
{
    stat_tap_table *rows = table_at(table, index);
    unsigned row = rows->num_elements;
    stat_cell *cells = g_new0(stat_cell, table->ui.nfields);
    for (size_t i = 0; i < table->ui.nfields; i++) {
        stat_cell_begin(&cells[i], table->ui.fields[i].type, table->in_window);
    }
    stat_tap_init_table_row(rows, row, (unsigned)table->ui.nfields, cells);
    g_free(cells);
    return row;
}

static const char other_rows[] = "(other)";

/* 1 in a window, else 0. */
static unsigned rank_columns(const stat_table *table)
{
    return table->order ? 1 : 0;
}

static double ranked_sum(const void *row, const void *table)
{
    return stat_cell_sum(&((const stat_cell *)row)[((const stat_table *)table)->sort_column]);
}

static void set_rank(void *row, unsigned place)
{
    ((stat_cell *)row)[-1].value.int_value = (int)place + 1;
}

void stat_table_rank(stat_table *table, unsigned index, stat_cell *row)
{
    if (!rank_columns(table)) {
        return;
    }
    GPtrArray *order = table->order[index];
    const ranking by_sum = {ranked_sum, set_rank, table};
    if (row[-1].value.int_value == 0) {
        g_ptr_array_add(order, row);
        set_rank(row, order->len - 1);
    }
    ranking_rise(&by_sum, order->pdata, (unsigned)row[-1].value.int_value - 1);
}

/* The first text column; every table has one. */
static const stat_cell *name_cell(const stat_cell *row)
{
    while (!stat_cell_is_text(row)) {
        row++;
    }
    return row;
}

stat_cell *stat_table_row(stat_table *table, unsigned index, const char *key)
{
    GHashTable *rows = table->rows[index];
    gpointer number;
    bool full = g_hash_table_size(rows) >= (table->max_rows ? table->max_rows : STAT_TABLE_MAX_ROWS);
    if (!g_hash_table_lookup_extended(rows, key, NULL, &number)) {
        key = full ? "" : key;
        if (!full || !g_hash_table_lookup_extended(rows, key, NULL, &number)) {
            number = GUINT_TO_POINTER(add_row(table, index));
            g_hash_table_insert(rows, g_strdup(key), number);
        }
    }
    stat_cell *cells =
        stat_tap_get_field_data(table_at(table, index), GPOINTER_TO_UINT(number), rank_columns(table));
    if (full && *key == '\0') {
        stat_cell_set_text((stat_cell *)name_cell(cells), other_rows);
    }
    return cells;
}

bool stat_row_is_other(const stat_cell *row)
{
    return strcmp(name_cell(row)->value.string_value, other_rows) == 0;
}

/* Numbers of columns are those of the statistic, without the rank. */
static unsigned filter_column(const stat_table *table)
{
    unsigned last = (unsigned)table->ui.nfields - 1;
    bool is_filter = strcmp(table->ui.fields[last].column_name, "Filter") == 0;
    return is_filter ? last - rank_columns(table) : UINT_MAX;
}

void stat_row_set_filter(const stat_table *table, stat_cell *row, const char *filter)
{
    unsigned column = filter_column(table);
    if (column != UINT_MAX && !stat_row_is_other(row)) {
        stat_cell_set_text(&row[column], filter);
    }
}

const stat_tap_table_item *stat_table_columns(const stat_table *table, unsigned *count)
{
    bool without_filter = !table->prints_filters && filter_column(table) != UINT_MAX;
    *count = (unsigned)table->ui.nfields - rank_columns(table) - without_filter;
    return table->ui.fields + rank_columns(table);
}

/* --- callbacks ----------------------------------------------------------------------------------- */

static void reset_rows(stat_tap_table *rows)
{
    for (unsigned row = 0; row < rows->num_elements; row++) {
        for (unsigned column = 0; column < rows->num_fields; column++) {
            stat_cell *cell = stat_tap_get_field_data(rows, row, column);
            if (cell->type != TABLE_ITEM_INT && !stat_cell_is_text(cell)) { /* not the rank */
                stat_cell_set_number(cell, 0);
            }
        }
    }
}

static void free_cell(stat_tap_table *rows _U_, unsigned row _U_, unsigned column _U_, stat_cell *cell)
{
    if (cell->type == TABLE_ITEM_STRING) {
        g_free((char *)cell->value.string_value);
        cell->value.string_value = NULL;
    }
}

/* Wireshark has one place for the tables of a statistic, and its windows keep pointers to their cells: every
 * time a window is filled it gets tables of its own, and those before stay until all windows are closed. */
static void set_aside(stat_table *table)
{
    if (!table->earlier) {
        table->earlier = g_ptr_array_new();
    }
    g_ptr_array_add(table->earlier, table->ui.tables);
    table->ui.tables = NULL;
}

/* Only the window that is being filled uses their cells. */
static void free_earlier(stat_table *table)
{
    for (unsigned i = 0; table->earlier && i < table->earlier->len; i++) {
        table->ui.tables = table->earlier->pdata[i];
        free_stat_tables(&table->ui);
    }
    if (table->earlier) {
        g_ptr_array_set_size(table->earlier, 0);
    }
    table->ui.tables = NULL;
}

static void free_state(stat_table *table)
{
    if (table->pool) {
        wmem_destroy_allocator(table->pool);
    }
}

void stat_table_restart(stat_table *table)
{
    if (table->begin) {
        free_state(table);
        table->pool = wmem_allocator_new(WMEM_ALLOCATOR_BLOCK);
        table->state = table->begin(table->pool);
    }
}

static const char *heading(const stat_table *table, const char *name)
{
    return table->heading ? table->heading(name) : name;
}

/* A window gets the names of its columns before the statistic starts: headings that depend on the capture are
 * set here, with the first row. */
static char *title_of(const stat_table *table, unsigned index)
{
    for (size_t i = 0; i < table->ui.nfields; i++) {
        const char *name = table->ui.fields[i].column_name, *said = heading(table, name);
        if (said != name) {
            return g_strdup_printf("%s (%s)", table->titles[index], said);
        }
    }
    return g_strdup(table->titles[index]);
}

static void begin_rows(stat_table *table, unsigned index)
{
    if (table->rows[index]) {
        g_hash_table_destroy(table->rows[index]);
    }
    table->rows[index] = g_hash_table_new_full(wmem_str_hash, g_str_equal, g_free, NULL);
    if (table->order && table->order[index]) {
        g_ptr_array_free(table->order[index], TRUE);
    }
    if (table->order) {
        table->order[index] = g_ptr_array_new();
    }
}

static void init_tables(stat_tap_table_ui *ui)
{
    stat_table *table = (stat_table *)ui;
    stat_table_restart(table);
    if (table->start) {
        table->start();
    }
    if (ui->tables && ui->tables->len > 0) {
        set_aside(table);
    } else if (ui->refcount <= 1) { /* windows that are open; a wrong filter has its tables freed, too */
        free_earlier(table);
    }
    for (unsigned i = 0; i < table->title_count; i++) {
        char *title = title_of(table, i);
        /* Wireshark 4.0 keeps the pointer. */
        const char *kept = g_intern_string(title);
        stat_tap_add_table(ui, stat_tap_init_table(kept, (int)ui->nfields, 0, NULL));
        g_free(title);
        begin_rows(table, i);
    }
}

/* --- printing ------------------------------------------------------------------------------------ */

static char *cell_text(const stat_cell *cell)
{
    switch (cell->type) {
    case TABLE_ITEM_STRING:
        return info_column_text(NULL, cell->value.string_value, strlen(cell->value.string_value),
                                SIZE_MAX - 8);
    case TABLE_ITEM_FLOAT:
        return wmem_strdup_printf(NULL, "%.2f", cell->value.float_value);
    default:
        return wmem_strdup_printf(NULL, "%.0f", cell->user_data.float_value);
    }
}

static int compare_rows(gconstpointer a, gconstpointer b, gpointer table)
{
    const stat_cell *first = *(stat_cell *const *)a, *second = *(stat_cell *const *)b;
    const stat_table *order = table;
    double difference =
        stat_cell_sum(&second[order->sort_column]) - stat_cell_sum(&first[order->sort_column]);
    for (size_t i = 0; difference == 0 && i < order->ui.nfields; i++) {
        if (first[i].type == TABLE_ITEM_STRING) {
            difference = strcmp(first[i].value.string_value, second[i].value.string_value);
        }
    }
    return difference < 0 ? -1 : difference > 0;
}

static int width_of(const char *text)
{
    return (int)g_utf8_strlen(text, -1);
}

static void print_cell(const stat_tap_table_item *column, const char *text, int width, bool last)
{
    int padding = MAX(0, width - width_of(text));
    if (column->align == TAP_ALIGN_RIGHT) {
        printf("%*s%s%s", padding, "", text, last ? "\n" : "  ");
    } else if (last) {
        printf("%s\n", text);
    } else {
        printf("%s%*s", text, padding + 2, "");
    }
}

/* Columns of text without any are left out: their width is 0. */
static int column_width(const stat_table *table, stat_cell *const *rows, unsigned count, unsigned column)
{
    int width = 0;
    for (unsigned row = 0; row < count; row++) {
        char *text = cell_text(&rows[row][column]);
        width = MAX(width, width_of(text));
        wmem_free(NULL, text);
    }
    return width ? MAX(width, width_of(heading(table, table->ui.fields[column].column_name))) : 0;
}

static void print_row(const stat_table *table, const int *widths, const stat_cell *row)
{
    unsigned last = (unsigned)table->ui.nfields - 1;
    while (last > 0 && !widths[last]) {
        last--;
    }
    for (unsigned column = 0; column < table->ui.nfields; column++) {
        if (widths[column]) {
            const stat_tap_table_item *field = &table->ui.fields[column];
            char *text =
                row ? cell_text(&row[column]) : wmem_strdup(NULL, heading(table, field->column_name));
            print_cell(field, text, widths[column], column == last);
            wmem_free(NULL, text);
        }
    }
}

stat_cell *stat_table_cells(const stat_table *table, unsigned index, unsigned number)
{
    stat_tap_table *rows = table_at(table, index);
    if (number >= rows->num_elements) {
        return NULL;
    }
    stat_cell *cells = stat_tap_get_field_data(rows, number, 0);
    if (table->derive) {
        table->derive(cells);
    }
    if (table->complete) {
        table->complete(cells);
    }
    return cells;
}

/* The rows of a table in their order; to be freed. */
static GPtrArray *sorted_rows(const stat_table *table, unsigned index)
{
    GPtrArray *sorted = g_ptr_array_new();
    for (unsigned row = 0; row < table_at(table, index)->num_elements; row++) {
        g_ptr_array_add(sorted, stat_table_cells(table, index, row));
    }
    if (table->sort_column != STAT_TABLE_UNSORTED) {
        g_ptr_array_sort_with_data(sorted, compare_rows, (gpointer)table);
    }
    return sorted;
}

static void print_rows(const stat_table *table, unsigned index)
{
    unsigned columns = (unsigned)table->ui.nfields;
    GPtrArray *sorted = sorted_rows(table, index);
    int *widths = g_new0(int, columns);
    stat_cell *const *cells = (stat_cell *const *)sorted->pdata;
    for (unsigned column = 0; column < columns; column++) {
        widths[column] = column_width(table, cells, sorted->len, column);
    }
    print_row(table, widths, NULL);
    for (unsigned row = 0; row < sorted->len; row++) {
        print_row(table, widths, cells[row]);
    }
    g_free(widths);
    g_ptr_array_free(sorted, TRUE);
}

/* The name of its table comes first in each row. */
static void write_row(FILE *file, const stat_table *table, const char *title, const stat_cell *row)
{
    GString *line = g_string_new(NULL);
    csv_field(line, row ? title : "Table");
    for (unsigned column = 0; column < table->ui.nfields; column++) {
        char *text = row ? cell_text(&row[column]) : wmem_strdup(NULL, table->ui.fields[column].column_name);
        g_string_append_c(line, ',');
        csv_text(line, *g_strchug(text) ? text : NULL);
        wmem_free(NULL, text);
    }
    g_string_append(line, "\r\n");
    fwrite(line->str, 1, line->len, file);
    g_string_free(line, TRUE);
}

static void write_concurrent(FILE *file, const stat_table *table)
{
    double concurrent = table->concurrent ? table->concurrent() : 0;
    GString *line = g_string_new(STAT_TABLE_CONCURRENT);
    bool written = false;
    for (unsigned column = 0; column < table->ui.nfields; column++) {
        bool here = !written && table->ui.fields[column].type == TABLE_ITEM_STRING;
        g_string_append_printf(line, here ? ",%.4f" : ",", concurrent);
        written |= here;
    }
    g_string_append(line, "\r\n");
    if (concurrent > 0) {
        fwrite(line->str, 1, line->len, file);
    }
    g_string_free(line, TRUE);
}

static void write_tables(void *tap_data)
{
    printed_table *printed = tap_data;
    const stat_table *table = stat_table_of(tap_data);
    write_row(printed->file, table, NULL, NULL);
    for (unsigned i = 0; i < table->title_count; i++) {
        GPtrArray *sorted = sorted_rows(table, i);
        for (unsigned row = 0; row < sorted->len; row++) {
            write_row(printed->file, table, table->titles[i], sorted->pdata[row]);
        }
        g_ptr_array_free(sorted, TRUE);
    }
    write_concurrent(printed->file, table);
    stat_file_complete(printed->file, printed->path);
    rewind(printed->file);
}

static void print_tables(void *tap_data)
{
    static const char line[] = "===================================================================";
    const printed_table *printed = tap_data;
    const stat_table *table = stat_table_of(tap_data);
    printf("\n%s\n%s\n", line, table->ui.title);
    if (printed->filter) {
        printf("Filter: %s\n", printed->filter);
    }
    for (unsigned i = 0; i < table->title_count; i++) {
        bool empty = table_at(table, i)->num_elements == 0;
        printf("\n%s%s\n", table->titles[i], empty ? ": nothing" : "");
        if (!empty) {
            print_rows(table, i);
        }
    }
    printf("%s\n", line);
}

/* "FILE.csv" or "FILE.csv,FILTER"; anything else is a filter. Returns the filter, NULL if there is none. */
static const char *take_file(const char *text, printed_table *printed)
{
    const char *end = strchr(text, ',');
    char *path = end ? g_strndup(text, (gsize)(end - text)) : g_strdup(text);
    if (!g_str_has_suffix(path, ".csv")) {
        g_free(path);
        return text;
    }
    printed->path = path;
    return end ? end + 1 : NULL;
}

/* After everything that can be refused: a file that is there is overwritten. */
static void open_file(const char *argument, printed_table *printed)
{
    printed->file = g_fopen(printed->path, "wb");
    if (!printed->file) {
        stat_refuse(argument, g_strerror(errno));
    }
}

/* --- tables and their copies --------------------------------------------------------------------- */

static GPtrArray *registered_tables; /* NULL: none yet */

const stat_table *stat_table_registered(unsigned number)
{
    return registered_tables && number < registered_tables->len
               ? (const stat_table *)registered_tables->pdata[number]
               : NULL;
}

/* Each -z has its own sums, as their filters can differ. */
stat_table *stat_table_copy(const stat_table *registered)
{
    unsigned columns;
    stat_table *table = g_memdup2(registered, sizeof *registered);
    table->ui.tables = NULL;
    table->ui.fields = (stat_tap_table_item *)stat_table_columns(registered, &columns);
    table->ui.nfields = columns;
    table->in_window = false;
    table->order = NULL;
    table->earlier = NULL;
    table->pool = NULL;
    table->state = NULL;
    table->rows = g_new0(GHashTable *, table->title_count);
    init_tables(&table->ui);
    return table;
}

void stat_table_free(stat_table *copy)
{
    free_state(copy);
    for (unsigned i = 0; i < copy->title_count; i++) {
        g_hash_table_destroy(copy->rows[i]);
    }
    g_free(copy->rows);
    free_stat_tables(&copy->ui);
    g_free(copy);
}

static compat_stat_started start_printing(const char *argument, void *registered)
{
    stat_table *table = stat_table_copy(registered);
    printed_table *printed = g_new0(printed_table, 1);
    bool other = table->other_option && g_str_has_prefix(argument, table->other_option);
    const char *filter = stat_option_rest(argument, other ? table->other_option : table->ui.cli_string),
               *wrong = NULL;
    if (filter && table->take_option) {
        filter = table->take_option(filter, &table->option, &wrong);
        if (wrong) {
            stat_refuse(argument, wrong);
        }
    }
    filter = filter ? take_file(filter, printed) : NULL;
    printed->data.stat_tap_data = &table->ui;
    printed->filter = g_strdup(filter);
    GString *problem =
        register_tap_listener(table->ui.tap_name, printed, filter, 0, NULL, table->ui.packet_func,
                              printed->path ? write_tables : print_tables, NULL);
    if (problem) {
        stat_refuse(argument, problem->str);
    }
    if (printed->path) {
        open_file(argument, printed);
    }
    return COMPAT_STAT_STARTED;
}

/* The rank is the first column of a window. */
static void add_rank(stat_table *table)
{
    static const stat_tap_table_item rank = {TABLE_ITEM_INT, TAP_ALIGN_RIGHT, "#", "%d"};
    stat_tap_table_item *fields =
        wmem_alloc_array(wmem_epan_scope(), stat_tap_table_item, table->ui.nfields + 1);
    fields[0] = rank;
    memcpy(&fields[1], table->ui.fields, table->ui.nfields * sizeof *fields);
    table->ui.fields = fields;
    table->ui.nfields++;
    table->order = wmem_alloc0_array(wmem_epan_scope(), GPtrArray *, table->title_count);
}

void stat_table_register(stat_table *table)
{
    table->in_window = !stat_is_tshark();
    if (table->in_window && table->sort_column != STAT_TABLE_UNSORTED) {
        add_rank(table);
    }
    table->rows = wmem_alloc0_array(wmem_epan_scope(), GHashTable *, table->title_count);
    table->ui.stat_tap_init_cb = init_tables;
    table->ui.stat_tap_reset_table_cb = reset_rows;
    table->ui.stat_tap_free_table_item_cb = free_cell;
    /* tshark prints such tables neither sorted nor aligned; the handler that is registered first prints. */
    if (stat_is_tshark()) {
        stat_option_register(table->ui.title, table->ui.cli_string, start_printing, table);
        if (table->other_option) {
            stat_option_register(table->ui.title, table->other_option, start_printing, table);
        }
    }
    registered_tables = registered_tables ? registered_tables : g_ptr_array_new();
    g_ptr_array_add(registered_tables, table);
    register_stat_tap_table_ui(&table->ui);
}
