/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/values/updates.h"

#include <string.h>

/* What tells tracks from each other. */
typedef struct {
    uint64_t numbers[4];
    const char *node, *name;
} track_key;

typedef struct {
    track_key key;
    godot_track track;
} keyed_track;

/* Each value of a capture is looked up: four of five are found here, without a hash of their texts. */
#define RECENT_BITS 9

struct godot_tracks {
    wmem_allocator_t *pool;
    wmem_map_t *by_key;
    keyed_track *recent[1 << RECENT_BITS];
};

const char *godot_update_kind_name(godot_update_kind kind)
{
    static const char *const names[] = {
        [GODOT_UPDATE_ALWAYS] = "always",
        [GODOT_UPDATE_ON_CHANGE] = "on change",
        [GODOT_UPDATE_SET] = "rset",
        [GODOT_UPDATE_CALL] = "call",
    };
    return names[kind];
}

/* --- the updates of a message -------------------------------------------------------------------- */

godot_updates godot_updates_of(const godot_tap *tap)
{
    bool has_values = tap->call || tap->set || tap->part_count;
    return (godot_updates){.tap = tap, .shares = godot_shares_of(tap), .done = !has_values || !tap->values};
}

static const godot_tap_variant *value_at(const wmem_array_t *values, uint32_t index)
{
    return index < wmem_array_get_count((wmem_array_t *)values)
               ? (const godot_tap_variant *)wmem_array_index((wmem_array_t *)values, index)
               : NULL;
}

/* A call, or RSET: the message is one update. */
static bool whole_message(godot_updates *updates, godot_update *update)
{
    const godot_tap *tap = updates->tap;
    wmem_array_t *list = tap->call ? tap->arguments : tap->values;
    updates->done = true;
    *update = (godot_update){.kind = tap->call ? GODOT_UPDATE_CALL : GODOT_UPDATE_SET,
                             .node = tap->node ? tap->node : "(no node)",
                             .name = tap->what ? tap->what : "(unknown)",
                             .variants = value_at(list, 0),
                             .count = wmem_array_get_count(list),
                             .cut = tap->cut,
                             .wire = tap->wire_length};
    return true;
}

/* Goes on to the next part that has values. */
static bool next_part(godot_updates *updates)
{
    const godot_tap_part *before = updates->share.part;
    updates->first += before ? before->value_count : 0;
    updates->next = 0;
    if (!godot_next_share(&updates->shares, &updates->share)) {
        return false;
    }
    updates->properties = godot_property_shares_of(&updates->shares, &updates->share);
    return true;
}

bool godot_next_update(godot_updates *updates, godot_update *update)
{
    const godot_tap *tap = updates->tap;
    if (updates->done) {
        return false;
    }
    if (!tap->part_count) {
        return whole_message(updates, update);
    }
    while (!updates->share.part || updates->next >= updates->share.part->value_count) {
        if (!next_part(updates)) {
            return false;
        }
    }
    const godot_tap_part *part = updates->share.part;
    const godot_tap_variant *variant = value_at(tap->values, updates->first + updates->next++);
    godot_property_share property;
    (void)godot_next_property_share(&updates->properties, &property);
    *update = (godot_update){.kind = tap->net_frame >= 0 ? GODOT_UPDATE_ALWAYS : GODOT_UPDATE_ON_CHANGE,
                             .part = part,
                             .scene = part->scene,
                             .synchronizer = part->synchronizer,
                             .node = updates->share.node,
                             .name = property.name,
                             .variants = variant,
                             .count = variant != NULL,
                             .wire = property.wire};
    return true;
}

uint32_t godot_update_length(const godot_update *update)
{
    uint32_t length = 0;
    for (uint32_t i = 0; i < update->count; i++) {
        length += update->variants[i].length;
    }
    return length;
}

/* Whether two values are the same is asked of every one, most of which are short: a fourth of the time that
 * wmem_strong_hash() takes. At most 1,000 values are looked up by it (properties.c). */
