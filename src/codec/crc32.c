/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "codec/crc32.h"

#ifdef HAVE_ZLIB
#include <zlib.h>

uint32_t crc32_append(uint32_t checksum, const uint8_t *bytes, size_t length)
{
    return (uint32_t)crc32(checksum, bytes, (uInt)length);
}

uint32_t crc32_step(uint8_t byte)
{
    return (uint32_t)get_crc_table()[byte];
}
#else
uint32_t crc32_step(uint8_t byte)
{
    uint32_t state = byte;

    for (int bit = 0; bit < 8; bit++) {
        state = state & 1 ? state >> 1 ^ 0xedb88320u : state >> 1;
    }
    return state;
}

uint32_t crc32_append(uint32_t checksum, const uint8_t *bytes, size_t length)
{
    uint32_t state = ~checksum;

    for (size_t i = 0; i < length; i++) {
        state = crc32_step((uint8_t)(state ^ bytes[i])) ^ state >> 8;
    }
    return ~state;
}
#endif
