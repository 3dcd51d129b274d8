/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/wire/packet.h"

#include <string.h>

#include "base/utf8.h"
#include "variant/variant.h"

#define FACTS(problem, name, text, severity)                                                                 \
    [MULTIPLAYER_PROBLEM_##problem] = {name, text, PROBLEM_##severity, 0}

const problem_facts multiplayer_problems[MULTIPLAYER_PROBLEM_COUNT] = {
    FACTS(TOO_SHORT, "too_short", "Shorter than the command's fixed part", WARNING),
    FACTS(UNKNOWN_COMMAND, "unknown_command", "Command not known to any released engine", UNDECODED),
    FACTS(UNUSED_BITS, "unused_bits", "Flag bits that this command does not use are set", WARNING),
    FACTS(ID_SIZE, "id_size", "Node ID size 3 does not exist", ERROR),
    FACTS(NOT_MINIMAL, "not_minimal", "An ID is wider than it needs to be", NOTE),
    FACTS(ID_ZERO, "id_zero", "ID 0 is never assigned, IDs start at 1", WARNING),
    FACTS(PATH_OFFSET, "path_offset",
          "The node path's offset is outside of the packet or inside of its header", ERROR),
    FACTS(UNTERMINATED, "unterminated", "Text without terminating NUL", WARNING),
    FACTS(EMPTY_TEXT, "empty_text", "Empty path or name", WARNING),
    FACTS(NODE_NAME, "node_name", "Not a valid node name", WARNING),
    FACTS(METHOD_NAME, "method_name", "Not a valid identifier", WARNING),
    FACTS(CHECKSUM_TEXT, "checksum_text", "The checksum is not 32 lower-case hexadecimal digits and a NUL",
          WARNING),
    FACTS(EMPTY_CALL, "empty_call", "A call without arguments is written without a count, with bit 7 set",
          WARNING),
    FACTS(SIZE_FIELD, "size_field", "A size or count points beyond the end of the packet", ERROR),
    FACTS(EMPTY_ENTRY, "empty_entry", "An entry without values is never sent", WARNING),
    FACTS(SUBCOMMAND, "subcommand", "System sub-command not known to any released engine", UNDECODED),
    FACTS(PEER_ID, "peer_id", "Not a client's peer ID (2 to 2147483647)", WARNING),
    FACTS(RELAYED_SYSTEM, "relayed_system", "A system message cannot be relayed", WARNING),
    FACTS(VALUE, "value", "A value cannot be decoded", ERROR),
    FACTS(VALUE_COUNT, "value_count", "Number of values differs from what is announced", WARNING),
    FACTS(TRAILING, "trailing", "Bytes left after the end", WARNING),
};

const char *multiplayer_verdict_text(multiplayer_verdict verdict)
{
    static const char *const texts[] = {
        [MULTIPLAYER_IGNORED] = "the engine does not look at it",
        [MULTIPLAYER_TOLERATED] = "the engine tolerates it, but never writes it",
        [MULTIPLAYER_PARTLY] = "the engine executes what comes before it and drops the rest",
        [MULTIPLAYER_NULLED] = "the engine makes the call with null for this and all further arguments",
        [MULTIPLAYER_DROPPED] = "the engine drops the packet",
    };
    return texts[verdict];
}

void multiplayer_report(multiplayer_findings *findings, multiplayer_problem problem,
                        multiplayer_verdict verdict, uint32_t offset, uint32_t length)
{
    if (verdict == MULTIPLAYER_DROPPED) {
        findings->dropped = true;
    }
    if (findings->count < MULTIPLAYER_MAX_FINDINGS) {
        findings->list[findings->count++] =
            (finding){(uint8_t)problem, (uint8_t)verdict, false, offset, length};
    }
}

multiplayer_text multiplayer_read_text(const uint8_t *bytes, uint32_t offset, uint32_t end)
{
    multiplayer_text text = {offset, 0, false};
    const uint8_t *nul = end > offset ? memchr(bytes + offset, 0, end - offset) : NULL;
    text.terminated = nul != NULL;
    text.length = nul ? (uint32_t)(nul - (bytes + offset)) : end > offset ? end - offset : 0;
    return text;
}

multiplayer_text multiplayer_last_text(const uint8_t *bytes, uint32_t offset, uint32_t length,
                                       multiplayer_findings *findings)
{
    multiplayer_text text = multiplayer_read_text(bytes, offset, length);
    uint32_t end = offset + text.length;
    if (!text.terminated) {
        multiplayer_report(findings, MULTIPLAYER_PROBLEM_UNTERMINATED, MULTIPLAYER_TOLERATED, end, 0);
    } else if (end + 1 < length) {
        multiplayer_report(findings, MULTIPLAYER_PROBLEM_TRAILING, MULTIPLAYER_IGNORED, end + 1,
                           length - end - 1);
    }
    return text;
}

uint32_t multiplayer_plausible_value(const uint8_t *bytes, uint32_t length, int dialect, bool *readable)
{
    variant_options options = {
        .dialect = (variant_dialect)dialect, .compact = dialect == VARIANT_GODOT4, .objects_allowed = true};
    variant_decoder decoder;
    variant_event event;
    variant_init(&decoder, bytes, length, options);
    while (variant_next(&decoder, &event)) {
        if (event.kind == VARIANT_FINDING) {
            bool odd = event.problem == VARIANT_PROBLEM_RESERVED_BITS ||
                       event.problem == VARIANT_PROBLEM_BAD_BOOL ||
                       event.problem == VARIANT_PROBLEM_COMPACT_MODE;
            /* Godot 3.0 sends every int with 64 bits. */
            odd |= event.problem == VARIANT_PROBLEM_NOT_MINIMAL && options.dialect == VARIANT_GODOT4;
            /* The engine's own encoding of a null Object is reported as an error, but packets contain it. */
            bool quirk = event.problem == VARIANT_PROBLEM_COMPACT_NULL_OBJECT;
            if (event.fatal || odd || (event.verdict > VARIANT_TOLERATED && !quirk)) {
                return 0;
            }
        } else if (event.kind == VARIANT_BEGIN) {
            *readable = true;
        } else if (event.type == VARIANT_STRING || event.type == VARIANT_STRING_NAME) {
            if (event.text.text_length >= 3) {
                *readable |= utf8_is_printable(bytes + event.text.text_offset, event.text.text_length);
            }
        }
    }
    return decoder.position;
}

int multiplayer_plausible_values(const uint8_t *bytes, uint32_t length, int dialect, bool *readable)
{
    int count = 0;
    for (uint32_t used; length > 0; count++, bytes += used, length -= used) {
        used = multiplayer_plausible_value(bytes, length, dialect, readable);
        if (used == 0) {
            return -1;
        }
    }
    return count;
}
