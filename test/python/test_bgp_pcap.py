# SPDX-License-Identifier: GPL-2.0-only
"""Has tshark read a capture of BGP messages of all kinds."""

import collections
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

import tshark

PROGRAM = os.environ.get("AIDC_TEST_PROGRAMS", "")
OPEN, UPDATE, NOTIFICATION, KEEPALIVE, ROUTE_REFRESH = range(1, 6)
PREFIXES = [f"192.0.2.0/{length}" for length in range(33)]
PREFIXES += [f"10.{i >> 8}.{i & 255}.0/24" for i in range(1500)]


def read_streams(path):
    """What each connection has carried, by its source port."""
    data = path.read_bytes()
    streams = collections.defaultdict(bytes)
    place = 24
    while place < len(data):
        (size,) = struct.unpack_from(">I", data, place + 8)
        packet = data[place + 16 : place + 16 + size]
        streams[struct.unpack_from(">H", packet, 20)[0]] += packet[40:]
        place += 16 + size
    return streams


def read_messages(stream):
    """The messages of a stream: type and whole message."""
    place = 0
    while place < len(stream):
        marker, length, kind = struct.unpack_from(">16sHB", stream, place)
        assert marker == b"\xff" * 16, "messages follow each other"
        yield kind, stream[place : place + length]
        place += length


@unittest.skipUnless(PROGRAM, "AIDC_TEST_PROGRAMS names no program")
class BgpPcap(unittest.TestCase):
    """The capture has messages that tshark reads without complaint, and as they were meant."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.capture = pathlib.Path(cls.folder.name) / "bgp.pcap"
        subprocess.run([PROGRAM, "bgp-pcap", cls.capture], check=True)
        cls.messages = {
            port: list(read_messages(stream)) for port, stream in read_streams(cls.capture).items()
        }

    def fields(self, *names):
        """The values of fields, a row for each packet of BGP."""
        return tshark.read_rows(self.capture, names, "-n", "-Y", "bgp")

    def test_all_types_are_there(self):
        """Each session has all types of messages, up to the largest size."""
        self.assertEqual(len(self.messages), 2)
        for messages in self.messages.values():
            kinds = collections.Counter(kind for kind, _ in messages)
            self.assertEqual(kinds[OPEN], 1)
            self.assertEqual(kinds[KEEPALIVE], 2)
            self.assertEqual(kinds[ROUTE_REFRESH], 1)
            self.assertEqual(messages[-1][0], NOTIFICATION)
            self.assertGreater(kinds[UPDATE], 6)
            sizes = [len(message) for _, message in messages]
            self.assertLessEqual(max(sizes), 4096)
            self.assertGreater(max(sizes), 4096 - 5)

    @unittest.skipUnless(shutil.which("tshark"), "needs tshark")
    def test_tshark_has_no_complaint(self):
        """There is no expert's information of any severity, and nothing malformed."""
        display = "_ws.expert || _ws.malformed"
        self.assertEqual(tshark.read(self.capture, "-n", "-Y", display), "")

    @unittest.skipUnless(shutil.which("tshark"), "needs tshark")
    def test_tshark_finds_all_messages(self):
        """It sees the messages that are there, however they are cut into segments."""
        seen = collections.Counter(
            int(kind) for (kinds,) in self.fields("bgp.type") for kind in kinds.split(",")
        )
        expected = collections.Counter(
            kind for messages in self.messages.values() for kind, _ in messages
        )
        self.assertEqual(seen, expected)

    @unittest.skipUnless(shutil.which("tshark"), "needs tshark")
    def test_tshark_reads_the_routes(self):
        """Each prefix comes, and goes again, in both sessions."""
        rows = self.fields("bgp.nlri_prefix", "bgp.withdrawn_prefix")
        seen = collections.Counter(
            prefix for row in rows for prefixes in row for prefix in prefixes.split(",") if prefix
        )
        networks = collections.Counter()
        for prefix in PREFIXES:
            address, length = prefix.split("/")
            number = int.from_bytes(map(int, address.split(".")), "big")
            number &= ~0 << (32 - int(length))
            networks[".".join(str(byte) for byte in number.to_bytes(4, "big"))] += 4
        self.assertEqual(seen, networks)

    @unittest.skipUnless(shutil.which("tshark"), "needs tshark")
    def test_tshark_reads_open_and_bandwidths(self):
        """ASs, identifiers and bandwidths: 12.5 and 50 GB/s are 0x4a40 and 0x5240 in binary16."""
        names = ["bgp.open.myas", "bgp.cap.4as", "bgp.open.identifier"]
        rows = [row for row in self.fields(*names) if row[0]]
        self.assertEqual(rows, [("23456", "4200000001", "10.0.0.2"), ("65002", "", "10.0.0.2")])
        names = ["bgp.ext_com.value_IP4", "bgp.ext_com.value_an2", "bgp.ext_com.value_link_bw"]
        rows = [row for row in self.fields(*names) if row[0]]
        self.assertEqual(rows, [("10.0.0.2,10.0.0.2", f"{0x4A40},{0x5240}", "5e+10")] * 2)
        paths = self.fields("bgp.update.path_attribute.as_path_segment.as4")
        self.assertEqual(paths[2], ("4200000001,4200000002,64512,4200000003",))
