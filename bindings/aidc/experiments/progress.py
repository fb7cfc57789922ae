# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How far the runs of an experiment are, and how long they will still take."""

from __future__ import annotations

import collections
import sys
import time
from collections.abc import Sequence
from typing import Optional

SOON, LATE = 0.5, 10.0
"""Seconds between lines on a terminal, and elsewhere."""

ROOM = 48
"""Characters for names, so that a line of a terminal does not break."""

LEAST_SHARE = 0.01
"""Part of a run, before which its end is a guess."""

CLEAR = "\r\033[K"


class _Run:
    """A run that is being made."""

    def __init__(self, name: str, begin: float) -> None:
        self.name = name
        self.begin = begin
        self.text = ""
        self.share = 0.0
        self.has_told = False


class Progress:
    """Tells the user; runs of one kind (a scheme in a scenario) cost about the same."""

    def __init__(self, kinds: Sequence[str], at_once: int) -> None:
        self._kinds = kinds
        self._at_once = at_once
        self._due = collections.Counter(kinds)
        self._done: dict[str, list[float]] = {}
        self._runs: dict[int, _Run] = {}
        self._n_done = 0
        self._last = time.monotonic()
        self._terminal = sys.stderr.isatty()
        self._has_written = False
        self._is_open = False

    def begin(self, run: int, name: str) -> None:
        """A run begins."""
        self._runs[run] = _Run(name, time.monotonic())
        self._due[self._kinds[run]] -= 1

    def tell(self, run: int, text: str, share: float) -> None:
        """A run has come so far."""
        told = self._runs[run]
        is_first = not told.has_told
        told.text, told.share, told.has_told = text, share, True
        # Each run has its line when it begins, or all of them have one
        if self._at_once > 1:
            is_due = not self._has_written
        else:
            is_due = is_first and (self._terminal or self._n_done == 0 or self._is_new_tenth())
        if is_due or time.monotonic() - self._last >= (SOON if self._terminal else LATE):
            self._write()

    def end(self, run: int) -> None:
        """A run has ended."""
        kind = self._kinds[run]
        self._done.setdefault(kind, []).append(time.monotonic() - self._runs.pop(run).begin)
        self._n_done += 1
        if self._at_once > 1 and (self._terminal or self._is_new_tenth()):
            self._write()

    def print(self, said: str) -> None:
        """Prints what a run has said."""
        if said:
            clear = CLEAR if self._is_open else ""
            print(clear + said.rstrip("\n"), file=sys.stderr, flush=True)
            self._is_open = False

    def close(self) -> None:
        """Clears the line of a terminal."""
        if self._is_open:
            print(CLEAR, end="", file=sys.stderr, flush=True)
            self._is_open = False

    def _is_new_tenth(self) -> bool:
        """Has the last run that has ended completed a tenth of all?"""
        tenths = [10 * n // len(self._kinds) for n in (self._n_done - 1, self._n_done)]
        return tenths[0] != tenths[1]

    def _write(self) -> None:
        self._last = now = time.monotonic()
        left = remaining(
            [(self._kinds[i], now - run.begin, run.share) for i, run in self._runs.items()],
            self._done, self._due, self._at_once,
        )
        if self._at_once > 1:
            line = f"[{self._n_done}/{len(self._kinds)} done] {self._names()}".rstrip()
        else:
            number, run = next(iter(self._runs.items()))
            line = f"[{number + 1}/{len(self._kinds)}] {run.name}{run.text}"
        if left is not None and left >= 1:
            line += f", about {_duration(left)} left"
        begin, end = (CLEAR, "") if self._terminal else ("", "\n")
        print(begin + line, end=end, file=sys.stderr, flush=True)
        self._is_open = self._terminal
        self._has_written = True

    def _names(self) -> str:
        names = ""
        for n, (_, run) in enumerate(sorted(self._runs.items())):
            longer = f"{names}, {run.name}" if names else run.name
            if n and len(longer) > ROOM:
                return f"{names} and {len(self._runs) - n} more"
            names = longer
        return names


def remaining(
    running: Sequence[tuple[str, float, float]],
    done: dict[str, list[float]],
    due: dict[str, int],
    at_once: int,
) -> Optional[float]:
    """Estimates the seconds that are left, from the kind, the seconds and the share of each run that is
    being made, the seconds of those that are done, and the number of those that have not begun."""
    costs = {kind: sum(times) / len(times) for kind, times in done.items()}
    for kind, passed, share in running:
        if share >= LEAST_SHARE and kind not in done:
            costs[kind] = max(costs.get(kind, 0.0), passed / share)
    if not costs:
        return None
    most = max(costs.values())
    lefts = [costs.get(kind, most) * (1 - share) for kind, _, share in running]
    total = sum(lefts) + sum(n * costs.get(kind, most) for kind, n in due.items())
    longest = max([*lefts, *(costs.get(kind, most) for kind, n in due.items() if n > 0)], default=0.0)
    return max(total / at_once, longest)


def _duration(seconds: float) -> str:
    """A time in s, min or h."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
