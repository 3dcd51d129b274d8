/* enet-decode.h
 *
 * From the bytes of a datagram to the bytes of its commands: which header layout, whether there is a
 * checksum and whether it is right, which compressor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_DECODE_H
#define ENET_DECODE_H

#include "enet/enet-record.h"

/* Values of the preferences. */
typedef enum { ENET_CHECKSUM_AUTO, ENET_CHECKSUM_NONE, ENET_CHECKSUM_PRESENT } enet_checksum_choice;
#define ENET_COMPRESSION_AUTO ENET_COMPRESSION_UNKNOWN

typedef struct {
    int dialect;     /* enet_dialect */
    int checksum;    /* enet_checksum_choice */
    int compression; /* enet_compression */
} enet_layout_preferences;

typedef struct {
    tvbuff_t *tvb;
    const uint8_t *bytes;
    unsigned captured, length;
    bool has_header; /* all of it was captured */
    enet_header header;
    tvbuff_t *body_tvb;   /* buffer with the commands, NULL if they cannot be read */
    unsigned body_offset; /* in it */
    const uint8_t *body;
    unsigned body_captured, body_length;
} enet_datagram;

/* Decides how to read a datagram and writes that into `record` (dialect, has_checksum, compression,
 * decompress_result). First pass only. */
void enet_decode_first(enet_conversation *conversation, const enet_layout_preferences *preferences,
                       packet_info *pinfo, tvbuff_t *tvb, enet_datagram_record *record,
                       enet_datagram *datagram);

/* Reads a datagram as it was decided. */
void enet_decode_again(const enet_datagram_record *record, packet_info *pinfo, tvbuff_t *tvb,
                       enet_datagram *datagram);

/* Verifies the checksum now that the sender is known (record->sender). First pass only. `verify` is the
 * datagram's VERIFY_CONNECT, or NULL. */
void enet_decode_verify(const enet_datagram *datagram, const enet_command *verify,
                        enet_datagram_record *record);

#endif
