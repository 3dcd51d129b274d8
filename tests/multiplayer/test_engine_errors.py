"""What engines printed about the packets that they received, compared with what the plugin says (agreement.py).

    script/agreement multiplayer-authority     lists each difference

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pytest

import agreement
import captures
import tshark

QUICK = [path for path in agreement.with_logs() if path.parent.name == "multiplayer-authority" and "types" not in path.name]


@pytest.mark.parametrize("path", QUICK, ids=captures.name)
def test_executed_calls_are_not_refused(path):
    """In games that give authority away; and each of them has calls of both kinds."""
    verdicts = agreement.judged(path)
    assert not verdicts.executed[1] and verdicts.executed[0] > 3, verdicts.examples
    found, missed, untrue = verdicts.counts["not allowed"]
    assert found + missed > 3 and not untrue, verdicts.examples


@pytest.mark.slow
def test_nothing_printed_is_overlooked():
    """Each line that an engine printed about a packet has a class."""
    verdicts = agreement.everything([path for path in agreement.with_logs() if path.parent.name != "savings"])
    assert sum(len(set(one.others)) for one in verdicts.values()) <= 2, [one.others for one in verdicts.values() if one.others]


@pytest.mark.slow
def test_table():
    page = (tshark.ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    shown = page.partition(agreement.BEGIN)[2].partition(agreement.END)[0]
    found = agreement.everything()
    assert not [one.examples for one in found.values() if any(untrue for _, _, untrue in one.counts.values())]
    assert shown.strip() == agreement.table(found).strip(), "if that is better: script/agreement --write"
