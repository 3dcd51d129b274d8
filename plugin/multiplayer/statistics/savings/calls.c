/* calls.c
 *
 * Counts calls of remote methods: who accepts them, how often they come, and what comes with them; see
 * savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/savings/savings.h"

#include "multiplayer/statistics/values/key.h"
#include "statistics/report.h"

/* What calls are about, of all methods. */
#define MAX_KEYED 20000u
/* Bytes of arguments from which it is worth while to keep them. */
#define LARGE_CALL 200u
/* Seconds without a call after which calls are no longer made by the same clock: always, and if they are
 * LONG_STEP times the usual step of at least USUAL_STEPS. */
#define CALL_PAUSE  0.25
#define SHORT_PAUSE 0.1
enum { LONG_STEP = 6, USUAL_STEPS = 4 };
/* Unchanged calls, one after the other, after which what they tell rests. */
enum { RESTS = 8 };
/* Seconds in which calls are counted. */
#define WINDOW_SECONDS 0.5
/* Calls of a method from which it is known whether many repeat the one before. */
#define SURE_CALLS 1000u

/* Arguments that are compared, and calls of a frame in which they are. */
enum { KEY_ARGUMENTS = 4, KEY_CALLS = 8 };
/* Calls in a frame that late ticks of a clock can be, each time. */
enum { CROWD = 3 };

/* Calls of a method of a node by one peer to one other; godot_track.own. */
typedef struct {
    double window;   /* when the current one began */
    uint32_t here;   /* calls in it */
    uint32_t before; /* in the window before, which ended where this one began; UINT32_MAX: there is none */
    /* Hashes of arguments that can be keys, of the calls in this frame and in the latest one with several. 0:
     * an argument of another type. */
    uint32_t now[KEY_CALLS][KEY_ARGUMENTS], earlier[KEY_CALLS][KEY_ARGUMENTS];
    uint8_t now_count, earlier_count;
    uint32_t about;   /* hash of the first argument of the call before, if that can be a key */
    uint32_t rests;   /* calls with the same arguments, one after the other */
    bool has_changed; /* the call before had other arguments than the one before it */
    same_frame frame;
    argument_track *arguments;
    godot_track *left, *left_of; /* of those of called_method.left, left_of */
} call_track;

void savings_calls_begin(savings *all)
{
    all->methods = report_list(all->pool);
    all->nodes = report_list(all->pool);
    all->callers = report_list(all->pool);
    all->keyed = wmem_map_new(all->pool, wmem_str_hash, g_str_equal);
    all->large = wmem_map_new(all->pool, wmem_str_hash, g_str_equal);
}

/* --- subjects ------------------------------------------------------------------------------------ */

/* A number of a method means the same for all nodes with the same methods. */
static void set_key_of_method(const savings *all, char kind, const godot_tap *tap, const godot_update *call)
{
    bool unnamed = *call->name == '#';
    godot_key_begin(all->key, kind);
    godot_key_number(all->key, call->kind);
    godot_key_text(all->key, call->name);
    godot_key_text(all->key, unnamed && tap->checksum ? tap->checksum : "");
    godot_key_text(all->key, unnamed && !tap->checksum ? call->node : "");
}

static called_method *method_at(savings *all, const godot_tap *tap, const godot_update *call)
{
    bool is_new;
    set_key_of_method(all, 'm', tap, call);
    called_method *one = savings_subject(all, all->methods, sizeof(called_method), &is_new);
    if (is_new) {
        one->name = wmem_strdup(all->pool, call->name);
        one->is_set = call->kind == GODOT_UPDATE_SET;
        one->source = one->is_set ? NULL : savings_source_of(all, tap, call->name);
        one->nodes = report_list(all->pool);
        one->courses = report_list(all->pool);
        one->countings = report_list(all->pool);
        one->runs = report_list(all->pool);
        one->ways = report_list(all->pool);
        one->is_packets = strcmp(call->name, SAVINGS_SEND_BYTES) == 0;
    }
    return one;
}

