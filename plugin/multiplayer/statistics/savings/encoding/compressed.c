/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/compressed.h"

#include "codec/decompress.h"

enum { LEAST = 32, MOST_OUTPUT = 1 << 16 };
/* FastLZ has no header: what only looks like it gets no longer. */
#define GROWS 1.25

static bool is_fastlz(const uint8_t *bytes, uint32_t length)
{
    uint8_t out[MOST_OUTPUT];
    size_t count;
    return fastlz_decompress(bytes, length, out, sizeof out, &count) == DECOMPRESSED &&
           (double)count >= GROWS * length;
}

/* Godot's zlib streams have a window of 32 KiB. */
static bool is_compressed(const uint8_t *bytes, uint32_t length)
{
    enum { WINDOW = 0x78, CHECK = 31 };
    bool zlib = length >= LEAST && bytes[0] == WINDOW && (bytes[0] << 8 | bytes[1]) % CHECK == 0;
    bool gzip = length >= LEAST && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8;
    return length >= LEAST && (zlib || gzip || is_zstd(bytes, length) || is_fastlz(bytes, length));
}

uint32_t compressed_bytes_in(const godot_tap_variant *value)
{
    variant_decoder decoder;
    variant_event event;
    uint32_t found = 0;
    if (value->raw || value->length < LEAST) {
        return value->raw && is_compressed(value->bytes, value->length) ? value->length : 0;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    while (variant_next(&decoder, &event)) {
        bool bytes = event.kind == VARIANT_VALUE && event.type == VARIANT_PACKED_BYTE_ARRAY;
        found +=
            bytes && is_compressed(value->bytes + event.data_offset, event.data_length) ? event.length : 0;
    }
    return found;
}
