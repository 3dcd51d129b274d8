"""Fixtures of the dissection tests. SPDX-License-Identifier: GPL-2.0-or-later"""

import os
import pathlib
import sys

import pytest

sys.path[:0] = [str(pathlib.Path(__file__).parent / folder) for folder in ("common", "recorder")]
pytest.register_assert_rewrite("tshark")

import pcap  # noqa: E402
import tshark  # noqa: E402

os.umask(0o022)  # of what is written here, tshark reads some as another user


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: not in the quick run (script/test), only in script/test --all")


@pytest.fixture(scope="session", autouse=True)
def plugin():
    tshark.assert_plugin_loaded()


@pytest.fixture
def capture(tmp_path):
    """capture(packets): writes the packets to a temporary file of the test and returns its path."""

    def write(packets, name="made.pcap", **options):
        return pcap.write(tmp_path / name, packets, **options)

    return write
