"""Captures of real engines compared with their logs: every executed call, every raw packet, every spawned
node and every received state has to be in the dissection.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import re
import struct

import pytest

import captures
import engine_logs
import pcap
import projects
import tshark
from engine_logs import MODES, is_object, plain, same_call
from pcap import ACK, SYN

FOLDER = tshark.CAPTURES / "multiplayer"
LOSS = tshark.CAPTURES / "websocket-loss"
CAPTURES = sorted(path.stem for path in FOLDER.glob("*.pcap"))
ALL = CAPTURES + sorted(f"../{LOSS.name}/{path.stem}" for path in LOSS.glob("*.pcap"))
IN_ORDER = ("-o", "tcp.reassemble_out_of_order:TRUE")
EMPTY = "d41d8cd98f00b204e9800998ecf8427e"  # checksum of a node without RPC methods

every_capture = pytest.mark.parametrize("name", captures.game_is_slow(ALL))


def test_there_are_captures():
    assert CAPTURES


def generation(name):
    return 4 if "godot-4" in name else 3


def without_side(name):
    return name.removesuffix(".client-side").removesuffix(".server-side")


def project_names(name):
    scenario = without_side(name).rsplit("-", 1)[1]
    own = {"mismatch": ["mismatch4-client", "mismatch4-server"], "replication": ["replication4"], "game": ["game4"],
           "synchronizers": ["synchronizers4"], "properties": ["properties4"], "changes": ["changes4"]}
    return own.get(scenario, [f"rpc{generation(name)}"])


def own_project(name):
    return projects.option(*project_names(name))


@functools.lru_cache(maxsize=None)
def logs(name):
    """{process: [record]}"""
    begin = FOLDER / without_side(name)
    found = {engine_logs.process_of(path): engine_logs.records(path) for path in begin.parent.glob(f"{begin.name}.*.log.gz")
             if engine_logs.process_of(path) != "link"}
    assert found
    return found


class Message:
    """A multiplayer message; if relayed, the inner packet."""

    def __init__(self, frame, layer):
        self.frame, self.layer = frame, layer
        sources, targets = layer.all("godot.source"), layer.all("godot.target")
        ends = layer.all("godot.relay.target") or targets
        self.receiver = ends[0] if ends else None  # peer id at the other end of this connection
        self.source = sources[-1] if sources else None
        self.target = targets[-1] if targets else None
        self.call = (layer.all("godot.rpc.call") or [None])[0]
        self.paths = layer.all("godot.path") + layer.all("godot.spawner.path")
        if "godot.spawn.name" in layer:
            self.paths.reverse()  # the spawner, then the node that it has spawned
        self.experts = {name for name, _, _ in layer.experts}


@functools.lru_cache(maxsize=None)
def dissect(name, *options):
    return [Message(frame, layer)
            for frame in tshark.packets(FOLDER / f"{name}.pcap", "-Y", "godot", "-J", "frame enet godot",
                                        *(IN_ORDER if LOSS.name in name else ()), *options)
            for layer in frame.children if layer.name == "godot"]


@functools.lru_cache(maxsize=None)
def own_ids(name, process):
    """The peer ids of a process, in order."""
    if process.startswith("server"):
        return {1}
    return {record["me"] for record in logs(name)[process] if "me" in record}


def calls_of_others(name):
    """(process, record) of calls that were executed because of a message."""
    return [(process, record) for process, records in logs(name).items() for record in records
            if record["what"] == "called" and record["from"] not in (0, *own_ids(name, process))]


@every_capture
def test_every_call_that_ran(name):
    if name.endswith("mismatch"):
        pytest.skip("what runs is not what was called: see test_mismatch")
    messages = [message for message in dissect(name, *own_project(name)) if message.call]
    by_method = collections.defaultdict(list)
    for message in messages:
        by_method[message.call.partition("(")[0]].append(message)
    calls, api = calls_of_others(name), generation(name)
    for process, record in calls:
        for message in by_method[record["method"]]:
            if (message.receiver in own_ids(name, process) or message.target is not None and message.target <= 0) and \
                    message.source == record["from"] and \
                    record["node"] in message.paths and \
                    (same_call(message.call, record["method"], record["args"], api) or any(map(is_object, record["args"]))):
                by_method[record["method"]].remove(message)
                break
        else:
            near = [(m.call, m.source, m.receiver, m.paths) for m in by_method[record["method"]]][:5]
            pytest.fail(f"{process} logged {record}; not among {near}")


@every_capture
def test_calls_beyond_the_log_were_made(name):
    """Captured calls that were not executed were at least sent, according to their sender's log."""
    made = collections.defaultdict(list)
    for process, records in logs(name).items():
        for record in records:
            if record["what"] == "call":
                made[record["node"], record["method"]].append((own_ids(name, process), record["args"]))
    for message in dissect(name, *own_project(name)):
        if not message.call or not message.paths:
            continue
        method = message.call.partition("(")[0]
        assert method[0] != "#", (message.frame.number, message.call)
        candidates = made[message.paths[-1], method]
        assert any(message.source in ids and (same_call(message.call, method, arguments, generation(name)) or any(map(is_object, arguments)))
                   for ids, arguments in candidates), (message.frame.number, message.call, message.source, candidates[:4])


