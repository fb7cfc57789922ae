# SPDX-License-Identifier: GPL-2.0-only
"""Tests of how tests are skipped: ctest shows it, and ./aidc test and .ci/run say it at their ends."""

import re
import shutil
import subprocess
import sys
import unittest

from folder_test import SOURCE, FolderTest
from tools import checkout

RUNNER = SOURCE / "test" / "python" / "run_tests.py"
TESTS = """\
import unittest
class A(unittest.TestCase):
    def test_1(self): {one}
    def test_2(self): {two}
    @unittest.skip("needs tshark")
    def test_3(self): pass
"""

PROJECT = """\
cmake_minimum_required(VERSION 3.20)
project(x NONE)
enable_testing()
foreach(name all some none)
  add_test(NAME python.${name} COMMAND "PYTHON" -B "RUNNER" test_${name}.py)
  set_tests_properties(python.${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
"""


class Skipped(FolderTest):
    """Files of tests that skip all, some and none of them."""

    def run_tests(self, one="pass", two="pass"):
        """Runs three tests, the last of which is skipped; returns the status, and what was skipped."""
        path = self.folder / "test_x.py"
        path.write_text(TESTS.format(one=one, two=two))
        ended = subprocess.run([sys.executable, "-B", RUNNER, path], capture_output=True, text=True)
        return ended.returncode, ended.stdout

    def test_status(self):
        skip = 'self.skipTest("needs gnuplot")'
        tshark = "skipped: {} of 3 tests: needs tshark\n"
        gnuplot = "skipped: {} of 3 tests: needs gnuplot\n"
        self.assertEqual(self.run_tests(), (0, tshark.format(1)))
        self.assertEqual(self.run_tests(one=skip), (0, gnuplot.format(1) + tshark.format(1)))
        self.assertEqual(self.run_tests(skip, skip), (77, gnuplot.format(2) + tshark.format(1)))
        self.assertEqual(self.run_tests(skip, "self.fail()")[0], 1)
        self.assertEqual(self.run_tests(skip, "1 / 0")[0], 1)
        self.assertEqual(self.run_tests("pass", "import nothing")[0], 1)

    @unittest.skipUnless(shutil.which("ctest"), "needs ctest")
    def test_ctest(self):
        skip = 'self.skipTest("needs gnuplot")'
        (self.folder / "test_all.py").write_text(TESTS.format(one=skip, two=skip))
        (self.folder / "test_some.py").write_text(TESTS.format(one="pass", two="pass"))
        without = TESTS.format(one="pass", two="pass").partition("    @")[0]
        (self.folder / "test_none.py").write_text(without)
        project = PROJECT.replace("PYTHON", sys.executable).replace("RUNNER", str(RUNNER))
        (self.folder / "CMakeLists.txt").write_text(project)
        subprocess.run(["cmake", "."], cwd=self.folder, check=True, capture_output=True)
        ended = subprocess.run(["ctest"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertRegex(ended.stdout, r"python\.all \.+ *\*+Skipped")
        report = checkout.skipped(self.folder / "Testing" / "Temporary" / "LastTest.log")
        self.assertEqual(
            report,
            "\nSkipped:\n"
            "  python.all: 1 of 3 tests: needs tshark\n"
            "  python.all: 2 of 3 tests: needs gnuplot\n"
            "  python.some: 1 of 3 tests: needs tshark\n",
        )
        # What .ci/run counts: two tests that passed, and one that was skipped.
        (self.folder / "log").write_text(ended.stdout + report)
        self.assertEqual(self.count(self.folder / "log"), "2 0 1")

    def count(self, log):
        """What .ci/run counts in the log of a stage: passed, failed, skipped."""
        text = (SOURCE / ".ci" / "run").read_text()
        function = re.search(r"^count_tests\(\) \{.*?^\}", text, re.M | re.S)[0]
        script = f"passed=0 failed=0 skipped=0\n{function}\ncount_tests '{log}'\n"
        script += "echo $passed $failed $skipped"
        return subprocess.check_output(["bash", "-c", script], text=True).strip()

    def test_nothing_was_skipped(self):
        (self.folder / "log").write_text("1/1 Testing: a\nTest Passed.\n")
        self.assertEqual(checkout.skipped(self.folder / "log"), "")
        self.assertEqual(checkout.skipped(self.folder / "none"), "")
