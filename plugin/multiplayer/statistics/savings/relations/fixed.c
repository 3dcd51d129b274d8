/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/relations/fixed.h"

#include <string.h>

/* The bytes of the value; NULL: it has another type. */
static const uint8_t *bytes_of(const godot_tap_variant *value, uint32_t *length)
{
    variant_decoder decoder;
    variant_event event;
    if (value->raw) {
        *length = value->length;
        return value->bytes;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    if (!variant_next(&decoder, &event) || event.kind != VARIANT_VALUE ||
        event.type != VARIANT_PACKED_BYTE_ARRAY) {
        return NULL;
    }
    *length = event.data_length;
    return value->bytes + event.data_offset;
}

uint32_t fixed_bytes_add(fixed_bytes *of, wmem_allocator_t *pool, const godot_tap_variant *value,
                         uint32_t room)
{
    uint32_t length = 0;
    const uint8_t *bytes = of->other ? NULL : bytes_of(value, &length);
    uint32_t kept = of->count ? 0 : length * (uint32_t)(sizeof *of->first + sizeof *of->varies);
    of->other |= !bytes || length > FIXED_MOST || (of->count && length != of->length) || kept > room;
    if (of->other) {
        return 0;
    }
    if (of->count++ == 0) {
        of->first = wmem_memdup(pool, bytes, length);
        of->varies = wmem_alloc0_array(pool, bool, length);
        of->length = length;
        return kept;
    }
    for (uint32_t i = 0; i < length; i++) {
        of->varies[i] |= bytes[i] != of->first[i];
    }
    return 0;
}

fixed_count fixed_bytes_count(const fixed_bytes *of)
{
    fixed_count found = {0};
    uint32_t begin = 0;
    for (uint32_t i = 0; i < of->length && !of->other; i++) {
        begin = of->varies[i] ? i + 1 : begin;
        found.bytes += !of->varies[i];
        if (i + 1 - begin > found.end - found.begin) {
            found.begin = begin;
            found.end = i + 1;
        }
    }
    return found;
}
