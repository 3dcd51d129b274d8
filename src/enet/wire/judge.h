/* judge.h
 *
 * Whether bytes are the body of an ENet datagram, by the rules that every stock sender keeps.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_JUDGE_H
#define ENET_JUDGE_H

#include "enet/wire/datagram.h"

typedef enum {
    ENET_CONFIDENCE_NONE,      /* violates a rule that every stock sender keeps */
    ENET_CONFIDENCE_WEAK,      /* keeps all rules, but is short: 3 of a million random datagrams do */
    ENET_CONFIDENCE_PLAUSIBLE, /* keeps all rules and is 24 bytes or longer */
    /* the DISCONNECT to no peer that follows a CONNECT: conclusive, and so are the next ones */
    ENET_CONFIDENCE_GAVE_UP,
    ENET_CONFIDENCE_VERIFY,  /* a VERIFY_CONNECT in range */
    ENET_CONFIDENCE_CONNECT, /* a CONNECT in range */
} enet_confidence;

/* Judges a plain or decompressed body by its structure alone. The checksum, if any, is not looked at; see
 * detect.h for whole datagrams. `fastlz` accepts Godot's padding. If `handshake` is not NULL it gets the
 * CONNECT or VERIFY_CONNECT found. */
enet_confidence enet_judge_body(const enet_header *header, const uint8_t *body, size_t length, bool fastlz,
                                enet_command *handshake);

/* Whether a body that keeps all rules may begin with these bytes: false is certain. */
bool enet_may_begin_body(const enet_header *header, const uint8_t *bytes, size_t length);

/* Whether a plain body of `length` bytes on the wire, of which only the first `captured` are there, is a
 * CONNECT and nothing else: it has the length of one, and what is there of it is in range, at least up to the
 * number of channels. `is_enet`: it is known to be ENet, so that a few bytes are enough. */
bool enet_is_cut_connect(const enet_header *header, const uint8_t *body, size_t captured, size_t length,
                         bool is_enet);

/* Likewise whether one that is known to be ENet is a VERIFY_CONNECT. */
bool enet_is_cut_verify(const enet_header *header, const uint8_t *body, size_t captured, size_t length);

#endif
