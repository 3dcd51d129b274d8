/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/reports/search.h"

#include "base/allocators.h"
#include "multiplayer/reports/engine_text.h"
#include "multiplayer/state/session.h"

enum {
    RECENT = 512,     /* packets that are remembered; a power of 2 */
    MAX_TEXTS = 4,    /* different errors about one packet */
    MAX_PENDING = 64, /* errors with one text that are not certain yet */
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
typedef struct {
    uint32_t hash;
    double latest;
    uint32_t count; /* of `reports` */
    pending_report reports[MAX_PENDING];
} report_group;

static bool expected;
static recent_packet *recent; /* RECENT of them; NULL: none yet */
static uint32_t next;         /* modulo RECENT the one that is overwritten next */
static wmem_map_t *groups;    /* source and text: report_group */

static void forget(void)
{
    expected = false;
    recent = NULL;
    next = 0;
}

void godot_report_search_init(void)
{
    groups = file_map(wmem_str_hash, g_str_equal);
    register_cleanup_routine(forget);
}

void godot_report_expect(void)
{
    expected = true;
}

void godot_report_candidate(const packet_info *pinfo, const report_candidate *candidate)
{
    if (!expected || !candidate->node) {
        return;
    }
    if (!recent) {
        recent = wmem_alloc0_array(wmem_file_scope(), recent_packet, RECENT);
    }
    const char *node = godot_session_keep_text(candidate->node);
    const char *method = candidate->method ? godot_session_keep_text(candidate->method) : NULL;
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
    return (!names->sender || !is->sender || names->sender == is->sender) &&
           (!names->has_path || is->has_path);
}

static bool is_of(const report_source *source, const recent_packet *one)
{
    return !source->peer || !one->is.receiver || source->peer == one->is.receiver;
}

/* The packets that the text fits and no other error with it is about, the oldest first. Returns how many. */
static unsigned find(const packet_info *pinfo, const report_source *source, const address *game,
                     const engine_text *names, uint32_t hash, recent_packet **found)
{
    unsigned count = 0;
    double now = nstime_to_sec(&pinfo->rel_ts);
    for (uint32_t i = next > RECENT ? next - RECENT : 0; recent && i < next; i++) {
        recent_packet *one = &recent[i % RECENT];
        bool late = now - one->time > LATEST_SECONDS;
        if (!late && !is_taken(one, hash) && is_of(source, one) && can_be_at(game, &one->to) &&
            fits(names, one)) {
            found[count++] = one;
        }
    }
    return count;
}

static bool have_one_receiver(recent_packet *const *found, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        if (found[i]->is.receiver != found[0]->is.receiver ||
            (!found[0]->is.receiver && found[i]->is.way != found[0]->is.way)) {
            return false;
        }
    }
    return count > 0;
}

/* --- what is certain ----------------------------------------------------------------------------- */

static report_group *group_of(const report_source *source, const char *text)
{
    char *key = wmem_strdup_printf(NULL, "%p %s", (const void *)source, text);
    report_group *group = wmem_map_lookup(groups, key);
    if (!group && godot_session_may_remember(sizeof *group + strlen(key))) {
        group = wmem_new0(wmem_file_scope(), report_group);
        group->hash = MAX(1, hash_number(hash_bytes((const uint8_t *)key, strlen(key))));
        wmem_map_insert(groups, wmem_strdup(wmem_file_scope(), key), group);
    }
    wmem_free(NULL, key);
    return group;
}

static void settle(report_source *source, report_group *group, int32_t receiver)
{
    for (uint32_t i = 0; i < group->count; i++) {
        const pending_report *one = &group->reports[i];
        godot_report_attach(one->report, one->number, one->packet);
    }
    group->count = 0;
    if (!source->peer) {
        source->peer = receiver;
    }
}

/* Packets of earlier errors for which none came. */
static unsigned drop_older(report_group *group, recent_packet **found, unsigned count, double than)
{
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        if (found[i]->time < than) {
            take(found[i], group->hash);
        } else {
            found[left++] = found[i];
        }
    }
    return left;
}

void godot_report_search(const packet_info *pinfo, report_source *source, const address *game,
                         const godot_report *report, uint32_t number)
{
    recent_packet *found[RECENT];
    engine_text names;
    double now = nstime_to_sec(&pinfo->rel_ts);
    if (!recent || !source || report->kind != REPORT_ERROR || !engine_text_read(report->text, &names)) {
        return;
    }
    report_group *group = group_of(source, report->text);
    if (!group) {
        return;
    }
    unsigned count = find(pinfo, source, game, &names, group->hash, found);
    if (group->count && now - group->latest > LATEST_SECONDS) { /* they will never be certain */
        group->count = 0;
        count = drop_older(group, found, count, group->latest);
    }
    godot_report *kept =
        have_one_receiver(found, count) && group->count < MAX_PENDING ? godot_report_keep(report) : NULL;
    if (!kept) {
        group->count = 0;
        return;
    }
    group->latest = now;
    take(found[0], group->hash);
    group->reports[group->count++] = (pending_report){kept, number, found[0]->is.packet};
    if (count == 1) {
        settle(source, group, found[0]->is.receiver);
    }
}
