"""What engines have said, in recordings of games: shown at its line, at the packet that it belongs to, at the record of the packet's
sender and in statistics; and nothing else is concluded about a packet whose receiver has recorded its errors.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import json
import random
import re
import subprocess

import pytest

import projects
import pcap
import records as r
import test_reports
import tshark

FOLDER, ALL, every = test_reports.FOLDER, test_reports.ALL, test_reports.every
KINDS = {"error": "ERROR", "warning": "WARNING", "script": "SCRIPT ERROR", "shader": "SHADER ERROR"}
# What the plugin concludes about a receiver.
CONCLUSIONS = {"godot.rpc.not_allowed", "godot.rpc.not_judged", "godot.rpc.wrong_arguments", "godot.rpc.method_not_found", "godot.rpc.method_missing", "godot.rpc.despawned",
               "godot.rpc.node_not_found", "godot.rpc.checksum_failed", "godot.path.node_not_found", "godot.path.redefined",
               "godot.path.checksum_refused", "godot.sys.not_server", "godot.net_id.unknown"}


@functools.lru_cache(maxsize=None)
def frames(path, two_pass=True, *options):
    return tshark.packets(path, *options, two_pass=two_pass)


def path_of(name):
    return FOLDER / f"{name}.pcapng"


def received(frame):
    return "godot.recorder.received" in frame.names() and frame.one("godot.recorder.received") and "godot.session" in frame.names()


def lines(found):
    """Frames of reports of errors."""
    return [frame for frame in found if "godot.recorder.kind" in frame.names() and frame.one("godot.recorder.kind") == r.REPORT and "godot.engine.text" in frame.names()]


def merged(tmp_path, game):
    paths = sorted(FOLDER.glob(f"{game}.*.pcapng"))
    target = tmp_path / "merged.pcapng"
    subprocess.run(["mergecap", "-w", target, *paths], check=True)
    return target


@every
def test_every_report_is_shown(name):
    """With the fields of the record, in both passes."""
    wanted = [(KINDS[x.text["type"]], " ".join(x.text["text"].split()), x.text.get("function"), x.text.get("line")) for x in test_reports.reports(name)]
    for two_pass in (False, True):
        shown = [(f.one("godot.engine.kind"), " ".join(f.one("godot.engine.text").split()), f.one("godot.engine.function"), f.one("godot.engine.line"))
                 for f in lines(frames(path_of(name), two_pass))]
        assert shown == wanted
    for frame in lines(frames(path_of(name))):
        expert = "godot.engine.warning" if frame.one("godot.engine.kind") == "WARNING" else "godot.engine.error"
        assert expert in frame.names()


@every
def test_reports_and_packets_refer_to_each_other(name):
    found = {frame.number: frame for frame in frames(path_of(name))}
    about = {}
    for line, record in zip(lines(found.values()), test_reports.reports(name)):
        assert ("godot.engine.packet" in line.names()) == ("packet" in record.text)
        if "packet" in record.text:
            packet = found[line.one("godot.engine.packet")]
            assert packet.one("godot.recorder.number") == record.text["packet"] and packet.one("godot.recorder.recording") == record.recording
            about.setdefault(packet.number, []).append(line)
    for number, packet in found.items():
        if "godot.session" not in packet.names():
            continue
        reports = about.get(number, [])
        outputs = [f for f in found.values() if f.all("godot.engine.packet") == [number] and f not in reports]
        assert packet.all("godot.engine.report") == sorted(f.number for f in reports + outputs)[:16]
        if len(reports + outputs) > 16:
            assert "godot.capped" in packet.names()
            continue
        assert [t for t, k in zip(packet.all("godot.engine.text"), packet.all("godot.engine.kind")) if k.isupper()] == [f.one("godot.engine.text") for f in reports]


@every
def test_the_line_of_a_packet_ends_with_its_errors(name):
    found, infos = frames(path_of(name)), {number: info for number, _, info in tshark.listing(path_of(name), two_pass=True)}
    once = {number: info for number, _, info in tshark.listing(path_of(name))}
    for frame in found:
        if "godot.session" in frame.names():
            errors = [k for k in frame.all("godot.engine.kind") if k.isupper()]
            assert bool(errors) == bool(re.search(r" \[(SCRIPT ERROR|SHADER ERROR|ERROR|WARNING) ", infos[frame.number])), infos[frame.number]
            assert "ERROR" not in once[frame.number], "the report comes later"


@every
@pytest.mark.parametrize("two_pass", [False, True])
def test_nothing_else_is_concluded(name, two_pass):
    game = name.rpartition(".")[0]
    options = projects.option("refused4") if "refused" in game else projects.option("reports4") if "reports" in game else ()
    for frame in frames(path_of(name), two_pass, *options):
        if received(frame) and "godot.relayed" not in frame.names(): # which another peer reads
            silent = {"godot.net_id.unknown"} if "Sync" in frame.all("godot.command") else set() # of it the engine prints nothing
            assert not (CONCLUSIONS - silent) & frame.names(), frame.number
            assert not [e for e in frame.names() if e.startswith("godot.problem.") and "the engine" in str(frame.all(e))]


@pytest.mark.parametrize("game", sorted({name.rpartition(".")[0] for name in ALL}))
def test_both_ends(tmp_path, game):
    """The received record has the error, the sent one a reference."""
    path = merged(tmp_path, game)
    found = {frame.number: frame for frame in tshark.packets(path, two_pass=True)}
    referred = 0
    for frame in found.values():
        if "godot.session" in frame.names() and not frame.one("godot.recorder.received"):
            ends = frame.all("godot.received_in")
            wanted = sorted(report for end in ends for report in found[end].all("godot.engine.report"))
            assert sorted(frame.all("godot.engine.report")) == wanted and "godot.engine.text" not in frame.names()
            referred += bool(wanted)
            if ends:
                assert not CONCLUSIONS & frame.names(), frame.number
    assert referred or len(list(FOLDER.glob(f"{game}.*.pcapng"))) == 1 or game.endswith("large")


# --- statistics ---------------------------------------------------------------------------------------------------


@every
def test_summary(name):
    """Each text, as often as it was printed."""
    page = tshark.run(path_of(name), "-q", "-z", "godot,summary", two_pass=True).stdout
    said, _, rest = page.partition("What the engines have said")[2].partition("\nProblems")
    counted = {}
    for record in test_reports.reports(name):
        line = f"{KINDS[record.text['type']]} " + (f"{record.text['file']}:{record.text['line']}: " if record.text["type"] == "script" else "") + " ".join(record.text["text"].split())
        counted[line[:250]] = counted.get(line[:250], 0) + 1
    shown = {text[:250]: int(count) for count, text in re.findall(r"^  (\d+) × (.*)$", said, re.M)}
    assert shown.items() <= counted.items() and (len(shown) == len(counted) or "other texts" in said)
    assert "godot.engine." not in rest.replace("godot.engine.text ==", "") and ("No error, no warning." in said) == (not counted)
    for expression in re.findall(r"filter: (.*)$", said, re.M)[:8]:
        assert tshark.listing(path_of(name), "-Y", expression)


@every
def test_log(name):
    """All reports, in the order of time."""
    page = tshark.run(path_of(name), "-q", "-z", "godot,log", two_pass=True).stdout
    entries = re.findall(r"^ *([\d.]+) s  frame (\d+), (.*?): (.*?)(?:; about the packet in frame (\d+))?, filter: (.*)$", page, re.M)
    assert [float(e[0]) for e in entries] == sorted(float(e[0]) for e in entries)
    shown = {int(frame): about for _, frame, _, _, about, _ in entries}
    for line in lines(frames(path_of(name))):
        assert [int(shown[line.number])] if shown[line.number] else [] == line.all("godot.engine.packet")
    for *_, expression in entries[:5]:
        assert tshark.listing(path_of(name), "-Y", expression)


def test_rows():
    name = "godot-4.6-refused.server"
    place = tshark.workplace() / "said"
    place.mkdir(exist_ok=True)
    place.chmod(0o777)
    tshark.run(path_of(name), "-q", "-z", f"godot,messages,{place / 'messages.jsonl'}", two_pass=True)
    rows = [json.loads(line) for line in (place / "messages.jsonl").read_text().splitlines()]
    errors = {row["frame"]: row["engine_error"] for row in rows if row["engine_error"]}
    assert set(errors) == {frame.one("godot.engine.packet") for frame in lines(frames(path_of(name))) if "godot.engine.packet" in frame.names()}
    assert all(text.startswith("ERROR ") for text in errors.values()) and len(errors) > 50


def test_log_of_nothing():
    page = tshark.run(tshark.CAPTURES / "enet" / "godot-4.6-none.pcap", "-q", "-z", "godot,log").stdout
    assert "Nothing: neither a recording" in page


# --- records that no recorder makes -------------------------------------------------------------------------------

ONE, GAME, CLIENT = 0x11111111, 0x99, 1234567
EVENTS = (r.REPORT, r.OUTPUT, r.NODE, r.PAUSE, r.ORIGIN)


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"{}", b'{"left_out": 5}', b'{"left_out": {"reports": -9e99}}', b'{"type": "error"}',
                                     b'{"type": "odd", "text": "x"}', b'{"type": "error", "text": "x", "backtrace": [5, {}]}', b'{"stack": {}}',
                                     b'{"microseconds": -1}', b'{"microseconds": 1e15}', b'{"event": 7, "path": null}', b'{"packet": 4294967296}',
                                     b'{"text": "\xff\xfe", "type": "print"}', b'{"a":' * 20, b'{"thread": true'])
def test_odd_texts(tmp_path, payload):
    path = r.write(tmp_path / "made.pcap", [r.record(kind, ONE, payload=payload) for kind in EVENTS])
    assert len(tshark.packets(path, two_pass=True)) == len(EVENTS)
    tshark.run(path, "-q", "-z", "godot,log", "-z", "godot,summary")


@every
def test_who_says_it(name):
    """The column From of the profile Godot has it, as for packets: the peer of the record or, of a record of the process, the process."""
    found = frames(path_of(name))
    (process,) = {f.one("godot.recorder.process") for f in found if "godot.recorder.process" in f.names()}
    own = "server" if name.endswith("server") else next(f.one("godot.target.name") for f in found if received(f))
    rows = tshark.fields(path_of(name), "frame.number", "godot.from", two_pass=True)
    shown = {number: senders for (number,), senders in rows}
    said = [shown[f.number] for f in found if f.one("godot.recorder.kind") in (r.REPORT, r.OUTPUT, r.NODE, r.PAUSE)]
    assert all(len(senders) == 1 and senders[0] in (own, f"process {process}") for senders in said)


WHOLE = {
    r.REPORT: {"packet": 1, "type": "error", "text": "oops", "code": "!ok", "function": "f", "file": "res://a.gd", "line": 1, "thread": True,
               "backtrace": [{"function": "g", "file": "res://b.gd", "line": 2}], "left_out": {"reports": 1, "output": 2}},
    r.OUTPUT: {"packet": 1, "type": "print", "text": "hello", "thread": False},
    r.NODE: {"event": "renamed", "path": "Main/A", "from": "Main/B", "authority": 7, "scene": "res://a.tscn", "left_out": 3},
    r.PAUSE: {"microseconds": 1500000},
    r.ORIGIN: {"packet": 2, "stack": [{"function": "f", "file": "res://a.gd", "line": 7}]},
}


@pytest.mark.parametrize("kind", WHOLE)
def test_any_bytes(tmp_path, kind):
    """Records with members left out, with values of other types, with bytes changed, cut; a fixed seed. In both passes, with each page."""
    chance = random.Random(kind)
    odd = [None, True, -1, 1e300, 2 ** 63, "", "x" * 5000, [], {}, [[]], [{}] * 50, {"line": {}}, "\ud800"]
    made = [r.info(ONE, engine="4.6.3", game=GAME), r.numbered(1, ONE, 1, CLIENT, r.call(1, 0), received=True)]
    for _ in range(300):
        text = {name: chance.choice(odd) if chance.random() < 0.3 else value for name, value in WHOLE[kind].items() if chance.random() < 0.8}
        data = bytearray(json.dumps(text).encode())
        for _ in range(chance.choice([0, 0, 1, 5])):
            data[chance.randrange(len(data))] = chance.randrange(256)
        made.append(r.record(kind, ONE, payload=bytes(data[:chance.choice([None, chance.randrange(len(data))])])))
    path = r.write(tmp_path / "made.pcap", made)
    assert len(tshark.packets(path, two_pass=True)) == len(made)
    if kind not in (r.REPORT, r.OUTPUT): # these are shown at the packet, which is before them
        tshark.assert_consistent(path)
    tshark.run(path, "-q", "-z", "godot,log", "-z", "godot,summary", two_pass=True)


DECEPTIVE = "a\u202eb\x1b[31mc\u2028d\u2066e\nf\u009bg"
ESCAPED = "a\\u202eb [31mc\\u2028d\\u2066e f  g"
DECEIVES = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e\u2066]")


def deceptive_records(text):
    place = {"function": text, "file": text}
    return [
        r.info(ONE, engine="4.6.3", game=GAME, process=4),
        r.numbered(1, ONE, 1, CLIENT, r.call(1, 0), received=True),
        r.event(r.REPORT, ONE, 1, CLIENT, packet=1, type="script", text=text, code=text + "x", line=1, backtrace=[{**place, "line": 2}], **place),
        r.event(r.REPORT, ONE, 1, CLIENT, packet=1, type="error", text=text, line=1, **place),
        r.event(r.REPORT, ONE, 1, CLIENT, packet=1, type="warning", text=text, line=1, **place),
        r.event(r.OUTPUT, ONE, type="print", text=text),
        r.event(r.NODE, ONE, event=text, path=text, scene=text, **{"from": text}),
        r.event(r.ORIGIN, ONE, packet=2, stack=[{**place, "line": 7}]),
        r.numbered(2, ONE, 1, CLIENT, r.call(1, 0)),
    ]


def test_characters_that_deceive(tmp_path):
    """In no line of the list, the tree, an expert info or a page. godot.recorder.text has the bytes of the record, as Wireshark's own JSON."""
    path = r.write(tmp_path / "made.pcap", deceptive_records(DECEPTIVE))
    infos = [info for *_, info in tshark.listing(path, two_pass=True)]
    pages = [tshark.run(path, "-q", "-z", page, two_pass=True).stdout for page in ("godot,log", "godot,summary", "expert")]
    shown = [field.get(what, "") for packet in tshark.pdml(path, two_pass=True) for layer in packet for field in layer.iter("field")
             if field.get("name").startswith("godot.") and field.get("name") != "godot.recorder.text" for what in ("show", "showname")]
    assert [text for text in [*infos[2:8], *pages] if ESCAPED not in text] == [] and sum(ESCAPED in text for text in shown) > 40
    assert not [text for text in infos + pages + shown if DECEIVES.search(text)]
    origin = next(info for info in infos if info.startswith("Origin"))
    assert origin == f"Origin of the next packet: {ESCAPED}:7 @ {ESCAPED}()"
    assert f"{ESCAPED} ({ESCAPED}:2 @ {ESCAPED}())" in pages[2]


