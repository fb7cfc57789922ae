# SPDX-License-Identifier: GPL-2.0-only
"""Runs an experiment as ./aidc run does: all schemes in all scenarios, several times, and compares them.

    python3 -m aidc.experiments PROGRAM [--OPTION ...]
"""

from __future__ import annotations

import csv
import difflib
import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, TextIO

from aidc.experiments.description import EXAMPLES, LEAP, TRANSPORT, Experiment, Plan, description
from aidc.experiments.folder import Failure, ResultsFolder, writing
from aidc.experiments.gnuplot import draw
from aidc.experiments.numbers import shortest
from aidc.experiments.program import (
    ENDING,
    Interrupted,
    Program,
    Progress,
    Run,
    ending_signals,
    make_all,
)
from aidc.experiments.results import read_rows
from aidc.experiments.statistics import mean, percentile
from aidc.experiments.summary import Summary
from aidc.experiments.terminal import print_aligned, width

OWN_HELP = {
    "runs": "number of runs; with several, confidence intervals [{runs}]",
    "processes": "processes of a parallel simulation, which mpirun starts [1]",
    "jobs": "runs at once, each with the memory of a run; 0 is as many as there are processors [0]",
    "out": "folder of the results; results/{name}-small with --small [results/{name}]",
    "overwrite": "replace the results of another experiment in that folder [false]",
    "table": "print the table of metrics besides the findings [false]",
    "no-figures": "leave out the figures, which gnuplot draws [false]",
}
"""The options of many runs, which the program of one does not have or not so."""

FLAGS = ("overwrite", "table", "no-figures")
HIDDEN = ("run", "only", "plan", "json")
INTERNAL = (*HIDDEN, "processes", "out")
"""Options of the program that are not for the user of many runs, or not so."""

ROW_COLUMNS = ("chip", "quantity", "published", "ours", "difference", "unit", "verdict")
"""What is printed of rows of single quantities; the file and the report have more."""


@dataclass
class Options:
    """The command line of an experiment."""

    runs: Optional[int] = None
    processes: int = 1
    jobs: int = 0
    out: str = ""
    overwrite: bool = False
    table: bool = False
    no_figures: bool = False
    seed: int = 1
    small: bool = False
    others: list[str] = field(default_factory=list)
    """Arguments of the program."""


def asks(words: Iterable[str], options: str) -> bool:
    """Does a command line have one of some options, a regular expression?"""
    return any(re.fullmatch(f"-+({options})", word) for word in words)


SLOWDOWNS = "slowdown.csv"
HEADER = ("scenario,scheme,bin_low_byte,bin_high_byte,flows,slowdown_p50,slowdown_p99,"
          "slowdown_mean")


class Merged:
    """What runs have written, in their order: files of one name become one, with a header."""

    def __init__(self, folder: Path, has_flows: bool) -> None:
        self._folder = folder
        self._has_flows = has_flows
        self._slowdowns: dict[int, list[float]] = {}
        self._table: TextIO = (folder / SLOWDOWNS).open("w", encoding="utf-8")
        self._table.write(HEADER + "\n")
        self.waits: dict[tuple[str, str, int], Any] = {}
        """Who has waited longest, by scenario, scheme and run."""

    def add(self, run: Run, waits: Optional[dict[str, Any]], files: Path, is_last: bool) -> None:
        """Adds a run, which may be the last one of its scheme in its scenario."""
        self.waits[run.scenario, run.scheme, run.number] = waits
        for path in sorted(files.iterdir()):
            is_flows = path.name == f"flows-{run.scenario}-{run.scheme}.csv"
            if is_flows:
                self._add_slowdowns(path)
            if is_flows and not self._has_flows:
                continue
            target = self._folder / path.name
            if not target.exists():
                path.replace(target)
                continue
            with writing(target), path.open("rb") as rows, target.open("ab") as file:
                rows.readline()
                shutil.copyfileobj(rows, file)
        shutil.rmtree(files)
        if not is_last:
            return
        with writing(self._folder / SLOWDOWNS):  # by the size of flows, a bin for each decade
            for low, values in sorted(self._slowdowns.items()):
                numbers = (percentile(values, 0.5), percentile(values, 0.99), mean(values))
                row = [run.scenario, run.scheme, low, 10 * low, len(values), *map(shortest, numbers)]
                self._table.write(",".join(map(str, row)) + "\n")
            self._table.flush()
        self._slowdowns.clear()

    def close(self) -> None:
        """Closes the table of slowdowns: when all runs are there."""
        self._table.close()
        shutil.rmtree(self._folder / "runs", ignore_errors=True)

    def _add_slowdowns(self, path: Path) -> None:
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["slowdown"] != "nan":
                    low = 10 ** (len(row["size_byte"]) - 1) if row["size_byte"] != "0" else 1
                    self._slowdowns.setdefault(low, []).append(float(row["slowdown"]))


