"""Multiplayer packets that no available engine sends, and damaged ones, made from the format.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import hashlib
import os
import re
import struct

import pytest

import enet_packets
import engine_logs
import pcap
import records
import sharkd
import tshark

CLIENT = 0x12345678


def cstring(text):
    return text.encode() + b"\0"


def checksum(*names):
    return hashlib.md5("".join(names).encode()).hexdigest()


def simplify(path, number, *names):
    return b"\x01" + cstring(checksum(*names)) + struct.pack("<I", number) + cstring(path)


def confirm(number, valid=1):
    return struct.pack("<BBI", 2, valid, number)


def relay(peer, inner):
    return struct.pack("<BBi", 7, 3, peer) + inner


def add_peer(peer):
    return struct.pack("<BBi", 7, 1, peer)


def capture(tmp_path, messages, **options):
    """A capture of one connection. Messages are bytes from the client or (True, bytes) from the server."""
    connection = enet_packets.Connection(CLIENT, **options)
    packets = connection.open()
    for message in messages:
        server, payload = message if isinstance(message, tuple) else (False, message)
        packets.append(connection.message(payload, server=server, channel=options.get("channel", 0)))
    return pcap.write(tmp_path / "made.pcap", packets)


def dissect(path, *arguments):
    """Frames after the handshake. Dissected twice: both passes must have the same packet list."""
    once, twice = tshark.listing(path, *arguments), tshark.listing(path, *arguments, two_pass=True)
    assert once == twice
    return tshark.packets(path, *arguments)[2:]


def expert_names(frame):
    return {name for name, _, _ in frame.experts}


def infos(path, *arguments):
    return [info for _, protocol, info in tshark.listing(path, *arguments)[2:]]


@pytest.fixture
def project():
    """Makes a project folder that tshark can read; returns a function of {file: text}."""
    def make(files, name="project"):
        folder = os.path.join(tshark.workplace(), name + os.urandom(4).hex())
        for file, text in files.items():
            path = os.path.join(folder, file)
            os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
            with open(path, "w", encoding="utf-8") as source:
                source.write(text)
        for directory, _, names in os.walk(folder):
            os.chmod(directory, 0o755)
            for entry in names:
                os.chmod(os.path.join(directory, entry), 0o644)
        return ("-o", f"godot.project:{folder}")
    return make


def test_confirmation_by_path_up_to_4_2(tmp_path):
    path = capture(tmp_path, [simplify("Player", 1, "hit", "move"), (True, b"\x02\x01" + cstring("Player")),
                              b"\x80\x01\x00"])
    frames = dissect(path)
    assert frames[1].one("godot.path") == "Player"
    assert frames[1].one("godot.path.confirms") == 3
    assert frames[1].one("godot.path.valid") is True
    assert "godot.path.unconfirmed" not in expert_names(frames[2])
    assert infos(path) == ["node 1 is Player", "Player confirmed", "#0() → Player"]
    early = dissect(capture(tmp_path, [(True, simplify("Door", 2, "open")), simplify("Player", 1, "hit", "move"), *[b"\x80\x01\x00"] * 2]))
    assert ["godot.path.unconfirmed" in expert_names(frame) for frame in early] == [False, False, True, False]


def test_incompatible_versions(tmp_path):
    path = capture(tmp_path, [simplify("A", 1), (True, b"\x02\x01" + cstring("A")), (True, simplify("B", 1)),
                              confirm(1)])
    frames = dissect(path)
    assert "godot.version_mismatch" in expert_names(frames[3])
    assert not any("godot.version_mismatch" in expert_names(frame) for frame in frames[:3])


def test_checksum_refused_and_what_differs(tmp_path, project):
    path = capture(tmp_path, [simplify("Main", 1, "hit", "move", "old"), (True, confirm(1, valid=0)),
                              (True, simplify("Main", 1, "hit", "jump", "move"))])
    frames = dissect(path)
    assert "godot.path.checksum_refused" in expert_names(frames[1])
    assert "godot.path.checksum_differs" in expert_names(frames[2])
    games = project({
        "one/project.godot": "", "one/main.gd": "@rpc func hit(): pass\n@rpc func move(): pass\n@rpc func old(): pass",
        "two/project.godot": "", "two/main.gd": "@rpc func hit(): pass\n@rpc func move(): pass\n@rpc func jump(): pass",
    })
    message = [text for name, _, text in dissect(path, *games)[2].experts if name == "godot.path.checksum_differs"][0]
    assert "has: jump;" in message and message.endswith(": old")


def test_names_only_if_the_checksum_says_so(tmp_path, project):
    call = b"\x00\x01\x01\x01\x02\x05"
    path = capture(tmp_path, [simplify("Main", 1, "hit", "move"), (True, confirm(1)), call])
    right = project({"project.godot": "", "deep/er/main.gd": "extends Node\n@rpc func move(x): pass\n@rpc func hit(): pass\n"})
    wrong = project({"project.godot": "", "main.gd": "@rpc func hit(): pass\n@rpc func walk(): pass\n"})
    assert infos(path)[2] == "#1(5) → Main"
    assert infos(path, *right)[2] == "move(5) → Main [not allowed]"
    assert infos(path, *wrong)[2] == "#1(5) → Main"
    frames = dissect(path, *right)
    assert frames[2].one("godot.rpc.method") == "move" and frames[2].one("godot.rpc.method_id") == 1
    assert frames[0].one("godot.rpc.script") == "res://deep/er/main.gd"
    frames = dissect(path, *wrong)
    assert "godot.rpc.method" not in frames[2]
    assert "godot.rpc.unknown_script" in expert_names(frames[0])
    by_hand = ("-o", 'uat:godot_rpc_names:"mine","move, hit",""')
    assert infos(path, *by_hand)[2] == "move(5) → Main"


def test_project_folder_with_links_and_unreadable_files(tmp_path, project):
    """Links out of the project or in circles, a folder that cannot be read, a huge file."""
    path = capture(tmp_path, [simplify("Main", 1, "secret"), (True, confirm(1)), b"\x80\x01\x00"])
    option = project({"project.godot": "", "big.gd": "@rpc func secret(): pass\n" + "#" * (4 << 20)})
    folder = option[1].partition(":")[2]
    outside = project({"leak.gd": "@rpc func secret(): pass\n"}, name="outside")[1].partition(":")[2]
    os.symlink(outside, os.path.join(folder, "link"))
    os.symlink(os.path.join(outside, "leak.gd"), os.path.join(folder, "leak.gd"))
    os.symlink(folder, os.path.join(folder, "circle"))
    os.mkdir(os.path.join(folder, "closed"), 0o700)
    assert infos(path, *option)[2] == "#0() → Main"
    assert infos(path, "-o", "godot.project:/nonexistent/folder")[2] == "#0() → Main"


def test_scenes_too_large_to_be_read(tmp_path, project):
    """A large level is read. A scene that is too large may contain any spawner, so the scenes of others are
    not certain."""
    path = capture(tmp_path, [(True, simplify("Main/Spawner", 1)), (True, b"\x04\0" + struct.pack("<IIII", 1, 5, 0, 3) + b"P1\0")])
    main = ('[node name="Main" type="Node"]\n[node name="Spawner" type="MultiplayerSpawner" parent="."]\n'
            '_spawnable_scenes = PackedStringArray("res://a.tscn")\nspawn_path = NodePath("..")\n')
    files = {"project.godot": "", "main.tscn": main + "; a line\n" * (1 << 17)}
    assert infos(path, *project(files))[1] == "spawn P1 (a.tscn) in Main"
    files["level.tscn"] = ";" * ((16 << 20) + 1)
    assert infos(path, *project(files))[1] == "spawn P1 (scene 0) by Main/Spawner"


def test_12_byte_header_of_3_0(tmp_path):
    def packet(source, target, body):
        return struct.pack("<iiI", source, target, 1) + body

    node = b"\x02" + struct.pack("<I", 1) + cstring("/root/Main")
    call = b"\x00" + struct.pack("<I", 1) + cstring("fire") + b"\x01" + struct.pack("<Iq", 0x10002, 7)
    connection = enet_packets.Connection(CLIENT, channels=3)
    packets = connection.open() + [
        connection.message(struct.pack("<II", 0, 99999), server=True, channel=0),
        connection.message(packet(CLIENT, 1, node), channel=1),
        connection.message(packet(1, CLIENT, b"\x03" + cstring("/root/Main")), server=True, channel=1),
        connection.message(packet(CLIENT, 0, call), channel=1),
        connection.message(packet(99999, 0, b"\x04raw"), server=True, channel=1),
        connection.message(packet(77, 1, call), channel=1),
    ]
    path = pcap.write(tmp_path / "made.pcap", packets)
    frames = dissect(path)
    assert infos(path)[:4] == ["add client 2", "node 1 is /root/Main", "/root/Main confirmed", "fire(7) → /root/Main"]
    assert infos(path)[4] == 'raw "raw" (3 bytes) [relayed from client 2]'
    assert frames[3].one("godot.api") == 3 and frames[3].one("godot.header.flags") == 1
    assert frames[3].one("godot.source") == CLIENT and frames[3].one("godot.target") == 0
    assert frames[3].one("godot.rpc.method") == "fire"
    assert frames[4].one("godot.relayed") is True
    assert "godot.source.mismatch" in expert_names(frames[5])


def test_null_object_as_the_engine_writes_it(tmp_path):
    call = b"\x00\x01\x00\x02" + b"\x18\0\0\0" + b"\x02\x07"
    frames = dissect(capture(tmp_path, [simplify("Main", 1, "a"), call]))
    assert frames[1].one("godot.rpc.argument_count") == 2
    assert "godot.object_argument" in expert_names(frames[1])
    assert frames[1].all("godot.variant.int") == [7]


@pytest.mark.parametrize("message, name", [
    (b"\x30\x01\x00", "godot.problem.id_size"),
    (b"\x00\x01", "godot.problem.too_short"),
    (b"\x00\x01\x00\x02\x02\x05", "godot.problem.value"),
    (b"\x00\x01\x00\x01\x02\x05\x09", "godot.problem.trailing"),
    (b"\x20\xff\xff\0\x80\x00\x01\x81", "godot.problem.path_offset"),
    (b"\x80\x09\x00", "godot.path.undefined"),
    (b"\x13x", "godot.problem.unused_bits"),
    (b"\x05\x07\0\0\0", "godot.net_id.unknown"),
    (b"\x06\x01\0\x07\0\0\0\x01\0\0\0\x81", "godot.net_id.unknown"),
    (b"\x06\x01\0\x07\0\0\0\xff\xff\xff\x7f\x81", "godot.problem.size_field"),
    (b"\x16\x07\0\0\0" + b"\x03" + bytes(7) + b"\x01\0\0\0\x81", "godot.problem.value_count"),
    (b"\x04\0\x01\0\0\0\x01\0\0\0\xff\xff\xff\x7f\x02\0\0\0P\0", "godot.problem.size_field"),
    (b"\x07\x09\x01", "godot.problem.subcommand"),
    (relay(2, b"\x07\0"), "godot.problem.relayed_system"),
    (relay(4711, b"\x03x"), "godot.peer.unknown"),
    (add_peer(5), "godot.sys.not_server"),
    (confirm(7), "godot.path.confirms_nothing"),
    (simplify("Other", 1, "a"), "godot.path.redefined"),
    (b"\x03", "godot.problem.too_short"),
])
def test_damage_is_named_and_what_follows_is_shown(tmp_path, message, name):
    good = b"\x00\x01\x00\x01\x02\x05"
    connection = enet_packets.Connection(CLIENT)
    packets = connection.open() + [connection.message(simplify("Main", 1, "a")),
                                   connection.message(confirm(1), server=True), connection.message(message, good)]
    path = pcap.write(tmp_path / "made.pcap", packets)
    frame = dissect(path)[2]
    assert name in expert_names(frame)
    assert frame.all("godot.rpc.call")[-1] == "#0(5)"
    assert infos(path)[2].endswith(", #0(5) → Main")


def test_other_generation(tmp_path):
    call = b"\x00" + struct.pack("<I", 1) + cstring("fire") + b"\x00"
    node = struct.pack("<iiBI", 1, CLIENT, 2, 1) + cstring("Main")
    connection = enet_packets.Connection(CLIENT)
    packets = connection.open() + [
        connection.message(simplify("Main", 1, "a")),
        connection.message(node, server=True, channel=1),
        connection.message(struct.pack("<ii", 1, CLIENT) + call, server=True, channel=1),
    ]
    frames = dissect(pcap.write(tmp_path / "made.pcap", packets))
    assert frames[0].one("godot.api") == 4
    assert "godot.generation_mismatch" in expert_names(frames[1])
    assert frames[2].one("godot.rpc.call") == "fire()"


def test_spawned_and_despawned_nodes(tmp_path):
    spawn = b"\x04\0" + struct.pack("<IIIII", 1, 5, 1, 3, 6) + b"P1\0" + b"\x02\x2a"
    sync = b"\x06\x01\0" + struct.pack("<II", 6, 2) + b"\x02\x05"
    path = capture(tmp_path, [(True, message) for message in
                              (simplify("Main/Spawner", 1), spawn, sync, b"\x05\x05\0\0\0", b"\x05\x05\0\0\0")])
    frames = dissect(path)
    assert infos(path) == ["node 1 is Main/Spawner", "spawn P1 (scene 0) by Main/Spawner",
                           "sync Main/Spawner/?/P1 {5}", "despawn Main/Spawner/?/P1", "despawn net ID 5"]
    assert frames[2].one("godot.spawn.frame") == 4
    assert "godot.net_id.unknown" in expert_names(frames[4])


def test_scene_of_a_node_that_follows_another(tmp_path, project):
    """A synchronizer is searched in the scene from which its node was spawned, not in that of the previous
    node."""
    def unit(name):
        return ('[sub_resource type="SceneReplicationConfig" id="1"]\n'
                f'properties/0/path = NodePath(".:{name}")\nproperties/0/replication_mode = 1\n'
                '[node name="Unit" type="Node"]\n[node name="Body" type="Node" parent="."]\n'
                '[node name="Sync" type="MultiplayerSynchronizer" parent="Body"]\nreplication_config = SubResource("1")\n')
    options = project({"project.godot": "", "a.tscn": unit("speed"), "b.tscn": unit("health"), "main.tscn":
                       '[node name="Main" type="Node"]\n[node name="Spawner" type="MultiplayerSpawner" parent="."]\n'
                       '_spawnable_scenes = PackedStringArray("res://a.tscn")\nspawn_path = NodePath("..")\n'})
    def spawn(scene, node, argument=b""):
        return bytes([4, scene]) + struct.pack("<IIII", 1, node, 0, 3) + b"P1\0" + argument
    sync = b"\x06\x01\0" + struct.pack("<II", 0x80000002, 2) + b"\x02\x05"
    path = capture(tmp_path, [(True, message) for message in
                              (simplify("Main/Spawner", 1), simplify("Main/P1/Body/Sync", 2), spawn(0, 5), sync,
                               b"\x05\x05\0\0\0", spawn(0xff, 6, struct.pack("<I", 1) + b"\0"), sync)])
    dissect(path, *options)
    assert infos(path, *options)[2:] == ["spawn P1 (a.tscn) in Main", "sync Main/P1/Body/Sync {speed: 5}", "despawn Main/P1",
                                         "spawn P1 (custom) in Main", "sync Main/P1/Body/Sync {5}"]


def test_several_synchronizers_share_the_bytes(tmp_path):
    """In the statistics, each node has the bytes of its own state; the first one does not have those of
    all."""
    states = [b"\x04\0\0\0" + struct.pack("<I", size) + b"x" * size for size in (4, 40, 120)]
    entries = b"".join(struct.pack("<II", 0x80000000 | n, len(state)) + state for n, state in enumerate(states, 1))
    unknown = struct.pack("<II", 0x80000009, 1) + b"\x81"
    path = capture(tmp_path, [simplify(f"Main/{name}", n, "a") for n, name in enumerate("ABC", 1)]
                   + [b"\x06\x01\0" + entries, b"\x06\x02\0" + unknown])
    assert tshark.listing(path)[-1][2] == "sync node 9 {true}"
    text = tshark.run(path, "-q", "-z", "godot,tree").stdout
    trees = re.split(r"(?m)^(?=Messages|Message bytes|Bytes on the wire)", text)[1:]
    shown = [dict(re.findall(r"(?m)^  (\S.*?)\s+(\d+)\s", tree)) for tree in trees]
    of_path = 2 + 32 + 4 + len("Main/A") + 1
    assert [shown[0][f"Main/{name}"] for name in "ABC"] == ["2", "2", "2"]
    heads, total = 3, 3 + len(entries)
    shares = [int(shown[1][f"Main/{name}"]) - of_path for name in "ABC"]
    assert sum(shares) == total
    assert all(8 + len(state) <= share <= 8 + len(state) + heads for state, share in zip(states, shares))
    everything = int(re.search(r"(?m)^Bytes on the wire\s+(\d+)", trees[2]).group(1))
    assert sum(map(int, shown[2].values())) == everything
    assert 0 < int(shown[2]["Main/A"]) < int(shown[2]["Main/B"]) < int(shown[2]["Main/C"])


def test_many_messages_within_limits(tmp_path):
    values = b"\x06\x01\0" + struct.pack("<II", 7, 60000) + b"\x81" * 60000
    entries = b"\x06\x01\0" + b"".join(struct.pack("<II", 7, 1) + b"\x81" for _ in range(6000))
    ids = b"\x04\0" + struct.pack("<IIIII", 1, 5, 15000, 3, 0)[:16] + bytes(60000) + b"P1\0"
    deep = b"\x00\x01\x00\x01" + b"\x1c\0\0\0\x01\0\0\0" * 7000 + b"\0\0\0\0"
    path = pcap.write(tmp_path / "made.pcap", [pcap.udp(message) for message in (values, entries, ids, deep)])
    decode = ("-d", "udp.port==4242,godot")
    for arguments in (decode, decode + ("-V",)):
        tshark.run(path, *arguments, memory=700)
    frames = tshark.packets(path, *decode)
    assert all("godot.capped" in expert_names(frame) for frame in frames[:3])
    assert len(frames[0].all("godot.variant.bool")) <= 1000
    assert len(frames[1].nodes("godot.sync.entry")) <= 2000


def test_announcement_of_a_peer_not_captured(tmp_path):
    """An unknown peer is reported once, not for each packet for it or from it."""
    call = b"\x00\x05\x02\x01" + b"\x04\0\0\0\x05\0\0\0hello\0\0\0"
    path = capture(tmp_path, [simplify("Main", 5, "a")] + 4 * [relay(777777, call), (True, relay(777777, call))])
    for two_pass in (False, True):
        reported = [name for _, name, *_ in tshark.experts(path, two_pass=two_pass)].count("godot.peer.unknown")
        assert reported == 1


def test_repeated_messages_say_so(tmp_path):
    """ENet retransmits unacknowledged commands: the game made one call, and the packet list marks
    repetitions."""
    connection = enet_packets.Connection(CLIENT)
    packets = connection.open() + [connection.message(simplify("Main", 1, "a"))]
    connection.sequences.clear()
    packets.append(connection.message(simplify("Main", 1, "a")))
    path = pcap.write(tmp_path / "made.pcap", packets)
    for two_pass in (False, True):
        rows = tshark.listing(path, two_pass=two_pass)
        assert [info for _, _, info in rows[2:]] == ["node 1 is Main", "node 1 is Main [repeated]"]


def test_control_characters_do_not_reach_the_terminal(tmp_path):
    """Names contain no line breaks or terminal commands in the packet list, trees, statistics and
    messages."""
    name = b"Ma\n\r\x1b[31min\xc2\x9b31m\x7f"
    thing = struct.pack("<I", 24) + struct.pack("<I", len(name)) + name + b"\0" * (-len(name) % 4) + b"\0\0\0\0"
    path = capture(tmp_path, [
        simplify("Main", 1, "a"),
        b"\x01" + cstring(checksum("b")) + struct.pack("<I", 2) + name + b"\0",
        b"\x80\x02\x00",
        (True, confirm(2, 0)),
        b"\x04\0" + struct.pack("<IIII", 1, 5, 0, len(name) + 1) + name + b"\0",
        b"\x00\x01\x00\x02" + thing + b"\x04\0\0\0" + struct.pack("<I", len(name)) + name + b"\0" * (-len(name) % 4),
    ])
    for arguments in ([], ["-V"], ["-q", "-z", "godot,tree"], ["-q", "-z", "expert"]):
        text = tshark.run(path, *arguments).stdout
        assert "31min" in text
        assert not [c for c in text if (c < " " and c != "\n") or "\x7f" <= c < "\xa0"], arguments
    assert len(tshark.run(path).stdout.splitlines()) == 2 + 6


def test_cut_by_the_snap_length(tmp_path):
    connection = enet_packets.Connection(CLIENT)
    long_call = b"\x00\x01\x00\x01" + b"\x04\0\0\0" + struct.pack("<I", 400) + b"x" * 400
    packets = connection.open() + [connection.message(simplify("Main", 1, "a")), connection.message(long_call)]
    frames = dissect(pcap.write(tmp_path / "made.pcap", packets, snaplen=120))
    reported = {name for name in expert_names(frames[1]) if name.startswith(("godot.problem", "godot.variant"))}
    assert not reported
    assert frames[1].one("godot.path") == "Main"


def test_middle_of_a_connection(tmp_path):
    """Without CONNECT and announcements: known facts are shown; for the rest, the reason is shown."""
    connection = enet_packets.Connection(CLIENT)
    connection.open()
    packets = [connection.message(b"\x00\x05\x02\x01" + b"\x04\0\0\0\x05\0\0\0hello\0\0\0") for _ in range(6)]
    packets.append(connection.message(simplify("Main/Late", 6, "a")))
    packets.append(connection.message(b"\x80\x06\x00"))
    path = pcap.write(tmp_path / "made.pcap", packets)
    frames = tshark.packets(path)
    assert tshark.listing(path) == tshark.listing(path, two_pass=True)
    godot = [frame for frame in frames if "godot" in frame.layers]
    assert len(godot) >= 4
    assert '#2("hello")' in godot[0].all("godot.rpc.call")
    assert "godot.not_judged" in expert_names(godot[0])
    assert godot[-1].one("godot.path") == "Main/Late"


@pytest.mark.parametrize("server_first", [False, True])
def test_relay_in_the_middle(server_first, tmp_path):
    """Whichever end sends first: the end with the lower port is assumed to be the server."""
    connection = enet_packets.Connection(CLIENT)
    connection.open()
    call = b"\x00\x05\x02\x01" + b"\x04\0\0\0\x05\0\0\0hello\0\0\0"
    order = [server_first] * 3 + [not server_first] * 3
    path = pcap.write(tmp_path / "made.pcap", [connection.message(relay(77777777, call), server=end) for end in order])
    shown = [(frame.one("udp.srcport"), frame) for frame in tshark.packets(path) if "godot" in frame.layers]
    infos = [info for _, protocol, info in tshark.listing(path) if protocol == "Godot"]
    assert len(infos) >= 4
    assert infos == ["#2(\"hello\") → node 5 [relayed from client 1]" if port == 8910 else
                     "#2(\"hello\") → node 5 [relay to client 1]" for port, _ in shown]


@pytest.mark.parametrize("swapped", [False, True])
def test_relay_of_another_peer_redefines_nothing(swapped, tmp_path):
    """The server has the higher port and the capture begins late: taken for the client, it seems to announce two nodes with one id."""
    connection = enet_packets.Connection(CLIENT, port=1000)
    connection.open()
    announced = [simplify("Main/Boss", 3, "a"), relay(77777777, simplify("Main/Ghost", 3, "a"))]
    others = [simplify(f"Main/{number}", number, "a") for number in range(10, 16)]
    packets = [connection.message(message, server=True) for message in others + (announced[::-1] if swapped else announced)]
    frames = dissect(pcap.write(tmp_path / "made.pcap", packets))
    names = [name for frame in frames for name in expert_names(frame)]
    assert "godot.relay.direction" in names and "godot.path.redefined" not in names


def test_relay_by_the_dissectors_name(tmp_path):
    """Decode As can select the dissector for any packet."""
    path = pcap.write(tmp_path / "made.pcap", [pcap.udp(simplify("Main", 1, "a")), pcap.udp(b"\x80\x01\x00")])
    rows = tshark.listing(path, "-d", "udp.port==4242,godot")
    assert [info for _, _, info in rows] == ["node 1 is Main", "#0() → Main"]


def test_more_than_can_be_remembered(tmp_path):
    """A million net ids; those after the limit are unknown, and a message says so."""
    head = struct.Struct("<BBIIIII")
    spawns = [head.pack(4, 0, 1, 5, 15000, 3, 0)[:18] + struct.pack("<15000I", *range(15000 * n, 15000 * n + 15000)) + b"P1\0"
              for n in range(68)]
    messages = [simplify("Main", 1, "a"), *spawns, simplify("Late", 2, "a"), b"\x80\x02\x00"]
    path = pcap.write(tmp_path / "made.pcap", [pcap.udp(message) for message in messages])
    decode = ("-d", "udp.port==4242,godot")
    experts = ("godot.forgotten", "godot.not_judged")
    once, twice = (tshark.fields(path, "frame.number", *experts, arguments=[*decode, "-Y", " or ".join(experts)],
                                 two_pass=passes, memory=700) for passes in (False, True))
    assert once == twice
    assert [number for number, forgotten, _ in once if forgotten] == [[number] for number in range(68, 72)], once
    assert sum(bool(undefined) for _, _, undefined in once) == 1


def test_long_texts_count_as_much_as_they_are_long(tmp_path):
    """64 MiB of texts are kept."""
    paths = ["N" * 4085 + f"{number:05}" for number in range(15800)]
    path = pcap.write(tmp_path / "made.pcap", [pcap.udp(simplify(path, number + 1, "a")) for number, path in enumerate(paths)])
    rows = tshark.fields(path, "frame.number", arguments=["-d", "udp.port==4242,godot", "-Y", "godot.forgotten"], two_pass=True)
    assert 15000 < rows[0][0][0] < 15700 and rows[-1] == ([15800],)


@pytest.mark.slow
def test_paths_that_many_sessions_adopt(tmp_path):
    """An announcement by a client also applies to what the server relays to each other client: the path is
    kept once."""
    nodes, others, long = 50, 200, "N" * 3900
    first = enet_packets.Connection(CLIENT)
    packets = [*first.open(), *(first.message(simplify(f"{long}{node:03}", node + 1, "a")) for node in range(nodes))]
    for other in range(others):
        connection = enet_packets.Connection(CLIENT + 1 + other, port=20000 + other)
        calls = [relay(CLIENT, bytes((0x80, node + 1, 0))) for node in range(nodes)]
        packets += [*connection.open(), *(connection.message(*calls[at:at + 25], server=True) for at in range(0, nodes, 25))]
    path = pcap.write(tmp_path / "made.pcap", packets)
    called = tshark.fields(path, "godot.path", arguments=["-Y", "godot.rpc.call"], memory=165)
    assert sum(text.startswith("NNN") for texts, in called for text in texts) == nodes * others


@pytest.mark.slow
def test_more_recorded_sessions_than_are_remembered(tmp_path):
    """Each record is from another recorder: those after the limit are not dissected, and a message says
    so."""
    path = records.write(tmp_path / "recording.pcap", [records.packet(1 + number, 1, 2, records.call(1, 0)) for number in range(40000)])
    rows = [tshark.fields(path, "frame.number", arguments=["-Y", "godot.forgotten"], two_pass=passes, memory=memory)
            for passes, memory in ((False, 190), (True, None))]
    assert rows[0] == rows[1] and 20000 < len(rows[0]) + 20000 < 40000 and rows[0][-1] == ([40000],)


def test_questions_to_the_project_with_long_paths(tmp_path, project):
    """Results are cached for all packets, up to a limit."""
    option = project({"main.tscn": '[gd_scene format=3]\n\n[node name="Main" type="Node"]\n'})
    paths = ["Main/" + "N" * 3900 + f"{number:03}" for number in range(50)]
    spawns = [struct.pack("<BBIIIII", 4, scene, node + 1, 256 * node + scene + 1, 0, 3, 0)[:18] + b"P1\0"
              for node in range(len(paths)) for scene in range(250)]
    messages = [simplify(path, number + 1, "a") for number, path in enumerate(paths)] + spawns
    path = pcap.write(tmp_path / "made.pcap", [pcap.udp(message) for message in messages])
    decode = ("-d", "udp.port==4242,godot", *option)
    shown = tshark.fields(path, "frame.number", arguments=[*decode, "-Y", "godot.spawn.scene_id"], memory=165)
    assert len(shown) == len(spawns)


# --- requests and replies ---------------------------------------------------------------------------------------

NAMES = ("-o", 'uat:godot_rpc_names:"shop","ping pong request_a receive_a",""', "-o", "godot.rpc_reply_conventions:TRUE")
PING, PONG, RECEIVE, REQUEST = (b"\x80\x01" + bytes([method]) for method in range(4))


def answered(path, *arguments):
    """{frame number: [the frames it replies to]}, the same in both passes. Numbers start after the handshake
    and the announcements of the node, which are 6 frames."""
    rows = [tshark.fields(path, "frame.number", "godot.response_to", arguments=[*NAMES, *arguments, "-Y", "godot.response_to"],
                          two_pass=passes) for passes in (False, True)]
    assert rows[0] == rows[1]
    return {number - 7: [request - 7 for request in requests] for (number,), requests in rows[0]}


def announced(*messages):
    """The node is announced to both ends, then the messages follow: (kind, bytes, from the server)."""
    connection = enet_packets.Connection(CLIENT)
    names = ("ping", "pong", "receive_a", "request_a")
    packets = connection.open() + [connection.message(simplify("Shop", 1, *names)), connection.message(confirm(1), server=True),
                                   connection.message(simplify("Shop", 1, *names), server=True), connection.message(confirm(1))]
    return packets + [getattr(connection, kind)(payload, server=server) for kind, payload, server in messages]


def test_replies_to_requests_that_may_be_lost(tmp_path):
    """Of unreliable requests, the last one is the request; a reply that arrives twice counts once."""
    path = pcap.write(tmp_path / "made.pcap", announced(
        ("unreliable", PING, False), ("unreliable", PING, False), ("unreliable", PONG, True), ("unreliable", PONG, True),
        ("unreliable", PING, False), ("unreliable", PING, True), ("unreliable", PONG, False), ("unreliable", PONG, True)))
    assert answered(path) == {2: [1], 6: [5], 7: [4]}


def test_replies_with_the_first_argument_of_their_request(tmp_path):
    def with_argument(call, number):
        return bytes([0, *call[1:], 1, 2, number])  # number of arguments: one, an int of 8 bits
    path = pcap.write(tmp_path / "made.pcap", announced(
        ("message", with_argument(REQUEST, 1), False), ("message", with_argument(REQUEST, 2), False),
        ("message", with_argument(REQUEST, 3), False), ("message", with_argument(RECEIVE, 3), True),
        ("message", with_argument(RECEIVE, 1), True), ("message", with_argument(RECEIVE, 9), True)))
    assert answered(path) == {3: [2], 4: [0]}


def test_requests_that_are_never_answered(tmp_path):
    """The number of remembered requests is limited; of reliable ones, the oldest gets the first reply."""
    limit, more = 64, 6
    path = pcap.write(tmp_path / "made.pcap", announced(
        *[("message", REQUEST, False)] * (limit + more), *[("message", RECEIVE, True)] * (limit + 1)))
    assert answered(path) == {limit + more + n: [more + n] for n in range(limit)}


def test_a_node_that_is_not_known_answers_nothing(tmp_path):
    """The same names at other nodes, or in the same direction."""
    path = pcap.write(tmp_path / "made.pcap", announced(
        ("message", simplify("Other", 2, "ping", "pong", "receive_a", "request_a"), True), ("message", REQUEST, False),
        ("message", b"\x80\x02\x02", True), ("message", RECEIVE, False), ("message", b"\x80\x09\x02", True)))
    assert answered(path) == {}


def test_own_pairs_of_names_are_checked(tmp_path):
    path = pcap.write(tmp_path / "made.pcap", announced(("message", PING, False), ("message", RECEIVE, True)))
    bad = tshark.run(path, "-o", 'uat:godot_rpc_replies:"ping","receive_*"', status=1)
    assert "stands for what the * of the request has" in bad.stderr
    assert answered(path, "-o", 'uat:godot_rpc_replies:"ping","receive_a"') == {1: [0]}


def test_response_times_of_more_calls_than_rows(tmp_path):
    """A thousand nodes have a row; the others share one, and the first ones keep theirs."""
    names = ("ping", "pong", "receive_a", "request_a")
    connection = enet_packets.Connection(CLIENT)
    packets = connection.open()
    for node in range(1, 1101):
        announcement = simplify(f"Node{node}", node, *names)
        packets += [connection.message(announcement), connection.message(announcement, server=True)]
    for node in [*range(1, 1101), 1]:
        identifier = struct.pack("<H", node)
        packets += [connection.message(b"\x90" + identifier + b"\0"), connection.message(b"\x90" + identifier + b"\1", server=True)]
    path = pcap.write(tmp_path / "made.pcap", packets)
    output = tshark.run(path, *NAMES, "-q", "-z", "godot,srt").stdout
    rows = re.findall(r"^ *\d+  (.*?) +(\d+)(?: +\d+\.\d{6}){4}$", output, re.MULTILINE)
    calls = {name: int(count) for name, count in rows}
    assert len(calls) == 1001 and calls["Node1: ping → pong"] == 2 and calls["(other)"] == 100


# --- other heuristics of the same list --------------------------------------------------------------------------


VARIANT = struct.pack("<II", 4, 24) + b"a text of 24 bytes......"  # type 4, a string; of Godot 4: a raw packet


@pytest.mark.skipif(not sharkd.PROGRAM, reason="sharkd is not installed")
def test_message_that_two_dissectors_would_take(tmp_path):
    """Wireshark first calls the heuristic that accepted the previous message, whichever packet that was
    in."""
    one, other = enet_packets.Connection(CLIENT), enet_packets.Connection(1, channels=2, port=40002)
    path = pcap.write(tmp_path / "made.pcap", one.open() + other.open() + [
        one.message(simplify("Root/Game", 1, "hit")), one.message(VARIANT), other.message(VARIANT)])
    godot, both, variant = 5, 6, 7
    assert [protocol for _, protocol, _ in tshark.listing(path)[4:]] == ["Godot", "Godot", "Variant"]
    assert tshark.listing(path) == tshark.listing(path, two_pass=True)
    for order in ([both, godot, variant], [godot, both, variant], [variant, both, godot]):
        shown = dict(zip(order, sharkd.look(path, order)))
        assert [shown[number][0][0] for number in (godot, both, variant)] == ["Godot", "Godot", "Variant"]


# --- over WebSocket -----------------------------------------------------------------------------------------------

HANDSHAKE = (b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n")
SWITCHING = (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             b"Sec-WebSocket-Accept: HSmrc0sMlYUkAGmm5OPpG2HaGWk=\r\n%s\r\n")


def websocket(tmp_path, messages, negotiated=b""):
    """Binary messages of the server, after a handshake."""
    frames = [(True, bytes([0x82]) + (bytes([len(message)]) if len(message) < 126 else struct.pack(">BH", 126, len(message))) + message)
              for message in messages]
    segments = [(False, HANDSHAKE), (True, SWITCHING % negotiated), *frames]
    return pcap.write(tmp_path / "made.pcap", pcap.tcp(segments, server=("10.0.0.2", 8080)))


def claimed(path):
    """The WebSocket messages that are Godot's, alike in both passes."""
    rows = [[protocol == "Godot" for _, protocol, info in tshark.listing(path, two_pass=passes)
             if protocol in ("Godot", "WebSocket")] for passes in (False, True)]
    assert rows[0] == rows[1]
    return rows[0]


