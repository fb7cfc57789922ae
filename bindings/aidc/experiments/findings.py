# SPDX-License-Identifier: GPL-2.0-only
"""What comparisons of two schemes say: numbers, a verdict, a sentence; and the matrix of them all."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from aidc.experiments.folder import csv_text
from aidc.experiments.numbers import quantity
from aidc.experiments.statistics import Pairs, ci95, compare_pairs, mean, median
from aidc.experiments.terminal import GAP, wrap

LEAST_GOALS = 30
"""The fewest characters for goals beside the other columns of the matrix."""


@dataclass(frozen=True)
class Comparison:
    """What is compared."""

    subject: str
    """What is judged, in words: "coupled ECN"."""

    scenario: str
    scheme: str
    """The scheme that has it."""

    baseline: str
    """The scheme that it is compared with."""

    metric: str
    chapter: str
    """The chapter of doc/ to read, such as coupled-ecn."""

    text: str = ""
    """The sentence without its period, with {} for the value: "With FARE, a training step takes {}"."""

    less_is_better: bool = True
    label: str = ""
    """The metric as a short noun phrase; its words, if empty."""

    baseline_name: str = ""
    """What the baseline is called in the sentence; its name, if empty."""

    is_goal: bool = True
    """Is the subject for it? Else it is a side effect."""

    is_share: bool = False
    """Is the metric printed in percent?"""

    sentence: Optional[Callable[["Finding"], str]] = field(default=None, compare=False)
    """Makes the sentence, in place of text."""


@dataclass(frozen=True)
class Finding:
    """What a comparison says: the values of the scheme and of the baseline, run by run."""

    comparison: Comparison
    unit: str
    values: Sequence[float]
    others: Sequence[float]

    def __post_init__(self) -> None:
        if not self.comparison.subject:
            raise ValueError(f"finding of {self.comparison.metric}: expected a subject")
        if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", self.comparison.chapter):
            raise ValueError(f"chapter '{self.comparison.chapter}': expected kebab-case")
        if len(self.values) != len(self.others):
            raise ValueError(f"{self.comparison.metric}: expected {len(self.values)} values to compare "
                             f"with, found {len(self.others)}")
        if not self.sentence:
            raise ValueError(f"{self.comparison.subject}, {self.comparison.metric}: expected a sentence")

    @property
    def label(self) -> str:
        """The metric in words."""
        return self.comparison.label or self.comparison.metric.replace("_", " ")

    @functools.cached_property
    def pairs(self) -> Pairs:
        """What the pairs of runs say."""
        return compare_pairs(self.values, self.others)

    @property
    def differences(self) -> list[float]:
        """The scheme less the baseline, run by run."""
        return [a - b for a, b in zip(self.values, self.others)]

    @property
    def verdict(self) -> str:
        """better, worse or inconclusive; one run, which cannot say; no value, where one is missing."""
        if not math.isfinite(mean(self.differences)):
            return "no value"
        if len(self.values) == 1:
            return "one run"
        sign = self.pairs.sign
        if sign == 0:
            return "inconclusive"
        return "better" if (sign < 0) == self.comparison.less_is_better else "worse"

    def shown(self, value: float) -> str:
        """A value of the metric for people."""
        if self.comparison.is_share and math.isfinite(value):
            return f"{100 * value:.1f} %"
        return quantity(value, self.unit)

    @property
    def sentence(self) -> str:
        """The numbers in words, by medians."""
        compared = self.comparison
        if self.verdict == "no value":
            return (
                f"{compared.metric} of {compared.scheme} or of {compared.baseline} does not exist in "
                "some run."
            )
        if compared.sentence:
            return compared.sentence(self)
        before, place, after = compared.text.partition("{}")
        if not place:
            raise ValueError(f'sentence "{compared.text}": expected {{}} for the value')
        pairs = self.pairs
        name = compared.baseline_name or compared.baseline
        numbers = f"{name}: {self.shown(median(self.others))}"
        if math.isfinite(pairs.low):
            numbers += f"; ratio {ratio(pairs.ratio)}, 95 % CI {ratio(pairs.low)} to {ratio(pairs.high)}"
        elif len(self.values) > 1:
            better = pairs.smaller if compared.less_is_better else pairs.larger
            numbers += f"; better in {better} of {len(self.values)} runs"
        return f"{before}{self.shown(median(self.values))}{after} ({numbers})."

    def fields(self) -> dict[str, Any]:
        """The finding as summary.json has it."""
        compared, pairs = self.comparison, self.pairs
        return {
            "subject": compared.subject,
            "scenario": compared.scenario,
            "scheme": compared.scheme,
            "baseline": compared.baseline,
            "metric": compared.metric,
            "label": self.label,
            "goal": compared.is_goal,
            "share": compared.is_share,
            "verdict": self.verdict,
            "sentence": self.sentence,
            "chapter": compared.chapter,
            "value": mean(self.values),
            "baseline_value": mean(self.others),
            "median": median(self.values),
            "baseline_median": median(self.others),
            "difference": mean(self.differences),
            "ci95": ci95(self.differences),
            "ratio": pairs.ratio,
            "ratio_ci95": [pairs.low, pairs.high] if math.isfinite(pairs.low) else None,
            "unit": self.unit,
        }


def ratio(value: float) -> str:
    """A ratio above 0 with two digits after the point, or more for two digits that are not 0."""
    return f"{value:.{min(max(1 - math.floor(math.log10(value)), 2), 9)}f}"


def verdicts_csv(findings: Sequence[Finding]) -> str:
    """verdicts.csv: a row for each finding, with numbers as on the terminal."""
    header = ["subject", "label", "goal", "scheme", "baseline", "baseline median", "median", "ratio",
              "95 % CI of the ratio", "unit", "verdict"]
    has_scenarios = len({found.comparison.scenario for found in findings}) > 1
    rows = []
    for found in findings:
        compared, pairs = found.comparison, found.pairs
        row = [
            compared.subject,
            found.label,
            "yes" if compared.is_goal else "no",
            compared.scheme,
            compared.baseline,
            found.shown(median(found.others)),
            found.shown(median(found.values)),
            ratio(pairs.ratio) if math.isfinite(pairs.ratio) else "",
            f"{ratio(pairs.low)} to {ratio(pairs.high)}" if math.isfinite(pairs.low) else "",
            "packets" if found.unit == "packet" else "",  # all others stand behind their numbers
            found.verdict,
        ]
        rows.append([compared.scenario, *row] if has_scenarios else row)
    return csv_text(["scenario", *header] if has_scenarios else header, rows)


def sentences(findings: Sequence[Finding], width: int) -> str:
    """Each subject with its chapters, its verdicts and their sentences."""
    text = ""
    for subject, group in itertools.groupby(findings, lambda found: found.comparison.subject):
        own = list(group)
        chapters = sorted({f"doc/{found.comparison.chapter}.rst" for found in own})
        text += "\n" + wrap(f"{subject} ({', '.join(chapters)})", width, 2)
        text += "".join(wrap(f"- {found.verdict}: {found.sentence}", width, 2) for found in own)
    return text


@dataclass
class _Row:
    """A row of the matrix: lines of its cells."""

    name: str
    effects: list[str] = field(default_factory=list)
    goals: list[str] = field(default_factory=list)


def matrix(findings: Sequence[Finding], width: int) -> str:
    """The matrix of subjects: side effects in a column, goals in another; one for each scenario and
    baseline."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for found in findings:
        groups.setdefault((found.comparison.scenario, found.comparison.baseline), []).append(found)
    has_scenarios = len({scenario for scenario, _ in groups}) > 1
    return "\n".join(
        _group_text(group, scenario if has_scenarios else "", width)
        for (scenario, _), group in groups.items()
    )


