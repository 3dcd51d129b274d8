/* lexer.c
 *
 * Tokens of GDScript and C#, as far as finding declarations needs: words, strings, single marks and, in
 * GDScript, the ends of statements. See lexer.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/scripts/lexer.h"

#include <string.h>

#include "base/utf8.h"
#include "project/scripts/argument_types.h"

static bool is_word(char c)
{
    return is_identifier_byte((uint8_t)c, IDENTIFIER_UNICODE);
}

static bool looking_at(const lexer *lex, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(lex->end - lex->next) >= length && memcmp(lex->next, text, length) == 0;
}

static void skip_line(lexer *lex)
{
    const char *newline = memchr(lex->next, '\n', (size_t)(lex->end - lex->next));
    lex->next = newline ? newline : lex->end;
}

/* Skips past `close`, or to the end. */
static slice skip_past(lexer *lex, const char *close, bool escapes, bool one_line)
{
    slice content = {lex->next, 0};
    while (lex->next < lex->end) {
        content.length = (uint32_t)(lex->next - content.text);
        if (looking_at(lex, close)) {
            lex->next += strlen(close);
            return content;
        }
        if (one_line && *lex->next == '\n') {
            return content;
        }
        lex->next += escapes && *lex->next == '\\' && lex->end - lex->next > 1 ? 2 : 1;
    }
    content.length = (uint32_t)(lex->end - content.text);
    return content;
}

/* At a quote: GDScript's "…", '…', triple quotes; C#'s "…", """…""", '…'. `verbatim`: r"…" or @"…". */
static token read_string(lexer *lex, bool verbatim)
{
    char quote = *lex->next;
    char triple[4] = {quote, quote, quote, 0}, single[2] = {quote, 0};
    token result = {.kind = TOKEN_STRING};
    if (looking_at(lex, triple) && (lex->language == RPC_GDSCRIPT || quote == '"')) {
        lex->next += 3;
        result.text = skip_past(lex, triple, lex->language == RPC_GDSCRIPT, false);
    } else {
        lex->next++;
        /* GDScript: a backslash escapes the quote of a raw string, too. C#: a verbatim string ends at a
         * quote; a doubled quote then begins a new string, with the same result. */
        bool csharp_verbatim = verbatim && lex->language == RPC_CSHARP;
        result.text = skip_past(lex, single, !csharp_verbatim, lex->language == RPC_CSHARP && !verbatim);
    }
    return result;
}

/* Spaces, comments, continued lines. Returns true at a newline that ends a statement. */
static bool skip_blank(lexer *lex)
{
    while (lex->next < lex->end) {
        char c = *lex->next;
        if (c == '\n') {
            lex->next++;
            if (lex->language == RPC_GDSCRIPT && lex->brackets == 0 && !lex->line_start) {
                return lex->line_start = true;
            }
            lex->line_start = true;
            lex->column = 0;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            if (lex->line_start) {
                lex->column += c == '\t' ? 4 : 1;
            }
            lex->next++;
        } else if (lex->language == RPC_GDSCRIPT && c == '#') {
            skip_line(lex);
        } else if (lex->language == RPC_GDSCRIPT && c == '\\') { /* the line goes on in the next one */
            skip_line(lex);
            lex->next += lex->next < lex->end;
        } else if (lex->language == RPC_CSHARP && (looking_at(lex, "//") || (c == '#' && lex->line_start))) {
            skip_line(lex);
        } else if (lex->language == RPC_CSHARP && looking_at(lex, "/*")) {
            lex->next += 2;
            skip_past(lex, "*/", false, false);
        } else {
            break;
        }
    }
    return false;
}

/* At a letter, digit or underscore: a word, or one of GDScript's r"…". */
static token read_word(lexer *lex)
{
    token result = {.kind = TOKEN_WORD, .text = {lex->next, 0}};
    while (lex->next < lex->end && is_word(*lex->next)) {
        lex->next++;
    }
    result.text.length = (uint32_t)(lex->next - result.text.text);
    if (lex->language == RPC_GDSCRIPT && slice_equals(result.text, "r") && lex->next < lex->end &&
        (*lex->next == '"' || *lex->next == '\'')) {
        result = read_string(lex, true);
    }
    return result;
}

static token read_mark(lexer *lex)
{
    char c = *lex->next++;
    if ((c == '(' || c == '[' || c == '{') && lex->brackets < UINT32_MAX) {
        lex->brackets++;
    } else if ((c == ')' || c == ']' || c == '}') && lex->brackets > 0) {
        lex->brackets--;
    }
    return (token){.kind = TOKEN_MARK, .mark = c};
}

uint32_t rpc_line_of(lexer *lex, const char *place)
{
    for (; lex->counted < place; lex->counted++) {
        lex->line += *lex->counted == '\n';
    }
    return lex->line + 1;
}

