# SPDX-License-Identifier: GPL-2.0-only
"""Tests of wireshark/domain-message.lua with tshark, on datagrams that are written here."""

import pathlib
import shutil
import struct
import unittest

import datagrams
import tshark
from datagrams import address, frame

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "wireshark" / "domain-message.lua"
CORPUS = ROOT / "test" / "fuzz" / "corpus" / "domain-message"
NOTIFICATIONS = 50513
REPORTS = 50514


def notification(severity, authentication, hashed=True, flags=1):
    """A notification of the table in doc/pre-ecn.rst."""
    text = struct.pack(">BBBBHH", 4, 1, authentication, 0, 65535, 0)
    text += address("192.0.2.1") + address("192.0.2.9")
    text += struct.pack(">QQ", 0x0102030405060708, 0x1112131415161718)
    text += struct.pack(">BBBB", severity, flags, 7, 6)
    text += address("198.51.100.1") + address("203.0.113.5") + struct.pack(">HH", 65535, 0)
    text += address("192.0.2.17") + struct.pack(">IQ", 0x31323334, 0x2122232425262728)
    return datagrams.add_hash(text, hashed)


def report(key=None, length=500_000, capacity=400_000_000_000):
    """A report of that table: 25 MB until 2 ms; signed if there is a number of a key."""
    text = struct.pack(">BBBBHH", 4, 2, key is not None, key or 0, 0x1234, 0)
    text += address("10.10.0.1") + address("172.31.0.1")
    text += struct.pack(">QQQQQQ", 7, 2_000_000, length, capacity, 25_000_000, 0)
    return datagrams.add_hash(text, key is not None)


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
class DomainMessageDissectorTest(unittest.TestCase):
    """Dissects datagrams and compares the values of fields."""

    HEADER = "version record authentication key port device ingress sequence time hash".split()
    CONGESTION = (
        "severity flags flags.falling queue flow.protocol flow.src flow.dst flow.srcport "
        "flow.dstport egress validity rate"
    ).split()
    LINK_LOAD = "length capacity octets utilization".split()

    def dissect(self, frames, fields, options=()):
        """Return for each frame the values of the fields, each as tshark prints it."""
        return tshark.dissect(frames, fields, *tshark.switches(SCRIPT, options))

    def dissect_all(self, messages, port):
        """Return for each message the values of all fields, and whether it is malformed."""
        names = [f"wan_msg.{name}" for name in self.HEADER + self.CONGESTION + self.LINK_LOAD]
        frames = [frame(message, port) for message in messages]
        return self.dissect(frames, [*names, "_ws.malformed"])

    def test_fields_of_congestion(self):
        """Each field of a notification with a hash and of one without."""
        signed = notification(2, 1)
        rows = self.dissect_all([signed, notification(1, 0, hashed=False, flags=0)], NOTIFICATIONS)
        where = ("65535", "192.0.2.1", "192.0.2.9")
        when = (str(0x0102030405060708), str(0x1112131415161718))
        flow = ("7", "6", "198.51.100.1", "203.0.113.5", "65535", "0")
        rate = ("192.0.2.17", str(0x31323334), str(0x2122232425262728))
        empty = 5 * ("",)
        head = ("4", "1", "1", "0", *where, *when, signed[64:].hex())
        self.assertEqual(rows[0], (*head, "2", "0x01", "1", *flow, *rate, *empty))
        head = ("4", "1", "0", "0", *where, *when, 32 * "0")
        self.assertEqual(rows[1], (*head, "1", "0x00", "0", *flow, *rate, *empty))

    def test_fields_of_a_load(self):
        """Each field of a report with a hash and of one without."""
        signed = report(key=7)
        rows = self.dissect_all([signed, report()], REPORTS)
        where = ("4660", "10.10.0.1", "172.31.0.1", "7", "2000000")
        # 25 MB in 0.5 ms are 400 Gbit/s.
        load = (*(12 * ("",)), "500000", "400000000000", "25000000", "1", "")
        self.assertEqual(rows[0], ("4", "2", "1", "7", *where, signed[64:].hex(), *load))
        self.assertEqual(rows[1], ("4", "2", "0", "0", *where, 32 * "0", *load))

    def test_summary(self):
        """The line of the list of packets."""
        frames = [
            frame(notification(2, 1), NOTIFICATIONS),
            frame(report(capacity=500_000_000_000), REPORTS),
        ]
        rows = self.dissect(frames, ["_ws.col.Protocol", "_ws.col.Info"])
        text = "Severe, 198.51.100.1:65535 > 203.0.113.5:0, device 192.0.2.1 port 65535 queue 7"
        load = "Device 10.10.0.1 port 4660, 80.0 % of 500 Gbit/s"
        self.assertEqual(rows, [("WAN-CN", text + ", falling"), ("WAN-LOAD", load)])

    def test_golden_bytes_of_the_core(self):
        """The core's tests compare with the bytes of this table."""
        self.assertEqual((CORPUS / "severe-signed.bin").read_bytes(), notification(2, 1))
        self.assertEqual((CORPUS / "load-signed.bin").read_bytes(), report(key=7))
        self.assertEqual((CORPUS / "load.bin").read_bytes(), report())
        rows = self.dissect(
            [frame((CORPUS / "light.bin").read_bytes(), NOTIFICATIONS)],
            ["wan_msg.severity", "wan_msg.flow.src", "wan_msg.flow.dstport", "wan_msg.sequence"],
        )
        self.assertEqual(rows, [("1", "10.0.1.2", "4791", "1")])

    def test_wrong_lengths_and_versions(self):
        """What is no message is said not to be one, at each length."""
        names = ["wan_msg.unknown_version", "wan_msg.version", "wan_msg.record", "wan_msg.hash"]
        for whole, port in (
            (notification(1, 0, hashed=False), NOTIFICATIONS),
            (report(), REPORTS),
        ):
            frames = [frame(whole[:length], port) for length in range(1, 80)]
            frames.append(frame(whole + b"\0", port))
            rows = self.dissect(frames, ["wan_msg.wrong_length", "wan_msg.device", "ip.src"])
            self.assertEqual([(bool(a), b, c) for a, b, c in rows], [(True, "", "192.0.2.1")] * 80)
            record = str(whole[1])
            others = [b"\3" + whole[1:], b"\4\3" + whole[2:], b"\3" + whole[1:72], b"\3"]
            rows = self.dissect([frame(other, port) for other in others], names)
            self.assertEqual(
                [(bool(row[0]), *row[1:]) for row in rows],
                [
                    (True, "3", record, ""),
                    (True, "4", "3", ""),
                    (True, "3", record, ""),
                    (True, "3", "", ""),
                ],
            )

    def test_no_load(self):
        """A report by which no load can be computed is said to be malformed."""
        messages = [report(length=0), report(capacity=0), report()]
        frames = [frame(message, REPORTS) for message in messages]
        rows = self.dissect(frames, ["wan_msg.no_load", "wan_msg.utilization"])
        self.assertEqual([(bool(a), b) for a, b in rows], [(True, ""), (True, ""), (False, "1")])

    def test_ports_are_a_preference(self):
        """Other ports are dissected when they are set, and the default ones no more."""
        frames = [
            frame(message, port)
            for message in (notification(1, 0), report())
            for port in (4000, NOTIFICATIONS, REPORTS)
        ]
        rows = self.dissect(frames, ["wan_msg.device", "ip.src"], ["wan_msg.ports:4000"])
        source = "192.0.2.1"
        nothing = [("", source)] * 2
        self.assertEqual(rows, [("192.0.2.1", source), *nothing, ("10.10.0.1", source), *nothing])
        rows = self.dissect(frames, ["wan_msg.device", "ip.src"])
        self.assertEqual([bool(row[0]) for row in rows], 2 * [False, True, True])


if __name__ == "__main__":
    unittest.main()
