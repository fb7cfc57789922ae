# SPDX-License-Identifier: GPL-2.0-only
"""Where this source is, and a test with a folder of its own."""

import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]


class FolderTest(unittest.TestCase):
    """A test with an empty folder, which is gone when it ends."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
