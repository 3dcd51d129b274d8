/* multiplayer/test_engine_text.c
 *
 * What error messages name. The texts are those that engines printed in test-captures.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/reports/engine_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define CALLS (ENGINE_CALL | ENGINE_CALL_BY_PATH)

static void assert_slice(slice found, const char *wanted)
{
    assert_int_equal(found.text != NULL, wanted != NULL);
    if (wanted) {
        assert_int_equal(found.length, strlen(wanted));
        assert_memory_equal(found.text, wanted, found.length);
    }
}

static void test_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *node, *method;
        int32_t sender, arguments;
        unsigned kinds;
    } cases[] = {
        {"RPC 'kick' is not allowed on node /root/A/from: B from: 7. Mode is \"authority\", authority is 1.",
         "/root/A/from: B", "kick", 7, -1, CALLS},
        {"RSET 'wish' is not allowed on node /root/Main/Unit from: 1. Mode is 2, master is 1.",
         "/root/Main/Unit", "wish", 1, -1, CALLS},
        {"RPC - 'Node(unit.gd)::two': Method expected 2 argument(s), but called with 12", NULL, "two", 0, 12,
         CALLS},
        {"RPC - 'Node(unit.gd)::two': Method expected 2 arguments, but called with 1.", NULL, "two", 0, 1,
         CALLS},
        {"RPC - 'Node(unit.gd)::ghost': Method not found", NULL, "ghost", 0, -1, CALLS},
        {"Node not found: \"Main/Only.Here\" (relative to \"/root\").", "Main/Only.Here", NULL, 0, -1,
         ENGINE_CALL_BY_PATH | ENGINE_ANNOUNCEMENT},
        {"Failed to get path from RPC: Main/Only.Here.", "Main/Only.Here", NULL, 0, -1, ENGINE_CALL_BY_PATH},
        {"The rpc node checksum failed. Make sure to have the same methods on both nodes. Node path: Main",
         "Main", NULL, 0, -1, ENGINE_ANNOUNCEMENT},
        {"The rpc node checksum failed. Make sure to have the same methods on both nodes. Node path: "
         "/root/Main",
         "/root/Main", NULL, 0, -1, ENGINE_CONFIRMATION},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        engine_text names;
        assert_true(engine_text_read(cases[i].text, &names));
        assert_slice(names.node, cases[i].node);
        assert_slice(names.method, cases[i].method);
        assert_int_equal(names.sender, cases[i].sender);
        assert_int_equal(names.arguments, cases[i].arguments);
        assert_int_equal(names.kinds, cases[i].kinds);
    }
}

static void test_other_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "RPC '",
                                        "RPC '' is not allowed on node  from: .",
                                        "RPC 'x' is not allowed on node /root",
                                        "Node not found: \"\" (relative to \"",
                                        "Failed to get path from RPC: .",
                                        "Invalid packet received. Requested node was not found.",
                                        "went wrong"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        engine_text names;
        assert_false(engine_text_read(texts[i], &names));
    }
    engine_text names;
    assert_true(
        engine_text_read("RPC 'x' is not allowed on node /root/A from: 99999999999999999999.", &names));
    assert_int_equal(names.sender, 0);
    assert_true(engine_text_read("RPC - 'a::b': Method expected 1, but called with", &names));
    assert_int_equal(names.arguments, -1);
}

static void test_nodes(void **state)
{
    (void)state;
    static const struct {
        const char *named, *node;
        bool same;
    } cases[] = {{"/root/Main/Unit", "Main/Unit", true},      {"/root/Main/Unit", "/root/Main/Unit", true},
                 {"/root/Game/Main/Unit", "Main/Unit", true}, {"Main/Unit", "Main/Unit", true},
                 {"/root/Main/Unit", "in/Unit", false},       {"Game/Main", "Main", false},
                 {"/root/Main", "Main/Unit", false},          {"/root/Main", "", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(engine_text_names_node(slice_of(cases[i].named), cases[i].node), cases[i].same);
    }
    assert_true(engine_text_follows("process_simplify_path") && engine_text_follows("process_rpc"));
    assert_false(engine_text_follows("get_node"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_other_texts),
                                       cmocka_unit_test(test_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