/* NULL: there are too many. */
static called_node *node_of(savings *all, called_method *method, const godot_tap *tap,
                            const godot_update *call)
{
    bool is_new;
    set_key_of_method(all, 'c', tap, call);
    godot_key_text(all->key, call->node);
    called_node *one = savings_subject(all, all->nodes, sizeof(called_node), &is_new);
    if (is_new) {
        one->node = wmem_strdup(all->pool, call->node);
        g_ptr_array_add(method->nodes, one);
    }
    method->more_nodes |= !one;
    return one;
}

/* --- receivers ----------------------------------------------------------------------------------- */

/* A packet that the server relays to one peer is for that peer. */
static int32_t receiver_of(const godot_tap *tap)
{
    return tap->to > 0 ? tap->to : tap->receiver;
}

static void count_receiver(savings *all, called_method *method, called_node *one, const godot_tap *tap)
{
    saved_bytes *const needless[] = {&one->needless, &method->needless};
    int32_t peer = receiver_of(tap);
    one->messages++;
    if (tap->problem) {
        one->refused++;
        for (size_t i = 0; i < array_length(needless); i++) {
            savings_add(all, needless[i], savings_command_length(tap), true);
            needless[i]->acknowledgements += tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
        }
    } else if (
        !tap->full_path) { /* else its node may be missing: at the end of a capture that is not judged */
        one->accepted++;
        one->taken_by_several |= one->taken_by && one->taken_by != peer;
        one->taken_by = one->taken_by ? one->taken_by : peer;
    }
}

/* Whether the call is for the peer that called a method of the same node before. */
static void count_answer(savings *all, called_node *one, const godot_tap *tap, const char *node)
{
    bool is_new;
    if (one->refused && !tap->problem) { /* else it does not matter to whom it is */
        godot_key_begin(all->key, 'q');
        godot_key_number(all->key, (uint64_t)tap->from);
        godot_key_text(all->key, node);
        const int32_t *caller = wmem_map_lookup(all->by_key, wmem_strbuf_get_str(all->key));
        one->answers += caller && *caller == receiver_of(tap);
    }
    if (tap->from <= 1) { /* clients do not answer the server with rpc() */
        return;
    }
    godot_key_begin(all->key, 'q');
    godot_key_number(all->key, (uint64_t)receiver_of(tap));
    godot_key_text(all->key, node);
    int32_t *asked = savings_subject(all, all->callers, sizeof(int32_t), &is_new);
    if (asked) {
        *asked = tap->from;
    }
}

/* --- pace ---------------------------------------------------------------------------------------- */

static void end_window(call_pace *pace, call_track *track)
{
    pace->windows++;
    pace->calls += track->here;
    if (track->before != UINT32_MAX) {
        double difference = (double)track->here - track->before;
        pace->pairs++;
        pace->squares += difference * difference;
    }
    track->before = track->here;
    track->here = 0;
}

/* `step`: seconds since the call before; a pause, of the first one. */
static void count_pace(call_pace *pace, call_track *track, double now, double step, bool of_client)
{
    double usual = ratio(now - step - track->window, track->here);
    if (step >= CALL_PAUSE || (track->here >= USUAL_STEPS && step >= MAX(SHORT_PAUSE, LONG_STEP * usual))) {
        pace->pauses += track->here || track->before != UINT32_MAX;
        track->window = now;
        track->before = UINT32_MAX;
        track->here = 0;
        return;
    }
    pace->steps++;
    pace->seconds += step;
    pace->client_steps += of_client;
    pace->client_seconds += of_client ? step : 0;
    if (now - track->window >= WINDOW_SECONDS) {
        end_window(pace, track);
        track->window += WINDOW_SECONDS;
    }
    track->here++;
}

/* Hash of an argument that can say which of several things a call is about; 0: it cannot. */
static uint32_t key_of(const godot_tap_variant *argument)
{
    variant_decoder decoder;
    variant_event event;
    if (argument->raw || argument->length > 256) {
        return 0;
    }
    variant_init(&decoder, argument->bytes, argument->length, argument->options);
    if (!variant_next(&decoder, &event) || event.kind != VARIANT_VALUE) {
        return 0;
    }
    switch (event.type) {
    case VARIANT_INT:
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
    case VARIANT_NODE_PATH:
    case VARIANT_OBJECT:
        return wmem_strong_hash(argument->bytes, argument->length) | 1;
    default:
        return 0;
    }
}

