/* test_model.c
 *
 * The model of a session and of the receiving engine, driven with packets that come and packets that are missing:
 * what is concluded, and what is not judged.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/pool.h"
#include "multiplayer/engine/missing_node.h"
#include "multiplayer/session/nodes.h"

#define SECOND INT64_C(1000000000)

static memory_pool pool;

/* What realloc() does, from the pool: the size of a piece stands before it. */
static void *resize(void *context, void *old, size_t size)
{
    size_t *piece = size ? pool_take(context, size + sizeof(size_t) * 2) : NULL;
    if (!piece) {
        return NULL;
    }
    *piece = size;
    if (old) {
        size_t before = ((size_t *)old)[-2];
        memcpy(piece + 2, old, before < size ? before : size);
    }
    return piece + 2;
}

static godot_store store;
static godot_session session;
static uint32_t number;
static int64_t now;

static int64_t delivered_at; /* by the transport; 0: it was not */

static int set_up(void **state)
{
    (void)state;
    const memory_allocator memory = {resize, &pool};
    pool = (memory_pool){.limit = SIZE_MAX / 2};
    memset(&session, 0, sizeof session);
    delivered_at = 0;
    godot_store_init(&store, &memory);
    godot_session_begin(&session, &store, GODOT_OVER_WEBSOCKET, 0);
    session.seen[0].from_start = session.seen[1].from_start = true;
    session.api = 4;
    number = 0;
    now = SECOND;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pool_free(&pool);
    return 0;
}

/* A message of one end, a tenth of a second after the one before. */
static godot_message say(bool from_initiator)
{
    now += SECOND / 10;
    number++;
    const godot_message message = {.session = &session,
                                   .number = number,
                                   .frame = number,
                                   .time = now,
                                   .api = 4,
                                   .from_initiator = from_initiator};
    session.latest = number;
    godot_session_learn_message(&message);
    return message;
}

static const godot_delivery unknown;

static bool is_delivered(const godot_session *of, const godot_path *path, int64_t *time)
{
    assert_true(of && path->sent);
    *time = delivered_at;
    return delivered_at != 0;
}

static godot_path *announce(godot_message *message, uint32_t id, const char *path)
{
    *message = say(true);
    godot_session_learn_path(message, GODOT_INITIATOR, GODOT_ACCEPTOR, id, path, false, "");
    return godot_session_path(message, GODOT_INITIATOR, id);
}

static void talk(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        say(false);
    }
}

static void expect(godot_verdict verdict, bool holds, godot_missing missing)
{
    assert_int_equal(verdict.holds, holds);
    if (holds) {
        assert_int_equal(verdict.missing, missing);
    }
}

static void test_never_confirmed(void **state)
{
    (void)state;
    godot_message message;
    godot_path *path = announce(&message, 1, "Main");
    talk(5);
    expect(godot_engine_never_confirms(&message, path, GODOT_ACCEPTOR, true), false, GODOT_MISSING_NOTHING);
    talk(10); /* more than a second */
    expect(godot_engine_never_confirms(&message, path, GODOT_ACCEPTOR, true), true, GODOT_MISSING_NOTHING);
}

/* A message that is acknowledged waits at the receiver for one before it: as long, nothing is confirmed. */
static void test_a_message_that_waits_is_not_confirmed(void **state)
{
    (void)state;
    godot_message message;
    session.transport_delivered = is_delivered;
    godot_path *path = announce(&message, 1, "Main");
    path->sent = 1;
    talk(20);
    expect(godot_engine_never_confirms(&message, path, GODOT_ACCEPTOR, true), false, GODOT_MISSING_NOTHING);
    delivered_at = now - SECOND / 2;
    expect(godot_engine_never_confirms(&message, path, GODOT_ACCEPTOR, true), false, GODOT_MISSING_NOTHING);
    talk(10);
    expect(godot_engine_never_confirms(&message, path, GODOT_ACCEPTOR, true), true, GODOT_MISSING_NOTHING);
}

