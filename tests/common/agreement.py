"""What engines printed about received packets, compared with what the plugin says of these packets.

For each capture with logs, and with its own project: each process is the receiver of some messages. A class of errors has
texts of the engine and expert infos of the plugin; both have a key, such as the node, the method and the sender. The
errors of a class and key are compared in their order with those messages: found, missed, or not true (the plugin says it,
the engine did not print it). A call that the engine executed must not be said to be refused.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import json
import os
import re

import captures
import engine_logs
import projects
import tshark

FOLDERS = ("multiplayer", "multiplayer-authority", "multiplayer-ends", "multiplayer-errors", "multiplayer-in-code",
           "multiplayer-loss", "multiplayer-mesh", "multiplayer-spawn-function", "savings")

# {class: (text of the engine, function that prints it, expert infos, text of these with the same groups)}. A group is a part of
# the key: method, node (as a path), peer (the sender), or any other name.
CLASSES = {
    "not allowed": (
        r"(?:RPC|RSET) '(?P<method>\w+)' is not allowed on node /root/(?P<node>\S+) from: (?P<peer>\d+)\.", "",
        ("godot.rpc.not_allowed", "godot.rpc.not_declared"), None),
    "number of arguments": (
        r"RPC - '.*::(?P<method>\w+)': Method expected (?P<expected>\d+) arg.* called with (?P<called>\d+)", "",
        ("godot.rpc.wrong_arguments",), r"expected (?P<expected>\d+) arg.* called with (?P<called>\d+)"),
    "type of an argument": (
        r"RPC - '.*::(?P<method>\w+)': Cannot convert argument (?P<argument>\d+) from (?P<type>\w+) to (?P<wanted>\w+)", "",
        ("godot.rpc.wrong_type",), r"convert argument (?P<argument>\d+) from (?P<type>\w+) to (?P<wanted>\w+)"),
    "function not found": (r"RPC - '.*::(?P<method>\w+)': Method not found", "", ("godot.rpc.method_missing",), None),
    "number of a method": (r"!cache_config\.configs\.has", "", ("godot.rpc.method_not_found",), None),
    "node of a call": (r"Failed to get (?:cached )?path from RPC: (?P<node>.+?)\.?$", "", ("godot.rpc.node_not_found",), None),
    "announced node": (r'Node not found: "?(?P<node>[^"]+?)"?(?: \(relative|\.$)', "process_simplify_path",
                       ("godot.path.node_not_found",), None),
    "methods differ": (r"rpc node checksum failed.* Node path: (?:/root/)?(?P<node>\S+)", "", ("godot.path.checksum_refused",), None),
    "node despawned": (r"Failed to get cached node from peer (?P<peer>\d+)", "", ("godot.rpc.despawned",), None),
    "number of a path": (r"ID \d+ not found in cache of peer (?P<peer>\d+)|invalid peer cache|find requested cached node", "",
                         ("godot.path.undefined",), None),
    "path number in use": (r"Duplicate remote cache ID \d+ for peer (?P<peer>\d+)", "", ("godot.path.redefined",), None),
    "state without its node": (r"!pinfo\.recv_nodes\.has|Ignoring (?:delta|sync data) (?:for|from) non-authority", "",
                               ("godot.net_id.unknown",), None),
    "value that does not fit": (r'Condition "(?:err|props\.is_empty\(\))" is true|Unable to decode', "on_(?:sync|delta)_receive|_process_r(?:pc|set)$",
                                ("godot.problem.value", "godot.problem.value_count"), None),
    "spawn refused": (r"Condition|Parameter|Invalid spawn|Index", "on_spawn_receive", (), None),
    "damaged": (r"Size too small|Size smaller|extract the node id|Invalid (?:spawn|sync) packet|Method/function failed|"
                r"Unable to decode|server_relay", "", ("godot.problem.", "godot.sys.not_server", "godot.source.mismatch"), None),
}
# What follows from an error of one of the classes, or is printed for another one of them.
WITH_ANOTHER = re.compile(r"Requested node was not found|Node not found|Parameter \"(?:node|spawner|sync)\" is null|"
                          r"Failed to get cached node from peer \d+ with cache ID \d+|decode_and_decompress|len < 4")
# Of the receiver's own processes, not of a packet. And "Tries to confirm a path": the plugin's note about it is one about the
# capture; Godot 3 also prints it of announcements that a game has made itself, Godot 4.6 never.
NO_TRACE = re.compile(r"^WARNING|leaked|still in use|isn't currently active|is not in a scene tree|absolute paths from outside|"
                      r"SCRIPT ERROR|max channels|no network ID|executable path|_send_sys|Method failed|Unicode parsing|^ERROR: \(|"
                      r"Invalid color|Unable to convert array index|"
                      r"Dropping data|Couldn't create|confirm a path|unique network ID|on yourself|unexisting ID|must be connecting|^ERROR: Trying to (?:call|send)")
# The plugin does not know which of two errors the engine prints.
OR_ANOTHER = (", or that it is not allowed", ", or that the node is not found", ", or that the node is not found or the call not allowed")
# These say that the receiver refuses the call.
REFUSING = ("godot.rpc.not_allowed", "godot.rpc.wrong_arguments", "godot.rpc.wrong_type", "godot.rpc.method_missing", "godot.rpc.method_not_found",
            "godot.rpc.node_not_found", "godot.rpc.despawned", "godot.rpc.not_declared", "godot.problem.path_offset")

# A process without any of these is not known to have a multiplayer API.
RECEIVES = ("called", "was_set", "peer_connected", "connected_to_server", "connected", "ready", "spawned", "received")

# Why the plugin cannot say it, by capture and class.
REASONS = (
    ("savings/.*-changed", "value that does not fit", "the client has another configuration, which is in no file"),
    ("", "spawn refused", "nothing is sent about what the receiver's spawner does"),
    ("-scenes", "node despawned", "the node went with its scene, of which nothing is sent"),
    ("-root", "number of arguments", "the ends have other versions of the script; which one has which is not sent"),
    ("-3.6-broken", "node of a call", "Godot 3 also confirms the paths of nodes that it does not have"),
    ("-mesh", "not allowed", "the peer ids of a mesh are not sent"),
)


# --- what the engines printed ---


class Error:
    """`sure`: it is this one, if the plugin says so."""

    def __init__(self, name, key, sure=True):
        self.name, self.key, self.sure = name, key, sure


def _class_of(text, function):
    for name, (pattern, where, _, _) in CLASSES.items():
        if (not where or re.search(where, function)) and (found := re.search(pattern, text)):
            return Error(name, {key: value for key, value in found.groupdict().items() if value})
    return None


def _printed(records):
    """[(text, function that printed it, index)] of the errors of a log."""
    for index, record in enumerate(records):
        if record["what"] == "print" and re.match(r"(?:SCRIPT )?ERROR|WARNING", record["text"]):
            behind = records[index + 1]["text"] if index + 1 < len(records) and records[index + 1]["what"] == "print" else ""
            yield record["text"], (re.match(r"\s+[aA]t: (\S+)", behind) or [None, ""])[1], index


def errors(records):
    """([Error or None for a call that was executed, with its key], texts of no class) in the order of the log."""
    found, others, last = [], [], ""
    marks = {index: (text, function) for text, function, index in _printed(records)}
    for index, record in enumerate(records):
        if record["what"] in ("called", "was_set"):
            key = {"method": record.get("method", record.get("property")), "node": record["node"], "peer": str(record["from"])}
            found.append(Error(None, key))
        if index not in marks:
            continue
        text, function = marks[index]
        if 'Parameter "node" is null' in text and re.search("simplify_path", function):
            text = last  # "Node not found: …"
        error = _class_of(text, function)
        if error and error.name == "node despawned" and not _comes_soon(records, index, "Requested node was not found"):
            error = None  # of a state, not of a call
        if "decode_and_decompress" in function and _comes_soon(records, index, 'Condition "err" is true'):
            error = None
        if error:
            found.append(error)
        elif not WITH_ANOTHER.search(text) and not NO_TRACE.search(text):
            others.append(f"{text} ({function})")
        last = text
    return found, others


def _comes_soon(records, index, text):
    """Whether one of the next lines that were printed has this text."""
    return any(text in record["text"] for record in records[index + 1:index + 4] if record["what"] == "print")


# --- what the plugin says ---


def rows(path, options):
    """Rows of messages, those that are repeated left out, each with its expert infos, [(filter, text)]."""
    place = tshark.workplace() / "agreement-of-engines"
    place.mkdir(exist_ok=True)
    place.chmod(0o777)
    file = place / f"{os.getpid()}.jsonl"
    tshark.run(path, "-q", "-z", f"godot,messages,{file}", *tshark.BY_ID, *options, two_pass=True)
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    file.unlink()
    said = {}
    for frame in tshark.packets(path, "-Y", "godot", *tshark.BY_ID, *options, two_pass=True):
        said[frame.number] = [[(name, text) for name, _, text in layer.experts] for layer in frame.nodes("godot")]
    of_frame = collections.Counter(row["frame"] for row in found)
    for row in found:
        layers = said[row["frame"]]
        if len(layers) == of_frame[row["frame"]]:
            row["said"] = layers[0]
            said[row["frame"]] = layers[1:]
            of_frame[row["frame"]] -= 1
        else:
            row["said"] = [(row["problem_code"], row["problem"])]
    return [row for row in found if not row["repeated"]]


def _is_for(row, me):
    """Whether it is meant for this receiver, not only to be relayed by it."""
    return row["receiver"] == me and (row["to"] is None or row["to"] == me or row["to"] <= 0 and row["to"] != -me)


def _said(row):
    """The error that the plugin says of this row, or None."""
    key = {"node": row["node"] or "", "method": row["method"] or "", "peer": str(row["from"])}
    for name, (_, _, codes, pattern) in CLASSES.items():
        for code, text in row["said"]:
            if code == "godot.net_id.unknown" and row["kind"] == "synchronize":
                continue  # the engine says nothing
            if code and any(code == one or one.endswith(".") and code.startswith(one) for one in codes):
                found = re.search(pattern, text) if pattern else None
                sure = name == "not allowed" or not text.endswith(OR_ANOTHER)  # it is refused in either case
                return Error(name, {**key, **(found.groupdict() if found else {}), "text": text}, sure)
    return None


# --- both ---


def _refuses_methods(row):
    """A confirmation: both its sender and its receiver print this."""
    return any(code == "godot.path.checksum_refused" for code, _ in row["said"])


def _same_node(printed, shown):
    return f"/{printed}".endswith(f"/{shown}")


def _matches(error, said):
    """Whether what the plugin says has all of the engine's key."""
    return error.name == said.name and all(
        _same_node(value, said.key.get(name, "")) if name == "node" else value == said.key.get(name) for name, value in error.key.items())


