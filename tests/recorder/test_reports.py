"""Recordings of games whose engines report errors, compared with what these engines printed: each report is there once, at the packet
that was being processed, and nothing else is.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import re

import pytest

import engine_logs
import recording_file
import tshark

FOLDER = tshark.CAPTURES / "recorder" / "reports"
ALL = sorted(path.name[: -len(".pcapng")] for path in FOLDER.glob("*.pcapng"))
PACKET, CONNECTED, RECORDER, NAMES, REPORT, OUTPUT, NODE, PAUSE, ORIGIN = 0, 1, 3, 4, 8, 9, 10, 11, 12
BEGINNINGS = {"ERROR: ": "error", "WARNING: ": "warning", "SCRIPT ERROR: ": "script", "SHADER ERROR: ": "shader"}
MANY = "one of many"  # more than the recorder takes in a second

every = pytest.mark.parametrize("name", ALL)


@functools.lru_cache(maxsize=None)
def recorded(name):
    return recording_file.records((FOLDER / f"{name}.pcapng").read_bytes())


@functools.lru_cache(maxsize=None)
def log(name):
    return engine_logs.records(FOLDER / f"{name}.log.gz")


def reports(name):
    return [r for r in recorded(name) if r.kind == REPORT and "left_out" not in r.text]


def printed(name):
    """[(type, text)] of what the engine printed, in this order."""
    found = []
    for record in log(name):
        for beginning, kind in BEGINNINGS.items():
            if record["what"] == "print" and record["text"].startswith(beginning):
                found.append((kind, record["text"][len(beginning):]))
    return found


@every
def test_what_the_engine_printed_is_recorded(name):
    """All of it and nothing else; in the same order, but for another thread's."""
    there = [(r.text["type"], r.text["text"]) for r in reports(name) if not r.text.get("thread")]
    threads = [(r.text["type"], r.text["text"]) for r in reports(name) if r.text.get("thread")]
    wanted = [entry for entry in printed(name) if entry not in threads]
    left_out = sum(r.text["left_out"]["reports"] for r in recorded(name) if r.kind == REPORT and "left_out" in r.text)
    without = lambda entries: [entry for entry in entries if entry[1] != MANY]
    assert without(there) == without(wanted)
    assert len(there) + left_out == len(wanted)
    assert [entry in printed(name) for entry in threads] == [True] * len(threads)


def test_there_are_reports():
    kinds = collections.Counter(entry[0] for name in ALL for entry in printed(name))
    assert kinds["error"] > 100 and kinds["warning"] and kinds["script"]


@every
def test_a_report_comes_after_its_packet(name):
    """Nothing else was received in between, and it has the same peer."""
    last = {}
    for record in recorded(name):
        if record.kind == PACKET:
            last[record.recording] = record if record.flags & 1 else last.get(record.recording)
        if record.kind in (REPORT, OUTPUT) and "packet" in record.text:
            packet = last[record.recording]
            assert record.text["packet"] == packet.number and "thread" not in record.text
            assert (record.flags, record.own, record.other, record.channel) == (packet.flags, packet.own, packet.other, packet.channel)
        elif record.kind in (REPORT, OUTPUT):
            assert (record.own, record.other, record.flags) == (0, 0, 0)


@every
def test_packets_are_numbered(name):
    for recording in {r.recording for r in recorded(name)}:
        numbers = [r.number for r in recorded(name) if r.recording == recording and r.kind == PACKET]
        assert numbers == list(range(1, len(numbers) + 1))


@every
def test_records_of_the_process(name):
    """In a recording of their own; each recording of the process names it."""
    told = [r for r in recorded(name) if r.kind == RECORDER]
    (game,) = {r.text["game"] for r in told}
    assert [("peer_class" in r.text) for r in told] == [r.recording != game for r in told]
    assert all(r.recording == game for r in recorded(name) if r.kind == PAUSE or (r.kind in (REPORT, OUTPUT) and "packet" not in r.text))


