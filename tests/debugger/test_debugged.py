"""Games with a remote debugger, captured together with their packets: what the engines printed stands at its packet, and only where it
is certain.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import re

import pytest

import engine_logs
import projects
import tshark

FOLDER = tshark.CAPTURES / "multiplayer-debugged"
GAMES = {"godot-4.6-refused": "refused4", "godot-3.6-refused": "refused3", "godot-4.6-editor": "debugged4"}
every = pytest.mark.parametrize("name", GAMES)
CONCLUSIONS = re.compile(r"godot\.(rpc\.(not_allowed|wrong_arguments|method_not_found|method_missing|despawned|node_not_found|not_declared)|path\.node_not_found)$")


@functools.lru_cache(maxsize=None)
def frames(name, two_pass=True):
    return {frame.number: frame for frame in tshark.packets(FOLDER / f"{name}.pcap", *projects.option(GAMES[name]), two_pass=two_pass)}


def log_of(process, name):
    return engine_logs.records(FOLDER / f"{name}.{process}.log.gz")


def processes(name):
    return sorted(path.name.split(".")[-3] for path in FOLDER.glob(f"{name}.*.log.gz"))


def printed(process, name):
    """Errors in the log of a process. Godot 3 prints the function before the text."""
    found = []
    for record in log_of(process, name):
        match = re.match(r"(?:SCRIPT )?ERROR: (?:\w+: )?(.*)$|WARNING: (.*)$", record["text"]) if record["what"] == "print" else None
        found += [match[1] or match[2]] if match else []
    return found


def peer_of(process, name):
    for record in log_of(process, name):
        match = re.match(r"started as (\d+)", record.get("text", ""))
        if match or "me" in record:
            return int(match[1]) if match else record["me"]


def said(name, two_pass=True):
    """{process: [(text, frame of the report, frame of the packet or None)]}: each connection of a debugger is that of the process with the
    same errors."""
    streams = collections.defaultdict(list)
    for number, frame in frames(name, two_pass).items():
        for layer in (child for child in frame.children if child.name == "godot.debugger"):
            texts = zip(layer.all("godot.engine.text"), layer.all("godot.engine.kind"), layer.all("godot.engine.file") or [""])
            packets = layer.all("godot.engine.packet")
            for text, kind, file in texts:
                if not kind.isupper() or (kind == "WARNING" and file.startswith("res://")): # a script's, which only the debugger gets
                    continue
                streams[frame.one("tcp.stream")].append((text, number, packets[0] if packets else None))
    found = {}
    for process in processes(name):
        (stream,) = [s for s, entries in streams.items() if sorted(t for t, *_ in entries) == sorted(printed(process, name))]
        found[process] = streams.pop(stream)
    assert not streams
    return found


NAMES = [(r"R(?:PC|SET) '(?P<method>.*)' is not allowed on node /root/(?P<node>.*) from: (?P<sender>\d+)\.", "call"),
         (r"RPC - '.*::(?P<method>.*)': Method", "call"), (r"\(?Node not found: \"(?P<node>.*)\" \(relative to", None),
         (r"Failed to get path from RPC: (?P<node>.*)\.", "call"),
         (r"The rpc node checksum failed.* Node path: (?:/root/)?(?P<node>.*)$", "path")]


def names_in(text):
    for pattern, kind in NAMES:
        if match := re.match(pattern, text):
            return {**match.groupdict(), "kind": kind}


@every
def test_all_is_there(name):
    """As each process has printed it."""
    for process, entries in said(name).items():
        assert [text for text, *_ in entries] == printed(process, name), process


@every
def test_each_is_at_a_packet_that_fits(name):
    """A packet before it, received by that process, with what the text names; all texts with names have one."""
    count = 0
    for process, entries in said(name).items():
        peer = peer_of(process, name) or 1
        for text, number, packet in entries:
            names = names_in(text)
            assert (packet is not None) == bool(names) or re.match('Parameter "node" is null|Invalid packet received. Requested node', text), (text, number)
            if not names or packet is None:
                continue
            frame = frames(name)[packet]
            assert packet < number and {peer} == set(frame.all("godot.target")) and "enet.analysis.retransmission" not in frame.names()
            assert names.get("sender") in (None, *map(str, frame.all("godot.source")))
            assert names.get("node") in (None, *frame.all("godot.path")), (text, packet)
            assert names.get("method") in (None, *frame.all("godot.rpc.method"), *frame.all("godot.rset.property")), (text, packet)
            assert text in frame.all("godot.engine.text") and number in frame.all("godot.engine.report")
            count += 1
    assert count > 30


@every
def test_a_packet_has_one_error_of_a_kind(name):
    """The n-th error of a process is about the n-th of the packets that fit."""
    for process, entries in said(name).items():
        by_text = collections.defaultdict(list)
        for text, _, packet in entries:
            by_text[text] += [packet] if packet else []
        for text, packets in by_text.items():
            assert packets == sorted(packets) and len({(p, packets.count(p)) for p in packets}) == len(set(packets))
            for packet in set(packets):
                messages = [layer for layer in frames(name)[packet].children if layer.name == "godot"]
                assert packets.count(packet) <= max(1, len(messages))


@every
def test_words_replace_conclusions(name):
    for number, frame in frames(name).items():
        for layer in (child for child in frame.children if child.name == "godot"):
            if "godot.engine.text" in layer.names():
                assert not [n for n in layer.names() if CONCLUSIONS.match(n)], number


@pytest.mark.parametrize("name", ["godot-4.6-refused", "godot-4.6-editor"])
def test_words_about_what_is_relayed(name):
    """The receiver's engine speaks about the server's copy. What goes to the server refers to these words, and concludes nothing."""
    relayed = [layer for frame in frames(name).values() for layer in frame.children if layer.name == "godot" and "godot.relay.peer" in layer.names()]
    spoken = [layer for layer in relayed if "godot.engine.text" in layer.names()]
    referring = [layer for layer in relayed if "godot.engine.report" in layer.names() and "godot.engine.text" not in layer.names()]
    assert [layer.all("godot.engine.report") for layer in referring] == [layer.all("godot.engine.report") for layer in spoken] != []
    assert not [one for layer in referring for one in layer.names() if CONCLUSIONS.match(one)]


@every
def test_info(name):
    """Ends with what the engine printed, in the second pass."""
    infos = {number: info for number, _, info in tshark.listing(FOLDER / f"{name}.pcap", *projects.option(GAMES[name]), two_pass=True)}
    for entries in said(name).values():
        for text, number, packet in entries:
            if packet:
                assert f"ERROR {text}"[:60] in infos[packet] or "…" in infos[packet], (infos[packet], text)


@every
def test_first_pass(name):
    """The report's line has the packet if it is certain by then."""
    assert [[text for text, *_ in entries] for entries in said(name, False).values()] == [[text for text, *_ in entries] for entries in said(name).values()]
    early, late = ({(n, p) for entries in said(name, passes).values() for _, n, p in entries if p} for passes in (False, True))
    assert early <= late and len(early) > len(late) / 3


