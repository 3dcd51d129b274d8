"""Bandwidth, peers, summary and replication of every capture: they agree with each other, with the fields of
the frames and with what the engines logged. These include recordings of one end and of all, two capture
points, captures that begin in the middle and live ones.

One run of tshark gives all data of a capture: Seen.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import csv
import functools
import json
import re
import subprocess

import pytest

import captures
import engine_logs
import expected
import test_multiplayer
import tshark
from tshark import tables
from test_summary import sections

MULTIPLAYER, RECORDER = tshark.CAPTURES / "multiplayer", tshark.CAPTURES / "recorder"
WIRE = "Bytes on the wire"
REPORTS = ("godot,bandwidth", "godot,peers", "godot,summary", "godot,replication", "godot,timeline", "godot,tree")
FIELDS = ("frame.number", "frame.len", "enet.stream", "tcp.stream", "udp.srcport", "tcp.srcport", "udp.dstport", "tcp.dstport", "godot.session", "godot.wire_length",
          "godot.repeated", "godot.sent_in", "godot.received_in", "enet.captured_before", "enet.command", "tcp.flags.syn", "tcp.flags.ack")
MADE = [name for name in expected.names() if name.rpartition(".")[2] in expected.MADE]
QUICK = {"multiplayer/godot-4.6-enet-relay.pcap", "multiplayer-loss/godot-4.6-relay.server-side.pcap",
         "multiplayer/godot-4.6-websocket-relay.pcap", "enet/godot-4.6-several.pcap",
         "recorder/godot-4.6-enet-calls.server.pcapng", "multiplayer/godot-3.6-websocket-reconnect.pcap"}
QUICK_MADE = ("recorder/godot-4.6-enet-reconnect.merged", "multiplayer/godot-4.6-enet-relay.late")


BOOLEANS = {"True": 1, "False": 0}  # as Wireshark 4.6 prints them


class Frame:
    """The fields of a frame: lists of numbers, by name."""

    def __init__(self, line):
        self.values = {name: [int(BOOLEANS.get(value, value)) for value in cell.split(",") if value] for name, cell in zip(FIELDS, line.split("\t"))}

    def __getitem__(self, name):
        return self.values[name]

    def is_second(self):
        """The other end's record of a packet in an earlier frame."""
        return any(other < self["frame.number"][0] for name in ("godot.sent_in", "godot.received_in") for other in self[name])


class Seen:
    """Frames, rows of messages, tables and pages of a capture."""

    def __init__(self, path, *options):
        place = tshark.workplace() / "agreement"
        place.mkdir(exist_ok=True)
        place.chmod(0o777)
        files = {name: place / name for name in ("messages.jsonl", "bandwidth.csv", "peers.csv")}
        options += tuple(word for name, file in files.items() for word in ("-z", f"godot,{name.partition('.')[0]},{file}"))
        fields = [word for name in FIELDS for word in ("-e", name)]
        text = tshark.run(path, "-T", "fields", *fields, "-z", "godot,summary", "-z", "godot,replication", *tshark.BY_ID, *options, two_pass=True).stdout
        *lines, self.replication, self.summary = re.split(r"^(?=Godot Replication:|Godot Summary:)", text, flags=re.M)
        self.frames = [Frame(line) for line in lines[0].splitlines() if "\t" in line]
        self.rows = [json.loads(line) for line in files["messages.jsonl"].read_text(encoding="utf-8").splitlines()]
        self.bandwidth = collections.defaultdict(list)
        for row in csv.DictReader(files["bandwidth.csv"].open(encoding="utf-8", newline="")):
            self.bandwidth[row["Table"]].append(row)
        self.bandwidth.pop("Connections at a time", None)  # a single number, for godot,compare
        self.peers = list(csv.DictReader(files["peers.csv"].open(encoding="utf-8", newline="")))
        for file in files.values():
            file.unlink()

    def messages(self):
        """Rows of messages without repetitions."""
        return [row for row in self.rows if not row["repeated"]]


@functools.lru_cache(maxsize=4)
def seen(path, *options):
    return Seen(path, *options)


