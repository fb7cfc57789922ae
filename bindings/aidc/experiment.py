# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Experiments from Python.

An experiment is a class of C++, such as ``ns.aidc.CoupledEcnExperiment``: its scenarios, schemes,
options and metrics are there, for programs and for Python alike. Here it is run, and its results
become tables::

    from aidc import experiment, ns

    results = experiment.run(ns.aidc.CoupledEcnExperiment, scenarios="incast", alpha=4, small=True)
    results.value("incast", "coupled", "fct_p99")
    results.metrics()
    results.series("queue", "incast", "coupled")

Options are those of the command line, with ``_`` for ``-``; ``results.folder`` has the files and the
figures.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from aidc import ns
from aidc.interrupts import ending_at_once
from aidc.results import Results

__all__ = ["Results", "run", "run_command"]


def run(kind, **options) -> Results:
    """Runs an experiment with options by name; what is wrong with them is an exception."""
    instance = kind()
    for name, value in options.items():
        instance.Set(name.replace("_", "-"), _text(value))
    with ending_at_once(ns, f"interrupted; {instance.GetFolder()} is as it was before"):
        instance.Run()
    return Results(str(instance.GetFolder()))


def run_command(kind) -> Results:
    """Runs an experiment with the command line of the script, as its program does.

    Errors end the script, after a message, with exit status 1.
    """
    instance = kind()
    # Python itself would not see Ctrl-C before the experiment is over.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    status = instance.RunCommand([Path(sys.argv[0]).name, *sys.argv[1:]])
    signal.signal(signal.SIGINT, before)
    if status:
        sys.exit(status)
    return Results(str(instance.GetFolder()))


def _text(value) -> str:
    """The value of an option as on the command line."""
    if isinstance(value, (list, tuple)):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
