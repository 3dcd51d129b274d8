"""TLS and DTLS of real Godots, decrypted with keys exported by tools/keylog (docs/encryption.md).

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re
import subprocess

import pytest

import engine_logs
import tshark
from engine_logs import same_call

FOLDER = tshark.CAPTURES / "keys"


def log(name, process):
    return engine_logs.records(FOLDER / f"{name}.{process}.log.gz")


def calls(name):
    """(peer, node, arguments as text): without the project, methods have no names."""
    found = []
    (capture,) = FOLDER.glob(f"{name}.pcap*")
    for frame in tshark.packets(capture, two_pass=True):
        for layer in frame.nodes("godot"):
            for call in layer.all("godot.rpc.call"):
                found.append((layer.one("godot.source"), layer.all("godot.path")[-1], call.partition("(")[2]))
    return found


def check_calls(name, processes=("server", "client")):
    """Every call that was executed at either end."""
    shown, compared = calls(name), 0
    for process in processes:
        for record in log(name, process):
            if record["what"] == "called":
                arguments = [a for source, node, a in shown if source == record["from"] and node == record["node"]]
                assert any(same_call("m(" + a, "m", record["args"], 4) for a in arguments), (record, shown)
                compared += 1
    assert compared > 1


def test_wss():
    check_calls("godot-4.6-wss")


@pytest.mark.parametrize("proxy, sides", [("mitmproxy", 2), ("stunnel", 1)])
def test_proxy(proxy, sides):
    """mitmproxy wrote the keys of both of its sides; stunnel forwards without encryption."""
    name = f"godot-4.6-wss-{proxy}"
    check_calls(name)
    assert len(calls(name)) == sides * sum(record["what"] == "called" for process in ("server", "client") for record in log(name, process))


def datagrams(name):
    """ENet's datagrams in the tunnel, from the relay's log, as (from the client, length)."""
    return [(r["what"] == "in", len(r["hex"]) // 2) for r in log(name, "front") if r["what"] in ("in", "out")]


def test_enet_in_dtls_with_aes():
    """With cipher suites that Wireshark can decrypt: every datagram is recognised without a preference."""
    name = "godot-4.6-enet-dtls-aes"
    check_calls(name)
    frames = tshark.packets(FOLDER / f"{name}.pcapng", "-Y", "enet")
    assert len(frames) == len(datagrams(name)) > 10
    assert "0xc0" in hex(tshark.packets(FOLDER / f"{name}.pcapng", "-Y", "dtls.handshake.type == 2")[0].one("dtls.handshake.ciphersuite"))


def test_two_godots_choose_chacha20():
    (hello, *_) = tshark.packets(FOLDER / "godot-4.6-enet-dtls-chacha.pcapng", "-Y", "dtls.handshake.type == 2")
    assert hello.one("dtls.handshake.ciphersuite") in (0xCCA8, 0xCCA9)


def test_which_connections_cannot_be_decrypted():
    """The filter on the page about encryption."""
    page = (tshark.ROOT / "docs" / "encryption.md").read_text("utf-8")
    (expression,) = re.findall(r'-Y "(dtls[^"]*)"', page)
    found = {suites: len(tshark.packets(FOLDER / f"godot-4.6-enet-dtls-{suites}.pcapng", "-Y", expression)) for suites in ("chacha", "aes")}
    assert found == {"chacha": 1, "aes": 0}


@pytest.mark.xfail(strict=True, reason="Wireshark leaves the epoch out of the nonce of ChaCha20-Poly1305 in DTLS 1.2")
def test_enet_in_dtls_with_chacha20():
    """Passes as soon as Wireshark can decrypt it: then docs/encryption.md is out of date."""
    check_calls("godot-4.6-enet-dtls-chacha")


def test_the_patch_for_wireshark_brings_this_capture(tmp_path):
    """The test that docs/upstream adds to Wireshark's own tests uses the capture that is expected to fail
    here."""
    (patch,) = (tshark.ROOT / "docs" / "upstream").glob("*.patch")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "apply", "--include=test/captures/*", patch], cwd=tmp_path, check=True)
    (capture,) = (tmp_path / "test" / "captures").iterdir()
    assert capture.name in patch.read_text() and capture.read_bytes() == (FOLDER / "godot-4.6-enet-dtls-chacha.pcapng").read_bytes()


def test_the_library_is_built_without_warnings(tmp_path):
    source = tshark.ROOT / "tools" / "keylog" / "mbedtls_keylog.c"
    options = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O2"]
    subprocess.run(["cc", *options, source, "-o", tmp_path / "keylog.so", "-ldl"], check=True)
