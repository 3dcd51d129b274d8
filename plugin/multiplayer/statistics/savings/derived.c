/* derived.c
 *
 * Properties and arguments that receivers can compute from others, by the rules of relations/; and properties
 * that count in a circle, as the frame of an animation; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <stdio.h>
#include <string.h>

#include "multiplayer/statistics/savings/savings.h"

/* Least share of the changes to the next number. */
#define MOSTLY 0.9
/* Times that it begins again. */
enum { LEAST_ROUNDS = 2 };

/* --- counting ------------------------------------------------------------------------------------ */

/* The values of a state come one after the other. Not each of them has a property of its own: a list of names
 * can have one twice, and names can be known later than values. */
static bool is_of(const GPtrArray *all, const synchronized_property *one, uint32_t index,
                  const godot_tap_variant *value)
{
    return index < all->len && all->pdata[index] != one && value->property &&
           strcmp(((const synchronized_property *)all->pdata[index])->name, value->property) == 0;
}

/* How many values of its part the message has, from the first one on. */
static uint32_t values_of_part(const godot_tap *tap, const godot_update *update,
                               const godot_tap_variant *first)
{
    const godot_tap_variant *all = wmem_array_index(tap->values, 0);
    return MIN(update->part->value_count, wmem_array_get_count(tap->values) - (uint32_t)(first - all));
}

void savings_count_related(const savings *all, synchronizer *of, synchronized_property *one,
                           property_track *own, const godot_tap *tap, const godot_update *update,
                           uint32_t index, double now)
{
    const godot_tap_variant *first = update->variants - index;
    uint32_t count = values_of_part(tap, update, first);
    uint64_t known = 0;
    for (uint64_t left = derived_candidates(&one->derived, index); left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        known |= (uint64_t)is_of(of->properties, one, i, &first[i]) << i;
    }
    of->has_changed = index == 0 ? 0 : of->has_changed;
    of->has_changed |= index < DERIVED_MOST ? (uint64_t)own->has_changed << index : 0;
    derived_compare(&one->derived, update->variants, index, known, of->has_changed);
    of->position = index == 0 ? heading_position(first, count) : of->position;
    if (of->position != index && of->position < count) {
        heading_add(&one->heading, &own->heading, &first[of->position], update->variants, now);
    }
    uint32_t progress = index < count ? follow_progress(first, count, index) : count;
    if (progress < count) {
        follow_add(all->pool, &one->follow, update->node, first, progress, index);
    }
}

