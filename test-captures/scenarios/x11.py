# SPDX-License-Identifier: GPL-2.0-or-later
"""X11 on the port of the debugger, which each of the two dissectors has to leave to the other."""

import subprocess
import time

from generator.scene import Scene, scenario


@scenario("debugger/x11-port-6007")
def x11(name):
    with Scene(name, "tcp port 6007") as scene:
        server = scene.process("server", ["Xvfb", ":7", "-screen", "0", "64x64x8", "-listen", "tcp", "-ac", "-nolisten", "unix"])
        for _ in range(50):
            time.sleep(0.2)
            if subprocess.run(["xdpyinfo", "-display", "127.0.0.1:7"], capture_output=True).returncode == 0:
                break
        else:
            raise RuntimeError("Xvfb does not answer")
        client = scene.process("client", ["xlsclients", "-display", "127.0.0.1:7"])
        client.finish(20)
        server.stop()
        server.good_ends += (124, 143)
