"""examples/netfox.lua: what it shows of games with netfox under the engine, compared with the logs of the games.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import gzip
import json
import pathlib
import random
import re
import tempfile

import pytest

import lua
import pcap
import projects
import tshark

FOLDER = tshark.CAPTURES / "netfox"
SCRIPT = tshark.ROOT / "examples" / "netfox.lua"
CAPTURES = {"calls": ".pcap", "raw": ".pcap", "loss": ".pcap", "schema": ".pcap", "recorded": ".server.pcapng"}
# Before 1.40: the number of values, and which have bytes; in 1.35 only differences, the rest are arrays.
OLD = {"1.39": 700, "1.39-schema": 250, "1.35": 250}
ALL_NAMES = {"position", "velocity", "health", "title", "movement", "jump", "aim", "phase", "modulate"}
NAMES = [pytest.param(name, marks=pytest.mark.slow) if name == "1.39" else name for name in (*CAPTURES, *OLD)]
OLD_NAMES = {"1.39": ALL_NAMES, "1.39-schema": ALL_NAMES, "1.35": {"position", "velocity", "health"}}
FORMS = 'local SCHEMAS = { [":velocity"] = "vec2f16", [":health"] = "uint8" }'

pytestmark = lua.needed


def options(name):
    text = SCRIPT.read_text(encoding="utf-8")
    if name.endswith("schema"):
        text = text.replace("local SCHEMAS = {}", FORMS)
        assert FORMS in text
    folder = projects.option("netfox4")[1].split(":", 1)[1]
    return (*lua.script(text, f"netfox-{name}.lua"), "-o", f"netfox.project:{folder}")


def capture(name, ending=None):
    return FOLDER / f"godot-4.6-{name}{ending or CAPTURES.get(name, '.pcap')}"


@functools.lru_cache(maxsize=None)
def frames(name, ending=None, two_pass=False):
    return tshark.packets(capture(name, ending), *options(name), "-Y", "netfox", two_pass=two_pass)


@functools.lru_cache(maxsize=None)
def log(name, process):
    with gzip.open(FOLDER / f"godot-4.6-{name}.{process}.log.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def clients(name):
    return [log(name, path.name.split(".")[-3]) for path in sorted(FOLDER.glob(f"godot-4.6-{name}.client*.log.gz"))]


def plain(text):
    """Numbers of a value, for comparing the form of a schema with what the engine prints; else the text."""
    numbers = re.findall(r"(?<![A-Za-z])-?\d+\.?\d*(?:e-?\d+)?", text)
    return tuple(f"{float(number):.6g}" for number in numbers) if numbers else text


def numbers(layer, field):
    """Of this layer, not of those below it. (Scripts' fields are texts to tshark.py.)"""
    return [int(child.value) for child in layer.children if child.name == field]


def values(frame):
    """(kind, tick, "node:property", text) of each value."""
    for layer in frame.nodes("netfox"):
        ticks = numbers(layer, "netfox.tick")
        for node in (child for child in layer.children if child.name == "netfox.node"):
            for item in (child for child in node.children if child.name == "netfox.property"):
                yield ticks[0], f"/root/{node.value}:{item.value}", item.all("netfox.value")[0]


@functools.lru_cache(maxsize=None)
def decoded(name, ending=None):
    found = collections.defaultdict(set)
    for frame in frames(name, ending):
        for tick, place, text in values(frame):
            found[tick, place].add(plain(text))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_value_is_what_its_sender_had(name):
    sent = collections.defaultdict(set)
    for records in (log(name, "server"), *clients(name)):
        for record in records:
            if record["what"] in ("state", "input", "synchronized"):
                tick = record["tick"] - (name in OLD and record["what"] == "synchronized") # since 1.40 that of the next
                for key, text in record["values"].items():
                    sent[tick, f"{record['node']}:{key}"].add(plain(text))
    found = decoded(name)
    rounded = {key for key in found if name.endswith("schema") and key[1].endswith(":velocity")}
    wrong = {key: (texts, sent.get(key)) for key, texts in found.items() if not texts <= sent.get(key, set()) and key not in rounded}
    # A state before the game's own nodes have their first tick is not in its log.
    assert len(found) > OLD.get(name, 700) and len(wrong) < len(found) / 100, list(wrong.items())[:5]
    assert {key[1].rsplit("/", 1)[-1].split(":")[-1] for key in found} == OLD_NAMES.get(name, ALL_NAMES)


@pytest.mark.parametrize("name", CAPTURES)
def test_every_state_and_input_that_arrived_is_shown(name):
    found, missing, count = decoded(name), [], 0
    for records in (log(name, "server"), *clients(name)):
        for record in records:
            if record["what"] in ("received_state", "received_input"):
                for place, text in record["values"].items():
                    count += 1
                    if plain(text) not in found[record["tick"], place]:
                        missing.append((record["tick"], place, text))
    assert count > 500 and not missing, missing[:5]


def test_both_recordings_show_the_same():
    server, client = decoded("recorded"), decoded("recorded", ".client1.pcapng")
    common = server.keys() & client.keys()
    assert len(common) > 700 and all(server[key] == client[key] for key in common)


@pytest.mark.parametrize("name", ["calls", "raw", "recorded"])
def test_lead_of_inputs(name):
    """How early an input arrives, compared with the server's own clock at that time."""
    now = {}
    for record in log(name, "server"):
        if record["what"] == "received_input":
            for place in record["values"]:
                now.setdefault((record["tick"], place.split(":")[0]), record["now"])
    differences = collections.Counter()
    for frame in frames(name):
        for layer in frame.nodes("netfox"):
            newest = numbers(layer, "netfox.newest_tick")
            lead = numbers(layer, "netfox.lead")
            node = layer.all("netfox.node")[:1]
            if newest and lead and (newest[0], f"/root/{node[0]}") in now:
                differences[lead[0] - (newest[0] - now[newest[0], f"/root/{node[0]}"])] += 1
    assert sum(differences.values()) > 80
    assert sum(count for difference, count in differences.items() if abs(difference) <= 1) > 0.95 * sum(differences.values()), differences


@pytest.mark.parametrize("name", ["calls", "raw", "recorded"])
def test_lag_of_states(name):
    """How far a state is behind, compared with its receiver's own tick at that time. A client sends its inputs one tick later, and
    may send several at a time."""
    now = collections.defaultdict(list)
    for records in clients(name):
        for record in records:
            if record["what"] == "received_state":
                for place in record["values"]:
                    now[record["tick"], place.split(":")[0]].append(record["now"])
    differences = collections.Counter()
    for frame in frames(name):
        for layer in frame.nodes("netfox"):
            tick = numbers(layer, "netfox.tick")
            lag = numbers(layer, "netfox.lag")
            node = layer.all("netfox.node")[:1]
            if tick and lag and now.get((tick[0], f"/root/{node[0]}")):
                differences[min((lag[0] - (at - tick[0]) for at in now[tick[0], f"/root/{node[0]}"]), key=abs)] += 1
    assert sum(differences.values()) > 80
    assert sum(count for difference, count in differences.items() if abs(difference) <= 2) > 0.95 * sum(differences.values()), differences


@pytest.mark.parametrize("name", [name if name in ("raw", "recorded") else pytest.param(name, marks=pytest.mark.slow) for name in (*CAPTURES, *OLD)])
def test_the_same_on_every_pass(name):
    """And every command is one that the script knows; nothing is malformed."""
    lines = tshark.listing(capture(name), *options(name))
    assert lines == tshark.listing(capture(name), *options(name), two_pass=True)
    once, twice = ([repr(frame.nodes("netfox")) for frame in frames(name, two_pass=passes)] for passes in (False, True))
    assert once == twice
    some = tshark.listing(capture(name), *options(name), "-R", "netfox.tick > 100", two_pass=True)
    everything = {info for *_, info in lines}
    assert len(some) > 50 and {info for *_, info in some} <= everything
    assert not any("_ws.lua.error" in frame or "netfox.malformed" in frame or "_ws.malformed" in frame for frame in frames(name))
    commands = {text for frame in frames(name) for text in frame.all("netfox.command")}
    if name == "1.35":
        assert commands == {"diff state", "full state arrived", "tick rate"}
    else:
        assert commands >= {"ping", "pong", "set time", "full state", "diff state", "input", "tick rate"} | (
            {"full state arrived"} if name in OLD else {"diff sync", "identities"})


@pytest.mark.parametrize("name", NAMES)
def test_tick_rate(name):
    """Each client and the server tell theirs once."""
    rates = [rate for frame in frames(name) for rate in frame.all("netfox.tickrate")]
    assert set(rates) == {"30"} and len(rates) == 2 * len(clients(name))


def test_old_calls_by_their_names():
    """Where the project has the add-on, the methods of a call have names."""
    script = "".join(f"@rpc({how}) func {name}(a): pass\n" for name, how in (
        ("_submit_input", '"any_peer", "unreliable", "call_remote"'), ("_submit_full_state", '"any_peer", "unreliable_ordered", "call_remote"'),
        ("_submit_diff_state", '"any_peer", "unreliable_ordered", "call_remote"'), ("_ack_full_state", '"any_peer", "reliable", "call_remote"'),
        ("_ack_diff_state", '"any_peer", "unreliable_ordered", "call_remote"')))
    place = pathlib.Path(tempfile.mkdtemp(prefix="netfox-", dir=tshark.workplace()))
    for name, text in (("project.godot", ""), ("transmitter.gd", script)):
        (place / name).write_text(text, encoding="utf-8")
    tshark.open_to_everybody(place)
    arguments = (*options("1.39"), "-o", f"godot.project:{place}")
    lines = [info for *_, info in tshark.listing(capture("1.39"), *arguments, "-Y", "netfox.command == input")]
    assert len(lines) > 300 and all(re.match(r"_submit_input\(\d+, input \d+", line) for line in lines), lines[:3]


def test_normals():
    """Those of Vector3.octahedron_decode() of Godot 4.6.3."""
    text = re.search(r"^local function from_octahedron.*?^end$", SCRIPT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)[0]
    known = {(0.58333331346512, 0.66666668653488): (0.267261, 0.534523, 0.801784), (1, 0.5): (1, 0, 0),
             (0.16666668653488, 0.91666662693024): (-0.267261, 0.534523, -0.801784),
             (0.22222220897675, 0.16666668653488): (-0.557086, -0.742781, -0.371391)}
    calls = "".join(f'print("normal " .. table.concat(from_octahedron({u}, {v}), " "))\n' for u, v in known)
    printed = tshark.run(None, "-v", *lua.script(text + "\n" + calls), "-G", "plugins").stdout
    rows = [tuple(map(float, line.split()[1:])) for line in printed.splitlines() if line.startswith("normal ")]
    assert rows and all(one == pytest.approx(other, abs=1e-5) for one, other in zip(rows, known.values(), strict=True))


def test_transports():
    for name, transport in (("calls", "call"), ("raw", "raw packet"), ("recorded", "call")):
        assert {text for frame in frames(name) for text in frame.all("netfox.transport")} == {transport}


def test_actions():
    """The ticks in which a player has jumped, of those that the server tells."""
    jumped = {(record["tick"]) for record in clients("raw")[0] if record["what"] == "input" and record["values"]["jump"] == "true"}
    told = {int(tick) for frame in frames("raw") for tick in frame.all("netfox.action.active")}
    assert len(told) > 3 and told <= jumped


def test_a_late_start(tmp_path):
    """Nodes whose numbers were told before are called by these; names of properties are not certain then."""
    linktype, packets = pcap.read(capture("calls"))
    path = pcap.write(tmp_path / "late.pcap", [data for _, data in packets[300:]], linktype=linktype)
    late = tshark.packets(path, *options("calls"), "-Y", "netfox")
    assert len(late) > 300
    lines = [info for *_, info in tshark.listing(path, *options("calls"), "-Y", "netfox.command == input")]
    by_number = [line for line in lines if re.search(r"input \d+( \([+-]\d+\))? node \d+ {Property 0: ", line)]
    assert len(lines) > 80 and len(by_number) > len(lines) / 4, lines[:3]
    assert not any("_ws.lua.error" in frame or "_ws.malformed" in frame for frame in late)


def test_project_of_the_plugin():
    """Without a folder of its own the script reads that of godot.project."""
    script = [word for word in options("raw") if "project" not in word and word != "-o"]
    line = next(info for *_, info in tshark.listing(capture("raw"), *script, *projects.option("netfox4"), "-Y", "netfox.command == input"))
    assert re.search(r"Input {movement: Vector2\(.*\), jump: ", line), line


def test_without_the_project():
    """Values without names."""
    script = [word for word in options("raw") if "project" not in word and word != "-o"]
    line = next(info for *_, info in tshark.listing(capture("raw"), *script, "-Y", "netfox.command == input"))
    assert re.search(r"Input {Property 0: Vector2\(", line), line


@pytest.mark.parametrize("name", ["calls", "raw", "schema"])
def test_damaged_commands(name, tmp_path):
    """Two bytes of a hundred are others: the script says what it does not know, and has no errors itself."""
    noise = random.Random(39)
    linktype, packets = pcap.read(capture(name))
    damaged = [data[:60] + bytes(noise.randrange(256) if noise.random() < 0.02 else byte for byte in data[60:]) for _, data in packets]
    path = pcap.write(tmp_path / "damaged.pcap", damaged, linktype=linktype)
    result = tshark.run(path, *options(name), "-V")
    assert result.stdout.count("netfox.command") or result.stdout.count("Command: diff state") > 50
    assert "Lua Error" not in result.stdout
