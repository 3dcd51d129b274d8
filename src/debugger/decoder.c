/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "debugger/decoder.h"

#include <string.h>

/* The elements of the Array are the events of depth 1. */
uint32_t debugger_list_values(const uint8_t *bytes, uint32_t length, variant_dialect dialect,
                              debugger_value *values, uint32_t room, uint32_t *consumed)
{
    variant_decoder decoder;
    variant_event event;
    uint32_t count = 0;

    variant_init(&decoder, bytes, length, (variant_options){.dialect = dialect});
    while (variant_next(&decoder, &event)) {
        if (event.depth != 1 || (event.kind != VARIANT_VALUE && event.kind != VARIANT_END)) {
            continue;
        }
        if (count < room) {
            values[count] =
                (debugger_value){.offset = event.offset, .length = event.length, .type = event.type};
            if (event.kind == VARIANT_VALUE && event.type == VARIANT_INT) {
                values[count].number = event.value.i;
            }
        }
        count++;
    }
    if (consumed) {
        *consumed = decoder.position;
    }
    return count;
}

debugger_decoded debugger_decode_v4(const uint8_t *bytes, uint32_t length, debugger_value *arguments,
                                    uint32_t room)
{
    debugger_decoded decoded = {0};
    debugger_value outer[3] = {{0}};
    uint32_t parts = debugger_list_values(bytes, length, VARIANT_GODOT4, outer, 3, &decoded.consumed);

    if (parts < 2 || parts > 3 || outer[0].type != VARIANT_STRING || outer[parts - 1].type != VARIANT_ARRAY ||
        (parts == 3 && outer[1].type != VARIANT_INT)) {
        return decoded;
    }
    decoded.valid = true;
    decoded.has_thread = parts == 3;
    decoded.name = outer[0];
    decoded.thread = outer[1];
    decoded.list = outer[parts - 1];
    decoded.argument_count = debugger_list_values(bytes + decoded.list.offset, decoded.list.length,
                                                  VARIANT_GODOT4, arguments, room, NULL);
    for (uint32_t i = 0; i < decoded.argument_count && i < room; i++) {
        arguments[i].offset += decoded.list.offset;
    }
    return decoded;
}

debugger_decoded debugger_decode_v3(const uint8_t *bytes, uint32_t length, debugger_value *arguments,
                                    uint32_t room)
{
    debugger_decoded decoded = {0};
    uint32_t count = debugger_list_values(bytes, length, VARIANT_GODOT3, arguments, room, &decoded.consumed);

    if (count < 1 || room < 1 || arguments[0].type != VARIANT_STRING) {
        return decoded;
    }
    decoded.valid = true;
    decoded.name = arguments[0];
    decoded.argument_count = count - 1;
    uint32_t listed = count < room ? count : room;
    memmove(arguments, arguments + 1, (listed - 1) * sizeof *arguments);
    return decoded;
}

/* --- Godot 3, game to editor --------------------------------------------------------------------- */

/* "message:" and the game's own name for it. */
static bool is_custom_name(const char *text, uint32_t length)
{
    static const char prefix[] = "message:";
    return length >= strlen(prefix) && memcmp(text, prefix, strlen(prefix)) == 0;
}

static void begin_message(debugger_sequence *sequence, const uint8_t *bytes, const variant_event *value)
{
    debugger_part *part = &sequence->last;

    memset(part, 0, sizeof *part);
    if (value->kind != VARIANT_VALUE || value->type != VARIANT_STRING ||
        value->text.text_length > DEBUGGER_MAX_NAME) {
        return;
    }
    const char *text = (const char *)bytes + value->text.text_offset;
    part->message = debugger_find_message(3, DEBUGGER_FROM_GAME, text, value->text.text_length);
    if (part->message || is_custom_name(text, value->text.text_length)) {
        part->kind = DEBUGGER_PART_NAME;
        memcpy(part->name, text, value->text.text_length);
    }
}

const debugger_part *debugger_next_part(debugger_sequence *sequence, const uint8_t *bytes, uint32_t length)
{
    debugger_part *part = &sequence->last;
    variant_decoder decoder;
    variant_event value = {.kind = VARIANT_FINDING};

    variant_init(&decoder, bytes, length, (variant_options){.dialect = VARIANT_GODOT3});
    (void)variant_next(&decoder, &value);
    bool number = value.kind == VARIANT_VALUE && value.type == VARIANT_INT;
    uint32_t next = part->kind == DEBUGGER_PART_VALUE ? part->index + 1 : 0;

    if (part->kind == DEBUGGER_PART_NAME && !number) {
        memset(part, 0, sizeof *part);
    } else if (part->kind == DEBUGGER_PART_NAME) {
        part->kind = DEBUGGER_PART_COUNT;
        part->count = value.value.i < 0            ? 0
                      : value.value.i > UINT32_MAX ? UINT32_MAX
                                                   : (uint32_t)value.value.i;
        debugger_arguments_begin(&sequence->walk, part->message);
    } else if (part->kind != DEBUGGER_PART_UNKNOWN && next < part->count) {
        part->kind = DEBUGGER_PART_VALUE;
        part->index = next;
        debugger_next_argument(&sequence->walk, part->label, sizeof part->label);
        if (number) {
            debugger_argument_value(&sequence->walk, value.value.i);
        }
    } else {
        begin_message(sequence, bytes, &value);
    }
    return part;
}