void savings_count_headings(const savings *all, called_method *of, heading_before **before,
                            const godot_update *call, double now)
{
    uint32_t count = MIN(call->count, SAVINGS_ARGUMENTS);
    uint32_t position = count > 1 ? heading_position(call->variants, count) : count;
    if (position == count) {
        return;
    }
    *before = *before ? *before : wmem_alloc0_array(all->pool, heading_before, SAVINGS_ARGUMENTS);
    for (uint32_t i = 0; i < count; i++) {
        if (i != position) {
            heading_add(&of->arguments[i].heading, &(*before)[i], &call->variants[position],
                        &call->variants[i], now);
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

void savings_count_steps(counting_course *of, const container_change *change, bool same, double now)
{
    if (same) {
        of->rests++;
    } else if (of->known && is_multiple(change->step, of->step)) {
        of->seconds += now - of->time;
        of->number += change->step;
        of->steps++;
        steady_add(&of->course, of->seconds, of->number);
    } else {
        of->events++;
        of->told += change->news;
        of->step = change->step != 0 ? change->step : of->step;
    }
    of->known = true;
    of->time = now;
}

/* --- rows ---------------------------------------------------------------------------------------- */

/* Properties of a synchronizer, or arguments of a method. */
typedef struct {
    const derived_value *derived;
    const heading_count *heading;
    const saved_bytes *dropped;
    uint64_t updates, changes;
    char name[64];
    const follow_count *follow; /* NULL: of an argument */
} related_value;

typedef struct {
    const synchronizer *states; /* NULL: of a method */
    const called_method *calls;
    unsigned count;
    related_value values[DERIVED_MOST];
} related_values;

static void add_value(related_values *all, related_value value, const char *name)
{
    g_strlcpy(value.name, name, sizeof value.name);
    all->values[all->count++] = value;
}

static char *place_of(const related_values *all, const char *names)
{
    char *text = all->states ? savings_synchronizer_text(all->states) : savings_method_text(all->calls, "");
    char *where = g_strdup_printf("%s: %s", text, names);
    g_free(text);
    return where;
}

static void advise_twin(const savings *all, GPtrArray *rows, const related_values *of,
                        const related_value *one)
{
    if (!one->derived->twins || one->changes < SAVINGS_LEAST) {
        return;
    }
    const char *other = of->values[__builtin_ctzll(one->derived->twins)].name;
    savings_row found = {.bytes = one->dropped->bytes,
                         .what = g_strdup_printf("Only %s, without %s", other, one->name),
                         .where = of->states ? savings_synchronizer_text(of->states)
                                             : savings_method_text(of->calls, ""),
                         .why = g_strdup_printf("Both had the same value in all %" PRIu64 " %s", one->updates,
                                                of->states ? "updates" : "calls"),
                         .but = "Receivers have to set the other one",
                         .evidence = one->dropped};
    savings_add_row(all, rows, found);
}

/* How the value `index` follows from `other`; DERIVED_KINDS: it does not. */
static int relation_of(const related_values *of, unsigned index, unsigned other)
{
    return index == other ? DERIVED_KINDS
                          : derived_kind(of->values[index].derived, of->values[other].derived,
                                         MIN(index, other), other < index);
}

/* Those that follow from others; a bit each. */
static uint64_t derived_ones(const related_values *of)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < of->count; i++) {
        for (unsigned k = 0; k < of->count; k++) {
            found |= (uint64_t)(relation_of(of, i, k) < DERIVED_KINDS) << i;
        }
    }
    return found;
}

/* From which of those that are no `avoided` ones it follows; `count`: from none. */
static unsigned source_of(const related_values *of, unsigned index, uint64_t avoided)
{
    unsigned source = 0;
    while (source < of->count &&
           ((avoided >> source & 1) || relation_of(of, index, source) == DERIVED_KINDS)) {
        source++;
    }
    return source;
}

/* Names, and how each follows, of those that can be left out. */
typedef struct {
    GString *names, *how;
    uint64_t bits, others; /* others: that another row leaves out */
    double bytes;
    const saved_bytes *evidence;
} left_out_ones;
typedef void find_ones(const related_values *of, left_out_ones *ones);

static void leave_out(left_out_ones *ones, const related_values *of, unsigned index, const char *how)
{
    const related_value *one = &of->values[index];
    g_string_append_printf(ones->names, "%s%s", ones->names->len ? ", " : "", one->name);
    g_string_append_printf(ones->how, "%s%s = %s", ones->how->len ? ", " : "", one->name, how);
    ones->bits |= UINT64_C(1) << index;
    ones->bytes += one->dropped->bytes;
    ones->evidence = one->dropped;
}

/* What one is computed from is kept: best one that does not follow from others itself. */
static void find_derived(const related_values *of, left_out_ones *ones)
{
    uint64_t derived = derived_ones(of), needed = 0;
    for (unsigned i = 0; i < of->count; i++) {
        const related_value *one = &of->values[i];
        unsigned source = source_of(of, i, derived | ones->bits);
        source = source < of->count ? source : source_of(of, i, ones->bits);
        if (source < of->count && !(needed >> i & 1) && !one->derived->twins &&
            one->changes >= SAVINGS_LEAST) {
            char *text =
                derived_text(relation_of(of, i, source), one->derived, source, of->values[source].name);
            leave_out(ones, of, i, text);
            needed |= UINT64_C(1) << source;
            g_free(text);
        }
    }
}

/* Positions on a path, by the progress along it. */
static void find_followers(const related_values *of, left_out_ones *ones)
{
    for (unsigned i = 0; i < of->count; i++) {
        const related_value *one = &of->values[i];
        if (one->follow && follow_holds(one->follow) && !(ones->others >> i & 1)) {
            char *how = g_strdup_printf("f(%s)", one->follow->progress);
            leave_out(ones, of, i, how);
            g_free(how);
        }
    }
}

/* Those that follow from the positions, and not from others. */
static void find_headings(const related_values *of, left_out_ones *ones)
{
    for (unsigned i = 0; i < of->count; i++) {
        const related_value *one = &of->values[i];
        bool can = one->changes >= SAVINGS_LEAST && !(ones->others >> i & 1);
        int kind = can ? heading_kind(one->heading) : HEADINGS;
        if (kind < HEADINGS) {
            leave_out(ones, of, i, heading_text(one->heading, kind));
        }
    }
}

/* Returns their bits. */
static uint64_t advise_left_out(const savings *all, GPtrArray *rows, const related_values *of,
                                uint64_t others, find_ones *find, const char *what, const char *why,
                                const char *but)
{
    left_out_ones ones = {.names = g_string_new(NULL), .how = g_string_new(NULL), .others = others};
    find(of, &ones);
    if (ones.evidence) {
        savings_row found = {.bytes = ones.bytes,
                             .what = g_strdup_printf("%s: each peer can compute it from %s",
                                                     of->states ? "Never" : "No such argument", what),
                             .where = place_of(of, ones.names->str),
                             .why = g_strdup_printf("%s %s", why, ones.how->str),
                             .but = but,
                             .evidence = ones.evidence};
        savings_add_row(all, rows, found);
    }
    g_string_free(ones.names, TRUE);
    g_string_free(ones.how, TRUE);
    return ones.bits;
}

static void advise_related(const savings *all, GPtrArray *rows, const related_values *of)
{
    for (unsigned i = 0; i < of->count; i++) {
        advise_twin(all, rows, of, &of->values[i]);
    }
    uint64_t derived =
        advise_left_out(all, rows, of, 0, find_derived, of->states ? "another property" : "another one",
                        "Since the first change always", NULL);
    derived |= advise_left_out(
        all, rows, of, derived, find_followers, "the progress, as PathFollow2D and PathFollow3D do",
        "All nodes with the same parent have the same:", "What leaves the path has to be told");
    advise_left_out(all, rows, of, derived, find_headings, "how the position changes",
                    "Nearly always, with the way from the position before:",
                    "After a turn it comes an update later, and it stays as it is while nothing moves");
}

void savings_advise_related_arguments(const savings *all, GPtrArray *rows, const called_method *of)
{
    related_values arguments = {.calls = of};
    for (unsigned i = 0; i < SAVINGS_ARGUMENTS; i++) {
        const called_argument *one = &of->arguments[i];
        char name[24];
        (void)snprintf(name, sizeof name, "argument %u", i + 1);
        add_value(&arguments,
                  (related_value){&one->derived, &one->heading, &one->dropped, one->updates, one->changes, "",
                                  NULL},
                  name);
    }
    advise_related(all, rows, &arguments);
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
    related_values states = {.states = of};
    for (unsigned i = 0; i < MIN(of->properties->len, DERIVED_MOST); i++) {
        const synchronized_property *one = of->properties->pdata[i];
        add_value(&states,
                  (related_value){&one->derived, &one->heading, &one->dropped, one->updates, one->changes, "",
                                  &one->follow},
                  one->name);
    }
    advise_related(all, rows, &states);
}
