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

/* Bytes of containers that are worth a comparison, and that are kept for it: of one, of all. */
enum { LEAST_CONTAINER = 64, MOST_CONTAINER = 65536 };
#define MAX_KEPT (4u << 20)
/* Bytes of a container without its elements, of two Arrays, with places and values; of a place. */
enum { CONTAINER_HEAD = 8, TWO_ARRAYS = 16, PLACE = 8 };
/* Bytes of a message in a fragment, with ENet's MTU; of the command of a fragment. */
enum { FRAGMENT = 1372, FRAGMENT_HEAD = 24 };
/* Elements that may be missing at the front of an array, at most. */
enum { MOST_REMOVED = 64 };
/* Depth of containers that are compared. */
enum { MAX_DEPTH = 8 };
/* Share of a container's bytes that may change. */
#define LITTLE 0.25
/* A call of its own: kind, ids of node and method, number of arguments. */
enum { CALL_HEAD = 8 + 4 };
/* Least share of a number's variance that a line explains. */
#define STEADY 0.999

struct argument_track {
    uint32_t count; /* of arguments, in the call before */
    uint32_t hashes[SAVINGS_ARGUMENTS];
    uint8_t *bytes[SAVINGS_ARGUMENTS]; /* of containers; NULL: not kept */
    uint32_t lengths[SAVINGS_ARGUMENTS], room[SAVINGS_ARGUMENTS];
    steady_course *course;
};

/* --- containers ---------------------------------------------------------------------------------- */

/* Arrays, packed ones, dictionaries and texts of Godot 4, whose elements are at multiples of four bytes. */
static bool is_container(const called_method *of, const godot_tap_variant *value)
{
    variant_decoder decoder;
    variant_event event;
    if (value->length < LEAST_CONTAINER || value->length > MOST_CONTAINER ||
        value->options.dialect != VARIANT_GODOT4) {
        return false;
    }
    if (value->raw) {
        return !of->is_packets;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    return variant_next(&decoder, &event) &&
           (event.kind == VARIANT_BEGIN || event.type >= VARIANT_PACKED_BYTE_ARRAY ||
            event.type == VARIANT_STRING);
}

/* Bytes of a packed array that differ from `before`, and, in `*sent`, those of their places and values. */
static uint32_t packed_differences(const uint8_t *before, const uint8_t *now, uint32_t length, uint32_t *sent)
{
    uint32_t differing = 0;
    bool run = false;
    *sent = 0;
    for (uint32_t at = 0; at < length; at += 4) {
        uint32_t word = MIN(4, length - at);
        bool differs = memcmp(before + at, now + at, word) != 0;
        *sent += differs ? word + (run ? 0 : PLACE) : 0;
        differing += differs ? word : 0;
        run = differs;
    }
    return differing;
}

/* A container on the way to what is read. */
typedef struct {
    uint32_t key; /* bytes of its place in the one above: a key, or a number */
    bool sent;    /* something in it is */
} open_container;

typedef struct {
    open_container open[MAX_DEPTH];
    uint32_t key;             /* bytes of the place of the value that comes next */
    uint32_t differing, sent; /* bytes */
    bool other;               /* keys: nothing can be compared */
} comparison;

/* The containers above it come with their places, once. */
static void send_above(comparison *all, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++) {
        all->sent += all->open[i].sent ? 0 : CONTAINER_HEAD + all->open[i].key;
        all->open[i].sent = true;
    }
}

static void compare_value(comparison *all, const uint8_t *before, const uint8_t *now,
                          const variant_event *event)
{
    uint32_t sent = event->length, differing = event->length;
    if (memcmp(before + event->offset, now + event->offset, event->length) == 0) {
        return;
    }
    if (event->type >= VARIANT_PACKED_BYTE_ARRAY) {
        differing = packed_differences(before + event->offset, now + event->offset, event->length, &sent);
        sent += TWO_ARRAYS;
    }
    send_above(all, event->depth);
    all->sent += all->key + sent;
    all->differing += differing;
}

/* Bytes that a container of the same length differs in, `*differing`, and, returned, those of one that has
 * only these. */
