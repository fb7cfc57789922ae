# SPDX-License-Identifier: GPL-2.0-only
"""Tests of test/check-identical.py."""

import importlib.util
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "check-identical.py"
SPEC = importlib.util.spec_from_file_location("check_identical", SCRIPT)
check_identical = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_identical)


class Folders(unittest.TestCase):
    """Two folders of series."""

    def compare(self, left, right):
        """The differences of two folders given as {NAME: TEXT}."""
        with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
            for folder, files in ((first, left), (second, right)):
                for name, text in files.items():
                    Path(folder, name).write_text(text)
            return [
                line.replace(first, "FIRST") for line in check_identical.differences(first, second)
            ]

    def test_identical(self):
        self.assertEqual(self.compare({"a.csv": "1\n"}, {"a.csv": "1\n"}), [])

    def test_other_files_may_differ(self):
        left = {"a.csv": "1\n", "summary.json": "1"}
        self.assertEqual(self.compare(left, {**left, "summary.json": "2"}), [])

    def test_recorded_networks_and_timelines_are_compared(self):
        for name in ("network-x-y.json", "timeline-x-y.json"):
            left = {"a.csv": "1\n", name: "{\n1}"}
            lines = self.compare(left, {**left, name: "{\n2}"})
            self.assertEqual(lines, [f"{name}: differs from line 2 on"])

    def test_first_line_that_differs(self):
        rows = [("1\n2\n3\n", "1\n9\n3\n", 2), ("1\n", "1\n2\n", 2), ("1", "1\n", 2)]
        for left, right, line in rows:
            with self.subTest(left=left, right=right):
                expected = [f"a.csv: differs from line {line} on"]
                self.assertEqual(self.compare({"a.csv": left}, {"a.csv": right}), expected)

    def test_missing_file(self):
        lines = self.compare({"a.csv": "", "b.csv": ""}, {"a.csv": ""})
        self.assertEqual(lines, ["b.csv: in one folder only"])

    def test_nothing_to_compare(self):
        self.assertEqual(self.compare({}, {}), ["FIRST has no CSV files"])
