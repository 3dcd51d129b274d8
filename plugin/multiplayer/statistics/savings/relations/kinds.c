/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/relations/kinds.h"

#include <stdio.h>
#include <string.h>

#include <glib.h>

enum { MAX_DEPTH = 6 /* of Dictionaries that are read */ };
enum { LEAST_BYTES = 24 /* of a Dictionary with two members */ };
/* Bytes of a number or text that can name a kind. */
enum { MOST_OF_KIND = 40 };
/* Times that a kind comes again after another one, with what is another Dictionary: of all kinds; of each of
 * two that differ. What only changes with time, as a level, does not come again. */
enum { LEAST_RETURNS = 20, LEAST_OF_EACH = 3 };
/* Different Dictionaries for each kind, on average. */
enum { USES = 5 };
/* Different Dictionaries; those after them are taken for known. */
enum { MAX_DIFFERENT = 20000 };

/* --- reading ------------------------------------------------------------------------------------- */

/* A container on the way to what is read. */
typedef struct {
    bool dictionary, row;
    kind_entry key; /* the latest one */
    kind_dictionary found;
} open_container;

static void set_path(kind_dictionary *of, const open_container *above)
{
    char path[KIND_PATH];
    bool named = above->dictionary && above->key.name[0];
    int length = named ? snprintf(path, sizeof path, "%s[%s]", above->found.path, above->key.name)
                       : snprintf(path, sizeof path, "%s[…]", above->found.path);
    g_strlcpy(of->path, length < KIND_PATH ? path : "[…]", sizeof of->path);
}

static bool is_text(const variant_event *event)
{
    return event->kind == VARIANT_VALUE &&
           (event->type == VARIANT_STRING || event->type == VARIANT_STRING_NAME);
}

/* Of a text that can be displayed, whole. */
static void set_name(char name[KIND_NAME], const uint8_t *text, uint32_t length)
{
    bool plain = length + sizeof "\"\"" <= KIND_NAME;
    for (uint32_t i = 0; plain && i < length; i++) {
        plain = text[i] >= ' ' && text[i] < 0x7f && text[i] != '"';
    }
    name[0] = '\0';
    if (plain && length) {
        (void)snprintf(name, KIND_NAME, "\"%.*s\"", (int)length, (const char *)text);
    }
}

static void read_key(open_container *of, const uint8_t *bytes, const variant_event *key)
{
    of->key = (kind_entry){.length = key->length};
    if (is_text(key)) {
        of->key.key = wmem_strong_hash(bytes + key->offset, key->length);
        set_name(of->key.name, bytes + key->data_offset, key->data_length);
    }
    of->found.other |= !of->key.name[0];
}

static void set_index(open_container *of, uint32_t index)
{
    of->key = (kind_entry){.key = index + 1};
    (void)snprintf(of->key.name, KIND_NAME, "[%u]", index);
}

static void end_entry(open_container *of, const uint8_t *bytes, const variant_event *value)
{
    kind_dictionary *found = &of->found;
    if (of->row) {
        set_index(of, value->index);
    }
    if (found->count == KIND_MEMBERS) {
        found->other = true;
        return;
    }
    kind_entry *one = &found->entries[found->count++];
    *one = of->key;
    one->value = wmem_strong_hash(bytes + value->offset, value->length);
    one->length += value->length;
    one->small = value->length <= MOST_OF_KIND &&
                 (is_text(value) || (value->kind == VARIANT_VALUE && value->type == VARIANT_INT));
}

static void begin_container(open_container *of, const open_container *above, const variant_event *begin,
                            bool row)
{
    of->dictionary = begin->type == VARIANT_DICTIONARY;
    of->row = row && !above && begin->type == VARIANT_ARRAY;
    of->found.path[0] = '\0';
    of->found.count = 0;
    of->found.other = false;
    if (above) {
        set_path(&of->found, above);
    }
}

static void end_dictionary(open_container *of, const uint8_t *bytes, const variant_event *value,
                           kind_found *found, void *data)
{
    of->found.hash = wmem_strong_hash(bytes + value->offset, value->length);
    if (!of->found.other && of->found.count > 1) {
        found(data, &of->found);
    }
}

