# SPDX-License-Identifier: GPL-2.0-only
"""The experiment of process-faults.cc, for test/python/test_processes.py."""

from aidc.experiments import Experiment

EXPERIMENT = Experiment(question="How do processes end?", metrics=("done",))
