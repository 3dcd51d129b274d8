/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/wireshark-compat.h"

#include <math.h>

#include "multiplayer/statistics/savings/savings.h"

#include <wsutil/str_util.h>

/* A rate of states that is sufficient over the Internet; network frames are at least as many. */
#define EVERY_FRAME 25.0
/* What comes before the parts of a message with changes; and before the values of each: id, mask, size. */
enum { DELTA_HEAD = 1 + 6, DELTA_PART = 4 + 8 + 4 };
/* Frames of a game that waits for the screen; so often a state is sent. Frames of most games. */
#define DRAWN_FRAMES 45.0
#define FRAME_RATE   60.0
/* Updates with a change, for each time that it begins to change. */
#define GOES_ON 2.0
/* Bytes by which a state is shorter than changes with the same values: no mask; and the message: ENet's
 * header, Godot's. */
enum { SHORTER_PART = 8, SHORTER_HEAD = (6 + 1 + 6) - (8 + 1 + 2) };

static char *all_synchronizers_text(bool of_client)
{
    return g_strdup_printf("All synchronizers whose authority is %s", of_client ? "a client" : "the server");
}

/* --- what changes together ----------------------------------------------------------------------- */

void savings_note_changed(const savings *all, synchronizer *of, sent_kind kind, unsigned index,
                          property_track *track)
{
    sent_parts *sent = &of->sent[kind];
    sent->sets = sent->sets ? sent->sets : wmem_new0(all->pool, changed_sets);
    of->changed |= 1u << index;
    track->begin = track->changes ? track->begin : all->message;
    of->begin = of->begin ? MIN(of->begin, track->begin) : track->begin;
}

void savings_end_part(synchronizer *of, sent_kind kind, uint32_t message)
{
    unsigned i = 0;
    while (i < of->begin_count && of->begins[i] != of->begin) {
        i++;
    }
    if (of->changed && i == of->begin_count && i < BEGINS) {
        of->begins[of->begin_count++] = of->begin;
    }
    if (of->changed) {
        of->sent[kind].sets->runs += of->begin == message;
        of->sent[kind].sets->parts[of->changed]++;
        of->any_changed |= of->changed;
        of->changed = of->begin = 0;
    }
}

void savings_end_states(const savings *all, sent_kind kind)
{
    for (unsigned i = 0; i < all->of_parts->len; i++) {
        synchronizer *of = all->of_parts->pdata[i];
        if (of) {
            savings_end_part(of, kind, all->message);
        }
        if (of && of->any_changed) {
            of->sent[kind].sets->messages[of->any_changed] += kind == SENT_STATES || of->is_whole;
            of->sent[kind].sets->begins[of->any_changed] += of->begin_count;
            of->any_changed = of->begin_count = 0;
        }
    }
}

set_count savings_changed_ones(const synchronizer *of, sent_kind kind, unsigned properties)
{
    const changed_sets *sets = of->sent[kind].sets;
    set_count count = {0, 0, 1};
    uint64_t begins = 0, all_parts = 0;
    double rate = ratio((double)of->sent[kind].steps, of->sent[kind].step_seconds);
    for (unsigned i = 0; sets && i < SETS; i++) {
        count.parts += i & properties ? sets->parts[i] : 0;
        count.messages += i & properties ? sets->messages[i] : 0;
        begins += i & properties ? sets->begins[i] : 0;
        all_parts += sets->parts[i];
    }
    if (kind == SENT_STATES && rate > 0 && count.messages > 0) {
        /* A change goes out in its frame, and then at that interval: nodes that begin to change together
         * share messages, others do by chance. What begins is only known of all properties together. */
        bool everything = count.parts == all_parts;
        double frames = MAX(1, FRAME_RATE / rate);
        double each = (double)(everything ? begins : count.parts) / count.messages;
        count.messages *= frames * (1 - pow(1 - 1 / frames, each));
        /* Of the interval at its end on average half is left. */
        count.more += everything ? (1 - 1 / frames) / 2 * sets->runs / (double)all_parts : 0;
    }
    return count;
}

