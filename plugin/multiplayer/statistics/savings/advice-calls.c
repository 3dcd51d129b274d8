/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/wireshark-compat.h"

#include <string.h>

#include "multiplayer/statistics/savings/savings.h"

/* Least share of unchanged calls for which fewer are advised: each of them costs nothing but its bytes. */
#define OFTEN_SAME 0.5
/* Likewise, of unchanged ones after several others: something rests, so it is not by chance. */
#define OFTEN_RESTS 0.25
/* Rate per second from which calls are frequent. */
#define MANY 10.0
/* Share of a method's calls in one frame with the same arguments, from which a loop makes them. */
#define LOOPED 0.4
/* A second, of calls that tell what several have told. */
#define GATHERED_RATE 20.0
/* Acknowledgements a second from which ENet needs no pings. */
#define FEWEST 2.0
/* Share of a method's calls in the same frame up to which they need not have the pace of a clock. */
#define TOGETHER 0.1
/* From this rate on, two ticks of a clock may be in one frame of the game; least windows in which they were
 * counted; and the variance of these counts, by their mean: events have 1 or more, a clock almost none. */
#define CLOCK_RATE 25.0
enum { CLOCK_WINDOWS = 6 };
#define CLOCK_VARIANCE 0.5
/* Mean calls between two pauses up to which a key that is held down may make them. */
enum { RUN_CALLS = 60 };
/* Calls of all by those of a client, from which a server passes them on. */
#define PASSED_ON 1.1
/* Share of the calls from which something is taken for a rule. */
#define ALMOST_ALL 0.9
/* Bytes of a call, on the wire, from which it may be a piece of something. */
#define LARGE_ON_WIRE 200.0

static char *method_text(const called_method *of)
{
    return savings_method_text(of, "");
}

/* --- how often, and how -------------------------------------------------------------------------- */

/* Whether a few windows have nearly the same number of calls: a clock makes them, not events. */
static bool has_even_pace(const called_method *of)
{
    const call_pace *pace = &of->pace;
    double mean = ratio(pace->calls, (double)pace->windows);
    double variance = ratio(pace->squares, 2.0 * (double)pace->pairs);
    return pace->pairs >= CLOCK_WINDOWS && variance < CLOCK_VARIANCE * mean;
}

/* Whether they come in runs of so few that a key, held down, may make them: each may count, as a shot. */
static bool comes_in_runs(const called_method *of)
{
    return of->pace.pauses >= SAVINGS_LEAST / 2 && of->pace.pauses * RUN_CALLS > of->pace.steps;
}

/* Of the clients, if a server passes their calls on by calling it more often than each of them: it is called
 * for all of them then. */
static double rate_of(const call_pace *pace)
{
    double of_all = ratio((double)pace->steps, pace->seconds);
    double of_clients = ratio((double)pace->client_steps, pace->client_seconds);
    return of_clients && of_clients * PASSED_ON < of_all ? of_clients : of_all;
}

/* Whether the calls are pieces, as of a voice: large ones that all differ, and between these always the same
 * one again, as silence. */
static bool is_stream(const called_method *of)
{
    return of->all.bytes >= LARGE_ON_WIRE * (double)of->calls && of->pieces >= SAVINGS_LEAST &&
           (double)of->pieces >= OFTEN_SAME * (double)(of->calls - of->silent.count) &&
           (double)of->silent.again >= ALMOST_ALL * (double)of->unchanged;
}

/* Pieces stay unreliable: one that is late is worth nothing. */
static void advise_silence(const savings *all, GPtrArray *rows, const called_method *of)
{
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->silent.bytes),
        .what =
            g_strdup("No call while nothing is to be told, as in silence; the others as unreliable as now"),
        .where = method_text(of),
        .why = g_strdup_printf("%.1f %% of %" PRIu64
                               " calls had the same arguments, between pieces that all differ",
                               100 * ratio((double)of->silent.count, (double)of->calls), of->calls),
        .but = "Receivers have to take no call for that, also when the last piece before it is lost",
        .evidence = &of->silent.bytes};
    savings_add_row(all, rows, found);
}

/* Whether most calls come several times in one frame, with the same arguments. A clock that is late makes few
 * of these. */
