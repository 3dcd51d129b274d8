/* fuzz_debugger.c
 *
 * The remote debugger's decoder with arbitrary bytes: recognition, beginnings and parts of messages, argument
 * names. All results have to be inside of the input, and the same bytes have to give the same result.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "debugger/decoder.h"

enum { ROOM = 40 };

static void check_evidence(const debugger_evidence *found, const uint8_t *bytes, size_t size)
{
    if (found->api == 0) {
        return;
    }
    assert(found->api == 3 || found->api == 4);
    assert(found->name_length > 0 && found->name_length <= DEBUGGER_MAX_NAME);
    assert(found->name_offset <= size && found->name_length <= size - found->name_offset);
    assert(memchr(bytes + found->name_offset, 0, found->name_length) == NULL);
    (void)debugger_find_editor(found, bytes);
}

static void check_value(const debugger_value *value, size_t size)
{
    assert(value->offset <= size && value->length <= size - value->offset);
}

static void check_decoded(const debugger_decoded *decoded, const debugger_value *arguments, size_t size)
{
    if (!decoded->valid) {
        return;
    }
    assert(decoded->name.type == VARIANT_STRING && decoded->consumed <= size);
    check_value(&decoded->name, size);
    check_value(&decoded->list, size);
    for (uint32_t i = 0; i < decoded->argument_count && i + 1 < ROOM; i++) {
        check_value(&arguments[i], size);
    }
}

/* The input as the frames of a Godot 3 game: no count may create more parts than the input contains. */
static void check_sequence(const uint8_t *data, size_t size)
{
    debugger_sequence sequence = {0};
    size_t offset = 0;

    while (size - offset >= 4) {
        uint32_t length = le32(data + offset) % 512;
        offset += 4;
        length = length < size - offset ? length : (uint32_t)(size - offset);
        const debugger_part *part = debugger_next_part(&sequence, data + offset, length);
        assert(part->kind != DEBUGGER_PART_VALUE || part->index < part->count);
        assert((part->kind == DEBUGGER_PART_UNKNOWN) == (part->name[0] == '\0'));
        assert(strlen(part->name) <= DEBUGGER_MAX_NAME && strlen(part->label) < sizeof part->label);
        offset += length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    debugger_value arguments[ROOM];
    debugger_evidence found = debugger_recognise_message(data, size);
    check_evidence(&found, data, size);
    size_t offset = debugger_find_frame(data, size, &found);
    assert(offset <= size && (found.api != 0 || offset == size));
    check_evidence(&found, data + offset, size - offset);
    if (found.api != 0) {
        assert(debugger_may_be_frame(data + offset, size - offset));
    }
    (void)debugger_recognise_other(data, size);
    debugger_decoded decoded = debugger_decode_v4(data, (uint32_t)size, arguments, ROOM);
    check_decoded(&decoded, arguments, size);
    decoded = debugger_decode_v3(data, (uint32_t)size, arguments, ROOM);
    check_decoded(&decoded, arguments, size);
    check_sequence(data, size);
    return 0;
}
