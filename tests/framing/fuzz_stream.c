/* fuzz_stream.c
 *
 * Reads any bytes as a stream of length-prefixed packets, in both byte orders and cut at any place, as the
 * dissector does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "framing/stream.h"

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* Every piece except an unfinished one is within the bytes and not empty; a value is one where the piece says
 * so. */
static void walk(const uint8_t *bytes, size_t length, stream_order order)
{
    size_t offset = 0;
    while (offset < length) {
        stream_piece piece = stream_next(bytes + offset, length - offset, order);
        require(piece.length > 0);
        if (piece.kind == STREAM_INCOMPLETE) {
            require(piece.length > length - offset && piece.length <= STREAM_MAX_PACKET + 4);
            return;
        }
        require(piece.length <= length - offset);
        if (piece.kind != STREAM_STRAY) {
            require(piece.length >= 4 && piece.length == piece.prefix + 4);
        }
        offset += piece.length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    size_t cut = 1 + data[0] * (size - 2) / 255;
    data++;
    size--;
    for (stream_order order = STREAM_LITTLE_ENDIAN; order <= STREAM_BIG_ENDIAN; order++) {
        walk(data, size, order);
        walk(data, cut, order);
    }
    require(stream_guess_order(data, size) <= STREAM_UNKNOWN_ORDER);
    return 0;
}
