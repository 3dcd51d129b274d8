"""The remote debugger: every message of the engines' logs, framing, other protocols on the same port, bad input.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import re
import struct
import xml.etree.ElementTree

import pytest

import engine_logs
import pcap
import tshark
import values

GAME, EDITOR = 0, 1  # godot.debugger.direction
SERVER = (pcap.SERVER[0], 6007)


# --- making messages ------------------------------------------------------------------------------------------


def string(text):
    data = text.encode()
    return struct.pack("<II", 4, len(data)) + data + bytes(-len(data) % 4)


def number(value):
    return struct.pack("<Ii", 2, value)


def array(*values, header=28):
    return struct.pack("<II", header, len(values)) + b"".join(values)


def frame(variant):
    return struct.pack("<I", len(variant)) + variant


def message(name, *arguments):
    return frame(array(string(name), number(1), array(*arguments)))


STACK = ("res://a.gd", 7, "_ready"), ("res://b.gd", 12, "go")
DUMP = message("stack_dump", number(6), *(part for file, line, function in STACK for part in (string(file), number(line), string(function))))
ERROR = message(
    "error", number(12), number(34), number(56), number(789), string("res://main.gd"), string("_process"), number(128),
    string("Division by zero."), string("in the game"), struct.pack("<II", 1, 0), number(0),
)  # fmt: skip
WARNING = ERROR.replace(struct.pack("<II", 1, 0) + number(0), struct.pack("<II", 1, 1) + number(0))


@pytest.fixture
def connection(tmp_path):
    """Writes a connection on port 6007 (or another) and returns the path."""

    def write(segments, server=SERVER, name="debugger.pcap"):
        return pcap.write(tmp_path / name, pcap.tcp(segments, server=server))

    return write


def infos(path, *arguments, **options):
    return [info for _, protocol, info in tshark.listing(path, *arguments, **options) if protocol == "Debugger"]


# --- what engines sent ----------------------------------------------------------------------------------------

CAPTURES = sorted((tshark.CAPTURES / "debugger").glob("godot-*.pcap*"))


def logged(path, what):
    """The messages that the listener, which is an engine, sent or received."""
    log = path.with_name(path.name.split(".pcap")[0] + ".listener.log.gz")
    return [entry for entry in engine_logs.records(log) if entry["what"] == what]


def shown_arguments(layer):
    """The values of a message (elements of an Array are below that, not here); of Godot 3, where a frame is
    part of a message, those of the frame."""
    return values.children(layer)


def logged_arguments(entry, direction):
    """Of Godot 4's [name, thread id, [arguments]], Godot 3's [name, arguments…] and Godot 3's single values."""
    value = entry["value"]
    if entry["type"] == 28:
        return value["Array"][2]["Array"]
    if direction == EDITOR:
        return value["Array"][1:]
    return value["Array"] if entry["name"] == "error" and entry["type"] == 19 else [value]


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.name)
@pytest.mark.parametrize("direction,what", [(GAME, "from game"), (EDITOR, "to game")])
def test_every_logged_message_is_shown(path, direction, what):
    frames = tshark.packets(path, "-o", "godot.variant.max_elements:5000", "-Y", "godot.debugger")
    layers = [layer for one in frames for layer in one.children if layer.name == "godot.debugger"]
    shown = [layer for layer in layers if layer.all("godot.debugger.direction") == [direction]]
    expected = logged(path, what)
    assert len(expected) > 0
    assert [layer.one("godot.debugger.message") for layer in shown] == [entry["name"] for entry in expected]
    for layer, entry in zip(shown, expected):
        arguments = shown_arguments(layer)
        if "value" not in entry or "godot.variant.not_shown" in layer or not arguments:
            assert "value" not in entry or arguments or entry["type"] in (2, 4) or logged_arguments(entry, direction) == []
            continue
        for node, argument in zip(arguments, logged_arguments(entry, direction), strict=True):
            assert values.same(values.read(node), argument), entry["name"]


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.name)
def test_engines_break_no_rule(path):
    allowed = {"godot.debugger.error", "godot.debugger.warning", "godot.debugger.break", "godot.debugger.not_shown"}
    names = {name for _, name, severity, _ in tshark.experts(path) if severity not in ("comment", "chat")}
    assert names <= allowed


# --- names and lines ------------------------------------------------------------------------------------------


def labels(layer):
    return [node.name for node in layer.walk()]