def logged_calls(name):
    return [record for records in logs(name).values() for record in records if record["what"] == "call"]


@pytest.mark.parametrize("name", [name for name in CAPTURES if "-enet-" in name and any(logged_calls(name))])
def test_transfer_mode_and_channel_as_the_game_asked(name):
    """The values that the caller logged are shown. Games of Godot 3 here use its default channels, which have
    no number."""
    made, compared = collections.defaultdict(set), 0
    for record in logged_calls(name):
        channel = [record["channel"]] if generation(name) == 4 else []
        made[record["node"], record["method"]].add((MODES[record["mode"]], *channel))
    for message in dissect(name, *own_project(name)):
        if not message.call or not message.paths:
            continue
        asked = made[message.paths[-1], message.call.partition("(")[0]]
        if name.startswith("godot-3.2") and "enet.fragment.number" in message.frame:
            continue  # all fragments are reliable
        shown = (message.layer.one("godot.transfer_mode"), *message.layer.all("godot.channel"))
        # Calls longer than the MTU are sent in the same fragments whether ordered or not.
        fragmented = "godot.over_mtu" in message.experts
        assert shown in asked or fragmented and shown[0] == "unreliable", (message.frame.number, shown, asked)
        compared += 1
    assert compared


@every_capture
def test_names_come_from_the_project_alone(name):
    if generation(name) == 3:
        pytest.skip("Godot 3 sends the names")
    for message in dissect(name):
        if message.call:
            assert message.call.startswith("#") and not message.layer.all("godot.rpc.method"), message.call
            assert message.layer.all("godot.rpc.method_id")


@every_capture
def test_a_wrong_project_gives_no_wrong_names(name):
    if generation(name) == 3:
        pytest.skip("Godot 3 sends the names")
    others = tuple(sorted({"rpc4", "game4", "replication4", "synchronizers4", "mismatch4-server"} - set(project_names(name))))
    right = collections.defaultdict(list)
    for message in dissect(name, *own_project(name)):
        right[message.frame.number].extend(message.layer.all("godot.rpc.method"))
    shown = ("-Y", "godot.rpc.method", *projects.option(*others))
    for (number,), names in tshark.fields(FOLDER / f"{name}.pcap", "frame.number", "godot.rpc.method", arguments=shown):
        calls = iter(right[number])
        assert all(method in calls for method in names), number  # in this order


@every_capture
def test_raw_packets(name):
    raw = collections.Counter((m.source, m.receiver if m.receiver and m.receiver > 0 else 0, bytes(value))
                              for m in dissect(name) for value in m.layer.all("godot.raw"))
    for process, records in logs(name).items():
        for record in records:
            if record["what"] == "raw":
                data = bytes.fromhex(record["hex"])
                keys = [(record["from"], me, data) for me in own_ids(name, process)] + [(record["from"], 0, data)]
                assert any(raw[key] for key in keys), record


@every_capture
def test_authentication(name):
    sent = {bytes(value) for message in dissect(name) for value in message.layer.all("godot.sys.auth")}
    for records in logs(name).values():
        for record in records:
            if record["what"] == "auth" and "hex" in record:
                assert bytes.fromhex(record["hex"]) in sent


