/* checksum.h
 *
 * The optional checksum of ENet 1.3 datagrams: the common CRC-32 over
 *
 *     everything before the checksum | seed, 4 bytes | plain body
 *
 * stored big endian in place of the seed. The seed is zero in datagrams to no peer, else the connect id.
 * It is computed before compression. Seeds and connect ids are given as the four bytes in their order, the
 * first most significant (enet_command.fields.connect.connect_id).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_CHECKSUM_H
#define ENET_CHECKSUM_H

#include "enet/wire/datagram.h"

/* The checksum a sender with `seed` stores. `datagram` must have header->checksum_offset bytes; stock layout
 * (4 bytes of checksum) only. */
uint32_t enet_checksum(const enet_header *header, const uint8_t *datagram, uint32_t seed, const uint8_t *body,
                       size_t body_length);

/* The one seed for which header->checksum is right: the connect id, if the datagram has a CRC-32 and is
 * intact. Two datagrams of the same endpoints that give the same seed prove both. */
uint32_t enet_checksum_recover_seed(const enet_header *header, const uint8_t *datagram, const uint8_t *body,
                                    size_t body_length);

#endif
