# SPDX-License-Identifier: GPL-2.0-only
"""Many runs of an experiment: its program makes one, and all that is about several is here."""

from aidc.experiments.description import Experiment, Plan
from aidc.experiments.findings import Comparison, Finding
from aidc.experiments.folder import Failure
from aidc.experiments.results import Results
from aidc.experiments.summary import Summary

__all__ = ["Comparison", "Experiment", "Failure", "Finding", "Plan", "Results", "Summary"]
