"""Games as packs: the exported game gives the same output as the project's folder.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import shutil

import pytest

import engine_logs
import projects
import sharkd
import tshark

PROJECTS, PACKS = tshark.CAPTURES / "projects", tshark.CAPTURES / "packs"
FORMS = ("text.zip", "tokens.pck", "compressed.pck")
# Captures for each project; of a long one, only the beginning.
CAPTURES = {
    "debugger4": (("debugger/godot-4.6-tcp.pcap", 0),),
    "errors4": (("multiplayer-errors/godot-4.6-broken.pcap", 0), ("multiplayer-errors/godot-4.6-timeout.pcap", 0)),
    "game4": (("enet-game", 1500),),
    "handover4": (("multiplayer-loss/godot-4.6-handover.server-side.pcap", 500),),
    "incode4": (("multiplayer-in-code/godot-4.6.pcap", 0),),
    "replication4": (("enet-replication", 0), ("enet-range-coder-replication", 0)),
    "synchronizers4": (("enet-synchronizers", 0),),
    "properties4": (("enet-properties", 0),),
    "players4": (("multiplayer-loss/godot-4.6-players.server-side.pcap", 500),),
    "recorder4": (("recorder/godot-4.6-peers.closed_and_started_again.pcapng", 0),),
    "rpc4": (("enet-relay", 0), ("enet-reconnect", 0), ("websocket-raw", 0)),
    "mismatch4-client": (("enet-mismatch", 0),),
    "mismatch4-server": (("enet-mismatch", 0),),
    "refused4": (("multiplayer-errors/godot-4.6-refused.pcap", 0),),
    "spawnfunction4": (("multiplayer-spawn-function/godot-4.6.pcap", 0),),
}
# The remote debugger sends names; configurations made in code are in no scene.
NO_DIFFERENCE = ("debugger4", "incode4")

def capture(name):
    return tshark.CAPTURES / (name if "/" in name else f"multiplayer/godot-4.6-{name}.pcap")


def copied(*paths):
    """Paths that the user nobody can read, joined as in the preference."""
    place = tshark.workplace() / "games"
    place.mkdir(exist_ok=True)
    place.chmod(0o755)
    copies = []
    for path in paths:
        copy = place / path.name
        if path.is_dir() and not copy.exists():
            shutil.copytree(path, copy)
        elif not path.is_dir():
            shutil.copyfile(path, copy)
        tshark.open_to_everybody(place)
        copies.append(str(copy))
    return os.pathsep.join(copies)


def output(name, count, *paths):
    limit = ("-c", str(count)) if count else ()
    return tshark.run(capture(name), "-V", *limit, "-o", f"godot.project:{copied(*paths)}").stdout


def unreadable(path):
    """Messages about the project at missing names."""
    shown = tshark.run(capture("enet-mismatch"), "-o", f"godot.project:{path}", "-Y", "godot.project.unreadable",
                       "-T", "fields", "-e", "_ws.expert.message", "-E", "aggregator=|").stdout
    return {text.removeprefix("Project: ") for text in re.split(r"[|\n]", shown) if text.startswith("Project: ")}


@pytest.mark.parametrize("project", CAPTURES)
def test_pack_is_as_good_as_the_folder(project):
    for name, count in CAPTURES[project]:
        folder = output(name, count, PROJECTS / project)
        assert (folder == output(name, count, PROJECTS / "names4")) == (project in NO_DIFFERENCE)
        for form in FORMS:
            assert output(name, count, PACKS / f"{project}.{form}") == folder, form


@pytest.mark.parametrize("form, what", [("encrypted", "PACK"), ("encrypted-one", "1 file of the game")])
def test_encrypted_pack_is_refused(form, what):
    """Encrypted by the engine: everything, or one script."""
    path = copied(PACKS / f"mismatch4-client.{form}.pck")
    assert unreadable(path) == {f"{what.replace('PACK', path)} cannot be read: encrypted (give the project folder instead)"}


def test_list_of_packs():
    folders = output("enet-mismatch", 0, PROJECTS / "mismatch4-client", PROJECTS / "mismatch4-server")
    packs = output("enet-mismatch", 0, PACKS / "mismatch4-client.tokens.pck", PACKS / "mismatch4-server.text.zip")
    assert folders == packs
    assert packs != output("enet-mismatch", 0, PROJECTS / "mismatch4-client")


def next_version(folder):
    """game4 after a change: new methods and properties that shift the numbers of those after them."""
    shutil.copytree(PROJECTS / "game4", folder)
    script, player, enemy = folder / "player.gd", folder / "player.tscn", folder / "enemy.tscn"
    script.write_text(script.read_text() + '\n\n@rpc("any_peer")\nfunc block() -> void:\n\tpass\n')
    player.write_text(player.read_text().replace("[node", 'properties/2/path = NodePath(".:mana")\nproperties/2/spawn = true\n'
                                                 "properties/2/replication_mode = 1\n\n[node", 1))
    enemy.write_text(enemy.read_text().replace(".:state", ".:armour").replace("[node", 'properties/2/path = NodePath(".:state")\n'
                                               "properties/2/spawn = true\nproperties/2/replication_mode = 2\n\n[node", 1))
    return folder


def rewritten(project, pack_format, place):
    """The project's pack with another format number."""
    pack = bytearray((PACKS / f"{project}.tokens.pck").read_bytes())
    assert pack[4:8] == bytes([3, 0, 0, 0])
    pack[4] = pack_format
    path = place / f"{project}.{pack_format}.pck"
    path.write_bytes(pack)
    return path


