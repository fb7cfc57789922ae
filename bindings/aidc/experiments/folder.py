# SPDX-License-Identifier: GPL-2.0-only
"""The folder of an experiment's results, which appear there all at once, or not at all."""

from __future__ import annotations

import contextlib
import csv
import fcntl
import io
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

LOCK = ".lock"
"""The file that a run locks."""

FILES = ".results"
"""The file that names the results of a folder: nothing else there is touched."""


class Failure(Exception):
    """What ends an experiment, in words."""


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Writes a file in the block; a Failure that names it, as where the disk is full."""
    try:
        yield
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror}") from None


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


class ResultsFolder:
    """Where a run of an experiment writes: FOLDER.partial, until all is there."""

    def __init__(self, folder: Path, experiment: str, overwrite: bool = False) -> None:
        self.folder = Path(os.path.abspath(folder))
        if not self.folder.name:
            raise Failure(f"expected a folder for results, not {folder}")
        if self.folder.exists() and not self.folder.is_dir():
            raise Failure(f"{self.folder} is no folder")
        found = None
        with contextlib.suppress(OSError, UnicodeDecodeError):
            text = (self.folder / "summary.json").read_text(encoding="utf-8")
            found = re.search(r'^\s*"experiment": "([^"]+)",?$', text, re.M)
        if found and found[1] != experiment and not overwrite:
            raise Failure(
                f"{self.folder} has results of the experiment {found[1]}; choose another folder with "
                "--out, or give --overwrite to replace them"
            )
        self.partial = self.folder.with_name(self.folder.name + ".partial")
        self.keeps = False
        """Does what is there stay if the run fails?"""
        self._is_moving = False

    @contextlib.contextmanager
    def opened(self) -> Iterator[Path]:
        """Gives the folder to write to, empty and for this process alone; removes it at the end, unless
        it is to be kept."""
        lock = self._lock()
        try:
            for path in self.partial.iterdir():
                if path.name != LOCK:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            yield self.partial
        except OSError as error:
            where = error.filename or f"to {self.partial}"
            raise Failure(f"cannot write {where}: {error.strerror}") from None
        except KeyboardInterrupt:
            self.keeps = self._is_moving
            raise
        finally:
            if self.keeps:
                (self.partial / LOCK).unlink(missing_ok=True)
            else:
                shutil.rmtree(self.partial, ignore_errors=True)
            os.close(lock)

    def commit(self) -> None:
        """Moves all files to the folder, in place of the results that it had."""
        names = sorted(path.name for path in self.partial.iterdir() if path.name != LOCK)
        with writing(self.partial / FILES):
            (self.partial / FILES).write_text("".join(f"{name}\n" for name in names), "utf-8", "surrogateescape")
        self.keeps = self._is_moving = True  # until all is moved
        try:
            self.folder.mkdir(exist_ok=True)
            before: list[str] = []
            with contextlib.suppress(FileNotFoundError):
                before = (self.folder / FILES).read_text("utf-8", "surrogateescape").splitlines()
            for name in set(before) - {*names, "", ".", ".."}:
                path = self.folder / name
                if Path(name).name == name:  # whatever somebody has written there
                    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            for name in [*names, FILES]:
                os.replace(self.partial / name, self.folder / name)
        except OSError as error:
            raise Failure(f"cannot move results to {self.folder}: {error.strerror}") from None
        self.keeps = self._is_moving = False

    def _lock(self) -> int:
        """A lock on the folder to write to."""
        while True:
            try:
                self.partial.mkdir(parents=True, exist_ok=True)
                lock = os.open(self.partial / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o666)
            except FileNotFoundError:
                continue  # the run before has removed the folder between these two calls
            except OSError as error:
                raise Failure(f"cannot write to {self.partial}: {error.strerror}") from None
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(lock)
                raise Failure(
                    f"another run writes its results to {self.folder}; choose another folder with --out"
                ) from None
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(lock), os.stat(self.partial / LOCK)):
                    return lock
            os.close(lock)
