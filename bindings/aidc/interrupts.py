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

__all__ = ["ending_at_once"]


@contextlib.contextmanager
def ending_at_once(ns, text: str = "interrupted") -> Iterator[None]:
    """Within the block, Ctrl-C ends the script at once, with one line and exit status 130.

    Where Python has a handler of the user, or none, as in a shell's background, or where somebody
    works at a prompt, nothing changes.
    """
    is_script = not hasattr(sys, "ps1") and "ipykernel" not in sys.modules
    is_main = threading.current_thread() is threading.main_thread()
    if not (is_script and is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler):
        yield
        return
    message = ns.aidc.InterruptMessage(f"{Path(sys.argv[0]).name}: {text}")
    try:
        yield
    finally:
        message.__destruct__()
