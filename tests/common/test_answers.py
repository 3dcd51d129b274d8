"""The pages for people who make games: the engine's errors, and recipes with their output.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import time

import pytest

import engine_logs
import lua
import tshark

ERRORS = tshark.ROOT / "docs" / "engine-errors.md"
RECIPES = tshark.ROOT / "docs" / "recipes.md"
CLIENTS = tshark.ROOT / "docs" / "other-clients.md"
ERROR_CAPTURES = "multiplayer-errors/godot-4.6-"
CASES = {  # filter: capture with such a case, and its project
    "godot.path.checksum_refused": ("multiplayer/godot-4.6-enet-mismatch.pcap", "rpc4"),
    "godot.rpc.checksum_failed": ("multiplayer/godot-4.6-enet-mismatch.pcap", "rpc4"),
    "godot.rpc.method_not_found": (ERROR_CAPTURES + "refused.pcap", "refused4"),
    "godot.rpc.wrong_arguments": (ERROR_CAPTURES + "refused.pcap", "refused4"),
    "godot.rpc.wrong_type": ("multiplayer-authority/godot-4.6-types.pcap", "types4"),
    "godot.rpc.method_missing": (ERROR_CAPTURES + "refused.pcap", "refused4"),
    "godot.rpc.not_allowed": (ERROR_CAPTURES + "refused.pcap", "refused4"),
    "godot.rpc.not_declared": ("multiplayer-errors/godot-3.6-refused.pcap", "refused3"),
    "godot.problem.value": (ERROR_CAPTURES + "broken.pcap", "errors4"),
    "godot.object_argument": ("multiplayer/godot-4.6-enet-calls.pcap", "rpc4"),
    "godot.path.node_not_found": ("multiplayer/godot-4.6-enet-calls.pcap", "rpc4"),
    "godot.rpc.node_not_found": ("multiplayer/godot-4.6-enet-calls.pcap", "rpc4"),
    "godot.rpc.despawned": ("multiplayer-loss/godot-4.6-despawned.server-side.pcap", "replication4"),
    "godot.path.undefined": (ERROR_CAPTURES + "broken.pcap", "errors4"),
    "godot.path.redefined": (ERROR_CAPTURES + "broken.pcap", "errors4"),
    "godot.path.confirms_nothing": (ERROR_CAPTURES + "broken.pcap", "errors4"),
    "godot.net_id.unknown": (ERROR_CAPTURES + "broken.pcap", "errors4"),
    "godot.problem.too_short": (ERROR_CAPTURES + "broken.pcap", "errors4"),
    "godot.problem.path_offset": (ERROR_CAPTURES + "broken.pcap", "errors4"),
    "godot.problem.id_size": (ERROR_CAPTURES + "broken.pcap", "errors4"),
    "godot.problem.subcommand": (ERROR_CAPTURES + "broken.pcap", "errors4"),
    "godot.sys.not_server": (ERROR_CAPTURES + "broken.pcap", "errors4"),
    "godot.over_mtu": ("multiplayer/godot-4.6-enet-calls.pcap", "rpc4"),
    "enet.analysis.connect_unanswered": (ERROR_CAPTURES + "connect.pcap", "errors4"),
    "enet.analysis.timeout": (ERROR_CAPTURES + "timeout.pcap", "errors4"),
    "godot.sys.never_admitted": (ERROR_CAPTURES + "waiting.pcap", "errors4"),
    "godot.sys.auth_failed": (ERROR_CAPTURES + "connect.pcap", "errors4"),
    "enet.analysis.retransmission": ("enet/godot-4.6-none-loss.pcap", "rpc4"),
}


PROJECTS = tshark.CAPTURES / "projects"


def test_every_error_has_its_case():
    rows = re.findall(r"^\| .* \| `([^`]+)` \| ", ERRORS.read_text(), re.MULTILINE)
    assert set(rows) == set(CASES) and len(rows) > 10


@pytest.mark.parametrize("expression", CASES)
def test_filter_finds_its_case(expression):
    capture, game = CASES[expression]
    options = ("-o", f"godot.project:{PROJECTS / game}", "-Y", expression)
    assert tshark.run(tshark.CAPTURES / capture, *options, two_pass=True).stdout


LOGGED = (
    "The rpc node checksum failed. Make sure to have the same methods on both nodes.", "Failed to get path from RPC: Main/",
    "Failed to get cached path from RPC", "Invalid packet received. Requested node was not found.", "Failed to get cached node from peer",
    "Method expected 1 argument(s), but called with 0", "Method expected 1 arguments, but called with 0.", "': Method not found",
    "is not allowed on node", "Node not found: ", 'Mode is "authority", authority is 1.', 'Mode is "disabled"', "Mode is 0, master is 1.",
    'Condition "!cache_config.configs.has(p_rpc_method_id)" is true.', 'Parameter "node" is null.', "not found in cache of peer",
    "Duplicate remote cache ID", 'Condition "!pinfo.recv_nodes.has(net_id)" is true.', "Invalid packet received. Size too small.",
    "Ignoring delta for non-authority or invalid synchronizer.", "Invalid spawn packet received", "Invalid sync packet received",
    "Invalid packet received. Size smaller than declared.", "Was not possible to extract the node id compression mode.",
    "Method/function failed.", "Invalid packet received. Unable to decode state variable.", "bytes unreliably which is above the MTU",
    "connection_failed", "peer_disconnected", "server_disconnected", "authentication_failed", "Unable to send packet on channel",
)  # fmt: skip


def test_errors_are_quoted_from_engines():
    """The messages that the page quotes are those in the logs of the engines."""
    records = [record for folder in ("multiplayer", "multiplayer-authority", "multiplayer-errors", "multiplayer-loss")
               for path in (tshark.CAPTURES / folder).glob("*.log.gz") for record in engine_logs.records(path)]
    logs = "\n".join(record["text"] if record["what"] == "print" else record["what"] for record in records)
    text = ERRORS.read_text()
    missing = [words for words in LOGGED if words not in logs or words not in text.replace("\\|", "|")]
    assert not missing


# --- recipes --------------------------------------------------------------------------------------------------

BLOCK = re.compile(r"```console\n\$ (.*?)\n(.*?)```", re.DOTALL)


def output(command):
    """The output of a documented command: `tshark …`, optionally with `| head -n N`, or `printf … |
    md5sum`."""
    if command.startswith("printf "):
        return subprocess.run(command, shell=True, stdout=subprocess.PIPE, check=True, text=True).stdout
    command, _, lines = command.partition(" | head -n ")
    words = shlex.split(command)
    assert words[0] == "tshark" and words[words.index("-r") + 1].startswith("test-captures/")
    at = words.index("-r")
    capture = tshark.ROOT / words[at + 1]
    rest = words[1:at] + words[at + 2:]
    rest = [re.sub(r"(?<=project:|compare,)test-captures/", f"{tshark.CAPTURES}/", word) for word in rest]
    if "-X" in rest:
        script = rest.index("-X")
        rest[script:script + 2] = lua.file(tshark.ROOT / rest[script + 1].removeprefix("lua_script:"))
    text = tshark.run(capture, *rest, two_pass="-2" in rest).stdout.replace(f"{tshark.workplace()}/", "")
    shown = text.splitlines()
    return "".join(line.rstrip() + "\n" for line in (shown[:int(lines)] if lines else shown))


def same(shown, printed):
    """Equal, where a row of "…" stands for any rows; differences between series of Wireshark are ignored."""
    parts = [re.escape(part) for part in re.split(r"^…\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*?".join(parts), printed) is not None


def blocks():
    """Commands and their output in the pages: (page, command, output)."""
    return [(page.name, *block) for page in sorted((tshark.ROOT / "docs").glob("*.md")) for block in BLOCK.findall(page.read_text())]


def test_every_block_is_compared():
    """All blocks have this form, on every page."""
    pages = [path for path in tshark.ROOT.rglob("*.md") if not {"build", "node_modules"} & {part.split("-")[0] for part in path.relative_to(tshark.ROOT).parts[:-1]}]
    assert sum(page.read_text().count("```console") for page in pages) == len(blocks()) > 17
    assert {"statistics.md", "other-clients.md", "recipes.md"} <= {page for page, _, _ in blocks()}


def test_number_of_recipes():
    text = RECIPES.read_text()
    assert len(re.findall(r"^## \d+\. ", text, re.MULTILINE)) == 22
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        assert len(section.splitlines()) <= 45, "at most a screen"
        assert BLOCK.search(section)
        assert re.search(r"!\[.+\]\(images/[\w-]+\.png\)", section) or int(section.partition(".")[0]) > 11


@pytest.mark.parametrize("page, command, shown", blocks())
def test_block(page, command, shown):
    if "lua_script:" in command and not lua.version():
        pytest.skip("this tshark has no Lua")
    printed = output(command)
    assert same(shown, printed), printed


def may_capture():
    return shutil.which("tcpdump") and os.geteuid() == 0 and pathlib.Path("/sys/class/net/lo").exists()


@pytest.mark.skipif(not may_capture(), reason="needs tcpdump, root and Linux")
def test_capture_on_a_server(tmp_path):
    """The command of the page: a Connect of a game that is sent meanwhile is in the file."""
    (line,) = re.findall(r"^    (tcpdump .*)", (tshark.ROOT / "docs" / "first-capture.md").read_text(), re.MULTILINE)
    connect = next(payload for _, payload in sent(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-reconnect.pcap"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        server.bind(("127.0.0.1", 0))
        words = shlex.split(line.replace("port 7000", f"port {server.getsockname()[1]}"))
        with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as tcpdump:
            assert any("listening on" in said for said in tcpdump.stderr)
            client.sendto(connect, server.getsockname())
            assert server.recv(2000) == connect
            time.sleep(1.2)  # tcpdump gets packets once a second
            tcpdump.terminate()
    (tmp_path / "game.pcap").chmod(0o644)
    options = ("-o", "udp.try_heuristic_first:TRUE")  # the ports, chosen by the system, may be those of other protocols
    assert [info for *_, info in tshark.listing(tmp_path / "game.pcap", *options)] == ["Connect → 255 channels (data 2132187158)"]


def sent(capture):
    """[(frame number, bytes)] of its datagrams."""
    rows = tshark.run(capture, "-T", "fields", "-e", "frame.number", "-e", "udp.payload").stdout
    return [(int(number), bytes.fromhex(payload)) for number, payload in (row.split("\t") for row in rows.splitlines())]


def test_bytes_of_other_clients():
    """The rows of each table, joined, are a packet of the frame that is named above them."""
    payloads = {number: payload.hex() for number, payload in sent(tshark.CAPTURES / "multiplayer" / "godot-4.6-enet-reconnect.pcap")}
    tables = re.findall(r"\| bytes \| field \| of frame (\d+) \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", CLIENTS.read_text())
    assert [frame for frame, _ in tables] == ["1", "3", "13", "4"]
    for frame, table in tables:
        packet = "".join(re.sub(" ", "", found) for found in re.findall(r"\| `([0-9a-f ]+)` \|$", table, re.MULTILINE))
        assert len(packet) > 10 and payloads[int(frame)].endswith(packet)


def test_pictures_are_small():
    pictures = set(re.findall(r"\((?:docs/)?images/([\w-]+\.png)\)", "".join(page.read_text() for page in (tshark.ROOT / "docs").glob("*.md"))
                              + (tshark.ROOT / "README.md").read_text()))
    there = {path.name: path.stat().st_size for path in (tshark.ROOT / "docs" / "images").glob("*.png")}
    assert pictures == set(there)
    assert not [name for name, size in there.items() if size >= 60_000]
