# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the scripts of examples/wiring: they run, and print what their networks must do."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from folder_test import SOURCE

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
    # 20 MB from each of 2 hosts in 3 data centers to each other data center
    "wan-three-sites": r"Received 240000000 bytes of 240000000, lost 0 packets, dropped 0\n",
    # 4 flows of 20 MB at 100 Gb/s through a link of 200 Gb/s
    "wan-two-threshold": r"Notifications: [1-9]\d* of light congestion, .*\nReceived 80000000 bytes, "
    r"dropped 0 packets\n",
}


RUN_ALL = """\
import os, runpy, sys
from aidc import ns
for path in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        name = os.path.splitext(os.path.basename(path))[0]
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT), sys.stdout.fileno())
        runpy.run_path(path, run_name="__main__")
        sys.exit()
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"{path} has failed")
"""
"""Runs scripts, each in a process of its own, with its output in a file of its name. To load ns-3 takes
longer than all else in them, and happens once."""


class Wiring(unittest.TestCase):
    """Each script, by its name."""

    def test_all_are_here(self):
        found = {path.stem for path in (SOURCE / "examples" / "wiring").glob("*.py")}
        self.assertEqual(found, set(EXPECTED))

    @unittest.skipUnless(PYTHON, "AIDC_PYTHON names no Python with ns-3's bindings")
    def test_output(self):
        environment = {**os.environ, "PYTHONPATH": str(SOURCE / "bindings")}
        scripts = [SOURCE / "examples" / "wiring" / f"{name}.py" for name in EXPECTED]
        command = [PYTHON, "-B", "-c", RUN_ALL, *scripts]
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run(
                command, env=environment, cwd=folder, stderr=subprocess.PIPE, text=True
            )
            self.assertEqual(ended.returncode, 0, ended.stderr)
            for name, expected in EXPECTED.items():
                with self.subTest(name):
                    output = Path(folder, name).read_text(encoding="utf-8")
                    self.assertRegex(output, re.compile(expected))