double savings_changes_cost(const savings *all, set_count count)
{
    return count.more *
           (DELTA_PART * (double)count.parts +
            count.messages * (DELTA_HEAD + savings_datagram_cost(all) + savings_answer_cost(all)));
}

/* --- how they are replicated --------------------------------------------------------------------- */

/* Properties that could be On Change: bits; those after SET_BITS only all or none. */
typedef struct {
    unsigned bits;
    double saved; /* minus the cost of changes, also right after the node was spawned at a receiver */
    bool nothing_left;
} seldom_ones;

/* Pings that were sent beside states, and are not beside changes. */
static double saved_pings(const savings *all, const synchronizer *of)
{
    const sent_parts *sent = &of->sent[SENT_STATES];
    const changed_sets *sets = sent->sets;
    uint64_t messages = all->sent[SENT_STATES][of->of_client].messages;
    double changing = 0;
    for (unsigned i = 1; sets && i < SETS; i++) {
        changing += sets->messages[i];
    }
    bool is_only_one = sent->alone == messages && messages;
    return is_only_one ? (double)all->state_pings * ratio(changing, (double)messages) : 0;
}

static seldom_ones seldom_of(const savings *all, const synchronizer *of, unsigned bits)
{
    seldom_ones found = {.bits = bits};
    bool nothing_left = true;
    double values = 0;
    for (unsigned i = 0; i < of->properties->len; i++) {
        const synchronized_property *one = of->properties->pdata[i];
        bool seldom = bits >> one->index & 1;
        nothing_left &= seldom;
        values += seldom ? (double)one->changed_bytes : 0;
        found.saved += seldom ? one->dropped.bytes : 0;
    }
    /* A ping is acknowledged as well. */
    found.saved = nothing_left
                      ? of->sent[SENT_STATES].all.bytes + 2 * savings_answer_cost(all) * saved_pings(all, of)
                      : found.saved;
    set_count changes = savings_changed_ones(of, SENT_STATES, bits);
    found.saved -= changes.more * values + savings_changes_cost(all, changes);
    found.nothing_left = nothing_left;
    return found;
}

/* Properties of which this share of updates repeat the value; those that share a bit: all of them. */
static unsigned unchanged_ones(const synchronizer *of, double share)
{
    unsigned found = 0, others = 0;
    for (unsigned i = 0; i < of->properties->len; i++) {
        const synchronized_property *one = of->properties->pdata[i];
        bool seldom = one->updates >= SAVINGS_LEAST && (double)one->unchanged >= share * (double)one->updates;
        found |= (unsigned)seldom << one->index;
        others |= (unsigned)!seldom << one->index;
    }
    return found & ~others;
}

static unsigned bits_of_all(const synchronizer *of)
{
    return (1u << MIN(of->properties->len, SET_BITS)) - 1;
}

/* Those of which the changes cost less than the states: all that seldom change, or each that makes it better;
 * or all of a node that rests. */
static seldom_ones find_seldom(const savings *all, const synchronizer *of)
{
    unsigned candidates = unchanged_ones(of, SAVINGS_SELDOM), everything = bits_of_all(of);
    seldom_ones found = {0}, together = seldom_of(all, of, candidates);
    for (unsigned left = candidates; left; left &= left - 1) {
        seldom_ones more = seldom_of(all, of, found.bits | (left & -left));
        found = more.saved > found.saved ? more : found;
    }
    found = together.saved > found.saved ? together : found;
    together = seldom_of(all, of, everything);
    return unchanged_ones(of, SAVINGS_RESTS) == everything && together.saved > found.saved ? together : found;
}

