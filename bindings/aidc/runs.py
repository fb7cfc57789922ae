# SPDX-License-Identifier: GPL-2.0-only
"""Experiments, their comparison and their report, as ./aidc sweep, compare and report make them.

    import aidc

    frame = aidc.run("incast", degree=[2, 4, 8], seeds=10)
    other = aidc.run("incast", degree=[2, 4, 8], seeds=10, transport="dcqcn")
    aidc.compare(frame, other)
    aidc.report(frame)
    aidc.results_of(frame, degree=8, seed=2).series("flows", "incast", "coupled")

The command, ./aidc or of an installed package aidc, sets up and builds what it needs. Tables are data
frames of pandas.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.parse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

if TYPE_CHECKING:
    import pandas

    from aidc.results import Results

    Folder = Union[str, os.PathLike[str], pandas.DataFrame]

__all__ = ["compare", "report", "results_of", "run"]

_NAMES = ("options", "scenario", "scheme", "metric", "unit", "change", "verdict")
"""The columns of tables that have texts."""

_FOLDER = "folder"
"""The attribute of a frame that has the folder of its results."""

_PACKAGE = Path(__file__).resolve().parent

_WRONG_USE = 2
"""The command's exit status for names, options and folders that it refuses."""

_STEP = re.compile(r"\[\d+/\d+\] |\s+.*\d s$")
"""How a line of progress begins; others are for the user to keep."""

_PATIENCE = 2.0
"""Seconds that the command has to end by itself after Ctrl-C."""


def run(
    experiment: str,
    *,
    seeds: int = 1,
    out: Optional[Union[str, os.PathLike[str]]] = None,
    jobs: Optional[int] = None,
    on: Optional[str] = None,
    slurm: str = "",
    progress: bool = True,
    **options: object,
) -> pandas.DataFrame:
    """Runs an experiment, or a program NAME.cc or NAME.py of your own, and returns the means of its
    metrics.

    Options are the program's, with "_" for "-"; an attribute has its whole name. An option with
    several values (a list, a tuple, a range, an array) varies: each combination of values is run with
    seeds 1 to ``seeds``, ``jobs`` runs at once (by default, as many as there are processors).

    The frame has a row for each combination, scenario, scheme and metric that has a value: a column
    for each option that varies (of numbers if all of its values are numbers, else of texts), then
    scenario, scheme, metric, mean, ci95 (the half-width of the 95 % CI over the seeds; NaN for one
    seed), unit (s, bit/s, byte, packet or 1) and seeds (how many had a value). All files are in the
    folder frame.attrs["folder"]; results_of() reads the files of a run. It is ``out``, or else
    results/sweep-NAME, or, where that has other results, results/sweep-NAME-2 and so on. What a
    folder has of the same runs already is not run again.

    With ``on``, a cluster makes the runs: "slurm", with options of sbatch in ``slurm``, or the address of
    a Dask scheduler, such as "tcp://10.0.0.1:8786". All machines must share the folders of the results
    and of aidc. ``jobs`` is then, by default, as many as the cluster has room for.

    Raises ValueError for an experiment, an option, a folder or a cluster that the command refuses, and
    RuntimeError for a run that fails, both with the message. Ctrl-C keeps the runs that are whole;
    jobs of Slurm go on, and the same call waits for them again.
    """
    pandas = _pandas()
    _check_count("seeds", seeds)
    words = ["sweep", experiment, f"--seeds={seeds}"]
    if jobs is not None:
        _check_count("jobs", jobs)
        words.append(f"--jobs={jobs}")
    if on is not None:
        words.append(f"--on={on}")
    if slurm:
        words.append(f"--slurm={slurm}")
    vary: dict[str, list[str]] = {}
    arguments: list[str] = []
    for option, value in options.items():
        name = _option(option)
        if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
            vary[name] = [_text(name, one) for one in value]
            words.append(f"--vary={name}={','.join(_varied(name, vary[name]))}")
        else:
            arguments.append(f"--{name}={_text(name, value)}")
    stem = Path(experiment).stem if experiment.endswith((".cc", ".py")) else experiment
    sweep = {"experiment": stem, "vary": vary, "seeds": seeds, "arguments": arguments}
    folder = Path(out) if out is not None else _free_folder(sweep)
    _call([*words, f"--out={folder}", *arguments], progress)
    frame = _read(pandas, folder / "means.csv", numbers=("mean", "ci95"))
    last = ["scenario", "scheme", "metric", "mean", "ci95", "unit", "seeds"]
    frame = frame[[*vary, *last]]
    frame.attrs[_FOLDER] = str(folder.resolve())
    return frame


def results_of(runs: Folder, *, seed: int = 1, **values: object) -> Results:
    """The results of one run of run(), by its frame or folder: with its values of what varies.

    Raises ValueError if there is no such run.
    """
    from aidc.results import Results

    folder = _folder(runs)
    try:
        vary = json.loads((folder / "sweep.json").read_text(encoding="utf-8"))["vary"]
    except (OSError, ValueError, KeyError):
        raise ValueError(f"{folder}: expected the folder of aidc.run() or ./aidc sweep") from None
    given = {_option(name): _text(name, value) for name, value in values.items()}
    if set(given) != set(vary):
        expected, found = (", ".join(names) or "nothing" for names in (vary, given))
        raise ValueError(f"expected values of what varies ({expected}), found {found}")
    wanted = "_".join([*(f"{name}={given[name]}" for name in vary), f"seed={seed}"])
    for path in (folder / "runs").iterdir():
        if urllib.parse.unquote(path.name) == wanted:
            return Results(path)
    raise ValueError(f"{folder} has no run with {wanted.replace('_', ', ')}")


