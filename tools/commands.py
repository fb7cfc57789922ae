# SPDX-License-Identifier: GPL-2.0-only
"""The command line: what a checkout and an installed package have in common."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Callable

import aidc.reports
from aidc.experiments.command import asks
from aidc.experiments.command import run as run_experiment
from aidc.experiments.folder import Failure as ExperimentFailure
from aidc.experiments.folder import csv_text
from aidc.scripts import folder_of

from . import experiments, known_options, reports, sweep_engines, sweep_figures, sweep_tables, sweeps
from .console import (
    COMMAND,
    Failure,
    Terminated,
    WrongUse,
    jobs,
    note,
    simulation_environment,
    terminate,
)
from .place import Place, Program
from .sweep_engines import Engine, Local

BINDINGS = Path(aidc.__file__).resolve().parents[1]
"""The folder of the package aidc."""

FIRST = {".cc": "first.cc", ".py": "first.py"}
"""The first programs of examples/first, by the suffix of the user's file."""

RUN_HELP = f"""\
Runs an experiment (default: {experiments.DEFAULT}); {COMMAND} list shows them all. All arguments after the
name, or from the first that begins with "-", go to the experiment:

  {COMMAND} run
  {COMMAND} run coupled-ecn --help
  {COMMAND} run coupled-ecn --small --out=here
  {COMMAND} run coupled-ecn.py            the same experiment as a Python script
  {COMMAND} run path/to/mine.cc --help    a program of your own, built in a checkout
  {COMMAND} run path/to/mine.py           a script of your own

Results of experiments go to results/NAME/ in the current folder. The last line is the path of the
report, a page with tables, charts and the network over time; {COMMAND} open shows it.
"""

NEW_HELP = f"""\
Writes a first simulation of your own, in Python or (in a checkout) in C++: a leaf-spine fabric with
coupled ECN, flow-set routing and CSIG, an elephant flow and an incast. Run it with {COMMAND} run
FILE, then change it.

  {COMMAND} new mine.cc && {COMMAND} run mine.cc
  {COMMAND} new mine.py && {COMMAND} run mine.py
"""

SWEEP_HELP = f"""\
Runs an experiment, or a program of your own, with all combinations of some of its options, each with
several seeds, on all processors. Arguments that are not named below are the program's own.

  {COMMAND} sweep coupled-ecn --vary alpha=1,4,8 --seeds 10 --scenarios=incast
  {COMMAND} sweep incast --vary degree=2,4,8,16,32 --metrics fct_p99,goodput
  {COMMAND} sweep incast --vary degree=2,4,8 --vary buffer=1MB,4MB
  {COMMAND} sweep mine.cc --vary senders=4,8,16 --seeds 5

A program of your own in C++ takes options by ns3::CommandLine, and its seed by --RngRun; a script in
Python takes options by argparse, and its seed by --seed or --RngRun. A metric is a line that it
prints once in a run, NAME = VALUE or NAME = VALUE UNIT (s, bit/s, byte, packet or 1):

  fct_mean = 1.5e-3 s

Each run has its own working folder, which is kept as runs/KEY when the run is complete. If the run
writes summary.json there, as experiments do, its metrics come from this file.

Results go to results/sweep-NAME/ under the current folder:

  sweep.csv   one row per metric and run: options, seed, scenario, scheme, metric, value, unit
  means.csv   one row per metric: means over the seeds, ± the half-width of the 95 % CI
  sweep-*.png one figure per scenario, also as PDF and SVG: metrics against the first option
  report.html all of it as a page, which {COMMAND} open shows
  runs/       what each run has written

The lines of a figure are the schemes; with a second --vary, they are its values, and each scheme has
a figure of its own. If a sweep is interrupted, rerun the same command.

With --on, a cluster does the runs. Its machines must share the folders of the results and of the
program:

  {COMMAND} sweep incast --vary degree=2,4,8 --seeds 10 --on tcp://HOST:8786    a Dask scheduler
  {COMMAND} sweep incast --vary degree=2,4,8 --seeds 10 --on slurm --slurm="--time=1:00:00"

Slurm jobs continue after Ctrl-C; rerun the same command to wait for them.
"""

