# SPDX-License-Identifier: GPL-2.0-or-later
"""The official web build in Chromium: recorded in the page by the add-on, captured, and, over WebRTC, logged
by the browser. Needs chromium, editcap and the web build in $GODOT4_WEB."""

import gzip
import subprocess

from generator import browser
from generator.scene import GODOT4, HERE, Scene, scenario
from scenarios.multiplayer import calls
from scenarios.recorder import prepare

PORT = 22251
SETTINGS = """
[editor_plugins]

enabled=PackedStringArray("res://addons/godot_wireshark/plugin.cfg")

[godot_wireshark]

record/in_release=true
record/save_key="F9"
"""
RECORDING = "user://page.pcapng"
WEBRTC_LOG = HERE.parent / "script" / "webrtc-log"


def site_of(scene):
    """The exported game, with the add-on as the editor's export plugin leaves it in a release that may record."""
    ours, _ = scene.stage(GODOT4)
    with open(ours / "web4" / "project.godot", "a", encoding="utf-8") as file:
        file.write(SETTINGS)
    prepare(scene, "web4")
    return browser.export(scene, "web4")


def play_page(scene, site, *settings, **environment):
    arguments = ["--", f"--godot-record={RECORDING}", "KEY=F9", "CALLS=4", *settings]
    page = browser.Page("page", site, arguments, **environment)
    scene.processes.append(page)
    assert page.all("closed") and "SCRIPT ERROR" not in page.printed(), page.printed()
    assert list(page.downloads) == ["page.pcapng"], (page.downloads.keys(), page.printed(), page.chromium[-2000:])
    scene.keep("page.pcapng", page.downloads["page.pcapng"])
    return page


def by_websocket(transport):
    @scenario(f"web/godot-4.6-{transport}")
    def make(name):
        with Scene(name, f"tcp port {PORT}", "web4", seconds=120) as scene:
            site = site_of(scene)
            server = scene.engine("server", GODOT4, None, "--", f"TRANSPORT={transport}", "ROLE=server", f"PORT={PORT}")
            server.wait_for("ready")
            keys = scene.folder / "keys"
            play_page(scene, site, f"TRANSPORT={transport}", "ROLE=client", f"PORT={PORT}", SSLKEYLOGFILE=str(keys))
            scene.finish()
            assert len(calls(server, "called")) == 21 and server.all("raw"), server.printed()
            if transport == "wss":
                decrypted = scene.folder / "decrypted.pcapng"
                subprocess.run(["editcap", "--inject-secrets", f"tls,{keys}", scene.pcap, decrypted], check=True)
                scene.keep("pcapng", decrypted.read_bytes())


for transport in ("websocket", "wss"):
    by_websocket(transport)


@scenario("web/godot-4.6-webrtc")
def webrtc(name):
    with Scene(name, "", "web4", seconds=120) as scene:
        page = play_page(scene, site_of(scene), "TRANSPORT=webrtc", "ROLE=all")
        lines = [line for line in page.chromium.splitlines() if "SCTP_PACKET" in line or "text_pcap" in line]
        log = scene.folder / "browser.log"
        log.write_text("\n".join(lines) + "\n")
        capture = scene.folder / "data-channels.pcap"
        subprocess.run([WEBRTC_LOG, log, capture], check=True)
        scene.keep("pcap", capture.read_bytes())
        scene.keep("chromium.log.gz", gzip.compress(log.read_bytes(), mtime=0))
        assert {r["me"] for r in page.all("called")} == {1, 2, 300}
