/* lexer.h
 *
 * Tokens of GDScript and C#, the same kind for both, as far as finding declarations needs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef LEXER_H
#define LEXER_H

#include "base/array.h"
#include "project/scripts/rpc_types.h"

typedef enum { TOKEN_END, TOKEN_WORD, TOKEN_STRING, TOKEN_MARK, TOKEN_NEWLINE } token_kind;

typedef struct {
    token_kind kind;
    slice text; /* STRING: without quotes, escapes as they are written */
    char mark;
    uint32_t column; /* of the line's first token: its indentation */
} token;

typedef struct {
    const char *next, *end;
    rpc_language language;
    uint32_t brackets; /* GDScript: inside of them newlines do not count */
    uint32_t column;
    bool line_start;
    const char *counted; /* where `line` is; the text's beginning at first */
    uint32_t line;       /* from 0 */
} lexer;

/* Line of a place in the text, from 1 on. Not before the one that was asked for last. */
uint32_t rpc_line_of(lexer *lex, const char *place);

/* END from the end on. */
token rpc_next_token(lexer *lex);

/* "A.B.C" beginning at `*t`; leaves `*t` at the token after. */
slice rpc_read_dotted(lexer *lex, token *t);

/* At what comes after a function's name: its parameters, if that is '('. Leaves `*t` at the token after their
 * ')'. The mode of the result is not known. */
rpc_signature rpc_read_parameters(lexer *lex, token *t);

static inline bool is_mark(const token *t, char mark)
{
    return t->kind == TOKEN_MARK && t->mark == mark;
}

static inline bool is_name(const token *t, const char *word)
{
    return t->kind == TOKEN_WORD && slice_equals(t->text, word);
}

#endif
