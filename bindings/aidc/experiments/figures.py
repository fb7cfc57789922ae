# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of an experiment, by gnuplot and the script examples/NAME/NAME.gp."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from aidc.experiments.folder import Failure, writing

__all__ = ["draw"]

COPY = "figures.gp"
"""The script in the folder of results."""

ENDS = {".png": b"IEND", ".svg": b"</svg>"}
"""The marks at the end of figures, by format."""


def draw(script: Path, folder: Path) -> bool:
    """Draws the figures of a folder, and says so; false if gnuplot has failed."""
    try:
        text = script.read_bytes()
    except OSError:
        print(f"No figures: cannot read {script}", file=sys.stderr)
        return False
    with writing(folder / COPY):
        (folder / COPY).write_bytes(text)
    try:
        # -d: the user's own settings would change the figures
        ended = subprocess.run(["gnuplot", "-d", COPY], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except FileNotFoundError:
        print(f"No figures: gnuplot is not installed; once it is, run 'gnuplot {COPY}' in the folder "
              "of the results", file=sys.stderr)
        return True
    lines = [line for line in ended.stdout.decode("utf-8", "replace").splitlines() if line.strip()]
    if ended.returncode:
        reason = lines[-1].strip() if lines else "it gave no reason"
        if ended.returncode < 0:
            name = signal.strsignal(-ended.returncode)
            reason = f"it was ended by signal {-ended.returncode} ({name})"
        print(f"No figures: gnuplot failed on {COPY}: {reason}", file=sys.stderr)
        return False
    _check(folder)
    for line in lines:
        if "arning: " not in line:  # gnuplot's own, about which a user can do nothing
            print(line, file=sys.stderr)
    print(f"Figures drawn by {COPY}", file=sys.stderr)
    return True


def _check(folder: Path) -> None:
    """A Failure for a figure that is not whole: gnuplot reports no error where the disk is full."""
    for path in folder.iterdir():
        mark = ENDS.get(path.suffix)
        if mark and mark not in path.read_bytes()[-16:]:
            raise Failure(f"cannot write {path}: gnuplot has written a part of it (is the disk full?)")
