# SPDX-License-Identifier: GPL-2.0-or-later
"""UDP traffic of real programs that is neither ENet nor Godot, and random bytes: no heuristic may accept any
of it.

Needs Debian's bind9-dnsutils chrony coturn dnsmasq ffmpeg ngtcp2-client ngtcp2-server openssl snmp snmpd tftp-hpa
wireguard-go wireguard-tools.
"""

import collections
import contextlib
import os
import random
import socket
import subprocess
import time

from generator.scene import HERE, Scene, scenario

PORTS = range(23001, 23030)
DNS, NTP, STUN, SNMP, QUIC, DTLS, WIREGUARD_A, WIREGUARD_B = PORTS[:8]
RTP, NOISE = PORTS[10], PORTS[20]
HOST = "127.0.0.1"
LONGEST = 60  # datagrams of one conversation


def run(*command, **options):
    """A client; only its traffic matters, not its exit status."""
    command = ["timeout", "10", *map(str, command)]
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


@contextlib.contextmanager
def serving(*command, **options):
    options = {"stdin": subprocess.DEVNULL, **options}
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        time.sleep(1)
        yield process
    finally:
        process.terminate()
        process.wait(10)


def dns(folder):
    records = ["--address=/game.test/192.0.2.7", "--txt-record=long.test," + "x" * 200, "--mx-host=game.test,mail.test,5",
               "--srv-host=_game._udp.test,game.test,22001", "--address=/game.test/2001:db8::7"]
    with serving("dnsmasq", "-k", "-p", DNS, "-a", HOST, "--no-resolv", "--no-hosts", "--user=root", f"--pid-file={folder}/d",
                 f"--conf-file={os.devnull}", *records):
        for name, kind in (("game.test", "A"), ("game.test", "AAAA"), ("long.test", "TXT"), ("game.test", "MX"),
                           ("_game._udp.test", "SRV"), ("none.test", "A"), ("xn--w-uga1v.test", "A"), ("test", "NS")):
            for option in ("+edns", "+noedns", "+dnssec", "+norecurse"):
                run("dig", "-p", DNS, f"@{HOST}", "+tries=1", "+time=1", option, name, kind)


def ntp(folder):
    server, client = folder / "ntp.conf", folder / "client.conf"
    common = f"pidfile {folder}/%s\ncmdport 0\nbindcmdaddress {folder}/%s.sock\n"
    server.write_text(common % ("s", "s") + f"port {NTP}\nlocal stratum 3\nallow 127.0.0.0/8\n")
    client.write_text(common % ("c", "c") + f"server {HOST} port {NTP} iburst minpoll -4 maxpoll -4\n")
    with serving("chronyd", "-x", "-d", "-u", "root", "-f", server):
        with serving("chronyd", "-x", "-d", "-u", "root", "-f", client):
            time.sleep(4)


def stun(folder):
    with serving("turnserver", "-n", "-L", HOST, "-p", STUN, "--no-tls", "--no-dtls", "-a", "-u", "u:p", "-r", "test",
                 "--allow-loopback-peers", "--cli-password=x", "--no-cli", "--min-port=23021", "--max-port=23029", "-l",
                 folder / "t", "--pidfile", folder / "tp", "-b", folder / "db", cwd=folder):
        run("turnutils_stunclient", "-p", STUN, HOST)
        run("turnutils_uclient", "-u", "u", "-w", "p", "-p", STUN, "-n", "12", "-y", "-c", HOST)
        run("turnutils_uclient", "-u", "u", "-w", "p", "-p", STUN, "-n", "12", "-y", "-c", "-s", HOST)


def snmp(folder):
    settings = folder / "snmpd.conf"
    settings.write_text("rocommunity public 127.0.0.1\nsysLocation a shelf\n")
    with serving("snmpd", "-f", "-C", "-c", settings, "-Lf", folder / "s", "-p", folder / "sp", f"udp:{HOST}:{SNMP}"):
        for command in ("snmpget", "snmpgetnext", "snmpbulkget"):
            for version in ("1", "2c"):
                run(command, "-v", version, "-c", "public", f"{HOST}:{SNMP}", "1.3.6.1.2.1.1.6.0", "1.3.6.1.2.1.1.3.0")
        run("snmpwalk", "-v", "2c", "-c", "public", f"{HOST}:{SNMP}", "1.3.6.1.2.1.2")


def certificate(folder):
    key, cert = folder / "key.pem", folder / "cert.pem"
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost",
        "-keyout", key, "-out", cert)
    return key, cert


