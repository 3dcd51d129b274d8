/* fuzz_store_file.c
 *
 * Files of store_var() and all functions that variant-cat uses for its input: recognition, iteration,
 * decompression, JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "framing/store_file.h"
#include "variant/json.h"

/* Brackets outside of strings have to match, and nothing but UTF-8 without control characters may come out.
 */
typedef struct {
    int depth;
    bool in_string, escaped;
} json_check;

static void check_json(void *context, const char *text, size_t length)
{
    json_check *check = context;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        assert(c >= 0x20);
        if (check->escaped) {
            check->escaped = false;
        } else if (check->in_string && c == '\\') {
            check->escaped = true;
        } else if (c == '"') {
            check->in_string = !check->in_string;
        } else if (!check->in_string && (c == '[' || c == '{')) {
            check->depth++;
        } else if (!check->in_string && (c == ']' || c == '}')) {
            assert(check->depth-- > 0);
        }
    }
}

static void print_value(const uint8_t *bytes, size_t length, variant_options options)
{
    json_check check = {0, false, false};
    variant_verdict error;
    uint32_t taken = variant_json(bytes, length, options, check_json, &check, &error);

    assert(check.depth == 0 && !check.in_string && !check.escaped);
    assert(taken == variant_skip(bytes, length, options, NULL));
}

static void walk(const store_file *file, const uint8_t *bytes, size_t length)
{
    size_t offset = 0;
    uint32_t record;
    while ((record = store_file_record(file, bytes, length, offset)) != 0) {
        assert(record > 4 && record <= length - offset);
        print_value(bytes + offset + 4, record - 4,
                    (variant_options){.dialect = file->dialect, .objects_allowed = true});
        offset += record;
    }
    assert(offset == length); /* an accepted file can be read to its end */
}

static void unpack(const store_file *file, const uint8_t *bytes, size_t length)
{
    if (file->content.unpacked_size > 1u << 20) {
        return;
    }
    uint8_t *out = malloc(file->content.unpacked_size + 1u);
    if (out && compressed_file_unpack(&file->content, bytes, length, out)) {
        store_file inner = store_file_judge(out, file->content.unpacked_size, true);
        if (inner.kind == STORE_FILE_PLAIN) {
            walk(&inner, out, file->content.unpacked_size);
        }
    }
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    store_file file = store_file_judge(data, size, true);
    (void)store_file_judge(data, size, false);
    if (file.kind == STORE_FILE_PLAIN) {
        walk(&file, data, size);
    } else if (file.kind == STORE_FILE_COMPRESSED) {
        unpack(&file, data, size);
    }
    if (size > 0) {
        variant_options options = {.dialect = (variant_dialect)(data[0] % VARIANT_DIALECT_COUNT),
                                   .compact = data[0] & 0x40,
                                   .objects_allowed = data[0] & 0x80};
        print_value(data + 1, size - 1, options);
    }
    return 0;
}
