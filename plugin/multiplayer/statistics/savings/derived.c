/* derived.c
 *
 * Synchronized properties that receivers can compute from another one: the same value, its length, its angle;
 * and those that count in a circle, as the frame of an animation; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <math.h>
#include <string.h>

#include "multiplayer/statistics/savings/savings.h"

/* Properties before one in a state that it is compared with: a bit each. */
enum { MOST_COMPARED = 64 };
/* Of a number, or of 1 for smaller ones: by so much values of 32 bits differ. */
#define NEARLY 1e-4
/* Least share of the changes to the next number. */
#define MOSTLY 0.9
/* Times that it begins again. */
enum { LEAST_ROUNDS = 2 };

/* A value as numbers: an int, a float, a Vector2, a Vector3. */
typedef struct {
    double at[3];
    unsigned count; /* 0: another type */
} numbers;

static numbers numbers_of(const godot_tap_variant *value)
{
    numbers found = {.at = {0, 0, 0}};
    found.count = savings_vector_at(value, found.at);
    if (!found.count && savings_number_at(value, &found.at[0])) {
        found.count = 1;
    }
    return found;
}

static double length_of(const numbers *of)
{
    return sqrt(of->at[0] * of->at[0] + of->at[1] * of->at[1] + of->at[2] * of->at[2]);
}

static bool are_near(double one, double other)
{
    return fabs(one - other) <= NEARLY * MAX(1, fabs(one));
}

static bool is_length(const numbers *one, const numbers *of)
{
    return of->count > 1 && one->count == 1 && are_near(one->at[0], length_of(of));
}

static bool is_direction(const numbers *one, const numbers *of)
{
    double length = of->count > 1 && one->count == of->count ? length_of(of) : -1;
    bool same = length >= 0;
    for (unsigned i = 0; same && i < of->count; i++) {
        same = are_near(one->at[i], length > 0 ? of->at[i] / length : 0);
    }
    return same;
}

static bool is_angle(const numbers *one, const numbers *of)
{
    return of->count == 2 && one->count == 1 &&
           fabs(sin((one->at[0] - atan2(of->at[1], of->at[0])) / 2)) <= NEARLY;
}

static bool is_of_angle(const numbers *one, const numbers *of)
{
    return of->count == 1 && one->count == 2 && are_near(one->at[0], cos(of->at[0])) &&
           are_near(one->at[1], sin(of->at[0]));
}

static const struct {
    bool (*holds)(const numbers *one, const numbers *of);
    const char *text; /* with the name of the other one */
} relations[DERIVED_KINDS] = {
    [DERIVED_LENGTH] = {is_length, "%s.length()"},
    [DERIVED_DIRECTION] = {is_direction, "%s.normalized()"},
    [DERIVED_ANGLE] = {is_angle, "%s.angle()"},
    [DERIVED_OF_ANGLE] = {is_of_angle, "Vector2.from_angle(%s)"},
};

/* --- counting ------------------------------------------------------------------------------------ */

/* The values of a state come one after the other. Not each of them has a property of its own: a list of names
 * can have one twice, and names can be known later than values. */
static bool is_of(const GPtrArray *all, const synchronized_property *one, uint32_t index,
                  const godot_tap_variant *value)
{
    return index < all->len && all->pdata[index] != one && value->property &&
           strcmp(((const synchronized_property *)all->pdata[index])->name, value->property) == 0;
}

static void compare(synchronized_property *one, uint32_t index, const numbers *value, const numbers *other)
{
    uint64_t bit = UINT64_C(1) << index;
    for (int kind = 0; kind < DERIVED_KINDS; kind++) {
        if ((one->derived[kind] & bit) && !relations[kind].holds(value, other)) {
            one->derived[kind] &= ~bit;
        }
        if ((one->derives[kind] & bit) && !relations[kind].holds(other, value)) {
            one->derives[kind] &= ~bit;
        }
    }
}

static uint64_t any_of(const synchronized_property *one)
{
    uint64_t any = 0;
    for (int kind = 0; kind < DERIVED_KINDS; kind++) {
        any |= one->derived[kind] | one->derives[kind];
    }
    return any;
}

void savings_count_derived(const synchronizer *of, synchronized_property *one, const godot_update *update,
                           uint32_t index, bool has_changed)
{
    uint64_t before = index < MOST_COMPARED ? (UINT64_C(1) << index) - 1 : 0;
    one->twins = one->updates ? one->twins & before : before;
    for (int kind = 0; kind < DERIVED_KINDS; kind++) {
        one->derived[kind] = one->updates ? one->derived[kind] & before : before;
        one->derives[kind] = one->updates ? one->derives[kind] & before : before;
    }
    uint64_t any = has_changed ? any_of(one) : 0;
    numbers value = any ? numbers_of(update->variants) : (numbers){.count = 0};
    for (uint32_t i = 0; i < index && (one->twins | any) >> i; i++) {
        const godot_tap_variant *other = update->variants - (index - i);
        bool known = is_of(of->properties, one, i, other);
        bool same = known && (one->twins >> i & 1) && other->length == update->variants->length &&
                    memcmp(other->bytes, update->variants->bytes, other->length) == 0;
        one->twins &= same ? UINT64_MAX : ~(UINT64_C(1) << i);
        if (any >> i & 1) {
            numbers of_other = known ? numbers_of(other) : (numbers){.count = 0};
            compare(one, i, &value, &of_other);
        }
    }
}

