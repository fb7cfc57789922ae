# SPDX-License-Identifier: GPL-2.0-only
"""Reads a capture of RoCEv2 by itself, and has tshark read it."""

import collections
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

import tshark
import zlib

PROGRAM = os.environ.get("AIDC_TEST_PROGRAMS", "")
OPCODES = {*range(0x12), 0x81}  # reliable connections, and congestion notification
ACKNOWLEDGE, CNP, READ_REQUEST = 0x11, 0x81, 0x0C
FIELDS = (
    "ip.src infiniband.bth.opcode infiniband.bth.psn infiniband.bth.padcnt udp.length "
    "infiniband.aeth.syndrome infiniband.invariant.crc _ws.malformed"
).split()


def read_pcap(path):
    """The frames of a capture."""
    data = path.read_bytes()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    place = 24
    while place < len(data):
        size, whole = struct.unpack_from(order + "II", data, place + 8)
        assert size == whole, "frames are captured as a whole"
        yield data[place + 16 : place + 16 + size]
        place += 16 + size


def invariant_crc(packet):
    """The CRC of a packet from the IPv4 header to its padding, as bytes."""
    masked = bytearray(packet)
    for variant in (1, 8, 10, 11, 26, 27, 32):  # TOS, TTL, checksums, FECN and BECN
        masked[variant] = 0xFF
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(masked)))


@unittest.skipUnless(PROGRAM, "AIDC_TEST_PROGRAMS names no program")
class RocePcap(unittest.TestCase):
    """The capture has what the adapter has sent and received, byte for byte as RoCEv2 has it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = pathlib.Path(cls.folder.name)
        subprocess.run([PROGRAM, "roce-pcap", folder], check=True)
        cls.capture = folder / "roce.pcap"
        lines = (folder / "counters.txt").read_text().splitlines()
        cls.counters = {name: int(number) for name, number in map(str.split, lines)}
        cls.packets = []
        for frame in read_pcap(cls.capture):
            size = struct.unpack_from(">H", frame, 16)[0]
            cls.packets.append(frame[14 : 14 + size])

    def test_invariant_crcs(self):
        """Each packet ends with zlib's CRC of what is in front of it."""
        self.assertGreater(len(self.packets), 100)
        for packet in self.packets:
            self.assertEqual(packet[-4:], invariant_crc(packet[:-4]))

    def test_headers(self):
        """Ports, lengths, codepoints and numbers of all packets."""
        for packet in self.packets:
            self.assertEqual((packet[0], packet[9]), (0x45, 17))
            source, destination, length, checksum = struct.unpack_from(">4H", packet, 20)
            self.assertGreaterEqual(source, 49152)
            self.assertEqual((destination, length, checksum), (4791, len(packet) - 20, 0))
            self.assertIn(packet[28], OPCODES)
            self.assertEqual(packet[29] & 0x4F, 0x40)  # migrated, version 0
            self.assertEqual(packet[30:32], b"\xff\xff")
            self.assertEqual(packet[1] >> 2, 48 if packet[28] == CNP else 26)
            self.assertEqual(len(packet) % 4, 0)

    def test_counters(self):
        """The packets are as many of each kind as the adapter has counted."""
        host = collections.Counter(packet[12:16] for packet in self.packets)
        own = max(host, key=lambda address: sum(p[16:20] == address for p in self.packets))
        seen = collections.Counter()
        for packet in self.packets:
            opcode, is_sent = packet[28], packet[12:16] == own
            if opcode == ACKNOWLEDGE and is_sent:
                seen[{0: "acks", 1: "rnrs", 3: "naks"}[packet[40] >> 5]] += 1
            elif opcode == CNP and is_sent:
                seen["cnps"] += 1
                self.assertEqual(packet[32] & 0x40, 0x40)  # BECN
                self.assertEqual(packet[40:56], bytes(16))
            elif opcode not in (ACKNOWLEDGE, CNP):
                seen["sent" if is_sent else "received"] += 1
                seen["marks"] += not is_sent and packet[1] & 3 == 3
        self.assertEqual(seen, self.counters)
        for name, number in self.counters.items():
            self.assertGreater(number, 0, name)

    def test_all_opcodes_are_there(self):
        """Each opcode of reliable connections has been used, and the numbers have wrapped."""
        self.assertEqual({packet[28] for packet in self.packets}, OPCODES)
        numbers = {int.from_bytes(p[37:40], "big") for p in self.packets if p[28] != CNP}
        self.assertLessEqual({0xFFFFF8, 0xFFFFFF, 0}, numbers)

    @unittest.skipUnless(shutil.which("tshark"), "needs tshark")
    def test_tshark(self):
        """tshark reads the same, and finds nothing malformed."""
        rows = tshark.read_fields(self.capture, FIELDS, "--disable-protocol", "rpcordma")
        self.assertEqual(len(rows), len(self.packets))
        for row, packet in zip(rows, self.packets):
            self.assertEqual(row["_ws.malformed"], "", row)
            self.assertEqual(row["ip.src"], ".".join(map(str, packet[12:16])))
            self.assertEqual(int(row["infiniband.bth.opcode"]), packet[28])
            self.assertEqual(int(row["infiniband.bth.psn"]), int.from_bytes(packet[37:40], "big"))
            self.assertEqual(int(row["infiniband.bth.padcnt"]), packet[29] >> 4 & 3)
            if packet[28] == ACKNOWLEDGE:
                self.assertEqual(int(row["infiniband.aeth.syndrome"]), packet[40])
            if packet[28] != CNP:  # which some releases do not know
                crc = int.from_bytes(packet[-4:], "big")
                self.assertEqual(int(row["infiniband.invariant.crc"], 0), crc)