/* Another client gets it from the server, on its own connection. */
static void test_what_the_server_passes_on(void **state)
{
    (void)state;
    enum { CLIENT = 77, OTHER = 4711 };
    godot_session second;
    godot_session_begin(&second, &store, GODOT_OVER_WEBSOCKET, 1);
    second.transport_delivered = is_delivered;
    godot_message message = say(true);
    godot_session_learn_peer_id(&message, GODOT_INITIATOR, CLIENT);
    godot_session_learn_path(&message, GODOT_INITIATOR, OTHER, 1, "Main", false, "");
    godot_path *path = godot_session_path(&message, GODOT_INITIATOR, 1);
    talk(20);
    godot_message copy = say(false), later = copy;
    expect(godot_engine_never_confirms(&message, path, OTHER, true), false, GODOT_MISSING_NOTHING);
    copy.session = later.session = &second;
    godot_session_learn_peer_id(&copy, GODOT_INITIATOR, OTHER);
    expect(godot_engine_never_confirms(&message, path, OTHER, true), false, GODOT_MISSING_NOTHING);
    copy.sent = 1;
    godot_session_learn_path(&copy, CLIENT, GODOT_INITIATOR, 1, "Main", false, "");
    expect(godot_engine_never_confirms(&message, path, OTHER, true), false, GODOT_MISSING_NOTHING);
    delivered_at = message.time;
    expect(godot_engine_never_confirms(&message, path, OTHER, true), false, GODOT_MISSING_NOTHING);
    later.from_initiator = true; /* it is there */
    godot_session_learn_message(&later);
    expect(godot_engine_never_confirms(&message, path, OTHER, true), true, GODOT_MISSING_NOTHING);
}

static void test_a_gap_may_have_had_the_confirmation(void **state)
{
    (void)state;
    godot_message message;
    godot_path *path = announce(&message, 1, "Main");
    talk(5);
    const godot_message after = say(false);
    godot_session_learn_gap(&after, GODOT_ACCEPTOR, GODOT_MISSING_BYTES);
    talk(10);
    expect(godot_engine_never_confirms(&message, path, GODOT_ACCEPTOR, true), true, GODOT_MISSING_BYTES);
    /* A gap before the announcement, or of the announcing end, cannot. */
    godot_path *other = announce(&message, 2, "Main/Other");
    const godot_message own = say(true);
    godot_session_learn_gap(&own, GODOT_INITIATOR, GODOT_MISSING_PACKETS);
    talk(15);
    expect(godot_engine_never_confirms(&message, other, GODOT_ACCEPTOR, true), true, GODOT_MISSING_NOTHING);
}

static void test_use_of_the_id_proves_the_confirmation(void **state)
{
    (void)state;
    godot_message message;
    godot_path *path = announce(&message, 1, "Main");
    talk(15);
    const godot_message call = say(true);
    godot_session_learn_use(&call, path, GODOT_ACCEPTOR);
    expect(godot_engine_never_confirms(&message, path, GODOT_ACCEPTOR, true), false, GODOT_MISSING_NOTHING);
}

static void test_one_direction(void **state)
{
    (void)state;
    godot_message message;
    godot_path *path = announce(&message, 1, "Main");
    for (unsigned i = 0; i < 20; i++) {
        say(true);
    }
    expect(godot_engine_never_confirms(&message, path, GODOT_ACCEPTOR, true), true, GODOT_MISSING_DIRECTION);
}

static void test_a_cut_path_is_no_key(void **state)
{
    (void)state;
    const godot_message message = say(true);
    godot_session_learn_path(&message, GODOT_INITIATOR, GODOT_ACCEPTOR, 1, "Main…", true, "a");
    assert_null(godot_session_path_by_name(&message, GODOT_INITIATOR, "Main…"));
    const godot_path *path = godot_session_path(&message, GODOT_INITIATOR, 1);
    const godot_message other = say(false);
    godot_session_learn_path(&other, GODOT_ACCEPTOR, GODOT_INITIATOR, 1, "Main…", true, "b");
    assert_null(godot_session_disagreement(&other, path));
    talk(20);
    expect(godot_engine_never_confirms(&message, path, GODOT_ACCEPTOR, true), false, GODOT_MISSING_NOTHING);
}

