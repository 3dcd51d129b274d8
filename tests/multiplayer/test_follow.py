"""`-z follow,godot`: the transcript of a session compared with the engines' logs.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

import captures
import tshark
from engine_logs import same_call
from test_multiplayer import CAPTURES, FOLDER, calls_of_others, generation, own_ids, own_project

# With "raw", each line has hexadecimal digits, after a tab if node 1 has sent it. Only this form is the same
# in all series of Wireshark and keeps characters that are not ASCII.
RAW = re.compile(r"^(\t?)([0-9a-f]+)$", re.MULTILINE)
LINE = re.compile(r"(\d+\.\d{3})  (?:peer )?(\S+) -> (?:peer )?(\S+)  (.*)\n")
CALL = re.compile(r"(?P<call>.*) -> (?P<node>\S+)(?: \[relay(?P<relayed>ed from| to) peer (?P<peer>-?\d+)\])?")


def followed(path, which, *options, peer=0):
    by_number = isinstance(which, int)
    return tshark.run(path, "-q", *tshark.BY_ID, *options, "-z", f"follow,godot,raw,{which}{f',{peer}' if tshark.SUB_STREAMS and by_number else ''}").stdout


def transcript(path, which, *options, peer=0):
    """[(from node 1, time, source, target, text)]"""
    lines = []
    for tab, digits in RAW.findall(followed(path, which, *options, peer=peer)):
        time, source, target, text = LINE.fullmatch(bytes.fromhex(digits).decode()).groups()
        lines.append((tab == "\t", float(time), source, target, text))
    return lines


def session_count(path):
    return 1 + max(value for values, in tshark.fields(path, "godot.session") for value in values)


def received_calls(lines, receiver):
    """[(sender, call, node)] of the calls executed at that end of the connection, in order."""
    calls = []
    for _, _, source, target, text in lines:
        match = CALL.fullmatch(text)
        if match and target == receiver and match["relayed"] != " to":
            calls.append((int(match["peer"] or source), match["call"], match["node"]))
    return calls


def assert_same_calls(shown, logged, api):
    assert len(shown) == len(logged)
    for (sender, call, node), record in zip(shown, logged):
        assert (sender, node) == (record["from"], record["node"])
        assert same_call(call, record["method"], record["args"], api)


@pytest.mark.parametrize("name", [name for name in CAPTURES if re.fullmatch("godot-4.6-(enet|websocket)-(game|relay|replies)", name)])
def test_every_call_in_order(name):
    """Exactly the calls that were executed at both ends of a connection, in this order."""
    path, api, calls = FOLDER / f"{name}.pcap", generation(name), calls_of_others(name)
    clients = set()
    for session in range(session_count(path)):
        lines = transcript(path, session, *own_project(name))
        assert [line[1] for line in lines] == sorted(line[1] for line in lines)
        assert all(from_server == (source == "1") for from_server, _, source, _, _ in lines)
        (client,) = {end for _, _, *ends, _ in lines for end in ends} - {"1"}
        clients.add(client)
        at_server = [record for process, record in calls if process == "server" and record["from"] == int(client)]
        at_client = [record for process, record in calls if int(client) in own_ids(name, process)]
        assert at_server and at_client
        assert_same_calls(received_calls(lines, "1"), at_server, api)
        assert_same_calls(received_calls(lines, client), at_client, api)
    assert len(clients) == session_count(path) > 1


@pytest.mark.parametrize("name", ["godot-3.6-enet-reconnect", "godot-3.6-websocket-reconnect", "godot-4.6-websocket-reconnect"])
def test_by_addresses(name):
    """A session can also be selected by its two sockets."""
    path = FOLDER / f"{name}.pcap"
    for session in range(session_count(path)):
        transport = "udp" if "enet" in name else "tcp"
        row = next(row for row in tshark.fields(path, "godot.session", "ip.src", f"{transport}.srcport", "ip.dst", f"{transport}.dstport")
                   if row[0] == [session])
        source, source_port, destination, destination_port = (values[0] for values in row[1:])
        lines = transcript(path, session)
        by_addresses = f"{source}:{source_port},{destination}:{destination_port}"
        assert lines and lines == transcript(path, by_addresses)
        (server,) = {source_port, destination_port} & set(captures.ports(path, transport)[:1])
        (client,) = {source_port, destination_port} - {server}
        nodes = re.findall(r"^Node (\d): \S+:(\d+)$", followed(path, by_addresses), re.MULTILINE)
        assert nodes == [("0", str(client)), ("1", str(server))]


def test_recorded_packets_have_no_ports():
    """The two ends of a recorded session are distinguished without ports."""
    path = tshark.CAPTURES / "recorder" / "godot-4.6-enet-calls.server.pcapng"
    lines = transcript(path, 0)
    sources = {(from_server, source) for from_server, _, source, _, _ in lines}
    assert len(sources) == 2 and (True, "1") in sources and (False, "1") not in sources


def ends_of(source, target, text):
    """Caller and receiver of a line, even if the server relays it."""
    relayed = re.search(r" \[relay(ed from| to) peer (\d+)\]$", text)
    if not relayed:
        return {source, target}
    return {relayed[2], target if relayed[1] == "ed from" else source}


@pytest.mark.skipif(not tshark.SUB_STREAMS, reason="sub-streams came with Wireshark 4.2")
def test_pairs_of_peers(name="godot-4.6-enet-relay"):
    """A sub-stream has the calls between the session's client and one peer; together they have all calls
    except those of the client to several peers at once."""
    path = FOLDER / f"{name}.pcap"
    everything = transcript(path, 0, *own_project(name))
    (client,) = {end for _, _, *ends, _ in everything for end in ends} - {"1"}
    ends = {line: ends_of(*line[2:]) for line in everything}
    others = {end for pair in ends.values() for end in pair} - {client}
    assert len(others) == 3
    pairs = {peer: transcript(path, 0, *own_project(name), peer=int(peer)) for peer in others}
    for peer, lines in pairs.items():
        assert lines and all(ends[line] == {client, peer} for line in lines)
    assert sorted(sum(pairs.values(), [])) == sorted(line for line in everything if " [relay to all" not in line[4])
