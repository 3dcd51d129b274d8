/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scripts/gdscript_tokens.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/utf8.h"
#include "codec/decompress.h"
#include "variant/variant.h"

enum { HEADER = 12, MAX_INDENT = 1024, MAX_LINE = 1 << 20 };
enum { VERSION_4_3 = 100, VERSION_4_5 = 101 }; /* 4.3 and 4.4; 4.5 to 4.7 */
/* Bytes of the counts: of identifiers, constants, lines, in version 100 four unused bytes, tokens. */
enum { COUNTS_4_3 = 20, COUNTS_4_5 = 16 };
enum { TOKEN_ANNOTATION = 1, TOKEN_IDENTIFIER = 2, TOKEN_LITERAL = 3, TOKEN_REST = 83, TOKEN_LONG = 0x80 };

/* Texts of tokens, by type in version 101 (gdscript_tokenizer.h). Version 100 lacks "...". */
static const char *const texts[] = {
    /* nothing, and those that carry their text */
    "", NULL, NULL, NULL,
    /* operators */
    "<", "<=", ">", ">=", "==", "!=", "and", "or", "not", "&&", "||", "!", "&", "|", "~", "^", "<<", ">>",
    "+", "-", "*", "**", "/", "%", "=", "+=", "-=", "*=", "**=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=",
    /* control flow */
    "if", "elif", "else", "for", "while", "break", "continue", "pass", "return", "match", "when",
    /* keywords */
    "as", "assert", "await", "breakpoint", "class", "class_name", "const", "enum", "extends", "func", "in",
    "is", "namespace", "preload", "self", "signal", "static", "super", "trait", "var", "void", "yield",
    /* punctuation */
    "[", "]", "{", "}", "(", ")", ",", ";", ".", "..", "...", ":", "$", "->", "_",
    /* newline, indent, dedent: never written */
    "", "", "",
    /* named constants, and tokens that end or break a script */
    "PI", "TAU", "INF", "NAN", "", "`", "?", "", ""};

/* Position of a text; the length of an identifier is in characters, that of a constant in bytes. */
typedef struct {
    uint32_t offset, length;
    enum { NO_TEXT, STRING, STRING_NAME } kind; /* of a constant */
} piece;

typedef struct {
    const uint8_t *bytes;
    size_t length, at;
    uint32_t version;
    uint32_t identifiers, constants, lines, tokens;
    piece *identifier, *constant;
    const uint8_t *line_table, *column_table;
} script;

static bool skip(script *s, size_t length)
{
    if (length > s->length - s->at) {
        return false;
    }
    s->at += length;
    return true;
}

/* --- tables -------------------------------------------------------------------------------------- */

static bool index_identifiers(script *s)
{
    for (uint32_t i = 0; i < s->identifiers; i++) {
        if (!skip(s, 4)) {
            return false;
        }
        uint32_t length = le32(s->bytes + s->at - 4);
        s->identifier[i] = (piece){(uint32_t)s->at, length, NO_TEXT};
        if (!skip(s, 4 * (size_t)length)) {
            return false;
        }
    }
    return true;
}

/* Only texts are needed: paths, names of methods. Each is read once, even if several tokens refer to it. */
static piece constant_text(const script *s)
{
    variant_decoder decoder;
    variant_event event;
    const uint8_t *bytes = s->bytes + s->at;
    variant_type type = variant_type_of_id(VARIANT_GODOT4, le32(bytes) & 0xff);
    if (type != VARIANT_STRING && type != VARIANT_STRING_NAME) {
        return (piece){0, 0, NO_TEXT};
    }
    variant_init(&decoder, bytes, s->length - s->at, (variant_options){.dialect = VARIANT_GODOT4});
    if (!variant_next(&decoder, &event) || event.kind != VARIANT_VALUE) {
        return (piece){0, 0, NO_TEXT};
    }
    return (piece){(uint32_t)s->at + event.text.text_offset, event.text.text_length,
                   type == VARIANT_STRING ? STRING : STRING_NAME};
}

static bool index_constants(script *s)
{
    const variant_options options = {.dialect = VARIANT_GODOT4};
    for (uint32_t i = 0; i < s->constants; i++) {
        uint32_t taken = variant_skip(s->bytes + s->at, s->length - s->at, options, NULL);
        if (taken == 0) {
            return false;
        }
        s->constant[i] = constant_text(s);
        s->at += taken;
    }
    return true;
}

/* Every count is checked against the minimum size of its elements before memory is allocated. */
static bool read_tables(script *s)
{
    const size_t counts = s->version == VERSION_4_3 ? COUNTS_4_3 : COUNTS_4_5;
    if (s->length < counts) {
        return false;
    }
    s->identifiers = le32(s->bytes);
    s->constants = le32(s->bytes + 4);
    s->lines = le32(s->bytes + 8);
    s->tokens = le32(s->bytes + counts - 4);
    s->at = counts;
    size_t most = s->length / 4;
    if (s->identifiers > most || s->constants > most || s->lines > most / 4 || s->tokens > s->length / 5) {
        return false;
    }
    s->identifier = malloc((s->identifiers + (size_t)s->constants + 1) * sizeof *s->identifier);
    if (!s->identifier) {
        return false;
    }
    s->constant = s->identifier + s->identifiers;
    if (!index_identifiers(s) || !index_constants(s)) {
        return false;
    }
    s->line_table = s->bytes + s->at;
    s->column_table = s->line_table + 8 * (size_t)s->lines;
    return skip(s, 16 * (size_t)s->lines);
}

