# SPDX-License-Identifier: GPL-2.0-only
"""Figures for papers: a script for gnuplot 5.2 or later, with the data in it, in a folder of results."""

from __future__ import annotations

import math
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from aidc.experiments.charts import Bars, Boxes, Figure, Line, Mark, Panel, thinned, whole
from aidc.experiments.description import Experiment
from aidc.experiments.folder import Failure, writing
from aidc.experiments.program import end_of
from aidc.experiments.results import ReportError, Results

SCRIPT = "figures.gp"
"""The script of an experiment."""

ENDS = {".png": b"IEND", ".svg": b"</svg>"}
"""The marks at the end of figures, by format."""

WIDTH = 1000
LETTER = 7.5
LINE = 20
"""The width of a figure and of a letter, and the height of a line of text, in pixels of the SVG."""

POINTS = 2000
"""Points of a line, at most: two for each pixel."""

INTERVAL = "with vectors heads size screen 0.003,90 linewidth 1"
"""How intervals are drawn: yerrorbars would leave out their middle."""

HEAD = r"""# Draws figures with gnuplot 5.2 or later: gnuplot FILE, in the folder of this file
formats = "%s"

# One size for all formats; a PNG has four pixels for each square unit
terminal(format, width, height) = format eq "svg" \
    ? sprintf("set terminal svg noenhanced font 'sans-serif,13' background 'white' size %%d,%%d", \
              width, height) \
    : format eq "pdf" ? sprintf("set terminal pdfcairo noenhanced font 'Sans,9' size %%gin,%%gin", \
                                width / 100.0, height / 100.0) \
    : sprintf("set terminal pngcairo noenhanced font 'Sans,10' fontscale 2 linewidth 2 pointscale 2 " \
              ."background 'white' size %%d,%%d", 2 * width, 2 * height)

set encoding utf8
set clip two
set style fill solid noborder
"""


def script(figures: Iterable[Figure], formats: str = "png svg") -> str:
    """The script that draws figures in some formats (png, svg, pdf)."""
    lines = [HEAD % formats]
    for figure in figures:
        lines += _Sheet(figure).lines()
    return "\n".join(lines) + "\n"


def run(file: Path) -> subprocess.CompletedProcess[str]:
    """Runs a script in its folder. A FileNotFoundError says that there is no gnuplot."""
    # -d: the user's own settings would change the figures
    return subprocess.run(["gnuplot", "-d", file.name], cwd=file.parent, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, errors="replace")


def draw_by(file: Path, notes: Sequence[str] = ()) -> bool:
    """Draws by a script in its folder, and says notes of the figures, or why there are none; false if
    gnuplot has failed. A Failure for a figure that is not whole: gnuplot reports no error where the disk is
    full."""
    try:
        ended = run(file)
    except FileNotFoundError:
        print(f"No figures: gnuplot is not installed; once it is, run 'gnuplot {file.name}' in the folder "
              "of the results", file=sys.stderr)
        return True
    lines = [line for line in ended.stdout.splitlines() if line.strip()]
    if ended.returncode:
        reason = lines[-1].strip() if lines else "it gave no reason"
        if ended.returncode < 0:
            reason = f"it {end_of(ended.returncode)}"
        print(f"No figures: gnuplot failed on {file.name}: {reason}", file=sys.stderr)
        return False
    for path in file.parent.iterdir():
        mark = ENDS.get(path.suffix)
        if mark and mark not in path.read_bytes()[-16:]:
            raise Failure(f"cannot write {path}: gnuplot has written a part of it (is the disk full?)")
    for line in [*(line for line in lines if "arning: " not in line), *notes]:  # gnuplot's own say nothing
        print(line, file=sys.stderr)
    return True


def write_script(described: Experiment, folder: Path, formats: str = "png svg") -> list[str]:
    """Writes the script of an experiment into its results; returns what it does not draw, and why."""
    results = Results(folder)
    (folder / SCRIPT).write_text(script(whole(described.charts(results)), formats), encoding="utf-8")
    return results.notes


