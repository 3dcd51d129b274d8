/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/json-texts.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <wsutil/wsjson.h>

enum { MAX_DEPTH = 16, MAX_TOKENS = 4096, MAX_LENGTH = 65536, HEAD = 4, WORD = 4, LONGEST_NUMBER = 32 };

typedef struct {
    const char *text;
    const jsmntok_t *end;
    json_sizes *sizes;
} reader;

static void add(const reader *from, uint32_t bytes)
{
    from->sizes->with_keys += bytes;
    from->sizes->values += bytes;
}

/* Bytes as a String. An escape counts as one byte. */
static uint32_t text_size(const reader *from, const jsmntok_t *token)
{
    uint32_t length = 0;
    for (int at = token->start; at < token->end; at++, length++) {
        at += from->text[at] == '\\';
    }
    return 2 * HEAD + (length + WORD - 1) / WORD * WORD;
}

/* A number that is written with fewer digits than a double has may have been one of 32 bits. */
static bool fits_float(double number, const char *text)
{
    char shorter[LONGEST_NUMBER];
    const char *point = strchr(text, '.');
    int digits = point ? (int)strlen(point + 1) : 0;
    snprintf(shorter, sizeof shorter, "%.*f", digits, (double)(float)number);
    return !strpbrk(text, "eE") && strcmp(shorter, text) == 0;
}

/* A number, true, false or null. */
static bool add_primitive(const reader *from, const jsmntok_t *token)
{
    char text[LONGEST_NUMBER], *end;
    size_t length = MIN((size_t)(token->end - token->start), sizeof text - 1);
    memcpy(text, from->text + token->start, length);
    text[length] = '\0';
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0 || strcmp(text, "null") == 0) {
        add(from, *text == 'n' ? HEAD : HEAD + 4);
        return true;
    }
    double number = g_ascii_strtod(text, &end);
    bool narrow = strpbrk(text, ".eE") ? fits_float(number, text) : fabs(number) <= INT32_MAX;
    add(from, HEAD + (narrow ? 4 : 8));
    return length && *end == '\0';
}

static void add_key(const reader *from, const jsmntok_t *key)
{
    json_sizes *sizes = from->sizes;
    for (int at = key->start; at <= key->end; at++) { /* with the quotation mark after it */
        sizes->keys = sizes->keys * 31 + (uint8_t)from->text[at];
    }
    sizes->with_keys += text_size(from, key);
}

/* Returns the token after the value; NULL: it is none. */
static const jsmntok_t *add_value(const reader *from, const jsmntok_t *token,
                                  unsigned depth) /* NOLINT(misc-no-recursion): MAX_DEPTH */
{
    if (token >= from->end || depth >= MAX_DEPTH) {
        return NULL;
    }
    if (token->type == JSMN_STRING) {
        add(from, text_size(from, token));
        return token + 1;
    }
    if (token->type == JSMN_PRIMITIVE) {
        return add_primitive(from, token) ? token + 1 : NULL;
    }
    const jsmntok_t *next = token + 1;
    add(from, 2 * HEAD);
    for (int i = 0; next && i < token->size; i++) {
        if (token->type == JSMN_OBJECT) {
            if (next >= from->end || next->type != JSMN_STRING || next->size != 1) {
                return NULL;
            }
            add_key(from, next++);
        }
        next = add_value(from, next, depth + 1);
    }
    return next;
}

/* --- reading ------------------------------------------------------------------------------------- */

typedef struct {
    char *text;
    jsmntok_t *tokens;
    int count; /* 0: this is not one object or array, or it is too long */
} json_text;

static json_text read_text(const uint8_t *text, uint32_t length)
{
    json_text found = {NULL, NULL, 0};
    if (!length || length > MAX_LENGTH || (*text != '{' && *text != '[')) {
        return found;
    }
    found.text = g_strndup((const char *)text, length);
    int count = json_parse(found.text, NULL, 0);
    if (count > 0 && count <= MAX_TOKENS) {
        found.tokens = g_new(jsmntok_t, count);
        bool whole = json_parse(found.text, found.tokens, (unsigned)count) == count &&
                     (found.tokens->type == JSMN_OBJECT || found.tokens->type == JSMN_ARRAY);
        found.count = whole ? count : 0;
    }
    return found;
}

static void free_text(json_text *one)
{
    g_free(one->tokens);
    g_free(one->text);
}

bool json_sizes_of(const uint8_t *text, uint32_t length, json_sizes *sizes)
{
    json_text all = read_text(text, length);
    bool whole = false;
    *sizes = (json_sizes){0, 0, 0};
    if (all.count) {
        const reader from = {all.text, all.tokens + all.count, sizes};
        whole = add_value(&from, all.tokens, 0) == from.end;
    }
    free_text(&all);
    return whole;
}

/* --- differences --------------------------------------------------------------------------------- */

/* Two texts, and bytes of `now`: of values that have changed, and of JSON that has only these. */
typedef struct {
    json_text before, now;
    uint32_t differing, sent;
} comparison;

static uint32_t length_of(const jsmntok_t *token)
{
    return (uint32_t)(token->end - token->start);
}

static bool is_same(const comparison *all, int number)
{
    const jsmntok_t *old = &all->before.tokens[number], *now = &all->now.tokens[number];
    return old->type == now->type && length_of(old) == length_of(now) &&
           memcmp(all->before.text + old->start, all->now.text + now->start, length_of(now)) == 0;
}

/* `number`: of the value's token; `place`: bytes of its key. Returns the number of the token after it; 0: the
 * texts have other containers or keys there. */
static int compare_values(comparison *all, int number, uint32_t place,
                          unsigned depth) /* NOLINT(misc-no-recursion): MAX_DEPTH */
{
    enum { MARKS = 4 /* "":, */, BRACES = 2, QUOTES = 2, INDEX = 2 };
    if (number >= all->now.count || depth >= MAX_DEPTH) {
        return 0;
    }
    const jsmntok_t *old = &all->before.tokens[number], *now = &all->now.tokens[number];
    bool object = now->type == JSMN_OBJECT, text = now->type == JSMN_STRING;
    if (old->size != now->size) {
        return 0;
    }
    if (text || now->type == JSMN_PRIMITIVE) {
        if (!is_same(all, number)) {
            all->differing += length_of(now);
            all->sent += place + length_of(now) + (text ? QUOTES : 0);
        }
        return number + 1;
    }
    uint32_t sent = all->sent;
    int next = old->type == now->type ? number + 1 : 0;
    for (int i = 0; next && i < now->size; i++) {
        uint32_t key = MARKS + INDEX;
        if (object && (next >= all->now.count || !is_same(all, next))) {
            return 0;
        }
        if (object) {
            key = MARKS + length_of(&all->now.tokens[next++]);
        }
        next = compare_values(all, next, key, depth + 1);
    }
    all->sent += all->sent > sent ? place + BRACES : 0;
    return next;
}

uint32_t json_differences(const uint8_t *before, uint32_t old_length, const uint8_t *now, uint32_t length,
                          uint32_t *differing)
{
    comparison all = {read_text(before, old_length), read_text(now, length), 0, 0};
    bool same =
        all.now.count && all.before.count == all.now.count && compare_values(&all, 0, 0, 0) == all.now.count;
    free_text(&all.before);
    free_text(&all.now);
    *differing = same ? all.differing : *differing;
    return same ? all.sent : length;
}
