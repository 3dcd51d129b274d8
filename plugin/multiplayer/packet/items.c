/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/packet/items.h"

#include <epan/exceptions.h>
#include <wsutil/str_util.h>

#include "base/columns.h"
#include "base/digits.h"
#include "multiplayer/packet/plot.h"
#include "multiplayer/packet/tap-members.h"

void godot_append(wmem_strbuf_t *line, ...)
{
    const char *text;
    va_list texts;
    va_start(texts, line);
    while ((text = va_arg(texts, const char *))) {
        wmem_strbuf_append_len(line, text, strlen(text)); /* faster than wmem_strbuf_append() */
    }
    va_end(texts);
}

const char *godot_numbered(const godot_packet *packet, const char *before, int64_t number)
{
    char digits[1 + DIGITS_SIZE], *text; /* and the sign */
    const char *at = digits + 1 + digits_of(number < 0 ? 0 - (uint64_t)number : (uint64_t)number, digits + 1);
    if (number < 0) {
        digits[--at - digits] = '-';
    }
    size_t length = strlen(before), count = (size_t)(digits + sizeof digits - at);
    text = wmem_alloc(packet->pinfo->pool, length + count + 1);
    memcpy(text, before, length);
    memcpy(text + length, at, count);
    text[length + count] = '\0';
    return text;
}

const char *godot_text_at(const godot_packet *packet, multiplayer_text text)
{
    const uint8_t *bytes = (const uint8_t *)"";
    if (text.length) {
        bytes = tvb_get_ptr(packet->tvb, (int)text.offset, (int)text.length);
    }
    const char *line = info_column_text(packet->pinfo->pool, bytes, text.length, MAX_PATH_TEXT);
    return godot_is_cut(packet, text) ? wmem_strconcat(packet->pinfo->pool, line, "…", NULL) : line;
}

proto_item *godot_add_text(const godot_packet *packet, int hf, multiplayer_text text)
{
    if (!text.offset) {
        return NULL;
    }
    if (godot_is_cut(packet, text)) {
        return godot_add_string(packet, packet->tree, hf, text.offset, text.length,
                                godot_text_at(packet, text));
    }
    return godot_add_item(packet, packet->tree, hf, text.offset, text.length, ENC_UTF_8);
}

void godot_add_number(const godot_packet *packet, int hf, uint32_t offset, uint32_t length)
{
    if (offset) {
        godot_add_item(packet, packet->encoding, hf, offset, length, ENC_LITTLE_ENDIAN);
    }
}

proto_item *godot_add_generated_string(proto_tree *tree, tvbuff_t *tvb, int hf, const char *text)
{
    if (!tree) {
        return NULL;
    }
    proto_item *item = proto_tree_add_string(tree, hf, tvb, 0, 0, text);
    proto_item_set_generated(item);
    return item;
}

void godot_add_generated_number(proto_tree *tree, tvbuff_t *tvb, int hf, uint32_t number)
{
    proto_item_set_generated(proto_tree_add_uint(tree, hf, tvb, 0, 0, number));
}

void godot_add_peer(proto_tree *tree, tvbuff_t *tvb, int hf, int32_t peer)
{
    if (peer) {
        proto_item *item = proto_tree_add_int(tree, hf, tvb, 0, 0, peer);
        proto_item_set_generated(item);
        godot_peer_name_item(item, peer);
    }
}

void godot_add_finding(const godot_packet *packet, proto_tree *tree, expert_field *expert, uint32_t offset,
                       uint32_t length, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = wmem_strdup_vprintf(packet->pinfo->pool, format, arguments);
    va_end(arguments);
    proto_item *item =
        proto_tree_add_none_format(tree, hf_godot_finding, packet->tvb, offset, length, "%s", text);
    expert_add_info_format(packet->pinfo, item, expert, "%s", text);
    if (expert != &ei_godot_object) { /* a note about a value that is in order */
        godot_tap_set_problem(packet, expert, text);
    }
}

/* What the engine does, unless it has said so itself. */
static const char *verdict_of(const godot_packet *packet, multiplayer_verdict verdict)
{
    return packet->answered
               ? ""
               : wmem_strconcat(packet->pinfo->pool, ": ", multiplayer_verdict_text(verdict), NULL);
}