def test_each_broken_packet_has_its_errors():
    """The client sent the name of each packet after it; in the server's log, the errors are before that name."""
    name = "godot-4.6-broken.server"
    wanted, errors = [], []
    for record in log(name):
        errors += [record["text"].partition(": ")[2]] if record["what"] == "print" and record["text"].startswith("ERROR: ") else []
        if record["what"] == "raw":
            wanted.append((bytes.fromhex(record["hex"]), errors))
            errors = []
    texts = collections.defaultdict(list)
    for record in reports(name):
        texts[record.text["packet"]].append(record.text["text"])
    packets = [r for r in recorded(name) if r.kind == PACKET and r.flags & 1]
    found, number = [], None
    for packet in packets:
        if packet.payload[0] == 3 and len(packet.payload) > 1:
            found.append((packet.payload[1:], texts.pop(number, [])))
        else:
            number = packet.number
    assert found == wanted and not texts and sum(map(len, (errors for _, errors in wanted))) > 25


def text_of(name, text):
    (found,) = [r.text for r in reports(name) if r.text["text"] == text]
    return found


SAID = re.compile(r"^    .* \(process \d+\).*, first in frame (\d+)"
                  r"(, about no packet that is known)?(?:, about the packet in frame (\d+))?, filter: ", re.M)


@pytest.mark.parametrize("name", ["godot-4.6-refused.server", "godot-4.6-broken.server"])
def test_packets_of_what_is_said(name, tmp_path):
    """The summary names the packet of each text's first report; of refusals it says so if the packet is not there."""
    frames = recorded(name)
    packets = {(record.recording, record.number): number for number, record in enumerate(frames, 1) if record.kind == PACKET}
    about = {number: packets[record.recording, record.text["packet"]] for number, record in enumerate(frames, 1)
             if record.kind == REPORT and "packet" in record.text}
    found = SAID.findall(tshark.run(FOLDER / f"{name}.pcapng", "-q", "-z", "godot,summary", two_pass=True).stdout)
    assert len(found) > 5 and found == [(first, "", str(about.get(int(first), ""))) for first, *_ in found]
    blocks = recording_file.blocks((FOLDER / f"{name}.pcapng").read_bytes())
    kept = [block for kind, block in blocks if kind != recording_file.PACKET or recording_file.records(block)[0].kind != PACKET]
    (tmp_path / "none.pcapng").write_bytes(b"".join(kept))
    refusals = sum("modules/multiplayer/" in frames[int(first) - 1].text["file"] for first, *_ in found)
    found = SAID.findall(tshark.run(tmp_path / "none.pcapng", "-q", "-z", "godot,summary", two_pass=True).stdout)
    assert not any(packet for *_, packet in found) and sum(bool(none) for _, none, _ in found) == refusals > 5


def test_what_belongs_to_no_packet():
    name = "godot-4.6-reports.server"
    for text in ("without a packet", "deferred", "after a frame", "from a thread"):
        assert "packet" not in text_of(name, text) and text_of(name, text).get("thread", False) == (text == "from a thread")


def test_a_script_error_in_a_called_method():
    name = "godot-4.6-reports.server"
    (error,) = [r.text for r in reports(name) if r.text["type"] == "script"]
    lines = (tshark.CAPTURES / "projects" / "reports4" / "unit.gd").read_text().splitlines()
    assert (error["function"], error["file"]) == ("damage", "res://unit.gd") and "what.health" in lines[error["line"] - 1]
    assert [(frame["function"], frame["file"]) for frame in error["backtrace"]] == [("damage", "res://unit.gd"), ("fails", "res://unit.gd")]
    assert [lines[frame["line"] - 1].strip() for frame in error["backtrace"]] == ["what.health -= 1", "damage(what)"]
    called = [r for r in recorded(name) if r.kind == OUTPUT and '"method":"fails"' in r.text["text"]]
    assert [r.text["packet"] for r in called] == [error["packet"]]


def test_what_is_left_out_is_counted():
    name = "godot-4.6-reports.server"
    many = [r.text for r in reports(name) if r.text["text"] == MANY]
    left_out = [r.text["left_out"] for r in recorded(name) if r.kind == REPORT and "left_out" in r.text]
    assert len(many) < 300 == len(many) + sum(r["reports"] for r in left_out) and len({r["packet"] for r in many}) == 1


