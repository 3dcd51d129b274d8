"""Calls that the receiver refuses: the expert infos compared with the errors that the engines printed.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import re
import struct

import pytest

import enet_packets
import engine_logs
import pcap
import projects
import tshark

CAPTURES = sorted(f"{folder}/{path.stem}" for folder in ("multiplayer", "multiplayer-errors")
                  for path in (tshark.CAPTURES / folder).glob("*.pcap"))
REFUSED = [name for name in CAPTURES if name.endswith("refused")]
OWN = {"mismatch": ["mismatch4-client", "mismatch4-server"], "replication": ["replication4"], "game": ["game4"],
       "synchronizers": ["synchronizers4"], "properties": ["properties4"], "changes": ["changes4"], "broken": ["errors4"],
       "scenes": ["scenes4"], "left": ["scenes4"]}
REASONS = ("godot.rpc.wrong_arguments", "godot.rpc.not_allowed", "godot.rpc.method_not_found", "godot.rpc.method_missing")

QUICK = (*REFUSED, "multiplayer/godot-4.6-enet-calls", "multiplayer/godot-3.6-enet-calls")
every_capture = pytest.mark.parametrize("name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
                                                 for name in CAPTURES])

COUNT = re.compile(r"RPC - '[^']*::(\w+)': Method expected (\d+) arguments?(?:\(s\))?, but called with (\d+)")
MODE = re.compile(r"""(RPC|RSET) '(\w+)' is not allowed on node (\S+) from: (\d+)\. Mode is "?([1-9a-z_]+)"?, (?:authority|master) is 1""")
MISSING = re.compile(r"RPC - '[^']*::(\w+)': Method not found")


def generation(name):
    return 4 if "/godot-4" in name else 3


def project(name):
    scenario = name.rsplit("-", 1)[1]
    return projects.option(*OWN.get(scenario, [f"{'refused' if scenario == 'refused' else 'rpc'}{generation(name)}"]))


@functools.lru_cache(maxsize=None)
def printed(name):
    records = [record for path in tshark.CAPTURES.glob(f"{name}.*.log.gz") for record in engine_logs.records(path)]
    return [record["text"] for record in records if record["what"] == "print"]


@functools.lru_cache(maxsize=None)
def experts(name, two_pass=False):
    """[(name, text)] of the reasons, once for each call: not for the way to the server that relays it."""
    found = []
    for frame in tshark.packets(tshark.CAPTURES / f"{name}.pcap", "-Y", " || ".join(REASONS), *project(name), two_pass=two_pass):
        to_server = {"22201", "22231"} & {str(port) for udp in frame.nodes("udp") for port in udp.all("udp.dstport")}
        for layer in frame.nodes("godot"):
            if not to_server or str(layer.all("godot.target")[-1]) == "1":
                found += [(kind, text) for kind, _, text in layer.experts if kind in REASONS]
    return found


def matches(pattern, texts):
    return collections.Counter(found.groups() for found in map(pattern.search, texts) if found)


def of_kind(name, kind):
    return [text for found, text in experts(name) if found == kind]


def test_there_are_captures():
    assert {generation(name) for name in REFUSED} == {3, 4} and len(REFUSED) == 3


@every_capture
def test_wrong_arguments_as_printed(name):
    assert matches(COUNT, of_kind(name, "godot.rpc.wrong_arguments")) == matches(COUNT, printed(name))


@every_capture
def test_not_allowed_as_printed(name):
    """Only if no script changes the authority; otherwise nothing is reported, as nearly all of these calls
    are allowed."""
    assert matches(MODE, of_kind(name, "godot.rpc.not_allowed")) == matches(MODE, printed(name))


@every_capture
def test_methods_that_no_script_has(name):
    assert matches(MISSING, of_kind(name, "godot.rpc.method_missing")) == matches(MISSING, printed(name))


def test_each_refused_capture_has_its_cases():
    for name in REFUSED:
        assert len(matches(COUNT, printed(name))) > 8 and len(matches(MODE, printed(name))) > 4
        assert bool(matches(MISSING, printed(name))) == (generation(name) == 4)


def test_numbers_without_a_method():
    """If the receiver has announced its own methods of the node; it has never announced Plain."""
    name = "multiplayer-errors/godot-4.6-refused"
    logs = [record for path in tshark.CAPTURES.glob(f"{name}.client*.log.gz") for record in engine_logs.records(path)]
    calls = [r for r in logs if r["what"] == "call" and (r["node"], r["method"], r["target"]) == ("Main/Differs", "c_third", 1)]
    assert len(of_kind(name, "godot.rpc.method_not_found")) == len(calls) > 0
    assert sum("!cache_config.configs.has(p_rpc_method_id)" in text for text in printed(name)) >= len(calls)


@pytest.mark.parametrize("end", ["client1", "server"])
def test_modes_from_a_recording(end):
    """A recording has the mode of each method, but not the authority: nothing is reported for such calls."""
    name = "recorder/godot-4.6-enet-calls"
    assert [mode for *_, mode in matches(MODE, printed(name))] == ["authority"]
    infos = {kind for frame in tshark.packets(tshark.CAPTURES / f"{name}.{end}.pcapng")
             for layer in frame.nodes("godot") for kind, *_ in layer.experts}
    assert infos and not any("allowed" in info or "authority" in info for info in infos)


SAID = {"godot.rpc.wrong_arguments": "wrong arguments", "godot.rpc.not_allowed": "not allowed",
        "godot.rpc.method_not_found": "method not found", "godot.rpc.checksum_failed": "checksum failed",
        "godot.rpc.node_not_found": "node not found", "godot.rpc.despawned": "node despawned",
        "godot.sys.not_server": "not from the server"}


@pytest.mark.parametrize("two_pass", [False, True])
@pytest.mark.parametrize("name", [*REFUSED, "multiplayer-errors/godot-4.6-scenes"])
def test_the_list_says_why(name, two_pass):
    """At the end of the line of each refused call, in every pass; nodes that are not found only in the second one."""
    path, options = tshark.CAPTURES / f"{name}.pcap", project(name)
    expected = collections.defaultdict(set)
    for number, kind, _, _ in tshark.experts(path, *options, two_pass=two_pass):
        expected[number] |= {SAID[kind]} if kind in SAID else {"malformed"} if kind.startswith("godot.problem.") else set()
    found = {number: set(re.findall(r" \[([a-z ]+)\](?:$|, )", info)) for number, _, info in tshark.listing(path, *options, two_pass=two_pass)}
    refused = {number for number, why in found.items() if why}
    assert refused == {number for number, why in expected.items() if why} and bool(refused) == (two_pass or "scenes" not in name)
    assert all(why <= expected[number] for number, why in found.items())


def test_the_list_says_what_is_malformed():
    path = tshark.CAPTURES / "multiplayer-errors/godot-4.6-broken.pcap"
    assert any(info.endswith(" [malformed]") for _, _, info in tshark.listing(path))


@pytest.mark.parametrize("target", [0, -4711])
def test_godot_3_clients_refuse_what_the_server_relays_to_all(target, tmp_path):
    """The receiver is the client at the other end, which is not the master."""
    client, other = 0x12345678, 0x23456789
    connection = enet_packets.Connection(client)
    node = struct.pack("<iiBI", other, client, 2, 1) + b"Main/Unit\0"
    call = struct.pack("<iiBI", other, target, 0, 1) + b"to_master\0" + struct.pack("<BII", 1, 2, 5)
    packets = [*connection.open(), *(connection.message(message, server=True, channel=1) for message in (node, call))]
    path = pcap.write(tmp_path / "made.pcap", packets)
    (text,) = [text for _, kind, _, text in tshark.experts(path, *projects.option("refused3"), two_pass=True) if kind == "godot.rpc.not_allowed"]
    assert text.startswith(f"client 1 refuses the call: \"RPC 'to_master' is not allowed on node /root/Main/Unit from: {other}. Mode is 2, master is 1.\"")


@pytest.mark.parametrize("order, found", [("call", "godot.path.undefined"), ("call node", "godot.path.announced_later"), ("node call", None)])
def test_godot_3_receivers_without_the_announcement(order, found, tmp_path):
    """Another client has announced the node to the server; the server relays its call to all."""
    receiver, caller = 0x12345678, 0x23456789
    here, there = enet_packets.Connection(receiver), enet_packets.Connection(caller, port=40002)
    messages = {"node": struct.pack("<iiBI", caller, receiver, 2, 1) + b"Main/Unit\0",
                "call": struct.pack("<iiBI", caller, 0, 0, 1) + b"none\0\0"}
    packets = [*here.open(), here.opened(), *there.open(), there.opened(),
               there.message(struct.pack("<iiBI", caller, 1, 2, 1) + b"Main/Unit\0", channel=1),
               *(here.message(messages[name], server=True, channel=1) for name in order.split())]
    path = pcap.write(tmp_path / "made.pcap", packets)
    experts = [(kind, text) for _, kind, _, text in tshark.experts(path, two_pass=True) if kind.startswith("godot.path.") and "nnounced to" in text]
    assert [kind for kind, _ in experts] == ([found] if found else [])
    assert all("Unabled to find requested cached node" in text for _, text in experts)