void godot_add_findings(const godot_packet *packet, proto_tree *tree, const multiplayer_findings *findings)
{
    bool any = findings->count || findings->dropped;
    if (!any || godot_packet_lacks(packet, GODOT_MALFORMED) != GODOT_MISSING_NOTHING) {
        return;
    }
    if (findings->dropped && !packet->answered) {
        packet->tap->refused = "malformed";
    }
    for (uint32_t i = 0; i < findings->count; i++) {
        const finding *f = &findings->list[i];
        godot_add_finding(packet, tree, &ei_godot_problem[f->problem], f->offset, f->length, "%s%s",
                          multiplayer_problems[f->problem].text,
                          verdict_of(packet, (multiplayer_verdict)f->verdict));
    }
}

proto_tree *godot_add_arguments(const godot_packet *packet, uint32_t offset, uint32_t length, uint32_t count)
{
    proto_item *item = proto_tree_add_none_format(packet->tree, hf_godot_rpc_arguments, packet->tvb, offset,
                                                  length, "Arguments (%u)", count);
    return proto_item_add_subtree(item, ett_godot_arguments);
}

const char *godot_peer_text(const godot_packet *packet, godot_party party)
{
    int32_t id = godot_session_peer_id(packet->message, party);
    const char *name = godot_peer_name(packet->pinfo->pool, id);
    if (id) {
        return strcmp(name, "server") == 0 ? "the server" : name;
    }
    return party == GODOT_INITIATOR ? "the client" : "the server";
}

const char *godot_name_peer(const godot_packet *packet, proto_item *item, int32_t id)
{
    if (!frame_visited(packet->pinfo)) {
        godot_peer_appears(id, NULL);
    }
    godot_peer_name_item(item, id);
    return godot_peer_name(packet->pinfo->pool, id);
}

proto_tree *godot_begin_encoding(const godot_packet *packet, proto_tree *tree, uint32_t offset,
                                 uint32_t length)
{
    proto_item *item = godot_add_item(packet, tree, hf_godot_encoding, offset, length, ENC_NA);
    return proto_item_add_subtree(item, ett_godot_encoding);
}

void godot_end_encoding(proto_tree *tree, proto_tree *encoding)
{
    proto_item *item = proto_tree_get_parent(encoding);
    if (tree && item && tree->last_child && tree->last_child != item) {
        proto_tree_move_item(tree, tree->last_child, item);
    }
}

void godot_add_call(const godot_packet *packet, const char *call)
{
    proto_item *item = godot_add_generated_string(packet->tree, packet->tvb, hf_godot_rpc_call, call);
    if (packet->tree && packet->encoding_item && item) {
        proto_tree_move_item(packet->tree, packet->encoding_item, item);
    }
}

static void add_transfer(const godot_packet *packet)
{
    const godot_tap *tap = packet->tap;
    if (!packet->tree) {
        return;
    }
    const char *mode = godot_transfer_mode_name(tap->transfer_mode);
    if (mode) {
        godot_add_generated_string(packet->tree, packet->tvb, hf_godot_transfer_mode, mode);
    }
    if (tap->channel >= 0) {
        godot_add_generated_number(packet->tree, packet->tvb, hf_godot_channel, (uint32_t)tap->channel);
    }
    if (packet->message->repeated) {
        proto_item_set_generated(
            proto_tree_add_boolean(packet->tree, hf_godot_repeated, packet->tvb, 0, 0, 1));
    }
}