COMPARE_HELP = f"""\
Shows two results side by side, folders of an experiment or of a sweep, and which options differ. A
metric "differs" if the difference is beyond its 95 % CI, else it is "within"; without several runs or
seeds there is no CI, and it says "one run".

  {COMMAND} compare results/sweep-a results/sweep-b

The same table, sortable, goes to report-compare.html in folder B, or to the file given by --out.
"""

REPORT_HELP = f"""\
Rewrites DIR/report.html, the report of an experiment or a sweep: one file that needs no network.
Results of older versions work, too.

  {COMMAND} report results/incast
"""

OPEN_HELP = f"""\
Opens the newest report of DIR, or of all folders in results/, in this machine's browser, and prints
its path. Without a display, it only prints the path.

  {COMMAND} open
  {COMMAND} open results/incast
"""


def parser(place: Place) -> argparse.ArgumentParser:
    """The command line, but for what the command run passes on."""
    raw = argparse.RawDescriptionHelpFormatter
    top = argparse.ArgumentParser(
        prog=COMMAND,
        description=place.description,
        formatter_class=raw,
        allow_abbrev=False,
        epilog=place.epilog,
    )
    place.add_options(top)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(
        do: Callable[[argparse.Namespace], object], name: str, text: str, description: str = ""
    ) -> argparse.ArgumentParser:
        """Adds a command; do() does it, and returns its exit code if that may not be 0."""
        added = commands.add_parser(
            name,
            help=text,
            description=description or f"{text[0].upper()}{text[1:]}.",
            formatter_class=raw,
            allow_abbrev=False,
        )
        added.set_defaults(do=do)
        return added

    own = lambda do: functools.partial(do, place)
    add(own(run), "run", "run an experiment", RUN_HELP).usage = (
        f"{COMMAND} [OPTIONS] run [EXPERIMENT] [--ARGUMENT ...]"
    )
    first = add(own(new), "new", "write a first simulation of your own", NEW_HELP)
    first.add_argument("file", type=Path, metavar="FILE", help="NAME.cc or NAME.py, a new file")
    add_sweep_options(
        add(own(sweep), "sweep", "run combinations of options, with several seeds", SWEEP_HELP)
    )
    two = add(own(compare), "compare", "show two results side by side", COMPARE_HELP)
    two.add_argument("a", type=Path, metavar="A", help="a folder of results")
    two.add_argument("b", type=Path, metavar="B", help="another folder of results")
    two.add_argument(
        "--csv", action="store_true", help="print the table as CSV, and write no report"
    )
    two.add_argument("--out", type=Path, metavar="FILE", help="the file of the report")
    again = add(own(report), "report", "rewrite the report of a folder of results", REPORT_HELP)
    again.add_argument("folder", type=Path, metavar="DIR", help="a folder of results")
    show = lambda options: reports.show(reports.find(options.folder))
    shown = add(show, "open", "open the newest report", OPEN_HELP)
    shown.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="a folder of results")
    add(lambda _: experiments.print_list(place.source), "list", "list the experiments")
    place.add_commands(add)
    return top


def add_sweep_options(sweep: argparse.ArgumentParser) -> None:
    """Adds the options of the command sweep."""
    sweep.usage = (
        f"{COMMAND} [OPTIONS] sweep NAME [--vary NAME=VALUE,...] --seeds N [--ARGUMENT ...]"
    )
    sweep.add_argument(
        "experiment",
        metavar="NAME",
        help=f"an experiment as {COMMAND} list names it, or a file NAME.cc or NAME.py",
    )
    sweep.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="NAME=VALUE,...",
        help="an option of the program and its values; may be given several times",
    )
    sweep.add_argument(
        "--metrics",
        type=lambda text: [name.strip() for name in text.split(",")],
        default=[],
        metavar="NAME,...",
        help="the metrics of the figures (default: those that vary, eight at most)",
    )
    sweep.add_argument("--seeds", type=positive, default=1, metavar="N", help="seeds 1 to N")
    sweep.add_argument("--out", type=Path, metavar="DIR", help="the folder of the results")
    sweep.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="parallel runs (default: one per core; with --on, as many as the cluster takes)",
    )
    sweep.add_argument(
        "--on",
        metavar="ENGINE",
        help="run on other machines: slurm, or a Dask scheduler tcp://HOST:PORT",
    )
    sweep.add_argument(
        "--slurm", metavar="OPTIONS", help='options for sbatch, such as --slurm="--time=1:00:00"'
    )