/* Whether changes go on for some updates, as those of a node that walks; each by itself needs no interval. */
static bool goes_on(const synchronizer *of, unsigned bits)
{
    const changed_sets *sets = of->sent[SENT_STATES].sets;
    double parts = (double)savings_changed_ones(of, SENT_STATES, SAVINGS_ANY).parts;
    return (bits & ~unchanged_ones(of, SAVINGS_SELDOM)) ||
           (sets && bits == bits_of_all(of) && parts >= GOES_ON * sets->runs);
}

/* Whether both have the same properties, as in instances of a scene that are part of another scene: then the
 * scene of one is not known. */
static bool is_like(const synchronizer *one, const synchronizer *other)
{
    const char *name = strrchr(one->node, '/'), *other_name = strrchr(other->node, '/');
    if ((one->scene && other->scene) || one->properties->len != other->properties->len ||
        strcmp(name ? name + 1 : one->node, other_name ? other_name + 1 : other->node) != 0) {
        return false;
    }
    for (unsigned i = 0; i < one->properties->len; i++) {
        const synchronized_property *a = one->properties->pdata[i], *b = other->properties->pdata[i];
        if (strcmp(a->name, b->name) != 0) {
            return false;
        }
    }
    return true;
}

/* Whether any of these properties, bits, changes in one like it, as of a door that was opened. */
static bool changes_elsewhere(const savings *all, const synchronizer *of, unsigned bits)
{
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        const synchronizer *one = all->synchronizers->pdata[i];
        bool like = is_like(of, one);
        for (unsigned k = 0; like && k < one->properties->len; k++) {
            const synchronized_property *property = one->properties->pdata[k];
            if (property->changes && bits >> property->index & 1) {
                return true;
            }
        }
    }
    return false;
}

static char *on_change_text(const savings *all, const synchronizer *of, unsigned bits, bool changes)
{
    const sent_parts *sent = &of->sent[SENT_STATES];
    bool moves = goes_on(of, bits);
    bool slow = (double)sent->steps < DRAWN_FRAMES * sent->step_seconds; /* changes are sent in each frame */
    return g_strdup_printf("Replication mode On Change%s, not Always%s",
                           changes || changes_elsewhere(all, of, bits) ? "" : " (or Never, with Spawn)",
                           moves && slow ? ", with a delta_interval as long as replication_interval" : "");
}

static void advise_on_change(const savings *all, GPtrArray *rows, const synchronizer *of, seldom_ones seldom)
{
    GString *names = g_string_new(NULL);
    const synchronized_property *evidence = NULL;
    uint64_t updates = 0, unchanged = 0, changes = 0;
    for (unsigned i = 0; i < of->properties->len; i++) {
        const synchronized_property *one = of->properties->pdata[i];
        if (seldom.bits >> one->index & 1) {
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", one->name);
            evidence = one;
            updates += one->updates;
            unchanged += one->unchanged;
            changes += one->changes;
        }
    }
    if (seldom.bits) {
        char *others = changes ? g_strdup_printf("first ones and %" PRIu64 " %s, whose cost is subtracted",
                                                 changes, plurality(changes, "change", "changes"))
                               : g_strdup("the first ones");
        char *where = savings_synchronizer_text(of);
        savings_row found = {
            .bytes = seldom.saved,
            .what = on_change_text(all, of, seldom.bits, changes),
            .where = g_strdup_printf("%s: %s", where, names->str),
            .why = g_strdup_printf("%.1f %% of %" PRIu64 " updates had the value before, the others are %s",
                                   100 * ratio((double)unchanged, (double)updates), updates, others),
            .but = "Changes are sent reliably: a lost one holds up those after it. Who joins later gets the "
                   "values if Spawn is on",
            .evidence = seldom.nothing_left ? &of->sent[SENT_STATES].all : &evidence->dropped};
        savings_add_row(all, rows, found);
        g_free(where);
        g_free(others);
    }
    g_string_free(names, TRUE);
}

static char *interval_text(double interval, double rate)
{
    return g_strdup_printf("replication_interval = %.3f: %.0f times a second", interval, rate);
}

