# SPDX-License-Identifier: GPL-2.0-only
"""Tests of examples/notebooks: they are stored without output, and run."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from folder_test import SOURCE

NOTEBOOKS = sorted((SOURCE / "examples" / "notebooks").glob("*.ipynb"))
PYTHON = os.environ.get("AIDC_PYTHON")
BUILD = os.environ.get("AIDC_BUILD_DIR")
HAS_NBCLIENT = (
    PYTHON
    and subprocess.run([PYTHON, "-c", "import nbclient, ipykernel"], stderr=-3).returncode == 0
)

SMALLER = {"seeds = 10": "seeds = 2", "senders = [8, 16, 32, 64]": "senders = [8, 64]"}
"""What makes a notebook take seconds."""

# Runs a notebook of stdin, in the current folder, and prints it with what it has shown
DRIVER = """\
import sys, nbclient, nbformat
notebook = nbformat.read(sys.stdin, 4)
nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": "."}}).execute()
nbformat.write(notebook, sys.stdout)
"""


class Stored(unittest.TestCase):
    """The files."""

    def test_they_are_there_without_output(self):
        self.assertEqual([path.stem for path in NOTEBOOKS], ["first-network", "study"])
        for path in NOTEBOOKS:
            notebook = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))


@unittest.skipUnless(HAS_NBCLIENT, "AIDC_PYTHON names no Python with nbclient and ipykernel")
@unittest.skipUnless(
    BUILD and Path(BUILD, "bin", "aidc-incast").exists(), "AIDC_BUILD_DIR names no build"
)
class Run(unittest.TestCase):
    """What they show."""

    def shown(self, name):
        """What each cell of a notebook shows, by its kind: the texts, and how many figures."""
        text = (SOURCE / "examples" / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
        for long, short in SMALLER.items():
            text = text.replace(long, short)
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run(
                [PYTHON, "-B", "-c", DRIVER],
                input=text,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(SOURCE / "bindings")},
                capture_output=True,
                text=True,
            )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        outputs = [
            output
            for cell in json.loads(ended.stdout)["cells"]
            for output in cell.get("outputs", ())
        ]
        figures = sum("image/png" in output.get("data", {}) for output in outputs)
        texts = [
            "".join(output.get("text", output.get("data", {}).get("text/plain", "")))
            for output in outputs
        ]
        return texts, figures

    def test_first_network(self):
        texts, figures = self.shown("first-network")
        self.assertEqual(figures, 1)
        self.assertIn("(64, 8)", "".join(texts))  # 4 leaves with 16 hosts each, and 4 spines
        table = next(text for text in texts if "limited_by" in text).splitlines()[1:]
        self.assertEqual([line.split()[1] for line in table], ["20000000", *8 * ["200000"]])
        self.assertTrue(all(float(line.split()[2]) > 0 for line in table))
        message = 'Could not set default value for ns3::aidc::SharedBuffer::Size"'
        self.assertIn(message, texts[-1])

    def test_study(self):
        texts, figures = self.shown("study")
        self.assertEqual(figures, 2)
        verdicts = [line for text in texts for line in text.splitlines() if " senders: " in line]
        self.assertEqual([line.split()[0] for line in verdicts], ["8", "64"])
        # Two schemes with two numbers of senders
        rows = [line for line in texts[-1].splitlines() if "degree=" in line]
        self.assertEqual(len(rows), 4, texts[-1])
