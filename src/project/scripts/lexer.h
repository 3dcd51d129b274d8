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

/* Line number of a place in the text, from 1; a place must not come before that of the previous call. */
uint32_t rpc_line_of(lexer *lex, const char *place);

/* The next token; TOKEN_END at the end and after it. */
token rpc_next_token(lexer *lex);

/* Reads "A.B.C" beginning at `*t`; `*t` becomes the token after it. */
slice rpc_read_dotted(lexer *lex, token *t);

/* Reads the parameters of a function if `*t`, the token after its name, is '('; `*t` becomes the token after
 * ')'. The mode of the result is RPC_MODE_UNKNOWN. */
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