def test_lines(connection):
    path = connection([
        message("performance:profile_frame", struct.pack("<If", 3, 60.0), struct.pack("<If", 3, 0.5)),
        ERROR,
        DUMP,
        message("scene:scene_tree", *[part for i in range(12) for part in (number(0), string(f"N{i}"), string("Node"), number(i), string(""), number(0))]),
        (True, message("get_stack_dump")),
        message("my_game:score", number(3), string("red")),
        message("output", struct.pack("<III", 34, 1, 6) + b"hello\n" + bytes(2), struct.pack("<III", 30, 1, 0)),
    ])  # fmt: skip
    assert infos(path) == [
        "performance:profile_frame fps 60",
        "error res://main.gd:128 Division by zero. in the game",
        "stack_dump 2 frames",
        "scene:scene_tree 12 nodes",
        "get_stack_dump",
        'my_game:score 3, "red"',
        "output hello",
    ]
    tshark.assert_consistent(path)


def test_arguments_have_names(connection):
    text = tshark.run(connection([DUMP]), "-O", "godot.debugger", "-V").stdout
    for line in ("stack: 6", 'file 0: "res://a.gd"', "line 0: 7", 'function 1: "go"'):
        assert re.search(rf"^\s+{re.escape(line)}", text, re.M), line


def test_expert_infos_are_the_error_log(connection):
    path = connection([ERROR, WARNING, message("debug_enter", struct.pack("<II", 1, 1), string("Breakpoint"), struct.pack("<II", 1, 0), number(1))])
    assert [(name, severity, text) for _, name, severity, text in tshark.experts(path)] == [
        ("godot.debugger.error", "error", "res://main.gd:128 @ _process(): Division by zero.: in the game"),
        ("godot.debugger.warning", "warning", "res://main.gd:128 @ _process(): Division by zero.: in the game"),
        ("godot.debugger.break", "note", "The game stopped: Breakpoint"),
    ]


def test_characters_that_deceive(connection):
    """In no line that the plugin makes of the words of a game, its files and functions. Fields of arguments have the bytes of the stream."""
    text, escaped = "a\u202eb\x1b[31mc\u2028d\u2066e\nf", "a\\u202eb [31mc\\u2028d\\u2066e f"
    error = message("error", number(12), number(34), number(56), number(789), string(text), string(text), number(128), string(text), string(text + "x"),
                    struct.pack("<II", 1, 0), number(3), string(text), string(text), number(37))  # fmt: skip
    path = connection([error, message("output", packed_strings(text), struct.pack("<III", 30, 1, 0))])
    pages = [tshark.run(path, "-q", "-z", page, two_pass=True).stdout for page in ("godot,log", "godot,summary", "expert")]
    said = [field.get(what, "") for packet in tshark.pdml(path, two_pass=True) for field in packet.iter("field") if field.get("name").startswith("godot.engine.")
            for what in ("show", "showname")]
    shown = [*infos(path, two_pass=True), *pages, *said]
    assert not [line for line in shown if re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e\u2066]", line)]
    assert sum(escaped in line for line in shown) > 10 and f"{escaped}:37 @ {escaped}()" in said


def test_each_line_that_a_game_prints(connection):
    """The engine joins lines; a message has not more than 200."""
    path = connection([message("set_pid", number(77)), message("output", packed_strings("one\ntwo\n", "three"), struct.pack("<IIII", 30, 2, 0, 1)),
                       message("output", packed_strings("x\n" * 300), struct.pack("<III", 30, 1, 0))])
    first, many = [layer for frame in tshark.packets(path) for layer in frame.children if layer.name == "godot.debugger"
                   and layer.one("godot.debugger.message") == "output"]
    assert first.all("godot.engine.text") == ["one", "two", "three"] and first.all("godot.engine.kind") == ["print", "print", "printerr"]
    assert len(many.all("godot.engine.text")) == 200 and many.all("godot.from") == ["process 77"]


def test_warnings_name_the_script(connection):
    """replacement for bytes that are not UTF-8"""
    pushed = message(
        "error", number(0), number(0), number(0), number(461), string("core/variant/variant_utility.cpp"), string("push_warning"),
        number(1034), string("careful, dog"), string(""), struct.pack("<II", 1, 1), number(3), string("res://main.gd"), string("order"), number(37),
    )  # fmt: skip
    path = connection([pushed, ERROR])
    assert infos(path) == ["warning res://main.gd:37 careful, dog", "error res://main.gd:128 Division by zero. in the game"]
    assert [(name, text) for _, name, _, text in tshark.experts(path)] == [
        ("godot.debugger.warning", "res://main.gd:37 @ order(): careful, dog"),
        ("godot.debugger.error", "res://main.gd:128 @ _process(): Division by zero.: in the game"),
    ]
    assert names(path) == ["error", "error"]  # the text on the wire


