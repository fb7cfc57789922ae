# SPDX-License-Identifier: GPL-2.0-only
"""Has tshark read the packets of test/core/transport/roce-frames.h, which the encoder makes."""

import pathlib
import re
import shutil
import unittest

import tshark

FRAMES = pathlib.Path(__file__).resolve().parent.parent / "core" / "transport" / "roce-frames.h"
ETHERNET = bytes.fromhex("020000000002" "020000000001" "0800")


def parse_hex(text):
    """The bytes of hexadecimal digits, in which xx..yy are all bytes from one to the other."""
    packet = b""
    for word in text.split():
        first, _, last = word.partition("..")
        packet += bytes(range(int(first, 16), int(last, 16) + 1)) if last else bytes.fromhex(word)
    return packet


def golden(name):
    """The packet that is a constant of the C++ tests."""
    match = re.search(rf"\* {name} =((?:\s*\"[^\"]*\")+);", FRAMES.read_text())
    return parse_hex("".join(re.findall(r'"([^"]*)"', match[1])))


def describe(packet):
    """What tshark says of a packet.

    It takes the payload of a SEND for a remote procedure call unless told otherwise.
    """
    return tshark.describe(ETHERNET + packet, "--disable-protocol", "rpcordma")


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
class Roce(unittest.TestCase):
    """tshark reads the packets as they are meant."""

    def check(self, name, *lines):
        """tshark prints lines about a packet, and does not find it malformed."""
        text = describe(golden(name))
        for line in lines:
            self.assertIn(line, text)
        self.assertNotIn("Malformed", text)

    def test_send(self):
        """SEND only of four sizes, and the pad counts that they need."""
        only = "Opcode: Reliable Connection (RC) - SEND Only (4)"
        for name, pad, psn, crc in (
            ("F1", 0, 0, "0xb16a1a09"),
            ("F2", 3, 1, "0xff0bcbeb"),
            ("F3", 0, 16777215, "0xe5620d96"),
            ("F4", 0, 1193046, "0xde845ab5"),
        ):
            with self.subTest(name):
                number = f"Packet Sequence Number: {psn}\n"
                check = f"Invariant CRC: {crc}"
                self.check(name, only, f"Pad Count: {pad}\n", number, check)

    def test_write(self):
        """The first packet of a WRITE."""
        self.check(
            "F5",
            "RDMA WRITE First (6)",
            "Virtual Address: 0x0000000100002000",
            "Remote Key: 0xdeadbeef",
            "DMA Length: 512",
            "Invariant CRC: 0x1222a288",
        )

    def test_acknowledge(self):
        """An acknowledgment without credits."""
        self.check("F6", "Syndrome: 31, Ack", "Credit Count: 31", "Invariant CRC: 0xef7ad6f9")

    def test_refuse(self):
        """A sequence error."""
        error = "Error Code: PSN Sequence Error (0)"
        self.check("F7", "Syndrome: 96, Nak", error, "Invariant CRC: 0xe277e98b")

    def test_congestion_notification(self):
        """A congestion notification: its opcode is newer than some releases of tshark."""
        self.check("F8", "(129)", "Destination Queue Pair: 0x000012")

    def test_extensions(self):
        """Extensions of acknowledgments leave the fields in front of them as they are."""
        for name in ("SELECTIVE", "REFLECTION", "BOTH"):
            with self.subTest(name):
                self.check(name, "Syndrome: 96, Nak", "Message Sequence Number: 7")
