# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Numbers for people, printed as experiments print them on the terminal."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Optional

from aidc.experiments import numbers


def highest(values: Iterable[Optional[float]]) -> float:
    """The highest absolute value; 0 if there is none."""
    return max((abs(v) for v in values if v is not None and math.isfinite(v)), default=0)


quantity = functools.partial(numbers.quantity, dash="–")
"""A number as the terminal has it, but for its dash."""


def change(before: Optional[float], after: Optional[float], unit: str,
           is_whole: Optional[bool] = None) -> str:
    """Two numbers that are compared, with their unit once if it is the same."""
    largest = highest((before, after))
    first, second = (quantity(value, unit, largest=largest, is_whole=is_whole)
                     for value in (before, after))
    digits, _, name = first.partition(" ")
    return f"{digits if name and second.endswith(' ' + name) else first} → {second}"
