"""`-z godot,messages` compared with the engines' logs and with `-z godot,bandwidth`.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import csv
import functools
import json
import re
import subprocess
import sys

import pytest

import captures
import enet_packets
import pcap
import tshark
from engine_logs import MODES, is_object, plain, single_precision
from test_bandwidth import bandwidth
from test_multiplayer import calls_of_others, generation, logged_calls, own_ids, own_project

FOLDER = tshark.CAPTURES / "multiplayer"
NAMES = ["godot-4.6-enet-calls", "godot-4.6-enet-relay", "godot-4.6-enet-game", "godot-4.6-websocket-relay",
         "godot-3.6-enet-calls", "godot-3.6-enet-relay", "godot-3.2-websocket-relay"]
each_capture = pytest.mark.parametrize("name", captures.game_is_slow(NAMES))


@functools.lru_cache(maxsize=None)
def folder():
    """A folder where the user nobody, who runs tshark in tests, can write."""
    place = tshark.workplace() / "rows"
    place.mkdir()
    place.chmod(0o777)
    return place


def written(path, *options, ending="jsonl", filter="", rows="messages", **changes):
    """(the file, the result)"""
    file = folder() / f"{path.stem}.{rows}.{ending}"
    file.unlink(missing_ok=True)
    return file, tshark.run(path, "-q", "-z", f"godot,{rows},{file}{filter}", *options, **changes)


def rows_of(path, *options, **changes):
    file, _ = written(path, *options, **changes)
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@functools.lru_cache(maxsize=None)
def rows(name):
    return rows_of(FOLDER / f"{name}.pcap", *own_project(name))


# --- values ---


def text_of(value):
    """A value of JSON.from_native() in the form of the engine's var_to_str(), regardless of the digits of
    numbers."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list):
        return f"[{', '.join(map(text_of, value))}]"
    if isinstance(value, str):
        kind, _, rest = value.partition(":")
        quoted = '"' + rest.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return {"i": rest, "f": rest, "s": quoted, "sn": "&" + quoted, "np": f"NodePath({quoted})"}[kind]
    if value["type"] == "Dictionary":
        flat = list(map(text_of, value["args"]))
        entries = [f"{key}: {entry}" for key, entry in zip(flat[::2], flat[1::2])]
        return "{" + ", ".join(entries) + "}"
    if value["type"] == "Array":
        return f"[{', '.join(map(text_of, value['args']))}]"
    return f"{value['type']}({', '.join(json.dumps(part, ensure_ascii=False) for part in value['args'])})"


