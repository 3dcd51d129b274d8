/* messages.c
 *
 * `-z godot,messages,FILE[,FILTER]`: a row for each multiplayer message, and `-z godot,values,FILE[,FILTER]`:
 * a row for each value of a node in them, written while reading, as one JSON object a line (FILE.jsonl), as CSV
 * (FILE.csv, RFC 4180), or as databases read it (FILE.tsv). The columns: docs/messages.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <errno.h>
#include <inttypes.h>

#include <epan/stat_tap_ui.h>
#include <epan/to_str.h>
#include <glib/gstdio.h>

#include "enet/state/conversation.h"
#include "multiplayer/state/session.h"
#include "multiplayer/state/tap.h"
#include "multiplayer/statistics/register.h"
#include "multiplayer/statistics/values/shares.h"
#include "statistics/csv.h"
#include "statistics/option.h"
#include "variant/json.h"

/* Changes when a column changes its meaning or goes; a new one comes last and does not change it. */
#define SCHEMA "1"

/* JSON in a column takes at most so many bytes. */
#define MAX_JSON (1u << 20)

/* A second as text, "2026-11-21T06:37:49": many rows in turn have the same. Empty: a time that no calendar
 * has. */
typedef struct {
    time_t second;
    char text[24];
} time_text;

/* Bytes that are written to the file at a time. */
enum { FILE_BUFFER = 1 << 16 };

/* What a row is about. */
typedef struct {
    packet_info *pinfo;
    const godot_tap *tap;
    uint64_t message;               /* its number, from 1 */
    const godot_tap_variant *value; /* rows of values only; NULL: of a node whose values are not known */
    godot_share share;              /* rows of values only: of its node, */
    godot_property_share property;  /* of its property, */
    bool first;                     /* and whether the row is the first one of its node */
    const char *problem;            /* NULL: none */
    const char *arguments, *values; /* JSON lists; NULL: none */
    const char *json;               /* of `value`; NULL: too long */
    time_text *time;                /* of the row before, or of this one */
    bool for_database;              /* truth is 1 or 0, time a whole second */
    char scratch[48];               /* what a column says, if it is not elsewhere */
} output_row;

/* Valid until the next column is asked. */
typedef const char *(*column_getter)(output_row *row);

typedef struct {
    const char *name;
    bool text;         /* a string in JSON; else it is JSON already */
    column_getter get; /* NULL: nothing */
} row_column;

typedef struct {
    const char *option; /* "godot,messages" */
    const row_column *columns;
    size_t column_count;
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
    void (*write_head)(const row_file *rows); /* NULL: none */
    bool for_database;
};

/* --- values as JSON ------------------------------------------------------------------------------ */

typedef struct {
    wmem_strbuf_t *text;
    bool full; /* more does not fit */
} json_text;

