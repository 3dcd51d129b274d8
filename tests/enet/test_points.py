"""Captures of both ends in one file, compared with the log of the relay between them.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import hashlib
import subprocess

import pytest

import engine_logs
import pcap
import projects
import tshark
from test_consistency import FORWARD
from two_points import AT_CLIENTS, AT_SERVER, FOLDER, merged, points, ports, translated, with_ports

NAMES = ["godot-4.6-relay", "godot-4.6-replication", "godot-4.6-handover"]
each = pytest.mark.parametrize("name", NAMES)


@functools.lru_cache(maxsize=None)
def rows(path):
    """{frame: (interface, port of the sender, payload, captured before in, transit, what is said)}"""
    found = {}
    for number, interface, source, data, before, transit, clock, lost, second in tshark.fields(
            path, "frame.number", "frame.interface_id", "udp.srcport", "udp.payload", "enet.captured_before", "enet.transit", "enet.clock_difference",
            "enet.analysis.lost", "enet.analysis.second_point", two_pass=True):
        found[number[0]] = dict(interface=interface[0], source=source[0], data=data[0], before=before[0] if before else None,
                                transit=float(transit[0]) if transit else None, clock=float(clock[0]) if clock else None,
                                lost=bool(lost), second=bool(second))
    return found


def dropped_by_the_relay(name):
    return collections.Counter((record["sha256"], record["direction"]) for record in engine_logs.records(FOLDER / f"{name}.relay.log.gz")
                               if record["what"] == "lost")


@each
@pytest.mark.parametrize("ahead", [0.0, 0.75, -2.5])
def test_each_datagram_counts_once(name, ahead):
    """The second capture of a datagram refers to the first one: another interface, the same bytes."""
    found = rows(merged(name, ahead))
    seconds = {number: row for number, row in found.items() if row["second"]}
    assert len(seconds) > 0.3 * len(found)
    for number, row in seconds.items():
        first = found[row["before"]]
        assert row["before"] < number and first["interface"] != row["interface"] and not first["second"]
        assert (first["data"], first["source"]) == (row["data"], row["source"])
    counts = [collections.Counter((row["data"], row["source"]) for row in found.values() if row["interface"] == interface) for interface in (0, 1)]
    assert len(seconds) == sum((counts[0] & counts[1]).values())


@each
@pytest.mark.parametrize("ahead", [0.0, 0.75, -2.5])
def test_clocks_and_transit(name, ahead):
    """The difference of the clocks, if the delays of both directions are alike; no datagram is received
    before it was sent."""
    found = rows(merged(name, ahead))
    second = -1 if ahead < 0 else 1  # the point that comes second in the file
    clocks = {row["clock"] for row in found.values() if row["clock"] is not None}
    assert clocks and all(abs(clock - second * ahead) < 0.02 for clock in clocks), clocks
    transits = [row["transit"] for row in found.values() if row["transit"] is not None]
    assert len(transits) == sum(row["second"] for row in found.values()) and all(-1e-6 <= transit < 1 for transit in transits)


@each
@pytest.mark.parametrize("ahead", [0.0, 0.75])
def test_lost_on_the_network(name, ahead):
    """Exactly the datagrams that the relay's log lists as dropped while both points were captured."""
    found = rows(merged(name, ahead))
    dropped = dropped_by_the_relay(name)
    said = collections.Counter((hashlib.sha256(bytes(row["data"])).hexdigest(), "to client" if row["source"] == AT_CLIENTS else "to server")
                               for row in found.values() if row["lost"])
    assert said and said <= dropped
    assert sum(said.values()) > 0.9 * sum(dropped.values())


@each
def test_the_analysis_is_that_of_one_point(name):
    """With correct clocks: commands, retransmissions and messages are those of a capture that has each
    datagram once, at its sender."""
    link, at_clients, at_server = points(name)
    sent = sorted([entry for entry in at_clients if ports(entry[1])[1] == AT_CLIENTS] + [entry for entry in at_server if ports(entry[1])[0] == AT_CLIENTS])
    folder = tshark.workplace() / "points"
    once = pcap.write(folder / f"{name}-once.pcap", sent, linktype=link)
    names = ("enet.stream", "enet.command", "enet.analysis.retransmission", "enet.acked_in", "godot.rpc.call", "godot.repeated")
    expected = [row for row in tshark.fields(once, *names, two_pass=True)]
    found = [row[:-1] for row in tshark.fields(merged(name), *names, "enet.analysis.second_point", two_pass=True) if not row[-1]]
    assert len(found) >= len(expected)
    assert sum(len(row[2]) for row in found) == sum(len(row[2]) for row in expected)
    calls = [sorted(call for row in all_rows if not row[5] for call in row[4]) for all_rows in (found, expected)]
    assert calls[0] == calls[1] and calls[0]


