"""Datagrams and files whose few bytes contain much.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import struct
import zlib

import enet_packets
import pcap
import records

PINGS, FEW = 1000, 30
COMPRESSED = 0x4000

# FEW and PINGS times Ping 2, as ENet's range coder and as Zstandard (level 19) write them.
RANGE_CODER = [bytes.fromhex(text) for text in ("86788bb066205ff6f6ed6523b57f", "86788bb066205ff6f6ed9ad1165d2e211d6529b1")]
ZSTANDARD = [bytes.fromhex(text) for text in ("28b52ffd20785500002085ff00020100517a89", "28b52ffd60a00e5d00002085ff0002010099e75f22")]


def datagram(body, time):
    """A compressed datagram of the client."""
    head = struct.pack(">HH", 0x8000 | COMPRESSED, time & 0xFFFF)
    return pcap.udp(head + body, enet_packets.Connection().client, enet_packets.SERVER)


def capture(folder, few, bodies):
    """A connection that begins with an ordinary datagram, which shows its compressor."""
    packets = enet_packets.Connection().open() + [datagram(few, 99)]
    packets += [datagram(body, time) for time, body in enumerate(bodies, 100)]
    return pcap.write(folder / "capture.pcap", packets)


def pings(number, count=PINGS):
    """Pings compressed with zlib."""
    return zlib.compress(struct.pack(">BBH", 0x85, 0xFF, number & 0xFFFF) * count, 9)


def zlib_pings(folder, n):
    return capture(folder, pings(2, FEW), (pings(3 + i) for i in range(n)))


def range_pings(folder, n):
    return capture(folder, RANGE_CODER[0], RANGE_CODER[1:] * n)


def zstd_pings(folder, n):
    return capture(folder, ZSTANDARD[0], ZSTANDARD[1:] * n)


def unreliable(number, payload):
    return struct.pack(">BBHHH", 0x07, 0, 0, number & 0xFFFF, len(payload)) + payload


def zlib_values(folder, n):
    """Each datagram has a call with an array of 900 nulls."""
    call = records.call(1, 0, struct.pack("<II", 28, 900) + bytes(4 * 900))
    commands = [unreliable(0, records.simplify("0" * 32, 1, "Main")), *(unreliable(i, call) for i in range(1, n + 1))]
    return capture(folder, pings(2, FEW), (zlib.compress(command, 9) for command in commands))


def zlib_fragments(folder, n):
    """Fragments of 4,000 zeroes of messages that are never complete."""
    heads = (struct.pack(">BBHHHIIII", 0x0C, i % 3, 0, i // 3 + 1, 4000, 2, 0, 8000, 0) for i in range(n))
    return capture(folder, pings(2, FEW), (zlib.compress(head + bytes(4000), 9) for head in heads))


def stored_file(folder, n):
    """A file of store_var(): 16 KiB of zeroes for each n in an array of bytes, compressed."""
    value = struct.pack("<II", 29, n << 14) + bytes(n << 14)
    content = struct.pack("<I", len(value)) + value
    blocks = [zlib.compress(content[at : at + 65536], 9) for at in range(0, len(content) + 1, 65536)]
    sizes = b"".join(struct.pack("<I", len(block)) for block in blocks)
    path = folder / "save.dat"
    path.write_bytes(b"GCPF" + struct.pack("<III", 1, 65536, len(content)) + sizes + b"".join(blocks) + b"GCPF")
    return path


KINDS = {
    "datagrams of 1,000 pings, zlib": (200, ("-V",), zlib_pings),
    "datagrams of 1,000 pings, range coder": (200, ("-V",), range_pings),
    "datagrams of 1,000 pings, Zstandard": (200, ("-V",), zstd_pings),
    "datagrams of 1,000 pings, statistics": (500, ("-q", "-z", "enet,tree"), zlib_pings),
    "calls with 900 nulls, zlib": (20, ("-V",), zlib_values),
    "fragments of 4,000 zeroes, zlib": (100, ("-q", "-z", "enet,tree"), zlib_fragments),
    "a stored file of zeroes": (128, ("-V",), stored_file),
}
