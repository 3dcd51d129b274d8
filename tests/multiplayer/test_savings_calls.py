"""`-z godot,savings`: calls that repeat, answer, go to several receivers, or tell what is not judged.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import pathlib
import random
import struct
import tempfile
import zlib

import pytest

import enet_packets
import pcap
import tshark
from test_savings import bytes_of, encoded, large, rows_of, savings, state, text_argument, vector, wide

NODE = b"\x01" + b"0" * 32 + b"\0" + (1).to_bytes(4, "little") + b"N\0"


def call(method, *arguments):
    return bytes([0 if arguments else 0x80, 1, method, *([len(arguments)] if arguments else [])]) + b"".join(arguments)


def bytes_argument(content):
    return struct.pack("<II", 29, len(content)) + content + bytes(-len(content) % 4)


class Game:
    """A server with some clients that share a node."""

    def __init__(self, clients=1):
        self.clients = [enet_packets.Connection(peer_id=0x12345678 + number, port=40001 + number, client_slot=number, server_slot=number) for number in range(clients)]
        self.packets = []
        for one in self.clients:
            self.packets += [(0, packet) for packet in (*one.open(), one.message(NODE), one.message(NODE, server=True))]

    def send(self, time, message, client=0, server=False, reliable=False):
        one = self.clients[client]
        self.packets.append((time, one.message(message, server=server) if reliable else one.unreliable(message, server=server)))

    def bytes(self):
        return sum(len(packet) for _, packet in self.packets)

    def text(self, tmp_path):
        self.path = pcap.write(tmp_path / "made.pcap", self.packets)
        return tshark.run(self.path, "-q", "-z", "godot,savings", "-d", "enet.payload,godot", two_pass=True).stdout

    def rows(self, tmp_path):
        path = pcap.write(tmp_path / "made.pcap", self.packets)
        return savings(path, "-d", "enet.payload,godot")[1]


ENUM = "A number (an enum), not a text"


@pytest.mark.parametrize("uses, few", [(3, False), (6, True)])
def test_a_text_to_several_receivers_is_one(tmp_path, uses, few):
    """What is said to everybody: each comes `uses` times, twice that on the wire."""
    game = Game(2)
    texts = [f"what is said {'abcdefghi'[number % 9] * 20}" for number in range(9 * uses)]
    for turn, text in enumerate(texts):
        for client in range(2):
            game.send(turn / 5, call(0, text_argument(text)), client, server=True)
    assert (ENUM in game.rows(tmp_path)) == few


def test_texts_are_counted_as_what_is_saved(tmp_path):
    """To three receivers, of which each gets a number instead of 32 bytes."""
    game = Game(3)
    for turn in range(200):
        for client in range(3):
            game.send(turn / 5, call(0, text_argument("the state of " + "xyz"[turn * turn % 3] * 15), large(turn)), client, server=True)
    saved, _, _, why, _ = game.rows(tmp_path)[ENUM]
    assert why == "600 values, of which 2 are different"
    assert saved % 600 == 0


@pytest.mark.parametrize("name, chosen", [("the same", False), ("one of two", True)])
def test_what_a_sender_always_says_is_no_enum(tmp_path, name, chosen):
    game = Game(2)
    for turn in range(120):
        for client in range(2):
            choice = turn // 3 % 2 if chosen else client
            game.send(turn / 5 + client / 20, call(0, text_argument("the token of " + "xy"[choice] * 40), large(turn * turn)), client)
    assert (ENUM in game.rows(tmp_path)) == chosen


@pytest.mark.parametrize("rate, more", [(60, True), (5, False)])
def test_what_is_left_of_calls_about_each(tmp_path, rate, more):
    """Four units in turns, of which each goes for a while and rests: its steps need not be as many."""
    game, chance = Game(), random.Random(3)
    places = [0] * 4
    for turn in range(1500):
        for unit in range(4):
            places[unit] = chance.random() if (turn + 2 * unit) % 250 < 110 else places[unit]
            game.send(turn / rate + unit / 10000, call(0, large(unit), vector(places[unit], 3)), server=True)
    rows = game.rows(tmp_path)
    assert "with the same first argument" in rows['Call it only when its arguments have changed, and make it "reliable"'][3]
    assert [what for what, row in rows.items() if row[3].startswith("In addition, of calls with changed arguments. If each")] == (["Call it 20 times a second with the same first argument"] if more else [])


VOICES = {"noise": (lambda chance: chance.randbytes(160), False), "as an argument of two": (lambda chance: chance.randbytes(160), False),
          "a state": (lambda chance: struct.pack("<40f", *(100 * chance.random() for _ in range(40))), True)}


@pytest.mark.parametrize("name", VOICES)
def test_bytes_with_nothing_in_common_are_no_state(tmp_path, name):
    """Each is needed, as of a voice: not the latest one only."""
    told, slower = VOICES[name]
    game, chance = Game(), random.Random(3)
    for turn in range(600):
        arguments = [bytes_argument(told(chance)), *([large(turn * turn % 97)] if name == "as an argument of two" else [])]
        game.send(turn / 50, call(0, *arguments), server=True)
    assert any(what.startswith(("Call it ", "Only the last call")) for what in game.rows(tmp_path)) == slower


LOOP = "Call it once: rpc() is for all peers, not in a loop"


@pytest.mark.parametrize("times, loop", [(1, False), (2, True), (3, True)])
def test_the_same_call_several_times_in_a_frame(tmp_path, times, loop):
    game = Game(2)
    for turn in range(200):
        for number in range(times):
            for client in range(2):
                game.send(turn / 15 + number / 10000, call(0, vector(turn * turn % 97, turn * 7 % 31)), client, server=True)
    rows = game.rows(tmp_path)
    assert [what for what in rows if what.startswith(("Call it once", "Call it only"))] == ([LOOP] if loop else [])
    assert not [what for what in rows if "reliable" in what]


ANSWERS = {"answers": (1, True), "without a question": (0, False), "to some questions": (3, False)}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_that_repeat(tmp_path, name):
    """Another call in the same frame is not what is answered. A list of which little changes, seldom."""
    questions, answers = ANSWERS[name]
    game = Game()
    for turn in range(200):
        rooms = encoded([["a room with a long name", number * 300, number == turn // 4 % 20] if number else [turn // 4] for number in range(8)])
        for number in range(questions):
            game.send(turn / 5 + number / 50, call(0), reliable=True)
        if turn % 5 == 0:
            game.send(turn / 5 + 0.041, call(2, text_argument(f"{turn}")), reliable=True)
        game.send(turn / 5 + 0.045, call(1, rooms), server=True, reliable=True)
    rows = game.rows(tmp_path)
    assert ("Ask less often, or send it without being asked when it changes" in rows) == answers
    assert any(what.startswith("Call it only when its arguments have changed") for what in rows) != answers
    assert "Only what has changed of it, as places and values, not all of it" in rows


@pytest.mark.parametrize("to_all", [True, False])
def test_answers_are_for_who_has_asked(tmp_path, to_all):
    """The server calls each peer right after that has called it; what it tells is the same for all, or not."""
    game = Game(2)
    for turn in range(200):
        for client in range(2):
            game.send(turn / 20 + client / 1000, call(0), client)
        for client in range(2):
            game.send(turn / 20 + 0.004 + client / 10000, call(1, large(500 + turn // 5 + (0 if to_all else 1000 * client)), vector(turn // 5, 3)), client, server=True)
    rows = game.rows(tmp_path)
    assert ("Ask less often, or send it without being asked when it changes" in rows) != to_all
    assert ('Call it only when its arguments have changed, and make it "reliable"' in rows) == to_all


@pytest.mark.parametrize("even", [True, False])
def test_a_pace_with_short_pauses(tmp_path, even):
    """60 calls a second of something in a hand, which is put down for 7 to 14 frames; or at any time."""
    game, chance, frame = Game(), random.Random(5), 0.0
    for turn in range(1500):
        frame += (chance.randint(7, 14) if chance.random() < 0.04 else 1) if even else chance.expovariate(1) * 1.4
        game.send(frame / 60, call(0, vector(turn * turn % 97, turn % 7)), reliable=True)
    assert any(what.startswith("Call it ") for what in game.rows(tmp_path)) == even


@pytest.mark.parametrize("moves", [False, True])
def test_a_number_beside_a_place_that_rests(tmp_path, moves):
    """A circle that becomes smaller, with rests; its middle is always the same, or moves."""
    game = Game()
    for turn in range(600):
        step = turn % 150
        middle = turn * turn % 97 if moves else 5
        game.send(turn / 30, call(0, vector(middle, 7), struct.pack("<Id", 3 | 1 << 16, 900.1 - 2.3 * min(step, 110))), server=True)
    assert any(what.startswith("Call it once, with its pace") for what in game.rows(tmp_path)) != moves


# Bytes of a packet, those that are the same in all, of which the last ones are a run; another one in between
BUFFERS = {"half empty": (64, 40, None, "40 of 64"), "full": (64, 15, None, None), "as long": (64, 40, bytes(64), "40 of 64"),
           "longer": (64, 40, bytes(65), None), "large": (2049, 2000, None, None), "in one byte": (64, 40, bytes(63) + b"\1", "39 of 64")}


@pytest.mark.parametrize("name", BUFFERS)
def test_bytes_that_are_always_the_same(tmp_path, name):
    size, same, another, found = BUFFERS[name]
    game, chance = Game(), random.Random(3)
    for turn in range(100):
        packet = another if another and turn == 50 else chance.randbytes(size - same) + bytes(same)
        game.send(turn / 10, call(0, bytes_argument(packet), large(turn)), server=True)
    rows = {what: row for what, row in game.rows(tmp_path).items() if what.startswith("Without the bytes")}
    assert list(rows) == ([f"Without the bytes that are always the same: {found}"] if found else [])
    for saved, _, where, why, _ in rows.values():
        number = int(found.split()[0])
        assert saved == number * 100 and "argument 1" in where
        assert why == f"True of all 100 in the capture; the longest run is that of bytes 24 to {23 + number}"


@pytest.mark.parametrize("even", [True, False])
def test_reliable_calls_at_any_time_all_count(tmp_path, even):
    """Strokes of an oar, at 20 a second on average; or what a clock makes."""
    game, chance, time = Game(), random.Random(11), 0.0
    for turn in range(800):
        time += 0.05 if even else chance.expovariate(20)
        game.send(time, call(0, large(turn % 2), vector(turn * turn % 97, turn % 7)), reliable=True)
        one = game.clients[0]
        number = one.sequences[False, 0]
        game.packets.append((time + 0.001, one.datagram(struct.pack(">BBHHH", 1, 0, number, number, one.time), True)))
    assert ('@rpc("unreliable_ordered"), not "reliable"' in game.rows(tmp_path)) == even


@pytest.mark.parametrize("methods, kept", [(200, True), (240, False)])
def test_values_are_kept_up_to_4_mib(tmp_path, methods, kept):
    """Of two nodes, three arguments of 1 KB each: of each the first one and what varies, and the latest one."""
    game, chance = Game(), random.Random(3)
    game.send(0, b"\x01" + b"1" * 32 + b"\0" + struct.pack("<I", 2) + b"Other\0", server=True, reliable=True)
    for turn in range(2 * methods):
        message = call(turn // 2, *[bytes_argument(chance.randbytes(1024)) for _ in range(3)])
        game.send(turn / 100, message[:1] + bytes([1 + turn % 2]) + message[2:], server=True)
    for turn in range(400):
        game.send(10 + turn / 10, call(255, bytes_argument(chance.randbytes(100) + bytes(900)), large(turn)), server=True)
    assert any(what.startswith("Without the bytes that are always the same: 900 of 1000") for what in game.rows(tmp_path)) == kept


def test_different_dictionaries_are_counted_up_to_20000(tmp_path):
    game = Game()
    for turn in range(20100):
        kind = turn % 5
        game.send(turn / 100, call(0, encoded({"kind": f"kind {kind}", "cost": 1000 + 7 * kind, "number": turn})), server=True)
    why = next(why for what, (_, _, _, why, _) in game.rows(tmp_path).items() if what.startswith('No "cost" in it'))
    assert why == 'The same "kind", of 5 different ones, always came with the same ones in 20000 different values'


PINGS = {"ping": (False, True, lambda time: [time], False), "clock sync": (False, True, lambda time: [time, time + 5000], False), "ping of the server": (True, True, lambda time: [time], False),
         "other clock": (False, True, lambda time: [time + 20000], True), "no answer": (False, False, lambda time: [time], True)}


@pytest.mark.parametrize("name", PINGS)
def test_a_number_that_comes_back_is_no_clock(tmp_path, name):
    """The clock of who asks, in two or three bytes."""
    server, answers, answer, clock = PINGS[name]
    game = Game()
    for turn in range(300):
        time = turn * 100 // 3
        game.send(turn / 30, call(0, large(time)), server=server)
        if answers:
            game.send(turn / 30 + 0.02, call(1, *map(large, answer(time))), server=not server)
    assert ("Call it once, and again when its pace changes: receivers can count" in game.rows(tmp_path)) == clock


@pytest.mark.parametrize("every, what", [(5, []), (2, ["One call with the arguments of all, not several in the same frame"])])
def test_a_call_that_seldom_follows_another_one(tmp_path, every, what):
    game = Game()
    for turn in range(400):
        if turn % every == 0:
            game.send(turn / 10, call(0, vector(turn * turn % 97, turn * 7 % 31)), server=True)
        game.send(turn / 10 + 0.001, call(1, large(turn * turn % 89)), server=True)
    assert [row for row in game.rows(tmp_path) if row.startswith("One call")] == what


@pytest.mark.parametrize("together", [1, 2])
def test_frames_that_come_at_once(tmp_path, together):
    """Three methods in each frame of the game, of which two frames come within 5 ms: two calls of each frame are saved."""
    game = Game()
    for turn in range(200):
        for number in range(3):
            game.send(turn // together / 10 + turn % together / 500 + number / 10000, call(number, vector(turn * turn % 97, turn * (7 + number) % 31)), server=True)
    rows = game.rows(tmp_path)
    assert rows["One call with the arguments of all, not several in the same frame"][3].startswith("400 of 600 messages ")


def test_several_calls_that_the_server_passes_on(tmp_path):
    """Eight in a frame to another client: seven of them are saved on both ways."""
    game = Game(2)
    ways = [(0, False, game.clients[1].peer_id), (1, True, game.clients[0].peer_id)]
    for turn in range(-1, 60):
        for number in range(8 if turn >= 0 else 1):
            told = call(0, vector(turn * turn % 97, number * 7 % 31)) if turn >= 0 else NODE
            for client, server, peer in ways:
                game.send(max(turn, 0) / 5 + number / 10000 + client / 1000, b"\x07\x03" + peer.to_bytes(4, "little") + told, client, server, reliable=turn < 0)
    assert "840 of 960 messages" in game.rows(tmp_path)["One call with an Array of all arguments, one after the other, not several in the same frame"][3]


@pytest.mark.parametrize("other, never", [("Sync", False), ("State", True)])
def test_never_if_one_like_it_changes(tmp_path, other, never):
    """The first of three doors is opened; instances of a scene have synchronizers of the same name."""
    game = Game()
    for number in range(3):
        game.send(0, b"\x01" + b"0" * 32 + b"\0" + (number + 2).to_bytes(4, "little") + f"Door{number}/{other if number else 'Sync'}\0".encode(), server=True, reliable=True)
    for turn in range(300):
        doors = [(1 << 31 | number + 2, vector(number, turn > 200 and not number)) for number in range(3)]
        game.send(turn / 20, b"\x06" + (turn + 1).to_bytes(2, "little") + b"".join(ident.to_bytes(4, "little") + len(value).to_bytes(4, "little") + value for ident, value in doors), server=True)
    assert any("Never" in what for what in game.rows(tmp_path)) == never


def compressed(turn):
    return zlib.compress(bytes(random.Random(turn).choices(range(40), k=200)))


PACKED = {"zlib": (compressed, True), "plain": (lambda turn: random.Random(turn).randbytes(150), False)}


@pytest.mark.parametrize("name", PACKED)
def test_compressed_values_are_not_judged(tmp_path, name):
    made, packed = PACKED[name]
    game = Game()
    for turn in range(100):
        game.send(turn / 5, call(0, bytes_of(made(turn)), large(turn * turn)), server=True)
    text = game.text(tmp_path)
    assert ("% of the bytes are in values that the game has compressed" in text) == packed
    assert not (packed and "Nothing worth changing" in text)


SENTENCES = {"all change": (lambda turn: f"at {turn}.5 of {turn * 7} in {turn + 3}", 3, "the same words"), "one changes": (lambda turn: f"at 1.5 of {turn * 7 + 1} in 3", 1, "the same words"),
             "with other words": (lambda turn: f"at 1.5 of {turn * 7 + 1} in 3" if turn % 2 else f"lap 2 of 3 in {turn}.5", 1, "of which 2 are different")}


@pytest.mark.parametrize("name", SENTENCES)
def test_numbers_that_never_change_for_the_same_words(tmp_path, name):
    """Two bytes for the words; one number has 12, three are a vector of 32 bits."""
    made, numbers, why = SENTENCES[name]
    game = Game()
    for turn in range(200):
        game.send(turn / 5, call(0, text_argument(made(turn))), server=True)
    saved, _, _, reason, *_ = game.rows(tmp_path)["A number (an enum) for the words, and the numbers, not a text"]
    left = {3: 16, 1: 12}[numbers] + 2
    assert saved == sum(len(text_argument(made(turn))) - left for turn in range(200))
    assert why in reason


@pytest.mark.parametrize("little", [True, False])
def test_what_has_changed_of_units_that_take_turns(tmp_path, little):
    """A unit's path loses its first step with each call; or it is a new one."""
    game = Game()
    for turn in range(400):
        unit, first = turn % 4, turn // 4 if little else turn * 100
        path = encoded([1000 * unit + step for step in range(first, first + 100)])
        game.send(turn / 20, call(0, large(unit), path), server=True, reliable=True)
    assert ("Only what it has got and lost at its ends, not all of it" in game.rows(tmp_path)) == little