@each
def test_statistics_count_once(name):
    """Messages and their bytes are those captured at the clients' point."""
    def messages(path):
        return tshark.run(path, "-q", "-z", "godot,tree").stdout.split("Message bytes")[0]

    link, at_clients, at_server = points(name)
    folder = tshark.workplace() / "points"
    alone = pcap.write(folder / f"{name}-alone.pcap", at_server, linktype=link)
    double = folder / f"{name}-double.pcapng"
    subprocess.run(["mergecap", "-I", "none", "-w", double, alone, alone], check=True)
    double.chmod(0o644)
    assert messages(double) == messages(alone)


@each
def test_other_ports_at_the_other_point(name):
    """As behind a NAT: from a CONNECT on that both points have, the analysis is the same as with the same
    ports."""
    found, expected = rows(translated(name)), rows(merged(name))
    assert len(found) == len(expected)
    for number, row in found.items():
        assert {**row, "source": 0} == {**expected[number], "source": 0}, number
    said = collections.Counter((hashlib.sha256(bytes(row["data"])).hexdigest(), "to client" if row["source"] in (AT_CLIENTS, AT_SERVER) else "to server")
                               for row in found.values() if row["lost"])
    assert said and said <= dropped_by_the_relay(name)
    streams = [set(streams) for (streams,) in tshark.fields(translated(name), "enet.stream", two_pass=True)]
    clients = len(list(FOLDER.glob(f"{name}.client*.log.gz")))
    assert len(set().union(*streams)) == clients


def test_messages_in_fragments_at_both_points():
    """Each message is complete twice, with the same values, the second time at the receiver."""
    name = "godot-4.6-handover"
    found = tshark.fields(translated(name), "frame.number", "frame.interface_id", "udp.srcport", "godot.sync.property",
                          arguments=["-Y", "enet.fragments && godot", *projects.option("handover4")], two_pass=True)
    assert len(found) == 6 and all("story" in properties for *_, properties in found)  # three clients are told a long text
    assert sorted((interface, source) for _, (interface,), (source,), _ in found) == 3 * [(0, AT_CLIENTS)] + 3 * [(1, AT_SERVER)]


@each
def test_held_messages(name):
    """A reliable message that arrives before an earlier one of its channel is delivered after that one has
    arrived."""
    arrived, held = {}, 0
    for (number,), (interface,), (stream,), (source,), commands, channels, sequences, delivered in tshark.fields(
            translated(name), "frame.number", "frame.interface_id", "enet.stream", "udp.srcport", "enet.command", "enet.channel", "enet.sequence", "enet.delivered_in",
            arguments=["-Y", "enet.command == 6 || enet.command == 8"], two_pass=True):
        from_server = source in (AT_CLIENTS, AT_SERVER)
        if interface == (0 if from_server else 1):  # the receiver's point
            for command, channel, sequence in zip(commands, channels, sequences):
                if command in (6, 8):
                    arrived.setdefault((stream, from_server, channel), {}).setdefault(sequence, number)
        held += len(delivered)
    expected = 0
    for channel in arrived.values():
        for sequence, number in channel.items():
            expected += max(frame for other, frame in channel.items() if other <= sequence) > number
    assert held == expected > 3


def with_comments(path, names, target):
    """A copy with a packet comment for the capture point of each packet, and a single interface."""
    alike = target.with_suffix(".alike.pcapng")
    subprocess.run(["mergecap", "-I", "all", "-w", alike, *path], check=True)
    comments = [word for number, name in names.items() for word in ("-a", f"{number}:capture point: {name}")]
    subprocess.run(["editcap", *comments, alike, target], check=True)
    target.chmod(0o644)
    return target


def test_points_named_by_comments():
    """Like interfaces; other comments are ignored."""
    folder, path = tshark.workplace() / "points", merged(NAMES[0])
    interfaces = {number: row["interface"] for number, row in rows(path).items()}
    link, at_clients, at_server = points(NAMES[0])
    parts = [pcap.write(folder / "comments-1.pcap", at_clients, linktype=link), pcap.write(folder / "comments-2.pcap", at_server, linktype=link)]
    for of_interface in (("client", "server"), ("Ab", "BA")):  # the latter have the same g_str_hash()
        names = {number: of_interface[interface] for number, interface in interfaces.items()}
        named = rows(with_comments(parts, names, folder / f"comments-{of_interface[0]}.pcapng"))
        for number, row in rows(path).items():
            assert {**row, "interface": 0} == {**named[number], "interface": 0}
    other = folder / "other-comments.pcapng"
    subprocess.run(["editcap", "-a", "1:look here", "-a", "7:capture points are good", path, other], check=True)
    other.chmod(0o644)
    assert rows(other) == rows(path)


