/* enet-decode.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/enet-decode.h"

#include "enet/checksum.h"
#include "enet/detect.h"

#define ENOUGH_VOTES 2u /* datagrams without handshake that settle a conversation's layout */

/* Whether the conversation's datagrams have a checksum: announced nowhere, so found out from the first ones.
 */
static bool choose_checksum(enet_conversation *conversation, const enet_layout_preferences *preferences,
                            const packet_info *pinfo, const enet_datagram *datagram)
{
    if (preferences->checksum != ENET_CHECKSUM_AUTO) {
        return preferences->checksum == ENET_CHECKSUM_PRESENT;
    }
    if (conversation->layout_known || datagram->captured < datagram->length) {
        return conversation->has_checksum;
    }
    enet_detection detection;
    uint8_t *scratch = wmem_alloc(pinfo->pool, ENET_MAX_DATAGRAM);
    enet_evidence evidence = enet_detect(&detection, datagram->bytes, datagram->captured, scratch);
    if (evidence == ENET_EVIDENCE_NONE || (int)detection.header.dialect != preferences->dialect) {
        return conversation->has_checksum;
    }
    if (detection.header.has_checksum != conversation->has_checksum) {
        conversation->has_checksum = detection.header.has_checksum;
        conversation->layout_votes = 0;
    }
    conversation->layout_votes++;
    conversation->layout_known =
        evidence >= ENET_EVIDENCE_VERIFY || conversation->layout_votes >= ENOUGH_VOTES;
    return conversation->has_checksum;
}

static void open_datagram(tvbuff_t *tvb, enet_datagram *datagram)
{
    *datagram =
        (enet_datagram){.tvb = tvb, .captured = tvb_captured_length(tvb), .length = tvb_reported_length(tvb)};
    datagram->bytes = tvb_get_ptr(tvb, 0, (int)datagram->captured);
}

/* Reads the header; the body is what follows until it turns out to be compressed. */
static void read_header(enet_datagram *datagram, enet_dialect dialect, bool checksum)
{
    datagram->has_header =
        enet_header_read(&datagram->header, datagram->bytes, datagram->captured, dialect, checksum);
    if (!datagram->has_header) {
        return;
    }
    datagram->body_offset = datagram->header.length;
    datagram->body = datagram->bytes + datagram->body_offset;
    datagram->body_captured = datagram->captured - datagram->body_offset;
    datagram->body_length = datagram->length - datagram->body_offset;
    if (!datagram->header.compressed) {
        datagram->body_tvb = datagram->tvb;
    }
}

/* The body is `length` bytes of `plain`, from pinfo->pool. */
static void use_decompressed(enet_datagram *datagram, const uint8_t *plain, size_t length)
{
    datagram->body_tvb = tvb_new_child_real_data(datagram->tvb, plain, (unsigned)length, (int)length);
    datagram->body_offset = 0;
    datagram->body = plain;
    datagram->body_captured = datagram->body_length = (unsigned)length;
}

static size_t output_capacity(const enet_datagram *datagram)
{
    return ENET_MAX_DATAGRAM - datagram->header.length;
}

/* Every function of libwireshark may throw, but none of the decompressors calls one. */
static void decompress_first(enet_conversation *conversation, const enet_layout_preferences *preferences,
                             packet_info *pinfo, enet_datagram_record *record, enet_datagram *datagram)
{
    uint8_t *plain = wmem_alloc(pinfo->pool, ENET_MAX_DATAGRAM);
    size_t length = 0;

    if (preferences->compression != (int)ENET_COMPRESSION_AUTO) {
        record->compression = (enet_compression)preferences->compression;
        record->decompress_result = enet_decompress(
            record->compression == ENET_COMPRESSION_NONE ? ENET_COMPRESSION_UNKNOWN : record->compression,
            datagram->body, datagram->body_length, plain, output_capacity(datagram), &length);
    } else {
        record->compression = enet_recognise_compression(&datagram->header, datagram->body,
                                                         datagram->body_length, conversation->compression,
                                                         false, plain, output_capacity(datagram), &length);
        record->decompress_result =
            record->compression == ENET_COMPRESSION_UNKNOWN ? DECOMPRESS_UNKNOWN : DECOMPRESSED;
        if (record->compression != ENET_COMPRESSION_UNKNOWN) {
            conversation->compression = record->compression;
        } else if (conversation->compression != ENET_COMPRESSION_UNKNOWN) {
            record->compression = conversation->compression;
            record->decompress_result =
                enet_decompress(record->compression, datagram->body, datagram->body_length, plain,
                                output_capacity(datagram), &length);
        }
    }
    if (record->decompress_result == DECOMPRESSED) {
        use_decompressed(datagram, plain, length);
    }
}

