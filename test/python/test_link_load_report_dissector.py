# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of wireshark/link-load-report.lua with tshark, on datagrams that are written here."""

import pathlib
import shutil
import struct
import unittest

import datagrams
import tshark
from datagrams import address

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "wireshark" / "link-load-report.lua"
CORPUS = ROOT / "test" / "fuzz" / "corpus" / "link-load-report"
PORT = 50514


def report(key=None, length=500_000, capacity=400_000_000_000):
    """A report of the table in doc/pre-ecn.rst: 25 MB until 2 ms; signed if there is a number of a key."""
    text = struct.pack(">BBBBHH", 0x4C, 2, key is not None, 0, 0x1234, 0)
    text += address("10.10.0.1") + address("172.31.0.1")
    text += struct.pack(">QQQQQ", 7, 2_000_000, length, capacity, 25_000_000)
    text += struct.pack(">IBBBB", 0, key or 0, 0, 0, 0)
    return datagrams.add_hash(text, key is not None)


def frame(payload, port=PORT):
    """A frame with a report."""
    return datagrams.frame(payload, port)


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
class LinkLoadReportDissectorTest(unittest.TestCase):
    """Dissects datagrams and compares the values of fields."""

    FIELDS = (
        "kind version authentication port device ingress sequence time length capacity octets key hash utilization"
    ).split()

    def dissect(self, frames, fields, options=()):
        """Return for each frame the values of the fields, each as tshark prints it."""
        return tshark.dissect(frames, fields, *tshark.switches(SCRIPT, options))

    def test_fields(self):
        """Each field of a report with a hash and of one without."""
        signed = report(key=7)
        names = [f"wan_load.{field}" for field in self.FIELDS] + ["_ws.malformed"]
        rows = self.dissect([frame(signed), frame(report())], names)
        begin = ("4660", "10.10.0.1", "172.31.0.1", "7")
        numbers = ("2000000", "500000", "400000000000", "25000000")
        # 25 MB in 0.5 ms are 400 Gbit/s.
        self.assertEqual(
            rows[0], ("0x4c", "2", "1", *begin, *numbers, "7", signed[64:].hex(), "1", "")
        )
        self.assertEqual(rows[1], ("0x4c", "2", "0", *begin, *numbers, "0", 32 * "0", "1", ""))

    def test_summary(self):
        """The line of the list of packets."""
        rows = self.dissect(
            [frame(report(capacity=500_000_000_000))], ["_ws.col.Protocol", "_ws.col.Info"]
        )
        text = "Device 10.10.0.1 port 4660, 80.0 % of 500 Gbit/s"
        self.assertEqual(rows, [("WAN-LOAD", text)])

    def test_golden_bytes_of_the_core(self):
        """The bytes that the core's tests compare with are those of this table."""
        self.assertEqual((CORPUS / "signed.bin").read_bytes(), report(key=7))
        self.assertEqual((CORPUS / "unsigned.bin").read_bytes(), report())

    def test_wrong_lengths_and_versions(self):
        """What is no report is said not to be one, at each length."""
        whole = report()
        frames = [frame(whole[:length]) for length in range(1, 80)] + [frame(whole + b"\0")]
        rows = self.dissect(frames, ["wan_load.wrong_length", "wan_load.device", "ip.src"])
        self.assertEqual([(bool(a), b, c) for a, b, c in rows], [(True, "", "192.0.2.1")] * 80)
        others = [b"\x4c\1" + whole[2:], b"\3" + whole[1:], b"\x4c\1" + whole[2:72]]
        names = ["wan_load.unknown_version", "wan_load.kind", "wan_load.version", "wan_load.hash"]
        rows = self.dissect([frame(other) for other in others], names)
        self.assertEqual(
            [(bool(row[0]), *row[1:]) for row in rows],
            [(True, "0x4c", "1", ""), (True, "0x03", "2", ""), (True, "0x4c", "1", "")],
        )

    def test_no_load(self):
        """A report by which no load can be computed is said to be malformed."""
        frames = [frame(report(length=0)), frame(report(capacity=0)), frame(report())]
        rows = self.dissect(frames, ["wan_load.no_load", "wan_load.utilization"])
        self.assertEqual([(bool(a), b) for a, b in rows], [(True, ""), (True, ""), (False, "1")])

    def test_port_is_a_preference(self):
        """Another port is dissected when it is set, and the default one no more."""
        frames = [frame(report(), 4000), frame(report())]
        rows = self.dissect(frames, ["wan_load.device", "ip.src"], ["wan_load.port:4000"])
        self.assertEqual(rows, [("10.10.0.1", "192.0.2.1"), ("", "192.0.2.1")])


if __name__ == "__main__":
    unittest.main()
