"""script/load-captures into ClickHouse, DuckDB and a file for _bulk, and the queries of
docs/many-captures.md, compared with tshark's statistics.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import csv
import functools
import gzip
import io
import itertools
import json
import math
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

import enet_packets
import pcap
import tshark
from captures import different
from test_bandwidth import bandwidth
from test_messages import DECODE, announcement

LOADER = tshark.ROOT / "script" / "load-captures"
PAGE = tshark.ROOT / "docs" / "many-captures.md"
SOURCES = ["multiplayer/godot-4.6-enet-calls", "multiplayer/godot-4.6-enet-mismatch", "multiplayer/godot-3.6-enet-relay",
           "multiplayer-loss/godot-4.6-relay.server-side", "multiplayer/godot-4.6-websocket-relay"]
PLACES = [("eu", "eu1"), ("eu", "eu2"), ("us", "us1"), ("asia", "asia1")]
VERSIONS = ["1.0", "1.1"]
COPIES = 5  # captures of each source for each place and version, a day apart: 200 captures


def program(*names):
    """Skips the test with the reason if the program is not installed."""
    found = next(filter(None, map(shutil.which, names)), None)
    return found or pytest.skip(f"{names[0]} is not installed")


def place():
    """A new folder that the user nobody, who runs tshark here, can read."""
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
    """Not all combinations, so that places and versions have different answers."""
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
    """Other times for each, so that no two files have the same bytes."""
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


def loading(programs, *options):
    return subprocess.Popen([sys.executable, LOADER, *map(str, options)], env=programs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=True)


def load(programs, *options, status=0):
    process = loading(programs, *options)
    process.stdout, process.stderr = process.communicate(timeout=1000)
    assert process.returncode == status, process.stdout[-2000:] + process.stderr
    return process


# --- what tshark says itself ---


@functools.lru_cache(maxsize=None)
def statistics(name, version):
    """Bandwidth by method, longest round trip, refused checksums, retransmissions, reliable messages; without
    using rows."""
    path = write(place() / "source.pcap", name, version, 0)
    methods = collections.defaultdict(lambda: (0, 0, 0))
    for row in bandwidth(path)["By method"]:  # a method with an unknown name has a row for each node
        methods[row["Method"]] = tuple(map(sum, zip(methods[row["Method"]], (int(row[column]) for column in ("Messages", "Bytes", "Bytes on the wire")))))
    frames = tshark.packets(path, two_pass=True)
    with_messages = {number for number, frame in enumerate(frames, 1) if any(layer.name == "godot" for layer in frame.children)}
    alone = {number for number in with_messages if len(frames[number - 1].all("enet.command.entry")) == 1}
    trips = {}  # only commands that are alone in their frame; the first acknowledgement counts
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
    """{heading: query}"""
    found = dict(re.findall(r"\n([^\n]+):\n\n```sql\n(.*?)```", PAGE.read_text(), re.DOTALL))
    assert len(found) == 10
    return found


def expected():
    """The answers, computed from tshark's statistics."""
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
    first, second, third, fourth, fifth = (list(csv.reader(io.StringIO(ask(question)))) for question in list(questions().values())[:5])
    # The statistic shows RSET of Godot 3 with the name of its property.
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
                          capture_output=True, text=True, timeout=3, check=True).stdout


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
    """Ports of two servers, each with half of the captures. They are stopped at the end of the test, even if
    it fails."""
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
            processes.append(subprocess.Popen(["timeout", "-k", "5", "2300", *line], cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                              start_new_session=True))
        for port, process in zip(ports, processes):
            started(port, process)
        yield ports[:2]
    finally:
        for process in processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class ClickHouse:
    def __init__(self, ports, database):
        self.port, self.database = ports[0], database
        self.options = ("--clickhouse", ",".join(f"127.0.0.1:{port}" for port in ports), "--database", database)
        self.options += ("--cluster", "games") if len(ports) > 1 else ()

    def ask(self, question):
        return client(self.port, f"{question} FORMAT CSV", self.database).replace("\\N", "")


class DuckDB:
    def __init__(self, name):
        self.program, self.file = os.environ.get("DUCKDB") or program("duckdb"), place() / f"{name}.duckdb"
        self.options = ("--duckdb", self.file)

    def ask(self, question):
        return subprocess.run([self.program, "-csv", "-noheader", "-nullvalue", "", self.file, "-c", question], capture_output=True, text=True, check=True).stdout


databases = pytest.mark.parametrize("kind", ["one server", "two servers", "DuckDB"])


