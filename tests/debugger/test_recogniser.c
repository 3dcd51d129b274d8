/* debugger/test_recogniser.c: recognition of messages of the remote debugger, and the parts of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "debugger/decoder.h"

static uint8_t buffer[512];
static uint32_t used;

static void put32(uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        buffer[used++] = (uint8_t)(value >> 8 * i);
    }
}

static void put_string(const char *text, uint32_t length)
{
    put32(4);
    put32(length);
    memcpy(buffer + used, text, length);
    memset(buffer + used + length, 0, 3);
    used += length + (-length & 3);
}

static void put_int(uint32_t value)
{
    put32(2);
    put32(value);
}

/* [name, thread, [7, "x"]] of Godot 4, or [name, 7] of Godot 3 (`array` 19), after `length` if that is not 0. */
static void put_message(uint32_t array, const char *name, uint32_t name_length)
{
    put32(array);
    put32(array == 28 ? 3 : 2);
    put_string(name, name_length);
    if (array == 28) {
        put_int(1);
        put32(28);
        put32(2);
        put_int(7);
        put_string("x", 1);
    } else {
        put_int(7);
    }
}

static debugger_evidence recognise(uint32_t array, const char *name, uint32_t length)
{
    used = 0;
    put_message(array, name, length);
    return debugger_recognise_message(buffer, used);
}

static void names(void **state)
{
    (void)state;
    assert_int_equal(recognise(28, "scene:scene_tree", 16).api, 4);
    assert_int_equal(recognise(19, "breakpoint", 10).api, 3);
    assert_int_equal(recognise(28, "my own-name/x.y_1", 17).api, 4);
    assert_int_equal(recognise(28, "\0\0\0\0", 4).api, 0);
    assert_int_equal(recognise(28, "a\0bc", 4).api, 0);
    assert_int_equal(recognise(28, "a\nbc", 4).api, 0);
    assert_int_equal(recognise(28, "", 0).api, 0);
    assert_int_equal(recognise(27, "breakpoint", 10).api, 0);
    for (uint32_t cut = 0; cut < 26; cut++) {
        recognise(19, "breakpoint", 10);
        assert_int_equal(debugger_recognise_message(buffer, cut).api, 0);
    }
    used = 0;
    put_string("output", 6);
    assert_int_equal(debugger_recognise_message(buffer, used).api, 3);
    used = 0;
    put_string("outpux", 6); /* not a name of an engine: only Arrays may have names of the game's own */
    assert_int_equal(debugger_recognise_message(buffer, used).api, 0);
}

static void editor(void **state)
{
    debugger_evidence found;
    (void)state;
    found = recognise(28, "get_stack_dump", 14);
    assert_int_equal(debugger_find_editor(&found, buffer), DEBUGGER_EDITOR_SENDS);
    found = recognise(28, "stack_dump", 10);
    assert_int_equal(debugger_find_editor(&found, buffer), DEBUGGER_EDITOR_RECEIVES);
    found = recognise(28, "my:own", 6);
    assert_int_equal(debugger_find_editor(&found, buffer), DEBUGGER_EDITOR_UNKNOWN);
    found = recognise(19, "my:own", 6); /* a value of the game may be such an Array */
    assert_int_equal(debugger_find_editor(&found, buffer), DEBUGGER_EDITOR_UNKNOWN);
    found = recognise(19, "continue", 8); /* or a text that the game prints, with its kind */
    assert_int_equal(debugger_find_editor(&found, buffer), DEBUGGER_EDITOR_UNKNOWN);
    found = debugger_recognise_message(buffer, used - 8); /* where the kind would be is cut off */
    assert_int_equal(debugger_find_editor(&found, buffer), DEBUGGER_EDITOR_UNKNOWN);
    buffer[used - 8] = 1; /* a boolean */
    found = debugger_recognise_message(buffer, used);
    assert_int_equal(debugger_find_editor(&found, buffer), DEBUGGER_EDITOR_SENDS);
    buffer[4] = 1; /* the name alone */
    found = debugger_recognise_message(buffer, used - 8);
    assert_int_equal(debugger_find_editor(&found, buffer), DEBUGGER_EDITOR_SENDS);
}

static void frames(void **state)
{
    debugger_evidence found;
    (void)state;
    used = 0;
    put32(0xffffffffu);
    put32(4 * 15); /* the length of the message below */
    uint32_t begin = used;
    put_message(28, "output", 6);
    assert_int_equal(used - begin, 4 * 15);
    assert_int_equal(debugger_find_frame(buffer, used, &found), 4);
    assert_int_equal(found.api, 4);
    assert_memory_equal(buffer + 4 + found.name_offset, "output", 6);
    assert_true(debugger_may_be_frame(buffer + 4, 4));
    assert_false(debugger_may_be_frame(buffer, used));
    buffer[4]++; /* no multiple of four */
    assert_int_equal(debugger_find_frame(buffer, used, &found), used);
    assert_int_equal(found.api, 0);
}

