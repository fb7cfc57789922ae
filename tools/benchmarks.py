# SPDX-License-Identifier: GPL-2.0-only
"""Runs the programs of bench/ and keeps what they measure in results/bench.json.

Each program takes the names to measure as arguments (none: all that it has), ignores those that it
does not know, and prints for each one line of JSON on its standard output:
{"name": ..., "value": ..., "unit": ..., "against": ..., "median_of": ...}
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from .console import Failure, note, simulation_environment
from .sweep_tables import text_table

FIELDS = ("value", "unit", "against", "median_of")


def programs(source: Path) -> list[str]:
    """The names of all benchmark programs."""
    return [f"aidc-bench-{path.stem}" for path in sorted((source / "bench").glob("*.cc"))]


def measure(commands: Iterable[Path], names: Sequence[str]) -> dict[str, dict]:
    """Runs the programs one after the other, never two at once."""
    results: dict[str, dict] = {}
    for command in commands:
        note(f"[bench] {command.name} {' '.join(names)}".rstrip())
        process = subprocess.run(
            [str(command), *names],
            stdout=subprocess.PIPE,
            text=True,
            env=simulation_environment(),
        )
        if process.returncode != 0:
            raise Failure(f"{command} failed (exit code {process.returncode}).")
        results.update(parse(process.stdout, command.name))
    if unknown := [name for name in names if name not in results]:
        raise Failure(
            f"No benchmark is called {', '.join(unknown)}.", "./aidc bench without names runs all."
        )
    return results


def parse(output: str, program: str) -> dict[str, dict]:
    """The results in a program's output, by name."""
    results = {}
    for line in filter(str.strip, output.splitlines()):
        try:
            entry = json.loads(line)
            results[entry["name"]] = {field: entry[field] for field in FIELDS}
        except (ValueError, KeyError, TypeError) as error:
            raise Failure(f"{program} printed a line that is no result: {line}") from error
    return results


def merge(results: dict[str, dict], path: Path) -> None:
    """Writes results into a file, over results of the same names that it already has."""
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = {}
    except ValueError as error:
        raise Failure(f"{path} is not JSON: {error}", "Remove it, then run again.") from error
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({**known, **results}, indent=2, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")


def table(results: dict[str, dict]) -> str:
    """The results in columns."""
    cell = lambda value: f"{value:.4g}" if isinstance(value, float) else "-" if value is None else str(value)
    rows = [(name, *(cell(entry[field]) for field in FIELDS)) for name, entry in sorted(results.items())]
    return text_table(("name", *FIELDS), rows)
