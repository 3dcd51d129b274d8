"""`-z godot,bandwidth` compared with sums over the dissected packets.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import re
import shutil

import pytest

import enet_packets
import engine_logs
import pcap
import projects
import tshark

GAME = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-game.pcap"


@pytest.mark.parametrize("statistic, name", [("bandwidth", "Node"), ("properties", "Node"), ("overhead", "Sender")])
def test_names_are_in_the_window_as_it_opens(statistic, name):
    """In 4.0, it has about 500 pixels beside the rank; a title needs 8 per letter and 4 more."""
    heading = next(line for line in tshark.run(GAME, "-q", "-z", f"godot,{statistic}").stdout.splitlines()
                   if line.lstrip().startswith("Bytes on the wire"))
    titles = re.split(r"\s{2,}", heading.strip())
    assert sum(8 * len(title) + 4 for title in titles[:titles.index(name) + 1]) <= 500


def bandwidth(path, *arguments):
    return tshark.tables(tshark.run(path, "-q", "-z", "godot,bandwidth", *arguments).stdout)


@pytest.mark.parametrize("name, project, alike", [
    ("enet-game", "game4", {}), ("enet-calls", "rpc4", {"from_authority": -1}), ("enet-relay", "rpc4", {"answer": -4})])
def test_calls_are_those_of_the_scripts(name, project, alike):
    """`alike`: what no capture shows: a call that the engine refused to send; rpc_id() to everybody who had asked."""
    path, logged, counted = tshark.CAPTURES / "multiplayer" / f"godot-4.6-{name}.pcap", collections.Counter(alike), collections.Counter()
    for log in path.parent.glob(f"{path.stem}.*.log.gz"):
        logged.update(record["method"] for record in engine_logs.records(log) if record["what"] == "call")
    for row in bandwidth(path, *projects.option(project))["By method"]:
        if int(row["Calls"]):
            counted[row["Method"].partition("(")[0]] += int(row["Calls"])
    assert counted == logged


def messages(path, *arguments):
    """Messages of a capture: (layer's values by field name) of each layer `godot`."""
    for frame in tshark.packets(path, *arguments):
        for layer in frame.children:
            if layer.name == "godot":
                yield layer



@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-calls.pcap", "multiplayer/godot-4.6-enet-synchronizers.pcap",
                                  "multiplayer/godot-3.6-enet-calls.pcap", "multiplayer/godot-4.6-websocket-relay.pcap"])
def test_sums(name):
    """Each table has all bytes of all messages, and rows of calls have those of their calls."""
    path = tshark.CAPTURES / name
    calls, wire, total, count = collections.Counter(), collections.Counter(), 0, 0
    for layer in messages(path):
        repeated = bool(layer.all("godot.repeated"))
        (length,) = layer.all("godot.wire_length")
        total += length
        count += not repeated
        for call in layer.all("godot.rpc.call"):
            method = call.split("(")[0] + "()"
            calls[method] += not repeated
            wire[method] += length
    found = bandwidth(path)
    assert list(found) == ["By method", "By node", "By property"]
    times = [float(time) for (time,), in tshark.fields(path, "frame.time_relative", arguments=("-Y", "godot"))]
    seconds = times[-1] - times[0]
    for rows in found.values():
        assert sum(int(row["Bytes on the wire"]) for row in rows) == total
        shares = [float(row["Share %"]) for row in rows]
        assert abs(sum(shares) - 100) < 0.01 * len(rows)
        assert [int(row["Bytes on the wire"]) for row in rows] == sorted((int(row["Bytes on the wire"]) for row in rows), reverse=True)
        assert shares == [pytest.approx(100 * int(row["Bytes on the wire"]) / total, abs=0.006) for row in rows]
        for row in rows:
            assert float(row["Wire bytes/s"]) == pytest.approx(int(row["Bytes on the wire"]) / seconds, abs=0.6)
            assert float(row["Calls/s"]) == pytest.approx(int(row["Calls"]) / seconds, abs=0.006)
            assert float(row["Wire bytes each"]) == pytest.approx(int(row["Bytes on the wire"]) / max(1, int(row["Messages"])), abs=0.6)
    rows = found["By method"]
    assert sum(int(row["Messages"]) for row in rows) == count
    for column, wanted in ("Messages", calls), ("Bytes on the wire", wire):
        counted = collections.Counter()
        for row in rows:
            counted[row["Method"]] += int(row[column])
        assert {method: number for method, number in counted.items() if method.endswith("()")} == dict(wanted)