def test_long_places(tmp_path):
    """A file and a function have not more than 200 bytes of a line."""
    path = r.write(tmp_path / "made.pcap", deceptive_records("€" * 3000))
    cut = "€" * 66 + "…"
    infos = [info for *_, info in tshark.listing(path, two_pass=True)]
    assert f"Origin of the next packet: {cut}:7 @ {cut}()" in infos
    found = tshark.packets(path, two_pass=True)
    assert found[2].one("godot.engine.backtrace") == f"{cut}:2 @ {cut}()" and found[7].one("godot.origin") == f"{cut}:7 @ {cut}()"


def test_numbers_without_a_packet(tmp_path):
    """Of a packet that comes later, of one that was sent, of none, of another recording."""
    error = {"type": "error", "text": "oops"}
    path = r.write(tmp_path / "made.pcap", [
        r.event(r.REPORT, ONE, packet=1, **error), r.numbered(1, ONE, 1, CLIENT, r.call(1, 0)), r.event(r.REPORT, ONE, packet=1, **error),
        r.event(r.REPORT, ONE, packet=0, **error), r.event(r.REPORT, ONE, packet=-1, **error), r.event(r.REPORT, GAME, packet=1, **error)])
    assert not [frame for frame in tshark.packets(path, two_pass=True) if {"godot.engine.packet", "godot.engine.report"} & frame.names()]


