/* crc32.h
 *
 * The common CRC-32 (polynomial 0xedb88320, reflected), of zlib where there is one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CRC32_H
#define CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of what `checksum` is one of, followed by `length` bytes; that of nothing is 0. */
uint32_t crc32_append(uint32_t checksum, const uint8_t *bytes, size_t length);

/* What the shift register becomes by a whole byte, when its lowest byte is `byte` and the others are 0. */
uint32_t crc32_step(uint8_t byte);

#endif
