"""The authority of a node in the recording game decides who may call its methods, where the engine does not say so itself: without
their reports, recordings lead to what the engine has printed.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pytest

import evidence
import projects
import tshark

KIND, PACKET, REPORT = 5, 0, 8
FIELDS = ("frame.number", "godot.recorder.received", "godot.engine.text", "godot.rpc.not_allowed", "godot.rpc.authority",
          "godot.rpc.authority_in", "godot.recorder.kind", "_ws.col.Info")
RECORDINGS = ["refused.server", "refused.client1", "refused.client2", "reports.server", "large.server", "classes.server"]


def recording(name):
    return tshark.CAPTURES / "recorder" / "reports" / f"godot-4.6-{name}.pcapng"


def of_an_older_engine(name, *, keep=lambda _: True):
    """The file without reports, said to be of an engine that makes none; and the frames that its frames are in the whole file."""
    file, kept = evidence.File(recording(name)), []
    for one in file.packets:
        record = one.data[one.data.find(b"GDRC"):]
        if record[KIND] != REPORT and keep(record):
            kept.append(one.with_data(one.data.replace(b'"engine":"4.6.3', b'"engine":"4.4.1')))
    return file.with_packets(kept), [one.origin + 1 for one in kept]


def rows(path, *options, two_pass=True):
    text = tshark.run(path, "-T", "fields", *(word for name in FIELDS for word in ("-e", name)), *options, two_pass=two_pass).stdout
    found = [dict(zip(FIELDS, line.split("\t"))) for line in text.splitlines()]
    own = [row for row in found if row["godot.recorder.received"] in ("1", "True") and row["godot.recorder.kind"] == str(PACKET)]
    return [row for row in own if "[relay to" not in row["_ws.col.Info"]]


def refused(found, field, words=""):
    return {int(row["frame.number"]) for row in found if words in row[field] and row[field]}


@pytest.mark.parametrize("name", RECORDINGS)
def test_equals_what_the_engine_has_printed(name):
    data, frames = of_an_older_engine(name)
    path = evidence.write(data, ".pcapng")
    options = projects.option(*(projects.of_capture(f"recorder/reports/godot-4.6-{name}.pcapng") or ())) or ()
    printed = refused(rows(recording(name), *options), "godot.engine.text", "is not allowed on node")
    ours = rows(path, *options)
    assert {frames[number - 1] for number in refused(ours, "godot.rpc.not_allowed")} == printed
    assert all(row["godot.rpc.authority_in"] for row in ours if row["godot.rpc.authority"])


def test_without_its_record_nothing_is_said(name="refused.server"):
    """A record that is missing may have said that the authority has changed."""
    whole, lossy = of_an_older_engine(name)[0], evidence.File(recording(name)).packets
    assert refused(rows(evidence.write(whole, ".pcapng")), "godot.rpc.not_allowed")
    gone = next(one for one in lossy[40:] if one.data[one.data.find(b"GDRC"):][KIND] == PACKET).data
    part, _ = of_an_older_engine(name, keep=lambda record: not gone.endswith(record))
    path = evidence.write(part, ".pcapng")
    assert not [row for row in rows(path) if row["godot.rpc.authority_in"]]
    assert not [row for row in rows(evidence.write(whole, ".pcapng"), two_pass=False) if row["godot.rpc.authority_in"]]