def test_limits(tmp_path):
    """Reports about one packet, packets of which a report can be, levels of a stack."""
    error = {"type": "error", "text": "oops"}
    stack = [{"function": "f", "file": "res://a.gd", "line": n} for n in range(50)]
    path = r.write(tmp_path / "made.pcap", [
        r.numbered(1, ONE, 1, CLIENT, r.call(1, 0), received=True), *[r.event(r.REPORT, ONE, packet=1, **error, backtrace=stack) for _ in range(20)],
        *[r.numbered(n, ONE, 1, CLIENT, r.call(1, 0), received=True) for n in range(2, 67)],
        r.event(r.REPORT, ONE, packet=2, **error), r.event(r.REPORT, ONE, packet=3, **error)])
    found = tshark.packets(path, two_pass=True)
    assert len(found[0].all("godot.engine.report")) == 16 and len(found[1].all("godot.engine.backtrace")) == 32
    assert "godot.engine.packet" not in found[-2].names() and "godot.engine.packet" in found[-1].names()


def test_silence_proves_nothing_if_reports_are_left_out(tmp_path):
    """And neither does that of a recorder that has no reports, nor that of Godot 4.4."""
    error = {"methods": [{"name": "jump", "mode": "disabled"}], "script": "res://a.gd"}
    import hashlib
    announced = r.simplify(hashlib.md5(b"jump").hexdigest(), 1, "Main")
    for engine, left_out, concluded in (("4.6.3", None, False), ("4.6.3", {"left_out": {"reports": 1}}, True), ("4.6.3", {"left_out": {"output": 1}}, False),
                                        ("4.4.1", None, True), ("5.0", None, False)):
        made = [r.info(ONE, engine=engine, game=GAME), r.names(ONE, path="Main", **error), r.numbered(1, ONE, 1, CLIENT, announced, received=True),
                r.numbered(2, ONE, 1, CLIENT, r.call(1, 0), received=True)]
        made += [r.event(r.REPORT, GAME, **left_out)] if left_out else []
        found = tshark.packets(r.write(tmp_path / "made.pcap", made), two_pass=True)
        assert ("godot.rpc.not_allowed" in found[3].names()) == concluded, (engine, left_out)


