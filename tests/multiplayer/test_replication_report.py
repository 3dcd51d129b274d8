"""`-z godot,replication` compared with the logs of the engines of two clients.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import dataclasses
import functools
import json
import re
import struct
import subprocess

import pytest

import enet_packets
import engine_logs
import pcap
import projects
import tshark
from test_multiplayer import own_project
from two_points import FOLDER, merged, translated

NAME = "godot-4.6-replication"
HANDOVER = "godot-4.6-handover"
PLAYERS = "godot-4.6-players"
PEER = r"(?:peer )?(\d+|a peer that is not known)"
FLOW = re.compile(rf"    (?:from {PEER} )?to {PEER}: (\d+) (?:sent|captured|passed on by the server)(?:, (\d+) delivered, (\d+) lost)?(.*)$")
LAST = re.compile(r"      last (?:delivered|sent|passed on): (.*) in frame (\d+) at ([\d.]+) s, (?:age at the end ([\d.]+)|despawned there at ([\d.]+)) s(?:, longest without a newer one ([\d.]+) s \(frames (\d+) to (\d+)\))?$")


@dataclasses.dataclass
class Flow:
    sent: int
    delivered: int
    lost: int
    again: int = 0
    passed_on: int = 0
    ignored: int = 0
    unacknowledged: int = 0
    gone: int = 0
    last: str = ""
    frame: int = 0
    time: float = 0
    age: float | None = 0  # None: the node was despawned
    despawned: float = 0
    longest: float = 0


def flow_of(match):
    flow = Flow(int(match[3]), *(int(match[n]) if match[n] else None for n in (4, 5)))
    for number, what in re.findall(r", (\d+) ([a-z ]+)", match[6]):
        flow.again += int(number) * (what == "sent again")
        flow.passed_on += int(number) * (what == "passed on by the server")
        flow.ignored += int(number) * what.startswith(("before", "after", "late"))
        flow.unacknowledged += int(number) * what.startswith("never acknowledged")
        flow.gone += int(number) * what.startswith("after")
    return flow


def report(path, *options, **changes):
    """({(node, property, sender, receiver): Flow}, {(node, property): {writer: first and last frame}}, other
    lines); the sender is 0 if there is only one"""
    flows, writers, others, at, flow = {}, {}, [], None, None
    for line in tshark.run(path, "-q", *tshark.BY_ID, "-z", "godot,replication", *options, **changes).stdout.splitlines():
        if match := FLOW.match(line):
            peers = [int(peer) if peer and peer.isdigit() else 0 for peer in (match[1], match[2])]
            flow = flows[(*at, *peers)] = flow_of(match)
        elif match := LAST.match(line):
            flow.last, flow.frame, flow.time = match[1], int(match[2]), float(match[3])
            flow.age = float(match[4]) if match[4] else None
            flow.despawned, flow.longest = float(match[5] or 0), float(match[6] or 0)
        elif match := re.match(r"  (\S+) (.+), written by (.*)$", line):
            at = match[1], match[2]
            writers[at] = {int(writer): (int(first), int(last)) for writer, first, last in re.findall(r"(\d+) \(frames (\d+) to (\d+)\)", match[3])}
        else:
            others.append(line)
    return flows, writers, others


@functools.lru_cache(maxsize=None)
def both_points():
    return report(merged(NAME), *own_project(NAME), two_pass=True)


@functools.lru_cache(maxsize=None)
def told(stem=FOLDER / NAME):
    """{(node, property, client): [values in the order in which the client received them, from the packets
    that always have the property]}"""
    values = collections.defaultdict(list)
    for log in sorted(stem.parent.glob(f"{stem.name}.client*.log.gz")):
        records = engine_logs.records(log)
        (me,) = {record["me"] for record in records if "me" in record}
        for record in records:
            if record["what"] in ("spawn_state", "synchronized"):
                for name, value in record["values"].items():
                    values[record["node"], name, me].append(value)
    return values


def changed_properties(stem=FOLDER / NAME):
    """Properties for which the logs have all values at each change, so that they cannot be counted."""
    found = set()
    for log in stem.parent.glob(f"{stem.name}.client*.log.gz"):
        for record in engine_logs.records(log):
            if record["what"] == "delta_synchronized":
                found |= {(record["node"], name) for name in record["values"]}
    return found


def test_what_arrived_is_what_the_clients_logged():
    """The same number, and the last value; also of nodes whose SPAWN had to wait in ENet for an earlier
    message."""
    flows, _, _ = both_points()
    equal = 0
    for (node, name, client), logged in told().items():
        if (node, name) in changed_properties() or (node, name, 0, client) not in flows:
            continue
        flow = flows[node, name, 0, client]
        assert (flow.delivered - flow.ignored, flow.last) == (len(logged), logged[-1]), (node, name, client)
        equal += 1
    assert equal > 14
    assert any(flow.ignored for flow in flows.values())


def test_what_was_lost_is_what_never_arrived():
    """Unreliable updates: sent, delivered or lost, except for the last ones, after which the other point has
    captured nothing."""
    flows, _, _ = both_points()
    assert sum(flow.lost > 0 for flow in flows.values()) > 10
    for key, flow in flows.items():
        assert flow.sent - flow.delivered - flow.lost in (0, 1), key


@functools.lru_cache(maxsize=None)
def handover():
    return report(translated(HANDOVER), *projects.option("handover4"), two_pass=True)


@functools.lru_cache(maxsize=None)
def values_of(process):
    """(peer, {(node, property): [(seconds since the start of the capture, value)]}) of the values that a
    process of that scenario received"""
    (log,) = FOLDER.glob(f"{HANDOVER}.{process}.log.gz")
    began = min(packets[0][0] for packets in (pcap.read(FOLDER / f"{HANDOVER}.{side}-side.pcap")[1] for side in ("client", "server")))
    values, me = collections.defaultdict(list), 1
    for record in engine_logs.records(log):
        me = record.get("me", me)
        if record["what"] == "told":
            values[record["node"], record["property"]].append((record["at"] / 1e6 - began, record["text"]))
    return me, values


POLL = 0.06  # seconds in which an engine polls, and more if the machine is busy


@pytest.mark.parametrize("client", ["client1", "client2"])
def test_each_value_is_told_when_the_client_logs_it(client):
    """Properties with one writer: number, last value, time, and the longest time between two. One client
    waited two seconds for a message that was lost three times, while ENet held later ones."""
    flows, writers, _ = handover()
    me, values = values_of(client)
    compared = 0
    for (node, name), logged in values.items():
        if len(writers[node, name]) > 1:
            continue
        flow, times = flows[node, name, 0, me], [time for time, _ in logged]
        assert flow.delivered - flow.ignored == len(logged), (node, name)
        assert logged[-1][1].startswith(flow.last.removesuffix("…")) and flow.last
        assert -0.01 < times[-1] - flow.time < POLL
        assert abs(flow.longest - max([0, *(b - a for a, b in zip(times, times[1:]))])) < POLL
        compared += 1
    assert compared == 9  # of three nodes


def test_a_client_that_is_killed():
    """It logs what it receives until it is killed; its host receives more afterwards."""
    flows, _, _ = handover()
    me, values = values_of("client3")
    logged = values["Main/World/Tower", "place"]
    flow = flows["Main/World/Tower", "place", 0, me]
    assert flow.delivered - flow.ignored > len(logged) > 5 and flow.time > logged[-1][0]
    assert all(flow.unacknowledged == 0 for (_, _, _, to), flow in flows.items() if to != me)
    assert any(flow.unacknowledged for (_, _, _, to), flow in flows.items() if to == me)


def test_more_than_one_writer():
    """The server and a client; the last value of each writer is the last one that the others received."""
    flows, writers, others = handover()
    writer, _ = values_of("client1")
    assert {at for at, peers in writers.items() if len(peers) > 1} == {("Main/World/Rider", name) for name in ("place", "health", "story")}
    assert all(set(peers) in ({1}, {1, writer}) for peers in writers.values())
    assert sum(line.startswith(f"    both peer 1 and peer {writer} write from frame ") for line in others) == 2  # the text did not change meanwhile
    for client in ("server", "client2"):
        me, values = values_of(client)
        flow, logged = flows["Main/World/Rider", "place", writer, me], values["Main/World/Rider", "place"]
        told_by_writer = [(time, text) for time, text in logged if int(text) > 1000]
        assert flow.last == told_by_writer[-1][1] and -0.01 < told_by_writer[-1][0] - flow.time < POLL
        # Values that arrived before the receiver changed the authority were refused.
        assert flow.delivered - flow.ignored >= len(told_by_writer) > 3


def test_updates_of_a_node_that_is_gone():
    """The server despawns a node that a client writes: updates that were in transit. It printed that it has
    no such node."""
    flows, _, _ = handover()
    writer, _ = values_of("client1")
    errors = [record["text"] for record in engine_logs.records(FOLDER / f"{HANDOVER}.server.log.gz") if "Node not found" in record.get("text", "")]
    assert flows["Main/World/Rider", "place", writer, 1].gone == len(errors) == 1


def test_one_pass():
    """Acknowledgements are later in the file: updates without one are not reported in one pass."""
    for two_pass in (False, True):
        *_, others = report(translated(HANDOVER), *projects.option("handover4"), two_pass=two_pass)
        assert any("One pass: with -2" in line for line in others) == (not two_pass)
        assert any("Never acknowledged" in line for line in others) == two_pass


def rows_of(path, *options):
    """A row for each value that the capture does not repeat."""
    file = tshark.workplace() / "rows.jsonl"
    file.touch()
    file.chmod(0o666)
    tshark.run(path, "-q", "-z", f"godot,values,{file}", *options, two_pass=True)
    return [row for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()) if not row["repeated"]]


def rows_by_way(rows):
    """{(node, property, from, to): ([rows of the writer's values], [rows of values passed on by the
    server])}"""
    ways = collections.defaultdict(lambda: ([], []))
    for row in rows:
        ways[row["node"], row["property"], row["from"], row["to"]][row["sender"] != row["from"]].append(row)
    return ways


@pytest.mark.parametrize("name", [NAME, PLAYERS])
@pytest.mark.parametrize("side", ["client", "server"])
def test_numbers_are_those_of_the_rows(name, side):
    """At one point: values sent by a writer and passed on by the server; ages and gaps from the times of the
    packets nearer to the receiver."""
    path = FOLDER / f"{name}.{side}-side.pcap"
    options = own_project(NAME) if name == NAME else projects.option("players4")
    frames = dict((number[0], float(time[0])) for number, time in tshark.fields(path, "frame.number", "frame.time_relative"))
    rows = rows_by_way(rows_of(path, *options))
    flows, writers, others = report(path, *options, two_pass=True)
    assert any("One capture point" in line for line in others)
    compared = relayed = 0
    written = collections.defaultdict(list)
    for (node, what, writer, listener), (sent, passed_on) in rows.items():
        assert writer in writers[node, what]
        written[node, what, writer] += [row["frame"] for row in sent or passed_on]
        flow = flows[node, what, writer if len(writers[node, what]) > 1 else 0, listener]
        nearest = passed_on or sent
        times = [frames[row["frame"]] for row in nearest]
        assert flow.delivered is None and (flow.sent, flow.passed_on, flow.frame) == (len(sent), len(passed_on), nearest[-1]["frame"])
        assert flow.time == round(times[-1], 2) and abs(flow.longest - max([0, *map(float.__sub__, times[1:], times)])) < 0.006
        compared += 1
        relayed += bool(passed_on)
    assert compared == len(flows) and (compared > 30 if name == NAME else relayed == 12)
    for (node, what, writer), of in written.items():
        assert writers[node, what][writer] == (min(of), max(of))


@pytest.mark.parametrize("but, receivers", [(1, set()), (5, {1})])
def test_what_the_server_is_told_for_others(tmp_path, but, receivers):
    """A state for all peers but the server was not sent to the server itself; a state for all but another
    peer was."""
    state = b"\x06\x01\0" + (0x80000001).to_bytes(4, "little") + (4).to_bytes(4, "little") + bytes(4)
    connection = enet_packets.Connection()
    packets = [*connection.open(), connection.message(b"\x01" + b"0" * 32 + b"\0\1\0\0\0N\0"),
               connection.message(struct.pack("<BBi", 7, 3, -but) + state)]
    path = pcap.write(tmp_path / "others.pcap", packets)
    assert len(tshark.fields(path, "godot.sync.time", arguments=("-Y", "godot.sync.time", "-d", "enet.payload,godot"))) == 1
    flows, _, _ = report(path, "-d", "enet.payload,godot", two_pass=True)
    assert {key[3] for key in flows} == receivers


@pytest.mark.parametrize("name", [NAME, HANDOVER])
def test_first_difference(name):
    """One client did not get a value that another one got: the datagram of the former is lost on the network,
    the latter has it."""
    path, (_, _, others) = (merged(NAME), both_points()) if name == NAME else (translated(HANDOVER), handover())
    lines = [line for line in others if "first difference" in line]
    assert lines
    found = {number[0]: (lost, sent, again) for number, lost, sent, again in tshark.fields(
        path, "frame.number", "enet.analysis.lost", "godot.sync.time", "enet.analysis.second_point", two_pass=True)}
    for line in lines:
        missed, value, missed_net, missed_frame, had, had_net, had_frame = re.search(
            r": peer (\d+) did not get (.*) \(net frame (\d+), lost after frame (\d+)\), peer (\d+) did \(net frame (\d+), in frame (\d+)\)$", line).groups()
        lost, times, _ = found[int(missed_frame)]
        assert missed != had and lost and int(missed_net) in times
        lost, times, second = found[int(had_frame)]
        assert not lost and second and int(had_net) in times


def test_what_stands_out():
    """Before the properties: the first of all differences, two writers, the longest time, unacknowledged
    updates."""
    flows, writers, others = handover()
    differences = [int(re.search(r"lost after frame (\d+)", line)[1]) for line in others if "    first difference" in line]
    (first,) = [re.search(r"frame (\d+); in all (\d+) properties", line) for line in others if line.startswith("  First difference: ")]
    assert (int(first[1]), int(first[2])) == (min(differences), len(differences))
    contested = [line for line in others if line.startswith("    both ")]
    (two,) = [line for line in others if line.startswith("  Two writers at once: ")]
    assert two.startswith("  Two writers at once: Main/World/Rider ") and two.endswith(f"in all {len(contested)} properties")
    (longest,) = [re.search(r": (\S+) (\S+) from peer (\d+) to peer (\d+), ([\d.]+) s", line) for line in others if line.startswith("  Longest without")]
    node, name, sender, receiver, seconds = longest.groups()
    always = {key: flow for key, flow in flows.items() if key[1] == "place"}
    assert float(seconds) == max(flow.longest for flow in always.values())
    assert float(seconds) in [flow.longest for key, flow in always.items() if key[:2] == (node, name) and key[3] == int(receiver)]
    (never,) = [re.search(r"acknowledged: (\d+) reliable updates, the first in frame (\d+): ", line) for line in others if line.startswith("  Never")]
    assert int(never[1]) == sum(flow.unacknowledged for flow in flows.values()) > 0


# --- clients that own a node: what they tell each other is relayed by the server ---

@functools.lru_cache(maxsize=None)
def players():
    """(id of each client, {(receiver, owner, property): [(seconds since the start of the capture, value)]})
    as logged by the engines"""
    began = min(packets[0][0] for packets in (pcap.read(FOLDER / f"{PLAYERS}.{side}-side.pcap")[1] for side in ("client", "server")))
    ids, told_values = {}, collections.defaultdict(list)
    for process in ("server", "client1", "client2", "client3"):
        records = engine_logs.records(FOLDER / f"{PLAYERS}.{process}.log.gz")
        me = ids[process] = next((record["me"] for record in records if "me" in record), 1)
        for record in records:
            if record["what"] == "told":
                owner = int(record["node"].rpartition("/")[2])
                told_values[me, owner, record["property"]].append((record["at"] / 1e6 - began, record["text"]))
    return ids, told_values


@pytest.mark.parametrize("capture", [translated, merged])
def test_what_clients_tell_each_other(capture):
    """Each flow has one receiver: the values delivered are those its engine logged, with the same number,
    last value and times."""
    flows, _, _ = report(capture(PLAYERS), *projects.option("players4"), two_pass=True)
    ids, told_values = players()
    assert len(told_values) == 3 * 3 * 2
    for (listener, owner, name), logged in told_values.items():
        flow, times = flows[f"Main/World/{owner}/Synchronizer", name, 0, listener], [time for time, _ in logged]
        assert (flow.delivered - flow.ignored, flow.last) == (len(logged), logged[-1][1]), (listener, owner, name)
        assert -0.01 < times[-1] - flow.time < POLL
        assert abs(flow.longest - max(b - a for a, b in zip(times, times[1:]))) < POLL
    assert {key[3] for key in flows} == set(ids.values())
    assert sum(flow.ignored for flow in flows.values()) > 4


def test_what_was_sent_through_the_relay_is_counted_once():
    """Sent: by the owner; passed on: if it reached the server; lost: on either way."""
    flows, _, _ = report(translated(PLAYERS), *projects.option("players4"), two_pass=True)
    ids, _ = players()
    sent, passed_on = collections.Counter(), collections.Counter()
    for row in rows_of(translated(PLAYERS), *projects.option("players4")):
        if row["property"] == "place" and row["net_frame"] is not None:
            (sent if row["sender"] == row["from"] else passed_on)[row["from"], row["to"]] += 1
    clients = set(ids.values()) - {1}
    assert set(sent) == {(a, b) for a in clients for b in {1, *clients} - {a}}
    losses = 0
    for (owner, listener), count in sent.items():
        flow = flows[f"Main/World/{owner}/Synchronizer", "place", 0, listener]
        assert (flow.sent, flow.passed_on) == (count, passed_on[owner, listener])
        assert flow.sent - flow.delivered - flow.lost in (0, 1, 2), (owner, listener)
        losses += flow.lost
    lost = [record for record in engine_logs.records(FOLDER / f"{PLAYERS}.relay.log.gz") if record["what"] == "lost"]
    assert len(lost) > losses / 3 > 20  # a datagram has up to three of them


def test_first_difference_of_what_is_relayed():
    """The peer that did not get it never logs the value, the other one does; the two frames are of that
    update."""
    _, told_values = players()
    at, found = None, 0
    for line in tshark.run(translated(PLAYERS), "-q", *tshark.BY_ID, "-z", "godot,replication", *projects.option("players4"), two_pass=True).stdout.splitlines():
        if match := re.match(r"  Main/World/(\d+)/Synchronizer (\S+), written by", line):
            at = int(match[1]), match[2]
        match = re.search(r"first difference: peer (\d+) did not get (\d+) \(net frame (\d+), lost after frame (\d+)\), peer (\d+) did \(net frame (\d+), in frame (\d+)\)$", line)
        if match:
            missed, value, _, _, had, _, _ = map(int, match.groups())
            values = {peer: [int(text) for _, text in told_values[peer, *at]] for peer in (missed, had)}
            assert value not in values[missed] and value in values[had]
            earlier = [text for text in values[had] if text < value and text > values[missed][0]]
            assert set(earlier) <= set(values[missed]), "an earlier difference"
            found += 1
    assert found == 3


def test_what_only_the_receiver_captured():
    """A capture at one client: of the values from other clients it has those that the server passes on."""
    ids, _ = players()
    path = FOLDER / f"{PLAYERS}.client-side.pcap"
    flows, _, _ = report(path, *projects.option("players4"), two_pass=True)
    stream = next(row["connection"] for row in rows_of(path, *projects.option("players4")) if row["receiver"] == ids["client1"])
    listed = tshark.run(path, "-q", *tshark.BY_ID, "-z", f"godot,replication,enet.stream == {stream}", *projects.option("players4"), two_pass=True).stdout
    for owner in (ids["client2"], ids["client3"]):
        flow = flows[f"Main/World/{owner}/Synchronizer", "place", 0, ids["client1"]]
        assert flow.sent > flow.passed_on > 80
        assert f"    to peer {ids['client1']}: {flow.passed_on} passed on by the server" in listed
    assert " 0 sent" not in listed and " 0 captured" not in listed


def test_capture_without_godot():
    _, _, others = report(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-raw.pcap")
    assert "  No property is spawned, synchronized or set." in others


@pytest.mark.slow
def test_many_held_values(tmp_path):
    """A lost message holds back 1,200,000 values until it is retransmitted, at the end: tshark ends in
    seconds, not in minutes."""
    count = 100
    update = (0x80000001).to_bytes(4, "little") + (4 * count).to_bytes(4, "little") + bytes(4 * count)
    connection, names = enet_packets.Connection(), b"\x01" + b"0" * 32 + b"\0" + (1).to_bytes(4, "little") + b"N\0"
    connect, verify = connection.open()
    begin = [connect, verify, connection.message(names)]
    updates = [connection.message(b"\x06" + number.to_bytes(2, "little") + update)
               for number in range(12001)]
    connection.sequences[False, 0] = 1
    again = connection.message(b"\x06\0\0" + update)
    at_client = [(number / 1000, packet) for number, packet in enumerate([*begin, *updates, again], 1)]
    at_server = [(time + (-1 if packet is verify else 1) / 4000, packet) for time, packet in at_client if packet is not updates[0]]
    path = tshark.workplace() / "held.pcapng"
    subprocess.run(["mergecap", "-I", "none", "-w", path, pcap.write(tmp_path / "client.pcap", at_client), pcap.write(tmp_path / "server.pcap", at_server)], check=True)
    path.chmod(0o644)

    output = tshark.run(path, "-q", "-z", "godot,replication", "-d", "enet.payload,godot", two_pass=True, timeout=30).stdout
    assert output.count(": 12001 sent, 12001 delivered, 0 lost") == count and output.count(f"null in frame {len(at_client) + len(at_server)} ") == count


def test_what_is_older_comes_late(tmp_path):
    """A state with the number of the newest is accepted, an older one is not: update_inbound_sync_time() of
    the engine."""
    connection = enet_packets.Connection()
    connect, verify = connection.open()
    state = (0x80000001).to_bytes(4, "little") + (4).to_bytes(4, "little") + bytes(4)
    packets = [connect, verify, connection.message(b"\x01" + b"0" * 32 + b"\0" + (1).to_bytes(4, "little") + b"N\0")]
    packets += [connection.message(b"\x06" + number.to_bytes(2, "little") + state) for number in (65535, 5, 5, 6, 5, 65535, 6)]
    points = [[(number / 100 + (1 - 2 * (packet is verify)) * point / 4000, packet) for number, packet in enumerate(packets, 1)] for point in (0, 1)]
    path = tshark.workplace() / "late.pcapng"
    subprocess.run(["mergecap", "-I", "none", "-w", path, *(pcap.write(tmp_path / f"{point}.pcap", at) for point, at in enumerate(points))], check=True)
    path.chmod(0o644)
    flows, _, _ = report(path, "-d", "enet.payload,godot", two_pass=True)
    assert [(flow.sent, flow.delivered, flow.ignored) for flow in flows.values()] == [(7, 7, 2)]


def test_flows_are_limited(tmp_path):
    """4,000, and a line with the number of values that are not in them."""
    connection = enet_packets.Connection()
    packets = connection.open()
    for node in range(10):
        packets.append(connection.message(b"\x01" + b"0" * 32 + b"\0" + (node + 1).to_bytes(4, "little") + b"N%d" % node + b"\0"))
        entry = (0x80000001 + node).to_bytes(4, "little") + (4 * 410).to_bytes(4, "little") + bytes(4 * 410)
        packets.append(connection.message(b"\x06\x01\0" + entry))
    flows, _, others = report(pcap.write(tmp_path / "made.pcap", packets), "-d", "enet.payload,godot")
    left = [line for line in others if "are left out" in line]
    assert left == ["  100 values of further properties and receivers are left out"]


@pytest.mark.slow
def test_nodes_that_many_peers_are_told_of(tmp_path):
    """The path of a node, up to 4 KB, is kept once for all peers that receive its spawn and despawn."""
    nodes, peers, spawner = 250, 60, b"Main/" + b"N" * 3800
    packets = []
    for peer in range(peers):
        connection = enet_packets.Connection(0x12345678 + peer, port=20000 + peer)
        packets += [*connection.open(), connection.message(b"\x01" + b"0" * 32 + b"\0\1\0\0\0" + spawner + b"\0", server=True)]
        for first in range(0, nodes, 25):
            spawns = [struct.pack("<BBIIII", 4, 0, 1, 1000 + node, 0, 6) + b"N%04d\0" % node for node in range(first, first + 25)]
            despawns = [struct.pack("<BI", 5, 1000 + node) for node in range(first, first + 25)]
            packets += [connection.message(*spawns, server=True), connection.message(*despawns, server=True)]
    path = pcap.write(tmp_path / "peers.pcap", packets)
    rows = tshark.fields(path, "godot.despawn.net_id")
    assert sum(len(ids) for ids, in rows) == nodes * peers
    tshark.run(path, "-q", "-z", "godot,replication", memory=165)


# --- recordings of both ends -------------------------------------------------------------------------------------

RECORDINGS = tshark.CAPTURES / "recorder"


def recorded(stem, *files, two_pass=True):
    path = tshark.workplace() / f"{stem.name}.both-ends.pcapng"
    subprocess.run(["mergecap", "-w", path, *files], check=True)
    return report(path, *own_project(stem.name), two_pass=two_pass)


def files_of(stem, *processes):
    return [stem.parent / f"{stem.name}.{process}.pcapng" for process in processes]


@pytest.mark.parametrize("name", ["enet-replication", "websocket-replication", "wss-replication", "dtls-replication"])
def test_what_both_ends_recorded_is_what_the_clients_logged(name):
    stem = RECORDINGS / f"godot-4.6-{name}"
    flows, _, others = recorded(stem, *files_of(stem, "server", "client1", "client2"))
    equal = 0
    for (node, prop, client), logged in told(stem).items():
        if (node, prop) not in changed_properties(stem) and (node, prop, 0, client) in flows:
            flow = flows[node, prop, 0, client]
            assert (flow.delivered - flow.ignored, flow.last) == (len(logged), logged[-1]), (node, prop, client)
            equal += 1
    assert equal > 10
    assert not any("not known which arrived" in line for line in others)


def test_one_pass_over_recordings():
    """A packet is read before its receiver's record."""
    stem = RECORDINGS / "godot-4.6-enet-replication"
    flows, _, others = recorded(stem, *files_of(stem, "server", "client1", "client2"), two_pass=False)
    assert flows and all(flow.delivered is None for flow in flows.values())
    assert any("One pass: with -2" in line for line in others)


