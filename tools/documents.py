# SPDX-License-Identifier: GPL-2.0-only
"""Builds doc/ to HTML with a pinned Sphinx, and the API reference with Doxygen."""

from __future__ import annotations

from pathlib import Path

from . import packages
from .console import Progress, Step
from .environments import Environment

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
        self._log = build / "logs" / "doc.log"
        pins = self._source / "requirements.txt"
        self._venv = Environment(
            build / "venv-doc", "Installing Sphinx", self._log, "-r", pins, pins=pins.read_text()
        )

    def steps(self) -> list[Step]:
        """Steps for what is missing, then the build."""
        return [
            *self._venv.steps(),
            Step("Building the documentation", self._build, self._log),
            Step("Building the API reference", self._build_reference, self._log, [packages.DOXYGEN]),
        ]

    def _build(self, progress: Progress) -> None:
        self._log.unlink(missing_ok=True)
        sphinx = [self._venv.python, "-m", "sphinx", "-b", "html", "-W"]
        progress.run(
            [*sphinx, "--keep-going", "-d", self.html.with_suffix(".doctrees"), self._source,
             self.html],
            "Fix the warnings above: each counts as an error.",
        )

    def _build_reference(self, progress: Progress) -> None:
        if not packages.DOXYGEN.present():
            return  # a note has said so
        doxyfile = self.html.with_suffix(".doxyfile")
        doxyfile.write_text(DOXYFILE.format(source=self._source.parent, html=self.html))
        progress.run(["doxygen", doxyfile])
