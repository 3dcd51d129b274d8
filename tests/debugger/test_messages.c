/* debugger/test_messages.c: the message table of the remote debugger and the iteration over argument names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "debugger/messages.h"

static const debugger_message *find(unsigned api, debugger_direction direction, const char *name)
{
    return debugger_find_message(api, direction, name, strlen(name));
}

/* Names all arguments whose values are given; INT64_MIN stands for "not an int". */
static void expect_names(const debugger_message *message, const int64_t *values, const char *const *names,
                         size_t count)
{
    debugger_arguments arguments;
    char name[64];

    assert_non_null(message);
    debugger_arguments_begin(&arguments, message);
    for (size_t i = 0; i < count; i++) {
        debugger_next_argument(&arguments, name, sizeof name);
        assert_string_equal(name, names[i]);
        if (values[i] != INT64_MIN) {
            debugger_argument_value(&arguments, values[i]);
        }
    }
}

#define S INT64_MIN
#define EXPECT(message, values, ...)                                                                         \
    do {                                                                                                     \
        static const char *const expected[] = {__VA_ARGS__};                                                 \
        expect_names(message, values, expected, sizeof expected / sizeof *expected);                         \
    } while (0)

static void names_without_groups(void **state)
{
    (void)state;
    const int64_t values[] = {1, S, S, 4, 5};
    EXPECT(find(4, DEBUGGER_FROM_GAME, "debug_enter"), values, "can_continue", "error", "has_stack",
           "thread_id", "");
}

/* Of an engine that was not available: names and arguments are those in its sources. */
static void messages_of_a_newer_engine(void **state)
{
    (void)state;
    const int64_t values[] = {S, S, S, S, S, S, S, S};
    EXPECT(find(4, DEBUGGER_FROM_GAME, "game_view:hdr_state"), values, "requested", "enabled",
           "reference_luminance", "max_luminance", "max_linear_value", "display_can", "renderer_can", "");
    EXPECT(find(4, DEBUGGER_FROM_GAME, "game_view:window_size"), values, "size", "");
    EXPECT(find(4, DEBUGGER_FROM_EDITOR, "scene:report_window_focused"), values, "focused", "");
    EXPECT(find(4, DEBUGGER_FROM_EDITOR, "scene:setup_game_view"), values, "");
}

/* What a message is about follows from its name; a text in the Info column names arguments that there are. */
static void rows_of_the_table(void **state)
{
    (void)state;
    size_t count;
    const debugger_message *messages = debugger_messages(&count);
    for (size_t i = 0; i < count; i++) {
        const debugger_message *m = &messages[i];
        const debugger_topic topic = strcmp(m->name, "error") == 0         ? DEBUGGER_ERROR
                                     : strcmp(m->name, "debug_enter") == 0 ? DEBUGGER_BREAK
                                     : strcmp(m->name, "output") == 0      ? DEBUGGER_OUTPUT
                                                                           : DEBUGGER_PLAIN;
        assert_true(m->api == 3 || m->api == 4);
        assert_true(m->direction == DEBUGGER_FROM_GAME || m->direction == DEBUGGER_FROM_EDITOR);
        assert_int_equal(m->topic, topic);
        assert_true(m->topic == DEBUGGER_PLAIN || m->direction == DEBUGGER_FROM_GAME);
        for (const char *at = m->summary; at && (at = strchr(at, '<')); at++) {
            char name[64];
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1, " |>"), at + 1);
            assert_true(strcmp(name, "#") == 0 ? strchr(m->arguments, '{') != NULL
                                               : strstr(m->arguments, name) != NULL);
        }
        assert_ptr_equal(debugger_find_message(m->api, m->direction, m->name, strlen(m->name)), m);
    }
}

static void counted_groups(void **state)
{
    (void)state;
    const int64_t values[] = {6, S, 10, S, S, 20, S, S};
    EXPECT(find(4, DEBUGGER_FROM_GAME, "stack_dump"), values, "stack", "file 0", "line 0", "function 0",
           "file 1", "line 1", "function 1", "");
}