def test_four_bytes_are_not_yet_godot(tmp_path):
    """Even if the number could be an id: the following message has to agree."""
    number = struct.pack("<I", CLIENT)
    assert claimed(websocket(tmp_path, [number, b"hello world", b"\xff\xff\xff\xff"])) == [False] * 3
    assert claimed(websocket(tmp_path, [number, number, number])) == [False] * 3


def test_an_id_and_a_message_that_agrees(tmp_path):
    number = struct.pack("<I", CLIENT)
    path = websocket(tmp_path, [number, b"\x03raw", simplify("Main", 1, "a")])
    assert claimed(path) == [False, True, True]
    assert tshark.packets(path, "-Y", "godot.path")[0].one("godot.target") == CLIENT


def test_longer_messages_have_longer_headers(tmp_path):
    """From 126 bytes on, the length field has two more bytes. Ethernet, IP and TCP have 66."""
    raw = [b"\x03" + bytes(length - 1) for length in (125, 126, 1200)]
    path = websocket(tmp_path, [struct.pack("<I", CLIENT), simplify("Main", 1, "a"), *raw])
    lengths = [frame.all("godot.wire_length") for frame in tshark.packets(path, "-Y", "godot")]
    assert lengths[-3:] == [[125 + 2 + 66], [126 + 4 + 66], [1200 + 4 + 66]]