token rpc_next_token(lexer *lex)
{
    token result = {.kind = TOKEN_NEWLINE};
    if (lex->line_start) {
        lex->column = 0;
    }
    if (skip_blank(lex)) {
        lex->column = 0;
        return result;
    }
    lex->line_start = false;
    if (lex->next >= lex->end) {
        result.kind = TOKEN_END;
        return result;
    }
    char c = *lex->next;
    if (c == '"' || c == '\'') {
        result = read_string(lex, false);
    } else if (is_word(c)) {
        result = read_word(lex);
    } else if (lex->language == RPC_CSHARP &&
               (looking_at(lex, "@\"") || looking_at(lex, "$@\"") || looking_at(lex, "@$\""))) {
        lex->next = memchr(lex->next, '"', 3);
        result = read_string(lex, true);
    } else if (c == ';' && lex->language == RPC_GDSCRIPT && lex->brackets == 0) {
        lex->next++; /* ends a statement; the next one has the indentation of its line */
    } else {
        result = read_mark(lex);
    }
    result.column = lex->column;
    return result;
}

slice rpc_read_dotted(lexer *lex, token *t)
{
    slice name = {t->text.text, 0};
    while (t->kind == TOKEN_WORD) {
        name.length = (uint32_t)(t->text.text + t->text.length - name.text);
        *t = rpc_next_token(lex);
        if (!is_mark(t, '.')) {
            break;
        }
        *t = rpc_next_token(lex);
    }
    return name;
}

/* State while the parameters of a function are read. */
typedef struct {
    uint32_t count, optional;
    bool begun, has_default, many; /* begun, has_default: the parameter at hand */
    bool typed;                    /* likewise, a colon follows its name */
    uint32_t position;             /* of the token in it, from 0 */
    uint8_t types[RPC_TYPED_ARGUMENTS];
} parameters;

/* GDScript's `name: type`. More words are no type whose values are known: Class.Enum. */
static void read_type(parameters *read, const token *t)
{
    uint8_t *type = read->count - 1 < RPC_TYPED_ARGUMENTS ? &read->types[read->count - 1] : NULL;
    read->position++;
    if (read->position == 1) {
        read->typed = is_mark(t, ':');
    } else if (type && read->typed && read->position == 2 && t->kind == TOKEN_WORD) {
        *type = rpc_argument_type(t->text);
    } else if (type && read->position == 3 && !is_mark(t, '=')) {
        *type = is_mark(t, '[') ? rpc_typed_argument(*type) : 0;
    }
}

/* One token that is not inside of further brackets. */
static void read_parameter(parameters *read, const token *t, rpc_language language)
{
    if (language == RPC_GDSCRIPT && read->begun && !read->many && !read->has_default && !is_mark(t, ',')) {
        read_type(read, t);
    }
    if (is_mark(t, ',')) {
        read->begun = false;
    } else if (!read->begun) {
        bool rest = is_mark(t, '.') || is_name(t, "params"); /* GDScript: ...rest, C#: params int[] rest */
        read->begun = true;
        read->has_default = false;
        read->position = 0;
        read->many |= rest;
        read->count += !rest;
    } else if (is_mark(t, '=') && !read->has_default) {
        read->has_default = true;
        read->optional++;
    }
}

rpc_signature rpc_read_parameters(lexer *lex, token *t)
{
    parameters read = {.count = 0};
    uint32_t inside = lex->brackets, generic = 0;
    if (!is_mark(t, '(')) {
        return (rpc_signature){.counted = false};
    }
    for (*t = rpc_next_token(lex); t->kind != TOKEN_END && lex->brackets >= inside;
         *t = rpc_next_token(lex)) {
        /* Dictionary<int, string> is one type. GDScript has such marks in default values only. */
        if (lex->language == RPC_CSHARP && !read.has_default) {
            generic += is_mark(t, '<');
            generic -= is_mark(t, '>') && generic > 0;
        }
        bool opens = is_mark(t, '(') || is_mark(t, '[') || is_mark(t, '{');
        bool direct = generic == 0 && lex->brackets == inside + opens;
        if (direct) {
            read_parameter(&read, t, lex->language);
        }
    }
    if (t->kind == TOKEN_END || read.count >= RPC_MANY_ARGUMENTS) {
        return (rpc_signature){.counted = false};
    }
    *t = rpc_next_token(lex);
    rpc_signature found = {.counted = true,
                           .least = (uint8_t)(read.count > read.optional ? read.count - read.optional : 0),
                           .most = read.many ? RPC_MANY_ARGUMENTS : (uint8_t)read.count};
    memcpy(found.types, read.types, sizeof found.types);
    return found;
}
