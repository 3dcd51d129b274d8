# SPDX-License-Identifier: GPL-2.0-or-later
"""Payloads that a real Godot 4.6 sent in other captures, inside DTLS and TLS with known keys.

Godot's own TLS does not export its keys, so OpenSSL sends the bytes as PacketPeerDTLS, ENet over DTLS and
StreamPeerTLS would. The keys are in the capture (and beside it, for tls.keylog_file).
"""

import subprocess
import sys

from generator import pcap
from generator.scene import HERE, Scene, scenario


def dtls(kind, name, port, payloads):
    @scenario(f"dtls/{name}")
    def make(target):
        with Scene(target, f"port {port}") as scene:
            lines = [f"{end}\t{payload.hex()}\n" for end, payload in payloads()]
            (scene.folder / "payloads").write_text("".join(lines))
            scene.process("openssl", [sys.executable, HERE / "generator/tls_talk.py", kind, port, scene.folder])
            scene.finish()
            keys = scene.folder / "keys"
            decrypted = scene.folder / "decrypted.pcapng"
            subprocess.run(["editcap", "--inject-secrets", f"tls,{keys}", scene.pcap, decrypted], check=True)
            scene.keep("keys", keys.read_bytes())
            scene.keep("pcapng", decrypted.read_bytes())


def values():
    return [("client", d) for d in pcap.datagrams(HERE / "variant/godot-4.6-udp.pcap", 21001) if len(d) <= 1024]


def frames():
    (stream,) = pcap.streams(HERE / "variant/godot-4.6-packet-stream.pcap", 21013)
    while stream:
        size = 4 + int.from_bytes(stream[:4], "little")
        yield "client", stream[:size]
        stream = stream[size:]


def enet():
    packets = [f for f in pcap.frames(HERE / "enet/godot-4.6-none.pcap") if f[0] == 17]
    client = packets[0][1]
    for _, source, target, body in packets:
        if client in (source, target) and len(body) < 1400:
            yield "client" if source == client else "server", body[8:]


dtls("dtls", "godot-4.6-values", 21041, values)
dtls("dtls", "godot-4.6-enet", 21042, enet)
dtls("tls", "godot-4.6-stream", 21043, frames)
