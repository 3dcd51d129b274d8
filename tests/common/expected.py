"""The output of the statistics for shipped captures, as texts in tests/expected/ that script/expected writes.

Wireshark's own rows are left out of the expert infos, which are sorted, so that the texts are the same in
every series of Wireshark. Long tables and reports are truncated.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import functools
import itertools
import re
import subprocess

import captures
import pcap
import projects
import tshark
import two_points

FOLDER = tshark.ROOT / "tests" / "expected"
MOST_LINES, MOST_BLOCKS = 12, 16  # lines of a table or a list, and of a report

# {folder: (reports, {name: projects})}. A name is that of a capture without its ending, or one of MADE.
EVERYTHING = ("expert", "godot,replication", "godot,bandwidth", "godot,peers", "godot,summary")
ENET = ("expert", "godot,peers", "godot,summary")
PROBLEMS = ("expert", "godot,summary")
TEXTS = {
    "debugger": (PROBLEMS, {
        "godot-3.6-tcp": (), "godot-4.6-tcp": (), "godot-4.6-websocket": ()}),
    "dtls": (ENET, {
        "godot-4.6-enet": ()}),
    "enet": (ENET, {
        "cube2": (), "godot-3.6-none-everything": (), "godot-3.6-range-coder": (), "godot-3.6-several": (),
        "godot-4.6-none-duplicates": (), "godot-4.6-none-everything": (), "godot-4.6-none-loss": (),
        "godot-4.6-none-reordering": (), "godot-4.6-range-coder-loss": (), "godot-4.6-range-coder-loss.late": (),
        "godot-4.6-several": (), "godot-4.6-zstd": (), "libenet-1.3.5": (), "libenet-1.3.5-mtu-16": (),
        "libenet-checksum-range-coder": (), "libenet-checksum-steady-loss": (), "libenet-plain-steady-loss": (),
        "order-reliable-unreliable": (), "ordinary-udp": (), "quoted-by-icmp": (), "refused-before-handshake": (),
        "two-connections-in-turns": (), "zpl": ()}),
    "keys": (EVERYTHING, {
        "godot-4.6-enet-dtls-aes": (), "godot-4.6-wss": ()}),
    "multiplayer": (EVERYTHING, {
        "godot-3.2-websocket-relay": ("rpc3",), "godot-3.6-enet-calls": ("rpc3",), "godot-3.6-enet-reconnect": (),
        "godot-3.6-enet-relay": ("rpc3",), "godot-3.6-websocket-calls": ("rpc3",), "godot-3.6-websocket-reconnect": (),
        "godot-4.6-enet-authentication": (), "godot-4.6-enet-calls": ("rpc4",), "godot-4.6-enet-game": ("game4",),
        "godot-4.6-enet-mismatch": ("mismatch4-client", "mismatch4-server"), "godot-4.6-enet-properties": ("properties4",),
        "godot-4.6-enet-raw": (), "godot-4.6-enet-reconnect": (), "godot-4.6-enet-relay": ("rpc4",),
        "godot-4.6-enet-relay.late": (), "godot-4.6-enet-replies": ("rpc4",),
        "godot-4.6-enet-synchronizers": ("synchronizers4",), "godot-4.6-websocket-authentication": (),
        "godot-4.6-websocket-raw": (), "godot-4.6-websocket-reconnect": (), "godot-4.6-websocket-relay": (),
        "godot-4.6-websocket-replication": ("replication4",)}),
    "multiplayer-debugged": (("expert", "godot,log", "godot,summary"), {
        "godot-3.6-refused": ("refused3",), "godot-4.6-editor": ("debugged4",)}),
    "multiplayer-errors": (EVERYTHING, {
        "godot-3.2-refused": ("refused3",), "godot-3.6-refused": ("refused3",), "godot-4.6-broken": ("errors4",),
        "godot-4.6-connect": ("errors4",), "godot-4.6-refused": ("refused4",), "godot-4.6-timeout": ("errors4",)}),
    "multiplayer-in-code": (EVERYTHING, {"godot-4.6": ("incode4",)}),
    "websocket-loss": (EVERYTHING, {
        "godot-3.6-relay.server-side": (), "godot-4.6-relay.client-side": ("rpc4",)}),
    "savings": (("godot,properties", "godot,savings"), {**{
        f"godot-4.6-{play}": ("savings4",)
        for play in ("array", "compression", "dictionary", "interval", "on-change", "reliable", "same-arguments", "transform")},
        **{f"godot-4.6-{game}": ("games4",) for game in (
            "alive", "board", "clock", "echo", "json", "labels", "raw", "shots", "snapshot", "threesync", "turret")}}),
    "multiplayer-loss": (EVERYTHING, {
        "godot-3.6-relay.client-side": ("rpc3",), "godot-4.6-despawned.server-side": ("replication4",),
        "godot-4.6-handover.both-points": ("handover4",), "godot-4.6-handover.client-side": ("handover4",),
        "godot-4.6-relay.both-points": ("rpc4",), "godot-4.6-relay.server-side": ("rpc4",),
        "godot-4.6-replication.both-points": (), "godot-4.6-replication.server-side": ()}),
    "multiplayer-defaults": (EVERYTHING, {"godot-4.6": ("defaults4",)}),
    "multiplayer-spawn-function": (EVERYTHING, {"godot-4.6": ("spawnfunction4",)}),
    "recorder": (EVERYTHING, {
        "files/killed.game": (), "files/rotated.game-00003": (), "godot-4.6-dtls-relay.merged": (),
        "godot-4.6-enet-calls.server": (), "godot-4.6-enet-game.merged": (), "godot-4.6-enet-game.server": (),
        "godot-4.6-enet-reconnect.merged": (), "godot-4.6-enet-synchronizers.client1": (),
        "godot-4.6-peers.closed_and_started_again": (), "godot-4.6-peers.ordinary": (),
        "godot-4.6-peers.thrown_out": (), "reports/godot-4.6-broken.server": (), "reports/godot-4.6-refused.merged": (),
        "reports/godot-4.6-reports.server": (), "godot-4.6-peers.to_everybody": (), "godot-4.6-websocket-relay.server": ()}),
    "variant": (PROBLEMS, {
        "godot-3.6-broken-udp": (), "godot-4.6-broken-udp": (), "godot-4.6-mixed": (), "godot-4.6-udp": ()}),
    "variant-enet": (ENET, {"godot-4.6": ()}),
    "websocket-peer": (PROBLEMS, {"godot-3.6": (), "godot-4.6": ()}),
}


# --- captures ----------------------------------------------------------------------------------------------------


def _made(name):
    place = tshark.workplace() / "expected" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _merged(name):
    """All recordings of a game in one file."""
    path = _made(f"{name}.pcapng")
    recordings = sorted((tshark.CAPTURES).glob(f"{name}.*.pcapng"))
    subprocess.run(["mergecap", "-w", path, *recordings], check=True)
    return path


def _late(name):
    """The second half of a capture. Not other parts: in some series of Wireshark, another protocol claims
    some of the first datagrams of these."""
    link, packets = pcap.read(tshark.CAPTURES / f"{name}.pcap")
    return pcap.write(_made(f"{name}.pcap"), packets[len(packets) // 2:], linktype=link)


def _both_points(name):
    return two_points.merged(name.rpartition("/")[2])


MADE = {"merged": _merged, "late": _late, "both-points": _both_points}


@functools.lru_cache(maxsize=None)
def _capture(name):
    whole, _, how = name.rpartition(".")
    if how in MADE:
        return MADE[how](whole)
    (path,) = (path for path in captures.shipped() if captures.name(path).rpartition(".pcap")[0] == name)
    return path


def names():
    return [f"{folder}/{name}" for folder, (_, texts) in TEXTS.items() for name in texts]


# --- text that is the same in every series ---


def _experts(lines):
    """Rows of this plugin's protocols with their severity, without the group lines above them."""
    severity, rows = "", []
    for line in lines:
        if match := re.fullmatch(r"(Errors|Warns|Notes|Chats|Comments) \(\d+\)", line):
            severity = match[1]
        elif match := re.fullmatch(r" *(\d+) +(\w+) +((?:ENet|Godot)(?: \w+)*)  (.*)", line):
            rows.append(f"  {severity}: {match[1]} × {match[3]}, {match[2]}: {match[4]}")
    return "\n".join(["Expert infos", *(sorted(rows) or ["  None of this plugin's."])])