bool savings_is_looped(const called_method *of)
{
    return (double)of->doubled >= LOOPED * (double)of->calls;
}

static void advise_once(const savings *all, GPtrArray *rows, const called_method *of)
{
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->once),
        .what = g_strdup_printf("Call it once: %s, not in a loop",
                                of->by_server ? "rpc() is for all peers" : "it has the same arguments"),
        .where = method_text(of),
        .why = g_strdup_printf("%.1f %% of %" PRIu64 " calls came right after one with the same arguments to "
                               "the same receiver, in the same frame",
                               100 * ratio((double)of->doubled, (double)of->calls), of->calls),
        .evidence = &of->once};
    savings_add_row(all, rows, found);
}

/* Who has asked may wait for the answer. */
static void advise_fewer_answers(const savings *all, GPtrArray *rows, const called_method *of,
                                 const called_method *question)
{
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->same),
        .what = g_strdup("Ask less often, or send it without being asked when it changes"),
        .where = method_text(of),
        .why =
            g_strdup_printf("%.1f %% of %" PRIu64 " calls had the arguments of the call before to the same "
                            "receiver; each came right after one of %s()",
                            100 * ratio((double)of->unchanged, (double)of->calls), of->calls, question->name),
        .but = "Who asks may wait for the answer: none, because nothing has changed, is no answer",
        .evidence = &of->same};
    savings_add_row(all, rows, found);
}

bool savings_is_reliable(const called_method *of)
{
    return of->reliable + of->unknown_mode == of->calls;
}

/* An unreliable call that is made once has to become reliable, which costs acknowledgements. */
static void advise_fewer_calls(const savings *all, GPtrArray *rows, const called_method *of,
                               const saved_bytes *same, uint64_t unchanged)
{
    const char *before = same == &of->same ? "to" : "with the same first argument, to";
    bool reliable = savings_is_reliable(of);
    bool question = reliable && (!has_even_pace(of) || comes_in_runs(of)); /* each may count, as a blow */
    double changes = reliable ? 0 : (double)(of->calls - unchanged);
    /* With their acknowledgements there is no need for pings, which are acknowledged as well. */
    double pings = changes >= FEWEST * of->step_seconds ? 2 * (double)of->pings : 0;
    savings_row found = {
        .bytes =
            savings_with_acknowledgements(all, same) + (pings - changes) * savings_acknowledgement_cost(all),
        .what = g_strdup(of->is_set ? "Set it only when its value has changed, with rset() or rset_id()"
                         : question ? "Call it only when its arguments have changed: does it have no effect "
                                      "to call it again?"
                         : reliable ? "Call it only when its arguments have changed"
                         : all->api == 3
                             ? "Call it only when its arguments have changed, with rpc() or rpc_id()"
                             : "Call it only when its arguments have changed, and make it \"reliable\""),
        .where = method_text(of),
        .why = g_strdup_printf("%.1f %% of %" PRIu64
                               " calls had the arguments of the call before %s the same receiver%s%s",
                               100 * ratio((double)unchanged, (double)of->calls), of->calls, before,
                               question ? "" : ". If calling it again has no effect",
                               reliable ? "" : ". Acknowledgements of those that are left are subtracted"),
        .but = reliable ? "Who joins later needs a call of its own"
                        : "Who joins later needs a call of its own; unreliable, the last value could be lost "
                          "for ever",
        .evidence = same,
        .question = question};
    savings_add_row(all, rows, found);
}

bool savings_is_keyed(const called_method *of)
{
    return of->together && (double)of->keyed >= TOGETHER * (double)of->together;
}

/* Whether a call is about another thing than the one before, and each of these comes again and again, as
 * players in a loop. */
static bool always_takes_turns(const called_method *of)
{
    return of->turns && (double)of->turns >= ALMOST_ALL * (double)of->steps;
}

/* Whether calls come at the pace of a clock, a few of which are in the same frame because that was late; if
 * they are about different things, about each. */
static bool is_clocked(const called_method *of)
{
    const call_pace *pace = &of->pace;
    return (double)pace->steps >= CLOCK_RATE * pace->seconds && has_even_pace(of) &&
           (!savings_is_keyed(of) || always_takes_turns(of));
}

