/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/wire/checksum.h"

#include "codec/crc32.h"

uint32_t enet_checksum(const enet_header *header, const uint8_t *datagram, uint32_t seed, const uint8_t *body,
                       size_t body_length)
{
    const uint8_t seed_bytes[4] = {(uint8_t)(seed >> 24), (uint8_t)(seed >> 16), (uint8_t)(seed >> 8),
                                   (uint8_t)seed};
    uint32_t checksum = crc32_append(0, datagram, header->checksum_offset);

    checksum = crc32_append(checksum, seed_bytes, sizeof seed_bytes);
    return crc32_append(checksum, body, body_length);
}

/* Runs the shift register backwards from the stored checksum over the body and four unknown bytes. A step
 * back needs the table entry with a given top byte; the top bytes of the 256 entries are all different. The
 * difference from the state before the seed is the seed. */
uint32_t enet_checksum_recover_seed(const enet_header *header, const uint8_t *datagram, const uint8_t *body,
                                    size_t body_length)
{
    uint32_t table[256];
    uint8_t index_of_top[256];
    uint32_t before = crc32_append(0, datagram, header->checksum_offset) ^ 0xffffffffu;
    uint32_t state = (uint32_t)header->checksum ^ 0xffffffffu;
    uint32_t seed;

    for (unsigned i = 0; i < 256; i++) {
        table[i] = crc32_step((uint8_t)i);
        index_of_top[table[i] >> 24] = (uint8_t)i;
    }
    for (size_t i = body_length + 4; i-- > 0;) {
        uint8_t index = index_of_top[state >> 24];
        uint8_t byte = i < 4 ? 0 : body[i - 4];

        state = (state ^ table[index]) << 8 | (uint8_t)(index ^ byte);
    }
    seed = state ^ before; /* the register takes the lowest byte first */
    return seed << 24 | (seed & 0xff00) << 8 | (seed >> 8 & 0xff00) | seed >> 24;
}
