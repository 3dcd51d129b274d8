"""Captures at the same time, for evidence.py: frames between other addresses or ports, and what mergecap makes of two files.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import struct
import subprocess

ETHERNET, RAW = 1, 101
IPV4, IPV6, ICMP, TCP, UDP = 0x0800, 0x86DD, 1, 6, 17


def _moved_ip(data, at, address, port):
    """`data` with another network in the addresses of the IP packet at `at`, and higher ports. Checksums, which Wireshark does
    not check, stay."""
    version = data[at] >> 4 if at < len(data) else 0
    size, header, places = {4: (4, (data[at] & 15) * 4, (12, 16)), 6: (16, 40, (8, 24))}.get(version, (0, 0, ())) if version else (0, 0, ())
    protocol_at = at + (9 if version == 4 else 6)
    for place in places:
        if at + place + size <= len(data):
            data[at + place + size // 2] ^= address
    if not places or protocol_at >= len(data):
        return
    above = at + header
    if data[protocol_at] in (TCP, UDP) and above + 4 <= len(data) and not (version == 4 and struct.unpack_from(">H", data, at + 6)[0] & 0x1FFF):
        struct.pack_into(">HH", data, above, *((one + port) & 0xFFFF for one in struct.unpack_from(">HH", data, above)))
    elif data[protocol_at] == ICMP and above + 8 < len(data):
        _moved_ip(data, above + 8, address, port)


def moved(packet, link, address=0, port=0):
    """The packet as one of other hosts, or of other sockets of the same hosts."""
    data = bytearray(packet.data)
    at = {ETHERNET: 14, RAW: 0}.get(link)
    if at == 14 and len(data) > 14 and struct.unpack_from(">H", data, 12)[0] not in (IPV4, IPV6):
        at = None
    if at is not None:
        _moved_ip(data, at, address, port)
    return packet.with_data(bytes(data))


def order(*times):
    """(file, place) of each frame: the order in which mergecap takes the frames of files with these times; of the last file first, if they are the same."""
    places, taken = [0] * len(times), []
    while any(place < len(of) for place, of in zip(places, times)):
        file = -min((of[place], -index) for index, (place, of) in enumerate(zip(places, times)) if place < len(of))[1]
        taken.append((file, places[file]))
        places[file] += 1
    return taken


def merge(target, files, as_pcap):
    """The files as one: of pcap files a pcap file, or one with an interface for each."""
    kind = ("-F", "pcap") if as_pcap else ("-F", "pcapng", "-I", "none")
    subprocess.run(["mergecap", *kind, "-w", target, *files], check=True, capture_output=True)
