# SPDX-License-Identifier: GPL-2.0-or-later
"""ENet by libenet itself, with features that Godot does not use: checksums, throttle, several connections
between two sockets, wrapping numbers.

Needs a C compiler and libenet (Debian: gcc libenet-dev).
"""

import gzip
import hashlib
import itertools
import json
import pathlib
import signal
import subprocess
import sys
import tarfile
import time

from generator.scene import HERE, Scene, scenario
from scenarios.enet import check_datagrams, write_counts
from scenarios.multiplayer_errors import send_signal

PORT, RELAY_PORT = 22101, 22102
OPTIONS = {"plain": "-", "checksum": "c", "range-coder": "r", "checksum-range-coder": "cr"}
ENDS = {"everything": 5, "empty": 1, "wrap": 1, "steady": 1}
WHOLE = 1024  # bytes; a longer message is logged by its digest


def program(folder, library=("-lenet",)):
    target = pathlib.Path(folder) / "enet_talk"
    subprocess.run(["cc", "-std=gnu11", "-O1", "-Wall", "-o", target, HERE / "generator/enet_talk.c", *library], check=True)
    return target


def replace(path, changes):
    text = path.read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_text(text)


def old_library(folder, changes):
    """ENet 1.3.5, which the npm package enet 0.2.1 contains, as arguments of the compiler."""
    subprocess.run(["npm", "pack", "--silent", "enet@0.2.1"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(next(pathlib.Path(folder).glob("*.tgz"))) as package:
        package.extractall(folder)
    source = pathlib.Path(folder) / "package" / "src" / "enet-1.3.5"
    # It is made for JavaScript, where sockets are always non-blocking.
    replace(source / "unix.c", [("//            result = fcntl (", "            result = fcntl (")])
    replace(source / "protocol.c", changes)
    options = ["-w", "-DHAS_SOCKLEN_T", "-DHAS_FCNTL", "-DHAS_POLL", "-DoutgoingCommands=outgoingReliableCommands",
               "-Denet_address_set_host_ip=enet_address_set_host"]
    return [*options, "-I", source / "include", *source.glob("*.c")]


def collapsed(records):
    """Long messages by their digest; a run of more than 100 messages of one kind as one record of their joined bytes."""

    def kind(record):
        return tuple(record.get(k) for k in ("what", "link", "channel", "flags"))

    for (what, *_), run in itertools.groupby(records, kind):
        run = list(run)
        if what in ("send", "receive") and len(run) > 100:
            joined = bytes.fromhex("".join(r["hex"] for r in run))
            digest = hashlib.sha256(joined).hexdigest()
            yield {**run[0], "hex": None, "count": len(run), "size": len(joined), "sha256": digest}
        else:
            for record in run:
                if record.get("size", 0) > WHOLE:
                    digest = hashlib.sha256(bytes.fromhex(record["hex"])).hexdigest()
                    record = {**record, "hex": None, "sha256": digest}
                yield record


def talk(options, plan, network=None, compress=False):
    suffix = "" if plan == "everything" else f"-{plan}"

    @scenario(f"enet/libenet-{options}{suffix}{'-loss' if network else ''}")
    def make(name):
        target = RELAY_PORT if network else PORT
        with Scene(name, f"udp port {target}") as scene:
            command = program(scene.folder)
            server = scene.process("server", [command, "server", PORT, OPTIONS[options], ENDS[plan]])
            server.wait_for("ready")
            if network:
                relay = [sys.executable, HERE / "generator" / "relay.py", RELAY_PORT, PORT, *network]
                scene.process("relay", relay).wait_for("ready")
            client = scene.process("client", [command, "client", target, OPTIONS[options], plan])
            scene.finish()
            if not network:
                check_datagrams(scene, client, target)
            for process in (client, server):
                process.records = [{k: v for k, v in r.items() if v is not None} for r in collapsed(process.records)]
        if options in ("plain", "checksum"):
            write_counts(name, target, checksum=options == "checksum")
            statistics = client.all("statistics")
        if plan in ("wrap", "steady"):
            ours = json.loads((HERE / f"{name}.counts.json").read_text())[0]["from_initiator"]
            late = ours["commands"]["Disconnect"]  # sent after the statistics were taken, possibly more than once
            again = ours["reliable"]["again"] + ours["commands"]["Connect"] - 1
            assert again == statistics[0]["packets_lost"] + late - 1
            others = ours["commands"]["Acknowledge"] + late
            assert sum(ours["commands"].values()) - others == statistics[0]["packets_sent"]
        if compress:
            capture = HERE / f"{name}.pcap"
            (HERE / f"{name}.pcap.gz").write_bytes(gzip.compress(capture.read_bytes(), mtime=0))
            capture.unlink()


for options in OPTIONS:
    talk(options, "everything")
talk("plain", "empty")
talk("checksum", "empty")
talk("plain", "wrap", compress=True)
for options in ("plain", "checksum"):
    talk(options, "steady", network=("--seed", 12, "--loss", 0.08, "--delay", 20))


def behind_relay(name, plan, ends, network):
    """Captured between the relay and the server: what the server receives; its log has what it delivered."""

    @scenario(f"enet/{name}")
    def make(name):
        with Scene(name, f"udp port {PORT}") as scene:
            command = program(scene.folder)
            server = scene.process("server", [command, "server", PORT, "-", ends])
            server.wait_for("ready")
            if network:
                relay = [sys.executable, HERE / "generator" / "relay.py", RELAY_PORT, PORT, *network]
                scene.process("relay", relay).wait_for("ready")
            client = scene.process("client", [command, "client", RELAY_PORT if network else PORT, "-", plan])
            scene.finish()
            client.records = [{k: v for k, v in r.items() if v is not None} for r in collapsed(client.records)]


behind_relay("order-reliable-unreliable", "mixed", 1, ("--seed", 7, "--loss", 0.08, "--reorder", 0.25))
behind_relay("refused-before-handshake", "early", 1, ("--drop", "to server:1"))
behind_relay("two-connections-in-turns", "turns", 2, None)


@scenario("enet/quoted-by-icmp")
def quoted(name):
    with Scene(name, f"udp port {PORT} or icmp") as scene:
        command = program(scene.folder)
        server = scene.process("server", [command, "server", PORT, "-", 1])
        server.wait_for("ready")
        client = scene.process("client", [command, "client", PORT, "-", "gone"])
        scene.finish()
        assert client.all("totals") and not server.all("totals")


def old(name, changes):
    """A library of 2012. Older ones of 1.3 wrote the MTU of VERIFY CONNECT as 16 bits, according to their
    sources."""

    @scenario(f"enet/{name}")
    def make(name):
        with Scene(name, f"udp port {PORT}") as scene:
            command = program(scene.folder, old_library(scene.folder, changes))
            server = scene.process("server", [command, "server", PORT, "-", 1])
            server.wait_for("ready")
            client = scene.process("client", [command, "client", PORT, "-", "early"])
            scene.finish()
            check_datagrams(scene, client, PORT)
            assert client.all("statistics")[0]["mtu"] == 1400


old("libenet-1.3.5", [])
old("libenet-1.3.5-mtu-16", [("verifyConnect.mtu = ENET_HOST_TO_NET_32", "verifyConnect.mtu = ENET_HOST_TO_NET_16")])


RESTART_PORT, OWN_PORT = 24500, 24501  # of the server and of its client, each time


def killed(process):
    send_signal(process, signal.SIGKILL)
    process.good_ends = (-signal.SIGKILL,)
    process._popen.wait()


def restart(seconds):
    """Server and client are killed, and start again on the same sockets: session 0 of slot 0 once more."""

    @scenario(f"enet/libenet-restart-{seconds}s")
    def make(name):
        with Scene(name, f"udp port {RESTART_PORT}", seconds=90) as scene:
            command = program(scene.folder)
            for life, plan in enumerate(("stay", "early"), 1):
                server = scene.process(f"server{life}", [command, "server", RESTART_PORT, "-", 1])
                server.wait_for("ready")
                client = scene.process(f"client{life}", [command, "client", RESTART_PORT, "-", plan, OWN_PORT])
                client.wait_for("connected")
                if plan == "stay":
                    time.sleep(1.2)
                    killed(server)
                    killed(client)
                    time.sleep(seconds)
            scene.finish()
            assert len({record["connect_id"] for process in scene.processes for record in process.all("connected")}) == 2


for seconds in (1, 8, 40):
    restart(seconds)


@scenario("enet/libenet-restart-client")
def restart_client(name):
    """Only the client is killed and starts again, on the same socket: the server still has its former peer, in slot 0."""
    with Scene(name, f"udp port {RESTART_PORT}", seconds=90) as scene:
        command = program(scene.folder)
        server = scene.process("server", [command, "server", RESTART_PORT, "-", 2])
        server.wait_for("ready")
        first = scene.process("client1", [command, "client", RESTART_PORT, "-", "stay", OWN_PORT])
        first.wait_for("connected")
        time.sleep(1.2)
        killed(first)
        time.sleep(0.5)
        scene.process("client2", [command, "client", RESTART_PORT, "-", "early", OWN_PORT])
        scene.finish()
        assert len(server.all("connected")) == 2 and len(server.all("disconnected")) == 2
