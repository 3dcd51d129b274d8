/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/session/history.h"

#include "base/array.h"

/* Entries come nearly in the order of their numbers. One that is so many places before the end is not added,
 * because moving those after it takes time. */
enum { MOST_OUT_OF_ORDER = 256 };

typedef struct {
    const char *text;
    uint32_t next; /* number of the previous one with the same hash; 0: none */
} kept_text;

void godot_store_init(godot_store *store, const memory_allocator *memory)
{
    *store = (godot_store){.memory = *memory,
                           .by_number = {.size = sizeof(godot_history)},
                           .texts = {.size = sizeof(kept_text)}};
}

static bool charge(godot_store *store, size_t records)
{
    size_t left = GODOT_MAX_RECORDS + 1 - store->records;
    store->records += (uint32_t)(records < left ? records : left);
    return store->records <= GODOT_MAX_RECORDS;
}

bool godot_store_may_keep(godot_store *store, size_t bytes)
{
    return charge(store, 1 + bytes / GODOT_RECORD_BYTES);
}

bool godot_store_is_full(const godot_store *store)
{
    return store->records > GODOT_MAX_RECORDS;
}

static uint32_t hash_text(const char *text)
{
    return (uint32_t)hash_bytes((const uint8_t *)text, strlen(text));
}

const char *godot_store_text(godot_store *store, const char *text)
{
    uint32_t hash = hash_text(text), newest = number_map_get(&store->newest_text, hash);
    for (uint32_t index = newest; index;) {
        const kept_text *kept = paged_list_at(&store->texts, index);
        if (strcmp(kept->text, text) == 0) {
            return kept->text;
        }
        index = kept->next;
    }
    size_t size = strlen(text) + 1;
    if (!charge(store, size / GODOT_RECORD_BYTES)) {
        return NULL;
    }
    char *copy = store->memory.resize(store->memory.context, NULL, size);
    memcpy(copy, text, size);
    uint32_t index = paged_list_add(&store->memory, &store->texts);
    *(kept_text *)paged_list_at(&store->texts, index) = (kept_text){copy, newest};
    number_map_put(&store->memory, &store->newest_text, hash, index);
    return copy;
}

/* --- keys ---------------------------------------------------------------------------------------- */

static uint32_t hash_key(godot_party party, uint32_t id)
{
    return hash_number((uint64_t)(uint32_t)party << 32 | id);
}

static bool is_key(const godot_history *past, godot_party party, uint32_t id, const char *text)
{
    return past->party == party && past->id == id && !past->text == !text &&
           (!text || past->text == text || strcmp(past->text, text) == 0);
}

static godot_history *find(const godot_store *store, const godot_histories *histories, godot_party party,
                           uint32_t id, const char *text)
{
    uint32_t index = number_map_get(&histories->newest, hash_key(party, id));
    while (index) {
        godot_history *past = paged_list_at(&store->by_number, index);
        if (is_key(past, party, id, text)) {
            return past;
        }
        index = past->next;
    }
    return NULL;
}

const godot_history *godot_find_history(const godot_store *store, const godot_histories *histories,
                                        godot_party party, uint32_t id)
{
    return find(store, histories, party, id, NULL);
}

const godot_history *godot_find_history_of_text(const godot_store *store, const godot_histories *histories,
                                                godot_party party, const char *text)
{
    return histories->newest.count ? find(store, histories, party, hash_text(text), text) : NULL;
}

static godot_history *find_or_make(godot_store *store, godot_histories *histories, godot_party party,
                                   uint32_t id, const char *text)
{
    godot_history *past = find(store, histories, party, id, text);
    if (past) {
        return past;
    }
    uint32_t index = paged_list_add(&store->memory, &store->by_number), hash = hash_key(party, id);
    past = paged_list_at(&store->by_number, index);
    past->party = party;
    past->id = id;
    past->text = text;
    past->next = number_map_get(&histories->newest, hash);
    number_map_put(&store->memory, &histories->newest, hash, index);
    return past;
}

/* --- entries ------------------------------------------------------------------------------------- */

static int compare_numbers(const void *element, const void *key)
{
    const godot_history_entry *entry = element;
    const uint32_t *number = key;
    return entry->number < *number ? -1 : entry->number > *number;
}

/* Index of the first of several entries that is not before `number`. */
static uint32_t place_of(const godot_history *past, uint32_t number)
{
    const godot_history_entry *entries = past->of.entries;
    if (entries[past->count - 1].number < number) {
        return past->count; /* the usual case */
    }
    return lower_bound(&number, entries, past->count, sizeof *entries, compare_numbers);
}

void *godot_history_at(const godot_history *past, uint32_t number)
{
    if (!past || number < past->first) {
        return NULL;
    }
    if (past->count == 1) {
        return past->of.only;
    }
    uint32_t place = place_of(past, number);
    bool exact = place < past->count && past->of.entries[place].number == number;
    return past->of.entries[exact ? place : place - 1].value;
}

void *godot_history_around(const godot_history *past, uint32_t number)
{
    return past ? godot_history_at(past, number > past->first ? number : past->first) : NULL;
}

/* Entries that fit into the memory of `count` entries: a power of two, from 4 on. */
static uint32_t room_of(uint32_t count)
{
    uint32_t room = 4;
    while (room < count) {
        room *= 2;
    }
    return room;
}

/* Inserts the entry before `place`. */
static void insert(godot_store *store, godot_history *past, uint32_t place, godot_history_entry entry)
{
    godot_history_entry *entries = past->of.entries;
    uint32_t room = room_of(past->count);
    array_grow(&store->memory, &entries, past->count, &room, UINT32_MAX, sizeof entry);
    memmove(entries + place + 1, entries + place, (past->count - place) * sizeof entry);
    entries[place] = entry;
    past->of.entries = entries;
    past->first = entries->number;
    past->count++;
}

static void add(godot_store *store, godot_history *past, godot_history_entry entry)
{
    if (past->count == 0 || (past->count == 1 && past->first == entry.number)) {
        past->of.only = entry.value;
        past->first = entry.number;
        past->count = 1;
        return;
    }
    if (past->count == 1) {
        godot_history_entry *entries = store->memory.resize(store->memory.context, NULL, 4 * sizeof entry);
        entries[0] = (godot_history_entry){past->first, past->of.only};
        past->of.entries = entries;
    }
    uint32_t place = place_of(past, entry.number);
    if (place < past->count && past->of.entries[place].number == entry.number) {
        past->of.entries[place] = entry;
    } else if (past->count - place <= MOST_OUT_OF_ORDER) {
        insert(store, past, place, entry);
    }
}

void godot_history_add(godot_store *store, godot_histories *histories, godot_party party, uint32_t id,
                       uint32_t number, void *value)
{
    add(store, find_or_make(store, histories, party, id, NULL), (godot_history_entry){number, value});
}

void godot_history_add_text(godot_store *store, godot_histories *histories, godot_party party,
                            const char *text, uint32_t number, void *value)
{
    add(store, find_or_make(store, histories, party, hash_text(text), text),
        (godot_history_entry){number, value});
}