def total(rows, name):
    return sum(int(row[name]) for row in rows)


# --- any capture -------------------------------------------------------------------------------------------------


def bandwidth_agrees(capture):
    """Each table divides the bytes of all messages, as in the fields; the shares add up to the whole."""
    first = [frame for frame in capture.frames if not frame.is_second()]
    wire = sum(sum(frame["godot.wire_length"]) for frame in first)
    assert wire == sum(row["wire_bytes"] or 0 for row in capture.rows)
    for title, rows in capture.bandwidth.items():
        assert total(rows, WIRE) == wire, title
        assert sum(float(row["Share %"]) for row in rows) == pytest.approx(100, abs=0.005 * len(rows)), title
        for row in rows:
            assert float(row["Share %"]) == pytest.approx(100 * int(row[WIRE]) / wire, abs=0.006)
    messages = sum(len(frame["godot.session"]) - sum(frame["godot.repeated"]) for frame in first)
    assert messages == len(capture.messages()) == total(capture.bandwidth["By method"], "Messages")
    assert sum(row["bytes"] for row in capture.messages()) == total(capture.bandwidth["By method"], "Bytes")
    return wire


def methods_agree(capture):
    """A row for each method, with the sums of all messages about it."""
    counted = collections.defaultdict(lambda: [0, 0])
    for row in capture.rows:
        name = f"{row['method']}()" if row["kind"] == "call" else row["kind"]
        name = {"set": row["values"] and row["values"][0]["property"], "incomplete": "(unknown)"}.get(name, name)
        counted[name][0] += not row["repeated"]
        counted[name][1] += row["wire_bytes"]
    found = collections.defaultdict(lambda: [0, 0])
    for row in capture.bandwidth["By method"]:
        found[row["Method"]][0] += int(row["Messages"])
        found[row["Method"]][1] += int(row[WIRE])
    assert dict(found) == dict(counted)


def servers(capture):
    """Ports to which connections were opened."""
    connect = 2
    ports = {frame["udp.dstport"][0] for frame in capture.frames if connect in frame["enet.command"] and frame["enet.stream"]}
    return ports | {frame["tcp.dstport"][0] for frame in capture.frames if frame["tcp.flags.syn"] == [1] and frame["tcp.flags.ack"] == [0]}


def peers_agree(capture, wire):
    """The bytes to and from each peer are those of the frames of its connection."""
    if not capture.peers:
        assert not capture.rows
        return
    enet, tcp = collections.Counter(), collections.Counter()
    recognised = {}
    for frame in capture.frames:
        for stream in set(frame["enet.stream"] if not frame["enet.captured_before"] else ()):
            enet[stream, frame["udp.srcport"][0]] += frame["frame.len"][0]
        if frame["tcp.stream"] and frame["godot.session"]:
            recognised.setdefault(frame["tcp.stream"][0], frame["frame.number"][0])
    for frame in capture.frames:
        if frame["tcp.stream"] and recognised.get(frame["tcp.stream"][0], 1 << 32) <= frame["frame.number"][0]:
            tcp[frame["tcp.stream"][0], frame["tcp.srcport"][0]] += frame["frame.len"][0]
    for over, counted in ("ENet", enet), ("WebSocket", tcp):
        listed = sorted((int(row["Bytes from"]), int(row["Bytes to"])) for row in capture.peers if row["Over"] == over)
        sums, ports = collections.Counter(), collections.defaultdict(set)
        for (stream, port), count in counted.items():
            sums[stream] += count
            ports[stream].add(port)
        assert sorted(map(sum, listed)) == sorted(sums.values())
        clients = {int(row["Address"].rpartition(":")[2]) for row in capture.peers if row["Over"] == over}
        assert not clients & servers(capture)
        both = sorted((sum(n for (s, port), n in counted.items() if s == stream and port in clients),
                       sum(n for (s, port), n in counted.items() if s == stream and port not in clients)) for stream in sums)
        assert both == listed
    rest = [row for row in capture.peers if row["Over"] in ("recording", "WebRTC")]
    if len(rest) == len(capture.peers):
        assert total(rest, "Bytes from") + total(rest, "Bytes to") == wire


