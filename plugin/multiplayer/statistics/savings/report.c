/* report.c
 *
 * The text of Statistics → Godot Savings, and which savings are reported; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include "multiplayer/statistics/savings/savings.h"
#include "project/project.h"

#include <wsutil/str_util.h>

/* A change is not worth a row if it saves less than this share of all bytes, nor if fewer messages show
 * it. */
#define LEAST_SHARE   0.01
#define LEAST_UPDATES 20u
/* Least share of unchanged updates for which a change is advised. */
#define SELDOM 0.75
/* Share of a method's calls in the same frame up to which it may become unreliable. */
#define TOGETHER 0.1
/* Bytes above a node. */
enum { LONG_PATH = 24 };
/* Minimum number of bytes on the wire for advice. */
#define LEAST_BYTES 10000u
/* Rate per second from which calls and states are frequent. */
#define MANY 10.0
/* A rate of states that is sufficient over the Internet; network frames are at least as many. */
#define EVERY_FRAME 25.0
/* What comes before the parts of a message with changes; and before the values of each: id, mask, size. */
enum { DELTA_HEAD = 1 + 6, DELTA_PART = 4 + 8 + 4 };

typedef struct {
    double bytes;
    char *what, *where, *why;
    const saved_bytes *evidence; /* NULL: see `frame` */
    uint32_t frame;
} row;

static void free_row(void *data)
{
    row *one = data;
    g_free(one->what);
    g_free(one->where);
    g_free(one->why);
    g_free(one);
}

/* The row takes ownership of the texts; it is left out if it does not save enough. */
static void add_row(const savings *all, GPtrArray *rows, row found)
{
    row *one = g_memdup2(&found, sizeof found);
    if (all->bytes >= LEAST_BYTES && found.bytes >= LEAST_SHARE * (double)all->bytes) {
        g_ptr_array_add(rows, one);
    } else {
        free_row(one);
    }
}

static double acknowledgement_cost(const savings *all)
{
    return ratio((double)all->acknowledgement_bytes, (double)all->acknowledgements);
}

static double with_acknowledgements(const savings *all, const saved_bytes *of)
{
    return of->bytes + (double)of->acknowledgements * acknowledgement_cost(all);
}

/* --- synchronizers ------------------------------------------------------------------------------- */

static char *synchronizer_text(const synchronizer *of)
{
    return of->scene ? g_strdup_printf("%s, %s", of->scene, of->node) : g_strdup(of->node);
}

/* Cost of a property's changes in replication mode On Change: a reliable message each. `headers`: bytes below
 * ENet, if no state is sent with which the message could share a datagram. */
static double cost_of_changes(const savings *all, const synchronized_property *one, double headers)
{
    return (double)one->changed_bytes + DELTA_PART * (double)one->changes +
           (double)one->changed_messages * (DELTA_HEAD + headers + acknowledgement_cost(all));
}

static bool is_seldom_changed(const savings *all, const synchronized_property *one)
{
    double unchanged = ratio((double)one->unchanged, (double)one->updates);
    return one->updates >= LEAST_UPDATES && unchanged >= SELDOM &&
           one->dropped.bytes > cost_of_changes(all, one, 0);
}