class Verdicts:
    """Counts of a capture: {class: [found, missed, not true]}, executed calls that are said to be refused, and examples."""

    def __init__(self):
        self.counts = collections.defaultdict(lambda: [0, 0, 0])
        self.executed = [0, 0]  # said to be executed, said to be refused
        self.examples, self.others, self.missed = [], [], []


def _judge_calls(verdicts, errors_of, messages, name):
    """Calls by sender, node and method: executed and not allowed ones in their order, if none is missing."""
    keyed = collections.defaultdict(lambda: [[], []])
    for error in errors_of:
        if error.name in (None, "not allowed"):
            keyed[error.key["method"], error.key["peer"], error.key["node"]][0].append(error)
    for row in messages:
        if row["kind"] not in ("call", "set") or not row["node"]:
            continue
        method = row["method"] or row["values"][0]["property"]
        for key, (_, there) in keyed.items():
            said = _said(row)
            said = said if said and said.sure else None
            if key[:2] == (method, str(row["from"])) and _same_node(key[2], row["node"]) and (not said or said.name == "not allowed"):
                there.append((row, said))
    for key, (printed, shown) in keyed.items():
        if len(printed) == len(shown):
            for error, (row, said) in zip(printed, shown):
                _count(verdicts, name, error, row, said)
            continue
        refused = [sum(error.name is not None for error in printed), sum(said is not None for _, said in shown)]
        both = min(refused)
        counts = verdicts.counts["not allowed"]
        counts[0] += both
        counts[1] += refused[0] - both
        counts[2] += refused[1] - both
        verdicts.executed[0] += min(len(printed) - refused[0], len(shown) - refused[1])
        if refused[0] != refused[1]:
            verdicts.examples.append(f"{name}: {key}: {refused[0]} of {len(printed)} refused, said of {refused[1]} of {len(shown)}")


