/* read.c
 *
 * Decodes a value once; its first events are kept for tree, text and plots. See api.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/walk.h"

#include "base/memory.h"
#include "base/utf8.h"

/* Counts an event, which may be one that is not kept. */
static void note(godot_variant *value, const variant_event *e)
{
    value->noteworthy |=
        e->kind == VARIANT_FINDING || (e->kind == VARIANT_BEGIN && e->type == VARIANT_OBJECT);
}

/* The rest of a value of many events. */
static void read_on(godot_variant *value)
{
    variant_decoder decoder;
    variant_event event;

    variant_copy(&decoder, &value->rest);
    while (variant_next(&decoder, &event)) {
        note(value, &event);
    }
    value->consumed = decoder.failed ? 0 : decoder.position;
    value->error = decoder.error;
}

void godot_variant_read(godot_variant *value, tvbuff_t *tvb, packet_info *pinfo, unsigned offset,
                        unsigned length, variant_options options)
{
    int captured_left = tvb_captured_length_remaining(tvb, (int)offset);
    int reported_left = tvb_reported_length_remaining(tvb, (int)offset);
    unsigned captured = captured_left > 0 ? (unsigned)captured_left : 0;
    unsigned reported = reported_left > 0 ? (unsigned)reported_left : 0;

    value->tvb = tvb;
    value->pinfo = pinfo;
    value->offset = offset;
    value->wanted = length;
    value->length = MIN(MIN(length, captured), VARIANT_MAX_LENGTH);
    value->options = options;
    value->bytes =
        value->length > 0 ? tvb_get_ptr(tvb, (int)offset, (int)value->length) : (const uint8_t *)"";
    value->cut = value->length < MIN(length, reported);
    value->noteworthy = false;
    value->guessed = false;
    value->whole = NULL;
    value->count = 0;
    variant_init(&value->rest, value->bytes, value->length, options);
    while (value->count < GODOT_VARIANT_EVENTS && variant_next(&value->rest, &value->events[value->count])) {
        note(value, &value->events[value->count++]);
    }
    value->type = value->events[0].kind == VARIANT_FINDING ? VARIANT_INVALID : value->events[0].type;
    value->consumed = value->rest.failed ? 0 : value->rest.position;
    value->error = value->rest.error;
    value->more = value->count == GODOT_VARIANT_EVENTS;
    if (value->more) {
        read_on(value);
    }
}

/* --- which generation ----------------------------------------------------------------------------- */

/* What a generation of the engine makes of a value. */
typedef struct {
    uint32_t problems; /* bit by variant_problem */
    uint32_t consumed;
    variant_verdict error;
} outcome;

static outcome outcome_in(const godot_variant *value, variant_dialect dialect)
{
    variant_options options = value->options;
    variant_decoder decoder;
    variant_event event;
    outcome found = {0};

    options.dialect = dialect;
    variant_init(&decoder, value->bytes, value->length, options);
    while (variant_next(&decoder, &event)) {
        found.problems |= event.kind == VARIANT_FINDING ? 1u << event.problem : 0;
    }
    found.consumed = decoder.failed ? 0 : decoder.position;
    found.error = decoder.error;
    return found;
}

void godot_variant_note_guess(godot_variant *value, godot_variant_generation chosen)
{
    static const variant_dialect engines[] = {VARIANT_GODOT4, VARIANT_GODOT3, VARIANT_GODOT2};

    value->guessed = false;
    if (!chosen.guessed || (!value->noteworthy && value->consumed == value->wanted)) {
        return;
    }
    outcome own = outcome_in(value, chosen.dialect);
    for (size_t i = 0; i < array_length(engines); i++) {
        outcome other = outcome_in(value, engines[i]);
        value->guessed |=
            other.problems != own.problems || other.consumed != own.consumed || other.error != own.error;
    }
}

