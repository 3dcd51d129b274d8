/* forms.c
 *
 * Vectors with a component that is always the same, floats that could be a vector, long names; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <string.h>

#include "multiplayer/statistics/savings/savings.h"

#include "multiplayer/statistics/savings/relations/kinds.h"
#include "multiplayer/statistics/values/key.h"

/* Bytes of a component; of a value or packed array before its components. */
enum { COMPONENT = 4, VALUE_HEAD = 4, ARRAY_HEAD = 8 };
enum { MOST_COMPONENTS = 4 /* of a vector */ };
enum { LONG_NAME = 16 /* bytes */ };
enum { NOT_AS_MANY = UINT32_MAX };

/* --- components that do not change ---------------------------------------------------------------- */

void savings_count_vector(vector_parts *parts, first_vector *first, const double at[3], unsigned count)
{
    parts->other |= !count || (parts->values && parts->count != count);
    if (!parts->other && !first->known) {
        first->known = true;
        parts->nodes++;
        memcpy(first->at, at, sizeof first->at);
    }
    for (unsigned i = 0; !parts->other && i < count; i++) {
        parts->first[i] = parts->values ? parts->first[i] : at[i];
        parts->varies |= (uint8_t)((unsigned)(first->at[i] != at[i]) << i);
        parts->differs |= (uint8_t)((unsigned)(first->at[i] != parts->first[i]) << i);
    }
    parts->count = (uint8_t)count;
    parts->values++;
}

/* "A float, not Vector3: x is always 0, z is always 0". `property`: one of which a single component varies,
 * whose path can be synchronized instead, without a script; NULL: another value. */
static char *vector_instead(const vector_parts *parts, unsigned same, const char *property)
{
    GString *what = g_string_new(NULL);
    if (property) {
        g_string_printf(what, "The path %s:%c, not %s", property, "xyz"[__builtin_ctz(parts->varies)],
                        property);
    } else {
        g_string_printf(what, "%s, not Vector%u", parts->count - same == 1 ? "A float" : "Vector2",
                        parts->count);
    }
    const char *before = ": ";
    for (uint8_t i = 0; i < parts->count; i++) {
        if (!(parts->varies >> i & 1)) {
            g_string_append_printf(what, "%s%c is always ", before, "xyz"[i]);
            if (parts->differs >> i & 1) {
                g_string_append(what, "the same for each node");
            } else {
                g_string_append_printf(what, "%g", parts->first[i]);
            }
            before = ", ";
        }
    }
    return g_string_free(what, FALSE);
}

void savings_advise_vector(const savings *all, GPtrArray *rows, const vector_parts *parts,
                           const saved_bytes *dropped, char *where, const char *property)
{
    unsigned same = (unsigned)parts->count - (unsigned)__builtin_popcount(parts->varies);
    bool by_node = parts->differs & ~parts->varies;
    if (parts->other || parts->values < SAVINGS_LEAST * (by_node ? parts->nodes : 1) || !parts->varies ||
        !same) {
        g_free(where);
        return;
    }
    double length = VALUE_HEAD + COMPONENT * parts->count;
    bool named = property && parts->count - same == 1 && !strchr(property, ' ');
    savings_row found = {.bytes = dropped->bytes * same * COMPONENT / length,
                         .what = vector_instead(parts, same, named ? property : NULL),
                         .where = where,
                         .why = g_strdup("True of all values in the capture"),
                         .but = by_node ? "What is left out has to be told once, as by Spawn"
                                : named ? "The others are what the scene has"
                                        : "Receivers have to put what is left out into it again",
                         .evidence = dropped};
    savings_add_row(all, rows, found);
}

/* --- floats, names -------------------------------------------------------------------------------- */

static void count_floats(savings *all, called_method *of, const godot_update *call)
{
    uint32_t floats = 0, bytes = 0;
    double number;
    if (of->calls && (!of->floats || of->floats == NOT_AS_MANY)) {
        return;
    }
    for (uint32_t i = 0; i < call->count; i++) {
        if (savings_float_at(&call->variants[i], &number)) {
            floats++;
            bytes += call->variants[i].length;
        }
    }
    of->floats = of->calls && of->floats != floats ? NOT_AS_MANY : floats;
    uint32_t vector = (floats > MOST_COMPONENTS ? ARRAY_HEAD : VALUE_HEAD) + COMPONENT * floats;
    if (floats > 1 && bytes > vector) {
        savings_add(all, &of->vectors, bytes - vector, false);
    }
}

void savings_count_forms(savings *all, called_method *of, const godot_tap *tap, const godot_update *call)
{
    size_t name = strlen(call->name);
    count_floats(all, of, call);
    if (tap->api == 3 && !of->is_packets && name >= LONG_NAME) {
        savings_add(all, &of->nameless, (uint32_t)name - SHORT_NAME, false);
    }
}