void kinds_in(const godot_tap_variant *value, bool row, kind_found *found, void *data)
{
    variant_decoder decoder;
    variant_event event;
    open_container open[MAX_DEPTH];
    if (value->raw || value->length < LEAST_BYTES) {
        return;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    while (variant_next(&decoder, &event) && !decoder.rejected) {
        unsigned depth = event.depth;
        if (event.kind == VARIANT_FINDING || depth >= MAX_DEPTH || (!depth && event.kind == VARIANT_VALUE)) {
            continue;
        }
        open_container *above = depth ? &open[depth - 1] : NULL;
        if (event.kind == VARIANT_BEGIN) {
            begin_container(&open[depth], above, &event, row);
            continue;
        }
        if (event.kind == VARIANT_END && (open[depth].dictionary || open[depth].row)) {
            end_dictionary(&open[depth], decoder.bytes, &event, found, data);
        }
        if (above && above->dictionary && event.role == VARIANT_KEY) {
            read_key(above, decoder.bytes, &event);
        } else if (above && (above->dictionary || above->row)) {
            end_entry(above, decoder.bytes, &event);
        }
    }
}

/* --- counting ------------------------------------------------------------------------------------ */

typedef struct {
    uint32_t value, returns;
    uint32_t others[KIND_MEMBERS]; /* hashes of the other members' values; 0: there is no such member */
} kind_value;

/* A member as a kind. */
typedef struct {
    kind_value *values; /* KIND_VALUES; NULL: it is none, if it was there */
    uint32_t count, latest, returns;
    uint32_t newest; /* number of the Dictionary with the last new value */
    uint32_t differ; /* bits of the members that do not follow from it */
} possible_kind;

struct dictionary_kinds {
    wmem_allocator_t *pool;
    uint32_t keys[KIND_MEMBERS];
    char names[KIND_MEMBERS][KIND_NAME];
    possible_kind kinds[KIND_MEMBERS];
    unsigned members;
    bool closed;      /* there are more members than are compared */
    uint32_t count;   /* of different Dictionaries */
    wmem_map_t *seen; /* hashes of these */
};

dictionary_kinds *kinds_new(wmem_allocator_t *pool)
{
    dictionary_kinds *all = wmem_new0(pool, dictionary_kinds);
    all->pool = pool;
    all->seen = wmem_map_new(pool, g_direct_hash, g_direct_equal);
    return all;
}

const char *kinds_name(const dictionary_kinds *all, unsigned member)
{
    return all->names[member];
}

/* A new member can only be a kind if it comes with the first Dictionary. */
static unsigned member_of(dictionary_kinds *all, const kind_entry *entry)
{
    unsigned i = 0;
    while (i < all->members && all->keys[i] != entry->key) {
        i++;
    }
    if (i == all->members && i < KIND_MEMBERS) {
        all->members++;
        all->keys[i] = entry->key;
        memcpy(all->names[i], entry->name, KIND_NAME);
        all->kinds[i].values =
            all->count || !entry->small ? NULL : wmem_alloc0_array(all->pool, kind_value, KIND_VALUES);
    }
    return i;
}

static void drop_kind(dictionary_kinds *all, possible_kind *kind)
{
    wmem_free(all->pool, kind->values);
    kind->values = NULL;
}

/* Returns the number of the value; KIND_VALUES: there are too many. */
static uint32_t value_of(const dictionary_kinds *all, possible_kind *kind,
                         const uint32_t values[KIND_MEMBERS], uint32_t value)
{
    uint32_t i = 0;
    while (i < kind->count && kind->values[i].value != value) {
        i++;
    }
    if (i == kind->count && i < KIND_VALUES) {
        kind->count++;
        kind->values[i].value = value;
        memcpy(kind->values[i].others, values, sizeof kind->values[i].others);
        kind->newest = all->count;
        kind->latest = i;
    }
    return i;
}

/* A Dictionary with the values; `is_new`: it was not there before. */
static void add_kind(dictionary_kinds *all, unsigned member, const uint32_t values[KIND_MEMBERS], bool is_new)
{
    possible_kind *kind = &all->kinds[member];
    uint32_t i = value_of(all, kind, values, values[member]);
    if (i == KIND_VALUES || !values[member]) {
        drop_kind(all, kind);
        return;
    }
    kind_value *value = &kind->values[i];
    for (unsigned k = 0; k < KIND_MEMBERS; k++) {
        kind->differ |= (uint32_t)(value->others[k] != values[k]) << k;
    }
    if (is_new && i != kind->latest) {
        value->returns++;
        kind->returns++;
        kind->latest = i;
    }
}

static bool is_new(dictionary_kinds *all, uint32_t hash)
{
    void *key = GUINT_TO_POINTER(hash);
    bool found = !wmem_map_contains(all->seen, key) && wmem_map_size(all->seen) < MAX_DIFFERENT;
    if (found) {
        wmem_map_insert(all->seen, key, key);
    }
    return found;
}

void kinds_add(dictionary_kinds *all, const kind_dictionary *one, uint32_t about,
               unsigned places[KIND_MEMBERS])
{
    uint32_t values[KIND_MEMBERS] = {0}, small = 0;
    for (unsigned i = 0; i < one->count; i++) {
        unsigned member = places[i] = member_of(all, &one->entries[i]);
        if (member == KIND_MEMBERS) {
            all->closed = true;
        } else {
            values[member] = one->entries[i].value | 1; /* not 0 */
            small |= (uint32_t)one->entries[i].small << member;
        }
    }
    bool new_one = is_new(all, one->hash * 31 + about);
    for (unsigned i = 0; i < all->members; i++) {
        if (all->kinds[i].values && !(small >> i & 1)) {
            drop_kind(all, &all->kinds[i]);
        } else if (all->kinds[i].values) {
            add_kind(all, i, values, new_one);
        }
    }
    all->count += new_one;
}

/* --- what follows -------------------------------------------------------------------------------- */

/* Whether a member differs between kinds that have come again. */
static bool varies(const possible_kind *kind, unsigned member)
{
    const kind_value *first = NULL;
    bool differs = false;
    for (uint32_t i = 0; i < kind->count; i++) {
        const kind_value *one = &kind->values[i];
        if (one->returns >= LEAST_OF_EACH) {
            first = first ? first : one;
            differs |= one->others[member] != first->others[member];
        }
    }
    return differs;
}

static uint32_t followers_of(const dictionary_kinds *all, unsigned member)
{
    const possible_kind *kind = &all->kinds[member];
    uint32_t found = 0;
    if (!kind->values || kind->returns < LEAST_RETURNS || all->count < USES * kind->count ||
        all->count < 2 * kind->newest) {
        return 0;
    }
    for (unsigned i = 0; i < all->members; i++) {
        found |= (uint32_t)(i != member && !(kind->differ >> i & 1) && varies(kind, i)) << i;
    }
    return found;
}

/* With another member that follows, what is always the same need not be sent, either. */
static uint32_t constants_of(const dictionary_kinds *all, unsigned member)
{
    const possible_kind *kind = &all->kinds[member];
    uint32_t found = 0;
    for (unsigned i = 0; i < all->members; i++) {
        found |= (uint32_t)(i != member && !(kind->differ >> i & 1) && !varies(kind, i)) << i;
    }
    return found;
}

static double bytes_of(const dictionary_kinds *all, uint32_t members, const double bytes[KIND_MEMBERS])
{
    double sum = 0;
    for (unsigned i = 0; i < all->members; i++) {
        sum += members >> i & 1 ? bytes[i] : 0;
    }
    return sum;
}

/* Of those that follow from each other the first one is the kind: a game names it first. */
kind_relation kinds_best(const dictionary_kinds *all, const double bytes[KIND_MEMBERS])
{
    kind_relation best = {.followers = 0};
    double most = 0;
    for (unsigned i = 0; i < all->members && !all->closed; i++) {
        uint32_t followers = followers_of(all, i);
        bool mutual = (followers >> best.kind & 1) && (best.followers >> i & 1);
        double saved = bytes_of(all, followers, bytes);
        if (saved > most && !mutual) {
            most = saved;
            best = (kind_relation){i, followers, all->kinds[i].count, all->count};
        }
    }
    best.followers |= best.followers ? constants_of(all, best.kind) : 0;
    return best;
}
