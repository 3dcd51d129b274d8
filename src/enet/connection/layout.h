/* layout.h
 *
 * From the bytes of a datagram to the bytes of its commands: which header dialect, whether there is a
 * checksum and whether it is right, which compressor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_LAYOUT_H
#define ENET_LAYOUT_H

#include "enet/connection/record.h"
#include "enet/wire/detect.h"

typedef enum { ENET_CHECKSUM_AUTO, ENET_CHECKSUM_NONE, ENET_CHECKSUM_PRESENT } enet_checksum_choice;
#define ENET_COMPRESSION_AUTO ENET_COMPRESSION_UNKNOWN

/* The user's preferences about the layout of datagrams. */
typedef struct {
    int dialect;     /* enet_dialect; a handshake of another one overrules it */
    int checksum;    /* enet_checksum_choice */
    int compression; /* enet_compression, ENET_COMPRESSION_AUTO to find it out */
} enet_layout_choices;

/* A datagram as it was captured. */
typedef struct {
    const uint8_t *bytes;
    uint32_t captured, length; /* bytes that can be read; bytes that were sent */
} enet_wire;

/* A datagram with its header read and its body decompressed. */
typedef struct {
    enet_header header;                  /* if not has_header, only the members of its first two bytes */
    bool has_header;                     /* the whole header was captured */
    bool has_body;                       /* the commands can be read */
    bool decompressed;                   /* `body` is in the scratch memory, else in the datagram */
    const uint8_t *body;                 /* if has_body */
    uint32_t body_captured, body_length; /* if has_body; as those of enet_wire */
} enet_opened;

/* Decides how to read a datagram and reads it. `found`: the result of enet_detect() for it, or NULL.
 * `scratch` (ENET_MAX_DATAGRAM bytes) takes the decompressed body. */
void enet_open_first(enet_conversation *conversation, const enet_layout_choices *choices,
                     const enet_wire *wire, const enet_detection *found, uint8_t *scratch,
                     enet_layout *layout, enet_opened *opened);

/* Reads a datagram with a known layout. */
void enet_open_again(const enet_layout *layout, const enet_wire *wire, uint8_t *scratch, enet_opened *opened);

/* Verifies the checksum now that the sender is known (NULL: it is not). `verify` is the datagram's
 * VERIFY_CONNECT, or NULL. */
void enet_verify_checksum(const enet_wire *wire, const enet_opened *opened, const enet_command *verify,
                          const enet_sender *sender, enet_layout *layout);

#endif
