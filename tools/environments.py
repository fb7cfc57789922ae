# SPDX-License-Identifier: GPL-2.0-only
"""Virtual environments of the build folder with pinned packages of Python."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from . import packages
from .console import Progress, Step
from .ns3 import interpreter


class Environment:
    """An environment, which is made anew where its place or its packages have changed."""

    def __init__(self, folder: Path, title: str, log: Path, *words: object, pins: str = "") -> None:
        """words are arguments of pip install; pins is what they stand for, if that is not they."""
        self.bin = folder / "bin"
        self._folder = folder
        self._title = title
        self._log = log
        self._words = words
        self._pins = f"{folder} {pins or ' '.join(map(str, words))}\n"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.bin / "python"

    def steps(self) -> Sequence[Step]:
        """The step that makes it, if it is not there."""
        if self._installed():
            return []
        return [Step(self._title, self._install, self._log, [packages.venv_of(*interpreter())])]

    def _installed(self) -> bool:
        stamp = self._folder / ".installed"
        return stamp.exists() and stamp.read_text() == self._pins

    def _install(self, progress: Progress) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        progress.run([interpreter()[0], "-m", "venv", self._folder])
        mend = "It is downloaded with pip, which follows your pip configuration and proxy settings."
        command = [self.python, "-m", "pip", "install", "--progress-bar", "off", *self._words]
        progress.run(command, mend)
        (self._folder / ".installed").write_text(self._pins)
