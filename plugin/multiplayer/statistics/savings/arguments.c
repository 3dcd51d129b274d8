/* arguments.c
 *
 * Arguments of calls one by one: those that seldom change, containers of which little changes, numbers that
 * change at a steady pace; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <string.h>

#include "multiplayer/statistics/savings/savings.h"

/* Bytes of all values that are kept for a comparison. */
#define MAX_KEPT (4u << 20)

/* Share of the calls from which they are about things that take turns. */
#define OFTEN_TURNS 0.5

/* Least share of calls in which only numbers have changed that others can count, or nothing. */
#define MOSTLY_STEPS 0.9

/* Share of the containers from which it is said that their elements move. */
#define OFTEN_MOVED 0.5

/* Share of bytes that are the same by chance. */
#define NOTHING_COMMON 0.1

/* A text: hashes of its beginnings without the last letters. */
enum { DRAFT_LETTERS = 4 /* bytes that a key of the keyboard makes or takes */ };
typedef struct {
    uint32_t length, hashes[DRAFT_LETTERS + 1];
} kept_text;

struct argument_track {
    uint32_t count; /* of arguments, in the call before */
    uint32_t hashes[SAVINGS_ARGUMENTS];
    uint32_t has_changed; /* bits of those that have, since the first call */
    kept_container *kept; /* of each argument; NULL: they are not compared */
    kept_number numbers[SAVINGS_ARGUMENTS];
    kept_text texts[SAVINGS_ARGUMENTS];
    steady_course *course;
    counting_course counting; /* of a container */
    straight_course *runs;    /* of each argument; NULL: none can run along a line */
};

struct about_track {
    uint32_t count; /* of arguments */
    uint32_t hashes[SAVINGS_ARGUMENTS];
    kept_container *kept; /* of each argument; NULL: none is a container */
};

/* --- containers ---------------------------------------------------------------------------------- */

static void keep(savings *all, kept_container *before, const godot_tap_variant *value)
{
    bool fits = before->room >= value->length;
    if (!fits && all->kept_bytes + value->length <= MAX_KEPT) {
        all->kept_bytes += value->length;
        before->bytes = wmem_alloc(all->pool, value->length);
        before->room = value->length;
        fits = true;
    }
    before->length = fits ? value->length : 0;
    if (fits) {
        memcpy(before->bytes, value->bytes, value->length);
    }
}

static void compare(savings *all, compared_containers *of, kept_container *before,
                    const godot_tap_variant *value, bool same)
{
    uint32_t bytes = container_differences(before->bytes, before->length, value, &before->change);
    if (value->length < CONTAINER_LEAST) {
        return;
    }
    if (!same) { /* else it says nothing about how much of it changes */
        of->count++;
        of->bytes += value->length;
        of->differing += before->change.bytes;
        of->moved += before->change.moved;
        of->told += MIN(bytes, value->length);
        of->raw |= value->raw;
        of->plain += before->change.plain;
        of->common += before->change.common;
    }
    savings_add(all, &of->differences, value->length - MIN(bytes, value->length), false);
}

void savings_compare(savings *all, compared_containers *of, kept_container *before,
                     const godot_tap_variant *value, bool same, uint32_t least)
{
    before->change = (container_change){0};
    bool known = before->latest;
    before->latest = false;
    if (!is_compared_container(value, least)) {
        return;
    }
    if (before->seen) {
        compare(all, of, before, value, same);
    }
    before->change.step = known ? before->change.step : 0;
    if (!same || !before->seen) {
        keep(all, before, value);
    }
    before->seen = before->latest = true;
}

void savings_advise_differences(const savings *all, GPtrArray *rows, const compared_containers *of,
                                savings_row found, const char *subtracted)
{
    bool little = (double)of->differing <= CONTAINER_LITTLE * (double)of->bytes;
    if (of->count < SAVINGS_LEAST || !little) {
        g_free(found.what);
        g_free(found.where);
        return;
    }
    found.why =
        g_strdup_printf("%.1f %% of its bytes were those of the one before%s to the same receiver%s%s%s",
                        100 - 100 * ratio((double)of->differing, (double)of->bytes),
                        of->about ? " with the same first argument" : "", subtracted ? ". " : "",
                        subtracted ? subtracted : "", subtracted ? " are subtracted" : "");
    found.but = subtracted ? "Who joins later needs all of it once; a lost one holds up those after it"
                           : "Who joins later needs all of it once";
    found.evidence = &of->differences;
    savings_add_row(all, rows, found);
}

