#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that two runs of an experiment with one seed wrote the same files, byte by byte.

Usage: check-identical.py FOLDER FOLDER

Compares the CSV files, network-*.json and timeline-*.json of both folders. summary.json is left out,
as it also tells how long the run took. The exit status is 0 if there are CSV files and all files are
identical, and 1 otherwise.
"""

import sys
from pathlib import Path


KINDS = ("*.csv", "network-*.json", "timeline-*.json")


def series(folder):
    """The contents of a folder's files of series, by name."""
    paths = [path for kind in KINDS for path in Path(folder).glob(kind)]
    return {path.name: path.read_bytes() for path in sorted(paths)}


def differences(first, second):
    """What is not the same in two folders, a line each."""
    left, right = series(first), series(second)
    if not any(name.endswith(".csv") for name in left):
        return [f"{first} has no CSV files"]
    lines = [f"{name}: in one folder only" for name in sorted(left.keys() ^ right.keys())]
    for name in sorted(left.keys() & right.keys()):
        if left[name] != right[name]:
            lines.append(f"{name}: differs from line {first_difference(left[name], right[name])} on")
    return lines


def first_difference(left, right):
    """The number of the first line in which two contents differ."""
    pairs = zip(left.splitlines(), right.splitlines())
    same = next((count for count, (a, b) in enumerate(pairs) if a != b), None)
    if same is None:
        same = min(len(left.splitlines()), len(right.splitlines()))
    return same + 1


def main(arguments):
    """Prints the differences of the two folders named."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 1
    lines = differences(*arguments)
    print("\n".join(lines) or "identical")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