def test_a_negotiated_protocol_is_not_godot(tmp_path):
    if "(Wireshark) 4.6" in tshark.run(None, "-v").stdout:
        pytest.skip("4.6 does not say what was negotiated")
    number = struct.pack("<I", CLIENT)
    for header in (b"Sec-WebSocket-Protocol: mqtt\r\n", b"Sec-WebSocket-Extensions: permessage-deflate\r\n"):
        path = websocket(tmp_path, [number, b"\x03raw", simplify("Main", 1, "a")], header)
        assert claimed(path)[:2] == [False, False]


@pytest.mark.parametrize("name", ["python-none", "python-deflate"])
def test_other_servers_are_not_claimed(name):
    """The server's first message is four bytes, a number like an id, and its next messages begin like Godot's
    packets."""
    path = tshark.CAPTURES / "websocket-others" / f"{name}.pcap"
    sent = [record["hex"] for record in engine_logs.records(path.with_name(f"{name}.server.log.gz")) if record["what"] == "send"]
    assert len(sent) == 301 and len(sent[0]) == 8
    for two_pass in (False, True):
        frames = tshark.packets(path, two_pass=two_pass)
        assert sum("websocket" in frame.layers for frame in frames) > 60
        assert not any(layer.startswith("godot") for frame in frames for layer in frame.layers)


