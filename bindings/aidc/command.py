# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command ./aidc (of an installed package: aidc), called from Python."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent

_WRONG_USE = 2
"""The command's exit status for names, options and folders that it refuses."""

_STEP = re.compile(r"\[\d+/\d+\] |\s+.*\d s$")
"""How a line of progress begins; others are for the user to keep."""

_PATIENCE = 2.0
"""Seconds that the command has to end by itself after Ctrl-C."""


def call(words: Sequence[str], progress: bool = False) -> str:
    """Calls the command with arguments, and returns what it prints.

    Its progress is shown if asked for. Raises ValueError for what the command refuses, and
    RuntimeError for what fails, with the command's message. Ctrl-C ends the command, too.
    """
    told = _Told(progress)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output, subprocess.Popen(
        [*_command(), *words],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                told.add(line.rstrip("\n"))
            status = process.wait()
        except KeyboardInterrupt:
            # A terminal interrupts both, a notebook this process alone.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        finally:
            told.end()
        if status:
            raise (ValueError if status == _WRONG_USE else RuntimeError)(told.message())
        output.seek(0)
        return output.read()


def _command() -> list[str]:
    """The command of this checkout, or of the installed package that this is."""
    if (_PACKAGE / "_tools" / "commands.py").exists():
        return [sys.executable, "-m", "aidc._tools.commands"]
    return [sys.executable, str(_PACKAGE.parents[1] / "aidc")]


class _Told:
    """What the command tells: progress, on one line where that can be overwritten, and the rest. In a
    notebook, all is on one line, of which the last information stays."""

    def __init__(self, is_shown: bool) -> None:
        self._is_shown = is_shown
        self._is_notebook = "ipykernel" in sys.modules
        self._overwrites = sys.stderr.isatty() or self._is_notebook
        self._width = 0
        self._others: list[str] = []
        self._error: list[str] = []

    def add(self, line: str) -> None:
        """Takes a line. From the one that begins with "aidc: " on, it is the message of an error."""
        if self._error or line.startswith("aidc: "):
            self._error.append(line[len("aidc: "):] if not self._error else line)
        elif _STEP.match(line):
            self._show(line.strip(), stays=not self._overwrites)
        else:
            self._others.append(line)
            self._show(line, stays=not self._is_notebook)

    def end(self) -> None:
        """Ends the line that progress was shown on."""
        if self._width:
            self._show("", stays=False)
            self._width = 0
        if self._is_notebook and self._others and not self._error:
            self._show(self._others[-1], stays=True)

    def message(self) -> str:
        """What the command said of its failure."""
        return "\n".join(self._error or self._others) or "aidc ended without a message"

    def _show(self, line: str, stays: bool) -> None:
        if not self._is_shown:
            return
        if self._overwrites:
            line = f"\r{line:{self._width}}"
        self._width = 0 if stays else len(line.rstrip()) - 1
        end = "\n" if stays else "" if line.strip() else "\r"
        print(line, end=end, file=sys.stderr, flush=True)