@pytest.fixture
def database(kind, request):
    """A new database of this kind."""
    name = re.sub(r"\W", "_", request.node.name)
    if kind == "DuckDB":
        return DuckDB(name)
    return ClickHouse(request.getfixturevalue("cluster")[:1 if kind == "one server" else 2], name)


def rows_by_path(database):
    """{path: messages}: the number of rows, which has to be the number in `captures`."""
    answer = database.ask("SELECT capture, count(*) FROM messages GROUP BY capture")
    counted = {capture: int(count) for capture, count in csv.reader(io.StringIO(answer))}
    said = list(csv.reader(io.StringIO(database.ask("SELECT path, capture, rows FROM captures"))))
    assert {capture: int(rows) for _, capture, rows in said if rows != "0"} == counted and len({path for path, _, _ in said}) == len(said)
    return {path: int(rows) for path, _, rows in said}


@functools.lru_cache(maxsize=None)
def messages_of(name):
    return len(rows_in(write(place() / "x.pcap", name, "1.0", 0)))


def rows_in(path, *options):
    folder = place()
    folder.chmod(0o777)
    tshark.run(path, "-q", *options, "-z", f"godot,messages,{folder}/rows.jsonl", two_pass=True)
    return [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]


# --- several at a time ---


@pytest.mark.slow
@databases
def test_two_loaders_at_once(database, programs):
    """Three times, killing one of them each time: each row is stored once."""
    expected = {}
    for turn, lines in enumerate((0, 1, 4)):
        folder = place()
        for number, name in enumerate(SOURCES[:4]):
            for day in range(3):
                write(folder / f"{turn}-{number}-{day}.pcap", name, "1.0", 10 * turn + day)
                expected[f"{turn}-{number}-{day}.pcap"] = messages_of(name)
        first, second = (loading(programs, *database.options, folder) for _ in range(2))
        for _ in range(lines):
            first.stdout.readline()
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
        out, error = second.communicate(timeout=300)
        assert second.returncode == 0, out + error
        assert rows_by_path(database) == expected
        for each in [loading(programs, *database.options, folder) for _ in range(2)]:
            assert each.communicate(timeout=300)[0] == "12 captures are loaded already\n" and each.returncode == 0
    assert rows_by_path(database) == expected


@pytest.mark.slow
@databases
def test_two_loaders_share_the_work(database, programs):
    """Both succeed, and each capture is loaded by only one of them."""
    folder = place()
    for number, name in enumerate(SOURCES[:4]):
        write(folder / f"{number}.pcap", name, "1.0", number)
        (folder / f"copy-of-{number}.pcap").write_bytes((folder / f"{number}.pcap").read_bytes())
    both = [loading(programs, *database.options, "-j", "1", *folders) for folders in ((folder,), sorted(folder.iterdir(), reverse=True))]
    said = [each.communicate(timeout=300) for each in both]
    assert [each.returncode for each in both] == [0, 0], said
    assert "".join(out for out, _ in said).count(" rows\n") == 4
    assert sorted(rows_by_path(database).values()) == sorted(map(messages_of, SOURCES[:4]))


# --- captures that change ---


@pytest.mark.slow
@databases
def test_a_capture_that_grows(database, programs):
    """It is counted once, in its latest state, also compressed and truncated in its last packet."""
    folder = place()
    whole = write(place() / "whole.pcap", SOURCES[1], "1.0", 0).read_bytes()
    growing = folder / "today.pcap"
    for length in (len(whole) // 3, len(whole) * 2 // 3, len(whole)):
        growing.write_bytes(whole[:length])
        said = load(programs, *database.options, folder).stdout
        assert ("cut in its last packet" in said) == (length < len(whole))
        cut = database.ask("SELECT cut FROM captures").strip() in ("1", "true")
        assert cut == (length < len(whole)) and 0 < rows_by_path(database)["today.pcap"] <= messages_of(SOURCES[1])
    assert rows_by_path(database) == {"today.pcap": messages_of(SOURCES[1])}
    (folder / "today.pcap.gz").write_bytes(gzip.compress(whole))
    assert load(programs, *database.options, folder).stdout == "2 captures are loaded already\n"
    growing.unlink()
    (folder / "today.pcap.gz").write_bytes(gzip.compress(write(place() / "other.pcap", SOURCES[0], "1.0", 1).read_bytes()))
    load(programs, *database.options, folder)
    assert rows_by_path(database) == {"today.pcap.gz": messages_of(SOURCES[0])}
    growing.write_bytes(whole)
    assert "today.pcap.gz: passed over, as today.pcap has other bytes" in load(programs, *database.options, folder).stderr
    assert rows_by_path(database) == {"today.pcap": messages_of(SOURCES[1])}


# --- questions ---


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["two servers", "DuckDB"])
def test_questions(database, kind, captures, programs):
    """The answers are those of tshark's statistics, after the first run was killed."""
    facts = place() / "facts.csv"
    with open(facts, "w", newline="", encoding="utf-8") as text:
        table = csv.writer(text)
        table.writerow(["path", "region", "server", "version"])
        table.writerows(["/".join(path.relative_to(captures).parts), *path.relative_to(captures).parts[:3]] for path in captures.rglob("*.pcap"))
    options = (*database.options, *(("--facts", facts) if kind == "DuckDB" else ("--folders", "region/server/version")), captures)
    everything = {str(path.relative_to(captures)) for path in captures.rglob("*.pcap")}
    loader = loading(programs, *options)
    for _ in range(20):
        assert loader.stdout.readline()
    os.killpg(loader.pid, signal.SIGKILL)
    loader.communicate()
    load(programs, *options)
    assert load(programs, *options).stdout == f"{len(everything)} captures are loaded already\n"
    assert set(rows_by_path(database)) == everything
    check(database.ask)


