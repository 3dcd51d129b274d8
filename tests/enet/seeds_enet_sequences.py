"""Writes seeds for fuzz_enet_sequences: the first datagrams of real captures.

usage: seeds_enet_sequences.py DIRECTORY

SPDX-License-Identifier: GPL-2.0-or-later
"""
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
CAPTURES = HERE.parents[1] / "test-captures" / "enet"
LIMIT = 4000  # bytes of a seed


def datagrams(path):
    """(source port, UDP payload) of each IPv4 packet in a classic capture file with Ethernet or raw IP."""
    data = path.read_bytes()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    link = struct.unpack_from(order + "I", data, 20)[0]
    start = {1: 14, 101: 0, 113: 16, 228: 0}.get(link)
    at = 24
    while start is not None and at + 16 <= len(data):
        length = struct.unpack_from(order + "I", data, at + 8)[0]
        packet = data[at + 16 + start:at + 16 + length]
        at += 16 + length
        if len(packet) > 28 and packet[0] == 0x45 and packet[9] == 17:
            yield struct.unpack_from(">H", packet, 20)[0], packet[28:20 + struct.unpack_from(">H", packet, 24)[0]]


# Inputs that the fuzzer found earlier.
FOUND = {
    # A checksum that may be another connection's: the expected value is not kept.
    "unverified-checksum": (
        "10388fff85db11c0d74882ff00010000ffff0000057800010000000000060000000000000000000013880000000200000002"
        "32ca4999000000019034c00085dd6ec18d3d83ff00010000000000000578000100000000b153000030600000000000001388"
        "000000020000000232ca49991014800085dda0d7320901ff000100018590020eddff85000000f778726001ff0002000285dd"
        "10256ec18d3d83ff00010000000000000578000100000000b153000030600000000000001388000000020000000232ca4999"
        "1014800085dda0d7320901ff000100018590020eddff85000000f778726001ff0002000285dd1025800085df6a66c5a18600"
        "000100000700000100010000490100000001000086000002000162a016000020a0522901000001000185df01000002000285"
        "df2010800085e179f3b84284ff000300000000a00e0000e4b54d6001ff0003800a7b2095993a5e7900000100000700000100"
        "010000490100000001000086000002000162a016000020a0522901000001000185df01000002000285df2010800085e179f3"
        "b84284ff000300000000a00e0000e4b54d6001ff0003000385e1"),
}


def main():
    target = pathlib.Path(sys.argv[1])
    for name, found in FOUND.items():
        (target / name).write_bytes(bytes.fromhex(found))
    for path in sorted(CAPTURES.glob("*.pcap")):
        seed, first = b"", None
        for port, payload in datagrams(path):
            first = first or port
            word = (port != first) << 15 | (len(seed) % 2 + 1) << 12 | min(len(payload), 0x7FF)
            if len(seed) + len(payload) > LIMIT:
                break
            seed += struct.pack(">H", word) + payload[:0x7FF]
        if seed:
            (target / path.stem).write_bytes(seed)


main()
