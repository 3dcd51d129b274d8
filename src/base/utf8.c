/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* A first byte up to `first`, and the range of its second byte. All further bytes are 80 to bf. */
typedef struct {
    uint8_t first, length, low, high;
} utf8_form;

static const utf8_form standard_forms[] = {
    {0x7f, 1, 0, 0},       {0xc1, 0, 0, 0},       {0xdf, 2, 0x80, 0xbf}, {0xe0, 3, 0xa0, 0xbf},
    {0xec, 3, 0x80, 0xbf}, {0xed, 3, 0x80, 0x9f}, {0xef, 3, 0x80, 0xbf}, {0xf0, 4, 0x90, 0xbf},
    {0xf3, 4, 0x80, 0xbf}, {0xf4, 4, 0x80, 0x8f}, {0xff, 0, 0, 0},
};

static const utf8_form godot3_forms[] = {
    {0x7f, 1, 0, 0},       {0xc1, 0, 0, 0},       {0xdf, 2, 0x80, 0xbf}, {0xef, 3, 0x80, 0xbf},
    {0xf7, 4, 0x80, 0xbf}, {0xfb, 5, 0x80, 0xbf}, {0xfd, 6, 0x80, 0xbf}, {0xff, 0, 0, 0},
};

/* Of the overlong forms of three bytes and more, Godot 3 refuses those that begin with zeros up to the first
 * bits of the third byte: e0 80 80 to e0 80 8f, f0 80 80 to f0 80 87, f8 80 80 to f8 80 83, fc 80 80 and fc
 * 80 81. */
static bool is_overlong_to_godot3(const uint8_t *p, uint32_t length)
{
    return length > 2 && (p[0] & 0xffu >> (length + 1)) == 0 && p[1] == 0x80 &&
           (p[2] & 0x7f) >> (7 - length) == 0;
}

uint32_t utf8_sequence(const uint8_t *p, size_t left, utf8_rules rules)
{
    if (left == 0) {
        return 0;
    }
    if (p[0] < 0x80) {
        return 1;
    }
    const utf8_form *form = rules == UTF8_GODOT3 ? godot3_forms : standard_forms;
    while (p[0] > form->first) {
        form++;
    }
    if (form->length == 0 || form->length > left || p[1] < form->low || p[1] > form->high) {
        return 0;
    }
    for (uint32_t i = 2; i < form->length; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return rules == UTF8_GODOT3 && is_overlong_to_godot3(p, form->length) ? 0 : form->length;
}

uint32_t utf8_control(const uint8_t *p, size_t left)
{
    if (left > 0 && (p[0] < 0x20 || p[0] == 0x7f)) {
        return 1;
    }
    return left > 1 && p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0 ? 2 : 0;
}

uint32_t utf8_deceptive(const uint8_t *p, size_t left, uint32_t *code)
{
    static const struct {
        uint16_t first, last;
    } ranges[] = {{0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    if (left > 1 && p[0] == 0xd8) {
        *code = 0x600u + (p[1] & 0x3fu);
    } else if (left > 2 && p[0] == 0xe2) {
        *code = 0x2000u + ((p[1] & 0x3fu) << 6) + (p[2] & 0x3fu);
    } else {
        return 0;
    }
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (*code >= ranges[i].first && *code <= ranges[i].last) {
            return *code < 0x800 ? 2 : 3;
        }
    }
    return 0;
}

bool utf8_is_printable(const uint8_t *p, size_t length)
{
    uint32_t sequence;
    for (size_t at = 0; at < length; at += sequence) {
        sequence = utf8_sequence(p + at, length - at, UTF8_STANDARD);
        if (sequence == 0 || utf8_control(p + at, length - at) > 0) {
            return false;
        }
    }
    return length > 0;
}

size_t utf8_cut(const char *text, size_t length, size_t limit)
{
    if (length <= limit) {
        return length;
    }
    while (limit > 0 && ((uint8_t)text[limit] & 0xc0) == 0x80) {
        limit--;
    }
    return limit;
}

char *utf8_one_line(char *text)
{
    for (char *p = text; *p;) {
        if (*p >= 0x20 && *p < 0x7f) { /* most are */
            p++;
            continue;
        }
        uint32_t control = utf8_control((const uint8_t *)p, p[1] ? 2 : 1);
        if (control == 0) {
            p++;
        }
        while (control-- > 0) {
            *p++ = ' ';
        }
    }
    return text;
}

/* Writes the escape for the character at `p`; returns the character's bytes, 0 if it needs none. */
static uint32_t escape_at(const uint8_t *p, size_t left, char escape[8])
{
    static const char letters[] = "btn?fr"; /* bytes 8 to 13 */
    uint32_t code = p[0], bytes = utf8_control(p, left);
    if (bytes == 2) {
        code = p[1];
    } else if (bytes == 0) {
        bytes = utf8_deceptive(p, left, &code);
    }
    if (code >= 8 && code <= 13 && code != 11) {
        (void)snprintf(escape, 8, "\\%c", letters[code - 8]);
    } else if (bytes > 0) {
        (void)snprintf(escape, 8, "\\u%04x", code & 0xffffu);
    }
    return bytes;
}

size_t utf8_escape(const char *text, size_t length, char *line, size_t size)
{
    size_t written = 0, end = 0; /* of the text that fits */
    for (size_t at = 0; at < length;) {
        char escape[8];
        const char *shown = escape;
        uint32_t bytes = escape_at((const uint8_t *)text + at, length - at, escape);
        size_t count = bytes > 0 ? strlen(escape) : 1;
        if (bytes == 0) {
            shown = text + at;
            bytes = 1;
        }
        if (written + count < size) {
            memcpy(line + written, shown, count);
            end = written + count;
        }
        written += count;
        at += bytes;
    }
    if (size > 0) {
        line[end] = '\0';
    }
    return written;
}

char *utf8_make_visible(char *text)
{
    for (char *p = text; *p;) {
        if (*p >= 0x20 && *p < 0x7f) { /* most are */
            p++;
            continue;
        }
        const uint8_t *at = (const uint8_t *)p;
        size_t left = !p[1] ? 1 : !p[2] ? 2 : !p[3] ? 3 : 4;
        uint32_t code, length = utf8_sequence(at, left, UTF8_STANDARD);
        bool hidden = length == 0 || utf8_control(at, left) > 0 || utf8_deceptive(at, left, &code) > 0;
        for (uint32_t i = 0; i < (length ? length : 1); i++, p++) {
            *p = hidden ? '?' : *p;
        }
    }
    return text;
}

bool is_identifier(const uint8_t *p, size_t length, identifier_rules rules)
{
    if (length == 0 || (p[0] >= '0' && p[0] <= '9')) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (!is_identifier_byte(p[i], rules)) {
            return false;
        }
    }
    return rules == IDENTIFIER_ASCII || utf8_is_printable(p, length);
}
