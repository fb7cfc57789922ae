# SPDX-License-Identifier: GPL-2.0-only
"""Builds doc/ to HTML with a pinned Sphinx, and the API reference with Doxygen."""

from __future__ import annotations

from pathlib import Path

from . import packages
from .console import Progress, Step
from .ns3 import Environment

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


def steps(source: Path, build: Path) -> list[Step]:
    """Steps for what is missing, then those that make build/html of a checkout."""
    folder, html, log = source / "doc", build / "html", build / "logs" / "doc.log"
    pins = folder / "requirements.txt"
    venv = Environment(build / "venv-doc", log)

    def build_pages(progress: Progress) -> None:
        log.unlink(missing_ok=True)
        sphinx = [venv.python, "-m", "sphinx", "-b", "html", "-W", "--keep-going"]
        command = [*sphinx, "-d", html.with_suffix(".doctrees"), folder, html]
        progress.run(command, "Fix the warnings above: each counts as an error.")

    def build_reference(progress: Progress) -> None:
        if not packages.DOXYGEN.present():
            return  # a note has said so
        doxyfile = html.with_suffix(".doxyfile")
        doxyfile.write_text(DOXYFILE.format(source=source, html=html))
        progress.run(["doxygen", doxyfile])

    return [
        *venv.steps("Installing Sphinx", "-r", pins, pins=pins.read_text()),
        Step("Building the documentation", build_pages, log),
        Step("Building the API reference", build_reference, log, [packages.DOXYGEN]),
    ]