@every_capture
def test_spawned_and_despawned_nodes(name):
    spawns, despawns = set(), set()
    for message in dissect(name, *own_project(name)):
        for node in message.layer.all("godot.spawn.name"):
            spawns.add((node, message.paths[0], message.receiver, *message.layer.all("godot.spawn.scene")))
        if message.layer.all("godot.despawn.net_id"):
            despawns.update((path.rsplit("/", 1)[1], message.receiver) for path in message.paths)
    for process, records in logs(name).items():
        for record in records:
            me = own_ids(name, process)
            node = record.get("node", "").rsplit("/", 1)[-1]
            if record["what"] == "spawned":
                found = [spawn for spawn in spawns if spawn[0] == node and spawn[1] == record["spawner"] and spawn[2] in me]
                assert found, record
                if record.get("scene"):
                    assert all(spawn[3:] in ((), (record["scene"],)) for spawn in found), (record, found)
            elif record["what"] == "despawned" and (node, record["spawner"]) in {s[:2] for s in spawns}:
                gone = {d for d in despawns if d[0] == node and d[1] in me}
                assert gone or any(r["what"] in ("server_disconnected", "close") for r in records), record


spawning_captures = pytest.mark.parametrize("name", captures.game_is_slow(
    name for name in ALL if without_side(name).endswith(("replication", "game", "synchronizers", "properties"))))


def spawn_messages(name, *options):
    return [message for message in dissect(name, *options) if message.layer.all("godot.spawn.name")]


def is_certain(path):
    """Without the scene file of the spawner, only spawner and name are known: Main/Spawner/?/Unit1."""
    return "/?/" not in path


@spawning_captures
def test_true_paths_of_spawned_nodes(name):
    """The path of the node in the engine's tree."""
    logged = {(record["node"], record["spawner"], me) for process, records in logs(name).items() for record in records
              if record["what"] == "spawned" for me in own_ids(name, process)}
    nodes = {node for node, _, _ in logged}
    shown = {(m.paths[-1], m.paths[0], m.receiver) for m in spawn_messages(name, *own_project(name))}
    unknown = {path for path, _, _ in shown if not is_certain(path)}
    assert {entry for entry in shown if is_certain(entry[0])} >= {e for e in logged if not e[0].endswith(("/Mixed1", "/Yonder/Unit2"))}
    # Its spawner is in an inherited scene, which sets another spawn_path; a script sets the node's.
    assert unknown == {"synchronizers": {"Main/Gate/GateSpawner/?/Mixed1"},
                       "properties": {"Main/Mover/?/Unit2"}}.get(name.rsplit("-", 1)[1], set())
    for message in dissect(name, *own_project(name)):
        if message.layer.all("godot.despawn.net_id"):
            assert set(message.paths) <= nodes | unknown
        for entry in message.layer.nodes("godot.sync.entry"):
            if entry.all("godot.sync.net_id"):
                assert set(entry.all("godot.path")) <= nodes | unknown


@spawning_captures
def test_paths_of_spawned_nodes_without_the_project(name):
    for message in spawn_messages(name):
        spawner, node = message.paths[0], message.layer.one("godot.spawn.name")
        assert message.paths[-1] == f"{spawner}/?/{node}"
        assert not message.layer.all("godot.spawn.scene") and not message.layer.all("godot.sync.property")


@spawning_captures
def test_values_that_nodes_are_spawned_with(name):
    """All names, with one or several synchronizers, as logged by the receiver."""
    logged, compared = collections.defaultdict(list), set()
    for process, records in logs(name).items():
        for record in records:
            if record["what"] == "spawn_state":
                for me in own_ids(name, process):
                    logged[record["node"], me].append({key: plain(value) for key, value in record["values"].items()})
    for message in spawn_messages(name, *own_project(name)):
        for state in message.layer.nodes("godot.spawn.state"):
            names, texts = state.all("godot.sync.property"), [plain(text) for text in state.all("godot.variant.text")]
            key = message.paths[-1], message.receiver
            if names and key in logged:
                assert len(names) == len(texts) and dict(zip(names, texts)) in logged[key], (key, names, texts)
                compared.add(message.layer.one("godot.spawn.name").partition("_")[0])
    expected = {"replication": {"Early", "Unit1", "Crate1", "Secret"}, "game": set(),
                "synchronizers": {"Squad1", "Squad2", "Heir1", "Holder1", "Mixed"}, "properties": {"Unit1"}}
    assert compared == expected[without_side(name).rsplit("-", 1)[1]]