/* For columns and filters; the tree has the names beside the ids. */
void godot_add_end_names(const godot_packet *packet)
{
    const godot_tap *tap = packet->tap;
    if (!ends_wanted(packet->tree) && !proto_field_is_referenced(packet->tree, hf_godot_source_name) &&
        !proto_field_is_referenced(packet->tree, hf_godot_target_name) &&
        !proto_field_is_referenced(packet->tree, hf_godot_peer_name)) {
        return; /* nothing shows the names */
    }
    const char *source = godot_source_name(packet->pinfo->pool, tap->from);
    const char *target = tap->to_unknown ? NULL : godot_target_name(packet->pinfo->pool, tap->to);
    ends_add(packet->enet || packet->recorded ? NULL : packet->pinfo, packet->tree, packet->tvb, source,
             target);
    const struct {
        int hf;
        const char *name;
    } fields[] = {{hf_godot_source_name, source},
                  {hf_godot_target_name, target},
                  {hf_godot_peer_name, source},
                  {hf_godot_peer_name, target}};
    for (size_t i = 0; i < array_length(fields); i++) {
        if (fields[i].name) {
            proto_item_set_hidden(
                godot_add_generated_string(packet->tree, packet->tvb, fields[i].hf, fields[i].name));
        }
    }
}

static void add_ends(const godot_packet *packet)
{
    if (!packet->tree) {
        return;
    }
    godot_add_peer(packet->tree, packet->tvb, hf_godot_source,
                   godot_session_peer_id(packet->message, packet->from));
    if (packet->to) {
        godot_add_peer(packet->tree, packet->tvb, hf_godot_target,
                       godot_session_peer_id(packet->message, packet->to));
    }
}

bool godot_is_later(const godot_packet *packet, uint32_t number)
{
    return number > packet->message->number;
}

bool godot_conclude(const godot_packet *packet, proto_item *item, expert_field *expert, godot_missing missing,
                    const char *format, ...)
{
    if (packet->answered) {
        return false;
    }
    va_list arguments;
    va_start(arguments, format);
    const char *text = wmem_strdup_vprintf(packet->pinfo->pool, format, arguments);
    va_end(arguments);
    if (missing != GODOT_MISSING_NOTHING) {
        expert_add_info_format(packet->pinfo, item, &ei_godot_not_judged, "Not judged (%s): %s",
                               godot_missing_text(missing), text);
        packet->tap->not_judged = godot_missing_text(missing);
        return false;
    }
    expert_add_info_format(packet->pinfo, item, expert, "%s", text);
    return true;
}

bool godot_is_first(const godot_packet *packet, godot_topic topic, godot_party party, uint32_t id)
{
    return godot_session_first(packet->message, !frame_visited(packet->pinfo), topic, party, id);
}

void godot_check_presence(const godot_packet *packet, proto_item *item, int32_t peer)
{
    wmem_allocator_t *pool = packet->pinfo->pool;
    const godot_presence *state = NULL;
    const godot_verdict absent = godot_engine_lacks_peer(packet->message, peer, &state);
    if (packet->message->repeated || !absent.holds || !godot_is_first(packet, GODOT_TOPIC_ABSENT, peer, 0)) {
        return;
    }
    const char *name = godot_peer_name(pool, peer), *frame = state ? frame_text(pool, state->frame) : NULL;
    const char *text = !state ? wmem_strdup_printf(pool, "%s was not announced before", name)
                       : state->present
                           ? wmem_strdup_printf(pool, "%s is announced later, in %s", name, frame)
                           : wmem_strdup_printf(pool, "%s has left, in %s", name, frame);
    godot_conclude(packet, item, &ei_godot_unknown_peer, absent.missing, "%s", text);
}

/* Sender and receiver by Godot 3's header. */
static void add_v3_ends(const godot_packet *packet)
{
    const multiplayer_v3_header *header = packet->v3_header;
    proto_item *item = proto_tree_add_int(packet->tree, hf_godot_source, packet->v3_tvb,
                                          (int)header->source_offset, 4, header->source);
    proto_item *target_item = proto_tree_add_int(packet->tree, hf_godot_target, packet->v3_tvb,
                                                 (int)header->target_offset, 4, header->target);
    godot_peer_name_item(item, header->source);
    godot_peer_name_item(target_item, header->target);
    /* By connection, not by the header. */
    godot_party from = godot_sending_end(packet->message);
    int32_t expected = godot_session_peer_id(packet->message, from);
    bool from_server = godot_session_is_server(packet->message, from);
    if (expected > 0 && header->source != expected && !from_server) {
        godot_conclude(packet, item, &ei_godot_source, godot_packet_lacks(packet, GODOT_WRONG_SOURCE),
                       "Source %d is not this end's peer ID %d: the server drops the packet", header->source,
                       expected);
    }
    if (!from_server && expected != 0 && header->target > 1) {
        godot_check_presence(packet, target_item, header->target);
    }
}