def _cut(lines, most, what):
    """The first lines. Another line says how many more there are; a single one is not left out."""
    if len(lines) <= most + 1:
        return lines
    return [*lines[:most], f"  … {len(lines) - most} more {what}"]


def _report(lines):
    """A report without its frame, truncated, with truncated lists and tables. Columns are separated by two
    blanks, so that a longer value changes no other row."""
    blocks = ["\n".join(_cut([re.sub(r"(?<=\S)  +", "  ", line.rstrip()) for line in block], MOST_LINES, "lines"))
              for is_text, block in itertools.groupby(lines, lambda line: bool(line.strip())) if is_text]
    return "\n\n".join(_cut(blocks, MOST_BLOCKS, "blocks"))


def _parts(output):
    """The lines of each report, those of the expert infos last."""
    parts, is_report = [[]], False
    for line in output.splitlines():
        if re.fullmatch("={60,}", line):
            is_report = not is_report
            if is_report:
                parts.insert(-1, [])
        else:
            parts[-2 if is_report else -1].append(line)
    return parts


def text(name):
    """The reports of this capture."""
    reports, projects_of = TEXTS[name.split("/")[0]]
    own = projects_of[name.split("/", 1)[1]]
    path = _capture(name)
    options = [word for report in reports for word in ("-z", report)]
    if path.is_relative_to(tshark.CAPTURES):
        options += captures.naturally(path)
    if own:
        options += projects.option(*own)
    *found, experts = _parts(tshark.run(path, "-q", *options, two_pass=True).stdout)
    return "\n\n".join([_experts(experts), *map(_report, reversed(found))]) + "\n"


def file(name):
    return FOLDER / f"{name}.txt"


def severities():
    """The severity of each expert info, from its table in the sources: most need damaged packets, which are
    in no shipped capture."""
    found = {}
    for path in (tshark.ROOT / "plugin").rglob("*.c"):
        for name, severity in re.findall(r'"([a-z][a-z_.]+)",\s*(?:"[^"]*"\s*)*,?\s*PI_\w+,\s*PI_(\w+)', path.read_text(encoding="utf-8")):
            found[name if "." in name else f"enet.analysis.{name}"] = severity.lower()
    return "".join(f"{name}: {severity}\n" for name, severity in sorted(found.items()))
