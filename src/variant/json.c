/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "variant/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/digits.h"
#include "base/utf8.h"

typedef struct {
    const uint8_t *bytes;
    variant_json_sink sink;
    void *context;
    /* Which of the open containers are arrays without type, by depth: written as bare [ … ]. */
    bool bare[VARIANT_MAX_DEPTH];
} json_writer;

static void put(const json_writer *w, const char *text)
{
    w->sink(w->context, text, strlen(text));
}

static void put_int(const json_writer *w, int64_t value)
{
    char digits[DIGITS_SIZE];
    size_t at = digits_of(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, digits);
    if (value < 0) {
        put(w, "-");
    }
    w->sink(w->context, digits + at, sizeof digits - at);
}

static void put_id(const json_writer *w, uint64_t id)
{
    put(w, "\"i:");
    put_int(w, (int64_t)id); /* the engine prints ids of RefCounted objects as negative numbers */
    put(w, "\"");
}

/* Not variant_number_text(): like the engine, it prints every number that fits an f32 as one. */
static void put_double(const json_writer *w, double value)
{
    char text[VARIANT_NUMBER_SIZE];
    size_t length = variant_double_text(value, text);
    w->sink(w->context, text, length);
}

/* A number among the components of a type. The engine writes infinity as 1e99999. */
static void put_component(const json_writer *w, double value)
{
    if (isnan(value)) {
        put(w, "null");
    } else if (isinf(value)) {
        put(w, value > 0 ? "1e99999" : "-1e99999");
    } else {
        put_double(w, value);
    }
}

/* Bytes of the character at `p` if it has to be escaped in JSON or in a line; otherwise 0. */
static uint32_t unwritable(const uint8_t *p, size_t left)
{
    uint32_t code;
    if (*p == '"' || *p == '\\') {
        return 1;
    }
    uint32_t control = utf8_control(p, left);
    return control ? control : utf8_deceptive(p, left, &code);
}

static void put_escape(const json_writer *w, const uint8_t *p, uint32_t length)
{
    char text[8] = {'\\', (char)*p};
    if (*p != '"' && *p != '\\') {
        (void)utf8_escape((const char *)p, length, text, sizeof text);
    }
    put(w, text);
}

/* The characters of a string, without quotes. */
static void put_characters(const json_writer *w, const variant_string *string)
{
    const uint8_t *s = w->bytes + string->text_offset;
    size_t length = string->text_length;
    size_t plain = 0; /* bytes before `i` that are not written yet */

    for (size_t i = 0; i < length;) {
        uint32_t n = utf8_sequence(s + i, length - i, UTF8_STANDARD);
        uint32_t escaped = n > 0 ? unwritable(s + i, length - i) : 0;
        if (n > 0 && escaped == 0) {
            i += n;
            plain += n;
            continue;
        }
        w->sink(w->context, (const char *)s + i - plain, plain);
        plain = 0;
        if (n == 0) {
            put(w, "\xef\xbf\xbd");
        } else {
            put_escape(w, s + i, escaped);
        }
        i += n == 0 ? 1 : n;
    }
    w->sink(w->context, (const char *)s + length - plain, plain);
}

static void put_string(const json_writer *w, const char *prefix, const variant_string *string)
{
    put(w, "\"");
    put(w, prefix);
    put_characters(w, string);
    put(w, "\"");
}

void variant_json_text(const char *text, size_t length, variant_json_sink sink, void *context)
{
    const json_writer w = {.bytes = (const uint8_t *)text, .sink = sink, .context = context};
    const variant_string string = {.text_length = (uint32_t)length};
    put_string(&w, "", &string);
}

static void put_node_path(const json_writer *w, const variant_event *event)
{
    uint32_t position = event->data_offset;
    uint32_t names = event->value.path.names;
    if (event->value.path.old_format) {
        put_string(w, "np:", &event->text);
        return;
    }
    put(w, (event->value.path.flags & 1) ? "\"np:/" : "\"np:");
    for (uint32_t i = 0; i < names + event->value.path.subnames; i++) {
        variant_string name = variant_next_string(w->bytes, event, &position);
        if (i >= names) {
            put(w, ":");
        } else if (i > 0) {
            put(w, "/");
        }
        put_characters(w, &name);
    }
    put(w, "\"");
}

