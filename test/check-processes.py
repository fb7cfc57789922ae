#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that a program prints the same with any number of processes.

Usage: check-processes.py [--processes N,...] [--mpirun COMMAND] PROGRAM [ARGUMENT ...]

Runs PROGRAM alone with the first argument 1, and COMMAND N PROGRAM for each number N of processes, with
the first argument N, and compares what they print. COMMAND is what starts N processes, such as
"mpirun -np"; it may have semicolons for spaces, as CMake has. PROGRAM may be several words, too. The exit
status is 0 if all runs print the same, and 1 otherwise; without a COMMAND, or if it is not found, it is 77,
which skips a test of CTest.
"""

import argparse
import itertools
import shlex
import shutil
import subprocess
import sys
from typing import List

SKIPPED = 77


def read_lines(command: List[str]) -> List[str]:
    """The lines that a command prints; it must succeed."""
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{shlex.join(command)} ended with {result.returncode}")
    return result.stdout.splitlines()


def find_difference(first: List[str], second: List[str]) -> str:
    """The first difference between two outputs, and the last heading before it; or nothing."""
    heading = ""
    for number, (a, b) in enumerate(itertools.zip_longest(first, second), 1):
        heading = a if a and a.startswith("seed ") else heading
        if a != b:
            return f"{heading}\nline {number} with 1 process: {a}\nline {number} with more: {b}"
    return ""


def main() -> int:
    """Run the program, and compare."""
    parser = argparse.ArgumentParser(
        description="Check that a program prints the same with any number of processes."
    )
    parser.add_argument("--processes", default="2", help="numbers of processes, such as 2,3")
    parser.add_argument("--mpirun", default="", help='what starts processes, such as "mpirun -np"')
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    mpirun = options.mpirun.replace(";", " ").split()
    if not mpirun or not shutil.which(mpirun[0]):
        print(f"skipped: {mpirun[0]} is not there" if mpirun else "skipped: built without MPI")
        return SKIPPED
    program = options.program.split()
    try:
        alone = read_lines([*program, "1", *options.arguments])
        for n in options.processes.split(","):
            several = read_lines([*mpirun, n, *program, n, *options.arguments])
            difference = find_difference(alone, several)
            if difference or not alone:
                print(f"{n} processes: {difference or 'nothing was printed'}")
                return 1
            print(f"{n} processes print the same {len(alone)} lines as one")
    except RuntimeError as error:
        print(error)
        return 1
    print("\n".join(line for line in alone if line.startswith("seed ")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