def test_names_of_points_are_limited():
    """Each packet has its own capture point: copies are found as long as the names are distinguished."""
    link, at_clients, at_server = points(NAMES[0])
    folder = tshark.workplace() / "points"
    parts = [pcap.write(folder / f"many-{number}.pcap", packets, linktype=link) for number, packets in enumerate((at_clients, at_server))]
    names = {number: f"point {number}" for number in range(1, len(at_clients) + len(at_server) + 1)}
    found = rows(with_comments(parts, names, folder / "many.pcapng"))
    copies = [number for number, row in found.items() if row["second"]]
    assert copies and max(copies) <= 64 + 1 < max(found)


def test_third_interface():
    """Its copies are marked as copies, and change nothing else."""
    name = NAMES[0]
    link, at_clients, at_server = points(name)
    folder = tshark.workplace() / "points"
    parts = [pcap.write(folder / f"third-{number}.pcap", packets, linktype=link)
             for number, packets in enumerate((at_clients, at_server, [(time + 0.0001, packet) for time, packet in at_server]))]
    path = folder / "third.pcapng"
    subprocess.run(["mergecap", "-I", "none", "-w", path, *parts], check=True)
    path.chmod(0o644)
    found, expected = rows(path), rows(merged(name))
    kept = [row for row in found.values() if row["interface"] != 2]
    assert [(row["second"], row["lost"], row["transit"]) for row in kept] == [(row["second"], row["lost"], row["transit"]) for row in expected.values()]
    third = [row for row in found.values() if row["interface"] == 2]
    assert len(third) > 100 and all(row["second"] and not row["lost"] and row["transit"] is None for row in third)


def test_one_interface():
    """Without interfaces, copies are duplicates: two points cannot be distinguished from a network that
    duplicates."""
    found = rows(merged(NAMES[0], interfaces="all"))
    assert not any(row["second"] or row["lost"] for row in found.values())


def test_one_point_says_nothing():
    path = merged(NAMES[0])
    alone = tshark.workplace() / "points" / "one.pcapng"
    subprocess.run(["tshark", "-r", path, "-Y", "frame.interface_id == 0", "-w", alone], check=True, stderr=subprocess.DEVNULL)
    alone.chmod(0o644)
    assert not any(row["second"] or row["lost"] or row["transit"] is not None for row in rows(alone).values())


@pytest.mark.parametrize("port", [None, 40000])
def test_every_pass_says_the_same(port):
    """Except for what depends on the end of the capture. No loss; the second point is 0.2 ms away from both
    ends, where the server may have another port, as behind a NAT."""
    folder = tshark.workplace() / "points"
    folder.mkdir(exist_ok=True)
    link, packets = pcap.read(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-relay.pcap")

    def moved(packet):
        return with_ports(packet, *(port if port and number == 22201 else number for number in ports(packet)))

    parts = [pcap.write(folder / "one.pcap", packets, linktype=link),
             pcap.write(folder / "other.pcap", [(time + 0.0002, moved(data)) for time, data in packets], linktype=link)]
    path = folder / f"healthy-{port}.pcapng"
    subprocess.run(["mergecap", "-I", "none", "-w", path, *parts], check=True)
    path.chmod(0o644)
    tshark.assert_consistent(path, forward=(*FORWARD, "enet.transit", "enet.clock_difference", "enet.analysis.throttled", "enet.analysis.unreliable_gap", "enet.completeness",
                                            "godot.transit", "enet.delivered_in"))
    assert {severity for _, _, severity, _ in tshark.experts(path, two_pass=True)} <= {"chat", "note"}
    assert not any(row["lost"] for row in rows(path).values())
    assert sum(row["second"] for row in rows(path).values()) == len(packets)


@each
@pytest.mark.parametrize("as_it_is", [False, True])
def test_random_access(name, as_it_is):
    tshark.assert_same_listing(translated(name) if as_it_is else merged(name, 0.75), passes=(True,))


def test_transit_of_messages():
    """At the receiver's point, that of their datagram."""
    path = merged(NAMES[0])
    transits = [(messages, datagram) for messages, datagram in tshark.fields(path, "godot.transit", "enet.transit", two_pass=True) if messages]
    assert len(transits) > 100 and all(set(messages) == set(datagram) for messages, datagram in transits)


def test_info_column():
    """A comma separates the note of a copy from its messages."""
    lines = [info for _, _, info in tshark.listing(merged(NAMES[0])) if "[Second capture point]" in info]
    assert lines and all("[Second capture point], " in line and ", ," not in line and "] ," not in line for line in lines)