def same_value(value, logged, api):
    """Numbers with six digits; dictionaries and Basis with the same parts in any order, as the two forms
    order them differently."""
    shown, logged = (re.sub(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", lambda m: single_precision(m) if re.search("[.e]", m[0]) else f"{int(m[0]):g}" if abs(int(m[0])) < 10**15 else m[0], plain(text, api))
                     for text in (text_of(value), logged))
    return shown == logged or ("{" in logged or "Basis(" in logged or "Transform3D(" in logged) and sorted(shown) == sorted(logged)


def same_arguments(row, logged, api):
    if row["arguments"] == [{"type": "PackedByteArray", "args": []}] and not logged or not row["arguments"] and logged == ["PackedByteArray()"]:
        return True  # the same bytes
    return len(row["arguments"]) == len(logged) and all(
        is_object(text) or not plain_type(value) or same_value(value, text, api) for value, text in zip(row["arguments"], logged))


def plain_type(value):
    """Not a typed container, an Object, Callable or Signal: tests/variant/test_json.c tests their JSON."""
    return not isinstance(value, dict) or "args" in value and not set(value) - {"type", "args"}


# --- the engines' logs ---


@each_capture
def test_every_call_that_ran_is_a_row(name):
    """Sender, receiver, node, method and arguments; each row for one call."""
    api, left = generation(name), collections.defaultdict(list)
    for row in rows(name):
        if row["kind"] == "call" and not row["repeated"]:
            left[row["from"], row["node"], row["method"]].append(row)
    calls = calls_of_others(name)
    assert len(calls) > 10
    for process, record in calls:
        me = own_ids(name, process)
        candidates = left[record["from"], record["node"], record["method"]]
        for row in candidates:
            reached = row["to"] in me or row["to"] is not None and row["to"] <= 0 and -row["to"] not in me
            if row["receiver"] in (None, *me, 1) and reached and same_arguments(row, record["args"], api):
                if row["to"] > 0 and row["receiver"] in me:
                    candidates.remove(row)
                break
        else:
            pytest.fail(f"{process} logged {record}; not among {candidates[:5]}")


@each_capture
def test_every_row_of_a_call_was_made(name):
    """In its sender's log: to this peer or to all, in this mode, on this channel."""
    api, made = generation(name), collections.defaultdict(list)
    for record in logged_calls(name):
        made[record["node"], record["method"]].append(record)
    compared = 0
    for row in rows(name):
        if row["kind"] != "call":
            continue
        assert row["method"][0] != "#" and row["schema"] == 1
        for record in made[row["node"], row["method"]]:
            target = record["target"]
            aimed = row["to"] is None or target in (row["to"], 0) or target < 0 and row["to"] != -target or row["to"] <= 0
            if aimed and same_arguments(row, record["args"], api):
                if row["mode"] and api == 4:
                    assert (row["mode"], row["channel"]) == (MODES[record["mode"]], record["channel"]) or row["mode"] == "unreliable"
                break
        else:
            pytest.fail(f"{row} not among {made[row['node'], row['method']][:5]}")
        compared += 1
    assert compared > 10


def test_state_by_node_and_property():
    """Names by the project, in spawned nodes."""
    found = collections.defaultdict(set)
    for row in rows("godot-4.6-enet-game"):
        if row["kind"] in ("synchronize", "spawn", "synchronize changes"):
            assert row["arguments"] is None and row["values"]
            for value in row["values"]:
                found[row["kind"]].add(value["property"])
                assert value["node"].startswith("Main/World/")
        if row["kind"] == "spawn":
            assert row["node"] == "Main/Spawner" and row["spawned"] == row["values"][0]["node"]
    assert found == {"spawn": {"health", "owner_id", "position", "state"}, "synchronize": {"position", "velocity"},
                     "synchronize changes": {"health", "state", "animation"}}


def test_set_properties_of_godot_3():
    (values,) = {json.dumps(row["values"]) for row in rows("godot-3.6-enet-relay") if row["kind"] == "set" and row["from"] == 1182877494
                 and row["frame"] == 36}
    assert json.loads(values) == [{"node": "Main/Player", "property": "health", "value": "i:1"}]


# --- other statistics ---


@each_capture
def test_sums_equal_the_bandwidth_statistic(name):
    expected = {row["Method"]: tuple(int(row[column]) for column in ("Messages", "Bytes", "Bytes on the wire"))
                for row in bandwidth(FOLDER / f"{name}.pcap", *own_project(name))["By method"]}
    sums = collections.defaultdict(lambda: (0, 0, 0))
    for row in rows(name):
        what = {"call": f"{row['method']}()", "incomplete": "(unknown)"}.get(row["kind"], row["kind"])
        what = row["values"][0]["property"] if row["kind"] == "set" else what
        once = not row["repeated"]
        sums[what] = tuple(map(sum, zip(sums[what], (once, once * row["bytes"], row["wire_bytes"]))))
    assert dict(sums) == expected


# --- forms ---


@each_capture
def test_csv_has_the_same_cells(name):
    file, _ = written(FOLDER / f"{name}.pcap", *own_project(name), ending="csv")
    assert file.read_bytes().count(b"\n") == file.read_bytes().count(b"\r\n") == len(rows(name)) + 1
    with open(file, newline="", encoding="utf-8") as text:
        header, *lines = csv.reader(text, strict=True)
    assert header == list(rows(name)[0])
    for line, row in zip(lines, rows(name), strict=True):
        for cell, (column, value) in zip(line, row.items(), strict=True):
            plain = cell if isinstance(value, str) else json.loads(cell or "null")
            assert plain == value, (row["frame"], column)


LATER = ("retransmissions", "round_trip")  # known in the second pass only


def test_two_passes_give_the_same_rows():
    """Except for what is known in the second pass only, as in the fields of the acknowledgements."""
    path = FOLDER / "godot-4.6-enet-calls.pcap"
    found = rows_of(path, *own_project(path.stem), two_pass=True)
    never = [row for row in found if row["problem_code"] in ("godot.path.node_not_found", "godot.rpc.node_not_found")]
    assert len(never) > 1 and {row["kind"] for row in never} == {"path cache", "call"}
    later = [{**row, **dict.fromkeys(LATER + (("problem", "problem_code") if row in never else ()))} for row in found]
    assert later == rows(path.stem)
    answers = collections.defaultdict(set)
    for frames, seconds in tshark.fields(path, "enet.ack.frame", "enet.rtt"):
        for frame in frames:
            answers[int(frame)].update(round(float(value), 6) for value in seconds)
    timed = [row for row in found if row["round_trip"] is not None]
    assert len(timed) > 50 and all(round(row["round_trip"], 6) in answers[row["frame"]] for row in timed)
    assert {row["mode"] for row in timed} == {"reliable"}


def test_retransmissions():
    """A relay lost datagrams: the rows of retransmitted messages are those with a note."""
    path = tshark.CAPTURES / "multiplayer-loss" / "godot-4.6-relay.server-side.pcap"
    again = {row["frame"]: row["retransmissions"] for row in rows_of(path, two_pass=True) if row["retransmissions"]}
    assert again


@each_capture
def test_rows_of_values(name):
    """Each value of the messages, in order."""
    same = ("frame", "time", "session", "transport", "connection", "sender", "receiver", "from", "to", "kind", "net_frame", "repeated", "problem",
            "nanosecond", "message", "problem_code")
    expected = [{**{column: row[column] for column in same}, **value} for row in rows(name) for value in row["values"] or []]
    file, _ = written(FOLDER / f"{name}.pcap", *own_project(name), rows="values")
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert all(row.pop("schema") == 1 for row in found)
    shares = [[row.pop(f"share_{column}") for column in ("messages", "bytes", "wire_bytes")] + [row["kind"]] for row in found]
    assert all(share[:3] == [0, 0, 0] for share in shares if share[3] in ("spawn", "set"))
    assert all((row.pop("bytes") > 0) == (row["property"] is not None) for row in found)
    assert [row for row in found if row["property"]] == expected and all(row["value"] is None for row in found if not row["property"])


@functools.lru_cache(maxsize=None)
def rows_of_values(name):
    return rows_of(FOLDER / f"{name}.pcap", *own_project(name), rows="values")


@pytest.mark.parametrize("name", ["godot-4.6-enet-game", "godot-4.6-enet-synchronizers"])
def test_rows_add_up_to_the_bandwidth_of_each_node(name):
    """A message about one node counts in its row, the synchronization of several nodes in the rows of their
    values."""
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for row in rows(name):
        if not row["kind"].startswith("synchronize"):
            once = not row["repeated"]
            sums[row["node"] or "(no node)"] = [a + b for a, b in zip(sums[row["node"] or "(no node)"], (once, once * row["bytes"], row["wire_bytes"]))]
    for row in rows_of_values(name):
        share = [row[f"share_{column}"] for column in ("messages", "bytes", "wire_bytes")]
        sums[row["node"] or "(no node)"] = [a + b for a, b in zip(sums[row["node"] or "(no node)"], share)]
    table = bandwidth(FOLDER / f"{name}.pcap", *own_project(name), *tshark.BY_ID)["By node"]
    assert sums.pop("(no node)", [0, 0, 0]) == next(([int(row[c]) for c in ("Messages", "Bytes", "Bytes on the wire")] for row in table if row["Node"] == "(no node)"), [0, 0, 0])
    assert sums == {row["Node"]: [int(row[c]) for c in ("Messages", "Bytes", "Bytes on the wire")] for row in table if row["Node"] != "(no node)"}
    of_one = [row for row in rows(name) if row["kind"].startswith("synchronize") and row["node"]]
    assert of_one and all({value["node"] for value in row["values"] or []} <= {row["node"]} for row in of_one)


def unescaped(cell):
    return None if cell == r"\N" else cell.replace("\\\\", "\\")


@pytest.mark.parametrize("name, kind", [
    ("godot-4.6-enet-calls", "messages"), ("godot-4.6-enet-synchronizers", "values"),
    pytest.param("godot-4.6-enet-game", "messages", marks=pytest.mark.slow), pytest.param("godot-4.6-enet-game", "values", marks=pytest.mark.slow)])
def test_rows_for_databases(name, kind):
    """The same as JSON: separated by tabs, NULL as \\N, booleans as numbers, time without its fraction."""
    path = FOLDER / f"{name}.pcap"
    file, _ = written(path, *own_project(name), ending="tsv", rows=kind)
    expected = rows(name) if kind == "messages" else rows_of_values(name)
    found = [list(map(unescaped, line.split("\t"))) for line in file.read_bytes().decode().removesuffix("\n").split("\n")]
    assert len(found) == len(expected) > 100
    for cells, row in zip(found, expected):
        for cell, (column, value) in zip(cells, row.items(), strict=True):
            if column == "time":
                assert value == f"{cell.replace(' ', 'T')}.{row['nanosecond']:09}Z"
            elif value is None or isinstance(value, str) and column != "value":
                assert cell == value
            elif isinstance(value, bool):
                assert cell == str(int(value))
            else:
                assert json.loads(cell) == value


def test_message_numbers_and_addresses():
    """The keys for joining rows of values and other logs."""
    found = rows("godot-4.6-enet-game")
    assert [row["message"] for row in found] == list(range(1, len(found) + 1))
    values = collections.Counter(row["message"] for row in rows_of_values("godot-4.6-enet-game") if row["property"])
    assert values == {row["message"]: len(row["values"]) for row in found if row["values"]}
    ends = {int(number): (source, int(port), destination, int(other)) for ((number,), (source,), (port,), (destination,), (other,)) in tshark.fields(
        FOLDER / "godot-4.6-enet-game.pcap", "frame.number", "ip.src", "udp.srcport", "ip.dst", "udp.dstport")}
    assert all((row["source_ip"], row["source_port"], row["destination_ip"], row["destination_port"]) == ends[row["frame"]] for row in found)


def test_filter():
    name = "godot-4.6-enet-relay"
    found = rows_of(FOLDER / f"{name}.pcap", *own_project(name), filter=",godot.relayed")
    assert [row.pop("message") for row in found] == list(range(1, len(found) + 1))
    passing = [dict(row) for row in rows(name) if row["frame"] in {row["frame"] for row in found}]
    assert all(row.pop("message") for row in passing) and found == passing
    assert found and {row["frame"] for row in found} == {row["frame"] for row in rows(name) if row["relayed"]}


DECODE = ("-d", "enet.payload,godot")


def announcement(number, path):
    return b"\x01" + b"0" * 32 + b"\0" + number.to_bytes(4, "little") + path + b"\0"


def test_texts_are_escaped(tmp_path):
    name = 'Ev"il, \\ {x}\n;\x1b\'ü☃'
    connection = enet_packets.Connection()
    path = pcap.write(tmp_path / "escapes.pcap", connection.open() + [connection.message(announcement(1, name.encode()))])
    shown = name.replace("\n", " ").replace("\x1b", " ")
    (row,) = rows_of(path, *DECODE)
    assert row["node"] == shown and row["kind"] == "path cache"
    file, _ = written(path, *DECODE, ending="csv")
    with open(file, newline="", encoding="utf-8") as text:
        (cells,) = csv.DictReader(text, strict=True)
    assert cells["node"] == shown


def test_cells_with_quotes(tmp_path):
    """RFC 4180: quotes are doubled, and a cell with quotes is quoted even if it needs no quotes otherwise."""
    connection = enet_packets.Connection()
    path = pcap.write(tmp_path / "quotes.pcap", connection.open() + [connection.message(announcement(1, b'a"b'))])
    file, _ = written(path, *DECODE, ending="csv")
    assert ',"a""b",' in file.read_text()


DECEPTIVE = "user\u202egnp.exe\u2066\u2028\u061c\u009bx"


def test_text_that_looks_like_other_text(tmp_path):
    """Characters that change the direction of a line or end it are shown as their numbers in all output."""
    connection = enet_packets.Connection()
    argument = b"\x04\0\0\0" + len(DECEPTIVE.encode()).to_bytes(4, "little") + DECEPTIVE.encode()
    argument += bytes(-len(argument) % 4)
    call = b"\x20" + (1).to_bytes(4, "little") + b"\0\x01" + argument  # not compact, which would have no length word
    path = pcap.write(tmp_path / "deceptive.pcap", connection.open() + [
        connection.message(announcement(1, DECEPTIVE.encode())), connection.message(b"\x04" + argument), connection.message(call)])
    tree = tshark.run(path, "-V", *DECODE).stdout  # labels of fields are made by Wireshark: it does not escape U+2028
    outputs = [tshark.run(path, *DECODE).stdout, re.sub("Node Path: .*", "", tree)]
    outputs += [tshark.run(path, "-q", "-z", z, *DECODE).stdout for z in ("godot,bandwidth", "godot,tree", "godot,summary", "godot,timeline", "follow,godot,ascii,0" + (",0" if tshark.SUB_STREAMS else ""))]
    outputs += [written(path, *DECODE, ending=ending)[0].read_text(encoding="utf-8") for ending in ("jsonl", "csv")]
    for output in outputs:
        assert not set("\u202e\u2066\u2028\u061c\u009b") & set(output)
    assert sum("user\\u202egnp.exe\\u2066\\u2028\\u061c" in output for output in outputs) > 5


FORMULAS = ("=1+1", "+1+1", "-1+1", "@SUM(A1)", "'quoted", "-1", "plain", "a=1")


def test_cells_that_begin_like_formulas(tmp_path):
    """They are preceded by an apostrophe, which the reader has to remove; numbers and JSON are unchanged."""
    connection = enet_packets.Connection()
    path = pcap.write(tmp_path / "formulas.pcap", connection.open() + [connection.message(announcement(n, name.encode())) for n, name in enumerate(FORMULAS, 1)])
    assert [row["node"] for row in rows_of(path, *DECODE)] == list(FORMULAS)
    file, _ = written(path, *DECODE, ending="csv")
    with open(file, newline="", encoding="utf-8") as text:
        cells = [row["node"] for row in csv.DictReader(text, strict=True)]
    assert cells == ["'=1+1", "'+1+1", "'-1+1", "'@SUM(A1)", "''quoted", "-1", "plain", "a=1"]
    assert [cell.removeprefix("'") for cell in cells] == list(FORMULAS)
    table = folder() / "formulas.bandwidth.csv"
    table.unlink(missing_ok=True)
    tshark.run(path, "-q", "-z", f"godot,bandwidth,{table}", *DECODE)
    with open(table, newline="", encoding="utf-8") as text:
        assert {row["Node"] for row in csv.DictReader(text) if row["Table"] == "By node"} == set(cells)


WRITERS = ("messages", "values", "bandwidth", "timeline", "peers")


@pytest.mark.parametrize("statistic", WRITERS)
def test_a_full_disk(statistic):
    """The exit status is not 0, standard error has the reason, and the partial file cannot be mistaken for a
    complete one."""
    path = tshark.readable(FOLDER / "godot-4.6-enet-game.pcap")
    full = folder() / f"{statistic}-full.csv"
    full.unlink(missing_ok=True)
    full.symlink_to("/dev/full")
    limited = folder() / f"{statistic}-limited.csv"
    limited.write_text("of an earlier run")
    limited.chmod(0o666)
    for file in (full, limited):
        command = tshark.command("-r", path, "-q", "-z", f"godot,{statistic},{file}")
        script = 'trap "" XFSZ; ulimit -f 1; exec "$@"' if file is limited else 'exec "$@"'
        result = subprocess.run(["sh", "-c", script, "sh", *command], capture_output=True, text=True, check=False, timeout=60)
        if file is limited and result.returncode == 0:  # the tables of the peers fit into the limit
            assert statistic == "peers" and limited.stat().st_size < 1024
            continue
        assert result.returncode == 2 and result.stderr.count(f'The file "{file}" could not be written: ') == 1
    assert full.is_symlink() and (statistic == "peers" or not limited.exists())


def synchronized(entries, values):
    """A SYNC with path id 1 and this many entries of this many nulls."""
    entry = (0x80000001).to_bytes(4, "little") + (4 * values).to_bytes(4, "little") + bytes(4 * values)
    return b"\x06\x01\0" + entry * entries


def test_values_of_a_message_are_limited(tmp_path):
    """1 MiB of JSON: whole entries that fit, and a problem that reports the rest; a message that fits has
    none."""
    connection = enet_packets.Connection()
    long = b"N" * 3000
    packets = connection.open() + [connection.message(announcement(1, long)), connection.message(synchronized(30, 10)),
                                   connection.message(synchronized(40, 10))]
    _, few, many = rows_of(pcap.write(tmp_path / "limit.pcap", packets), *DECODE)
    assert len(few["values"]) == 300 and few["problem"] is None
    assert all(value == {"node": long.decode(), "property": f"Property {i % 10}", "value": None} for i, value in enumerate(many["values"]))
    each = len(json.dumps(many["values"][0], separators=(",", ":"))) + 1
    assert len(many["values"]) == (2**20 + 1) // each < 400
    assert "1 MiB" in many["problem"]


def test_problems(tmp_path):
    """Damage, and a message that is truncated in the capture."""
    connection = enet_packets.Connection()
    packets = connection.open() + [connection.message(announcement(1, b"Main")), connection.message(b"\x06\x01\0" + b"\x01\0\0\x80\x04\0\0\0\xff\xff\xff\xff")]
    _, damaged = rows_of(pcap.write(tmp_path / "damaged.pcap", packets), *DECODE)
    assert "cannot be decoded" in damaged["problem"]
    path = FOLDER / "godot-4.6-enet-calls.pcap"
    linktype, packets = pcap.read(path)
    short = rows_of(pcap.write(tmp_path / "short.pcap", packets, linktype=linktype, snaplen=96), *own_project(path.stem))
    assert "The capture does not have the end of the message" in {row["problem"] for row in short}
    assert {row["problem"] for row in rows("godot-4.6-enet-game")} == {None}
    assert damaged["problem_code"] == "godot.problem.value" and {row["problem_code"] for row in rows("godot-4.6-enet-game")} == {None}


@pytest.mark.parametrize("capture, codes", [
    ("multiplayer/godot-4.6-enet-calls", {"godot.path.node_not_found", "godot.rpc.node_not_found"}),
    ("multiplayer/godot-4.6-enet-mismatch", {"godot.path.checksum_refused", "godot.rpc.checksum_failed"}),
    ("multiplayer-errors/godot-4.6-broken", {"godot.problem.value", "godot.problem.too_short", "godot.sys.not_server"})])
def test_problem_codes_are_filters(capture, codes):
    """A filter with that name finds the messages with the code."""
    path = tshark.CAPTURES / f"{capture}.pcap"
    found = collections.defaultdict(set)
    for row in rows_of(path, two_pass=True):
        assert (row["problem"] is None) == (row["problem_code"] is None)
        found[row["problem_code"]].add(row["frame"])
    assert codes <= set(found)
    for code in codes:
        assert found[code] <= {int(number) for ((number,),) in tshark.fields(path, "frame.number", arguments=["-2", "-Y", code])}


@pytest.mark.parametrize("file, reason", [("/nonexistent/rows.csv", "No such file"), ("rows.txt", "ends in .jsonl, .csv or .tsv"),
                                          ("", "ends in .jsonl, .csv or .tsv"), ("/tmp/rows.csv,no such filter", "filter")])
def test_bad_option(file, reason):
    result = tshark.run(FOLDER / "godot-4.6-enet-raw.pcap", "-q", "-z", f"godot,messages,{file}", status=1)
    assert result.stderr.startswith("tshark: -z godot,messages,") and (reason in result.stderr or reason == "filter")


@pytest.mark.slow
def test_memory(tmp_path):
    """Rows are not kept: memory is the same with and without them."""
    connection = enet_packets.Connection()
    packets = connection.open() + [connection.message(announcement(1, b"N" * 500))]
    packets += [connection.message(synchronized(3, 10)) for _ in range(10000)]
    path = pcap.write(tmp_path / "many.pcap", packets)
    without = tshark.run(path, "-q", *DECODE, memory=1000).peak_memory
    file, result = written(path, *DECODE, memory=1000)
    assert file.stat().st_size > 32 << 20
    assert result.peak_memory < without + 16
    file.unlink()


@pytest.mark.slow
def test_memory_of_acknowledged_messages(tmp_path):
    """Round trips, which only a second pass needs, are not kept in one pass."""
    path = tmp_path / "game.pcap"
    subprocess.run([sys.executable, tshark.ROOT / "bench/game_capture.py", path, "400000"], check=True)
    without = tshark.run(path, "-q", "-z", "io,stat,0", memory=1000).peak_memory
    file, result = written(path, memory=1000)
    assert file.stat().st_size > 200 << 20
    assert result.peak_memory < without + 2
    file.unlink()
