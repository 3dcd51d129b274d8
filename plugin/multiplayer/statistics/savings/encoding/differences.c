/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/differences.h"

#include <math.h>
#include <string.h>

#include "multiplayer/statistics/savings/encoding/json-texts.h"

/* Of a step of numbers, by which that of others may differ. */
#define EVEN 0.01
/* Bytes of containers that are compared; of an Array in one that may have moved. */
enum { MOST_CONTAINER = 65536, LEAST_INSIDE = 32 };
/* Bytes of a container without its elements, of two Arrays, with places and values; of a place. */
enum { CONTAINER_HEAD = 8, TWO_ARRAYS = 16, PLACE = 8 };
/* Elements that may be missing at the front of an array, at most. */
enum { MOST_REMOVED = 64 };
/* Depth of containers that are compared. */
enum { MAX_DEPTH = 8 };
/* Arrays, packed ones, dictionaries and texts of Godot 4, whose elements are at multiples of four bytes. */
bool is_compared_container(const godot_tap_variant *value, uint32_t least)
{
    variant_decoder decoder;
    variant_event event;
    if (value->length < least || value->length > MOST_CONTAINER || value->options.dialect != VARIANT_GODOT4) {
        return false;
    }
    if (value->raw) {
        return true;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    return variant_next(&decoder, &event) &&
           (event.kind == VARIANT_BEGIN || event.type >= VARIANT_PACKED_BYTE_ARRAY ||
            event.type == VARIANT_STRING);
}

/* Bytes of a packed array that differ from `before`, and, in `*sent`, those of their places and values. */
static uint32_t packed_differences(const uint8_t *before, const uint8_t *now, uint32_t length, uint32_t *sent)
{
    uint32_t differing = 0;
    bool run = false;
    *sent = 0;
    for (uint32_t at = 0; at < length; at += 4) {
        uint32_t word = MIN(4, length - at);
        bool differs = memcmp(before + at, now + at, word) != 0;
        *sent += differs ? word + (run ? 0 : PLACE) : 0;
        differing += differs ? word : 0;
        run = differs;
    }
    return differing;
}

/* Where the first elements of an array begin; returns how many these are. Not of packed texts, whose lengths
 * differ. */
static uint32_t places_of(const uint8_t *bytes, uint32_t length, variant_options options,
                          uint32_t places[MOST_REMOVED])
{
    enum { WORD = 4 };
    variant_decoder decoder;
    variant_event event;
    uint32_t count = 0;
    variant_init(&decoder, bytes, length, options);
    if (!variant_next(&decoder, &event)) {
        return 0;
    }
    bool packed = event.kind == VARIANT_VALUE && event.type != VARIANT_PACKED_STRING_ARRAY && event.count;
    uint32_t size = packed ? (event.length - CONTAINER_HEAD) / event.count : 0;
    for (; size >= WORD && count < MIN(MOST_REMOVED, event.count); count++) {
        places[count] = CONTAINER_HEAD + count * size;
    }
    bool array = event.kind == VARIANT_BEGIN && event.type == VARIANT_ARRAY;
    while (array && count < MOST_REMOVED && variant_next(&decoder, &event)) {
        if (event.depth == 1 && event.kind != VARIANT_END && event.kind != VARIANT_FINDING) {
            places[count++] = event.offset;
        }
    }
    return count;
}

/* Bytes of an array that has lost elements at one end and may have got others at the other one: of what is
 * new, in `*differing`, and, returned, of a message about it. Its length, and `*differing` as it was: it is
 * another. */
static uint32_t moved(const uint8_t *before, uint32_t length, const uint8_t *now, uint32_t now_length,
                      variant_options options, uint32_t *differing)
{
    enum { TYPE = 4, REMOVED = 2 /* a number */ };
    uint32_t places[MOST_REMOVED];
    bool same_type = length > TYPE && now_length > TYPE && memcmp(before, now, TYPE) == 0;
    uint32_t count = same_type ? places_of(before, length, options, places) : 0;
    for (uint32_t i = 0; i < count; i++) { /* the first ones are gone */
        uint32_t kept = length - places[i], end = places[0] + kept;
        if (end <= now_length && memcmp(before + places[i], now + places[0], kept) == 0) {
            *differing = now_length - end;
            return *differing + (i ? REMOVED : 0);
        }
    }
    count = same_type ? places_of(now, now_length, options, places) : 0;
    for (uint32_t i = 0; i < count; i++) { /* the last ones are gone */
        uint32_t kept = now_length - places[i];
        if (places[0] + kept <= length && memcmp(before + places[0], now + places[i], kept) == 0) {
            *differing = places[i] - places[0];
            return *differing + REMOVED;
        }
    }
    return now_length;
}

/* A container on the way to what is read. */
typedef struct {
    uint32_t key; /* bytes of its place in the one above: a key, or a number */
    bool sent;    /* something in it is */
} open_container;

typedef struct {
    const uint8_t *before, *now;
    uint32_t old_length, length;
    variant_options options;
    variant_decoder decoders[2]; /* of both */
    open_container open[MAX_DEPTH];
    uint32_t key;             /* bytes of the place of the value that comes next */
    uint32_t differing, sent; /* bytes */
    uint32_t values;          /* that differ */
    uint32_t steps;           /* of these: floats that differ by as much as the first one */
    double step;              /* of that */
    variant_event last;       /* of these */
    bool moved;               /* container_change.moved */
    bool other;               /* keys: nothing can be compared */
} comparison;

/* The containers above it come with their places, once. */
static void send_above(comparison *all, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++) {
        all->sent += all->open[i].sent ? 0 : CONTAINER_HEAD + all->open[i].key;
        all->open[i].sent = true;
    }
}

