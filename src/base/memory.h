/* memory.h
 *
 * Containers for state that is kept until the capture file is closed, with the caller's allocator: a map of
 * numbers, with the hash function of all maps, and lists whose elements have a number and are never moved.
 * Arrays: base/array.h.
 *
 * Elements are not freed one by one: the caller's allocator frees everything with the capture file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Same as realloc(); `size` 0 frees and returns NULL. For the containers below it must not fail: without
 * memory the allocator ends the program, as GLib's does. */
typedef struct {
    void *(*resize)(void *context, void *old, size_t size);
    void *context;
} memory_allocator;

/* Zeroed bytes. */
void *allocate_zeroed(const memory_allocator *memory, size_t size);

/* The hash function of tables whose keys come from the wire: products with a secret number, so that no
 * capture can be made whose keys collide. For keys that are texts or structures plugin/ has
 * wmem_strong_hash(), which is as safe and takes ten times as long for a number. */

/* Odd. The program sets it to a random number before the first table is made; the same in each run without
 * that. */
extern uint64_t hash_factor;

static inline uint32_t hash_number(uint64_t number)
{
    return (uint32_t)(number * hash_factor >> 32);
}

/* Of bytes: long enough that two different ones in a capture have the same hash by a chance of 2^-64 only, if
 * hash_factor is secret. */
uint64_t hash_bytes(const uint8_t *bytes, size_t length);

/* Small pieces of memory without a header, identified by an index and never moved. All zeroes: empty. */
typedef struct {
    uint8_t **chunks;
    uint32_t room; /* of `chunks` */
    uint32_t used; /* units, in all chunks */
} memory_arena;

#define ARENA_UNIT  8u    /* bytes */
#define ARENA_CHUNK 4096u /* units of a chunk; a piece has at most as many */

/* Index of zeroed bytes, aligned to 8; never 0. */
uint32_t arena_add(const memory_allocator *memory, memory_arena *arena, size_t size);

static inline void *arena_at(const memory_arena *arena, uint32_t index)
{
    return arena->chunks[index / ARENA_CHUNK] + (size_t)(index % ARENA_CHUNK) * ARENA_UNIT;
}

/* A map from numbers to numbers other than 0. All zeroes: empty. 8 bytes per slot; at most three quarters of
 * the slots are in use. */
typedef struct {
    uint32_t *slots; /* key and value in turns, `capacity` of them; value 0: unused */
    uint32_t count, capacity;
} number_map;

uint32_t number_map_get(const number_map *map, uint32_t key); /* 0: not there */
void number_map_put(const memory_allocator *memory, number_map *map, uint32_t key, uint32_t value);
void number_map_clear(const memory_allocator *memory, number_map *map);

/* Elements of one size, by number, zeroed at first. Memory is allocated for PAGED_LIST_PAGE neighbouring
 * numbers at once, when one of them is first used. All zeroes but `size`: empty. */
typedef struct {
    uint8_t **pages; /* NULL: none of the page's elements is in use */
    size_t size;     /* bytes of an element */
    uint32_t page_count;
    uint32_t count; /* elements from paged_list_add() */
} paged_list;

#define PAGED_LIST_PAGE 64u /* elements */

/* The element with this number, created if necessary. */
void *paged_list_make(const memory_allocator *memory, paged_list *list, uint32_t number);

/* A new element; returns its number: 1, 2, 3, … */
uint32_t paged_list_add(const memory_allocator *memory, paged_list *list);

/* The element with this number, which has to exist. */
static inline void *paged_list_at(const paged_list *list, uint32_t number)
{
    return list->pages[number / PAGED_LIST_PAGE] + number % PAGED_LIST_PAGE * list->size;
}

/* The element with this number. If it is not in use: NULL, or zeroes if an element of its page is. */
static inline void *paged_list_find(const paged_list *list, uint32_t number)
{
    uint32_t page = number / PAGED_LIST_PAGE;
    return page < list->page_count && list->pages[page] ? paged_list_at(list, number) : NULL;
}

#endif
