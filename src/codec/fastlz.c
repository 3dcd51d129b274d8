/* fastlz.c
 *
 * FastLZ levels 1 and 2. Malformed input has the same result as with the reference decoder: literals after
 * the end are an error, a single byte left over at the end of a level 1 stream is ignored.
 *
 *     control byte c      c < 32: c + 1 literal bytes follow
 *                         else a match: length (c >> 5) + 2, distance (c & 31) << 8 | next byte, plus 1;
 *                         if c >> 5 is 7, what is added to the length is before the next byte
 *
 * The first control byte has the level in its upper three bits and is always literal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "codec/decompress.h"

#include <string.h>

#include "base/bytes.h"

#define FAR_DISTANCE 8192u

typedef struct {
    const uint8_t *in, *end;
    uint8_t *out;
    size_t written, capacity;
    bool level2;
} lz_stream;

static size_t left(const lz_stream *stream)
{
    return (size_t)(stream->end - stream->in);
}

static decompress_result copy_literals(lz_stream *stream, size_t count)
{
    if (count > stream->capacity - stream->written) {
        return DECOMPRESS_TOO_LONG;
    }
    if (count > left(stream)) {
        return DECOMPRESS_TRUNCATED;
    }
    memcpy(stream->out + stream->written, stream->in, count);
    stream->in += count;
    stream->written += count;
    return DECOMPRESSED;
}

/* Bytes that extend a match of the longest length in the control byte: one; at level 2, any number of bytes
 * 255 and one more. False if they reach the end: one byte has to be left for the distance. */
static bool read_extension(lz_stream *stream, size_t *count)
{
    uint8_t more;

    do {
        if (left(stream) < 2) {
            return false;
        }
        more = *stream->in++;
        *count += more;
    } while (stream->level2 && more == 255);
    return true;
}

/* Distance of a match. At level 2, after the longest short one, 8192, two more bytes are added to it. False
 * if they reach the end; as in the engine, one byte has to be left after them. */
static bool read_distance(lz_stream *stream, uint8_t control, size_t *distance)
{
    if (left(stream) == 0) {
        return false;
    }
    *distance = ((size_t)(control & 31) << 8 | *stream->in++) + 1;
    if (stream->level2 && *distance == FAR_DISTANCE) {
        if (left(stream) < 3) {
            return false;
        }
        *distance += be16(stream->in);
        stream->in += 2;
    }
    return true;
}

static decompress_result copy_match(lz_stream *stream, uint8_t control)
{
    size_t count = (size_t)(control >> 5) + 2, distance;
    uint8_t *to = stream->out + stream->written;
    const uint8_t *from;

    if (control >> 5 == 7 && !read_extension(stream, &count)) {
        return DECOMPRESS_TRUNCATED;
    }
    if (!read_distance(stream, control, &distance)) {
        return DECOMPRESS_TRUNCATED;
    }
    if (distance > stream->written) {
        return DECOMPRESS_CORRUPT;
    }
    if (count > stream->capacity - stream->written) {
        return DECOMPRESS_TOO_LONG;
    }
    from = to - distance;
    for (size_t i = 0; i < count; i++) { /* may overlap: byte by byte */
        to[i] = from[i];
    }
    stream->written += count;
    return DECOMPRESSED;
}

decompress_result fastlz_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                    size_t *out_length)
{
    lz_stream stream = {.in = in, .end = in + length, .out = out, .capacity = capacity};
    decompress_result result;
    uint8_t control;

    *out_length = 0;
    if (length == 0 || in[0] >> 5 > 1) {
        return DECOMPRESS_CORRUPT;
    }
    stream.level2 = in[0] >> 5 == 1;
    control = *stream.in++ & 31;
    for (;;) {
        result = control < 32 ? copy_literals(&stream, (size_t)control + 1) : copy_match(&stream, control);
        if (result != DECOMPRESSED) {
            return result;
        }
        if (left(&stream) < (stream.level2 ? 1 : 2)) {
            break;
        }
        control = *stream.in++;
    }
    *out_length = stream.written;
    return DECOMPRESSED;
}
