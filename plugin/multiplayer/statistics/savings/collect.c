/* collect.c
 *
 * Counts, frame by frame, what would not be sent; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>

#include "multiplayer/statistics/savings/savings.h"

#include "multiplayer/statistics/values/key.h"
#include "statistics/report.h"

#include "enet/api/tap.h"
#include "multiplayer/state/frame.h"

/* Of the usual time between states: longer ones are a pause of the game. */
#define PAUSE 1.7
/* Seconds after a call, or a state, in which a ping comes beside these. */
#define BESIDE_SECONDS 0.25
/* Synchronizers of nodes whose states are timed; senders. */
#define MAX_CLOCKS 20000u
static void *begin(wmem_allocator_t *pool)
{
    savings *all = wmem_new0(pool, savings);
    all->pool = pool;
    all->tracks = godot_tracks_new(pool);
    all->synchronizers = report_list(pool);
    all->places = report_list(pool);
    all->senders = report_list(pool);
    all->by_key = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    all->by_path = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    all->latest = wmem_map_new(pool, g_direct_hash, g_direct_equal);
    all->key = wmem_strbuf_new(pool, NULL);
    all->calls = godot_calls_new(pool);
    savings_calls_begin(all);
    savings_joined_begin(all);
    savings_nodes_begin(all);
    savings_distances_begin(all);
    savings_passed_begin(all);
    savings_receipts_begin(all);
    savings_synced_begin(all);
    all->of_parts = report_list(pool);
    all->shown = report_keep(pool, g_ptr_array_new_with_free_func(g_free), (GDestroyNotify)g_ptr_array_unref);
    costs_begin(&all->costs, pool);
    all->clocks = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    all->hashes =
        report_keep(pool, g_array_new(FALSE, FALSE, sizeof(uint32_t)), (GDestroyNotify)g_array_unref);
    all->begin = -1;
    return all;
}

/* --- subjects ------------------------------------------------------------------------------------ */

static synchronized_property *property_at(const savings *all, GPtrArray *list, const char *name)
{
    for (unsigned i = 0; i < list->len; i++) {
        synchronized_property *one = list->pdata[i];
        if (strcmp(one->name, name) == 0) {
            return one;
        }
    }
    if (list->len >= MULTIPLAYER_V4_MAX_WATCHED) {
        return NULL;
    }
    synchronized_property *one = wmem_new0(all->pool, synchronized_property);
    one->name = wmem_strdup(all->pool, name);
    one->tracks = report_list(all->pool);
    one->index = MIN(list->len, SET_BITS - 1);
    g_ptr_array_add(list, one);
    return one;
}

/* --- a frame ------------------------------------------------------------------------------------- */

static void count_datagrams(savings *all, packet_info *pinfo, const frame_facts *facts)
{
    if (!facts->frame_bytes) {
        return;
    }
    bool nothing_else = facts->acknowledgements == facts->commands;
    all->bytes += facts->frame_bytes;
    all->frames++;
    all->header_bytes += facts->frame_bytes - MIN(facts->frame_bytes, facts->datagram_bytes);
    all->acknowledgements += facts->acknowledgements;
    all->acknowledgement_bytes +=
        nothing_else ? facts->frame_bytes : (uint64_t)ACKNOWLEDGEMENT * facts->acknowledgements;
    all->answers += facts->acknowledgements > 0;
    for (const enet_tap_datagram *one = enet_taps_of_frame(pinfo); one; one = one->next) {
        all->compressed += one->datagram->layout.compression != ENET_COMPRESSION_NONE;
        if (enet_coding_add(&all->coding, pinfo->pool, one)) {
            all->plain_frame = all->plain_frame ? all->plain_frame : pinfo->num;
        }
    }
}

/* --- messages ------------------------------------------------------------------------------------ */

/* What a spawn function gets, as the argument of MultiplayerSpawner.spawn(), and the values of properties. */
static void count_spawned(savings *all, const godot_tap *tap)
{
    unsigned arguments = tap->arguments ? wmem_array_get_count(tap->arguments) : 0;
    unsigned values = tap->values ? wmem_array_get_count(tap->values) : 0;
    godot_update data = {.kind = GODOT_UPDATE_CALL,
                         .node = tap->node ? tap->node : "(no node)",
                         .name = "spawn",
                         .count = arguments};
    if (arguments) {
        data.variants = wmem_array_index(tap->arguments, 0);
        savings_count_encodings(all, tap, &data);
    }
    for (unsigned i = 0; i < values; i++) {
        const godot_tap_variant *value = wmem_array_index(tap->values, i);
        const godot_update property = {.kind = GODOT_UPDATE_ALWAYS,
                                       .scene = tap->spawned_scene,
                                       .node = tap->spawned,
                                       .name = value->property,
                                       .variants = value,
                                       .count = 1};
        if (value->property) {
            savings_count_encodings(all, tap, &property);
        }
    }
}