def test_one_end_did_not_record():
    """Client 2 has no recording: the values that it sent or received have no number of delivered ones."""
    stem = RECORDINGS / "godot-4.6-enet-replication"
    flows, _, others = recorded(stem, *files_of(stem, "server", "client1"))
    (client,) = {record["me"] for record in engine_logs.records(stem.parent / f"{stem.name}.client2.log.gz") if "me" in record}
    assert {key for key, flow in flows.items() if key[3] == client} <= {key for key, flow in flows.items() if flow.delivered is None}
    assert any(flow.delivered for flow in flows.values())
    assert any("Captured at one end" in line for line in others)


def test_what_the_receiver_has_not_recorded_is_lost(tmp_path):
    """Some states and the end are removed from the recording of client 1: it is unknown whether states sent
    then arrived."""
    stem = RECORDINGS / "godot-4.6-enet-replication"
    server, client, other = files_of(stem, "server", "client1", "client2")
    shown = tshark.run(client, "-Y", 'godot.recorder.received && godot.command == "Sync"', "-T", "fields", "-e", "frame.number", "-e", "godot.path",
                       *own_project(stem.name)).stdout.splitlines()
    taken, end = [line.split("\t") for line in shown[5:8]], int(shown[-6].split("\t")[0])
    cut = tmp_path / "client1.pcapng"
    subprocess.run(["editcap", client, cut, *(number for number, _ in taken), f"{end}-{end + 1000}"], check=True)
    whole, _, _ = recorded(stem, server, client, other)
    flows, _, _ = recorded(stem, server, cut, other)
    lost = {key: flow.lost for key, flow in flows.items() if flow.lost}
    assert collections.Counter({key[0]: count for key, count in lost.items()}) == collections.Counter(node for _, node in taken)
    assert {key[3] for key in lost} == {record["me"] for record in engine_logs.records(stem.parent / f"{stem.name}.client1.log.gz") if "me" in record}
    missing = {key: whole[key].delivered - flow.delivered for key, flow in flows.items() if flow.delivered is not None}
    assert all(missing[key] >= count for key, count in lost.items()) and sum(missing.values()) > sum(lost.values())