def eased(turn):
    """A tween: 45 steps of the same acceleration, 45 of the opposite one, a rest."""
    step = min(turn % 120, 90)
    return 100 + (step * step / 15 if step < 45 else 270 - (90 - step) ** 2 / 15)


CURVES = {"eased": (lambda turn: vector(7, eased(turn)), True), "falls": (lambda turn: vector(3 * (turn % 60), 0.06 * (turn % 60) ** 2), True),
          "turns": (lambda turn: vector(50 * math.cos(turn / 7), 50 * math.sin(turn / 7)), False), "of the third order": (lambda turn: vector(7, (turn % 60) ** 3 / 99), False),
          "short ones": (lambda turn: vector(7, (turn % 9) ** 2), False), "straight on": (lambda turn: vector(turn, 7), False), "stands": (lambda turn: vector(3, 7), False)}


@pytest.mark.parametrize("name", CURVES)
def test_the_same_acceleration(tmp_path, name):
    made, curved = CURVES[name]
    found = rows_of(tmp_path, [state(turn, made(turn), vector(turn * turn % 97, turn * 7 % 31)) for turn in range(480)], 20)
    assert ("Never (with Spawn), and so its velocity and acceleration: each peer can move the node by itself" in found) == curved


DRAFTS = {"a draft": (lambda turn: "what somebody writes"[:turn % 20 + 1], True), "taken back": (lambda turn: "what somebody writes"[:abs(turn % 40 - 20)], True),
          "accents": (lambda turn: "àéîõü€ñç"[:turn % 8 + 1], True), "messages": (lambda turn: f"{turn} is said", False), "a number": (lambda turn: str(turn), False)}