static void send_value(comparison *all, unsigned depth, uint32_t differing, uint32_t sent)
{
    if (sent) {
        send_above(all, depth);
        all->sent += all->key + sent;
        all->differing += differing;
    }
}

static void count_step(comparison *all, const variant_event *old, const variant_event *event)
{
    bool floats = old->type == VARIANT_FLOAT && event->type == VARIANT_FLOAT;
    double step = floats ? event->value.f - old->value.f : 0;
    all->step = all->values ? all->step : step;
    all->steps += step != 0 && fabs(fabs(step) - fabs(all->step)) <= EVEN * fabs(all->step);
}

/* A value in a container, or one of which there is nothing else. */
static void compare_value(comparison *all, const variant_event *old, const variant_event *event)
{
    const uint8_t *before = all->before + old->offset, *now = all->now + event->offset;
    uint32_t sent = event->length, differing = event->length;
    bool as_long = old->length == event->length, packed = event->type >= VARIANT_PACKED_BYTE_ARRAY;
    if (as_long && memcmp(before, now, event->length) == 0) {
        return;
    }
    if (as_long && packed) {
        differing = packed_differences(before, now, event->length, &sent);
        sent += TWO_ARRAYS;
    }
    if (packed && event->depth && differing > CONTAINER_LITTLE * event->length) {
        uint32_t ends = moved(before, old->length, now, event->length, all->options, &differing);
        all->moved |= ends < sent;
        sent = MIN(sent, ends);
    }
    count_step(all, old, event);
    all->values++;
    all->last = *event;
    send_value(all, event->depth, differing, sent);
}

/* Reads on to the end of a container. */
static void skip_container(variant_decoder *decoder, const variant_event *begin)
{
    variant_event event;
    while (variant_next(decoder, &event) && !(event.kind == VARIANT_END && event.depth == begin->depth)) {
    }
}

/* An Array in another container, if it has got elements or lost some and all others are the same: then both
 * are read to their ends. False: its elements are to be compared. */
static bool compare_moved(comparison *all, const variant_event *old, const variant_event *event)
{
    if (event->type != VARIANT_ARRAY || old->type != VARIANT_ARRAY || !event->depth) {
        return false;
    }
    const uint8_t *before = all->before + old->offset, *now = all->now + event->offset;
    uint32_t old_length = variant_skip(before, all->old_length - old->offset, all->options, NULL);
    uint32_t length = variant_skip(now, all->length - event->offset, all->options, NULL);
    if (!old_length || length < LEAST_INSIDE) {
        return false;
    }
    uint32_t differing = length;
    uint32_t sent = moved(before, old_length, now, length, all->options, &differing);
    if (differing > CONTAINER_LITTLE * length) {
        return false;
    }
    all->moved |= sent > 0; /* else it is the same */
    all->values += 2;       /* not one number */
    send_value(all, event->depth, differing, sent);
    skip_container(&all->decoders[0], old);
    skip_container(&all->decoders[1], event);
    return true;
}

/* The same event of both. */
static void compare_event(comparison *all, const variant_event *old, const variant_event *event)
{
    bool key = event->role == VARIANT_KEY, begins = event->kind == VARIANT_BEGIN;
    all->other = event->kind == VARIANT_FINDING || event->kind != old->kind || event->depth >= MAX_DEPTH;
    if (all->other || event->kind == VARIANT_END) {
        return;
    }
    if (key) {
        all->other = begins || old->length != event->length ||
                     memcmp(all->before + old->offset, all->now + event->offset, event->length) != 0;
        all->key = event->length;
        return;
    }
    all->key = event->role == VARIANT_ELEMENT ? PLACE : event->depth ? all->key : 0;
    if (begins) {
        all->open[event->depth] = (open_container){all->key, false};
        all->other = !compare_moved(all, old, event) && event->count != old->count;
    } else {
        compare_value(all, old, event);
    }
}