static void append(void *context, const char *text, size_t length)
{
    json_text *json = (json_text *)context;
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

/* --- columns: what they say; NULL: nothing ------------------------------------------------------- */

static const char *number(output_row *row, int64_t value)
{
    char *digits = row->scratch + 1; /* behind the sign */
    char *begin = digits + variant_digits(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, digits);
    digits[VARIANT_INT_SIZE] = '\0';
    if (value < 0) {
        *--begin = '-';
    }
    return begin;
}

static const char *number_from_0(output_row *row, int64_t value)
{
    return value >= 0 ? number(row, value) : NULL;
}

static const char *truth(const output_row *row, bool value)
{
    return row->for_database ? (value ? "1" : "0") : value ? "true" : "false";
}

static const char *get_schema(output_row *row _U_)
{
    return SCHEMA;
}

static const char *get_frame(output_row *row)
{
    return number(row, row->pinfo->num);
}

static void set_second(time_text *time, time_t second)
{
    GDateTime *date = g_date_time_new_from_unix_utc(second);
    char *text = date ? g_date_time_format(date, "%Y-%m-%dT%H:%M:%S") : NULL;
    time->second = second;
    g_strlcpy(time->text, text ? text : "", sizeof time->text);
    g_free(text);
    if (date) {
        g_date_time_unref(date);
    }
}

static const char *get_nanosecond(output_row *row)
{
    return row->pinfo->fd->has_ts ? number(row, row->pinfo->abs_ts.nsecs) : NULL;
}

static const char *get_time(output_row *row)
{
    const packet_info *pinfo = row->pinfo;
    if (!pinfo->fd->has_ts) {
        return NULL;
    }
    if (!*row->time->text || row->time->second != pinfo->abs_ts.secs) {
        set_second(row->time, pinfo->abs_ts.secs);
    }
    if (!*row->time->text) {
        return NULL;
    }
    char *end = g_stpcpy(row->scratch, row->time->text);
    if (row->for_database) {
        *strchr(row->scratch, 'T') = ' ';
        return row->scratch;
    }
    uint32_t rest = (uint32_t)pinfo->abs_ts.nsecs;
    for (int i = 9; i > 0; i--) {
        end[i] = (char)('0' + rest % 10);
        rest /= 10;
    }
    end[0] = '.';
    g_strlcpy(end + 10, "Z", 2);
    return row->scratch;
}

static const char *get_session(output_row *row)
{
    return number(row, row->tap->session);
}

static const char *get_transport(output_row *row)
{
    static const char *const names[] = {
        [GODOT_OVER_ENET] = "enet",      [GODOT_OVER_WEBSOCKET] = "websocket", [GODOT_OVER_SCTP] = "sctp",
        [GODOT_OVER_ANYTHING] = "other", [GODOT_RECORDED] = "recording",
    };
    return names[row->tap->transport];
}

static const char *get_connection(output_row *row)
{
    return number_from_0(row, row->tap->stream);
}

static const char *get_direction(output_row *row)
{
    const godot_tap *tap = row->tap;
    bool known = tap->initiator_known || tap->sender == 1 || tap->receiver == 1;
    bool to_server = tap->initiator_known ? tap->from_initiator : tap->receiver == 1;
    return !known ? NULL : to_server ? "client to server" : "server to client";
}

static const char *peer(output_row *row, int32_t id)
{
    return id ? number(row, id) : NULL;
}

static const char *get_sender(output_row *row)
{
    return peer(row, row->tap->sender);
}

static const char *get_receiver(output_row *row)
{
    return peer(row, row->tap->receiver);
}

static const char *get_from(output_row *row)
{
    return peer(row, row->tap->from);
}

static const char *get_to(output_row *row)
{
    return row->tap->to_unknown ? NULL : number(row, row->tap->to);
}

static const char *get_relayed(output_row *row)
{
    return truth(row, row->tap->relayed);
}

static const char *get_channel(output_row *row)
{
    return number_from_0(row, row->tap->channel);
}

static const char *get_mode(output_row *row)
{
    return godot_transfer_mode_name(row->tap->transfer_mode);
}

static const char *get_kind(output_row *row)
{
    const godot_tap *tap = row->tap;
    return tap->call ? "call" : tap->set ? "set" : tap->what ? tap->what : "incomplete";
}

/* Of a message about several nodes that they all are, if it is one. */
static const char *get_node(output_row *row)
{
    const godot_tap *tap = row->tap;
    const char *node = tap->part_count ? tap->parts[0].node : tap->node;
    for (uint32_t i = 1; node && i < tap->part_count; i++) {
        const char *other = tap->parts[i].node;
        node = other && strcmp(node, other) == 0 ? node : NULL;
    }
    return node;
}

static const char *get_method(output_row *row)
{
    return row->tap->call ? row->tap->what : NULL;
}

static const char *get_spawned(output_row *row)
{
    return row->tap->spawned;
}

static const char *get_arguments(output_row *row)
{
    return row->arguments;
}

static const char *get_values(output_row *row)
{
    return row->values;
}

static const char *get_bytes(output_row *row)
{
    return number(row, row->tap->length);
}

static const char *get_wire_bytes(output_row *row)
{
    return number(row, row->tap->wire_length);
}

static const char *get_repeated(output_row *row)
{
    return truth(row, row->tap->repeated);
}

static const char *get_problem(output_row *row)
{
    return row->problem;
}

static const char *get_problem_code(output_row *row)
{
    return row->problem ? row->tap->problem_code : NULL;
}

/* Since the first frame. */
static const char *get_seconds(output_row *row)
{
    const packet_info *pinfo = row->pinfo;
    return pinfo->fd->has_ts ? wmem_strdup_printf(pinfo->pool, "%.9f", nstime_to_sec(&pinfo->rel_ts)) : NULL;
}

static const char *get_message(output_row *row)
{
    return number(row, (int64_t)row->message);
}

/* NULL: no address of a network. */
static const char *ip(const output_row *row, const address *end)
{
    return end->type == AT_IPv4 || end->type == AT_IPv6 ? address_to_str(row->pinfo->pool, end) : NULL;
}

static const char *get_source_ip(output_row *row)
{
    return ip(row, &row->pinfo->src);
}

static const char *get_source_port(output_row *row)
{
    return row->pinfo->ptype != PT_NONE ? number(row, row->pinfo->srcport) : NULL;
}

static const char *get_destination_ip(output_row *row)
{
    return ip(row, &row->pinfo->dst);
}

static const char *get_destination_port(output_row *row)
{
    return row->pinfo->ptype != PT_NONE ? number(row, row->pinfo->destport) : NULL;
}

static const char *get_net_frame(output_row *row)
{
    return number_from_0(row, row->tap->net_frame);
}

static const char *get_retransmissions(output_row *row)
{
    return number_from_0(row, row->tap->retransmissions);
}

static const char *get_round_trip(output_row *row)
{
    double seconds = row->tap->round_trip;
    return seconds >= 0 ? wmem_strdup_printf(row->pinfo->pool, "%.9f", seconds) : NULL;
}

static const char *get_value_node(output_row *row)
{
    return row->value ? row->value->node : row->share.part->node;
}

static const char *get_property(output_row *row)
{
    return row->value ? row->value->property : NULL;
}

static const char *get_value(output_row *row)
{
    return row->json;
}

static const char *get_value_bytes(output_row *row)
{
    return number(row, row->value ? row->value->length : 0);
}

static const char *get_share_messages(output_row *row)
{
    return number(row, row->first ? row->share.messages : 0);
}

static const char *get_share_bytes(output_row *row)
{
    return number(row, (int64_t)row->property.bytes);
}

static const char *get_share_wire_bytes(output_row *row)
{
    return number(row, (int64_t)row->property.wire);
}

/* clang-format off */
static const row_column message_columns[] = {
    {"schema", false, get_schema},
    {"frame", false, get_frame},
    {"time", true, get_time},
    {"session", false, get_session},
    {"transport", true, get_transport},
    {"connection", false, get_connection},
    {"direction", true, get_direction},
    {"sender", false, get_sender},
    {"receiver", false, get_receiver},
    {"from", false, get_from},
    {"to", false, get_to},
    {"relayed", false, get_relayed},
    {"channel", false, get_channel},
    {"mode", true, get_mode},
    {"kind", true, get_kind},
    {"node", true, get_node},
    {"method", true, get_method},
    {"spawned", true, get_spawned},
    {"arguments", false, get_arguments},
    {"values", false, get_values},
    {"bytes", false, get_bytes},
    {"wire_bytes", false, get_wire_bytes},
    {"repeated", false, get_repeated},
    {"problem", true, get_problem},
    {"net_frame", false, get_net_frame},
    {"retransmissions", false, get_retransmissions},
    {"round_trip", false, get_round_trip},
    {"nanosecond", false, get_nanosecond},
    {"message", false, get_message},
    {"problem_code", true, get_problem_code},
    {"source_ip", true, get_source_ip},
    {"source_port", false, get_source_port},
    {"destination_ip", true, get_destination_ip},
    {"destination_port", false, get_destination_port},
    {"seconds", false, get_seconds},
};

static const row_column value_columns[] = {
    {"schema", false, get_schema},
    {"frame", false, get_frame},
    {"time", true, get_time},
    {"session", false, get_session},
    {"transport", true, get_transport},
    {"connection", false, get_connection},
    {"sender", false, get_sender},
    {"receiver", false, get_receiver},
    {"from", false, get_from},
    {"to", false, get_to},
    {"kind", true, get_kind},
    {"net_frame", false, get_net_frame},
    {"node", true, get_value_node},
    {"property", true, get_property},
    {"value", false, get_value},
    {"bytes", false, get_value_bytes},
    {"repeated", false, get_repeated},
    {"problem", true, get_problem},
    {"nanosecond", false, get_nanosecond},
    {"message", false, get_message},
    {"problem_code", true, get_problem_code},
    {"share_messages", false, get_share_messages},
    {"share_bytes", false, get_share_bytes},
    {"share_wire_bytes", false, get_share_wire_bytes},
};
/* clang-format on */

static const row_kind kinds[] = {
    {"godot,messages", message_columns, array_length(message_columns), false},
    {"godot,values", value_columns, array_length(value_columns), true},
};

/* --- rows ---------------------------------------------------------------------------------------- */

static void append_piece(void *line, const char *text, size_t length)
{
    g_string_append_len((GString *)line, text, (gssize)length);
}

static void append_json(GString *line, const char *text, bool quoted)
{
    if (!text) {
        g_string_append(line, "null");
    } else if (quoted) {
        variant_json_text(text, strlen(text), append_piece, line);
    } else {
        g_string_append(line, text);
    }
}

static void write_line(const row_file *rows)
{
    fwrite(rows->line->str, 1, rows->line->len, rows->file);
    g_string_truncate(rows->line, 0);
}

static void write_json(const row_file *rows, output_row *row)
{
    for (size_t i = 0; i < rows->kind->column_count; i++) {
        const row_column *column = &rows->kind->columns[i];
        g_string_append(rows->line, i ? ",\"" : "{\"");
        g_string_append(rows->line, column->name);
        g_string_append(rows->line, "\":");
        append_json(rows->line, column->get(row), column->text);
    }
    g_string_append(rows->line, "}\n");
    write_line(rows);
}

/* `row` NULL: the names of the columns. */
static void write_csv(const row_file *rows, output_row *row)
{
    for (size_t i = 0; i < rows->kind->column_count; i++) {
        const row_column *column = &rows->kind->columns[i];
        if (i) {
            g_string_append_c(rows->line, ',');
        }
        (column->text ? csv_text : csv_field)(rows->line, row ? column->get(row) : column->name);
    }
    g_string_append(rows->line, "\r\n");
    write_line(rows);
}

static void write_csv_head(const row_file *rows)
{
    write_csv(rows, NULL);
}

/* As PostgreSQL's COPY, MySQL's LOAD DATA and ClickHouse's TabSeparated read it: NULL is \N. Neither tabs nor line ends
 * are in what columns say. */
static void write_tsv(const row_file *rows, output_row *row)
{
    for (size_t i = 0; i < rows->kind->column_count; i++) {
        const char *cell = rows->kind->columns[i].get(row);
        g_string_append(rows->line, i ? "\t" : "");
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
    {".jsonl", write_json, NULL, false},
    {".csv", write_csv, write_csv_head, false},
    {".tsv", write_tsv, NULL, true},
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

/* What is synchronized: the values are those of its parts, in their order. A part without any is a row, too. */
static void write_shares(const row_file *rows, output_row *row)
{
    wmem_array_t *values = row->tap->values;
    godot_shares shares = godot_shares_of(row->tap);
    unsigned next = 0;
    while (godot_next_share(&shares, &row->share)) {
        godot_property_shares properties = godot_property_shares_of(&row->share);
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
    row_file *rows = (row_file *)tap_data;
    const godot_tap *tap = (const godot_tap *)data;
    output_row row = {.pinfo = pinfo,
                      .tap = tap,
                      .message = ++rows->messages,
                      .problem = tap->problem,
                      .time = &rows->time,
                      .for_database = rows->form->for_database};
    if (ferror(rows->file)) { /* said when the capture ends */
        return TAP_PACKET_DONT_REDRAW;
    }
    if (!tap->later_pass) { /* this pass is the only one: nobody will ask for them */
        enet_state_drop_round_trips();
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
    const row_file *rows = (const row_file *)tap_data;
    stat_file_complete(rows->file, rows->path);
}

/* --- the option ---------------------------------------------------------------------------------- */

/* "godot,messages,FILE[,FILTER]" */
static compat_stat_started start(const char *argument, void *data)
{
    const row_kind *kind = (const row_kind *)data;
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
    enet_state_keep_round_trips();
    rows->file = g_fopen(rows->path, "wb");
    if (!rows->file) {
        stat_refuse(argument, g_strerror(errno));
    }
    setvbuf(rows->file, NULL, _IOFBF, FILE_BUFFER);
    if (rows->form->write_head) {
        rows->form->write_head(rows);
    }
    return COMPAT_STAT_STARTED;
}

void godot_messages_register(int proto _U_)
{
    if (!stat_is_tshark()) {
        return;
    }
    for (size_t i = 0; i < array_length(kinds); i++) {
        stat_tap_ui ui = {.group = REGISTER_PACKET_STAT_GROUP_UNSORTED,
                          .title = kinds[i].option,
                          .cli_string = kinds[i].option,
                          .tap_init_cb = start};
        register_stat_tap_ui(&ui, (void *)&kinds[i]);
    }
}
