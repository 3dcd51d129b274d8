"""A game that the editor runs in a browser and records: its export, web server and debugger. There is no
debug build of the web template here, so the engine in $GODOT4 replaces the page and runs the exported pack.
SPDX-License-Identifier: GPL-2.0-or-later"""

import contextlib
import os
import shutil
import time
import urllib.request
import zipfile

import pytest

import tshark
from test_engine import import_generator, needs_engine

pytestmark = pytest.mark.slow
ARGUMENTS = ("--", "TRANSPORT=websocket", "CALLS=4", "PORT=22281")
PLUGIN = '[editor_plugins]\n\nenabled=PackedStringArray("res://addons/probe/plugin.cfg")\n'


def stage(generator, scene):
    """The game with the add-on, a web template with empty files, and a program that records the URL of the
    page to open."""
    ours, theirs = scene.stage(generator.GODOT4)
    generator.share_log(scene, generator.GODOT4)
    project = ours / "browser4"
    shutil.copytree(ours / "web4", project)
    shutil.copytree(tshark.CAPTURES / "projects" / "browser4", project, dirs_exist_ok=True)
    shutil.copytree(tshark.ROOT / "addons" / "godot_wireshark", project / "addons" / "godot_wireshark")
    with open(project / "project.godot", "a", encoding="utf-8") as file:
        file.write(PLUGIN)
    with open(project / "export_presets.cfg", "a", encoding="utf-8") as file:
        file.write(f'custom_template/debug="{theirs}/template.zip"\n')
    with zipfile.ZipFile(ours / "template.zip", "w") as template:
        for ending in ("html", "js", "wasm"):
            template.writestr(f"godot.{ending}", "")
    (ours / "bin").mkdir()
    (ours / "bin" / "xdg-open").write_text(f'#!/bin/sh\necho "$1" >{theirs}/opened\n')
    (ours / "bin" / "xdg-open").chmod(0o755)
    return ours, theirs


def download(url):
    """From any address of this machine that the editor listens on."""
    for host in ("127.0.0.1", "[::1]"):
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(url.replace("localhost", host)).read()
    raise AssertionError(f"{url} cannot be read")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The panel's text, the recording, and the files of the exported page."""
    generator = import_generator()
    scene = generator.Scene("run-by-a-test", "", "web4", seconds=120)
    scene._write = lambda: None
    with scene:
        ours, theirs = stage(generator, scene)
        scene.engine("server", generator.GODOT4, None, *ARGUMENTS, "ROLE=server").wait_for("ready")
        editor = scene.engine("editor", generator.GODOT4, None, "--editor", project="browser4", PATH=f"{theirs}/bin:{os.environ['PATH']}",
                              RECORDING=theirs / "page.pcapng", DONE=theirs / "done")
        deadline = time.time() + 60
        while not (ours / "opened").exists():
            assert time.time() < deadline, editor.printed()
            time.sleep(0.2)
        (ours / "page.pck").write_bytes(download((ours / "opened").read_text().strip().replace(".html", ".pck")))
        command = [*generator.GODOT4.command(), "--main-pack", theirs / "page.pck", "--remote-debug", "ws://127.0.0.1:6007"]
        page = scene.process("page", [*command, *ARGUMENTS, "ROLE=client"], HOME=str(theirs / "home"), LANG="en")
        page.wait_for("closed", 60)
        time.sleep(1)
        during = (ours / "page.pcapng").read_bytes()
        (ours / "done").write_text("")
        scene.finish()
        assert (ours / "page.pcapng").read_bytes() == during # it exists before the recording is stopped
        recording = tmp_path_factory.mktemp("browser") / "page.pcapng"
        recording.write_bytes(during)
    return editor.all("panel")[0], recording, page


@needs_engine
def test_the_editor_has_the_calls_of_the_page(run):
    """All calls from the first one on, in order, with names."""
    panel, recording, page = run
    calls = [f"{r['method']}({', '.join(r['args'])})" for r in page.all("call")]
    assert len(calls) == 21
    texts = [frame.one("godot.rpc.call") for frame in tshark.packets(recording, "-Y", "godot.rpc.call && godot.recorder.received == 0")]
    assert [text[:40] for text in texts] == [call[:40] for call in calls] # Wireshark truncates a long one
    assert panel["missing"] == "" and panel["recording"].endswith("/page.pcapng"), panel


@needs_engine
def test_the_page_does_not_complain(run):
    """Including messages about the add-on's use of the debugger at the end."""
    assert "ERROR" not in run[2].printed(), run[2].printed()
