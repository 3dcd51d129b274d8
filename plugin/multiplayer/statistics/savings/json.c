/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16, HEAD = 4, WORD = 4, LONGEST_NUMBER = 32 };

typedef struct {
    const uint8_t *at, *end;
    json_sizes *sizes;
} reader;

static bool read_value(reader *from, unsigned depth);

static void skip_blanks(reader *from)
{
    while (from->at < from->end && memchr(" \t\r\n", *from->at, 4)) {
        from->at++;
    }
}

/* Skips `byte` and blanks around it. */
static bool take(reader *from, char byte)
{
    skip_blanks(from);
    bool there = from->at < from->end && *from->at == (uint8_t)byte;
    from->at += there;
    skip_blanks(from);
    return there;
}

static void add(reader *from, uint32_t bytes)
{
    from->sizes->with_keys += bytes;
    from->sizes->values += bytes;
}

/* Returns its bytes as a String, 0 if it does not end. An escape counts as one byte. */
static uint32_t read_text(reader *from, uint32_t *hash)
{
    uint32_t length = 0;
    for (from->at++; from->at < from->end && *from->at != '"'; from->at++, length++) {
        if (*from->at == '\\' && ++from->at == from->end) {
            return 0;
        }
        *hash = *hash * 31 + *from->at;
    }
    bool ends = from->at < from->end;
    from->at += ends;
    return ends ? 2 * HEAD + (length + WORD - 1) / WORD * WORD : 0;
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

static bool read_number(reader *from)
{
    char text[LONGEST_NUMBER], *end;
    size_t length = 0;
    while (from->at < from->end && length < sizeof text - 1 && memchr("+-0123456789.eE", *from->at, 15)) {
        text[length++] = (char)*from->at++;
    }
    text[length] = '\0';
    double number = strtod(text, &end);
    bool whole = !strpbrk(text, ".eE");
    bool narrow = whole ? fabs(number) <= INT32_MAX : fits_float(number, text);
    add(from, HEAD + (narrow ? 4 : 8));
    return length && *end == '\0';
}

static bool read_word(reader *from)
{
    static const struct {
        const char *text;
        uint32_t bytes;
    } words[] = {{"true", HEAD + 4}, {"false", HEAD + 4}, {"null", HEAD}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].text);
        if ((size_t)(from->end - from->at) >= length && memcmp(from->at, words[i].text, length) == 0) {
            from->at += length;
            add(from, words[i].bytes);
            return true;
        }
    }
    return false;
}

static bool read_entries(reader *from, char closing, unsigned depth)
{
    from->at++;
    add(from, 2 * HEAD);
    if (take(from, closing)) {
        return true;
    }
    do {
        if (closing == '}') {
            uint32_t key = from->at < from->end && *from->at == '"' ? read_text(from, &from->sizes->keys) : 0;
            from->sizes->keys = from->sizes->keys * 31 + 1;
            from->sizes->with_keys += key;
            if (!key || !take(from, ':')) {
                return false;
            }
        }
        if (!read_value(from, depth + 1)) {
            return false;
        }
    } while (take(from, ','));
    return take(from, closing);
}

static bool read_value(reader *from, unsigned depth) /* NOLINT(misc-no-recursion): MAX_DEPTH */
{
    uint8_t first = from->at < from->end ? *from->at : 0;
    if (first == '{' || first == '[') {
        return depth < MAX_DEPTH && read_entries(from, first == '{' ? '}' : ']', depth);
    }
    if (first == '"') {
        uint32_t ignored = 0, bytes = read_text(from, &ignored);
        add(from, bytes);
        return bytes != 0;
    }
    return first == 't' || first == 'f' || first == 'n' ? read_word(from) : read_number(from);
}

bool json_sizes_of(const uint8_t *text, uint32_t length, json_sizes *sizes)
{
    reader from = {text, text + length, sizes};
    *sizes = (json_sizes){0, 0, 0};
    skip_blanks(&from);
    bool container = from.at < from.end && (*from.at == '{' || *from.at == '[');
    return container && read_value(&from, 0) && (skip_blanks(&from), from.at == from.end);
}
