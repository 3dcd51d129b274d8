/* utf8.h
 *
 * UTF-8 text from the wire: whether it is correct, where it can be cut, whether it can be a name.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    /* RFC 3629, and String::append_utf8() of Godot 4: no overlong forms, surrogates or code points above
     * U+10FFFF */
    UTF8_STANDARD,
    /* also surrogates, the forms of UTF-8's first definition for numbers that are no characters, with up to
     * six bytes, and most overlong forms of three bytes and more (seen with 3.6) */
    UTF8_GODOT3,
} utf8_rules;

/* Bytes of the sequence at `p`, 0 if it is incorrect or cut off. `left`: bytes from `p` on. */
uint32_t utf8_sequence(const uint8_t *p, size_t left, utf8_rules rules);

/* Bytes of the control character at `p` (C0, DEL, C1), 0 if there is none. Such characters control
 * terminals. */
uint32_t utf8_control(const uint8_t *p, size_t left);

/* Bytes of the character at `p` if it can change how the rest of a line looks, else 0: line separators
 * (U+2028, U+2029) and Unicode's Bidi_Control (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
 * `*code` is set to its number. */
uint32_t utf8_deceptive(const uint8_t *p, size_t left, uint32_t *code);

/* Whether this is correct UTF-8 without control characters, at least one byte, as paths and names are. */
bool utf8_is_printable(const uint8_t *p, size_t length);

/* Length of the longest beginning of `text`, up to `limit` bytes, that does not end inside a character. */
size_t utf8_cut(const char *text, size_t length, size_t limit);

/* Makes a NUL-terminated text one line, in place: control characters become blanks. Returns `text`. */
char *utf8_one_line(char *text);

/* Writes `length` bytes of text as one line: deceptive and control characters become escapes of JSON and
 * GDScript (\u202e, \n, \u001b). Writes up to `size` bytes, including a NUL; `line` may be NULL if `size` is
 * 0. Returns the length of the whole line without the NUL. */
size_t utf8_escape(const char *text, size_t length, char *line, size_t size);

/* Replaces, in place, each byte of control characters, incorrect UTF-8 and deceptive characters of a
 * NUL-terminated text by "?". Returns `text`. */
char *utf8_make_visible(char *text);

typedef enum {
    IDENTIFIER_ASCII,   /* [A-Za-z_][A-Za-z0-9_]*: names of classes */
    IDENTIFIER_UNICODE, /* also letters beyond ASCII, which Godot 4 allows in scripts */
} identifier_rules;

bool is_identifier(const uint8_t *p, size_t length, identifier_rules rules);

/* A byte that may stand inside of an identifier. */
static inline bool is_identifier_byte(uint8_t c, identifier_rules rules)
{
    uint8_t lower = c | 0x20;
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           (c >= 0x80 && rules == IDENTIFIER_UNICODE);
}

#endif