def test_what_the_game_printed():
    """With --godot-record-log; control characters and quotes arrive as they are."""
    name = "godot-4.6-reports.server"
    lines = "\n".join(r.text["text"] for r in recorded(name) if r.kind == OUTPUT).splitlines()
    assert "two" in lines and "to stderr" in lines and "\x1b[91mred\x1b[39m\x1b[0m" in "\n".join(lines)
    texts = [r.text["text"] for r in recorded(name) if r.kind == OUTPUT]
    assert 'control \x07\x08\x0b\x0c\x1b[1m, right to left \u202eabc\u202c, a quote " and a backslash \\' in texts
    assert {r.text["type"] for r in recorded(name) if r.kind == OUTPUT} == {"print", "printerr"}
    assert not [r for other in ALL if "reports" not in other for r in recorded(other) if r.kind in (OUTPUT, ORIGIN)]


def test_pauses():
    """Only the one of the game."""
    pauses = [r.text["microseconds"] for r in recorded("godot-4.6-reports.server") if r.kind == PAUSE]
    assert len(pauses) == 1 and 1_500_000 <= pauses[0] < 2_500_000
    assert not [r for r in recorded("godot-4.6-reports.client") if r.kind == PAUSE]


def test_changes_of_nodes():
    """As the game's log says, and with names: authority of each node."""
    name = "godot-4.6-reports.server"
    log_of = {r["what"]: r for r in log(name) if r["what"] in ("authority", "renamed", "added", "removed")}
    changes = {r.text["event"]: r.text for r in recorded(name) if r.kind == NODE}
    assert {what: text["path"] for what, text in changes.items()} == {what: r["node"] for what, r in log_of.items()}
    assert changes["authority"]["authority"] == log_of["authority"]["authority"] and changes["renamed"]["from"] == "Main/Unit"
    assert {r.text["authority"] for r in recorded(name) if r.kind == NAMES and "path" in r.text} == {1}


def test_origins():
    """The line that called rpc(), directly before the packet."""
    for name in ("godot-4.6-reports.client", "godot-4.6-reports.server"):
        records = recorded(name)
        for record, following in zip(records, records[1:]):
            if record.kind == ORIGIN:
                assert following.kind == PACKET and following.number == record.text["packet"] and not following.flags & 1
    stacks = [r.text["stack"] for r in recorded("godot-4.6-reports.client") if r.kind == ORIGIN]
    lines = (tshark.CAPTURES / "projects" / "reports4" / "main.gd").read_text().splitlines()
    calls = [frame for stack in stacks for frame in stack if frame["file"] == "res://main.gd" and "call_at" in lines[frame["line"] - 1]]
    assert len(calls) >= 15 and all(stack[0]["file"] == "res://log.gd" for stack in stacks)


@pytest.mark.parametrize("name", ["godot-4.6-large.server", "godot-4.6-large.client"])
def test_a_packet_beyond_the_limit(name):
    """It is cut, its length is there, and what follows is recorded."""
    (large,) = [r for r in recorded(name) if r.missing]
    assert 300_000 < len(large.payload) + large.missing < 300_100 and len(large.payload) > 261_000
    calls = [r for r in log(name.replace("client", "server")) if r["what"] == "called" and r["method"] == "number"]
    after = [r for r in recorded(name) if r.kind == PACKET and r.number > large.number and r.payload[0] & 7 == 0]
    assert len(after) >= len(calls) - 1 == 20
    assert re.search("300000", str(log(name)))


def test_a_game_that_asks_for_classes():
    """Both of the API and of the peer, which are its own; errors in what a raw packet calls, after a call, and while the tree is left."""
    name = "godot-4.6-classes.server"
    for end in (name, name.replace("server", "client")):
        assert [(r["peer"], r["api"], r["early"]) for r in log(end) if r["what"] == "same"] == [(True, True, True)]
        assert not [r for r in log(end) if r["what"] == "another_api"] and "packet" not in text_of(end, "left the tree")
    (bad,) = [r for r in recorded(name) if r.kind == PACKET and r.payload.endswith(b"bad")]
    assert text_of(name, "a bad packet")["packet"] == bad.number and "packet" not in text_of(name, "later")
    wanted = [r["hex"] for r in log(name) if r["what"] == "raw"]
    assert [r.payload[1:].hex() for r in recorded(name) if r.kind == PACKET and r.payload[0] == 3] == wanted and len(wanted) == 2
