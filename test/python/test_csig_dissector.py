# SPDX-License-Identifier: GPL-2.0-only
"""Tests of wireshark/csig.lua with tshark, on frames that are written here byte by byte."""

import pathlib
import shutil
import struct
import unittest

import tshark

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "wireshark" / "csig.lua"

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


def udp(payload=b"test", source=1000, destination=2000):
    """A datagram of UDP without a checksum."""
    return ipv4(17, struct.pack(">HHHH", source, destination, 8 + len(payload), 0) + payload)


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


@unittest.skipUnless(shutil.which("tshark"), "needs tshark")
class CsigDissectorTest(unittest.TestCase):
    """Dissects frames and compares the values of fields."""

    def dissect(self, frames, fields, options=(), dissector=True):
        """Return for each frame the values of the fields, each as tshark prints it."""
        script = SCRIPT if dissector else None
        return tshark.dissect(frames, fields, *tshark.switches(script, options))

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

    def test_section_4_2_1_option_of_the_draft(self):
        """Figure 3: a kind of its own and no identifier, beside the experimental one."""
        frames = [
            ADDRESSES + IPV4 + tcp(b"\xfc\x02"),
            ADDRESSES + IPV4 + tcp(b"\xfc\x04" + compact(1, 1, 19, 43)),
            ADDRESSES + IPV4 + tcp(b"\xfc\x08" + expanded(0x1234, 5, 0xABCDE, 0xF0)),
            ADDRESSES + IPV4 + tcp(b"\xfd\x06\xc5\x16" + compact(1, 1, 19, 43)),
            ADDRESSES + IPV4 + tcp(b"\xfc\x05\x00\x00\x00"),
        ]
        fields = [*self.REFLECTION[1:], "csig_reflection.bad_length"]
        rows = self.dissect(frames, fields, [f"csig_reflection.draft_kind:{0xFC}"])
        short = ("0", "1", "0x01", "19", "0x002b", "")
        self.assertEqual(rows[0], ("",) * 6)
        self.assertEqual(rows[1], short)
        self.assertEqual(rows[2], ("1", "5", "0xf0", "703710", "0x1234", ""))
        self.assertEqual(rows[3], short)
        self.assertEqual((rows[4][:-1], bool(rows[4][-1])), (("",) * 5, True))
        self.assertEqual(self.dissect(frames[:3], fields), [("",) * 6] * 3)

    RANGE = ["csig.low", "csig.high", "csig.range"]

    def test_section_4_1_3_values_in_units_compact(self):
        """A code is a bucket; one above the last bucket is the last, which has no end."""
        frames = [
            ADDRESSES + b"\x88\xb5" + compact(*fields, 0) + IPV4 + udp()
            for fields in ((0, 0, 17), (0, 0, 31), (1, 0, 22), (2, 0, 3), (3, 0, 1), (5, 0, 3))
        ]
        self.assertEqual(
            self.dissect(frames, self.RANGE),
            [
                ("40000000000", "50000000000", "40 Gbit/s to 50 Gbit/s"),
                ("600000000000", "", "at least 600 Gbit/s"),
                ("550000", "600000", "55 % to 60 %"),
                ("2000", "3000", "2 us to 3 us"),
                ("500", "1000", "500 ns to 1 us"),
                ("", "", ""),
            ],
        )

    def test_section_4_1_3_values_in_units_expanded(self):
        """A code is a step of the quantum: 8 Mbit/s, one millionth, 128 ns."""
        frames = [
            ADDRESSES + b"\x88\xb6" + expanded(0, kind, value, 0) + IPV4 + udp()
            for kind, value in ((0, 600), (0, 0xFFFFF), (1, 575000), (2, 23), (15, 23))
        ]
        self.assertEqual(
            self.dissect(frames, self.RANGE),
            [
                ("4800000000", "4808000000", "4.8 Gbit/s to 4.808 Gbit/s"),
                ("8388600000000", "", "at least 8.3886 Tbit/s"),
                ("575000", "575001", "57.5 % to 57.5001 %"),
                ("2944", "3072", "2.944 us to 3.072 us"),
                ("", "", ""),
            ],
        )

    def test_appendix_a_buckets_are_preferences(self):
        """Table 2, where the seventh bucket of each signal has no end but 100 %."""
        options = [
            "csig.abw_buckets:0,1Gbps,5Gbps,10Gbps,20Gbps,50Gbps,75Gbps,90Gbps",
            "csig.abw_ratio_buckets:0, 1%, 5%, 10%, 20%, 50%, 75%, 90%",
            "csig.hop_delay_buckets:0,10us,50us,100us,0.2ms,400us,800us,2ms",
            "csig.hop_delay_quantum:1us",
        ]
        frames = [
            ADDRESSES + b"\x88\xb5" + compact(kind, 0, value, 0) + IPV4 + udp()
            for kind, value in ((0, 4), (1, 31), (2, 3))
        ]
        frames.append(ADDRESSES + b"\x88\xb6" + expanded(0, 2, 7, 0) + IPV4 + udp())
        rows = self.dissect(frames, ["csig.range"], options)
        texts = ["20 Gbit/s to 50 Gbit/s", "at least 90 %", "100 us to 200 us", "7 us to 8 us"]
        self.assertEqual([text for (text,) in rows], texts)

    def test_wrong_preferences(self):
        """Nonsense has no meaning, and ends nothing."""
        options = [
            "csig.abw_buckets:0,1Gbps,many",
            "csig.abw_quantum:",
            "csig.compact_locator:stage:9",
            "csig.expanded_locator:stage",
            "csig.link_speeds:fast",
        ]
        frames = [
            ADDRESSES + b"\x88\xb5" + compact(0, 0, 4, 77) + IPV4 + udp(),
            ADDRESSES + b"\x88\xb6" + expanded(77, 0, 4, 0) + IPV4 + udp(),
        ]
        fields = ["csig.value", "csig.lm", "csig.range", "csig.locator.stage", "ip.src"]
        rows = self.dissect(frames, fields, options)
        self.assertEqual(rows, [("4", "0x004d", "", "", "10.0.0.1")] * 2)

    LOCATOR = [
        f"csig.locator.{name}"
        for name in ("capacity", "speed", "stage", "orientation", "device", "port", "ttl", "custom")
    ]

    def test_section_5_5_2_locator(self):
        """The default layouts: 40 Gbit/s at a leaf, up; port 3 of device 5."""
        frames = [
            ADDRESSES + b"\x88\xb5" + compact(0, 0, 4, 0b011_01_01) + IPV4 + udp(),
            ADDRESSES + b"\x88\xb5" + compact(0, 0, 4, 0) + IPV4 + udp(),
            ADDRESSES + b"\x88\xb6" + expanded(5 * 64 + 3, 0, 4, 0) + IPV4 + udp(),
            ADDRESSES + b"\x88\xb6" + expanded(0xFFFF, 0, 4, 0) + IPV4 + udp(),
        ]
        self.assertEqual(
            self.dissect(frames, self.LOCATOR),
            [
                ("3", "40000000000", "1", "1", "", "", "", ""),
                ("0", "", "0", "0", "", "", "", ""),
                ("", "", "", "", "5", "3", "", ""),
                ("", "", "", "", "1023", "63", "", ""),
            ],
        )

    def test_section_5_5_1_layouts_are_preferences(self):
        """Bits that no attribute has are above the first one."""
        options = [
            "csig.compact_locator:custom:2, capacity:3",
            "csig.expanded_locator:port:7,ttl:8",
            "csig.link_speeds:50Gbps,1.6Tbps",
        ]
        frames = [
            ADDRESSES + b"\x88\xb5" + compact(0, 0, 4, 0b11_10_010) + IPV4 + udp(),
            ADDRESSES + b"\x88\xb6" + expanded(0x8000 + 3 * 256 + 61, 0, 4, 0) + IPV4 + udp(),
        ]
        self.assertEqual(
            self.dissect(frames, self.LOCATOR, options),
            [
                ("2", "1600000000000", "", "", "", "", "", "2"),
                ("", "", "", "", "", "3", "61", ""),
            ],
        )

    def test_section_5_5_1_layouts_by_signal(self):
        """A signal may have its own layout; others, even unknown ones, have the format's layout."""
        options = [
            "csig.hop_delay_compact_locator:port:7",
            "csig.hop_delay_expanded_locator:ttl:8",
            "csig.compact_locator:stage:3",
            "csig.expanded_locator:device:16",
        ]
        frames = [
            ADDRESSES + b"\x88\xb5" + compact(kind, 0, 4, 5) + IPV4 + udp() for kind in (0, 2, 7)
        ]
        frames += [
            ADDRESSES + b"\x88\xb6" + expanded(61, kind, 4, 0) + IPV4 + udp() for kind in (1, 2, 15)
        ]
        fields = [f"csig.locator.{name}" for name in ("stage", "port", "device", "ttl")]
        self.assertEqual(
            self.dissect(frames, fields, options),
            [
                ("5", "", "", ""),
                ("", "5", "", ""),
                ("5", "", "", ""),
                ("", "", "61", ""),
                ("", "", "", "61"),
                ("", "", "61", ""),
            ],
        )

    def test_reflection_in_units(self):
        """What is reflected is shown as what was written."""
        frames = [
            ADDRESSES + IPV4 + tcp(b"\xfd\x06\xc5\x16" + compact(1, 0, 22, 0b011_01_10)),
            ADDRESSES + IPV4 + tcp(b"\xfd\x0a\xc5\x16" + expanded(323, 2, 23, 0)),
        ]
        names = ["range", "locator.speed", "locator.orientation", "locator.device"]
        rows = self.dissect(frames, [f"csig_reflection.{name}" for name in names])
        self.assertEqual(rows[0], ("55 % to 60 %", "40000000000", "2", ""))
        self.assertEqual(rows[1], ("2.944 us to 3.072 us", "", "", "5"))

    UDP = [
        "csig_reflection.flags",
        "csig_reflection.format",
        "csig_reflection.type",
        "csig_reflection.value",
        "csig_reflection.range",
        "csig_reflection.lm",
        "data.data",
    ]

    def test_section_4_2_2_reflection_in_udp(self):
        """Figure 4 with both formats and with nothing valid; the application's data follow."""
        headers = [
            b"\x80" + compact(1, 0, 22, 43),
            b"\xe0" + expanded(323, 2, 23, 0),
            b"\x20\x00\x00",
        ]
        frames = [ADDRESSES + IPV4 + udp(header + b"abc") for header in headers]
        frames.append(ADDRESSES + IPV4 + udp(headers[0], source=2000, destination=1000))
        rows = self.dissect(frames, self.UDP, ["csig_reflection.udp_ports:7,2000-2001"])
        self.assertEqual(rows[0], ("0x80", "0", "1", "22", "55 % to 60 %", "0x002b", "616263"))
        self.assertEqual(
            rows[1], ("0xe0", "1", "2", "23", "2.944 us to 3.072 us", "0x0143", "616263")
        )
        self.assertEqual(rows[2], ("0x20", "", "", "", "", "", "616263"))
        self.assertEqual(rows[3], ("0x80", "0", "1", "22", "55 % to 60 %", "0x002b", ""))
        flags = ["valid", "expanded", "untagged"]
        fields = [f"csig_reflection.flags.{name}" for name in flags]
        rows = self.dissect(frames, fields, ["csig_reflection.udp_ports:2000"])
        bits = [tuple(value in ("1", "True") for value in row) for row in rows]
        yes, no = True, False
        self.assertEqual(bits, [(yes, no, no), (yes, yes, yes), (no, no, yes), (yes, no, no)])

    def test_reflection_in_udp_on_other_ports(self):
        """Datagrams belong to other applications unless a preference names their ports."""
        frame = ADDRESSES + IPV4 + udp(b"\x80" + compact(1, 0, 22, 43))
        for options in ([], ["csig_reflection.udp_ports:7"]):
            self.assertEqual(self.dissect([frame], self.UDP, options)[0][:-1], ("",) * 6)

    def test_cut_reflection_in_udp(self):
        """A header that is cut short is said to be so, at each length."""
        for header in (b"\x80" + compact(1, 0, 22, 43), b"\xc0" + expanded(323, 2, 23, 0)):
            lengths = range(1, len(header) + 1)
            frames = [ADDRESSES + IPV4 + udp(header[:length]) for length in lengths]
            fields = ["csig_reflection.short", "csig_reflection.value"]
            rows = self.dissect(frames, fields, ["csig_reflection.udp_ports:2000"])
            seen = [(bool(short), bool(value)) for short, value in rows]
            self.assertEqual(seen, [(True, False)] * (len(header) - 1) + [(False, True)])

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
