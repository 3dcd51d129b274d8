"""Games in a browser: the official web build in Chromium. Captures, recordings of the add-on in the page, and
the browser's log of WebRTC data channels, compared with the logs of the page and its server.
SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import gzip
import os
import subprocess
import sys

import pytest

import engine_logs
import tshark

FOLDER = tshark.CAPTURES / "web"
PROJECT = f"godot.project:{tshark.CAPTURES / 'projects' / 'web4'}"
WEBRTC_LOG = tshark.ROOT / "script" / "webrtc-log"
CHROMIUM_LOG = FOLDER / "godot-4.6-webrtc.chromium.log.gz"
SERVER = 1
Call = collections.namedtuple("Call", "text mode channel")


def logged(name, what):
    return [r for process in ("page", "server") if (FOLDER / f"{name}.{process}.log.gz").exists()
            for r in engine_logs.records(FOLDER / f"{name}.{process}.log.gz") if r["what"] == what]


def shown(capture, *arguments):
    """The calls of a capture or recording; the long text is shortened."""
    layers = [layer for frame in tshark.packets(capture, *arguments, two_pass=True) for layer in frame.nodes("godot")]
    first = lambda layer, name: next(iter(layer.all(name)), None)
    return collections.Counter(Call(layer.one("godot.rpc.call")[:40], first(layer, "godot.transfer_mode"), first(layer, "godot.channel"))
                               for layer in layers if layer.all("godot.rpc.call"))


def made(name, times=lambda record: 1, how=lambda mode, channel, is_long: (mode, channel)):
    """The calls of the game, each this many times; `how`: mode and channel as the transport shows them."""
    calls = collections.Counter()
    for record in logged(name, "call"):
        text = f"{record['method']}({', '.join(record['args'])})"
        calls[Call(text[:40], *how(engine_logs.MODES[record["mode"]], record["channel"] or 0, len(text) > 1000))] += times(record)
    assert len(calls) == 21 and {r["method"] for r in logged(name, "call")} == {"say", "move", "turn", "chat", "steer"}
    return calls


def is_relayed(record):
    return SERVER not in (record["me"], record["target"])


@pytest.mark.parametrize("transport, suffix", [("websocket", "pcap"), ("wss", "pcapng")])
def test_websocket(transport, suffix):
    """Captured; wss with the keys exported by the browser, which are in the capture."""
    name = f"godot-4.6-{transport}"
    capture = FOLDER / f"{name}.{suffix}"
    assert shown(capture, "-o", PROJECT) == made(name, how=lambda mode, channel, is_long: (None, None))
    assert len(logged(name, "called")) == len(logged(name, "call"))
    (client,) = {r["me"] for r in logged(name, "call")}
    assert {(f.one("godot.source"), f.one("godot.target")) for f in tshark.packets(capture, "-Y", "godot.rpc.call")} == {(client, SERVER)}


def of_streams(mode, channel, is_long):
    """The stream of a message in several chunks is unknown; that of a channel shows whether it is ordered."""
    if is_long:
        return None, None
    return (mode if channel == 0 or mode == "unreliable" else None), channel


def test_webrtc_log():
    """The browser's log from before encryption: each call once, relayed ones twice."""
    name = "godot-4.6-webrtc"
    assert shown(FOLDER / f"{name}.pcap", "--enable-heuristic", "godot_sctp", "-o", PROJECT) == made(
        name, times=lambda record: 2 if is_relayed(record) else 1, how=of_streams)
    assert len(logged(name, "called")) == len(logged(name, "call"))


def test_webrtc_peers():
    """The server is the peer that sends what only a server sends; the peers behind it are in the packets that
    it relays."""
    seen = set()
    for frame in tshark.packets(FOLDER / "godot-4.6-webrtc.pcap", "--enable-heuristic", "godot_sctp", "-o", PROJECT, two_pass=True):
        for layer in frame.nodes("godot"):
            seen |= set(layer.all("godot.source")) | set(layer.all("godot.target"))
    assert seen == {1, 2, 300}