@pytest.mark.parametrize("name", ["godot-4.6-enet-replication", "godot-3.6-enet-relay"])
def test_nodes_that_are_not_known_have_no_two_writers(name, tmp_path):
    """In a capture that begins late, "node 2" and "(node not known)" are several nodes: each of them has one writer."""
    late = tmp_path / "late.pcap"
    subprocess.run(["editcap", "-r", tshark.CAPTURES / "multiplayer" / f"{name}.pcap", late, "100-9999"], check=True)
    text = tshark.run(late, "-q", "-z", "godot,replication", two_pass=True).stdout
    assert ": can be several nodes\n" in text
    assert not re.search(r"(Two writers at once|First difference): (\(node not known\)|node \d+) ", text)


ROW = re.compile(r"^ +(\d+) +(\d+|\?) +(\d+) +(\d+) +([\d.]+) +(\d+)  (\S+)  (\S+)  (\S+), (?:peer )?(\d+) → (?:peer )?(\d+)$")


def test_nodes_of_a_scene_are_one_row():
    """Sums of all nodes and receivers; the worst one is one of them."""
    path = tshark.CAPTURES / "multiplayer/godot-4.6-enet-game.pcap"
    flows, _, others = report(path, *own_project("godot-4.6-enet-game"), two_pass=True)
    rows = [match.groups() for match in map(ROW.match, others) if match]
    kinds = {"res://player.tscn": r"Main/World/P\d", "res://enemy.tscn": "Main/World/Enemy"}
    assert len(rows) == len({(row[6], row[7]) for row in rows}) > 5
    for sent, lost, ignored, unacknowledged, longest, pairs, name, scene, node, sender, receiver in rows:
        those = {key: flow for key, flow in flows.items() if key[1] == name and re.match(kinds[scene], key[0])}
        assert int(pairs) == len(those) > 3
        assert int(sent) == sum(flow.sent for flow in those.values())
        assert lost == "?" and int(unacknowledged) == sum(flow.unacknowledged for flow in those.values())
        assert int(ignored) == sum(flow.ignored for flow in those.values())
        worst = [flow for key, flow in those.items() if key[0] == node and key[3] == int(receiver)]
        assert [flow.longest for flow in worst] == [float(longest)] == [max(flow.longest for flow in those.values())]
