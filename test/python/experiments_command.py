# SPDX-License-Identifier: GPL-2.0-only
"""How tests make the runs of an experiment: by the command of this source, and programs of a build."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

SOURCE = Path(__file__).resolve().parents[2]
BINDINGS = SOURCE / "bindings"
BUILD = Path(os.environ.get("AIDC_BUILD_DIR", "."))
sys.path.append(str(BINDINGS))

from aidc.experiments.command import main

OF_FOLDER = """\
import sys
from pathlib import Path
from aidc.experiments.command import run
program, folder, *words = sys.argv[1:]
sys.exit(run(Path(program), Path(folder), words, [program, *words]))
"""
"""Makes the runs of a program by the description of any folder."""


def program(name: str) -> Path:
    """The program of an experiment; there may be none."""
    return BUILD / "bin" / f"aidc-{name}"


def command(name: str | Path, *words: object, folder: Path | None = None) -> list[str]:
    """The command that makes the runs of an experiment, or of a program by its path, with options.

    For an experiment that is not in examples/, folder has the description. The environment is in
    the command, so that tests may change what they give it.
    """
    path = program(name) if isinstance(name, str) else name
    how = ["-m", "aidc.experiments", path] if folder is None else ["-c", OF_FOLDER, path, folder]
    env = shutil.which("env")
    assert env is not None
    return [str(word) for word in (env, f"PYTHONPATH={BINDINGS}", sys.executable, "-B", *how, *words)]


def run(name: str, *words: object, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Makes the runs of an experiment in a folder by this process, as to start Python takes longer than
    small ones do. env are variables of the environment."""
    out, errors = io.StringIO(), io.StringIO()
    arguments = [str(program(name)), *map(str, words)]
    before = Path.cwd()
    os.chdir(folder)
    try:
        with redirect_stdout(out), redirect_stderr(errors), mock.patch.dict(os.environ, env):
            status = main(arguments)
    finally:
        os.chdir(before)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), errors.getvalue())
