/* pcap_writer.c
 *
 * See pcap_writer.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "pcap_writer.h"

#include <string.h>

#define PCAP_MAGIC    0xa1b2c3d4u /* microseconds */
#define LINKTYPE_PDU  252u        /* LINKTYPE_WIRESHARK_UPPER_PDU */
#define MAX_PACKET    262144u     /* WTAP_MAX_PACKET_SIZE_STANDARD */
#define TAG_DISSECTOR 12u         /* EXP_PDU_TAG_DISSECTOR_NAME: tag, length, text, in big-endian order */
#define MICROSECONDS  1000000u

static void put32(FILE *file, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                             (uint8_t)(value >> 24)};
    (void)fwrite(bytes, 1, sizeof bytes, file);
}

void pcap_begin(FILE *file)
{
    put32(file, PCAP_MAGIC);
    put32(file, 4u << 16 | 2u); /* version 2.4 */
    put32(file, 0);
    put32(file, 0);
    put32(file, MAX_PACKET);
    put32(file, LINKTYPE_PDU);
}

bool pcap_value(FILE *file, const uint8_t *bytes, size_t length, uint32_t index)
{
    static const uint8_t head[] = {0,   TAG_DISSECTOR, 0,   16,  'g', 'o', 'd', 'o', 't', '.', 'v', 'a',
                                   'r', 'i',           'a', 'n', 't', 0,   0,   0,   0,   0,   0,   0};
    size_t kept = length < MAX_PACKET - sizeof head ? length : MAX_PACKET - sizeof head;

    put32(file, index / MICROSECONDS);
    put32(file, index % MICROSECONDS);
    put32(file, (uint32_t)(sizeof head + kept));
    put32(file, (uint32_t)(sizeof head + length));
    (void)fwrite(head, 1, sizeof head, file);
    (void)fwrite(bytes, 1, kept, file);
    return kept == length;
}
