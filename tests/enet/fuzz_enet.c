/* fuzz_enet.c
 *
 * Any bytes as an ENet datagram, a compressed body, or a stream to encode. Checked for any input: all results
 * are inside of the datagram, no output exceeds its buffer, decompression does not depend on the buffer's
 * previous content, and decoding is the inverse of encoding.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "codec/range_coder.h"
#include "enet/wire/checksum.h"
#include "enet/wire/compression.h"
#include "enet/wire/detect.h"
#include "enet/wire/judge.h"

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_findings(const finding *findings, uint32_t count, uint32_t limit)
{
    for (uint32_t i = 0; i < count; i++) {
        require(findings[i].problem < ENET_PROBLEM_COUNT);
        require(findings[i].offset <= limit && findings[i].length <= limit - findings[i].offset);
    }
}

/* Walks a body; the commands cover the readable part of it. */
static void walk(const enet_header *header, const uint8_t *bytes, size_t captured, size_t wire_length)
{
    enet_body_context context = {
        .header = header, .channel_count = header->word & 7, .fastlz = captured == 16};
    uint32_t position = 0, commands = 0;
    enet_command command;
    enet_body body;

    enet_body_init(&body, bytes, captured, wire_length, &context);
    while (enet_body_next(&body, &command)) {
        require(command.offset == position && command.length > 0);
        require(command.length <= captured - position && command.fixed_length <= command.length);
        require(command.finding_count < ENET_MAX_FINDINGS);
        check_findings(command.findings, command.finding_count, (uint32_t)wire_length);
        if (command.data_length) {
            require(command.data_offset + command.data_length == position + command.length);
        }
        position += command.length;
        commands++;
    }
    require(body.ended && body.index <= commands && commands <= captured / 4 + 1);
    require(body.broken || body.cut || position == captured || position < wire_length);
    check_findings(body.findings, body.finding_count, (uint32_t)wire_length);
    require(!enet_body_next(&body, &command));
}

static void read_datagram(const uint8_t *data, size_t size)
{
    for (int dialect = 0; dialect < ENET_DIALECT_COUNT; dialect++) {
        for (int checksum = 0; checksum < 2; checksum++) {
            enet_header header;

            if (!enet_header_read(&header, data, size, (enet_dialect)dialect, checksum != 0)) {
                continue;
            }
            require(header.length <= size &&
                    header.checksum_offset + header.checksum_length == header.length);
            walk(&header, data + header.length, size - header.length, size - header.length);
            walk(&header, data + header.length, (size - header.length) / 2, size - header.length);
            if (header.checksum_length == 4) {
                uint32_t seed =
                    enet_checksum_recover_seed(&header, data, data + header.length, size - header.length);

                require(header.checksum ==
                        enet_checksum(&header, data, seed, data + header.length, size - header.length));
            }
        }
    }
}

static void detect(const uint8_t *data, size_t size)
{
    static uint8_t scratch[ENET_MAX_DATAGRAM];
    enet_detection detection;

    for (int dialect = 0; dialect < ENET_DIALECT_COUNT; dialect++) {
        if (enet_detect(&detection, (enet_dialect)dialect, data, size, scratch) != ENET_CONFIDENCE_NONE) {
            require(detection.header.length + detection.body_length <= ENET_MAX_DATAGRAM);
            require(enet_may_begin_body(&detection.header, detection.body, detection.body_length / 2));
            walk(&detection.header, detection.body, detection.body_length, detection.body_length);
        }
    }
}

static void decompress(const uint8_t *data, size_t size, size_t capacity)
{
    static uint8_t first[ENET_MAX_DATAGRAM], second[ENET_MAX_DATAGRAM], encoded[2 * ENET_MAX_DATAGRAM];
    enet_header header = {.length = 4, .has_sent_time = true};
    size_t length, again;

    for (int i = ENET_COMPRESSION_NONE; i <= ENET_COMPRESSION_COUNT; i++) {
        enet_compression compression = (enet_compression)i;
        decompress_result result;

        memset(first, 0x55, sizeof first);
        memset(second, 0xaa, sizeof second);
        result = enet_decompress(compression, data, size, first, capacity, &length);
        require((result == DECOMPRESSED) == (length > 0) && length <= capacity);
        require(enet_decompress(compression, data, size, second, capacity, &again) == result);
        require(again == length && memcmp(first, second, length) == 0);
        if (capacity < sizeof second) {
            require(second[capacity] == 0xaa);
        }
        if (result == DECOMPRESSED) {
            size_t encoded_length = enet_range_encode(first, length, encoded, sizeof encoded);

            require(encoded_length > 0);
            require(enet_range_decode(encoded, encoded_length, second, length, &again) == DECOMPRESSED);
            require(again == length && memcmp(first, second, length) == 0);
        }
        enet_recognise_compression(&header, data, size, compression, size & 1, first, capacity, &length);
        require(length <= capacity);
    }
}

/* The input itself as plain bytes. */
static void encode(const uint8_t *data, size_t size)
{
    static uint8_t encoded[2 * ENET_MAX_DATAGRAM], decoded[ENET_MAX_DATAGRAM];
    size_t length, encoded_length = enet_range_encode(data, size, encoded, sizeof encoded);

    require((encoded_length > 0) == (size > 0));
    if (size == 0) {
        return;
    }
    require(enet_range_decode(encoded, encoded_length, decoded, sizeof decoded, &length) == DECOMPRESSED);
    require(length == size && memcmp(decoded, data, size) == 0);
    require(enet_range_encode(data, size, encoded, encoded_length - 1) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > ENET_MAX_DATAGRAM) {
        return 0;
    }
    read_datagram(data, size);
    detect(data, size);
    decompress(data, size, ENET_MAX_DATAGRAM - 4);
    decompress(data, size, size);
    encode(data, size);
    return 0;
}
