# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Rows of quantities that runs write, for experiments that compare single numbers: what is printed of them."""

from __future__ import annotations

from pathlib import Path

from aidc.experiments.results import read_rows
from aidc.experiments.terminal import print_aligned

COLUMNS = ("chip", "quantity", "published", "ours", "difference", "unit", "verdict")
"""What is printed; the file and the report have more."""

LEFT = 2
"""The columns that are flush left."""


def rows_text(path: Path) -> str:
    """The rows as a table, and how many there are of each verdict."""
    rows = read_rows(path)
    if not rows:
        return ""
    table = [list(COLUMNS)]
    for before, row in zip([None, *rows], rows):
        if before and before["chip"] != row["chip"]:
            table.append([])
        table.append([row[column] for column in COLUMNS])
    verdicts = list(dict.fromkeys(row["verdict"] for row in rows))
    counts = ", ".join(f"{sum(row['verdict'] == verdict for row in rows)} {verdict}" for verdict in verdicts)
    return f"{print_aligned(table, LEFT, {})}\n{len(rows)} rows: {counts}\n\n"