void savings_count_round(counted_round *of, kept_number *before, const godot_update *update)
{
    double number;
    if (of->broken || !savings_whole_at(update->variants, &number)) {
        of->broken = true; /* and is not read again */
        return;
    }
    if (before->known && number != before->number) {
        of->changes++;
        of->rounds += number == 0;
        of->next += number == 0 || number == before->number + 1;
    }
    before->known = true;
    before->number = number;
}

/* --- rows ---------------------------------------------------------------------------------------- */

static void advise_twin(const savings *all, GPtrArray *rows, const synchronizer *of,
                        const synchronized_property *one)
{
    if (!one->twins || one->changes < SAVINGS_LEAST) {
        return;
    }
    const synchronized_property *other = of->properties->pdata[__builtin_ctzll(one->twins)];
    savings_row found = {
        .bytes = one->dropped.bytes,
        .what = g_strdup_printf("Only %s, without %s", other->name, one->name),
        .where = savings_synchronizer_text(of),
        .why = g_strdup_printf("Both had the same value in all %" PRIu64 " updates", one->updates),
        .but = "Receivers have to set the other one",
        .evidence = &one->dropped};
    savings_add_row(all, rows, found);
}

/* How the property `index` follows from `other`; DERIVED_KINDS: it does not. */
static int relation_of(const GPtrArray *properties, unsigned index, unsigned other)
{
    bool before = other < index;
    const synchronized_property *later = properties->pdata[before ? index : other];
    const uint64_t *bits = before ? later->derived : later->derives;
    int kind = 0;
    while (kind < DERIVED_KINDS && (index == other || !(bits[kind] >> MIN(index, other) & 1))) {
        kind++;
    }
    return kind;
}

/* Those that follow from others; a bit each. */
static uint64_t derived_ones(const GPtrArray *properties, unsigned count)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < count; k++) {
            found |= (uint64_t)(relation_of(properties, i, k) < DERIVED_KINDS) << i;
        }
    }
    return found;
}

/* From which of those that are no `avoided` ones it follows; `count`: from none. */
static unsigned source_of(const GPtrArray *properties, unsigned count, unsigned index, uint64_t avoided)
{
    unsigned source = 0;
    while (source < count &&
           ((avoided >> source & 1) || relation_of(properties, index, source) == DERIVED_KINDS)) {
        source++;
    }
    return source;
}

/* Names, and how each follows, of those that can be left out. What one is computed from is kept: best one
 * that does not follow from others itself. */
static savings_row find_derived(const synchronizer *of, GString *names, GString *how)
{
    const GPtrArray *properties = of->properties;
    unsigned count = MIN(properties->len, MOST_COMPARED);
    uint64_t derived = derived_ones(properties, count), left_out = 0, needed = 0;
    savings_row found = {.bytes = 0};
    for (unsigned i = 0; i < count; i++) {
        const synchronized_property *one = properties->pdata[i];
        unsigned source = source_of(properties, count, i, derived | left_out);
        source = source < count ? source : source_of(properties, count, i, left_out);
        if (source == count || (needed >> i & 1) || one->twins || one->changes < SAVINGS_LEAST) {
            continue;
        }
        const char *other = ((const synchronized_property *)properties->pdata[source])->name;
        char *text = g_strdup_printf(relations[relation_of(properties, i, source)].text, other);
        g_string_append_printf(names, "%s%s", names->len ? ", " : "", one->name);
        g_string_append_printf(how, "%s%s = %s", how->len ? ", " : "", one->name, text);
        g_free(text);
        left_out |= UINT64_C(1) << i;
        needed |= UINT64_C(1) << source;
        found.bytes += one->dropped.bytes;
        found.evidence = &one->dropped;
    }
    return found;
}

static void advise_derived(const savings *all, GPtrArray *rows, const synchronizer *of)
{
    GString *names = g_string_new(NULL), *how = g_string_new(NULL);
    savings_row found = find_derived(of, names, how);
    if (found.evidence) {
        char *where = savings_synchronizer_text(of);
        found.what = g_strdup("Never: each peer can compute it from another property");
        found.where = g_strdup_printf("%s: %s", where, names->str);
        found.why = g_strdup_printf("Since the first change always %s", how->str);
        savings_add_row(all, rows, found);
        g_free(where);
    }
    g_string_free(names, TRUE);
    g_string_free(how, TRUE);
}

/* What counts up and begins again, as an animation does. */
static void advise_round(const savings *all, GPtrArray *rows, const synchronizer *of,
                         const synchronized_property *one)
{
    const counted_round *round = &one->round;
    if (round->broken || round->changes < SAVINGS_LEAST || round->rounds < LEAST_ROUNDS ||
        (double)round->next < MOSTLY * (double)round->changes) {
        return;
    }
    char *where = savings_synchronizer_text(of);
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &one->dropped),
        .what =
            g_strdup("Never (with Spawn): each peer can count by itself, as an animation that plays does"),
        .where = g_strdup_printf("%s: %s", where, one->name),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " changes are to the next number, or to 0",
                               round->next, round->changes),
        .but = "What starts or stops it has to be told, by a call or On Change",
        .evidence = &one->dropped};
    savings_add_row(all, rows, found);
    g_free(where);
}

void savings_advise_derived(const savings *all, GPtrArray *rows, const synchronizer *of)
{
    GPtrArray *const lists[] = {of->properties, of->changing};
    for (size_t i = 0; i < array_length(lists); i++) {
        for (unsigned k = 0; k < lists[i]->len; k++) {
            advise_round(all, rows, of, (const synchronized_property *)lists[i]->pdata[k]);
        }
    }
    for (unsigned i = 0; i < of->properties->len; i++) {
        advise_twin(all, rows, of, (const synchronized_property *)of->properties->pdata[i]);
    }
    advise_derived(all, rows, of);
}
