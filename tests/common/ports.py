"""Captures with another port.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import struct

import pcap


def moved(path, to, old, new):
    """A capture over Ethernet or of IPv4 alone, with one UDP port replaced, as a new file."""
    linktype, packets = pcap.read(path)
    start = {pcap.LINKTYPE_ETHERNET: 14, pcap.LINKTYPE_RAW: 0}[linktype]
    changed = []
    for time, packet in packets:
        ports = start + 4 * (packet[start] & 15)
        pair = [new if port == old else port for port in struct.unpack_from(">HH", packet, ports)]
        length, _ = struct.unpack_from(">HH", packet, ports + 4)
        changed.append((time, packet[:ports] + struct.pack(">HHHH", *pair, length, 0) + packet[ports + 8:]))
    return pcap.write(to, changed, linktype)