def _rows(group: Sequence[Finding], is_labeled: bool) -> list[_Row]:
    """The row of the baseline, if it has a side effect, and the rows of subjects."""
    effects = [found for found in group if not found.comparison.is_goal]
    shown = [found.shown(median(v)) for found in effects for v in (found.values, found.others)]
    size = max(map(len, shown), default=0)
    baseline = _Row(group[0].comparison.baseline)
    rows: dict[str, _Row] = {}
    for found in group:
        row = rows.setdefault(found.comparison.subject, _Row(found.comparison.subject))
        value, other = found.shown(median(found.values)), found.shown(median(found.others))
        if found.comparison.is_goal:
            row.goals.append(f"{found.verdict}: {found.label} {value} ({other})")
            continue
        begin = f"{found.label} " if is_labeled else ""
        row.effects.append(f"{begin}{value:>{size}}  {found.verdict}")
        own = f"{begin}{other:>{size}}"
        if own not in baseline.effects:
            baseline.effects.append(own)
    return ([baseline] if baseline.effects else []) + list(rows.values())


def _group_text(group: Sequence[Finding], name: str, width: int) -> str:
    """The matrix of a baseline."""
    labels = {found.label for found in group if not found.comparison.is_goal}
    rows = _rows(group, len(labels) > 1)
    header = _Row(name)
    if labels:
        header.effects.append(next(iter(labels)) if len(labels) == 1 else "side effects")
    if any(row.goals for row in rows):
        header.goals.append(f"what it is for (in parentheses: {group[0].comparison.baseline})")
    rows.insert(0, header)
    names = max(len(row.name) for row in rows)
    effects = max((len(line) for row in rows for line in row.effects), default=0)
    begin = names + GAP + (effects + GAP if effects else 0)
    is_beside = begin + LEAST_GOALS <= width
    indent = begin if is_beside else GAP
    text = ""
    for row in rows:
        goals = [line for goal in row.goals
                 for line in wrap(goal, max(width - indent, 1), GAP).splitlines()]
        beside, below = (goals, []) if is_beside else ([], goals)
        for first, effect, goal in itertools.zip_longest([row.name], row.effects, beside, fillvalue=""):
            line = first.ljust(names + GAP) + effect.ljust(begin - names - GAP) + goal
            text += line.rstrip(" ") + "\n"
        text += "".join(f"{' ' * indent}{goal}\n" for goal in below)
    return text
