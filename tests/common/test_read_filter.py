"""With a read filter (-2 -R), the frames that it keeps are shown as without it, except for frame numbers.

tshark also dissects the dropped frames, with the number of the next frame that it keeps. So the output has to
be that of -2 -Y with the same filter; a reference to a frame has the frame's new number, or is left out if
the frame was dropped.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import difflib
import re
import subprocess
import time

import pytest

import captures
import tshark

# Large packets, odd checksums (which are as good as random), and one direction.
FILTERS = {"length": "frame.len > 102", "coin": "ip.checksum & 1 || ipv6.flow & 1",
           "direction": "udp.srcport > udp.dstport || tcp.srcport > tcp.dstport"}
# Wireshark's dissectors of these keep a state "from the next frame number on", which is wrong if that frame
# is dropped.
BEGINNINGS = "http || tls.handshake || x11"
QUICK = ("debugger/godot-3.6-tcp.pcap", "enet/godot-3.6-none-everything.pcap", "multiplayer/godot-4.6-enet-calls.pcap",
         "recorder/godot-4.6-peers.raw_peers.pcapng", "variant/godot-4.6-mixed.pcap")
DROPPED = "a dropped frame"
TCP_NOTE = r"^\[TCP [^]]*\] (, )?"  # Wireshark's, of frames before it that the read filter may have dropped
COMPARED = 200  # characters of a text: Wireshark cuts those of more than 240 bytes, and numbers of frames differ in length


def lines_of(frame, number, numbers, last):
    """What this plugin shows of the frame with this `number`. `numbers`: the numbers of the kept frames with
    the read filter, by their numbers without it; None if the frame was dissected with the read filter.
    `last`: the greatest number."""
    lines = []

    def text(value):
        if not isinstance(value, str):
            return value
        new = lambda found: f"frame {numbers[int(found[1])]}" if int(found[1]) in numbers else DROPPED
        return (re.sub(r"\bframe (\d+)", new, value) if numbers else value)[:COMPARED]

    def add(node, depth):
        for child in node.children:
            value = child.value
            if tshark.field_type(child.name) == "FT_FRAMENUM":
                value = numbers.get(value) if numbers and value else value
                # tshark only knows that the last frame was dropped when it reaches it.
                if not value or value == last and value != number:
                    continue
            if not child.name.startswith("enet.fragment"):  # Wireshark's own list of them
                lines.append(f"{'  ' * depth}{text(child.name)} {text(value)!r}")
            add(child, depth + 1)

    for layer in frame.children:
        if layer.name.startswith(tshark.OURS):
            lines.append(layer.name)
            add(layer, 1)
    return lines


def assert_same(capture, expression, *arguments):
    shown = tshark.packets(capture, "-Y", expression, *arguments, two_pass=True)
    kept = tshark.packets(capture, "-R", expression, *arguments, two_pass=True)
    assert [frame.number for frame in kept] == list(range(1, len(shown) + 1))
    numbers = {frame.number: new for new, frame in enumerate(shown, 1)}
    for before, after in zip(shown, kept):
        wanted, got = lines_of(before, after.number, numbers, len(kept)), lines_of(after, after.number, None, len(kept))
        assert wanted == got, f"frame {before.number} ({after.number}):\n" + "\n".join(
            difflib.unified_diff(wanted, got, "-Y", "-R", lineterm="", n=1))
    rows = [[[re.sub(TCP_NOTE, "", cell) if isinstance(cell, str) else cell for cell in row]
             for row in tshark.listing(capture, option, expression, *arguments, two_pass=True)] for option in ("-Y", "-R")]
    ours = [any(layer.startswith(tshark.OURS) for layer in frame.layers) for frame in kept]
    for mine, (number, *before), (_, *after) in zip(ours, *rows):
        assert before == after or not mine, f"frame {number}"
    return shown, kept


@pytest.mark.parametrize("expression", FILTERS.values(), ids=FILTERS)
@pytest.mark.parametrize("capture", captures.slow_unless(QUICK, captures.different()), ids=captures.name)
def test_same_with_read_filter(capture, expression):
    assert_same(capture, f"{expression} || {BEGINNINGS}", *captures.naturally(capture))


def test_references_are_seen():
    """There are references to compare, both kept and omitted ones."""
    path = tshark.CAPTURES / "multiplayer/godot-4.6-enet-calls.pcap"
    shown, kept = assert_same(path, FILTERS["length"])
    acknowledged = [sum(len(frame.all("enet.acked_in")) for frame in frames) for frames in (shown, kept)]
    assert 0 < acknowledged[1] < acknowledged[0]


def test_frames_are_counted_again(tmp_path):
    """-M discards all state after that many frames, and frame numbers start again."""
    path = tshark.CAPTURES / "multiplayer/godot-4.6-enet-game.pcap"
    rows = tshark.fields(path, "frame.number", "enet.first_frame", "enet.acked_in", "enet.analysis.retransmission_of", "enet.ack.frame",
                         arguments=("-M", "50"))
    assert len(rows) > 1000 and max(number for (number,), *_ in rows) <= 51
    for (number,), *references in rows:
        assert all(0 < reference < number for values in references for reference in values)


@pytest.mark.skipif(bool(tshark.PRELOAD), reason="tshark with sanitizers is slower than dumpcap, and waits for files for ever")
@pytest.mark.skipif(not tshark.can_capture(), reason="dumpcap is for the group wireshark only")
def test_live_with_a_ring_buffer():
    """tshark continues with the next file, as if that file were opened."""
    place = tshark.workplace() / "ring"
    place.mkdir()
    place.chmod(0o777)  # dumpcap runs as the user nobody
    fields = [word for name in ("frame.number", "enet.first_frame", "enet.acked_in", "godot.path") for word in ("-e", name)]
    subprocess.run(["editcap", "-F", "pcap", "-r", tshark.CAPTURES / "multiplayer/godot-4.6-enet-game.pcap",
                    place / "first.pcap", "1-440"], check=True)  # dumpcap cannot divide the pcapng of a pipe
    capture = (place / "first.pcap").read_bytes()
    command = tshark.command("-i", "-", "-b", "packets:150", "-w", str(place / "game.pcapng"), "-P", "-T", "fields", *fields)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        for begin in range(0, len(capture), 10000):  # at the speed of a game, so that tshark reads each file
            process.stdin.write(capture[begin:begin + 10000])
            process.stdin.flush()
            time.sleep(0.2)
        live = process.communicate(timeout=120)[0].decode()
    assert process.returncode == 0
    files = sorted(place.glob("game_*.pcapng"))
    assert len(files) == 3
    assert live == "".join(tshark.run(path, "-T", "fields", *fields).stdout for path in files)
    assert "Main/" in live