static void advise_unreliable(const savings *all, GPtrArray *rows, const called_method *of)
{
    static const saved_bytes none;
    const saved_bytes *saved = &of->unreliable, *others = of->omitted ? of->omitted : &none;
    bool many_together = (double)of->together >= TOGETHER * (double)of->calls;
    char *together =
        many_together
            ? g_strdup_printf(" %.0f %% came in the same frame as the one before, at the pace of a clock.",
                              100 * ratio((double)of->together, (double)of->calls))
            : g_strdup("");
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, saved) - savings_with_acknowledgements(all, others),
        .what = g_strdup(of->is_packets  ? "TRANSFER_MODE_UNRELIABLE_ORDERED, not RELIABLE"
                         : of->is_set    ? "rset_unreliable(), not rset()"
                         : all->api == 3 ? "rpc_unreliable(), not rpc()"
                                         : "@rpc(\"unreliable_ordered\"), not \"reliable\""),
        .where = method_text(of),
        .why = g_strdup_printf(
            "%.0f reliable calls a second to the same receiver: %" PRIu64 " acknowledgements, %" PRIu64
            " calls sent again.%s If each call makes those before%s useless",
            ratio((double)of->steps, of->step_seconds), saved->acknowledgements - others->acknowledgements,
            saved->messages - others->messages, together,
            always_takes_turns(of) ? " with the same first argument" : ""),
        .but = "Lost ones do not come again, not even the last one before a pause",
        .evidence = saved};
    savings_add_row(all, rows, found);
    g_free(together);
}

static char *rate_text(double interval _U_, double rate)
{
    return g_strdup_printf("Call it %.0f times a second", rate);
}

static char *turns_text(double interval _U_, double rate)
{
    return g_strdup_printf("Call it %.0f times a second with the same first argument", rate);
}

/* Bytes on the wire of the methods whose calls follow those of `of`; appends their names. */
static double followers_of(const savings *all, const called_method *of, GString *names)
{
    double bytes = 0;
    for (unsigned i = 0; i < all->methods->len; i++) {
        const called_method *one = all->methods->pdata[i];
        if (one != of && savings_origin_of(one) == of) {
            g_string_append_printf(names, ", with %s() that follows", one->name);
            bytes += one->all.bytes;
        }
    }
    return bytes;
}

/* Whether the calls follow others or are followed: then what they tell comes back, as the time of a ping: a
 * number that changes steadily is not the same by chance. */
static bool is_followed(const savings *all, const called_method *of)
{
    GString *names = g_string_new(NULL);
    bool followed = (double)of->returned >= OFTEN_SAME * (double)of->calls || savings_origin_of(of) ||
                    followers_of(all, of, names) > 0;
    g_string_free(names, TRUE);
    return followed;
}

static void advise_slower(const savings *all, GPtrArray *rows, const called_method *of)
{
    const called_method *origin = savings_origin_of(of);
    if (origin && origin != of) {
        return; /* it is called as often as that */
    }
    char *text = method_text(of);
    GString *where = g_string_new(text);
    const called_method *whole = of->whole;
    double more =
        followers_of(all, of, where) + (whole ? whole->all.bytes - of->omitted->bytes - of->all.bytes : 0);
    g_free(text);
    bool turns = savings_takes_turns(of); /* it is called that often about each of these */
    double rate = turns ? ratio((double)of->turn_steps, of->turn_seconds) : rate_of(&of->pace);
    savings_advise_rate(all, rows,
                        &(rate_advice){.of = &of->all,
                                       .more = more,
                                       .rate = rate,
                                       .what = turns ? turns_text : rate_text,
                                       .subject = "If each call makes those before useless. It is called",
                                       .where = g_string_free(where, FALSE),
                                       .but = "What is shorter than that, as a press of a key, is lost; "
                                              "receivers have to interpolate what moves"});
}

/* Whether each call begins where the one before has ended, as of a line that is drawn; or is one of a
 * numbered series, as inputs. A server numbers states as well, of which the latest one is enough: unless all
 * of them have to arrive. */
static bool is_chain(const called_method *of)
{
    return of->chained >= SAVINGS_LEAST && (double)of->chained >= OFTEN_SAME * (double)of->steps;
}

