# SPDX-License-Identifier: GPL-2.0-only
"""Has tshark, with wireshark/csig.lua, read captures of a network with CSIG."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tshark

PROGRAM = os.environ.get("AIDC_TEST_PROGRAMS", "")
SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "wireshark" / "csig.lua"
HOSTS = {"a": "02:00:00:00:00:01", "b": "02:00:00:00:00:02"}
CAPTURES = {"plain": ("", ""), "tunnel": ("6", "5"), "vlan": ("", "7")}  # and their VLANs
TAG = ["csig.format", "csig.type", "csig.reserved", "csig.value", "csig.lm"]
NAMES = TAG + (
    "eth.src eth.dst csig.etype ieee8021ad.id vlan.id ip.proto ip.src "
    "_ws.malformed frame.len csig_reflection.value"
).split()


def read(capture):
    """What tshark says of each frame: a dictionary of fields."""
    return tshark.read_fields(capture, NAMES, *tshark.switches(SCRIPT))


def tag(frame):
    """The fields of a frame's tag as the program writes them, "-" without one."""
    if not frame["csig.value"]:
        return "-"
    kind = {"0": "compact", "1": "expanded"}.get(frame["csig.format"], frame["csig.format"])
    numbers = [str(int(frame[name], 0)) for name in TAG[1:]]
    return " ".join([kind.lower(), *numbers])


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
@unittest.skipUnless(PROGRAM, "AIDC_TEST_PROGRAMS names no program")
class CsigPcap(unittest.TestCase):
    """tshark reads the values that the simulator has written."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run([PROGRAM, "csig-pcap", name], check=True)
            cls.frames = {capture: read(folder / f"{capture}.pcap") for capture in CAPTURES}
            cls.logs = {
                log: (folder / f"{log}.txt").read_text().splitlines()
                for log in [*CAPTURES, *HOSTS]
            }

    def test_every_frame_has_the_values_that_were_written(self):
        """Each frame of each capture, with or without a tag, in the order of the simulator."""
        for capture, frames in self.frames.items():
            with self.subTest(capture):
                self.assertGreater(len(frames), 500)
                seen = [f"{frame['eth.src']} {tag(frame)}" for frame in frames]
                self.assertEqual(seen, self.logs[capture])

    def test_hosts_get_what_is_on_the_wire(self):
        """The CsigHost of a host gets the tags of the frames to the host."""
        for host, capture in (("a", "plain"), ("b", "vlan")):
            with self.subTest(host):
                arrived = [
                    tag(frame)
                    for frame in self.frames[capture]
                    if frame["eth.dst"] == HOSTS[host] and frame["csig.value"]
                ]
                self.assertGreater(len(arrived), 200)
                self.assertEqual(arrived, self.logs[host])

    def test_frames_are_well_formed(self):
        """Nothing is malformed; the tag is behind the VLANs, and IPv4 behind the tag."""
        for capture, (service, customer) in CAPTURES.items():
            with self.subTest(capture):
                for frame in self.frames[capture]:
                    self.assertEqual(frame["_ws.malformed"], "", frame)
                    if frame["csig.value"]:
                        self.assertEqual(int(frame["csig.etype"], 0), 0x0800)
                        self.assertIn(frame["ip.proto"], ("6", "17"))
                    self.assertEqual(frame["ieee8021ad.id"], service)
                    self.assertEqual(frame["vlan.id"], customer)

    def test_all_kinds_are_there(self):
        """Both formats, four types, values that differ, and reflections in TCP."""
        for capture in CAPTURES:
            with self.subTest(capture):
                kinds = {}
                for frame in self.frames[capture]:
                    if frame["csig.value"]:
                        text = tag(frame).split()
                        kinds.setdefault((text[0], text[1]), set()).add(text[3])
                self.assertEqual(len(kinds), 8)
                reflected = [frame["csig_reflection.value"] for frame in self.frames[capture]]
                self.assertGreater(len(list(filter(None, reflected))), 100)
        values = {int(line.split()[3]) for line in self.logs["b"] if line.startswith("compact 0")}
        self.assertGreater(len(values), 1)