static uint32_t differences(const uint8_t *before, const godot_tap_variant *now, uint32_t *differing)
{
    comparison all = {0};
    variant_decoder decoder;
    variant_event event;
    if (now->raw) {
        *differing = packed_differences(before, now->bytes, now->length, &all.sent);
        return all.sent + TWO_ARRAYS;
    }
    variant_init(&decoder, now->bytes, now->length, now->options);
    while (!all.other && variant_next(&decoder, &event)) {
        all.other = event.kind == VARIANT_FINDING || event.depth >= MAX_DEPTH;
        if (all.other || event.kind == VARIANT_END) {
            continue;
        }
        if (event.role == VARIANT_KEY) {
            all.other = event.kind != VARIANT_VALUE ||
                        memcmp(before + event.offset, now->bytes + event.offset, event.length) != 0;
            all.key = event.length;
            continue;
        }
        all.key = event.role == VARIANT_ELEMENT ? PLACE : event.depth ? all.key : 0;
        if (event.kind == VARIANT_BEGIN) {
            all.open[event.depth] = (open_container){all.key, false};
        } else {
            compare_value(&all, before, now->bytes, &event);
        }
    }
    *differing = all.other ? now->length : all.differing;
    return all.other ? now->length : all.sent;
}

/* Where the first elements of an array begin; returns how many these are. Not of packed texts, whose lengths
 * differ. */
static uint32_t places_of(const uint8_t *bytes, uint32_t length, variant_options options,
                          uint32_t places[MOST_REMOVED])
{
    enum { WORD = 4 };
    variant_decoder decoder;
    variant_event event;
    uint32_t count = 0;
    variant_init(&decoder, bytes, length, options);
    if (!variant_next(&decoder, &event)) {
        return 0;
    }
    bool packed = event.kind == VARIANT_VALUE && event.type != VARIANT_PACKED_STRING_ARRAY && event.count;
    uint32_t size = packed ? (event.length - CONTAINER_HEAD) / event.count : 0;
    for (; size >= WORD && count < MIN(MOST_REMOVED, event.count); count++) {
        places[count] = CONTAINER_HEAD + count * size;
    }
    bool array = event.kind == VARIANT_BEGIN && event.type == VARIANT_ARRAY;
    while (array && count < MOST_REMOVED && variant_next(&decoder, &event)) {
        if (event.depth == 1 && event.kind != VARIANT_END && event.kind != VARIANT_FINDING) {
            places[count++] = event.offset;
        }
    }
    return count;
}

/* The same for an array that has lost some of its first elements, or the last ones, or has got more. */
static uint32_t moved(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                      uint32_t *differing)
{
    enum { HEAD = 4, REMOVED = 2 /* a number */ };
    uint32_t places[MOST_REMOVED], count = now->raw ? 0 : places_of(before, length, now->options, places);
    bool same_type = count && memcmp(before, now->bytes, HEAD) == 0;
    for (uint32_t i = 0; same_type && i < count; i++) {
        uint32_t kept = length - places[i], end = places[0] + kept;
        if (end <= now->length && memcmp(before + places[i], now->bytes + places[0], kept) == 0) {
            *differing = now->length - end;
            return *differing + (i ? REMOVED : 0);
        }
    }
    bool shorter = same_type && now->length < length && now->length > places[0];
    if (shorter && memcmp(before + places[0], now->bytes + places[0], now->length - places[0]) == 0) {
        *differing = 0;
        return REMOVED;
    }
    return now->length;
}

/* A text, or bytes; NULL: another value. */
static const uint8_t *plain_bytes(const uint8_t *bytes, uint32_t length, bool raw, variant_options options,
                                  uint32_t *count)
{
    variant_decoder decoder;
    variant_event event;
    if (raw) {
        *count = length;
        return bytes;
    }
    variant_init(&decoder, bytes, length, options);
    bool plain = variant_next(&decoder, &event) &&
                 (event.type == VARIANT_STRING || event.type == VARIANT_PACKED_BYTE_ARRAY);
    *count = plain ? event.data_length : 0;
    return plain ? bytes + event.data_offset : NULL;
}

/* The same for a text, or bytes. */
static uint32_t written_on(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                           uint32_t *differing)
{
    enum { BEGINNING = 8, HEAD = 8 };
    uint32_t old_count, count;
    const uint8_t *old = plain_bytes(before, length, now->raw, now->options, &old_count);
    const uint8_t *text = plain_bytes(now->bytes, now->length, now->raw, now->options, &count);
    const uint8_t *end = old + old_count;
    for (int i = 0; old && text && count >= BEGINNING && i < MOST_REMOVED; i++) {
        old = ws_memmem(old, (size_t)(end - old), text, BEGINNING);
        uint32_t kept = old ? (uint32_t)(end - old) : 0;
        if (kept && kept <= count && memcmp(old, text, kept) == 0) {
            *differing = count - kept;
            return MIN(now->length, HEAD + (*differing + 3) / 4 * 4);
        }
        old = old ? old + 1 : NULL;
    }
    return now->length;
}

