"""The plugin module: exports, protocols, preferences.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import subprocess

import pytest

import pcap
import tshark

PROTOCOLS = ["enet", "godot", "godot.variant", "godot.stream", "godot.debugger", "godot.file"]


def modules():
    return sorted((tshark.BUILD / "plugins").glob("*/*/*.so"))


def test_exports_only_what_wireshark_looks_up():
    allowed = {"plugin_version", "plugin_want_major", "plugin_want_minor", "plugin_register", "plugin_describe"}
    assert modules()
    for module in modules():
        listed = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True, check=True).stdout
        names = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
        names = {name for name in names if not name.startswith(("__asan", "__ubsan", "__odr_asan"))}
        assert names == allowed


def test_protocols_are_registered():
    registered = {line.split("\t")[2] for line in tshark.run(None, "-G", "protocols").stdout.splitlines()}
    assert not [name for name in PROTOCOLS if name not in registered]


def test_filter_names_begin_with_their_protocol_and_have_one_type():
    types = {}
    for line in tshark.run(None, "-G", "fields").stdout.splitlines():
        part = line.split("\t")
        if part[0] == "F" and part[4] in PROTOCOLS:
            assert part[2].startswith(part[4] + "."), part
            types.setdefault(part[2], set()).add(part[3])
    assert types
    assert not {name: kinds for name, kinds in types.items() if len(kinds) > 1}


def test_names_of_values():
    """Each number of a table has one name, and each name one number; there is none between them that has no name."""
    tables = {}
    for line in tshark.run(None, "-G", "values").stdout.splitlines():
        kind, *row = line.split("\t")
        if kind == "V" and row[0].startswith(tshark.OURS):
            tables.setdefault(row[0], []).append(row[1:])
    assert {"godot.variant.input_event.type", "godot.variant.image.format", "enet.command"} <= tables.keys()
    for name, rows in tables.items():
        numbers, texts = zip(*rows)
        first = 3 if name == "godot.api" else 0
        assert [int(number) for number in numbers] == list(range(first, first + len(numbers))), name
        assert len(set(texts)) == len(texts), name


PREFERENCES = {
    "enet.udp.port": "4000-4010",
    "enet.compression": "zlib",
    "enet.checksum": "crc32",
    "enet.dialect": "csharp",
    "enet.reassemble": "FALSE",
    "godot.compare.baseline": "/nonexistent.csv",
    "godot.peer_names": "FALSE",
    "godot.plot": "",
    "godot.project": "/nonexistent",
    "godot.rpc_reply_conventions": "TRUE",
    "godot.variant.udp.port": "4242",
    "godot.variant.ws.port": "4244",
    "godot.variant.dialect": "godot4-manual",
    "godot.variant.max_elements": "7",
    "godot.stream.tcp.port": "4243,5000",
    "godot.stream.byte_order": "big",
    "godot.stream.desegment": "FALSE",
    "godot.debugger.tcp.port": "6010",
}


def test_preferences_have_their_names(tmp_path):
    """All at once: preferences must not be hidden if one protocol's name is a prefix of another's."""
    options = [part for name, value in PREFERENCES.items() for part in ("-o", f"{name}:{value}")]
    capture = pcap.write(tmp_path / "empty.pcap", [])
    tshark.run(capture, *options)
    for name in PREFERENCES:
        tshark.run(capture, "-o", f"{name}x:1", status=1)


def test_obsolete_preference_is_no_error(tmp_path):
    """Wireshark distinguishes an obsolete preference from one that does not exist; encrypted packs once had
    keys."""
    capture = pcap.write(tmp_path / "empty.pcap", [])
    shown = [tshark.run(capture, "-o", f"godot.{name}:00", status=1).stderr for name in ("project_key", "project_kex")]
    assert "obsolete" in shown[0] and "obsolete" not in shown[1]


def test_preferences_are_all_known_here():
    """No preference is renamed or new, so that configuration files and scripts still work. The game comes
    first on the page."""
    lines = tshark.run(None, "-G", "currentprefs").stdout.splitlines()
    names = [line.lstrip("#").split(":")[0] for line in lines if line.lstrip("#").startswith(("enet.", "godot."))]
    assert {*names, "enet.udp.port"} == set(PREFERENCES)  # omitted while it is empty
    assert [name for name in names if name.startswith("godot.")][0] == "godot.project"


@pytest.mark.parametrize("options", [["-T", "json"], ["-V"], ["-P", "-V"], ["-2", "-q", "-z", "enet,tree"],
                                     ["-o", "enet.dialect:csharp"], ["-o", "enet.nonsense:1"], ["-Y", "enet.nonsense"]])
def test_one_start_for_many_runs(options):
    """A forked tshark shows the same as one that was started for this run."""
    path = tshark.CAPTURES / "enet" / "libenet-plain-empty.pcap"
    runs = [tshark.run(path, *options, status=None, **alone) for alone in ({}, {}, {"START": "alone"})]
    shown = [(run.returncode, run.stdout, run.stderr) for run in runs]
    assert shown[0] == shown[1] == shown[2]
