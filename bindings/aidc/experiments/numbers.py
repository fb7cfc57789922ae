# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Numbers as results and people read them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from aidc.experiments.statistics import ci95, mean

__all__ = ["cell", "number", "quantity", "shortest"]

SCALES = {
    "s": ((1e-9, "ns"), (1e-6, "us"), (1e-3, "ms"), (1.0, "s")),
    "bit/s": ((1.0, "bit/s"), (1e3, "kbit/s"), (1e6, "Mbit/s"), (1e9, "Gbit/s"), (1e12, "Tbit/s")),
    "byte": ((1.0, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB"), (1e12, "TB")),
}
"""Units for people by SI unit, the smallest first."""

DIGITS = 4
"""How many digits a number has in tables."""

SMALLEST_SHARE = 0.1
"""A value that is less than this of the unit of its group has a smaller unit."""

LARGEST_WHOLE = 2.0**53
"""Up to this, a double holds every whole number."""


def shortest(value: float) -> str:
    """A number in the fewest digits that read back as the same; nan for one that is not finite."""
    if not math.isfinite(value):
        return "nan"
    if value == 0:
        return "0"  # not -0
    if abs(value) <= LARGEST_WHOLE and value % 1 == 0:
        return f"{value:.0f}"
    digits = sum(c.isdigit() for c in f"{value!r}".partition("e")[0].replace(".", "").lstrip("-0"))
    return f"{value:.{digits}g}"


def number(value: float, decimals: int) -> str:
    """A number with so many digits behind the point."""
    return f"{value:.{decimals}f}"


def _scale(unit: str, value: float) -> tuple[float, str]:
    """The largest unit for people that is not larger than a value of an SI unit."""
    scales = SCALES.get(unit, ((1.0, ""),))
    if unit == "s" and value == 0:
        return scales[-1]
    # 999.96 would be printed as 1000, so it already takes the next scale
    rounded = abs(value) * (1 + 0.5 * 10.0**-DIGITS)
    fitting = [scale for scale in scales if scale[0] <= rounded]
    return fitting[-1] if fitting else scales[0]


def _decimals(value: float) -> int:
    """How many digits behind the point give a number the digits of tables."""
    if value == 0:
        return 0
    magnitude = abs(value) * (1 + 0.5 * 10.0**-DIGITS)
    return max(0, DIGITS - 1 - math.floor(math.log10(magnitude)))


def _separate(text: str) -> str:
    """Commas between the thousands of a number."""
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}{point}{rest}" if whole not in ("-0",) else text


def cell(values: Sequence[float], unit: str, largest: float) -> str:
    """The mean of the runs with its unit and, of several runs, its interval; a dash if there is none.
    The unit fits the largest value that it is compared with."""
    middle = mean(values)
    if not math.isfinite(middle):
        return "-"
    factor, name = _scale(unit, largest)
    if middle != 0 and abs(middle) / factor < SMALLEST_SHARE:
        factor, name = _scale(unit, middle)
    decimals = _decimals(middle / factor)
    if unit == "packet" or (unit == "1" and all(value % 1 == 0 for value in values)):
        decimals = 0 if middle % 1 == 0 else 1  # counts have tenths in a mean over several runs

    def shown(value: float) -> str:
        text = number(value / factor, decimals)
        return text if name else _separate(text)

    half = ci95(values)
    text = shown(middle) + (f" ± {shown(half)}" if math.isfinite(half) else "")
    return f"{text} {name}" if name else text


def quantity(value: float, unit: str) -> str:
    """A value of an SI unit for people; a dash for one that does not exist."""
    return cell([value], unit, value)
