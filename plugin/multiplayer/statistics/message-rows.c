/* message-rows.c
 *
 * `-z godot,messages,FILE[,FILTER]`: a row for each multiplayer message, and `-z godot,values,FILE[,FILTER]`:
 * a row for each value of a node in them. Rows are written while the capture is read: one JSON object per
 * line (FILE.jsonl), CSV (FILE.csv, RFC 4180), or tab-separated for databases (FILE.tsv). Columns:
 * docs/messages.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <errno.h>
#include <inttypes.h>

#include <epan/stat_tap_ui.h>
#include <glib/gstdio.h>
#include <wsutil/json_dumper.h>

#include "enet/api/tap.h"
#include "multiplayer/state/session.h"
#include "multiplayer/api/tap.h"
#include "multiplayer/statistics/register.h"
#include "multiplayer/statistics/rows/columns.h"
#include "statistics/csv.h"
#include "statistics/option.h"
#include "variant/json.h"

/* JSON in a column takes at most so many bytes. */
#define MAX_JSON (1u << 20)

/* Bytes that are written to the file at a time. */
enum { FILE_BUFFER = 1 << 16 };

typedef struct {
    const char *option;        /* "godot,messages" */
    const row_column *columns; /* up to one without a name */
    bool of_values;
} row_kind;

typedef struct row_form row_form;

typedef struct {
    const row_kind *kind;
    const row_form *form;
    FILE *file;
    char *path;
    GString *line; /* the row that is written */
    time_text time;
    uint64_t messages; /* so far */
} row_file;

/* How rows are written. */
struct row_form {
    const char *ending; /* of the file's name */
    void (*write)(const row_file *rows, output_row *row);
    bool has_head; /* `write` writes one if there is no row */
    bool for_database;
};

/* --- values as JSON ------------------------------------------------------------------------------ */

typedef struct {
    wmem_strbuf_t *text;
    bool full; /* more does not fit */
} json_text;

static void append(void *context, const char *text, size_t length)
{
    json_text *json = context;
    if (wmem_strbuf_get_len(json->text) + length > MAX_JSON) {
        json->full = true;
    } else if (!json->full) {
        wmem_strbuf_append_len(json->text, text, length);
    }
}

static void append_text(json_text *json, const char *text)
{
    append(json, text, strlen(text));
}

static void append_variant(json_text *json, const godot_tap_variant *value)
{
    if (!value->raw) {
        variant_json(value->bytes, value->length, value->options, append, json, NULL);
        return;
    }
    append_text(json, "{\"type\":\"PackedByteArray\",\"args\":[");
    for (uint32_t i = 0; i < value->length && !json->full; i++) {
        char number[8];
        snprintf(number, sizeof number, i ? ",%u" : "%u", value->bytes[i]);
        append_text(json, number);
    }
    append_text(json, "]}");
}

static void append_entry(json_text *json, const godot_tap_variant *value)
{
    if (!value->property) {
        append_variant(json, value);
        return;
    }
    append_text(json, "{\"node\":");
    if (value->node) {
        variant_json_text(value->node, strlen(value->node), append, json);
    } else {
        append_text(json, "null");
    }
    append_text(json, ",\"property\":");
    variant_json_text(value->property, strlen(value->property), append, json);
    append_text(json, ",\"value\":");
    append_variant(json, value);
    append_text(json, "}");
}

static void too_much(output_row *row)
{
    if (!row->problem) {
        row->problem = "Values beyond 1 MiB of JSON are left out";
    }
}

/* Whole entries, as many as fit. */
static const char *list_of(output_row *row, wmem_array_t *values)
{
    json_text json = {wmem_strbuf_new(row->pinfo->pool, "["), false};
    for (unsigned i = 0; i < wmem_array_get_count(values) && !json.full; i++) {
        size_t before = wmem_strbuf_get_len(json.text);
        append_text(&json, i ? "," : "");
        append_entry(&json, (const godot_tap_variant *)wmem_array_index(values, i));
        if (json.full) {
            wmem_strbuf_truncate(json.text, before);
            too_much(row);
        }
    }
    wmem_strbuf_append_c(json.text, ']');
    return wmem_strbuf_get_str(json.text);
}

static void add_lists(output_row *row)
{
    const godot_tap *tap = row->tap;
    if (tap->call || wmem_array_get_count(tap->arguments) > 0) {
        row->arguments = list_of(row, tap->arguments);
    }
    if (wmem_array_get_count(tap->values) > 0) {
        row->values = list_of(row, tap->values);
    }
}

static void add_value(output_row *row, const godot_tap_variant *value)
{
    json_text json = {wmem_strbuf_new(row->pinfo->pool, ""), false};
    append_variant(&json, value);
    row->value = value;
    row->json = json.full ? NULL : wmem_strbuf_get_str(json.text);
    if (json.full) {
        too_much(row);
    }
}
static const row_kind kinds[] = {
    {"godot,messages", godot_message_columns, false},
    {"godot,values", godot_value_columns, true},
};

/* --- rows ---------------------------------------------------------------------------------------- */

static void write_line(const row_file *rows)
{
    fwrite(rows->line->str, 1, rows->line->len, rows->file);
    g_string_truncate(rows->line, 0);
}

static void write_json(const row_file *rows, output_row *row)
{
    json_dumper json = {.output_string = rows->line};
    json_dumper_begin_object(&json);
    for (const row_column *column = rows->kind->columns; column->name; column++) {
        const char *value = column->get(row);
        json_dumper_set_member_name(&json, column->name);
        if (value && column->text) {
            json_dumper_value_string(&json, value);
        } else {
            json_dumper_value_anyf(&json, "%s", value ? value : "null");
        }
    }
    json_dumper_end_object(&json);
    json_dumper_finish(&json);
    write_line(rows);
}