/* What is cut of the announcement to another peer does not hide the confirmation: an id keeps its path. */
static void test_a_cut_announcement_of_a_known_id(void **state)
{
    (void)state;
    godot_message first;
    godot_path *path = announce(&first, 1, "Main/Game");
    const godot_message again = say(true);
    godot_session_learn_path(&again, GODOT_INITIATOR, 4711, 1, "Main…", true, "");
    godot_path *other = godot_session_path(&again, GODOT_INITIATOR, 1);
    assert_ptr_not_equal(other, path);
    assert_string_equal(other->path, "Main/Game");
    const godot_message confirmation = say(false);
    godot_session_learn_confirmation(&confirmation, other, GODOT_ACCEPTOR, true);
    talk(20);
    expect(godot_engine_never_confirms(&first, path, GODOT_ACCEPTOR, true), false, GODOT_MISSING_NOTHING);
    /* Another path, by the last character that is there. */
    const godot_message wrong = say(true);
    godot_session_learn_path(&wrong, GODOT_INITIATOR, GODOT_ACCEPTOR, 1, "Maim…", true, "");
    other = godot_session_path(&wrong, GODOT_INITIATOR, 1);
    assert_string_equal(other->path, "Maim…");
    assert_true(other->cut);
    assert_null(other->confirmations);
}

/* The later confirmation of Main/Child shows that Main exists by then. */
static void test_nodes_above(void **state)
{
    (void)state;
    godot_message first, second;
    godot_path *above = announce(&first, 1, "Main"), *child = announce(&second, 2, "Main/Child");
    const godot_message confirmation = say(false);
    godot_session_learn_confirmation(&confirmation, child, GODOT_ACCEPTOR, true);
    godot_session_learn_has_node(&confirmation, GODOT_ACCEPTOR, "Main/Child", child->number);
    talk(20);
    assert_int_equal(above->shown_in, confirmation.frame);
    expect(godot_engine_never_confirms(&first, above, GODOT_ACCEPTOR, true), true, GODOT_MISSING_NOTHING);
}

/* A call to a path that is announced, sent before something shows that the receiver has the node. */
static void test_node_that_is_shown_later(void **state)
{
    (void)state;
    godot_message message;
    godot_path *path = announce(&message, 1, "Main");
    talk(15);
    const godot_message call = say(true);
    godot_path *child = announce(&message, 2, "Main/Child");
    const godot_message behind = say(true);
    const godot_message confirmation = say(false);
    godot_session_learn_confirmation(&confirmation, child, GODOT_ACCEPTOR, true);
    godot_session_learn_has_node(&confirmation, GODOT_ACCEPTOR, "Main/Child", child->number);
    /* What was sent after the announcement that it confirms was delivered after it. */
    const godot_delivery early = {true, confirmation.frame - 1}, late = {true, confirmation.frame + 1},
                         never = {true, 0};
    expect(godot_engine_lacks_node(&call, path, GODOT_ACCEPTOR, true, &early), true, GODOT_MISSING_NOTHING);
    expect(godot_engine_lacks_node(&behind, path, GODOT_ACCEPTOR, true, &early), false,
           GODOT_MISSING_NOTHING);
    /* A message that waits at the receiver for an earlier one. */
    expect(godot_engine_lacks_node(&call, path, GODOT_ACCEPTOR, true, &late), false, GODOT_MISSING_NOTHING);
    expect(godot_engine_lacks_node(&call, path, GODOT_ACCEPTOR, true, &never), false, GODOT_MISSING_NOTHING);
}

/* An id is announced to each peer, of which there can be thousands. */
static void test_a_peer_confirms_its_own_announcement(void **state)
{
    (void)state;
    enum { FIRST = 2, STRANGER = 1 << 20 };
    godot_message message = say(true);
    for (int32_t peer = FIRST; peer < FIRST + MAX_CONFIRMATIONS; peer++) {
        message = say(true);
        godot_session_learn_path(&message, GODOT_INITIATOR, peer, 1, "Main", false, "");
    }
    const godot_path *latest = godot_session_path(&message, GODOT_INITIATOR, 1);
    assert_int_equal(godot_session_announced_to(&message, latest, FIRST)->receiver, FIRST);
    assert_null(godot_session_announced_to(&message, latest, STRANGER));
    /* One more: it is not known whether the first peer got an announcement. */
    message = say(true);
    godot_session_learn_path(&message, GODOT_INITIATOR, STRANGER, 1, "Main", false, "");
    latest = godot_session_path(&message, GODOT_INITIATOR, 1);
    assert_ptr_equal(godot_session_announced_to(&message, latest, FIRST), latest);
    assert_ptr_equal(godot_session_announced_to(&message, latest, STRANGER), latest);
}

