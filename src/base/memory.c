/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/memory.h"

#include "base/array.h"
#include "base/bytes.h"

void *allocate_zeroed(const memory_allocator *memory, size_t size)
{
    return memset(memory->resize(memory->context, NULL, size), 0, size);
}

uint32_t arena_add(const memory_allocator *memory, memory_arena *arena, size_t size)
{
    uint32_t units = (uint32_t)((size + ARENA_UNIT - 1) / ARENA_UNIT);

    uint32_t in_chunk = arena->used % ARENA_CHUNK;

    if (in_chunk == 0 || units > ARENA_CHUNK - in_chunk) {
        uint32_t chunk = (arena->used + ARENA_CHUNK - 1) / ARENA_CHUNK;
        array_grow(memory, &arena->chunks, chunk, &arena->room, UINT32_MAX, sizeof *arena->chunks);
        arena->chunks[chunk] = allocate_zeroed(memory, ARENA_CHUNK * ARENA_UNIT);
        arena->used = chunk * ARENA_CHUNK + (chunk == 0); /* no piece has the number 0 */
    }
    uint32_t index = arena->used;
    arena->used += units;
    return index;
}

/* --- hash ---------------------------------------------------------------------------------------- */

uint64_t hash_factor = UINT64_C(0x9e3779b97f4a7c15);

/* A product changes the bits above those that differ: the halves change places for the next one. */
static uint64_t hash_word(uint64_t hash, uint32_t word)
{
    hash = (hash ^ word) * hash_factor;
    return hash << 32 | hash >> 32;
}

uint64_t hash_bytes(const uint8_t *bytes, size_t length)
{
    uint64_t hash = hash_word(0, (uint32_t)length);
    size_t at = 0;
    for (; length - at >= 4; at += 4) {
        hash = hash_word(hash, le32(bytes + at));
    }
    for (; at < length; at++) {
        hash = hash_word(hash, bytes[at]);
    }
    return hash;
}

/* --- map ----------------------------------------------------------------------------------------- */

#define FIRST_CAPACITY 8u

/* The slot with `key`, or a free one for it. There is always a free slot. */
static uint32_t *slot_of(const number_map *map, uint32_t key)
{
    uint32_t mask = map->capacity - 1;

    for (uint32_t at = hash_number(key) & mask;; at = (at + 1) & mask) {
        uint32_t *slot = map->slots + 2 * (size_t)at;
        if (slot[1] == 0 || slot[0] == key) {
            return slot;
        }
    }
}

uint32_t number_map_get(const number_map *map, uint32_t key)
{
    return map->capacity ? slot_of(map, key)[1] : 0;
}

static void grow(const memory_allocator *memory, number_map *map)
{
    number_map bigger = {.count = map->count, .capacity = map->capacity ? 2 * map->capacity : FIRST_CAPACITY};

    bigger.slots = allocate_zeroed(memory, 2 * sizeof(uint32_t) * (size_t)bigger.capacity);
    for (uint32_t i = 0; i < map->capacity; i++) {
        const uint32_t *slot = map->slots + 2 * (size_t)i;
        if (slot[1]) {
            memcpy(slot_of(&bigger, slot[0]), slot, 2 * sizeof *slot);
        }
    }
    number_map_clear(memory, map);
    *map = bigger;
}

void number_map_put(const memory_allocator *memory, number_map *map, uint32_t key, uint32_t value)
{
    if (4 * (uint64_t)(map->count + 1) > 3 * (uint64_t)map->capacity) {
        grow(memory, map);
    }
    uint32_t *slot = slot_of(map, key);
    map->count += slot[1] == 0;
    slot[0] = key;
    slot[1] = value;
}

void number_map_clear(const memory_allocator *memory, number_map *map)
{
    if (map->slots) {
        memory->resize(memory->context, map->slots, 0);
    }
    *map = (number_map){0};
}

/* --- list ---------------------------------------------------------------------------------------- */

void *paged_list_make(const memory_allocator *memory, paged_list *list, uint32_t number)
{
    uint32_t page = number / PAGED_LIST_PAGE;

    if (page >= list->page_count) {
        uint32_t wanted = page < 2 * list->page_count ? 2 * list->page_count : page + 1;
        list->pages = memory->resize(memory->context, list->pages, wanted * sizeof *list->pages);
        memset(list->pages + list->page_count, 0, (wanted - list->page_count) * sizeof *list->pages);
        list->page_count = wanted;
    }
    if (!list->pages[page]) {
        list->pages[page] = allocate_zeroed(memory, PAGED_LIST_PAGE * list->size);
    }
    return paged_list_at(list, number);
}

uint32_t paged_list_add(const memory_allocator *memory, paged_list *list)
{
    paged_list_make(memory, list, ++list->count);
    return list->count;
}
