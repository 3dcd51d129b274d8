"""Captures of real engines compared with their logs.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import json

import pytest

import captures
import engine_logs
import tshark
import values

OPTIONS = ["-o", "godot.variant.max_elements:5000", "-d", "udp.port==21001-21010,godot.variant", "-d", "tcp.port==21011-21029,godot.stream"]
SAMPLES = sorted((tshark.CAPTURES / "variant").glob("*.pcap"))
DAMAGED = [path for path in SAMPLES if "broken" in path.stem]
GOOD = [path for path in SAMPLES if path not in DAMAGED]

shipped = pytest.mark.parametrize("capture", GOOD, ids=captures.name)


def logged(capture, process, *calls):
    """A process's records of these calls."""
    log = capture.with_name(f"{capture.stem}.{process}.log.gz")
    return [record for record in engine_logs.records(log) if record["what"] in calls]


# Three bare integers of the capture, 8, 2 and 5, have exactly the bytes of put_var(5).
LOOK_ALIKES = {"mixed": [(12, 5)]}


def expected(capture):
    """(type id, value) of everything that has to be shown as a value; None if the log does not have the whole
    value."""
    rows = []
    for record in logged(capture, "sender", "put_var"):
        value = record.get("value", ...)
        if "…" in json.dumps(value if value is not ... else None, ensure_ascii=False):
            value = ...
        if record["name"] == "Object EncodedObjectAsID":  # logged with the id that it refers to, sent with its own id
            value = {"Object": int.from_bytes(bytes.fromhex(record["hex"])[4:], "little", signed=True)}
        rows.append((record["type"], value))
    for position, value in LOOK_ALIKES.get(capture.stem.split("-")[-1], []):
        rows.insert(position, (2, value))
    return rows


@shipped
@pytest.mark.parametrize("two_pass", [False, True], ids=["one-pass", "two-pass"])
def test_values_are_what_the_engine_sent(capture, two_pass):
    shown = values.captured(capture, *OPTIONS, two_pass=two_pass)
    sent = expected(capture)
    assert len(shown) == len(sent)
    for node, (type_id, value) in zip(shown, sent):
        ours = values.read(node)
        assert node.all("godot.variant.type_id")[0] == type_id, (ours, value)
        assert value is ... or values.same(ours, value), f"{ours}\n{value}"


@shipped
def test_good_traffic_has_no_problems(capture):
    found = [(number, name) for number, name, *_ in tshark.experts(capture, *OPTIONS)
             if name not in ("godot.variant.object.code", "godot.stream.big_endian", "godot.stream.stray.found",
                             "godot.stream.length.impossible", "godot.variant.problem.full_object")]
    assert found == []


@pytest.mark.parametrize("capture", DAMAGED, ids=captures.name)
def test_verdict_is_that_of_the_engine(capture):
    """Accepted or rejected, and the same error if the engine reported one."""
    verdicts = {record["name"]: record for record in logged(capture, "receiver", "get_var")}
    sent = logged(capture, "sender", "send")
    # A damaged value alone may be a valid one of another generation.
    dialect = ["-o", "godot.variant.dialect:godot" + capture.stem[len("godot-")]]
    shown = tshark.fields(capture, "godot.variant.error", "godot.variant.problem", arguments=OPTIONS + dialect)
    assert len(shown) == len(sent) > 200
    judged = 0
    for (errors, problems), record in zip(shown, sent):
        verdict = verdicts.get(record["name"])
        if verdict is None or "accepted" not in verdict:
            continue
        judged += 1
        assert len(errors) == (0 if verdict["accepted"] else 1), record
        if errors and (verdict.get("verdict") or "").startswith("ERR_"):
            assert errors == [verdict["verdict"]], record
        assert problems or not errors
    assert judged > 200


over_websocket = pytest.mark.parametrize(
    "capture", sorted((tshark.CAPTURES / "websocket-peer").glob("*.pcap")), ids=captures.name)


@over_websocket
def test_values_over_websocket_by_themselves(capture):
    """Values whose first bytes look like multiplayer commands are not recognised as a multiplayer session,
    nor are texts; nearly all of 24 bytes or more are recognised."""
    assert tshark.fields(capture, "frame.number", arguments=["-Y", "godot || godot.debugger"]) == []
    shown = tshark.fields(capture, "godot.variant.type_id", arguments=["-Y", "godot.variant"])
    sent = [record for record in logged(capture, "client", "put_var") if len(record.get("hex") or 48 * " ") >= 48]
    assert 0 < len(sent) <= 1.2 * len(shown)


@pytest.mark.parametrize("two_pass", [False, True], ids=["one-pass", "two-pass"])
def test_bare_numbers_where_variants_are_known(two_pass):
    """ENetPacketPeer.put_var: after the first certain value, bare numbers are recognised, too."""
    capture = tshark.CAPTURES / "variant-enet" / "godot-4.6.pcap"
    sent = logged(capture, "client", "put_var")
    certain = [index for index, record in enumerate(sent) if record["name"] in ("state", "chat")]
    shown = values.captured(capture, two_pass=two_pass)
    expected = [record for index, record in enumerate(sent) if index in certain or index > certain[1]]
    assert len(expected) == 10 and [record["type"] for record in expected].count(2) == 3
    assert [values.read(node) for node in shown] == [record["value"] for record in expected]
    assert len(tshark.fields(capture, "enet.data")) - sum(not data for (data,) in tshark.fields(capture, "enet.data", two_pass=two_pass)) == 3


@over_websocket
def test_values_over_websocket(capture):
    """Every put_var of the client is a value; text messages are not."""
    sent = logged(capture, "client", "put_var")
    options = ["-o", "godot.variant.max_elements:5000", "-o", "godot.variant.ws.port:21021", "-o", "godot.variant.dialect:godot" + capture.stem[len("godot-")]]
    shown = values.captured(capture, *options)
    assert [node.all("godot.variant.type_id")[0] for node in shown] == [record["type"] for record in sent]
    for node, record in zip(shown, sent):
        if record["name"] != "Object EncodedObjectAsID" and "…" not in json.dumps(record.get("value"), ensure_ascii=False):
            assert "value" not in record or values.same(values.read(node), record["value"]), record["name"]