static bool is_series(const called_method *of)
{
    bool numbered = false;
    for (unsigned i = 0; i < SAVINGS_ARGUMENTS; i++) {
        const called_argument *one = &of->arguments[i];
        numbered |= one->next >= SAVINGS_LEAST && (double)one->next >= ALMOST_ALL * (double)of->steps;
    }
    return numbered &&
           ((double)of->to_server >= ALMOST_ALL * (double)of->calls ||
            (of->reliable == of->calls && (double)of->by_server >= ALMOST_ALL * (double)of->calls));
}

/* Whether none of the calls can be left out. */
static bool each_counts(const called_method *of)
{
    return is_chain(of) || is_series(of);
}

/* Calls that all count: not fewer of them, but what several tell in one. */
static void advise_gathered(const savings *all, GPtrArray *rows, const called_method *of)
{
    enum { POINT = 8 /* bytes of a Vector2 in an array */ };
    double rate = rate_of(&of->pace);
    unsigned every = (unsigned)(rate / GATHERED_RATE + 0.5);
    bool chain = is_chain(of);
    double calls = (double)of->calls;
    /* What is left of each call, and, of all of it, what comes once in a message. */
    double each = chain ? POINT * calls : of->elements.bytes;
    double once = of->all.bytes - (chain ? each : savings_argument_bytes(of) - PACKED_HEAD * calls);
    if (every < 2) {
        return;
    }
    savings_row found = {.bytes = of->all.bytes - each - once / every,
                         .what = g_strdup_printf("One call with an Array of %s, %.0f times a second",
                                                 chain ? "the points since the last one"
                                                       : "the arguments of several, one after the other",
                                                 rate / every),
                         .where = method_text(of),
                         .why = g_strdup_printf(
                             "It is called %.0f times a second: %s", rate,
                             chain
                                 ? "an argument is another one of the call before, so each goes on from there"
                                 : "the calls are numbered, so each counts"),
                         .but = "What they tell comes later, by up to the time between two of these calls",
                         .evidence = &of->all};
    savings_add_row(all, rows, found);
}

/* Calls of which nobody sees but the last one, as of events of the mouse. */
static void advise_latest(const savings *all, GPtrArray *rows, const called_method *of)
{
    if ((double)of->overtaken.messages < SAVINGS_JOINED * (double)of->calls || savings_is_keyed(of) ||
        of->is_packets || of->overtaken.messages < SAVINGS_LEAST || of->nodes->len > 1 || of->reliable) {
        return;
    }
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->overtaken),
        .what = g_strdup("Only the last call of a frame, from _process(), not one for each event"),
        .where = method_text(of),
        .why = g_strdup_printf(
            "%" PRIu64 " of %" PRIu64
            " messages came within 5 ms after another one of it to the same receiver. If each "
            "call makes those before useless",
            of->overtaken.messages, of->calls),
        .but = "What comes between is not seen",
        .evidence = &of->overtaken};
    savings_add_row(all, rows, found);
}

/* Parts of a map, pictures, descriptions that are asked for again. */
static void advise_keeping(const savings *all, GPtrArray *rows, const called_method *of)
{
    if (of->known < SAVINGS_LEAST) {
        return;
    }
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->kept),
        .what = g_strdup("Receivers keep what has come, and get only what they do not have"),
        .where = method_text(of),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64
                               " calls had the arguments of an earlier call to the same receiver, "
                               "not of the one before: only the game knows whether that is news",
                               of->known, of->calls),
        .but = "What has changed since has to be told",
        .evidence = &of->kept,
        .question = true};
    savings_add_row(all, rows, found);
}

/* Whether a method that is called reliably need not be. */
static bool can_be_unreliable(const called_method *of)
{
    return of->reliable == of->calls && of->step_seconds > 0 &&
           (double)of->steps >= MANY * of->step_seconds && has_even_pace(of) &&
           ((double)of->together < TOGETHER * (double)of->calls || is_clocked(of));
}

