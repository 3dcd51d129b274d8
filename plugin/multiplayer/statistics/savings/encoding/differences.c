/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/differences.h"

#include <string.h>

/* Bytes of containers that are worth a comparison. */
enum { LEAST_CONTAINER = 64, MOST_CONTAINER = 65536 };
/* Bytes of a container without its elements, of two Arrays, with places and values; of a place. */
enum { CONTAINER_HEAD = 8, TWO_ARRAYS = 16, PLACE = 8 };
/* Elements that may be missing at the front of an array, at most. */
enum { MOST_REMOVED = 64 };
/* Depth of containers that are compared. */
enum { MAX_DEPTH = 8 };
/* Arrays, packed ones, dictionaries and texts of Godot 4, whose elements are at multiples of four bytes. */
bool is_compared_container(const godot_tap_variant *value)
{
    variant_decoder decoder;
    variant_event event;
    if (value->length < LEAST_CONTAINER || value->length > MOST_CONTAINER ||
        value->options.dialect != VARIANT_GODOT4) {
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

/* A container on the way to what is read. */
typedef struct {
    uint32_t key; /* bytes of its place in the one above: a key, or a number */
    bool sent;    /* something in it is */
} open_container;

typedef struct {
    open_container open[MAX_DEPTH];
    uint32_t key;             /* bytes of the place of the value that comes next */
    uint32_t differing, sent; /* bytes */
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

/* A value in a container, or one of which there is nothing else. */
static void compare_value(comparison *all, const uint8_t *before, const variant_event *old,
                          const uint8_t *now, const variant_event *event)
{
    uint32_t sent = event->length, differing = event->length;
    bool as_long = old->length == event->length;
    if (as_long && memcmp(before + old->offset, now + event->offset, event->length) == 0) {
        return;
    }
    if (as_long && event->type >= VARIANT_PACKED_BYTE_ARRAY) {
        differing = packed_differences(before + old->offset, now + event->offset, event->length, &sent);
        sent += TWO_ARRAYS;
    }
    send_above(all, event->depth);
    all->sent += all->key + sent;
    all->differing += differing;
}

/* The same event of both. */
static void compare_event(comparison *all, const uint8_t *before, const variant_event *old,
                          const uint8_t *now, const variant_event *event)
{
    bool key = event->role == VARIANT_KEY, begins = event->kind == VARIANT_BEGIN;
    all->other = event->kind == VARIANT_FINDING || event->kind != old->kind || event->depth >= MAX_DEPTH ||
                 (begins && event->count != old->count);
    if (all->other || event->kind == VARIANT_END) {
        return;
    }
    if (key) {
        all->other = begins || old->length != event->length ||
                     memcmp(before + old->offset, now + event->offset, event->length) != 0;
        all->key = event->length;
        return;
    }
    all->key = event->role == VARIANT_ELEMENT ? PLACE : event->depth ? all->key : 0;
    if (begins) {
        all->open[event->depth] = (open_container){all->key, false};
    } else {
        compare_value(all, before, old, now, event);
    }
}

/* Bytes that a container with as many elements differs in, `*differing`, and, returned, those of one that has
 * only these. */
static uint32_t differences(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                            uint32_t *differing)
{
    comparison all = {0};
    variant_decoder decoders[2]; /* of `before`, of `now` */
    variant_event old, event;
    if (now->raw) {
        *differing =
            length == now->length ? packed_differences(before, now->bytes, length, &all.sent) : now->length;
        return *differing == now->length ? now->length : all.sent + TWO_ARRAYS;
    }
    variant_init(&decoders[0], before, length, now->options);
    variant_init(&decoders[1], now->bytes, now->length, now->options);
    while (!all.other && variant_next(&decoders[1], &event)) {
        all.other = !variant_next(&decoders[0], &old);
        if (!all.other) {
            compare_event(&all, before, &old, now->bytes, &event);
        }
    }
    *differing = all.other ? now->length : all.differing;
    return all.other ? now->length : all.sent;
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

/* The same for an array that has lost some of its first elements, or the last ones, or has got more. */
static uint32_t moved(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                      uint32_t *differing)
{
    enum { HEAD = 4, REMOVED = 2 /* a number */ };
    uint32_t places[MOST_REMOVED], count = now->raw ? 0 : places_of(before, length, now->options, places);
    bool same_type = count && memcmp(before, now->bytes, HEAD) == 0;
    for (uint32_t i = 0; same_type && i < count; i++) {
        uint32_t kept = length - places[i], end = places[0] + kept;
        if (end <= now->length && memcmp(before + places[i], now->bytes + places[0], kept) == 0) {
            *differing = now->length - end;
            return *differing + (i ? REMOVED : 0);
        }
    }
    bool shorter = same_type && now->length < length && now->length > places[0];
    if (shorter && memcmp(before + places[0], now->bytes + places[0], now->length - places[0]) == 0) {
        *differing = 0;
        return REMOVED;
    }
    return now->length;
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

uint32_t container_differences(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                               uint32_t *differing)
{
    *differing = now->length;
    uint32_t bytes = length ? differences(before, length, now, differing) : now->length;
    if (length && *differing > CONTAINER_LITTLE * now->length) {
        bytes = MIN(bytes, moved(before, length, now, differing));
        bytes = MIN(bytes, written_on(before, length, now, differing));
    }
    return bytes;
}
