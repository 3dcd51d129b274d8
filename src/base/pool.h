/* pool.h
 *
 * Memory that is freed as a whole, for data about the sources and scenes of a game.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef POOL_H
#define POOL_H

#include "base/array.h"

/* All zeroes but `limit`: empty. */
typedef struct {
    struct pool_chunk *chunks; /* the latest first */
    size_t taken, limit;       /* bytes */
    bool failed;               /* there was no memory, or more than the limit was wanted */
} memory_pool;

/* Allocates `size` bytes, aligned to 8. NULL: the pool has failed. */
void *pool_take(memory_pool *p, size_t size);

/* A copy of a text, or of up to four, one after the other, with a NUL. NULL: the pool has failed. */
char *pool_text(memory_pool *p, slice text);
char *pool_join(memory_pool *p, slice a, slice b, slice c, slice d);

/* array_grow() with malloc(), for an array of the pool's owner, who frees it. False: the pool has failed. */
bool pool_grow(memory_pool *p, void *array, uint32_t count, uint32_t *room, uint32_t limit, size_t size);

/* Frees all of it. */
void pool_free(memory_pool *p);

#endif