/* Whether an argument differs from the call before in this frame, and the latest frame with several calls had
 * the value as well: then these are about different things. */
static bool is_keyed(const call_track *track, const uint32_t keys[KEY_ARGUMENTS])
{
    for (unsigned i = 0; i < KEY_ARGUMENTS; i++) {
        bool differs = keys[i] && track->now_count && track->now[track->now_count - 1][i] != keys[i];
        for (unsigned k = 0; differs && k < track->earlier_count; k++) {
            if (track->earlier[k][i] == keys[i]) {
                return true;
            }
        }
    }
    return false;
}

static bool count_keys(call_track *track, const godot_update *call, bool together)
{
    uint32_t keys[KEY_ARGUMENTS] = {0};
    for (unsigned i = 0; i < MIN(call->count, KEY_ARGUMENTS); i++) {
        keys[i] = key_of(&call->variants[i]);
    }
    bool keyed = together && is_keyed(track, keys);
    if (!together) {
        if (track->now_count > 1) {
            memcpy(track->earlier, track->now, sizeof track->now);
            track->earlier_count = track->now_count;
        }
        track->now_count = 0;
    }
    if (track->now_count < KEY_CALLS) {
        memcpy(track->now[track->now_count++], keys, sizeof keys);
    }
    return keyed;
}

static void count_step(const savings *all, called_method *one, godot_track *track, const godot_tap *tap,
                       const godot_update *call)
{
    double now = all->now, step = MAX(0, now - track->last); /* merged files may go back in time */
    bool first = track->count == 0, together = !first && step < GODOT_BURST_SECONDS;
    if (!track->own) {
        track->own = wmem_new0(all->pool, call_track);
    }
    if (!first) {
        one->steps++;
        one->step_seconds += step;
        one->together += together;
    }
    count_pace(&one->pace, track->own, now, first ? CALL_PAUSE : step, tap->from > 1);
    if (one->together) { /* else there is nothing to compare with */
        one->keyed += count_keys(track->own, call, together);
        one->crowded += ((const call_track *)track->own)->now_count > CROWD;
    }
}

static void count_in_frame(savings *all, called_method *one, godot_track *track, const godot_tap *tap,
                           const godot_update *call)
{
    call_track *own = track->own = track->own ? track->own : wmem_new0(all->pool, call_track);
    own->frame.again = track->count && all->now - track->last < GODOT_BURST_SECONDS;
    if (own->frame.again) { /* also what the server passes on */
        savings_add(all, &one->overtaken, savings_command_length(tap), true);
    }
    savings_count_joined(all, one, &own->frame, tap, call);
}

/* --- calls about something ----------------------------------------------------------------------- */

/* The latest call about something, at one receiver. */
typedef struct {
    uint32_t hash;   /* of its arguments */
    uint32_t others; /* of those that are no vectors, if one is, or no float */
    double time;
    straight_course course;
    about_track *about;       /* NULL: there was no call */
    heading_before *headings; /* of each argument; NULL: there is no position */
} keyed_call;

/* NULL: there are too many. */
static keyed_call *keyed_call_of(const savings *all, called_method *one, const godot_track *track,
                                 uint32_t key)
{
    godot_key_begin(all->key, 'k');
    godot_key_number(all->key, (uint64_t)(uintptr_t)track);
    godot_key_number(all->key, key);
    const char *name = wmem_strbuf_get_str(all->key);
    keyed_call *found = wmem_map_lookup(all->keyed, name);
    if (!found && wmem_map_size(all->keyed) < MAX_KEYED) {
        found = wmem_new0(all->pool, keyed_call);
        wmem_map_insert(all->keyed, wmem_strdup(all->pool, name), found);
        g_ptr_array_add(one->ways, &found->course);
    }
    return found;
}

/* Notes the call. Returns whether the one before with the same first argument, as the number of a unit, had
 * the same arguments. */