static void advise_on_change(const savings *all, GPtrArray *rows, const synchronizer *of)
{
    GString *names = g_string_new(NULL);
    const synchronized_property *evidence = NULL;
    uint64_t updates = 0, unchanged = 0, changes = 0;
    unsigned seldom = 0;
    double saved = 0, cost = 0;
    for (unsigned i = 0; i < of->properties->len; i++) {
        seldom += is_seldom_changed(all, (const synchronized_property *)of->properties->pdata[i]);
    }
    bool nothing_left = seldom == of->properties->len;
    double headers = nothing_left ? ratio((double)all->header_bytes, (double)all->frames) : 0;
    for (unsigned i = 0; i < of->properties->len; i++) {
        const synchronized_property *one = of->properties->pdata[i];
        if (is_seldom_changed(all, one)) {
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", one->name);
            evidence = one;
            updates += one->updates;
            unchanged += one->unchanged;
            changes += one->changes;
            saved += one->dropped.bytes;
            cost += cost_of_changes(all, one, headers);
        }
    }
    if (seldom) {
        saved = nothing_left ? of->all.bytes : saved;
        char *others = changes ? g_strdup_printf("first ones and %" PRIu64 " %s, whose cost is subtracted",
                                                 changes, plurality(changes, "change", "changes"))
                               : g_strdup("the first ones");
        char *where = synchronizer_text(of);
        row found = {.bytes = saved - cost,
                     .what =
                         g_strdup(changes ? "Replication mode On Change, not Always"
                                          : "Replication mode On Change (or Never, with Spawn), not Always"),
                     .where = g_strdup_printf("%s: %s", where, names->str),
                     .why = g_strdup_printf("%.1f %% of %" PRIu64
                                            " updates had the value before, the others are %s. Who joins "
                                            "later gets the values if Spawn is on",
                                            100 * ratio((double)unchanged, (double)updates), updates, others),
                     .evidence = &evidence->dropped};
        add_row(all, rows, found);
        g_free(where);
        g_free(others);
    }
    g_string_free(names, TRUE);
}

static void advise_interval(const savings *all, GPtrArray *rows, const saved_bytes *of, double rate,
                            char *where)
{
    static const unsigned targets[] = {30, 20, 10};
    GString *why = g_string_new(NULL);
    double saved = 0, interval = 0, left = 0;
    unsigned before = 1;
    g_string_append_printf(why, "States are sent %.0f times a second: ", rate);
    for (size_t i = 0; i < array_length(targets); i++) {
        unsigned every = (unsigned)(rate / targets[i] + 0.5);
        if (every > before) {
            before = every;
            /* Half a frame less than so many frames, so that the next frame is never missed by rounding. */
            double this_interval = (every - 0.5) / rate, this_saved = of->bytes * (1 - 1.0 / every);
            g_string_append_printf(why, "%s%.0f times (%.3f) saves %.0f bytes", interval ? ", " : "",
                                   rate / every, this_interval, this_saved);
            if (targets[i] >= 20 || !interval) {
                saved = this_saved;
                interval = this_interval;
                left = rate / every;
            }
        }
    }
    g_string_append(why, ". Receivers have to interpolate");
    row found = {.bytes = saved,
                 .what = g_strdup_printf("replication_interval = %.3f: %.0f times a second", interval, left),
                 .where = where,
                 .why = g_string_free(why, FALSE),
                 .evidence = of};
    add_row(all, rows, found);
}

static bool is_every_frame(const synchronizer *of)
{
    return of->steps >= LEAST_UPDATES && ratio((double)of->steps, of->step_seconds) >= EVERY_FRAME;
}

/* One row for all, if there are several and all send in every frame: then whole datagrams are saved. */
static void advise_intervals(const savings *all, GPtrArray *rows)
{
    unsigned fast = 0;
    double steps = 0, seconds = 0;
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        const synchronizer *of = all->synchronizers->pdata[i];
        if (is_every_frame(of)) {
            fast++;
            steps += (double)of->steps;
            seconds += of->step_seconds;
        }
    }
    if (fast > 1 && fast == all->synchronizers->len) {
        advise_interval(all, rows, &all->states, ratio(steps, seconds), g_strdup("All synchronizers"));
        return;
    }
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        const synchronizer *of = all->synchronizers->pdata[i];
        if (is_every_frame(of)) {
            double rate = ratio((double)of->steps, of->step_seconds);
            advise_interval(all, rows, &of->all, rate, synchronizer_text(of));
        }
    }
}

/* --- calls --------------------------------------------------------------------------------------- */