EXACT = ("Messages", "Bytes", "Bytes on the wire")
REASONS = ("godot.path.checksum_refused", "godot.rpc.node_not_found", "godot.path.node_not_found", "godot.rpc.checksum_failed", "godot.rpc.wrong_arguments",
           "godot.rpc.not_allowed", "godot.sys.not_server", "godot.rpc.despawned")


SEND_RELIABLE = 6


def add_statistics(path, name, by_node, by_property, by_update, by_second, by_address, by_reason, by_server):
    """Adds the results of `-z godot,bandwidth`, `-z godot,timeline` and fields for a capture, without using
    rows."""
    folder = place()
    folder.chmod(0o777)
    fields = ("ip.src", "ipv6.src", "udp.srcport", "tcp.srcport", "godot.wire_length", "enet.analysis.retransmission_of", *REASONS)
    sent_again = False
    text = tshark.run(path, "-T", "fields", "-E", "separator=;", *(word for field in fields for word in ("-e", field)),
                      "-z", f"godot,bandwidth,{folder}/bandwidth.csv", "-z", f"godot,timeline,{folder}/timeline.csv",
                      "-z", f"godot,properties,{folder}/properties.csv", *tshark.BY_ID, two_pass=True).stdout
    for line in text.splitlines():
        ip, ipv6, udp, tcp, lengths, again, *reasons = line.split(";") + [""] * len(fields)
        sent_again |= bool(lengths and again)
        if lengths and (ip or ipv6):
            by_address[ip or ipv6, udp or tcp]["wire"] += sum(map(int, lengths.split(",")))
        for reason, found in zip(REASONS, reasons):
            if found:
                by_reason[reason,]["count"] += len(found.split(","))
    for frame in tshark.packets(path, "-Y", "enet.analysis.retransmission_of", two_pass=True) if sent_again else ():
        for command in frame.nodes("enet.command.entry"):
            by_server[name.split("/")[0],]["again"] += command.all("enet.command") == [SEND_RELIABLE] and bool(command.all("enet.analysis.retransmission_of"))
    for row in csv.DictReader((folder / "properties.csv").open(newline="", encoding="utf-8")):
        if row["Table"] == "Properties of each node" and row["Sent"] != "rset":
            by_update[row["Sent"], row["Node"], row["Name"]].update({"Updates": int(row["Updates"]), "wire": int(row["Bytes on the wire"])})
    for table, row in ((table, row) for table in ("bandwidth", "timeline") for row in csv.DictReader((folder / f"{table}.csv").open(newline="", encoding="utf-8"))):
        keys = {"By node": (by_node, (row.get("Node"),)), "All messages": (by_second, (name, int(float(row.get("Seconds") or 0))))}.get(row["Table"])
        if table == "bandwidth" and row["Table"] == "By property" and row["Method"].startswith("synchronize"):
            keys = by_property, (row["Method"], row["Node"], row["Property"])
        if keys and (table == "bandwidth") == (keys[0] is not by_second):
            keys[0][keys[1]].update({column: int(row[column]) for column in EXACT})


