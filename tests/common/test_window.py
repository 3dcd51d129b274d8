"""The plugin's functions for Wireshark's window, tested with tshark. SPDX-License-Identifier:
GPL-2.0-or-later"""

import collections
import re
import subprocess
import time

import pytest

import enet_packets
import pcap
import projects
import tshark


@pytest.fixture(scope="session")
def conversation_filters():
    """A function: {(protocol, text in the menu): {frame: filter}} of a capture."""
    def filters(path):
        text = tshark.run(path, "-q", "-z", "conversation-filters", **tshark.with_plugin("conversation-filters")).stdout
        offered = {}
        for line in text.splitlines():
            frame, protocol, menu, expression = line.split("\t")
            offered.setdefault((protocol, menu), {})[int(frame)] = expression
        return offered

    return filters


@pytest.mark.parametrize("name", ["enet/godot-4.6-several.pcap", "multiplayer/godot-4.6-enet-relay.pcap"])
def test_conversation_filters(name, conversation_filters):
    """Each frame of a connection offers a filter that shows exactly the frames of this connection."""
    path = tshark.CAPTURES / name
    offered = conversation_filters(path)
    for menu, field in (("enet", "ENet connection"), "enet.stream"), (("godot", "Godot session"), "godot.session"):
        rows = tshark.fields(path, "frame.number", field)
        indices = {number[0]: values for number, values in rows if values}
        if "enet/" in name and menu[0] == "godot":
            assert menu not in offered and not indices
            continue
        assert len({expression for expression in offered[menu].values()}) > 1
        assert offered[menu] == {number: f"{field} eq {values[0]}" for number, values in indices.items()}


@pytest.mark.parametrize("name", ["godot-4.6-enet-reconnect", "godot-4.6-enet-relay", "godot-3.6-enet-relay", "godot-4.6-websocket-relay"])
def test_flow_graph(name):
    """An arrow for each call, and for each ENet connection; a column for each peer."""
    path = tshark.CAPTURES / "multiplayer" / f"{name}.pcap"
    lines = tshark.run(path, "-q", *tshark.BY_ID, "-z", "flow,godot,standard").stdout.splitlines()
    columns = {text.strip() for line in lines[:2] for text in line.split("|")[2:] if text.strip()}
    labels = [line.rsplit("|", 1)[1] for line in lines if re.match(r"\|\d", line)]
    rows = tshark.fields(path, "godot.source", "godot.rpc.call", "enet.analysis.connect", "enet.analysis.disconnect")
    called = collections.Counter(call for _, calls, *_ in rows for call in calls)
    drawn = collections.Counter(label.split(" → ")[0] for label in labels if " → " in label)
    assert {call: drawn[call] for call in called} == dict(called)
    peers = {f"peer {peer}" for sources, *_ in rows for peer in sources if peer > 1}
    assert columns == {"peer 1", *peers}
    opened = sum(len(connect) for _, _, connect, _ in rows)
    assert labels.count("Connect") == opened and (opened > 0) == ("enet" in name)


def test_flow_graph_has_repeated_calls_once(tmp_path):
    connection = enet_packets.Connection()
    announced, called = (connection.command(data) for data in (b"\x01" + b"0" * 32 + b"\0\1\0\0\0Main\0", b"\x80\x01\x00"))
    path = pcap.write(tmp_path / "again.pcap", connection.open() + [connection.datagram(commands)
                                                                    for commands in (announced, called, called)])
    assert len(tshark.fields(path, "godot.repeated", arguments=["-Y", "godot.repeated == 1"])) == 1
    assert tshark.run(path, "-q", "-z", "flow,godot,standard").stdout.count("|#0()") == 1


def test_conversations_have_no_udp_stream():
    """Rows of the table "ENet" are connections. Wireshark would use the number of a UDP row as udp.stream."""
    path = tshark.CAPTURES / "enet" / "godot-4.6-several.pcap"
    text = tshark.run(path, "-q", "-z", "conv,enet").stdout
    rows = [line for line in text.splitlines() if "<->" in line and "|" not in line]
    streams = {value for (values,) in tshark.fields(path, "enet.stream") for value in values}
    assert len(rows) == len(streams)


