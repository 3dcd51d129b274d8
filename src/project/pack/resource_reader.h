/* resource_reader.h
 *
 * Reads, skips or converts to text the parts of a resource in binary form: numbers, names and values. For
 * resource_binary.c and resource_scene.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RESOURCE_READER_H
#define RESOURCE_READER_H

#include "base/array.h"
#include "base/output.h"

#define RESOURCE_TEXT_MAX  (16u << 20) /* bytes of the text that is written */
#define RESOURCE_MAX_DEPTH 256u        /* levels of nodes in a scene */

/* Of the header. */
enum { FLAG_UIDS = 2, FLAG_DOUBLE = 4, FLAG_SCRIPT_CLASS = 8 };

/* Types of values, with numbers of their own (core/io/resource_format_binary.cpp). */
enum {
    TAG_NIL = 1,
    TAG_BOOL = 2,
    TAG_INT = 3,
    TAG_STRING = 5,
    TAG_NODE_PATH = 22,
    TAG_OBJECT = 24,
    TAG_DICTIONARY = 26,
    TAG_ARRAY = 30,
    TAG_BYTES = 31,
    TAG_INT32_ARRAY = 32,
    TAG_STRING_ARRAY = 34,
    TAG_STRING_NAME = 44,
    TAG_COUNT = 54
};
enum { OBJECT_NONE, OBJECT_EXTERNAL_PATH, OBJECT_INTERNAL, OBJECT_EXTERNAL };

typedef struct {
    slice type, path;
    uint64_t uid;
} resource_external;

typedef struct {
    slice id; /* "local://ID" without the first part */
    size_t offset;
} resource_internal;

typedef struct {
    const uint8_t *bytes;
    size_t length, at;
    bool failed; /* reading has failed: all further results are 0 or NULL */
    uint32_t flags;
    uint64_t uid;
    slice *strings;
    resource_external *externals;
    resource_internal *internals;
    uint32_t string_count, external_count, internal_count;
    output *out;
} resource_reader;

/* Returns the next `length` bytes; NULL if there are fewer: then `failed` is set, as in the functions
 * below. */
const uint8_t *resource_take(resource_reader *r, size_t length);
uint32_t resource_take_u32(resource_reader *r);
uint64_t resource_take_u64(resource_reader *r);
/* A number of elements of at least `size` bytes each. */
uint32_t resource_take_count(resource_reader *r, size_t size);
slice resource_take_string(resource_reader *r);
/* A name: an index in the table of strings or, if the highest bit is set, the text itself. */
slice resource_take_name(resource_reader *r);
/* Zeroed, of at least one element, from calloc(). */
void *resource_make_array(resource_reader *r, uint32_t count, size_t size);
/* Skips a value with its tag. */
void resource_skip_value(resource_reader *r);
/* Writes a string in quotes, with escapes. */
void resource_write_string(resource_reader *r, slice s);
/* Writes the attribute uid, if there is one. */
void resource_write_uid(resource_reader *r, uint64_t uid);
/* Writes the value at offset `at`, if its type is needed for replication or scripts. */
void resource_write_value(resource_reader *r, size_t at);
void resource_write_property(resource_reader *r, slice name, size_t at);

/* The text "uid://…" for a resource's number, at most 20 bytes with the NUL; empty for a negative number,
 * which means that there is no uid. */
#define RESOURCE_UID_SIZE 20
void resource_uid_text(uint64_t uid, char text[RESOURCE_UID_SIZE]);

/* Writes the nodes of a PackedScene whose property _bundled is at `bundled` (resource_scene.c). */
void resource_write_scene(resource_reader *r, size_t bundled);

#endif
