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

bool json_sizes_of(const uint8_t *text, uint32_t length, json_sizes *sizes)
{
    *sizes = (json_sizes){0, 0, 0};
    if (length > MAX_LENGTH) {
        return false;
    }
    char *copy = g_strndup((const char *)text, length);
    int count = json_parse(copy, NULL, 0);
    bool whole = false;
    if (count > 0 && count <= MAX_TOKENS) {
        jsmntok_t *tokens = g_new(jsmntok_t, count);
        const reader from = {copy, tokens + count, sizes};
        whole = json_parse(copy, tokens, (unsigned)count) == count &&
                (tokens->type == JSMN_OBJECT || tokens->type == JSMN_ARRAY) &&
                add_value(&from, tokens, 0) == from.end;
        g_free(tokens);
    }
    g_free(copy);
    return whole;
}
