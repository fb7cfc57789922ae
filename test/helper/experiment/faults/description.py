# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment of rank-faults.cc, for test/python/test_ranks.py."""

from aidc.experiments import Experiment

EXPERIMENT = Experiment(question="How do ranks end?", metrics=("done",))