/* `row` NULL: the names of the columns. */
static void write_csv(const row_file *rows, output_row *row)
{
    for (const row_column *column = rows->kind->columns; column->name; column++) {
        if (column > rows->kind->columns) {
            g_string_append_c(rows->line, ',');
        }
        (column->text ? csv_text : csv_field)(rows->line, row ? column->get(row) : column->name);
    }
    g_string_append(rows->line, "\r\n");
    write_line(rows);
}

/* The format of PostgreSQL's COPY, MySQL's LOAD DATA and ClickHouse's TabSeparated: NULL is \N. Columns
 * contain neither tabs nor line ends. */
static void write_tsv(const row_file *rows, output_row *row)
{
    for (const row_column *column = rows->kind->columns; column->name; column++) {
        const char *cell = column->get(row);
        g_string_append(rows->line, column > rows->kind->columns ? "\t" : "");
        if (!cell) {
            g_string_append(rows->line, "\\N");
            continue;
        }
        for (const char *escaped; (escaped = strchr(cell, '\\')); cell = escaped + 1) {
            g_string_append_len(rows->line, cell, escaped + 1 - cell);
            g_string_append_c(rows->line, '\\');
        }
        g_string_append(rows->line, cell);
    }
    g_string_append_c(rows->line, '\n');
    write_line(rows);
}

static const row_form forms[] = {
    {".jsonl", write_json, false, false},
    {".csv", write_csv, true, false},
    {".tsv", write_tsv, false, true},
};

/* NULL: a name that ends in none of them. */
static const row_form *form_of(const char *path)
{
    for (size_t i = 0; i < array_length(forms); i++) {
        if (g_str_has_suffix(path, forms[i].ending)) {
            return &forms[i];
        }
    }
    return NULL;
}

static void write_value(const row_file *rows, output_row *row, const godot_tap_variant *value)
{
    row->value = value;
    row->json = NULL;
    row->problem = row->tap->problem;
    if (value) {
        add_value(row, value);
    }
    rows->form->write(rows, row);
}

/* Synchronized states: the values are those of the parts, in their order. A part without values is a row,
 * too. */
static void write_shares(const row_file *rows, output_row *row)
{
    wmem_array_t *values = row->tap->values;
    godot_shares shares = godot_shares_of(row->tap);
    unsigned next = 0;
    while (godot_next_share(&shares, &row->share)) {
        godot_property_shares properties = godot_property_shares_of(&shares, &row->share);
        row->first = true;
        while (godot_next_property_share(&properties, &row->property)) {
            bool known = row->property.name && next < wmem_array_get_count(values);
            write_value(rows, row, known ? wmem_array_index(values, next++) : NULL);
            row->first = false;
        }
    }
}

static void write_values(const row_file *rows, output_row *row)
{
    if (row->tap->part_count) {
        write_shares(rows, row);
        return;
    }
    for (unsigned i = 0; i < wmem_array_get_count(row->tap->values); i++) {
        write_value(rows, row, (const godot_tap_variant *)wmem_array_index(row->tap->values, i));
    }
}

static tap_packet_status packet(void *tap_data, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                tap_flags_t flags _U_)
{
    row_file *rows = tap_data;
    const godot_tap *tap = data;
    output_row row = {.pinfo = pinfo,
                      .tap = tap,
                      .message = ++rows->messages,
                      .problem = tap->problem,
                      .time = &rows->time,
                      .for_database = rows->form->for_database};
    if (ferror(rows->file)) { /* reported when the capture ends */
        return TAP_PACKET_DONT_REDRAW;
    }
    if (!tap->later_pass) { /* not needed again if this is the only pass */
        enet_state_keep_round_trips(false);
    }
    if (rows->kind->of_values) {
        write_values(rows, &row);
    } else {
        add_lists(&row);
        rows->form->write(rows, &row);
    }
    return TAP_PACKET_DONT_REDRAW;
}

/* At the end of the capture. */
static void flush(void *tap_data)
{
    const row_file *rows = tap_data;
    stat_file_complete(rows->file, rows->path);
}

/* --- the option ---------------------------------------------------------------------------------- */

/* "godot,messages,FILE[,FILTER]" */
static compat_stat_started start(const char *argument, void *data)
{
    const row_kind *kind = data;
    const char *rest = stat_option_rest(argument, kind->option), *given = rest ? rest : "";
    const char *filter = strchr(given, ',');
    row_file *rows = g_new0(row_file, 1);
    rows->kind = kind;
    rows->path = filter ? g_strndup(given, (gsize)(filter - given)) : g_strdup(given);
    rows->form = form_of(rows->path);
    rows->line = g_string_new(NULL);
    if (!rows->form) {
        stat_refuse(argument,
                    "A FILE that ends in .jsonl, .csv or .tsv is needed, then perhaps a comma and a "
                    "display filter");
    }
    GString *problem = register_tap_listener("godot_message", rows, filter ? filter + 1 : NULL,
                                             TL_REQUIRES_NOTHING, NULL, packet, flush, NULL);
    if (problem) {
        stat_refuse(argument, problem->str);
    }
    enet_state_keep_round_trips(true);
    rows->file = g_fopen(rows->path, "wb");
    if (!rows->file) {
        stat_refuse(argument, g_strerror(errno));
    }
    setvbuf(rows->file, NULL, _IOFBF, FILE_BUFFER);
    if (rows->form->has_head) {
        rows->form->write(rows, NULL);
    }
    return COMPAT_STAT_STARTED;
}

void godot_messages_register(int proto _U_)
{
    if (!stat_is_tshark()) {
        return;
    }
    for (size_t i = 0; i < array_length(kinds); i++) {
        stat_option_register(kinds[i].option, kinds[i].option, start, (void *)&kinds[i]);
    }
}
