/* blob.h
 *
 * Files in memory, as sources of packs. Include after cmocka.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BLOB_H
#define BLOB_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "project/pack/pack.h"

#define CAPTURES TEST_DATA_DIR "/../../test-captures/"

typedef struct {
    uint8_t *bytes; /* a NUL follows */
    size_t length;
} blob;

/* `bytes` is NULL if there is no such file; to be freed with free(). */
static inline blob try_load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return (blob){NULL, 0};
    }
    fseek(file, 0, SEEK_END);
    blob content = {NULL, (size_t)ftell(file)};
    content.bytes = malloc(content.length + 1);
    rewind(file);
    assert_int_equal(fread(content.bytes, 1, content.length, file), content.length);
    content.bytes[content.length] = 0;
    fclose(file);
    return content;
}

static inline blob load(const char *path)
{
    blob content = try_load(path);
    assert_non_null(content.bytes);
    return content;
}

static inline bool read_blob(void *context, uint64_t offset, void *bytes, size_t length)
{
    const blob *content = context;
    assert_true(offset <= content->length && length <= content->length - offset);
    memcpy(bytes, content->bytes + offset, length);
    return true;
}

static inline pack_source source_of(blob *content)
{
    return (pack_source){read_blob, content, content->length};
}

#endif
