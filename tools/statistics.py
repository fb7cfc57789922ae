# SPDX-License-Identifier: GPL-2.0-only
"""Means, their confidence intervals, and what pairs of runs say."""

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
    """The mean of one value or more, and the half-width of its 95 % CI; none for one value."""
    mean = statistics.fmean(values)
    if len(values) < 2 or not all(map(math.isfinite, values)):
        return mean, None
    n = len(values)
    return mean, student_t(n - 1) * statistics.stdev(values) / math.sqrt(n)


MIN_RANKED = 6
"""The pairs with a difference that Wilcoxon's test needs to reach a level of 5 %."""


def compare_pairs(values: Sequence[float], others: Sequence[float]) -> int:
    """1 or -1 if the first values are larger or smaller than the others, at a level of 5 %; else 0.

    By Student's t of the logarithms of the ratios, if all values are positive; of counts with zeros,
    by Student's t of the differences of log(1 + x); else by Wilcoxon's signed-rank test; by Student's
    t of the differences below six pairs with a difference, which cannot reach 5 % by ranks. The same
    as ComparePairs() in C++ (doc/design-notes.rst).
    """
    if all(value > 0 for value in (*values, *others)):
        return _sign_of_mean([math.log(a / b) for a, b in zip(values, others)])
    if all(value >= 0 and value % 1 == 0 for value in (*values, *others)):
        return _sign_of_mean([math.log1p(a) - math.log1p(b) for a, b in zip(values, others)])
    differences = [a - b for a, b in zip(values, others)]
    unequal = [difference for difference in differences if difference]
    return (_sign_of_ranks(unequal) if len(unequal) >= MIN_RANKED else _sign_of_mean(differences))


def _sign_of_mean(values: Sequence[float]) -> int:
    mean, ci95 = mean_and_ci95(values)
    return 0 if ci95 is None or abs(mean) <= ci95 else 1 if mean > 0 else -1


def _sign_of_ranks(differences: Sequence[float]) -> int:
    """Wilcoxon's signed-rank test with its exact distribution; ties share their ranks."""
    sizes = [abs(difference) for difference in differences]
    doubled = [1 + sum(2 if other < size else other == size for other in sizes) for size in sizes]
    positive = sum(rank for rank, difference in zip(doubled, differences) if difference > 0)
    lesser = min(positive, sum(doubled) - positive)
    likely = [1.0] + [0.0] * lesser
    for rank in doubled:
        likely = [(p + (likely[i - rank] if i >= rank else 0)) / 2 for i, p in enumerate(likely)]
    return 0 if 2 * sum(likely) > 0.05 else 1 if positive > lesser else -1
