/* detect.h
 *
 * Is this UDP payload ENet? Tries the layouts (without and with checksum, plain and compressed) and header
 * dialects on a datagram of unknown endpoints.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_DETECT_H
#define ENET_DETECT_H

#include "enet/wire/compression.h"
#include "enet/wire/datagram.h"
#include "enet/wire/judge.h"

typedef struct {
    enet_confidence confidence;
    enet_header header;           /* with the layout found */
    enet_compression compression; /* ENET_COMPRESSION_NONE if plain */
    bool checksum_proven;         /* the CRC-32 matches a seed that is in the datagram itself */
    /* There is a CRC-32, which is right for `seed`. If it is not proven and the confidence is WEAK, a second
     * datagram between the same sockets must have the same seed. */
    bool has_seed;
    uint32_t seed;        /* valid if has_seed */
    const uint8_t *body;  /* plain body: in the datagram or in `scratch` */
    uint32_t body_length; /* in bytes; this and the other members only if confidence is not NONE */
} enet_detection;

/* Judges a datagram of `length` bytes, all of which must have been captured. Any datagram is judged by the
 * header dialect `preferred`; another dialect needs the proof of a CONNECT or VERIFY_CONNECT. `scratch`
 * (ENET_MAX_DATAGRAM bytes) takes the decompressed body. Returns detection->confidence. */
enet_confidence enet_detect(enet_detection *detection, enet_dialect preferred, const uint8_t *bytes,
                            size_t length, uint8_t *scratch);

#endif