static char *delta_interval_text(double interval, double rate)
{
    return g_strdup_printf("delta_interval = %.3f: %.0f times a second", interval, rate);
}

/* `one`: of what, its rate, and where. */
static void advise_interval(const savings *all, GPtrArray *rows, sent_kind kind, bool of_client,
                            rate_advice one)
{
    one.what = kind == SENT_STATES ? interval_text : delta_interval_text;
    one.subject = kind == SENT_STATES ? "States are sent" : "Changes are sent";
    one.but = of_client
                  ? "What is shorter than that, as a press of a key, is lost: send it by a reliable call. "
                    "What moves comes later, and receivers have to interpolate"
                  : "Changes come up to that much later, and receivers have to interpolate what moves";
    savings_advise_rate(all, rows, &one);
}

/* Synchronizers of one node, which send at the same time: one row for those of a scene. */
static void advise_one_synchronizer(const savings *all, GPtrArray *rows, const char *scene)
{
    GString *names = g_string_new(NULL);
    const saved_bytes *evidence = NULL;
    uint64_t besides = 0;
    double bytes = 0;
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        const synchronizer *one = all->synchronizers->pdata[i];
        if (one->is_one_of_several && strcmp(one->scene, scene) == 0) {
            g_string_append_printf(names, "%s %s", names->len ? "," : "", one->node);
            besides += one->besides;
            bytes += one->beside.bytes;
            evidence = one->besides ? &one->beside : evidence;
        }
    }
    if (besides >= SAVINGS_LEAST) {
        savings_row found = {
            .bytes = bytes,
            .what = g_strdup("The properties in one synchronizer of the node, not in several"),
            .where = g_strdup_printf("%s,%s", scene, names->str),
            .why = g_strdup_printf("%" PRIu64
                                   " states came in the same message as those of another synchronizer "
                                   "of the same node: %d bytes each, its id and the size",
                                   besides, SAVINGS_STATE_HEAD),
            .but = "All of them have one interval and one visibility then",
            .evidence = evidence};
        savings_add_row(all, rows, found);
    }
    g_string_free(names, TRUE);
}

static void advise_one_synchronizers(const savings *all, GPtrArray *rows)
{
    GHashTable *scenes = g_hash_table_new(wmem_str_hash, g_str_equal);
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        const synchronizer *one = all->synchronizers->pdata[i];
        if (one->is_one_of_several && g_hash_table_add(scenes, one->scene)) {
            advise_one_synchronizer(all, rows, one->scene);
        }
    }
    g_hash_table_destroy(scenes);
}

static bool is_at_least(const sent_parts *of, double rate)
{
    return of->steps >= SAVINGS_LEAST && (double)of->steps >= rate * of->step_seconds;
}

/* Synchronizers of the server, or of clients. One row for all, if there are several and all send in every
 * frame: then whole datagrams are saved. */
static void advise_intervals(const savings *all, GPtrArray *rows, sent_kind kind, bool of_client)
{
    unsigned fast = 0, count = 0;
    double steps = 0, seconds = 0;
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        const synchronizer *of = all->synchronizers->pdata[i];
        const sent_parts *sent = &of->sent[kind];
        count += of->of_client == of_client && sent->parts;
        if (of->of_client == of_client && is_at_least(sent, EVERY_FRAME)) {
            fast++;
            steps += (double)sent->steps;
            seconds += sent->step_seconds;
        }
    }
    if (fast > 1 && fast == count) {
        rate_advice all_of_them = {.of = &all->sent[kind][of_client],
                                   .slower = &all->slower[kind][of_client],
                                   .rate = ratio(steps, seconds),
                                   .where = all_synchronizers_text(of_client)};
        advise_interval(all, rows, kind, of_client, all_of_them);
        return;
    }
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        const synchronizer *of = all->synchronizers->pdata[i];
        const sent_parts *sent = &of->sent[kind];
        if (of->of_client == of_client && is_at_least(sent, EVERY_FRAME)) {
            rate_advice one = {.of = &sent->all,
                               .slower = &sent->slower,
                               .rate = ratio((double)sent->steps, sent->step_seconds),
                               .where = savings_synchronizer_text(of)};
            advise_interval(all, rows, kind, of_client, one);
        }
    }
}

