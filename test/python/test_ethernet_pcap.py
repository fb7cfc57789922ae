# SPDX-License-Identifier: GPL-2.0-only
"""Has tshark read what EthernetHelper::EnablePcap writes, and reads what EnableAscii does."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tshark

PROGRAM = os.environ.get("AIDC_TEST_PROGRAMS", "")
CAPTURES = ("plain", "arp", "jumbo", "vlan", "tunnel")
HOSTS = {"02:00:00:00:00:01", "02:00:00:00:00:02"}
ERROR = 0x00800000  # Wireshark's PI_ERROR
NAMES = (
    "frame.encap_type frame.len frame.protocols _ws.malformed _ws.expert.severity _ws.expert "
    "eth.src eth.dst eth.type vlan.id vlan.priority ieee8021ad.id ieee8021ad.priority "
    "ip.len udp.length udp.dstport tcp.dstport tcp.len arp.opcode macc.opcode"
).split()


def read(capture):
    """What tshark says of each frame: a dictionary of fields."""
    checks = [f"{protocol}.check_checksum:TRUE" for protocol in ("ip", "udp", "tcp")]
    return tshark.read_fields(capture, NAMES, *(word for check in checks for word in ("-o", check)))


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
@unittest.skipUnless(PROGRAM, "AIDC_TEST_PROGRAMS names no program")
class EthernetPcap(unittest.TestCase):
    """tshark reads the frames as they are meant."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "ethernet-pcap", folder], check=True)
            files = {capture: pathlib.Path(folder) / f"{capture}.pcap" for capture in CAPTURES}
            cls.frames = {capture: read(file) for capture, file in files.items()}

    def fields(self, capture, *names, **conditions):
        """Fields of the frames that have others (with _ for a dot), a tuple a frame."""
        wanted = {name.replace("_", "."): value for name, value in conditions.items()}
        return [
            tuple(frame[name] for name in names)
            for frame in self.frames[capture]
            if all(frame[name] == value for name, value in wanted.items())
        ]

    def test_no_frame_is_malformed(self):
        """Neither malformed nor with anything that tshark calls an error."""
        for capture, frames in self.frames.items():
            with self.subTest(capture):
                self.assertGreater(len(frames), 30)
                for frame in frames:
                    self.assertEqual(frame["_ws.malformed"], "", frame)
                    severities = filter(None, frame["_ws.expert.severity"].split(","))
                    self.assertNotIn(ERROR, map(int, severities), frame)

    def test_every_frame_is_ethernet(self):
        """From one of the hosts to the other one or to a group, and 60 bytes at least."""
        for capture in CAPTURES:
            with self.subTest(capture):
                names = ("frame.encap_type", "eth.src", "eth.dst", "frame.len")
                for encap, source, to, size in self.fields(capture, *names):
                    self.assertEqual(encap, "1")
                    self.assertIn(source, HOSTS)
                    is_group = int(to[:2], 16) & 1 == 1
                    self.assertTrue(is_group or to in HOSTS - {source}, to)
                    self.assertGreaterEqual(int(size), 60)

    def test_lengths(self):
        """The smallest frame is padded, the largest has 14 bytes beside the MTU, and its tags."""
        for capture, mtu, tags in (
            ("plain", 1500, 0),
            ("arp", 1500, 0),
            ("jumbo", 9000, 0),
            ("vlan", 1500, 4),
            ("tunnel", 1500, 8),
        ):
            with self.subTest(capture):
                names = ("frame.len", "ip.len")
                small = self.fields(capture, *names, udp_length="9", udp_dstport="9")
                self.assertEqual(small, [("60", "29")])
                large = self.fields(capture, *names, udp_length=str(mtu - 20))
                self.assertEqual(large, [(str(14 + tags + mtu), str(mtu))])

    def test_protocols(self):
        """TCP has all of its bytes, IPv6 and MAC control are there, ARP where it is needed."""
        for capture in CAPTURES:
            with self.subTest(capture):
                segments = self.fields(capture, "tcp.len", tcp_dstport="9")
                self.assertEqual(sum(int(size) for (size,) in segments), 20000)
                datagrams = self.fields(capture, "frame.protocols", udp_dstport="10")
                self.assertEqual(len(datagrams), 1)
                self.assertIn(":ipv6:udp", datagrams[0][0])
                control = [
                    (int(opcode, 0), to)
                    for opcode, to in self.fields(capture, "macc.opcode", "eth.dst")
                    if opcode
                ]
                opcode = 0x0001 if capture == "arp" else 0x0101
                self.assertEqual(control, [(opcode, "01:80:c2:00:00:01")] * 2)
                arp = [opcode for (opcode,) in self.fields(capture, "arp.opcode") if opcode]
                self.assertEqual(bool(arp), capture == "arp")

    def test_vlans(self):
        """All frames but MAC control have the tags of their ports."""
        tags = {"vlan": ("", "", "291", "5"), "tunnel": ("100", "5", "291", "5")}
        names = ("ieee8021ad.id", "ieee8021ad.priority", "vlan.id", "vlan.priority")
        for capture in CAPTURES:
            for opcode, *found in self.fields(capture, "macc.opcode", *names):
                expected = ("",) * 4 if opcode else tags.get(capture, ("",) * 4)
                self.assertEqual(tuple(found), expected, capture)


@unittest.skipUnless(PROGRAM, "AIDC_TEST_PROGRAMS names no program")
class EthernetAscii(unittest.TestCase):
    """ns-3's ASCII traces tell of packets as they go.

    20 bytes of payload occupy the wire for 84 ns, of which the gap is 12, and are 500 ns on the link.
    """

    EXPECTED = (
        ("+", 0, 0, "MacTx"),
        ("-", 0, 0, "PhyTxBegin"),
        ("+", 0, 0, "MacTx"),
        ("d", 0, 0, "MacTxDrop"),
        ("-", 84, 0, "PhyTxBegin"),
        ("r", 572, 1, "MacRx"),
        ("d", 656, 1, "PhyRxDrop"),
    )

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "ethernet-pcap", folder], check=True)
            cls.both, cls.own = (
                [line.split() for line in (pathlib.Path(folder) / name).read_text().splitlines()]
                for name in ("both.tr", "own.tr")
            )
            cls.default, cls.windows = (
                (pathlib.Path(folder) / name).read_text().splitlines()
                for name in ("default.tr", "windows.tr")
            )

    def test_both_ports(self):
        """A shared file names the device and the trace source."""
        found = [(words[0], round(float(words[1]) * 1e9), words[2]) for words in self.both]
        path = "/NodeList/{}/DeviceList/0/$ns3::aidc::EthernetNetDevice/{}"
        expected = [(m, time, path.format(node, name)) for m, time, node, name in self.EXPECTED]
        self.assertEqual(found, expected)

    def test_time_windows(self):
        """The order is by time, then by node, with either simulator."""
        self.assertEqual(self.windows, self.default)
        rows = [line.split() for line in self.windows]
        # 50 and 34 packets, each one handed to the port, begun and arrived
        self.assertEqual(len(rows), 3 * (50 + 34))
        places = [(float(words[1]), words[2].split("/")[2]) for words in rows]
        self.assertEqual(places, sorted(places))

    def test_own_file(self):
        """A file of the device's own does not, and frames are printed whole."""
        found = [(words[0], round(float(words[1]) * 1e9)) for words in self.own]
        expected = [(mark, time) for mark, time, node, _ in self.EXPECTED if node == 0]
        self.assertEqual(found, expected)
        for words in self.own:
            has_header = any("EthernetFrameHeader" in word for word in words)
            self.assertEqual(has_header, words[0] == "-", words)
