# SPDX-License-Identifier: GPL-2.0-only
"""Settings of Sphinx for aidc's documentation, built by ./aidc doc."""

from pathlib import Path

from docutils.parsers.rst import Directive

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

project = "aidc"
author = "The aidc authors"
copyright = "2026, The aidc authors"

extensions = ["sphinx.ext.mathjax"]
root_doc = "index"
exclude_patterns = []
highlight_language = "cpp"
numfig = True

html_theme = "alabaster"
html_theme_options = {
    "description": "Congestion signaling, buffering and routing for AI data centers in ns-3",
    "page_width": "64em",
    "sidebar_width": "15em",
}
html_show_sourcelink = False


class Experiments(Directive):
    """The pages of all experiments, examples/NAME/README.rst, each of which is a section."""

    def run(self):
        for path in sorted(EXAMPLES.glob("*/README.rst"), reverse=True):
            lines = path.read_text(encoding="utf-8").splitlines()
            self.state_machine.insert_input([*lines, ""], str(path))
        return []


def setup(app):
    """Adds the directive."""
    app.add_directive("experiments", Experiments)
