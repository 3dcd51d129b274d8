/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/reports/search.h"

#include "base/allocators.h"
#include "multiplayer/reports/engine_text.h"
#include "multiplayer/reports/show.h"
#include "multiplayer/state/session.h"

enum {
    RECENT = 512,           /* packets that are remembered; a power of 2 */
    MAX_TEXTS = 4,          /* different errors about one packet */
    MAX_PENDING = 64,       /* errors with one text that are not certain yet */
    MAX_OPEN = MAX_PENDING, /* errors of processes whose peers are not known */
    MAX_PACKETS = 16,       /* that such an error may be about */
};

/* From a packet's arrival to its error: the game processes packets once a frame, and sends its errors at the
 * end of one. Longer if it stands still meanwhile. */
#define LATEST_SECONDS 3.0

/* In file scope. */
typedef struct {
    report_candidate is;
    double time;
    address to;
    uint32_t taken_by[MAX_TEXTS]; /* hashes of the texts of errors about it; 0: none */
} recent_packet;

typedef struct {
    godot_report *report;
    uint32_t number;
    report_packet packet;
} pending_report;

/* Errors of one process with the same text. The first of them is about the first packet, and so on. They are
 * certain as soon as no packet is left over. */
typedef struct report_group {
    uint32_t hash;
    double latest;
    uint32_t count; /* of `reports` */
    pending_report reports[MAX_PENDING];
} report_group;

/* An error that packets to several peers fit, until it is known which peer its process is. */
typedef struct {
    engine_process *process; /* NULL: none */
    godot_report *report;
    uint32_t number, hash;
    uint32_t count; /* of `packets` */
    report_packet packets[MAX_PACKETS];
    int32_t receivers[MAX_PACKETS];
} open_report;

static bool expected;
static open_report *open_reports; /* MAX_OPEN of them; NULL: none yet */
static uint32_t next_open;        /* modulo MAX_OPEN the one that is overwritten next */
static recent_packet *recent;     /* RECENT of them; NULL: none yet */
static uint32_t next;             /* modulo RECENT the one that is overwritten next */
static wmem_map_t *groups;        /* source and text: report_group */
static wmem_map_t *debugged;      /* peer id: engine_process with a debugger */

static void forget(void)
{
    expected = false;
    recent = NULL;
    open_reports = NULL;
    next = next_open = 0;
}

void godot_report_search_init(void)
{
    groups = file_map(wmem_str_hash, g_str_equal);
    debugged = file_map(g_direct_hash, g_direct_equal);
    register_cleanup_routine(forget);
}

void godot_report_expect(void)
{
    expected = true;
}

bool godot_report_wants_candidates(void)
{
    return expected;
}

void godot_report_candidate(const packet_info *pinfo, const report_candidate *candidate)
{
    if (!recent) {
        recent = wmem_alloc0_array(wmem_file_scope(), recent_packet, RECENT);
    }
    const char *node = godot_store_text(godot_state_store(), candidate->node);
    const char *method = candidate->method ? godot_store_text(godot_state_store(), candidate->method) : NULL;
    if (!node || (candidate->method && !method)) {
        return;
    }
    recent_packet *one = &recent[next++ % RECENT];
    free_address_wmem(wmem_file_scope(), &one->to);
    *one = (recent_packet){.is = *candidate, .time = nstime_to_sec(&pinfo->rel_ts)};
    one->is.node = node;
    one->is.method = method;
    copy_address_wmem(wmem_file_scope(), &one->to, &pinfo->dst);
}

/* --- which packets the text fits ----------------------------------------------------------------- */

static bool is_taken(const recent_packet *one, uint32_t hash)
{
    for (unsigned i = 0; i < MAX_TEXTS; i++) {
        if (one->taken_by[i] == hash) {
            return true;
        }
    }
    return false;
}

static void take(recent_packet *one, uint32_t hash)
{
    for (unsigned i = 0; i < MAX_TEXTS; i++) {
        if (one->taken_by[i] == 0) {
            one->taken_by[i] = hash;
            return;
        }
    }
}

static bool is_loopback(const address *a)
{
    return (a->type == AT_IPv4 && a->len == 4 && *(const uint8_t *)a->data == 127) || a->type != AT_IPv4;
}

/* The debugger's connection and the game's own come from the same machine, if they show one. */
static bool can_be_at(const address *game, const address *receiver)
{
    return is_loopback(game) || is_loopback(receiver) || addresses_equal(game, receiver);
}

static bool fits(const engine_text *names, const recent_packet *one)
{
    const report_candidate *is = &one->is;
    bool numbered = is->method && *is->method == '#'; /* may be any */
    if (names->method.text && (!is->method || !(numbered || slice_equals(names->method, is->method)))) {
        return false;
    }
    if (names->node.text && !engine_text_names_node(names->node, is->node)) {
        return false;
    }
    return (!names->sender || !is->sender || names->sender == is->sender) && (names->kinds & is->kind) &&
           (names->arguments < 0 || names->arguments == is->arguments);
}

