# SPDX-License-Identifier: GPL-2.0-only
"""Writes UDP datagrams of routers and PEs, for the tests of dissectors."""

from __future__ import annotations

import hashlib
import struct

KEY = bytes(range(16))
"""The key of a domain."""


def address(text: str) -> bytes:
    """The four bytes of an address."""
    return bytes(int(part) for part in text.split("."))


def add_hash(text: bytes, hashed: bool) -> bytes:
    """A message with its hash, or with zeros."""
    return text + (hashlib.blake2b(text, digest_size=16, key=KEY).digest() if hashed else bytes(16))


def frame(payload: bytes, port: int) -> bytes:
    """A frame of Ethernet with a datagram; the checksum of IPv4 is left out, as tshark allows."""
    udp = struct.pack(">HHHH", 50000, port, 8 + len(payload), 0) + payload
    head = struct.pack(">BBHHHBBH", 0x45, 0xC0, 20 + len(udp), 1, 0, 64, 17, 0)
    addresses = address("192.0.2.1") + address("192.0.2.9")
    return bytes.fromhex("020000000002 020000000001 0800") + head + addresses + udp