/* --- numbers ------------------------------------------------------------------------------------- */

bool savings_changed_number(const kept_container *before, const godot_tap_variant *value, double *number,
                            uint32_t *place)
{
    *place = before->change.is_number ? before->change.place : 0;
    *number = before->change.number;
    return before->change.is_number || savings_number_at(value, number) || savings_clock_at(value, number);
}

/* `changed`: bits of the arguments that have. */
static void count_course(const argument_track *track, uint32_t changed, const godot_update *call, double now)
{
    static const kept_container none;
    steady_course *course = track->course;
    unsigned argument = changed ? (unsigned)__builtin_ctz(changed) : course->argument;
    uint32_t place;
    double number;
    if (course->broken || !changed) {
        return;
    }
    bool other =
        (changed & (changed - 1)) || !savings_changed_number(track->kept ? &track->kept[argument] : &none,
                                                             &call->variants[argument], &number, &place);
    course->broken = other || (course->points && (argument != course->argument || place != course->place));
    if (!course->broken) {
        course->argument = argument;
        course->place = place;
        steady_add(course, now, number);
    }
}

static void count_runs(const savings *all, called_method *of, argument_track *track, const godot_update *call,
                       double now)
{
    double at[3];
    for (unsigned i = 0; i < MIN(call->count, SAVINGS_ARGUMENTS); i++) {
        if (!savings_point_at(&call->variants[i], at)) {
            continue;
        }
        if (!track->runs) {
            track->runs = wmem_alloc0_array(all->pool, straight_course, SAVINGS_ARGUMENTS);
            g_ptr_array_add(of->runs, track->runs);
        }
        line_add(&track->runs[i], now, at);
    }
}

/* Numbers in the one container that has changed; of several arguments nothing is known. */
static void count_counting(argument_track *track, uint32_t changed, const godot_update *call, double now)
{
    const container_change several = {.news = godot_update_length(call)};
    bool one = changed && !(changed & (changed - 1)) && track->kept;
    const container_change *change = one ? &track->kept[__builtin_ctz(changed)].change : &several;
    savings_count_steps(&track->counting, change, !changed, now);
}

/* --- series -------------------------------------------------------------------------------------- */

/* Whether a value of the call is another one of the call before, as where a line begins and ends. */
static bool is_chained(const argument_track *before, const uint32_t hashes[SAVINGS_ARGUMENTS],
                       const godot_update *call, unsigned count)
{
    enum { LEAST = 8 /* bytes of a value */ };
    for (unsigned i = 0; i < MIN(count, before->count); i++) {
        for (unsigned k = 0; k < MIN(count, before->count); k++) {
            if (i != k && hashes[i] == before->hashes[k] && hashes[i] != before->hashes[i] &&
                call->variants[i].length >= LEAST) {
                return true;
            }
        }
    }
    return false;
}

static void count_next(called_argument *argument, kept_number *before, const godot_tap_variant *value)
{
    double number;
    bool known = savings_whole_at(value, &number);
    bool next = known && before->known && number == before->number + 1;
    argument->next += next;
    argument->counted += next || (known && before->known && number == 0);
    *before = (kept_number){known, number};
}

/* A text that somebody writes, sent with each key. */
static void count_draft(called_argument *argument, kept_text *before, const godot_tap_variant *value)
{
    variant_decoder decoder;
    variant_event event;
    variant_init(&decoder, value->bytes, value->length, value->options);
    if (!variant_next(&decoder, &event) || event.kind != VARIANT_VALUE || event.type != VARIANT_STRING) {
        return;
    }
    const uint8_t *text = value->bytes + event.data_offset;
    kept_text now = {.length = event.data_length};
    for (uint32_t i = 0; i <= DRAFT_LETTERS; i++) {
        now.hashes[i] = wmem_strong_hash(text, now.length - MIN(i, now.length));
    }
    uint32_t more = now.length - before->length, less = before->length - now.length;
    argument->drafts += (before->length && more <= DRAFT_LETTERS && now.hashes[more] == before->hashes[0]) ||
                        (now.length && less <= DRAFT_LETTERS && before->hashes[less] == now.hashes[0]);
    *before = now;
}

