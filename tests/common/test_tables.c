/* Tables with a row for each value of an enumeration: none is forgotten.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "codec/decompress.h"
#include "enet/wire/compression.h"
#include "enet/wire/datagram.h"
#include "framing/store_file.h"
#include "multiplayer/wire/api_v3.h"
#include "multiplayer/wire/packet.h"
#include "multiplayer/wire/scene_v4.h"
#include "recorder/record.h"
#include "variant/variant.h"

static void has_all(const char *what, const char *(*text)(unsigned), unsigned first, unsigned count)
{
    assert_true(count > first);
    for (unsigned i = first; i < count; i++) {
        if (!text(i) || !*text(i) || strcmp(text(i), "?") == 0) {
            fail_msg("%s: there is nothing for %u", what, i);
        }
        for (unsigned other = first; other < i; other++) {
            if (strcmp(text(i), text(other)) == 0) {
                fail_msg("%s: %u and %u are both \"%s\"", what, other, i, text(i));
            }
        }
    }
}

/* A function for each table, as each has its own enumeration as parameter. */
#define TEXT(name, expression)                                                                               \
    static const char *name(unsigned i)                                                                      \
    {                                                                                                        \
        return expression;                                                                                   \
    }
TEXT(of_enet_command, enet_commands[i].name)
TEXT(of_enet_dialect, enet_dialects[i].key)
TEXT(of_enet_dialect_name, enet_dialects[i].name)
TEXT(of_enet_effect, enet_effect_text((enet_effect)i))
TEXT(of_enet_problem, enet_problems[i].name)
TEXT(of_enet_problem_text, enet_problems[i].text)
TEXT(of_enet_compression, enet_compression_name((enet_compression)i))
TEXT(of_decompression, enet_decompress_text((decompress_result)i))
TEXT(of_file_mode, store_file_mode_name(i))
TEXT(of_multiplayer_problem, multiplayer_problems[i].name)
TEXT(of_multiplayer_problem_text, multiplayer_problems[i].text)
TEXT(of_multiplayer_verdict, multiplayer_verdict_text((multiplayer_verdict)i))
TEXT(of_v3_command, multiplayer_v3_command_name((uint8_t)i))
TEXT(of_v3_message, multiplayer_v3_message_name((multiplayer_v3_message)i))
TEXT(of_v4_subcommand, multiplayer_v4_subcommand_name((uint8_t)i))
TEXT(of_record, recorder_kind_name((uint8_t)i))
TEXT(of_variant_dialect, variant_dialect_key((variant_dialect)i))
TEXT(of_variant_dialect_name, variant_dialect_name((variant_dialect)i))
TEXT(of_variant_problem, variant_problems[i].name)
TEXT(of_variant_problem_text, variant_problems[i].text)
TEXT(of_variant_type, variant_type_facts((variant_type)i)->name)
TEXT(of_variant_verdict, variant_verdict_name((variant_verdict)i))

static void rows(void **state)
{
    (void)state;
    has_all("enet_commands", of_enet_command, 0, ENET_COMMAND_COUNT);
    has_all("enet_dialects, key", of_enet_dialect, 0, ENET_DIALECT_COUNT);
    has_all("enet_dialects, name", of_enet_dialect_name, 0, ENET_DIALECT_COUNT);
    has_all("enet_effect_text", of_enet_effect, 0, ENET_DATAGRAM_DROPPED + 1);
    has_all("enet_problems, name", of_enet_problem, 0, ENET_PROBLEM_COUNT);
    has_all("enet_problems, text", of_enet_problem_text, 0, ENET_PROBLEM_COUNT);
    has_all("enet_compression_name", of_enet_compression, 0, ENET_COMPRESSION_COUNT);
    has_all("enet_decompress_text", of_decompression, 0, DECOMPRESS_RESULT_COUNT);
    has_all("store_file_mode_name", of_file_mode, 0, COMPRESSED_FILE_MODE_COUNT);
    has_all("multiplayer_problems, name", of_multiplayer_problem, 0, MULTIPLAYER_PROBLEM_COUNT);
    has_all("multiplayer_problems, text", of_multiplayer_problem_text, 0, MULTIPLAYER_PROBLEM_COUNT);
    has_all("multiplayer_verdict_text", of_multiplayer_verdict, 0, MULTIPLAYER_DROPPED + 1);
    has_all("multiplayer_v3_command_name", of_v3_command, 0, MULTIPLAYER_V3_COMMAND_COUNT);
    has_all("multiplayer_v3_message_name", of_v3_message, 0, MULTIPLAYER_V3_UNKNOWN_MESSAGE + 1);
    has_all("multiplayer_v4_subcommand_name", of_v4_subcommand, 0, MULTIPLAYER_V4_SUBCOMMAND_COUNT);
    has_all("recorder_kind_name", of_record, 0, RECORDER_KIND_COUNT);
    has_all("variant_dialects, key", of_variant_dialect, 0, VARIANT_DIALECT_COUNT);
    has_all("variant_dialects, name", of_variant_dialect_name, 0, VARIANT_DIALECT_COUNT);
    has_all("variant_problems, name", of_variant_problem, 0, VARIANT_PROBLEM_COUNT);
    has_all("variant_problems, text", of_variant_problem_text, 0, VARIANT_PROBLEM_COUNT);
    has_all("variant types", of_variant_type, 0, VARIANT_TYPE_COUNT);
    has_all("variant_verdict_name", of_variant_verdict, 0, VARIANT_ERR_UNAVAILABLE + 1);
}

/* Fields of a command lie in its fixed part, and the last one ends it. */
static void fields_of_enet(void **state)
{
    (void)state;
#define END(name) (ENET_##name##_AT + ENET_##name##_LENGTH)
    static const uint8_t ends[ENET_COMMAND_COUNT] = {
        [ENET_ACKNOWLEDGE] = END(ACK_SENT_TIME),
        [ENET_CONNECT] = END(CONNECT_DATA),
        [ENET_VERIFY_CONNECT] = END(CONNECT_ID),
        [ENET_DISCONNECT] = END(DISCONNECT_DATA),
        [ENET_PING] = 4,
        [ENET_SEND_RELIABLE] = END(RELIABLE_DATA_LENGTH),
        [ENET_SEND_UNRELIABLE] = END(DATA_LENGTH),
        [ENET_SEND_FRAGMENT] = END(FRAGMENT_OFFSET),
        [ENET_SEND_UNSEQUENCED] = END(DATA_LENGTH),
        [ENET_BANDWIDTH_LIMIT] = END(BANDWIDTH_OUTGOING),
        [ENET_THROTTLE_CONFIGURE] = END(THROTTLE_DECELERATION),
        [ENET_SEND_UNRELIABLE_FRAGMENT] = END(FRAGMENT_OFFSET),
    };
    for (unsigned i = 1; i < ENET_COMMAND_COUNT; i++) {
        assert_int_equal(enet_commands[i].fixed_length, ends[i]);
        assert_int_equal(enet_commands[i].byte & ENET_COMMAND_TYPE_MASK, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(fields_of_enet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
