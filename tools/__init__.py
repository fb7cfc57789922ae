# SPDX-License-Identifier: GPL-2.0-only
"""What the command ./aidc is made of. Standard library only, Python 3.9 or later."""
