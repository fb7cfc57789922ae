# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What experiments in Python do alike: helper/experiment-runner.h in Python.

An experiment describes itself as a Plan, adds options to a parser, and makes a run when it is asked
to; run_all() writes the same files as the C++ class ExperimentRunner.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cppyy.gbl import std

from aidc import ns
from aidc.results import Results

__all__ = ["Plan", "Results", "Run", "add_options", "configure", "data_rate", "names", "run",
           "run_all", "run_command", "run_program", "size_in_bytes", "time_span"]


@dataclass
class Plan:
    """What an experiment runs and keeps; the fields are those of the C++ struct ExperimentPlan."""

    name: str
    scenarios: list[str]
    schemes: list[str]
    totals: Iterable[str]
    columns: Iterable[str]
    parameters: Mapping[str, tuple]  # arguments of ExperimentSummary.SetParameter() by name
    figures: str = ""
    has_flow_files: bool = False
    schemes_of: Mapping[str, Iterable[str]] = field(default_factory=dict)

    def runs(self) -> list[tuple[str, str]]:
        """The scenarios and schemes to run; schemes only where they make sense."""
        return [(scenario, scheme) for scenario in self.scenarios for scheme in self.schemes
                if scheme in self.schemes_of.get(scenario, self.schemes)]


@dataclass
class Run:
    """A run of an experiment: one scheme in one scenario."""

    scenario: str
    scheme: str
    out: Path
    is_first: bool
    progress: str
    metrics: list[tuple] = field(default_factory=list)  # (name, value, unit), which the run adds
    records: object = None  # of the flows, a copy, which the run sets

    def series_path(self, kind: str) -> str:
        """The path of a series of the run."""
        return str(self.out / f"{kind}-{self.scenario}-{self.scheme}.csv")

    def announce(self, flows: int) -> None:
        """Tells the user that the run begins."""
        print(f"{self.progress}, {flows} flows", file=sys.stderr)


def start_summary(plan: Plan, options: argparse.Namespace):
    """Makes the summary, without results as yet."""
    summary = ns.aidc.ExperimentSummary(plan.name)
    summary.SetSeed(options.seed)
    summary.SetRuns(options.runs)
    summary.SetCommand(" ".join([f"{plan.name}.py", *sys.argv[1:]]))
    summary.SetParameter("devices", options.devices)
    summary.SetParameter("datapath", options.datapath)
    summary.SetParameter("simulator", options.simulator)
    for name, value in plan.parameters.items():
        summary.SetParameter(name, *value)
    return summary


def run_all(plan: Plan, options: argparse.Namespace, make_run: Callable[[Run], None]) -> None:
    """Runs all schemes in all scenarios by make_run(Run), and writes the results."""
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    summary = start_summary(plan, options)
    totals = [",".join(("scenario", "scheme", *plan.totals))]
    slowdowns = ns.aidc.SlowdownTable(str(out))
    planned = plan.runs()
    for place, (scenario, scheme) in enumerate(planned):
        key = f"{scheme}@{scenario}"
        for number in range(1, options.runs + 1):
            ns.RngSeedManager.SetSeed(options.seed)
            ns.RngSeedManager.SetRun(number)
            done = f"{place * options.runs + number}/{len(planned) * options.runs}"
            run = Run(scenario, scheme, out, number == 1, f"[{done}] {key}")
            windows = ns.aidc.TimeWindowHelper
            windows.Enable() if options.simulator == "windows" else windows.Disable()
            started = time.monotonic()
            make_run(run)
            wall = ("wall_time", time.monotonic() - started, "s")
            for metric, value, unit in (*run.metrics, wall):
                summary.Add(key, metric, float(value), unit)
            slowdowns.Add(run.records)
            if plan.has_flow_files and run.is_first:
                ns.aidc.WriteFlowRecords(run.series_path("flows"), run.records)
        slowdowns.Write(scenario, scheme)
        means = (summary.GetMean(key, metric) for metric in plan.totals)
        totals.append(",".join([scenario, scheme, *(f"{mean:.6g}" for mean in means)]))

    (out / "totals.csv").write_text("\n".join(totals) + "\n", encoding="utf-8")
    summary.WriteJson(str(out / "summary.json"))
    summary.SetColumns(list(plan.columns))
    summary.PrintTable(std.cout)
    std.cout.flush()
    if plan.figures:
        ns.aidc.DrawFigures(ns.aidc.FindExampleFile(plan.figures), str(out), std.cerr)
    print(f"Results are in {out}")


