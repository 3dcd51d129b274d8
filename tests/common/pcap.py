"""Writes and reads pcap files and builds the packets in them.

    pcap.write(path, [pcap.udp(b"..."), pcap.udp(b"...", reply=True)])
    pcap.write(path, pcap.tcp([b"from client", b"more"], [(True, b"from server")], ...))

Addresses are those of documentation (192.0.2.0/24). Times are whole milliseconds, one more per packet.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import struct

LINKTYPE_ETHERNET = 1
LINKTYPE_RAW = 101

CLIENT = ("192.0.2.1", 40000)
SERVER = ("192.0.2.2", 4242)

FIN, SYN, PSH, ACK = 0x01, 0x02, 0x08, 0x10


def _address(text):
    return bytes(map(int, text.split(".")))


def _checksum(data):
    total = sum(struct.unpack(f">{(len(data) + 1) // 2}H", data + b"\0" * (len(data) % 2)))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ip(source, destination, protocol, payload):
    """An IPv4 packet."""
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 0, 0x4000, 64, protocol, 0,
                         _address(source), _address(destination))
    return header[:10] + struct.pack(">H", _checksum(header)) + header[12:] + payload


def udp(payload, source=CLIENT, destination=SERVER, reply=False):
    """A datagram in IPv4, from source to destination, the other way round with `reply`."""
    if reply:
        source, destination = destination, source
    header = struct.pack(">HHHH", source[1], destination[1], 8 + len(payload), 0)
    return ip(source[0], destination[0], 17, header + payload)


def _tcp_packet(source, destination, sequence, acknowledgement, flags, payload=b""):
    header = struct.pack(">HHIIBBHHH", source[1], destination[1], sequence & 0xFFFFFFFF, acknowledgement & 0xFFFFFFFF,
                         5 << 4, flags, 65535, 0, 0)
    pseudo = _address(source[0]) + _address(destination[0]) + struct.pack(">BBH", 0, 6, len(header) + len(payload))
    header = header[:16] + struct.pack(">H", _checksum(pseudo + header + payload)) + header[18:]
    return ip(source[0], destination[0], 6, header + payload)


def tcp(segments, client=CLIENT, server=SERVER, handshake=True):
    """A connection as IPv4 packets, one per segment. A segment is bytes from the client or (True, bytes) from
    the server. A segment is only acknowledged by the next one in the other direction, which Wireshark
    accepts."""
    packets = []
    ends = [client, server]
    sequence = [1000, 5000]
    if handshake:
        packets.append(_tcp_packet(client, server, sequence[0], 0, SYN))
        packets.append(_tcp_packet(server, client, sequence[1], sequence[0] + 1, SYN | ACK))
        sequence = [number + 1 for number in sequence]
        packets.append(_tcp_packet(client, server, sequence[0], sequence[1], ACK))
    for segment in segments:
        from_server, payload = segment if isinstance(segment, tuple) else (False, segment)
        here, there = int(from_server), int(not from_server)
        packets.append(_tcp_packet(ends[here], ends[there], sequence[here], sequence[there], PSH | ACK, payload))
        sequence[here] += len(payload)
    return packets


def cut(data, *sizes):
    """Bytes in pieces of the given sizes; the last size is repeated to the end."""
    pieces, sizes = [], list(sizes)
    while data:
        size = sizes.pop(0) if len(sizes) > 1 else sizes[0]
        pieces.append(data[:size])
        data = data[size:]
    return pieces


def ethernet(packet):
    """An Ethernet frame around an IPv4 packet."""
    return bytes.fromhex("020000000002 020000000001 0800") + packet


def write(path, packets, linktype=LINKTYPE_RAW, snaplen=262144):
    """Writes packets (bytes, or (seconds, bytes), or (seconds, bytes, original length)); returns the path."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, snaplen, linktype))
        for index, packet in enumerate(packets):
            time, data, *cut = packet if isinstance(packet, tuple) else (1_700_000_000 + index / 1000, packet)
            microseconds = round(time * 1_000_000)
            captured, length = data[:snaplen], cut[0] if cut else len(data)
            file.write(struct.pack("<IIII", *divmod(microseconds, 1_000_000), len(captured), length) + captured)
    return path


def read(path):
    """(link type, [(seconds, bytes)]) of a pcap file."""
    with open(path, "rb") as file:
        data = file.read()
    order, fraction = {
        b"\xd4\xc3\xb2\xa1": ("<", 1e6),
        b"\xa1\xb2\xc3\xd4": (">", 1e6),
        b"\x4d\x3c\xb2\xa1": ("<", 1e9),
        b"\xa1\xb2\x3c\x4d": (">", 1e9),
    }[data[:4]]
    linktype = struct.unpack_from(order + "I", data, 20)[0] & 0xFFFF
    packets, position = [], 24
    while position + 16 <= len(data):
        seconds, part, length, _ = struct.unpack_from(order + "IIII", data, position)
        packets.append((seconds + part / fraction, data[position + 16:position + 16 + length]))
        position += 16 + length
    return linktype, packets