/* Properties that change in every frame: a state is sent unreliably, and in fewer bytes. `needless`: what is
 * saved by not sending changes that in mode Always would come again. */
static void advise_always(const savings *all, GPtrArray *rows, const synchronizer *of, double needless)
{
    const sent_parts *sent = &of->sent[SENT_CHANGES];
    if (!is_at_least(sent, DRAWN_FRAMES)) {
        return;
    }
    /* Values that are sent though they have not changed. */
    double more = 0;
    for (unsigned i = 0; i < of->changing->len; i++) {
        const synchronized_property *one = of->changing->pdata[i];
        more += (double)one->changed_bytes * ((double)sent->parts / (double)MAX(1, one->changes) - 1);
    }
    double saved = (double)sent->all.acknowledgements * savings_acknowledgement_cost(all) +
                   (double)sent->parts * SHORTER_PART + (double)sent->alone * SHORTER_HEAD - more;
    if (saved <= needless) {
        return;
    }
    char *where = savings_synchronizer_text(of);
    savings_row found = {
        .bytes = saved,
        .what = g_strdup("Replication mode Always, not On Change"),
        .where = g_strdup_printf("%s: what changes in every frame", where),
        .why = g_strdup_printf("Changes are sent %.0f times a second, reliably: %" PRIu64
                               " acknowledgements, and a mask for each node",
                               ratio((double)sent->steps, sent->step_seconds), sent->all.acknowledgements),
        .but = "It is sent while nothing changes, too, and a lost one does not come again: the next one does",
        .evidence = &sent->all};
    savings_add_row(all, rows, found);
    g_free(where);
}

/* Bytes without a container: each of its changes is a call. */
static double saved_by_calls(const savings *all, const synchronizer *of, sent_kind kind,
                             const synchronized_property *one)
{
    const GPtrArray *list = kind == SENT_STATES ? of->properties : of->changing;
    const saved_bytes *without = list->len == 1 ? &of->sent[kind].all : &one->dropped;
    const compared_containers *compared = &one->containers;
    double told = (double)one->changed_bytes * ratio((double)compared->told, (double)compared->bytes);
    return without->bytes - told - savings_call_cost(all, (double)one->changes, one->messages);
}

/* Containers of a synchronizer, of which little changes. `seldom`: bits of those that could be On Change. */
static void advise_containers(const savings *all, GPtrArray *rows, const synchronizer *of, unsigned seldom)
{
    GPtrArray *const lists[SENT_KINDS] = {of->properties, of->changing};
    char *where = savings_synchronizer_text(of);
    for (sent_kind kind = SENT_STATES; kind < SENT_KINDS; kind++) {
        for (unsigned k = 0; k < lists[kind]->len; k++) {
            const synchronized_property *one = lists[kind]->pdata[k];
            if (kind != SENT_STATES || !(seldom >> one->index & 1)) {
                savings_row found = {
                    .bytes = saved_by_calls(all, of, kind, one),
                    .what = g_strdup("A reliable call with what has changed of it, not the property"),
                    .where = g_strdup_printf("%s: %s", where, one->name)};
                savings_advise_differences(all, rows, &one->containers, found,
                                           "Calls and their acknowledgements");
            }
        }
    }
    g_free(where);
}

/* Whether the server writes states of another synchronizer of the scene: then a client's may be its input. */
static bool is_beside_the_servers(const savings *all, const synchronizer *of)
{
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        const synchronizer *one = all->synchronizers->pdata[i];
        if (one != of && !one->of_client && one->scene && strcmp(one->scene, of->scene) == 0) {
            return true;
        }
    }
    return false;
}

