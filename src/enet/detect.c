/* enet/detect.c
 *
 * Finds the layout under which a datagram of unknown endpoints is ENet; see enet/detect.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/detect.h"
#include "enet/checksum.h"

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

/* The handshake carries its own seed; for the rest the seed is computed from the checksum. */
static void check_sum(enet_detection *detection, const uint8_t *bytes, const enet_command *handshake)
{
    const enet_header *header = &detection->header;
    uint32_t seed = 0;

    if (header->checksum_length != 4) {
        return;
    }
    detection->has_seed = true;
    detection->seed = enet_checksum_recover_seed(header, bytes, detection->body, detection->body_length);
    if (detection->evidence == ENET_EVIDENCE_VERIFY) {
        seed = handshake->fields.connect.connect_id;
    }
    detection->checksum_proven =
        (header->to_nobody || detection->evidence == ENET_EVIDENCE_VERIFY) && detection->seed == seed;
}

static bool try_layout(enet_detection *detection, const uint8_t *bytes, size_t length, enet_dialect dialect,
                       bool checksum, uint8_t *scratch)
{
    enet_command handshake;

    *detection = (enet_detection){.evidence = ENET_EVIDENCE_NONE};
    if (!enet_header_read(&detection->header, bytes, length, dialect, checksum) ||
        !open_body(detection, bytes, length, scratch)) {
        return false;
    }
    detection->evidence = enet_judge_body(&detection->header, detection->body, detection->body_length,
                                          detection->compression == ENET_COMPRESSION_FASTLZ, &handshake);
    /* Relatives with another header are told by their CONNECT alone. */
    if (dialect != ENET_STOCK && detection->evidence != ENET_EVIDENCE_CONNECT) {
        detection->evidence = ENET_EVIDENCE_NONE;
    }
    if (detection->evidence == ENET_EVIDENCE_NONE) {
        return false;
    }
    check_sum(detection, bytes, &handshake);
    if (!checksum || detection->checksum_proven || detection->evidence >= ENET_EVIDENCE_VERIFY) {
        return true;
    }
    /* Any four bytes pass for a checksum. An application may even have a function of its own, but then only
     * the handshake is believed: to no peer the seed has to be zero. */
    detection->evidence = detection->header.to_nobody ? ENET_EVIDENCE_NONE : ENET_EVIDENCE_WEAK;
    return detection->evidence != ENET_EVIDENCE_NONE;
}

enet_evidence enet_detect(enet_detection *detection, const uint8_t *bytes, size_t length, uint8_t *scratch)
{
    static const struct {
        enet_dialect dialect;
        bool checksum;
    } layouts[] = {{ENET_STOCK, false}, {ENET_STOCK, true},       {ENET_CSHARP, false},
                   {ENET_CSHARP, true}, {ENET_MORE_PEERS, false}, {ENET_MORE_PEERS, true}};

    if (length <= ENET_MAX_DATAGRAM) {
        for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
            if (try_layout(detection, bytes, length, layouts[i].dialect, layouts[i].checksum, scratch)) {
                return detection->evidence;
            }
        }
    }
    *detection = (enet_detection){.evidence = ENET_EVIDENCE_NONE};
    return ENET_EVIDENCE_NONE;
}