static char *method_text(const called_method *of)
{
    const char *others = of->several ? " and others" : "";
    return of->source ? g_strdup_printf("%s() of %s (%s)%s", of->name, of->node, of->source, others)
                      : g_strdup_printf("%s() of %s%s", of->name, of->node, others);
}

static void advise_fewer_calls(const savings *all, GPtrArray *rows, const called_method *of)
{
    row found = {.bytes = with_acknowledgements(all, &of->same),
                 .what = g_strdup("Call it only when its arguments have changed"),
                 .where = method_text(of),
                 .why = g_strdup_printf("%.1f %% of %" PRIu64
                                        " calls had the arguments of the call before to the same "
                                        "receiver. If calling it again has no effect",
                                        100 * ratio((double)of->unchanged, (double)of->calls), of->calls),
                 .evidence = &of->same};
    add_row(all, rows, found);
}

static void advise_unreliable(const savings *all, GPtrArray *rows, const called_method *of)
{
    const saved_bytes *saved = &of->unreliable;
    row found = {.bytes = with_acknowledgements(all, saved),
                 .what = g_strdup(all->api == 3 ? "rpc_unreliable(), not rpc()"
                                                : "@rpc(\"unreliable_ordered\"), not \"reliable\""),
                 .where = method_text(of),
                 .why = g_strdup_printf(
                     "%.0f reliable calls a second to the same receiver: %" PRIu64
                     " acknowledgements, %" PRIu64
                     " calls sent again. If each call makes those before useless, and one may be lost",
                     ratio((double)of->steps, of->step_seconds), saved->acknowledgements, saved->messages),
                 .evidence = saved};
    add_row(all, rows, found);
}

static void advise_call(const savings *all, GPtrArray *rows, const called_method *of)
{
    uint64_t receivers = of->calls - of->steps; /* of each node */
    bool many = receivers && of->calls / receivers >= LEAST_UPDATES && of->has_arguments;
    if (many && (double)of->unchanged >= SELDOM * (double)of->calls) {
        advise_fewer_calls(all, rows, of);
    } else if (many && of->reliable == of->calls && of->step_seconds > 0 &&
               (double)of->steps >= MANY * of->step_seconds &&
               (double)of->together < TOGETHER * (double)of->calls) {
        advise_unreliable(all, rows, of);
    }
}

/* --- encodings ----------------------------------------------------------------------------------- */

static void advise_encoding(const savings *all, GPtrArray *rows, const encoded_place *of)
{
    static const char *const words[ENCODING_KINDS][2] = {
        [ENCODING_INTS] = {"PackedInt32Array: every number fits", "PackedInt64Array, not Array"},
        [ENCODING_FLOATS] = {"PackedFloat32Array: every number has the same value in 32 bits",
                             "PackedFloat64Array, not Array"},
        [ENCODING_INT32] = {"PackedInt32Array: every number fits"},
        [ENCODING_FLOAT32] = {"PackedFloat32Array: every number has the same value in 32 bits"},
        [ENCODING_VECTOR2] = {"PackedVector2Array, not Array"},
        [ENCODING_VECTOR3] = {"PackedVector3Array, not Array"},
        [ENCODING_KEYS] = {"values() of the Dictionary, an Array: the keys are always the same",
                           "Numbers (an enum) as keys of the Dictionary, not texts"},
        [ENCODING_ROTATION] = {"position (Vector3) and quaternion (Quaternion), not a Transform3D"},
    };
    const encoded_part *values = &of->values;
    bool shortest = values->shortest;
    const char *what = words[values->kind][shortest ? 0 : 1];
    bool few_keys = shortest || values->key_count <= ENCODED_KEYS;
    if (!what || !few_keys || values->count < LEAST_UPDATES) {
        return;
    }
    const saved_bytes *saved = &of->shorter[shortest ? 0 : 1];
    GString *why = g_string_new(NULL);
    g_string_append_printf(why, "True of all %u values in the capture", values->count);
    if (values->kind == ENCODING_KEYS && !shortest) {
        g_string_append_printf(why, ", which have %u different keys", values->key_count);
    }
    row found = {.bytes = saved->bytes,
                 .what = g_strdup(what),
                 .where = g_strdup_printf("%s of %s", of->name, of->place),
                 .why = g_string_free(why, FALSE),
                 .evidence = saved};
    add_row(all, rows, found);
}