def test_a_negotiated_sub_protocol_and_godot_nevertheless():
    """WebSocketMultiplayerPeer.supported_protocols: only the id, which is no proof, is not claimed."""
    shown = [[info for _, protocol, info in tshark.listing(tshark.CAPTURES / "multiplayer" / f"{name}.pcap") if protocol == "Godot"]
             for name in ("godot-4.6-websocket-reconnect", "godot-4.6-websocket-reconnect-sub-protocol")]
    assert len(shown[0]) == len(shown[1]) > 20


def test_a_value_that_godot_3_puts_without_multiplayer(tmp_path):
    """put_packet(var2bytes("hello")): the type of the String has the number of the command Raw."""
    value = struct.pack("<II", 4, 5) + b"hello\0\0\0"
    header = struct.pack("<Bii", 0, 1, 0)
    identify = struct.pack("<Biii", 3, 1, 0, CLIENT)
    path = websocket(tmp_path, [identify, header + value, header + b"\x04bytes of the game's own"])
    frames = tshark.packets(path, "-Y", "godot.raw")
    assert [frame.one("godot.raw") for frame in frames] == [value, b"bytes of the game's own"]
    assert [info for _, protocol, info in tshark.listing(path) if "(" in info][-2:] == \
        ['put_packet "hello" (16 bytes)', "raw \"bytes of the game's own\" (23 bytes)"]


