/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "codec/md5.h"

#include <string.h>

#include "base/bytes.h"

/* floor(2^32 * |sin(i + 1)|) */
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
static const uint8_t rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static void mix_block(uint32_t state[4], const uint8_t *block)
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t f, word;
        if (i < 16) {
            f = (b & c) | (~b & d);
            word = i;
        } else if (i < 32) {
            f = (d & b) | (~d & c);
            word = (5 * i + 1) % 16;
        } else if (i < 48) {
            f = b ^ c ^ d;
            word = (3 * i + 5) % 16;
        } else {
            f = c ^ (b | ~d);
            word = 7 * i % 16;
        }
        uint32_t sum = a + f + sines[i] + le32(block + 4 * word), turn = rotations[i / 16][i % 4];
        a = d;
        d = c;
        c = b;
        b += sum << turn | sum >> (32 - turn);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void md5_init(md5_context *context)
{
    *context = (md5_context){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
}

void md5_update(md5_context *context, const void *bytes, size_t length)
{
    const uint8_t *next = bytes;
    while (length > 0) {
        size_t used = context->length % 64, part = 64 - used < length ? 64 - used : length;
        memcpy(context->block + used, next, part);
        context->length += part;
        next += part;
        length -= part;
        if (used + part == 64) {
            mix_block(context->state, context->block);
        }
    }
}

void md5_finish(md5_context *context, char text[33])
{
    static const uint8_t padding[64] = {0x80};
    static const char digits[] = "0123456789abcdef";
    uint64_t bits = context->length * 8;
    uint8_t tail[8];
    for (uint32_t i = 0; i < 8; i++) {
        tail[i] = (uint8_t)(bits >> (8 * i));
    }
    md5_update(context, padding, 1 + (119 - context->length % 64) % 64);
    md5_update(context, tail, sizeof tail);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t byte = context->state[i / 4] >> (8 * (i % 4)) & 0xff;
        text[2 * i] = digits[byte >> 4];
        text[2 * i + 1] = digits[byte & 15];
    }
    text[32] = 0;
}
