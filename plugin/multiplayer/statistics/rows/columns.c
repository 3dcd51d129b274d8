/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/rows/columns.h"

#include <epan/to_str.h>

#include "base/digits.h"
#include "multiplayer/state/session.h"

/* Changes when a column changes its meaning or goes; a new one comes last and does not change it. */
#define SCHEMA "1"

static const char *number(output_row *row, int64_t value)
{
    char *digits = row->scratch + 1; /* after the sign */
    char *begin = digits + digits_of(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, digits);
    digits[DIGITS_SIZE] = '\0';
    if (value < 0) {
        *--begin = '-';
    }
    return begin;
}

static const char *number_from_0(output_row *row, int64_t value)
{
    return value >= 0 ? number(row, value) : NULL;
}

static const char *boolean(const output_row *row, bool value)
{
    return row->for_database ? (value ? "1" : "0") : value ? "true" : "false";
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

static const char *get_transport(output_row *row)
{
    static const char *const names[] = {
        [GODOT_OVER_ENET] = "enet",      [GODOT_OVER_WEBSOCKET] = "websocket", [GODOT_OVER_SCTP] = "sctp",
        [GODOT_OVER_ANYTHING] = "other", [GODOT_RECORDED] = "recording",
    };
    return names[row->tap->transport];
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

static const char *seconds(const output_row *row, double value)
{
    return wmem_strdup_printf(row->pinfo->pool, "%.9f", value);
}

/* NULL: no address of a network. */
static const char *ip(const output_row *row, const address *end)
{
    return end->type == AT_IPv4 || end->type == AT_IPv6 ? address_to_str(row->pinfo->pool, end) : NULL;
}

/* clang-format off */

/* get_NAME(), a column_getter. */
#define COLUMN(name, content) static const char *get_##name(output_row *row _U_) { return content; }
COLUMN(schema, SCHEMA)
COLUMN(frame, number(row, row->pinfo->num))
COLUMN(nanosecond, row->pinfo->fd->has_ts ? number(row, row->pinfo->abs_ts.nsecs) : NULL)
COLUMN(session, number(row, row->tap->session))
COLUMN(connection, number_from_0(row, row->tap->stream))
COLUMN(sender, peer(row, row->tap->sender))
COLUMN(receiver, peer(row, row->tap->receiver))
COLUMN(from, peer(row, row->tap->from))
COLUMN(to, row->tap->to_unknown ? NULL : number(row, row->tap->to))
COLUMN(relayed, boolean(row, row->tap->relayed))
COLUMN(channel, number_from_0(row, row->tap->channel))
COLUMN(mode, godot_transfer_mode_name(row->tap->transfer_mode))
COLUMN(method, row->tap->call ? row->tap->what : NULL)
COLUMN(spawned, row->tap->spawned)
COLUMN(arguments, row->arguments)
COLUMN(values, row->values)
COLUMN(bytes, number(row, row->tap->length))
COLUMN(wire_bytes, number(row, row->tap->wire_length))
COLUMN(repeated, boolean(row, row->tap->repeated))
COLUMN(problem, row->problem)
COLUMN(problem_code, row->problem ? row->tap->problem_code : NULL)
COLUMN(message, number(row, (int64_t)row->message))
COLUMN(source_ip, ip(row, &row->pinfo->src))
COLUMN(source_port, row->pinfo->ptype != PT_NONE ? number(row, row->pinfo->srcport) : NULL)
COLUMN(destination_ip, ip(row, &row->pinfo->dst))
COLUMN(destination_port, row->pinfo->ptype != PT_NONE ? number(row, row->pinfo->destport) : NULL)
COLUMN(net_frame, number_from_0(row, row->tap->net_frame))
COLUMN(retransmissions, number_from_0(row, row->tap->retransmissions))
COLUMN(value_node, row->value ? row->value->node : row->share.part->node)
COLUMN(property, row->value ? row->value->property : NULL)
COLUMN(value, row->json)
COLUMN(value_bytes, number(row, row->value ? row->value->length : 0))
COLUMN(share_messages, number(row, row->first ? row->share.messages : 0))
COLUMN(share_bytes, number(row, (int64_t)row->property.bytes))
COLUMN(share_wire_bytes, number(row, (int64_t)row->property.wire))
COLUMN(engine_error, row->tap->engine_error)
COLUMN(seconds, row->pinfo->fd->has_ts ? seconds(row, nstime_to_sec(&row->pinfo->rel_ts)) : NULL)
COLUMN(round_trip, row->tap->round_trip >= 0 ? seconds(row, row->tap->round_trip) : NULL)

const row_column godot_message_columns[] = {
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
    {"engine_error", true, get_engine_error},
    {NULL, false, NULL},
};

const row_column godot_value_columns[] = {
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
    {NULL, false, NULL},
};
/* clang-format on */