@pytest.mark.parametrize("project", ["rpc4", "synchronizers4"])
def test_newer_formats_of_packs(project, tmp_path):
    """4 is that of Godot 4.7 and has the form of 3; newer ones are read like it, which is reported at missing
    names."""
    (name, count), *_ = CAPTURES[project]
    known, newest, newer = (output(name, count, rewritten(project, pack_format, tmp_path)) for pack_format in (3, 4, 5))
    note = re.compile(r"^.*(?:newer than this plugin|\[Project: |\[Severity level: Warning\]|\[Group: Assumption\]).*\n"
                      r"|^    \[Expert Info.*newer than.*\n", re.M)
    assert known == newest
    assert note.sub("", newer) == note.sub("", known)


@pytest.mark.parametrize("pack_format, texts", [(3, set()), (4, set()), (
    5, {"PACK has a format that is newer than this plugin: it was read like format 4, which may be wrong"})])
def test_newer_format_is_said(pack_format, texts, tmp_path):
    """Where the server's names are missing."""
    path = copied(rewritten("mismatch4-client", pack_format, tmp_path))
    assert unreadable(path) == {text.replace("PACK", path) for text in texts}


def test_two_versions_of_a_game(tmp_path):
    """Methods are those of the version with the checksum, properties those of the version that fits the
    number of values."""
    old, new = PROJECTS / "game4", next_version(tmp_path / "game4-next")
    alone, other = output("enet-game", 600, old), output("enet-game", 600, new)
    assert output("enet-game", 600, old, new) == alone
    for text in ("shoot(", "hit(", "{health: ", "{state: "):
        assert (text in alone, text in other) == (True, False), text


@pytest.mark.parametrize("raw, shown", [(b"\x1b[31m", "?[31m"), (b"\x9b\xff", "??"), ("\u202e\u2028".encode(), "??????")])
def test_control_characters_in_names(tmp_path, raw, shown):
    """Properties and scenes: control characters in them do not reach a terminal."""
    game = tmp_path / f"attack-{raw.hex()}"
    shutil.copytree(PROJECTS / "game4", game)
    player, main = game / "player.tscn", game / "main.tscn"
    player.write_bytes(player.read_bytes().replace(b".:health", b".:heal" + raw + b"th"))
    main.write_bytes(main.read_bytes().replace(b"res://enemy.tscn", b"res://ene" + raw + b"my.tscn"))
    text = output("enet-game", 600, game)
    assert f"heal{shown}th: " in text and f"ene{shown}my.tscn" in text
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\ufffd]", text)


