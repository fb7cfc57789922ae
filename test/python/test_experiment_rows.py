# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the rows of single quantities that runs write."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from aidc.experiments.command import rows_text
from aidc.experiments.results import read_rows

ROWS = """chip,quantity,how,published,ours,difference,tolerance,unit,verdict,note,source
one,"pause, in turn","filled",120117,120117,0,0,frame,equal,"","a"
two,"a ""lossy"" queue","filled",84935,85805,870,870,frame,within,"","b"
two,"other","filled",5,7,2,1,frame,differs,"","b"
"""

TEXT = """chip  quantity         published    ours  difference   unit  verdict
one   pause, in turn      120117  120117           0  frame    equal

two   a "lossy" queue      84935   85805         870  frame   within
two   other                    5       7           2  frame  differs

3 rows: 1 equal, 1 within, 1 differs

"""


class RowsTest(unittest.TestCase):
    """What is printed of the rows."""

    def test_rows_are_printed_chip_by_chip_with_their_counts(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.csv"
            self.assertEqual(rows_text(path), "")
            self.assertEqual(read_rows(path), [])
            path.write_text(ROWS, encoding="utf-8")
            self.assertEqual(rows_text(path), TEXT)
            self.assertEqual(read_rows(path)[1]["quantity"], 'a "lossy" queue')
