"""Values, streams and ENet inside DTLS and TLS: decrypted with the keys in the capture, they are dissected as
without encryption.

The content is that of other captures, which other tests compare with the engine's logs
(test-captures/README.md).

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections

import engine_logs
import tshark
import values

DTLS = tshark.CAPTURES / "dtls"
PLAIN_VALUES = tshark.CAPTURES / "variant" / "godot-4.6-udp.pcap"
PLAIN_STREAM = tshark.CAPTURES / "variant" / "godot-4.6-packet-stream.pcap"
PLAIN_ENET = tshark.CAPTURES / "enet" / "godot-4.6-none.pcap"
OPTIONS = ["-o", "godot.variant.max_elements:5000"]


def sent(name):
    """The datagrams, packets or values that were sent through the tunnel."""
    return [entry for entry in engine_logs.records(DTLS / f"{name}.openssl.log.gz") if entry["what"] == "send"]


def shown_values(path, *options, **more):
    found = []
    for frame in tshark.packets(path, *OPTIONS, *options, **more):
        found += [node for layer in frame.children if layer.name == "godot.variant" for node in values.children(layer)]
    return [(node.all("godot.variant.type_id")[0], values.read(node)) for node in found]


def test_values_in_dtls():
    path = DTLS / "godot-4.6-values.pcapng"
    inside = shown_values(path, "-d", "dtls.port==21041,godot.variant")
    assert len(inside) == len(sent("godot-4.6-values")) > 100
    outside = iter(shown_values(PLAIN_VALUES, "-d", "udp.port==21001-21010,godot.variant"))
    assert all(value in outside for value in inside)  # in the same order; values too long for a record are missing
    assert inside == shown_values(path, "-d", "dtls.port==21041,godot.variant", two_pass=True)


def test_stream_in_tls():
    path = DTLS / "godot-4.6-stream.pcapng"
    inside = shown_values(path, "-d", "tls.port==21043,godot.stream")
    assert len(inside) > 100
    assert inside == shown_values(PLAIN_STREAM, "-d", "tcp.port==21011-21029,godot.stream")


def commands(path, *options, **more):
    rows = tshark.fields(path, "enet.command", "enet.channel", "enet.sequence", "enet.data_length", arguments=[*options, "-Y", "enet"], **more)
    return [row for row in rows if row[0]]


def test_enet_in_dtls():
    """The heuristic recognises it; the commands are the same in the same order, and messages are
    reassembled."""
    path = DTLS / "godot-4.6-enet.pcapng"
    inside = commands(path)
    assert len(inside) == len(sent("godot-4.6-enet")) > 100
    assert not collections.Counter(map(repr, inside)) - collections.Counter(map(repr, commands(PLAIN_ENET)))
    assert inside == commands(path, two_pass=True)
    assert inside == commands(path, "-d", "dtls.port==21042,enet", "--disable-heuristic", "enet_dtls")
    lengths = [row for (row,) in tshark.fields(path, "enet.reassembled.length", arguments=["-Y", "enet.reassembled.length"])]
    assert lengths