def packed_strings(*texts):
    data = b"".join(struct.pack("<I", len(text.encode()) + 1) + text.encode() + bytes(4 - len(text.encode()) % 4) for text in texts)
    return struct.pack("<II", 34, len(texts)) + data


def assert_well_formed(path):
    for layout in ("psml", "pdml"):
        text = tshark.run(path, "-T", layout).stdout
        assert "\ufffd" not in text, layout  # what bytes that are not UTF-8 are read as
        xml.etree.ElementTree.fromstring(text)


@pytest.mark.parametrize("shift", range(4))
def test_long_lines_are_cut_between_characters(connection, shift):
    long = "x" * shift + "\u0142\u20ac" * 300
    segments = [
        message("output", packed_strings(long), struct.pack("<III", 30, 1, 0)),
        message("my:own", string(long), string(long)),
        message("my:" + "n" * 61, array(string(long))),
        ERROR.replace(string("in the game"), string(long)).replace(ERROR[:4], struct.pack("<I", len(ERROR) - 4 + len(string(long)) - len(string("in the game"))), 1),
        (True, message("breakpoint", string(long), number(3))),
    ]
    path = connection(segments)
    assert_well_formed(path)
    assert len(infos(path)) == len(segments)
    assert all("\u0142\u20ac" in info and len(info.encode()) < 300 for info in infos(path))
    v3 = [string("output"), number(1), array(string(long), header=19)]
    path = connection([b"".join(map(frame, v3))], name="v3.pcap")
    assert_well_formed(path)


def test_control_characters_do_not_reach_the_terminal(connection):
    evil = "a\x1b[31mb\x7fc\u009b31md\u0085e"
    path = connection([message("output", packed_strings(evil), struct.pack("<III", 30, 1, 0)), message("my:own", string(evil))])
    assert infos(path) == ["output a [31mb c  31md  e", 'my:own "a [31mb c  31md  e"']
    for line in tshark.run(path, "-V").stdout.splitlines():
        if "Godot Remote Debugger" in line:
            assert not re.search("[\x00-\x1f\x7f-\x9f]", line)


def test_nuls_are_not_a_name(connection):
    path = connection([frame(array(struct.pack("<II", 4, 4) + bytes(4), number(1), array()))], server=(pcap.SERVER[0], 16007))
    assert "Debugger" not in {protocol for _, protocol, _ in tshark.listing(path)}


def test_godot_3(connection):
    """From game to editor, a message consists of many frames; from editor to game, of one Array."""
    record = array(*map(number, (1, 2, 3, 4)), string("_ready"), string("res://main.gd"), number(9), string("oops"), string(""), struct.pack("<II", 1, 0), header=19)
    parts = [string("error"), number(5), record, number(3), string("res://main.gd"), number(9), string("_ready")]
    path = connection([b"".join(map(frame, parts[:3])), b"".join(map(frame, parts[3:])), (True, frame(array(string("breakpoint"), string("res://a.gd"), number(3), header=19)))])
    frames = tshark.packets(path, "-Y", "godot.debugger")
    layers = [layer for one in frames for layer in one.children if layer.name == "godot.debugger"]
    assert [layer.one("godot.debugger.message") for layer in layers] == ["error"] * 7 + ["breakpoint"]
    assert [layer.all("godot.debugger.argument") for layer in layers] == [[], [], [0], [1], [2], [3], [4], []]
    assert layers[5].one("godot.debugger.message_in") == frames[0].number
    assert [(name, text) for _, name, _, text in tshark.experts(path)] == [("godot.debugger.error", "res://main.gd:9 @ _ready(): oops")]
    assert infos(path)[-1] == 'breakpoint "res://a.gd", 3, true' or infos(path)[-1] == 'breakpoint "res://a.gd", 3'
    tshark.assert_consistent(path)


def test_godot_3_names_end_with_their_frames(connection):
    """The bytes after an empty String are not part of it, even where they would make it a name."""
    parts = [string("error"), number(0), string("")]
    path = connection([b"".join(map(frame, parts)) + b"message:", frame(string("message:own")) + frame(number(0))])
    assert names(path) == ["error", "error", "message:own", "message:own"]
    tshark.assert_consistent(path)


# --- framing --------------------------------------------------------------------------------------------------

