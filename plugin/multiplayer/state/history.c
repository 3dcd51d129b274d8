/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/state/history.h"

#include "base/allocators.h"

/* --- keys ---------------------------------------------------------------------------------------- */

static paged_list by_id; /* godot_history: all histories, by party and number */

static void forget(void)
{
    by_id = (paged_list){.size = sizeof(godot_history)}; /* was in file scope */
}

void godot_history_init(void)
{
    forget();
    register_cleanup_routine(forget);
}

static unsigned hash(godot_party party, uint32_t number)
{
    return hash_number((uint64_t)(uint32_t)party << 32 | number);
}

unsigned godot_key_hash(gconstpointer pointer)
{
    const godot_key *key = pointer;
    return hash(key->party, key->id);
}

gboolean godot_key_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(godot_key)) == 0;
}

unsigned godot_path_key_hash(gconstpointer pointer)
{
    const godot_path_key *key = pointer;
    return hash(key->party, wmem_str_hash(key->path));
}

gboolean godot_path_key_equal(gconstpointer a, gconstpointer b)
{
    const godot_path_key *one = (const godot_path_key *)a, *other = (const godot_path_key *)b;
    return one->party == other->party && strcmp(one->path, other->path) == 0;
}

/* --- entries ------------------------------------------------------------------------------------- */

void *godot_history_at(const godot_history *past, uint32_t number)
{
    if (!past || number < past->first) {
        return NULL;
    }
    return past->entries ? wmem_tree_lookup32_le(past->entries, number) : past->only;
}

void *godot_history_around(const godot_history *past, uint32_t number)
{
    return past ? godot_history_at(past, MAX(number, past->first)) : NULL;
}

void godot_history_add(godot_history *past, uint32_t number, void *value)
{
    if (past->first == 0 || (number == past->first && !past->entries)) {
        past->first = number;
        past->only = value;
        return;
    }
    if (!past->entries) {
        past->entries = wmem_tree_new(wmem_file_scope());
        wmem_tree_insert32(past->entries, past->first, past->only);
    }
    past->first = MIN(past->first, number);
    wmem_tree_insert32(past->entries, number, value);
}

/* --- maps of histories --------------------------------------------------------------------------- */

const godot_history *godot_find_history(const godot_histories *histories, godot_party party, uint32_t id)
{
    uint32_t index = number_map_get(&histories->newest, hash(party, id));
    while (index) {
        const godot_history *past = paged_list_at(&by_id, index);
        if (past->key.id.party == party && past->key.id.id == id) {
            return past;
        }
        index = past->next;
    }
    return NULL;
}

const godot_history *godot_find_history_of_owned_path(wmem_map_t *map, godot_party owner, const char *path)
{
    const godot_path_key key = {owner, path};
    return wmem_map_lookup(map, &key);
}

godot_history *godot_history_of(godot_histories *histories, godot_party party, uint32_t id)
{
    const godot_history *known = godot_find_history(histories, party, id);
    if (known) {
        return (godot_history *)known;
    }
    const memory_allocator memory = file_memory();
    uint32_t index = paged_list_add(&memory, &by_id), key = hash(party, id);
    godot_history *past = paged_list_at(&by_id, index);
    past->key.id = (godot_key){party, id};
    past->next = number_map_get(&histories->newest, key);
    number_map_put(&memory, &histories->newest, key, index);
    return past;
}

godot_history *godot_history_of_owned_path(wmem_map_t *map, godot_party owner, const char *path)
{
    const godot_path_key key = {owner, path};
    godot_history *past = wmem_map_lookup(map, &key);
    if (!past) {
        past = wmem_new0(wmem_file_scope(), godot_history);
        past->key.path = key;
        wmem_map_insert(map, &past->key.path, past);
    }
    return past;
}

godot_history *godot_history_of_path(wmem_map_t *map, const char *path)
{
    godot_history *past = wmem_map_lookup(map, path);
    if (!past) {
        past = wmem_new0(wmem_file_scope(), godot_history);
        wmem_map_insert(map, path, past);
    }
    return past;
}
