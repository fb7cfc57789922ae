# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the scripts of examples/wiring: they run, and print what their networks must do."""

import os
import re
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("AIDC_PYTHON")

EXPECTED = {
    # 6 senders, an Offset of 100 Gb/s times 50 us and a packet of 9000 bytes
    "coupled-ecn-switch": r"Offset is 634000 bytes(.|\n)*\n[1-9]\d* packets were marked, 0 dropped\n",
    # 120 Gb/s for a link of 100 Gb/s, the last one of the path
    "csig-signals": r"(host-\d: min\(ABW\) is \d+ bit/s at leaf-1:host-4\n"
    r"host-\d: max\(PD\) is [1-9]\d* ns at leaf-1:host-4\n){3}",
    # The link is down for 0.1 ms, and all flows end nevertheless.
    "fabric-tcp-flows": r"(\d+) of \1 flows are done(.|\n)*\n[1-9]\d* packets were lost",
    # Four flows over four uplinks: hashing lets some share one, and they take longer.
    "flow-set-routing": r"HashSelector: .* 0 migrations(.|\n)*FlowSetSelector: .* [1-9]\d* migrations",
    "priority-flow-control": r"lossy: .* [1-9]\d* packets dropped\nlossless: .* 0 packets dropped\n"
    r".* stopped [1-9]\d* times",
    # 2 (8 - 1) parts of 2 MB, in packets of 4096 bytes
    "rocev2-all-reduce": r"bus bandwidth \d\d\.\d Gb/s\nHost 0 sent 6846 packets, 0 of them again",
    # 4 flows of 20 MB at 100 Gb/s through a link of 200 Gb/s
    "wan-two-threshold": r"Notifications: [1-9]\d* of light congestion, .*\nReceived 80000000 bytes, "
    r"dropped 0 packets\n",
}


class Wiring(unittest.TestCase):
    """Each script, by its name."""

    def test_all_are_here(self):
        found = {path.stem for path in (SOURCE / "examples" / "wiring").glob("*.py")}
        self.assertEqual(found, set(EXPECTED))

    @unittest.skipUnless(PYTHON, "AIDC_PYTHON names no Python with ns-3's bindings")
    def test_output(self):
        environment = {**os.environ, "PYTHONPATH": str(SOURCE / "bindings")}
        for name, expected in EXPECTED.items():
            with self.subTest(name):
                script = SOURCE / "examples" / "wiring" / f"{name}.py"
                command = [PYTHON, "-B", script]
                ended = subprocess.run(command, env=environment, capture_output=True, text=True)
                self.assertEqual(ended.returncode, 0, ended.stderr)
                self.assertRegex(ended.stdout, re.compile(expected))


if __name__ == "__main__":
    unittest.main()
