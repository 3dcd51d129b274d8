"""Files of FileAccess.store_var() as captures: values compared with the engine's log, compressed files, and
files of other formats.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import gzip
import pathlib
import random
import re
import struct
import subprocess
import zlib

import pytest

import engine_logs
import tshark
import values

FILES = sorted((tshark.CAPTURES / "files").glob("*.dat"))


def engine_values():
    with open(tshark.DATA / "godot-4.6-json.tsv", encoding="utf-8") as file:
        return [bytes.fromhex(line.split("\t")[0]) for line in file]


def stored(parts, order="<"):
    return b"".join(struct.pack(order + "I", len(part)) + part for part in parts)


def compressed(content, mode=1, block=4096):
    blocks = [zlib.compress(content[i : i + block]) for i in range(0, len(content) + 1, block)]
    sizes = b"".join(struct.pack("<I", len(one)) for one in blocks)
    return b"GCPF" + struct.pack("<III", mode, block, len(content)) + sizes + b"".join(blocks) + b"GCPF"


def texts(path, **options):
    """The text of the value in each record, from its bytes."""
    rows = tshark.fields(path, "godot.file.length", "godot.variant.text", "godot.variant.dialect", **options)
    return [(length, text, dialect) for (length,), (text,), (dialect,) in rows]


@pytest.fixture
def save(tmp_path):
    def write(content, name="save.dat"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def test_plain_file(save):
    parts = engine_values()
    path = save(stored(parts))
    found = texts(path)
    assert [length for length, _, _ in found] == [len(part) for part in parts]
    assert {dialect for _, _, dialect in found} == {"godot4"}
    assert found == texts(path, two_pass=True)
    assert texts(save(stored(parts, ">"), "big-endian.dat")) == found
    assert texts(save(compressed(stored(parts)), "compressed.dat")) == found


@pytest.mark.parametrize(
    "value,text,dialect",
    [
        ("07000000 0000803f 00000040 00004040", "Vector3(1, 2, 3)", "godot3"),
        ("13000000 01000000 02000000 05000000", "[5]", "godot3"),
        ("0200000007000000", "7", "godot4"),
    ],
)
def test_single_value(save, value, text, dialect):
    part = bytes.fromhex(value)
    assert texts(save(stored([part]))) == [(len(part), text, dialect)]


def test_generation_is_that_of_the_whole_file(save):
    """StringName "a" of Godot 4 is also a valid array of one int of Godot 3."""
    ambiguous = bytes.fromhex("15000000 01000000 61000000")
    array = bytes.fromhex("1c000000 00000000")
    assert texts(save(stored([ambiguous, array])))[0][1] == '&"a"'
    assert texts(save(stored([ambiguous, bytes.fromhex("13000000 00000000")])))[0][1] == "PackedInt32Array(97)"


def test_envelopes_that_cannot_be_read(save):
    (frame,) = tshark.packets(save(b"GDEC" + bytes(range(200))))
    assert frame.layer("godot.file").one("godot.file.magic") == "GDEC"
    assert [name for name, _, _ in frame.experts] == ["godot.file.encrypted"]
    for plain, mode in ((b"no values " * 900, 1), (stored(engine_values()), 4)):
        (frame,) = tshark.packets(save(compressed(plain, mode)))
        assert frame.one("godot.file.unpacked_size") == len(plain)
        assert [name for name, _, _ in frame.experts] == ["godot.file.not_unpacked"]
        assert frame.one("godot.file.block_size") == 4096


def test_files_that_unpack_to_much(save):
    """16 MiB, and 64 times the size of the file."""
    for mebibytes, experts in ((2, []), (20, ["godot.file.too_long"])):
        value = struct.pack("<II", 29, mebibytes << 20) + bytes(mebibytes << 20)
        path = save(compressed(stored([value]), block=1 << 20))
        (row,) = tshark.fields(path, "frame.len", "godot.file.unpacked_size", "godot.variant.type", "_ws.expert.message")
        assert row[0] == [path.stat().st_size if experts else len(value) + 4]
        assert row[1] == ([len(value) + 4] if experts else []) and bool(row[2]) != bool(experts)
        (frame,) = tshark.packets(path, two_pass=True) if experts else [None]
        assert not experts or [name for name, _, _ in frame.experts] == experts
    tshark.run(path, "-V", memory=200)


def is_claimed(path):
    line = tshark.command("-r", tshark.readable(path), "-T", "fields", "-e", "frame.protocols", "-c", "1")
    result = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    return result.returncode == 0 and "godot.file" in result.stdout


@pytest.mark.parametrize(
    "content",
    [
        bytes(4096),
        b"\4\0\0\0" + bytes(4),  # one Nil
        stored([bytes(4)] * 50 + [bytes.fromhex("0100000000000000")]),  # nothing but zeros
        stored(engine_values())[:-1],  # last record cut short
        stored(engine_values()) + b"\0",
        stored([bytes.fromhex("0200000005000000ffff0000")]),  # bytes after a value
        stored([bytes.fromhex("0400000002000000fffe0000")]),  # bad UTF-8
        stored([bytes.fromhex("0200010005000000")]),  # int that needs four bytes more
        stored([bytes.fromhex("1c00000000000000"), bytes.fromhex("1300000000000000")]),  # two generations
        b"GCPF" + bytes(64),
        b"Content-Length: 5\r\n\r\nhello",
    ],
)
def test_other_files_are_left_alone(save, content):
    assert not is_claimed(save(content))


@pytest.mark.parametrize("damaged_at", [0.5, 0.95, None])
def test_error_while_the_file_is_read(save, damaged_at):
    """Wireshark decompresses gzip itself; the message is about the error in the file, not about an unknown
    format."""
    content = stored(engine_values() * 40)
    packed = bytearray(gzip.compress(content))
    assert len(content) > 3 * 65536
    if damaged_at:
        start = int(len(packed) * damaged_at)
        packed[start : start + 200] = bytes(200)
    line = tshark.command("-r", tshark.readable(save(bytes(packed), "save.dat.gz")), "-T", "fields", "-e", "frame.number")
    result = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode == 0) == (damaged_at is None), result.stderr
    assert ("cannot be decompressed" in result.stderr) == (damaged_at is not None)
    assert not damaged_at or result.stdout == ""


@pytest.mark.slow
def test_files_of_the_system_are_left_alone():
    """A sample of the installed files, in one run of captype for speed."""
    share = [path for path in sorted(pathlib.Path("/usr/share").rglob("*")) if path.is_file() and not path.is_symlink()]
    random.Random(5).shuffle(share)
    line = tshark.command()
    line[line.index(tshark.PROGRAM)] = "captype"
    line = [word for word in line if not word.startswith("WIRESHARK_LOG_FATAL")]  # other file readers print warnings
    result = subprocess.run(line + [str(p) for p in share[:3000]], capture_output=True, text=True, timeout=300, check=False)
    types = [row.rsplit(": ", 1)[1] for row in result.stdout.splitlines() if ": " in row]
    assert len(types) > 500
    assert "godot-store" not in types


def test_random_bytes_are_left_alone(save):
    source = random.Random(7)
    paths = []
    for i in range(300):
        words = [source.choice((0, 4, 8, 12, source.randrange(40), source.getrandbits(32))) for _ in range(source.randrange(1, 12))]
        content = struct.pack(f"<{len(words)}I", *words)
        paths.append((content, save(content, f"{i}.dat")))
    line = tshark.command()
    line[line.index(tshark.PROGRAM)] = "captype"
    line = [word for word in line if not word.startswith("WIRESHARK_LOG_FATAL")]  # other file readers print warnings
    result = subprocess.run(line + [tshark.readable(p) for _, p in paths], capture_output=True, text=True, timeout=120, check=False)
    claimed = [row for row in result.stdout.splitlines() if row.endswith("godot-store")]
    assert len(claimed) < 10  # random words like these sometimes are a stored number


def log_of(path):
    """The values that the engine logged as stored."""
    (log,) = path.parent.glob(path.stem + ".*log.gz")
    return [entry for entry in engine_logs.records(log) if entry["what"] == "store_var"]


@pytest.mark.parametrize("path", [path for path in FILES if "mixed" in path.name], ids=lambda path: path.name)
def test_other_data_between_the_values(path):
    """Such a file cannot be distinguished from other files, so it is not accepted, even if most of it is
    valid."""
    assert not is_claimed(path)


@pytest.mark.parametrize("path", [path for path in FILES if "encrypted" in path.name], ids=lambda path: path.name)
def test_encrypted_files_of_engines(path):
    (frame,) = tshark.packets(path)
    assert [name for name, _, _ in frame.experts] == ["godot.file.encrypted"]


@pytest.mark.parametrize(
    "path", [path for path in FILES if not re.search("mixed|encrypted", path.name)], ids=lambda path: path.name
)
def test_files_of_engines(path):
    logged = log_of(path)
    frames = tshark.packets(path, "-o", "godot.variant.max_elements:5000")
    assert len(frames) == len(logged) > 0
    for frame, entry in zip(frames, logged):
        (node,) = values.children(frame.layer("godot.file"))
        assert "godot.variant.error" not in frame
        assert frame.one("godot.file.length") == (len(entry["hex"]) // 2 if "hex" in entry else entry["size"])
        assert node.all("godot.variant.type_id")[0] == entry["type"] or entry["name"].startswith("null")
        if entry["name"] == "Object EncodedObjectAsID":  # logged with the id that it refers to, stored with its own id
            entry["value"] = {"Object": struct.unpack("<q", bytes.fromhex(entry["hex"])[4:])[0]}
        if "value" in entry and "godot.variant.not_shown" not in frame:  # some are nested deeper than the tree
            assert values.same(values.read(node), entry["value"])