/* {"type":"…","args":[…]} of a math type or packed array. JSON.from_native() writes the rows and columns of a
 * Basis as scripts name them, axis by axis; on the wire they stand row by row. */
static void put_components(const json_writer *w, const variant_event *event)
{
    const variant_type_info *facts = variant_type_facts(event->type);
    bool integers = facts->component_kind == VARIANT_INT8U || facts->component_kind == VARIANT_INT32 ||
                    facts->component_kind == VARIANT_INT64;
    bool basis = event->type == VARIANT_BASIS || event->type == VARIANT_TRANSFORM3D;
    uint32_t count = facts->component_count * (facts->packed ? event->count : 1u);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = basis && i < 9 ? i % 3 * 3 + i / 3 : i;
        if (i > 0) {
            put(w, ",");
        }
        if (integers) {
            put_int(w, variant_component_int(w->bytes, event, from));
        } else {
            put_component(w, variant_component(w->bytes, event, from));
        }
    }
}

static void put_packed_strings(const json_writer *w, const variant_event *event)
{
    uint32_t position = event->data_offset;
    for (uint32_t i = 0; i < event->count; i++) {
        variant_string string = variant_next_string(w->bytes, event, &position);
        put_string(w, "", &string);
        if (i + 1 < event->count) {
            put(w, ",");
        }
    }
}

static void put_type(const json_writer *w, const variant_event *event)
{
    put(w, "{\"type\":\"");
    put(w, variant_type_name(event->type));
    put(w, "\"");
}

static void put_member(const json_writer *w, const char *name, uint32_t value)
{
    put(w, ",\"");
    put(w, name);
    put(w, "\":");
    put_int(w, value);
}

/* Godot 2 only: no form of the engine's exists. */
static void put_image(const json_writer *w, const variant_event *event)
{
    const variant_image *image = &event->value.image;
    put_type(w, event);
    put_member(w, "format", image->format);
    put_member(w, "mipmaps", image->mipmaps);
    put_member(w, "width", image->width);
    put_member(w, "height", image->height);
    put(w, ",\"data\":[");
    for (uint32_t i = 0; i < event->count; i++) {
        if (i > 0) {
            put(w, ",");
        }
        put_int(w, w->bytes[event->data_offset + event->data_length - event->count + i]);
    }
    put(w, "]}");
}

static void put_input_event(const json_writer *w, const variant_event *event)
{
    static const char *const names[] = {"first", "second"};
    const variant_input_event *input = &event->value.input_event;
    put_type(w, event);
    put_member(w, "event", input->type);
    put_member(w, "device", input->device);
    for (uint32_t i = 0; i < input->fields; i++) {
        put_member(w, names[i], input->number[i]);
    }
    put(w, "}");
}

static void put_float(const json_writer *w, double value)
{
    put(w, "\"f:");
    if (isnan(value)) {
        put(w, "nan");
    } else if (isinf(value)) {
        put(w, value > 0 ? "inf" : "-inf");
    } else {
        put_double(w, value);
    }
    put(w, "\"");
}

static void put_object_id(const json_writer *w, uint64_t id)
{
    if (id == 0) {
        put(w, "null");
        return;
    }
    put(w, "{\"type\":\"EncodedObjectAsID\",\"props\":[\"object_id\",");
    put_id(w, id);
    put(w, "]}");
}

static void put_signal(const json_writer *w, const variant_event *event)
{
    put_type(w, event);
    put(w, ",\"name\":");
    put_string(w, "", &event->text);
    put(w, ",\"object_id\":");
    put_id(w, event->value.id);
    put(w, "}");
}