@pytest.mark.parametrize("name", DRAFTS)
def test_a_text_while_it_is_written(tmp_path, name):
    made, draft = DRAFTS[name]
    game = Game()
    for turn in range(300):
        game.send(turn / 8, call(0, text_argument(made(turn))), reliable=True)
    assert any(what.startswith("The text once it is complete") for what in game.rows(tmp_path)) == draft


def full_int(value):
    return encoded(value), large(value)


# Elements of an Array, and the same values as arguments.
LISTS = {"ints": lambda turn: [full_int(turn), full_int(turn % 3), full_int(1 << 40 | turn)],
         "others": lambda turn: [full_int(turn), (struct.pack("<II", 1, turn % 2), bytes([1 | turn % 2 << 7])), *[(value, value) for value in (vector(turn * turn % 97, turn), text_argument("abcde"[turn % 5:]))]]}
JOINED, GATHERED = ("One call with an Array of all arguments, one after the other, not several in the same frame",
                    "One call with an Array of the arguments of several, one after the other, 20 times a second")


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("what, together, rate", [(GATHERED, 1, 60), (JOINED, 6, 10)])
def test_an_array_of_arguments(tmp_path, name, what, together, rate):
    before, after = Game(), Game()
    many = max(3, together)
    for first in range(0, 600, many):
        values = [pair for turn in range(first, first + many) for pair in LISTS[name](turn)]
        for turn in range(first, first + many):
            before.send(turn // together / rate, call(0, *(argument for _, argument in LISTS[name](turn))))
        after.send(first / rate / together, call(1, struct.pack("<II", 28, len(values)) + b"".join(element for element, _ in values)))
    assert before.rows(tmp_path)[what][0] == pytest.approx(before.bytes() - after.bytes(), rel=0.01)


@pytest.mark.parametrize("beside", [[], [vector(1, 2)]])
def test_a_call_with_what_has_changed_of_a_property(tmp_path, beside):
    """Another element in two of three states."""
    before, after, grid = Game(), Game(), [300] * 40
    for turn in range(200):
        changed = turn % 3
        grid[turn % 40] += changed
        before.send(turn / 10, state(turn, encoded(grid), *beside), server=True)
        if beside:
            after.send(turn / 10, state(turn, *beside), server=True)
        if changed:
            after.send(turn / 10, call(0, encoded([turn % 40, turn])), server=True, reliable=True)
    found = before.rows(tmp_path)["A reliable call with what has changed of it, not the property"][0]
    assert found == pytest.approx(before.bytes() - after.bytes(), rel=0.05)


def changes(*parts):
    """Of synchronizers by their numbers: bits of the properties, and values."""
    return b"\x16" + b"".join(struct.pack("<IQI", 1 << 31 | number, bits, len(values)) + values for number, bits, values in parts)


@pytest.mark.parametrize("nodes", [1, 3])
def test_calls_instead_of_a_property_that_nodes_share(tmp_path, nodes):
    """In mode On Change, beside another one that seldom changes: the nodes' changes are in one message."""
    before, after, grid = Game(), Game(), [300] * 40
    for game in (before, after):
        for number in range(nodes):
            game.send(0, NODE[:34] + struct.pack("<I", number + 2) + f"Main/Unit{number}/Sync".encode() + b"\0", server=True, reliable=True)
    for turn in range(200):
        grid[turn % 40] += 1
        health = encoded(turn)
        before.send(turn / 10, changes(*[(number + 2, 1, encoded(grid)) for number in range(nodes)]), server=True, reliable=True)
        for number in range(nodes):
            after.send(turn / 10, call(number, encoded([turn % 40, turn])), server=True, reliable=True)
        if turn % 20 == 10:
            for game in (before, after):
                game.send(turn / 10 + 0.05, changes(*[(number + 2, 2, health) for number in range(nodes)]), server=True, reliable=True)
    found = before.rows(tmp_path)["A reliable call with what has changed of it, not the property"][0]
    assert found == pytest.approx(before.bytes() - after.bytes(), rel=0.05)


def test_fragments_that_are_not_sent(tmp_path):
    """The same 3 KB again and again: all but the first."""
    size, game = 1200, Game()
    message = call(0, encoded(list(range(380))))
    pieces = [message[at:at + size] for at in range(0, len(message), size)]
    for turn in range(40):
        for number, piece in enumerate(pieces):
            head = struct.pack(">BBHHHIIII", 0x88, 0, 2 + turn * len(pieces) + number, 2 + turn * len(pieces), len(piece), len(pieces), number, len(message), size * number)
            game.packets.append((turn / 4 + number / 10000, game.clients[0].datagram(head + piece)))
    rows = game.rows(tmp_path)
    found = next(saved for what, (saved, *_) in rows.items() if what.startswith("Call it only when its arguments have changed"))
    assert found == pytest.approx(game.bytes() * 39 / 40, rel=0.02)


# A scene with a node of the server and one of the client, and their synchronizers
SCENE = """[gd_scene format=3]
[sub_resource type="SceneReplicationConfig" id="1"]
properties/0/path = NodePath(".:position")
properties/0/spawn = true
properties/0/replication_mode = 1
[node name="Main" type="Node"]
[node name="Npc" type="Node" parent="."]
[node name="Sync" type="MultiplayerSynchronizer" parent="Npc"]
replication_config = SubResource("1")
[node name="305419896" type="Node" parent="."]
[node name="Sync" type="MultiplayerSynchronizer" parent="305419896"]
replication_config = SubResource("1")
"""
DISTANCES = {"near": ((0, 0), (2300, 0), 0), "far": ((0, 0), (2301, 0), 50), "below": ((0, 0), (0, 2301), 50),
             "left of it": ((1300, 0), (-1001, 0), 50), "both": ((0, 0), (1500, 1800), 50), "nearly": ((0, 0), (1500, 1700), 0),
             "near, in depth": ((0, 0, 0), (0, 0, 100), 0), "in depth": ((0, 0, 0), (0, 0, 101), 50),
             "behind": ((0, 0, 60), (0, 0, -41), 50), "beside it, in depth": ((0, 0, 0), (80, 50, 40), 50)}


@pytest.fixture(scope="module", name="scene")
def scene_of_distances():
    place = pathlib.Path(tempfile.mkdtemp(dir=tshark.workplace()))
    (place / "project.godot").write_text('config_version=5\n[application]\nrun/main_scene="res://main.tscn"\n', encoding="utf-8")
    (place / "main.tscn").write_text(SCENE, encoding="utf-8")
    tshark.open_to_everybody(place)
    return ("-o", f"godot.project:{place}")


@pytest.mark.parametrize("name", DISTANCES)
def test_nodes_that_are_far_away(tmp_path, name, scene):
    """Every other state is of a node that is beside the one of the peer that gets it."""
    own, other, share = DISTANCES[name]
    game = Game()
    for number, node in (2, "Npc"), (3, "305419896"):
        game.send(0, NODE[:34] + struct.pack("<I", number) + f"Main/{node}/Sync".encode() + b"\0", server=True, reliable=True)
    for turn in range(100):
        for number, place in (3, own), (2, other), (2, own):
            value = vector(*map(float, place))
            game.send(turn / 30, struct.pack("<BHII", 6, turn + 1, 1 << 31 | number, len(value)) + value, server=True)
    path = pcap.write(tmp_path / "made.pcap", game.packets)
    whys = [why for what, (_, _, _, why, _) in savings(path, *scene)[1].items() if what.startswith("Visibility")]
    limit = "100 metres" if len(own) == 3 else "2300 pixels"
    why = f"{share} % of 200 states were of nodes more than {limit} away from the node of the peer that got them"
    assert whys == ([why] if share else [])


@pytest.mark.parametrize("most, fits", [(150, False), (20, True)])
def test_totals_that_rise_do_not_fit_into_bytes(tmp_path, most, fits):
    game = Game()
    for turn in range(200):
        game.send(turn / 10, call(0, encoded([turn * most // 200, turn % 5, 3, 4])), server=True, reliable=True)
    assert any(what.startswith("PackedByteArray: every number") for what in game.rows(tmp_path)) == fits


@pytest.mark.parametrize("server", [True, False])
@pytest.mark.parametrize("reliable", [True, False])
def test_calls_that_are_numbered(tmp_path, server, reliable):
    """Of states that a server numbers the latest one is enough, unless all of them have to arrive."""
    game = Game()
    for turn in range(300):
        game.send(turn / 60, call(0, large(turn), vector(turn * turn % 97, turn % 7)), server=server, reliable=reliable)
    rows = game.rows(tmp_path)
    counts = reliable or not server
    assert any(what.startswith("One call with an Array of the arguments of several") for what in rows) == counts
    assert any("unreliable_ordered" in what or what.startswith("Call it ") for what in rows) != counts


@pytest.mark.parametrize("size, voice", [(160, True), (60, False)])
def test_pieces_between_silence(tmp_path, size, voice):
    """A voice at 8 kHz: 160 bytes each 20 ms."""
    game, chance = Game(), random.Random(7)
    for turn in range(800):
        piece = bytes([128] * size) if turn // 100 % 3 else chance.randbytes(size)
        game.send(turn / 50, call(0, bytes_argument(piece)), server=True)
    assert any(what.startswith("No call while nothing is to be told") for what in game.rows(tmp_path)) == voice


FINE = "Set it only when it differs by 0.01 or more, or round it with snapped()"
RESTS = {"trembles": (lambda turn, number: vector(10 + 0.004 * (turn % 3), 20 - 0.003 * (turn % 2)), lambda turn: turn == 0),
         "drifts": (lambda turn, number: vector(10 + 0.004 * turn, 20), lambda turn: turn % 3 == 0),
         "moves": (lambda turn, number: vector(10 + 0.02 * turn, 20), None)}


@pytest.mark.parametrize("name", RESTS)
@pytest.mark.parametrize("others", [False, True], ids=["alone", "beside one that moves"])
def test_changes_that_are_too_small_to_be_seen(tmp_path, name, others):
    """Compared with what was sent last: what drifts is sent now and then."""
    made, is_sent = RESTS[name]
    before, after = Game(), Game()
    for game in (before, after):
        for number in range(3):
            game.send(0, NODE[:34] + struct.pack("<I", number + 2) + f"Main/Crate{number}/Sync".encode() + b"\0", server=True, reliable=True)
    for turn in range(300):
        moving = [(4, 1, vector(turn * turn % 97, 3))] if others else []
        resting = [(number + 2, 1, made(turn, number)) for number in range(2)]
        before.send(turn / 30, changes(*resting, *moving), server=True, reliable=True)
        left = [*(resting if is_sent and is_sent(turn) else []), *moving]
        if left:
            after.send(turn / 30, changes(*left), server=True, reliable=True)
    rows = before.rows(tmp_path)
    assert (FINE in rows) == (is_sent is not None)
    assert not is_sent or rows[FINE][0] == pytest.approx(before.bytes() - after.bytes(), rel=0.05)


@pytest.mark.parametrize("run, asked", [(20, True), (400, False)], ids=["runs of a key", "a clock"])
def test_calls_of_a_key_that_is_held_may_each_count(tmp_path, run, asked):
    """A weapon fires at an even pace while the key is held down."""
    game, time = Game(), 0
    for turn in range(800):
        time += 1 / 12 + (turn % run == 0)
        game.send(time, call(0, large(turn // 10 % 3)), reliable=True)
    what = "Call it only when its arguments have changed"
    assert {row for row in game.rows(tmp_path) if row.startswith(what)} == {what + (": does it have no effect to call it again?" if asked else "")}


def test_rate_of_those_whose_packets_are_passed_on(tmp_path):
    """Two clients send 30 times a second; to a third one the server passes on 60. The interval has room for the ticks between
    two of these: one of 0.050 s would be 20 times a second in a game with 60 ticks."""
    game, chance = Game(3), random.Random(11)
    for turn in range(300):
        for client in range(2):
            packet = b"\x03" + struct.pack("<I3f", client, *(chance.uniform(0, 90) for _ in range(3)))
            game.send((turn + client / 2) / 30, packet, client)
            for other in {0, 1, 2} - {client}:
                game.send((turn + client / 2) / 30 + 0.002, packet, other, server=True)
    (why,) = (why for what, (_, _, _, why, _) in game.rows(tmp_path).items() if what == "Call it 15 times a second")
    assert "It is called 30 times a second: 15 times (0.058) saves" in why


TOGGLED = "Never (with Spawn): each peer can toggle it by itself"
STEPS = {"even": lambda turn: 0.1, "in runs": lambda turn: 0.1 if turn % 12 else 2, "at any time": lambda turn: 0.05 + turn * turn % 7 / 10}


@pytest.mark.parametrize("values", [2, 3])
@pytest.mark.parametrize("name", STEPS)
def test_what_is_toggled_at_an_even_pace(tmp_path, name, values):
    """The first two changes of a run tell of it, so they stay."""
    game, time, saved, run = Game(), 0, 0, 0
    game.send(0, NODE[:34] + struct.pack("<I", 2) + b"Main/Lamp/Sync\0", server=True, reliable=True)
    for turn in range(240):
        run = run + 1 if STEPS[name](turn) == 0.1 else 0
        time += STEPS[name](turn)
        message = changes((2, 1, encoded(turn % values)))
        game.send(time, message, server=True, reliable=True)
        saved += run > 1 and turn > 1
    rows = game.rows(tmp_path)
    assert (TOGGLED in rows) == (values == 2 and name != "at any time")
    if TOGGLED in rows:
        assert rows[TOGGLED][3].startswith(f"{saved} of 240 changes ")


@pytest.mark.parametrize("rests, found", [(40, True), (6, False)], ids=["rests", "the same by chance"])
def test_calls_while_nothing_moves(tmp_path, rests, found):
    """Four of ten repeat the call before: one after the other, or now and then."""
    game, time = Game(), 0
    for turn in range(900):
        time += 1 / 30
        phase = turn % (rests * 5 // 2)
        game.send(time, call(0, vector(min(phase, rests * 3 // 2) ** 2, turn // (rests * 5 // 2))), server=True, reliable=True)
    assert any(what.startswith("Call it only when its arguments have changed") for what in game.rows(tmp_path)) == found


def faded(turn, factor=0.1, moving=0, noise=0):
    """Where a node is that goes to another place each second: lerp() with the factor in each frame."""
    x = y = 0.0
    chance = random.Random(3)
    for frame in range(turn + 1):
        target = (frame // 60 * 157 % 400 + moving * frame % 90, frame // 60 * 83 % 300)
        x, y = x + (target[0] - x) * factor, y + (target[1] - y) * factor
        x, y = x + noise * chance.uniform(-1, 1), y + noise * chance.uniform(-1, 1)
    return vector(x, y)


FADED = {"lerp": ({}, True), "slowly": ({"factor": 0.03}, True), "to what moves": ({"moving": 7}, False), "pushed": ({"noise": 1}, False)}


@pytest.mark.parametrize("name", FADED)
def test_what_slows_down_by_a_factor(tmp_path, name):
    how, fades = FADED[name]
    found = rows_of(tmp_path, [state(turn, faded(turn, **how)) for turn in range(480)])
    what = "Never (with Spawn), and so its velocity and where it comes to rest: each peer can move the node by itself"
    assert (what in found) == fades


@pytest.mark.parametrize("rate, left", [(60, 20), (48, 24), (30, 15), (27, 14)])
def test_rates_that_are_advised(tmp_path, rate, left):
    game, chance = Game(), random.Random(5)
    for turn in range(300):
        game.send(turn / rate, call(0, vector(chance.uniform(0, 90), chance.uniform(0, 90))), server=True)
    assert {what for what in game.rows(tmp_path) if what.startswith("Call it ") and what.endswith("a second")} == {f"Call it {left} times a second"}


@pytest.mark.parametrize("clients", [1, 2])
@pytest.mark.parametrize("turns", [False, True])
def test_a_relation_of_what_moves_steadily_is_none(tmp_path, clients, turns):
    """Each receiver gets the same values: that the next one does is no turn."""
    def number(turn):
        return float(abs(turn % 40 - 20) if turns else turn)
    game = Game(clients)
    for turn in range(200):
        for client in range(clients):
            values = wide(number(turn)), wide(3 * number(turn) + 5)
            game.send(turn / 30, state(turn, *values), client, server=True)
    assert ("Never: each peer can compute it from another property" in game.rows(tmp_path)) == turns
