# SPDX-License-Identifier: GPL-2.0-or-later
"""A game in a page of Chromium: exported by GODOT4, run by the engine's web build in the folder $GODOT4_WEB (index.js, index.wasm)."""

import http.server
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

from generator.scene import GODOT4, Process, record_of

PAGE = """<!DOCTYPE html>
<canvas id="canvas"></canvas>
<script src="index.js"></script>
<script>
const lines = [];
const log = text => lines.push(text);
const done = status => fetch("log", {method: "POST", body: lines.concat("STATUS " + status).join("\\n") + "\\n"});
new Engine({executable: "index", mainPack: "index.pck", args: ARGUMENTS, canvas: document.getElementById("canvas"), canvasResizePolicy: 0,
            onPrint: (...texts) => log(texts.join(" ")), onPrintError: (...texts) => log(texts.join(" ")), onExit: done})
    .startGame().catch(error => { log(String(error)); done(-1); });
</script>
"""
OPTIONS = ("--headless", "--no-sandbox", "--no-first-run", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
           "--disable-features=WebRtcHideLocalIpsWithMdns", "--ignore-certificate-errors", "--enable-logging=stderr", "--vmodule=*text_pcap*=4,*dcsctp*=4")


def export(scene, project):
    """The project as a folder that a web server can serve."""
    ours, theirs = scene.stage(GODOT4)
    site = ours / "site"
    site.mkdir()
    web = pathlib.Path(os.environ.get("GODOT4_WEB") or exit("GODOT4_WEB must name the folder of a web build (test-captures/README.md)"))
    for file in ("index.js", "index.wasm"):
        shutil.copy(web / file, site)
    command = [*GODOT4.command(), "--path", theirs / project, "--export-pack", "Web", theirs / "site" / "index.pck"]
    subprocess.run([str(c) for c in command], env={**os.environ, "HOME": str(theirs / "home")}, timeout=180, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return site


class _Handler(http.server.SimpleHTTPRequestHandler):
    def do_POST(self):
        self.server.posted.append(self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8", "replace"))
        self.send_response(204)
        self.end_headers()
        self.server.ended.set()

    def log_message(self, *_):
        pass


class Page:
    """A page that was played to its end: its log, as of a Process; what Chromium wrote on its error output; what was downloaded."""

    def __init__(self, name, site, arguments, seconds=90, **environment):
        (site / "index.html").write_text(PAGE.replace("ARGUMENTS", json.dumps(arguments)))
        handler = lambda *a: _Handler(*a, directory=site)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, tempfile.TemporaryDirectory(prefix="page-") as folder:
            server.posted, server.ended = [], threading.Event()
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.chromium = self._browse(pathlib.Path(folder), server, seconds, environment)
            server.shutdown()
            self.downloads = {file.name: file.read_bytes() for file in sorted((pathlib.Path(folder) / "downloads").iterdir())}
        if not server.posted:
            raise RuntimeError(f"the page did not end within {seconds} s:\n{self.chromium[-3000:]}")
        self.name = name
        self.records = [record for record in map(record_of, server.posted[0].splitlines()) if record]

    def finish(self, seconds):
        pass

    stop = lambda self: None
    printed = Process.printed
    all = Process.all

    @staticmethod
    def _browse(folder, server, seconds, environment):
        profile = folder / "profile" / "Default"
        profile.mkdir(parents=True)
        (folder / "downloads").mkdir()
        (profile / "Preferences").write_text(json.dumps({"download": {"default_directory": str(folder / "downloads"), "prompt_for_download": False}}))
        url = f"http://127.0.0.1:{server.server_address[1]}/index.html"
        with open(folder / "output", "w+", encoding="utf-8", errors="replace") as output:
            browser = subprocess.Popen(["timeout", "--kill-after=5", str(seconds + 10), "chromium", *OPTIONS, f"--user-data-dir={folder}/profile", url],
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=output, env={**os.environ, **environment})
            server.ended.wait(seconds)
            browser.terminate()
            browser.wait(20)
            output.seek(0)
            return output.read()