void godot_add_delivery(const godot_packet *packet)
{
    if (packet->v3_header) {
        add_v3_ends(packet);
    } else {
        add_ends(packet);
    }
    if (packet->tap->relayed) {
        proto_item_set_generated(
            proto_tree_add_boolean(packet->tree, hf_godot_relayed, packet->tvb, 0, 0, 1));
    }
    add_transfer(packet);
}

void godot_set_tap(const godot_packet *packet, const char *node, const char *what)
{
    packet->tap->node = node;
    packet->tap->what = what;
}

/* --- values -------------------------------------------------------------------------------------- */

/* Reads the value at `offset`, which may take `length` bytes. */
static void read_value(const godot_packet *packet, godot_variant *value, uint32_t offset, uint32_t length,
                       variant_options options)
{
    bool last = packet->cut && offset + length == packet->length;
    const uint32_t beyond = last ? tvb_reported_length(packet->tvb) - packet->length : 0;
    godot_variant_read(value, packet->tvb, packet->pinfo, offset, length + beyond, options);
}

/* Returns the value's item, NULL if there is none. A value that is truncated in the capture is not an error;
 * the dissector of the whole packet reports the truncation. */
static proto_item *add_value(const godot_packet *packet, godot_variant *value, proto_tree *tree,
                             const char *label)
{
    if (!packet->cut) {
        return godot_variant_add(value, tree, label);
    }
    proto_item *volatile item = NULL;
    TRY
    {
        item = godot_variant_add(value, tree, label);
    }
    CATCH_BOUNDS_ERRORS
    {
    }
    ENDTRY;
    return item;
}

/* A value with the name of its property: that item has the value below it, so that the two can be filtered
 * for and read together. Returns it. */
static proto_item *add_property(const godot_packet *packet, godot_variant *value, proto_tree *tree,
                                const char *name)
{
    uint32_t length = value->consumed ? value->consumed : value->length;
    proto_item *item = godot_add_string(packet, tree, hf_godot_property, value->offset, length, name);
    add_value(packet, value, proto_item_add_subtree(item, ett_godot_property), NULL);
    if (item && PTREE_DATA(tree)->visible) {
        proto_item_set_text(item, "%s: %s", name, godot_variant_text(value, MAX_VALUE_TEXT));
    }
    return item;
}

/* Passes a value on to the plot fields and to the tap. */
static void tell_others(godot_packet *packet, proto_tree *tree, const godot_values *list, const char *label,
                        const godot_variant *value)
{
    godot_tap_variant tapped = {.bytes = value->bytes, .length = value->consumed, .options = list->options};
    if (list->node) {
        godot_plot_add(packet, tree, (godot_plotted){list->node, label, list->spawned}, value);
        tapped.node = *list->node ? list->node : NULL;
        tapped.property = label;
        godot_tap_add(packet->tap->values, tapped);
    } else if (list->arguments) {
        godot_tap_add(packet->tap->arguments, tapped);
    }
    if (list->sizes) {
        godot_tap_value size = {label, value->consumed};
        wmem_array_append_one(list->sizes, size);
    }
}

/* The next value's text at the end of the line, as long as there is room. `text`: NULL for what the value
 * says; `value`: NULL if it is missing. */
static void append_value(const godot_values *list, const char *name, const char *text,
                         const godot_variant *value, bool first)
{
    size_t length = wmem_strbuf_get_len(list->line) - list->line_start;
    bool room = length < MAX_CALL_TEXT;
    if (!room && first) {
        return;
    }
    if (!room) {
        wmem_strbuf_append(list->line, length < MAX_CALL_TEXT + 8 ? ", …   " : "");
        return;
    }
    if (!first) {
        wmem_strbuf_append_len(list->line, ", ", 2);
    }
    if (name) {
        godot_append(list->line, name, ": ", NULL);
    }
    if (!text) {
        text = value ? godot_variant_text(value, MAX_VALUE_TEXT) : "…";
    }
    godot_append(list->line, text, NULL);
}

