"""The add-on in the editor's window together with Wireshark: two instances are run, recorded, and read by a
Wireshark that is opened and closed.

Needs $GODOT4 (test-captures/README.md) or the program godot, wireshark and Xvfb.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import time

import pytest

import recording_file
import tshark
from test_engine import ENGINE, import_generator

PROGRAMS = ("Xvfb", "wireshark", "dumpcap")
pytestmark = pytest.mark.slow
PORT = 22271
STEPS = ("late", "recorded", "opened again", "a row", "a method", "another run", "stopped", "started again")
READ = ("recorded", "opened again", "a row", "a method", "another run", "started again")
METADATA = """[debug_options]

multiple_instances_enabled=true
run_instances_config=[{}, {}]
"""


@contextlib.contextmanager
def screen():
    """The display of an X server that programs in other root directories can use as well."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x900x24", "-listen", "tcp", "-ac"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    try:
        yield f"127.0.0.1:{os.read(read, 16).decode().strip()}"
    finally:
        server.terminate()
        server.wait(10)


@contextlib.contextmanager
def wireshark(display, arguments, file):
    """Wireshark with the plugin, started with the editor's arguments; writes the records that it reads to
    `file`."""
    home = file.parent
    variables = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "G_DEBUG": "",
                 "WIRESHARK_CONFIG_DIR": str(home), "WIRESHARK_LOG_FATAL": "critical"}
    process = subprocess.Popen(tshark.command(*arguments, "-w", file, program="wireshark", **variables), stderr=subprocess.DEVNULL)
    try:
        yield
        assert process.poll() is None
    finally:
        process.terminate()
        process.wait(20)


def stand_in(scene, generator):
    """A program in the engine's root that records its arguments; returns its path there and a function that
    reads them."""
    ours, theirs = scene.stage(generator.GODOT4)
    script = f'#!/bin/sh\ncase "$1" in -k) printf "%s\\n" "$@" >{theirs}/started;; *) echo "Wireshark 9.8.7";; esac\n'
    folders = f'#!/bin/sh\ncase "$2" in folders) echo "Personal configuration:\t{theirs}/config";; *) echo godot.recorder;; esac\n'
    (ours / "config" / "profiles" / "Godot").mkdir(parents=True)
    for name, text in (("wireshark", script), ("tshark", folders)):
        (ours / name).write_text(text)
        (ours / name).chmod(0o755)
    return theirs / "wireshark", lambda: (ours / "started").read_text().splitlines()


def read_calls(file, wanted=60, seconds=40):
    """Waits until Wireshark has written that many records."""
    until = time.time() + seconds
    while time.time() < until and (not file.exists() or len(recording_file.records(file.read_bytes())) < wanted):
        time.sleep(0.5)


@pytest.fixture(scope="module")
def used():
    """The panel's texts after each step, the records that Wireshark read in some of them, and the editor."""
    if not ENGINE or not all(map(shutil.which, PROGRAMS)):
        pytest.skip("no engine or no windows here")
    generator = import_generator()
    scene = generator.Scene("used-by-a-test", "", "instances4", seconds=360)
    scene._write = lambda: None
    folder = tshark.workplace() / "windows"
    folder.mkdir()
    folder.chmod(0o777)
    shutil.copytree(tshark.ROOT / "profiles" / "Godot", folder / "profiles" / "Godot")
    with screen() as display, scene:
        ours, theirs = scene.stage(generator.GODOT4)
        project = ours / "instances4"
        shutil.copytree(tshark.ROOT / "addons" / "godot_wireshark", project / "addons" / "godot_wireshark")
        (project / ".godot" / "editor").mkdir(parents=True)
        (project / ".godot" / "editor" / "project_metadata.cfg").write_text(METADATA)
        program, started = stand_in(scene, generator)
        command = [word for word in shlex.split(ENGINE) if word != "--headless"]
        editor = scene.process("editor", [*command, "--rendering-driver", "opengl3", "--audio-driver", "Dummy", "--path", theirs / "instances4", "--editor"],
                               DISPLAY=display, HOME=str(theirs / "home"), LANG="en", PORT=str(PORT), WIRESHARK=str(program), CONTINUE=str(theirs / "continue"))
        steps, read, arguments = {}, {}, {}
        for number, name in enumerate(STEPS, 1):
            deadline = time.time() + 60
            while len(editor.all("step")) < number and time.time() < deadline:
                time.sleep(0.2)
            assert len(editor.all("step")) == number, "\n".join(text for text in editor.printed().splitlines() if "decide" not in text)
            steps[name] = editor.all("step")[-1]
            if name in READ:
                file = folder / f"{name}.pcapng"
                arguments[name] = started()
                with wireshark(display, arguments[name], file):
                    read_calls(file)
                read[name] = file
            if pictures := os.environ.get("PICTURES"): # a folder in which to keep the pictures
                time.sleep(2) # until the editor has drawn what Wireshark covered
                subprocess.run(["import", "-display", display, "-window", "root", f"{pictures}/{name}.png"], check=True)
            (ours / "continue").write_text(name)
        scene.finish()
        shutil.rmtree(project / "addons" / "godot_wireshark")
        again = scene.engine("editor again", generator.GODOT4, None, "--editor", "--quit-after", 300)
        again.finish(60)
        left = (project / "project.godot").read_text()
    yield steps, read, editor, again, left, arguments
    shutil.rmtree(folder)


