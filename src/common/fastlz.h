/* fastlz.h
 *
 * FastLZ, the byte-aligned LZ77 that Godot offers for ENet: decompression only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FASTLZ_H
#define FASTLZ_H

#include "enet/compression.h"

/* Decompresses both levels of FastLZ. Senders use level 1 for anything below 64 KiB; receivers take level 2
 * as well. On any result but ENET_DECOMPRESSED *out_length is 0. */
enet_decompress_result fastlz_decode(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                     size_t *out_length);

#endif
