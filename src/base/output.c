/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/output.h"

#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

static bool make_room(output *out, size_t length)
{
    if (out->failed || length > out->limit - out->length) {
        out->failed = true;
        return false;
    }
    if (length <= out->room - out->length) {
        return true;
    }
    size_t room = 2 * out->room + length + 256;
    char *text = realloc(out->text, room);
    if (!text) {
        out->failed = true;
        return false;
    }
    out->text = text;
    out->room = room;
    return true;
}

void output_add(output *out, const char *text, size_t length)
{
    if (make_room(out, length) && length > 0) {
        memcpy(out->text + out->length, text, length);
        out->length += length;
    }
}

void output_text(output *out, const char *text)
{
    output_add(out, text, strlen(text));
}

void output_spaces(output *out, uint32_t count)
{
    if (make_room(out, count) && count > 0) {
        memset(out->text + out->length, ' ', count);
        out->length += count;
    }
}

void output_number(output *out, int64_t number)
{
    char digits[DIGITS_SIZE];
    size_t at = digits_of(number < 0 ? 0 - (uint64_t)number : (uint64_t)number, digits);
    output_add(out, "-", number < 0);
    output_add(out, digits + at, sizeof digits - at);
}

void output_quoted(output *out, const char *text, size_t length)
{
    output_add(out, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\') {
            output_add(out, "\\", 1);
        }
        output_add(out, text + i, 1);
    }
    output_add(out, "\"", 1);
}

void output_character(output *out, uint32_t c)
{
    char bytes[4];
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
        output_character(out, 0xfffd);
        return;
    }
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length - 1; i > 0; i--, c >>= 6) {
        bytes[i] = (char)(0x80 | (c & 0x3f));
    }
    bytes[0] = (char)(lead[length] | c);
    output_add(out, bytes, length);
}
