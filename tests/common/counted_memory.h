/* counted_memory.h
 *
 * For tests of what is kept: memory that is counted, and freed at once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COUNTED_MEMORY_H
#define COUNTED_MEMORY_H

#include <stdlib.h>

/* A list of blocks, each with a header before it. */
typedef struct counted_block {
    struct counted_block *next, *previous;
    size_t size;
} counted_block;

typedef struct {
    counted_block blocks; /* head of the list */
    size_t live;          /* bytes */
} counted_memory;

static void *counted_resize(void *context, void *old, size_t size)
{
    counted_memory *memory = context;
    counted_block *block = old ? (counted_block *)old - 1 : NULL;

    if (block) {
        memory->live -= block->size;
        block->previous->next = block->next;
        block->next->previous = block->previous;
    }
    if (size == 0) {
        free(block);
        return NULL;
    }
    block = realloc(block, sizeof *block + size);
    if (!block) {
        abort();
    }
    block->size = size;
    block->next = memory->blocks.next;
    block->previous = &memory->blocks;
    block->next->previous = block->previous->next = block;
    memory->live += size;
    return block + 1;
}

static void counted_begin(counted_memory *memory)
{
    memory->blocks.next = memory->blocks.previous = &memory->blocks;
    memory->live = 0;
}

static void counted_end(counted_memory *memory)
{
    while (memory->blocks.next != &memory->blocks) {
        counted_resize(memory, memory->blocks.next + 1, 0);
    }
}

#endif