/* Whether the process can be the packet's receiver: not if another one is. */
static bool is_of(const engine_process *source, const recent_packet *one)
{
    int32_t receiver = one->is.receiver;
    if (!receiver || source->peer) {
        return !receiver || source->peer == receiver;
    }
    const engine_process *of = wmem_map_lookup(debugged, GINT_TO_POINTER(receiver));
    return !of || of == source;
}

/* Packets that an error may be about, the oldest first. */
typedef struct {
    recent_packet *at[RECENT];
    unsigned count;
} found_packets;

/* Those that the text fits and no other error with it is about. */
static found_packets find(const packet_info *pinfo, const engine_process *source, const address *game,
                          const engine_text *names, uint32_t hash)
{
    found_packets found;
    found.count = 0;
    double now = nstime_to_sec(&pinfo->rel_ts);
    for (uint32_t i = next > RECENT ? next - RECENT : 0; recent && i < next; i++) {
        recent_packet *one = &recent[i % RECENT];
        bool late = now - one->time > LATEST_SECONDS;
        if (!late && !is_taken(one, hash) && is_of(source, one) && can_be_at(game, &one->to) &&
            fits(names, one)) {
            found.at[found.count++] = one;
        }
    }
    return found;
}

static bool have_one_receiver(const found_packets *found)
{
    const report_candidate *first = &found->at[0]->is;
    for (unsigned i = 1; i < found->count; i++) {
        const report_candidate *is = &found->at[i]->is;
        if (is->receiver != first->receiver || (!first->receiver && is->way != first->way)) {
            return false;
        }
    }
    return found->count > 0;
}

/* --- what is certain ----------------------------------------------------------------------------- */

static report_group *group_of(const engine_process *source, const char *text)
{
    char *key = wmem_strdup_printf(NULL, "%p %s", (const void *)source, text);
    report_group *group = wmem_map_lookup(groups, key);
    if (!group && godot_store_may_keep(godot_state_store(), sizeof *group + strlen(key))) {
        group = wmem_new0(wmem_file_scope(), report_group);
        group->hash = MAX(1, hash_number(hash_bytes((const uint8_t *)key, strlen(key))));
        wmem_map_insert(groups, wmem_strdup(wmem_file_scope(), key), group);
    }
    wmem_free(NULL, key);
    return group;
}

static void take_packet(report_packet packet, uint32_t hash)
{
    for (uint32_t i = 0; recent && i < RECENT; i++) {
        const report_packet *other = &recent[i].is.packet;
        if (other->frame == packet.frame && other->place == packet.place) {
            take(&recent[i], hash);
        }
    }
}

static bool is_used(const report_group *group, report_packet packet)
{
    for (uint32_t i = 0; i < group->count; i++) {
        const report_packet *used = &group->reports[i].packet;
        if (used->frame == packet.frame && used->place == packet.place) {
            return true;
        }
    }
    return false;
}

/* Whether `one` has a packet to the peer that is not in `group`; `*packet`: the first of them, `*left`: there
 * are others. */
static bool first_unused(const open_report *one, int32_t peer, const report_group *group,
                         report_packet *packet, bool *left)
{
    uint32_t fits = 0;
    for (uint32_t i = 0; i < one->count; i++) {
        if (one->receivers[i] == peer && !is_used(group, one->packets[i])) {
            *packet = fits++ ? *packet : one->packets[i];
        }
    }
    *left = fits > 1;
    return fits > 0;
}

/* Attaches the open reports with one text that are certain: as in a report_group. */
static void close_text(const engine_process *source, uint32_t hash)
{
    report_group group = {.hash = hash};
    uint32_t certain = 0;
    for (uint32_t i = 0; i < MAX_OPEN; i++) {
        open_report *one = &open_reports[(next_open + i) % MAX_OPEN];
        report_packet packet;
        bool left;
        if (one->process != source || one->hash != hash) {
            continue;
        }
        one->process = NULL;
        if (first_unused(one, source->peer, &group, &packet, &left)) {
            group.reports[group.count++] = (pending_report){one->report, one->number, packet};
            certain = left ? certain : group.count;
        }
    }
    for (uint32_t i = 0; i < certain; i++) {
        const pending_report *one = &group.reports[i];
        godot_report_attach(one->report, one->number, one->packet);
        take_packet(one->packet, hash);
    }
}

/* Earlier errors of the process, about the packets that it can have received. */
static void close_open(const engine_process *source)
{
    for (uint32_t i = 0; open_reports && i < MAX_OPEN; i++) {
        const open_report *one = &open_reports[(next_open + i) % MAX_OPEN];
        if (one->process == source) {
            close_text(source, one->hash);
        }
    }
}

/* Open reports of other processes are not about packets to this peer. Returns a process that can only be one
 * other peer then, with that peer; NULL: there is none. */