def _number(name: str, text: str, least: int) -> int:
    if not re.fullmatch("[0-9]+", text) or int(text) >= 2**32:
        raise Failure(f'expected --{name} to be a whole number of 32 bits, found "{text}"')
    if int(text) < least:
        raise Failure(f"expected --{name} to be at least {least}")
    return int(text)


def _flag(name: str, text: str) -> bool:
    if text not in ("true", "True", "1", "false", "False", "0"):
        raise Failure(f'expected --{name} to be true or false, found "{text}"')
    return text in ("true", "True", "1")


def parse(words: Sequence[str]) -> Options:
    """Reads a command line; a Failure for what is wrong in the options of many runs."""
    options = Options()
    given = set()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, text = word.lstrip("-").partition("=")
        has_value = not equals and rest and not rest[0].startswith("-")
        if not word.startswith("-") or name not in (*OWN_HELP, "seed", "small", *HIDDEN):
            options.others.append(word)
            continue
        if name in HIDDEN:
            raise Failure(f"there is no option --{name}; --help lists them")
        if name in given:
            raise Failure(f"--{name} is given twice")
        given.add(name)
        if name in (*FLAGS, "small"):
            setattr(options, name.replace("-", "_"), _flag(name, text) if equals else True)
        else:
            text = rest.pop(0) if has_value else text
            value = text if name == "out" else _number(name, text, 0 if name == "jobs" else 1)
            setattr(options, name, value)
    if "jobs" in given and options.processes > 1:
        raise Failure("expected --processes=1 with --jobs, which is not used otherwise")
    if "out" in given and not options.out:
        raise Failure("expected --out to be a folder")
    return options