def test_properties():
    """The bytes of a synchronizer's message are those of its properties, whose names the project has."""
    place = tshark.workplace() / "game4"
    shutil.copytree(tshark.CAPTURES / "projects" / "game4", place)
    for path in (place, *place.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    found = bandwidth(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-game.pcap", "-o", f"godot.project:{place}")
    rows = [row for row in found["By property"] if row.get("Method") == "synchronize"]
    (whole,) = [row for row in found["By method"] if row["Method"] == "synchronize"]
    for column in ("Bytes", "Bytes on the wire"):
        assert sum(int(row[column]) for row in rows) == int(whole[column])
    players = [row for row in rows if row["Node"].endswith("/Movement")]
    assert {row["Property"] for row in players} == {"position", "velocity"} and len(players) == 8


def test_repeated_calls_count_once(tmp_path):
    """A network that duplicates datagrams: each call is counted once, its bytes as often as they were
    captured."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-calls.pcap"
    rows = bandwidth(path)["By method"]
    doubled = tmp_path / "doubled.pcap"
    pcap.write(doubled, [data for _, data in pcap.read(path)[1] for _ in range(2)], linktype=pcap.LINKTYPE_ETHERNET)
    again = {(row["Method"], row["Node"]): row for row in bandwidth(doubled)["By method"]}
    for row in rows:
        assert again[row["Method"], row["Node"]]["Messages"] == row["Messages"]
        assert again[row["Method"], row["Node"]]["Bytes"] == row["Bytes"]
        assert int(again[row["Method"], row["Node"]]["Bytes on the wire"]) > int(row["Bytes on the wire"])


def test_rows_are_limited_and_names_printable(tmp_path):
    connection = enet_packets.Connection(0x12345678)
    packets = connection.open()
    names = [f"Node{number}" for number in range(4100)]
    for number, name in enumerate(["First", "Evil\x1b[31m", *names], 1):
        announcement = b"\x01" + b"0" * 32 + b"\0" + number.to_bytes(4, "little") + name.encode() + b"\0"
        packets.append(connection.message(announcement))
    path = pcap.write(tmp_path / "made.pcap", packets)
    text = tshark.run(path, "-q", "-z", "godot,bandwidth").stdout
    assert "\x1b" not in text and "Evil" in text
    lines = text.split("\nBy node\n")[1].split("\n\n")[0].splitlines()[1:]
    assert len(lines) == 4001
    counts = [int(line.split()[-5]) for line in lines]
    assert sum(counts) == 4102 and "(other)" in lines[counts.index(max(counts))] and max(counts) == 102


def test_names_that_collide_in_the_tree(tmp_path):
    """Wireshark's own trees use a hash without a salt: only a few names with the same hash have their own
    rows."""
    names = [name.encode() for name in ("AbAbAb", "AbAbBA", "AbBAAb", "AbBABA", "BAAbAb", "BAAbBA", "Honest")]
    connection = enet_packets.Connection()
    path = pcap.write(tmp_path / "alike.pcap", [*connection.open(), *(connection.message(b"\x01" + b"0" * 32 + b"\0" + n.to_bytes(4, "little") + name + b"\0") for n, name in enumerate(names, 1))])
    output = tshark.run(path, "-q", "-z", "godot,tree", "-d", "enet.payload,godot").stdout
    shown = {name.decode() for name in names if name.decode() in output}
    assert shown == {"AbAbAb", "AbAbBA", "AbBAAb", "AbBABA", "Honest"} and "(other)" in output


def test_trees_end_at_two_gib(tmp_path):
    """Wireshark counts in an int there: what exceeds it is left out, and a row says so. Tables are not
    limited."""
    call = pcap.udp(b"\x80\x01\x00" + bytes(65000))
    count, length = 33100, 65003
    path = pcap.write(tmp_path / "large.pcap", [(1_700_000_000 + number / 1000, call[:60], len(call)) for number in range(count)])
    decode = ("-d", "udp.port==4242,godot")
    text = tshark.run(path, "-q", "-z", "godot,tree", "-z", "godot,bandwidth", *decode).stdout
    rows = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]
    counts = {row[0]: int(row[1]) for row in rows if len(row) > 2 and row[1].isdigit()}
    counted = (2**31 - 1) // length
    assert counts["Messages"] == counted and counts["Message bytes"] == counts["Bytes on the wire"] == counted * length
    assert counts["Not counted, beyond 2 GiB (packets)"] == count - counted
    (row,) = tshark.tables(text[text.index("Godot Bandwidth"):])["By method"]
    assert int(row["Packet bytes"]) == count * length
