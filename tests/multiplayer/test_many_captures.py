"""script/load-captures into ClickHouse, DuckDB and a file for _bulk, and the questions of docs/many-captures.md, against tshark's own
statistics. SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import csv
import functools
import io
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import pytest

import pcap
import tshark
from test_bandwidth import bandwidth

LOADER = tshark.ROOT / "script" / "load-captures"
PAGE = tshark.ROOT / "docs" / "many-captures.md"
SOURCES = ["multiplayer/godot-4.6-enet-calls", "multiplayer/godot-4.6-enet-mismatch", "multiplayer/godot-3.6-enet-relay",
           "multiplayer-loss/godot-4.6-relay.server-side", "multiplayer/godot-4.6-websocket-relay"]
PLACES = [("eu", "eu1"), ("eu", "eu2"), ("us", "us1"), ("asia", "asia1")]
VERSIONS = ["1.0", "1.1"]
COPIES = 5  # of each source in each place and version, a day apart: 200 captures


def program(*names):
    """pytest.skip with the reason if it is not there."""
    found = next(filter(None, map(shutil.which, names)), None)
    return found or pytest.skip(f"{names[0]} is not installed")


def place():
    """A new folder that nobody, who runs tshark here, can read."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=tshark.workplace()))
    folder.chmod(0o755)
    return folder


# --- captures ---