def test_names_of_several_synchronizers():
    """Every value contains the name of its property and node. No names are shown if there are two candidates
    (Twins) or if the order has changed (Late1)."""
    name = "godot-4.6-enet-synchronizers"
    named, unnamed, by_path = collections.defaultdict(set), set(), set()
    for message in dissect(name, *own_project(name)):
        for entry in message.layer.nodes("godot.sync.entry"):
            names, texts = entry.all("godot.sync.property"), entry.all("godot.variant.text")
            path = entry.one("godot.path").split("/")
            if path[-1] == "Mine":  # the client's own, known by path
                assert names == (["a"] if len(texts) == 1 and texts[0] == '"a"' else ["b"])
                by_path.add(path[-2].partition("_")[0])
                continue
            node = path[-3] if path[-1] == "Own" else path[-1]
            if not names:
                unnamed.add(node.partition("_")[0])
            for own, text in zip(names, texts, strict=True) if names else ():
                assert text.startswith(f'"{node} {own} '), (node, own, text)
                named[node.partition("_")[0]].add(own)
    squad = {*"abcdef", "heat"}
    assert unnamed == {"Twins", "Late1"}
    assert named == {"Squad1": squad, "Squad2": squad, "Heir1": squad, "Holder1": set("ab"), "Mixed": set("cd"),
                     "Mixed1": set("abcd")}
    assert by_path == {"Mixed", "Twins"}


def received_states(name):
    """(path, receiver) -> [(property names, value texts)]"""
    states = collections.defaultdict(list)
    for message in dissect(name, *own_project(name)):
        for entry in message.layer.nodes("godot.sync.entry"):
            for path in entry.all("godot.path"):
                texts = [plain(text) for text in entry.all("godot.variant.text")]
                states[path, message.receiver].append((entry.all("godot.sync.property"), texts))
    return states


@every_capture
def test_replicated_values(name):
    states = received_states(name)
    compared = 0
    for process, records in logs(name).items():
        for record in records:
            if record["what"] not in ("synchronized", "delta_synchronized"):
                continue
            node, synchronizer = record["node"].rsplit("/", 1)[-1], record["synchronizer"]
            candidates = [state for (path, receiver), found in states.items()
                          if receiver in own_ids(name, process) and (path == synchronizer or path.endswith("/" + node))
                          for state in found]
            assert candidates, record
            values = {key.removeprefix(".:"): plain(value) for key, value in record["values"].items()}
            for names, texts in candidates:
                if names and set(names) <= set(values):
                    if all(values[name] == text for name, text in zip(names, texts)):
                        break
                elif not names and set(texts) <= set(values.values()):
                    break
            else:
                pytest.fail(f"{process} logged {record}; not among {candidates[:5]}")
            compared += 1
    if without_side(name).endswith(("replication", "synchronizers", "properties", "changes")):
        assert compared


def test_names_of_synchronizers_with_the_default_name():
    """From the main scene (two scenes with the same number of values), from the number of values (made by a
    script), and from a scene that is a synchronizer."""
    name, named = "godot-4.6-enet-properties", collections.defaultdict(set)
    for message in dissect(name, *own_project(name)):
        for entry in message.layer.nodes("godot.sync.entry"):
            names, texts = entry.all("godot.sync.property"), entry.all("godot.variant.text")
            assert len(names) == len(texts), (entry.all("godot.path"), texts)
            for property, text in zip(names, texts):
                if " " in text:  # 'Door a 1'
                    assert text.strip('"').split(" ")[1] == property
                    named[entry.all("godot.path")[0]].add(property)
    assert named == {"Main/Door/MultiplayerSynchronizer": {"a", "b"}, "Main/Crate/MultiplayerSynchronizer": {"c", "d", "e"},
                     "Main/Lamps/Lamp7/MultiplayerSynchronizer": {"a", "c", "d"}, "Main/Radio/Sync": {"a", "e", "f"},
                     "Main/World/Unit1": {"b", "f"}, "Main/Mover/?/Unit2": {"b", "f"}}


