/* joined.c
 *
 * Calls of several methods, or about several things, in one frame of the game: one call could tell all; see
 * savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include "multiplayer/statistics/savings/savings.h"

#include "multiplayer/statistics/values/key.h"

/* Senders; hostile traffic can have any number. */
#define MAX_BURSTS 20000u
/* Bytes of arguments that one call can have: what fits into a datagram of ENet's. */
#define MAX_JOINED 1200u
/* Names in a list. */
enum { MAX_LISTED = 4 };

/* What a peer calls in one frame of the game, for one receiver. */
typedef struct {
    double began;
    uint32_t bytes;    /* of the arguments of one call for all, */
    uint32_t elements; /* and of its own in an Array */
    bool in_array;     /* one of these is counted: that of one method */
    called_method *leader;
    uint32_t cycle; /* number of the call of `leader` that was the latest one, of all */
    godot_transfer_mode mode;
    int channel;
} call_burst;

void savings_joined_begin(savings *all)
{
    all->bursts = wmem_map_new(all->pool, wmem_str_hash, g_str_equal);
}

/* The same element gets the most votes if more than half are for it (Boyer and Moore). */
static void vote(called_method *one, called_method *leader)
{
    if (one->leader == leader) {
        one->leads++;
    } else if (one->leads) {
        one->leads--;
    } else {
        one->leader = leader;
        one->leads = 1;
    }
}

static call_burst *burst_of(const savings *all, const godot_tap *tap)
{
    godot_key_begin(all->key, 'b');
    godot_key_number(all->key, tap->session);
    godot_key_number(all->key, tap->from_initiator);
    godot_key_number(all->key, (uint64_t)tap->from);
    godot_key_number(all->key, (uint64_t)tap->to);
    call_burst *burst = wmem_map_lookup(all->bursts, wmem_strbuf_get_str(all->key));
    if (!burst && wmem_map_size(all->bursts) < MAX_BURSTS) {
        burst = wmem_new0(all->pool, call_burst);
        wmem_map_insert(all->bursts, wmem_strdup(all->pool, wmem_strbuf_get_str(all->key)), burst);
    }
    return burst;
}

uint32_t savings_length_in_array(const godot_update *call)
{
    uint32_t length = 0;
    for (uint32_t i = 0; i < call->count; i++) {
        length += encoded_element_length(&call->variants[i]);
    }
    return length;
}

static void add_joined(savings *all, saved_bytes *to, const godot_tap *tap, uint32_t kept)
{
    savings_add(all, to, savings_command_length(tap), true);
    to->kept += kept;
    to->acknowledgements += tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
}

/* Those that the server passes on become fewer as well; refused ones should not be sent at all. Two frames of
 * a game that was late can come at once: then the first method is called again before the others are. */
void savings_count_joined(savings *all, called_method *one, same_frame *own, const godot_tap *tap,
                          const godot_update *call)
{
    call_burst *burst = tap->problem ? NULL : burst_of(all, tap);
    uint32_t bytes = godot_update_length(call), elements = savings_length_in_array(call);
    double now = all->now;
    if (!burst) {
        return;
    }
    bool again = own->again, next = own->cycle != burst->cycle;
    bool joins = burst->leader && now - burst->began < GODOT_BURST_SECONDS && now >= burst->began &&
                 burst->mode == tap->transfer_mode && burst->channel == tap->channel &&
                 burst->bytes + elements <= MAX_JOINED;
    if (!joins) {
        *burst =
            (call_burst){now, bytes, elements, false, one, ++all->cycle, tap->transfer_mode, tap->channel};
        own->cycle = burst->cycle;
        return;
    }
    bool same = burst->leader == one;
    burst->cycle = same ? ++all->cycle : burst->cycle;
    own->cycle = burst->cycle;
    uint32_t array = same && !burst->in_array ? PACKED_HEAD + burst->elements - burst->bytes : 0;
    uint32_t kept = same ? elements + array : bytes;
    burst->in_array |= same;
    burst->bytes += kept;
    add_joined(all, again ? &one->joined_again : &one->joined, tap, kept);
    if (again && next && !same) {
        add_joined(all, &one->joined_next, tap, kept);
    }
    if (!again) {
        vote(one, burst->leader);
    }
}

/* --- several in one frame ------------------------------------------------------------------------ */

/* Methods that are called in the same frames. */
typedef struct {
    GPtrArray *methods;
    double bytes;
    uint64_t joined, calls;
    const saved_bytes *evidence;
    bool several_nodes, sets;
} joined_calls;

/* Whether its calls and those of its leader, as of another node, can be one. */
static bool joins_leader(const called_method *of)
{
    return of->leader &&
           (of->leader == of || (double)of->joined.messages >= SAVINGS_JOINED * (double)of->calls);
}

