#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sends payloads over (D)TLS with OpenSSL, which can write a key log, unlike Godot's TLS.

Usage: tls_talk.py dtls|tls PORT FOLDER. FOLDER/payloads has a line for each payload: "client" or "server", tab, hex; every
line becomes one record. FOLDER/keys will hold the key log.
"""

import json
import pathlib
import subprocess
import sys
import time

PAUSE = 0.02  # seconds, so that two payloads are not received as one


def main(kind, port, folder):
    folder = pathlib.Path(folder)
    cert, key = folder / "cert.pem", folder / "key.pem"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "3650"]
    subprocess.run([*request, "-keyout", key, "-out", cert], check=True, capture_output=True)
    version = ["-dtls1_2"] if kind == "dtls" else ["-tls1_3"]
    common = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    listen = ["openssl", "s_server", *version, "-quiet", "-accept", f"127.0.0.1:{port}", "-cert", cert, "-key", key]
    server = subprocess.Popen(listen, **common)
    time.sleep(0.5)
    connect = ["openssl", "s_client", *version, "-quiet", "-connect", f"127.0.0.1:{port}"]
    client = subprocess.Popen([*connect, "-keylogfile", folder / "keys"], **common)
    time.sleep(0.7)
    ends = {"client": client, "server": server}
    for line in (folder / "payloads").read_text().splitlines():
        end, payload = line.split("\t")
        ends[end].stdin.write(bytes.fromhex(payload))
        ends[end].stdin.flush()
        print(json.dumps({"what": "send", "from": end, "hex": payload}), flush=True)
        time.sleep(PAUSE)
    time.sleep(0.5)
    for end in client, server:
        end.terminate()
        end.wait()


main(*sys.argv[1:])
