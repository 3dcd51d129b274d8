/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/reports/reports.h"

#include <epan/proto_data.h>
#include <epan/tap.h>

#include "base/allocators.h"
#include "multiplayer/peers/names.h"
#include "multiplayer/state/session.h"

/* Most processes. */
enum { MAX_SOURCES = 1000 };

/* A record is about a packet that is being processed: the one before it, or one of a few before that if
 * records are written late. */
enum { RECENT = 64 };

/* Key of the frame's data: the number of the next report, in pinfo->pool. */
enum { FRAME_REPORTS = 0x100 };

typedef struct {
    uint32_t number;
    report_packet packet;
} numbered_packet;

/* What is kept of a recording. */
typedef struct {
    numbered_packet recent[RECENT]; /* `next` modulo RECENT is overwritten next; number 0: unused */
    uint32_t next;
    uint32_t reports_from;       /* frame; 0: its process does not report errors */
    uint32_t game;               /* number of that process; valid if reports_from is not 0 */
    uint32_t origin_number;      /* of `origin` */
    const report_origin *origin; /* of a packet that comes later; NULL: none */
} recording_state;

typedef struct {
    const godot_report *first;
    godot_report *last;
    uint32_t count;
} packet_reports;

int godot_report_tap = -1;

static int proto_godot;
static bool reported;          /* there is a recording of a process that reports its errors */
static wmem_map_t *sources;    /* uint64_t: engine_process */
static wmem_map_t *recordings; /* number of the recording: recording_state */
static wmem_map_t *incomplete; /* set of processes, see godot_reports_learn_incomplete() */
static wmem_map_t *reporters;  /* own id of a process that reports its errors: frame from which on */
static wmem_map_t *of_packets; /* report_packet as a number: packet_reports */
static wmem_map_t *origins;    /* likewise: report_origin */
static wmem_map_t *packets;    /* frame and number of a report: frame of its packet */

static void forget(void)
{
    reported = false;
}

void godot_reports_init(int proto)
{
    register_cleanup_routine(forget);
    proto_godot = proto;
    godot_report_tap = register_tap("godot_report");
    sources = file_map(wmem_int64_hash, g_int64_equal);
    recordings = file_map(g_direct_hash, g_direct_equal);
    incomplete = file_map(g_direct_hash, g_direct_equal);
    reporters = file_map(g_direct_hash, g_direct_equal);
    of_packets = file_map(wmem_int64_hash, g_int64_equal);
    origins = file_map(wmem_int64_hash, g_int64_equal);
    packets = file_map(wmem_int64_hash, g_int64_equal);
}

static void put(wmem_map_t *map, uint64_t key, void *value)
{
    wmem_map_insert(map, wmem_memdup(wmem_file_scope(), &key, sizeof key), value);
}

