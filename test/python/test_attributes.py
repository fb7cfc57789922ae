# SPDX-License-Identifier: GPL-2.0-only
"""The manual's chapter of attributes and trace sources is what ns-3 tells of them."""

import difflib
import os
import re
import subprocess
import unittest

from folder_test import SOURCE
from tools import attributes

PROGRAM = os.environ.get("AIDC_PRINT_ATTRIBUTES")


class Attributes(unittest.TestCase):
    """doc/attributes.rst, and how values are shown there."""

    def test_values(self):
        for text, shown in (
            ("+0ns", "0s"),
            ("+1.5e+06ns", "1.5ms"),
            ("+55000ns", "55us"),
            ("+128ns", "128ns"),
            ("12000000B", "12MB"),
            ("18000B", "18kB"),
            ("1500B", "1.5kB"),
            ("100000000000bps", "100Gbps"),
            ("0bps", "0bps"),
            ("0.5", "0.5"),
        ):
            self.assertEqual(attributes.shown_value(text), shown)

    def test_types(self):
        for value, underlying, shown in (
            ("ns3::UintegerValue", "uint8_t 0:63", "``uint8_t``, ``0`` to ``63``"),
            ("ns3::UintegerValue", "uint32_t 1:4294967295", "``uint32_t``, at least ``1``"),
            ("ns3::TimeValue", "ns3::Time +1ns:+9.22337e+18ns", "time, at least ``1ns``"),
            ("ns3::EnumValue<ns3::aidc::C::Mode>", "A|B", "``A`` or ``B``"),
            ("ns3::PointerValue", "ns3::Ptr< ns3::aidc::CsigDomain >", "object: ``CsigDomain``"),
            ("ns3::BooleanValue", "bool", "``true`` or ``false``"),
        ):
            self.assertEqual(attributes.shown_type(value, underlying), shown)

    @unittest.skipUnless(PROGRAM, "AIDC_PRINT_ATTRIBUTES names no program")
    def test_chapter_is_up_to_date(self):
        lines = subprocess.check_output([PROGRAM], text=True).splitlines()
        self.assertGreater(len(lines), 300, "the program knows the module's TypeIds")
        for line in lines:
            self.assertGreater(len(line.split("\t")[4]), 3, f"no help: {line}")
        expected = attributes.chapter(lines)
        found = (SOURCE / "doc" / "attributes.rst").read_text(encoding="utf-8")
        changes = list(difflib.unified_diff(found.split("\n"), expected.split("\n"), lineterm=""))
        command = f"{PROGRAM} | python3 -m tools.attributes > doc/attributes.rst"
        self.assertEqual(changes, [], f"doc/attributes.rst is not up to date. Renew it:\n{command}")

    @unittest.skipUnless(PROGRAM, "AIDC_PRINT_ATTRIBUTES names no program")
    def test_chapters_have_the_defaults_of_texts(self):
        # "``Class``: ``Attribute`` (``default``)" in the chapters of the mechanisms.
        chapters = [
            path.read_text(encoding="utf-8")
            for path in sorted((SOURCE / "doc").glob("*.rst"))
            if path.name != "attributes.rst"
        ]
        paragraphs = [text for chapter in chapters for text in chapter.split("\n\n")]
        for line in subprocess.check_output([PROGRAM], text=True).splitlines():
            kind, owner, _, name, _, *rest = line.split("\t")
            if kind == "attribute" and rest[0] == "ns3::StringValue":
                begin = f"``{attributes.shorten(owner)}``:"
                for paragraph in filter(lambda text: text.startswith(begin), paragraphs):
                    for default in re.findall(rf"``{name}`` \(``([^`]*)``\)", paragraph):
                        self.assertEqual(default, rest[2], f"{owner}::{name}")

    @unittest.skipUnless(PROGRAM, "AIDC_PRINT_ATTRIBUTES names no program")
    def test_counts_say_what_they_count(self):
        # Numbers that are neither times, rates nor sizes have their unit in the description.
        words = (
            "alpha|attempts|bits?|bytes|buckets|class|code|codepoint|coefficient|datagrams?|devices"
            "|dscp|exponent|factor|flows?|flowlets|hops|kind|level|levels|migrations|number|octets"
            "|packets?|part|port|ports|probability|quanta|rate|priorit(?:y|ies)|round|segments?|seed"
            "|share|steps?|sum|tag|tags|timeouts?|times|tpid|type|vlan|weight|window|keepalives"
            "|cqi|local_pref|notifications|routes|sack|sequence|2\\^p|utilization|gain|millionths|identifier"
        )
        for line in subprocess.check_output([PROGRAM], text=True).splitlines():
            kind, owner, _, name, meaning, *rest = line.split("\t")
            if kind == "attribute" and re.search("Uinteger|Integer|Double", rest[0]):
                self.assertRegex(meaning.lower(), rf"\b({words})\b", f"{owner}::{name}")
