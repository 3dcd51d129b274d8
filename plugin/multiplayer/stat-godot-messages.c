/* stat-godot-messages.c
 *
 * `-z godot,messages,FILE[,FILTER]`: a row for each multiplayer message, written while reading, as one JSON
 * object a line (FILE.jsonl) or as CSV (FILE.csv, RFC 4180). The columns: docs/messages.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common/wireshark-compat.h"

#include <errno.h>
#include <inttypes.h>

#include <epan/stat_tap_ui.h>
#include <glib/gstdio.h>
#include <wsutil/json_dumper.h>

#include "multiplayer/godot-session.h"
#include "multiplayer/godot-tap.h"
#include "multiplayer/stat-godot.h"

/* Changes when a column changes its meaning or goes; a new one comes last and does not change it. */
#define SCHEMA "1"

static const char prefix[] = "godot,messages,";

typedef struct {
    FILE *file; /* NULL: it could not be written to its end */
    char *path;
    bool csv;
} row_file;

/* --- columns: what they say about a message; NULL: nothing --- */

static const char *number(packet_info *pinfo, int64_t value)
{
    return wmem_strdup_printf(pinfo->pool, "%" PRId64, value);
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static const char *get_schema(packet_info *pinfo _U_, const godot_tap *tap _U_)
{
    return SCHEMA;
}

static const char *get_frame(packet_info *pinfo, const godot_tap *tap _U_)
{
    return number(pinfo, pinfo->num);
}

static const char *get_time(packet_info *pinfo, const godot_tap *tap _U_)
{
    GDateTime *time = pinfo->fd->has_ts ? g_date_time_new_from_unix_utc(pinfo->abs_ts.secs) : NULL;
    if (!time) {
        return NULL;
    }
    char *seconds = g_date_time_format(time, "%Y-%m-%dT%H:%M:%S");
    const char *text = wmem_strdup_printf(pinfo->pool, "%s.%09dZ", seconds, pinfo->abs_ts.nsecs);
    g_free(seconds);
    g_date_time_unref(time);
    return text;
}

static const char *get_session(packet_info *pinfo, const godot_tap *tap)
{
    return number(pinfo, tap->session);
}

static const char *get_transport(packet_info *pinfo _U_, const godot_tap *tap)
{
    static const char *const names[] = {
        [GODOT_OVER_ENET] = "enet",      [GODOT_OVER_WEBSOCKET] = "websocket", [GODOT_OVER_SCTP] = "sctp",
        [GODOT_OVER_ANYTHING] = "other", [GODOT_RECORDED] = "recording",
    };
    return names[tap->transport];
}

static const char *get_connection(packet_info *pinfo, const godot_tap *tap)
{
    return tap->stream >= 0 ? number(pinfo, tap->stream) : NULL;
}

static const char *get_direction(packet_info *pinfo _U_, const godot_tap *tap)
{
    bool known = tap->initiator_known || tap->sender == 1 || tap->receiver == 1;
    bool to_server = tap->initiator_known ? tap->from_initiator : tap->receiver == 1;
    return !known ? NULL : to_server ? "client to server" : "server to client";
}

static const char *peer(packet_info *pinfo, int32_t id)
{
    return id ? number(pinfo, id) : NULL;
}

static const char *get_sender(packet_info *pinfo, const godot_tap *tap)
{
    return peer(pinfo, tap->sender);
}

static const char *get_receiver(packet_info *pinfo, const godot_tap *tap)
{
    return peer(pinfo, tap->receiver);
}

static const char *get_from(packet_info *pinfo, const godot_tap *tap)
{
    return peer(pinfo, tap->from);
}

static const char *get_to(packet_info *pinfo, const godot_tap *tap)
{
    return tap->to_unknown ? NULL : number(pinfo, tap->to);
}

static const char *get_relayed(packet_info *pinfo _U_, const godot_tap *tap)
{
    return truth(tap->relayed);
}

static const char *get_channel(packet_info *pinfo, const godot_tap *tap)
{
    return tap->channel >= 0 ? number(pinfo, tap->channel) : NULL;
}

static const char *get_mode(packet_info *pinfo _U_, const godot_tap *tap)
{
    return godot_transfer_mode_name(tap->transfer_mode);
}

static const char *get_kind(packet_info *pinfo _U_, const godot_tap *tap)
{
    return tap->call ? "call" : tap->set ? "set" : tap->what ? tap->what : "incomplete";
}

static const char *get_node(packet_info *pinfo _U_, const godot_tap *tap)
{
    return tap->node;
}

static const char *get_method(packet_info *pinfo _U_, const godot_tap *tap)
{
    return tap->call ? tap->what : NULL;
}

static const char *get_spawned(packet_info *pinfo _U_, const godot_tap *tap)
{
    return tap->spawned;
}

static const char *list(packet_info *pinfo, wmem_strbuf_t *inside)
{
    return wmem_strdup_printf(pinfo->pool, "[%s]", wmem_strbuf_get_str(inside));
}

static const char *get_arguments(packet_info *pinfo, const godot_tap *tap)
{
    bool given = tap->call || wmem_strbuf_get_len(tap->arguments) > 0;
    return given ? list(pinfo, tap->arguments) : NULL;
}

static const char *get_values(packet_info *pinfo, const godot_tap *tap)
{
    return wmem_strbuf_get_len(tap->values) > 0 ? list(pinfo, tap->values) : NULL;
}

static const char *get_bytes(packet_info *pinfo, const godot_tap *tap)
{
    return number(pinfo, tap->length);
}

static const char *get_wire_bytes(packet_info *pinfo, const godot_tap *tap)
{
    return number(pinfo, tap->wire_length);
}

static const char *get_repeated(packet_info *pinfo _U_, const godot_tap *tap)
{
    return truth(tap->repeated);
}

static const char *get_problem(packet_info *pinfo _U_, const godot_tap *tap)
{
    return tap->problem;
}

static const struct {
    const char *name;
    bool text; /* a string in JSON; else it is JSON already */
    const char *(*get)(packet_info *pinfo, const godot_tap *tap);
} columns[] = {
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
};

/* --- rows --- */

static void write_json(FILE *file, packet_info *pinfo, const godot_tap *tap)
{
    json_dumper dumper = {.output_file = file};
    json_dumper_begin_object(&dumper);
    for (size_t i = 0; i < array_length(columns); i++) {
        const char *text = columns[i].get(pinfo, tap);
        json_dumper_set_member_name(&dumper, columns[i].name);
        if (text && columns[i].text) {
            json_dumper_value_string(&dumper, text);
        } else {
            json_dumper_value_anyf(&dumper, "%s", text ? text : "null");
        }
    }
    json_dumper_end_object(&dumper);
    json_dumper_finish(&dumper);
}

/* Nothing is an empty field, an empty text is "". */
static void write_field(FILE *file, const char *text)
{
    if (!text) {
        return;
    }
    if (*text && !strpbrk(text, "\",\r\n")) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"') {
            putc('"', file);
        }
        putc(*text, file);
    }
    putc('"', file);
}