static void keep(savings *all, argument_track *track, unsigned i, const godot_tap_variant *value)
{
    bool fits = track->room[i] >= value->length;
    if (!fits && all->kept_bytes + value->length <= MAX_KEPT) {
        all->kept_bytes += value->length;
        track->bytes[i] = wmem_alloc(all->pool, value->length);
        track->room[i] = value->length;
        fits = true;
    }
    track->lengths[i] = fits ? value->length : 0;
    if (fits) {
        memcpy(track->bytes[i], value->bytes, value->length);
    }
}

static void compare(savings *all, called_argument *of, const argument_track *track, unsigned i,
                    const godot_tap_variant *value)
{
    uint32_t differing = value->length, bytes = value->length;
    if (track->lengths[i] == value->length) {
        bytes = differences(track->bytes[i], value, &differing);
    }
    if (differing > LITTLE * value->length && track->lengths[i]) {
        bytes = MIN(bytes, moved(track->bytes[i], track->lengths[i], value, &differing));
        bytes = MIN(bytes, written_on(track->bytes[i], track->lengths[i], value, &differing));
    }
    of->compared++;
    of->fragments += value->length / FRAGMENT - MIN(bytes, value->length) / FRAGMENT;
    of->compared_bytes += value->length;
    of->differing += differing;
    savings_add(all, &of->differences, value->length - MIN(bytes, value->length), false);
}

/* --- numbers ------------------------------------------------------------------------------------- */

static void add_point(steady_course *course, double time, double number)
{
    if (!course->points++) {
        course->time = time;
        course->number = number;
    } else if (course->points == 2) {
        course->step = number - course->latest;
    } else {
        course->uneven |= number - course->latest != course->step;
    }
    course->latest = number;
    double t = time - course->time, v = number - course->number;
    course->t += t;
    course->v += v;
    course->tt += t * t;
    course->tv += t * v;
    course->vv += v * v;
}

/* `changed`: bits of the arguments that have. */
static void count_course(steady_course *course, uint32_t changed, const godot_update *call, double now)
{
    unsigned argument = changed ? (unsigned)__builtin_ctz(changed) : course->argument;
    double number = 0;
    bool same = !course->points || argument == course->argument;
    if (course->broken || !changed) {
        return;
    }
    course->broken =
        (changed & (changed - 1)) || !same || !savings_number_at(&call->variants[argument], &number);
    if (!course->broken) {
        course->argument = argument;
        add_point(course, now, number);
    }
}

/* Change of the number a second, 0 if that is not steady. What always goes on by the same step counts calls,
 * as the number of a tick, or of what is asked for. */
static double slope_of(const steady_course *course)
{
    double n = course->points, t = course->tt - course->t * course->t / n;
    double v = course->vv - course->v * course->v / n, tv = course->tv - course->t * course->v / n;
    bool steady = !course->broken && course->uneven && n >= SAVINGS_LEAST && t > 0 && v > 0 &&
                  tv * tv >= STEADY * t * v;
    return steady ? tv / t : 0;
}

/* --- all of it ----------------------------------------------------------------------------------- */

static argument_track *track_at(savings *all, called_method *of, argument_track **track)
{
    if (!*track) {
        *track = wmem_new0(all->pool, argument_track);
        (*track)->course = wmem_new0(all->pool, steady_course);
        g_ptr_array_add(of->courses, (*track)->course);
    }
    return *track;
}

void savings_count_arguments(savings *all, called_method *of, argument_track **tracks,
                             const godot_update *call, double now)
{
    bool first = !*tracks;
    argument_track *track = track_at(all, of, tracks);
    unsigned count = MIN(call->count, SAVINGS_ARGUMENTS);
    uint32_t changed = 0;
    double at[3];
    bool more = call->count > SAVINGS_ARGUMENTS || (!first && track->count != call->count);
    for (unsigned i = 0; i < count; i++) {
        const godot_tap_variant *value = &call->variants[i];
        called_argument *argument = &of->arguments[i];
        uint32_t hash = godot_value_hash(value);
        bool same = !first && track->hashes[i] == hash, container = is_container(of, value);
        argument->updates++;
        argument->unchanged += same;
        savings_add(all, &argument->dropped, value->length, false);
        savings_count_vector(&argument->parts, at, savings_vector_at(value, at));
        if (!first && !same) {
            argument->changes++;
            argument->changed_bytes += value->length;
            changed |= 1u << i;
        }
        if (container && !first) {
            compare(all, argument, track, i, value);
        }
        if (container && !same) {
            keep(all, track, i, value);
        }
        track->hashes[i] = hash;
    }
    track->count = call->count;
    track->course->broken |= more;
    count_course(track->course, changed, call, now);
}

/* --- rows ---------------------------------------------------------------------------------------- */

static bool is_seldom_changed(const called_argument *one)
{
    return one->updates >= SAVINGS_LEAST && (double)one->unchanged >= SAVINGS_SELDOM * (double)one->updates;
}

