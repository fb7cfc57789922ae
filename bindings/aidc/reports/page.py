# SPDX-License-Identifier: GPL-2.0-only
"""The page of a report: one file of HTML that needs no other."""

from __future__ import annotations

import base64
import functools
import gzip
import html
import json
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any, Optional, Union

from aidc.experiments import numbers
from aidc.experiments.results import ReportError

HERE = Path(__file__).resolve().parent

MOST_BYTES = 8_000_000
"""The most bytes of a report."""

GET_SCRIPT = "import plotly.offline, sys; sys.stdout.buffer.write(plotly.offline.get_plotlyjs().encode())"


def plotly_script(python: Union[str, Path]) -> str:
    """Plotly's script, of a Python that has plotly. Raises ReportError if it has none."""
    try:
        ended = subprocess.run([python, "-c", GET_SCRIPT], capture_output=True, check=False)
    except OSError as error:
        raise ReportError(str(error)) from None
    if ended.returncode:
        raise ReportError(
            "a report needs the Python package plotly, whose script draws its charts; get it with\n"
            f"  {python} -m pip install 'plotly>=6'"
        )
    return ended.stdout.decode()


quantity = functools.partial(numbers.quantity, dash="–")
"""A number for people as the terminal has it, but for its dash."""


def packed(data: Any) -> str:
    """Data as a text of few characters, which page.js unpacks."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its text, and the number by which the column is sorted."""

    text: str
    value: Optional[float] = None
    name: str = ""
    """What it is, for tests and scripts: SCHEME@SCENARIO/METRIC."""
    more: str = ""
    """What stands below it, smaller."""
    is_head: bool = False
    """Is it the head of its row? Heads stay in sight while a table is scrolled sideways."""

    def to_html(self) -> str:
        """The cell as HTML."""
        value = "" if self.value is None else f' data-value="{self.value!r}"'
        name = f' data-name="{html.escape(self.name)}"' if self.name else ""
        kind = ' class="number"' if value or self.name else ""
        more = f"<small>{html.escape(self.more)}</small>" if self.more else ""
        start, end = ('<th scope="row"', "th") if self.is_head else ("<td", "td")
        return f"{start}{kind}{value}{name}>{html.escape(self.text)}{more}</{end}>"


def table(header: Sequence[str], rows: Iterable[Sequence[Cell]], about: str = "") -> str:
    """A table that the reader can sort."""
    heads = "".join(f'<th scope="col"><button type="button">{html.escape(name)}</button></th>'
                    for name in header)
    body = "".join(f"<tr>{''.join(cell.to_html() for cell in row)}</tr>" for row in rows)
    above = f'<p class="about">{html.escape(about)}</p>' if about else ""
    return (f'{above}<div class="wide"><div class="scroll"><table class="sortable"><thead><tr>{heads}'
            f"</tr></thead><tbody>{body}</tbody></table></div></div>")


def link_list(names: Iterable[str]) -> str:
    """Names of files of the folder, as links."""
    return " ".join(f'<a href="{html.escape(name)}">{html.escape(name)}</a>' for name in names)


@dataclass
class Page:
    """What a report shows, in this order."""

    title: str
    heading: str
    question: str = ""
    sections: list[tuple[str, str]] = field(default_factory=list)
    """Titles of sections, and their HTML."""
    charts: list[Any] = field(default_factory=list)
    """Charts, as page.js takes them."""
    networks: list[tuple[dict[str, str], Any]] = field(default_factory=list)
    """Pictures of networks: their names, and what was recorded."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """Tables that are shown when the reader asks for them, as HTML."""

    def add(self, title: str, body: str) -> None:
        """Adds a section."""
        self.sections.append((title, body))

    def text(self, python: Union[str, Path]) -> str:
        """The page, by a Python that has plotly. Raises ReportError if it has none."""
        navigation = []
        body = []
        for title, content in self.sections:
            anchor = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
            navigation.append(f'<a href="#{anchor}">{html.escape(title)}</a>')
            body.append(f'<section id="{anchor}"><h2>{html.escape(title)}</h2>{content}</section>')
        read = lambda name: (HERE / name).read_text(encoding="utf-8")
        data = {"charts": self.charts, "tables": self.tables}
        networks = [{**names, "packed": packed(network)} for names, network in self.networks]
        return Template(read("page.html")).substitute(
            title=html.escape(self.title),
            heading=html.escape(self.heading),
            question=f'<p class="question">{html.escape(self.question)}</p>' if self.question else "",
            navigation="".join(navigation),
            body="\n".join(body),
            style=read("page.css"),
            data=packed(data),
            networks=json.dumps(networks, separators=(",", ":")).replace("<", "\\u003c"),
            # Nothing in a script may look like its end.
            plotly=plotly_script(python).replace("</script", "<\\/script") if self.charts else "",
            script=read("page.js"),
        )
