/* memory.h
 *
 * Memory of the state that is kept of connections: the caller's allocator, a map of numbers, and lists whose
 * elements are named by a 32-bit index, stay where they are, and cost nothing but themselves.
 *
 * Nothing here is ever freed one by one: the caller's allocator ends with the capture file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_MEMORY_H
#define ENET_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* As realloc(), but never fails: an allocator that has no memory left ends the program, as GLib's does.
 * `size` 0 frees and returns NULL. */
typedef struct {
    void *(*resize)(void *context, void *old, size_t size);
    void *context;
} enet_memory;

/* Zeroed bytes. */
void *enet_allocate(const enet_memory *memory, size_t size);

/* Small pieces of memory that stay where they are to the end, without a header each, named by an index. All
 * zeroes: empty. */
typedef struct {
    uint8_t **chunks;
    uint32_t used; /* units, in all chunks */
} enet_arena;

#define ENET_ARENA_UNIT  8u    /* bytes */
#define ENET_ARENA_CHUNK 4096u /* units of a chunk, and the most of a piece */

/* Index of zeroed bytes, aligned to 8; never 0. */
uint32_t enet_arena_add(const enet_memory *memory, enet_arena *arena, size_t size);

static inline void *enet_arena_at(const enet_arena *arena, uint32_t index)
{
    return arena->chunks[index / ENET_ARENA_CHUNK] + (size_t)(index % ENET_ARENA_CHUNK) * ENET_ARENA_UNIT;
}

/* From numbers to numbers that are not 0. All zeroes: empty. 8 bytes per slot, at most three of four slots in
 * use. */
typedef struct {
    uint32_t *slots; /* key and value in turns, `capacity` of them; value 0: unused */
    uint32_t count, capacity;
} enet_map;

uint32_t enet_map_get(const enet_map *map, uint32_t key); /* 0: not there */
void enet_map_put(const enet_memory *memory, enet_map *map, uint32_t key, uint32_t value);
void enet_map_clear(const enet_memory *memory, enet_map *map);

/* Elements of one size, numbered from 1. All zeroes but `size`: empty. */
typedef struct {
    uint8_t **pages;
    size_t size; /* bytes of an element */
    uint32_t count;
} enet_list;

#define ENET_LIST_PAGE 64u /* elements */

uint32_t enet_list_add(const enet_memory *memory, enet_list *list); /* index of a new element, zeroed */

static inline void *enet_list_at(const enet_list *list, uint32_t index)
{
    uint32_t position = index - 1;

    return list->pages[position / ENET_LIST_PAGE] + position % ENET_LIST_PAGE * list->size;
}

#endif