static void count_change(const savings *all, synchronized_property *one, uint32_t length)
{
    one->changes++;
    one->changed_bytes += length;
    one->messages += one->change != all->message;
    one->change = all->message;
}

/* `index`: of the value in its state. */
static void count_property(savings *all, synchronizer *of, const godot_tap *tap, const godot_update *update,
                           uint32_t index)
{
    synchronized_property *one = property_at(all, of->properties, update->name);
    godot_track *track = godot_track_of(all->tracks, tap, update);
    if (!one || !track) {
        return;
    }
    double now = all->now;
    bool first = track->count == 0, first_of_part = index == 0;
    property_track *own = track->own;
    if (first) {
        own = wmem_new0(all->pool, property_track);
        own->position = savings_position_of(all, update, tap->from);
        g_ptr_array_add(one->tracks, own);
        track->own = own;
    }
    if (own->position) {
        savings_count_distance(all, own->position, tap, update);
    }
    if (update->variants) {
        savings_count_related(all, of, one, own, tap, update, index, now);
        savings_count_round(&one->round, &own->counted, update);
        savings_count_synced_state(all, of, tap, update);
    }
    if (!first && first_of_part) {
        of->sent[SENT_STATES].steps++;
        of->sent[SENT_STATES].step_seconds += MAX(0, now - track->last);
    }
    double mean = ratio(track->last - track->first, (double)track->count - 1);
    double pause = now - track->last;
    bool unchanged = godot_track_note(track, update, now, all->last_frame);
    own->has_changed |= !first && !unchanged;
    if (update->variants) {
        savings_compare(all, &one->containers, &own->kept, update->variants, unchanged,
                        own->number.broken ? CONTAINER_LEAST : CONTAINER_SMALL);
        savings_count_motion(one, own, update, first || unchanged, now);
        savings_count_swing(all, own, update, pause > PAUSE * mean, now);
    }
    uint32_t length = godot_update_length(update);
    one->updates++;
    one->unchanged += unchanged;
    if (!first && !unchanged) {
        count_change(all, one, length);
    }
    if (first || !unchanged) {
        savings_note_changed(all, of, SENT_STATES, one->index, own);
    }
    own->changes = !unchanged;
    savings_add(all, &one->dropped, length, false);
}

/* Changes of a node to a receiver. `first`: the first of the properties that have changed. */
static void count_changes(savings *all, synchronizer *of, const godot_tap *tap, const godot_update *first)
{
    godot_update any = *first;
    any.name = ""; /* no property */
    godot_track *track = godot_track_of(all->tracks, tap, &any);
    if (track && track->count) {
        of->sent[SENT_CHANGES].steps++;
        of->sent[SENT_CHANGES].step_seconds += MAX(0, all->now - track->last);
    }
    if (track) {
        (void)godot_track_note(track, &any, all->now, all->last_frame);
    }
}

/* A property that has changed. Without it there would be no message, if each part has only that: its last
 * part is counted with the rest of it. */
static void count_changing(savings *all, synchronizer *of, const godot_tap *tap, const godot_update *update,
                           uint32_t index)
{
    synchronized_property *one = property_at(all, of->changing, update->name);
    godot_track *track = one ? godot_track_of(all->tracks, tap, update) : NULL;
    if (!track || !update->variants) {
        return;
    }
    property_track *own = track->own;
    bool first = !own;
    if (first) {
        own = track->own = wmem_new0(all->pool, property_track);
        g_ptr_array_add(one->tracks, own);
    }
    bool alone = update->part->value_count == 1, again = one->change == all->message;
    one->alone = (again ? one->alone : 0) + alone;
    one->alone_bytes = again ? one->alone_bytes : 0;
    count_change(all, one, godot_update_length(update));
    savings_note_changed(all, of, SENT_CHANGES, one->index, own);
    savings_compare(all, &one->containers, &own->kept, update->variants, false, CONTAINER_LEAST);
    if (!first) { /* which comes at once, long before it begins to change */
        savings_count_motion(one, own, update, false, all->now);
    }
    savings_count_round(&one->round, &own->counted, update);
    savings_count_needless(all, of, one, own, update, index);
    bool whole = one->alone == tap->part_count;
    savings_add(all, &one->dropped,
                whole   ? savings_command_length(tap) - one->alone_bytes
                : alone ? update->part->length
                        : godot_update_length(update),
                whole);
    one->dropped.acknowledgements += whole && tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    one->alone_bytes += update->part->length;
}