def test_names_of_what_changes():
    """Three scenes whose synchronizers have the same name are distinguished by the number of values in full
    states."""
    name, named = "godot-4.6-enet-changes", collections.defaultdict(set)
    for message in dissect(name, *own_project(name)):
        for entry in message.layer.nodes("godot.sync.entry"):
            names, texts = entry.all("godot.sync.property"), entry.all("godot.variant.text")
            assert len(names) == len(texts), (entry.all("godot.path"), texts)
            assert all(text.strip('"').split(" ")[-2:][0] == property for property, text in zip(names, texts))
            named[entry.all("godot.path")[0]].update(names)
    assert named == {"Main/Walker/Sync": {"a", "b", "c"}, "Main/Turret/Sync": {"d", "e", "f"}, "Main/Mast/Sync": {"a", "b", "e", "f"}}


def test_mismatch():
    names = [name for name in CAPTURES if name.endswith("mismatch")]
    assert names
    for name in names:
        messages = dissect(name, *own_project(name))
        experts = [expert for message in messages for expert in message.layer.experts]
        assert any(expert[0] == "godot.path.checksum_refused" for expert in experts)
        differs = [text for kind, _, text in experts if kind == "godot.path.checksum_differs"]
        assert any("Main/Unit" in text and "has:" in text for text in differs), differs
        assert not any("Main/Same" in text for text in differs)
        for process, records in logs(name).items():
            made = [plain(f"{r['method']}({', '.join(r['args'])})") for r in records if r["what"] == "call"]
            for message in messages:
                if message.call and message.source in own_ids(name, process):
                    assert plain(message.call) in made


@every_capture
def test_engines_send_nothing_odd(name):
    """No packet of an engine is reported as damaged."""
    for message in dissect(name):
        odd = {kind for kind in message.experts if kind.startswith("godot.problem")}
        # The engine writes a null Object in a way that it refuses itself.
        assert not odd - {"godot.problem.value"}, (message.frame.number, odd)


