/* range_coder.h
 *
 * The range coder of ENet. The results are the same as ENet's bit for bit, also for corrupt input.
 *
 * Source: compress.c of ENet 1.3, compared with libenet in the tests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CODEC_RANGE_CODER_H
#define CODEC_RANGE_CODER_H

#include "codec/decompress.h"

/* Encoding returns the bytes written, 0 if they do not fit into `capacity` or there is no input; a plain body
 * has exactly one encoding. If decoding returns DECOMPRESS_TOO_LONG, `out` contains the first `capacity`
 * bytes. */
size_t enet_range_encode(const uint8_t *in, size_t length, uint8_t *out, size_t capacity);
decompress_result enet_range_decode(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                    size_t *out_length);

#endif