@every
def test_summary(name):
    """Texts and how often they were printed, each with the processes that printed them."""
    page = tshark.run(FOLDER / f"{name}.pcap", "-q", "-z", "godot,summary", *projects.option(GAMES[name]), two_pass=True).stdout
    part = page.partition("What the engines have said")[2].partition("\nProblems")[0]
    counted = collections.Counter(text for process in processes(name) for text in printed(process, name))
    shown = {text: int(count) for count, text in re.findall(r"^  (\d+) × (?:ERROR|WARNING) (.*)$", part, re.M)}
    assert shown and all(counted[text] == count for text, count in shown.items())
    for expression in re.findall(r"filter: (.*)$", part, re.M)[:6]:
        assert tshark.listing(FOLDER / f"{name}.pcap", "-Y", expression)


def test_the_process_that_is_which_peer():
    """Found out by what only one of them can have received."""
    page = tshark.run(FOLDER / "godot-4.6-editor.pcap", "-q", "-z", "godot,log", *projects.option("debugged4"), two_pass=True).stdout
    for process in processes("godot-4.6-editor"):
        peer = peer_of(process, "godot-4.6-editor")
        (who,) = re.findall(rf", (server|client \d) \(process \d+\): print started as {peer},", page)
        assert (who == "server") == (peer == 1)


def test_without_names_nothing_is_claimed_that_is_not_certain():
    """Without the project a call has a number: any call of that peer could be the one."""
    for frame in tshark.packets(FOLDER / "godot-4.6-editor.pcap", two_pass=True):
        for layer in (child for child in frame.children if child.name == "godot"):
            known = frames("godot-4.6-editor")[frame.number]
            assert set(layer.all("godot.engine.text")) <= set(known.all("godot.engine.text")), frame.number
