/* targets.h
 *
 * The node that an expression of a script refers to, for lines.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef AUTHORITY_TARGETS_H
#define AUTHORITY_TARGETS_H

#include "project/authority/store.h"
#include "project/scripts/lexer.h"

/* Tokens from a bracket to the other one, from a line to its function; more are not looked at. */
enum { AUTHORITY_MAX_DISTANCE = 4096 };

/* A script while it is being read. Its first token is a TOKEN_NEWLINE, and four follow the last one. */
typedef struct {
    authority_lines *all;
    uint32_t root;
    rpc_language language;
    const char *path;
    token *t;
    size_t count; /* of tokens, without the last four */
    lexer lines;  /* for rpc_line_of() */
} authority_script;

typedef struct {
    authority_target target;
    slice name, variable; /* see authority_line */
    slice made;           /* the variable that has the node a script has created; NO_SLICE: another target */
} authority_object;

/* Whether it is one of the words, which end with NULL. */
bool authority_is_one_of(slice text, const char *const *words);
bool authority_is_word(const token *t, const char *const *words);

/* Brackets, '<' and '>' among them. */
bool authority_opens(const token *t);
bool authority_closes(const token *t);

/* The bracket that belongs to the one at `i`, further on for '(', before it for ')'; 0 if there is none. */
size_t authority_match(const authority_script *s, size_t i);

/* The function around the token `i`: its name, and the token after its end. C#: the script. */
void authority_find_function(const authority_script *s, size_t i, size_t *begin, size_t *end);

/* Where the object begins whose member is at `i`, "a.b(c)[d]." in front of it; `i` if there is no dot. */
size_t authority_object_begin(const authority_script *s, size_t i);

/* Where the value begins that is assigned to the word at `i`; 0 if none is. */
size_t authority_assigned_value(const authority_script *s, size_t i);

/* Where the value begins that the local variable at `use` always has: it is declared with it, and nothing
 * else is assigned to it. 0: it may have another one. */
size_t authority_only_value(const authority_script *s, size_t use);

/* What the tokens from `begin` to before `end` refer to. `level`: 0. */
authority_object authority_find_object(const authority_script *s, size_t begin, size_t end, int level);

#endif