/* The first confirmation after each announcement, by the peer that got it. */
static void test_confirmed_in(void **state)
{
    (void)state;
    enum { ONE = 2, OTHER = 3 };
    godot_message message = say(true);
    godot_session_learn_path(&message, GODOT_INITIATOR, ONE, 1, "Main", false, "");
    godot_path *to_one = godot_session_path(&message, GODOT_INITIATOR, 1);
    message = say(true);
    godot_session_learn_path(&message, GODOT_INITIATOR, OTHER, 1, "Main", false, "");
    godot_path *to_other = godot_session_path(&message, GODOT_INITIATOR, 1);
    assert_ptr_equal(godot_session_path_by_name(&message, GODOT_INITIATOR, "Main"), to_other);
    assert_null(godot_session_path_by_name(&message, ONE, "Main"));
    const godot_message first = say(false), second = say(false);
    godot_session_learn_confirmation(&first, to_other, ONE, true);
    assert_int_equal(godot_session_confirmed_in(&session, to_other, OTHER), 0);
    godot_session_learn_confirmation(&second, to_other, OTHER, true);
    assert_int_equal(godot_session_confirmed_in(&session, to_one, ONE), first.frame);
    assert_int_equal(godot_session_confirmed_in(&session, to_other, OTHER), second.frame);
}

/* What a client has announced on its own connection is known, with its frame and time, where the server passes
 * on its packets. */
static void test_adopted_path(void **state)
{
    (void)state;
    enum { CLIENT = 50 };
    static godot_session other;
    memset(&other, 0, sizeof other);
    godot_session_begin(&other, &store, GODOT_OVER_WEBSOCKET, 1);
    godot_message announcement = say(true);
    godot_session_learn_peer_id(&announcement, GODOT_INITIATOR, CLIENT);
    const godot_path *own = announce(&announcement, 1, "Main");
    godot_message relayed = say(false);
    relayed.session = &other;
    godot_session_adopt_path(&relayed, CLIENT, 1);
    const godot_path *adopted = godot_session_path(&relayed, CLIENT, 1);
    assert_non_null(adopted);
    assert_int_equal(adopted->frame, own->frame);
    assert_true(adopted->time == own->time);
    /* How long its confirmation took is not known: this peer got another announcement of it. */
    godot_message confirmation = say(false);
    confirmation.session = &other;
    godot_path *entry = godot_session_path(&confirmation, CLIENT, 1);
    godot_session_learn_confirmation(&confirmation, entry, GODOT_ACCEPTOR, true);
    assert_int_equal(other.slowest, 0);
    assert_non_null(godot_session_confirmation(&confirmation, entry, GODOT_ACCEPTOR));
}

/* In a recording, a later announcement, or spawn, has the name of an id only if none can have been before it. */
static void test_a_later_name(void **state)
{
    (void)state;
    godot_message announcement, spawn;
    const godot_message early = say(true);
    announce(&announcement, 1, "Main");
    spawn = say(true);
    godot_session_learn_node(&spawn, GODOT_INITIATOR, 7, (godot_node){.path = "Main/Npc"});
    assert_non_null(godot_session_path(&early, GODOT_INITIATOR, 1));
    assert_non_null(godot_session_node(&early, GODOT_INITIATOR, 7, false));
    godot_session_learn_gap(&spawn, GODOT_INITIATOR, GODOT_MISSING_PACKETS);
    assert_non_null(godot_session_node(&early, GODOT_INITIATOR, 7, false));
    session.transport = GODOT_RECORDED;
    assert_non_null(godot_session_path(&early, GODOT_INITIATOR, 1));
    assert_null(godot_session_node(&early, GODOT_INITIATOR, 7, false));
    const godot_message late = say(true);
    assert_non_null(godot_session_node(&late, GODOT_INITIATOR, 7, false));
}

/* What was said once for a subject. */
static void test_said_before(void **state)
{
    (void)state;
    const godot_message first = say(true), second = say(true);
    assert_false(godot_session_said(&second, GODOT_TOPIC_PATH_CONFIRMED, GODOT_INITIATOR, 1));
    assert_true(godot_session_first(&first, true, GODOT_TOPIC_PATH_CONFIRMED, GODOT_INITIATOR, 1));
    assert_false(godot_session_said(&first, GODOT_TOPIC_PATH_CONFIRMED, GODOT_INITIATOR, 1));
    assert_true(godot_session_said(&second, GODOT_TOPIC_PATH_CONFIRMED, GODOT_INITIATOR, 1));
    assert_false(godot_session_said(&second, GODOT_TOPIC_PATH_CONFIRMED, GODOT_INITIATOR, 2));
}

