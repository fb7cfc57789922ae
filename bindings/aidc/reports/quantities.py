# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Numbers for people, printed as experiments print them on the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Optional

from aidc.experiments.styles import SCALES

__all__ = ["change", "highest", "quantity"]

DIGITS = 4
"""Significant digits of a number."""

ROUNDING = 1 + 0.5 * 10.0**-DIGITS
"""999.96 is printed as 1000, so it already takes the next scale."""

SMALLEST_SHARE = 0.1
"""A value that is less than this in the unit of the values beside it gets a smaller one."""


def highest(values: Iterable[Optional[float]]) -> float:
    """The highest absolute value; 0 if there is none."""
    return max((abs(v) for v in values if v is not None and math.isfinite(v)), default=0)


def quantity(value: Optional[float], unit: str, ci95: Optional[float] = None, *,
             largest: Optional[float] = None, is_whole: Optional[bool] = None) -> str:
    """A number in a unit for people: four digits and, with as many decimals, the half-width of the
    interval.

    A unit "share" is printed in percent. largest is the largest of the values that the reader compares
    with it. is_whole says whether it is the mean of whole numbers, by default if it is one.
    """
    if value is None or not math.isfinite(value):
        return "–"
    factor, name = _scale(value if largest is None else largest, unit)
    if value and abs(value) / factor < SMALLEST_SHARE:
        factor, name = _scale(value, unit)
    whole = value == int(value)
    is_count = unit == "packet" or (unit == "1" and (whole if is_whole is None else is_whole))
    decimals = (0 if whole else 1) if is_count else 1 if name == "%" else _decimals(value / factor)
    comma = "" if name else ","
    text = f"{value / factor:{comma}.{decimals}f}"
    if ci95 is not None:
        text += f" ± {ci95 / factor:{comma}.{decimals}f}"
    return f"{text} {name}".strip()


def change(before: Optional[float], after: Optional[float], unit: str,
           is_whole: Optional[bool] = None) -> str:
    """Two numbers that are compared, with their unit once if it is the same."""
    largest = highest((before, after))
    first, second = (quantity(value, unit, largest=largest, is_whole=is_whole)
                     for value in (before, after))
    number, _, name = first.partition(" ")
    return f"{number if name and second.endswith(' ' + name) else first} → {second}"


def _scale(value: float, unit: str) -> tuple[float, str]:
    """The largest unit that is not larger than a value: how many of the SI unit, and its name."""
    if unit == "share":
        return 0.01, "%"
    if unit not in ("s", "bit/s", "byte") or (unit == "s" and value == 0):
        return 1, "s" if unit == "s" else ""
    scales = SCALES[unit]
    return next((scale for scale in scales if scale[0] <= abs(value) * ROUNDING), scales[-1])


def _decimals(value: float) -> int:
    """How many digits after the point give a number its digits."""
    return 0 if value == 0 else max(0, DIGITS - 1 - math.floor(math.log10(abs(value) * ROUNDING)))
