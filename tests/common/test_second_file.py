"""A capture that is opened after others in the same process is shown as if opened alone.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools

import pytest

import projects
import sharkd
import tshark

# Captures of every module. Each follows one of another kind and, in the slow run, each of the others.
NAMES = ("multiplayer/godot-4.6-enet-synchronizers.pcap", "recorder/godot-4.6-enet-reconnect.server.pcapng",
         "multiplayer/godot-4.6-enet-mismatch.pcap", "multiplayer/godot-3.6-enet-reconnect.pcap",
         "recorder/godot-4.6-enet-reconnect.client1.pcapng", "multiplayer-spawn-function/godot-4.6.pcap",
         "recorder/godot-4.6-enet-replication.client1.pcapng", "debugger/x11-port-6007.pcap", "debugger/godot-3.6-tcp.pcap",
         "multiplayer/godot-4.6-websocket-authentication.pcap", "variant/godot-3.6-joined.pcap", "variant-enet/godot-4.6.pcap",
         "multiplayer/godot-4.6-enet-properties.pcap", "enet/libenet-1.3.5.pcap", "recorder/godot-4.6-peers.raw_peers.pcapng",
         "variant/godot-4.6-mixed.pcap", "enet/two-connections-in-turns.pcap", "recorder/godot-4.6-peers.to_everybody.pcapng",
         "multiplayer/godot-4.6-enet-reconnect.pcap", "files/godot-3.6-plain.dat", "files/godot-4.6-big-endian.dat",
         "files/godot-4.6-fastlz.dat")
AGAIN = ("multiplayer-loss/godot-4.6-replication.client-side.pcap", "multiplayer-errors/godot-4.6-refused.pcap",
         "multiplayer/godot-4.6-enet-relay.pcap", "multiplayer/godot-3.6-enet-replies.pcap", *NAMES[::-1])
PREFERENCES = {"godot.stream.tcp.port": "21011-21016", "godot.rpc_reply_conventions": "TRUE"}
GAMES = ("synchronizers4", "rpc4", "rpc3", "mismatch4-server", "spawnfunction4", "refused4", "replication4")
TAPS = {"tap0": "expert", "tap1": "stat:enet", "tap2": "stat:godot", "tap3": "srt:godot", "tap4": "srt:enet"}


@functools.lru_cache(maxsize=None)
def preferences():
    (_, assignment) = projects.option(*GAMES)
    name, _, value = assignment.partition(":")
    return {name: value, **PREFERENCES}


def session():
    """Freed memory is overwritten."""
    return sharkd.Session(heuristics=["enet_udp", "godot_stream_tcp", "godot_variant_udp"], preferences=preferences(),
                          WIRESHARK_DEBUG_WMEM_OVERRIDE="simple", MALLOC_PERTURB_="165")


def shown(opened, name):
    """The packet list, every frame's tree and the statistics."""
    opened.load(tshark.CAPTURES / name)
    return opened.frames(), opened.every_frame(), opened.taps(TAPS)


@functools.lru_cache(maxsize=None)
def alone(name):
    with session() as opened:
        return shown(opened, name)


@pytest.fixture(scope="module")
def long_open():
    with session() as opened:
        yield opened


def compare(opened, name):
    expected, found = alone(name), shown(opened, name)
    assert len(expected[0]) == len(found[0]) == len(found[1])
    for what, of_alone in enumerate(expected):
        for one, other in zip(of_alone, found[what]):
            assert one == other
        assert len(of_alone) == len(found[what])


@pytest.mark.parametrize("name", NAMES)
def test_shows_the_same_as_alone(long_open, name):
    compare(long_open, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", AGAIN)
def test_again(long_open, name):
    compare(long_open, name)


def test_project_is_changed_between_two_captures(long_open):
    """Names are those of the current project; without a project, there are none."""
    name = "multiplayer/godot-4.6-enet-synchronizers.pcap"
    with_names = shown(long_open, name)
    long_open.set_preference("godot.project", "")
    without = shown(long_open, name)
    long_open.set_preference("godot.project", preferences()["godot.project"])
    assert with_names == alone(name) == shown(long_open, name)
    numbered = [sum(frame.count(b"Watched property 0") for frame in what[1]) for what in (with_names, without)]
    assert numbered[0] == 0 and numbered[1] > 10
