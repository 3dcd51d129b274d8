/* fixed.h
 *
 * Bytes of packets of a game's own that are the same in each: a buffer that is larger than what it is for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_FIXED_H
#define GODOT_SAVINGS_FIXED_H

#include "multiplayer/api/tap.h"

enum { FIXED_MOST = 2048 /* bytes of a packet that is compared */ };

typedef struct {
    bool other; /* there are others as well: of another length, no bytes, or too many; or there is no room */
    uint32_t count, length; /* packets; bytes of each */
    uint8_t *first;         /* the first one */
    bool *varies;           /* of each byte */
} fixed_bytes;

/* Compares the value, a PackedByteArray or bytes without a type, with the first one, which is kept in `pool`.
 * `room`: bytes that may be kept. Returns those that are kept of this one. */
uint32_t fixed_bytes_add(fixed_bytes *of, wmem_allocator_t *pool, const godot_tap_variant *value,
                         uint32_t room);

/* How many bytes are the same in all; where the longest run of these begins, and its end. */
typedef struct {
    uint32_t bytes, begin, end;
} fixed_count;

fixed_count fixed_bytes_count(const fixed_bytes *of);

#endif
