# SPDX-License-Identifier: GPL-2.0-only
"""Colors of schemes, and units of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

COLORS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#595959", "#000000")
"""Colors that color-blind readers can tell apart (Okabe and Ito)."""

POINTS = (5, 7, 9, 11, 13, 4, 6, 8)
"""Shapes of points, as gnuplot numbers them."""

SCALES = {
    "s": ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")),
    "bit/s": ((1e12, "Tbit/s"), (1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1, "bit/s")),
    "byte": ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")),
    "byte/s": ((1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s"), (1, "B/s")),
    "share": ((0.01, "%"),),
    "packet": ((1e6, "millions"), (1e3, "thousands"), (1, "")),
    "1": ((1e6, "millions"), (1e3, "thousands"), (1, "")),
}
"""What the units of summaries are shown as, from the largest on."""


@dataclass(frozen=True)
class Style:
    """How a scheme is drawn: its color as #RRGGBB, and the shape of its points by gnuplot's number."""

    color: str
    point: int


def all_styles(schemes: Iterable[str], colors: Mapping[str, str]) -> dict[str, Style]:
    """How all schemes are drawn.

    Schemes whose color the experiment says have that color; the shapes of their points follow its order. A
    static threshold, of which there may be many, is the darker the higher it is. Others get what is left.
    """
    styles = {scheme: Style(color, POINTS[place % len(POINTS)])
              for place, (scheme, color) in enumerate(colors.items())}
    for scheme in schemes:
        if scheme in styles:
            continue
        if threshold := re.fullmatch(r"static-(\d+)kb", scheme):
            share = min(max(math.log2(max(int(threshold[1]), 1) / 25) / 7, 0), 1)
            styles[scheme] = Style("#" + f"{round(0xC8 - share * 0xA0):02X}" * 3, POINTS[-1])
        else:
            taken = {style.color for style in styles.values()}
            color = next((one for one in COLORS if one not in taken), COLORS[len(styles) % len(COLORS)])
            styles[scheme] = Style(color, POINTS[len(styles) % len(POINTS)])
    return styles


def scale_for(highest: float, unit: str) -> tuple[float, str]:
    """The unit to show values in: how many of the unit it is, and its name.

    highest is the highest absolute value; unit is one of a summary's, such as s or bit/s.
    """
    scales = SCALES.get(unit, ((1, unit),))
    if unit in ("packet", "1"):
        highest /= 10  # 5000 packets are not 5 thousands
    return next((scale for scale in scales if highest >= scale[0]), scales[-1])
