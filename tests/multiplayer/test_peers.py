"""`-z godot,peers` compared with the fields of the packets and the engines' logs.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import hashlib
import re
import struct
import subprocess

import pytest

import engine_logs
import enet_packets
import evidence
import pcap
import recording_file
import tshark
from tshark import tables
from test_recount import there_and_back
from test_summary import lost_and_needless

CONNECTED, DISCONNECTED = 1, 2 # kinds of records
FIELDS = ("frame.len", "enet.stream", "enet.sender", "enet.rtt", "enet.analysis.retransmission",
          "enet.analysis.ack_repeated")


def peers(path, *options):
    (rows,) = tables(tshark.run(path, "-q", *tshark.BY_ID, *options, "-z", "godot,peers").stdout).values()
    return rows


@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-enet-reconnect.pcap", "multiplayer/godot-3.6-enet-relay.pcap",
                                  "enet/godot-4.6-none-everything.pcap", "enet/godot-4.6-several.pcap"])
def test_numbers(name):
    path = tshark.CAPTURES / name
    expected = collections.defaultdict(lambda: collections.Counter(trips={0: [], 1: []}))
    for length, stream, sender, trips, again, doubled in tshark.fields(path, *FIELDS):
        if stream:
            (number,) = stream
            row = expected[number]
            row["Bytes from" if sender == [0] else "Bytes to"] += length[0]
            trips = trips[len(doubled):]  # a reply that arrives twice counts once
            row["doubled"] += len(doubled)
            row["Round trips"] += len(trips)
            row["trips"][sender[0]] += trips
            row["Sent again"] += len(again)
    rows = peers(path)
    assert len(rows) == len(expected)
    lost = lost_and_needless(path)
    for row, (number, wanted) in zip(rows, sorted(expected.items())):
        for column in ("Bytes from", "Bytes to", "Round trips"):
            assert int(row[column]) == wanted[column], column
        assert [int(row["Lost"]), int(row["Needless"])] == lost[number]
        assert sum(lost[number]) <= wanted["Sent again"]
        share = 100 * int(row["Lost"]) / int(row["Reliable"]) if row["Reliable"] != "0" else 0
        assert float(row["Loss %"]) == pytest.approx(share, abs=0.006)
        if wanted["doubled"]:
            continue
        said = int(row["Round trips"]), float(row["Longest, ms"]), float(row["Average, ms"])
        assert said == pytest.approx(there_and_back([trips for trips in wanted["trips"].values() if trips]), abs=0.006)


def test_who_they_are():
    """The ids that the clients logged, in the order in which they connected."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-relay.pcap"
    logged = set()
    for log in path.parent.glob("godot-4.6-enet-relay.*.log.gz"):
        ids = [record.get("id") for record in engine_logs.records(log)]
        logged |= {number for number in ids if isinstance(number, int) and number > 1}
    shown = {int(row["Peer"].removeprefix("peer ")) for row in peers(path)}
    assert shown and shown <= logged
    assert {int(row["ID"]) for row in peers(path)} == shown


@pytest.mark.parametrize("name, column", [("multiplayer/godot-4.6-enet-relay.pcap", "enet.stream"), ("multiplayer/godot-4.6-websocket-relay.pcap", "tcp.stream"),
                                          ("recorder/godot-4.6-enet-game.server.pcapng", "godot.session")])
def test_filters(name, column):
    """The filter of a row finds the frames of that peer."""
    path = tshark.CAPTURES / name
    for number, row in enumerate(peers(path)):
        assert row["Filter"].split(" || ")[-1] == f"{column} eq {number}"
        shown = tshark.fields(path, "godot.peer.name", arguments=["-Y", row["Filter"], *tshark.BY_ID])
        names = collections.Counter(peer for ends, in shown for peer in ends)
        assert row["Peer"] in names