@pytest.fixture(scope="module")
def statistics_of_shipped():
    """(folder with copies of captures.different(), by node, by property, by update, by second, by address, by reason, by server)"""
    folder, found = place(), [collections.defaultdict(collections.Counter) for _ in range(7)]
    for path in different():
        copy = folder / path.relative_to(tshark.CAPTURES)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.parent.chmod(0o755)
        copy.write_bytes(path.read_bytes())
        copy.chmod(0o644)
        add_statistics(copy, str(copy.relative_to(folder)), *found)
    return folder, *found


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["one server", "DuckDB"])
def test_shipped_captures(database, programs, statistics_of_shipped):
    """By node, by property, the worst second, by address, refused by reason: as in statistics and fields."""
    folder, by_node, by_property, by_update, by_second, by_address, by_reason, by_server = statistics_of_shipped
    assert "passed over" not in load(programs, *database.options, "--folders", "server", folder).stderr

    def numbers(heading, keys):
        return {tuple(row[:keys]): tuple(map(int, row[keys:])) for row in csv.reader(io.StringIO(database.ask(questions()[heading])))}

    def three(counted):
        return {key: tuple(of[column] for column in EXACT) for key, of in counted.items()}
    assert numbers("What each node costs", 1) == three(by_node)
    properties = numbers("What each property costs", 3)
    assert properties == three(by_property)
    sent = {"synchronize": "always", "synchronize changes": "on change"}
    assert {(sent[kind], node, name): (times, wire) for (kind, node, name), (times, _, wire) in properties.items() if name != "(all)"} == {
        key: (of["Updates"], of["wire"]) for key, of in by_update.items()}
    paths = dict(csv.reader(io.StringIO(database.ask("SELECT capture, path FROM captures"))))
    seconds = csv.reader(io.StringIO(database.ask(questions()["The seconds with the most bytes, since the capture began"].partition("LIMIT")[0])))
    assert {(paths[capture], int(float(second))): tuple(map(int, counts)) for capture, second, *counts in seconds} == three(by_second)
    assert {key: count for key, (count,) in numbers("Bytes on the wire by address", 2).items()} == {key: of["wire"] for key, of in by_address.items()}
    again = csv.reader(io.StringIO(database.ask(questions()["Which servers send reliable messages again most often"])))
    again = {server: int(count) for server, count, _ in again if int(count)}
    assert again.pop("enet") > 0  # a folder in which other protocols have retransmissions as well
    assert again == {server: of["again"] for (server,), of in by_server.items() if server != "enet"}
    question = questions()["Messages that are refused or damaged, by reason"].replace("AND NOT repeated", "")  # the filters find these, too
    reasons = {reason: int(count) for reason, count in csv.reader(io.StringIO(database.ask(question)))}
    assert {reason: reasons.get(reason, 0) for reason in REASONS} == {reason: by_reason[reason,]["count"] for reason in REASONS}



# --- Elasticsearch, OpenSearch ---


def test_bulk(programs):
    """Lines in pairs, unique ids, and a truncated file is continued."""
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
    """They are reported, the others are loaded, and the next run tries them again."""
    folder = place()
    write(folder / "good.pcap", SOURCES[1], "1.0", 0)
    (folder / "bad.pcap").write_text("no capture")
    file = place() / "bulk.ndjson"
    for loaded in (True, False):
        result = load(programs, "--bulk", file, folder, status=1)
        assert "bad.pcap" in result.stderr and ("good.pcap: 20 rows" in result.stdout) == loaded
    file.write_text("something else\n")
    assert "not written by this program" in load(programs, "--bulk", file, folder, status=1).stderr and file.read_text() == "something else\n"


def test_bulk_files_are_split(programs):
    """By size, between two documents; an unfinished part is removed, and documents that a shorter capture no
    longer has are deleted."""
    folder, out = place(), place()
    write(folder / "calls.pcap", SOURCES[0], "1.0", 0)
    load(programs, "--bulk", out / "rows.ndjson", "--bulk-size", "1", folder)
    parts = [out / "rows.ndjson", *(out / f"rows.{number}.ndjson" for number in range(2, 1 + len(list(out.iterdir()))))]
    assert len(parts) > 1 and set(parts) == set(out.iterdir()) and all(part.stat().st_size <= 1000000 for part in parts)
    texts = [part.read_text() for part in parts]
    assert all(text.startswith('{"index"') and text.endswith("}\n") and text.count("\n") % 2 == 0 for text in texts)
    os.truncate(parts[-1], parts[-1].stat().st_size - 10)
    load(programs, "--bulk", out / "rows.ndjson", "--bulk-size", "1", folder)
    assert [re.sub(r'"load": "[^"]*"', "", part.read_text()) for part in parts] == [re.sub(r'"load": "[^"]*"', "", text) for text in texts]
    write(folder / "calls.pcap", SOURCES[0], "1.1", 0)
    load(programs, "--bulk", out / "rows.ndjson", "--bulk-size", "1", folder)
    present = {}
    for line in (line for part in sorted(out.iterdir(), key=lambda path: (len(path.name), path.name)) for line in part.read_text().splitlines()):
        (action, about), = [entry for entry in json.loads(line).items() if entry[0] in ("index", "delete")] or [("document", line)]
        if action == "document":
            present[key] = json.loads(about)
        else:
            key = about["_index"], about["_id"]
            present.pop(key, None)
    rows = rows_in(folder / "calls.pcap")
    assert [row["message"] for (index, _), row in present.items() if index == "godot-messages"] and len(rows) < messages_of(SOURCES[0])
    assert sorted(row["message"] for (index, _), row in present.items() if index == "godot-messages") == [row["message"] for row in rows]