def summary_agrees(capture, wire):
    """Its most expensive entries are the first rows of the bandwidth, its players the rows of the peers."""
    page = capture.summary
    lines = re.findall(r"^ +([\d.]+) %  (.*?): (\d+) bytes, (\d+) messages?", page, re.M)
    rows = capture.bandwidth["By method"]
    assert bool(lines) == bool(wire)
    assert [(int(count), int(messages)) for _, _, count, messages in lines] == \
        [(int(row[WIRE]), int(row["Messages"])) for row in rows[:len(lines)]]
    for share, _, count, _ in lines:
        assert float(share) == pytest.approx(100 * int(count) / wire, abs=0.051)
    players = re.findall(r"^ .*\d s, frames \d+ to \d+", page, re.M)
    assert len(players) in (len(capture.peers), 8)


TOLD = ("synchronize", "synchronize changes", "spawn", "set")


def replication_agrees(capture):
    """It has as many updates sent to each peer as the rows of messages have values."""
    counted, found = collections.Counter(), collections.Counter()
    for row in capture.messages():
        passed_by = row["to"] and row["to"] == -row["receiver"]
        if row["kind"] in TOLD and row["values"] and not passed_by:
            counted[row["to"] if row["to"] and row["to"] > 0 else row["receiver"]] += len(row["values"])
    for to, text in re.findall(r"^    (?:from peer \d+ )?to peer (\d+): (.*)$", capture.replication, re.M):
        found[int(to)] += sum(map(int, re.findall(r"(\d+) (?:sent(?! again)|captured|passed on)", text)))
    assert found == counted


def agree(path, *options):
    """What has to be true for any capture."""
    capture = seen(path, *options)
    wire = bandwidth_agrees(capture)
    methods_agree(capture)
    peers_agree(capture, wire)
    summary_agrees(capture, wire)
    replication_agrees(capture)
    return capture


@pytest.mark.parametrize("path", captures.slow_unless(QUICK, captures.shipped()), ids=captures.name)
def test_shipped(path):
    agree(path, *captures.naturally(path))


@pytest.mark.parametrize("name", [name if name in QUICK_MADE else pytest.param(name, marks=pytest.mark.slow) for name in MADE])
def test_made(name):
    """Recordings of all ends, two capture points, captures that begin in the middle."""
    rows = agree(expected._capture(name)).peers
    if name.endswith("merged"):
        count = collections.Counter(row["Peer"] for row in rows)
        assert rows and set(count.values()) == {1}, "a peer that both ends have recorded is one"
    if name.endswith("late") and "relay" in name:
        assert rows and {row["Address"].split(":")[1] for row in rows}.isdisjoint({"22201"}), "the server is no client"
        first = tshark.run(expected._capture(name), "-q", "-z", "godot,summary").stdout.split("Problems")[0]
        assert "begins in the middle of 3 sessions" in first


# --- as the engines logged it ------------------------------------------------------------------------------------

REFUSED = ("Main/OnlyHere", "no_such_method")  # messages for which the receiver has no such node or method, as intended by these games
RECORDED = ("enet-calls", "enet-game", "enet-relay", "enet-replication", "websocket-relay", "websocket-replication", "wss-relay", "dtls-relay")


def logs_of(stem):
    """{process: its records}, {peer id: process}"""
    logs = {engine_logs.process_of(path): engine_logs.records(path) for path in stem.parent.glob(f"{stem.name}.*.log.gz")}
    ids = {record["me"]: process for process, records in logs.items() for record in records if "me" in record}
    return logs, {**ids, 1: "server"}


def is_for(row):
    """Whether the message is meant for the receiver, not only to be passed on by it."""
    return row["to"] is None or row["to"] == row["receiver"] or row["to"] <= 0 and row["to"] != -row["receiver"]


