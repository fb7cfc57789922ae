# SPDX-License-Identifier: GPL-2.0-only
"""Settings of Sphinx for aidc's documentation, built by ./aidc doc."""

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
