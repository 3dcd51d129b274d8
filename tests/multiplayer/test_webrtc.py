"""WebRTC data channels: SCTP messages with the payload protocol id of binary messages.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import struct

import pytest

import pcap
import tshark

BINARY = 53


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


WHOLE, UNORDERED = 3, 4


def sctp(payload, stream=1, flags=WHOLE):
    """One DATA chunk with a whole message."""
    chunk = struct.pack(">BBHIHHI", 0, flags, 16 + len(payload), 1, stream, 0, BINARY) + payload
    chunk += bytes(-len(chunk) % 4)
    header = struct.pack(">HHI", 5000, 5000, 1)
    checksum = struct.pack("<I", crc32c(header + bytes(4) + chunk))
    return pcap.ip(pcap.CLIENT[0], pcap.SERVER[0], 132, header + checksum + chunk)


VALUE = bytes.fromhex("1c000000020000000200000001000000040000000200000068690000")
ADD_PEER = bytes.fromhex("070178563412")


@pytest.mark.parametrize(
    "payload,options,field,value",
    [
        (VALUE, ["-d", "sctp.ppi==53,godot.variant"], "godot.variant.text", '[1, "hi"]'),
        (VALUE, ["--enable-heuristic", "godot_variant_sctp"], "godot.variant.text", '[1, "hi"]'),
        (ADD_PEER, ["-d", "sctp.ppi==53,godot"], "godot.sys.peer", 0x12345678),
        (ADD_PEER, ["--enable-heuristic", "godot_sctp"], "godot.sys.peer", 0x12345678),
    ],
)
def test_message(tmp_path, payload, options, field, value):
    path = pcap.write(tmp_path / "webrtc.pcap", [sctp(payload)])
    assert tshark.fields(path, field, arguments=options) == [([value],)]


@pytest.mark.parametrize("stream, flags, mode, channel", [
    (1, WHOLE, "reliable", 0),
    (2, WHOLE, "unreliable ordered", 0),
    (3, WHOLE | UNORDERED, "unreliable", 0),
    (4, WHOLE | UNORDERED, "unreliable", 1),
    (6, WHOLE, None, 3), # reliable or ordered
    (0, WHOLE, None, None), # none of these is used by WebRTCMultiplayerPeer
])
def test_transfer(tmp_path, stream, flags, mode, channel):
    """The stream number determines the channel and, on channel 0, the mode."""
    path = pcap.write(tmp_path / "webrtc.pcap", [sctp(ADD_PEER, stream, flags)])
    (frame,) = tshark.packets(path, "-d", "sctp.ppi==53,godot")
    assert (frame.all("godot.transfer_mode"), frame.all("godot.channel")) == ([mode] if mode else [], [channel] if channel is not None else [])