def _count(verdicts, name, error, row, said):
    counts = verdicts.counts["not allowed"]
    if error.name:
        counts[0 if said else 1] += 1
    elif said:
        counts[2] += 1
        verdicts.executed[1] += 1
    else:
        verdicts.executed[0] += 1
    if bool(error.name) != bool(said):
        verdicts.examples.append(f"{name}: frame {row['frame']}: {row['node']}::{row['method']} from {row['from']}: "
                                 f"{'refused' if error.name else 'executed'}, the plugin: {said.name if said else 'nothing'}")


def _judge_others(verdicts, errors_of, messages, name):
    """Each error of the other classes with a message of that class and key that no other one has taken."""
    said = [(row, one) for row, one in ((row, _said(row)) for row in messages) if one and one.name != "not allowed"]
    for error in errors_of:
        if error.name in (None, "not allowed"):
            continue
        index = next((i for i, (_, one) in enumerate(said) if _matches(error, one)), None)
        verdicts.counts[error.name][0 if index is not None else 1] += 1
        if index is not None:
            said.pop(index)
        else:
            verdicts.examples.append(f"{name}: {error.name} {error.key}: missed")
    for row, one in ((row, one) for row, one in said if one.sure):
        verdicts.counts[one.name][2] += 1
        verdicts.examples.append(f"{name}: frame {row['frame']}: {one.key['text']}: not printed")


