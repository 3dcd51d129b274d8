/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "framing/stream.h"

#include "base/bytes.h"

#define PREFIX 4u

/* A PacketPeerStream's buffers hold this much unless a game enlarges them: wait for that much without
 * further evidence, not for more. */
#define DEFAULT_BUFFER 65532u

/* How far the next packet is searched, and how many bytes of candidates are read on the way. */
#define MAX_SEARCH 65536u
#define MAX_READ   (1u << 20)

/* Number of packets after a doubtful one that are checked. */
#define MAX_FOLLOWING 8

static const variant_dialect dialects[] = {VARIANT_GODOT4, VARIANT_GODOT3, VARIANT_GODOT2};
#define DIALECTS (sizeof dialects / sizeof dialects[0])

static uint32_t word(const uint8_t *bytes, stream_order order)
{
    return order == STREAM_BIG_ENDIAN ? be32(bytes) : le32(bytes);
}

static variant_options reading(size_t dialect)
{
    return (variant_options){.dialect = dialects[dialect], .objects_allowed = true};
}

/* The first byte of the four of a header is a type, the second and the last are always zero. */
static bool is_header(const uint8_t *bytes, size_t length)
{
    return (length < 1 || bytes[0] < variant_type_count(VARIANT_GODOT4)) && (length < 2 || bytes[1] == 0) &&
           (length < 4 || bytes[3] == 0);
}

/* `bytes` are one Variant of exactly this length. */
static bool is_value(const uint8_t *bytes, uint32_t length)
{
    if (length < 4 || length % 4 != 0 || !is_header(bytes, length)) {
        return false;
    }
    for (size_t i = 0; i < DIALECTS; i++) {
        if (variant_skip(bytes, length, reading(i), NULL) == length) {
            return true;
        }
    }
    return false;
}

/* Reading stopped because the bytes end, in a value that can have `whole` bytes. */
static bool ran_out(const uint8_t *bytes, uint32_t length, uint32_t whole, const variant_event *e)
{
    switch (e->problem) {
    case VARIANT_PROBLEM_TRUNCATED:
        return true;
    case VARIANT_PROBLEM_STRING_OVERRUN:
    case VARIANT_PROBLEM_BAD_COUNT: /* the problem is in the word with the length */
        return e->offset + 4 > length || word(bytes + e->offset, STREAM_LITTLE_ENDIAN) <= whole;
    default:
        return false;
    }
}

static bool may_begin_value_in(const uint8_t *bytes, uint32_t length, uint32_t whole, size_t dialect)
{
    variant_decoder decoder;
    variant_event event;

    variant_init(&decoder, bytes, length, reading(dialect));
    while (variant_next(&decoder, &event)) {
        if (event.kind == VARIANT_FINDING && event.fatal) {
            return ran_out(bytes, length, whole, &event);
        }
    }
    /* A complete value is shorter than the packet, unless only padding is missing, which the engine
     * accepts. */
    return decoder.position == length && whole - length < 4;
}

/* `bytes`: the first `length` bytes of a possible Variant of `whole` bytes. */
static bool may_begin_value(const uint8_t *bytes, uint32_t length, uint32_t whole)
{
    if (whole < 4 || whole % 4 != 0 || !is_header(bytes, length)) {
        return false;
    }
    if (length < 4) {
        return true;
    }
    for (size_t i = 0; i < DIALECTS; i++) {
        if (may_begin_value_in(bytes, length, whole, i)) {
            return true;
        }
    }
    return false;
}

/* The bytes after a doubtful packet look like packets, too. */
static bool is_followed(const uint8_t *bytes, uint32_t length, stream_order order)
{
    for (int i = 0; i < MAX_FOLLOWING && length > 0; i++) {
        if (length < PREFIX) {
            return true;
        }
        uint32_t n = word(bytes, order);
        if (n > STREAM_MAX_PACKET) {
            return false;
        }
        if (n > length - PREFIX) {
            return may_begin_value(bytes + PREFIX, length - PREFIX, n);
        }
        if (is_value(bytes + PREFIX, n)) {
            return true;
        }
        bytes += PREFIX + n;
        length -= PREFIX + n;
    }
    return true;
}

/* Whether the first `length` of `left` bytes are a value with sufficient evidence, or a value with packets
 * after it. */
