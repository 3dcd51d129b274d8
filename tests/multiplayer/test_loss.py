"""Multiplayer over a network that loses, delays and doubles datagrams, captured on both sides of it. Compared
with the engines' logs: even if announcements are late, later passes have all names.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import re

import pytest

import engine_logs
import evidence
import pcap
import projects
import tshark
import two_points

FOLDER = tshark.CAPTURES / "multiplayer-loss"
CAPTURES = sorted(path.name.removesuffix(".pcap") for path in FOLDER.glob("*.pcap"))

every_capture = pytest.mark.parametrize("name", CAPTURES)
relay_captures = pytest.mark.parametrize("name", [name for name in CAPTURES if "relay" in name])
replication_captures = pytest.mark.parametrize("name", [name for name in CAPTURES if "replication" in name])


def project(name):
    return projects.option("handover4" if "handover" in name else "replication4" if "replication" in name or "despawned" in name else "rpc4" if "godot-4" in name else "rpc3")


@functools.lru_cache(maxsize=None)
def records_by_process(name):
    """[(process, record)] of what all engines of the scenario logged."""
    found = [(engine_logs.process_of(path), record)
             for path in FOLDER.glob(f"{name.rpartition('.')[0]}.*.log.gz") for record in engine_logs.records(path)]
    assert found
    return found


def records(name):
    return [record for _, record in records_by_process(name)]


@functools.lru_cache(maxsize=None)
def messages(name, two_pass=True):
    return [(frame.number, layer) for frame in tshark.packets(FOLDER / f"{name}.pcap", "-Y", "godot", *project(name), two_pass=two_pass)
            for layer in frame.nodes("godot")]


def test_the_captures_are_there():
    assert len(CAPTURES) == 14


def test_a_lossy_capture_of_other_connections(tmp_path):
    """Two captures in one file: of one of them, every eighth frame is missing. The losses of the other one are still judged."""
    healthy, lossy = (evidence.File(FOLDER / f"godot-4.6-{name}.server-side.pcap") for name in ("scenes", "relay"))
    kept = [one for index, one in enumerate(lossy.packets) if index % 8]
    path = tmp_path / "both.pcap"
    path.write_bytes(healthy.with_packets(sorted(healthy.packets + kept, key=lambda one: one.time)))
    tmp_path.chmod(0o755)

    def losses(file):
        page = tshark.run(file, "-q", "-z", "godot,summary", *tshark.BY_ID, two_pass=True).stdout
        return {who: (again, total) for who, again, total in
                re.findall(r"^  .*\((127\.0\.0\.1:\d+)\): .*?(\d+) of (\d+) reliable commands sent again", page, re.M)}

    assert len(losses(FOLDER / "godot-4.6-relay.server-side.pcap")) == 3
    assert losses(path) == losses(FOLDER / "godot-4.6-scenes.server-side.pcap") != {}


@relay_captures
def test_every_call_has_its_name(name):
    """In the second pass, also where the announcement with the checksum came after the call."""
    made = {(record["node"], record["method"]) for record in records(name) if record["what"] == "call"}
    calls = [(number, layer) for number, layer in messages(name) if "godot.rpc.call" in layer]
    assert calls
    for _, layer in calls:
        assert (layer.all("godot.path")[-1], layer.one("godot.rpc.call").partition("(")[0]) in made
    if "godot-4" in name:
        assert any(number < announced.get(where(layer), 0) for announced in [announcements(name)] for number, layer in calls), "nothing is late here"


def where(layer):
    """Session, author of the packet, path."""
    return layer.one("godot.session"), (layer.all("godot.relay.source") + layer.all("godot.source"))[0], layer.all("godot.path")[-1]


def announcements(name):
    """The first frame that announces each path to the other end of a session."""
    found = {}
    for number, layer in messages(name):
        if "godot.path.checksum" in layer:
            found.setdefault(where(layer), number)
    return found


@relay_captures
def test_a_call_is_counted_once(name):
    """Each client calls `say` with its own text at all peers: at the server, and through the server at the
    others."""
    calls = [layer for _, layer in messages(name) if layer.all("godot.rpc.call")[:1] and layer.one("godot.rpc.call").startswith("say(")]
    repeated = [layer for layer in calls if "godot.repeated" in layer]
    assert repeated and all(layer.one("godot.repeated") is True for layer in repeated)
    different = {(layer.one("godot.session"), *layer.all("godot.source"), *layer.all("godot.target"),
                  *layer.all("godot.relay.source"), layer.one("godot.rpc.call"))
                 for layer in calls}
    assert len(calls) - len(repeated) == len(different)
    ran = sum(1 if process == "server" else 2 for process, record in records_by_process(name)
              if record["what"] == "called" and record["method"] == "say")
    # Godot 3 sends one packet to all peers when all have confirmed the path, so not one for each receiver.
    assert len(different) == ran if "godot-4" in name else len(different) <= ran
    tree = tshark.run(FOLDER / f"{name}.pcap", "-q", "-z", "godot,tree", *project(name), two_pass=True).stdout
    counted = rows_of(tree, "say")
    # Each is in two tables: by direction and by peer.
    assert counted["Messages"] == 2 * len(different)
    assert counted["Bytes on the wire"] == 2 * sum(layer.one("godot.wire_length") for layer in calls)


def rows_of(output, wanted):
    """{tree: sum over the rows of this name} of -z godot,tree"""
    sums, tree = collections.Counter(), None
    for line in output.splitlines():
        match = re.match(r"( *)(.*?)\s{2,}(\d+)(\s|$)", line)
        if match and match.group(2) in ("Messages", "Message bytes", "Bytes on the wire"):
            tree = match.group(2)
        elif match and match.group(2) == wanted:
            sums[tree] += int(match.group(3))
    return sums


@replication_captures
def test_spawned_nodes_have_their_place(name):
    """Also if the spawner is announced after them; then the message mentions it."""
    logged = {(record["node"], record["spawner"]) for record in records(name) if record["what"] == "spawned"}
    late = 0
    for _, layer in messages(name):
        if "godot.spawn.name" in layer:
            (node,), (spawner,) = layer.all("godot.path"), layer.all("godot.spawner.path")
            assert (node, spawner) in logged
            late += any(kind == "godot.path.announced_later" and "announced later, in frame" in text
                        for kind, _, text in layer.experts)
    assert late == (2 if "client" in name else 0)


@replication_captures
def test_every_state_has_a_node_and_names(name):
    nodes = {record["node"] for record in records(name) if record["what"] in ("spawned", "spawn", "set")}
    entries, late = 0, 0
    for _, layer in messages(name):
        for entry in layer.nodes("godot.sync.entry"):
            path = entry.one("godot.path")
            assert path in nodes or path.rpartition("/")[0] in nodes, path
            if "Avatar" not in path:  # configured in code
                assert entry.all("godot.sync.property")
            entries += 1
            late += any(kind == "godot.net_id.spawned_later" for kind, _, _ in entry.experts)
    assert entries > 50 and (late > 10 if "client" in name else late == 0)


@replication_captures
def test_one_pass_knows_what_has_come(name):
    """After the announcement, the first pass also has the names for packets before it."""
    announced = {layer.one("godot.path.id"): number for number, layer in messages(name) if "godot.path.checksum" in layer}
    for number, layer in messages(name, two_pass=False):
        for path in layer.all("godot.path"):
            assert "/?/" not in path or number < max(announced.values()), (number, path)


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.slow) if "players" in name else name for name in CAPTURES if "scenes" not in name])
def test_nothing_is_said_to_be_wrong(name):
    """Loss is not an error of a peer. (Calls are lost when scenes change: test_scenes.py.)"""
    for number, layer in messages(name):
        assert not [expert for expert in layer.experts if expert[0].startswith("godot") and expert[1] in ("warning", "error")]
        for kind, _, _ in layer.experts:
            assert kind not in ("godot.path.undefined", "godot.net_id.unknown", "godot.path.confirms_nothing"), number


def test_calls_to_a_node_that_is_despawned():
    """As many as calls for which the server printed that it has no node; on the client's side they had been
    sent before."""
    name = "godot-4.6-despawned.server-side"
    printed = [record["text"] for record in records(name) if record["what"] == "print" and "Failed to get cached node" in record["text"]]
    for two_pass in (False, True):
        marked = [layer for _, layer in messages(name, two_pass) if any(kind == "godot.rpc.despawned" for kind, _, _ in layer.experts)]
        assert len(marked) == len(printed) == 3
        assert {layer.one("godot.path") for layer in marked} == {"Main/World/Unit1"}
    ran = [record for record in records(name) if record["what"] == "called" and record["method"] == "hit"]
    calls = [layer for _, layer in messages(name) if "godot.rpc.call" in layer]
    assert len(calls) == len(ran) + len(printed)


def test_a_copy_is_not_judged_by_what_came_after_the_first(tmp_path):
    """A call that the server executed, captured again after the node was despawned."""
    name = tshark.CAPTURES / "multiplayer-loss" / "godot-4.6-despawned.server-side.pcap"
    linktype, packets = pcap.read(name)
    options = (*projects.option("replication4"), "-Y", "godot.rpc.despawned")
    first = next(number for (number,), call in tshark.fields(name, "frame.number", "godot.rpc.call") if call)
    marked = [frame.number for frame in tshark.packets(name, *options, two_pass=True)]
    last = marked[-1]
    path = pcap.write(tmp_path / "again.pcap", [*packets[:last], (packets[last - 1][0], packets[first - 1][1]), *packets[last:]], linktype=linktype)
    assert marked and [frame.number for frame in tshark.packets(path, *options, two_pass=True)] == marked
    ((_, _, info),) = tshark.listing(path, "-Y", f"frame.number == {last + 1}")
    assert "[repeated]" in info and "(0) → Main/World/Unit1" in info


@pytest.mark.parametrize("engine", ["3.6", "4.6"])
def test_paths_that_were_announced_on_another_connection(engine, tmp_path):
    """The server relays the calls between clients. If the announcement of a path on the receiver's connection
    was not captured, that on the sender's is used: a peer uses one number of a node for all receivers."""
    path = tshark.CAPTURES / "multiplayer" / f"godot-{engine}-enet-relay.pcap"
    options = projects.option(f"rpc{engine[0]}")
    whole = {frame.number: frame for frame in tshark.packets(path, *options)}
    linktype, packets = pcap.read(path)
    missing = [number for number, frame in whole.items() if 22201 in frame.all("udp.srcport")
               and "Simplify Path" in frame.all("godot.command") and any(source > 1 for source in frame.all("godot.source"))]
    kept = [number for number in whole if number not in missing]
    target = pcap.write(tmp_path / "without.pcap", [packets[number - 1] for number in kept], linktype=linktype)
    assert len(missing) > 2
    compared = 0
    for two_pass in (False, True):
        for number, frame in zip(kept, tshark.packets(target, *options, two_pass=two_pass)):
            assert frame.all("godot.path") == whole[number].all("godot.path"), number
            assert frame.all("godot.rpc.call") == whole[number].all("godot.rpc.call"), number
            relayed = 22201 in frame.all("udp.srcport") and True in frame.all("godot.relayed")
            compared += relayed * len(frame.all("godot.rpc.call"))
    assert compared > 4


REFUSALS = "(godot.rpc.node_not_found || godot.path.node_not_found || godot.rpc.not_allowed || godot.rpc.wrong_arguments)"


def test_what_is_lost_is_not_refused():
    """Between two points: nobody prints an error about an unreliable call that never arrives."""
    path = two_points.translated("godot-4.6-scenes")
    lost = "enet.analysis.lost && enet.command == \"Send Unsequenced\" && godot.rpc.call"

    def frames(text):
        return tshark.fields(path, "frame.number", arguments=["-Y", text], two_pass=True)
    assert len(frames(lost)) > 5 and not frames(f"{lost} && {REFUSALS}")
    assert len(frames(f"!enet.analysis.lost && {REFUSALS}")) > 20


def test_what_two_points_have_is_noted_once():
    path = two_points.merged("godot-3.6-relay")
    large, copies = ({number for (number,), in tshark.fields(path, "frame.number", arguments=("-Y", name))}
                     for name in ("godot.over_mtu", "enet.analysis.second_point"))
    assert large and not large & copies
