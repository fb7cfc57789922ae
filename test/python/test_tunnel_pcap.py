# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Has tshark read nested IP-in-IP, as both datapaths write it."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tshark

PROGRAM = os.environ.get("AIDC_TUNNEL_PCAP", "")
ERROR = 0x00800000  # Wireshark's PI_ERROR
NAMES = (
    "frame.protocols _ws.malformed _ws.expert.severity ip.checksum.status ip.src ip.dst ip.proto "
    "ip.ttl ip.dsfield.dscp ip.dsfield.ecn ip.len udp.srcport udp.length"
).split()


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
@unittest.skipUnless(PROGRAM, "needs AIDC_TUNNEL_PCAP, the program that writes the captures")
class TunnelPcap(unittest.TestCase):
    """tshark reads the packets as they are meant."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, folder], check=True)
            cls.files = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
            cls.frames = {
                name: tshark.read_fields(
                    pathlib.Path(folder) / f"{name}.pcap", NAMES, "-o", "ip.check_checksum:TRUE"
                )
                for name in ("nested-fast", "nested-stack", "exit-fast", "exit-stack")
            }

    def test_datapaths(self):
        """The captures of both datapaths are the same but for the ports' addresses."""
        for place in ("nested", "exit"):
            self.assertEqual(self.frames[f"{place}-fast"], self.frames[f"{place}-stack"])

    def test_no_frame_is_malformed(self):
        """Neither malformed nor with anything that tshark calls an error; checksums are good."""
        for name, frames in self.frames.items():
            with self.subTest(name):
                self.assertGreater(len(frames), 190)
                for frame in frames:
                    self.assertEqual(frame["_ws.malformed"], "", frame)
                    severities = filter(None, frame["_ws.expert.severity"].split(","))
                    self.assertNotIn(ERROR, map(int, severities), frame)
                    self.assertEqual(set(frame["ip.checksum.status"].split(",")), {"1"}, frame)

    def test_headers(self):
        """Three outer headers: to both waypoints and the exit; uniform TTL, DSCP and ECN."""
        datagrams = [f for f in self.frames["nested-fast"] if f["udp.srcport"].startswith("5")]
        datagrams = [f for f in datagrams if int(f["udp.srcport"]) >= 50000]
        self.assertEqual(len(datagrams), 256)
        for tos, frame in enumerate(datagrams):
            self.assertEqual(frame["frame.protocols"].split(":")[:7], "eth:ethertype:ip:ip:ip:ip:udp".split(":"))
            self.assertEqual(
                frame["ip.dst"], "192.0.2.12,192.0.2.11,192.0.2.2,10.2.0.2"
            )
            self.assertEqual(frame["ip.src"], "192.0.2.1,192.0.2.1,192.0.2.1,10.1.0.2")
            self.assertEqual(frame["ip.proto"], "4,4,4,17")
            self.assertEqual(set(frame["ip.ttl"].split(",")), {str(63 + tos % 7)})
            self.assertEqual(set(frame["ip.dsfield.dscp"].split(",")), {str(tos >> 2)})
            self.assertEqual(set(frame["ip.dsfield.ecn"].split(",")), {str(tos & 3)})
            size = 28 + 4 * tos
            self.assertEqual(frame["ip.len"], ",".join(str(size + 20 * n) for n in (3, 2, 1, 0)))

    def test_exit(self):
        """Not-ECT below ECT(1) stays so, ECT(0) becomes ECT(1), CE stays (RFC 6040, figure 4)."""
        datagrams = [f for f in self.frames["exit-fast"] if f["udp.srcport"]]
        datagrams = [f for f in datagrams if int(f["udp.srcport"]) >= 50000]
        self.assertEqual(len(datagrams), 256)
        expected = {0: "0", 1: "1", 2: "1", 3: "3"}
        for tos, frame in enumerate(datagrams):
            self.assertEqual(frame["ip.dsfield.ecn"], expected[tos & 3])
            self.assertEqual(frame["ip.dsfield.dscp"], str(tos >> 2))
            self.assertEqual(frame["ip.proto"], "17")

    def test_keepalives(self):
        """A keepalive is a packet from the exit to the entry, with protocol 253."""
        found = [f for f in self.frames["nested-fast"] if f["ip.proto"] == "4,4,4,253"]
        self.assertEqual(len(found), 3)
        for frame in found:
            self.assertEqual(frame["ip.src"].split(",")[-1], "192.0.2.2")
            self.assertEqual(frame["ip.dst"].split(",")[-1], "192.0.2.1")


if __name__ == "__main__":
    unittest.main()
