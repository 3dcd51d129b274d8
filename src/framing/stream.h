/* stream.h
 *
 * Length-prefixed packets in a byte stream: StreamPeer.put_var(), PacketPeerStream (core/io/stream_peer.cpp,
 * core/io/packet_peer.cpp). Such a stream has no markers, and a game may write other things between the
 * packets (put_u32(), put_data(), …), so each piece is judged by its contents and the bytes after it, and
 * after bytes that are not a packet the next packet is searched for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STREAM_FRAMES_H
#define STREAM_FRAMES_H

#include "variant/variant.h"

/* More than any engine sends: put_var() encodes at most 8 MiB by default. */
#define STREAM_MAX_PACKET (16u << 20)

typedef enum { STREAM_LITTLE_ENDIAN, STREAM_BIG_ENDIAN, STREAM_UNKNOWN_ORDER } stream_order;

typedef enum {
    STREAM_VALUE,      /* prefix and one Variant (perhaps a broken one) */
    STREAM_DATA,       /* prefix and something else: a packet of the game's own, put_string() */
    STREAM_INCOMPLETE, /* the rest of a packet is in bytes still to come */
    STREAM_STRAY,      /* no prefix: bytes up to the next packet */
} stream_kind;

typedef enum {
    STREAM_NO_EVIDENCE,   /* at most the bytes after it show that it is a packet */
    STREAM_LENGTH_FITS,   /* a Variant can have this length; the content is not there yet */
    STREAM_CONTENT_FITS,  /* the content begins like a Variant of this length */
    STREAM_CONTENT_EXACT, /* the content is one Variant of exactly this length */
} stream_evidence;

typedef struct {
    stream_kind kind;
    uint32_t length;          /* of the piece with its prefix; INCOMPLETE: the least that is needed */
    uint32_t prefix;          /* the first four bytes as a length; not valid if there are fewer */
    stream_evidence evidence; /* STRAY: STREAM_NO_EVIDENCE */
} stream_piece;

/* Judges the piece at the beginning of `bytes`. `order` must be known. `length` > 0. */
stream_piece stream_next(const uint8_t *bytes, size_t length, stream_order order);

/* The byte order in which `bytes` begins with a plausible packet, or STREAM_UNKNOWN_ORDER. */
stream_order stream_guess_order(const uint8_t *bytes, size_t length);

#endif