static uint64_t pair(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

engine_process *godot_report_source(uint64_t key)
{
    engine_process *source = wmem_map_lookup(sources, &key);
    if (!source && wmem_map_size(sources) < MAX_SOURCES) {
        source = wmem_new0(wmem_file_scope(), engine_process);
        put(sources, key, source);
    }
    return source;
}

void godot_report_append_source(GString *text, const engine_process *source)
{
    if (source && source->peer) {
        godot_peer_append(text, source->peer);
    }
    if (source && source->process) {
        g_string_append_printf(text, source->peer ? " (process %" PRId64 ")" : "process %" PRId64,
                               source->process);
    } else if (!source || !source->peer) {
        g_string_append(text, "a game");
    }
}

/* --- reports ------------------------------------------------------------------------------------- */

static const char *keep(const char *text)
{
    return text ? wmem_strdup(wmem_file_scope(), text) : NULL;
}

static report_place keep_place(const report_place *place)
{
    return (report_place){keep(place->function), keep(place->file), place->line};
}

static const report_place *keep_stack(const report_place *stack, uint32_t count)
{
    report_place *copy = wmem_alloc_array(wmem_file_scope(), report_place, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = keep_place(&stack[i]);
    }
    return copy;
}

static size_t length_of(const char *text)
{
    return text ? strlen(text) : 0;
}

static size_t size_of_stack(const report_place *stack, uint32_t count)
{
    size_t size = count * sizeof *stack;
    for (uint32_t i = 0; i < count; i++) {
        size += length_of(stack[i].function) + length_of(stack[i].file);
    }
    return size;
}

godot_report *godot_report_keep(const godot_report *report)
{
    size_t size = sizeof *report + strlen(report->text) + length_of(report->code) +
                  size_of_stack(&report->place, 1) + size_of_stack(report->stack, report->stack_count);
    if (!godot_store_may_keep(godot_state_store(), size)) {
        return NULL;
    }
    godot_report *copy = wmem_memdup(wmem_file_scope(), report, sizeof *report);
    copy->text = keep(report->text);
    copy->code = keep(report->code);
    copy->place = keep_place(&report->place);
    copy->stack = keep_stack(report->stack, report->stack_count);
    copy->next = NULL;
    return copy;
}

void godot_report_attach(godot_report *kept, uint32_t number, report_packet packet)
{
    uint64_t key = pair(packet.frame, packet.place);
    packet_reports *of = wmem_map_lookup(of_packets, &key);
    if (!of) {
        of = wmem_new0(wmem_file_scope(), packet_reports);
        put(of_packets, key, of);
    }
    if (of->count++ < MAX_OF_PACKET) {
        if (of->last) {
            of->last->next = kept;
        } else {
            of->first = kept;
        }
        of->last = kept;
    }
    put(packets, pair(kept->frame, number), GUINT_TO_POINTER(packet.frame));
}

const godot_report *godot_reports_of(report_packet packet)
{
    uint64_t key = pair(packet.frame, packet.place);
    const packet_reports *of = wmem_map_size(of_packets) ? wmem_map_lookup(of_packets, &key) : NULL;
    return of ? of->first : NULL;
}

bool godot_reports_are_any(void)
{
    return wmem_map_size(of_packets) > 0;
}

uint32_t godot_reports_count(report_packet packet)
{
    uint64_t key = pair(packet.frame, packet.place);
    const packet_reports *of = wmem_map_lookup(of_packets, &key);
    return of ? of->count : 0;
}

uint32_t godot_report_number(packet_info *pinfo)
{
    uint32_t *number = p_get_proto_data(pinfo->pool, pinfo, proto_godot, FRAME_REPORTS);
    if (!number) {
        number = wmem_new0(pinfo->pool, uint32_t);
        p_add_proto_data(pinfo->pool, pinfo, proto_godot, FRAME_REPORTS, number);
    }
    return (*number)++;
}

uint32_t godot_report_packet_of(uint32_t frame, uint32_t number)
{
    uint64_t key = pair(frame, number);
    return GPOINTER_TO_UINT(wmem_map_lookup(packets, &key));
}

/* --- recordings ---------------------------------------------------------------------------------- */

/* NULL: there are too many. */
static recording_state *state_of(uint32_t recording)
{
    recording_state *state = wmem_map_lookup(recordings, GUINT_TO_POINTER(recording));
    if (!state && godot_store_may_keep(godot_state_store(), sizeof *state)) {
        state = wmem_new0(wmem_file_scope(), recording_state);
        wmem_map_insert(recordings, GUINT_TO_POINTER(recording), state);
    }
    return state;
}

/* The origin of a packet stands directly before it. */
static void take_origin(recording_state *state, uint32_t number, report_packet packet)
{
    if (state->origin && state->origin_number == number) {
        put(origins, pair(packet.frame, packet.place), (void *)state->origin);
        put(packets, pair(state->origin->frame, 0), GUINT_TO_POINTER(packet.frame));
    }
    state->origin = NULL;
}

void godot_reports_learn_packet(uint32_t recording, uint32_t number, bool received, report_packet packet)
{
    recording_state *state = number ? state_of(recording) : NULL;
    if (state && received) {
        state->recent[state->next++ % RECENT] = (numbered_packet){number, packet};
    } else if (state) {
        take_origin(state, number, packet);
    }
}

bool godot_reports_find_packet(uint32_t recording, uint32_t number, report_packet *packet)
{
    const recording_state *state = wmem_map_lookup(recordings, GUINT_TO_POINTER(recording));
    for (uint32_t i = 0; state && number && i < RECENT; i++) {
        if (state->recent[i].number == number) {
            *packet = state->recent[i].packet;
            return true;
        }
    }
    return false;
}

void godot_reports_learn_reporter(const packet_info *pinfo, uint32_t recording, uint32_t game, int32_t own_id)
{
    recording_state *state = state_of(recording);
    if (state && !state->reports_from) {
        state->reports_from = frame_order(pinfo);
        state->game = game;
        reported = true;
    }
    if (state && own_id > 0 && !wmem_map_contains(reporters, GINT_TO_POINTER(own_id))) {
        wmem_map_insert(reporters, GINT_TO_POINTER(own_id), GUINT_TO_POINTER(frame_order(pinfo)));
    }
}

void godot_reports_learn_incomplete(uint32_t game)
{
    if (godot_store_may_keep(godot_state_store(), 0)) {
        wmem_map_insert(incomplete, GUINT_TO_POINTER(game), GUINT_TO_POINTER(1));
    }
}

bool godot_reports_are_complete(const packet_info *pinfo, uint32_t recording)
{
    const recording_state *state = wmem_map_lookup(recordings, GUINT_TO_POINTER(recording));
    return state && state->reports_from && state->reports_from <= frame_order(pinfo) &&
           !wmem_map_contains(incomplete, GUINT_TO_POINTER(0)) &&
           !wmem_map_contains(incomplete, GUINT_TO_POINTER(state->game));
}

bool godot_reports_are_recorded(void)
{
    return reported;
}

bool godot_reports_lack_nothing(void)
{
    return wmem_map_size(incomplete) == 0;
}

bool godot_reports_are_of_peer(const packet_info *pinfo, int32_t peer)
{
    uint32_t from = GPOINTER_TO_UINT(wmem_map_lookup(reporters, GINT_TO_POINTER(peer)));
    return from && from <= frame_order(pinfo);
}

void godot_reports_learn_origin(uint32_t recording, uint32_t number, const report_origin *origin)
{
    recording_state *state = number ? state_of(recording) : NULL;
    if (state && godot_store_may_keep(godot_state_store(), size_of_stack(origin->stack, origin->count))) {
        report_origin *copy = wmem_memdup(wmem_file_scope(), origin, sizeof *origin);
        copy->stack = keep_stack(origin->stack, origin->count);
        state->origin = copy;
        state->origin_number = number;
    }
}

const report_origin *godot_reports_origin_of(report_packet packet)
{
    uint64_t key = pair(packet.frame, packet.place);
    return wmem_map_size(origins) ? wmem_map_lookup(origins, &key) : NULL;
}