/* Bytes that a container with as many elements differs in, `*differing`, and, returned, those of one that has
 * only these. */
static uint32_t differences(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                            container_change *change)
{
    comparison all = {.before = before,
                      .now = now->bytes,
                      .old_length = length,
                      .length = now->length,
                      .options = now->options};
    variant_event old, event;
    if (now->raw) {
        change->bytes =
            length == now->length ? packed_differences(before, now->bytes, length, &all.sent) : now->length;
        return change->bytes == now->length ? now->length : all.sent + TWO_ARRAYS;
    }
    variant_init(&all.decoders[0], before, length, now->options);
    variant_init(&all.decoders[1], now->bytes, now->length, now->options);
    while (!all.other && variant_next(&all.decoders[1], &event)) {
        all.other = !variant_next(&all.decoders[0], &old);
        if (!all.other) {
            compare_event(&all, &old, &event);
        }
    }
    bool is_float = all.last.type == VARIANT_FLOAT;
    change->is_number = !all.other && all.values == 1 && (is_float || all.last.type == VARIANT_INT);
    change->number = is_float ? all.last.value.f : (double)all.last.value.i;
    change->place = all.last.offset;
    change->moved = all.moved && !all.other;
    change->step = !all.other && all.steps == all.values ? all.step : 0;
    change->bytes = all.other ? now->length : all.differing;
    return all.other ? now->length : all.sent;
}

/* A text, or bytes; NULL: another value. */
static const uint8_t *plain_bytes(const uint8_t *bytes, uint32_t length, bool raw, variant_options options,
                                  uint32_t *count)
{
    variant_decoder decoder;
    variant_event event;
    if (raw) {
        *count = length;
        return bytes;
    }
    variant_init(&decoder, bytes, length, options);
    bool plain = variant_next(&decoder, &event) &&
                 (event.type == VARIANT_STRING || event.type == VARIANT_PACKED_BYTE_ARRAY);
    *count = plain ? event.data_length : 0;
    return plain ? bytes + event.data_offset : NULL;
}

/* The same for a text, or bytes. */
static uint32_t written_on(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                           uint32_t *differing)
{
    enum { BEGINNING = 8, HEAD = 8 };
    uint32_t old_count, count;
    const uint8_t *old = plain_bytes(before, length, now->raw, now->options, &old_count);
    const uint8_t *text = plain_bytes(now->bytes, now->length, now->raw, now->options, &count);
    const uint8_t *end = old + old_count;
    uint32_t changes = old && text ? json_differences(old, old_count, text, count, differing) : now->length;
    if (changes < count) {
        return MIN(now->length, HEAD + (changes + 3) / 4 * 4);
    }
    for (int i = 0; old && text && count >= BEGINNING && i < MOST_REMOVED; i++) {
        old = ws_memmem(old, (size_t)(end - old), text, BEGINNING);
        uint32_t kept = old ? (uint32_t)(end - old) : 0;
        if (kept && kept <= count && memcmp(old, text, kept) == 0) {
            *differing = count - kept;
            return MIN(now->length, HEAD + (*differing + 3) / 4 * 4);
        }
        old = old ? old + 1 : NULL;
    }
    return now->length;
}

/* Of bytes: texts that have nothing in common are no sound. */
static void count_common(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                         container_change *change)
{
    variant_decoder decoder;
    variant_event event;
    variant_init(&decoder, now->bytes, now->length, now->options);
    if (!now->raw && (!variant_next(&decoder, &event) || event.type != VARIANT_PACKED_BYTE_ARRAY)) {
        return;
    }
    uint32_t old_count, count;
    const uint8_t *old = plain_bytes(before, length, now->raw, now->options, &old_count);
    const uint8_t *bytes = plain_bytes(now->bytes, now->length, now->raw, now->options, &count);
    for (uint32_t i = 0; old && bytes && i < MIN(count, old_count); i++) {
        change->plain++;
        change->common += old[i] == bytes[i];
    }
}

uint32_t container_differences(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                               container_change *change)
{
    uint32_t more = now->length > length ? now->length - length : 0;
    *change = (container_change){.bytes = now->length};
    uint32_t bytes = length ? differences(before, length, now, change) : now->length;
    if (length && !now->raw && change->bytes > CONTAINER_LITTLE * now->length) {
        uint32_t ends = moved(before, length, now->bytes, now->length, now->options, &change->bytes);
        change->moved |= ends < bytes;
        bytes = MIN(bytes, ends);
    }
    if (length) {
        count_common(before, length, now, change);
    }
    if (length && change->bytes > CONTAINER_LITTLE * now->length) {
        bytes = MIN(bytes, written_on(before, length, now, &change->bytes));
    }
    change->news = bytes < now->length ? bytes : MIN(bytes, more + PLACE);
    return bytes;
}
