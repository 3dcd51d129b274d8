/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/wireshark-compat.h"

#include "multiplayer/statistics/savings/rows/row.h"

/* A change is not worth a row if it saves less than this share of all bytes. */
#define LEAST_SHARE 0.01

void savings_free_row(void *data)
{
    savings_row *one = data;
    g_free(one->what);
    g_free(one->where);
    g_free(one->why);
    g_free(one);
}

void savings_add_row(const savings *all, GPtrArray *rows, savings_row found)
{
    savings_row *one = g_memdup2(&found, sizeof found);
    if (all->bytes >= SAVINGS_LEAST_BYTES && found.bytes >= LEAST_SHARE * (double)all->bytes) {
        g_ptr_array_add(rows, one);
    } else {
        savings_free_row(one);
    }
}

double savings_datagram_cost(const savings *all)
{
    return ratio((double)all->header_bytes, (double)all->frames);
}

double savings_call_cost(const savings *all, double calls, double answered)
{
    enum { CALL_HEAD = 8 + 4 /* ENet's; kind, ids of node and method, number of arguments */ };
    double others = (calls - answered) * ACKNOWLEDGEMENT;
    return calls * (CALL_HEAD + savings_datagram_cost(all)) + answered * savings_answer_cost(all) + others;
}

double savings_acknowledgement_cost(const savings *all)
{
    return ratio((double)all->acknowledgement_bytes, (double)all->acknowledgements);
}

/* Others in the same datagram take only their own bytes. */
double savings_answer_cost(const savings *all)
{
    double others = (double)(all->acknowledgements - all->answers) * ACKNOWLEDGEMENT;
    return ratio((double)all->acknowledgement_bytes - others, (double)all->answers);
}

double savings_with_acknowledgements(const savings *all, const saved_bytes *of)
{
    enum { PING = 8 /* bytes of its datagram */ };
    return of->bytes - (double)of->pings * (PING + savings_datagram_cost(all) + savings_answer_cost(all));
}

/* --- rates --------------------------------------------------------------------------------------- */

/* Bytes of messages around their parts that are still sent, beyond one in so many. */
static double spread_bytes(const saved_bytes *of, const slower_states *slower, unsigned every)
{
    double due = slower ? (double)slower->due[MIN(every, EVERY_MOST)] : 0;
    double messages = slower ? (double)slower->messages : 0;
    double more = ratio(due, messages) - 1.0 / MIN(every, EVERY_MOST);
    return messages ? MAX(0, more) * (of->bytes - (double)slower->part_bytes) : 0;
}

/* Times a second: what is as often is sent in each frame. */
#define EACH_FRAME 40

void savings_advise_rate(const savings *all, GPtrArray *rows, const rate_advice *one)
{
    enum { HALF = 15 /* of 30, if these come a little less often */ };
    static const unsigned targets[] = {30, 20, HALF, 10};
    GString *why = g_string_new(NULL);
    double bytes = one->of->bytes + one->more, saved = 0, interval = 0, left = 0;
    unsigned before = 1;
    g_string_append_printf(why, "%s %.0f times a second: ", one->subject, one->rate);
    for (size_t i = 0; i < array_length(targets); i++) {
        unsigned every = (unsigned)(one->rate / targets[i] + 0.5);
        if (every > before && (targets[i] != HALF || !interval)) {
            before = every;
            /* Less than so many frames, so that the next one is not missed by rounding: by half a frame. What
             * is sent in each second frame or less often, by half of these. */
            double this_interval = (every - (one->rate < EACH_FRAME ? 0.25 : 0.5)) / one->rate,
                   this_saved = bytes * (1 - 1.0 / every) - spread_bytes(one->of, one->slower, every);
            g_string_append_printf(why, "%s%.0f times (%.3f) saves %.0f bytes", interval ? ", " : "",
                                   one->rate / every, this_interval, this_saved);
            if (targets[i] >= 20 || !interval) {
                saved = this_saved;
                interval = this_interval;
                left = one->rate / every;
            }
        }
    }
    savings_row found = {.bytes = saved,
                         .what = one->what(interval, left),
                         .where = one->where,
                         .why = g_string_free(why, FALSE),
                         .but = one->but,
                         .evidence = one->of};
    savings_add_row(all, rows, found);
}
