# SPDX-License-Identifier: GPL-2.0-only
"""Runs the tests of a file, and tells ctest what was skipped.

Usage: run_tests.py FILE

The tests import what stands beside them, the package and the tools of this source.

A line "skipped: N of M tests: REASON" for each reason is what ./aidc test shows at its end. The exit
status is 0 if all tests passed, 77 if all were skipped, and 1 otherwise.
"""

import sys
import unittest
from collections import Counter
from pathlib import Path

SKIPPED = 77


class Result(unittest.TextTestResult):
    """Counts what has not been skipped."""

    done = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.done += 1


def main(arguments):
    """Runs the tests of the file named."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 1
    path = Path(arguments[0]).resolve()
    source = Path(__file__).resolve().parents[2]
    sys.path[:0] = [str(path.parent), str(source), str(source / "bindings")]
    tests = unittest.defaultTestLoader.loadTestsFromName(path.stem)
    total = tests.countTestCases()
    result = unittest.TextTestRunner(resultclass=Result).run(tests)
    sys.stderr.flush()
    for reason, count in Counter(reason for _, reason in result.skipped).items():
        print(f"skipped: {count} of {total} tests: {reason}")
    if not result.wasSuccessful() or total == 0:
        return 1
    return SKIPPED if result.skipped and not result.done else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