@pytest.mark.parametrize("name", ["enet-kick-dynamic.server", "enet-kick-dynamic.client", "websocket-kick-typed.server", "enet-game.server"])
def test_recorded(name):
    """When the game has got and lost them; also those that have sent nothing."""
    path = tshark.CAPTURES / "recorder" / f"godot-4.6-{name}.pcapng"
    records = recording_file.records(path.read_bytes())
    times = collections.defaultdict(list)
    for record in records:
        if record.kind in (CONNECTED, DISCONNECTED):
            times[max(record.own, record.other)].append((record.time - records[0].time, record.kind))
    rows = {int(row["Peer"].removeprefix("peer ")): row for row in peers(path)}
    assert rows.keys() == times.keys() and rows
    for peer, events in times.items():
        assert float(rows[peer]["Opened, s"]) == pytest.approx(events[0][0], abs=0.006)
        assert rows[peer]["Captured"] == "messages only, so no losses"
        closed = events[-1][1] == DISCONNECTED
        assert (rows[peer].get("With", "") == "disconnected") == closed
        if closed:
            assert float(rows[peer]["Duration, s"]) == pytest.approx(events[-1][0] - events[0][0], abs=0.011)
            text = tshark.run(path, "-q", *tshark.BY_ID, "-z", "godot,summary").stdout
            assert re.search(rf"peer {peer}, Godot 4 over the game's recorder: .*; disconnected in frame \d+, filter", text)
        shown = tshark.fields(path, "frame.number", arguments=["-Y", rows[peer]["Filter"]])
        assert len(shown) >= len(events)