def draw(described: Experiment, folder: Path) -> bool:
    """Draws the figures of an experiment's results, and says so; false if that has failed."""
    if described.charts is Experiment.charts:  # the default: it has none
        return True
    try:
        with writing(folder / SCRIPT):
            notes = write_script(described, folder)
    except ReportError as error:
        print(f"No figures: {error}", file=sys.stderr)
        return False
    return draw_by(folder / SCRIPT, [*notes, f"Figures drawn by {SCRIPT}"])


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class _Place:
    """A panel with its place: the distances of its edges from the left and the top, in pixels."""

    def __init__(self, panel: Panel, left: float, right: float) -> None:
        self.panel = panel
        self.x, self.y = panel.limits()
        self.x_names, self.y_names = panel.x.names(self.x), panel.y.names(self.y)
        widest = max(map(len, self.y_names.values()), default=0)
        self.left, self.right = left + max(55, 15 + widest * LETTER), right
        self.top = 0.0
        self.has_names = self.has_title = True
        # Names that are too long to stand side by side stand askew; or upright, where the first one would
        # not fit either
        longest = LETTER * max(map(len, self.x_names.values()), default=0)
        room = self.right - self.left
        self.angle = 0
        if panel.x.ticks and longest * len(self.x_names) > 0.95 * room:
            space = self.left - left + 0.5 * room / len(self.x_names)
            is_askew = longest * math.cos(math.radians(35)) <= space
            self.angle = 35 if is_askew else 90
        self.names_height = 20 + longest * math.sin(math.radians(self.angle))

    def below(self) -> float:
        """The height of what stands below the axis."""
        return (self.names_height if self.has_names else 8) + (24 if self.has_title else 0)