/* --- all of it ----------------------------------------------------------------------------------- */

static argument_track *track_at(savings *all, called_method *of, argument_track **track,
                                const argument_track *before)
{
    if (!*track) {
        *track = wmem_new0(all->pool, argument_track);
        (*track)->kept = of->whole ? before ? before->kept : NULL
                                   : wmem_alloc0_array(all->pool, kept_container, SAVINGS_ARGUMENTS);
        (*track)->course = wmem_new0(all->pool, steady_course);
        g_ptr_array_add(of->courses, (*track)->course);
        g_ptr_array_add(of->countings, &(*track)->counting);
    }
    return *track;
}

/* Returns whether the argument has changed since the call before, which the track has. */
static bool count_argument(savings *all, called_method *of, argument_track *track,
                           const godot_tap_variant *value, unsigned index, uint32_t hash)
{
    called_argument *argument = &of->arguments[index];
    bool first = track->count == 0, same = !first && track->hashes[index] == hash;
    double at[3];
    argument->updates++;
    argument->unchanged += same;
    savings_add(all, &argument->dropped, value->length, false);
    savings_count_vector(&argument->parts, &argument->first, at, savings_vector_at(value, at));
    track->has_changed |= (uint32_t)(!first && !same) << index;
    derived_compare(&argument->derived, value, index, derived_candidates(&argument->derived, index),
                    track->has_changed);
    if (!first && !same) {
        argument->changes++;
    }
    if (!same && !value->raw) {
        count_next(argument, &track->numbers[index], value);
        count_draft(argument, &track->texts[index], value);
    }
    if (!of->whole) {
        all->kept_bytes += fixed_bytes_add(&argument->fixed, all->pool, value, MAX_KEPT - all->kept_bytes);
        savings_compare(all, &argument->containers, &track->kept[index], value, same,
                        track->course->broken ? CONTAINER_LEAST : CONTAINER_SMALL);
    }
    return !first && !same;
}

/* `changed`: bits of the arguments that have, in a call. */
static void note_changed(const savings *all, uint64_t **calls, uint32_t changed)
{
    if (changed && !*calls) {
        *calls = wmem_alloc0_array(all->pool, uint64_t, 1u << SAVINGS_ARGUMENTS);
    }
    if (changed) {
        (*calls)[changed]++;
    }
}

uint32_t savings_count_arguments(savings *all, called_method *of, argument_track **tracks,
                                 const argument_track *before, const godot_update *call)
{
    bool first = !*tracks;
    argument_track *track = track_at(all, of, tracks, before);
    unsigned count = MIN(call->count, SAVINGS_ARGUMENTS);
    uint32_t changed = 0, hashes[SAVINGS_ARGUMENTS];
    bool more = call->count > SAVINGS_ARGUMENTS || (!first && track->count != call->count);
    for (unsigned i = 0; i < count; i++) {
        hashes[i] = godot_value_hash(call, i);
        bool differs = count_argument(all, of, track, &call->variants[i], i, hashes[i]);
        changed |= (uint32_t)differs << i;
    }
    of->chained += is_chained(track, hashes, call, count);
    memcpy(track->hashes, hashes, count * sizeof *hashes);
    track->count = call->count;
    note_changed(all, &of->changed_in, changed);
    steady_course *course = track->course;
    course->broken |= more;
    count_course(track, changed, call, all->now);
    count_counting(track, changed, call, all->now);
    count_runs(all, of, track, call, all->now);
    return course->broken || !course->points ? 0 : hashes[course->argument];
}

