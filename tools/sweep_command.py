# SPDX-License-Identifier: GPL-2.0-only
"""The command sweep; what it needs takes long to import."""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import aidc.reports

from . import known_options, reports, sweep_engines, sweep_figures, sweep_tables, sweeps
from .console import COMMAND, WrongUse, jobs, note, simulation_environment
from .place import Place, Program
from .sweep_dask import Dask
from .sweep_engines import Engine, Local
from .sweep_slurm import Slurm

BINDINGS = Path(aidc.__file__).resolve().parents[1]
"""The folder of the package aidc."""


def engine_of(options: argparse.Namespace, env: Mapping[str, str]) -> Engine:
    """What makes the runs of a sweep."""
    if options.slurm is not None and options.on != "slurm":
        raise WrongUse("--slurm has options of sbatch, for --on slurm.")
    if options.on is None:
        return Local(options.jobs or jobs(), env)
    if options.on == "slurm":
        return Slurm(options.slurm or "", options.jobs)
    if re.fullmatch(r"(tcp|tls)://\S+:\d+", options.on):
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


def run(place: Place, options: argparse.Namespace) -> None:
    """Does a sweep; its results keep its whole command line."""
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