def positive(text: str) -> int:
    """A whole number of the command line, at least 1."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 10**6:
        raise argparse.ArgumentTypeError(f'"{text}": expected a whole number from 1 to 999999')
    return int(text)


def split_run(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Splits the command line behind "run": what follows belongs to the experiment."""
    words = iter(enumerate(arguments))
    for index, argument in words:
        if argument in ("--ns3", "--ns3-dir"):
            next(words, None)
        elif not argument.startswith("-"):
            if argument == "run" and arguments[index + 1 : index + 2] not in (["-h"], ["--help"]):
                return list(arguments[: index + 1]), list(arguments[index + 1 :])
            break
    return list(arguments), []


def run(place: Place, options: argparse.Namespace) -> int:
    name, arguments = experiments.DEFAULT, options.passed_on
    if arguments and not arguments[0].startswith("-"):
        name = arguments.pop(0)
    place.check_compiles(name)
    program = place.program(options, name)
    if experiment := program.experiment:
        if known_options.help_file(experiment).exists() and asks(arguments, "h|help"):
            own = place.program(options, experiment.name)  # which a Python twin runs
            print(known_options.help_of(experiment, own.path), end="")
            return 0
        known_options.check(experiment, known_options.given(arguments))
    program.make()
    python_of_reports = place.plotly(options)
    begin = time.time()
    if program.interpreter or not experiment:
        code = experiments.run([*program.interpreter, program.path, *arguments], program.env)
    else:
        said = [COMMAND, "run", name, *arguments]
        code = run_experiment(program.path, experiment.folder, arguments, said, program.env)
    if code == 0:
        reports.write_after_run(python_of_reports, folder_of(Path(name).stem, arguments), begin)
    return code


def engine_of(options: argparse.Namespace, env: Mapping[str, str]) -> Engine:
    """What makes the runs of a sweep."""
    if options.slurm is not None and options.on != "slurm":
        raise WrongUse("--slurm has options of sbatch, for --on slurm.")
    if options.on is None:
        return Local(options.jobs or jobs(), env)
    if options.on == "slurm":
        from .sweep_slurm import Slurm  # which no other command waits for

        return Slurm(options.slurm or "", options.jobs)
    if re.fullmatch(r"(tcp|tls)://\S+:\d+", options.on):
        from .sweep_dask import Dask

        return Dask(options.on, options.jobs)
    raise WrongUse(
        f'--on "{options.on}": expected slurm, or the address of a Dask scheduler as it prints it, '
        "such as tcp://HOST:8786"
    )


def program_of(place: Place, options: argparse.Namespace) -> Program:
    """The program to run, whose environment is in the command, as other machines have their own."""
    program = place.program(options, options.experiment)
    words = program.interpreter
    if words:
        changed = (f"{key}={value}" for key, value in program.env.items() if os.environ.get(key) != value)
        words = ("/usr/bin/env", *changed, *words)
    elif program.experiment:  # what makes many runs of one
        words = ("/usr/bin/env", f"PYTHONPATH={BINDINGS}", sys.executable, "-B", "-m", "aidc.experiments")
    return dataclasses.replace(program, interpreter=words)