@functools.lru_cache(maxsize=None)
def source(name, version):
    """(linktype, packets); version 1.1 has the first two thirds of them."""
    linktype, packets = pcap.read(tshark.CAPTURES / f"{name}.pcap")
    return linktype, packets if version == "1.0" else packets[:len(packets) * 2 // 3]


def write(path, name, version, days):
    linktype, packets = source(name, version)
    path.parent.mkdir(parents=True, exist_ok=True)
    pcap.write(path, [(when + 86400 * days, *rest) for when, *rest in packets], linktype=linktype)
    path.chmod(0o644)
    return path


def chosen():
    """Not every capture is everywhere: what the questions ask differs between places and versions."""
    for number, ((region, server), version, name) in enumerate(itertools.product(PLACES, VERSIONS, SOURCES)):
        if number % 7:
            yield region, server, version, name


@pytest.fixture(scope="module")
def captures():
    folder = place()
    for region, server, version, name in chosen():
        for day in range(COPIES + len(name) % 3):
            write(folder / region / server / version / f"{os.path.basename(name)}-{day}.pcap", name, version, days(region, server, version, day))
    assert sum(1 for _ in folder.rglob("*.pcap")) > 200
    return folder


def days(region, server, version, day):
    """Another time for each, so that no two files have the same bytes."""
    return 100 * PLACES.index((region, server)) + 50 * VERSIONS.index(version) + day


@pytest.fixture(scope="module")
def programs():
    """Environment of the loader: tshark with the plugin of the build."""
    script = place() / "tshark"
    script.write_text("#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in tshark.command()) + ' "$@"\n')
    script.chmod(0o755)
    rows = place()
    rows.chmod(0o777)
    return {**os.environ, "TSHARK": str(script), "TMPDIR": str(rows)}


def load(programs, *options, status=0):
    result = subprocess.run([sys.executable, LOADER, *map(str, options)], env=programs, capture_output=True, text=True, timeout=500)
    assert result.returncode == status, result.stdout[-2000:] + result.stderr
    return result


# --- what tshark says itself ---


@functools.lru_cache(maxsize=None)
def statistics(name, version):
    """Bandwidth by method, longest round trip, refused checksums, retransmissions, reliable messages: not from rows."""
    path = write(place() / "source.pcap", name, version, 0)
    methods = {row["Method"]: tuple(int(row[column]) for column in ("Messages", "Bytes", "Bytes on the wire"))
               for row in bandwidth(path)["By method"]}
    frames = tshark.packets(path, two_pass=True)
    with_messages = {number for number, frame in enumerate(frames, 1) if any(layer.name == "godot" for layer in frame.children)}
    alone = {number for number in with_messages if len(frames[number - 1].all("enet.command.entry")) == 1}
    trips = {}  # of commands that are alone in their frame; the first acknowledgement counts
    for frame in frames:
        if frame.all("enet.rtt"):
            for answered, seconds in zip(frame.all("enet.ack.frame"), frame.all("enet.rtt")):
                trips.setdefault(answered, float(seconds))
    longest = max((seconds for answered, seconds in trips.items() if answered in alone), default=None)
    again = sum(first in with_messages for frame in frames for first in frame.all("enet.analysis.retransmission_of"))
    refused = sum(len(frame.all("godot.path.checksum_refused")) for frame in frames)
    return methods, longest, refused, again


def shown(kind, method):
    return {"call": f"{method}()", "incomplete": "(unknown)"}.get(kind, kind)


def questions():
    found = re.findall(r"```sql\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(found) == 5
    return found


def expected():
    """The answers as tshark's statistics have them."""
    methods, by_version = collections.defaultdict(lambda: (0, 0, 0)), collections.defaultdict(lambda: [0, 0])
    worst, refused, again = {}, collections.Counter(), collections.Counter()
    for region, server, version, name in chosen():
        copies = COPIES + len(name) % 3
        counted, trip, checksums, retransmissions = statistics(name, version)
        for method, numbers in counted.items():
            methods[method] = tuple(a + copies * b for a, b in zip(methods[method], numbers))
            if method.endswith("()"):
                by_version[method][VERSIONS.index(version)] += copies * numbers[1]
        if trip is not None:
            worst[region] = max(worst.get(region, 0), round(trip, 6))
        refused[version] += copies * checksums
        again[server] += copies * retransmissions
    return dict(methods), worst, +refused, again, {method: tuple(numbers) for method, numbers in by_version.items()}


def check(ask):
    methods, worst, refused, again, by_version = expected()
    first, second, third, fourth, fifth = (list(csv.reader(io.StringIO(ask(question)))) for question in questions())
    # The statistic names RSET of Godot 3 by its property.
    answered = {shown(kind, method): tuple(map(int, numbers)) for kind, method, *numbers in first if kind != "set"}
    assert answered == {method: methods[method] for method in answered} and {name for name in methods if name.endswith("()")} <= set(answered)
    assert sum(int(row[4]) for row in first) == sum(numbers[2] for numbers in methods.values())
    assert {region: round(float(seconds), 6) for region, seconds in second} == worst and len(worst) == 3
    assert {version: int(count) for version, count in third} == refused and refused
    assert {server: int(times) for server, times, _ in fourth} == again and len(set(again.values())) > 1
    assert all(int(times) < int(messages) for _, times, messages in fourth)
    assert {f"{method}()": (int(before), int(after)) for method, before, after in fifth} == by_version and len(set(by_version.values())) > 3


# --- ClickHouse ---

CONFIGURATION = """<yandex><logger><level>warning</level><log>{place}/log</log><errorlog>{place}/errors</errorlog></logger>
<tcp_port>{port}</tcp_port><http_port>{http}</http_port><listen_host>127.0.0.1</listen_host><path>{place}/data/</path><tmp_path>{place}/tmp/</tmp_path>
<users_config>users.xml</users_config><mark_cache_size>67108864</mark_cache_size><default_profile>default</default_profile>
<default_database>default</default_database><timezone>UTC</timezone><remote_servers><games>{shards}</games></remote_servers></yandex>"""
USERS = """<yandex><profiles><default></default></profiles><users><default><password></password><networks><ip>127.0.0.1</ip></networks>
<profile>default</profile><quota>default</quota></default></users><quotas><default></default></quotas></yandex>"""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def client(port, sql, database="godot"):
    return subprocess.run(["clickhouse-client", "--host", "127.0.0.1", "--port", str(port), "--database", database, "--query", sql],
                          capture_output=True, text=True, timeout=60, check=True).stdout


def started(port, process):
    for _ in range(300):
        assert process.poll() is None, "clickhouse-server has ended"
        try:
            client(port, "SELECT 1", "default")
            return
        except subprocess.CalledProcessError:
            time.sleep(0.1)
    pytest.fail("clickhouse-server does not answer")


@pytest.fixture(scope="module")
def cluster():
    """Ports of two servers, each of which has half of the captures. They end with the test, whatever happens."""
    server = program("clickhouse-server", "/usr/sbin/clickhouse-server")
    program("clickhouse-client")
    ports = free_ports(4)
    shards = "".join(f"<shard><replica><host>127.0.0.1</host><port>{port}</port></replica></shard>" for port in ports[:2])
    processes = []
    try:
        for port, http in zip(ports[:2], ports[2:]):
            home = place()
            (home / "config.xml").write_text(CONFIGURATION.format(place=home, port=port, http=http, shards=shards))
            (home / "users.xml").write_text(USERS)
            home.chmod(0o777)
            line = [server, f"--config-file={home}/config.xml"]
            if os.getuid() == 0:
                line = ["setpriv", f"--reuid={tshark.NOBODY}", f"--regid={tshark.NOBODY}", "--clear-groups", "--pdeathsig", "KILL"] + line
            processes.append(subprocess.Popen(["timeout", "-k", "5", "900", *line], cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                              start_new_session=True))
        for port, process in zip(ports, processes):
            started(port, process)
        yield ports[:2]
    finally:
        for process in processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.mark.slow
def test_clickhouse(cluster, captures, programs):
    servers = ",".join(f"127.0.0.1:{port}" for port in cluster)
    options = ("--clickhouse", servers, "--folders", "region/server/version", captures)
    everything = {str(path.relative_to(captures)) for path in captures.rglob("*.pcap")}

    # Interrupted in the middle.
    loader = subprocess.Popen([sys.executable, LOADER, *map(str, options)], env=programs, stdout=subprocess.PIPE, text=True, start_new_session=True)
    for _ in range(20):
        assert loader.stdout.readline()
    os.killpg(loader.pid, signal.SIGKILL)
    loader.wait()
    before = {port: int(client(port, "SELECT count() FROM captures")) for port in cluster}
    assert 20 <= sum(before.values()) < len(everything)
    # Rows of a load that was not finished, of a capture that is to come: not counted, and replaced.
    path = next(path for path in sorted(captures.rglob("*.pcap"), reverse=True))
    digest = subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True).stdout.split()[0]
    half = cluster[int(digest[:8], 16) % 2]
    known = client(half, "SELECT count() FROM loaded")
    client(half, f"INSERT INTO rows (capture, load, bytes) VALUES ('{digest}', '0', 1000000), ('{digest}', '0', 1000000)")
    assert client(half, "SELECT count() FROM loaded") == known

    assert f"{sum(before.values())} captures are loaded already" in load(programs, *options).stdout
    assert load(programs, *options).stdout == f"{len(everything)} captures are loaded already\n"
    for port in cluster:
        client(port, "CREATE TABLE messages AS rows ENGINE = Distributed(games, godot, loaded)")
        assert int(client(port, "SELECT count() FROM captures")) > len(everything) // 4
        paths = client(cluster[0], "SELECT path FROM captures").split() + client(cluster[1], "SELECT path FROM captures").split()
        assert sorted(paths) == sorted(everything)
        check(lambda question, port=port: client(port, f"{question} FORMAT CSV").replace("\\N", ""))
    assert client(half, f"SELECT count() FROM loaded WHERE capture = '{digest}' AND bytes = 1000000") == "0\n"


# --- DuckDB ---


@pytest.mark.slow
def test_duckdb(captures, programs):
    command = os.environ.get("DUCKDB") or program("duckdb")
    file = place() / "games.duckdb"
    facts = place() / "facts.csv"
    with open(facts, "w", newline="", encoding="utf-8") as text:
        table = csv.writer(text)
        table.writerow(["path", "region", "server", "version"])
        for path in captures.rglob("*.pcap"):
            parts = path.relative_to(captures).parts
            table.writerows([["/".join(parts), *parts[:3]], ["/".join(parts[1:]), *parts[:3]]])
    load(programs, "--duckdb", file, "--facts", facts, captures / "eu")
    options = ("--duckdb", file, "--facts", facts, captures)
    load(programs, *options)
    everything = sum(1 for _ in captures.rglob("*.pcap"))
    assert load(programs, *options).stdout == f"{everything} captures are loaded already\n"

    def ask(question):
        return subprocess.run([command, "-csv", "-noheader", file, "-c", question], capture_output=True, text=True, check=True).stdout
    assert int(ask("SELECT count(*) FROM captures")) == everything
    check(ask)


# --- Elasticsearch, OpenSearch ---


def test_bulk(programs):
    """Lines in pairs, ids of their own, and a file that was cut off goes on."""
    folder = place()
    path = write(folder / "eu" / "1.0" / "calls.pcap", SOURCES[0], "1.0", 0)
    write(folder / "eu" / "1.0" / "mismatch.pcap", SOURCES[1], "1.0", 0)
    file = place() / "bulk.ndjson"
    options = ("--bulk", file, "--folders", "region/version", "-j", "1", folder)
    load(programs, *options)
    whole = file.read_text()
    lines = [json.loads(line) for line in whole.splitlines()]
    actions, documents = lines[::2], lines[1::2]
    assert all(set(action) == {"index"} and action["index"]["_index"] in ("godot-messages", "godot-captures") for action in actions)
    assert len({(action["index"]["_index"], action["index"]["_id"]) for action in actions}) == len(actions) > 100
    rows = [document for action, document in zip(actions, documents) if action["index"]["_index"] == "godot-messages"]
    assert {row["region"] for row in rows} == {"eu"} and all(row["@timestamp"] == row["time"] for row in rows)
    assert all(row["arguments"] is None or isinstance(json.loads(row["arguments"]), list) for row in rows)
    sums = sum(int(row["Messages"]) for row in bandwidth(path)["By method"])
    assert sum(not row["repeated"] for row in rows) == sums + sum(int(row["Messages"]) for row in bandwidth(folder / "eu/1.0/mismatch.pcap")["By method"])
    with open(file, "r+", encoding="utf-8") as text:
        text.truncate(len(whole) - 300)
    load(programs, *options)
    loads = [sorted(re.sub(r'"load": "[^"]*"', "", line) for line in text.splitlines()) for text in (whole, file.read_text())]
    assert loads[0] == loads[1]


def test_captures_that_cannot_be_read(programs):
    """They are said, the others are loaded, and the next run tries them again."""
    folder = place()
    write(folder / "good.pcap", SOURCES[1], "1.0", 0)
    (folder / "bad.pcap").write_text("no capture")
    file = place() / "bulk.ndjson"
    for loaded in (True, False):
        result = load(programs, "--bulk", file, folder, status=1)
        assert "bad.pcap" in result.stderr and ("good.pcap: 20 rows" in result.stdout) == loaded
    file.write_text("something else\n")
    assert "not written by this program" in load(programs, "--bulk", file, folder, status=1).stderr and file.read_text() == "something else\n"