static void add_method(joined_calls *group, called_method *of)
{
    /* Ticks of a clock in the same frame cannot be one call; those about different things can, and what is
     * often called many times. */
    bool again = !savings_is_looped(of) &&
                 (savings_is_keyed(of) || (double)of->crowded >= SAVINGS_JOINED * (double)of->calls);
    const saved_bytes *parts[] = {joins_leader(of) ? &of->joined : NULL, again ? &of->joined_again
                                                                         : joins_leader(of) ? &of->joined_next
                                                                                            : NULL};
    g_ptr_array_add(group->methods, of);
    group->calls += of->calls;
    group->several_nodes |= of->nodes->len > 1;
    group->sets |= of->is_set;
    for (size_t i = 0; i < array_length(parts); i++) {
        if (parts[i] && parts[i]->messages) {
            bool more = !group->evidence || parts[i]->bytes > group->evidence->bytes;
            group->bytes += parts[i]->bytes;
            group->joined += parts[i]->messages;
            group->evidence = more ? parts[i] : group->evidence;
        }
    }
}

static char *methods_text(const joined_calls *group)
{
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < MIN(group->methods->len, MAX_LISTED); i++) {
        char *one = savings_method_text((const called_method *)group->methods->pdata[i], "");
        g_string_append_printf(text, "%s%s", i ? ", " : "", one);
        g_free(one);
    }
    if (group->methods->len > MAX_LISTED) {
        g_string_append_printf(text, ", %u more methods", group->methods->len - MAX_LISTED);
    }
    return g_string_free(text, FALSE);
}

static void advise_joined(const savings *all, GPtrArray *rows, const joined_calls *group)
{
    if (group->joined < SAVINGS_LEAST) {
        return;
    }
    bool one_method = group->methods->len == 1;
    savings_row found = {
        .bytes = group->bytes,
        .what =
            g_strdup(group->sets   ? "One rpc() with the values of all, not several rset() in the same frame"
                     : !one_method ? "One call with the arguments of all, not several in the same frame"
                     : group->several_nodes
                         ? "One call with an Array for all nodes, not one for each in the same frame"
                         : "One call with an Array of all arguments, one after the other, not several in the "
                           "same frame"),
        .where = methods_text(group),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64
                               " messages came within 5 ms after another one to the same "
                               "receiver, with headers of their own. If "
                               "one place in the script knows all arguments",
                               group->joined, group->calls),
        .but = "A lost datagram loses all of them",
        .evidence = group->evidence};
    savings_add_row(all, rows, found);
}

/* The number of the group's first method: `above` has that of another method of the group, or its own. */
static unsigned first_of(unsigned *above, unsigned number)
{
    while (above[number] != number) {
        number = above[number] = above[above[number]];
    }
    return number;
}

static void join_groups(const savings *all, unsigned *above)
{
    GHashTable *numbers = g_hash_table_new(NULL, NULL);
    for (unsigned i = 0; i < all->methods->len; i++) {
        above[i] = i;
        g_hash_table_insert(numbers, all->methods->pdata[i], GUINT_TO_POINTER(i));
    }
    for (unsigned i = 0; i < all->methods->len; i++) {
        const called_method *one = all->methods->pdata[i];
        if (joins_leader(one)) {
            unsigned leader = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, one->leader));
            unsigned a = first_of(above, i), b = first_of(above, leader);
            above[MAX(a, b)] = MIN(a, b);
        }
    }
    g_hash_table_destroy(numbers);
}

static void free_group(void *group)
{
    g_ptr_array_free(((joined_calls *)group)->methods, TRUE);
    g_free(group);
}

void savings_advise_joined(const savings *all, GPtrArray *rows)
{
    unsigned count = all->methods->len, *above = g_new(unsigned, count + 1);
    GHashTable *groups = g_hash_table_new_full(NULL, NULL, NULL, free_group);
    join_groups(all, above);
    for (unsigned i = 0; i < count; i++) {
        unsigned first = first_of(above, i);
        joined_calls *group = g_hash_table_lookup(groups, GUINT_TO_POINTER(first));
        if (!group) {
            group = g_new0(joined_calls, 1);
            group->methods = g_ptr_array_new();
            g_hash_table_insert(groups, GUINT_TO_POINTER(first), group);
        }
        add_method(group, (called_method *)all->methods->pdata[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        const joined_calls *group = g_hash_table_lookup(groups, GUINT_TO_POINTER(i));
        if (group) {
            advise_joined(all, rows, group);
        }
    }
    g_hash_table_destroy(groups);
    g_free(above);
}