def test_project_file_and_executable(tmp_path):
    folder = output("enet-synchronizers", 0, PROJECTS / "synchronizers4")
    place = copied(PROJECTS / "synchronizers4")
    named = tshark.run(capture("enet-synchronizers"), "-V", "-o", f"godot.project:{place}/project.godot").stdout
    assert named == folder
    program, pack = tmp_path / "game.x86_64", (PACKS / "synchronizers4.tokens.pck").read_bytes()
    program.write_bytes(b"\x7fELF" + bytes(4092) + pack + len(pack).to_bytes(8, "little") + b"GDPC")
    assert output("enet-synchronizers", 0, program) == folder


def test_what_windows_makes_of_a_project():
    """Line endings, and the quotes around a copied path; script/windows-paths tests the rest."""
    name = "enet-synchronizers"
    folder = output(name, 0, PROJECTS / "synchronizers4")
    written = tshark.workplace() / "windows" / "windows4"
    shutil.copytree(PROJECTS / "synchronizers4", written)
    for file in (path for path in written.rglob("*") if path.is_file()):
        file.write_bytes(file.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    for quoted in (f'"{copied(written)}"', f'"{copied(written)}/project.godot"'):
        assert tshark.run(capture(name), "-V", "-o", f"godot.project:{quoted}").stdout == folder


@pytest.mark.parametrize("damage, text", [
    ("missing", "does not exist or cannot be read"),
    ("encrypted", "cannot be read: encrypted (give the project folder instead)"),
    ("cut", "is damaged"),
    ("other", "is not a pack and does not contain one"),
])
def test_what_cannot_be_read_is_said(tmp_path, damage, text):
    pack = bytearray((PACKS / "rpc4.compressed.pck").read_bytes())
    path = tmp_path / f"{damage}.pck"
    if damage == "encrypted":
        pack[20] |= 1
    elif damage == "cut":
        del pack[-100:]
    elif damage == "other":
        pack = bytearray(b"no pack at all")
    if damage != "missing":
        path.write_bytes(pack)
        place = copied(path)
    else:
        place = "/nonexistent/game.pck"
    frames = tshark.packets(capture("enet-reconnect"), "-o", f"godot.project:{place}", "-Y", "godot.project.unreadable")
    assert frames and all(text in str(frame.nodes("godot")[0].experts) for frame in frames)
    good = tshark.packets(capture("enet-reconnect"), "-o", f"godot.project:{copied(PROJECTS / 'rpc4')}", "-Y",
                          "godot.project.unreadable")
    assert not good


@pytest.mark.skipif(not sharkd.PROGRAM, reason="sharkd is not installed")
def test_read_again_only_if_something_changed():
    """A change that keeps size and time is not detected, because the files are not read."""
    folder = tshark.pathlib.Path(copied(PROJECTS / "rpc4"))
    changing = folder.with_name("changing")
    shutil.copytree(folder, changing)
    with sharkd.Session(preferences={"godot.project": changing}) as session:
        def rows():
            session.load(capture("enet-reconnect"))
            return [row[-1] for row in session.frames()]
        known = rows()
        for script in changing.glob("*.gd"):
            status = script.stat()
            script.write_text(script.read_text().replace("@rpc", "@ r "))
            os.utime(script, ns=(status.st_atime_ns, status.st_mtime_ns))
        session.ask(("setconf", {"name": "godot.variant.udp.port", "value": "4000"}))
        assert rows() == known
        for script in changing.glob("*.gd"):
            os.utime(script, (1, 1))
        assert rows() != known
        shutil.rmtree(changing)
        shutil.copytree(folder, changing)
        assert rows() == known
        session.set_preference("godot.project", "")
        nameless = rows()
    with sharkd.Session() as session:
        session.load(capture("enet-reconnect"))
        assert nameless == [row[-1] for row in session.frames()] != known


def test_replication_as_the_running_game_wrote_it():
    """Without the project: synchronizers by their paths, and the parent of nodes spawned by a spawner that a
    script has moved."""
    written = copied(tshark.DATA / "godot-4.6-replication.tscn")
    shown, paths = set(), set()
    for frame in tshark.packets(capture("enet-properties"), "-o", f"godot.project:{written}", "-Y", "godot"):
        for entry in frame.nodes("godot.sync.entry"):
            for text, name in zip(entry.all("godot.variant.text"), entry.all("godot.sync.property")):
                if " " in text:  # "Door a 1": the value contains the name of its property
                    assert text.strip('"').split(" ")[1] == name
                    shown.add((entry.all("godot.path")[0].split("/")[-2], name))
        paths.update(*(layer.all("godot.path") + layer.all("godot.spawner.path") for layer in frame.nodes("godot") if layer.all("godot.spawn.name")))
    assert shown == {("Door", "a"), ("Door", "b"), ("Crate", "c"), ("Crate", "d"), ("Crate", "e"), ("Radio", "e"),
                     ("Radio", "f"), ("Radio", "a"), ("Lamp7", "a"), ("Lamp7", "c"), ("Lamp7", "d")}
    assert paths == {"Main/Spawner", "Main/World/Unit1", "Main/Mover", "Main/Yonder/Unit2"}


def test_configurations_that_are_made_in_code():
    """They are in no scene file: the names are those that tools/print_rpc_names.gd wrote in the running
    server."""
    folder = tshark.CAPTURES / "multiplayer-in-code"
    names = {"Door": ["height", "colour"], "Lamp": ["fuel", "power"]}
    received = [record for record in engine_logs.records(folder / "godot-4.6.client1.log.gz") if record["what"] == "synchronized"]
    for project in ([], ["-o", f"godot.project:{copied(folder / 'godot-4.6.replication.tscn')}"]):
        shown = [(entry.all("godot.path")[0].split("/")[-1], entry.all("godot.sync.property"), entry.all("godot.variant.text"))
                 for frame in tshark.packets(folder / "godot-4.6.pcap", *project, "-Y", "godot.sync.entry")
                 for entry in frame.nodes("godot.sync.entry")]
        assert {node for node, _, _ in shown} == set(names) and len(shown) >= len(received) > 4
        for node, properties, _ in shown:
            assert properties == (names[node] if project else [])
    heights = {int(texts[0]) for node, _, texts in shown if node == "Door"}
    assert {record["height"] for record in received} <= heights
    assert {tuple(texts) for node, _, texts in shown if node == "Lamp"} == {('"Lamp fuel"', "1.5")}


WRITTEN = {"rpc4": "enet-relay", "synchronizers4": "enet-synchronizers"}


@pytest.mark.parametrize("project", WRITTEN)
def test_names_that_the_engine_has_written(project):
    """tools/write_names.gd has written what the project says."""
    fields = ("godot.rpc.call", "godot.path", "godot.spawn.scene", "godot.sync.property")
    written = f"godot.project:{copied(tshark.ROOT / 'tests' / 'data' / f'written-names-{project}.zip')}"
    shown, expected = (tshark.fields(capture(WRITTEN[project]), *fields, arguments=["-Y", "godot", *option])
                       for option in (["-o", written], projects.option(project)))
    assert shown == expected and shown != tshark.fields(capture(WRITTEN[project]), *fields, arguments=["-Y", "godot"])


def test_written_names_say_nothing_about_authority():
    """They have no code, so whose the nodes are is not known."""
    path = capture("enet-relay")
    written = f"godot.project:{copied(tshark.ROOT / 'tests' / 'data' / 'written-names-rpc4.zip')}"
    for option, known in ((["-o", written], False), (projects.option("rpc4"), True)):
        for wanted, there in (("godot.rpc.authority", known), ("godot.rpc.not_judged", not known)):
            assert bool(tshark.fields(path, "frame.number", arguments=["-Y", wanted, *option])) == there, wanted
