/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/wire/checksum.h"
#include "enet/wire/judge.h"
#include "enet/wire/detect.h"

/* Points detection->body at the commands, decompressed if need be. */
static bool open_body(enet_detection *detection, const uint8_t *bytes, size_t length, uint8_t *scratch)
{
    const enet_header *header = &detection->header;
    size_t body_length = length - header->length;

    detection->compression = ENET_COMPRESSION_NONE;
    detection->body = bytes + header->length;
    if (header->compressed) {
        detection->compression =
            enet_recognise_compression(header, detection->body, body_length, ENET_COMPRESSION_UNKNOWN, true,
                                       scratch, ENET_MAX_DATAGRAM - header->length, &body_length);
        detection->body = scratch;
    }
    detection->body_length = (uint32_t)body_length;
    return detection->compression != ENET_COMPRESSION_UNKNOWN;
}

/* The handshake contains its seed; for other datagrams, the seed is computed from the checksum. */
static void check_sum(enet_detection *detection, const uint8_t *bytes, const enet_command *handshake)
{
    const enet_header *header = &detection->header;
    uint32_t seed = 0;

    if (header->checksum_length != 4) {
        return;
    }
    detection->has_seed = true;
    detection->seed = enet_checksum_recover_seed(header, bytes, detection->body, detection->body_length);
    if (detection->confidence == ENET_CONFIDENCE_VERIFY) {
        seed = handshake->fields.connect.connect_id;
    }
    detection->checksum_proven =
        (header->to_nobody || detection->confidence == ENET_CONFIDENCE_VERIFY) && detection->seed == seed;
}

/* Another header dialect is only recognised by its handshake, which is the only command of its datagram. */
static bool may_be_handshake(const enet_header *header, size_t length)
{
    size_t body_length = length - header->length;

    if (header->to_nobody) {
        return header->compressed || body_length == enet_commands[ENET_CONNECT].fixed_length;
    }
    return !header->compressed && body_length == enet_commands[ENET_VERIFY_CONNECT].fixed_length;
}

/* Sets the confidence from the body. False: it is less than `least`, or the checksum speaks against it. */
static bool judge_body(enet_detection *detection, const uint8_t *bytes, enet_confidence least)
{
    enet_command handshake;

    detection->confidence = enet_judge_body(&detection->header, detection->body, detection->body_length,
                                            detection->compression == ENET_COMPRESSION_FASTLZ, &handshake);
    if (detection->confidence < least) {
        return false;
    }
    check_sum(detection, bytes, &handshake);
    if (!detection->header.has_checksum || detection->checksum_proven ||
        detection->confidence >= ENET_CONFIDENCE_VERIFY) {
        return true;
    }
    /* Any four bytes could be a checksum, and an application may have its own function; but without a
     * matching CRC-32 only a handshake is accepted: in a datagram to no peer the seed is zero. */
    detection->confidence = detection->header.to_nobody ? ENET_CONFIDENCE_NONE : ENET_CONFIDENCE_WEAK;
    return detection->confidence != ENET_CONFIDENCE_NONE;
}

enet_confidence enet_detect(enet_detection *detection, enet_dialect preferred, const uint8_t *bytes,
                            size_t length, uint8_t *scratch)
{
    if (length <= ENET_MAX_DATAGRAM) {
        /* The longest handshake is the CONNECT, and compression only makes it shorter. */
        unsigned longest = ENET_LONGEST_HEADER + enet_commands[ENET_CONNECT].fixed_length;
        unsigned count = length <= longest ? ENET_DIALECT_COUNT : 1;
        for (unsigned i = 0; i < 2 * count; i++) { /* each without and with a checksum */
            enet_dialect dialect = (enet_dialect)((preferred + i / 2) % ENET_DIALECT_COUNT);
            bool other = dialect != preferred;
            *detection = (enet_detection){.confidence = ENET_CONFIDENCE_NONE};
            if (enet_header_read(&detection->header, bytes, length, dialect, i % 2 == 1) &&
                (!other || may_be_handshake(&detection->header, length)) &&
                open_body(detection, bytes, length, scratch) &&
                judge_body(detection, bytes, other ? ENET_CONFIDENCE_VERIFY : ENET_CONFIDENCE_WEAK)) {
                return detection->confidence;
            }
        }
    }
    *detection = (enet_detection){.confidence = ENET_CONFIDENCE_NONE};
    return ENET_CONFIDENCE_NONE;
}
