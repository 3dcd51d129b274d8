/* test_rpc_replies.c
 *
 * Names of requests and of their replies.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "multiplayer/session/rpc_replies.h"

#define ROOM 64

/* Whether `reply` is one of the names that the conventions give for `request`. */
static bool conventional(const char *request, const char *reply)
{
    char name[ROOM];
    for (const rpc_reply_pattern *p = rpc_reply_conventions; p->request; p++) {
        if (rpc_reply_name(p, request, name, sizeof name) && strcmp(name, reply) == 0) {
            return true;
        }
    }
    return false;
}

static void conventions(void **state)
{
    (void)state;
    assert_true(conventional("ping", "pong"));
    assert_true(conventional("request_item", "receive_item"));
    assert_true(conventional("_request_item", "update_item"));
    assert_true(conventional("RequestItem", "ReceiveItem"));
    assert_true(conventional("FetchServerTime", "ReturnServerTime"));
    assert_true(conventional("login_request", "login_response"));
    assert_true(conventional("LoginRequest", "LoginResult"));
    assert_true(conventional("ask_", "answer_") == false); /* the word after the verb is missing */
    assert_false(conventional("ping_all", "pong_all"));
    assert_false(conventional("pong", "ping"));
    assert_false(conventional("receive_item", "request_item"));
    assert_false(conventional("", ""));
    assert_false(conventional("_", ""));
    for (const rpc_reply_pattern *p = rpc_reply_conventions; p->request; p++) {
        assert_null(rpc_reply_check(p));
    }
}

static void patterns(void **state)
{
    (void)state;
    char name[ROOM];
    const rpc_reply_pattern around = {"a*z", "<*>"}, plain = {"_buy", "_bought"}, to_one = {"get_*", "got"};
    assert_true(rpc_reply_name(&around, "abcz", name, ROOM));
    assert_string_equal(name, "<bc>");
    assert_false(rpc_reply_name(&around, "az", name, ROOM));
    assert_false(rpc_reply_name(&around, "a", name, ROOM));
    assert_false(rpc_reply_name(&around, "abc", name, ROOM));
    assert_true(rpc_reply_name(&plain, "buy", name, ROOM));
    assert_string_equal(name, "bought");
    assert_true(rpc_reply_name(&plain, "__buy", name, ROOM));
    assert_false(rpc_reply_name(&plain, "buys", name, ROOM));
    assert_true(rpc_reply_name(&to_one, "get_name", name, ROOM));
    assert_string_equal(name, "got");
}

static void room(void **state)
{
    (void)state;
    char name[8];
    const rpc_reply_pattern pattern = {"x*", "yy*"};
    memset(name, '#', sizeof name);
    assert_false(rpc_reply_name(&pattern, "x12345", name, 7));
    assert_true(rpc_reply_name(&pattern, "x1234", name, 7));
    assert_string_equal(name, "yy1234");
    assert_int_equal(name[7], '#');
    assert_false(rpc_reply_name(&pattern, "x1", name, 0));
}

static void checks(void **state)
{
    (void)state;
    const rpc_reply_pattern bad[] = {{"", "b"},   {"a", ""},    {NULL, "b"},  {"a", NULL},
                                     {"a", "b*"}, {"*a*", "b"}, {"a*", "*b*"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_non_null(rpc_reply_check(&bad[i]));
    }
    const rpc_reply_pattern good[] = {{"a", "b"}, {"a*", "b"}, {"*", "*_done"}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_null(rpc_reply_check(&good[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conventions),
        cmocka_unit_test(patterns),
        cmocka_unit_test(room),
        cmocka_unit_test(checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
