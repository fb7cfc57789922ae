# SPDX-License-Identifier: GPL-2.0-only
"""Has tshark read the golden octets of test/core/ethernet/mac-control-test.cc."""

import pathlib
import re
import shutil
import unittest

import tshark

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "core" / "ethernet" / "mac-control-test.cc"
HEADER = bytes.fromhex("0180c2000001" "020000000001" "8808")


def golden(name):
    """The frame whose payload is a constant of the C++ test."""
    match = re.search(rf"const Bytes {name} = Padded\(\{{(.*?)\}}\)", GOLDEN.read_text(), re.S)
    payload = bytes(int(octet, 16) for octet in match[1].split(","))
    return HEADER + payload.ljust(46, b"\0")


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
class MacControl(unittest.TestCase):
    """tshark reads the frames as they are meant."""

    def test_pause(self):
        """PAUSE of 0x1234 quanta."""
        text = tshark.describe(golden("PAUSE"))
        self.assertIn("Opcode: Pause (0x0001)", text)
        self.assertRegex(text, r"pause_time: 4660\b")

    def test_pfc(self):
        """PFC of the priorities 0, 3 and 7."""
        text = tshark.describe(golden("PFC"))
        self.assertIn("Opcode: Class Based Flow Control [CBFC] Pause (0x0101)", text)
        times = [1, 0, 0, 65535, 0, 0, 0, 0]
        for priority, quanta in enumerate(times):
            enabled = priority in (0, 3, 7)
            self.assertRegex(text, rf"= C{priority}: {enabled}\b")
            self.assertRegex(text, rf"(?m)C{priority}: {quanta}( |$)")