static void advise_vector(const savings *all, GPtrArray *rows, const called_method *of)
{
    bool vector = of->floats <= MOST_COMPONENTS;
    if (of->floats < 2 || of->floats == NOT_AS_MANY || of->calls < SAVINGS_LEAST) {
        return;
    }
    savings_row found = {.bytes = of->vectors.bytes,
                         .what = vector ? g_strdup_printf("Vector%u, not %u floats", of->floats, of->floats)
                                        : g_strdup_printf("Packed%sArray, not %u floats",
                                                          all->api == 3 ? "Real" : "Float32", of->floats),
                         .where = savings_method_text(of, ""),
                         .why = g_strdup("A float that is calculated takes 12 bytes, one of a vector 4"),
                         .but = "Numbers have 32 bits then, about seven digits",
                         .evidence = &of->vectors};
    savings_add_row(all, rows, found);
}

void savings_advise_forms(const savings *all, GPtrArray *rows, const called_method *of)
{
    advise_vector(all, rows, of);
    if (of->calls < SAVINGS_LEAST || !of->nameless.bytes) {
        return;
    }
    savings_row found = {
        .bytes = of->nameless.bytes,
        .what = g_strdup_printf("A shorter name: %d bytes, not %zu", SHORT_NAME, strlen(of->name)),
        .where = savings_method_text(of, ""),
        .why = g_strdup("Godot 3 sends it with each message"),
        .but = "Both ends need it",
        .evidence = &of->nameless};
    savings_add_row(all, rows, found);
}

/* --- floats of a synchronizer ------------------------------------------------------------------- */

/* Those of a list that always are a float. */
typedef struct {
    GString *names;
    unsigned bits, count;
    double bytes;          /* of all their values */
    double each[SET_BITS]; /* of one value */
    const saved_bytes *evidence;
} float_properties;

static void add_float(float_properties *floats, const synchronized_property *one, uint64_t updates)
{
    double bytes = one->updates ? one->dropped.bytes : (double)one->changed_bytes;
    g_string_append_printf(floats->names, "%s%s", floats->count++ ? ", " : "", one->name);
    floats->bits |= 1u << one->index;
    floats->each[one->index] = ratio(bytes, (double)updates);
    floats->bytes += bytes;
    floats->evidence = &one->dropped;
}

/* Bytes that vectors of `length` bytes save, of which one is sent if any of its numbers has changed. */
static double saved_by_vector(const synchronizer *of, sent_kind kind, const float_properties *floats,
                              double length)
{
    const changed_sets *sets = of->sent[kind].sets;
    double saved = 0;
    for (unsigned set = 0; sets && set < SETS; set++) {
        double bytes = set & floats->bits ? -length : 0;
        for (unsigned i = 0; i < SET_BITS; i++) {
            bytes += set & floats->bits & 1u << i ? floats->each[i] : 0;
        }
        saved += bytes * sets->parts[set];
    }
    return saved;
}

void savings_advise_floats(const savings *all, GPtrArray *rows, const synchronizer *of, sent_kind kind)
{
    const GPtrArray *list = kind == SENT_STATES ? of->properties : of->changing;
    float_properties floats = {.names = g_string_new(NULL)};
    uint64_t updates = 0;
    for (unsigned i = 0; i < list->len && list->len <= SET_BITS; i++) {
        const synchronized_property *one = list->pdata[i];
        if (one->floats >= SAVINGS_LEAST && one->floats == one->parts.values) {
            add_float(&floats, one, one->floats);
            updates = MAX(updates, one->floats);
        }
    }
    bool vector = floats.count <= MOST_COMPONENTS;
    double length = (vector ? VALUE_HEAD : ARRAY_HEAD) + COMPONENT * (double)floats.count;
    if (floats.count > 1) {
        char *where = savings_synchronizer_text(of);
        savings_row found = {
            .bytes = kind == SENT_STATES ? floats.bytes - length * (double)updates
                                         : saved_by_vector(of, kind, &floats, length),
            .what = vector ? g_strdup_printf("A property Vector%u, not %u floats", floats.count, floats.count)
                           : g_strdup_printf("A property PackedFloat32Array, not %u floats", floats.count),
            .where = g_strdup_printf("%s: %s", where, floats.names->str),
            .why = g_strdup("A float that is calculated takes 12 bytes, one of a vector 4"),
            .but = "Numbers have 32 bits then, about seven digits; the script has to keep it up to date",
            .evidence = floats.evidence};
        savings_add_row(all, rows, found);
        g_free(where);
    }
    g_string_free(floats.names, TRUE);
}

/* --- types of values ------------------------------------------------------------------------------ */

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
