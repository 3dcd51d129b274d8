"""`-z godot,summary`: each line compared with the fields, the other statistics and the engines' logs.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import re
import subprocess
import sys

import pytest

import engine_logs
import pcap
import projects
import tshark
from test_bandwidth import bandwidth
from test_multiplayer import own_project
from two_points import translated

FOLDER = tshark.CAPTURES / "multiplayer"
LOSS = tshark.CAPTURES / "multiplayer-loss"
TOGETHER = 0.005


def sections(path, *options, **changes):
    """The lines below each heading; those before the first one without a heading."""
    found, title = collections.defaultdict(list), ""
    for line in tshark.run(path, "-q", *tshark.BY_ID, "-z", "godot,summary", *options, **changes).stdout.splitlines():
        if line and not line.startswith((" ", "=")):
            title = re.split(" \\(|:", line)[0]
        elif line.startswith(" "):
            found[title].append(line.strip())
    return found


@pytest.mark.parametrize("path", [FOLDER / "godot-4.6-enet-game.pcap", FOLDER / "godot-3.6-enet-calls.pcap", LOSS / "godot-4.6-relay.server-side.pcap"],
                         ids=lambda path: path.stem)
def test_players(path):
    """A line for each connection: its peer as the engines logged it, its frames and times; which end closed
    it and how."""
    frames, times, ends = collections.defaultdict(list), collections.defaultdict(list), {}
    rows = tshark.fields(path, "frame.number", "frame.time_relative", "enet.stream", "enet.command")
    for (number,), (time,), streams, commands in rows:
        for stream in set(streams):
            frames[stream].append(number)
            times[stream].append(time)
            if 4 in commands:
                ends.setdefault(stream, number)
    lines = sections(path)["Peers"]
    assert len(lines) == len(frames)
    for stream, line in enumerate(lines):
        assert f"{float(times[stream][0]):.2f} to {float(times[stream][-1]):.2f} s, frames {frames[stream][0]} to {frames[stream][-1]}" in line
        assert ("still there" in line) <= (stream not in ends)
        if stream in ends:
            assert f"in frame {ends[stream]}" in line
    shown = {int(match[1]) for line in lines if (match := re.match(r"peer (\d+) ", line))}
    name = path.name.split(".server-side")[0].removesuffix(".pcap")
    logged = {record["me"] for log in path.parent.glob(f"{name}.client*.log.gz") for record in engine_logs.records(log) if "me" in record}
    assert shown and shown == logged - {0, 1}


@pytest.mark.parametrize("name", ["godot-4.6-enet-game", "godot-3.6-websocket-calls", "godot-4.6-websocket-relay"])
def test_expenses_equal_the_bandwidth_statistic(name):
    path = FOLDER / f"{name}.pcap"
    rows = bandwidth(path, *own_project(name))["By method"]
    whole = sum(int(row["Bytes on the wire"]) for row in rows)
    expected = sorted(((-int(row["Bytes on the wire"]), row["Method"], int(row["Messages"])) for row in rows))
    lines = [line for line in sections(path, *own_project(name))["Bytes by category"] if not line.startswith("and ")]
    assert len(lines) == min(5, len(rows))
    for line, (wire, method, messages) in zip(lines, expected):
        assert line.startswith(f"{-100 * wire / whole:.1f} %  {method}: {-wire} bytes, {messages} messages, first in frame ")


PROBLEM = re.compile(r"(\w+): (\d+) × .*, first in frame (\d+), filter: (\S+)$")


@pytest.mark.parametrize("two_pass", [False, True])
@pytest.mark.parametrize("path", [FOLDER / "godot-4.6-enet-mismatch.pcap", LOSS / "godot-4.6-relay.server-side.pcap",
                                  tshark.CAPTURES / "multiplayer-errors" / "godot-4.6-refused.pcap"], ids=lambda path: path.stem)
def test_problems_are_the_expert_infos(path, two_pass):
    """Each kind once, with its severity, first frame and number: two of one packet count twice. Sorted by
    severity."""
    order = ("Error", "Warning", "Note")
    expected, first = collections.Counter(), {}
    for number, kind, severity, _ in tshark.experts(path, two_pass=two_pass):
        if severity != "chat" and kind.startswith(("godot.", "enet.")):
            expected[kind, severity.capitalize()] += 1
            first.setdefault(kind, number)
    lines = sections(path, two_pass=two_pass)["Problems"]
    listed = [match.groups() for match in map(PROBLEM.match, lines) if match]
    assert {(kind, severity): int(count) for severity, count, _, kind in listed} == expected != {}
    assert len(listed) == len(expected) and {kind: int(number) for *_, number, kind in listed} == first
    assert listed[0][0] == min((severity for severity, *_ in listed), key=order.index)
    advice = [line for line in lines if line.startswith("To do: ")]
    assert advice and len(advice) == len(set(advice))


def test_two_in_one_datagram_are_two():
    """Refused calls in one datagram."""
    path, options = tshark.CAPTURES / "multiplayer-errors" / "godot-3.6-refused.pcap", projects.option("refused3")
    frames = [number for number, kind, *_ in tshark.experts(path, *options) if kind == "godot.rpc.not_allowed"]
    (line,) = [line for line in sections(path, *options)["Problems"] if line.endswith("filter: godot.rpc.not_allowed")]
    assert int(PROBLEM.match(line)[2]) == len(frames) > len(set(frames))


@pytest.mark.parametrize("name, project, code, words", [
    ("multiplayer-authority/godot-4.6-owner", "owner4", "godot.rpc.not_allowed", "is not allowed on node"),
    ("multiplayer-errors/godot-4.6-refused", "refused4", "godot.rpc.wrong_arguments", "Method expected"),
    ("multiplayer-errors/godot-4.6-refused", "refused4", "godot.rpc.not_allowed", "is not allowed on node")])
def test_what_the_server_relays_is_one_event(name, project, code, words):
    """A refused call that the server relays is in two packets; an engine prints one error."""
    path = tshark.CAPTURES / f"{name}.pcap"
    printed = sum(words in str(record.get("text")) for log in path.parent.glob(f"{path.stem}.*.log.gz") for record in engine_logs.records(log))
    (line,) = [line for line in sections(path, *projects.option(project), two_pass=True)["Problems"] if line.endswith(code)]
    assert int(PROBLEM.match(line)[2]) == printed
    packets = [number for number, kind, *_ in tshark.experts(path, *projects.option(project), two_pass=True) if kind == code]
    assert len(packets) > printed


def test_rows_of_one_node_name_it():
    path = tshark.CAPTURES / "multiplayer-errors" / "godot-4.6-refused.pcap"
    lines = sections(path, *projects.option("refused4"))["Problems"]
    assert any(re.match(r"Warning: \d+ × RPC is not allowed: the receiver refuses the call, at Main/Unit, first in frame ", line) for line in lines)
    assert not any("checksum_refused" in line and ", at " in line for line in lines)


@pytest.mark.parametrize("name", [pytest.param("multiplayer/godot-4.6-enet-game", marks=pytest.mark.slow), "multiplayer/godot-3.6-websocket-calls",
                                  "multiplayer-loss/godot-4.6-relay.server-side", "multiplayer/godot-4.6-websocket-relay", "multiplayer-errors/godot-4.6-broken", "multiplayer-errors/godot-4.6-timeout",
                                  "enet/godot-3.6-several"])
def test_each_line_has_a_filter_that_finds_it(name):
    path = tshark.CAPTURES / f"{name}.pcap"
    options = own_project(path.stem) if path.parent == FOLDER else ()
    found = [(title, line) for title, lines in sections(path, *options, two_pass=True).items() for line in lines]
    pairs = {(match[2], match[1]) for _, line in found if (match := re.search(r"(?:first in frame|frames) (\d+)(?: to \d+)?[,;].*filter: (.*)$", line))}
    assert len(pairs) > 4
    for expression, frame in pairs:
        numbers = [number for ((number,),) in tshark.fields(path, "frame.number", arguments=["-Y", expression, *options], two_pass=True)]
        also_others = "godot.rpc.call matches" in expression or path.stem == "godot-4.6-broken"  # calls of two methods; incomplete messages of the kind
        assert int(frame) == numbers[0] or (int(frame) in numbers and also_others), expression
    assert all("filter: " in line or line.startswith(("and ", "None", "No ", "To do", "Missing")) or not PROBLEM.match(line)
               for title, line in found if title in ("Peers", "Bytes by category", "Problems"))


@pytest.mark.parametrize("name", ["godot-4.6-websocket-reconnect", "godot-3.6-websocket-calls", "godot-4.6-enet-reconnect"])
def test_a_connection_begins_as_in_peers(name):
    path = tshark.CAPTURES / "multiplayer" / f"{name}.pcap"
    text = tshark.run(path, "-q", "-z", "godot,summary", "-z", "godot,peers", two_pass=True).stdout
    begun = re.findall(r"^  client \d+ .*?: ([\d.]+) to [\d.]+ s, frames", text, flags=re.M)
    assert begun and begun == re.findall(r"^client \d+ +\d+ +\d+ +\d+ +([\d.]+)", text, flags=re.M)


def test_a_websocket_without_its_opening(tmp_path):
    """Wireshark does not recognize it: the page shows what to do, which works."""
    path = tmp_path / "late.pcap"
    subprocess.run(["editcap", "-r", tshark.CAPTURES / "multiplayer" / "godot-4.6-websocket-relay.pcap", path, "150-9999"], check=True)
    (said,) = sections(path)["Peers"]
    assert said.startswith("None: ") and said.endswith("Decode As: tcp.port, WebSocket")
    assert len([line for line in sections(path, "-d", "tcp.port==22201,websocket")["Peers"] if "Godot 4 over WebSocket" in line]) == 3


def test_a_port_that_belongs_to_another_protocol(tmp_path):
    """Port 3000 is that of DIS, which accepts the first datagrams of a connection: the capture is not late."""
    link, packets = pcap.read(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-calls.pcap")
    ours, dis = (22201).to_bytes(2, "big"), (3000).to_bytes(2, "big")
    moved = [(time, data[:34] + data[34:38].replace(ours, dis) + data[38:]) for time, data in packets]
    path = pcap.write(tmp_path / "dis.pcap", moved, linktype=link)
    first, heuristics = "The first packets of 1 session (frame 1) are shown as another protocol", "-o udp.try_heuristic_first:TRUE"
    page, without = (tshark.run(path, "-q", "-z", "godot,summary", *options, two_pass=True).stdout for options in ((), heuristics.split()))
    assert first in page and f"To do: {heuristics}." in page and "in the middle" not in page
    assert first not in without and "in the middle" not in without
    late = pcap.write(tmp_path / "late.pcap", packets[len(packets) // 2:], linktype=link)
    page = tshark.run(late, "-q", "-z", "godot,summary", two_pass=True).stdout
    assert "begins in the middle of 1 session" in page and "another protocol" not in page


def test_one_screen():
    """A session without problems."""
    text = tshark.run(FOLDER / "godot-4.6-enet-game.pcap", "-2", "-q", "-z", "godot,summary", *projects.option("game4")).stdout
    titles = [line.split(" (")[0] for line in text.splitlines() if line and not line.startswith((" ", "=", "Godot Summary"))]
    assert titles == ["Problems", "Loss", "Peers", "Bytes by category", "ENet"] and text.count("\n") <= 40


def lost_and_needless(path):
    """{stream: [transmissions that did not arrive, retransmissions of what had arrived]}, from the commands on the wire:
    an acknowledgement has the time of the transmission that it answers."""
    sent, found = collections.defaultdict(list), collections.defaultdict(lambda: [0, 0])
    acknowledged = set()
    for frame in tshark.packets(path):
        for layer in frame.nodes("enet"):
            stream, side = layer.one("enet.stream"), layer.one("enet.sender")
            for command in layer.nodes("enet.command.entry"):
                kind, channel = command.one("enet.command"), command.one("enet.channel")
                if kind == 1:
                    key = (stream, 1 - side, channel, command.one("enet.ack.sequence"))
                    times = sent[key]
                    if key not in acknowledged and command.one("enet.ack.sent_time") in times:
                        index = times.index(command.one("enet.ack.sent_time"))
                        found[stream][0] += index
                        found[stream][1] += len(times) - index - 1
                    acknowledged |= {key} if times else set()
                elif command.one("enet.command.acknowledge") and kind != 2:
                    key, time = (stream, side, channel, command.one("enet.sequence")), layer.one("enet.sent_time")
                    if time not in sent[key]:
                        found[stream][1] += key in acknowledged
                        sent[key].append(time)
    return found


def test_losses():
    """The numbers of retransmissions and missing messages by connection are those of the wire and of the expert infos."""
    path = LOSS / "godot-4.6-relay.server-side.pcap"
    missing = collections.Counter()
    expected = lost_and_needless(path)
    for frame in tshark.packets(path):
        for layer in frame.nodes("enet"):
            for command in layer.nodes("enet.command.entry"):
                kinds = {kind for kind, _, _ in command.experts}
                missing[layer.one("enet.stream")] += command.one("enet.analysis.missing") if "enet.analysis.unreliable_gap" in kinds else 0
    lines = sections(path)["Loss"]
    found = [tuple(map(int, re.search(r" (\d+) unreliable messages missing.* (\d+) of \d+ reliable", line).groups()))
             for line in lines if line.startswith(("peer", "A peer"))]
    (needless,) = (int(re.search(r"(\d+) retransmissions were needless", line)[1]) for line in lines if line.startswith("Not lost"))
    assert [lost for lost, _ in found] == [missing[stream] for stream in sorted(expected)]
    assert [count for _, count in found] == [expected[stream][0] for stream in sorted(expected)] and min(count for _, count in found) > 0
    assert needless == sum(count for _, count in expected.values()) > 0


def test_losses_between_two_points():
    """Datagrams lost on the network, by connection, with the first of each. Bytes count once, so the shares
    add up to the whole."""
    path = translated("godot-4.6-handover")
    lost = collections.defaultdict(list)
    for number, streams in tshark.fields(path, "frame.number", "enet.stream", arguments=["-Y", "enet.analysis.lost"], two_pass=True):
        lost[streams[0]].append(number[0])
    found = sections(path, *projects.option("handover4"), two_pass=True)
    lines = [re.search(r": (\d+) datagrams lost on the network, the first in frame (\d+)[;,]", line) for line in found["Loss"] if line.startswith(("peer", "A peer"))]
    assert [(int(match[1]), int(match[2])) for match in lines] == [(len(lost[stream]), lost[stream][0]) for stream in sorted(lost)]
    headers, messages = map(float, re.search(r": ([\d.]+) % headers below ENet, ([\d.]+) % Godot's messages", found["ENet"][0]).groups())
    assert headers > 30 and messages > 30 and headers + messages < 100
    assert not any(line.startswith(("Error", "Warning")) for line in found["Problems"])


def test_transit_between_two_points():
    """As the datagrams have it, for each connection and way."""
    path = translated("godot-4.6-handover")
    expected = collections.defaultdict(lambda: ([], []))
    for (stream, *_), (port, *_), (seconds,) in tshark.fields(path, "enet.stream", "udp.srcport", "enet.transit", arguments=["-Y", "enet.transit"], two_pass=True):
        expected[stream][port == 22222].append(1000 * seconds)
    ways = r"from the server ([\d.]+) ms on average, at most ([\d.]+) ms; to the server ([\d.]+) ms on average, at most ([\d.]+) ms"
    found = [[float(number) for number in re.search(ways, line).groups()] for line in sections(path, two_pass=True)["Peers"]]
    assert len(found) == 3
    for numbers, (up, down) in zip(found, (expected[stream] for stream in sorted(expected))):
        assert numbers == pytest.approx([sum(down) / len(down), max(down), sum(up) / len(up), max(up)], abs=0.06)
        assert min(len(up), len(down)) > 20


def test_each_text_of_a_problem():
    """Both processes that stopped are named, not only the first one, and the server once, not for each connection."""
    lines = sections(tshark.CAPTURES / "multiplayer-ends" / "godot-4.6-frozen.pcap", two_pass=True)["Problems"]
    who = [match[1] for line in lines if (match := re.match(r"frame \d+: Paused: (.*?) did not run for", line))]
    assert who == ["the client (peer 721959516)", "the server"]


def test_advice_of_what_is_sent_again():
    """What all had arrived, or where it was lost, need not be looked for."""
    def advice(path):
        lines = sections(path, two_pass=True)["Problems"]
        return {line.partition(": ")[2].rpartition("filter: ")[2]: after for line, after in zip(lines, lines[1:]) if "× " in line}["enet.analysis.retransmission"]

    assert advice(tshark.CAPTURES / "multiplayer-ends" / "godot-4.6-frozen.pcap") == "To do: nothing: what was sent again had arrived"
    # To a client that was killed, too.
    assert "had arrived" not in advice(tshark.CAPTURES / "multiplayer-errors" / "godot-4.6-timeout.pcap")
    assert "capture at both ends" in advice(tshark.CAPTURES / "enet" / "quoted-by-icmp.pcap")


@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-game.pcap", "multiplayer/godot-3.6-enet-relay.pcap", "enet/godot-4.6-several.pcap"])
def test_bytes_from_the_server(name):
    """As many as all peers got."""
    text = tshark.run(tshark.CAPTURES / name, "-q", "-z", "godot,summary").stdout
    (rows,) = tshark.tables(tshark.run(tshark.CAPTURES / name, "-q", "-z", "godot,peers").stdout).values()
    assert int(re.search(r"bytes \((\d+) from the server\)", text)[1]) == sum(int(row["Bytes to"]) for row in rows) > 0


@pytest.mark.parametrize("name, project, begin", [("scores", "scores3", "To do: call it from"), ("bomber", "bomber3", "To do: declare the method")])
def test_advice_of_the_generation(name, project, begin):
    """Godot 3 has no @rpc."""
    path = tshark.CAPTURES / "multiplayer-authority" / f"godot-3.6-{name}.pcap"
    advice = [line for line in sections(path, *projects.option(project))["Problems"] if line.startswith(begin)]
    assert advice and not any("@rpc" in line for line in advice)


def test_who_cannot_connect():
    """A server that answers others meanwhile is there. In order: full; alone, with another compression; none."""
    lines = sections(tshark.CAPTURES / "multiplayer-errors" / "godot-4.6-connect.pcap", two_pass=True)["Problems"]
    said = [(match[1], match[2].endswith("this Connect is compressed")) for line in lines
            if (match := re.match(r"frame \d+: Connect of .*\(connection_failed\): (there is no server|the server answers others)[,:] (.*)$", line))]
    assert said == [("the server answers others", False), ("there is no server", True), ("there is no server", False)]


@pytest.mark.parametrize("mode, twice", [("none", False), ("all", True)])
def test_two_points_without_interfaces(mode, twice, tmp_path):
    """Both ends of a proxy, merged as one interface: the connections are there twice."""
    name = str(LOSS / "godot-4.6-replication")
    merged = tmp_path / "merged.pcapng"
    subprocess.run(["mergecap", "-I", mode, "-w", merged, f"{name}.client-side.pcap", f"{name}.server-side.pcap"], check=True)
    merged.chmod(0o644)
    text = tshark.run(merged, "-q", "-z", "godot,summary").stdout
    assert ("\n2 connections were captured twice, with other addresses (enet.stream 1 is 0): " in text) == twice


def test_a_peer_that_is_not_heard_any_more():
    """One client was killed: its last message, and the time from then until the server closed the
    connection."""
    path = translated("godot-4.6-handover")
    (log,) = LOSS.glob("godot-4.6-handover.client3.log.gz")
    (killed,) = {record["me"] for record in engine_logs.records(log) if "me" in record}
    lines = [line for line in sections(path, two_pass=True)["Peers"] if "not heard" in line]
    ((frame, seconds),) = [(int(match[2]), float(match[1])) for match in (re.search(r"not heard for ([\d.]+) s before that, last in frame (\d+)[;,]", line) for line in lines)]
    assert lines[0].startswith(f"peer {killed} ")
    rows = tshark.fields(path, "frame.number", "frame.time_relative", arguments=["-Y", "enet.stream == 2 && enet.sender == 0 && !enet.analysis.second_point"], two_pass=True)
    assert rows[-1][0] == [frame]


@pytest.mark.parametrize("name", ["godot-3.6-enet-range-coder-calls", "godot-3.6-enet-calls"])
def test_compression(name):
    """On: the number of datagrams and the first one; the share of messages is omitted because it is
    compressed. Off: the possible saving, if there is one."""
    path = FOLDER / f"{name}.pcap"
    compressed = [number[0] for (number,) in tshark.fields(path, "frame.number", arguments=["-Y", "enet.flags.compressed == 1"])]
    lines = sections(path)["ENet"]
    said = [line for line in lines if line.startswith("Compression is on")]
    assert said == ([f"Compression is on: {len(compressed)} of the datagrams are compressed, the first in frame {compressed[0]}"] if compressed else [])
    assert ("Godot's messages" in lines[0]) == (not compressed)
    assert any("COMPRESS_RANGE_CODER" in line for line in lines) == (not compressed) and not any("save 0 bytes" in line for line in lines)
    frames = [number[0] for (number,) in tshark.fields(path, "frame.number", arguments=["-Y", "enet"])]
    assert lines[0].startswith(f"{len(frames)} datagrams in frames {frames[0]} to {frames[-1]}, ")


def test_datagrams_that_could_be_one():
    path = FOLDER / "godot-4.6-enet-game.pcap"
    began, joined, saved = {}, 0, 0
    for (time,), (length,), (udp,), (source,), (stream,), messages in tshark.fields(
            path, "frame.time_relative", "frame.len", "udp.length", "udp.srcport", "enet.stream", "godot.api"):
        if messages and float(time) - began.setdefault((stream, source), float(time) - 1) < TOGETHER:
            joined, saved = joined + 1, saved + length - (udp - 8)
        elif messages:
            began[stream, source] = float(time)
    (line,) = [line for line in sections(path)["ENet"] if "shared a datagram" in line]
    assert f": {joined} fewer datagrams, at least {saved} bytes" in line and joined > 1000


def test_capture_without_godot(tmp_path):
    """A capture of another protocol."""
    path = pcap.write(tmp_path / "other.pcap", [pcap.udp(b"hello")])
    found = sections(path)
    assert len(found["Peers"]) == 1 and found["Peers"][0].startswith("None: no ENet, no multiplayer message of Godot.") and "ENet" not in found
    assert found["Bytes by category"] == ["None: no multiplayer message of Godot."]


def test_filter():
    path = FOLDER / "godot-4.6-enet-game.pcap"
    lines = tshark.run(path, "-q", "-z", "godot,summary,enet.stream == 1").stdout
    assert lines.count("\n  client ") == 1
    assert tshark.run(path, "-q", "-z", "godot,summary,no such filter", status=1).stderr.startswith("tshark: -z godot,summary,")


def test_project_that_is_not_there(tmp_path):
    """What to do names the place in the window, where the table of projects is, besides the preference."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-reconnect.pcap"
    text = tshark.run(path, "-q", "-o", f"godot.project:{tmp_path}/gone", "-z", "godot,summary").stdout
    assert re.search(r"gone does not exist or cannot be read\n +To do: check the paths at Preferences > Protocols > Godot > Godot projects", text)


