# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of wireshark/csig.lua with tshark, on frames that are written here byte by byte."""

import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "wireshark" / "csig.lua"
TSHARK = shutil.which("tshark")

ADDRESSES = bytes.fromhex("020000000002 020000000001")
IPV4 = b"\x08\x00"


def checksum(data):
    """The Internet checksum (RFC 1071)."""
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack(">H", ~total & 0xFFFF)


def ipv4(protocol, payload):
    """A packet of IPv4 from 10.0.0.1 to 10.0.0.2."""
    head = struct.pack(">BBHHHBB", 0x45, 0, 20 + len(payload), 1, 0, 64, protocol)
    addresses = bytes([10, 0, 0, 1, 10, 0, 0, 2])
    return head + checksum(head + b"\0\0" + addresses) + addresses + payload


def udp():
    """A datagram of UDP from port 1000 to 2000 with four bytes."""
    return ipv4(17, struct.pack(">HHHH", 1000, 2000, 12, 0) + b"test")


def tcp(options):
    """A segment of TCP with options, which it fills up with zeros."""
    options += bytes(-len(options) % 4)
    offset = (20 + len(options)) // 4
    return ipv4(6, struct.pack(">HHIIBBHHH", 1000, 2000, 1, 1, offset << 4, 16, 99, 0, 0) + options)


def compact(kind, reserved, value, locator):
    """The two bytes of figure 1 behind the TPID, as a binary number in text."""
    return int(f"{kind:03b}{reserved:01b}{value:05b}{locator:07b}", 2).to_bytes(2, "big")


def expanded(locator, kind, value, reserved):
    """The six bytes of figure 2 behind the TPID, as a binary number in text."""
    bits = f"{locator:016b}{kind:04b}{value:020b}{reserved:08b}"
    return int(bits, 2).to_bytes(6, "big")


