/* places.c
 *
 * Values by their place, as an argument or in a container: which types and kinds they have; see forms.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <string.h>

#include "multiplayer/statistics/savings/forms/forms.h"

#include "multiplayer/statistics/savings/relations/kinds.h"
#include "multiplayer/statistics/values/key.h"

/* What the key of a place that has texts leads to. */
typedef struct {
    uint32_t hash; /* of the latest ones by a sender, about a node; 0: there are none yet */
} latest_texts;

/* A method of all nodes with the same script is one. */
static encoded_place *place_of(savings *all, const godot_tap *tap, const godot_update *update, uint32_t index,
                               const encoded_part *part, bool *is_new)
{
    const char *node = update->scene ? update->scene : update->node;
    const synchronizer *of = update->part ? all->of_parts->pdata[update->part - tap->parts] : NULL;
    const char *place = of && !update->scene ? of->node : node;
    bool is_call = update->kind == GODOT_UPDATE_CALL;
    godot_key_begin(all->key, 'e');
    godot_key_number(all->key, update->kind);
    godot_key_number(all->key, index);
    godot_key_text(all->key, tap->call && tap->checksum ? tap->checksum : place);
    godot_key_text(all->key, update->name);
    godot_key_text(all->key, part->path);
    encoded_place *one = savings_subject(all, all->places, sizeof(encoded_place), is_new);
    if (*is_new) {
        one->name = is_call ? wmem_strdup_printf(all->pool, "%s(), argument %u%s", update->name, index + 1,
                                                 part->path)
                            : wmem_strdup_printf(all->pool, "%s%s", update->name, part->path);
        char *source = is_call && tap->call ? savings_source_of(all, tap, update->name) : NULL;
        one->place =
            source ? wmem_strdup_printf(all->pool, "%s (%s)", place, source) : wmem_strdup(all->pool, place);
        one->node = wmem_strdup(all->pool, place);
    } else if (one) {
        one->several |= strcmp(one->node, node) != 0;
    }
    return one;
}

/* What a sender always says, as its name or a token, is no choice out of a list. Spawned nodes are new ones,
 * so it is one list of the spawner's. */
static void count_varying(savings *all, encoded_place *one, const godot_tap *tap, const godot_update *update,
                          const encoded_part *part)
{
    bool is_new;
    uint32_t hash = 0;
    if (!part->texts) {
        return;
    }
    for (uint32_t i = 0; i < MIN(part->key_count, ENCODED_KEYS); i++) {
        hash = hash * 31 + part->key_hashes[i];
    }
    godot_key_begin(all->key, 'x');
    godot_key_number(all->key, (uint64_t)(uintptr_t)one);
    godot_key_number(all->key, (uint64_t)tap->from);
    godot_key_text(all->key, tap->spawned ? "" : update->node);
    latest_texts *latest = savings_subject(all, all->senders, sizeof(latest_texts), &is_new);
    if (latest) {
        one->varies += (!is_new && latest->hash != hash) + part->key_count - (part->key_count > 0);
        latest->hash = hash;
    }
}

static void count_sentence(const savings *all, encoded_place *one, const encoded_part *part)
{
    uint32_t number = encoded_part_add_key(&one->values, part->key_hashes[0]);
    if (!one->sentences) {
        one->sentences = wmem_alloc0_array(all->pool, sentence, ENCODED_KEYS);
    }
    if (number < ENCODED_KEYS) {
        sentence_add(one->sentences, number, part);
    }
}

static void count_encoding(savings *all, const godot_tap *tap, const godot_update *update, uint32_t index,
                           const encoded_part *part)
{
    bool is_new;
    encoded_part counted = *part;
    encoded_place *one = place_of(all, tap, update, index, part, &is_new);
    if (!one) {
        return;
    }
    one->texts += part->texts;
    if (all->again) { /* its texts were counted, and have the same keys */
        counted.texts = counted.key_count = 0;
    }
    if (is_new) {
        one->values = counted;
    } else {
        encoded_part_merge(&one->values, &counted);
    }
    count_varying(all, one, tap, update, &counted);
    if (part->kind == ENCODING_SENTENCE && part->text) {
        count_sentence(all, one, part);
    }
    if (part->kind == ENCODING_TEXT || part->kind == ENCODING_SENTENCE) {
        savings_add(all, &one->numbered, text_words_add(&one->words, part, all->again), false);
    }
    for (int i = 0; i < ENCODED_FORMS; i++) {
        if (part->saved[i]) {
            savings_add(all, &one->shorter[i], part->saved[i], false);
        }
    }
}

