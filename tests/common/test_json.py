"""The output for scripts: -T json, -T pdml and -T fields.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import json

import pytest

import captures
import tshark

# At least one of every protocol, generation and command, and of every problem.
NAMES = [
    "debugger/godot-3.6-tcp.pcap",
    "debugger/godot-4.6-websocket.pcap",
    "enet/godot-3.6-zlib.pcap",
    "enet/godot-3.6-none-everything.pcap",
    "enet/libenet-checksum-range-coder.pcap",
    "multiplayer/godot-3.2-enet-relay.pcap",
    "multiplayer/godot-3.6-enet-calls.pcap",
    "multiplayer/godot-4.6-enet-authentication.pcap",
    "multiplayer/godot-4.6-enet-mismatch.pcap",
    "multiplayer/godot-4.6-enet-synchronizers.pcap",
    "multiplayer/godot-4.6-websocket-calls.pcap",
    "multiplayer/godot-4.6-websocket-relay.pcap",
    "multiplayer/godot-4.6-websocket-replication.pcap",
    "variant/godot-3.6-broken-udp.pcap",
    "variant/godot-4.6-mixed.pcap",
]
PATHS = [tshark.CAPTURES / name for name in NAMES]

# Keys that Wireshark itself adds to any tree.
OF_WIRESHARK = {"_ws.expert", "_ws.malformed"}

# Items without a field of their own, whose children are wanted.
NESTED = [tshark.CAPTURES / name for name in NAMES if name.endswith(("everything.pcap", "relay.pcap", "replication.pcap", "4.6-mixed.pcap"))]

each = pytest.mark.parametrize("path", PATHS, ids=NAMES)


@functools.lru_cache(maxsize=None)
def dissected(path):
    return tshark.packets(path, *captures.naturally(path))


def keys(node, ours=False):
    """The keys in and below the items of this plugin's protocols."""
    ours = ours or node.name.startswith(tshark.OURS)
    if ours:
        yield node.name
    for child in node.children:
        yield from keys(child, ours)


@functools.lru_cache(maxsize=None)
def protocols():
    return {line.split("\t")[2] for line in tshark.run(None, "-G", "protocols").stdout.splitlines()}


@each
def test_every_key_is_the_name_of_a_field(path):
    """A text-only item would be a key that changes with its text."""
    found = {key for frame in dissected(path) for key in keys(frame)}
    assert any(key.startswith(tshark.OURS) for key in found)
    assert not [key for key in found - protocols() - OF_WIRESHARK if not tshark.field_type(key)]


def all_values(tree, name):
    """Values of a field, from JSON in which equal neighbours are one list."""
    if isinstance(tree, list):
        return [value for part in tree for value in all_values(part, name)]
    if not isinstance(tree, dict):
        return []
    found = []
    for key, value in tree.items():
        if key == name:
            found += value if isinstance(value, list) else [value]
        found += all_values(value, name)
    return found


@each
def test_nothing_is_lost_without_duplicate_keys(path):
    names = ["enet.command", "enet.sequence", "godot.command", "godot.variant.type", "godot.debugger.message"]
    options = captures.naturally(path)
    text = tshark.run(path, "-T", "json", "--no-duplicate-keys", *options).stdout
    for frame, packet in zip(dissected(path), json.loads(text)):
        for name in names:
            merged = [tshark.typed(name, value) for value in all_values(packet, name)]
            assert collections.Counter(merged) == collections.Counter(frame.all(name)), (frame.number, name)


PARTS = ["enet.sequence", "godot.spawn.sync_id", "godot.relayed", "godot.variant.int", "godot.variant.float"]


@pytest.mark.parametrize("path", NESTED, ids=captures.name)
@pytest.mark.parametrize("two_pass", [False, True], ids=["one pass", "two passes"])
def test_fields_are_there_when_what_they_are_in_is_not_asked_for(path, two_pass):
    """Without a visible tree, the items above them are not made."""
    options = captures.naturally(path)
    frames = dissected(path)
    rows = tshark.fields(path, *PARTS, arguments=options, two_pass=two_pass)
    assert rows == [tuple(frame.all(name) for name in PARTS) for frame in frames]
    for name in ("enet.sequence", "godot.variant.int"):
        numbers = tshark.fields(path, "frame.number", arguments=[*options, "-Y", name], two_pass=two_pass)
        assert [number for ((number,),) in numbers] == [frame.number for frame in frames if name in frame], name
