"""Runs tshark with the plugin of this build and returns what it dissected, as values.

    frames = tshark.packets(capture)                      # list of Frame
    frames[0].all("godot.variant.int")                    # values of a field in document order, typed
    tshark.fields(capture, "frame.number", "enet.rtt")    # per frame a tuple of lists
    tshark.listing(capture)                               # the packet list: (number, protocol, info)
    tshark.run(capture, "-q", "-z", "enet,tree").stdout

Warnings are fatal to tshark, so that a dissector bug ends in an exception; the caller's configuration, time
zone and name resolution are not used. Run as root, tshark would ignore the plugin of the build, so it is run
as the user nobody; captures and plugin are copied to where that user can read them.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import atexit
import contextlib
import difflib
import functools
import gc
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import xml.etree.ElementTree

import start_once

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GODOT_BUILD_DIR", ROOT / "build"))
CAPTURES = ROOT / "test-captures"
DATA = ROOT / "tests" / "data"
PROGRAM = os.environ.get("TSHARK", "tshark")
PRELOAD = os.environ.get("TSHARK_PRELOAD", "")  # sanitizer runtimes, if the plugin is built with them
OURS = ("enet", "godot")  # prefixes of the names of this plugin's protocols and fields
NOBODY = 65534

SEVERITIES = {0x100000: "comment", 0x200000: "chat", 0x400000: "note", 0x600000: "warning", 0x800000: "error"}



def _has_modules(folder):
    """Whether modules can be loaded from there; by nobody, whom root runs tshark as."""
    folder = pathlib.Path(folder).resolve()
    if not folder.is_dir() or os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0):
        return False
    return os.getuid() != 0 or all(one.stat().st_mode & 0o001 for one in (folder, *folder.parents))


for _folder in (tempfile.gettempdir(), "/tmp", "/var/tmp"):
    if _has_modules(_folder):
        os.environ["TMPDIR"] = tempfile.tempdir = _folder
        break


class Failure(AssertionError):
    """tshark ended with an error, was killed, or reported a bug of a dissector."""


# --- the environment of tshark ------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def workplace():
    """A directory that the user nobody can read, with the plugin in it. Removed at exit."""
    if not (BUILD / "plugins").exists():
        sys.exit(f"no plugin in {BUILD}: build it first, or name another build in GODOT_BUILD_DIR")
    if not shutil.which(PROGRAM):
        sys.exit(f"needs the program {PROGRAM}: apt-get install tshark")
    place = pathlib.Path(tempfile.mkdtemp(prefix="godot-wireshark-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    shutil.copytree(BUILD / "plugins", place / "plugins")
    for name in ("configuration", "captures", "data", "started"):
        (place / name).mkdir()
    open_to_everybody(place)
    return place


def open_to_everybody(place):
    """Lets all users read what is in a folder."""
    for directory, _, files in os.walk(place):
        os.chmod(directory, 0o755)
        for file in files:
            os.chmod(os.path.join(directory, file), 0o644)


@functools.lru_cache(maxsize=None)
def _home_with(name):
    home = workplace() / f"home-with-{name}"
    ((_, version),) = [epan.relative_to(workplace()).parts[:2] for epan in workplace().glob("plugins/*/epan")]
    plugins = home / ".local/lib/wireshark/plugins" / version / "epan"
    plugins.mkdir(parents=True)
    shutil.copy(BUILD / "tests" / f"{name}.so", plugins)
    open_to_everybody(home)
    return str(home)


def with_plugin(name):
    """For run() and what calls it: a plugin for tests (tests/common/NAME.c) in addition to this one. As a
    personal plugin it is loaded after this one, so its heuristics are called first."""
    return {"HOME": _home_with(name)}


def environment():
    place = workplace()
    variables = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "WIRESHARK_PLUGIN_DIR": str(place / "plugins"),
        "WIRESHARK_CONFIG_DIR": str(place / "configuration"),
        "WIRESHARK_EXTCAP_DIR": str(place / "configuration"),  # none: slow to start, and they hang with sanitizers
        "WIRESHARK_DATA_DIR": str(place / "data"),  # empty: dictionaries of Diameter and others are a third of the start
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "WIRESHARK_LOG_FATAL": "warning",
        "G_DEBUG": "fatal-warnings",
    }
    if PRELOAD:
        variables.update(
            LD_PRELOAD=PRELOAD,
            ASAN_OPTIONS="detect_leaks=0",
            UBSAN_OPTIONS="print_stacktrace=1",
            WIRESHARK_DEBUG_WMEM_OVERRIDE="simple",
            G_SLICE="always-malloc",
        )
    return variables


def command(*arguments, program=PROGRAM, **changes):
    """The whole command line, with changes to the environment. These are set after setpriv, which must not
    run with LD_PRELOAD."""
    variables = ["env", "-i"] + [f"{name}={value}" for name, value in {**environment(), **changes}.items()]
    line = variables + [program] + [str(argument) for argument in arguments]
    if os.getuid() == 0:
        line = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] + line
    return line


@functools.lru_cache(maxsize=None)
def _readable_copy(path, _stamp):
    directory = tempfile.mkdtemp(dir=workplace() / "captures")
    os.chmod(directory, 0o755)
    copy = os.path.join(directory, os.path.basename(path))
    shutil.copyfile(path, copy)
    os.chmod(copy, 0o644)
    return copy


def readable(capture):
    """The path of a copy that the user nobody can read. The copy is updated if the file has changed."""
    status = os.stat(capture)
    return _readable_copy(os.path.abspath(capture), (status.st_mtime_ns, status.st_size, status.st_ino))


@functools.lru_cache(maxsize=None)
def _shipped(path):
    """A copy of one of the shipped files or folders at the same place below workplace()."""
    source, copy = pathlib.Path(path), workplace() / pathlib.Path(path).relative_to(ROOT)
    copy.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, copy, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, copy)
    open_to_everybody(workplace() / CAPTURES.name)
    return str(copy)


_SHIPPED = re.compile(re.escape(str(CAPTURES)) + r"/[\w./-]*\w")


def _readable_argument(argument):
    """The argument with paths of copies that the user nobody can read, for those of shipped files: of a project in a preference, of
    a table that another one is compared with. This is where they become readable, so a test need not know in which folder it is."""
    return _SHIPPED.sub(lambda found: _shipped(found[0]) if os.path.exists(found[0]) else found[0], str(argument))


# --- running --------------------------------------------------------------------------------------------------


class Result:
    def __init__(self, line, returncode, stdout, stderr, peak_memory):
        self.line = line
        self.returncode = returncode
        self.stdout = stdout
        self.stderr = stderr
        self.peak_memory = peak_memory  # MiB; 0: not measured

    def __str__(self):
        return f"$ {' '.join(self.line)}\nstatus {self.returncode}\n{self.stderr[-4000:]}"


# Runs a command and writes the peak of its memory into a file. In a small process, because the memory of a
# process includes that of the process that forked it: here, Python with the packets of all tests so far.
_MEASURE = """
import resource, subprocess, sys
status = subprocess.call(sys.argv[2:])
with open(sys.argv[1], "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status if status >= 0 else 128 - status)
"""


def _execute(line, timeout, address_space=None):
    def limit():
        if address_space and not PRELOAD:  # AddressSanitizer reserves terabytes of addresses
            resource.setrlimit(resource.RLIMIT_AS, (address_space << 20, address_space << 20))

    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr, tempfile.NamedTemporaryFile() as peak:
        measured = [sys.executable, "-I", "-S", "-c", _MEASURE, peak.name] if address_space else []
        process = subprocess.Popen(
            measured + line,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            cwd="/",
            start_new_session=True,
            preexec_fn=limit,
        )
        timer = threading.Timer(timeout, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        process.wait()
        timer.cancel()
        peak_memory = int(peak.read() or 0)
        texts = []
        for stream in (stdout, stderr):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    return Result(line, process.returncode, *texts, peak_memory // 1024)


# Options that tshark reads before it has started, and the values it then has to be started with.
_EARLY = ("-P", "-V")
# These, and the plugin for tests that does something at the end of the process, need a process of their own.
_NOT_STARTED = {"-C", "-D", "-G", "-L", "-O", "-X", "-h", "-i", "-v", "-x", "text-window"}

_OF_A_START = {"HOME", "MALLOC_PERTURB_"}  # changes to the environment that several runs have: plugins for tests


@functools.lru_cache(maxsize=None)
def start_library():
    """The library that waits for requests, copied once because processes have it mapped. None if it was not
    built."""
    library = BUILD / "tests" / "start-once.so"
    if not library.exists():
        return None
    copy = shutil.copy(library, workplace() / "started")
    os.chmod(copy, 0o644)
    return str(copy)


@functools.lru_cache(maxsize=None)
def _started(early, changes):
    """A tshark that has started with these options and changes to the environment, or None."""
    if not start_library():
        return None
    # With huge pages, a fork takes a quarter less time.
    options = {"LD_PRELOAD": " ".join(filter(None, (environment().get("LD_PRELOAD"), start_library()))),
               "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", **dict(changes)}
    return start_once.Started(command("-r", "(the run's)", *early, **options), workplace() / "started")


def _run(arguments, timeout, memory, changes):
    """One process: a fork of a started tshark, or a new one if other options are read at the start or its
    memory is measured."""
    line = command(*arguments, **changes)
    started = None
    words = {str(argument).split(",")[0] for argument in arguments}
    if not memory and set(changes) <= _OF_A_START and "-r" in arguments and not words & _NOT_STARTED:
        started = _started(tuple(sorted(set(arguments) & set(_EARLY))), tuple(sorted(changes.items())))
    answer = started.run(arguments, timeout) if started else None
    if not answer:
        return _execute(line, timeout, memory and 4 * memory + 2048)
    status, *texts = answer
    return Result(line, status, *(text.decode("utf-8", "replace") for text in texts), 0)


@functools.lru_cache(maxsize=None)
def assert_plugin_loaded():
    """Without the plugin, every test for the absence of something would pass. It is the only one with a protocol of this name, and a
    display filter is refused that has no protocol. The tshark that answers is the one that most runs are forked from."""
    empty = workplace() / "captures" / "empty.pcap"
    empty.write_bytes(struct.pack("=IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    result = _run(("-r", readable(empty), "-Y", "godot"), 60, None, {})
    if result.returncode:
        raise Failure(f"tshark did not load the plugin of {BUILD}:\n{result}")


@functools.lru_cache(maxsize=None)
def can_capture():
    """Whether tshark can run dumpcap, even to read from a pipe: on Debian only the group wireshark may, if its package was told so."""
    return subprocess.run(command("-v", program="dumpcap"), capture_output=True, check=False).returncode == 0


def run(capture, *arguments, two_pass=False, verbose=False, memory=None, timeout=300, status=0, **changes):
    """Runs `tshark -r capture arguments…` (without -r if capture is None, e.g. "-G", "fields") and returns a
    Result.

    memory: MiB that tshark may use at its peak; a run without a capture takes some 150. Ignored if the plugin
    is built with sanitizers. status: the exit status to expect; None: any. Other keyword arguments change the
    environment.
    """
    assert_plugin_loaded()
    line = [] if capture is None else ["-n", "-r", readable(capture)]
    if two_pass:
        line.append("-2")
    if verbose:
        line.append("-V")
    result = _run((*line, *map(_readable_argument, arguments)), timeout, memory, changes)
    if status is not None and result.returncode != status:
        raise Failure(f"tshark failed\n{result}")
    for text in ("Dissector bug", "runtime error:", "AddressSanitizer"):
        if text in result.stderr:
            raise Failure(f"{text}\n{result}")
    if "[Dissector bug" in result.stdout:
        raise Failure(f"Dissector bug in the output\n{result}")
    if memory and not PRELOAD and result.peak_memory > memory:
        raise Failure(f"{result.peak_memory} MiB used, {memory} allowed\n{result}")
    return result


# Ids instead of names: "peer 4711", as in the engines' logs.
BY_ID = ("-o", "godot.peer_names:FALSE")

# From Wireshark 4.2 on `-z follow` of a stream's number needs the number of a sub-stream, too.
SUB_STREAMS = not (BUILD / "plugins" / "4.0").exists()

# --- values ---------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _known_fields():
    """A database of the names and types of all fields of Wireshark. Kept in a file for the other processes of a test run: to list
    200,000 fields, or to read a list of them, took a quarter of the start of each."""
    plugins = sorted(BUILD.glob("plugins/**/*.*"))
    stamp = json.dumps([PROGRAM, *(os.stat(path).st_mtime_ns for path in (shutil.which(PROGRAM), *plugins))])
    kept = BUILD / "tests" / "fields.sqlite"
    with contextlib.suppress(sqlite3.Error):
        database = sqlite3.connect(f"file:{kept}?immutable=1", uri=True)
        if database.execute("SELECT stamp FROM made").fetchone() == (stamp,):
            return database
    own = kept.with_suffix(f".{os.getpid()}")  # several processes may write it at a time
    with contextlib.closing(sqlite3.connect(own)) as database, database:
        database.execute("CREATE TABLE fields (name TEXT PRIMARY KEY, type TEXT) WITHOUT ROWID")
        lines = (line.split("\t") for line in run(None, "-G", "fields").stdout.splitlines() if line.startswith("F\t"))
        database.executemany("INSERT OR REPLACE INTO fields VALUES (?, ?)", (line[2:4] for line in lines))
        database.execute("CREATE TABLE made AS SELECT ? AS stamp", (stamp,))
    own.replace(kept)
    return sqlite3.connect(f"file:{kept}?immutable=1", uri=True)


@functools.lru_cache(maxsize=None)
def field_type(name):
    """A field's type as Wireshark names it, "FT_UINT8" for example; None if there is no such field."""
    row = _known_fields().execute("SELECT type FROM fields WHERE name = ?", (name,)).fetchone()
    return row and row[0]


def field_names():
    """The names of all fields of Wireshark, without those of protocols."""
    return {name for (name,) in _known_fields().execute("SELECT name FROM fields")}


def _boolean(text):
    return text in ("1", "True", "true")


def _integer(text):
    return int(text, 0) if not text.startswith("'") else text  # FT_CHAR


def _float(text):
    number = float(text)
    return math.nan if math.isnan(number) else number  # the same object each time, because NaN only equals itself


def _bytes(text):
    return bytes.fromhex(text.replace(":", ""))


def _text(text):
    return text


@functools.lru_cache(maxsize=None)
def _reader(name):
    """(function from a field's text to its value, the value if there is no text)"""
    ftype = field_type(name) or "FT_STRING"
    if ftype.startswith("FT_STRING"):
        return _text, ""
    if ftype.endswith("BYTES"):
        return (_bytes if ftype in ("FT_BYTES", "FT_UINT_BYTES") else _text), b""
    if ftype == "FT_BOOLEAN":
        return _boolean, None
    if ftype.startswith(("FT_UINT", "FT_INT", "FT_FRAMENUM", "FT_CHAR")):
        return _integer, None
    return (_float if ftype in ("FT_FLOAT", "FT_DOUBLE", "FT_RELATIVE_TIME") else _text), None


def typed(name, text):
    """A field's text as a Python value, the same for every series of Wireshark."""
    read, empty = _reader(name)
    if text:
        return read(text)
    return empty if text == "" or empty == b"" else None


class Node:
    """An item of the tree: field or protocol name (of a text item its text), value, children."""

    __slots__ = ("name", "_text", "_pairs", "value", "children", "_found")

    def __init__(self, name, content):
        """content: its text, or the names and contents of what is below it. None of that is looked at before it is
        asked for: of the millions of nodes that tests get, they ask for a few."""
        self.name = name
        below = isinstance(content, list)
        self._text = None if below else content
        self._pairs = content if below else ()

    def __getattr__(self, name):
        """What was not asked for yet."""
        if name == "value":
            self.value = value = None if self._text is None else typed(self.name, self._text)
        elif name == "children":
            self.children = value = _nodes(self._pairs) if self._pairs else ()
        elif name == "_found":
            self._found = value = {}
            for node in self.walk():
                value.setdefault(node.name, []).append(node)
        else:
            raise AttributeError(name)
        return value

    def walk(self):
        """This node and all below it, in document order. Iterative, as recursion would cost a step for every
        level."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            if node.children:
                waiting += reversed(node.children)

    def all(self, name):
        """Values of the field in this subtree, in document order."""
        return [node.value for node in self.nodes(name)]

    def nodes(self, name):
        return list(self._found.get(name, ()))

    def one(self, name):
        """The value of a field that occurs exactly once."""
        values = self.all(name)
        assert len(values) == 1, f"{name}: {values} in {self}"
        return values[0]

    def __contains__(self, name):
        return name in self._found

    def names(self):
        return set(self._found)

    @property
    def experts(self):
        """[(field name, severity, message)] of the expert infos in this subtree."""
        found = []
        for node in self.nodes("_ws.expert"):
            names = [child.name for child in node.children if not child.name.startswith("_ws.expert")]
            severity = int(str(node.one("_ws.expert.severity")), 0) if "_ws.expert.severity" in node else 0
            found.append((names[0] if names else "", SEVERITIES.get(severity, severity), node.one("_ws.expert.message")))
        return found

    def tree(self):
        """Nested tuples, for comparing."""
        return (self.name, self.value, tuple(child.tree() for child in self.children))

    def __repr__(self):
        children = ", ".join(map(repr, self.children))
        return f"{self.name}" + (f"={self.value!r}" if self.value is not None else "") + (f"[{children}]" if children else "")


class Frame(Node):
    """A frame; its children are the protocols."""

    __slots__ = ()

    @property
    def number(self):
        (number,) = (child.value for child in self.layer("frame").children if child.name == "frame.number")
        return number

    @property
    def layers(self):
        return [child.name for child in self.children]

    def layer(self, name):
        """The only layer of this protocol."""
        found = [child for child in self.children if child.name == name]
        assert len(found) == 1, f"{name} in {self.layers}"
        return found[0]


def _nodes(pairs):
    nodes = []
    for name, content in pairs:
        if name.endswith("_tree") and nodes and nodes[-1].name == name[:-5]:
            nodes[-1]._pairs = content
        else:
            nodes.append(Node(name, content))
    return nodes


gc.disable()  # millions of nodes, none of them garbage: to look for some would take longer than to make them


def packets(capture, *arguments, two_pass=False, **options):
    """The frames of a capture (or those that pass "-Y", filter) as Frame objects."""
    text = run(capture, "-T", "json", *arguments, two_pass=two_pass, **options).stdout
    # Keys are repeated if fields are repeated; pairs keep all of them in order.
    found = json.loads(text or "[]", object_pairs_hook=lambda pairs: pairs)
    return [Frame("frame", dict(dict(packet)["_source"])["layers"]) for packet in found]


def fields(capture, *names, arguments=(), **options):
    """A tuple per frame with a list of values for each name."""
    line = ["-T", "json"]
    for name in names:
        line += ["-e", name]
    text = run(capture, *line, *arguments, **options).stdout
    rows = []
    for packet in json.loads(text or "[]"):
        layers = packet["_source"]["layers"]
        rows.append(tuple([typed(name, value) for value in layers.get(name, [])] for name in names))
    return rows


COLUMNS = ("-o", 'gui.column.format:"Number","%m","Protocol","%p","Info","%i"')


# From 4.4 on, TCP shows this in the second pass only.
_TCP_LOOKS_AHEAD = re.compile(r" \[TCP PDU reassembled in \d+\]")


def tables(text):
    """{title: [row as {column: text}]} of a printed statistic; numbers are complete, texts only in rows that
    have all of them."""
    found = {}
    for block in re.sub("=+", "", text).split("\n\n"):
        title, *rows = block.strip("\n").split("\n")
        if rows:
            names, *values = (re.split(r"\s{2,}", row.strip()) for row in rows)
            for row in values:  # only synchronized messages have properties
                if "Property" in names and len(row) < len(names):
                    row.insert(names.index("Property"), "")
            # The last texts on the right may be empty.
            found[title] = [dict(zip(names, row)) for row in values]
    return found


def listing(capture, *arguments, **options):
    """The packet list as [(number, protocol, info)], made without trees."""
    rows = run(capture, *COLUMNS, "-T", "tabs", *arguments, **options).stdout.splitlines()
    split = (_TCP_LOOKS_AHEAD.sub("", row).split("\t", 2) for row in rows)
    return [(int(number), protocol, info) for number, protocol, info in split]


def listing_with_trees(capture, *arguments, **options):
    """The same, made with trees, as [(number, protocol and info)]: there, the columns are padded with
    blanks."""
    separator = "=== next ==="
    text = _TCP_LOOKS_AHEAD.sub("", run(capture, *COLUMNS, "-P", "-V", "-S", separator, *arguments, **options).stdout)
    rows = [block.strip("\n").split("\n", 1)[0].split() for block in text.split(separator)]
    return [(int(number), " ".join(words)) for number, *words in filter(None, rows)]


def pdml(capture, *arguments, **options):
    """The frames as <packet> elements: <field name show showname value pos size hide>."""
    text = run(capture, "-T", "pdml", *arguments, **options).stdout
    return xml.etree.ElementTree.fromstring(text.replace("<?xml-stylesheet", "<?ignored", 1)).findall("packet")


def experts(capture, *arguments, **options):
    """[(frame number, field name, severity, message)] of all expert infos of this plugin's protocols."""
    return [
        (frame.number, *expert)
        for frame in packets(capture, *arguments, **options)
        for expert in frame.experts
        if expert[0].startswith((*OURS, "_ws"))
    ]


# --- the same output in every mode --------------------------------------------------------------------


def _comparable(node, frame_number, dropped):
    """The tree without links to later frames and without the fields the caller names."""
    children = []
    for child in node.children:
        ftype = field_type(child.name)
        is_expert = child.name == "_ws.expert" or (
            child.value is None and {grandchild.name for grandchild in child.children} == {"_ws.expert"})
        if child.name in dropped or is_expert and child.names() & set(dropped):
            continue
        if ftype == "FT_FRAMENUM" and child.value is not None and child.value > frame_number:
            continue
        children.append(_comparable(child, frame_number, dropped))
    return (node.name, node.value, tuple(children))


def _lines(trees, indent=""):
    lines = []
    for name, value, children in trees:
        lines += [f"{indent}{name} {value!r}", *_lines(children, indent + "  ")]
    return lines


def assert_consistent(capture, *arguments, forward=()):
    """One pass and two, with and without trees: the same fields and the same packet list.

    Only what needs later frames may differ: frame numbers pointing forward are left out, and the fields that are
    named in `forward` (a round trip shown at the packet that was acknowledged, say).
    """
    one, two = (packets(capture, *arguments, two_pass=two_pass) for two_pass in (False, True))
    assert len(one) == len(two)
    judged = set()
    for first, second in zip(one, two):
        number = first.number
        trees = [[node for node in frame.children if node.name.startswith(OURS)] for frame in (first, second)]
        if trees[0]:
            judged.add(number)
        once, again = (_lines([_comparable(node, number, forward) for node in tree]) for tree in trees)
        assert once == again, f"frame {number} differs in the second pass:\n" + "\n".join(
            line for line in difflib.unified_diff(once, again, "first", "second", lineterm="", n=1)
        )
    assert_same_listing(capture, *arguments, frames=judged)


def assert_same_listing(capture, *arguments, frames=None, passes=(False, True)):
    """The packet list of the numbered frames (of all) is the same in one pass and two, with and without trees; but that
    a node is not found is known in the second pass only."""
    found = {}
    for two_pass in passes:
        rows = listing(capture, *arguments, two_pass=two_pass)
        lists = {
            "": [(number, " ".join(f"{protocol} {info}".split())) for number, protocol, info in rows],
            " -V": listing_with_trees(capture, *arguments, two_pass=two_pass),
        }
        for options, rows in lists.items():
            rows = [row for row in rows if frames is None or row[0] in frames]
            assert rows == found.setdefault(two_pass, rows), f"the packet list changes with{' -2' * two_pass}{options}"
    known = [[(number, info.replace(" [node not found]", "")) for number, info in rows] for rows in found.values()]
    assert known[0] == known[-1], "the packet list changes with -2"