void savings_compare_about(savings *all, called_method *of, about_track **tracks, const godot_update *call)
{
    about_track *track = *tracks ? *tracks : wmem_new0(all->pool, about_track);
    unsigned count = MIN(call->count, SAVINGS_ARGUMENTS);
    uint32_t changed = 0;
    for (uint32_t i = 1; i < count; i++) {
        const godot_tap_variant *value = &call->variants[i];
        called_argument *argument = &of->arguments[i];
        uint32_t hash = godot_value_hash(call, i);
        bool same = i < track->count && track->hashes[i] == hash;
        track->hashes[i] = hash;
        argument->unchanged_of += same;
        changed |= (uint32_t)!same << i; /* the first call has to tell it as well */
        if (!of->whole && is_compared_container(value, CONTAINER_LEAST)) {
            track->kept =
                track->kept ? track->kept : wmem_alloc0_array(all->pool, kept_container, SAVINGS_ARGUMENTS);
            argument->about.about = true;
            savings_compare(all, &argument->about, &track->kept[i], value, same, CONTAINER_LEAST);
        }
    }
    note_changed(all, &of->changed_of, changed);
    track->count = count;
    *tracks = track;
}

double savings_argument_bytes(const called_method *of)
{
    double bytes = 0;
    for (unsigned i = 0; i < SAVINGS_ARGUMENTS; i++) {
        bytes += of->arguments[i].dropped.bytes;
    }
    return bytes;
}

/* --- rows ---------------------------------------------------------------------------------------- */

bool savings_takes_turns(const called_method *of)
{
    return (double)of->turns >= OFTEN_TURNS * (double)of->steps;
}

static uint64_t unchanged_in(const called_method *of, const called_argument *one)
{
    return savings_takes_turns(of) ? one->unchanged_of : one->unchanged;
}

static bool is_seldom_changed(const called_method *of, const called_argument *one)
{
    return one->updates >= SAVINGS_LEAST &&
           (double)unchanged_in(of, one) >= SAVINGS_SELDOM * (double)one->updates;
}

/* Calls in which any of these arguments, bits, has changed. */
static uint64_t calls_with_change(const called_method *of, uint32_t arguments)
{
    const uint64_t *changed_in = savings_takes_turns(of) ? of->changed_of : of->changed_in;
    uint64_t calls = 0;
    for (uint32_t changed = 0; changed_in && changed < 1u << SAVINGS_ARGUMENTS; changed++) {
        calls += changed & arguments ? changed_in[changed] : 0;
    }
    return calls;
}

/* Arguments that change seldom, beside others that do not: each of their calls has all of them. */
static void advise_apart(const savings *all, GPtrArray *rows, const called_method *of)
{
    GString *names = g_string_new(NULL);
    uint64_t updates = 0, unchanged = 0;
    uint32_t bits = 0;
    unsigned seldom = 0, used = 0;
    double saved = 0;
    const saved_bytes *evidence = NULL;
    bool turns = savings_takes_turns(of); /* then that call has the first argument as well */
    for (unsigned i = 0; i < SAVINGS_ARGUMENTS; i++) {
        const called_argument *one = &of->arguments[i];
        used += one->updates > 0 && !(turns && i == 0);
        if (is_seldom_changed(of, one)) {
            g_string_append_printf(names, "%s%u", seldom++ ? ", " : "", i + 1);
            bits |= 1u << i;
            updates += one->updates;
            unchanged += unchanged_in(of, one);
            saved += one->dropped.bytes;
            evidence = &one->dropped;
        }
    }
    char *arguments = g_strdup_printf(", %s %s", seldom == 1 ? "argument" : "arguments", names->str);
    uint64_t changes = calls_with_change(of, bits);
    double first = turns ? ratio(of->arguments[0].dropped.bytes, (double)of->calls) : 0;
    if (seldom && seldom < used) {
        savings_row found = {
            .bytes = saved * (1 - ratio((double)changes, (double)of->calls)) -
                     savings_call_cost(all, (double)changes, (double)changes) - (double)changes * first,
            .what = g_strdup("A reliable call of their own for arguments that seldom change, when they do"),
            .where = savings_method_text(of, arguments),
            .why = g_strdup_printf("%.1f %% of %" PRIu64 " had the value of the call before%s to the same "
                                   "receiver; %" PRIu64 " calls for the others are subtracted",
                                   100 * ratio((double)unchanged, (double)updates), updates,
                                   turns ? " with the same first argument" : "", changes),
            .but = of->reliable == of->calls
                       ? "Who joins later needs that call, too" /* reliable calls keep their order */
                       : "Who joins later needs that call, too; it can come before or after the others",
            .evidence = evidence};
        savings_add_row(all, rows, found);
    }
    g_free(arguments);
    g_string_free(names, TRUE);
}