def quic(folder):
    key, cert = certificate(folder)
    (folder / "index.html").write_text("hello " * 3000)
    with serving("gtlsserver", "-q", "-d", folder, HOST, QUIC, key, cert):
        for _ in range(3):
            run("gtlsclient", "-q", "--exit-on-all-streams-close", HOST, QUIC, f"https://localhost:{QUIC}/index.html")


def dtls(folder):
    key, cert = certificate(folder)
    for version in ("-dtls1_2", "-dtls1"):
        with serving("openssl", "s_server", version, "-accept", f"{HOST}:{DTLS}", "-key", key, "-cert", cert, "-cipher",
                     "ALL:@SECLEVEL=0", stdin=subprocess.PIPE):
            client = subprocess.Popen(
                ["timeout", "10", "openssl", "s_client", version, "-connect", f"{HOST}:{DTLS}", "-cipher", "ALL:@SECLEVEL=0"],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.5)
            for i in range(40):
                client.stdin.write(b"state of player %d: somewhere\n" % i)
                client.stdin.flush()
                time.sleep(0.01)
            client.stdin.close()
            client.wait(15)


def rtp(folder):
    sources = [("sine=frequency=440", "pcm_mulaw", RTP), ("sine=frequency=330", "libopus", RTP + 2)]
    for source, codec, port in sources:
        run("ffmpeg", "-re", "-f", "lavfi", "-i", f"{source}:duration=3", "-c:a", codec, "-f", "rtp", f"rtp://{HOST}:{port}")
    run("ffmpeg", "-re", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=10:duration=3", "-c:v", "mpeg4", "-f", "rtp",
        f"rtp://{HOST}:{RTP + 4}")


def wireguard(folder):
    """Two tunnels that are each other's peers; what is sent into the first one arrives, encrypted, at the
    second one."""
    ends = (("wgcap0", WIREGUARD_A), ("wgcap1", WIREGUARD_B))
    keys = {}
    with contextlib.ExitStack() as stack:
        for name, _ in ends:
            stack.enter_context(serving("wireguard-go", "-f", name))
            secret = subprocess.run(["wg", "genkey"], capture_output=True, check=True).stdout
            (folder / name).write_bytes(secret)
            keys[name] = subprocess.run(["wg", "pubkey"], input=secret, capture_output=True, check=True).stdout.decode().strip()
        for (name, port), (other, other_port) in (ends, ends[::-1]):
            run("wg", "set", name, "private-key", folder / name, "listen-port", port, "peer", keys[other], "endpoint",
                f"{HOST}:{other_port}", "allowed-ips", "198.51.100.0/24", "persistent-keepalive", 1)
            run("ip", "link", "set", name, "up")
        run("ip", "route", "add", "198.51.100.0/24", "dev", "wgcap0")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as game:
            for i in range(150):
                game.sendto(bytes([i]) * (i * 7 % 600 + 1), ("198.51.100.9", 9))
                time.sleep(0.02)


def noise(folder):
    """Random bytes of every length up to 300, each fifth one with few values; the seed makes them
    reproducible."""
    source = random.Random(2024)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as to, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sink:
        sink.bind((HOST, NOISE))
        for number in range(300):
            length = number % 300 + 1
            few = number % 5 == 4
            to.sendto(bytes(source.choice((0, 1, 2, 255)) if few else source.randrange(256) for _ in range(length)), (HOST, NOISE))
            sink.recv(65536)


def beginnings(capture):
    """The capture with only the first LONGEST datagrams of each conversation."""
    data, at, seen = capture.read_bytes(), 24, collections.Counter()
    kept = [data[:at]]
    while at < len(data):
        end = at + 16 + int.from_bytes(data[at + 8 : at + 12], "little")
        ports = frozenset((data[at + 50 : at + 52], data[at + 52 : at + 54]))  # after Ethernet and IPv4
        seen[ports] += 1
        if seen[ports] <= LONGEST or NOISE.to_bytes(2, "big") in ports:
            kept.append(data[at:end])
        at = end
    return b"".join(kept)


@scenario("enet/ordinary-udp")
def make(name):
    with Scene(name, f"udp portrange {PORTS[0]}-{PORTS[-1]}") as scene:
        for protocol in (dns, ntp, stun, snmp, quic, dtls, rtp, wireguard, noise):
            folder = scene.folder / protocol.__name__
            folder.mkdir()
            protocol(folder)
    shipped = HERE / f"{name}.pcap"
    shipped.write_bytes(beginnings(shipped))
