# SPDX-License-Identifier: GPL-2.0-only
"""Tests of how results have numbers, and how people read them."""

import math
import random
import unittest

from aidc.experiments.numbers import cell, quantity, shortest


class Numbers(unittest.TestCase):
    """Numbers of files and of tables."""

    def test_the_fewest_digits(self):
        for value, text in (
            (0.1, "0.1"),
            (0.1 + 0.2, "0.30000000000000004"),  # IEEE 754's best-known sum
            (1.0 / 3, "0.3333333333333333"),  # 16 digits are enough here
            (-2.5, "-2.5"),
            (1e-6, "1e-06"),
            (5e-5, "5e-05"),
            (0.0001, "0.0001"),  # %g changes to an exponent below this
            (123456789012.0, "123456789012"),
            (2.0**53, "9007199254740992"),
            (123456.75, "123456.75"),
            (1e300, "1e+300"),
            (5e-324, "5e-324"),
            (0.0, "0"),
            (-0.0, "0"),
            (7, "7"),
            (math.nan, "nan"),
            (math.inf, "nan"),
            (-math.inf, "nan"),
        ):
            self.assertEqual(shortest(value), text)

    def test_they_read_back_as_the_same(self):
        chance = random.Random(1)
        for _ in range(10000):
            value = chance.uniform(-1, 1) * 10.0 ** chance.randint(-300, 300)
            self.assertEqual(float(shortest(value)), value)

    def test_quantities(self):
        for value, unit, text in (
            (0.0123, "s", "12.30 ms"),
            (0.0, "s", "0 s"),
            (999.96e6, "bit/s", "1.000 Gbit/s"),  # which has four digits only so
            (999.94e6, "bit/s", "999.9 Mbit/s"),
            (12e-6, "s", "12.00 us"),
            (1e-12, "s", "0.001000 ns"),
            (12e6, "byte", "12.00 MB"),
            (0.0, "byte", "0 B"),
            (1234567.0, "packet", "1,234,567"),
            (-1234.0, "packet", "-1,234"),
            (0.25, "1", "0.2500"),
            (-0.25, "1", "-0.2500"),
            (7.0, "1", "7"),
            (math.nan, "s", "-"),
            (math.inf, "s", "-"),
        ):
            self.assertEqual(quantity(value, unit), text)

    def test_cells(self):
        # Half-widths: 12.706 times half of the difference
        for values, unit, largest, text in (
            ([1e9, 3e9], "bit/s", 2e9, "2.000 ± 12.706 Gbit/s"),
            ([1001.0, 3000 + 1 / 3], "packet", 3e3, "2,000.7 ± 12,702.0"),
            ([0.1, 0.3], "1", 0.3, "0.2000 ± 1.2706"),
            ([1.0, 3.0], "packet", 3.0, "2 ± 13"),
            ([2.0, 2.0], "s", 2.0, "2.000 ± 0.000 s"),
            # By the unit of the largest one, unless it is less than a tenth of that
            ([25e-3], "s", 0.2, "25.00 ms"),
            ([12e-6], "s", 250e-6, "12.00 us"),
            ([12e-6], "s", 250e-3, "12.00 us"),
            ([1500.0], "byte", 3e6, "1.500 kB"),
            ([0.0], "byte", 3e6, "0 MB"),
            ([0.5, math.nan], "s", 1.0, "-"),
            ([], "s", 1.0, "-"),
        ):
            self.assertEqual(cell(values, unit, largest), text)
