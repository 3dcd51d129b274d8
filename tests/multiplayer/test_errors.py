"""Connections that fail: the expert infos compared with the engines' logs and their times.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import re

import pytest

import captures
import engine_logs
import pcap
import projects
import tshark

FOLDER = tshark.CAPTURES / "multiplayer-errors"
TIMEOUTS = ("enet.analysis.timeout", "enet.analysis.connect_unanswered")
REFUSALS = ("godot.rpc.wrong_arguments", "godot.rpc.not_allowed", "godot.rpc.method_not_found", "godot.rpc.method_missing")
SERVER = 22231
# In these the engines print errors on purpose: test_engine_errors.py, test_debugged.py and test_said.py compare them.
WITH_ERRORS = {FOLDER, *(tshark.CAPTURES / name for name in (
    "multiplayer-authority", "multiplayer-debugged", "multiplayer-ends", "recorder/reports"))}
HEALTHY = [path for path in captures.shipped() if path.parent not in WITH_ERRORS]
QUICK = ("multiplayer/godot-4.6-enet-game.pcap", "multiplayer/godot-3.6-enet-calls.pcap", "enet/godot-4.6-none-loss.pcap",
         "multiplayer-loss/godot-4.6-relay.client-side.pcap")


@functools.lru_cache(maxsize=None)
def logs(name):
    return {engine_logs.process_of(path): engine_logs.records(path) for path in FOLDER.glob(f"{name}.*.log.gz")}


def said(path, *kinds, options=()):
    """[(frame's time, (source port, destination port), kind, text)]"""
    found = []
    for frame in tshark.packets(path, "-Y", " || ".join(kinds), *options, two_pass=True):
        ports = tuple(int(frame.nodes("udp")[0].all(f"udp.{end}port")[0]) for end in ("src", "dst"))
        time = float(frame.nodes("frame")[0].all("frame.time_relative")[0])
        found += [(time, ports, kind, text) for layer in (*frame.nodes("enet"), *frame.nodes("godot"))
                  for kind, _, text in layer.experts if kind in kinds]
    return found


def beginning(name):
    _, packets = pcap.read(FOLDER / f"{name}.pcap")
    return packets[0][0]


def test_who_has_timed_out():
    """The server times out two of three clients, and one of these times out the server; not long after the
    last attempt."""
    name = "godot-4.6-timeout"
    log = logs(name)
    ids = {process: next(r["me"] for r in log[process] if r["what"] == "connected_to_server") for process in ("client2", "client3")}
    events = {("peer_disconnected", r["id"]): r["time"] for r in log["server"] if r["what"] == "peer_disconnected" and r["id"] in ids.values()}
    events["server_disconnected", ids["client3"]] = next(r["time"] for r in log["client3"] if r["what"] == "server_disconnected")
    found = {}
    for time, ports, kind, text in said(FOLDER / f"{name}.pcap", *TIMEOUTS):
        signal, peer = re.search(r"Peer timed out \((\w+)\).*\(peer (\d+)\)", text).groups()
        assert kind == TIMEOUTS[0] and (ports[0] == SERVER) == (signal == "peer_disconnected")
        assert (signal, int(peer)) not in found
        found[signal, int(peer)] = beginning(name) + time
    assert found.keys() == events.keys() and len(events) == 3
    for event, time in events.items():
        assert 0 < time - found[event] < 4, event


@pytest.mark.parametrize("seconds", [5, 6.5])
def test_a_capture_that_ends_is_no_timeout(seconds, tmp_path):
    linktype, packets = pcap.read(FOLDER / "godot-4.6-timeout.pcap")
    short = pcap.write(tmp_path / "short.pcap", [p for p in packets if p[0] - packets[0][0] < seconds], linktype=linktype)
    assert not said(short, *TIMEOUTS)


def test_connections_that_are_not_made():
    name = "godot-4.6-connect"
    kinds = {ports[1]: (kind, text) for _, ports, kind, text in said(FOLDER / f"{name}.pcap", *TIMEOUTS)}
    unanswered = {port for port, (kind, _) in kinds.items() if kind == TIMEOUTS[1]}
    assert unanswered == {SERVER, SERVER + 2, SERVER + 9}  # full, another compression, no server
    assert kinds.keys() - unanswered == {SERVER + 1} and "refuse_new_connections" in kinds[SERVER + 1][1]
    for process, records in logs(name).items():
        failed = [r["what"] for r in records if r["what"] in ("connection_failed", "server_disconnected")]
        expected = {"full-client": ["connection_failed"], "compression-client": ["connection_failed"], "nobody-client": ["connection_failed"]}
        if process in expected:
            assert failed == expected[process]


def test_authentication_that_fails():
    """Both ends send credentials; one server disconnects the client, at the other one neither end completes
    authentication."""
    name = "godot-4.6-connect"
    failed = [process for process, records in logs(name).items() for r in records if r["what"] == "authentication_failed"]
    assert sorted(failed) == ["reject-client", "wait-client", "wait-server"]
    found = said(FOLDER / f"{name}.pcap", "godot.sys.auth_failed")
    assert sorted({SERVER + 3, SERVER + 4} & set(ports) for _, ports, _, _ in found) == [{SERVER + 3}, {SERVER + 4}]  # once for each connection
    assert all("peer_authentication_failed" in text for *_, text in found)


@pytest.fixture(scope="module")
def every_project():
    return projects.option(*(path.name for path in (tshark.CAPTURES / "projects").iterdir() if path.is_dir()))


@pytest.mark.parametrize("capture", captures.slow_unless(QUICK, HEALTHY), ids=captures.name)
def test_no_warnings_without_errors(capture, every_project):
    """With all projects. test_refused.py compares what engines printed in the captures of calls."""
    assert not said(capture, *TIMEOUTS, *(() if "calls" in capture.name else REFUSALS), options=every_project)


# Packets that no engine sends, by the sender's names for them, and their expert infos; None if the engine
# prints nothing either.
BROKEN = {
    "call without a method": "godot.problem.too_short", "call with a node id of no size": "godot.problem.id_size",
    "call with a path beyond its end": "godot.problem.path_offset", "call to a path id that was not announced": "godot.path.undefined",
    "call to a node that is not there": "godot.rpc.call", "announcement that is too short": "godot.problem.too_short", "announcement": None,
    "announcement of the same id": "godot.path.redefined", "announcement of a node that is not there": "godot.path.node_not_found",
    "announcement with another checksum": "godot.path.checksum", "call with too few bytes of arguments": "godot.problem.value",
    "call of a method that is not there": "godot.rpc.call", "confirmation that is too short": "godot.problem.too_short",
    "confirmation of what was not announced": "godot.path.confirms_nothing", "raw packet without bytes": "godot.problem.too_short",
    "spawn that is too short": "godot.problem.too_short", "spawn by a spawner that is not there": "godot.spawn.spawner_id",
    "despawn that is too short": "godot.problem.too_short", "despawn of what was not spawned": "godot.net_id.unknown",
    "synchronization that is too short": "godot.problem.too_short", "synchronization of what is not there": "godot.net_id.unknown",
    "delta of what is not there": "godot.net_id.unknown", "system message that is too short": "godot.problem.too_short",
    "system message that is not known": "godot.problem.subcommand", "add peer by a client": "godot.sys.not_server",
    "relay without a packet": "godot.problem.too_short",
}  # fmt: skip
# The engine prints nothing about these, which is correct: they may refer to packets before the capture.
NOT_PRINTED = {"announcement", "confirmation of what was not announced", "synchronization of what is not there"}


def test_packets_that_no_engine_makes():
    """Each has an expert info of its kind if the engine prints an error, or a field with the problem."""
    name = "godot-4.6-broken"
    printed, errors = {}, []
    for record in logs(name)["server"]:
        if record["what"] == "raw":
            printed[bytes.fromhex(record["hex"]).decode()], errors = errors, []
        elif record["what"] == "print" and record["text"].startswith("ERROR: "):
            errors.append(record["text"])
    assert printed.keys() == BROKEN.keys() == {r["name"] for r in logs(name)["client"] if r["what"] == "put_packet"}
    assert {title for title, texts in printed.items() if not texts} == NOT_PRINTED
    options = ("-Y", f"godot && udp.dstport == {SERVER}", "-d", "enet.payload,godot")
    packets = [layer for frame in tshark.packets(FOLDER / f"{name}.pcap", *options, two_pass=True) for layer in frame.nodes("godot")]
    for title, layer in zip(BROKEN, packets[::2], strict=True):
        kinds = {kind for kind, _, _ in layer.experts}
        wanted = BROKEN[title]
        assert wanted is None or wanted in kinds or wanted in layer, (title, kinds)