# --- bytes of the application's own -------------------------------------------------------------------------------


def test_raw_packets_to_another_dissector(tmp_path):
    path = capture(tmp_path, [simplify("Main", 1, "a"), b'\x03{"a": 1}'])
    frames = tshark.packets(path, "-d", "godot.raw,json", "-Y", "godot.raw")
    assert len(frames) == 1 and frames[0].all("json.key") == ["a"]
    assert "json" not in tshark.packets(path, "-Y", "godot.raw")[0]


def test_said_once_on_every_pass(tmp_path):
    """Calls before their announcement: a message that appears once per node does not appear for each call in
    a later pass."""
    calls = [b"\x80\x01\x00"] * 5
    path = pcap.write(tmp_path / "made.pcap", [pcap.udp(payload) for payload in (*calls, simplify("Main", 1, "a"))])
    decode = ["-d", f"udp.port=={pcap.SERVER[1]},godot"]
    for two_pass in (False, True):
        rows = tshark.fields(path, "godot.rpc.method_id", "godot.rpc.no_project", arguments=decode, two_pass=two_pass)
        assert sum(len(ids) for ids, _ in rows) == 5
        assert sum(len(notes) for _, notes in rows) <= 1, rows


@pytest.mark.parametrize("two_pass", [False, True])
def test_who_is_the_server_is_known_from_the_first_message_on(tmp_path, two_pass):
    for server, shown in ((True, 'raw "raw" (3 bytes) [relayed from client 2]'), (False, 'raw "raw" (3 bytes) [relay to client 2]')):
        path = capture(tmp_path, [(server, relay(77777777, b"\x03raw"))])
        assert tshark.listing(path, two_pass=two_pass)[2][2] == shown