static void others(void **state)
{
    (void)state;
    assert_int_equal(debugger_recognise_other((const uint8_t *)"l\0\13\0\0\0\0\0\0\0\0\0", 12),
                     DEBUGGER_OTHER_X11);
    assert_int_equal(debugger_recognise_other((const uint8_t *)"B\0\0\13\0\0\0\0\0\0\0\0", 12),
                     DEBUGGER_OTHER_X11);
    assert_int_equal(debugger_recognise_other((const uint8_t *)"l\0\0\13\0\0\0\0\0\0\0\0", 12),
                     DEBUGGER_OTHER_NONE);
    assert_int_equal(debugger_recognise_other((const uint8_t *)"GET / HTTP/1.1\r\n", 16),
                     DEBUGGER_OTHER_TEXT);
    assert_int_equal(debugger_recognise_other((const uint8_t *)"\x16\3\1\2\0\1", 6), DEBUGGER_OTHER_TEXT);
    assert_int_equal(debugger_recognise_other((const uint8_t *)"GET", 3), DEBUGGER_OTHER_NONE);
}

static void parts_of_messages(void **state)
{
    debugger_value arguments[4];
    (void)state;
    used = 0;
    put_message(28, "output", 6);
    debugger_decoded decoded = debugger_decode_v4(buffer, used, arguments, 4);
    assert_true(decoded.valid && decoded.has_thread);
    assert_int_equal(decoded.name.offset, 8);
    assert_int_equal(decoded.thread.number, 1);
    assert_int_equal(decoded.argument_count, 2);
    assert_int_equal(arguments[0].number, 7);
    assert_int_equal(arguments[0].offset, 40);
    assert_int_equal(arguments[1].offset, 48);
    assert_int_equal(arguments[1].length, 12);
    assert_int_equal(decoded.consumed, used);
    assert_false(debugger_decode_v3(buffer, used, arguments, 4).valid);

    used = 0;
    put_message(19, "step", 4);
    decoded = debugger_decode_v3(buffer, used, arguments, 4);
    assert_true(decoded.valid && !decoded.has_thread);
    assert_int_equal(decoded.argument_count, 1);
    assert_int_equal(arguments[0].number, 7);
    assert_false(debugger_decode_v4(buffer, used, arguments, 4).valid);

    memset(arguments, 0xff, sizeof arguments);
    assert_int_equal(debugger_decode_v3(buffer, used, arguments, 1).argument_count, 1);
    assert_int_equal(arguments[0].type, VARIANT_STRING); /* nothing is read or moved beyond the capacity */
}

/* One frame of a Godot 3 game. */
static debugger_part next(debugger_sequence *sequence)
{
    debugger_part part = *debugger_next_part(sequence, buffer, used);
    used = 0;
    return part;
}

static void sequence_of_godot_3(void **state)
{
    debugger_sequence sequence = {0};
    debugger_part part;
    (void)state;
    used = 0;
    put_int(3); /* the capture begins inside of a message */
    assert_int_equal(next(&sequence).kind, DEBUGGER_PART_UNKNOWN);
    put_string("debug_enter", 11);
    part = next(&sequence);
    assert_int_equal(part.kind, DEBUGGER_PART_NAME);
    assert_string_equal(part.name, "debug_enter");
    put_int(2);
    part = next(&sequence);
    assert_int_equal(part.kind, DEBUGGER_PART_COUNT);
    assert_int_equal(part.count, 2);
    put_int(1);
    part = next(&sequence);
    assert_int_equal(part.kind, DEBUGGER_PART_VALUE);
    assert_string_equal(part.label, "can_continue");
    put_string("debug_exit", 10); /* a value, although it is the name of a message as well */
    part = next(&sequence);
    assert_int_equal(part.kind, DEBUGGER_PART_VALUE);
    assert_string_equal(part.label, "error");
    put_string("message:own", 11);
    assert_int_equal(next(&sequence).kind, DEBUGGER_PART_NAME);
    put_string("no count", 8);
    assert_int_equal(next(&sequence).kind, DEBUGGER_PART_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(editor),
        cmocka_unit_test(frames),
        cmocka_unit_test(others),
        cmocka_unit_test(parts_of_messages),
        cmocka_unit_test(sequence_of_godot_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
