/* variant_data.h
 *
 * Reads the tables of tests/data and values, for the tests of the Variant decoder.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARIANT_DATA_H
#define VARIANT_DATA_H

#include "variant/variant.h"

#include <stdio.h>

/* Bytes in a block of exactly their size, so that AddressSanitizer detects every read after them. */
typedef struct {
    uint8_t *bytes;
    size_t length;
} test_bytes;

test_bytes bytes_from_hex(const char *hex); /* up to the first character that is not a hex digit */
test_bytes bytes_copy(const uint8_t *bytes, size_t length);
void bytes_free(test_bytes *b);

/* A table in tests/data, compressed with gzip or not: line by line, without line breaks; lines that begin
 * with # are skipped. */
typedef struct {
    struct gzFile_s *file;
    char *line;
    size_t size;
    unsigned number;
} test_table;

test_table table_open(const char *name);
bool table_next(test_table *table);
void table_close(test_table *table);

/* Splits `line` at tabs, in place. Returns the number of fields, at most `most`. */
size_t split_tabs(char *line, char **fields, size_t most);

/* The string value of `key` in a line of JSON, to be freed; NULL if there is none. */
char *json_string(const char *line, const char *key);
long json_number(const char *line, const char *key); /* also false as 0, true as 1 */

variant_dialect dialect_by_name(const char *name); /* "godot4", "manual", "godot3", "godot2" */

#endif