@pytest.mark.parametrize("name", [pytest.param("godot-4.6-enet-game", marks=pytest.mark.slow), "godot-4.6-websocket-relay", "godot-3.6-enet-relay"])
def test_streams_of_conversations(name):
    """Wireshark follows the session with the number of a row: one with packets between the two addresses;
    each pair has one row."""
    path = tshark.CAPTURES / "multiplayer" / f"{name}.pcap"
    text = tshark.run(path, "-q", "-z", "conversation-numbers", **tshark.with_plugin("conversation-filters")).stdout
    rows = [line.split("\t") for line in text.splitlines()]
    assert len(rows) > 3 and len({frozenset(ends) for _, *ends in rows}) == len(rows)
    for number, *ends in rows:
        sessions = tshark.fields(path, "godot.session", arguments=["-Y", " && ".join(f'godot.peer.name == "{end}"' for end in ends)])
        assert any(int(number) in values for values, in sessions), (number, ends)


def test_one_numbering():
    """Over ENet, a session has the number of its connection, regardless of which one has the first packet."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-game.pcap"
    rows = tshark.fields(path, "enet.stream", "godot.session")
    pairs = {(stream, number) for (stream,), numbers in rows for number in numbers}
    assert pairs == {(number, number) for number in range(4)}


PAGES_OF = ["recorder/godot-4.6-enet-game.server.pcapng", "multiplayer/godot-4.6-websocket-relay.pcap", "multiplayer/godot-4.6-enet-game.pcap"]


def pages_while_frames_arrive(path, report, pressed):
    """Pages of the window: {latest frame: page}, drawn after each 50th frame and when its button is
    pressed."""
    text = tshark.run(path, "-q", "-z", report, "-z", f"text-window,{pressed}", **tshark.with_plugin("text-window")).stdout
    text, closed = text.split("# closed\n")
    assert closed == "", "what was written of a file that is closed stays"
    title, *pages = re.sub("^# filter .*\n", "", text, flags=re.M).split("# window ")
    assert title.split("\n")[0] == "# button Update"
    return {int(number): page for number, page in (page.split("\n", 1) for page in pages)}


@pytest.mark.parametrize("name", PAGES_OF)
@pytest.mark.parametrize("report", ["godot,summary", "godot,replication"])
def test_pages_while_frames_are_captured(name, report, tmp_path):
    """Every source draws. A page longer than the window is only written again if its button is pressed or the
    file is complete."""
    pressed, path = 220, tmp_path / "now.pcapng"
    ((first,),), *_ = tshark.fields(tshark.CAPTURES / name, "frame.time_epoch")
    subprocess.run(["editcap", "-t", str(time.time() - float(first)), tshark.CAPTURES / name, path], check=True)
    texts = pages_while_frames_arrive(path, report, pressed)
    frames = sorted(texts)
    assert frames[0] == 50 and "None: no ENet" not in texts[frames[-1]]  # drawn while it runs, whatever the source
    own = {number: page.count("\n") for number, page in texts.items()}
    by_itself = [number for number in frames if number not in (pressed, frames[-1])]
    assert all(own[number] <= 20 for number in by_itself[:-1])
    assert pressed in frames
    assert all(("Update writes it again" in page) == (own[number] > 20) for number, page in texts.items())
    count = len(tshark.fields(path, "frame.number"))
    if report == "godot,summary":
        assert f"up to frame {count}," in texts[frames[-1]] or "websocket" in name


@pytest.mark.parametrize("name", PAGES_OF)
def test_pages_of_a_file_are_complete(name):
    """Wireshark also draws before a large file is read completely, and does not report the end, so the page
    is written each time."""
    path = tshark.CAPTURES / name
    count = len(tshark.fields(path, "frame.number"))
    texts = pages_while_frames_arrive(path, "godot,summary", 220)
    assert max(texts) >= count // 50 * 50 and len([number for number in texts if number % 50 == 0]) >= count // 50 - 1
    assert not any("Update writes it again" in page for page in texts.values())


def test_buttons_of_the_summary():
    """Each press applies the filter of the next problem or peer, round again; tshark's text has the same filters
    in the same order."""
    path = tshark.CAPTURES / "multiplayer-errors" / "godot-4.6-refused.pcap"
    text = tshark.run(path, "-q", "-z", "godot,summary").stdout
    in_text = {"Next problem": re.findall(r"^  \w+: .*, filter: (\S+)$", text.split("\nPeers\n")[0], re.M),
               "Next category": re.findall(r"^ +[\d.]+ %  .*, filter: (.*)$", text, re.M),
               "Next peer": re.findall(r", filter: (enet.stream == \d+)$", text.split("\nPeers\n")[1], re.M)}
    shown = tshark.run(path, "-q", "-z", "godot,summary", "-z", "text-window,467", **tshark.with_plugin("text-window")).stdout
    applied = collections.defaultdict(list)
    for label, expression in re.findall(r"^# filter ([^\t\n]+)\t(.*)$", shown, re.M):
        applied[label].append(expression)
    assert applied.keys() == in_text.keys() and all(len(found) > 1 for found in in_text.values())
    for label, expressions in in_text.items():
        assert applied[label] == (12 * expressions)[:12]
    page = shown.split("# closed")[0].split("# window ")[-1]
    assert "filter:" not in page
    without = re.sub(r", first in frame \d+, filter: .*|, filter: enet.stream == \d+", "", text)
    words = [" ".join(part.split("Peers\n")[1].split()) for part in (page, without)]
    assert words[0] == words[1], "lines are wrapped, nothing else"


def applied_by(path, report, *options):
    """{label of a button: [filters that it applies when all frames are read]}"""
    last = len(tshark.fields(path, "frame.number"))
    shown = tshark.run(path, "-q", *options, "-z", f"godot,{report}", "-z", f"text-window,{last}", **tshark.with_plugin("text-window")).stdout
    applied = collections.defaultdict(list)
    for label, expression in re.findall(r"^# filter ([^\t\n]+)\t(.*)$", shown, re.M):
        applied[label].append(expression)
    return applied


@pytest.mark.parametrize("report, label, name", [
    ("log", "Next line", "recorder/reports/godot-4.6-refused.server.pcapng"), ("savings", "Next change", "savings/godot-4.6-echo.pcap"),
    ("summary", "Next problem", "recorder/reports/godot-4.6-refused.server.pcapng")])
def test_buttons_of_other_pages(report, label, name):
    """What the engines have said is before the problems that they have not said, as on the page."""
    path = tshark.CAPTURES / name
    text = tshark.run(path, "-q", "-z", f"godot,{report}").stdout
    text = re.sub(r"^ +frames? ([\d, ]+)$", r"filter: frame.number in {\1}", text, flags=re.M).split("\nLoss\n")[0].split("\nPeers\n")[0]
    expected = re.findall(r"filter: (.*)$", text, re.M)
    applied = applied_by(path, report)[label]
    assert len(set(expected)) > 1 and applied[:12] == (12 * expected)[:12]


@pytest.mark.parametrize("name, report", [*(("multiplayer/godot-4.6-enet-game.pcap", report) for report in ("summary", "replication", "savings")),
                                          *(("recorder/reports/godot-4.6-refused.server.pcapng", report) for report in ("summary", "log"))])
def test_no_line_is_wider_than_the_window(name, report):
    """As it opens. A cell that does not fit begins a line, a text is wrapped between words; nothing else changes."""
    shown = tshark.run(tshark.CAPTURES / name, "-q", *projects.option("game4"), "-z", f"godot,{report}", "-z", "text-window,9000",
                       **tshark.with_plugin("text-window")).stdout
    page = shown.split("# closed")[0].split("# window ")[-1]
    assert page.count("\n") > 10
    for line in page.splitlines()[1:]:
        assert len(line) <= 66 or " " not in line.strip() or line.lstrip().startswith("filter: ") or len(line.split()[-1]) > 40, line
    text = tshark.run(tshark.CAPTURES / name, "-q", *projects.option("game4"), "-z", f"godot,{report}").stdout
    assert set(re.findall("filter: .*", page)) <= set(re.findall("filter: .*", text)), "a filter is copied as it is"


def test_buttons_of_replication():
    """Each press applies a filter that shows frames, of the next row of its table; in the window only what leads a
    row follows below the tables."""
    path, options = tshark.CAPTURES / "multiplayer/godot-4.6-enet-game.pcap", projects.option("game4")
    shown = tshark.run(path, "-q", *options, "-z", "godot,replication", "-z", "text-window,9000", **tshark.with_plugin("text-window")).stdout
    applied = applied_by(path, "replication", *options)
    assert applied.keys() == {"Next interval", "Next property"}
    assert all(len(set(found)) > 1 for found in applied.values())
    for expression in {*applied["Next interval"][:2], *applied["Next property"][:2]}:
        assert len(tshark.fields(path, "frame.number", arguments=[*options, "-Y", expression])) > 1, expression
    page, text = shown.split("# closed")[0], tshark.run(path, "-q", *options, "-z", "godot,replication").stdout
    assert page.split("# window ")[-1].count(", written by ") < text.count(", written by ") / 3


def test_buttons_of_replication_for_rset():
    """Godot 3 has properties of its own."""
    path, options = tshark.CAPTURES / "multiplayer-authority/godot-3.6-pong.pcap", projects.option("pong3")
    expressions = set(applied_by(path, "replication", *options)["Next property"])
    assert expressions
    for expression in expressions:
        assert len(tshark.fields(path, "frame.number", arguments=[*options, "-Y", expression])) > 1, expression


def test_flow_graph_has_room_for_39(tmp_path):
    """Wireshark has columns for 40 peers and prints a warning for each arrow to another one (4.6 even with 40
    peers): these arrows are left out, and a line says so."""
    packets = []
    for number in range(60):
        connection = enet_packets.Connection(peer_id=100_000_000 + number, port=40001 + number)
        packets += [*connection.open(), connection.message(b"\x01" + b"0" * 32 + b"\0\1\0\0\0Main\0"), connection.message(b"\x80\x01\x00")]
    path = pcap.write(tmp_path / "peers.pcap", packets)
    result = tshark.run(path, "-q", "-z", "flow,godot,standard")
    remarks = [line for line in result.stdout.splitlines() if "more peers than columns" in line]
    assert result.stderr == "" and len(remarks) == 1
    assert result.stdout.count("|#0()") == 38


def columns_of(path):
    """The columns of a flow graph, and its other lines."""
    result = tshark.run(path, "-q", "-z", "flow,godot,standard")
    assert result.stderr == ""
    names, rows = result.stdout.splitlines()[:2], result.stdout.splitlines()[2:]
    return {text.strip() for line in names for text in line.split("|")[2:] if text.strip()}, rows


def test_flow_graph_that_begins_late(tmp_path):
    """Of the two ends of a connection one is the server: who announces a peer, whatever the port says; else the end with the lower port.
    (Wireshark complains if both are one column.)"""
    connection = enet_packets.Connection()
    connection.open()
    announces = pcap.write(tmp_path / "announces.pcap", [connection.message(bytes((7, 1, 99, 0, 0, 0))) for _ in range(4)])
    columns, rows = columns_of(announces)
    assert columns == {"server", "client of session 0"} and sum("add peer 99" in row for row in rows) > 1
    calls = tmp_path / "calls.pcap"
    subprocess.run(["editcap", "-r", tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-game.pcap", calls, "4000-5000"], check=True)
    columns, rows = columns_of(calls)
    assert "server" in columns and not any(name.startswith("peer") for name in columns) and sum("#0(" in row for row in rows) > 1


def test_follow_by_addresses(tmp_path):
    """Two clients with the same port on different hosts are distinguished."""
    packets = []
    for host, word in ((1, b"first"), (2, b"second")):
        connection = enet_packets.Connection(port=40001)
        acknowledgement = bytes((1, 0xFF, 0, 1, 0, 1, 0, 2))  # of Verify Connect, sent at 2 ms
        frames = [*connection.open(), connection.datagram(acknowledgement), connection.message(b"said by the " + word)]
        packets += [frame.replace(bytes((192, 0, 2, 1)), bytes((192, 0, 2, 10 + host))) for frame in frames]
    path = pcap.write(tmp_path / "alike.pcap", packets)
    server, = {port for ports, in tshark.fields(path, "udp.port") for port in ports} - {40001}
    (address,) = {text for texts, in tshark.fields(path, "ip.dst") for text in texts} - {"192.0.2.11", "192.0.2.12"}
    text = tshark.run(path, "-q", "-z", f"follow,enet,ascii,192.0.2.12:40001,{address}:{server}").stdout
    assert "second" in text and "first" not in text


def printed_windows(path, *options, more=()):
    """The windows that table-window printed, the last one opened after reading: [title or row]; a row begins
    with its rank."""
    line = [*(argument for option in options for argument in ("-z", f"table-window,{option}")), *more]
    text = tshark.run(path, "-q", *line, **tshark.with_plugin("table-window"), MALLOC_PERTURB_="165").stdout
    _, *windows = text.split("# window\n")
    return [window.rstrip("\n").split("\n") for window in windows]


def test_a_table_stays_when_another_is_refused():
    """A window keeps its content while others are opened, one of them with an invalid filter."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-relay.pcap"
    alone, titles = printed_windows(path, "godot,bandwidth")
    assert len(alone) > 10 and titles == ["By method", "By node", "By property"]
    first, third, _ = printed_windows(path, "godot,bandwidth", "godot,bandwidth,no such field", "godot,bandwidth")
    assert first == titles and third == alone