def compare(a: Folder, b: Folder) -> pandas.DataFrame:
    """Two results side by side: folders, or frames of run(), which stand for all of their results.

    The frame has a row for each metric that either has: options, scenario, scheme, metric, a, a_ci95,
    b, b_ci95, unit, change (relative, from a to b; NaN where there is none) and verdict. It is "same" for
    equal values; "differs" if the difference is beyond its interval of 95 %, else "within"; "one run"
    where there is no interval; "only a" or "only b". Runs of the same seed are compared in pairs.

    Raises ValueError if a folder has no results.
    """
    pandas = _pandas()
    text = _call(["compare", "--csv", str(_folder(a)), str(_folder(b))])
    frame = _read(pandas, io.StringIO(text), numbers=("a", "a_ci95", "b", "b_ci95"))
    percent = frame["change"].str.replace(" %", "", regex=False)
    frame["change"] = pandas.to_numeric(percent, errors="coerce") / 100
    return frame


def report(results: Folder) -> Path:
    """Writes the report of results, a folder or a frame of run(), and returns its path.

    It is one HTML file, which any browser shows. Raises ValueError if a folder has no results.
    """
    return Path(_call(["report", str(_folder(results))]).splitlines()[-1].strip())


def _pandas() -> Any:
    """The module pandas, which takes a second to import."""
    try:
        import pandas
    except ImportError:
        raise ImportError("aidc: pandas, which makes tables, is missing: pip install pandas") from None
    return pandas


def _read(pandas: Any, file: Any, numbers: Iterable[str]) -> Any:
    """A table of CSV; only the columns of numbers may have no value. Names are texts, even if numbers."""
    return pandas.read_csv(
        file, keep_default_na=False, na_values={name: [""] for name in numbers},
        dtype={**dict.fromkeys(_NAMES, str), **dict.fromkeys(numbers, float)},
    )


def _folder(results: Folder) -> Path:
    attributes = getattr(results, "attrs", None)
    if attributes is None:
        return Path(results)  # type: ignore[arg-type]
    if _FOLDER not in attributes:
        raise ValueError("expected a folder, or a frame that aidc.run() has returned")
    return Path(attributes[_FOLDER])


def _free_folder(sweep: dict[str, Any]) -> Path:
    """The first folder that has no results, or results of the same sweep."""
    name = Path("results") / f"sweep-{sweep['experiment']}"
    for number in itertools.count(1):
        folder = name if number == 1 else name.with_name(f"{name.name}-{number}")
        try:
            found = json.loads((folder / "sweep.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return folder
        except ValueError:
            continue
        if {key: found.get(key) for key in sweep} == sweep:
            return folder
    raise AssertionError("not reached")


def _check_count(name: str, value: object) -> None:
    if isinstance(value, bool) or not hasattr(value, "__index__") or int(value) < 1:  # type: ignore
        raise ValueError(f"{name}: expected a whole number of at least 1, found {value!r}")


def _option(name: str) -> str:
    """The name of an option, or of an attribute, as on the command line."""
    return name if "::" in name else name.replace("_", "-")


def _text(name: str, value: object) -> str:
    """A value as on the command line."""
    if value is None:
        raise ValueError(f"{name}: expected a value, found None")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _varied(name: str, values: list[str]) -> list[str]:
    """The values of an option that varies."""
    if not values:
        raise ValueError(f"{name}: expected at least one value, found none")
    for value in values:
        if "," in value:
            raise ValueError(f'{name}: "{value}" has a comma, and cannot be one of several values')
    return values


def _call(words: Sequence[str], progress: bool = False) -> str:
    """Calls the command with arguments, and returns what it prints; raises as run() does."""
    is_installed = (_PACKAGE / "_tools" / "commands.py").exists()
    command = ["-m", "aidc._tools.commands"] if is_installed else [str(_PACKAGE.parents[1] / "aidc")]
    told = _Told(progress)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output, subprocess.Popen(
        [sys.executable, *command, *words],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                told.add(line.rstrip("\n"))
            status = process.wait()
        except KeyboardInterrupt:
            # A terminal interrupts both, a notebook this process alone.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        finally:
            told.end()
        if status:
            raise (ValueError if status == _WRONG_USE else RuntimeError)(told.message())
        output.seek(0)
        return output.read()


class _Told:
    """What the command tells: progress and the rest; in a notebook, on one line, of which the last stays."""

    def __init__(self, is_shown: bool) -> None:
        self._is_shown = is_shown
        self._is_notebook = "ipykernel" in sys.modules
        self._overwrites = sys.stderr.isatty() or self._is_notebook
        self._width = 0
        self._others: list[str] = []
        self._error: list[str] = []

    def add(self, line: str) -> None:
        """Takes a line. From the one that begins with "aidc: " on, it is the message of an error."""
        if self._error or line.startswith("aidc: "):
            self._error.append(line[len("aidc: "):] if not self._error else line)
        elif _STEP.match(line):
            self._show(line.strip(), stays=not self._overwrites)
        else:
            self._others.append(line)
            self._show(line, stays=not self._is_notebook)

    def end(self) -> None:
        """Ends the line that progress was shown on."""
        if self._width:
            self._show("", stays=False)
            self._width = 0
        if self._is_notebook and self._others and not self._error:
            self._show(self._others[-1], stays=True)

    def message(self) -> str:
        """What the command said of its failure."""
        return "\n".join(self._error or self._others) or "aidc ended without a message"

    def _show(self, line: str, stays: bool) -> None:
        if not self._is_shown:
            return
        if self._overwrites:
            line = "\r" + line.ljust(self._width)
        self._width = 0 if stays else len(line.rstrip()) - 1
        end = "\n" if stays else "" if line.strip() else "\r"
        print(line, end=end, file=sys.stderr, flush=True)
