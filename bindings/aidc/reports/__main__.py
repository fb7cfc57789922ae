# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""python -m aidc.reports DIR: writes the report of a folder of results, and prints its path.

With --compare A B, it reads the table of ./aidc compare --csv from its input.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from aidc.reports import ReportError, write, write_comparison


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit status, 1 with a message if there is no report."""
    parser = argparse.ArgumentParser(prog="python -m aidc.reports", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="a folder of results")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"),
                        help="the folders of a comparison")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file of the report")
    options = parser.parse_args(arguments)
    if (options.folder is None) == (options.compare is None):
        parser.error("expected DIR, or --compare A B")
    try:
        if options.compare:
            header, *rows = list(csv.reader(sys.stdin))
            a, b = options.compare
            path = write_comparison(a, b, header, rows, options.out)
        else:
            path = write(options.folder, options.out)
    except ReportError as error:
        print(f"aidc: {error}", file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