def test_what_has_connected_before_is_said_to_be_missing(used):
    """It cannot be recorded: SceneMultiplayer forgets its peers when another MultiplayerPeer is set."""
    late = used[0]["late"]
    reason = "it had connected before recording began"
    assert late["labels"][1] in (f"Not recorded: instance {a} ({reason}), instance {b} ({reason})" for a, b in ((1, 2), (2, 1))), late


def test_instances_that_are_run_again_are_recorded(used):
    """Both instances, with the calls that the engine refused."""
    for name in ("recorded", "started again"):
        rows = {row["Role"]: row for row in used[0][name]["rows"]}
        assert set(rows) == {"server", "client"} and not used[0][name]["labels"][1], used[0][name]
        assert all(int(row["Packets In/s"]) > 3 and int(row["Packets Out/s"]) > 3 for row in rows.values()), (name, rows)
        assert int(rows["server"]["Refused"]) > 20 and int(rows["client"]["Refused"]) == 0, rows


def test_wireshark_has_the_names_each_time(used):
    """Also a Wireshark that is started after another one was closed."""
    for step, file in used[1].items():
        calls = {frame.one("godot.rpc.call") for frame in tshark.packets(file, "-Y", "godot.rpc.call")}
        assert {'say("hello")', "decide()"} <= calls, (file, calls)
        if step == "another run":
            continue # has the end of the run before
        assert len({frame.one("frame.interface_name") for frame in tshark.packets(file, "-Y", "godot.rpc.call")}) == 2


def test_the_profile_is_used(used):
    """If it is installed."""
    words = used[5]["recorded"]
    assert words[words.index("-C") + 1] == "Godot"


def test_a_refused_packet_is_opened_in_wireshark(used):
    """With the engine's text, node and peer; a Wireshark that is started then gets the packet and what was said about it."""
    (row,) = used[2].all("row")
    _, count, peer, node, text = row["texts"]
    assert row["count"] == 1 and int(count) > 20 and node == "/root/main"
    assert text == f"RPC 'decide' is not allowed on node /root/main from: {peer}. Mode is \"authority\", authority is 1."
    words = used[5]["a row"]
    shown = tshark.packets(used[1]["a row"], "-Y", words[words.index("-Y") + 1])
    assert [frame.one("godot.rpc.call") for frame in shown] == ["decide()"]
    recording, number = re.search(r"== (\d+) .* == (\d+)", words[words.index("-Y") + 1]).groups()
    reports = [r for r in recording_file.records(used[1]["a row"].read_bytes()) if r.kind == 8 and r.recording == int(recording)]
    assert [r.text["text"] for r in reports if r.text["packet"] == int(number)] == [text]


def test_the_largest_are_listed(used):
    """What each instance sends, the one with most bytes first; a click leads to these calls in Wireshark, with the profile."""
    for name in ("recorded", "opened again", "another run"):
        largest = used[0][name]["largest"]
        sent = {(row["Instance"], row["Largest Sent"]): row for row in largest}
        assert {what for _, what in sent} >= {"say()", "decide()", "clock", "(paths)"} and len(largest) <= 10
        rates = [int(row["Bytes/s"]) for row in largest]
        assert rates == sorted(rates, reverse=True) and rates[0] > 30, largest
        for row in largest:
            if row["Largest Sent"] in ("say()", "decide()", "clock"): # ten times a second
                assert 3 < int(row["Messages/s"]) < 30 and int(row["Bytes"]) >= int(row["Bytes/s"]), row
                each = int(row["Bytes"]) / int(row["Messages"])
                assert abs(int(row["Bytes/s"]) - int(row["Messages/s"]) * each) <= 1 + each, row
    words = used[5]["a method"]
    assert words[words.index("-Y") + 1] == 'godot.rpc.method == "decide"' and words[words.index("-C") + 1] == "Godot"
    assert {frame.one("godot.rpc.call") for frame in tshark.packets(used[1]["a method"], "-Y", words[words.index("-Y") + 1])} == {"decide()"}


def test_runs_are_told_apart(used):
    """By the names of interfaces, and in each recorder's own record."""
    for step, run in (("recorded", 2), ("another run", 3)): # of the first one only errors are recorded
        records = recording_file.records(used[1][step].read_bytes())
        recorders = {r.recording: r.text for r in records if r.kind == 3}
        calls = [r for r in records if r.kind == 0 and r.payload[0] & 7 == 0]
        assert [recorders[r.recording]["run"] for r in calls[-10:]] == [run] * 10
        names = {frame.one("frame.interface_name") for frame in tshark.packets(used[1][step], "-Y", "godot.rpc.call")}
        assert {f"Run {run}, instance {instance}: ENetMultiplayerPeer" for instance in (1, 2)} <= names, names


def test_stop_stops(used):
    """Starting again is tested above."""
    steps, editor = used[0], used[2]
    assert not editor.all("nothing to press"), editor.all("nothing to press")
    assert not any("SCRIPT ERROR" in text for text in editor.printed().splitlines()), editor.printed()


def test_the_project_is_as_before(used):
    """After the add-on is disabled."""
    editor = used[2]
    before, after = (record["text"] for record in editor.all("project"))
    assert after == before and editor.all("disabled")[0]["panels"] == 0


def test_the_editor_starts_without_the_add_on(used):
    """After its folder is deleted: no new messages, and the project is unchanged."""
    _, _, editor, again, left, _ = used
    assert left == editor.all("project")[0]["text"]
    whats = [record["what"] for record in editor.records]
    before = [record["text"] for record in editor.records[:whats.index("project")]]
    new = set(again.printed().splitlines()) - set(before)
    assert not [text for text in new if re.search("ERROR|WARNING|wireshark|recorder", text, re.IGNORECASE)], again.printed()