/* It is the time of the end that confirms, not of what the other one said meanwhile. */
static void test_time_until_a_confirmation(void **state)
{
    (void)state;
    godot_message message;
    for (unsigned waits = 3; waits > 0; waits--) {
        godot_path *path = announce(&message, waits, "Main");
        for (unsigned i = 0; i < waits; i++) {
            say(true);
        }
        const godot_message confirmation = say(false);
        godot_session_learn_confirmation(&confirmation, path, GODOT_ACCEPTOR, true);
        assert_int_equal(session.slowest, 4 * SECOND / 10);
        assert_int_equal(session.quickest, (waits + 1) * SECOND / 10);
    }
}

static void test_calls_as_of_each_message(void **state)
{
    (void)state;
    godot_message message;
    godot_path *path = announce(&message, 1, "Main");
    talk(15);
    const godot_message call = say(true);
    expect(godot_engine_lacks_node(&call, path, GODOT_ACCEPTOR, false, &unknown), false,
           GODOT_MISSING_NOTHING);
    talk(15); /* the receiver is heard after it */
    expect(godot_engine_lacks_node(&call, path, GODOT_ACCEPTOR, false, &unknown), true,
           GODOT_MISSING_NOTHING);
    const godot_message hole = say(false);
    godot_session_learn_gap(&hole, GODOT_ACCEPTOR, GODOT_MISSING_PACKETS);
    expect(godot_engine_lacks_node(&call, path, GODOT_ACCEPTOR, false, &unknown), true,
           GODOT_MISSING_PACKETS);
}

/* A hole of the sender may have an announcement whose confirmation shows the node. */
static void test_calls_behind_a_hole_of_the_sender(void **state)
{
    (void)state;
    godot_message message;
    godot_path *path = announce(&message, 1, "Main");
    talk(15);
    const godot_message call = say(true);
    godot_session_learn_gap(&call, GODOT_INITIATOR, GODOT_MISSING_PACKETS);
    talk(15);
    expect(godot_engine_lacks_node(&call, path, GODOT_ACCEPTOR, false, &unknown), true,
           GODOT_MISSING_PACKETS);
}

/* Without its own connection nothing shows that another client is still there. */
static void test_calls_to_another_client(void **state)
{
    (void)state;
    godot_message message;
    godot_path *path = announce(&message, 1, "Main");
    talk(15);
    const godot_message call = say(true);
    talk(15);
    expect(godot_engine_lacks_node(&call, path, 77, false, &unknown), false, GODOT_MISSING_NOTHING);
}

/* The announcement that a capture has may be a later one than that of the call. */
static void test_calls_before_the_announcement(void **state)
{
    (void)state;
    godot_message message;
    const godot_message call = say(true);
    godot_path *path = announce(&message, 1, "Main");
    talk(30);
    const godot_delivery held = {true, path->frame + 1};
    expect(godot_engine_lacks_node(&call, path, GODOT_ACCEPTOR, false, &unknown), false,
           GODOT_MISSING_NOTHING);
    expect(godot_engine_lacks_node(&call, path, GODOT_ACCEPTOR, false, &held), true, GODOT_MISSING_NOTHING);
}

static void test_beginning_and_segments(void **state)
{
    (void)state;
    const godot_moment none = {0, 0};
    godot_message message = say(true);
    say(false);
    assert_int_equal(godot_engine_lacks(GODOT_PATH_UNDEFINED, &message, GODOT_INITIATOR, none),
                     GODOT_MISSING_NOTHING);
    session.seen[0].from_start = false;
    assert_int_equal(godot_engine_lacks(GODOT_PATH_UNDEFINED, &message, GODOT_INITIATOR, none),
                     GODOT_MISSING_BEGINNING);
    session.seen[0].from_start = true;
    message.cut = true;
    assert_int_equal(godot_engine_lacks(GODOT_CALL_REFUSED, &message, GODOT_INITIATOR, none),
                     GODOT_MISSING_BYTES);
    const godot_message next = say(true);
    godot_session_learn_gap(&next, GODOT_INITIATOR, GODOT_MISSING_SEGMENTS);
    const godot_message later = say(true), answer = say(false);
    assert_int_equal(godot_engine_lacks(GODOT_MALFORMED, &later, GODOT_INITIATOR, none),
                     GODOT_MISSING_SEGMENTS);
    assert_int_equal(godot_engine_lacks(GODOT_MALFORMED, &answer, GODOT_ACCEPTOR, none),
                     GODOT_MISSING_NOTHING);
}