void savings_advise_containers(const savings *all, GPtrArray *rows, const called_method *of, uint64_t omitted)
{
    bool reliable = savings_is_reliable(of);
    static const char *const what[][2] = {
        {"Only what has changed of it, as places and values, and \"reliable\"",
         "Only what has changed of it, as places and values, not all of it"},
        {"Only what it has got and lost at its ends, and \"reliable\"",
         "Only what it has got and lost at its ends, not all of it"}};
    for (unsigned i = 0; i < SAVINGS_ARGUMENTS; i++) {
        const called_argument *one = &of->arguments[i];
        const compared_containers *compared = savings_takes_turns(of) ? &one->about : &one->containers;
        if ((!omitted && is_seldom_changed(of, one)) || (of->is_packets && compared->raw)) {
            continue; /* a call of its own; packets of several kinds */
        }
        char *argument = g_strdup_printf(", argument %u", i + 1);
        bool moves = (double)compared->moved >= OFTEN_MOVED * (double)compared->count;
        double acknowledgements =
            reliable ? 0 : (double)(of->calls - omitted) * savings_acknowledgement_cost(all);
        savings_row found = {.bytes = compared->differences.bytes - acknowledgements,
                             .what = g_strdup(what[moves][reliable]),
                             .where = savings_method_text(of, argument)};
        savings_advise_differences(all, rows, compared, found, reliable ? NULL : "Acknowledgements");
        g_free(argument);
    }
}

bool savings_tells_pieces(const called_method *of)
{
    const called_method *whole = of->whole ? of->whole : of;
    for (unsigned i = 0; i < SAVINGS_ARGUMENTS; i++) {
        const called_argument *one = &whole->arguments[i];
        const compared_containers *compared = savings_takes_turns(whole) ? &one->about : &one->containers;
        bool most = 2 * one->dropped.bytes >= savings_argument_bytes(whole);
        if (most && compared->count >= SAVINGS_LEAST && 2 * compared->plain >= compared->bytes &&
            (double)compared->common <= NOTHING_COMMON * (double)compared->plain) {
            return true;
        }
    }
    return false;
}

/* Whether anybody sees it before it is complete is not on the wire. */
static void advise_draft(const savings *all, GPtrArray *rows, const called_method *of, unsigned number)
{
    const called_argument *one = &of->arguments[number];
    if (one->drafts < SAVINGS_LEAST || (double)one->drafts < SAVINGS_SELDOM * (double)one->changes) {
        return;
    }
    char *argument = g_strdup_printf(", argument %u", number + 1);
    savings_row found = {
        .bytes = of->all.bytes * ratio((double)one->drafts, (double)of->calls),
        .what =
            g_strdup("The text once it is complete, and before that only that it is written: does anybody "
                     "read it before?"),
        .where = savings_method_text(of, argument),
        .why =
            g_strdup_printf("%" PRIu64 " of %" PRIu64 " texts are the one before to the same receiver with a "
                            "few letters more or less at the end",
                            one->drafts, one->updates),
        .evidence = &of->all,
        .question = true};
    savings_add_row(all, rows, found);
    g_free(argument);
}

