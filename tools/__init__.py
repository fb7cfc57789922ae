# SPDX-License-Identifier: GPL-2.0-only
"""What the command ./aidc is made of. Standard library only, Python 3.9 or later."""

import sys
from pathlib import Path

_BINDINGS = Path(__file__).resolve().parents[1] / "bindings"
if _BINDINGS.is_dir():
    sys.path.append(str(_BINDINGS))  # figures come from aidc.experiments