@pytest.mark.parametrize("statistic", ["bandwidth", "timeline"])
def test_a_window_opened_again_begins_anew(statistic):
    """It has the rows of the packets that it gets, and only those: as one with a filter for them."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-relay.pcap"
    rows = tshark.fields(path, "frame.number", "godot.wire_length")
    without = next(number for (number,), lengths in rows[len(rows) // 2:] if not lengths)
    whole, _ = printed_windows(path, f"godot,{statistic}")
    filtered, _ = printed_windows(path, f"godot,{statistic},frame.number > {without}")
    again, _ = printed_windows(path, f"godot,{statistic}", more=("-z", f"open-again,{without}"))
    assert len(again) > 5 and sorted(again) == sorted(filtered) != sorted(whole)


@pytest.mark.parametrize("name, said", [("recorder/godot-4.6-enet-game.server.pcapng", " (Packet bytes)"), ("multiplayer/godot-4.6-enet-game.pcap", "")])
@pytest.mark.parametrize("statistic, titles", [("godot,timeline", ["All messages", "By method", "By node"]),
                                               ("godot,bandwidth", ["By method", "By node", "By property"])])
def test_titles_of_tables(statistic, titles, name, said):
    """Column titles are the same for every capture; facts about this one are in the window title."""
    *_, shown = printed_windows(tshark.CAPTURES / name, statistic)
    assert shown == [title + said for title in titles]


def test_ranks():
    """In the order of their sums, each once."""
    shown, _ = printed_windows(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-game.pcap", "godot,bandwidth")
    rows = [line.split("\t")[:2] for line in shown if "\t" in line]
    starts = [number for number, row in enumerate(rows) if row[0] == "1"] + [len(rows)]
    assert len(starts) == 4
    for begin, end in zip(starts, starts[1:]):
        assert [int(rank) for rank, _ in rows[begin:end]] == list(range(1, end - begin + 1))
        sums = [int(wire) for _, wire in rows[begin:end]]
        assert sums == sorted(sums, reverse=True) and len(sums) > 3