/* A buffer of which only a part is used. */
static void advise_fixed(const savings *all, GPtrArray *rows, const called_method *of, unsigned number)
{
    enum { LEAST_FIXED = 16 /* bytes */ };
    const called_argument *one = &of->arguments[number];
    const fixed_bytes *fixed = &(of->whole ? of->whole : of)->arguments[number].fixed;
    const fixed_count same = fixed_bytes_count(fixed);
    if (fixed->count < SAVINGS_LEAST || same.bytes < LEAST_FIXED || same.bytes == fixed->length) {
        return;
    }
    char *argument = g_strdup_printf(", argument %u", number + 1);
    double length = fixed->length + (of->is_packets ? 0 : PACKED_HEAD);
    savings_row found = {
        .bytes = one->dropped.bytes * same.bytes / length,
        .what = g_strdup_printf("Without the bytes that are always the same: %u of %u", same.bytes,
                                fixed->length),
        .where = savings_method_text(of, of->is_packets ? "" : argument),
        .why = g_strdup_printf("True of all %u in the capture; the longest run is that of bytes %u to %u",
                               fixed->count, same.begin, same.end - 1),
        .but = "Both ends have to agree on what is left out",
        .evidence = &one->dropped};
    savings_add_row(all, rows, found);
    g_free(argument);
}

void savings_advise_arguments(const savings *all, GPtrArray *rows, const called_method *of)
{
    advise_apart(all, rows, of);
    savings_advise_related_arguments(all, rows, of);
    if (!of->whole) { /* else it was said of all calls */
        savings_advise_containers(all, rows, of, 0);
    }
    for (unsigned i = 0; i < SAVINGS_ARGUMENTS; i++) {
        advise_draft(all, rows, of, i);
        advise_fixed(all, rows, of, i);
        char *argument = g_strdup_printf(", argument %u", i + 1);
        savings_advise_vector(all, rows, &of->arguments[i].parts, &of->arguments[i].dropped,
                              savings_method_text(of, argument), NULL);
        g_free(argument);
    }
}

/* Numbers in a container that go on by themselves, as seconds that are left, beside others. */
static void advise_counting(const savings *all, GPtrArray *rows, const called_method *of)
{
    uint64_t steps = 0, rests = 0, told = 0;
    for (unsigned i = 0; i < of->countings->len; i++) {
        const counting_course *one = of->countings->pdata[i];
        bool steady = steady_slope(&one->course, LINE_POINTS) != 0;
        steps += steady ? one->steps : 0;
        rests += steady ? one->rests : 0;
        told += steady ? one->told : 0;
    }
    uint64_t left = of->calls - steps - rests;
    if (steps < SAVINGS_LEAST || (double)steps < (1 - SAVINGS_SELDOM) * (double)of->calls ||
        (double)left > (1 - MOSTLY_STEPS) * (double)of->calls) {
        return;
    }
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->all) -
                 savings_call_cost(all, (double)left, (double)left) - (double)told,
        .what = g_strdup("A reliable call with what comes or goes in it: each peer can count by itself"),
        .where = savings_method_text(of, ""),
        .why = g_strdup_printf("In %" PRIu64 " of %" PRIu64 " calls only numbers that change steadily have "
                               "changed, or nothing. The others are subtracted, without these",
                               steps + rests, of->calls),
        .but = "Who joins later needs all of it once; clocks run apart",
        .evidence = &of->all};
    savings_add_row(all, rows, found);
}

bool savings_advise_course(const savings *all, GPtrArray *rows, const called_method *of)
{
    const steady_course *first = of->courses->len ? of->courses->pdata[0] : NULL;
    double slope = first ? steady_slope(first, SAVINGS_LEAST) : 0;
    for (unsigned i = 0; i < of->courses->len; i++) {
        const steady_course *one = of->courses->pdata[i];
        if (steady_slope(one, SAVINGS_LEAST) == 0 || one->argument != first->argument ||
            one->place != first->place) {
            advise_counting(all, rows, of);
            return false;
        }
    }
    if (slope == 0) {
        return false;
    }
    char *argument = g_strdup_printf(", argument %u", first->argument + 1);
    savings_row found = {
        .bytes =
            savings_with_acknowledgements(all, &of->all) * (1 - ratio(of->courses->len, (double)of->calls)),
        .what = g_strdup("Call it once, and again when its pace changes: receivers can count"),
        .where = savings_method_text(of, argument),
        .why = g_strdup_printf("%s changes by %.4g a second, steadily, and nothing else does",
                               first->place ? "A number in it" : "It", slope),
        .but = "Who joins later needs a call; clocks run apart, so repeat it now and then",
        .evidence = &of->all};
    savings_add_row(all, rows, found);
    g_free(argument);
    return true;
}