def test_calls_before_their_announcement(tmp_path):
    """From the second pass on, their node is known, with a note that it was announced later; calls after the
    announcement have no note."""
    connection, call = enet_packets.Connection(), b"\x80\x01\x00"
    frames = [*connection.open(), connection.opened()]
    frames += [connection.unreliable(call), connection.unreliable(call), connection.message(simplify("Main", 1, "a")), connection.unreliable(call)]
    for start, expected in ((0, [4, 5]), (2, [])):  # without the beginning it may have been announced there
        path = pcap.write(tmp_path / "made.pcap", frames[start:])
        for two_pass, later in ((False, []), (True, expected)):
            found = tshark.packets(path, two_pass=two_pass)
            assert [frame.number for frame in found if "godot.path.announced_later" in expert_names(frame)] == later
            assert start or [frame.all("godot.path") for frame in found][-2:] == [["Main"], ["Main"]]


def test_long_paths_are_cut_in_memory(tmp_path):
    """Every spawned node refers to its spawner's path: a long path must not be copied for each."""
    spawns = [struct.pack("<BBIIII", 4, 0, 1, 100 + number, 0, 2) + b"a\0" for number in range(3000)]
    messages = [simplify("a" * 60000, 1), *spawns]
    path = pcap.write(tmp_path / "made.pcap", [pcap.udp(payload) for payload in messages])
    tshark.run(path, "-d", f"udp.port=={pcap.SERVER[1]},godot", memory=230, timeout=120)