class _Sheet:
    """A figure: its title, the legend, and panels in rows."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        columns = min(figure.columns, len(figure.panels))
        self._width = WIDTH if columns == figure.columns else WIDTH * columns // figure.columns
        view = ", ".join(figure.view.values())
        title = f"{view}: {figure.title}" if view else figure.title
        title += f" ({figure.about})" if figure.about else ""
        self._title = textwrap.wrap(title, int((self._width - 80) / LETTER), break_long_words=False,
                                    break_on_hyphens=False)
        self._legend: dict[str, Mark] = {}
        for panel in figure.panels:
            for mark in panel.marks:
                if mark.label:
                    self._legend.setdefault(mark.label, mark)
        entry = LETTER * max(map(len, self._legend), default=0) + 60
        self._in_row = max(1, min(len(self._legend), int((self._width - 75) / entry)))
        self._above = LINE * (len(self._title) + math.ceil(len(self._legend) / self._in_row)) + 16
        places: list[_Place] = []
        step = self._width / columns
        for i, panel in enumerate(figure.panels):  # in rows, of which the last one may be wider
            left = i % columns * step
            right = self._width if i == len(figure.panels) - 1 else left + step
            places.append(_Place(panel, left + 5, right - 15))
        if columns == 1:  # with one axis of x below each other
            for place in places:
                place.left = max(other.left for other in places)
        for place, lower in zip(places, places[columns:]):
            if place.panel.x.title == lower.panel.x.title:
                place.has_title = False
                is_same = place.x == lower.x and place.x_names == lower.x_names
                place.has_names = not is_same or columns > 1
        top = float(self._above)
        for start in range(0, len(places), columns):
            row = places[start : start + columns]
            for place in row:
                place.has_title = place.has_title and bool(place.panel.x.title)
                place.top = top + 28
            top += 28 + max(place.panel.height + place.below() for place in row)
        self._places, self._height = places, top + 10

    def lines(self) -> list[str]:
        """The lines that draw it."""
        script: list[str] = []
        plots = []
        for number, place in enumerate(self._places):
            elements = []
            order = (Boxes, Bars, Line)
            for mark in sorted(place.panel.marks, key=lambda mark: order.index(type(mark))):
                name = f"$data_{number}_{len(script)}"
                rows, own = _drawn(mark, name, place)
                script.append("\n".join([f"{name} << EOD", *rows, "EOD"]))
                elements += own
            plots += self._plot(place, elements)
        return [
            *script,
            "do for [format in formats] {",
            f"eval terminal(format, {self._width}, {self._height:.0f})",
            f"set output {_quoted(self._figure.name + '.')}.format",
            "set multiplot",
            *self._heading(),
            *plots,
            "unset multiplot",
            "unset output",
            "}",
            "undefine $*",
            "",
        ]

    def _x(self, pixels: float) -> str:
        """A place on the screen, by its distance from the left edge."""
        return f"screen {pixels / self._width:.5f}"

    def _y(self, pixels: float) -> str:
        """A place on the screen, by its distance from the upper edge."""
        return f"screen {1 - pixels / self._height:.5f}"

    def _heading(self) -> list[str]:
        """The title and the legend, as a plot of its own without data."""
        left = self._x(60)
        return [
            "unset border", "unset tics", "unset grid", "unset xlabel", "unset logscale",
            *(f"set label {i + 1} {_quoted(line)} at {left}, {self._y(18 + LINE * i)}"
              for i, line in enumerate(self._title)),
            f"set tmargin at {self._y(0)}",
            f"set bmargin at {self._y(self._above)}",
            f"set lmargin at {left}",
            f"set rmargin at {self._x(self._width - 15)}",
            "set xrange [0:1]",
            "set yrange [0:1]",
            f"set key at {left}, {self._y(LINE * len(self._title) + 10)} left top horizontal "
            f"maxcols {self._in_row} Left reverse samplen 2.5 width 1",
            "plot " + (", ".join(_legend_entry(mark) for mark in self._legend.values()) or "NaN notitle"),
            "unset key",
            "unset label",
        ]

    def _plot(self, place: _Place, elements: Sequence[str]) -> list[str]:
        panel = place.panel
        x_factor, x_title = panel.x.scale(place.x)
        y_factor, y_title = panel.y.scale(place.y)
        x_names = "" if place.has_names else "format ''"
        if place.x_names:
            x_names = _tics({x: name if place.has_names else "" for x, name in place.x_names.items()})
        script = [
            "set border 3 linecolor rgb '#404040'",
            "set grid ytics linetype 1 linewidth 0.6 linecolor rgb '#D9D9D9'",
            f"set tmargin at {self._y(place.top)}",
            f"set bmargin at {self._y(place.top + panel.height)}",
            f"set lmargin at {self._x(place.left)}",
            f"set rmargin at {self._x(place.right)}",
            f"set label 1 {_quoted(y_title)} at graph 0, graph 1 offset 0, 0.7",
            f"set xtics out nomirror rotate by {place.angle} {'right' if place.angle else 'center'} "
            + (x_names or "autofreq format '%g'"),
            f"set ytics out nomirror {_tics(place.y_names) if place.y_names else 'autofreq'} "
            + ("" if place.y_names else "format '%g'"),
            "unset logscale",
            f"set xrange [{place.x[0] / x_factor:.9g}:{place.x[1] / x_factor:.9g}]",
            f"set yrange [{place.y[0] / y_factor:.9g}:{place.y[1] / y_factor:.9g}]",
            *(f"set logscale {name}" for name, axis in (("x", panel.x), ("y", panel.y)) if axis.is_log),
        ]
        if place.has_title:
            bottom = self._y(place.top + panel.height + place.below() - 2)
            at = f"{self._x((place.left + place.right) / 2)}, {bottom}"
            script.append(f"set label 2 {_quoted(x_title)} at {at} center")
        return [*script, "plot " + ", \\\n    ".join(elements), "unset label"]


def _tics(names: Mapping[float, str]) -> str:
    """Places with their names."""
    tics = (f"{_quoted(name.replace('%', '%%'))} {place:.9g}" for place, name in names.items())
    return f"({', '.join(tics)})"


def _color(mark: Mark) -> str:
    return f"linecolor rgb '{mark.color}'"


def _legend_entry(mark: Mark) -> str:
    """What draws the sample of a legend."""
    kind = f"with boxes {_color(mark)}"
    if isinstance(mark, Line):
        kind = f"{kind} fillstyle solid 0.35" if mark.is_filled else _line_style(mark)
    return f"NaN {kind} title {_quoted(mark.label)}"


def _line_style(line: Line) -> str:
    point = f" pointtype {line.point} pointsize 0.8" if "points" in line.form else ""
    dash = " dashtype 2" if line.is_dashed else ""
    return f"with {line.form} linewidth {line.width:g}{point}{dash} {_color(line)}"


def _drawn(mark: Mark, name: str, place: _Place) -> tuple[list[str], list[str]]:
    """The rows of a block of data, and the elements of a plot that draw it."""
    fx, fy = place.panel.x.scale(place.x)[0], place.panel.y.scale(place.y)[0]
    if isinstance(mark, Boxes):
        rows = [_row(a / fx, b / fx, c / fy, d / fy) for a, b, c, d in mark.boxes]
        return rows, [f"{name} using 1:3:1:2:3:4 with boxxyerror {_color(mark)} notitle"]
    if isinstance(mark, Bars):
        return _drawn_bars(mark, name, place, fy)
    assert isinstance(mark, Line)
    low, high = place.x
    kept = [i for i, x in enumerate(mark.x) if low <= x <= high] if "points" not in mark.form else []
    x, y = mark.x, mark.y
    if len(kept) > POINTS:  # with one more at each end, so that lines go on
        part = slice(max(0, kept[0] - 1), kept[-1] + 2)
        x, y = thinned(mark.x[part], mark.y[part], POINTS)
    dx, dy = ([*halves] or [0.0] * len(x) for halves in mark.halves)
    texts = ['"' + text.replace('"', "") + '"' for text in mark.texts] or ["-"] * len(x)
    rows = [f"{_row(a / fx, b / fy, c / fx, d / fy)} {text}" for a, b, c, d, text in zip(x, y, dx, dy, texts)]
    elements = []
    if mark.is_filled:
        elements.append(f"{name} using 1:2 with filledcurves y1=0 {_color(mark)} "
                        "fillstyle transparent solid 0.35 notitle")
    for halves, columns in ((dx, "($1-$3):2:(2*$3):(0)"), (dy, "1:($2-$4):(0):(2*$4)")):
        if any(halves):
            elements.append(f"{name} using {columns} {INTERVAL} {_color(mark)} notitle")
    elements.append(f"{name} using 1:2 {_line_style(mark)} notitle")
    if mark.texts:
        elements.append(f"{name} using 1:2:5 with labels left rotate by 40 offset 0.3, 0.4 notitle")
    return rows, elements


def _drawn_bars(bars: Bars, name: str, place: _Place, factor: float) -> tuple[list[str], list[str]]:
    """The same of bars: in blocks of bars, of runs and of medians."""
    floor = place.y[0] if place.panel.y.is_log else -math.inf
    rows = [_row(x, y / factor, max(low, floor) / factor, high / factor)
            for x, y, (low, high) in zip(bars.x, bars.y, bars.intervals)]
    dots = bars.dots()
    fill = "fillstyle solid 0.5 noborder " if dots else ""
    elements = [f"{name} index 0 using 1:2:({bars.width * 0.9:.4g}) with boxes {fill}{_color(bars)} notitle"]
    if any(low < high for low, high in bars.intervals):
        elements.append(f"{name} index 0 using 1:3:(0):($4-$3) {INTERVAL} linecolor rgb 'black' notitle")
    if dots:
        medians = [_row(x, median / factor) for x, median in zip(bars.x, bars.medians) if median is not None]
        rows += ["", "", *(_row(x, y / factor) for _, x, y in dots), "", "", *medians]
        elements.append(f"{name} index 1 with points pointtype 7 pointsize 0.4 {_color(bars)} notitle")
        half = 0.32 * bars.width
        if medians:
            elements.append(f"{name} index 2 using ($1-{half:.4g}):2:({2 * half:.4g}):(0) "
                            "with vectors nohead linewidth 2 linecolor rgb 'black' notitle")
    return rows, elements


def _row(*values: float) -> str:
    return " ".join(f"{value:.8g}" for value in values)