static void test_peers(void **state)
{
    (void)state;
    const godot_presence *said;
    const godot_message first = say(false);
    godot_session_learn_peer_id(&first, GODOT_ACCEPTOR, 1);
    expect(godot_engine_lacks_peer(&first, 7, &said), true, GODOT_MISSING_NOTHING);
    const godot_message joins = say(false);
    godot_session_learn_presence(&joins, 7, true);
    expect(godot_engine_lacks_peer(&joins, 7, &said), false, GODOT_MISSING_NOTHING);
    expect(godot_engine_lacks_peer(&first, 7, &said), true, GODOT_MISSING_ORDER);
    const godot_message leaves = say(false);
    godot_session_learn_presence(&leaves, 7, false);
    const godot_message after = say(true);
    expect(godot_engine_lacks_peer(&after, 7, &said), true, GODOT_MISSING_NOTHING);
    assert_int_equal(said->frame, leaves.frame);
    const godot_message hole = say(false);
    godot_session_learn_gap(&hole, GODOT_ACCEPTOR, GODOT_MISSING_PACKETS);
    const godot_message last = say(true);
    expect(godot_engine_lacks_peer(&last, 7, &said), true, GODOT_MISSING_PACKETS);
}

/* Entries in any order, and one that is too many places before the end. */
static void test_histories(void **state)
{
    (void)state;
    static int values[2000];
    godot_histories facts = {.newest = {.count = 0}};
    for (uint32_t i = 1; i < 1000; i++) {
        godot_history_add(&store, &facts, 5, 6, 2 * i, &values[2 * i]);
    }
    godot_history_add(&store, &facts, 5, 6, 1999, &values[1999]);
    godot_history_add(&store, &facts, 5, 6, 1901, &values[1901]);
    godot_history_add(&store, &facts, 5, 6, 3, &values[3]);
    const godot_history *past = godot_find_history(&store, &facts, 5, 6);
    assert_null(godot_history_at(past, 1));
    assert_ptr_equal(godot_history_around(past, 1), &values[2]);
    assert_ptr_equal(godot_history_at(past, 3), &values[2]); /* not kept */
    assert_ptr_equal(godot_history_at(past, 1900), &values[1900]);
    assert_ptr_equal(godot_history_at(past, 1901), &values[1901]);
    assert_ptr_equal(godot_history_at(past, UINT32_MAX), &values[1999]);
    assert_null(godot_find_history(&store, &facts, 6, 5));
}

static void test_limit(void **state)
{
    (void)state;
    assert_true(godot_store_may_keep(&store, 64 * 100));
    assert_int_equal(store.records, 101);
    assert_false(godot_store_may_keep(&store, SIZE_MAX));
    assert_true(godot_store_is_full(&store));
    char text[300];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_null(godot_store_text(&store, text));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {TEST(test_never_confirmed),
                                       TEST(test_a_message_that_waits_is_not_confirmed),
                                       TEST(test_what_the_server_passes_on),
                                       TEST(test_a_gap_may_have_had_the_confirmation),
                                       TEST(test_use_of_the_id_proves_the_confirmation),
                                       TEST(test_one_direction),
                                       TEST(test_a_cut_path_is_no_key),
                                       TEST(test_a_cut_announcement_of_a_known_id),
                                       TEST(test_calls_behind_a_hole_of_the_sender),
                                       TEST(test_calls_to_another_client),
                                       TEST(test_calls_before_the_announcement),
                                       TEST(test_nodes_above),
                                       TEST(test_calls_as_of_each_message),
                                       TEST(test_node_that_is_shown_later),
                                       TEST(test_time_until_a_confirmation),
                                       TEST(test_a_peer_confirms_its_own_announcement),
                                       TEST(test_confirmed_in),
                                       TEST(test_adopted_path),
                                       TEST(test_a_later_name),
                                       TEST(test_said_before),
                                       TEST(test_beginning_and_segments),
                                       TEST(test_peers),
                                       TEST(test_histories),
                                       TEST(test_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