void enet_decode_first(enet_conversation *conversation, const enet_layout_preferences *preferences,
                       packet_info *pinfo, tvbuff_t *tvb, enet_datagram_record *record,
                       enet_datagram *datagram)
{
    open_datagram(tvb, datagram);
    record->dialect = (enet_dialect)preferences->dialect;
    record->has_checksum = choose_checksum(conversation, preferences, pinfo, datagram);
    record->compression = ENET_COMPRESSION_NONE;
    read_header(datagram, record->dialect, record->has_checksum);
    if (!datagram->has_header || !datagram->header.compressed) {
        return;
    }
    record->compression = conversation->compression;
    record->decompress_result = DECOMPRESS_TRUNCATED;
    if (datagram->captured == datagram->length) {
        decompress_first(conversation, preferences, pinfo, record, datagram);
    }
}

void enet_decode_again(const enet_datagram_record *record, packet_info *pinfo, tvbuff_t *tvb,
                       enet_datagram *datagram)
{
    open_datagram(tvb, datagram);
    read_header(datagram, record->dialect, record->has_checksum);
    if (!datagram->has_header || !datagram->header.compressed || record->decompress_result != DECOMPRESSED) {
        return;
    }
    uint8_t *plain = wmem_alloc(pinfo->pool, ENET_MAX_DATAGRAM);
    size_t length = 0;
    if (enet_decompress(record->compression, datagram->body, datagram->body_length, plain,
                        output_capacity(datagram), &length) == DECOMPRESSED) {
        use_decompressed(datagram, plain, length);
    }
}

/* --- checksum -------------------------------------------------------------------------------------- */

/* The seed of the datagram's checksum, if it is known. Of a connection without handshake it is computed
 * backwards from the checksums; the second datagram that gives the same proves it. */
static bool find_seed(const enet_datagram *datagram, const enet_command *verify, enet_sender *sender,
                      uint32_t *seed)
{
    *seed = 0;
    if (datagram->header.to_nobody) {
        return true;
    }
    if (verify) {
        *seed = verify->fields.connect.connect_id;
        return true;
    }
    if (!sender) {
        return false;
    }
    enet_connection *connection = sender->connection;
    if (!connection->has_connect_id) {
        uint32_t recovered = enet_checksum_recover_seed(&datagram->header, datagram->bytes, datagram->body,
                                                        datagram->body_length);
        connection->has_connect_id =
            connection->has_seed_candidate && connection->seed_candidate == recovered;
        connection->connect_id = connection->seed_candidate = recovered;
        connection->has_seed_candidate = true;
    }
    *seed = connection->connect_id;
    return connection->has_connect_id;
}

void enet_decode_verify(const enet_datagram *datagram, const enet_command *verify,
                        enet_datagram_record *record)
{
    uint32_t seed;

    if (datagram->header.checksum_length != 4 || !datagram->body_tvb ||
        datagram->captured < datagram->length || !find_seed(datagram, verify, record->sender, &seed)) {
        return;
    }
    record->expected_checksum =
        enet_checksum(&datagram->header, datagram->bytes, seed, datagram->body, datagram->body_length);
    record->checksum_verdict = record->expected_checksum == (uint32_t)datagram->header.checksum
                                   ? ENET_CHECKSUM_GOOD
                                   : ENET_CHECKSUM_BAD;
}
