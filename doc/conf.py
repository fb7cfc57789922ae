# SPDX-License-Identifier: GPL-2.0-only
"""Settings of Sphinx for aidc's documentation, built by ./aidc doc.

The pages ask for nothing from the network: formulas are MathML, which browsers draw themselves.
"""

import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from latex2mathml.converter import convert

SOURCE = Path(__file__).resolve().parents[1]
EXAMPLES = SOURCE / "examples"

project = "aidc"
author = "The aidc authors"
copyright = "2026, The aidc authors"
CITATION = (SOURCE / "CITATION.cff").read_text(encoding="utf-8")
release = version = re.search(r'^version: "(.*)"$', CITATION, re.M)[1]

extensions = ["sphinx_copybutton", "sphinx_design"]
root_doc = "index"
exclude_patterns = []
highlight_language = "cpp"
numfig = True

html_theme = "furo"
html_title = f"aidc {release}"
html_static_path = ["static"]
html_css_files = ["manual.css"]
html_show_sourcelink = False
html_copy_source = False
html_math_renderer = "mathml"
html_theme_options = {"top_of_page_buttons": []}

# What is copied of a console is the commands.
copybutton_prompt_text = "$ "


class Experiments(Directive):
    """The pages of all experiments, examples/NAME/README.rst, each of which is a section."""

    def run(self):
        for path in sorted(EXAMPLES.glob("*/README.rst"), reverse=True):
            lines = path.read_text(encoding="utf-8").splitlines()
            self.state_machine.insert_input([*lines, ""], str(path))
        return []


def mathml(formula, display="inline"):
    """A formula in MathML, where a name of several letters (\\mathit) is one identifier."""
    letters = r'<mrow>((?:<mi mathvariant="italic">[^<]+</mi>)+)</mrow>'
    return re.sub(
        letters,
        lambda found: f'<mi class="name">{re.sub("<[^>]+>", "", found[1])}</mi>',
        convert(formula, display=display),
    )


def visit_math(writer, node):
    """Writes a formula of the text."""
    writer.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def visit_math_block(writer, node):
    """Writes the formulas of a block, which empty lines divide."""
    for formula in node.astext().split("\n\n"):
        writer.body.append(f'<div class="math">{mathml(formula, "block")}</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Adds the directive and the formulas."""
    app.add_directive("experiments", Experiments)
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