CONVERSATION = [message("set_pid", number(77)), DUMP, ERROR, message("debug_exit"), message("my:thing", string("x" * 3000))]


def names(path, *arguments, **options):
    return [name for row in tshark.fields(path, "godot.debugger.message", arguments=arguments, **options) for name in row[0]]


@pytest.mark.parametrize("seed", range(6))
def test_any_segmentation(connection, seed):
    source = random.Random(seed)
    data = b"".join(CONVERSATION)
    sizes = [source.randrange(1, 400) for _ in range(400)]
    path = connection(pcap.cut(data, *sizes))
    assert names(path) == ["set_pid", "stack_dump", "error", "debug_exit", "my:thing"]
    assert not [expert for expert in tshark.experts(path) if expert[1] not in ("godot.debugger.error",)]


def test_capture_that_begins_in_the_middle(connection):
    path = connection([b"".join(CONVERSATION)[25:]], server=SERVER)
    assert names(path) == ["stack_dump", "error", "debug_exit", "my:thing"]
    assert "godot.debugger.resync" in [name for _, name, _, _ in tshark.experts(path)]
    tshark.assert_consistent(path)


@pytest.mark.parametrize("length", [0, 3, 5, 8 << 20, (8 << 20) + 4, 0x7FFFFFFF, 0xFFFFFFFF])
def test_bad_lengths(connection, length):
    data = CONVERSATION[0] + struct.pack("<I", length) + b"\xff" * 40 + DUMP
    path = connection([data, CONVERSATION[3]])
    found = names(path)
    assert found[0] == "set_pid"
    if length != 8 << 20:  # the longest allowed one: Wireshark waits for it
        assert found[1:] == ["stack_dump", "debug_exit"]
    if length > 8 << 20:
        assert "godot.debugger.too_long" in [name for _, name, _, _ in tshark.experts(path)]


def test_invalid_messages(connection):
    path = connection([CONVERSATION[0], frame(string("hello")), frame(array(number(1))), frame(array(string("a"), number(1), number(2))), DUMP + b"\0\0"])
    experts = [name for _, name, _, _ in tshark.experts(path) if name.startswith("godot.debugger")]
    assert experts.count("godot.debugger.not_a_message") == 3
    assert names(path) == ["set_pid", "stack_dump"]


def test_many_arguments_are_capped(connection):
    path = connection(pcap.cut(message("my:list", *[number(i) for i in range(20000)]), 60000))
    ((_, name, _, text),) = tshark.experts(path)
    shown = len(tshark.packets(path, "-Y", "godot.debugger")[0].all("godot.variant.int"))
    assert name == "godot.debugger.not_shown" and 0 < shown < 20000
    assert text == f"{20000 - shown} more arguments are not shown one by one"
    assert tshark.fields(path, "godot.debugger.argument_count", arguments=["-Y", "godot.debugger"]) == [([20000],)]


def test_every_truncation(tmp_path):
    """Each connection ends with a FIN inside of the message."""
    packets = []
    for i in range(1, len(ERROR), 3):
        packets += pcap.tcp([CONVERSATION[0], ERROR[:i]], client=(pcap.CLIENT[0], 20000 + i), server=SERVER)
    path = pcap.write(tmp_path / "truncated.pcap", packets)
    tshark.run(path, verbose=True)
    assert set(names(path)) <= {"set_pid", "error"}


def test_noise(tmp_path):
    source = random.Random(3)
    packets = []
    for i in range(150):
        data = bytearray(b"".join(CONVERSATION))
        for _ in range(source.randrange(1, 60)):
            data[source.randrange(len(data))] = source.randrange(256)
        packets += pcap.tcp([bytes(data)], client=(pcap.CLIENT[0], 20000 + i), server=SERVER)
    path = pcap.write(tmp_path / "noise.pcap", packets)
    tshark.run(path, verbose=True)
    tshark.run(path, two_pass=True)


# --- finding it -----------------------------------------------------------------------------------------------


def test_other_ports(connection):
    path = connection(CONVERSATION, server=(pcap.SERVER[0], 4321))
    assert names(path)[0] == "set_pid"
    assert names(path, "--disable-heuristic", "godot_debugger_tcp") == []
    assert names(path, "--disable-heuristic", "godot_debugger_tcp", "-d", "tcp.port==4321,godot.debugger")[0] == "set_pid"
    assert names(path, "--disable-heuristic", "godot_debugger_tcp", "-o", "godot.debugger.tcp.port:4321")[0] == "set_pid"