/* --- text ---------------------------------------------------------------------------------------- */

/* Without characters that cannot be in an identifier: a newline in a name would begin another statement. */
static void write_identifier(const script *s, uint32_t index, output *out)
{
    if (index >= s->identifiers) {
        out->failed = true;
        return;
    }
    const uint8_t *at = s->bytes + s->identifier[index].offset;
    for (uint32_t left = s->identifier[index].length; left > 0 && !out->failed; left--, at += 4) {
        uint32_t character = le32(at) ^ 0xb6b6b6b6u;
        output_character(out, character <= ' ' ? '?' : character);
    }
}

static void write_constant(const script *s, uint32_t index, output *out)
{
    if (index >= s->constants) {
        out->failed = true;
        return;
    }
    const piece *constant = &s->constant[index];
    if (constant->kind == NO_TEXT) {
        output_text(out, "0");
        return;
    }
    output_text(out, constant->kind == STRING_NAME ? "&" : "");
    size_t begin = out->length;
    output_quoted(out, (const char *)s->bytes + constant->offset, constant->length);
    for (size_t i = begin; i < out->length; i++) { /* lines are those of the table */
        out->text[i] = out->text[i] == '\n' ? ' ' : out->text[i];
    }
}

static bool is_word_character(char c)
{
    return is_identifier_byte((uint8_t)c, IDENTIFIER_UNICODE);
}

static void write_token(const script *s, uint32_t type, uint32_t index, output *out)
{
    if (s->version == VERSION_4_3 && type >= TOKEN_REST) {
        type++;
    }
    if (type >= sizeof texts / sizeof *texts) {
        out->failed = true;
        return;
    }
    const char *text = texts[type];
    bool word = !text || is_word_character(*text);
    if (word && out->length > 0 && is_word_character(out->text[out->length - 1])) {
        output_spaces(out, 1);
    }
    if (text) {
        output_text(out, text);
    } else if (type == TOKEN_LITERAL) {
        write_constant(s, index, out);
    } else {
        write_identifier(s, index, out);
    }
}

/* `line` is where the next token is in the source, `*current` where the text ends; both from 1 on. */
static void begin_line(uint32_t line, uint32_t *current, output *out)
{
    out->failed |= line > MAX_LINE;
    for (bool needed = out->length > 0; (needed || *current < line) && !out->failed; needed = false) {
        output_text(out, "\n");
        ++*current;
    }
}

/* A line begins where the table of lines has an entry; a line continued by a backslash has none. */
static bool write_tokens(script *s, output *out)
{
    uint32_t line = 0, current = 1;
    for (uint32_t i = 0; i < s->tokens && !out->failed; i++) {
        size_t size = s->at < s->length && s->bytes[s->at] & TOKEN_LONG ? 8 : 5;
        const uint8_t *token = s->bytes + s->at;
        if (!skip(s, size)) {
            return false;
        }
        if (line < s->lines && le32(s->line_table + 8 * (size_t)line) == i) {
            uint32_t column = le32(s->column_table + 8 * (size_t)line + 4);
            begin_line(le32(s->line_table + 8 * (size_t)line + 4), &current, out);
            output_spaces(out, column < 1 ? 0 : column > MAX_INDENT ? MAX_INDENT : column - 1);
            line++;
        }
        uint32_t word = size == 8 ? le32(token) : *token;
        write_token(s, word & 0x7f, size == 8 ? word >> 8 : UINT32_MAX, out);
    }
    output_text(out, "\n");
    return !out->failed;
}

static bool write_script(script *s, output *out)
{
    bool read = read_tables(s) && write_tokens(s, out);
    free(s->identifier);
    return read;
}

bool gdscript_tokens_text(const uint8_t *bytes, size_t length, output *out)
{
    out->limit = GDSCRIPT_TOKENS_MAX;
    if (length < HEADER || memcmp(bytes, "GDSC", 4) != 0) {
        return false;
    }
    script s = {.bytes = bytes + HEADER, .length = length - HEADER, .version = le32(bytes + 4)};
    uint32_t unpacked = le32(bytes + 8);
    if ((s.version != VERSION_4_3 && s.version != VERSION_4_5) || s.length > GDSCRIPT_TOKENS_MAX ||
        unpacked > GDSCRIPT_TOKENS_MAX) {
        return false;
    }
    if (unpacked == 0) {
        return write_script(&s, out);
    }
    uint8_t *content = malloc(unpacked);
    size_t written = 0;
    bool read = content && zstd_decompress(s.bytes, s.length, content, unpacked, &written) == DECOMPRESSED &&
                written == unpacked;
    s.bytes = content;
    s.length = unpacked;
    read = read && write_script(&s, out);
    free(content);
    return read;
}