def write_pcap(path, frames):
    """Write frames of Ethernet to a file."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for second, frame in enumerate(frames):
            file.write(struct.pack("<IIII", second, 0, len(frame), len(frame)) + frame)


@unittest.skipUnless(TSHARK, "tshark is not installed")
class CsigDissectorTest(unittest.TestCase):
    """Dissects frames and compares the values of fields."""

    def dissect(self, frames, fields, options=(), dissector=True):
        """Return for each frame the values of the fields, each as tshark prints it."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "frames.pcap"
            write_pcap(path, frames)
            command = [TSHARK, "-r", str(path), "-T", "fields", "-E", "separator=|"]
            if dissector:
                command += ["-X", f"lua_script:{SCRIPT}"]
            for field in fields:
                command += ["-e", field]
            for option in options:
                command += ["-o", option]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("Lua: Error", result.stderr)
        return [tuple(line.split("|")) for line in result.stdout.splitlines()]

    FIELDS = ["csig.format", "csig.type", "csig.reserved", "csig.value", "csig.lm", "csig.etype"]

    def test_compact_tag(self):
        """Figure 1: each field, and the packet behind the tag."""
        frames = [
            ADDRESSES + b"\x88\xb5" + compact(0, 0, 31, 0) + IPV4 + udp(),
            ADDRESSES + b"\x88\xb5" + compact(1, 1, 19, 0x2B) + IPV4 + udp(),
            ADDRESSES + b"\x88\xb5" + compact(7, 1, 31, 127) + IPV4 + udp(),
        ]
        rows = self.dissect(frames, [*self.FIELDS, "ip.src", "udp.dstport", "_ws.malformed"])
        end = ("0x0800", "10.0.0.1", "2000", "")
        self.assertEqual(rows[0], ("0", "0", "0x00", "31", "0x0000", *end))
        self.assertEqual(rows[1], ("0", "1", "0x01", "19", "0x002b", *end))
        self.assertEqual(rows[2], ("0", "7", "0x01", "31", "0x007f", *end))

    def test_expanded_tag(self):
        """Figure 2: each field, and the packet behind the tag."""
        frames = [
            ADDRESSES + b"\x88\xb6" + expanded(0, 0, 0xFFFFF, 0) + IPV4 + udp(),
            ADDRESSES + b"\x88\xb6" + expanded(0x1234, 5, 0xABCDE, 0xF0) + IPV4 + udp(),
        ]
        rows = self.dissect(frames, [*self.FIELDS, "ip.src", "udp.dstport", "_ws.malformed"])
        end = ("0x0800", "10.0.0.1", "2000", "")
        self.assertEqual(rows[0], ("1", "0", "0x00", "1048575", "0x0000", *end))
        self.assertEqual(rows[1], ("1", "5", "0xf0", "703710", "0x1234", *end))

    def test_compact_tag_is_what_wireshark_reads_as_a_vlan(self):
        """An independent decoder: T is the priority, R the DEI, S and LM together the VLAN."""
        frame = ADDRESSES + b"\x88\xb5" + compact(5, 1, 19, 43) + IPV4 + udp()
        fields = ["vlan.priority", "vlan.dei", "vlan.id", "vlan.etype", "ip.src"]
        options = ["vlan.qinq_ethertype:0x88b5"]
        rows = self.dissect([frame], fields, options, dissector=False)
        self.assertEqual(rows[0][0], "5")
        self.assertIn(rows[0][1], ("1", "True"))
        self.assertEqual(rows[0][2:], (str(19 * 128 + 43), "0x0800", "10.0.0.1"))

    def test_tag_behind_vlan_tags(self):
        """Section 4.1: the tag is the last one, behind one or two VLAN tags."""
        vlan = b"\x81\x00\x00\x05"
        tag = b"\x88\xb5" + compact(2, 0, 3, 9) + IPV4 + udp()
        frames = [ADDRESSES + vlan + tag, ADDRESSES + b"\x88\xa8\x00\x07" + vlan + tag]
        rows = self.dissect(frames, ["vlan.id", "csig.type", "csig.value", "csig.lm", "ip.src"])
        self.assertEqual(rows[0], ("5", "2", "3", "0x0009", "10.0.0.1"))
        self.assertIn("5", rows[1][0])
        self.assertEqual(rows[1][1:], ("2", "3", "0x0009", "10.0.0.1"))

    def test_tpids_are_preferences(self):
        """Other TPIDs are dissected when they are set, and the default ones no more."""
        frames = [
            ADDRESSES + b"\x99\x01" + compact(2, 0, 3, 9) + IPV4 + udp(),
            ADDRESSES + b"\x99\x02" + expanded(9, 2, 4, 0) + IPV4 + udp(),
            ADDRESSES + b"\x88\xb5" + compact(2, 0, 3, 9) + IPV4 + udp(),
        ]
        options = [f"csig.tpid_compact:{0x9901}", f"csig.tpid_expanded:{0x9902}"]
        rows = self.dissect(frames, ["csig.format", "csig.value", "ip.src"], options)
        self.assertEqual(rows, [("0", "3", "10.0.0.1"), ("1", "4", "10.0.0.1"), ("", "", "")])

    def test_truncated_tag(self):
        """A tag that is cut short is said to be so, at each length."""
        for tpid, data in ((b"\x88\xb5", compact(2, 0, 3, 9)), (b"\x88\xb6", expanded(9, 2, 4, 0))):
            whole = data + IPV4
            frames = [ADDRESSES + tpid + whole[:length] for length in range(1, len(whole) + 1)]
            rows = self.dissect(frames, ["csig.short", "csig.value"])
            seen = [(bool(short), bool(value)) for short, value in rows]
            self.assertEqual(seen, [(True, False)] * (len(whole) - 1) + [(False, True)])

    def test_unknown_payload(self):
        """What follows with an EtherType that nobody knows is data; with a length it is LLC."""
        frames = [
            ADDRESSES + b"\x88\xb5" + compact(2, 0, 3, 9) + b"\x99\x99" + b"abc",
            ADDRESSES + b"\x88\xb5" + compact(2, 0, 3, 9) + b"\x00\x03" + b"\x42\x42\x03",
        ]
        rows = self.dissect(frames, ["csig.value", "data.data", "llc.dsap"])
        self.assertEqual(rows, [("3", "616263", ""), ("3", "", "0x42")])

    def test_without_the_dissector(self):
        """Frames decode up to the tag."""
        frame = ADDRESSES + b"\x88\xb5" + compact(2, 0, 3, 9) + IPV4 + udp()
        rows = self.dissect([frame], ["eth.type", "eth.src", "_ws.malformed"], dissector=False)
        self.assertEqual(rows, [("0x88b5", "02:00:00:00:00:01", "")])

    REFLECTION = [
        "csig_reflection.empty",
        "csig_reflection.format",
        "csig_reflection.type",
        "csig_reflection.reserved",
        "csig_reflection.value",
        "csig_reflection.lm",
    ]

    def test_reflection_in_tcp(self):
        """The option with nothing, with two bytes and with six, behind other options."""
        timestamps = b"\x01\x01\x08\x0a" + bytes(8)
        frames = [
            ADDRESSES + IPV4 + tcp(timestamps + b"\xfd\x04\xc5\x16"),
            ADDRESSES + IPV4 + tcp(timestamps + b"\xfe\x06\xc5\x16" + compact(1, 1, 19, 43)),
            ADDRESSES + IPV4 + tcp(b"\xfd\x0a\xc5\x16" + expanded(0x1234, 5, 0xABCDE, 0xF0)),
        ]
        rows = self.dissect(frames, [*self.REFLECTION, "tcp.dstport"])
        self.assertIn(rows[0], [(empty, "", "", "", "", "", "2000") for empty in ("1", "True")])
        for row, values in (
            (rows[1], ("0", "1", "0x01", "19", "0x002b", "2000")),
            (rows[2], ("1", "5", "0xf0", "703710", "0x1234", "2000")),
        ):
            self.assertIn(row[0], ("0", "False"))
            self.assertEqual(row[1:], values)

    def test_other_options_of_tcp(self):
        """Another identifier, another kind and a length that is none of the three."""
        frames = [
            ADDRESSES + IPV4 + tcp(b"\xfd\x06\xc5\x17\x00\x00"),
            ADDRESSES + IPV4 + tcp(b"\xfc\x06\xc5\x16\x00\x00"),
            ADDRESSES + IPV4 + tcp(b"\xfd\x07\xc5\x16\x00\x00\x00"),
        ]
        rows = self.dissect(frames, ["csig_reflection.type", "csig_reflection.bad_length"])
        self.assertEqual([kind for kind, _ in rows], ["", "", ""])
        self.assertEqual([bool(bad) for _, bad in rows], [False, False, True])

    def test_exid_is_a_preference(self):
        """Another identifier is dissected when it is set."""
        frames = [ADDRESSES + IPV4 + tcp(b"\xfd\x06\x12\x34" + compact(2, 0, 3, 9))]
        rows = self.dissect(frames, ["csig_reflection.value"], [f"csig_reflection.exid:{0x1234}"])
        self.assertEqual(rows, [("3",)])

    def test_cut_options_of_tcp(self):
        """Options that end before their length says, or that have none, stop nothing."""
        frames = [
            ADDRESSES + IPV4 + tcp(b"\x01\x01\x01\xfd"),
            ADDRESSES + IPV4 + tcp(b"\xfd\x06\xc5\x16"),
            ADDRESSES + IPV4 + tcp(b"\xfd\x00\xc5\x16"),
        ]
        rows = self.dissect(frames, ["csig_reflection.type", "ip.src"])
        self.assertEqual(rows, [("", "10.0.0.1")] * 3)


if __name__ == "__main__":
    unittest.main()
