/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "framing/store_file.h"

#include <string.h>

#include "base/bytes.h"

#define MAX_RECORD 0x7fffffffu

/* The length word at `offset` if a record may have this length, else 0. Every Variant takes at least four
 * bytes and a multiple of four. */
static uint32_t value_length(const uint8_t *bytes, size_t length, size_t offset, bool big_endian)
{
    if (length - offset < 4) {
        return 0;
    }
    uint32_t value = big_endian ? be32(bytes + offset) : le32(bytes + offset);
    return value >= 4 && value % 4 == 0 && value <= MAX_RECORD - 4 ? value : 0;
}

/* Whether the value can be read to its end without a finding, as all values of engines can. */
static bool is_clean(const uint8_t *bytes, uint32_t length, variant_dialect dialect)
{
    variant_decoder decoder;
    variant_event event;
    const variant_options options = {.dialect = dialect, .objects_allowed = true};

    variant_init(&decoder, bytes, length, options);
    while (variant_next(&decoder, &event)) {
        if (event.kind != VARIANT_FINDING) {
            continue;
        }
        /* Up to 4.5 the engine does not clear the padding inside a NodePath. */
        if (event.problem != VARIANT_PROBLEM_PADDING_NOT_ZERO || event.type != VARIANT_NODE_PATH) {
            return false;
        }
    }
    return decoder.position == length;
}

/* Nil, false and 0 are zero bytes, with which many other files begin. */
static bool says_something(const uint8_t *value, uint32_t length)
{
    for (uint32_t i = 4; i < length; i++) {
        if (value[i] != 0) {
            return true;
        }
    }
    return false;
}

static bool judge_plain(store_file *file, const uint8_t *bytes, size_t length, bool complete)
{
    size_t offset = 0;
    bool convincing = false;

    file->records = 0;
    while (offset < length) {
        uint32_t value = value_length(bytes, length, offset, file->big_endian);
        if (value == 0) {
            return !complete && length - offset < 4 && convincing;
        }
        if (value > length - offset - 4) {
            return !complete && convincing;
        }
        if (!is_clean(bytes + offset + 4, value, file->dialect)) {
            return false;
        }
        convincing = convincing || says_something(bytes + offset + 4, value);
        file->records++;
        offset += 4 + (size_t)value;
    }
    return convincing;
}

store_file store_file_judge(const uint8_t *bytes, size_t length, bool complete)
{
    store_file file = {.kind = STORE_FILE_NONE};

    if (compressed_file_read("GCPF", bytes, length, complete, &file.content)) {
        file.kind = STORE_FILE_COMPRESSED;
        return file;
    }
    if (length >= 4 && memcmp(bytes, "GDEC", 4) == 0) {
        file.kind = STORE_FILE_ENCRYPTED;
        return file;
    }
    static const variant_dialect dialects[] = {VARIANT_GODOT4, VARIANT_GODOT3, VARIANT_GODOT2};
    for (size_t i = 0; i < 2 * sizeof dialects / sizeof *dialects; i++) {
        store_file plain = {.kind = STORE_FILE_PLAIN, .big_endian = i % 2, .dialect = dialects[i / 2]};
        if (judge_plain(&plain, bytes, length, complete)) {
            return plain;
        }
    }
    return (store_file){.kind = STORE_FILE_NONE};
}

uint32_t store_file_record(const store_file *file, const uint8_t *bytes, size_t length, size_t offset)
{
    if (offset >= length) {
        return 0;
    }
    uint32_t value = value_length(bytes, length, offset, file->big_endian);
    return value != 0 && value <= length - offset - 4 ? value + 4 : 0;
}

bool store_file_is_too_long(const store_file *file, size_t length)
{
    return file->content.unpacked_size > STORE_FILE_UNPACKED &&
           (file->content.unpacked_size - STORE_FILE_UNPACKED) / STORE_FILE_UNPACKED_PER_BYTE >= length;
}

const char *store_file_mode_name(uint32_t mode)
{
    static const char *const names[COMPRESSED_FILE_MODE_COUNT] = {"FastLZ", "DEFLATE", "Zstandard", "gzip",
                                                                  "Brotli"};
    return mode < COMPRESSED_FILE_MODE_COUNT ? names[mode] : "unknown";
}
