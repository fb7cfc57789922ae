# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that the tests exist which the manual's tables of conformance name."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COLUMNS = 4  # section, class, test, verdict


def read_tables():
    """All rows of the tables "The draft by section": chapter, section, class, test, verdict."""
    rows = []
    for path in sorted((ROOT / "doc").glob("*.rst")):
        text = path.read_text(encoding="utf-8")
        for table in re.findall(r"^\.\. list-table:: The draft by section\n((?: .*\n|\n)+)", text, re.M):
            for row in re.split(r"^   \* - ?", table, flags=re.M)[2:]:
                cells = re.split(r"^     - ?", row, flags=re.M)
                rows.append((path.stem, *(" ".join(cell.split()) for cell in cells)))
    return rows


def find_tests():
    """Names of suites, of tests in test/core with and without their group, and of Python files."""
    names = {path.name for path in (ROOT / "test" / "python").glob("test_*.py")}
    for path in (ROOT / "test").rglob("*.cc"):
        text = path.read_text(encoding="utf-8")
        names.update(re.findall(r'\bTestSuite\(\s*"([^"]+)"', text))
        for group, name in re.findall(r"^(?:TEST\w*|RC_GTEST_\w+)\((\w+),\s*(\w+)", text, re.M):
            names.update((name, f"{group}.{name}"))
    return names


class ConformanceTest(unittest.TestCase):
    """Reads the tables of all chapters."""

    def test_tests_exist(self):
        """Each name of a suite, test or file in the column of tests is that of one."""
        tests = find_tests()
        rows = read_tables()
        self.assertLessEqual({"coupled-ecn", "csig", "flow-set"}, {row[0] for row in rows})
        for chapter, section, *cells in rows:
            for name in re.findall(r"``(aidc-[^`]+|Section[^`]+|\w+\.\w+)``", cells[1]):
                with self.subTest(chapter=chapter, section=section):
                    self.assertTrue(name in tests, f"there is no test {name}")

    def test_rows_are_whole(self):
        """Each row has a section and a verdict."""
        for chapter, *cells in read_tables():
            with self.subTest(chapter=chapter, row=cells[0]):
                self.assertEqual(len(cells), COLUMNS)
                self.assertTrue(cells[0] and cells[3])


if __name__ == "__main__":
    unittest.main()