def test_other_ports_once_found(connection):
    """A segment that proves nothing by itself: the beginning of a message, then its rest."""
    segments = [CONVERSATION[0], ERROR[:8], ERROR[8:], CONVERSATION[0]]
    path = connection(segments, server=(pcap.SERVER[0], 4321))
    assert names(path) == names(connection(segments, name="default-port.pcap")) == ["set_pid", "error", "set_pid"]


X11_SETUP = b"l\0" + struct.pack("<HHHHH", 11, 0, 18, 16, 0) + b"MIT-MAGIC-COOKIE-1" + bytes(2) + bytes(range(16))


def test_x11_keeps_its_display_7(connection):
    path = connection([X11_SETUP, (True, b"\1\0" + struct.pack("<HHH", 11, 0, 8) + bytes(32))])
    protocols = {protocol for _, protocol, _ in tshark.listing(path)}
    assert "X11" in protocols and "Debugger" not in protocols
    assert {protocol for _, protocol, _ in tshark.listing(connection(CONVERSATION))} == {"TCP", "Debugger"}


def test_x11_port_of_another_plugin(connection):
    """Another plugin uses port 6000: it gets that port, but nothing on the debugger's port."""
    other = tshark.with_plugin("other-dissectors")
    path = connection([X11_SETUP, (True, b"\1\0" + struct.pack("<HHH", 11, 0, 8) + bytes(32))])
    assert {protocol for _, protocol, _ in tshark.listing(path, **other)} == {"TCP", "X11"}
    path = connection([X11_SETUP], server=(pcap.SERVER[0], 6000))
    assert "Other" in {protocol for _, protocol, _ in tshark.listing(path, **other)}
    path = connection(CONVERSATION, server=(pcap.SERVER[0], 6000))
    options = ["-d", "tcp.port==6000,godot.debugger"]
    assert {protocol for _, protocol, _ in tshark.listing(path, *options, **other)} == {"TCP", "Debugger"}


def test_http_is_left_alone(connection):
    path = connection([b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", (True, b"Content-Length: 22\r\n\r\n{\"jsonrpc\":\"2.0\"}")])
    assert not names(path)


# --- others on the debugger's port ------------------------------------------------------------------------------

ORDINARY = tshark.CAPTURES / "debugger" / "ordinary-port-6007.pcap"


@pytest.mark.parametrize("two_pass", [False, True], ids=["one-pass", "two-pass"])
@pytest.mark.parametrize("options", [[], ["--enable-heuristic", "godot_stream_tcp"]], ids=["as-it-is", "all-heuristics"])
def test_other_protocols_on_the_port(two_pass, options):
    """HTTP, TLS and lines of text: the debugger and X11 claim nothing, and their own dissectors get them."""
    columns = ("tcp.stream", "frame.protocols", "http.request.method", "http.response.code", "tls.handshake.type")
    rows = tshark.fields(ORDINARY, *columns, arguments=options, two_pass=two_pass)
    layers = [layer for row in rows for layer in row[1][0].split(":")]
    assert not [layer for layer in layers if layer.startswith(("godot", "enet", "x11"))]

    def found(column):
        return sorted((row[0][0], value) for row in rows for value in row[column])

    assert found(2) == [(0, "GET"), (0, "GET"), (1, "POST"), (2, "PUT")]
    assert found(3) == [(0, 200), (0, 200), (1, 200), (2, 100), (2, 501)]
    assert {stream for stream, kind in found(4) if kind == 1} == {3, 4, 5}


def test_text_of_a_debugger_before_its_messages(connection):
    """A capture that begins inside of a long text: its sender is recognised as a debugger later."""
    rest = b"the rest of a long line that the game printed".ljust(60) + message("output", array(string("hi"), header=28))
    path = connection([rest[:40], rest[40:60], rest[60:], message("output", array(string("again"), header=28))])
    assert names(path) == ["output", "output"]
    tshark.assert_consistent(path)
    assert names(path, two_pass=True) == ["output", "output"]


def test_the_editor_speaks_first(connection):
    """The first message shows which end is the editor: the capture begins in the middle."""
    path = connection([(True, message("continue")), message("output", array(string("hi"), header=28))])
    shown = [layer.one("godot.debugger.direction") for one in tshark.packets(path) for layer in one.children if layer.name == "godot.debugger"]
    assert shown == [EDITOR, GAME]