def as_logged(stem, capture):
    """Calls by receiver, sender, node and method; spawned and despawned nodes; changed and unchanged states by receiver."""
    logs, processes = logs_of(stem)
    shown, logged = collections.Counter(), collections.Counter()
    for row in filter(is_for, capture.messages()):
        to = processes.get(row["receiver"])
        if row["kind"] == "call" and not row["problem"] and not {row["node"], row["method"]} & set(REFUSED):
            shown[to, row["from"], row["node"], row["method"]] += 1
        elif row["kind"] in ("spawn", "despawn"):
            shown[to, f"{row['kind']}ed"] += 1
        elif row["kind"] == "synchronize changes":
            shown[to, "delta_synchronized"] += len({value["node"] for value in row["values"]})
        elif row["kind"] == "synchronize":
            shown[to, "synchronized"] += len(row["values"])
    for process, records in logs.items():
        own = {peer for peer, name in processes.items() if name == process}
        for record in records:
            if record["what"] == "called" and record["from"] not in (0, *own):
                logged[process, record["from"], record["node"], record["method"]] += 1
            elif record["what"] in ("spawned", "despawned", "delta_synchronized"):
                logged[process, record["what"]] += 1
            elif record["what"] == "synchronized":
                logged[process, record["what"]] += len(record["values"])
    return shown, logged


def agree_with_logs(stem, capture, lost=0):
    """`lost`: number of unreliable calls of one method, all made at once, that may be sent and not arrive."""
    shown, logged = as_logged(stem, capture)
    unreliable = {row["method"] for row in capture.rows if row["mode"] not in (None, "reliable")}
    for key in shown | logged:
        # Synchronization is unreliable: the last states are in transit when the game ends.
        most = 12 if key[1] == "synchronized" else lost if key[-1] in unreliable else 0
        assert 0 <= shown[key] - logged[key] <= most, key
    assert logged or not capture.rows
    return logged


@pytest.mark.parametrize("name", [name if name.endswith(("relay", "game", "reconnect")) and "4.6" in name else pytest.param(name, marks=pytest.mark.slow)
                                  for name in test_multiplayer.CAPTURES if not name.endswith(("mismatch", "synchronizers"))])
def test_as_logged(name):
    """Methods of all calls have rows in the tables with the right number of messages; agree() compares these
    with the rows of messages."""
    agree_with_logs(MULTIPLAYER / name, agree(MULTIPLAYER / f"{name}.pcap", *test_multiplayer.own_project(name)))


@pytest.mark.parametrize("name", [name if name == "enet-relay" else pytest.param(name, marks=pytest.mark.slow) for name in RECORDED])
def test_recorded_as_logged(name):
    """All ends of a game in one file: each message counts once."""
    stem = RECORDER / f"godot-4.6-{name}"
    logged = agree_with_logs(stem, agree(expected._capture(f"recorder/{stem.name}.merged"), *test_multiplayer.own_project(stem.name)), lost=10)
    assert sum(logged.values()) > 10


def test_recorded_by_the_server():
    """One end has as much as the captures of its network: all that it sent and received."""
    stem = RECORDER / "godot-4.6-enet-relay"
    shown, logged = as_logged(stem, agree(stem.parent / f"{stem.name}.server.pcapng", *test_multiplayer.own_project(stem.name)))
    assert {key: count for key, count in shown.items() if key[0] == "server"} == {key: count for key, count in logged.items() if key[0] == "server"}


# --- live --------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not tshark.can_capture(), reason="dumpcap is for the group wireshark only")
@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-game.pcap", "multiplayer/godot-4.6-websocket-relay.pcap",
                                  "recorder/godot-4.6-enet-relay.server.pcapng"])
def test_through_a_pipe(name):
    """A live capture is counted like a file that is read in one pass."""
    path, options = tshark.CAPTURES / name, ["-q", *(word for report in REPORTS for word in ("-z", report))]
    with path.open("rb") as file:
        live = subprocess.run(tshark.command("-n", "-i", "-", *options), stdin=file, capture_output=True, timeout=120, check=True)
    read = tshark.run(path, *options).stdout
    assert live.stdout.decode() == read and "Godot Bandwidth" in read and len(read) > 2000


