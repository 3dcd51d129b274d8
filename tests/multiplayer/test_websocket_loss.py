"""WebSocket on a link that loses, delays and reorders TCP segments: without Wireshark's preference that puts them in order,
bytes are misread. The calls and values with it are compared in test_multiplayer.py, the losses in test_peers.py.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

import evidence
import tshark

CAPTURES = sorted((tshark.CAPTURES / "websocket-loss").glob("*.pcap"))
every_capture = pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
IN_ORDER = ("-o", "tcp.reassemble_out_of_order:TRUE")


def summary(path, *options, **how):
    return tshark.run(path, "-q", *options, "-z", "godot,summary", **how).stdout


def endings(text):
    return re.findall(r"over WebSocket: .*; (.*) in frame \d+(.*), filter", text)


@pytest.mark.parametrize("two_pass", [False, True])
@every_capture
def test_no_problem_of_the_game(path, two_pass):
    """The engines were content (their logs are compared elsewhere), in order and misread."""
    for options in ((), IN_ORDER):
        assert "No error, no warning, no note." in summary(path, *options, two_pass=two_pass)


@every_capture
def test_the_preference_is_named_where_it_helps(path):
    sentence = "-o tcp.reassemble_out_of_order:TRUE"
    assert sentence in summary(path)
    assert sentence not in summary(path, *IN_ORDER) and "Not judged" not in summary(path, *IN_ORDER)


@every_capture
def test_bytes_that_are_misread_close_nothing(path):
    """What is said without the preference is also said with it, but for what closes the connection if it is not known."""
    known = endings(summary(path, *IN_ORDER))
    for (who, how), (who_in_order, how_in_order) in zip(endings(summary(path)), known, strict=True):
        assert who in ("closed", who_in_order) and how in (" (TCP FIN)", how_in_order)


def test_a_close_that_is_lost_may_have_been_sent():
    """The client's Close, in its own capture; at the server only its FIN arrives, with a hole before it."""
    paths = [tshark.CAPTURES / "websocket-loss" / f"godot-3.6-relay.{side}-side.pcap" for side in ("client", "server")]
    at_client, at_server = (dict(re.findall(r"(client \d) .*; left in frame \d+(.*), filter", summary(path, *IN_ORDER))) for path in paths)
    assert at_client["client 1"] == " (WebSocket Close)" and at_server["client 1"] == " (TCP FIN)"
    closed = [frame for frame in tshark.fields(paths[1], "frame.number", arguments=(*IN_ORDER, "-Y", "websocket.opcode == 8 && tcp.stream == 1"))]
    assert not closed


def test_segments_that_the_capture_lacks(tmp_path):
    """A segment of the server that has arrived is missing, and was not sent again: nothing behind it is shown, nor concluded."""
    whole = evidence.File(tshark.CAPTURES / "websocket-loss" / "godot-4.6-relay.client-side.pcap")
    lacking = tmp_path / "lacking.pcap"
    lacking.write_bytes(whole.with_packets([one for number, one in enumerate(whole.packets, 1) if number != 210]))
    for options, said in ((IN_ORDER, True), ((), False)):
        text = summary(tshark.readable(lacking), *options, two_pass=True)
        assert ("The capture lacks TCP segments of 1 connection that arrived." in text) is said
        assert "No error, no warning, no note." in text