/* --- kinds ---------------------------------------------------------------------------------------- */

struct place_kinds {
    dictionary_kinds *kinds;
    saved_bytes members[KIND_MEMBERS]; /* by leaving them out */
};

/* The value that is read. */
typedef struct {
    savings *all;
    const godot_tap *tap;
    const godot_update *update;
    uint32_t index;
} read_value;

static void count_dictionary(void *data, const kind_dictionary *one)
{
    const read_value *from = data;
    savings *all = from->all;
    unsigned places[KIND_MEMBERS];
    bool is_new;
    encoded_part part = {.count = 0};
    g_strlcpy(part.path, one->path, sizeof part.path);
    encoded_place *place = place_of(all, from->tap, from->update, from->index, &part, &is_new);
    if (!place) {
        return;
    }
    if (!place->kinds) {
        place->kinds = wmem_new0(all->pool, struct place_kinds);
        place->kinds->kinds = kinds_new(all->pool);
    }
    bool whole = from->tap->spawned && !one->path[0]; /* what is in it repeats that */
    uint32_t about = whole ? wmem_str_hash(from->tap->spawned) : 0;
    kinds_add(place->kinds->kinds, one, about, places);
    for (unsigned i = 0; i < one->count; i++) {
        if (places[i] < KIND_MEMBERS) {
            savings_add(all, &place->kinds->members[places[i]], one->entries[i].length, false);
        }
    }
}

char *savings_place_text(const encoded_place *of)
{
    return g_strdup_printf("%s of %s%s", of->name, of->place, of->several ? " and other nodes" : "");
}

void savings_advise_kinds(const savings *all, GPtrArray *rows, const encoded_place *of)
{
    double bytes[KIND_MEMBERS], saved = 0;
    if (!of->kinds) {
        return;
    }
    for (unsigned i = 0; i < KIND_MEMBERS; i++) {
        bytes[i] = of->kinds->members[i].bytes;
    }
    kind_relation found = kinds_best(of->kinds->kinds, bytes);
    if (!found.followers) {
        return;
    }
    const char *kind = kinds_name(of->kinds->kinds, found.kind);
    GString *names = g_string_new(NULL);
    for (unsigned i = 0; i < KIND_MEMBERS; i++) {
        if (found.followers >> i & 1) {
            saved += bytes[i];
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", kinds_name(of->kinds->kinds, i));
        }
    }
    savings_row row = {
        .bytes = saved,
        .what =
            g_strdup_printf("No %s in it: each peer can look up by %s what belongs to it", names->str, kind),
        .where = savings_place_text(of),
        .why = g_strdup_printf("The same %s, of %u different ones, always came with the same ones in %u "
                               "different values",
                               kind, found.values, found.count),
        .but = "Both ends need the same table, or are told once, and again when that changes",
        .evidence = &of->kinds->members[__builtin_ctz(found.followers)]};
    savings_add_row(all, rows, row);
    g_string_free(names, TRUE);
}

void savings_count_encodings(savings *all, const godot_tap *tap, const godot_update *update)
{
    bool is_only_argument =
        tap->api == 4 && update->kind == GODOT_UPDATE_CALL && !tap->spawned && update->count == 1;
    for (uint32_t i = 0; i < update->count; i++) {
        encoded_part parts[ENCODED_PARTS];
        uint32_t packed = compressed_bytes_in(&update->variants[i]);
        unsigned count = shorter_encodings_of(&update->variants[i], is_only_argument, parts);
        if (packed) {
            savings_add(all, &all->packed, packed, false);
        }
        for (unsigned k = 0; k < count; k++) {
            count_encoding(all, tap, update, i, &parts[k]);
        }
        bool is_data = update->kind == GODOT_UPDATE_CALL; /* of a spawn */
        read_value value = {all, tap, update, i};
        kinds_in(&update->variants[i], tap->spawned && is_data, count_dictionary, &value);
    }
}
