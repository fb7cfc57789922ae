# SPDX-License-Identifier: GPL-2.0-only
"""Builds doc/ to HTML with a pinned Sphinx, and the API reference with Doxygen."""

from __future__ import annotations

import shutil
from pathlib import Path

from . import packages
from .console import Progress, Step, run_logged
from .ns3 import interpreter

DOXYFILE = """\
PROJECT_NAME = aidc
INPUT = "{source}/model" "{source}/helper"
FILE_PATTERNS = *.h
RECURSIVE = YES
STRIP_FROM_PATH = "{source}"
OUTPUT_DIRECTORY = "{html}"
HTML_OUTPUT = api
GENERATE_LATEX = NO
HAVE_DOT = NO
QUIET = YES
WARNINGS = NO
"""
"""Settings of the API reference, as files; .ci/doxygen looks for what is not documented."""


class Documents:
    """The documentation's environment and its HTML in the build folder."""

    def __init__(self, source: Path, build: Path) -> None:
        self.html = build / "html"
        self._source = source / "doc"
        self._venv = build / "venv-doc"
        self._log = build / "logs" / "doc.log"

    def requirements(self) -> list[packages.Requirement]:
        """What the system must have."""
        venv = [] if self._installed() else [packages.venv_of(*interpreter())]
        return [*venv, packages.DOXYGEN]

    def steps(self) -> list[Step]:
        """Steps for what is missing, then the build."""
        steps = [] if self._installed() else [Step("Installing Sphinx", self._install)]
        return [
            *steps,
            Step("Building the documentation", self._build),
            Step("Building the API reference", self._build_reference),
        ]

    def _pins(self) -> str:
        """What the environment was made from: its place and its pinned packages."""
        return f"{self._venv}\n{(self._source / 'requirements.txt').read_text()}"

    def _installed(self) -> bool:
        stamp = self._venv / ".installed"
        return stamp.exists() and stamp.read_text() == self._pins()

    def _install(self, progress: Progress) -> None:
        shutil.rmtree(self._venv, ignore_errors=True)
        what = "Installing Sphinx"
        run_logged([interpreter()[0], "-m", "venv", self._venv], self._log, progress, what)
        pip = [self._venv / "bin" / "python", "-m", "pip", "install", "--progress-bar", "off"]
        run_logged(
            [*pip, "-r", self._source / "requirements.txt"],
            self._log,
            progress,
            what,
            "It is downloaded with pip, which follows your pip configuration and proxy settings.",
        )
        (self._venv / ".installed").write_text(self._pins())

    def _build(self, progress: Progress) -> None:
        self._log.unlink(missing_ok=True)
        sphinx = [self._venv / "bin" / "python", "-m", "sphinx", "-b", "html", "-W"]
        run_logged(
            [*sphinx, "--keep-going", "-d", self.html.with_suffix(".doctrees"), self._source,
             self.html],
            self._log,
            progress,
            "Building the documentation",
            "Fix the warnings above: each counts as an error.",
        )

    def _build_reference(self, progress: Progress) -> None:
        if not packages.DOXYGEN.present():
            return  # a note has said so
        doxyfile = self.html.with_suffix(".doxyfile")
        doxyfile.write_text(DOXYFILE.format(source=self._source.parent, html=self.html))
        run_logged(["doxygen", doxyfile], self._log, progress, "Building the API reference")
