# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Ctrl-C while a simulation runs.

Python itself looks at signals between its own instructions only, so that a simulation, which is one
call of C++, would go on until its end.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def ending_at_once(ns) -> Iterator[None]:
    """Within the block, Ctrl-C ends the script at once, with one line and exit status 130.

    Nothing changes where a user has a handler or works at a prompt, or where Ctrl-C is ignored, as in
    the background of a shell.
    """
    is_script = not hasattr(sys, "ps1") and "ipykernel" not in sys.modules
    is_main = threading.current_thread() is threading.main_thread()
    if not (is_script and is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler):
        yield
        return
    message = ns.aidc.InterruptMessage(f"{Path(sys.argv[0]).name}: interrupted")
    try:
        yield
    finally:
        message.__destruct__()
