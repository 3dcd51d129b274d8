/* vectors.c
 *
 * Vectors with a component that is always the same, floats that could be a vector, long names; see forms.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <string.h>

#include "multiplayer/statistics/savings/forms/forms.h"

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