def test_every_script_with_the_methods_is_named(project):
    """Announcements of an engine, and a project in which two scripts have the methods of the announced
    nodes."""
    folder = tshark.CAPTURES / "projects" / "rpc4"
    files = {path.name: path.read_text() for path in folder.iterdir() if path.suffix in (".gd", ".tscn", ".godot")}
    files["copies/of_item.gd"] = files["item.gd"]
    path = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-calls.pcap"
    layers = [layer for frame in tshark.packets(path, *project(files), "-Y", "godot.path.checksum") for layer in frame.nodes("godot")]
    scripts = [layer.all("godot.rpc.script") for layer in layers if layer.all("godot.path")[0].startswith("Main/Items/")]
    assert len(scripts) > 100 and all(sorted(names) == ["res://copies/of_item.gd", "res://item.gd"] for names in scripts)
    assert ["res://chat.gd"] in [layer.all("godot.rpc.script") for layer in layers]


def test_target_without_an_opposite(tmp_path):
    """-2^31, of "all but one peer", has no opposite: a sanitizer would notice."""
    state = b"\x06\x01\0" + struct.pack("<II", 1 << 31 | 1, 4) + bytes(4)
    path = capture(tmp_path, [simplify("Main/Sync", 1), relay(-1 << 31, state), (True, relay(-1 << 31, state))])
    for statistic in ("replication", "savings", "bandwidth", "peers"):
        tshark.run(path, "-q", "-z", f"godot,{statistic}", "-d", "enet.payload,godot")
    assert "Main/Sync" in tshark.run(path, "-q", "-z", "godot,replication", "-d", "enet.payload,godot").stdout