static void no_repetition(void **state)
{
    (void)state;
    const int64_t zero[] = {0, S}, negative[] = {-3, S};
    EXPECT(find(4, DEBUGGER_FROM_GAME, "stack_dump"), zero, "stack", "");
    EXPECT(find(4, DEBUGGER_FROM_GAME, "stack_dump"), negative, "stack", "");
}

static void groups_in_groups(void **state)
{
    (void)state;
    /* two servers with one and no function, then one script function */
    const int64_t values[] = {7, S, S, S, S, S, 2, S, 2, S, S, S, 0, 5, 9, 1, S, S, S, S};
    EXPECT(find(4, DEBUGGER_FROM_GAME, "servers:profile_frame"), values, "frame", "frame_time",
           "process_time", "physics_time", "physics_frame_time", "script_time", "servers", "server 0",
           "functions 0", "function 0", "time 0", "server 1", "functions 1", "functions", "signature 0",
           "calls 0", "self 0", "total 0", "internal 0", "");
}

static void groups_to_the_end(void **state)
{
    (void)state;
    const int64_t values[] = {1, S, 2, S, 3, S};
    EXPECT(find(4, DEBUGGER_FROM_EDITOR, "scene:setup_scene"), values, "physical 0", "keycode 0",
           "physical 1", "keycode 1", "physical 2", "keycode 2");
}

static void a_count_that_is_no_int(void **state)
{
    (void)state;
    const int64_t values[] = {S, S, S};
    EXPECT(find(4, DEBUGGER_FROM_GAME, "stack_dump"), values, "stack", "", "");
}

static void a_huge_count(void **state)
{
    (void)state;
    const int64_t values[] = {INT64_MAX, S, 1, S, S};
    EXPECT(find(4, DEBUGGER_FROM_GAME, "stack_dump"), values, "stack", "file 0", "line 0", "function 0",
           "file 1");
}

static void same_name_in_both_directions(void **state)
{
    (void)state;
    const debugger_message *reply = find(4, DEBUGGER_FROM_GAME, "multiplayer:cache");
    const debugger_message *request = find(4, DEBUGGER_FROM_EDITOR, "multiplayer:cache");
    assert_non_null(reply);
    assert_non_null(request);
    assert_ptr_not_equal(reply, request);
    assert_ptr_equal(find(4, DEBUGGER_FROM_EDITOR, "debug_exit"), find(4, DEBUGGER_FROM_GAME, "debug_exit"));
    assert_null(find(3, DEBUGGER_FROM_GAME, "scene:scene_tree"));
    assert_null(find(4, DEBUGGER_FROM_GAME, "my_game:score"));
    assert_null(debugger_find_message(4, DEBUGGER_FROM_GAME, "out", 0));
}

/* Every specification can be walked with any count, and names no argument in an endless empty loop. */
static void every_message_can_be_walked(void **state)
{
    (void)state;
    size_t count;
    const debugger_message *all = debugger_messages(&count);
    assert_true(count > 100);
    for (size_t i = 0; i < count; i++) {
        for (int64_t value = 0; value < 40; value += 3) {
            debugger_arguments arguments;
            char name[48];
            debugger_arguments_begin(&arguments, &all[i]);
            for (int n = 0; n < 300; n++) {
                debugger_next_argument(&arguments, name, sizeof name);
                assert_null(strpbrk(name, "{}/"));
                debugger_argument_value(&arguments, value);
            }
        }
        for (size_t j = 0; j < i; j++) {
            assert_false(all[j].api == all[i].api && all[j].direction == all[i].direction &&
                         strcmp(all[j].name, all[i].name) == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_without_groups),
        cmocka_unit_test(messages_of_a_newer_engine),
        cmocka_unit_test(rows_of_the_table),
        cmocka_unit_test(counted_groups),
        cmocka_unit_test(no_repetition),
        cmocka_unit_test(groups_in_groups),
        cmocka_unit_test(groups_to_the_end),
        cmocka_unit_test(a_count_that_is_no_int),
        cmocka_unit_test(a_huge_count),
        cmocka_unit_test(same_name_in_both_directions),
        cmocka_unit_test(every_message_can_be_walked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
