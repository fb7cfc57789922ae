# SPDX-License-Identifier: GPL-2.0-only
"""What of the tests was skipped, and why."""

from __future__ import annotations

import re
from pathlib import Path


def report(log: Path) -> str:
    """A line for each reason to skip that ctest's log of the last run has; empty where none.

    A test says so by a line "skipped: REASON", also where it has skipped only a part of itself.
    """
    if not log.exists():
        return ""
    found: list[tuple[str, str]] = []
    name = ""
    with log.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if begin := re.match(r"\d+/\d+ Testing: (.*)", line):
                name = begin[1].strip()
            elif line.startswith("skipped: "):
                found.append((name, line.partition(": ")[2].strip()))
    if not found:
        return ""
    lines = [f"  {name}: {reason}" for name, reason in sorted(found)]
    return "\n".join(["", "Skipped:", *lines, ""])
