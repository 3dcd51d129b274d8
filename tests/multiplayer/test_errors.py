"""Connections that fail: what is said about them against what the engines logged and when.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import re

import pytest

import captures
import engine_logs
import pcap
import tshark

FOLDER = tshark.CAPTURES / "multiplayer-errors"
SILENCE = ("enet.analysis.timeout", "enet.analysis.connect_unanswered")
SERVER = 22231
HEALTHY = [path for path in captures.shipped() if path.parent != FOLDER]
QUICK = ("multiplayer/godot-4.6-enet-game.pcap", "multiplayer/godot-3.6-enet-calls.pcap", "enet/godot-4.6-none-loss.pcap",
         "multiplayer-loss/godot-4.6-relay.client-side.pcap")


@functools.lru_cache(maxsize=None)
def logs(name):
    return {engine_logs.process_of(path): engine_logs.records(path) for path in FOLDER.glob(f"{name}.*.log.gz")}


def said(path, *kinds):
    """[(frame's time, (source port, destination port), kind, text)]"""
    found = []
    for frame in tshark.packets(path, "-Y", " || ".join(kinds), two_pass=True):
        ports = tuple(int(frame.nodes("udp")[0].all(f"udp.{end}port")[0]) for end in ("src", "dst"))
        time = float(frame.nodes("frame")[0].all("frame.time_relative")[0])
        found += [(time, ports, kind, text) for layer in (*frame.nodes("enet"), *frame.nodes("godot"))
                  for kind, _, text in layer.experts if kind in kinds]
    return found


def beginning(name):
    _, packets = pcap.read(FOLDER / f"{name}.pcap")
    return packets[0][0]


def test_who_has_timed_out():
    """The server gives up two of three clients, one of them the server; not long after the last attempt."""
    name = "godot-4.6-timeout"
    log = logs(name)
    ids = {process: next(r["me"] for r in log[process] if r["what"] == "connected_to_server") for process in ("client2", "client3")}
    events = {("peer_disconnected", r["id"]): r["time"] for r in log["server"] if r["what"] == "peer_disconnected" and r["id"] in ids.values()}
    events["server_disconnected", ids["client3"]] = next(r["time"] for r in log["client3"] if r["what"] == "server_disconnected")
    found = {}
    for time, ports, kind, text in said(FOLDER / f"{name}.pcap", *SILENCE):
        signal, peer = re.search(r"Peer timed out \((\w+)\).*\(peer (\d+)\)", text).groups()
        assert kind == SILENCE[0] and (ports[0] == SERVER) == (signal == "peer_disconnected")
        assert (signal, int(peer)) not in found
        found[signal, int(peer)] = beginning(name) + time
    assert found.keys() == events.keys() and len(events) == 3
    for event, time in events.items():
        assert 0 < time - found[event] < 4, event


@pytest.mark.parametrize("seconds", [5, 6.5])
def test_a_capture_that_ends_is_no_timeout(seconds, tmp_path):
    linktype, packets = pcap.read(FOLDER / "godot-4.6-timeout.pcap")
    short = pcap.write(tmp_path / "short.pcap", [p for p in packets if p[0] - packets[0][0] < seconds], linktype=linktype)
    assert not said(short, *SILENCE)


def test_connections_that_are_not_made():
    name = "godot-4.6-connect"
    kinds = {ports[1]: (kind, text) for _, ports, kind, text in said(FOLDER / f"{name}.pcap", *SILENCE)}
    unanswered = {port for port, (kind, _) in kinds.items() if kind == SILENCE[1]}
    assert unanswered == {SERVER, SERVER + 2, SERVER + 9}  # full, another compression, nobody
    assert kinds.keys() - unanswered == {SERVER + 1} and "refuse_new_connections" in kinds[SERVER + 1][1]
    for process, records in logs(name).items():
        failed = [r["what"] for r in records if r["what"] in ("connection_failed", "server_disconnected")]
        expected = {"full-client": ["connection_failed"], "compression-client": ["connection_failed"], "nobody-client": ["connection_failed"]}
        if process in expected:
            assert failed == expected[process]


def test_authentication_that_fails():
    """Both ends send credentials; one server throws the client out, at the other nobody completes."""
    name = "godot-4.6-connect"
    failed = [process for process, records in logs(name).items() for r in records if r["what"] == "authentication_failed"]
    assert sorted(failed) == ["reject-client", "wait-client", "wait-server"]
    found = said(FOLDER / f"{name}.pcap", "godot.sys.auth_failed")
    assert sorted({SERVER + 3, SERVER + 4} & set(ports) for _, ports, _, _ in found) == [{SERVER + 3}] * 2 + [{SERVER + 4}] * 2
    assert all("peer_authentication_failed" in text for *_, text in found)


@pytest.mark.parametrize("capture", captures.slow_unless(QUICK, HEALTHY), ids=captures.name)
def test_nothing_is_said_of_connections_that_work(capture):
    assert not said(capture, *SILENCE)
