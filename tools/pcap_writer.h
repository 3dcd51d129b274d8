/* pcap_writer.h
 *
 * Values as a capture: a pcap file whose packets are "exported PDUs" for the dissector godot.variant. Every
 * Wireshark supports that link type, so no file reader is needed, unlike for a file of store_var().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PCAP_WRITER_H
#define PCAP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes the head of the file. */
void pcap_begin(FILE *file);

/* Writes one value as a packet, number `index` from 0; a file has no times, so packets are a microsecond apart. False:
 * longer than the packets that Wireshark takes, and cut. */
bool pcap_value(FILE *file, const uint8_t *bytes, size_t length, uint32_t index);

#endif
