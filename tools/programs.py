# SPDX-License-Identifier: GPL-2.0-only
"""Programs of users in C++, which ./aidc run builds against the module."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from .cmake import CMakeBuild, Ns3, configure
from .console import Failure, Progress, Step, WrongUse, jobs

LIBRARIES = "aidc-experiment"
"""The target that makes all that users' programs are linked with: what experiments share, which needs
the module's library."""


class UserProgram:
    """A C++ program of a user's own, in a build folder of its own."""

    def __init__(self, path: Path, build: CMakeBuild, ns3: Ns3, source: Path) -> None:
        if not path.is_file():
            raise WrongUse(f"There is no file {path}.", f"./aidc new {path} writes a first program.")
        self._path = path.resolve()
        self._build = build
        self._ns3 = ns3
        self._project = source / "cmake" / "program"
        # Files of one name may be in several folders.
        mark = hashlib.sha256(str(self._path).encode()).hexdigest()[:8]
        self.folder = build.folder / "programs" / f"{self._path.stem}-{mark}"

    @property
    def digest(self) -> str:
        """What changes when the source does."""
        return hashlib.sha256(self._path.read_bytes()).hexdigest()[:16]

    @property
    def _log(self) -> Path:
        return self.folder / "build.log"

    @property
    def program(self) -> Path:
        return self.folder / "bin" / self._path.stem

    def steps(self) -> list[Step]:
        """Steps that build it, once the library is built."""
        return [Step(f"Building {self._path.name}", self._make, self._log)]

    def _make(self, progress: Progress) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._log.unlink(missing_ok=True)
        definitions = {
            "CMAKE_EXPORT_COMPILE_COMMANDS": "ON",
            "AIDC_PROGRAM": self._path,
            "AIDC_BUILD": self._build.folder,
            "ns3_DIR": self._ns3.cmake_dir,
        }
        if not (self.folder / "CMakeCache.txt").exists():
            try:
                what = f"Configuring {self._path.name}"
                configure(progress, self._project, self.folder, definitions, what=what)
            except Failure:
                (self.folder / "CMakeCache.txt").unlink(missing_ok=True)
                raise
        command = ["cmake", "--build", self.folder, "--parallel", jobs()]
        mend = f"Fix what the compiler names above. The whole log is {self._log}."
        progress.run(command, mend, f"Building {os.path.relpath(self._path)}")
