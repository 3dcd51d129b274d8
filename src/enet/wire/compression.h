/* compression.h
 *
 * Compressed bodies of ENet datagrams. A datagram does not say which algorithm was used. ENet has one, the
 * range coder; Godot adds FastLZ, zlib and Zstandard. Each datagram is compressed on its own.
 *
 * No function here allocates from the heap except inside zlib and libzstd, whose state is bounded; none uses
 * more than 70 KiB of stack.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_COMPRESSION_H
#define ENET_COMPRESSION_H

#include "codec/decompress.h"
#include "enet/wire/datagram.h"

/* The first five have the numbers of Godot's compression modes. */
typedef enum {
    ENET_COMPRESSION_NONE,
    ENET_COMPRESSION_RANGE_CODER,
    ENET_COMPRESSION_FASTLZ,
    ENET_COMPRESSION_ZLIB,
    ENET_COMPRESSION_ZSTD,
    ENET_COMPRESSION_UNKNOWN,
    ENET_COMPRESSION_COUNT
} enet_compression;

const char *enet_compression_name(enet_compression compression); /* "none", "range coder", "FastLZ", … */

/* A sentence: why a body cannot be read. */
const char *enet_decompress_text(decompress_result result);

/* Decompresses a body. `capacity`: most bytes that a receiver accepts, ENET_MAX_DATAGRAM - header length. On
 * any result but DECOMPRESSED *out_length is 0. */
decompress_result enet_decompress(enet_compression compression, const uint8_t *in, size_t length,
                                  uint8_t *out, size_t capacity, size_t *out_length);

/* Finds out the algorithm of a compressed body: decompresses into `out` with the candidates its first bytes
 * allow and keeps the first whose output is an ENet body that keeps all rules. `known` is the algorithm the
 * connection used before, ENET_COMPRESSION_UNKNOWN if none: it is tried first, and taken if it decompresses
 * to anything at all when no candidate fits. If `strict` (for datagrams not known to be ENet), that does not
 * count, and a range coder body must be in its only canonical form. Returns ENET_COMPRESSION_UNKNOWN and
 * *out_length 0 if nothing fits. */
enet_compression enet_recognise_compression(const enet_header *header, const uint8_t *in, size_t length,
                                            enet_compression known, bool strict, uint8_t *out,
                                            size_t capacity, size_t *out_length);

#endif