/* `index`: of the value in the part. */
static void count_synchronized(savings *all, synchronizer *of, const godot_tap *tap,
                               const godot_update *update, uint32_t index)
{
    bool always = update->kind == GODOT_UPDATE_ALWAYS;
    if (index == 0) {
        savings_end_part(of, always ? SENT_STATES : SENT_CHANGES, all->message);
    }
    if (always) {
        count_property(all, of, tap, update, index);
        return;
    }
    count_changing(all, of, tap, update, index);
    if (index == 0) {
        count_changes(all, of, tap, update);
    }
}

static void find_synchronizers(savings *all, const godot_tap *tap)
{
    unsigned before = all->of_parts->len;
    uint32_t first = 0, count = tap->values ? wmem_array_get_count(tap->values) : 0;
    g_ptr_array_set_size(all->of_parts, (int)MAX(before, tap->part_count));
    for (uint32_t i = 0; i < tap->part_count; i++) {
        const godot_tap_part *part = &tap->parts[i];
        bool known = part->value_count <= count - first;
        synchronizer *guess = i < before ? all->of_parts->pdata[i] : NULL;
        all->of_parts->pdata[i] = savings_synchronizer_at(
            all, tap, part, known && part->value_count ? wmem_array_index(tap->values, first) : NULL, guess);
        first += known ? part->value_count : 0;
    }
}

/* When states of a synchronizer of a node would be sent. */
typedef struct {
    double time;                 /* of the latest one */
    uint32_t due;                /* bits, of that */
    double sent[EVERY_MOST + 1]; /* the latest one of every so many */
} node_clock;

/* NULL: there are too many. */
static node_clock *clock_of(const savings *all, const godot_tap *tap, const godot_tap_part *part,
                            const synchronizer *of)
{
    godot_key_begin(all->key, 'y');
    godot_key_number(all->key, (uint64_t)(uintptr_t)of);
    godot_key_number(all->key, (uint64_t)tap->from);
    godot_key_number(all->key, tap->passed_on ? tap->session + UINT64_C(1) : 0);
    godot_key_text(all->key, part->node ? part->node : "");
    node_clock *clock = wmem_map_lookup(all->clocks, wmem_strbuf_get_str(all->key));
    if (!clock && wmem_map_size(all->clocks) < MAX_CLOCKS) {
        clock = wmem_new(all->pool, node_clock);
        clock->time = -1;
        for (unsigned every = 0; every <= EVERY_MOST; every++) {
            clock->sent[every] = -HUGE_VAL;
        }
        wmem_map_insert(all->clocks, wmem_strdup(all->pool, wmem_strbuf_get_str(all->key)), clock);
    }
    return clock;
}

/* A bit for each number of frames: whether this state would be sent at an interval of half a frame less. */
static uint32_t due_of(node_clock *clock, const sent_parts *sent, double now)
{
    double step = ratio(sent->step_seconds, (double)sent->steps);
    if (clock->time >= 0 && now - clock->time < GODOT_BURST_SECONDS) {
        return clock->due; /* the same for another receiver */
    }
    clock->time = now;
    clock->due = 0;
    for (unsigned every = 1; every <= EVERY_MOST; every++) {
        if (now - clock->sent[every] >= (every - 0.5) * step) {
            clock->sent[every] = now;
            clock->due |= 1u << every;
        }
    }
    return clock->due;
}

static void count_slower(slower_states *of, uint32_t bytes, uint32_t due, bool whole)
{
    of->messages += whole;
    of->part_bytes += bytes;
    for (unsigned every = 1; every <= EVERY_MOST && whole; every++) {
        of->due[every] += due >> every & 1;
    }
}

/* The parts of a message with states or changes, by synchronizer: one that has all parts could do without the
 * message. */
