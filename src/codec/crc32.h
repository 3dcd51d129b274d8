/* crc32.h
 *
 * The common CRC-32 (polynomial 0xedb88320, reflected); zlib's function if the build has zlib.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CRC32_H
#define CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Continues a checksum with `length` more bytes; start with 0. */
uint32_t crc32_append(uint32_t checksum, const uint8_t *bytes, size_t length);

/* The shift register after eight steps, if its lowest byte was `byte` and the others were 0. */
uint32_t crc32_step(uint8_t byte);

#endif