def sweep(place: Place, options: argparse.Namespace) -> None:
    """Does a sweep; its results keep its whole command line."""
    place.check_compiles(options.experiment)
    vary = sweeps.parse_vary(options.vary)
    own = program_of(place, options)
    recorded = shlex.join([COMMAND, *options.words])
    wanted = sweeps.Sweep(own.name, vary, options.seeds, options.others, own.digest, recorded)
    env = simulation_environment()
    engine = engine_of(options, env)
    if own.experiment:
        sweeps.check_names(wanted)
        known_options.check(own.experiment, wanted.names())
    own.make()
    program = sweeps.checked_program(
        own.path.resolve(), wanted, env, own.interpreter, options.experiment
    )
    folder = options.out or Path("results") / f"sweep-{own.name}"
    with sweeps.opened(wanted, folder):
        try:
            sweep_engines.run_all(wanted, program, folder, engine)
        finally:
            found = sweep_tables.write_tables(wanted, folder)
        if found:
            sweep_figures.draw(found, options.metrics, program.options)
    note(f"Results are in {folder}")
    reports.tell(aidc.reports.write, folder, None, place.plotly(options))


def compare(place: Place, options: argparse.Namespace) -> None:
    rows = sweep_tables.compare(options.a, options.b)
    if options.csv:
        text = csv_text(sweep_tables.COMPARE_HEADER, rows).rstrip("\n")
    else:
        text = sweep_tables.compared_text(options.a, options.b, rows)
    print(text, flush=True)
    if not options.csv:
        words = (options.a, options.b, sweep_tables.COMPARE_HEADER, rows, options.out)
        reports.tell(aidc.reports.write_comparison, *words, place.plotly(options))


def report(place: Place, options: argparse.Namespace) -> None:
    reports.check_results(options.folder)
    python = place.plotly(options, again=True)
    print(reports.written(aidc.reports.write, options.folder, None, python))


def write_first(source: Path, path: Path) -> None:
    """Writes a first program to a file, which must not exist yet; its suffix says which one."""
    if path.suffix not in FIRST:
        raise Failure(f"{path} is neither NAME.cc nor NAME.py.", "What it ends in says which one.")
    text = (source / "examples" / "first" / FIRST[path.suffix]).read_text(encoding="utf-8")
    # Without its copyright: what a user makes of it is the user's.
    text = re.sub(r"\A(?:// SPDX.*\n+|(#!.*\n)(?:#.*\n)+\n*)", r"\1", text)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text.replace("NAME", path.name))
    except FileExistsError:
        raise Failure(f"{path} exists already, and is left as it is.") from None
    except OSError as error:
        raise Failure(f"Cannot write {path}: {error.strerror}.") from None


def new(place: Place, options: argparse.Namespace) -> None:
    place.check_compiles(str(options.file))
    write_first(place.source, options.file)
    print(f"Written to {options.file}. Run it with {COMMAND} run {options.file}")


def main(place: Place, arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code."""
    signal.signal(signal.SIGTERM, terminate)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as of nohup
        signal.signal(signal.SIGHUP, terminate)
    if not arguments:
        parser(place).print_help()
        return 0
    own, passed_on = split_run(arguments)
    options, others = parser(place).parse_known_args(own)
    if others and options.command != "sweep":
        parser(place).error(f"unrecognized arguments: {' '.join(others)}")
    options.passed_on, options.others, options.words = passed_on, others, arguments
    try:
        return options.do(options) or 0
    except Failure as failure:
        note(failure.report())
        return failure.status
    except ExperimentFailure as failure:  # as of a figure where the disk is full
        note(f"aidc: {failure}")
        return 1
    except KeyboardInterrupt as interrupt:
        is_terminated = isinstance(interrupt, Terminated)
        note(str(interrupt) or ("Terminated." if is_terminated else "Interrupted."))
        return 143 if is_terminated else 130
    except BrokenPipeError:
        # The reader of the output has seen enough, as in ./aidc compare A B | head.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        # Such as a full disk. What a run of a sweep has said of it comes first.
        if isinstance(error.__context__, Failure):
            note(error.__context__.report())
        file = f"{error.filename}: " if error.filename else ""
        note(f"aidc: {file}{error.strerror or error}")
        return 1


def installed() -> int:
    """The command aidc of an installed package."""
    return main(Place(Path(__file__).resolve().parents[1]), sys.argv[1:])


if __name__ == "__main__":
    sys.exit(installed())