static bool is_unchanged_of(savings *all, called_method *one, const godot_track *track,
                            const godot_update *call)
{
    double now = all->now;
    uint32_t key = call->count > 1 ? key_of(&call->variants[0]) : 0;
    keyed_call *latest = keyed_call_of(all, one, track, key);
    if (!latest) {
        return false;
    }
    uint32_t hash = godot_update_hash(call) | 1;
    bool same = latest->hash == hash, again = latest->hash != 0;
    call_track *own = track->own;
    if (again && own->about != key) {
        double step = MAX(0, now - latest->time);
        one->turns++;
        one->turn_steps += step < CALL_PAUSE;
        one->turn_seconds += step < CALL_PAUSE ? step : 0;
    }
    own->about = key;
    latest->hash = hash;
    latest->time = now;
    if (key) {
        savings_compare_about(all, one, &latest->about, call);
    }
    uint32_t others = savings_count_way(one, &latest->course, call, now);
    savings_count_headings(all, one, &latest->headings, call, now);
    one->others_changed += again && others != latest->others;
    latest->others = others;
    return same;
}

/* --- large calls --------------------------------------------------------------------------------- */

/* Notes the call. Returns whether it is large and the receiver has got the same arguments before. */
static bool is_known(const savings *all, const godot_track *track, const godot_update *call)
{
    uint32_t length = godot_update_length(call);
    if (length < LARGE_CALL) {
        return false;
    }
    godot_key_begin(all->key, 'l');
    godot_key_number(all->key, (uint64_t)(uintptr_t)track);
    godot_key_number(all->key, (uint64_t)length << 32 | godot_update_hash(call));
    const char *name = wmem_strbuf_get_str(all->key);
    bool known = wmem_map_contains(all->large, name);
    if (!known && wmem_map_size(all->large) < MAX_KEYED) {
        wmem_map_insert(all->large, wmem_strdup(all->pool, name), GUINT_TO_POINTER(1));
    }
    return known;
}

/* --- all of it ----------------------------------------------------------------------------------- */

static void add_omitted(savings *all, saved_bytes *of, uint64_t *count, const godot_tap *tap)
{
    ++*count;
    savings_add(all, of, savings_command_length(tap), true);
    of->acknowledgements += tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
}

/* `same`: the latest call had the arguments of the one before. */
static void count_pieces(savings *all, called_method *one, const godot_track *track, bool same,
                         const godot_tap *tap)
{
    call_track *own = track->own;
    one->silence = same && !one->silent.count ? track->hash : one->silence;
    bool silent = (same || one->silent.count) && track->hash == one->silence;
    if (silent) {
        add_omitted(all, &one->silent.bytes, &one->silent.count, tap);
        one->silent.again += same;
    } else if (!same && own->has_changed) {
        one->pieces++;
    }
    own->has_changed = track->count > 1 && !same && !silent;
}

static void count_savings(savings *all, called_method *one, const godot_tap *tap)
{
    bool reliable = tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    one->calls++;
    one->reliable += reliable;
    one->unknown_mode += tap->transfer_mode == GODOT_TRANSFER_UNKNOWN;
    savings_add(all, &one->all, savings_command_length(tap), true);
    one->all.acknowledgements += reliable;
    if (tap->from > 1 && tap->relayed && !tap->problem) {
        savings_add(all, &one->passed_on, savings_command_length(tap), true);
        one->passed_on.acknowledgements += reliable;
        one->to_others += !tap->passed_on;
    } else if (tap->from > 1) {
        one->to_server++;
    } else {
        one->by_server++;
    }
    if (reliable) {
        savings_add(all, &one->unreliable, 0, false);
        one->unreliable.acknowledgements++;
    }
}

static called_method *without_others(const savings *all, const called_method *whole,
                                     const saved_bytes *omitted)
{
    called_method *one = wmem_new(all->pool, called_method);
    *one = (called_method){.name = whole->name,
                           .source = whole->source,
                           .whole = whole,
                           .omitted = omitted,
                           .nodes = whole->nodes,
                           .has_arguments = true,
                           .is_packets = whole->is_packets,
                           .is_set = whole->is_set,
                           .courses = report_list(all->pool),
                           .countings = report_list(all->pool),
                           .runs = report_list(all->pool),
                           .ways = report_list(all->pool)};
    return one;
}