static engine_process *exclude(int32_t peer, int32_t *other)
{
    engine_process *found = NULL;
    for (uint32_t i = 0; open_reports && i < MAX_OPEN; i++) {
        open_report *one = &open_reports[i];
        uint32_t left = 0;
        bool same = true;
        for (uint32_t j = 0; one->process && j < one->count; j++) {
            if (one->receivers[j] != peer) {
                one->packets[left] = one->packets[j];
                one->receivers[left++] = one->receivers[j];
                same &= one->receivers[0] == one->receivers[left - 1];
            }
        }
        one->count = left;
        if (one->process && left && same && one->receivers[0] && !one->process->peer) {
            found = one->process;
            *other = one->receivers[0];
        }
    }
    return found;
}

static void learn_peer(engine_process *source, int32_t receiver)
{
    while (source && !source->peer && receiver && godot_store_may_keep(godot_state_store(), 0)) {
        source->peer = receiver;
        wmem_map_insert(debugged, GINT_TO_POINTER(receiver), source);
        close_open(source);
        source = exclude(receiver, &receiver);
    }
}

static void keep_open(engine_process *source, const godot_report *report, uint32_t number, uint32_t hash,
                      const found_packets *found)
{
    const unsigned count = found->count;
    godot_report *kept = count && count <= MAX_PACKETS ? godot_report_keep(report) : NULL;
    if (!kept) {
        return;
    }
    if (!open_reports) {
        open_reports = wmem_alloc0_array(wmem_file_scope(), open_report, MAX_OPEN);
    }
    open_report *one = &open_reports[next_open++ % MAX_OPEN];
    *one = (open_report){.process = source, .report = kept, .number = number, .hash = hash, .count = count};
    for (unsigned i = 0; i < count; i++) {
        one->packets[i] = found->at[i]->is.packet;
        one->receivers[i] = found->at[i]->is.receiver;
    }
}

static void settle(engine_process *source, report_group *group, int32_t receiver)
{
    for (uint32_t i = 0; i < group->count; i++) {
        const pending_report *one = &group->reports[i];
        godot_report_attach(one->report, one->number, one->packet);
    }
    if (source->pending == group) {
        source->pending = NULL;
        source->certain = true;
    }
    group->count = 0;
    learn_peer(source, receiver);
}

/* Packets of earlier errors for which none came. */
static void drop_older(report_group *group, found_packets *found, double than)
{
    unsigned left = 0;
    for (unsigned i = 0; i < found->count; i++) {
        if (found->at[i]->time < than) {
            take(found->at[i], group->hash);
        } else {
            found->at[left++] = found->at[i];
        }
    }
    found->count = left;
}

/* False: the error names no packet. */
static bool search(const packet_info *pinfo, engine_process *source, const address *game,
                   const godot_report *report, uint32_t number)
{
    engine_text names;
    double now = nstime_to_sec(&pinfo->rel_ts);
    if (!engine_text_read(report->text, &names)) {
        return false;
    }
    source->certain = false;
    source->pending = NULL;
    report_group *group = group_of(source, report->text);
    if (!group) {
        return true;
    }
    found_packets found = find(pinfo, source, game, &names, group->hash);
    if (group->count && now - group->latest > LATEST_SECONDS) { /* they will never be certain */
        group->count = 0;
        drop_older(group, &found, group->latest);
    }
    bool one_receiver = have_one_receiver(&found);
    if (!one_receiver) {
        keep_open(source, report, number, group->hash, &found);
    }
    godot_report *kept = one_receiver && group->count < MAX_PENDING ? godot_report_keep(report) : NULL;
    if (!kept) {
        group->count = 0;
        return true;
    }
    const report_candidate *oldest = &found.at[0]->is;
    group->latest = now;
    take(found.at[0], group->hash);
    group->reports[group->count++] = (pending_report){kept, number, oldest->packet};
    source->about = oldest->packet;
    source->pending = group;
    if (found.count == 1) {
        settle(source, group, oldest->receiver);
    }
    return true;
}

/* An error that is printed after another one about the same packet. */
static void follow(engine_process *source, const godot_report *report, uint32_t number)
{
    report_group *group = source->pending;
    bool room = source->certain || (group && group->count && group->count < MAX_PENDING);
    godot_report *kept = room ? godot_report_keep(report) : NULL;
    if (kept && source->certain) {
        godot_report_attach(kept, number, source->about);
    } else if (kept) {
        group->reports[group->count++] = (pending_report){kept, number, source->about};
    }
}

void godot_report_search(const packet_info *pinfo, engine_process *source, const address *game,
                         const godot_report *report, uint32_t number)
{
    if (!source || !recent || report->kind != REPORT_ERROR || search(pinfo, source, game, report, number)) {
        return;
    }
    if (godot_report_is_refusal(report) && report->place.function &&
        engine_text_follows(report->place.function)) {
        follow(source, report, number);
    } else {
        source->certain = false;
        source->pending = NULL;
    }
}