static void count_sent(savings *all, const godot_tap *tap, sent_kind kind)
{
    bool reliable = tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    uint32_t due = 0, bytes = 0;
    all->states_here |= kind == SENT_STATES;
    for (uint32_t i = 0; i < tap->part_count; i++) {
        synchronizer *of = all->of_parts->pdata[i];
        if (of) {
            of->here++;
            of->of_client |= tap->from > 1;
            of->here_bytes += tap->parts[i].length;
            node_clock *clock = clock_of(all, tap, &tap->parts[i], of);
            of->due |= clock ? due_of(clock, &of->sent[kind], all->now) : 0;
            due |= of->due;
            bytes += tap->parts[i].length;
        }
    }
    for (uint32_t i = 0; i < tap->part_count; i++) {
        synchronizer *of = all->of_parts->pdata[i];
        if (of && of->here) {
            sent_parts *sent = &of->sent[kind];
            bool whole = of->here == tap->part_count;
            savings_add(all, &sent->all, whole ? savings_command_length(tap) : of->here_bytes, whole);
            sent->all.acknowledgements += whole && reliable;
            if (tap->from > 1 && tap->relayed) {
                savings_add(all, &sent->to_others, whole ? savings_command_length(tap) : of->here_bytes,
                            whole);
                sent->to_others.acknowledgements += whole && reliable;
            }
            sent->parts += of->here;
            sent->alone += whole;
            count_slower(&sent->slower, of->here_bytes, of->due, whole);
            of->is_whole = whole;
            of->here = of->here_bytes = of->due = 0;
        }
    }
    count_slower(&all->slower[kind][tap->from > 1], bytes, due, true);
    savings_add(all, &all->sent[kind][tap->from > 1], savings_command_length(tap), true);
    all->sent[kind][tap->from > 1].acknowledgements += reliable;
}

/* What the values in a message take, and the rest of it. */
static void count_size(savings *all, const godot_tap *tap)
{
    if (tap->repeated || tap->stream < 0) {
        return;
    }
    wmem_array_t *const lists[] = {tap->arguments, tap->values};
    all->messages++;
    all->message_bytes += tap->length;
    all->value_bytes += tap->payload.length;
    for (size_t i = 0; i < array_length(lists); i++) {
        for (unsigned k = 0; lists[i] && k < wmem_array_get_count(lists[i]); k++) {
            all->value_bytes += ((const godot_tap_variant *)wmem_array_index(lists[i], k))->length;
        }
    }
}

/* Packets of the game's own are like calls of a method with their content. */
static void count_payload(savings *all, const godot_tap *tap)
{
    if (tap->payload.bytes) {
        godot_update packet = {.kind = GODOT_UPDATE_CALL,
                               .node = "SceneMultiplayer",
                               .name = SAVINGS_SEND_BYTES,
                               .variants = &tap->payload,
                               .count = 1};
        godot_hash_values(&packet, all->hashes);
        savings_count_call(all, tap, &packet);
        if (!tap->repeated) {
            savings_count_encodings(all, tap, &packet);
        }
    }
}

/* A message in several fragments, each of which has headers and, if it is reliable, an acknowledgement: those
 * of which nothing would be left. It is in no datagram with another message. */
static void count_fragments(const savings *all, const godot_tap *tap)
{
    enum { FRAGMENT = 1372 /* bytes of a message, with ENet's MTU in Godot */, FRAGMENT_HEAD = 24 };
    double each = FRAGMENT_HEAD + savings_datagram_cost(all) +
                  (tap->transfer_mode == GODOT_TRANSFER_RELIABLE ? savings_acknowledgement_cost(all) : 0);
    for (unsigned i = 0; tap->length > FRAGMENT && tap->stream >= 0 && i < all->costs.touched->len; i++) {
        saved_bytes *one = all->costs.touched->pdata[i];
        uint32_t left = tap->length - MIN(tap->length, one->here);
        uint32_t fragments = tap->length / FRAGMENT - left / FRAGMENT;
        one->bytes += each * fragments;
    }
}

static void count_message(savings *all, const godot_tap *tap)
{
    godot_updates updates = godot_updates_of(tap);
    godot_update update;
    all->message++;
    all->again = tap->call && !godot_calls_begin(all->calls, tap, all->now);
    all->api = tap->api;
    all->bytes += tap->stream < 0 ? tap->wire_length : 0;
    count_size(all, tap);
    bool sent = tap->part_count && !tap->repeated;
    sent_kind kind = tap->net_frame >= 0 ? SENT_STATES : SENT_CHANGES;
    if (sent) {
        find_synchronizers(all, tap);
        count_sent(all, tap, kind);
    }
    if (sent && tap->net_frame >= 0) {
        savings_count_siblings(all, tap);
    }
    if (!tap->repeated) {
        savings_count_nodes(all, tap, all->now);
    }
    if (tap->spawned && !tap->repeated) {
        count_spawned(all, tap);
    }
    while (godot_next_update(&updates, &update)) {
        godot_hash_values(&update, all->hashes);
        synchronizer *of = sent ? (synchronizer *)all->of_parts->pdata[update.part - tap->parts] : NULL;
        if (update.kind == GODOT_UPDATE_CALL || update.kind == GODOT_UPDATE_SET) {
            savings_count_call(all, tap, &update);
        } else if (of) {
            count_synchronized(all, of, tap, &update, updates.next - 1);
        }
        if (!tap->repeated) {
            savings_count_encodings(all, tap, &update);
        }
    }
    if (sent) {
        savings_end_needless(all, tap);
        savings_end_states(all, kind);
    }
    count_payload(all, tap);
    count_fragments(all, tap);
    savings_end_distances(all, tap);
}