/* --- nodes, receivers, compression ---------------------------------------------------------------- */

static void advise_path(const savings *all, GPtrArray *rows, const path_above *of)
{
    if (of->messages < LEAST_UPDATES || strlen(of->path) < LONG_PATH) {
        return;
    }
    row found = {.bytes = of->shorter.bytes,
                 .what = g_strdup_printf("A shorter path for the nodes below: %d bytes, not %zu", SHORT_PATH,
                                         strlen(of->path)),
                 .where = g_strdup(of->path),
                 .why =
                     g_strdup_printf("Shorter names on the way to them, or nearer to the root: %" PRIu64
                                     " messages have such a path in full, announcements of nodes and calls "
                                     "before these are confirmed. A node that stays is announced once",
                                     of->messages),
                 .evidence = &of->shorter};
    add_row(all, rows, found);
}

static void advise_no_spawn(const savings *all, GPtrArray *rows, const spawned_scene *of)
{
    if (of->short_lived < LEAST_UPDATES || (double)of->short_lived < SELDOM * (double)of->spawns) {
        return;
    }
    row found = {
        .bytes = with_acknowledgements(all, &of->called),
        .what = g_strdup("An unreliable call that makes the node at each peer, instead of spawning it"),
        .where = g_strdup_printf("%s, spawned by %s", of->scene ? of->scene : "What the spawn function makes",
                                 of->spawner),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " were despawned within a second, after %.2f s on "
                               "average. A call with the values of the spawn is subtracted. If a lost one "
                               "does no harm, and who joins later need not see the node",
                               of->short_lived, of->spawns, of->life / (double)of->short_lived),
        .evidence = &of->called};
    add_row(all, rows, found);
}

static void advise_one_peer(const savings *all, GPtrArray *rows, const called_method *of)
{
    if (of->refused < LEAST_UPDATES || !of->taken_by || of->taken_by_several) {
        return;
    }
    row found = {.bytes = with_acknowledgements(all, &of->needless),
                 .what = g_strdup_printf("rpc_id(%d), not rpc()", of->taken_by),
                 .where = method_text(of),
                 .why = g_strdup_printf(
                     "%" PRIu64 " messages of it went to peers that refuse it or do not show that they "
                     "have the node, or through the server to them",
                     of->refused),
                 .evidence = &of->needless};
    add_row(all, rows, found);
}

static void advise_compression(const savings *all, GPtrArray *rows)
{
    if (all->compressed || all->coded_bytes > all->plain_bytes) {
        return;
    }
    /* In Godot 4 there is a host as soon as it is created, in Godot 3 the mode is read then. */
    static const struct {
        const char *what, *where;
    } words[] = {
        {"compress(ENetConnection.COMPRESS_RANGE_CODER) of the ENetConnection; in C "
         "enet_host_compress_with_range_coder()",
         "On every peer, before it connects"},
        {"compression_mode = NetworkedMultiplayerENet.COMPRESS_RANGE_CODER",
         "On every peer, before create_server() or create_client()"},
        {"multiplayer_peer.host.compress(ENetConnection.COMPRESS_RANGE_CODER)",
         "On every peer, right after create_server() or create_client()"},
    };
    int api = all->api == 3 ? 1 : all->api == 4 ? 2 : 0;
    row found = {.bytes = (double)(all->plain_bytes - all->coded_bytes),
                 .what = g_strdup(words[api].what),
                 .where = g_strdup(words[api].where),
                 .why = g_strdup("What ENet's encoder makes of each datagram of the capture"),
                 .frame = all->plain_frame};
    add_row(all, rows, found);
}