def test_origin(tmp_path):
    """Stands before its packet, so that it is known in the first pass."""
    stack = [{"function": "_process", "file": "res://a.gd", "line": 7}]
    path = r.write(tmp_path / "made.pcap", [
        r.event(r.ORIGIN, ONE, packet=1, stack=stack), r.numbered(1, ONE, 1, CLIENT, r.call(1, 0)),
        r.event(r.ORIGIN, ONE, packet=9, stack=stack), r.numbered(2, ONE, 1, CLIENT, r.call(1, 0)), r.numbered(9, ONE, 1, CLIENT, r.call(1, 0))])
    for two_pass in (False, True):
        found = tshark.packets(path, two_pass=two_pass)
        assert found[1].one("godot.origin") == "res://a.gd:7 @ _process()" and found[1].one("godot.origin.record") == 1
        assert "godot.origin" not in found[3].names() | found[4].names(), "another packet came in between"
    assert found[0].one("godot.origin.packet") == 2


def test_packets_that_were_cut(tmp_path):
    """At Wireshark's limit: the length is the original one, what follows is read."""
    name = "godot-4.6-large.server"
    (large,) = [frame for frame in frames(path_of(name)) if frame.one("frame.len") > 262144]
    assert large.one("godot.wire_length") == 300003 and large.one("frame.cap_len") <= 262144
    after = [f.one("godot.rpc.call") for f in frames(path_of(name)) if f.number > large.number and "godot.rpc.call" in f.names()]
    assert len(after) >= 20
    page = tshark.run(path_of(name), "-q", "-z", "godot,summary").stdout
    assert "1 recorded packet was longer than Wireshark reads" in page and "300003 bytes" in page


@pytest.mark.parametrize("length, same", [(294, True), (300, True), (301, False)])
def test_filter_of_a_long_text(tmp_path, length, same):
    """300 bytes of a line are shown. The filter of a longer text is that of the first frame with it."""
    path = r.write(tmp_path / "made.pcap", [r.event(r.REPORT, ONE, type="error", text="x" * length)] * 2)
    page = tshark.run(path, "-q", "-z", "godot,summary", two_pass=True).stdout
    (shown,), (expression,) = re.findall(r"^  2 × (ERROR x+)", page, re.M), re.findall(r"first in frame 1, filter: (.*)$", page, re.M)
    assert shown == "ERROR " + "x" * min(length, 294)
    assert [number for (number,), in tshark.fields(path, "frame.number", arguments=("-Y", expression))] == ([1, 2] if same else [1])