def test_how_they_left():
    rows = peers(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-reconnect.pcap")
    assert [(row["Closed by"], row["With"]) for row in rows] == [
        ("peer", "Disconnect at once"), ("server", "Disconnect"), ("peer", "Disconnect at once")
    ]


WEBSOCKET = ("frame.number", "frame.time_relative", "frame.len", "tcp.stream", "tcp.dstport", "tcp.len", "tcp.flags",
             "tcp.analysis.ack_rtt", "godot.session", "websocket.opcode", "tcp.options.sack_le", "tcp.options.sack_re", "tcp.ack", "tcp.seq")
FIN, RST, ACKNOWLEDGES, CLOSE, PORT, LOSS_PORT = 1, 4, 16, 8, 22201, 22231
IN_ORDER = ("-o", "tcp.reassemble_out_of_order:TRUE")
LOSS = sorted(path.stem for path in (tshark.CAPTURES / "websocket-loss").glob("*.pcap"))


class Segments:
    """What one end of a TCP connection has sent, and how much of it the other end has, by relative numbers."""

    def __init__(self):
        self.sent, self.again, self.lost, self.acknowledged, self.selected = {}, [], [], 0, 0

    def send(self, number, time):
        """Whether it was lost before: the other end lacks it, and has what comes behind it."""
        again = time - self.sent.get(number, time) > 0.002
        lost = again and self.acknowledged <= number < self.selected
        self.again += [number] * again
        self.lost += [number] * lost
        self.sent[number] = time
        return lost

    def acknowledge(self, number, begins, ends):
        """Whether the other end says that what was sent again had arrived (D-SACK), and whether that was in `lost`."""
        self.acknowledged, self.selected = number, max([0, *ends])
        had_arrived = bool(begins) and begins[0] < number and begins[0] in self.again
        if not had_arrived:
            return False, False
        self.again.remove(begins[0])
        lost = begins[0] in self.lost
        self.lost = [one for one in self.lost if one != begins[0]]
        return True, lost


def expected_over_websocket(path):
    """{tcp.stream: {column: value}} from the fields of the frames."""
    opened, found, ends = {}, {}, collections.defaultdict(Segments)
    for _, time, length, (stream,), port, data, flags, trips, session, opcodes, begins, behind, acknowledged, sequence in \
            tshark.fields(path, *WEBSOCKET, arguments=IN_ORDER):
        from_peer = port in ([PORT], [LOSS_PORT])
        opened.setdefault(stream, time[0])
        lost = data[0] > 0 and ends[stream, from_peer].send(sequence[0], time[0])
        needless, arrived = flags[0] & ACKNOWLEDGES and ends[stream, not from_peer].acknowledge(acknowledged[0], begins, behind) or (0, 0)
        if not session and stream not in found:
            continue
        row = found.setdefault(stream, collections.Counter({"Opened, s": opened[stream], "trips": {False: [], True: []}}))
        row["Bytes from" if from_peer else "Bytes to"] += length[0]
        row["Reliable"] += data[0] > 0
        row["Lost"] += lost - arrived
        row["Needless"] += needless
        row["Round trips"] += len(trips)
        row["trips"][from_peer] += trips
        if (flags[0] & (FIN | RST) or CLOSE in opcodes) and "Closed by" not in row:
            how = "WebSocket Close" if CLOSE in opcodes else "TCP RST" if flags[0] & RST else "TCP FIN"
            row["Closed by"], row["With"] = "peer" if from_peer else "server", how
            row["Duration, s"] = time[0] - opened[stream]
    return found


@pytest.mark.parametrize("two_pass", [False, True])
@pytest.mark.parametrize("name", ["multiplayer/godot-4.6-websocket-reconnect", "multiplayer/godot-4.6-websocket-relay",
                                  "multiplayer/godot-3.6-websocket-reconnect", *(f"websocket-loss/{name}" for name in LOSS)])
def test_over_websocket(name, two_pass):
    path = tshark.CAPTURES / f"{name}.pcap"
    expected = expected_over_websocket(path)
    (rows,) = tables(tshark.run(path, "-q", *IN_ORDER, "-z", "godot,peers", two_pass=two_pass).stdout).values()
    assert len(rows) == len(expected) > 1
    for row, wanted in zip(rows, expected.values()):
        assert row["Over"] == "WebSocket" and row["Peer"].startswith("client ")
        for column in ("Bytes from", "Bytes to", "Reliable", "Lost", "Needless", "Round trips"):
            assert int(row[column]) == wanted[column], column
        for column in ("Closed by", "With"):
            assert row[column] == wanted[column]
        for column in ("Opened, s", "Duration, s"):
            assert float(row[column]) == pytest.approx(wanted[column], abs=0.006)
        _, longest, average = there_and_back([trips for trips in wanted["trips"].values() if trips])
        assert [float(row["Longest, ms"]), float(row["Average, ms"])] == pytest.approx([longest, average], abs=0.006)


@pytest.mark.parametrize("name", LOSS)
def test_losses_over_websocket(name):
    """Those of the end where the capture was made, as the link did it. What nothing is sent behind is not counted; what is
    sent again needlessly is, if the report of that is lost."""
    path = tshark.CAPTURES / "websocket-loss" / f"{name}.pcap"
    begin, side = name.rsplit(".", 1)
    direction = "to server" if side == "client-side" else "to client"
    lost = {one["sha256"] for one in engine_logs.records(path.with_name(f"{begin}.link.log.gz"))
            if one["what"] == "lost" and one["direction"] == direction}
    data = [length[0] for (_, packet), (length,) in zip(pcap.read(path)[1], tshark.fields(path, "tcp.len"), strict=True)
            if hashlib.sha256(packet).hexdigest() in lost]
    assert data
    assert sum(int(row["Lost"]) for row in peers(path)) == pytest.approx(sum(length > 0 for length in data), rel=0.34)

def both_ends(folder, name, ahead=0.0, change=list):
    """Both captures of a session in one file, each with an interface. The server's clock is ahead by so many seconds."""
    parts = []
    for side, later in (("client", 0.0), ("server", ahead)):
        linktype, frames = pcap.read(tshark.CAPTURES / "websocket-loss" / f"{name}.{side}-side.pcap")
        frames = change(frames) if side == "client" else frames
        parts.append(pcap.write(folder / f"{side}.pcap", [(time + later, packet) for time, packet in frames], linktype=linktype))
    path = folder / "both.pcapng"
    subprocess.run(["mergecap", "-I", "none", "-w", path, *parts], check=True)
    return tshark.readable(path)


def first_sightings(path):
    """{tcp.stream: {column: value}} of the segments, each once. IP numbers them, also what is sent again, but for some that close
    the connection."""
    found, seen = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for length, (stream,), port, data, session, (point,), *segment in tshark.fields(
            path, "frame.len", "tcp.stream", "tcp.dstport", "tcp.len", "godot.session", "frame.interface_id", "ip.src", "ip.id", "tcp.seq",
            "tcp.ack", "tcp.flags", arguments=IN_ORDER):
        at = seen[str((stream, segment))]
        at[point] += 1
        if at[point] > at[1 - point] and (session or stream in found):
            found[stream]["Bytes from" if port == [LOSS_PORT] else "Bytes to"] += length[0]
            found[stream]["Reliable"] += data[0] > 0
    return found


def round_trips(path):
    """[there and back, in milliseconds] of each connection: from what was sent once to its acknowledgement."""
    sent, acknowledged, trips = collections.defaultdict(dict), collections.Counter(), {}
    for (time,), (stream,), port, (data,), (sequence,), (number,), session in tshark.fields(
            path, "frame.time_relative", "tcp.stream", "tcp.dstport", "tcp.len", "tcp.seq", "tcp.ack", "godot.session", arguments=IN_ORDER):
        from_peer = port == [LOSS_PORT]
        if session:
            trips.setdefault(stream, ([], []))
        if number > acknowledged[stream, from_peer]:
            acknowledged[stream, from_peer] = number
            when = [begun for end, begun in sent[stream, not from_peer].values() if end == number and begun is not None]
            if when and stream in trips:
                trips[stream][from_peer].append(1000 * (time - when[0]))
        if data:
            sent[stream, from_peer][sequence] = (sequence + data, None if sequence in sent[stream, from_peer] else time)
    return [sum(sum(way) / len(way) for way in both) for both in trips.values()]


@pytest.mark.parametrize("ahead", [0.0, 0.03, -0.03, 10.0])
@pytest.mark.parametrize("name", sorted({name.rsplit(".", 1)[0] for name in LOSS}))
def test_two_capture_points_over_websocket(tmp_path, name, ahead):
    """A segment counts once, a loss at the point that shows it, and round trips at the first point, whatever the clocks are. If these
    are wrong, what is sent again together with other data may hide what it repeats."""
    path = both_ends(tmp_path, name, ahead)
    at_ends = [tshark.CAPTURES / "websocket-loss" / f"{name}.{side}-side.pcap" for side in ("client", "server")]
    rows, expected = peers(path, *IN_ORDER), list(first_sightings(path).values())
    assert len(rows) == len(expected) > 1
    for row, wanted, one, other in zip(rows, expected, *(peers(end, *IN_ORDER) for end in at_ends), strict=True):
        assert [int(row[column]) for column in wanted] == pytest.approx(list(wanted.values()), rel=0.01 if ahead else 0)
        assert int(row["Lost"]) == int(one["Lost"]) + int(other["Lost"])
    if abs(ahead) < 1:
        assert [float(row["Average, ms"]) for row in rows] == pytest.approx(round_trips(at_ends[ahead < 0]), rel=0.07)


def test_segments_that_only_one_capture_point_has_divided(tmp_path):
    """As network cards do with what is long."""
    def divided(frames):
        times, packets = zip(*frames)
        longest = max(range(len(packets)), key=lambda number: len(packets[number]))
        packet, ip, tcp = packets[longest], 20, 32
        assert packet[0] == 0x45 and packet[32] >> 2 == tcp
        header, data = packet[:ip + tcp], packet[ip + tcp:]
        sequence, = struct.unpack_from(">I", header, ip + 4)
        pieces = [header[:2] + struct.pack(">H", len(header) + len(part)) + header[4:ip + 4] + struct.pack(">I", sequence + at) + header[ip + 8:] + part
                  for at, part in ((0, data[:100]), (100, data[100:]))]
        return [*frames[:longest], *((times[longest], piece) for piece in pieces), *frames[longest + 1:]]

    whole, parts = (peers(both_ends(tmp_path, "godot-4.6-replication", 0, change), *IN_ORDER) for change in (list, divided))
    assert parts == whole and whole


def ends_over_websocket(path, *options):
    """Closed by and With of Godot Peers, and what the Summary says, of each connection."""
    text = tshark.run(path, "-q", *options, "-z", "godot,summary").stdout
    return [(row["Closed by"], row["With"]) for row in peers(path, *options)], re.findall(r"WebSocket:.*?; (.*? in) frame", text)


@pytest.mark.parametrize("name", ["godot-4.6-websocket-reconnect", "godot-4.6-websocket-reconnect-sub-protocol", "godot-3.6-websocket-reconnect",
                                  "godot-4.6-websocket-authentication"])
def test_who_closes_a_websocket(name):
    """As the clients' logs tell: a connection that the client does not close itself is closed by the server."""
    by_server, before = [], ""
    for path in sorted((tshark.CAPTURES / "multiplayer").glob(f"{name}.client*.log.gz")):
        for one in engine_logs.records(path):
            if one["what"] in ("peer_connected", "peer_authenticating") and one["id"] == 1:
                by_server += [True] * (before != "peer_authenticating")  # else it is the same connection, admitted
                before = one["what"]
            elif one["what"] == "close" and one["me"]:
                by_server[-1] = False
    columns, said = ends_over_websocket(tshark.CAPTURES / "multiplayer" / f"{name}.pcap")
    assert [by == "server" for by, _ in columns] == by_server and True in by_server and False in by_server
    assert all(how == "WebSocket Close" for by, how in columns if by == "server")
    assert said == ["disconnected by the server in" if by == "server" else "left in" for by, _ in columns]


def test_who_closes_a_websocket_is_not_known(tmp_path):
    """Behind bytes that are not captured."""
    whole = tshark.CAPTURES / "multiplayer" / "godot-4.6-websocket-reconnect.pcap"
    file, cut = evidence.File(whole), tmp_path / "cut.pcap"
    close = {frame for (frame,), in tshark.fields(whole, "frame.number", arguments=("-Y", "websocket.opcode == 8"))}
    before = max(number for number, in tshark.fields(whole, "frame.number", arguments=("-Y", f"tcp.srcport == {PORT} && tcp.len > 2"))
                 if number[0] < min(close))[0]  # data of the server, which the client acknowledges
    cut.write_bytes(file.with_packets([one for number, one in enumerate(file.packets, 1) if number != before]))
    columns, _ = ends_over_websocket(tshark.readable(cut))
    assert [by for by, _ in columns] == ["peer", "?", "peer"]


def test_a_close_behind_a_fin_is_an_answer(tmp_path):
    """The server's Close becomes a Pong, and its FIN comes before the client's Close."""
    linktype, frames = pcap.read(tshark.CAPTURES / "multiplayer" / "godot-3.6-websocket-reconnect.pcap")
    changed = [bytearray(data) for _, data in frames]
    acknowledgement = slice(42, 46)  # behind Ethernet, IP, and the ports and the number of TCP
    assert changed[104].endswith(b"\x88\x02")
    changed[104][-2] = 0x8A
    changed[111][acknowledgement] = changed[105][acknowledgement]
    order = [*range(107), 111, *range(107, 111), *range(112, len(frames))]
    path = pcap.write(tmp_path / "fin.pcap", [(frames[place][0], bytes(changed[number])) for place, number in enumerate(order)], linktype=linktype)
    assert [(row["Closed by"], row["With"]) for row in peers(path)][1] == ("server", "TCP FIN")


def test_a_close_captured_behind_the_fin_of_its_end(tmp_path):
    """The network has delayed it, and TCP puts it before the FIN."""
    whole = tshark.CAPTURES / "multiplayer" / "godot-3.6-websocket-reconnect.pcap"
    columns = ("frame.number", "tcp.stream", "tcp.srcport", "tcp.flags", "websocket.opcode")
    segments = [(number[0], end[0], flags[0], opcodes) for number, stream, end, flags, opcodes in tshark.fields(whole, *columns) if stream == [0]]
    close, client = next((number, end) for number, end, _, opcodes in segments if CLOSE in opcodes)
    fin = next(number for number, end, flags, _ in segments if flags & FIN and end == client and number > close)
    order = [number for number in range(1, len(evidence.File(whole).packets) + 1) if number != fin]
    order.insert(order.index(close), fin)  # what acknowledges the Close comes behind both
    path, file = tmp_path / "delayed.pcap", evidence.File(whole)
    path.write_bytes(file.with_packets([file.packets[number - 1] for number in order]))
    columns, said = ends_over_websocket(tshark.readable(path), *IN_ORDER)
    assert columns[0] == ("peer", "WebSocket Close") and said[0] == "left in"


def test_too_many_connections_over_tcp(tmp_path):
    """What comes beyond the limit, 10,000 directions, is not judged: neither who closes nor what was lost."""
    whole = tshark.CAPTURES / "multiplayer" / "godot-4.6-websocket-reconnect.pcap"
    _, frames = pcap.read(whole)
    others = [pcap.ethernet(pcap.tcp([b"x"], client=("192.0.2.1", 20000 + number), handshake=False)[0]) for number in range(10000)]
    for count, closers in ((9990, ["peer", "server", "peer"]), (10000, ["?"] * 3)):
        start = [(frames[0][0], other) for other in others[:count]]
        path = pcap.write(tmp_path / f"{count}.pcap", [*start, *frames], linktype=1)
        rows = peers(path)
        assert [row["Closed by"] for row in rows] == closers
        assert [row["Lost"] for row in rows] == ["0"] * 3


@pytest.mark.parametrize("name", ["godot-4.6-relay", "godot-4.6-players", "godot-4.6-replication", "godot-3.6-relay"])
def test_round_trips_are_the_same_at_both_ends(name):
    """Each is between the two ends, not from one of them and back: a network with delay, jitter and losses."""
    ends = [peers(tshark.CAPTURES / "multiplayer-loss" / f"{name}.{end}-side.pcap") for end in ("client", "server")]
    assert len(ends[0]) == len(ends[1]) > 1
    for here, there in zip(*ends):
        assert float(here["Average, ms"]) == pytest.approx(float(there["Average, ms"]), rel=0.15)


def test_one_direction_is_no_round_trip():
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-game.pcap"
    for end in (0, 1):
        *_, rows = tables(tshark.run(path, "-q", "-z", f"godot,peers,enet.sender=={end}", two_pass=True).stdout).values()
        assert rows
        assert all(int(row["Round trips"]) > 0 and float(row["Average, ms"]) == float(row["Longest, ms"]) == 0 for row in rows)


def test_throttle(tmp_path):
    """A number missing between messages in one datagram was dropped by the sender; one between two datagrams
    may also be lost."""
    connection = enet_packets.Connection()
    acknowledgement = bytes((1, 0xFF, 0, 1, 0, 1, 0, 2))  # of Verify Connect, sent at 2 ms
    frames = [*connection.open(), connection.datagram(acknowledgement, False)]

    def unreliable(*numbers):
        commands = b"".join(bytes((7, 1, 0, 0)) + number.to_bytes(2, "big") + b"\0\4\1\2\3\4" for number in numbers)
        frames.append(connection.datagram(commands, False))

    for numbers in ((1, 2), (3, 6, 7), (9, 10), (11, 12, 15)):
        unreliable(*numbers)
    path = tmp_path / "throttled.pcap"
    pcap.write(path, frames)
    (row,) = peers(path)
    assert (row["Throttled"], row["Missing"]) == ("4", "1")


def test_too_many(tmp_path):
    """The rows beyond the limit are summed up, without a peer. Slightly more than 4,000, as a few of these
    ports belong to other protocols."""
    packets = []
    for number in range(4040):
        connection = enet_packets.Connection(peer_id=100000 + number, port=30000 + number)
        packets += [*connection.open(), connection.message(b"\x01" + b"0" * 32 + b"\0\x01\0\0\0Main/World\0")]
    path = pcap.write(tmp_path / "many.pcap", packets)
    lines = tshark.run(path, "-q", "-z", "godot,peers").stdout.split("\nPeers\n")[1].splitlines()[1:-1]
    assert len(lines) == 4001 and lines[-1].split()[0] == "(other)"
    assert not any(word in lines[-1] for word in ("ENet", "192.0.2.1", "10400"))


def test_times_over_websocket_with_a_filter():
    """Times are those of the whole connection, as over ENet; excluded packets are not counted."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-websocket-relay.pcap"
    whole, part = (tables(tshark.run(path, "-q", "-z", report, two_pass=True).stdout)["Peers"]
                   for report in ("godot,peers", "godot,peers,frame.number < 200"))
    assert len(whole) == len(part) == 3
    for one, other in zip(whole, part):
        assert one["Opened, s"] == other["Opened, s"] and int(other["Bytes from"]) < int(one["Bytes from"])
        assert float(other["Duration, s"]) == pytest.approx(float(one["Duration, s"]), abs=0.1)


def test_a_websocket_server_with_the_higher_port(tmp_path):
    """Who has opened the connection is the client, whatever the ports are."""
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-websocket-relay.pcap"
    file = evidence.File(path)
    ports = slice(34, 38)  # behind Ethernet and IP
    swapped = tmp_path / "swapped.pcap"

    def other(port):
        return (65535 - int.from_bytes(port, "big")).to_bytes(2, "big")

    packets = [one.with_data(one.data[:34] + other(one.data[ports][:2]) + other(one.data[ports][2:]) + one.data[38:]) for one in file.packets]
    swapped.write_bytes(file.with_packets(packets))
    of_relay, of_swapped = ([{key: value for key, value in row.items() if key != "Address"} for row in peers(one)] for one in (path, tshark.readable(swapped)))
    assert of_relay == of_swapped and of_relay