static uint32_t hash_of(const uint8_t *bytes, uint32_t length)
{
    const uint32_t factor = 0x9E3779B1u; /* 2^32 by the golden ratio, odd */
    uint32_t hash = length * factor, word;
    for (; length >= sizeof word; bytes += sizeof word, length -= (uint32_t)sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 15;
    }
    for (; length; bytes++, length--) {
        hash = (hash ^ *bytes) * factor;
    }
    return hash ^ hash >> 13;
}

uint32_t godot_value_hash(const godot_update *update, uint32_t index)
{
    const godot_tap_variant *value = &update->variants[index];
    return update->hashes ? update->hashes[index] : hash_of(value->bytes, value->length);
}

uint32_t godot_update_hash(const godot_update *update)
{
    uint32_t hash = 0;
    for (uint32_t i = 0; i < update->count; i++) {
        hash = hash * 31 + godot_value_hash(update, i);
    }
    return hash;
}

void godot_hash_values(godot_update *update, GArray *into)
{
    g_array_set_size(into, 0);
    for (uint32_t i = 0; i < update->count; i++) {
        uint32_t hash = godot_value_hash(update, i);
        g_array_append_val(into, hash);
    }
    update->hashes = (const uint32_t *)(const void *)into->data;
}

/* --- previous values ------------------------------------------------------------------------------ */

static unsigned hash_of_key(const void *data)
{
    const track_key *key = data;
    return wmem_strong_hash((const uint8_t *)key->numbers, sizeof key->numbers) +
           31 * wmem_str_hash(key->node) + wmem_str_hash(key->name);
}

static gboolean are_same_keys(const void *a, const void *b)
{
    const track_key *one = a, *other = b;
    return memcmp(one->numbers, other->numbers, sizeof one->numbers) == 0 &&
           strcmp(one->node, other->node) == 0 && strcmp(one->name, other->name) == 0;
}

godot_tracks *godot_tracks_new(wmem_allocator_t *pool)
{
    godot_tracks *tracks = wmem_new0(pool, godot_tracks);
    tracks->pool = pool;
    tracks->by_key = wmem_map_new(pool, hash_of_key, are_same_keys);
    return tracks;
}

static unsigned recent_place(const track_key *key)
{
    uint64_t mixed = (uintptr_t)key->node >> 3 ^ (uintptr_t)key->name << 7;
    for (size_t i = 0; i < G_N_ELEMENTS(key->numbers); i++) {
        mixed = mixed * 31 + key->numbers[i];
    }
    return (unsigned)(mixed * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECENT_BITS));
}

static keyed_track *find_track(godot_tracks *tracks, const track_key *key)
{
    keyed_track *one = wmem_map_lookup(tracks->by_key, key);
    if (!one && wmem_map_size(tracks->by_key) < GODOT_MAX_TRACKS) {
        one = wmem_new0(tracks->pool, keyed_track);
        one->key = *key;
        one->key.node = wmem_strdup(tracks->pool, key->node);
        one->key.name = wmem_strdup(tracks->pool, key->name);
        wmem_map_insert(tracks->by_key, &one->key, one);
    }
    return one;
}

godot_track *godot_track_of(godot_tracks *tracks, const godot_tap *tap, const godot_update *update)
{
    /* The ends of the session and the direction are the sender and the receiver. */
    const uint64_t way = (uint64_t)tap->session << 4 | (uint64_t)update->kind << 1 | tap->from_initiator;
    const track_key key = {
        .numbers = {way, (uint32_t)tap->from, (uint32_t)tap->to, update->part ? update->part->id : 0},
        .node = update->node,
        .name = update->name};
    keyed_track **recent = &tracks->recent[recent_place(&key)];
    if (!*recent || !are_same_keys(&(*recent)->key, &key)) {
        *recent = find_track(tracks, &key);
    }
    return *recent ? &(*recent)->track : NULL;
}

bool godot_track_note(godot_track *track, const godot_update *update, double time, uint32_t frame)
{
    uint32_t hash = godot_update_hash(update), length = godot_update_length(update);
    bool unchanged = !update->cut && track->count && track->hash == hash && track->length == length;
    if (!track->count++) {
        track->first = time;
        track->first_frame = frame;
    }
    track->hash = hash;
    track->length = length;
    track->last = time;
    return unchanged;
}