def test_each_problem_has_advice():
    """What to do is said below each problem that a capture of this project has."""
    source = (tshark.ROOT / "plugin/multiplayer/statistics/summary/summary.c").read_text()
    known = re.findall(r'\{"((?:godot|enet)\.[\w.]+)",', source)
    listed = {one for page in (tshark.ROOT / "tests/expected").rglob("*.txt")
              for one in re.findall(r"^  (?:Error|Warning|Note): .*, filter: ([\w.]+)$", page.read_text(), re.MULTILINE)}
    assert len(listed) > 50
    assert not {one for one in listed if not any(one.startswith(row) if row[-1] in "._" else one == row for row in known)}


@pytest.mark.slow
def test_compression_of_a_long_capture(tmp_path):
    """Of a long capture the encoder tries one datagram in eight after the first 16,384. The same estimate in
    Summary and Savings, and close to the number of the tree of ENet, which encodes each datagram."""
    path = tmp_path / "game.pcap"
    subprocess.run([sys.executable, tshark.ROOT / "bench/game_capture.py", path, "40000"], check=True)
    summary, savings, tree = (tshark.run(path, "-q", "-z", table).stdout for table in ("godot,summary", "godot,savings", "enet,tree"))
    (estimate,) = re.findall(r"would save about (\d+) bytes", summary)
    assert re.search(rf" {estimate} bytes.*COMPRESS_RANGE_CODER\)\n.*\n +What ENet's encoder makes of the first 16,384 datagrams and one in eight of the others", savings)
    exact = sum(map(int, re.findall(r"Saved by the range coder +(\d+)", tree)))
    assert int(estimate) != exact and int(estimate) == pytest.approx(exact, rel=0.02)
