/* grow.h
 *
 * Arrays that grow while the sources and scenes of a game are read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GROW_H
#define GROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Makes room for one more element of `size` bytes in an array from malloc() with `count` elements and room
 * for
 * `*room`. False: there are `limit` elements already, or no memory; the array is as it was. */
static inline bool grow_array(void **array, uint32_t count, uint32_t *room, uint32_t limit, size_t size)
{
    if (count < *room) {
        return true;
    }
    uint32_t wanted = *room ? *room * 2 : 64;
    void *bigger = count < limit ? realloc(*array, wanted * size) : NULL;
    if (!bigger) {
        return false;
    }
    *array = bigger;
    *room = wanted;
    return true;
}

#endif