/* States of clients are sent to all peers, through the server, if visibility does not say otherwise. */
static void advise_server_only(const savings *all, GPtrArray *rows, const synchronizer *of)
{
    const sent_parts *sent = &of->sent[SENT_STATES];
    if (!of->of_client || !of->scene || sent->parts < SAVINGS_LEAST || !is_beside_the_servers(all, of)) {
        return;
    }
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &sent->to_others),
        .what = g_strdup("public_visibility = false, and set_visibility_for(1, true): does anybody but the "
                         "server use what clients write?"),
        .where = savings_synchronizer_text(of),
        .why = g_strdup("Its states go through the server to all other clients; those of the scene's other "
                        "synchronizer come from the server"),
        .evidence = &sent->to_others,
        .question = true};
    savings_add_row(all, rows, found);
}

/* Of these rows, the first one by which nothing is left of the synchronizer's states; NULL: there is none. */
static savings_row *row_without_states(const GPtrArray *rows, const synchronizer *of)
{
    for (unsigned i = 0; i < rows->len; i++) {
        savings_row *one = rows->pdata[i];
        if (one->evidence == &of->sent[SENT_STATES].all) {
            return one;
        }
    }
    return NULL;
}

static void join_rows(const savings *all, GPtrArray *rows, bool of_client, const GPtrArray *ones)
{
    const saved_bytes *states = &all->sent[SENT_STATES][of_client];
    const savings_row *first = ones->pdata[0];
    savings_row found = {.bytes = states->bytes,
                         .what = g_strdup(first->what),
                         .where = all_synchronizers_text(of_client),
                         .why = g_strdup_printf("For each of them, as of %s. %s", first->where, first->why),
                         .but = first->but,
                         .evidence = states};
    for (unsigned i = 0; i < ones->len; i++) {
        const savings_row *one = ones->pdata[i];
        found.bytes -= one->evidence->bytes - one->bytes; /* what it costs */
        g_ptr_array_remove(rows, ones->pdata[i]);
    }
    savings_add_row(all, rows, found);
}

/* If nothing is left of the states of any synchronizer, by the same advice, nothing is left of their
 * messages, of which each by itself counts only its parts. */
static void advise_together(const savings *all, GPtrArray *rows, bool of_client)
{
    GPtrArray *ones = g_ptr_array_new();
    bool every = true;
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        const synchronizer *of = all->synchronizers->pdata[i];
        if (of->of_client == of_client && of->sent[SENT_STATES].parts) {
            savings_row *one = row_without_states(rows, of);
            const savings_row *first = ones->len ? ones->pdata[0] : one;
            every = every && one && strcmp(one->what, first->what) == 0;
            g_ptr_array_add(ones, one);
        }
    }
    if (every && ones->len > 1) {
        join_rows(all, rows, of_client, ones);
    }
    g_ptr_array_free(ones, TRUE);
}

void savings_advise_states(const savings *all, GPtrArray *rows)
{
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        const synchronizer *of = all->synchronizers->pdata[i];
        const seldom_ones seldom = find_seldom(all, of);
        advise_on_change(all, rows, of, seldom);
        advise_always(all, rows, of, savings_advise_needless(all, rows, of));
        advise_containers(all, rows, of, seldom.bits);
        savings_advise_motion(all, rows, of);
        savings_advise_derived(all, rows, of);
        for (sent_kind kind = SENT_STATES; kind < SENT_KINDS; kind++) {
            savings_advise_floats(all, rows, of, kind);
        }
        advise_server_only(all, rows, of);
    }
    advise_together(all, rows, false);
    advise_together(all, rows, true);
    advise_one_synchronizers(all, rows);
    for (sent_kind kind = SENT_STATES; kind < SENT_KINDS; kind++) {
        advise_intervals(all, rows, kind, false);
        advise_intervals(all, rows, kind, true);
    }
    savings_advise_visibility(all, rows);
}
