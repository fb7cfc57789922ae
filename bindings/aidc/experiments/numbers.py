# SPDX-License-Identifier: GPL-2.0-only
"""Numbers as results and people read them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Optional

from aidc.experiments.statistics import ci95, mean
from aidc.experiments.styles import scale_for

DIGITS = 4
"""How many digits a number has in tables."""

ROUNDING = 1 + 0.5 * 10.0**-DIGITS
"""999.96 is printed as 1000, so it already takes the next scale."""

SMALLEST_SHARE = 0.1
"""A value that is less than this of the unit of its group has a smaller unit."""


def shortest(value: float) -> str:
    """A number in the fewest digits that read back as the same; nan for one that is not finite."""
    return repr(value + 0.0).removesuffix(".0") if math.isfinite(value) else "nan"  # 0.0: not -0


def quantity(value: Optional[float], unit: str, half: Optional[float] = None, *,
             largest: Optional[float] = None, is_whole: Optional[bool] = None, dash: str = "-") -> str:
    """A number in a unit for people: four digits and, with as many decimals, the half-width of its
    interval; a dash for one that does not exist.

    A unit "share" is printed in percent. largest is the largest of the values that the reader compares
    with it. is_whole says whether it is the mean of whole numbers, by default if it is one.
    """
    if value is None or not math.isfinite(value):
        return dash
    value += 0.0  # not -0
    factor, name = _scale(value if largest is None else largest, unit)
    if value and abs(value) / factor < SMALLEST_SHARE:
        factor, name = _scale(value, unit)
    whole = value % 1 == 0
    if unit == "packet" or (unit == "1" and (whole if is_whole is None else is_whole)):
        decimals = 0 if whole else 1  # counts have tenths in a mean over several runs
    elif name == "%":
        decimals = 1
    else:
        before = 1 + math.floor(math.log10(abs(value / factor) * ROUNDING)) if value else DIGITS
        decimals = max(0, DIGITS - before)
    comma = "" if name else ","
    text = f"{value / factor:{comma}.{decimals}f}"
    if half is not None and math.isfinite(half):
        text += f" ± {half / factor:{comma}.{decimals}f}"
    return f"{text} {name}".strip()


def highest(values: Iterable[Optional[float]]) -> float:
    """The highest absolute value; 0 if there is none."""
    return max((abs(v) for v in values if v is not None and math.isfinite(v)), default=0)


def cell(values: Sequence[float], unit: str, largest: float) -> str:
    """The mean of the runs with its unit and, of several runs, its interval. The unit fits the largest
    value that it is compared with."""
    is_whole = all(value % 1 == 0 for value in values)
    return quantity(mean(values), unit, ci95(values), largest=largest, is_whole=is_whole)


def _scale(value: float, unit: str) -> tuple[float, str]:
    """The largest unit that is not larger than a value: how many of the SI unit, and its name."""
    if unit in ("s", "bit/s", "byte", "share") and (value or unit != "s"):
        return scale_for(abs(value) * ROUNDING, unit)
    return 1, "s" if unit == "s" else ""
