/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "codec/compressed_file.h"

#include <string.h>

#include "base/bytes.h"
#include "codec/decompress.h"

enum { TABLE = 16 }; /* magic, mode, block size, unpacked size; then one u32 per block */

bool compressed_file_read(const char *magic, const uint8_t *bytes, size_t length, bool complete,
                          compressed_file *file)
{
    if (length < TABLE || memcmp(bytes, magic, 4) != 0) {
        return false;
    }
    *file = (compressed_file){
        .mode = le32(bytes + 4), .block_size = le32(bytes + 8), .unpacked_size = le32(bytes + 12)};
    if (file->block_size == 0 || file->block_size > COMPRESSED_FILE_MAX_BLOCK ||
        file->unpacked_size > COMPRESSED_FILE_MAX_UNPACKED) {
        return false;
    }
    uint32_t blocks = file->unpacked_size / file->block_size + 1;
    if (blocks > (COMPRESSED_FILE_MAX_UNPACKED - TABLE) / 4) {
        return false;
    }
    file->blocks_offset = TABLE + 4 * blocks;
    return !complete || file->blocks_offset <= length;
}

/* The output has to fill `out` exactly. */
static bool unpack(decompress_function decompress, const uint8_t *in, uint32_t in_length, uint8_t *out,
                   uint32_t out_length)
{
    size_t written;
    return decompress(in, in_length, out, out_length, &written) == DECOMPRESSED && written == out_length;
}

/* The engine zero-extends blocks shorter than 16 bytes before it uses FastLZ. */
static bool unpack_fastlz(const uint8_t *in, uint32_t in_length, uint8_t *out, uint32_t out_length)
{
    uint8_t small[16];
    size_t written;
    if (out_length >= sizeof small) {
        return unpack(fastlz_decompress, in, in_length, out, out_length);
    }
    if (fastlz_decompress(in, in_length, small, sizeof small, &written) != DECOMPRESSED ||
        written < out_length) {
        return false;
    }
    memcpy(out, small, out_length);
    return true;
}

static bool unpack_block(uint32_t mode, const uint8_t *in, uint32_t in_length, uint8_t *out,
                         uint32_t out_length)
{
    static const decompress_function functions[COMPRESSED_FILE_MODE_COUNT] = {
        [COMPRESSED_FILE_DEFLATE] = zlib_decompress,
        [COMPRESSED_FILE_GZIP] = gzip_decompress,
        [COMPRESSED_FILE_ZSTD] = zstd_decompress,
    };
    if (out_length == 0) {
        return true; /* the engine's data for an empty last block is ignored */
    }
    if (mode == COMPRESSED_FILE_FASTLZ) {
        return unpack_fastlz(in, in_length, out, out_length);
    }
    return mode < COMPRESSED_FILE_MODE_COUNT && functions[mode] &&
           unpack(functions[mode], in, in_length, out, out_length);
}

bool compressed_file_unpack(const compressed_file *file, const uint8_t *bytes, size_t length, uint8_t *out)
{
    size_t in = file->blocks_offset;
    uint32_t left = file->unpacked_size;
    if (file->blocks_offset > length) {
        return false;
    }
    for (uint32_t block = 0; block <= file->unpacked_size / file->block_size; block++) {
        uint32_t packed = le32(bytes + TABLE + 4 * (size_t)block);
        uint32_t unpacked = left < file->block_size ? left : file->block_size;
        if (packed > length - in || !unpack_block(file->mode, bytes + in, packed, out, unpacked)) {
            return false;
        }
        in += packed;
        out += unpacked;
        left -= unpacked;
    }
    return true;
}