/* --- all of it ----------------------------------------------------------------------------------- */

static int by_bytes(gconstpointer a, gconstpointer b)
{
    const row *first = *(const row *const *)a, *second = *(const row *const *)b;
    if (first->bytes != second->bytes) {
        return first->bytes > second->bytes ? -1 : 1;
    }
    return strcmp(first->where, second->where);
}

/* Whether a row is about something that has no name: "#3()", "Property 0". */
static bool lacks_names(const GPtrArray *rows)
{
    bool found = false;
    for (unsigned i = 0; i < rows->len; i++) {
        const char *where = ((const row *)rows->pdata[i])->where;
        found |= strchr(where, '#') != NULL || strstr(where, "Property ") != NULL;
    }
    return found;
}

static void write_row(const savings *all, const row *one, GString *text)
{
    double seconds = all->end - all->begin;
    g_string_append_printf(text,
                           "\n  %5.1f %%  %.0f bytes, %.0f a second  %s\n           %s\n           %s\n",
                           100 * ratio(one->bytes, (double)all->bytes), one->bytes,
                           ratio(one->bytes, seconds), one->what, one->where, one->why);
    g_string_append_printf(text, "           frame%s %u",
                           one->evidence && one->evidence->frames[1] ? "s" : "",
                           one->evidence ? one->evidence->frames[0] : one->frame);
    for (int i = 1; one->evidence && i < SAVINGS_FRAMES && one->evidence->frames[i]; i++) {
        g_string_append_printf(text, ", %u", one->evidence->frames[i]);
    }
    g_string_append_c(text, '\n');
}

void savings_write(const savings *all, GString *text)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(free_row);
    for (unsigned i = 0; i < all->synchronizers->len; i++) {
        advise_on_change(all, rows, (const synchronizer *)all->synchronizers->pdata[i]);
    }
    advise_intervals(all, rows);
    for (unsigned i = 0; i < all->methods->len; i++) {
        advise_call(all, rows, (const called_method *)all->methods->pdata[i]);
        advise_one_peer(all, rows, (const called_method *)all->methods->pdata[i]);
    }
    for (unsigned i = 0; i < all->places->len; i++) {
        advise_encoding(all, rows, (const encoded_place *)all->places->pdata[i]);
    }
    for (unsigned i = 0; i < all->paths->len; i++) {
        advise_path(all, rows, (const path_above *)all->paths->pdata[i]);
    }
    for (unsigned i = 0; i < all->scenes->len; i++) {
        advise_no_spawn(all, rows, (const spawned_scene *)all->scenes->pdata[i]);
    }
    advise_compression(all, rows);
    g_ptr_array_sort(rows, by_bytes);
    g_string_append_printf(text,
                           "\n===================================================================\n"
                           "Godot Savings: up to frame %u, %" PRIu64 " bytes on the wire in %.2f s\n",
                           all->last_frame, all->bytes, all->begin < 0 ? 0 : all->end - all->begin);
    for (unsigned i = 0; i < rows->len; i++) {
        write_row(all, (const row *)rows->pdata[i], text);
    }
    if (lacks_names(rows)) {
        g_string_append(
            text, godot_project_available()
                      ? "\n  Numbers: neither the project's scenes and scripts nor a recording name these.\n"
                      : "\n  Names instead of numbers: add the game at Preferences > Protocols > Godot > "
                        "Godot projects, or -o godot.project:FOLDER.\n");
    }
    bool too_short = all->bytes < LEAST_BYTES;
    g_string_append(text, too_short       ? "\n  Too little to tell: less than 10,000 bytes.\n"
                          : rows->len > 1 ? "\n  Each by itself: together they save less than the sum.\n"
                          : rows->len     ? ""
                                      : "\n  Nothing worth changing: nothing would save 1 % of the bytes.\n");
    g_string_append(text, "===================================================================\n");
    g_ptr_array_free(rows, TRUE);
}