const godot_place godot_place_property = {.table = GODOT_PROPERTY, .argument = -1};

const char *godot_offer_bytes(const godot_packet *packet, proto_tree *tree, const godot_place *place,
                              uint32_t offset, uint32_t length)
{
    if (!tree && !godot_payload_wanted(place->table)) {
        return NULL;
    }
    const godot_tap *tap = packet->tap;
    godot_payload facts = {.node = place->node && *place->node ? place->node : NULL,
                           .name = place->name,
                           .argument = place->argument,
                           .before = place->before ? place->before : "",
                           .after = place->after ? place->after : "",
                           .session = packet->message->session->index,
                           .source = tap->from,
                           .target = tap->to,
                           .target_unknown = tap->to_unknown,
                           .from_initiator = packet->message->from_initiator,
                           .number = packet->message->number,
                           .first = packet->learn,
                           .repeated = packet->message->repeated};
    bool named = place->scripts && godot_payload_wanted(place->table);
    godot_offered bytes = {.table = place->table,
                           .tvb = tvb_new_subset_length(packet->tvb, (int)offset, (int)length),
                           .pinfo = packet->pinfo,
                           .tree = tree,
                           .facts = &facts,
                           .scripts = named ? place->scripts(packet, place) : NULL};
    return godot_payload_offer(&bytes, MAX_VALUE_TEXT);
}

/* Texts of the arguments after argument `number`, which ends at `offset`. */
static const char *arguments_after(const godot_packet *packet, const godot_values *list, uint32_t number,
                                   uint32_t offset)
{
    wmem_strbuf_t *texts = wmem_strbuf_new(packet->pinfo->pool, "");
    const uint32_t end = list->offset + list->length;
    while (++number < list->expected && offset < end && wmem_strbuf_get_len(texts) < MAX_CALL_TEXT) {
        godot_variant value;
        read_value(packet, &value, offset, end - offset, list->options);
        if (value.consumed == 0) {
            break;
        }
        godot_append(texts, wmem_strbuf_get_len(texts) ? ", " : "",
                     godot_variant_text(&value, MAX_VALUE_TEXT), NULL);
        offset += value.consumed;
    }
    return wmem_strbuf_get_str(texts);
}

/* A value that is bytes. Returns the text of the dissector that took them, NULL if none has, or if the
 * dissector has none. */
static const char *offer_value(const godot_packet *packet, proto_tree *tree, const godot_values *list,
                               uint32_t number, const godot_variant *value)
{
    const variant_event *bytes = godot_variant_first(value);
    godot_place place = *list->place;
    if (place.table == GODOT_METHOD) { /* the line is "method(…" so far */
        place.argument = (int32_t)number;
        place.before = wmem_strbuf_get_str(list->line) + list->line_start + strlen(place.name) + 1;
        if (godot_payload_wanted(GODOT_METHOD)) {
            place.after = arguments_after(packet, list, number, value->offset + value->consumed);
        }
    }
    if (place.table == GODOT_PROPERTY) {
        place.node = list->node ? list->node : place.node;
        place.name = place.name                  ? place.name
                     : number < list->name_count ? list->names[number]
                                                 : godot_numbered(packet, list->label, number);
    }
    const char *text =
        godot_offer_bytes(packet, tree, &place, value->offset + bytes->data_offset, bytes->data_length);
    return text && *text ? text : NULL;
}

