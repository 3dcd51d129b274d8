/* costs.c
 *
 * Bytes that a change saves; see costs.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/savings/costs/costs.h"

#include "statistics/report.h"

/* Frames of which acknowledgements are expected; a capture can lack any number of them. */
#define MAX_UNANSWERED 50000u
/* ENet's: after that time without an acknowledgement it sends a ping. */
#define PING_SECONDS 0.5

/* Messages of a frame that would not be sent: so many of its acknowledgements would not be, either. */
typedef struct {
    saved_bytes *by;
    uint64_t left;
} expected_answers;

/* What acknowledges the messages of a sender. */
typedef struct {
    double time;       /* of the latest one */
    uint64_t count;    /* of them */
    GHashTable *quiet; /* saved_bytes to its quiet_time */
} answered_sender;

/* Acknowledgements one after the other that would not be sent. */
typedef struct {
    uint64_t latest; /* number of it */
    double time;     /* of the one before these, or of the ping instead of them */
} quiet_time;

static void free_sender(void *data)
{
    g_hash_table_destroy(((answered_sender *)data)->quiet);
    g_free(data);
}

static void free_list(void *data)
{
    g_array_unref(data);
}

void costs_begin(saved_costs *costs, wmem_allocator_t *pool)
{
    GHashTable *unanswered = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_list);
    GHashTable *answered = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_sender);
    costs->touched = report_list(pool);
    costs->unanswered = report_keep(pool, unanswered, (GDestroyNotify)g_hash_table_unref);
    costs->answered = report_keep(pool, answered, (GDestroyNotify)g_hash_table_unref);
}

frame_facts costs_facts_of(packet_info *pinfo)
{
    frame_facts facts = {0};
    for (const enet_tap_datagram *one = enet_taps_of_frame(pinfo); one; one = one->next) {
        facts.frame_bytes += one->frame_bytes;
        facts.datagram_bytes += one->frame_bytes ? one->datagram_bytes : 0;
        facts.body_bytes += one->frame_bytes ? one->body_bytes : 0;
        facts.commands += one->command_count;
        for (uint32_t i = 0; i < one->command_count; i++) {
            facts.acknowledgements += one->commands[i].type == ENET_ACKNOWLEDGE;
            facts.pings += one->commands[i].type == ENET_PING;
        }
    }
    return facts;
}

static void touch(saved_costs *costs, saved_bytes *of)
{
    if (!of->touched) {
        of->touched = true;
        g_ptr_array_add(costs->touched, of);
    }
}

void costs_add(saved_costs *costs, saved_bytes *of, uint32_t bytes, bool whole)
{
    touch(costs, of);
    of->shown = true;
    of->here += bytes;
    of->whole += whole;
}

/* --- acknowledgements ---------------------------------------------------------------------------- */

/* The sender of what this datagram acknowledges; NULL: it is too much. */
static answered_sender *answered_by(const saved_costs *costs, const enet_tap_datagram *datagram)
{
    const void *by = datagram->datagram->sender; /* each end has one peer */
    answered_sender *one = g_hash_table_lookup(costs->answered, by);
    if (!one && by && g_hash_table_size(costs->answered) < MAX_UNANSWERED) {
        one = g_new0(answered_sender, 1);
        one->quiet = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
        g_hash_table_insert(costs->answered, (void *)by, one);
    }
    return one;
}

/* Counts the pings that would be sent up to now, as this acknowledgement is not. */
static void count_pings(const answered_sender *sender, saved_bytes *by, double now)
{
    quiet_time *quiet = g_hash_table_lookup(sender->quiet, by);
    if (!quiet) {
        quiet = g_new0(quiet_time, 1);
        g_hash_table_insert(sender->quiet, by, quiet);
    }
    if (quiet->latest + 1 < sender->count || !quiet->latest) {
        quiet->time = sender->count > 1 ? sender->time : now;
    }
    while (now - quiet->time >= PING_SECONDS) {
        quiet->time += PING_SECONDS;
        by->pings++;
    }
    quiet->latest = sender->count;
}

static void add_answer(saved_costs *costs, answered_sender *sender, const enet_tap_command *command,
                       double now)
{
    void *frame = GUINT_TO_POINTER(command->answered_first);
    GArray *expected = g_hash_table_lookup(costs->unanswered, frame);
    uint64_t left = 0;
    sender->count++;
    for (unsigned i = 0; expected && i < expected->len; i++) {
        expected_answers *one = &g_array_index(expected, expected_answers, i);
        if (one->left) {
            touch(costs, one->by);
            one->by->answers++;
            one->left--;
            count_pings(sender, one->by, now);
        }
        left += one->left;
    }
    if (expected && !left) {
        g_hash_table_remove(costs->unanswered, frame);
    }
    sender->time = now;
}

void costs_add_answers(saved_costs *costs, packet_info *pinfo, double now)
{
    for (const enet_tap_datagram *one = enet_taps_of_frame(pinfo); one; one = one->next) {
        answered_sender *sender = answered_by(costs, one);
        for (uint32_t i = 0; sender && i < one->command_count; i++) {
            if (one->commands[i].answered) {
                add_answer(costs, sender, &one->commands[i], now);
            }
        }
    }
}

static void expect_answers(saved_costs *costs, saved_bytes *of, void *frame)
{
    const expected_answers expected = {of, of->acknowledgements - of->expected};
    GArray *list = g_hash_table_lookup(costs->unanswered, frame);
    if (expected.left && !list && g_hash_table_size(costs->unanswered) < MAX_UNANSWERED) {
        list = g_array_new(FALSE, FALSE, sizeof expected);
        g_hash_table_insert(costs->unanswered, frame, list);
    }
    if (expected.left && list) {
        g_array_append_val(list, expected);
    }
    of->expected = of->acknowledgements;
}

/* --- frames -------------------------------------------------------------------------------------- */

/* Of a datagram of which nothing would be left everything is saved, else the bytes that would be missing, as
 * much as they were compressed. Those of a message in fragments are in other frames as well. */
static void finish_one(saved_bytes *one, const packet_info *pinfo, const frame_facts *facts)
{
    bool compressed = facts->datagram_bytes && facts->datagram_bytes < facts->body_bytes;
    double scale = compressed ? (double)facts->datagram_bytes / facts->body_bytes : 1;
    bool nothing_left = facts->frame_bytes && one->whole + one->answers >= facts->commands;
    double missing = scale * (one->here + ACKNOWLEDGEMENT * one->answers);
    double headers = (double)facts->frame_bytes - facts->datagram_bytes;
    double everything = MAX(facts->frame_bytes, missing + headers);
    one->bytes += (nothing_left ? everything : missing) - scale * one->kept;
    for (int k = 0; k < SAVINGS_FRAMES && one->shown; k++) {
        if (!one->frames[k]) {
            one->frames[k] = pinfo->num;
            break;
        }
    }
    one->messages += one->whole;
    one->here = one->whole = one->kept = one->answers = 0;
    one->touched = one->shown = false;
}

void costs_finish_frame(saved_costs *costs, packet_info *pinfo, const frame_facts *facts)
{
    for (unsigned i = 0; i < costs->touched->len; i++) {
        finish_one(costs->touched->pdata[i], pinfo, facts);
        expect_answers(costs, costs->touched->pdata[i], GUINT_TO_POINTER(frame_order(pinfo)));
    }
    g_ptr_array_set_size(costs->touched, 0);
}
