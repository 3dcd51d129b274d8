/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "debugger/recogniser.h"

#include "base/bytes.h"
#include "base/utf8.h"
#include "variant/variant.h"

enum { INT_ID = 2, STRING_ID = 4 }; /* the same in all generations */

/* The characters allowed in names of messages. */
static bool is_name(const uint8_t *text, uint32_t length)
{
    static const char others[] = {':', '.', '/', ' ', '-'};

    for (uint32_t i = 0; i < length; i++) {
        if (!is_identifier_byte(text[i], IDENTIFIER_ASCII) && !memchr(others, text[i], sizeof others)) {
            return false;
        }
    }
    return length > 0;
}

/* Length of the name if a String that can be one begins at `bytes`, else 0. */
static uint32_t name_at(const uint8_t *bytes, size_t length)
{
    if (length < 8 || le32(bytes) != STRING_ID) {
        return 0;
    }
    uint32_t text = le32(bytes + 4);
    return text <= DEBUGGER_MAX_NAME && text <= length - 8 && is_name(bytes + 8, text) ? text : 0;
}

/* Whether an integer begins at `offset`, or is cut off. */
static bool may_be_int(const uint8_t *bytes, size_t length, size_t offset)
{
    return length < offset + 4 || (le32(bytes + offset) & 0xff) == INT_ID;
}

debugger_evidence debugger_recognise_message(const uint8_t *bytes, size_t length)
{
    const debugger_evidence nothing = {0};
    debugger_evidence found = {0};

    if (length < 8) {
        return nothing;
    }
    uint32_t header = le32(bytes), count = le32(bytes + 4);
    if (header == (uint32_t)variant_id_of_type(VARIANT_GODOT4, VARIANT_ARRAY) && (count == 2 || count == 3)) {
        found.api = 4;
    } else if (header == (uint32_t)variant_id_of_type(VARIANT_GODOT3, VARIANT_ARRAY) && count >= 1 &&
               count <= 20) {
        found.api = 3;
    }
    found.array = found.api != 0;
    uint32_t string = found.array ? 8 : 0;
    found.name_offset = string + 8;
    found.name_length = name_at(bytes + string, length - string);
    if (found.name_length == 0) {
        return nothing;
    }
    uint32_t behind = found.name_offset + (found.name_length + 3) / 4 * 4;
    found.printed = found.api == 3 && count == 2 && may_be_int(bytes, length, behind);
    if (!found.array &&
        debugger_find_message(3, DEBUGGER_FROM_GAME, (const char *)bytes + 8, found.name_length)) {
        found.api = 3;
    }
    return found;
}

/* The length of a frame that can hold a Variant. */
static bool is_frame_length(uint32_t length)
{
    return length >= 4 && length % 4 == 0 && length <= DEBUGGER_MAX_FRAME;
}

debugger_evidence debugger_recognise_frame(const uint8_t *bytes, size_t length)
{
    if (length < 8 || !is_frame_length(le32(bytes))) {
        return (debugger_evidence){0};
    }
    debugger_evidence found = debugger_recognise_message(bytes + 4, length - 4);
    found.name_offset += 4;
    return found;
}

size_t debugger_find_frame(const uint8_t *bytes, size_t length, debugger_evidence *found)
{
    for (size_t offset = 0; offset + DEBUGGER_MIN_EVIDENCE <= length; offset++) {
        *found = debugger_recognise_frame(bytes + offset, length - offset);
        if (found->api != 0) {
            return offset;
        }
    }
    *found = (debugger_evidence){0};
    return length;
}

bool debugger_may_be_frame(const uint8_t *bytes, size_t length)
{
    if (!is_frame_length(le32(bytes))) {
        return false;
    }
    uint32_t header = length >= 8 ? le32(bytes + 4) : 0;
    return (header & 0xff) < variant_type_count(VARIANT_GODOT4) && (header & 0xfff0ff00) == 0;
}

debugger_editor debugger_find_editor(const debugger_evidence *evidence, const uint8_t *bytes)
{
    const char *name = (const char *)bytes + evidence->name_offset;
    const debugger_message *game =
        debugger_find_message(evidence->api, DEBUGGER_FROM_GAME, name, evidence->name_length);
    const debugger_message *editor =
        debugger_find_message(evidence->api, DEBUGGER_FROM_EDITOR, name, evidence->name_length);

    if (evidence->api == 3 && !evidence->array) { /* only the game sends names alone */
        return DEBUGGER_EDITOR_RECEIVES;
    }
    if (evidence->api == 3) { /* values of the game are Arrays, too: texts that it prints, errors */
        return editor && !evidence->printed ? DEBUGGER_EDITOR_SENDS : DEBUGGER_EDITOR_UNKNOWN;
    }
    if (!game || game != editor) { /* a name that neither end sends, or both */
        return DEBUGGER_EDITOR_UNKNOWN;
    }
    return game->direction == DEBUGGER_FROM_GAME ? DEBUGGER_EDITOR_RECEIVES : DEBUGGER_EDITOR_SENDS;
}

/* Byte order and the version, 11. */
static bool is_x11(const uint8_t *bytes, size_t length)
{
    return length >= 12 &&
           ((bytes[0] == 'B' && be16(bytes + 2) == 11) || (bytes[0] == 'l' && le16(bytes + 2) == 11));
}

static bool is_text(const uint8_t *bytes, size_t length)
{
    size_t looked_at = length < 16 ? length : 16;
    for (size_t i = 0; i < looked_at; i++) {
        bool printable = bytes[i] >= ' ' && bytes[i] < 0x7f;
        if (!printable && bytes[i] != '\r' && bytes[i] != '\n' && bytes[i] != '\t') {
            return false;
        }
    }
    return length >= 4;
}

/* The handshake of TLS: record type, version 3.x, length. */
static bool is_tls(const uint8_t *bytes, size_t length)
{
    return length >= 6 && bytes[0] == 22 && bytes[1] == 3 && bytes[2] <= 4 && be16(bytes + 3) <= 1 << 14;
}

debugger_other debugger_recognise_other(const uint8_t *bytes, size_t length)
{
    return is_x11(bytes, length)                             ? DEBUGGER_OTHER_X11
           : is_text(bytes, length) || is_tls(bytes, length) ? DEBUGGER_OTHER_TEXT
                                                             : DEBUGGER_OTHER_NONE;
}
