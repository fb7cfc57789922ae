# SPDX-License-Identifier: GPL-2.0-only
"""Means and their confidence intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Optional

T_975 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)
"""Student's t for 95 % and 1 to 30 degrees of freedom (any table of statistics)."""


def student_t(degrees: int) -> float:
    """Student's t for a two-sided interval of 95 %, by Fisher's expansion beyond the table."""
    if degrees <= len(T_975):
        return T_975[degrees - 1]
    z = 1.959964
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)


def mean_and_ci95(values: Sequence[float]) -> tuple[float, Optional[float]]:
    """The mean of one value or more, and half of its interval of 95 %; none for one value."""
    mean = statistics.fmean(values)
    if len(values) < 2 or not all(map(math.isfinite, values)):
        return mean, None
    n = len(values)
    return mean, student_t(n - 1) * statistics.stdev(values) / math.sqrt(n)
