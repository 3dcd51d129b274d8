/* array.h
 *
 * Growing and sorted arrays, slices of text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ARRAY_H
#define ARRAY_H

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

/* Ensures that an array has room for one more element; its room doubles. `array`: address of the pointer to
 * it, `count`: elements in use, `*room`: elements allocated, `size`: bytes of one. False if there are `limit`
 * elements already, or `memory` has none: the array is not changed. */
static inline bool array_grow(const memory_allocator *memory, void *array, uint32_t count, uint32_t *room,
                              uint32_t limit, size_t size)
{
    if (count < *room) {
        return true;
    }
    void *elements;
    uint32_t wanted = *room ? *room * 2 : 4;
    memcpy(&elements, array, sizeof elements);
    elements = count < limit ? memory->resize(memory->context, elements, wanted * size) : NULL;
    if (!elements) {
        return false;
    }
    memcpy(array, &elements, sizeof elements);
    *room = wanted;
    return true;
}

/* Index of the first of `count` elements of `size` bytes, sorted by `compare`, that is not before `key`. */
static inline uint32_t lower_bound(const void *key, const void *array, uint32_t count, size_t size,
                                   int (*compare)(const void *element, const void *key))
{
    uint32_t low = 0;
    while (low < count) {
        uint32_t middle = low + (count - low) / 2;
        if (compare((const char *)array + middle * size, key) < 0) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return low;
}

/* A reference to a part of a text; not NUL-terminated. */
typedef struct {
    const char *text; /* NULL: none */
    size_t length;
} slice;

#define NO_SLICE ((slice){NULL, 0})

static inline slice slice_of(const char *text)
{
    return (slice){text, text ? strlen(text) : 0};
}

/* False if either of them is NO_SLICE. */
static inline bool slices_equal(slice a, slice b)
{
    return a.text && b.text && a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static inline bool slice_equals(slice a, const char *text)
{
    return slices_equal(a, slice_of(text));
}

static inline bool slice_begins(slice a, const char *text)
{
    size_t length = strlen(text);
    return a.length >= length && memcmp(a.text, text, length) == 0;
}

#endif
