/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/connection/layout.h"

#include "enet/wire/checksum.h"
#include "enet/wire/judge.h"

#define ENOUGH_VOTES 2u /* datagrams without handshake that settle a conversation's layout */

/* Whether the conversation's datagrams have a checksum: not signalled, so detected from the first ones. */
static bool choose_checksum(enet_conversation *conversation, const enet_layout_choices *choices,
                            const enet_wire *wire, uint8_t *scratch)
{
    if (choices->checksum != ENET_CHECKSUM_AUTO) {
        return choices->checksum == ENET_CHECKSUM_PRESENT;
    }
    if (conversation->layout_known || wire->captured < wire->length) {
        return conversation->has_checksum;
    }
    enet_detection detection;
    enet_confidence confidence =
        enet_detect(&detection, (enet_dialect)conversation->dialect, wire->bytes, wire->captured, scratch);
    if (confidence == ENET_CONFIDENCE_NONE) {
        return conversation->has_checksum;
    }
    if (confidence >= ENET_CONFIDENCE_GAVE_UP && !conversation->dialect_known) {
        conversation->dialect = (uint8_t)detection.header.dialect;
        conversation->dialect_known = true;
    }
    if (detection.header.has_checksum != conversation->has_checksum) {
        conversation->has_checksum = detection.header.has_checksum;
        conversation->layout_votes = 0;
    }
    conversation->layout_votes++;
    conversation->layout_known =
        confidence >= ENET_CONFIDENCE_GAVE_UP || conversation->layout_votes >= ENOUGH_VOTES;
    return conversation->has_checksum;
}

/* Reads the header; the body is the rest of the datagram, until it is decompressed. */
static void open_header(const enet_wire *wire, enet_dialect dialect, bool checksum, enet_opened *opened)
{
    *opened = (enet_opened){0};
    opened->has_header = enet_header_read(&opened->header, wire->bytes, wire->captured, dialect, checksum);
    if (!opened->has_header) {
        return;
    }
    opened->body = wire->bytes + opened->header.length;
    opened->body_captured = wire->captured - opened->header.length;
    opened->body_length = wire->length - opened->header.length;
    opened->has_body = !opened->header.compressed;
}

static void use_decompressed(enet_opened *opened, const uint8_t *plain, size_t length)
{
    opened->has_body = opened->decompressed = true;
    opened->body = plain;
    opened->body_captured = opened->body_length = (uint32_t)length;
}

static decompress_result decompress(enet_compression compression, const enet_opened *opened, uint8_t *scratch,
                                    size_t *length)
{
    return enet_decompress(compression, opened->body, opened->body_length, scratch,
                           ENET_MAX_DATAGRAM - opened->header.length, length);
}

/* From the user's preference, otherwise from the contents of the body, otherwise as before in the
 * conversation. */
static void decompress_first(enet_conversation *conversation, const enet_layout_choices *choices,
                             uint8_t *scratch, enet_layout *layout, enet_opened *opened)
{
    enet_compression compression = (enet_compression)choices->compression;
    decompress_result result = DECOMPRESS_UNKNOWN;
    size_t length = 0;

    if (compression == ENET_COMPRESSION_NONE) {
        layout->compression = ENET_COMPRESSION_NONE;
        layout->decompress_result = DECOMPRESS_UNKNOWN;
        return;
    }
    if (compression == ENET_COMPRESSION_AUTO) {
        compression = enet_recognise_compression(&opened->header, opened->body, opened->body_length,
                                                 (enet_compression)conversation->compression, false, scratch,
                                                 ENET_MAX_DATAGRAM - opened->header.length, &length);
        result = compression == ENET_COMPRESSION_UNKNOWN ? DECOMPRESS_UNKNOWN : DECOMPRESSED;
        if (result == DECOMPRESSED) {
            conversation->compression = (uint8_t)compression;
        }
        compression = (enet_compression)conversation->compression;
    }
    if (result != DECOMPRESSED) {
        result = decompress(compression, opened, scratch, &length);
    }
    layout->compression = (uint32_t)compression & 7u;
    layout->decompress_result = (uint32_t)result & 15u;
    if (result == DECOMPRESSED) {
        use_decompressed(opened, scratch, length);
    }
}

static bool keeps_rules(const enet_opened *opened, const enet_layout *layout)
{
    return opened->has_body &&
           enet_judge_body(&opened->header, opened->body, opened->body_length,
                           layout->compression == ENET_COMPRESSION_FASTLZ, NULL) != ENET_CONFIDENCE_NONE;
}

/* Without a handshake the dialect is a guess: the same bit marks compression in one dialect and a sent time
 * in another. If a datagram cannot be read or breaks rules, but keeps all rules in another dialect, that one
 * is used. */
static void correct_dialect(enet_conversation *conversation, const enet_layout_choices *choices,
                            const enet_wire *wire, enet_layout *layout, enet_opened *opened)
{
    for (unsigned i = 0; i < 2 * ENET_DIALECT_COUNT; i++) {
        enet_dialect dialect = (enet_dialect)(i / 2);
        bool checksum = (i & 1) != 0;
        const enet_layout plain = {.dialect = dialect & ENET_DIALECT_MASK, .has_checksum = checksum};
        enet_opened other;

        if (dialect == (enet_dialect)conversation->dialect ||
            (checksum != layout->has_checksum &&
             (conversation->layout_known || choices->checksum != ENET_CHECKSUM_AUTO))) {
            continue;
        }
        open_header(wire, dialect, checksum, &other);
        if (keeps_rules(&other, &plain)) {
            conversation->dialect = (uint8_t)dialect;
            conversation->has_checksum = checksum;
            *layout = plain;
            *opened = other;
            return;
        }
    }
}