/* Arguments that change seldom, beside others that do not. */
static void advise_apart(const savings *all, GPtrArray *rows, const called_method *of)
{
    GString *names = g_string_new(NULL);
    uint64_t changes = 0, updates = 0, unchanged = 0;
    unsigned seldom = 0, used = 0;
    double saved = 0;
    const saved_bytes *evidence = NULL;
    for (unsigned i = 0; i < SAVINGS_ARGUMENTS; i++) {
        const called_argument *one = &of->arguments[i];
        used += one->updates > 0;
        if (is_seldom_changed(one)) {
            g_string_append_printf(names, "%s%u", seldom++ ? ", " : "", i + 1);
            changes = MAX(changes, one->changes);
            updates += one->updates;
            unchanged += one->unchanged;
            saved += one->dropped.bytes - (double)one->changed_bytes;
            evidence = &one->dropped;
        }
    }
    double headers = ratio((double)all->header_bytes, (double)all->frames);
    char *arguments = g_strdup_printf(", %s %s", seldom == 1 ? "argument" : "arguments", names->str);
    if (seldom && seldom < used) {
        savings_row found = {
            .bytes = saved - (double)changes * (CALL_HEAD + headers + savings_acknowledgement_cost(all)),
            .what = g_strdup("A reliable call of their own for arguments that seldom change, when they do"),
            .where = savings_method_text(of, arguments),
            .why = g_strdup_printf("%.1f %% of %" PRIu64 " had the value of the call before to the same "
                                   "receiver; %" PRIu64 " calls for the others are subtracted",
                                   100 * ratio((double)unchanged, (double)updates), updates, changes),
            .but = "Who joins later needs that call, too; it can come before or after the others",
            .evidence = evidence};
        savings_add_row(all, rows, found);
    }
    g_free(arguments);
    g_string_free(names, TRUE);
}

static void advise_differences(const savings *all, GPtrArray *rows, const called_method *of, unsigned number)
{
    const called_argument *one = &of->arguments[number];
    bool little = (double)one->differing <= LITTLE * (double)one->compared_bytes;
    bool reliable = of->reliable + of->unknown_mode == of->calls;
    if (one->compared < SAVINGS_LEAST || !little || is_seldom_changed(one)) {
        return;
    }
    char *argument = g_strdup_printf(", argument %u", number + 1);
    double fragment = FRAGMENT_HEAD + ratio((double)all->header_bytes, (double)all->frames) +
                      (reliable ? savings_acknowledgement_cost(all) : 0);
    savings_row found = {
        .bytes = one->differences.bytes + fragment * (double)one->fragments -
                 (reliable ? 0 : (double)one->updates * savings_acknowledgement_cost(all)),
        .what = g_strdup(reliable ? "Only what has changed of it, as places and values, not all of it"
                                  : "Only what has changed of it, as places and values, and \"reliable\""),
        .where = savings_method_text(of, argument),
        .why = g_strdup_printf("%.1f %% of its bytes were those of the call before to the same receiver%s",
                               100 - 100 * ratio((double)one->differing, (double)one->compared_bytes),
                               reliable ? "" : ". Acknowledgements are subtracted"),
        .but = reliable ? "Who joins later needs all of it once"
                        : "Who joins later needs all of it once; a lost one holds up those after it",
        .evidence = &one->differences};
    savings_add_row(all, rows, found);
    g_free(argument);
}

void savings_advise_arguments(const savings *all, GPtrArray *rows, const called_method *of)
{
    advise_apart(all, rows, of);
    for (unsigned i = 0; i < SAVINGS_ARGUMENTS; i++) {
        char *argument = g_strdup_printf(", argument %u", i + 1);
        advise_differences(all, rows, of, i);
        savings_advise_vector(all, rows, &of->arguments[i].parts, &of->arguments[i].dropped,
                              savings_method_text(of, argument));
        g_free(argument);
    }
}

bool savings_advise_course(const savings *all, GPtrArray *rows, const called_method *of)
{
    const steady_course *first = of->courses->len ? of->courses->pdata[0] : NULL;
    double slope = first ? slope_of(first) : 0;
    for (unsigned i = 0; i < of->courses->len; i++) {
        const steady_course *one = of->courses->pdata[i];
        if (slope_of(one) == 0 || one->argument != first->argument) {
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
        .why = g_strdup_printf("It changes by %.4g a second, steadily, and nothing else does", slope),
        .but = "Who joins later needs a call; clocks run apart, so repeat it now and then",
        .evidence = &of->all};
    savings_add_row(all, rows, found);
    g_free(argument);
    return true;
}