/* Value `number` of the list, at `offset`. Returns the bytes it takes, 0 if it cannot be read. */
static uint32_t add_listed_value(godot_packet *packet, proto_tree *tree, const godot_values *list,
                                 uint32_t number, uint32_t offset)
{
    const uint32_t left = list->offset + list->length - offset;
    godot_variant value;
    bool named = number < list->name_count;
    const char *label = named                    ? list->names[number]
                        : tree || packet->tapped ? godot_numbered(packet, list->label, number)
                                                 : list->label;
    const char *property = list->properties && named ? label : NULL, *text = NULL;
    if (left > 0) {
        read_value(packet, &value, offset, left, list->options);
        proto_item *item =
            property ? add_property(packet, &value, tree, property) : add_value(packet, &value, tree, label);
        if (value.type == VARIANT_PACKED_BYTE_ARRAY && list->place && value.consumed) {
            text = offer_value(packet, item ? item : tree, list, number, &value);
            if (text && property && item) {
                proto_item_set_text(item, "%s: %s", property, text);
            }
        }
    }
    if (list->line) {
        append_value(list, property, text, left > 0 ? &value : NULL, number == 0);
    }
    if (left == 0 || value.consumed == 0) {
        return 0;
    }
    tell_others(packet, tree, list, label, &value);
    if (list->arguments && number < KEPT_TYPES) {
        packet->types[number] = (uint8_t)(value.type + 1);
    }
    if (value.type == VARIANT_OBJECT) {
        godot_add_finding(packet, tree, &ei_godot_object, offset, value.consumed,
                          "%s%u is an Object: without allow_object_decoding only its ID arrives, which is "
                          "useless to the receiver",
                          list->label, number);
    }
    return value.consumed;
}

uint32_t godot_add_values(godot_packet *packet, proto_tree *tree, const godot_values *list,
                          multiplayer_verdict verdict)
{
    uint32_t offset = list->offset, left = list->length, count = 0;
    for (; count < list->expected && (left > 0 || list->expected != UINT32_MAX); count++) {
        if (count >= MAX_VALUES || packet->values++ >= MAX_PACKET_VALUES) {
            godot_add_finding(packet, tree, &ei_godot_capped, offset, left, "Only %u values are shown",
                              count);
            return count;
        }
        uint32_t length = add_listed_value(packet, tree, list, count, offset);
        if (length == 0 && !packet->cut) {
            godot_add_finding(packet, tree, &ei_godot_problem[MULTIPLAYER_PROBLEM_VALUE], offset, left,
                              "%s%u %s%s", list->label, count, left ? "cannot be decoded" : "is missing",
                              verdict_of(packet, verdict));
        }
        if (length == 0) {
            return count;
        }
        offset += length;
        left -= length;
    }
    if (left > 0 && !packet->cut) {
        godot_add_finding(packet, tree, &ei_godot_problem[MULTIPLAYER_PROBLEM_TRAILING], offset, left,
                          "%u bytes after the last value%s", left, verdict_of(packet, MULTIPLAYER_IGNORED));
    }
    return count;
}

void godot_add_application_bytes(godot_packet *packet, int hf, uint32_t offset, uint32_t length,
                                 variant_dialect dialect)
{
    proto_item *item = godot_add_item(packet, packet->tree, hf, offset, length, ENC_NA);
    godot_place place = {.table = hf == hf_godot_raw ? GODOT_RAW : GODOT_AUTH, .argument = -1};
    const uint8_t *bytes = packet->bytes + offset;
    const char *text =
        !length ? NULL
                : godot_offer_bytes(packet, proto_item_add_subtree(item, ett_godot_own), &place, offset,
                                    tvb_reported_length_remaining(packet->tvb, (int)offset));
    if (hf == hf_godot_raw && !packet->cut && length) {
        packet->tap->payload = (godot_tap_variant){.bytes = bytes, .length = length, .raw = true};
    }
    if (!text && !packet->cut && length > 1 && utf8_is_printable(bytes, length)) {
        text = wmem_strdup_printf(packet->pinfo->pool, "\"%s\"",
                                  info_column_text(packet->pinfo->pool, bytes, length, MAX_VALUE_TEXT));
        proto_item_append_text(item, " (%s)", text);
    }
    if (text) {
        godot_append(packet->info, text, *text ? " " : "", NULL);
    }
    if (text || packet->cut || length < 8) {
        return;
    }
    variant_guess guess = variant_detect(bytes, length, dialect);
    if (guess.strong && guess.score > 0 && guess.consumed == length) {
        godot_variant value;
        variant_options options = {.dialect = guess.dialect};
        read_value(packet, &value, offset, length, options);
        packet->tap->payload.raw = false;
        packet->tap->payload.options = options;
        godot_variant_add(&value, packet->tree, "Content");
        godot_append(packet->info, godot_variant_text(&value, MAX_VALUE_TEXT), " ", NULL);
    }
}
