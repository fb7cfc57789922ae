# SPDX-License-Identifier: GPL-2.0-only
"""Has tshark read nested IP-in-IP, GRE and VXLAN, as both datapaths write them."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tshark

PROGRAM = os.environ.get("AIDC_TEST_PROGRAMS", "")
ERROR = 0x00800000  # Wireshark's PI_ERROR
NAMES = (
    "frame.protocols _ws.malformed _ws.expert.severity ip.checksum.status ip.src ip.dst ip.proto "
    "ip.ttl ip.dsfield.dscp ip.dsfield.ecn ip.len udp.srcport udp.length udp.dstport gre.proto "
    "gre.key vxlan.flag_i vxlan.vni eth.src eth.dst"
).split()
SHIMS = {"gre": 4, "gre-key": 8, "vxlan": 30}  # bytes: RFC 2784, RFC 2890, RFC 7348


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
@unittest.skipUnless(PROGRAM, "AIDC_TEST_PROGRAMS names no program")
class TunnelPcap(unittest.TestCase):
    """tshark reads the packets as they are meant."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "tunnel-pcap", folder], check=True)
            cls.files = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
            cls.frames = {
                name: tshark.read_fields(
                    pathlib.Path(folder) / f"{name}.pcap", NAMES, "-o", "ip.check_checksum:TRUE"
                )
                for name in (
                    f"{place}-{path}"
                    for place in ("nested", "exit", *SHIMS)
                    for path in ("fast", "stack")
                )
            }

    def test_datapaths(self):
        """The captures of both datapaths are the same but for the ports' addresses."""
        ports = ("eth.src", "eth.dst")
        for place in ("nested", "exit", *SHIMS):
            fast, stack = (
                [
                    {key: value for key, value in frame.items() if key not in ports}
                    for frame in self.frames[f"{place}-{path}"]
                ]
                for path in ("fast", "stack")
            )
            self.assertEqual(fast, stack)

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

    def test_shims(self):
        """GRE with and without a key, and VXLAN, below the tables of RFC 6040 (RFC 9601)."""
        for name, shim in SHIMS.items():
            frames = self.frames[f"{name}-fast"]
            self.assertEqual(len(frames), 256)
            for tos, frame in enumerate(frames):
                with self.subTest(name, tos=tos):
                    size = 28 + 4 * tos
                    self.assertEqual(frame["ip.len"], f"{20 + shim + size},{size}")
                    self.assertEqual(frame["ip.src"], "192.0.2.1,10.1.0.2")
                    self.assertEqual(frame["ip.dst"], "192.0.2.2,10.2.0.2")
                    self.assertEqual(frame["ip.dsfield.ecn"], f"{tos & 3},{tos & 3}")
                    self.assertEqual(frame["ip.dsfield.dscp"], f"{tos >> 2},{tos >> 2}")
                    self.assertEqual(frame["udp.srcport"].split(",")[-1], str(50000 + tos))

    def test_gre(self):
        """The protocol type is IPv4, and the key is the attribute's (RFC 2784, RFC 2890)."""
        for name, key in (("gre", ""), ("gre-key", "0x00010203")):
            for frame in self.frames[f"{name}-fast"]:
                self.assertTrue(frame["frame.protocols"].startswith("eth:ethertype:ip:gre:ip:udp"))
                self.assertEqual(frame["ip.proto"], "47,17")
                self.assertEqual(frame["gre.proto"], "0x0800")
                self.assertEqual(frame["gre.key"], key)

    def test_vxlan(self):
        """Flag I, the VNI, the port, entropy, and MAC addresses of the ends (RFC 7348)."""
        frames = self.frames["vxlan-fast"]
        for frame in frames:
            self.assertTrue(
                frame["frame.protocols"].startswith("eth:ethertype:ip:udp:vxlan:eth:ethertype:ip:udp")
            )
            self.assertEqual(frame["ip.proto"], "17,17")
            self.assertEqual(frame["udp.dstport"].split(",")[0], "4789")
            self.assertEqual(frame["vxlan.vni"], "66051")
            self.assertIn(frame["vxlan.flag_i"], ("1", "True"))
            self.assertEqual(frame["eth.src"].split(",")[1], "02:00:c0:00:02:01")
            self.assertEqual(frame["eth.dst"].split(",")[1], "02:00:c0:00:02:02")
            self.assertGreaterEqual(int(frame["udp.srcport"].split(",")[0]), 49152)
        self.assertGreater(len({frame["udp.srcport"].split(",")[0] for frame in frames}), 240)

    def test_keepalives(self):
        """A keepalive is a packet from the exit to the entry, with protocol 253."""
        found = [f for f in self.frames["nested-fast"] if f["ip.proto"] == "4,4,4,253"]
        self.assertEqual(len(found), 3)
        for frame in found:
            self.assertEqual(frame["ip.src"].split(",")[-1], "192.0.2.2")
            self.assertEqual(frame["ip.dst"].split(",")[-1], "192.0.2.1")