const char *godot_variant_doubt(const godot_variant *value)
{
    return value->guessed ? ". Generation not judged: values before it do not show it" : "";
}

/* --- events --------------------------------------------------------------------------------------- */

void variant_cursor_begin(variant_cursor *cursor, const godot_variant *value)
{
    cursor->value = value;
    cursor->next = 0;
}

void variant_cursor_copy(variant_cursor *cursor, const variant_cursor *other)
{
    cursor->value = other->value;
    cursor->next = other->next;
    if (other->next > other->value->count) {
        variant_copy(&cursor->decoder, &other->decoder);
    }
}

const variant_event *variant_cursor_next(variant_cursor *cursor)
{
    const godot_variant *value = cursor->value;

    if (cursor->next < value->count) {
        return &value->events[cursor->next++];
    }
    if (!value->more) {
        return NULL;
    }
    if (cursor->next == value->count) {
        cursor->next++;
        variant_copy(&cursor->decoder, &value->rest);
    }
    return variant_next(&cursor->decoder, &cursor->event) ? &cursor->event : NULL;
}

/* Whether the value's text is digits and names of types only: nothing in it comes from the wire as it is. */
static bool is_number(const godot_variant *value)
{
    const variant_event *first = godot_variant_first(value);

    return value->count == 1 && first->kind == VARIANT_VALUE &&
           (first->type <= VARIANT_FLOAT || variant_type_facts(first->type)->component_count > 0);
}

/* Cache of recent texts of numbers: the digits of a float take longer than the rest of a message, and a
 * server relays the values of one client to all others, so most values occur several times. */
enum { KEPT_TEXTS = 64, KEPT_LENGTH = 24 };

typedef struct {
    uint64_t bytes[KEPT_LENGTH / 8]; /* as on the wire, filled up with zeroes */
    uint8_t length;                  /* of these; 0: there is none yet */
    uint8_t dialect, compact;
    uint8_t text_length;
    char text[96]; /* has room for any such number */
} kept_text;

/* NULL: the value is not a number. */
static const kept_text *number_text(const godot_variant *value)
{
    static kept_text kept[KEPT_TEXTS];
    uint64_t bytes[KEPT_LENGTH / 8] = {0};

    if (!is_number(value) || value->consumed == 0 || value->consumed > KEPT_LENGTH) {
        return NULL;
    }
    memcpy(bytes, value->bytes, value->consumed);
    kept_text *place = &kept[hash_number(bytes[0] ^ bytes[1] << 1 ^ bytes[2] << 2) % KEPT_TEXTS];
    if (place->length != value->consumed || place->dialect != value->options.dialect ||
        place->compact != value->options.compact || memcmp(place->bytes, bytes, sizeof bytes) != 0) {
        memcpy(place->bytes, bytes, sizeof bytes);
        place->length = (uint8_t)value->consumed;
        place->dialect = (uint8_t)value->options.dialect;
        place->compact = value->options.compact;
        place->text_length = (uint8_t)variant_event_text(value->bytes, godot_variant_first(value),
                                                         place->text, sizeof place->text);
    }
    return place;
}

const char *godot_variant_text(const godot_variant *value, size_t size)
{
    const kept_text *number = value->whole ? NULL : number_text(value);
    variant_cursor cursor;
    variant_writer writer;
    const variant_event *event;

    if (number && number->text_length < size) {
        return wmem_memdup(value->pinfo->pool, number->text, number->text_length + 1u);
    }
    char *text = wmem_alloc(value->pinfo->pool, size);
    if (value->whole) {
        variant_text_cut(value->whole, text, size);
        return utf8_one_line(text);
    }
    variant_cursor_begin(&cursor, value);
    variant_writer_init(&writer, text, size, value->length);
    while (!writer.cut && (event = variant_cursor_next(&cursor))) {
        variant_writer_add(&writer, value->bytes, event);
    }
    variant_writer_end(&writer);
    return utf8_one_line(text);
}