/* Uses the result of detection, so that nothing is decompressed twice. */
static bool open_detected(enet_conversation *conversation, const enet_layout_choices *choices,
                          const enet_detection *found, enet_layout *layout, enet_opened *opened)
{
    bool checksum_fits = choices->checksum == ENET_CHECKSUM_AUTO ||
                         (choices->checksum == ENET_CHECKSUM_PRESENT) == found->header.has_checksum;

    if (!checksum_fits || (found->header.compressed && choices->compression != (int)ENET_COMPRESSION_AUTO)) {
        return false;
    }
    layout->dialect = (uint32_t)found->header.dialect & ENET_DIALECT_MASK;
    layout->has_checksum = found->header.has_checksum;
    layout->compression = (uint32_t)found->compression & 7u;
    *opened = (enet_opened){.header = found->header,
                            .has_header = true,
                            .has_body = true,
                            .decompressed = found->header.compressed,
                            .body = found->body,
                            .body_captured = found->body_length,
                            .body_length = found->body_length};
    if (found->header.compressed) {
        conversation->compression = (uint8_t)found->compression;
    }
    return true;
}

void enet_open_first(enet_conversation *conversation, const enet_layout_choices *choices,
                     const enet_wire *wire, const enet_detection *found, uint8_t *scratch,
                     enet_layout *layout, enet_opened *opened)
{
    bool whole = wire->captured == wire->length;

    *layout = (enet_layout){0};
    if (found && open_detected(conversation, choices, found, layout, opened)) {
        return;
    }
    /* In the dialect that is assumed for the conversation. */
    layout->has_checksum = choose_checksum(conversation, choices, wire, scratch);
    layout->dialect = conversation->dialect & ENET_DIALECT_MASK;
    open_header(wire, (enet_dialect)layout->dialect, layout->has_checksum, opened);
    if (opened->has_header && opened->header.compressed) {
        layout->compression = conversation->compression & 7u;
        layout->decompress_result = DECOMPRESS_TRUNCATED;
        if (whole) {
            decompress_first(conversation, choices, scratch, layout, opened);
        }
    }
    if (!conversation->dialect_known && opened->has_header && whole && !keeps_rules(opened, layout)) {
        correct_dialect(conversation, choices, wire, layout, opened);
    }
}

void enet_open_again(const enet_layout *layout, const enet_wire *wire, uint8_t *scratch, enet_opened *opened)
{
    size_t length = 0;

    open_header(wire, (enet_dialect)layout->dialect, layout->has_checksum, opened);
    if (opened->has_header && opened->header.compressed && layout->decompress_result == DECOMPRESSED &&
        decompress((enet_compression)layout->compression, opened, scratch, &length) == DECOMPRESSED) {
        use_decompressed(opened, scratch, length);
    }
}

/* --- checksum ------------------------------------------------------------------------------------ */

/* The seed of the datagram's checksum, if it is known. Of a connection without handshake it is computed
 * backwards from the checksums; the second datagram that gives the same proves it. */
static bool find_seed(const enet_wire *wire, const enet_opened *opened, const enet_command *verify,
                      const enet_sender *sender, uint32_t *seed)
{
    *seed = 0;
    if (opened->header.to_nobody) {
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
        uint32_t recovered =
            enet_checksum_recover_seed(&opened->header, wire->bytes, opened->body, opened->body_length);
        connection->has_connect_id =
            connection->has_seed_candidate && connection->seed_candidate == recovered;
        connection->connect_id = connection->seed_candidate = recovered;
        connection->has_seed_candidate = true;
    }
    *seed = connection->connect_id;
    return connection->has_connect_id;
}

/* The connection was found without its handshake and not from its beginning: it may be another one. After a
 * CONNECT only VERIFY_CONNECT shows which datagrams belong to it, and only those that come later; alone, it
 * may be sent again, of a connection that was given up. */
static bool is_guessed(const enet_sender *sender)
{
    const enet_connection *connection = sender->connection;

    bool opened_before =
        connection->state == ENET_ESTABLISHED && connection->opened_time < connection->verify_time;

    return connection->connect_frame && connection->verify_frame
               ? opened_before
               : connection->connect_frame || connection->verify_frame || sender->was_cut ||
                     enet_other_sender(sender)->was_cut;
}

void enet_verify_checksum(const enet_wire *wire, const enet_opened *opened, const enet_command *verify,
                          const enet_sender *sender, enet_layout *layout)
{
    uint32_t seed, expected;

    if (opened->header.checksum_length != 4 || !opened->has_body || wire->captured < wire->length ||
        !find_seed(wire, opened, verify, sender, &seed)) {
        return;
    }
    expected = enet_checksum(&opened->header, wire->bytes, seed, opened->body, opened->body_length);
    if (expected == (uint32_t)opened->header.checksum) {
        layout->checksum_verdict = ENET_CHECKSUM_GOOD;
        layout->expected_checksum = expected;
    } else if (opened->header.to_nobody || verify || !is_guessed(sender)) {
        layout->checksum_verdict = ENET_CHECKSUM_BAD;
        layout->expected_checksum = expected;
    }
}
