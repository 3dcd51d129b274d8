/* variant_data.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/variant_data.h"

#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <zlib.h>

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

test_bytes bytes_copy(const uint8_t *bytes, size_t length)
{
    test_bytes b = {malloc(length), length};
    if (length > 0) {
        memcpy(b.bytes, bytes, length);
    }
    return b;
}

test_bytes bytes_from_hex(const char *hex)
{
    size_t length = strspn(hex, "0123456789abcdef") / 2;
    test_bytes b = {malloc(length), length};
    for (size_t i = 0; i < length; i++) {
        b.bytes[i] = (uint8_t)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
    }
    return b;
}

void bytes_free(test_bytes *b)
{
    free(b->bytes);
    *b = (test_bytes){NULL, 0};
}

test_table table_open(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TEST_DATA_DIR, name);
    test_table table = {.file = gzopen(path, "r")};
    if (table.file == NULL) {
        fail_msg("cannot open %s", path);
    }
    return table;
}

/* Reads a line of any length; Windows does not have getline(). */
static bool read_line(test_table *table)
{
    size_t length = 0;
    do {
        if (table->size - length < 2) {
            table->size = table->size == 0 ? 4096 : 2 * table->size;
            table->line = realloc(table->line, table->size);
        }
        if (gzgets(table->file, table->line + length, (int)(table->size - length)) == NULL) {
            return length > 0;
        }
        length += strlen(table->line + length);
    } while (table->line[length - 1] != '\n');
    return true;
}

bool table_next(test_table *table)
{
    do {
        if (!read_line(table)) {
            return false;
        }
        table->number++;
    } while (table->line[0] == '#');
    table->line[strcspn(table->line, "\n")] = '\0';
    return true;
}

void table_close(test_table *table)
{
    free(table->line);
    gzclose(table->file);
}

size_t split_tabs(char *line, char **fields, size_t most)
{
    size_t count = 0;
    while (line != NULL && count < most) {
        fields[count++] = line;
        line = strchr(line, '\t');
        if (line != NULL) {
            *line++ = '\0';
        }
    }
    return count;
}

/* The tables are flat objects, and no value contains `"key":` with unescaped quotes. */
static const char *json_value(const char *line, const char *key)
{
    char name[64];
    snprintf(name, sizeof name, "\"%s\":", key);
    const char *at = strstr(line, name);
    return at != NULL ? at + strlen(name) : NULL;
}

char *json_string(const char *line, const char *key)
{
    const char *p = json_value(line, key);
    if (p == NULL || *p++ != '"') {
        return NULL;
    }
    char *text = malloc(strlen(p) + 1);
    char *out = text;
    for (; *p != '"'; p++) {
        if (*p != '\\') {
            *out++ = *p;
        } else if (*++p == 'u') { /* only control characters are written so */
            *out++ = (char)strtol((char[]){p[1], p[2], p[3], p[4], 0}, NULL, 16);
            p += 4;
        } else {
            *out++ = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p == 'r' ? '\r' : *p;
        }
    }
    *out = '\0';
    return text;
}

long json_number(const char *line, const char *key)
{
    const char *p = json_value(line, key);
    assert_non_null(p);
    return strncmp(p, "true", 4) == 0 ? 1 : strtol(p, NULL, 10);
}

variant_dialect dialect_by_name(const char *name)
{
    static const char *const names[] = {"godot4", "manual", "godot3", "godot2"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            return (variant_dialect)i;
        }
    }
    fail_msg("no dialect %s", name);
    return VARIANT_DIALECT_COUNT;
}
