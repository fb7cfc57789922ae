# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the version: what a build says of itself, and the number of the release."""

import os
import re
import shutil
import subprocess
import unittest

from folder_test import SOURCE, FolderTest

SCRIPT = SOURCE / "cmake" / "write-version.cmake"


class Release(unittest.TestCase):
    """The number of the release, which CITATION.cff gives."""

    def test_changes_begin_with_the_release(self):
        text = (SOURCE / "CITATION.cff").read_text(encoding="utf-8")
        release = re.search(r'^version: "(\d+\.\d+(?:\.\d+)?)"$', text, re.M)[1]
        changes = (SOURCE / "CHANGES.md").read_text(encoding="utf-8")
        self.assertEqual(re.search(r"^## (\S+)", changes, re.M)[1], release)


@unittest.skipUnless(shutil.which("git") and shutil.which("cmake"), "needs git and cmake")
class Version(FolderTest):
    """The version of a checkout."""

    def setUp(self):
        super().setUp()
        self.checkout = self.folder / "checkout"
        self.checkout.mkdir()
        self.output = self.folder / "aidc-version.cc"

    def git(self, *arguments):
        """Runs git in the checkout, and returns what it prints."""
        identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
        command = ["git", "-C", self.checkout, *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, text):
        """Commits a file, and returns the short name of the commit."""
        if not (self.checkout / ".git").exists():
            self.git("init")
        (self.checkout / "file").write_text(text)
        self.git("add", "file")
        self.git("commit", "-m", text)
        return self.git("rev-parse", "--short", "HEAD")

    def version(self, source=None, **environment):
        """What a build would say of a folder."""
        source = source or self.checkout
        options = [f"-DSOURCE={source}", f"-DOUTPUT={self.output}"]
        command = ["cmake", *options, "-P", SCRIPT]
        # The folders above the test's own may be a repository.
        limit = {"GIT_CEILING_DIRECTORIES": str(self.folder)}
        subprocess.run(command, check=True, env={**os.environ, **limit, **environment})
        return re.search('return "(.*)";', self.output.read_text())[1]

    def test_no_repository(self):
        self.assertEqual(self.version(), "unknown")
        (self.checkout / "CITATION.cff").write_text('cff-version: 1.2.0\nversion: "1.3"\n')
        self.assertEqual(self.version(), "1.3")

    def test_no_git(self):
        self.commit("a")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "cmake").symlink_to(shutil.which("cmake"))
        self.assertEqual(self.version(PATH=str(self.folder / "bin")), "unknown")

    def test_commits_and_changes(self):
        first = self.commit("a")
        self.assertEqual(self.version(), first)
        written = self.output.stat().st_mtime_ns
        self.assertEqual(self.version(), first)
        self.assertEqual(self.output.stat().st_mtime_ns, written)  # nothing is compiled again
        (self.checkout / "file").write_text("b")
        self.assertEqual(self.version(), first + "-dirty")
        second = self.commit("c")
        self.assertEqual(self.version(), second)
        self.git("tag", "v1.0")
        self.assertEqual(self.version(), "v1.0")

    def test_a_part_of_another_repository(self):
        self.commit("a")
        inner = self.checkout / "contrib"
        inner.mkdir()
        self.assertEqual(self.version(inner), "unknown")
        self.assertEqual(self.version(inner, GIT_DIR=str(self.checkout / ".git")), "unknown")