# --- one thing each ----------------------------------------------------------------------------------------------


def printed(path, statistic):
    return tshark.run(path, "-q", "-z", statistic, *captures.naturally(path), two_pass=True).stdout


def test_recorded_errors_count_once():
    """A problem of a message that both ends have recorded is shown at both records."""
    path = expected._capture("recorder/godot-4.6-enet-game.merged")
    errors = collections.Counter()
    for log in (tshark.CAPTURES / "recorder").glob("godot-4.6-enet-game.*.log.gz"):
        errors.update(record.get("event") == "error" for record in engine_logs.records(log))
    lines = sections(path)["Problems"]
    assert any(line.startswith(("Error", "Warning")) for line in lines) == (errors[True] > 0)


def test_recording_has_packet_bytes():
    text = printed(tshark.CAPTURES / "recorder" / "godot-4.6-enet-calls.server.pcapng", "godot,bandwidth")
    assert "Packet bytes" in text and "on the wire" not in text
    summary = printed(tshark.CAPTURES / "recorder" / "godot-4.6-enet-calls.server.pcapng", "godot,summary")
    assert "ENet sent" not in summary and "on the wire" not in summary.replace("know those on the wire", "")


def test_replication_of_despawned_nodes():
    """An update to a peer that was told to despawn the node, without spawning it again, has no age there."""
    capture = seen(MULTIPLAYER / "godot-4.6-enet-replication.pcap", *test_multiplayer.own_project("godot-4.6-enet-replication"))
    latest = {(row["spawned"] or row["node"], row["receiver"]): row["kind"] for row in capture.rows if row["kind"] in ("spawn", "despawn")}
    gone = {key for key, kind in latest.items() if kind == "despawn"}
    shown, node = set(), None
    for line in capture.replication.splitlines():
        if match := re.match(r"  (Main/\S+) .*, written by", line):
            node = match[1]
        elif match := re.match(r"    (?:from peer \d+ )?to peer (\d+):", line):
            peer = int(match[1])
        elif "despawned there" in line:
            shown.add((node, peer))
        elif "age at the end" in line:
            assert (node, peer) not in gone
    assert shown == gone and len(gone) > 3


def test_unnamed_methods_by_node():
    """The same number is a different method on a different node."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-relay.pcap"
    rows = tables(printed(path, "godot,bandwidth"))["By method"]
    unnamed = [row for row in rows if row["Method"].startswith("#")]
    calls = collections.Counter()
    for calls_of, paths, repeated in tshark.fields(path, "godot.rpc.call", "godot.path", "godot.repeated"):
        if len(calls_of) == 1 and len(paths) == 1 and not repeated and calls_of[0].startswith("#"):
            calls[calls_of[0].split("(")[0] + "()", paths[0]] += 1
    assert calls and all(row["Node"] != "(all)" for row in unnamed)
    assert set(calls) <= {(row["Method"], row["Node"]) for row in unnamed}


LOSS = tshark.CAPTURES / "enet"


@pytest.mark.parametrize("name", ["godot-4.6-none-loss", "libenet-plain-steady-loss", "godot-4.6-none-everything", "godot-4.6-none"])
def test_needless_retransmissions(name):
    """Both lost and needless ones are retransmissions; a needless one repeats a command that was acknowledged
    in an earlier transmission. Of a command that is never acknowledged, no transmission is either."""
    path = LOSS / f"{name}.pcap"
    rows = tshark.fields(path, "enet.analysis.retransmission", "enet.analysis.spurious_retransmission", two_pass=True)
    counted = tables(printed(path, "godot,peers"))["Peers"]
    lost, needless = (sum(int(row[name]) for row in counted) for name in ("Lost", "Needless"))
    again, spurious = (sum(len(one[index]) for one in rows) for index in (0, 1))
    assert 0 < lost + needless <= again <= lost + needless + 1 + again // 10 and spurious <= needless
    for row in counted:
        assert float(row["Loss %"]) == pytest.approx(100 * int(row["Lost"]) / int(row["Reliable"]), abs=0.006)