/* Calls of a method that are left if those that repeat the one before, or the one before with the same first
 * argument, are not made. */
typedef struct {
    called_method *whole, **method;
    godot_track **track;
    const saved_bytes *omitted;
    const argument_track *before; /* the one before is the one that is left; else NULL */
    bool same;                    /* the latest one is not left */
} left_calls;

/* Counts a call as if there were no others: what can be saved of these. Not if few are the same. */
static void count_left(savings *all, left_calls left, const godot_tap *tap, const godot_update *call)
{
    if (left.whole->calls >= SURE_CALLS && left.omitted->messages < left.whole->calls / 4) {
        return;
    }
    *left.method = *left.method ? *left.method : without_others(all, left.whole, left.omitted);
    called_method *one = *left.method;
    if (left.same) { /* no acknowledgements of these, either */
        savings_add(all, &one->unreliable, savings_command_length(tap), true);
        one->unreliable.acknowledgements += tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
        return;
    }
    godot_track *track = *left.track = *left.track ? *left.track : wmem_new0(all->pool, godot_track);
    count_step(all, one, track, tap, call);
    (void)savings_count_arguments(all, one, &((call_track *)track->own)->arguments, left.before, call);
    count_savings(all, one, tap);
    (void)is_unchanged_of(all, one, track, call);
    (void)godot_track_note(track, call, all->now, all->last_frame);
}
/* The call itself, and what is left without those that repeat others. */
static void count_repeated(savings *all, called_method *one, godot_track *track, const godot_tap *tap,
                           const godot_update *call)
{
    call_track *own = track->own;
    bool same_of = is_unchanged_of(all, one, track, call);
    bool known = is_known(all, track, call), same = godot_track_note(track, call, all->now, all->last_frame);
    count_pieces(all, one, track, same, tap);
    own->rests = same ? own->rests + 1 : 0;
    one->rests += own->rests > RESTS;
    if (same_of) {
        add_omitted(all, &one->same_of, &one->unchanged_of, tap);
    }
    if (same && own->frame.again) {
        add_omitted(all, &one->once, &one->doubled, tap);
    }
    if (same) {
        add_omitted(all, &one->same, &one->unchanged, tap);
    } else if (known) {
        add_omitted(all, &one->kept, &one->known, tap);
    }
    left_calls left = {one, &one->left, &own->left, &one->same, own->arguments, same};
    left_calls left_of = {one, &one->left_of, &own->left_of, &one->same_of, NULL, same_of};
    count_left(all, left, tap, call);
    if (own->about) {
        count_left(all, left_of, tap, call);
    }
}

void savings_count_call(savings *all, const godot_tap *tap, const godot_update *call)
{
    called_method *one = method_at(all, tap, call);
    godot_track *track = godot_track_of(all->tracks, tap, call);
    if (!one || !track) {
        return;
    }
    if (tap->repeated) {
        if (tap->transfer_mode == GODOT_TRANSFER_RELIABLE) {
            savings_add(all, &one->unreliable, savings_command_length(tap), true);
        }
        return;
    }
    all->called_here = one;
    called_node *node = node_of(all, one, tap, call);
    if (node) {
        count_receiver(all, one, node, tap);
        count_answer(all, node, tap, call->node);
    }
    savings_count_addressed(all, one, tap, call);
    one->has_arguments |= call->count > 0;
    savings_add(all, &one->elements, savings_length_in_array(call), false);
    count_in_frame(all, one, track, tap, call);
    count_step(all, one, track, tap, call);
    call_track *own = track->own;
    uint32_t steady = savings_count_arguments(all, one, &own->arguments, NULL, call);
    savings_count_passed(all, one, tap, call, steady);
    savings_count_asked(all, one, tap, call);
    savings_count_receipts(all, one, tap, call);
    savings_count_synced_call(all, one, tap, call);
    savings_count_forms(all, one, tap, call);
    count_savings(all, one, tap);
    count_repeated(all, one, track, tap, call);
}