static void put_value(const json_writer *w, const variant_event *event)
{
    switch (event->type) {
    case VARIANT_NIL:
        put(w, "null");
        break;
    case VARIANT_BOOL:
        put(w, event->value.b ? "true" : "false");
        break;
    case VARIANT_INT:
        put_id(w, (uint64_t)event->value.i);
        break;
    case VARIANT_FLOAT:
        put_float(w, event->value.f);
        break;
    case VARIANT_STRING:
        put_string(w, "s:", &event->text);
        break;
    case VARIANT_STRING_NAME:
        put_string(w, "sn:", &event->text);
        break;
    case VARIANT_NODE_PATH:
        put_node_path(w, event);
        break;
    case VARIANT_RID:
        put(w, "{\"type\":\"RID\",\"id\":");
        put_id(w, event->value.id);
        put(w, "}");
        break;
    case VARIANT_OBJECT: /* a full one comes as VARIANT_BEGIN */
        put_object_id(w, event->value.id);
        break;
    case VARIANT_SIGNAL:
        put_signal(w, event);
        break;
    case VARIANT_IMAGE:
        put_image(w, event);
        break;
    case VARIANT_INPUT_EVENT:
        put_input_event(w, event);
        break;
    case VARIANT_CALLABLE:
        put_type(w, event);
        put(w, "}");
        break;
    default:
        put_type(w, event);
        put(w, ",\"args\":[");
        if (event->type == VARIANT_PACKED_STRING_ARRAY) {
            put_packed_strings(w, event);
        } else {
            put_components(w, event);
        }
        put(w, "]}");
    }
}

static void put_container_type(const json_writer *w, const char *key, const variant_container_type *type)
{
    if (type->kind == VARIANT_UNTYPED) {
        return;
    }
    put(w, ",\"");
    put(w, key);
    put(w, "\":");
    if (type->kind == VARIANT_TYPED_BUILTIN) {
        put(w, "\"");
        put(w, variant_type_name(type->type));
        put(w, "\"");
    } else {
        put_string(w, "", &type->name);
    }
}

static void put_begin(json_writer *w, const variant_event *event)
{
    bool bare = event->type == VARIANT_ARRAY && event->element_type.kind == VARIANT_UNTYPED;
    w->bare[event->depth] = bare;
    if (bare) {
        put(w, "[");
    } else if (event->type == VARIANT_OBJECT) {
        put(w, "{\"type\":");
        put_string(w, "", &event->text);
        put(w, ",\"props\":[");
    } else if (event->type == VARIANT_DICTIONARY) {
        put_type(w, event);
        put_container_type(w, "key_type", &event->key_type);
        put_container_type(w, "value_type", &event->element_type);
        put(w, ",\"args\":[");
    } else {
        put_type(w, event);
        put_container_type(w, "elem_type", &event->element_type);
        put(w, ",\"args\":[");
    }
}

static void put_end(const json_writer *w, const variant_event *event)
{
    put(w, w->bare[event->depth] ? "]" : "]}");
}

/* The separator between a value and the previous one in the same container. */
static void put_separator(const json_writer *w, const variant_event *event)
{
    if (event->role == VARIANT_ENTRY_VALUE || (event->role != VARIANT_ROOT && event->index > 0)) {
        put(w, ",");
    }
    if (event->role == VARIANT_PROPERTY) {
        put_string(w, "", &event->name);
        put(w, ",");
    }
}

uint32_t variant_json(const uint8_t *bytes, size_t length, variant_options options, variant_json_sink sink,
                      void *context, variant_verdict *error)
{
    json_writer w;
    variant_decoder decoder;
    variant_event event;
    bool complete = true, nothing = true;

    w.bytes = bytes;
    w.sink = sink;
    w.context = context;
    variant_init(&decoder, bytes, length, options);
    while (variant_next(&decoder, &event)) {
        nothing = nothing && event.kind == VARIANT_FINDING;
        switch (event.kind) {
        case VARIANT_VALUE:
            put_separator(&w, &event);
            put_value(&w, &event);
            break;
        case VARIANT_BEGIN:
            put_separator(&w, &event);
            put_begin(&w, &event);
            break;
        case VARIANT_END:
            put_end(&w, &event);
            break;
        case VARIANT_FINDING:
            complete = complete && !event.fatal;
            break;
        }
    }
    if (nothing) {
        put(&w, "null");
    }
    if (error) {
        *error = decoder.rejected ? decoder.error : VARIANT_IGNORED;
    }
    return complete ? decoder.position : 0;
}
