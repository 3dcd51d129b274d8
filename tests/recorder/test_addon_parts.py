"""Parts of the add-on in a real engine, without a game: the size of records, readers, files of several processes, what the editor accepts,
which lines of scripts matter.

Needs $GODOT4 (test-captures/README.md) or the program godot.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import os
import shutil
import socket
import time

import pytest

import recording_file
import tshark
from test_engine import Reader, import_generator, needs_engine

pytestmark = pytest.mark.slow
PORT = int(os.environ.get("TEST_PORT", 22263))


class Checks:
    """Runs methods of projects/addon4/check.gd."""

    def __init__(self):
        self.generator = import_generator()
        self.scene = self.generator.Scene("checked-by-a-test", "", "addon4", seconds=60)
        self.scene._write = lambda: None

    def __enter__(self):
        self.scene.__enter__()
        self.theirs = self.generator.prepare(self.scene, "addon4")
        self.ours, _ = self.scene.stage(self.generator.GODOT4)
        return self

    def __exit__(self, *error):
        self.scene.__exit__(*error)

    def start(self, what, name=None, **environment):
        return self.scene.engine(name or what, self.generator.GODOT4, "check.gd", WHAT=what, **environment)

    def run(self, what, **environment):
        process = self.start(what, **environment)
        process.finish(60)
        assert "ERROR" not in process.printed(), process.printed()
        return process


@needs_engine
def test_blocks_stay_below_wiresharks_limit(tmp_path):
    """In the file and at a reader; the original length is there, and Wireshark reads all of it."""
    with Checks() as checks:
        process = checks.start("sizes", FILE=checks.theirs / "sizes.pcapng", PORT=PORT)
        process.wait_for("ready")
        reader = Reader(PORT)
        process.finish(60)
        read = reader.finish()
        shutil.copy(checks.ours / "sizes.pcapng", tmp_path)
    lengths = [*range(262_000, 262_201), 300_000]
    for data in ((tmp_path / "sizes.pcapng").read_bytes(), read):
        records = recording_file.records(data) # asserts that no block is too long
        packets = [r for r in records if r.kind == 0]
        assert [28 + len(r.payload) + r.missing for r in packets] == lengths
        assert [r.missing > 0 for r in packets] == [length > 262_144 - 32 - 24 for length in lengths]
        assert [(r.number, len(r.payload) + r.missing) for r in records if r.kind == 6] == [(1, 262_050), (2, 1_000_000)]
    (tmp_path / "read.pcapng").write_bytes(read)
    for name in ("sizes.pcapng", "read.pcapng"):
        assert len(tshark.run(tmp_path / name, "-T", "fields", "-e", "frame.len").stdout.splitlines()) == len(lengths) + 3


@needs_engine
def test_what_the_editor_accepts():
    with Checks() as checks:
        process = checks.run("hostile")
    (valid,) = process.all("valid")
    assert all(valid["good"]) and not any(valid["bad"]) and len(valid["bad"]) > 30
    (counted,) = process.all("counted")
    assert counted["refused"] == 5 and [(row["text"], row["node"], row["count"]) for row in counted["rows"]] == [
        ("far", "", 1), ('["no", "text"] Node path: A/B', "A/B", 1), ("two", "", 3)]
    assert process.all("kept")[0]["rows"] == 200


@needs_engine
def test_lines_that_the_recorder_affects():
    with Checks() as checks:
        (uses,) = checks.run("uses").all("uses")
    assert uses["found"] == {
        "itself": [], "itself, the other way round": [], "another": ["api"], "parameter": ["api"], "never set": ["api"], "cast": ["api"],
        "set from outside": ["api"]}
    assert uses["modes"].pop("both") == "property" and set(uses["modes"].values()) == {"nothing"} and len(uses["modes"]) == 3
    assert all(f"--godot-record-mode={mode}" in uses["text"] for mode in ("api", "peer", "property"))
    assert uses["text"].count("instead:") == 2 # nobody has to change an add-on


@needs_engine
def test_two_processes_with_one_file_name(tmp_path):
    """Started at the same moment; each has its own file, and who has another one says so. After their end, the name is free again."""
    with Checks() as checks:
        file = checks.theirs / "game.pcapng"
        processes = [checks.start("writes", name=f"writes{i}", FILE=file, PORT=0, MILLISECONDS=3000) for i in range(3)]
        for process in processes:
            process.wait_for("ready")
        names = sorted(process.all("ready")[0]["path"] for process in processes)
        assert names == ["game-2.pcapng", "game-3.pcapng", "game.pcapng"]
        for process in processes:
            process.finish(30)
            (ready,) = process.all("ready")
            assert (f"this one records into {checks.theirs}/{ready['path']}" in process.printed()) == (ready["path"] != "game.pcapng")
        for name in names:
            assert {r.kind for r in recording_file.records((checks.ours / name).read_bytes())} == {1}
        assert checks.run("writes", FILE=file, PORT=0, MILLISECONDS=10).all("ready")[0]["path"] == "game.pcapng"
        assert not (checks.ours / "game.pcapng.lock").exists()


@needs_engine
def test_a_reader_has_to_know_the_token():
    with Checks() as checks:
        process = checks.start("writes", FILE="", PORT=PORT, MILLISECONDS=8000, GODOT_RECORD_TCP_TOKEN="open sesame")
        process.wait_for("ready")
        said = {}
        for token in (b"open sesame\n", b"open sesam\n", b"open sesame and more\n", b""):
            with socket.create_connection(("127.0.0.1", PORT), timeout=1.5) as connection:
                connection.sendall(token)
                try:
                    said[token] = connection.recv(1 << 16)
                except (TimeoutError, ConnectionResetError):
                    said[token] = b""
        process.finish(60)
    assert {token: bool(data) for token, data in said.items()} == {token: token == b"open sesame\n" for token in said}
    assert recording_file.records(said[b"open sesame\n"])


@needs_engine
def test_the_game_does_not_wait_for_readers():
    """One new reader a frame; a write costs the same when the oldest records are left out, of which 8 MiB are kept."""
    with Checks() as checks:
        (took,) = checks.run("repeated", PORT=PORT).all("took")
    assert max(took["fresh"]) == 1 and sum(took["fresh"]) == 16, took
    assert took["late"] < 20 * took["early"], took
    assert (8 << 20) - 4096 < took["kept"] <= 8 << 20, took


@needs_engine
def test_what_is_forwarded():
    """Properties in both directions, and methods."""
    with Checks() as checks:
        (forwarded,) = checks.run("forwarded").all("forwarded")
    assert (forwarded["relay"], forwarded["size"], forwarded["timeout"]) == (False, 999, 7)


@needs_engine
def test_texts_and_names():
    """The first of two interfaces of one name is taken again when it is free; what another program has written belongs to no game."""
    with Checks() as checks:
        (names,) = checks.run("names", FILE=checks.theirs / "game.pcapng").all("names")
    assert names["text"] == "a\x07b\x1bc" and names["interfaces"] == [0, 1, 0] and names["file"] == "game.pcapng"


COUNTED = ["enet-calls.client1", "enet-calls.server", "enet-game.server", "enet-game.client1", "enet-replication.server", "enet-synchronizers.server", "enet-relay.client1",
           "enet-relay.server", "websocket-replication.client1"]


@needs_engine
def test_what_the_panel_says_of_bandwidth():
    """Every byte that is sent, once; and each row counts the messages that its filter finds. Properties behind an Array are one row with it,
    for only the engine knows where it ends."""
    folder = tshark.CAPTURES / "recorder"
    with Checks() as checks:
        for name in COUNTED:
            shutil.copy(folder / f"godot-4.6-{name}.pcapng", checks.ours)
        process = checks.run("bandwidth", FILES=",".join(str(checks.theirs / f"godot-4.6-{name}.pcapng") for name in COUNTED))
    methods, properties = set(), set()
    for sent in process.all("sent"):
        path = folder / sent["file"].rpartition("/")[2]
        packets = [r for r in recording_file.records(path.read_bytes()) if r.kind == 0 and not r.flags & 1]
        assert sum(size for _, size in sent["rows"].values()) == sum(len(r.payload) + r.missing for r in packets), path
        for row, (messages, size) in sent["rows"].items():
            found = tshark.packets(path, "-Y", f"godot.recorder.received == 0 && ({sent['filters'][row]})", two_pass=True)
            if row.endswith("()"):
                methods.add(row)
                assert (messages, size) == (len(found), sum(f.one("godot.wire_length") for f in found)), (path.name, row)
            elif not row.startswith("("):
                properties.add(row)
                assert messages == sum(f.all("godot.sync.property").count(row.split(", ")[0]) for f in found), (path.name, row)
    assert len(methods) > 10 and len(properties) > 5 and not any(row.startswith("method ") for row in properties)
    assert process.all("damaged")[0]["rows"] <= 501 and process.all("kept")[0]["rows"] <= 501


def without(data, is_left_out):
    """A recording without some of its records."""
    return b"".join(block for kind, block in recording_file.blocks(data)
                    if kind != recording_file.PACKET or not is_left_out(recording_file.records(block)[0]))


@needs_engine
def test_rows_of_calls_without_names(tmp_path):
    """They have a number, and the filter finds what they count; of a node whose path is not there, too."""
    data = (tshark.CAPTURES / "recorder" / "godot-4.6-enet-calls.client1.pcapng").read_bytes()
    left_out = {"names": lambda r: r.kind == 4, "paths": lambda r: r.kind == 4 or r.kind == 0 and not r.flags & 1 and r.payload[0] & 7 == 1}
    for name, is_left_out in left_out.items():
        (tmp_path / name).write_bytes(without(data, is_left_out))
    with Checks() as checks:
        for name in left_out:
            shutil.copy(tmp_path / name, checks.ours)
        process = checks.run("bandwidth", FILES=",".join(str(checks.theirs / name) for name in left_out))
    for name, sent in zip(left_out, process.all("sent")):
        rows = [row for row in sent["rows"] if row.startswith("method ") and "Item" not in row]
        assert len(rows) > 20 and any("method 3276" in row for row in rows), rows # these are configured on the node
        assert any(", node " in row for row in rows) == (name == "paths") and any(" of " in row for row in rows), rows
        for row in rows:
            frames = tshark.packets(tmp_path / name, "-Y", f"godot.recorder.received == 0 && ({sent['filters'][row]})", two_pass=True)
            assert sent["rows"][row] == [len(frames), sum(f.one("godot.wire_length") for f in frames)], (name, row)


@needs_engine
def test_what_the_panel_remembers():
    """The newest paths; what is too long is not cut, since that could be another node's path."""
    with Checks() as checks:
        (said,) = checks.run("remembered").all("remembered")
    longest, limit = said["longest"], said["limit"]
    calls = {row for row in said["rows"] if row != "(paths)"}
    assert calls == {"method 7 of Again", "method 7, node 1", "method 7, node 2", "method 7 of Node3", "method 7 of Newest",
                     f"method 7 of {'y' * longest}", "method 8 of Full", "(others)"}
    assert said["rows"]["(others)"][0] == 2 and said["paths"] == limit


@needs_engine
def test_how_the_panel_splits_states():
    with Checks() as checks:
        shown = [said["rows"] for said in checks.run("split").all("split")]
    assert shown == [
        {"a": [1, 1], "b": [1, 2], "c": [1, 2], "(heads of states)": [1, 11]}, # in the record's last eight bytes
        {"a": [1, 2], "b": [1, 9], "c": [1, 1], "(heads of states)": [1, 11]},
        {"a": [1, 2], "b, c": [1, 2], "(heads of states)": [1, 11]}, # more bytes than there are
        {"(others)": [1, 19]}, # cut
    ]
