# SPDX-License-Identifier: GPL-2.0-only
"""Has tshark read a capture of BGP sessions that two speakers had over TCP."""

import collections
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tshark

PROGRAM = os.environ.get("AIDC_TEST_PROGRAMS", "")
OPEN, UPDATE, NOTIFICATION, KEEPALIVE, ROUTE_REFRESH = range(1, 6)
WARNING = 0x600000  # of Wireshark's severities of expert information; above are errors


@unittest.skipUnless(PROGRAM, "AIDC_TEST_PROGRAMS names no program")
@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
class BgpSessionPcap(unittest.TestCase):
    """The capture has sessions that tshark reads without complaint, and all of their messages."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.capture = pathlib.Path(cls.folder.name) / "session.pcap"
        command = [PROGRAM, "bgp-session-pcap", cls.capture]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rows = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
        cls.sent = {kind: (messages, size) for kind, messages, size in rows}

    def fields(self, display, *names):
        """The values of fields, a row for each packet that a filter lets pass."""
        return tshark.read_rows(self.capture, names, "-n", "-Y", display)

    def test_tshark_has_no_complaint(self):
        """Nothing is malformed, lost or sent twice; all checks of TCP hold."""
        display = f"_ws.malformed || _ws.expert.severity >= {WARNING}"
        self.assertEqual(self.fields(display, "frame.number", "_ws.expert.message"), [])

    def test_tshark_finds_all_messages(self):
        """It puts the messages together that the speakers have counted, type by type."""
        seen = collections.defaultdict(lambda: (0, 0))
        for kinds, lengths in self.fields("bgp", "bgp.type", "bgp.length"):
            for kind, length in zip(kinds.split(","), lengths.split(",")):
                messages, size = seen[int(kind)]
                seen[int(kind)] = (messages + 1, size + int(length))
        self.assertEqual(dict(seen), self.sent)
        for kind in (OPEN, UPDATE, NOTIFICATION, KEEPALIVE, ROUTE_REFRESH):
            self.assertGreater(seen[kind][0], 0)

    def test_tshark_reads_the_routes(self):
        """Each of 5000 prefixes comes; prefixes of the speaker that is asked again come twice."""
        seen = collections.Counter()
        for (prefixes,) in self.fields("bgp.type == 2", "bgp.nlri_prefix"):
            seen.update(prefix for prefix in prefixes.split(",") if prefix)
        expected = collections.Counter()
        for i in range(5000):
            expected[f"20.{i >> 8}.{i & 255}.0"] += 1
            expected[f"21.{i >> 8}.{i & 255}.0"] += 2
        self.assertEqual(seen, expected)

    def test_segments_have_dscp_and_time_to_live(self):
        """What has data is network control, CS6, and stays on the link."""
        rows = self.fields("tcp.len > 0", "ip.dsfield.dscp", "ip.ttl")
        self.assertEqual(set(rows), {("48", "1")})
