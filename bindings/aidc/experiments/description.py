# SPDX-License-Identifier: GPL-2.0-only
"""What an experiment asks of its runs: examples/NAME/description.py sets EXPERIMENT.

    from aidc.experiments import Comparison, Experiment

    EXPERIMENT = Experiment(
        question="Does it help?",
        metrics=("goodput", "fct_p99"),
        comparisons=lambda plan: [Comparison("the new one", ...)],
    )

The program examples/NAME/NAME.cc says what may be run and set.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Optional

from aidc.builds import IS_INSTALLED
from aidc.experiments.charts import Figure
from aidc.experiments.findings import Comparison
from aidc.experiments.summary import Summary

if TYPE_CHECKING:
    from aidc.experiments.results import Results

_PACKAGE = Path(__file__).resolve().parents[1]

EXAMPLES = (_PACKAGE if IS_INSTALLED else _PACKAGE.parents[1]) / "examples"
"""The folder of all experiments."""

TRANSPORT = ("retransmitted_packets", "cnps", "pauses", "paused_time")
"""Metrics of --transport, which come last where runs have them."""

LEAP = ("leapt_time", "leapt_operations", "leap_error")
"""Metrics of --leap, which come behind these."""


@dataclass(frozen=True)
class Plan:
    """What is run."""

    pairs: Sequence[tuple[str, str]]
    """All pairs of a scenario and a scheme, in their order."""

    parameters: dict[str, Any]
    """The values of options, in SI units."""

    @property
    def scenarios(self) -> list[str]:
        """All scenarios, in their order."""
        return list(dict.fromkeys(scenario for scenario, _ in self.pairs))

    def schemes(self, scenario: str) -> list[str]:
        """The schemes of a scenario, in their order."""
        return [scheme for name, scheme in self.pairs if name == scenario]


@dataclass(frozen=True)
class Experiment:
    """What is asked of the runs of an experiment, and what is kept of them."""

    question: str
    """What it asks, in one sentence."""

    metrics: Sequence[str]
    """The metrics of totals.csv and, where columns gives no others, of the table that is printed."""

    time: str = ""
    """The time by which runs stand out; empty for none."""

    runs: int = 1
    """How often each scheme is run, unless the user says; once with --small."""

    keeps_flows: Callable[[Plan], bool] = lambda plan: False
    """Are the flows of all runs kept, as flows-SCENARIO-SCHEME.csv?"""

    columns: Callable[[Plan], Sequence[str]] = lambda plan: ()
    """The metrics of the table, where they depend on what is run."""

    totals: Callable[[Plan], Sequence[str]] = lambda plan: ()
    """Further metrics of totals.csv."""

    comparisons: Callable[[Plan], Iterable[Comparison]] = lambda plan: ()
    """What is compared."""

    charts: Callable[[Results], Iterable[Figure]] = lambda results: ()
    """The figures, which reports draw, too."""

    colors: Mapping[str, str] = field(default_factory=dict)
    """The colors of schemes, as #RRGGBB, in all figures and on the terminal."""

    conclude: Callable[[Summary, Plan], None] = lambda summary, plan: None
    """Adds to the summary what follows from all runs, before comparisons."""

    rows: str = ""
    """The file of rows of single quantities that runs write, which is printed before the table and shown
    in reports; empty for none."""

    has_transport: bool = False
    """Do runs have the metrics of --transport (TRANSPORT) beside its own?"""


def description(folder: Path) -> Experiment:
    """The description of an experiment, by its folder in examples/."""
    path = folder / "description.py"
    spec = importlib.util.spec_from_file_location(f"aidc_{folder.name.replace('-', '_')}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.EXPERIMENT


def known_description(name: str) -> Optional[Experiment]:
    """The description of an experiment by its name; None if there is none."""
    folder = EXAMPLES / name
    is_known = re.fullmatch(r"[\w-]+", name) and (folder / "description.py").exists()
    return description(folder) if is_known else None