static void write_csv(FILE *file, packet_info *pinfo, const godot_tap *tap)
{
    for (size_t i = 0; i < array_length(columns); i++) {
        fputs(i ? "," : "", file);
        write_field(file, tap ? columns[i].get(pinfo, tap) : columns[i].name);
    }
    fputs("\r\n", file);
}

static void check_file(row_file *rows)
{
    if (rows->file && ferror(rows->file)) {
        fprintf(stderr, "tshark: The file \"%s\" could not be written: %s\n", rows->path, g_strerror(errno));
        fclose(rows->file);
        rows->file = NULL;
    }
}

static tap_packet_status packet(void *tap_data, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                tap_flags_t flags _U_)
{
    row_file *rows = (row_file *)tap_data;
    if (rows->file) {
        (rows->csv ? write_csv : write_json)(rows->file, pinfo, (const godot_tap *)data);
        check_file(rows);
    }
    return TAP_PACKET_DONT_REDRAW;
}

/* At the end of the capture. */
static void flush(void *tap_data)
{
    row_file *rows = (row_file *)tap_data;
    if (rows->file) {
        fflush(rows->file);
        check_file(rows);
    }
}

/* --- the option --- */

static void refuse(const char *what, const char *why)
{
    fprintf(stderr, "tshark: -z %s: %s\n", what, why);
    exit(1);
}

static compat_stat_started start(const char *argument, void *data _U_)
{
    const char *given = g_str_has_prefix(argument, prefix) ? argument + strlen(prefix) : "";
    const char *filter = strchr(given, ',');
    row_file *rows = g_new0(row_file, 1);
    rows->path = filter ? g_strndup(given, (gsize)(filter - given)) : g_strdup(given);
    rows->csv = g_str_has_suffix(rows->path, ".csv");
    if (!rows->csv && !g_str_has_suffix(rows->path, ".jsonl")) {
        refuse(argument, "godot,messages,FILE[,FILTER] with a FILE that ends in .jsonl or .csv is needed");
    }
    GString *problem = register_tap_listener("godot_message", rows, filter ? filter + 1 : NULL,
                                             TL_REQUIRES_NOTHING, NULL, packet, flush, NULL);
    if (problem) {
        refuse(argument, problem->str);
    }
    rows->file = g_fopen(rows->path, "wb");
    if (!rows->file) {
        refuse(argument, g_strerror(errno));
    }
    if (rows->csv) {
        write_csv(rows->file, NULL, NULL);
    }
    return COMPAT_STAT_STARTED;
}

void godot_messages_register(void)
{
    stat_tap_ui ui = {.group = REGISTER_PACKET_STAT_GROUP_UNSORTED,
                      .title = "Godot Messages",
                      .cli_string = "godot,messages",
                      .tap_init_cb = start};
    if (g_strcmp0(g_get_prgname(), "tshark") == 0) {
        register_stat_tap_ui(&ui, NULL);
    }
}
