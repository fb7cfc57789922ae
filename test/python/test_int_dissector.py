# SPDX-License-Identifier: GPL-2.0-only
"""Tests of wireshark/int.lua with tshark, on the packets of test/core/transport/roce-telemetry-frames.h."""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

import tshark
from test_roce_pcap import read_pcap

PROGRAM = os.environ.get("AIDC_TEST_PROGRAMS", "")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "wireshark" / "int.lua"
FRAMES = ROOT / "test" / "core" / "transport" / "roce-telemetry-frames.h"
ETHERNET = bytes.fromhex("020000000002" "020000000001" "0800")
BTH = 28
"""Where the base transport header begins in an IPv4 packet."""
NUMBERS = [f"aidc_int.{name}" for name in "hops path rate time sent queued".split()]
TRANSPORT = (
    "infiniband.bth.opcode infiniband.bth.psn infiniband.aeth.syndrome "
    "infiniband.invariant.crc _ws.malformed"
).split()


def golden(name):
    """A packet that is a constant of the C++ tests."""
    match = re.search(rf"\* {name} =((?:\s*\"[^\"]*\")+);", FRAMES.read_text(encoding="utf-8"))
    return bytes.fromhex("".join(re.findall(r'"([^"]*)"', match[1])))


def dissect(packets, names):
    """The values of fields of IPv4 packets."""
    arguments = [*tshark.switches(SCRIPT), "--disable-protocol", "rpcordma"]
    return tshark.dissect([ETHERNET + packet for packet in packets], names, *arguments)


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
class IntDissectorTest(unittest.TestCase):
    """Dissects packets and compares the values of fields."""

    def test_fields(self):
        """The hops of data and of an acknowledgment: 0xabcde * 128, 0x1f0f1 * 80; 2 * 128, 3 * 80."""
        hops = ("2", "0x0abc", "100,400", "1193046,1", "90074880,256", "10177360,240")
        rows = dissect([golden("TELEMETRY_DATA"), golden("TELEMETRY_ACK")], NUMBERS)
        self.assertEqual(rows, [hops, hops])

    def test_transport(self):
        """The headers around the telemetry are as without it."""
        rows = dissect([golden("TELEMETRY_DATA"), golden("TELEMETRY_ACK")], TRANSPORT)
        self.assertEqual(rows[0][:2], ("4", "1193046"))
        self.assertEqual(rows[1][:3], ("17", "1193046", "31"))
        self.assertEqual(int(rows[0][3], 0), 0x75B7D7BB)
        self.assertEqual([row[4] for row in rows], ["", ""])

    def test_without_telemetry(self):
        """A packet without the bit is left to Wireshark's own dissector."""
        data = golden("TELEMETRY_DATA")
        plain = bytearray(data[: BTH + 12] + data[BTH + 12 + 42 :])
        plain[BTH + 8] = 0x80
        plain[2:4] = len(plain).to_bytes(2, "big")
        plain[24:26] = (len(plain) - 20).to_bytes(2, "big")
        self.assertEqual(dissect([plain], NUMBERS), [("",) * 6])
        self.assertEqual(dissect([plain], TRANSPORT)[0][:2], ("4", "1193046"))

    def test_experts(self):
        """Too many hops, an unknown rate, and a packet that is cut off."""
        data = golden("TELEMETRY_DATA")
        many = data[: BTH + 52] + b"\x60\x00" + data[BTH + 54 :]
        wrong = data[: BTH + 12] + b"\xe0" + data[BTH + 13 :]
        short = bytearray(data[: BTH + 30])
        short[2:4] = len(short).to_bytes(2, "big")
        short[24:26] = (len(short) - 20).to_bytes(2, "big")
        names = [f"aidc_int.{name}" for name in ("overfull", "unknown_rate", "too_short")]
        found = [[bool(field) for field in row] for row in dissect([many, wrong, short], names)]
        self.assertEqual(found, [[True, False, False], [False, True, False], [False, False, True]])


@unittest.skipUnless(PROGRAM, "AIDC_TEST_PROGRAMS names no program")
class IntPcapTest(unittest.TestCase):
    """A capture at a host that ten packets are written to, over one switch."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([PROGRAM, "roce-pcap", cls.folder.name], check=True)
        cls.capture = pathlib.Path(cls.folder.name) / "int.pcap"
        cls.packets = []
        for frame in read_pcap(cls.capture):
            size = struct.unpack_from(">H", frame, 16)[0]
            cls.packets.append(frame[14 : 14 + size])

    def test_invariant_crcs(self):
        """Each packet ends with zlib's CRC of what is in front of it, without the telemetry."""
        self.assertEqual(len(self.packets), 20)
        for packet in self.packets:
            self.assertEqual(packet[BTH + 8] & 0x40, 0x40)
            masked = bytearray(packet[: BTH + 12] + packet[BTH + 54 : -4])
            for variant in (1, 8, 10, 11, 26, 27, 32):  # TOS, TTL, checksums, FECN and BECN
                masked[variant] = 0xFF
            crc = zlib.crc32(b"\xff" * 8 + bytes(masked))
            self.assertEqual(packet[-4:], struct.pack("<I", crc))

    @unittest.skipUnless(shutil.which("tshark"), "needs tshark")
    def test_tshark(self):
        """Data and acknowledgments have one hop of 100 Gbit/s, and nothing is malformed."""
        names = ["ip.src", *NUMBERS[:3], "aidc_int.sent", "_ws.malformed"]
        arguments = [*tshark.switches(SCRIPT), "--disable-protocol", "rpcordma"]
        rows = tshark.read_fields(self.capture, names, *arguments)
        self.assertEqual(len(rows), 20)
        sent = {}
        for row in rows:
            self.assertEqual((row["aidc_int.hops"], row["aidc_int.rate"]), ("1", "100"))
            self.assertEqual(row["_ws.malformed"], "")
            sent.setdefault(row["ip.src"], []).append(int(row["aidc_int.sent"]))
        data, answers = sent.values()
        self.assertEqual(data, answers)
        # A packet of 4096 bytes takes 4236 bytes on the wire if it is the first, 4220 otherwise.
        whole = [0, *(4236 + 4220 * i for i in range(9))]
        self.assertEqual(data, [octets // 128 * 128 for octets in whole])