/* --- pings --------------------------------------------------------------------------------------- */

/* The latest call, and state, by a sender of ENet's. */
typedef struct {
    double time, state_time;
    called_method *method; /* NULL: there was no call */
} latest_call;

/* Notes the calls and states of a frame by a sender of ENet's, or its pings. It sends a ping if nothing has
 * arrived for half a second, as while all calls are unreliable. */
static void count_pings(savings *all, const void *sender, uint32_t pings)
{
    double now = all->now;
    latest_call *latest = wmem_map_lookup(all->latest, sender);
    bool sends = all->called_here || all->states_here;
    if (sends && !latest && wmem_map_size(all->latest) < MAX_CLOCKS) {
        latest = wmem_new(all->pool, latest_call);
        *latest = (latest_call){-BESIDE_SECONDS, -BESIDE_SECONDS, NULL};
        wmem_map_insert(all->latest, sender, latest);
    }
    if (latest && now - latest->state_time < BESIDE_SECONDS) {
        all->state_pings += pings;
    }
    if (all->called_here && latest) {
        latest->time = now;
        latest->method = all->called_here;
    } else if (latest && latest->method && now - latest->time < BESIDE_SECONDS) {
        latest->method->pings += pings;
    }
    if (all->states_here && latest) {
        latest->state_time = now;
    }
    all->called_here = NULL;
    all->states_here = false;
}

/* --- all of it ----------------------------------------------------------------------------------- */

/* Each frame once, with everything that was found in it. */
static tap_packet_status count_frame(void *state, packet_info *pinfo, epan_dissect_t *edt _U_,
                                     const void *data _U_, tap_flags_t flags _U_)
{
    savings *all = state;
    const godot_tap *first = godot_frame_get(pinfo)->first;
    const enet_tap_datagram *datagram = enet_taps_of_frame(pinfo);
    if (first || datagram || godot_session_over_tcp(pinfo)) { /* also a segment without a whole message */
        all->cut_frames += pinfo->fd->cap_len < pinfo->fd->pkt_len;
    }
    if (!first && !datagram) {
        return TAP_PACKET_DONT_REDRAW;
    }
    if (datagram && datagram->datagram->sender) {
        enet_sighting_facts sighting = enet_state_sighting(pinfo, datagram->datagram);
        if (sighting.placed && sighting.sender_frame != frame_order(pinfo)) {
            return TAP_PACKET_DONT_REDRAW; /* the receiver's of two capture points */
        }
    }
    all->now = nstime_to_sec(&pinfo->rel_ts);
    all->begin = all->begin < 0 ? all->now : all->begin;
    all->last_frame = pinfo->num;
    frame_facts facts = costs_facts_of(pinfo);
    count_datagrams(all, pinfo, &facts);
    for (const godot_tap *tap = first; tap; tap = tap->next) {
        count_message(all, tap);
    }
    if (datagram && datagram->datagram->sender && (facts.pings || all->called_here || all->states_here)) {
        count_pings(all, datagram->datagram->sender, facts.pings);
    }
    costs_add_answers(&all->costs, pinfo, all->now);
    costs_finish_frame(&all->costs, pinfo, &facts);
    return TAP_PACKET_REDRAW;
}

/* Values are set only if the tap "godot_message" has listeners. */
static tap_packet_status want_values(void *state _U_, packet_info *pinfo _U_, epan_dissect_t *edt _U_,
                                     const void *data _U_, tap_flags_t flags _U_)
{
    return TAP_PACKET_DONT_REDRAW;
}

static void write_report(void *state, GString *text)
{
    savings_write((const savings *)state, text);
}

void godot_savings_register(int proto _U_)
{
    static const report_source sources[] = {{"frame", count_frame}, {"godot_message", want_values}};
    static const report_button buttons[] = {{"Next change", savings_shown_filter}, {NULL, NULL}};
    static const report savings_report = {.title = "Godot Savings",
                                          .option = "godot,savings",
                                          .sources = sources,
                                          .source_count = array_length(sources),
                                          .buttons = buttons,
                                          .begin = begin,
                                          .write = write_report};
    report_register(&savings_report);
}
