/* memory.h
 *
 * Memory of state that is kept to the end of a file, from the caller's allocator: an array that grows, a map
 * of numbers, and lists whose elements are found by a number and stay where they are.
 *
 * Nothing here is ever freed one by one: the caller's allocator ends with the capture file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* As realloc(), but never fails: an allocator that has no memory left ends the program, as GLib's does.
 * `size` 0 frees and returns NULL. */
typedef struct {
    void *(*resize)(void *context, void *old, size_t size);
    void *context;
} memory_allocator;

/* Zeroed bytes. */
void *allocate_zeroed(const memory_allocator *memory, size_t size);

/* `array`, of elements of `size` bytes, with room for one more than the `count` in use; its room doubles. */
static inline void *grow_array(const memory_allocator *memory, void *array, uint32_t count, uint32_t *room,
                               size_t size)
{
    if (count < *room) {
        return array;
    }
    *room = *room ? 2 * *room : 4;
    return memory->resize(memory->context, array, *room * size);
}

/* Small pieces of memory that stay where they are to the end, without a header each, named by an index. All
 * zeroes: empty. */
typedef struct {
    uint8_t **chunks;
    uint32_t used; /* units, in all chunks */
} memory_arena;

#define ARENA_UNIT  8u    /* bytes */
#define ARENA_CHUNK 4096u /* units of a chunk, and the most of a piece */

/* Index of zeroed bytes, aligned to 8; never 0. */
uint32_t arena_add(const memory_allocator *memory, memory_arena *arena, size_t size);

static inline void *arena_at(const memory_arena *arena, uint32_t index)
{
    return arena->chunks[index / ARENA_CHUNK] + (size_t)(index % ARENA_CHUNK) * ARENA_UNIT;
}

/* From numbers to numbers that are not 0. All zeroes: empty. 8 bytes per slot, at most three of four slots in
 * use. */
typedef struct {
    uint32_t *slots; /* key and value in turns, `capacity` of them; value 0: unused */
    uint32_t count, capacity;
} number_map;

uint32_t number_map_get(const number_map *map, uint32_t key); /* 0: not there */
void number_map_put(const memory_allocator *memory, number_map *map, uint32_t key, uint32_t value);
void number_map_clear(const memory_allocator *memory, number_map *map);

/* Elements of one size that are found by their number, zeroed at first. A number costs its element and
 * nothing else if its neighbours are used, too, and nothing if they are not. All zeroes but `size`: empty. */
typedef struct {
    uint8_t **pages; /* NULL where no element was made */
    size_t size;     /* bytes of an element */
    uint32_t page_count;
    uint32_t count; /* of those that were added */
} paged_list;

#define PAGED_LIST_PAGE 64u /* elements */

void *paged_list_make(const memory_allocator *memory, paged_list *list, uint32_t number);

/* A new element; returns its number: 1, 2, 3, … */
uint32_t paged_list_add(const memory_allocator *memory, paged_list *list);

/* One that was added or made. */
static inline void *paged_list_at(const paged_list *list, uint32_t number)
{
    return list->pages[number / PAGED_LIST_PAGE] + number % PAGED_LIST_PAGE * list->size;
}

/* NULL: neither this one nor its neighbours were made. */
static inline void *paged_list_find(const paged_list *list, uint32_t number)
{
    uint32_t page = number / PAGED_LIST_PAGE;
    return page < list->page_count && list->pages[page] ? paged_list_at(list, number) : NULL;
}

#endif