/* Calls of which most tell something else than the one before. */
static void advise_changing(const savings *all, GPtrArray *rows, const called_method *of)
{
    bool counts = !is_followed(all, of) && savings_advise_course(all, rows, of);
    if (each_counts(of)) {
        advise_gathered(all, rows, of);
    } else if (savings_tells_pieces(of)) {
        /* all of them are needed */
    } else if (is_clocked(of)) {
        advise_slower(all, rows, of);
    } else {
        advise_latest(all, rows, of);
    }
    if (!counts && !each_counts(of) && !(of->numbers && is_followed(all, of))) {
        savings_advise_way(all, rows, of);
    }
    if (!counts) {
        savings_advise_arguments(all, rows, of);
    }
}

static bool are_many(const called_method *of)
{
    uint64_t receivers = of->calls - of->steps; /* of each node */
    return receivers && of->calls / receivers >= SAVINGS_LEAST && of->has_arguments;
}

/* What can be saved of calls that differ, once those between them are not made. */
static void advise_left(const savings *all, GPtrArray *rows, const called_method *of)
{
    unsigned before = rows->len;
    if (!of || !are_many(of)) {
        return;
    }
    if (can_be_unreliable(of) && !each_counts(of)) {
        advise_unreliable(all, rows, of);
    }
    advise_changing(all, rows, of);
    for (unsigned i = before; i < rows->len; i++) {
        savings_row *one = rows->pdata[i];
        char *why = one->why;
        one->why = g_strdup_printf("In addition, of calls with changed arguments. %s", why);
        g_free(why);
    }
}

/* "Call it only when its arguments have changed". Returns whether it was said of the calls that are left what
 * else can be saved of them: not if each may count. */
static bool advise_only_changed(const savings *all, GPtrArray *rows, const called_method *of,
                                const saved_bytes *same, const called_method *left)
{
    unsigned before = rows->len;
    advise_fewer_calls(all, rows, of, same, same == &of->same ? of->unchanged : of->unchanged_of);
    bool sure =
        rows->len > before && !((const savings_row *)rows->pdata[before])->question && !is_followed(all, of);
    if (sure) {
        advise_left(all, rows, left);
    }
    return sure;
}

/* Of calls that repeat the one before. */
static void advise_same(const savings *all, GPtrArray *rows, const called_method *of)
{
    const called_method *question = savings_question_of(of);
    if (savings_is_looped(of)) {
        advise_once(all, rows, of);
    } else if (!of->reliable && is_stream(of)) {
        advise_silence(all, rows, of);
    } else if (question) {
        advise_fewer_answers(all, rows, of, question);
    } else {
        (void)advise_only_changed(all, rows, of, &of->same, of->left);
    }
    savings_advise_containers(all, rows, of, of->unchanged);
}

static void advise_call(const savings *all, GPtrArray *rows, const called_method *of)
{
    bool rests = savings_is_reliable(of) && (double)of->rests >= OFTEN_RESTS * (double)of->calls;
    bool same = (double)of->unchanged >= OFTEN_SAME * (double)of->calls || rests || savings_is_looped(of);
    bool same_of = (double)of->unchanged_of >= OFTEN_SAME * (double)of->calls;
    if (!same) {
        advise_keeping(all, rows, of);
    }
    if (!are_many(of)) {
        return;
    }
    if (same) {
        advise_same(all, rows, of);
    } else if (same_of && advise_only_changed(all, rows, of, &of->same_of, of->left_of)) {
        savings_advise_containers(all, rows, of, of->unchanged_of);
    } else {
        if (!same_of && can_be_unreliable(of) && !each_counts(of)) {
            advise_unreliable(all, rows, of);
        }
        advise_changing(all, rows, of);
    }
}

void savings_advise_calls(const savings *all, GPtrArray *rows)
{
    for (unsigned i = 0; i < all->methods->len; i++) {
        const called_method *of = all->methods->pdata[i];
        if (savings_advise_receipts(all, rows, of) || savings_advise_synced(all, rows, of)) {
            continue;
        }
        advise_call(all, rows, of);
        savings_advise_forms(all, rows, of);
        if (!of->is_packets && !of->is_set) {
            savings_advise_receiver(all, rows, of);
            savings_advise_server_only(all, rows, of);
            savings_advise_passed(all, rows, of);
            savings_advise_addressed(all, rows, of);
        }
    }
    savings_advise_joined(all, rows);
}