def test_a_printed_word_of_the_editor_shows_no_end(connection):
    """Captured late: the first value of Godot 3 is what the game has printed, a text and its kind."""
    printed = frame(array(string("break"), number(0), header=19))
    output = [frame(string("output")), frame(number(1)), frame(array(string("hello"), number(0), header=19))]
    path = connection([printed, *output])
    assert [row[0] for row in tshark.fields(path, "godot.debugger.direction") if row[0]] == [[GAME]] * 4


def test_unknown_bytes_before_the_messages(connection):
    """Bytes before the first message are dissected without it, in every pass."""
    for server in (SERVER, (pcap.SERVER[0], 16007)):
        options = ["-d", "tcp.port==16007,godot.debugger"]
        path = connection([b"\x01\xff" * 20, b"\x02\xfe" * 20, *CONVERSATION], server=server)
        tshark.assert_consistent(path, *options)


def test_recognised_after_bytes_that_another_dissector_waited_for(connection):
    """03 00 00 20 is a length of TPKT: the heuristic finds the message after it in the same segment."""
    path = connection([b"\x03\x00\x00\x20", b"\xff" * 28 + message("output", array(string("hi"), header=28)),
                       *CONVERSATION], server=(pcap.SERVER[0], 16007))
    assert names(path)
    tshark.assert_consistent(path)


def test_websocket_subprotocol_binary_is_free(tmp_path):
    """The sub-protocol "binary" is also used by other programs: the heuristic recognises messages by their
    content; if it is switched off, none are claimed."""
    path = tshark.CAPTURES / "debugger" / "godot-4.6-websocket.pcap"
    protocols = {protocol for _, protocol, _ in tshark.listing(path)}
    assert "Debugger" in protocols and "Variant" not in protocols and "Godot" not in protocols
    protocols = {protocol for _, protocol, _ in tshark.listing(path, "--disable-heuristic", "godot_debugger_ws")}
    assert "Debugger" not in protocols


def test_what_it_means_comes_first():
    """The message and its arguments come before the encoding."""
    encoding = {"godot.debugger.length", "godot.debugger.direction", "godot.debugger.thread_id", "godot.debugger.argument_count"}
    path, compared = tshark.CAPTURES / "debugger" / "godot-4.6-tcp.pcap", 0
    for frame in tshark.packets(path, "-Y", "godot.debugger"):
        for layer in (layer for layer in frame.children if layer.name == "godot.debugger"):
            compared += 1
            rows = [row for row in layer.children if not row.name.startswith("_ws")]
            assert rows[0].name == "godot.debugger.message" and rows[-1].name == "godot.debugger.encoding"
            assert all(row.name.startswith(("godot.variant.", "godot.engine.", "godot.from", "godot.to", "godot.debugger.stopped")) for row in rows[1:-1])
            assert {row.name for row in rows[-1].children} == encoding
    assert compared > 20


@pytest.mark.parametrize("name, place", [("godot-4.6-tcp", "res://main.gd:37"), ("godot-3.6-tcp", "res://main.gd:28")])
@pytest.mark.parametrize("two_pass", [False, True])
def test_a_warning_names_the_script(name, place, two_pass):
    """Not the line of the engine that printed it; with Godot 3, in the frame that contains the place."""
    path = tshark.CAPTURES / "debugger" / f"{name}.pcap"
    lines = tshark.run(path, "-Y", "godot.debugger", "-T", "fields", "-e", "_ws.col.Info", two_pass=two_pass).stdout
    assert f"warning {place} careful, dog" in lines


@pytest.mark.parametrize("name, stops", [("godot-4.6-tcp", 5), ("godot-3.6-tcp", 5)])
@pytest.mark.parametrize("two_pass", [False, True])
def test_how_long_a_game_stops(name, stops, two_pass):
    """From each debug_enter to the debug_exit after it."""
    expected, entered = [], None
    for number, time, messages, lasted, entered_in in tshark.fields(
            tshark.CAPTURES / "debugger" / f"{name}.pcap", "frame.number", "frame.time_relative", "godot.debugger.message", "godot.debugger.stopped",
            "godot.debugger.stopped_in", arguments=["-Y", "godot.debugger.message"], two_pass=two_pass):
        found = iter(zip(lasted, entered_in))
        for message in messages:
            if message == "debug_exit" and entered:
                expected.append(entered)
                seconds, frame = next(found)
                assert frame == entered[0] and seconds == pytest.approx(time[0] - entered[1], abs=1e-6)
                entered = None
            elif message == "debug_enter" and not entered:
                entered = number[0], time[0]
        assert not list(found)
    assert len(expected) == stops
