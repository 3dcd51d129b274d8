"""The times at which synchronizers send states: `godot.sync.interval` and `.jitter`.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections

import pytest

import tshark

CAPTURES = ["multiplayer/godot-4.6-enet-replication.pcap", "multiplayer/godot-4.6-websocket-replication.pcap",
            "multiplayer-loss/godot-4.6-replication.server-side.pcap"]


def states(path, two_pass):
    """(sender and receiver, time, the item) of each state of a synchronizer in packets that are not
    repetitions."""
    for frame in tshark.packets(path, two_pass=two_pass):
        time = frame.layer("frame").one("frame.time_relative")
        for layer in frame.children:
            if layer.name == "godot" and layer.all("godot.sync.time"):
                (session,), (source,) = layer.all("godot.session"), layer.all("godot.source")
                for entry in layer.nodes("godot.sync.entry"):
                    ids = entry.all("godot.sync.net_id"), entry.all("godot.sync.path_id")
                    yield (session, source, str(ids)), float(time), entry, bool(layer.all("godot.repeated"))


@pytest.mark.parametrize("name", CAPTURES)
def test_intervals(name):
    last, steps, jitter = {}, collections.defaultdict(list), collections.defaultdict(list)
    for key, time, entry, repeated in states(tshark.CAPTURES / name, True):
        found = entry.all("godot.sync.interval")
        if repeated or key not in last:
            assert not found and not entry.all("godot.sync.jitter")
        else:
            assert found == [pytest.approx(time - last[key], abs=2e-6)]
            steps[key] += found
            jitter[key] += entry.all("godot.sync.jitter")
        if not repeated:
            last[key] = time
    assert sum(map(len, steps.values())) > 100
    for key, lengths in steps.items():
        median = sorted(lengths)[len(lengths) // 2]
        assert jitter[key] == pytest.approx([length - median for length in lengths], abs=1e-8)


def test_one_pass():
    """The median is known after the whole file was read."""
    entries = [entry for _, _, entry, _ in states(tshark.CAPTURES / CAPTURES[0], False)]
    assert any(entry.all("godot.sync.interval") for entry in entries)
    assert not any(entry.all("godot.sync.jitter") for entry in entries)