def help_text(folder: Path, program: Path) -> str:
    """The help of an experiment, from its program's help; empty if this fails, as while it is linked."""
    try:
        ended = subprocess.run([program, "--help"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    if ended.returncode:
        return ""
    lines = ended.stdout.splitlines(keepends=True)
    internal = re.compile(r"\s+--({}):".format("|".join(INTERNAL)))
    kept = [line for line in lines if not internal.match(line)]
    place = next((i for i, line in enumerate(kept) if line.startswith("General Arguments")), len(kept))
    runs = description(folder).runs
    shown_runs = f"{runs}; 1 with --small" if runs > 1 else "1"
    own = {option: text.format(name=folder.name, runs=shown_runs) for option, text in OWN_HELP.items()}
    if processes := re.search(r"^\s+--processes: *(.*1 only.*)$", ended.stdout, re.M):
        own["processes"] = processes[1]
    room = max(map(len, own)) + 4
    shown = [f"    {f'--{option}:':{room}}{text}\n" for option, text in own.items()]
    return "".join([*kept[:place], "Many Runs:\n", *shown, "\n", *kept[place:]])


def run(
    program: Path,
    folder: Path,
    words: Sequence[str],
    command: Sequence[str],
    env: Optional[Mapping[str, str]] = None,
) -> int:
    """Runs an experiment with a command line, and returns its exit status.

    program is its program, folder is the experiment's folder in examples/, and command is what the
    user has typed, which the results keep.
    """
    name = f"aidc-{folder.name}"
    out = ""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # paths may be no UTF-8
            stream.reconfigure(errors="surrogateescape")
    if asks(words, "h|help"):
        print(help_text(folder, program), end="")
        return 0
    if asks(words, "version|Print.*"):  # which ns-3 answers
        return subprocess.run([program, *words], env=env, check=False).returncode
    try:
        options = parse(words)
        out = options.out or f"results/{folder.name}{'-small' if options.small else ''}"
        with ending_signals(_interrupt):
            return _run(program, folder, options, out, command, env)
    except Failure as failure:
        text = str(failure)
        print(text if text.startswith(f"{name}: ") else f"{name}: {text}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as interrupt:
        number = interrupt.number if isinstance(interrupt, Interrupted) else signal.SIGINT
        print(f"{name}: interrupted; {out} is as it was before", file=sys.stderr)
        return 128 + number


def _interrupt(number: int, _: object) -> None:
    for one in ENDING:
        signal.signal(one, signal.SIG_IGN)  # once is enough
    raise Interrupted(number)


def _run(
    path: Path,
    folder: Path,
    options: Options,
    out: str,
    command: Sequence[str],
    env: Optional[Mapping[str, str]],
) -> int:
    described = description(folder)
    arguments = [*options.others, f"--seed={options.seed}"]
    arguments += ["--small"] if options.small else []
    arguments += [f"--processes={options.processes}"] if options.processes > 1 else []
    program = Program(f"aidc-{folder.name}", path, arguments, options.processes, env)
    try:
        said = program.plan()
    except Failure as failure:
        raise Failure(_in_own_words(str(failure))) from None
    plan = Plan([(scenario, scheme) for scenario, scheme in said["pairs"]], said["parameters"])
    n_runs = options.runs or (1 if options.small else described.runs)
    summary = Summary(
        folder.name, seed=options.seed, runs=n_runs, ns3=said["ns3"], command=shlex.join(command),
        question=described.question, parameters=plan.parameters,
    )
    results = ResultsFolder(Path(out), folder.name, options.overwrite)
    with results.opened() as partial:
        try:
            has_figures = _make(program, described, plan, options, summary, results)
            results.commit()
        except Failure as failure:
            if results.keeps:
                raise Failure(f"{failure}\nWhat it had written is in {partial}") from None
            raise
    print(f"Results are in {out}", flush=True)
    return 0 if has_figures else 1


def _in_own_words(text: str) -> str:
    """What a program says of wrong options, with the options of many runs in place of its own."""

    def hint(found: re.Match[str]) -> str:
        names = [*OWN_HELP, *([found[2]] if found[2] and found[2] not in INTERNAL else [])]
        near = difflib.get_close_matches(found[1], names, 1)
        return f"no option --{found[1]}" + "".join(f" (did you mean --{name}?)" for name in near)

    text = text.replace("expected --run in place", "expected --runs, which counts from run 1 on, in place")
    return re.sub(r"no option --([\w-]+)(?: \(did you mean --([\w-]+)\?\))?", hint, text)


def _make(
    program: Program,
    described: Experiment,
    plan: Plan,
    options: Options,
    summary: Summary,
    results: ResultsFolder,
) -> bool:
    """Makes all runs, writes what comes of them, and prints it; false if figures cannot be drawn."""
    partial = results.partial
    runs = [Run(scenario, scheme, number)
            for scenario, scheme in plan.pairs for number in range(1, summary.runs + 1)]
    at_once = 1 if options.processes > 1 else min(options.jobs or os.cpu_count() or 1, len(runs))
    merged = Merged(partial, described.keeps_flows(plan))
    progress = Progress([run.kind for run in runs], at_once)

    def take(run: Run, outcome: dict[str, Any], files: Path) -> None:
        for metric, value, unit in outcome["metrics"]:
            value = float("nan") if value is None else float(value)
            summary.add(run.scenario, run.scheme, metric, value, unit)
        is_last = run.number == summary.runs
        merged.add(run, outcome["waits"], files, is_last)
        results.keeps = results.keeps or is_last

    try:
        make_all(program, runs, at_once, partial / "runs", progress, take)
    finally:
        progress.close()
    merged.close()
    described.conclude(summary, plan)
    summary.compare(described.comparisons(plan))
    if described.time:
        summary.find_outliers(described.time, merged.waits)
    found = {metric for metrics in summary.schemes.values() for metric in metrics}
    more = [name for name in TRANSPORT if described.has_transport and name in found]
    more += [name for name in LEAP if name in found]
    summary.write(partial, [*described.metrics, *described.totals(plan), *more], plan.pairs)
    columns = described.columns(plan) or described.metrics
    has_colors = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    colors = described.colors if has_colors else {}
    if described.rows:
        print(rows_text(partial / described.rows), end="")
    print(summary.text([*columns, *more], width(), options.table, colors), end="", flush=True)
    return options.no_figures or draw(described, partial)


def rows_text(path: Path) -> str:
    """Rows of single quantities as a table, and how many there are of each verdict."""
    rows = read_rows(path)
    if not rows:
        return ""
    table = [list(ROW_COLUMNS)]
    for before, row in zip([None, *rows], rows):
        if before and before["chip"] != row["chip"]:
            table.append([])
        table.append([row[column] for column in ROW_COLUMNS])
    verdicts = list(dict.fromkeys(row["verdict"] for row in rows))
    counts = ", ".join(f"{sum(row['verdict'] == verdict for row in rows)} {verdict}" for verdict in verdicts)
    return f"{print_aligned(table, 2, {})}\n{len(rows)} rows: {counts}\n\n"


def main(words: Sequence[str]) -> int:
    """Runs the program that the first word names; the experiment has its name."""
    if not words:
        print(__doc__, file=sys.stderr)
        return 2
    program = Path(words[0]).resolve()
    name = re.sub(r"^(ns3[^-]*-)?aidc-|-(debug|default|optimized|release)$", "", program.name)
    if not (EXAMPLES / name / "description.py").exists():
        print(f"{words[0]}: expected the program of an experiment, aidc-NAME", file=sys.stderr)
        return 2
    return run(program, EXAMPLES / name, words[1:], [f"aidc-{name}", *words[1:]])
