/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/pool.h"

#include <stdlib.h>

typedef struct pool_chunk {
    struct pool_chunk *next;
    size_t used, size;
    char bytes[];
} chunk;

enum { CHUNK_SIZE = 64 * 1024 };

void *pool_take(memory_pool *p, size_t size)
{
    if (size > p->limit - p->taken) {
        p->failed = true;
        return NULL;
    }
    p->taken += size;
    size = (size + 7) & ~(size_t)7;
    chunk *current = p->chunks;
    if (!current || current->size - current->used < size) {
        size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;
        chunk *fresh = malloc(sizeof(chunk) + room);
        if (!fresh) {
            p->failed = true;
            return NULL;
        }
        *fresh = (chunk){.next = current, .size = room};
        p->chunks = current = fresh;
    }
    void *place = current->bytes + current->used;
    current->used += size;
    return place;
}

char *pool_join(memory_pool *p, slice a, slice b, slice c, slice d)
{
    const slice parts[] = {a, b, c, d};
    char *copy = pool_take(p, a.length + b.length + c.length + d.length + 1), *end = copy;
    for (int i = 0; copy && i < 4; i++) {
        if (parts[i].length) {
            memcpy(end, parts[i].text, parts[i].length);
        }
        end += parts[i].length;
    }
    if (copy) {
        *end = 0;
    }
    return copy;
}

char *pool_text(memory_pool *p, slice text)
{
    return pool_join(p, text, NO_SLICE, NO_SLICE, NO_SLICE);
}

static void *resize(void *context, void *old, size_t size)
{
    (void)context;
    return realloc(old, size);
}

bool pool_grow(memory_pool *p, void *array, uint32_t count, uint32_t *room, uint32_t limit, size_t size)
{
    static const memory_allocator heap = {resize, NULL};
    bool grown = array_grow(&heap, array, count, room, limit, size);
    p->failed |= !grown;
    return grown;
}

void pool_free(memory_pool *p)
{
    for (chunk *next, *current = p->chunks; current; current = next) {
        next = current->next;
        free(current);
    }
    *p = (memory_pool){.chunks = NULL};
}
