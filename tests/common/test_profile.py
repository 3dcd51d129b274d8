"""The profile "Godot": Wireshark loads it without a warning, and its rules, columns and filters work.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import csv
import re
import shutil

import pytest

import ports
import projects
import tshark

PROFILE = tshark.ROOT / "profiles" / "Godot"
GAME = tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-game.pcap"
BOTH_ENDS = "recorder/godot-4.6-editor.read.pcapng"


@pytest.fixture(scope="module")
def configuration():
    """A configuration directory with only the profile."""
    place = tshark.workplace() / "configuration-with-profile"
    shutil.copytree(PROFILE, place / "profiles" / "Godot")
    for path in (place, *place.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return str(place)


def rules():
    """[(name, filter, background, text)] of the colour rules; colours are lists of three numbers up to 65535."""
    lines = [line for line in (PROFILE / "colorfilters").read_text().splitlines() if line.startswith("@")]
    found = [re.fullmatch(r"@([^@]+)@([^@]+)@\[([\d,]+)\]\[([\d,]+)\]", line).groups() for line in lines]
    return [(name, text, *([int(part) for part in color.split(",")] for color in colors)) for name, text, *colors in found]


def table(name):
    with open(PROFILE / name) as file:
        return list(csv.reader(line for line in file if not line.startswith("#")))


def coloured(capture, configuration):
    """Number of frames by the colour rule that applies, in the first pass."""
    arguments = ("-C", "Godot", "--color", "-T", "fields", "-e", "frame.coloring_rule.name")
    result = tshark.run(tshark.CAPTURES / capture, *arguments, WIRESHARK_CONFIG_DIR=configuration)
    assert result.stderr == ""
    return collections.Counter(result.stdout.splitlines())


def test_ports_of_others(configuration, tmp_path):
    """The rules of the profile test the protocol of a packet before its port."""
    path = ports.moved(GAME, tmp_path / "dis.pcap", 22211, 3000)
    arguments = ("-T", "fields", "-e", "frame.protocols")
    shown = tshark.run(path, "-C", "Godot", *arguments, WIRESHARK_CONFIG_DIR=configuration).stdout.splitlines()
    assert len(shown) > 9000 and all(":enet" in protocols for protocols in shown)
    assert ":dis" in tshark.run(path, *arguments).stdout


def test_every_rule_colours_something(configuration):
    captures = ["multiplayer/godot-4.6-enet-game.pcap", "multiplayer/godot-4.6-enet-mismatch.pcap",
                "enet/godot-4.6-none-loss.pcap", "enet/cube2.pcap", "debugger/godot-4.6-tcp.pcap", BOTH_ENDS]
    found = {capture: coloured(capture, configuration) for capture in captures}
    game, mismatch, loss, *_ = found.values()
    assert game["Calls"] > 1000 and game["Relayed copies"] > 1000 and game["Synchronized properties"] > 1000
    assert game["Spawns"] and game["Acknowledgements and pings"] and game["Somebody joins or leaves"]
    assert not game["Godot or ENet: warning"] and not game["Godot or ENet: error"]
    assert found["debugger/godot-4.6-tcp.pcap"]["Godot or ENet: error"]  # of the game's script
    assert mismatch["Godot or ENet: warning"] and loss["Network trouble"]
    unused = {name for name, *_ in rules()} - set().union(*found.values())
    assert not unused


def test_the_two_records_of_a_call_differ_in_color(configuration):
    """If both ends are recorded, the sent record has the color of calls, the received one that of copies."""
    arguments = ("-C", "Godot", "--color", "-T", "fields", "-e", "godot.rpc.call", "-e", "frame.coloring_rule.name", "-Y", "godot.rpc.call")
    rows = tshark.run(tshark.CAPTURES / BOTH_ENDS, *arguments, WIRESHARK_CONFIG_DIR=configuration).stdout.splitlines()
    found = collections.Counter(rule for _, _, rule in (row.partition("\t") for row in rows))
    assert found["Calls"] == found["Received, and recorded where it was sent"] > 3 and len(found) == 2, found


def test_columns(configuration):
    titles = re.findall(r'"([^"]+)", "%', (PROFILE / "preferences").read_text())
    assert titles == ["No.", "Time", "From", "To", "Delivery", "Protocol", "Info", "Channel", "Wire bytes"]
    arguments = ("-C", "Godot", "-T", "tabs", "-Y", "frame.number in {147, 155, 156}")
    rows = tshark.run(GAME, *arguments, WIRESHARK_CONFIG_DIR=configuration).stdout.splitlines()
    cells = [[cell.strip() for cell in row.split("\t")] for row in rows]
    assert [[*row[2:5], *row[7:]] for row in cells] == [
        ["client 4", "server", "reliable", "4", "85"],
        ["client 4", "server", "unreliable ordered", "2", "93"],
        ["client 4", "client 2", "unreliable ordered", "2", "99"],
    ]


def ends_of_rows(capture, configuration, *arguments):
    """{From and To of the profile's rows: how many}."""
    rows = tshark.run(tshark.CAPTURES / capture, "-C", "Godot", "-T", "tabs", *arguments, WIRESHARK_CONFIG_DIR=configuration).stdout
    return collections.Counter(tuple(cell.strip() for cell in row.split("\t")[2:4]) for row in rows.splitlines())


@pytest.mark.parametrize("capture", ["multiplayer/godot-4.6-enet-relay.pcap", "multiplayer/godot-3.6-enet-relay.pcap"])
@pytest.mark.parametrize("passes", [(), ("-2",)])
def test_rows_of_enet_have_peers(capture, passes, configuration):
    """Connect, Ack and Ping name their ends, as the messages of the same connection do."""
    rows = ends_of_rows(capture, configuration, *passes, "-Y", "enet && !godot")
    assert sum(rows.values()) > 80
    assert all("server" in ends and any(name.startswith("client ") for name in ends) for ends in rows), rows
    streams = collections.defaultdict(set)
    for numbers, *ends in tshark.fields(tshark.CAPTURES / capture, "enet.stream", "godot.from", "godot.to", arguments=["-Y", "enet && !godot"]):
        streams[numbers[0]].add(frozenset(end[-1] for end in ends))
    assert all(len({name for ends in several for name in ends if name.startswith("client ")}) == 1 for several in streams.values())


@pytest.mark.parametrize("capture, arguments", [("enet/cube2.pcap", ("-Y", "enet")),
                                                ("variant/godot-3.2-udp.pcap", ("-d", "udp.port==21001,godot.variant", "-Y", "godot.variant"))])
def test_rows_without_peers_have_sockets(capture, arguments, configuration):
    rows = ends_of_rows(capture, configuration, *arguments)
    assert rows and all(re.fullmatch(r"[\d.]+:\d+", end) for ends in rows for end in ends), rows


def test_rows_of_icmp_come_from_whom_the_datagram_was_sent_to():
    """ICMP quotes a datagram: From and To are those of the packet that quotes it."""
    path = tshark.CAPTURES / "multiplayer-ends" / "godot-4.6-server-killed.pcap"
    rows = tshark.fields(path, "godot.from", "godot.to", "udp.srcport", "udp.dstport", arguments=["-Y", "icmp && enet"])
    assert rows and all((source[-1], to[-1]) == (f"127.0.0.1:{quoted_to[-1]}", f"127.0.0.1:{quoted[-1]}") for source, to, quoted, quoted_to in rows)


@pytest.mark.parametrize("name, expression", [rule[:2] for rule in rules()] + [row[1:3] for row in table("dfilter_buttons")]
                         + [(row[1], row[2]) for row in table("io_graphs")])
def test_filters_are_filters(name, expression):
    tshark.run(GAME, "-c", "1", "-Y", expression)


@pytest.mark.parametrize("capture", ["multiplayer-loss/godot-4.6-players.client-side.pcap", "multiplayer-loss/godot-3.6-relay.client-side.pcap",
                                     "multiplayer/godot-4.6-enet-mismatch.pcap", "web/godot-4.6-websocket.pcap"])
def test_refused_is_about_godot(capture):
    """A warning of the transport, as for a number that was lost, is not one of the packet in the same frame."""
    filters = {row[1]: row[2] for row in table("dfilter_buttons")}
    lines = (line.split("\t") for line in tshark.run(None, "-G", "fields").stdout.splitlines() if line.startswith("F\t"))
    problems = [name for _, _, name, kind, *_ in lines if kind == "FT_NONE" and re.match(r"godot\.(variant\.)?(problem|engine|rpc|path|sys|source|project|names)\.", name)]
    shown, of_godot = (set(tshark.run(tshark.CAPTURES / capture, "-Y", text, "-T", "fields", "-e", "frame.number").stdout.split())
                       for text in (filters["Refused"], " || ".join([*problems, "godot.forgotten", "godot.generation_mismatch", "godot.version_mismatch"])))
    assert shown <= of_godot
    if "mismatch" in capture:
        assert len(shown) > 3


def test_graphs_use_fields_with_numbers():
    numbers = ("FT_UINT", "FT_INT", "FT_RELATIVE_TIME", "FT_FLOAT", "FT_DOUBLE")
    for row in table("io_graphs"):
        assert len(row) == 9
        assert (row[5] in ("Packets", "Bytes")) == (row[6] == "")
        assert not row[6] or tshark.field_type(row[6]).startswith(numbers)


def test_readable():
    """Contrast as defined by the Web Content Accessibility Guidelines, which require at least 4.5 for
    text."""

    def luminance(color):
        parts = [value / 65535 for value in color]
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    for name, _, background, text in rules():
        light, dark = sorted((luminance(background), luminance(text)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 6, name


def test_table_of_projects_is_in_no_profile(configuration):
    """The table of games is not in a profile, so that it applies to all of them. The profile itself is not
    changed."""
    assert not (PROFILE / "profile_settings").exists()
    table_file = tshark.workplace() / "configuration-with-profile" / "godot_projects"
    arguments = ("-T", "fields", "-e", "godot.rpc.method", "-Y", "godot.rpc.method")
    assert not tshark.run(GAME, *arguments, WIRESHARK_CONFIG_DIR=configuration).stdout.strip()
    table_file.write_text(f'"{projects.option("game4")[1].partition(":")[2]}"\n')
    table_file.chmod(0o644)
    try:
        for profile in ((), ("-C", "Godot")):
            assert "shoot" in tshark.run(GAME, *profile, *arguments, WIRESHARK_CONFIG_DIR=configuration).stdout
    finally:
        table_file.unlink()


def test_graphs_of_sums_have_no_line():
    """A line would connect seconds between which there was nothing."""
    sums = [row for row in table("io_graphs") if row[5].startswith("SUM")]
    assert len(sums) == 3 and all(row[4] == "Stacked Bar" for row in sums)
