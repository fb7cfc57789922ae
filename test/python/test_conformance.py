# SPDX-License-Identifier: GPL-2.0-only
"""The manual's conformance tables name tests that exist, and miss no section of their drafts."""

import re
import unittest

from folder_test import SOURCE

SECTIONS = {
    "coupled-ecn": "2 3 4 5.1 5.2 5.3 6.1 6.2 6.3 9",
    "csig": "4.1.1 4.1.2 4.1.3 4.2.1 4.2.2 4.3.1 4.3.2 4.3.3 4.4.1 4.4.2 4.4.3 4.4.4 5.1.1 5.2 5.3.1 "
    "5.3.2 5.3.3 5.3.4 5.4.1 5.4.2 5.5.1 5.5.2 6.1 6.2.1 6.2.2 6.2.3 6.3.1 6.3.2 6.3.3 6.4 6.5 "
    "7.1 7.2 7.3 7.4 8.1.1 8.1.3 8.2.1 8.2.2 8.3 9",
    "fare": "3 4.1 4.2",
    "flow-set": "1 3.2 3.3 5.1.1 5.1.2 5.1.3 5.2.1 5.2.2 5.2.3 5.2.4 6.1 6.2 7.1 7.2 8.1 8.2 8.3 9.1 "
    "9.2 9.3",
    "pre-ecn": "3.1 3.2.1 3.2.2.1 3.2.2.2 3.2.3 5.1",
}
"""The sections of the drafts that say what to do, by the chapter whose table must have them.
Introductions, terms and references are left out."""

ALWAYS = ("coupled-ecn", "csig", "fare", "flow-set", "pre-ecn")
"""The chapters that must have a table."""


def conformance_rows(text):
    """The rows of the list-tables below the heading Conformance, as lists of their cells."""
    parts = re.split(r"^Conformance\n-+\n", text, flags=re.MULTILINE)
    if len(parts) < 2:
        return []
    section = re.split(r"^\S.*\n-{3,}\n", parts[1], flags=re.MULTILINE)[0]
    rows = []
    for line in section.splitlines():
        begin = re.match(r"   ([* ]) (-(?: |$))?(.*)", line)
        if not begin:
            continue
        if begin[1] == "*":
            rows.append([])
        if begin[2]:
            rows[-1].append(begin[3])
        elif rows and rows[-1] and line.startswith("       "):
            rows[-1][-1] += " " + begin[3].strip()
    return [row for row in rows if row and row[0] != "Section"]


def names_of(cell):
    """The names in a cell that are marked as code."""
    return re.findall(r"``([^`]+)``", cell)


def existing_tests(source):
    """The names of all tests: suites of ns-3, tests of GoogleTest with and without their group,
    files of Python tests, and experiments, whose summaries are tested."""
    names = set()
    for path in (source / "test").rglob("*-test-suite.cc"):
        names.add(path.name[: -len("-test-suite.cc")])
    for path in (source / "test" / "core").rglob("*.cc"):
        text = path.read_text(encoding="utf-8")
        for group, name in re.findall(
            r"\b(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)"
            r"\(\s*(\w+),\s*(\w+)",
            text,
        ):
            names |= {name, f"{group}.{name}"}
    names |= {path.name for path in (source / "test" / "python").glob("test_*.py")}
    names |= {path.stem for path in (source / "examples").glob("*/*.cc")}
    return names


def unknown_tests(rows, tests):
    """What the rows name as tests that is none, as texts SECTION: NAME."""
    return [
        f"{row[0]}: {name}"
        for row in rows
        for name in names_of(row[2])
        if name not in tests
    ]


def missing_sections(rows, sections):
    """The sections that no row has, itself or below."""
    present = set()
    for row in rows:
        present |= set(re.findall(r"\d+(?:\.\d+)*", row[0]))
    return [
        section
        for section in sections
        if not any(have == section or have.startswith(section + ".") for have in present)
    ]


class Conformance(unittest.TestCase):
    """The tables of the chapters that have one."""

    def setUp(self):
        self.tables = {}
        for path in sorted((SOURCE / "doc").glob("*.rst")):
            rows = conformance_rows(path.read_text(encoding="utf-8"))
            if rows:
                self.tables[path.stem] = rows

    def test_tests_exist(self):
        """Each name in the column of tests is a test."""
        tests = existing_tests(SOURCE)
        for chapter, rows in self.tables.items():
            with self.subTest(chapter=chapter):
                self.assertEqual(unknown_tests(rows, tests), [])

    def test_rows_are_whole(self):
        """Each row has a section, a class, a test and a verdict."""
        for chapter, rows in self.tables.items():
            for row in rows:
                with self.subTest(chapter=chapter, section=row[0]):
                    self.assertEqual(len(row), 4)
                    self.assertTrue(row[3])

    def test_no_section_is_missing(self):
        """Each section of a draft that says what to do is in its table."""
        for chapter in {*ALWAYS, *self.tables}:
            with self.subTest(chapter=chapter):
                self.assertIn(chapter, self.tables)
                sections = SECTIONS.get(chapter, "").split()
                self.assertEqual(missing_sections(self.tables[chapter], sections), [])


TABLE = """\
Conformance
-----------

.. list-table:: The draft by section
   :header-rows: 1

   * - Section
     - Class
     - Test
     - Verdict
   * - 5.2
     - ``A``
     - ``aidc-known``,
       ``Known.Test``
     - as built
   * - 6, units
     - -
     - ``aidc-gone``
     - option

References
----------

* - ``not a row``
"""


class TheCheckItself(unittest.TestCase):
    """What the check finds in a table that is wrong."""

    def setUp(self):
        self.rows = conformance_rows(TABLE)

    def test_rows(self):
        """Lines that go on belong to their cell, the header and other sections to none."""
        self.assertEqual([row[0] for row in self.rows], ["5.2", "6, units"])
        self.assertEqual(self.rows[0][2], "``aidc-known``, ``Known.Test``")

    def test_unknown_test(self):
        """A test that does not exist is named with its row."""
        self.assertEqual(
            unknown_tests(self.rows, {"aidc-known", "Known.Test"}), ["6, units: aidc-gone"]
        )

    def test_missing_section(self):
        """A section that no row has is named; a subsection stands for its section."""
        self.assertEqual(missing_sections(self.rows, ["5", "5.2", "5.3", "6", "7"]), ["5.3", "7"])

    def test_kinds_of_tests(self):
        """Suites, core tests and properties are found."""
        tests = existing_tests(SOURCE)
        for name in (
            "aidc-coupled-ecn",
            "EcnThresholdTable.Section52",
            "EcnThreshold.Section53InvariantsHoldForAnyInput",
            "test_conformance.py",
        ):
            self.assertIn(name, tests)
