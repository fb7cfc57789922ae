# SPDX-License-Identifier: GPL-2.0-only
"""Tests of means, intervals, quantiles and pairs of runs."""

import math
import unittest

from aidc.experiments.statistics import (
    Pairs, ci95, compare_pairs, mean, median, percentile, student_t,
)

NAN = math.nan


class Samples(unittest.TestCase):
    """Values of one scheme."""

    def test_student_t(self):
        """Any table of statistics has these, of three decimals."""
        for degrees, t in (
            (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (6, 2.447), (7, 2.365),
            (8, 2.306), (9, 2.262), (10, 2.228), (15, 2.131), (20, 2.086), (29, 2.045), (30, 2.042),
            (40, 2.021), (60, 2.000), (120, 1.980), (1000, 1.962), (100000, 1.960),
        ):
            self.assertEqual(round(student_t(degrees), 3), t, degrees)

    def test_mean_and_interval(self):
        # The half-width is t * s / sqrt(n), with t of a table of three decimals.
        for values, middle, deviation, t in (
            ([1, 3], 2, math.sqrt(2), 12.706),
            ([10, 12, 14, 16, 18], 14, math.sqrt(10), 2.776),
            ([2, 4, 4, 4, 5, 5, 7, 9], 5, math.sqrt(32 / 7), 2.365),
            ([6, 6, 6], 6, 0, 4.303),
        ):
            self.assertEqual(mean(values), middle)
            half = t * deviation / math.sqrt(len(values))
            self.assertAlmostEqual(ci95(values), half, delta=1e-3)
        self.assertTrue(math.isnan(mean([])))
        for values in ([], [1], [1, NAN], [1, math.inf]):
            self.assertTrue(math.isnan(ci95(values)), values)

    def test_mean_adds_in_order(self):
        # As C++ adds them, and not as sum() of Python 3.12 does, which would make it 2e-16
        self.assertEqual(mean([1.0, 1e16, -1e16, 0.0]), 0)

    def test_median(self):
        self.assertEqual(median([5, 1, 900]), 5)
        self.assertEqual(median([4, 1, 2, 900]), 3)
        for values in ([], [1, NAN, 2], [1, math.inf]):
            self.assertTrue(math.isnan(median(values)), values)

    def test_percentiles(self):
        # Between neighbors, as Hyndman and Fan's seventh definition has it: at (n - 1) q
        for values, q, expected in (
            ([15, 20, 35, 40, 50], 0.4, 29), ([50, 15, 40, 20, 35], 0, 15),
            ([15, 20, 35, 40, 50], 1, 50), ([7], 0.99, 7), ([1, 2, 3, 4], 0.5, 2.5),
            ([1, math.inf], 0, 1),
        ):
            self.assertAlmostEqual(percentile(values, q), expected, places=12, msg=values)
        self.assertTrue(math.isnan(percentile([], 0.5)))
        self.assertTrue(math.isnan(percentile([1, NAN], 0)))


class ComparedPairs(unittest.TestCase):
    """By logarithms of ratios; counts with zeros by logarithms of 1 + x, others with no ratio by ranks.

    The 0.975 quantiles of Student's t are 2.262 for ten pairs and 3.182 for four. Wilcoxon's test has
    p = 2 S / 2^n, with n pairs that differ, and S sets of ranks whose sum is at most the lesser sum of
    ranks of one sign. Sets of distinct ranks by their sum 0, 1, 2...: 1, 1, 1, 2, 2, 3, 4, 5, 6, 8.
    """

    def test_ratios(self):
        # Nine ratios of exp(0.4), and a wild seed of exp(2.4). Logarithms: mean 0.6, s^2 = (9 * 0.04 +
        # 3.24) / 9 = 0.4, half-width 2.262 * sqrt(0.4 / 10) = 0.4524. The differences are 0.4918 and
        # once 10.0232: mean 1.445, s = 9.5314 / sqrt(10) = 3.014, half-width 2.156.
        skewed, ones = [math.exp(0.4)] * 10, [1] * 10
        skewed[7] = math.exp(2.4)
        found = compare_pairs(skewed, ones)
        self.assertEqual((found.sign, found.larger, found.smaller, found.equal), (1, 10, 0, 0))
        self.assertAlmostEqual(found.ratio, math.exp(0.6), places=9)
        self.assertAlmostEqual(found.low, math.exp(0.6 - 0.4524), delta=1e-3)
        self.assertAlmostEqual(found.high, math.exp(0.6 + 0.4524), delta=1e-3)
        self.assertEqual(compare_pairs(ones, skewed).sign, -1)
        # Ratios 2, 2, 2, 1/2: logarithms of base 2 have mean 0.5, s = 1, half-width 1.591
        found = compare_pairs([2, 2, 2, 0.5], [1, 1, 1, 1])
        self.assertEqual((found.sign, found.smaller), (0, 1))
        self.assertAlmostEqual(found.low, 2 ** (0.5 - 1.591), delta=1e-3)
        self.assertEqual(compare_pairs([3] * 4, [3] * 4).sign, 0)
        # Pairs of very different sizes, each 10 to 13 % smaller
        self.assertEqual(compare_pairs([9, 88, 870, 9000], [10, 100, 1000, 10000]).sign, -1)

    def test_ranks(self):
        for what, differences, sign in (
            ("ten of ten, p = 2 / 1024", [1, 2, 3, 4, 5, 6, 7, 8, 9, 9000], 1),
            # Sums up to 8: 1 + 1 + 1 + 2 + 2 + 3 + 4 + 5 + 6 = 25 sets, p = 50 / 1024 = 0.0488
            ("ranks 3 and 5 of ten", [-1, -2, 3, -4, 5, -6, -7, -8, -9, -900], -1),
            # 8 sets more: p = 66 / 1024 = 0.0645
            ("ranks 3 and 6 of ten", [-1, -2, 3, -4, -5, 6, -7, -8, -9, -900], 0),
            ("six, and two without a difference, p = 2 / 64", [0, 5, 1, 2, 0, 3, 4, 900], 1),
            # One of six equal ranks of 3.5: 1 + 6 sets, p = 14 / 64 = 0.22
            ("ties", [1, 1, -1, 1, 1, 1], 0),
            # By Student's t, in halves: mean 1.25, s = 0.645, half-width 3.182 * 0.645 / 2 = 1.03
            ("four pairs", [1, 2, 3, 4], 1),
            # In halves: mean 11, s = 21.8, half-width 2.776 * 21.8 / sqrt(5) = 27
            ("five pairs, a wild one", [1, 2, 3, 4, 100], 0),
            ("one pair", [1], 0),
        ):
            halves = [difference / 2 for difference in differences]  # which are no counts
            found = compare_pairs(halves, [0] * len(halves))
            self.assertEqual(found.sign, sign, what)
            self.assertTrue(math.isnan(found.ratio), what)

    def test_counts(self):
        # log 1562, 5318, 1408, 2778 = 7.354, 8.579, 7.250, 7.929: mean 7.778, s^2 = (0.180 + 0.641 +
        # 0.279 + 0.023) / 3 = 0.374, half-width 3.182 * 0.612 / 2 = 0.974. By differences, it would be
        # 3.182 * 1808 / 2 = 2877, beyond the mean of 2766.
        none, dropped = [0] * 4, [1561, 5317, 1407, 2777]
        found = compare_pairs(none, dropped)
        self.assertEqual((found.sign, found.smaller), (-1, 4))
        self.assertTrue(math.isnan(found.ratio))
        for what, values, others, sign in (
            ("the other way round", dropped, none, 1),
            # log 2, 2, 2, 1: mean 0.520, s = 0.347, half-width 3.182 * 0.347 / 2 = 0.551
            ("one packet, or none", [1, 1, 1, 0], none, 0),
            # (6, 6, 6, -4) log 2: mean 3.5, s = 5, half-width 3.182 * 5 / 2 = 7.96, all in log 2
            ("one against them", [63, 63, 63, 0], [0, 0, 0, 15], 0),
            ("nothing in either", none, none, 0),
            # One value with a fraction: no counts, so mean 2765.6, half-width 2877
            ("a fraction", none, [1561.5, 5317, 1407, 2777], 0),
        ):
            self.assertEqual(compare_pairs(values, others).sign, sign, what)

    def test_few_pairs(self):
        found = compare_pairs([3], [4])
        self.assertAlmostEqual(found.ratio, 0.75, places=12)
        self.assertTrue(math.isnan(found.low))
        self.assertEqual(found.sign, 0)
        self.assertEqual(compare_pairs([1, NAN], [2, 2]).smaller, 0)
        self.assertEqual(repr(compare_pairs([1, NAN], [2, 2])), repr(Pairs()))
        self.assertTrue(math.isnan(compare_pairs([], []).ratio))
        with self.assertRaisesRegex(ValueError, "expected 2 values to compare with, found 1"):
            compare_pairs([1, 2], [1])