def run_program(program: str, work: Callable[[], None]) -> int:
    """Does what a program is for; returns its exit status, 1 after an error, which is printed."""
    try:
        work()
    except (std.exception, OSError, LookupError, ValueError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 1
    return 0


def add_options(parser: argparse.ArgumentParser, out: str) -> None:
    """Adds the options that all experiments have."""
    add = parser.add_argument
    add("--devices", choices=("ethernet", "point-to-point"), default="ethernet",
        help="devices of the links: %(choices)s")
    add("--datapath", choices=("fast", "stack"), default="fast",
        help="how packets get through switches with Ethernet: %(choices)s")
    add("--simulator", choices=("windows", "default"), default="windows",
        help="what runs the events: %(choices)s (node by node in time windows, or ns-3's own)")
    add("--seed", type=at_least_one, default=1, help="seed of the random number generators")
    add("--runs", type=at_least_one, default=1,
        help="number of runs; with several, confidence intervals")
    add("--out", default=out, help="folder of the results")
    add("--small", action="store_true", help="a variant that takes seconds")


def configure(network, options: argparse.Namespace) -> None:
    """Gives a FabricHelper the devices and the datapath of the options, before Build()."""
    kinds = ns.aidc.FabricHelper
    network.SetDeviceKind(kinds.ETHERNET if options.devices == "ethernet" else kinds.POINT_TO_POINT)
    modes = ns.aidc.SwitchDatapath
    network.SetDatapath(modes.FAST if options.datapath == "fast" else modes.STACK)


def at_least_one(text: str) -> int:
    """Parses a number above 0."""
    if not re.fullmatch(r"\d+", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f'expected at least 1, found "{text}"')
    return int(text)


def names(known: Iterable[str]) -> Callable[[str], list[str]]:
    """Makes a parser of names separated by commas, which are some of those that are known."""

    def parse(text: str) -> list[str]:
        found = text.split(",")
        unknown = [name for name in found if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(
                f"expected some of {', '.join(known)}, found {', '.join(unknown)}")
        return found

    return parse


def size_in_bytes(text: str):
    """Parses a size such as 12MB."""
    if not re.fullmatch(r"\d+(\.\d+)?([kKM]i?)?B", text):
        raise argparse.ArgumentTypeError(f'expected a size such as 12MB, found "{text}"')
    return ns.QueueSize(text)


def data_rate(text: str):
    """Parses a rate such as 40Gbps."""
    if not re.fullmatch(r"\d+(\.\d+)?[kKMGT]?bps", text):
        raise argparse.ArgumentTypeError(f'expected a rate such as 40Gbps, found "{text}"')
    return ns.DataRate(text)


def time_span(text: str):
    """Parses a time such as 100us."""
    if not re.fullmatch(r"\d+(\.\d+)?(fs|ps|ns|us|ms|s|min|h)", text):
        raise argparse.ArgumentTypeError(f'expected a time such as 100us, found "{text}"')
    return ns.Time(text)


def run(kind, **options) -> Results:
    """Runs an experiment with options by name; what is wrong with them is an exception."""
    made = kind()
    for name, value in options.items():
        if isinstance(value, (list, tuple)):
            value = ",".join(value)
        made.Set(name.replace("_", "-"), str(value).lower() if value is True else str(value))
    with _interruptible():
        made.Run()
    return Results(str(made.GetFolder()))


def run_command(kind) -> Results:
    """Runs an experiment with the command line of the script, as its program does.

    Errors end the script, after a message, with exit status 1.
    """
    made = kind()
    with _interruptible():
        status = made.RunCommand([Path(sys.argv[0]).name, *sys.argv[1:]])
    if status:
        sys.exit(status)
    return Results(str(made.GetFolder()))


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Lets Ctrl-C end a simulation, in which Python does not get to see it."""
    sys.stdout.flush()
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
