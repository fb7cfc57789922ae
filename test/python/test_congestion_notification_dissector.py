# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of wireshark/congestion-notification.lua with tshark, on datagrams that are written here."""

import pathlib
import shutil
import struct
import unittest

import datagrams
import tshark
from datagrams import address

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "wireshark" / "congestion-notification.lua"
CORPUS = ROOT / "test" / "fuzz" / "corpus" / "congestion-notification"
PORT = 50513


def notification(severity, authentication, hashed=True, flags=1):
    """A notification of the table in doc/pre-ecn.rst."""
    text = struct.pack(">BBBBHBB", 3, severity, authentication, 7, 65535, 6, flags)
    text += address("192.0.2.1") + address("198.51.100.1") + address("203.0.113.5")
    text += struct.pack(">HHQQ", 65535, 0, 0x0102030405060708, 0x1112131415161718)
    text += address("192.0.2.9") + address("192.0.2.17")
    text += struct.pack(">QIBBBB", 0x2122232425262728, 0x31323334, 0, 0, 0, 0)
    return datagrams.add_hash(text, hashed)


def frame(payload, port=PORT):
    """A frame with a notification."""
    return datagrams.frame(payload, port)


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
class CongestionNotificationDissectorTest(unittest.TestCase):
    """Dissects datagrams and compares the values of fields."""

    FIELDS = (
        "version severity authentication queue port flow.protocol flags flags.falling device flow.src flow.dst "
        "flow.srcport flow.dstport sequence time ingress egress rate validity key hash"
    ).split()

    def dissect(self, frames, fields, options=()):
        """Return for each frame the values of the fields, each as tshark prints it."""
        return tshark.dissect(frames, fields, *tshark.switches(SCRIPT, options))

    def test_fields(self):
        """Each field of a notification with a hash and of one without."""
        signed = notification(2, 1)
        frames = [frame(signed), frame(notification(1, 0, hashed=False, flags=0))]
        names = [f"wan_cn.{field}" for field in self.FIELDS] + ["_ws.malformed"]
        addresses = ("192.0.2.1", "198.51.100.1", "203.0.113.5")
        numbers = ("65535", "0", str(0x0102030405060708), str(0x1112131415161718))
        begin = ("7", "65535", "6")
        rate = (str(0x2122232425262728), str(0x31323334), "0")
        end = (*addresses, *numbers, "192.0.2.9", "192.0.2.17", *rate)
        rows = self.dissect(frames, names)
        self.assertEqual(rows[0], ("3", "2", "1", *begin, "0x01", "1", *end, signed[64:].hex(), ""))
        self.assertEqual(rows[1], ("3", "1", "0", *begin, "0x00", "0", *end, 32 * "0", ""))

    def test_summary(self):
        """The line of the list of packets."""
        rows = self.dissect([frame(notification(2, 1))], ["_ws.col.Protocol", "_ws.col.Info"])
        text = "Severe, 198.51.100.1:65535 > 203.0.113.5:0, device 192.0.2.1 port 65535 queue 7"
        text += ", falling"
        self.assertEqual(rows, [("WAN-CN", text)])

    def test_golden_bytes_of_the_core(self):
        """The bytes that the core's tests compare with are those of this table."""
        self.assertEqual((CORPUS / "severe-signed.bin").read_bytes(), notification(2, 1))
        rows = self.dissect(
            [frame((CORPUS / "light.bin").read_bytes())],
            ["wan_cn.severity", "wan_cn.flow.src", "wan_cn.flow.dstport", "wan_cn.sequence"],
        )
        self.assertEqual(rows, [("1", "10.0.1.2", "4791", "1")])

    def test_wrong_lengths_and_versions(self):
        """What is no notification is said not to be one, at each length."""
        whole = notification(1, 0, hashed=False)
        frames = [frame(whole[:length]) for length in range(1, 80)] + [frame(whole + b"\0")]
        rows = self.dissect(frames, ["wan_cn.wrong_length", "wan_cn.severity", "ip.src"])
        self.assertEqual([(bool(a), b, c) for a, b, c in rows], [(True, "", "192.0.2.1")] * 80)
        rows = self.dissect(
            [frame(b"\1" + whole[1:])], ["wan_cn.unknown_version", "wan_cn.version", "wan_cn.hash"]
        )
        self.assertEqual([(bool(a), b, c) for a, b, c in rows], [(True, "1", "")])

    def test_port_is_a_preference(self):
        """Another port is dissected when it is set, and the default one no more."""
        frames = [frame(notification(1, 0), 4000), frame(notification(1, 0))]
        rows = self.dissect(frames, ["wan_cn.severity", "ip.src"], ["wan_cn.port:4000"])
        self.assertEqual(rows, [("1", "192.0.2.1"), ("", "192.0.2.1")])


if __name__ == "__main__":
    unittest.main()
