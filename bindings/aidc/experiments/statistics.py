# SPDX-License-Identifier: GPL-2.0-only
"""Means, their confidence intervals, quantiles, and what pairs of runs say."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass

MIN_RANKED = 6
"""The pairs with a difference that Wilcoxon's test needs to reach a level of 5 %."""


def mean(values: Sequence[float]) -> float:
    """The mean of some values; NaN if there are none."""
    # in this order, as sum() rounds in another way in Python 3.12
    return functools.reduce(operator.add, values, 0.0) / len(values) if values else math.nan


@functools.lru_cache(maxsize=None)
def student_t(degrees: int) -> float:
    """Student's t for a two-sided interval of 95 %, from its distribution for a whole number of degrees
    of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    low, high = 0.0, 13.0  # 12.7 for one degree
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if _inside(middle, degrees) < 0.95 else (low, middle)
    return high


def _inside(t: float, degrees: int) -> float:
    """The probability between -t and t."""
    angle = math.atan(t / math.sqrt(degrees))
    cosine, sine = math.cos(angle), math.sin(angle)
    is_odd = degrees % 2
    term = cosine if is_odd else 1.0
    total = 0.0
    for step in range(1 + is_odd, degrees, 2):
        total += term
        term *= cosine * cosine * step / (step + 1)
    return 2 / math.pi * (angle + sine * total) if is_odd else sine * total


def ci95(values: Sequence[float]) -> float:
    """The half-width of the 95 % confidence interval of the mean; NaN for one value."""
    n = len(values)
    if n < 2 or not all(map(math.isfinite, values)):
        return math.nan
    middle = mean(values)
    total = functools.reduce(operator.add, ((value - middle) * (value - middle) for value in values), 0.0)
    return student_t(n - 1) * math.sqrt(total / (n - 1)) / math.sqrt(n)


def percentile(values: Sequence[float], q: float) -> float:
    """A quantile, between the two values next to it; NaN without values, or with one that is NaN."""
    if not values or any(map(math.isnan, values)):
        return math.nan
    position = (len(values) - 1) * q
    lower = int(position)
    fraction = position - lower
    ordered = sorted(values)
    at = ordered[lower]
    return at + fraction * (ordered[lower + 1] - at) if fraction else at


def median(values: Sequence[float]) -> float:
    """The median; NaN if a value is not finite."""
    return percentile(values, 0.5) if math.isfinite(mean(values)) else math.nan


@dataclass(frozen=True)
class Pairs:
    """What paired runs of two schemes say."""

    sign: int = 0
    """1 or -1 if the first values are larger or smaller, at a level of 5 %; else 0."""

    ratio: float = math.nan
    """The geometric mean of the ratios, where all values are above 0."""

    low: float = math.nan
    high: float = math.nan
    """Its 95 % interval, for several runs."""

    smaller: int = 0
    larger: int = 0
    equal: int = 0
    """The numbers of pairs."""


def compare_pairs(values: Sequence[float], others: Sequence[float]) -> Pairs:
    """Compares values with others, run by run.

    By Student's t of the logarithms of the ratios, if all values are above 0; of counts with zeros, by
    Student's t of the differences of log(1 + x); else by Wilcoxon's signed-rank test, or below six pairs
    with a difference, which cannot reach 5 % by ranks, by Student's t of the differences
    (doc/design-notes.rst).
    """
    if len(values) != len(others):
        raise ValueError(f"expected {len(values)} values to compare with, found {len(others)}")
    if not all(map(math.isfinite, (*values, *others))):
        return Pairs()
    counts = (sum(map(is_so, values, others)) for is_so in (operator.lt, operator.gt, operator.eq))
    if values and all(value > 0 for value in (*values, *others)):
        logarithms = [math.log(a / b) for a, b in zip(values, others)]
        middle, half = mean(logarithms), ci95(logarithms)
        ends = (math.exp(middle), math.exp(middle - half), math.exp(middle + half))
        return Pairs(_sign_of_mean(logarithms), *ends, *counts)
    differences = [a - b for a, b in zip(values, others)]
    unequal = [difference for difference in differences if difference]
    if all(value >= 0 and value % 1 == 0 for value in (*values, *others)):
        sign = _sign_of_mean([math.log1p(a) - math.log1p(b) for a, b in zip(values, others)])
    else:
        sign = _sign_of_ranks(unequal) if len(unequal) >= MIN_RANKED else _sign_of_mean(differences)
    return Pairs(sign, math.nan, math.nan, math.nan, *counts)


def _sign_of_mean(values: Sequence[float]) -> int:
    middle, half = mean(values), ci95(values)
    return 1 if middle > half else -1 if middle < -half else 0


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
