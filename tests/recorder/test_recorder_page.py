"""The commands of docs/recorder.md. SPDX-License-Identifier: GPL-2.0-or-later"""

import json
import re
import shlex
import shutil
import subprocess

import pytest

import records as r
import tshark

PAGE = (tshark.ROOT / "docs" / "recorder.md").read_text("utf-8")
BLOCKS = [line.strip() for line in PAGE.splitlines() if line.startswith("    ")]


def command(beginning):
    (line,) = [line for line in BLOCKS if line.startswith(beginning)]
    return shlex.split(line)


def test_hex_dump(tmp_path):
    """text2pcap converts the dump on the page; the result is shown as on the page."""
    (dump,) = [line for line in BLOCKS if re.match(r"0000  ", line)]
    (tmp_path / "packet.txt").write_text(dump + "\n")
    program, *arguments = command("text2pcap")
    subprocess.run([shutil.which(program), *arguments], cwd=tmp_path, check=True, capture_output=True)
    ((_, protocol, info),) = tshark.listing(tmp_path / "packet.pcap")
    assert protocol == "Godot" and f"`{info}`" in PAGE


@pytest.mark.parametrize("dissector, data, field, value", [
    ("godot.recorder", r.packet(1, 1, 7, r.call(1, 1)), "godot.rpc.call", "#1()"),
    ("godot.variant", bytes.fromhex("0200000005000000"), "godot.variant.text", "5"),
])
def test_other_dumps(tmp_path, dissector, data, field, value):
    (tmp_path / "packet.txt").write_text("0000  " + data.hex(" ") + "\n")
    subprocess.run([shutil.which("text2pcap"), "-P", dissector, "packet.txt", "packet.pcap"], cwd=tmp_path, check=True, capture_output=True)
    (frame,) = tshark.packets(tmp_path / "packet.pcap")
    assert frame.one(field) == value


PROJECT = tshark.CAPTURES / "projects" / "csharp4"


def test_csharp():
    """The lines of the page are those of the project, which cannot be run here."""
    source = (PROJECT / "Main.cs").read_text("utf-8")
    lines = [line for line in BLOCKS if "GDScript" in line or "AsGodotObject" in line]
    assert len(lines) == 2 and all(line in source for line in lines)
    assert 'recorder.Call("original", Multiplayer.MultiplayerPeer).As<MultiplayerPeer>()' in source


@pytest.mark.skipif(not shutil.which("mcs"), reason="Mono's compiler is not there")
def test_csharp_is_syntactically_right():
    subprocess.run(["mcs", "--parse", PROJECT / "Main.cs"], check=True, capture_output=True)


def test_both_ends(tmp_path):
    """mergecap on two recordings, and the filter for slow packets."""
    for end in ("server", "client"):
        shutil.copy(tshark.CAPTURES / "recorder" / f"godot-4.6-enet-calls.{end.replace('client', 'client1')}.pcapng", tmp_path / f"{end}.pcapng")
    program, *arguments = command("mergecap -w both")
    subprocess.run([shutil.which(program), *arguments], cwd=tmp_path, check=True)
    (expression,) = [line for line in BLOCKS if line.startswith("godot.transit")]
    infos = lambda expression: [info for *_, info in tshark.listing(tmp_path / "both.pcapng", "-Y", expression)]
    received, sent = infos("godot.transit"), infos("godot.recorder.kind == 0 && godot.recorder.received == 0")
    assert received and all(info.endswith(" [received]") for info in received) and not any("[received]" in info for info in sent)
    tshark.run(tmp_path / "both.pcapng", "-Y", expression)


JSON_TEXTS = re.findall(r"^    (\{.*?\}(?=\n\n|\n    \{))", PAGE, re.DOTALL | re.MULTILINE)


def test_events_on_the_page(tmp_path):
    """The other texts of the page: no text is left that the dissector does not read."""
    kinds = {"backtrace": r.REPORT, "left_out": r.REPORT, "print": r.OUTPUT, "event": r.NODE, "microseconds": r.PAUSE, "stack": r.ORIGIN}
    records, texts = [r.numbered(17, 1, 1, 7, r.call(1, 0), received=True)], [json.loads(text) for text in JSON_TEXTS[3:]]
    for text in texts:
        (kind,) = {kind for name, kind in kinds.items() if name in text or name == text.get("type")}
        records.append(r.event(kind, 1, **text))
    found = tshark.listing(r.write(tmp_path / "made.pcap", records), "-2")
    assert len(texts) == 8 and not [info for *_, info in found[1:] if "Record of kind" in info]
    assert found[0][2].endswith("[ERROR RPC 'kick' is not allowed on node …]")
    assert [info.partition(":")[0] for *_, info in found[3:]] == [
        "hello", "Node Main/Player changed, authority 7", "Node Main/P2 renamed, before Main/P1", "Node current scene res", "Pause",
        "Origin of the next packet"]


def test_names_on_the_page(tmp_path):
    """The texts of the page are dissected as described there."""
    texts = [text for text in JSON_TEXTS if {"path", "scene", "spawned"} & json.loads(text).keys() and "event" not in json.loads(text)]
    path = r.write(tmp_path / "made.pcap", [r.record(r.NAMES, 1, payload=text.encode()) for text in texts])
    node, scene, spawned = tshark.packets(path)
    assert node.one("godot.recorder.path") == "Main/Player" and node.all("godot.recorder.method") == ["move"]
    assert scene.one("godot.recorder.scene") == "res://player.tscn"
    assert spawned.one("godot.recorder.scene") == "Main/Players/P7"
    assert not node.experts and not scene.experts and not spawned.experts
