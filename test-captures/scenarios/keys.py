# SPDX-License-Identifier: GPL-2.0-or-later
"""TLS and DTLS between two real Godots, with keys exported by tools/keylog; needs a C compiler and an engine
with libmbedtls as a shared library. The keys are in the capture and beside it.

Also proxies in the middle, which need no keys of Godot's; needs stunnel, mitmproxy, openssl and tshark."""

import os
import subprocess
import time

from generator.scene import GODOT4, HERE, Scene, scenario
from scenarios import multiplayer

PORT, FRONT_PORT, DTLS_PORT = 22241, 22242, 22243
SOURCE = HERE.parent / "tools" / "keylog" / "mbedtls_keylog.c"


def engine_with_keys(scene, **environment):
    """The environment of an engine that writes its keys, and the file's path for us."""
    ours, theirs = scene.stage(GODOT4)
    subprocess.run(["cc", "-std=c11", "-shared", "-fPIC", "-O2", SOURCE, "-o", ours / "keylog.so", "-ldl"], check=True)
    # Preloaded into the engine only: programs started before it do not see the engine's files.
    command = GODOT4.command()
    variables = {"LD_PRELOAD": theirs / "keylog.so", "SSLKEYLOGFILE": theirs / "keys", **environment}
    with_keys = [f"{key}={value}" for key, value in variables.items()]
    at = command.index("chroot") + 2 if "chroot" in command else 0
    return [*command[:at], "env", *with_keys, *command[at:]], ours / "keys"


def start(scene, name, command, project, script=None, **environment):
    _, theirs = scene.stage(GODOT4)
    line = [*command, "--path", theirs / project, *(["-s", script] if script else [])]
    return scene.process(name, line, HOME=str(theirs / "home"), LANG="en", **{k: str(v) for k, v in environment.items()})


def keep(scene, keys):
    decrypted = scene.folder / "decrypted.pcapng"
    subprocess.run(["editcap", "--inject-secrets", f"tls,{keys}", scene.pcap, decrypted], check=True)
    scene.keep("keys", keys.read_bytes())
    scene.keep("pcapng", decrypted.read_bytes())


def play(scene, command, server_port, client_port, transport):
    settings = {"TRANSPORT": transport, "COMPRESSION": 0, "ENDS": 1}
    start(scene, "server", command, "rpc4", ROLE="server", PORT=server_port, **settings).wait_for("ready")
    return start(scene, "client", command, "rpc4", ROLE="client", NUMBER=1, PLAY="short", PORT=client_port, **settings)


@scenario("keys/godot-4.6-wss")
def wss(name):
    with Scene(name, f"tcp port {PORT}", "rpc4", seconds=25) as scene:
        multiplayer.prepare(scene, GODOT4)
        command, keys = engine_with_keys(scene)
        play(scene, command, PORT, PORT, "wss")
        scene.finish()
        keep(scene, keys)


def dtls(suites, **environment):
    @scenario(f"keys/godot-4.6-enet-dtls-{suites}")
    def make(name):
        with Scene(name, f"udp port {DTLS_PORT}", "rpc4", "dtls4", seconds=30) as scene:
            multiplayer.prepare(scene, GODOT4)
            command, keys = engine_with_keys(scene, **environment)
            relay = {"DTLS_PORT": DTLS_PORT}
            start(scene, "back", command, "dtls4", "relay.gd", ROLE="back", UDP_PORT=PORT, **relay).wait_for("ready")
            start(scene, "front", command, "dtls4", "relay.gd", ROLE="front", UDP_PORT=FRONT_PORT, **relay).wait_for("ready")
            client = play(scene, command, PORT, FRONT_PORT, "enet")
            scene.finish()
            assert client.all("called"), client.printed()
            keep(scene, keys)


dtls("chacha")
dtls("aes", KEYLOG_AES="1")


# --- proxies ---


def behind(proxy, command, server_transport, capture_filter, **environment):
    """A proxy that accepts wss on FRONT_PORT and forwards to the server on PORT."""

    @scenario(f"keys/godot-4.6-wss-{proxy}")
    def make(name):
        with Scene(name, capture_filter, "rpc4", seconds=60) as scene:
            multiplayer.prepare(scene, GODOT4)
            settings = {"COMPRESSION": 0, "ENDS": 1}
            server = scene.engine("server", GODOT4, ROLE="server", PORT=PORT, TRANSPORT=server_transport, **settings)
            server.wait_for("ready")
            certificate = scene.folder / "proxy.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", certificate,
                            "-out", scene.folder / "certificate"], check=True, capture_output=True)
            certificate.write_text(certificate.read_text() + (scene.folder / "certificate").read_text())
            configuration = scene.folder / "proxy.conf"
            configuration.write_text(f"foreground = yes\npid =\n[game]\naccept = 127.0.0.1:{FRONT_PORT}\n"
                                     f"connect = 127.0.0.1:{PORT}\ncert = {certificate}\n")
            keys = scene.folder / "keys"
            words = [word.format(configuration=configuration, folder=scene.folder) for word in command]
            running = subprocess.Popen(words, env={**os.environ, **{k: v.format(keys=keys) for k, v in environment.items()}},
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                wait_for_port(FRONT_PORT)
                client = scene.engine("client", GODOT4, ROLE="client", NUMBER=1, PLAY="short", PORT=FRONT_PORT, TRANSPORT="wss", **settings)
                scene.finish()
            finally:
                running.terminate()
                running.wait(10)
            assert client.all("called") and len(server.all("called")) == 2, server.printed()
            if environment:
                keep(scene, keys)


def wait_for_port(port):
    for _ in range(300):
        listening = subprocess.run(["ss", "-Htln", f"sport = :{port}"], check=True, capture_output=True, text=True).stdout
        if listening:
            return
        time.sleep(0.1)
    raise RuntimeError(f"nobody listens at port {port}")


behind("stunnel", ["stunnel", "{configuration}"], "websocket", f"tcp port {PORT}")
behind("mitmproxy", ["mitmdump", "-q", "--set", "confdir={folder}", "--ssl-insecure", "--mode", f"reverse:https://localhost:{PORT}",
                     "--listen-host", "127.0.0.1", "-p", str(FRONT_PORT)], "wss", f"tcp port {PORT} or tcp port {FRONT_PORT}",
       SSLKEYLOGFILE="{keys}")