def _logs(path):
    """{process: its records}, {peer id: process}"""
    stem = re.sub(r"\.(client|server)-side$", "", path.stem)
    logs = {engine_logs.process_of(one): engine_logs.records(one) for one in sorted(path.parent.glob(f"{stem}.*.log.gz"))}
    logs = {name: records for name, records in logs.items() if any("Godot Engine" in one.get("text", "") for one in records)}
    ids = {record["me"]: name for name, records in logs.items() for record in records if "me" in record}
    unknown = [name for name in logs if name not in ids.values() and not name.startswith("server")]
    if len(unknown) > 1:  # which of them is which peer is not logged: as one
        logs[" and ".join(unknown)] = [record for name in unknown for record in logs.pop(name)]
    servers = [name for name in logs if name.startswith("server")]
    if len(servers) > 1:  # one after the other
        logs[servers[0]] = [record for name in servers for record in logs.pop(name)]
    if "mesh" not in path.name:
        ids.update({1: servers[0]} if servers else {})
    return logs, ids, servers


def judged(path):
    """Verdicts of a capture, or None if no engine has written a log beside it."""
    logs, ids, servers = _logs(path)
    if not logs:
        return None
    name = captures.name(path)
    verdicts = Verdicts()
    every = rows(path, projects.option(*projects.of_capture(name)) if projects.of_capture(name) else ())
    for process, records in logs.items():
        if path.stem.endswith("client-side" if process in servers else "server-side"):
            continue  # captured before the bad network
        if not any(record["what"] in RECEIVES for record in records):
            continue
        mine = {peer for peer, own in ids.items() if own == process} or {row["receiver"] for row in every} - set(ids)
        errors_of, others = errors(records)
        errors_of = [one for one in errors_of if one.name or one.key["peer"] not in {"0", *map(str, mine)}]
        messages = [row for row in every if any(_is_for(row, me) for me in mine)]
        messages += [row for row in every if row["sender"] in mine and _refuses_methods(row)]
        _judge_calls(verdicts, errors_of, messages, f"{name} {process}")
        _judge_others(verdicts, errors_of, messages, f"{name} {process}")
        verdicts.others += [f"{name} {process}: {text}" for text in others]
    return verdicts


def with_logs():
    return [path for path in captures.shipped() if path.parent.name in FOLDERS]


def everything(paths=None):
    """{capture: Verdicts}"""
    found = {captures.name(path): judged(path) for path in paths or with_logs()}
    return {name: verdicts for name, verdicts in found.items() if verdicts}


def reason(name, what):
    return next((why for capture, of, why in REASONS if of == what and re.search(capture, name)), "")


HEAD = """\
| error | printed | found | not shown by script or wire | missed | not true | not shown, because |
|---|---|---|---|---|---|---|
"""
BEGIN, END = "<!-- script/agreement: begin -->", "<!-- script/agreement: end -->"


def _row(what, captures_with):
    """(numbers of a line, reasons): printed, found, missed with a reason, missed, not true."""
    numbers, why = [0, 0, 0, 0, 0], set()
    for name, one in captures_with.items():
        found, missed, untrue = one.counts[what]
        because = reason(name, what) if missed else ""
        why |= {because} - {""}
        for index, count in enumerate((found + missed, found, missed if because else 0, 0 if because else missed, untrue)):
            numbers[index] += count
    return numbers, why


def table(found):
    """As Markdown."""
    lines, total = [], [0, 0, 0, 0, 0]
    for what in CLASSES:
        numbers, why = _row(what, found)
        total = [a + b for a, b in zip(total, numbers)]
        lines.append(f"| {what} | {' | '.join(map(str, numbers))} | {'; '.join(sorted(why))} |\n")
    printed, hits, hidden = total[:3]
    lines.append(f"| all | {' | '.join(map(str, total))} | |\n")
    executed = [sum(one.executed[i] for one in found.values()) for i in range(2)]
    return (f"{HEAD}{''.join(lines)}\nFound: {100 * hits / max(1, printed - hidden):.1f} % of what a script or the wire can show.\n"
            f"Calls that the engines executed: {sum(executed)}, said to be refused: {executed[1]}. Captures: {len(found)}.\n")