@every_capture
def test_capture_that_starts_late(name, tmp_path):
    """Only the second half: no name is wrong, and one message reports what is unknown."""
    linktype, packets = pcap.read(FOLDER / f"{name}.pcap")
    half = pcap.write(tmp_path / "half.pcap", packets[len(packets) // 2:], linktype=linktype)
    shift = len(packets) - len(packets[len(packets) // 2:])
    whole = {}
    for message in dissect(name, *own_project(name)):
        whole.setdefault(message.frame.number, set()).update(message.layer.all("godot.rpc.method"))
    once, twice = ([row for row in tshark.listing(half, two_pass=passes) if row[1] == "Godot"] for passes in (False, True))
    assert once == twice
    unknown, noted = 0, collections.Counter()
    for frame in tshark.packets(half, "-Y", "godot", *own_project(name)):
        for layer in frame.nodes("godot"):
            for method in layer.all("godot.rpc.method"):
                assert method in whole[frame.number + shift]
            experts = [(kind, text) for kind, _, text in layer.experts]
            if layer.all("godot.path.id") and not layer.all("godot.path"):
                unknown += not any("The announcement this confirms" in text for _, text in experts)
            port = (frame.all("udp.srcport") + frame.all("tcp.srcport"))[0]
            sender = layer.all("godot.source")[-1:]
            noted.update((layer.all("godot.session")[0], port, str(sender), text) for kind, text in experts
                         if kind == "godot.not_judged" and "was not announced before" in text)
    assert bool(noted) >= bool(unknown) and set(noted.values()) <= {1}


def test_announcements_cut_by_a_short_snap_length(tmp_path):
    """The end of the path is missing, not the checksum: calls have the names that they have in the whole
    capture."""
    name = "godot-4.6-enet-calls"
    linktype, packets = pcap.read(FOLDER / f"{name}.pcap")
    short = pcap.write(tmp_path / "short.pcap", packets, linktype=linktype, snaplen=96)
    whole = {message.frame.number: message.layer.all("godot.rpc.method") for message in dissect(name, *own_project(name)) if message.call}
    named = 0
    for frame in tshark.packets(short, "-Y", "godot.rpc.call", *own_project(name)):
        for layer in frame.nodes("godot"):
            methods = layer.all("godot.rpc.method")
            if "godot.path.id" in layer and "godot.path" in layer:  # otherwise more than the path was cut
                assert methods == whole[frame.number]
                named += 1
    assert named > 10


@pytest.mark.parametrize("name", captures.game_is_slow(["godot-4.6-enet-game", "godot-4.6-enet-relay", "godot-4.6-enet-replication"]))
def test_announcing_a_node_to_another_peer_keeps_confirmations(name):
    """An engine only uses an id without the path after that peer has confirmed it."""
    rows = tshark.fields(tshark.CAPTURES / "multiplayer" / f"{name}.pcap", "frame.number", arguments=["-Y", "godot.path.unconfirmed"])
    assert rows == []


# --- requests and replies ---------------------------------------------------------------------------------------

CONVENTIONS = ("-o", "godot.rpc_reply_conventions:TRUE")
OWN_REPLIES = (*CONVENTIONS, "-o", 'uat:godot_rpc_replies:"buy_*","bought_*"')
replies_captures = pytest.mark.parametrize("name", [name for name in CAPTURES if name.endswith("-replies")])


def method_of(message):
    return message.call.split("(")[0]


def calls_by_session(name, *options):
    """[[messages with a call]], one list for each connection. Retransmissions of ENet are not counted."""
    sessions = collections.defaultdict(list)
    for message in dissect(name, *own_project(name), *options):
        again = "enet.analysis.retransmission" in message.frame
        assert not again or len(message.frame.nodes("godot")) == 1
        if message.call and "Main/Shop" in message.paths and not again:
            sessions[message.layer.all("godot.session")[0]].append(message)
    return list(sessions.values())


def logged_answers(name):
    """{(replying peer, asking peer, reply): [(request, its index)]}, in the order in which they were sent."""
    answers = collections.defaultdict(list)
    for record in (record for records in logs(name).values() for record in records if record["what"] == "answer"):
        answers[record["me"], record["to"], record["method"]].append((record["request"], record["number"]))
    return answers


def logged_pairs(name, calls):
    """{id of a reply: its request} of the calls of a connection, from the logs of the engines."""
    pairs, seen = {}, collections.Counter()
    answers = logged_answers(name)
    for reply in calls:
        key = (reply.source, reply.target or 0, method_of(reply))
        if key not in answers:
            continue
        request, number = answers[key][seen[key]]
        seen[key] += 1
        asked = [call for call in calls if method_of(call) == request and call.source == key[1]
                 and (call.target or 0) in (0, key[0])]
        pairs[id(reply)] = asked[number - 1]
    return pairs


@replies_captures
def test_replies_as_the_engines_logged_them(name):
    """Every reply is linked to exactly the call that the engine replied to."""
    linked = collections.Counter()
    for calls in calls_by_session(name, *OWN_REPLIES):
        pairs = logged_pairs(name, calls)
        for call in calls:
            expected = [pairs[id(call)].frame.number] if id(call) in pairs else []
            assert call.layer.all("godot.response_to") == expected, (call.frame.number, call.call)
            linked[method_of(call)] += len(expected)
    # Each client asks two others twelve times, captured at the asking end and, if relayed, at the asked end.
    assert linked["pong"] == linked["receive_item"] == 72
    assert linked["update_stock"] == 24 and linked["bought_apple"] == 6 and linked["answer_name"] == 18


@replies_captures
def test_replies_that_no_convention_names(name):
    for calls in calls_by_session(name, *CONVENTIONS):
        assert all(call.layer.all("godot.response_to") == [] for call in calls if method_of(call) == "bought_apple")
    for calls in calls_by_session(name):
        assert all(call.layer.all("godot.response_to") == [] for call in calls)


@replies_captures
def test_requests_point_to_their_reply(name):
    """The second pass shows the links at both ends."""
    frames = list(tshark.packets(FOLDER / f"{name}.pcap", "-Y", "godot", *own_project(name), *CONVENTIONS, two_pass=True))
    layers = [(frame, layer) for frame in frames for layer in frame.nodes("godot")]
    backward = {(to, frame.number) for frame, layer in layers for to in layer.all("godot.response_to")}
    forward = {(frame.number, to) for frame, layer in layers for to in layer.all("godot.response_in")}
    assert forward and forward <= backward
    assert {request for request, _ in forward} == {request for request, _ in backward}
    for frame, layer in layers:
        times = layer.all("godot.response_time")
        assert len(times) == len(layer.all("godot.response_to")) and all(0 < time < 0.5 for time in times)


def response_times(output):
    """{table: {row: calls}} of -z godot,srt"""
    tables, rows = {}, None
    for line in output.splitlines():
        if line.startswith("Index"):
            rows = tables.setdefault(line[5:line.index("Calls")].strip(), {})
        match = re.match(r"\s*\d+  (.*?)\s+(\d+)(\s+\d+\.\d{6}){4}$", line)
        if match:
            rows[match.group(1)] = int(match.group(2))
    return tables


@replies_captures
def test_response_time_table(name):
    for two_pass in (False, True):
        output = tshark.run(FOLDER / f"{name}.pcap", "-q", "-z", "godot,srt", *own_project(name), *CONVENTIONS, two_pass=two_pass).stdout
        tables = response_times(output)
        # What one client answers or confirms to the other is in the capture twice: it counts once.
        logged = collections.Counter((answer[0], key[2]) for key, answers in logged_answers(name).items() for answer in answers)
        assert tables["Request and reply"] == {f"Main/Shop: {request} → {reply}": count for (request, reply), count in logged.items()
                                               if reply != "bought_apple"}
        assert tables["Confirmed"] == {"by the server": 2, "by client 1": 2, "by client 2": 2}


@pytest.mark.parametrize("name", [name for name in CAPTURES if name.startswith("godot-4") and "websocket" not in name])
def test_a_peer_confirms_what_was_announced_to_it(name):
    """An id is announced to each peer: each announcement and its confirmation are between the same two."""
    messages = [message for message in dissect(name, "-2") if not message.layer.all("godot.relayed")]
    announced = {(message.frame.number, message.source, message.receiver) for message in messages if message.layer.all("godot.path.confirmed_in")}
    for message in messages:
        for frame in message.layer.all("godot.path.confirms"):
            assert (frame, message.receiver, message.source) in announced, message.frame.number
    confirmed = {(message.frame.number, message.source, message.receiver) for message in messages if message.layer.all("godot.path.confirms")}
    for message in messages:
        for frame in message.layer.all("godot.path.confirmed_in"):
            assert (frame, message.receiver, message.source) in confirmed, message.frame.number


@pytest.mark.parametrize("name", [name for name in CAPTURES if "authentication" in name])
def test_response_time_of_authentication(name):
    """A peer that sends the password is admitted by the server, and admits the server; others are not."""
    messages = dissect(name)
    answers = [m for m in messages if m.layer.all("godot.sys.command") == ["Authentication"] and m.layer.all("godot.response_to")]
    assert {message.source == 1 for message in answers} == {True, False}
    for answer in answers:
        assert not answer.layer.all("godot.sys.auth")
        request = [m for m in messages if m.layer.all("godot.sys.auth") and m.source == answer.receiver
                   and m.layer.all("godot.session") == answer.layer.all("godot.session")]
        assert answer.layer.all("godot.response_to") == [request[0].frame.number]
    table = response_times(tshark.run(FOLDER / f"{name}.pcap", "-q", "-z", "godot,srt").stdout)
    assert sum(table["Admitted"].values()) == len(answers) == 2


def test_a_syn_captured_behind_its_answer(tmp_path):
    """It acknowledges nothing, whatever the server's first number is: no byte is missing, and all is judged."""
    _, frames = pcap.read(FOLDER / "godot-4.6-websocket-calls.pcap")
    packets, moved = [], {}
    for time, data in frames:
        source, target, sequence, acknowledged, _, flags = struct.unpack_from(">HHIIBB", data, 34)
        if source == 22201 and flags & SYN:
            moved[target] = 0x90000000 - sequence
        sequence += moved.get(target, 0) if source == 22201 else 0
        acknowledged += moved.get(source, 0) if flags & ACK else 0
        numbers = struct.pack(">II", sequence & 0xFFFFFFFF, acknowledged & 0xFFFFFFFF)
        packets.append((time, data[:38] + numbers + data[46:]))
        if flags & (SYN | ACK) == SYN | ACK:
            (before, syn), (after, answer) = packets[-2:]
            assert syn[47] == SYN
            packets[-2:] = [(before, answer), (after, syn)]
    path = pcap.write(tmp_path / "late.pcap", packets, linktype=1)
    assert not tshark.packets(path, "-Y", "godot.not_judged", two_pass=True)
    assert tshark.packets(path, "-Y", "godot.path.node_not_found", two_pass=True)
