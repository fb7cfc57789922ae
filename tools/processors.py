# SPDX-License-Identifier: GPL-2.0-only
"""How much to do at once."""

import os

GIGABYTES_PER_JOB = 1.0
"""Memory that compiling one file against ns-3 may take, and a large simulation."""


def jobs() -> int:
    """How many files to compile, or simulations to run, at once: all processors, where memory
    allows."""
    processors = os.cpu_count() or 1
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (ValueError, OSError):
        return processors
    return max(1, min(processors, int(memory / GIGABYTES_PER_JOB)))
