# SPDX-License-Identifier: GPL-2.0-only
"""python3 -m aidc.experiments PROGRAM [--OPTION ...]: see command.py."""

import sys

from aidc.experiments.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