@pytest.mark.parametrize("transport", ["websocket", "wss", "webrtc"])
def test_recorded_in_the_page(transport):
    """The add-on's file, saved with a key: over WebRTC, both ends of every connection are in the page."""
    name = f"godot-4.6-{transport}"
    ends = 2 if transport == "webrtc" else 1
    assert shown(FOLDER / f"{name}.page.pcapng") == made(name, times=lambda record: ends * (2 if is_relayed(record) else 1))


def convert(tmp_path, lines):
    log, capture = tmp_path / "browser.log", tmp_path / "made.pcap"
    log.write_text("\n".join(lines) + "\n")
    year_2026 = 1780000000
    os.utime(log, (year_2026, year_2026))
    subprocess.run([sys.executable, WEBRTC_LOG, log, capture], check=True, env={**os.environ, "TZ": "UTC"})
    return capture


def log_lines():
    return gzip.decompress(CHROMIUM_LOG.read_bytes()).decode().splitlines()


def test_script_makes_the_shipped_capture(tmp_path):
    assert convert(tmp_path, log_lines()).read_bytes() == (FOLDER / "godot-4.6-webrtc.pcap").read_bytes()


def ends_of(capture):
    frames = tshark.packets(capture, "-Y", "sctp", two_pass=True)
    return len(frames), {(f.one("ipv6.src"), f.one("ipv6.dst")) for f in frames}


def test_one_end_of_a_log(tmp_path):
    """A page's own packets, as if the other ends were on other machines, including those that it received."""
    both = log_lines()
    one = [line for line in both if line.endswith("DcSctpTransport0") or "SCTP_PACKET" not in line]
    count, ways = ends_of(convert(tmp_path, one))
    assert count == sum("SCTP_PACKET" in line for line in one) and len(ways) == 2
    names = {line.split()[-1] for line in both if "SCTP_PACKET" in line}
    assert len(names) == 4 and len(ends_of(convert(tmp_path, both))[1]) == 4
    assert ends_of(convert(tmp_path, both))[0] == sum(" O " in f" {line}" for line in both if "SCTP_PACKET" in line)


def test_log_that_begins_late(tmp_path):
    """Only packets, as filtered by grep, without those that open the connections."""
    late = [line for line in log_lines() if "SCTP_PACKET" in line][60:]
    frames = tshark.packets(convert(tmp_path, late), "--enable-heuristic", "godot_sctp", "-Y", "godot.rpc.call")
    assert len(frames) > 50
    assert 0 < frames[-1].one("frame.time_relative") < 10


def test_log_without_packets(tmp_path):
    (tmp_path / "browser.log").write_text("nothing\n")
    result = subprocess.run([sys.executable, WEBRTC_LOG, tmp_path / "browser.log", tmp_path / "made.pcap"], capture_output=True, text=True)
    assert result.returncode == 1 and "--vmodule" in result.stderr and not (tmp_path / "made.pcap").exists()


def test_commands_of_the_page(tmp_path):
    """The commands of docs/browser.md, from the browser's log to calls."""
    page = (tshark.ROOT / "docs" / "browser.md").read_text("utf-8")
    lines = [line.strip() for line in page.splitlines() if line.startswith("    ")]
    (script,) = [line.split() for line in lines if line.startswith("script/webrtc-log")]
    (dissect,) = [line.split() for line in lines if line.startswith("tshark -r webrtc.pcap")]
    (tmp_path / "chrome.log").write_text("\n".join(log_lines()) + "\n")
    subprocess.run([sys.executable, tshark.ROOT / script[0], *script[1:]], cwd=tmp_path, check=True)
    arguments = [word.replace("/home/me/game", str(tshark.CAPTURES / "projects" / "web4")) for word in dissect[3:]]
    assert "say(\"hello 0\") → Player" in tshark.run(tmp_path / dissect[2], *arguments).stdout
    options = next(option for option in (tshark.CAPTURES / "generator" / "browser.py").read_text().split('"') if option.startswith("--vmodule="))
    assert options in page.replace("'", "")