# --- files ---


def test_names_of_captures(programs):
    """Capital letters, numbers, compression and bytes that are not UTF-8; other files are reported as passed
    over."""
    folder = place()
    names = [b"one.PCAPNG", b"two.pcap1", b"three.cap.gz", b"f\xfcnf.pcap"]
    for number, name in enumerate(names):
        data = write(place() / "x.pcap", SOURCES[1], "1.0", number).read_bytes()
        with open(os.path.join(os.fsencode(folder), name), "wb") as file:
            file.write(gzip.compress(data) if name.endswith(b".gz") else data)
    (folder / "six.pcap.zst").write_bytes(b"")
    result = load(programs, "--bulk", place() / "rows.ndjson", folder)
    assert sorted(result.stdout.splitlines()) == sorted(f"{name}: 20 rows" for name in ("one.PCAPNG", "two.pcap1", "three.cap.gz", r"f\xfcnf.pcap"))
    assert result.stderr == f"load-captures: {folder}/six.pcap.zst: passed over, as its name is not that of a capture\n"


def test_several_servers_are_asked_by_a_name(programs):
    assert "--cluster" in load(programs, "--clickhouse", "127.0.0.1:1,127.0.0.1:2", place(), status=2).stderr


@pytest.mark.parametrize("thread", [0, -1])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_temporary_rows_go_when_it_is_told_to_end(programs, number, thread):
    """The system may deliver a signal to any thread: here to the main one, which waits, and to one that loads."""
    folder, temporary = place(), place()
    temporary.chmod(0o777)
    slow = place() / "tshark"
    slow.write_text(f"#!/bin/sh\nfor word; do case $word in godot,messages,*) echo row > ${{word#godot,messages,}};; esac; done\necho $$ > {temporary}/started\n"
                    "exec sleep 100\n")
    slow.chmod(0o755)
    write(folder / "calls.pcap", SOURCES[0], "1.0", 0)
    loader = loading({**programs, "TSHARK": str(slow), "TMPDIR": str(temporary)}, "--bulk", place() / "rows.ndjson", folder)
    for _ in range(200):
        if (temporary / "started").exists() and (temporary / "started").read_text():
            break
        time.sleep(0.05)
    assert len(list(temporary.glob("tmp*/*.jsonl"))) == 1
    os.kill(sorted(int(each.name) for each in pathlib.Path(f"/proc/{loader.pid}/task").iterdir())[thread], number)
    loader.communicate(timeout=60)
    assert loader.returncode == 128 + number and [path.name for path in temporary.iterdir()] == ["started"]
    with pytest.raises(ProcessLookupError):
        os.kill(int((temporary / "started").read_text()), 0)


@pytest.mark.slow
@databases
def test_values_are_passed_through(database, programs):
    """Infinity in a vector, backslashes, quotes: as written by tshark."""
    path = place() / "values.pcap"
    name = 'a\\b"c\'d'
    connection = enet_packets.Connection()
    vector = (5).to_bytes(4, "little") + b"\0\0\x80\x7f" + b"\0\0\x80\xbf"
    call = b"\x20" + (1).to_bytes(4, "little") + b"\0\x01" + vector
    pcap.write(path, connection.open() + [connection.message(announcement(1, name.encode())), connection.message(call)])
    path.chmod(0o644)
    decoding = place() / "tshark"
    decoding.write_text(f"#!/bin/sh\nexec {programs['TSHARK']} {' '.join(DECODE)} \"$@\"\n")
    decoding.chmod(0o755)
    load({**programs, "TSHARK": str(decoding)}, *database.options, path)
    rows = rows_in(path, *DECODE)
    assert rows[1]["arguments"] == [{"type": "Vector2", "args": [math.inf, -1.0]}]
    found = list(csv.reader(io.StringIO(database.ask("SELECT node, arguments FROM messages ORDER BY message"))))
    assert found == [[row["node"] or "", json.dumps(row["arguments"], separators=(",", ":")).replace("Infinity", "1e99999") if row["arguments"] else ""] for row in rows]
    assert name in {node for node, _ in found}