static bool is_packet_among_others(const uint8_t *bytes, uint32_t length, uint32_t left, stream_order order)
{
    return is_value(bytes, length) && (is_followed(bytes + length, left - length, order) ||
                                       variant_detect(bytes, length, VARIANT_DIALECT_COUNT).strong);
}

/* Offset of the next packet with a Variant, from `from` on; `length` if there is none. */
static uint32_t find_packet(const uint8_t *bytes, uint32_t length, uint32_t from, stream_order order)
{
    uint32_t read = 0;
    uint32_t last = length < MAX_SEARCH ? length : MAX_SEARCH;
    for (uint32_t at = from; at + PREFIX + 4 <= last && read < MAX_READ; at++) {
        const uint8_t *content = bytes + at + PREFIX;
        uint32_t left = length - at - PREFIX;
        uint32_t n = word(bytes + at, order);
        if (n < 4 || n % 4 != 0 || n > STREAM_MAX_PACKET || !is_header(content, left)) {
            continue;
        }
        read += n < left ? n : left;
        if (n <= left ? is_packet_among_others(content, n, left, order)
                      : n <= DEFAULT_BUFFER && may_begin_value(content, left, n)) {
            return at;
        }
    }
    return length;
}

/* Offset in the last bytes of a possible length of an incomplete packet; `length` if there is none. */
static uint32_t find_prefix(const uint8_t *bytes, uint32_t length, stream_order order)
{
    for (uint32_t at = length > PREFIX + 3 ? length - PREFIX - 3 : 1; at + PREFIX <= length; at++) {
        uint32_t n = word(bytes + at, order);
        if (n >= 4 && n % 4 == 0 && n <= DEFAULT_BUFFER &&
            is_header(bytes + at + PREFIX, length - at - PREFIX)) {
            return at;
        }
    }
    return length;
}

static stream_piece piece_of(stream_kind kind, uint32_t length, uint32_t prefix, stream_evidence evidence)
{
    return (stream_piece){.kind = kind, .length = length, .prefix = prefix, .evidence = evidence};
}

stream_piece stream_next(const uint8_t *bytes, size_t size, stream_order order)
{
    uint32_t length = size < VARIANT_MAX_LENGTH ? (uint32_t)size : VARIANT_MAX_LENGTH;
    if (length < PREFIX) {
        return piece_of(STREAM_INCOMPLETE, PREFIX, 0, STREAM_NO_EVIDENCE);
    }

    const uint8_t *content = bytes + PREFIX;
    uint32_t left = length - PREFIX;
    uint32_t n = word(bytes, order);
    if (n <= left) {
        if (is_value(content, n)) {
            return piece_of(STREAM_VALUE, PREFIX + n, n, STREAM_CONTENT_EXACT);
        }
        if (is_followed(content + n, left - n, order)) {
            bool broken = n >= 4 && n % 4 == 0 && is_header(content, n);
            return piece_of(broken ? STREAM_VALUE : STREAM_DATA, PREFIX + n, n, STREAM_NO_EVIDENCE);
        }
    } else if (n <= STREAM_MAX_PACKET && may_begin_value(content, left, n)) {
        return piece_of(STREAM_INCOMPLETE, PREFIX + n, n,
                        left < 4 ? STREAM_LENGTH_FITS : STREAM_CONTENT_FITS);
    }
    uint32_t next = find_packet(bytes, length, 1, order);
    if (next == length && n > left && n <= DEFAULT_BUFFER) {
        return piece_of(STREAM_INCOMPLETE, PREFIX + n, n, STREAM_NO_EVIDENCE);
    }
    if (next == length) {
        next = find_prefix(bytes, length, order);
    }
    return piece_of(STREAM_STRAY, next, n, STREAM_NO_EVIDENCE);
}

stream_order stream_guess_order(const uint8_t *bytes, size_t length)
{
    stream_evidence little = stream_next(bytes, length, STREAM_LITTLE_ENDIAN).evidence;
    stream_evidence big = stream_next(bytes, length, STREAM_BIG_ENDIAN).evidence;

    return little == big ? STREAM_UNKNOWN_ORDER : little > big ? STREAM_LITTLE_ENDIAN : STREAM_BIG_ENDIAN;
}
