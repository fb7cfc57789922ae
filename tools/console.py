# SPDX-License-Identifier: GPL-2.0-only
"""What all commands share: numbered steps with progress, their logs, failures that say how to mend them,
and how much to do at once."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Optional

from aidc.experiments.program import ending_signals

if TYPE_CHECKING:
    from .packages import Requirement

COMMAND = "./aidc" if __package__ == "tools" else "aidc"
"""What the user types: the script of a checkout, or the command of an installed package."""

TAIL_LINES = 25
"""Lines of a log that are shown when its step fails."""

ERROR_LINES = 5
"""Errors that are picked from such a log."""

REPORT_INTERVAL = 30.0
"""Seconds between two signs of life where the output is not a terminal."""

GIGABYTES_PER_JOB = 2
"""Memory that compiling one file against ns-3 may take, and a large simulation."""


class Failure(Exception):
    """Something that ends the command: what failed, how to mend it, and its log."""

    status = 1
    """The command's exit status."""

    def __init__(self, what: str, mend: str = "", log: Optional[Path] = None) -> None:
        super().__init__(what)
        self.what = what
        self.mend = mend
        self.log = log

    def report(self) -> str:
        """The text for the user: last lines of the log, what failed, how to mend it."""
        lines = []
        if self.log and self.log.exists():
            if errors := first_errors(self.log):
                lines += [f"--- first errors in {shown(self.log)} ---", *errors]
            lines += [f"--- last lines of {shown(self.log)} ---", *tail(self.log), "---"]
        lines.append(f"aidc: {self.what}")
        if self.mend:
            lines.append(self.mend)
        return "\n".join(lines)


class WrongUse(Failure):
    """A name, an option or a folder that the command refuses, as argparse refuses others."""

    status = 2


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP, which ends the command as Ctrl-C does."""


def terminate(*_: object) -> None:
    """A handler of SIGTERM and SIGHUP."""
    raise Terminated


@dataclass(frozen=True)
class Step:
    """One thing to do, shown by its title while it is done."""

    title: str
    action: Callable[[Progress], object]
    log: Path
    """What has the output of its commands."""

    needs: Sequence[Requirement] = ()
    """What the system must have before."""


class Progress:
    """Shows one step, its number, its title and for how long it has been running, and runs its commands."""

    def __init__(self, number: str, step: Step) -> None:
        self._step = step
        self._label = f"[{number}] {step.title}"
        self._begin = time.monotonic()
        self._reported = self._begin
        self._terminal = sys.stderr.isatty()
        self._show("" if self._terminal else "\n")

    def run(
        self,
        command: Sequence[object],
        mend: str = "",
        what: str = "",
        env: Optional[Mapping[str, str]] = None,
    ) -> None:
        """Runs a command with its output appended to the log; a Failure if it fails. what is done by it,
        if that is not the title."""
        with started(command, self._step.log, what or self._step.title, mend, env) as finish:
            finish(self)

    def tick(self, detail: str = "") -> None:
        """Called now and then while the step runs."""
        now = time.monotonic()
        if self._terminal:
            self._show(f"  {detail}  {now - self._begin:.0f} s")
        elif now - self._reported >= REPORT_INTERVAL:
            self._reported = now
            print(f"      {detail} {now - self._begin:.0f} s", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, failure: object, *_: object) -> None:
        """Tells that the step has ended well; leaves its line as it is if it has failed."""
        elapsed = time.monotonic() - self._begin
        if failure:
            print(end="\n" if self._terminal else "", file=sys.stderr)
        elif self._terminal:
            self._show(f"  {elapsed:.1f} s\n")
        else:
            print(f"      done in {elapsed:.1f} s", file=sys.stderr, flush=True)

    def _show(self, rest: str) -> None:
        start = "\r\033[K" if self._terminal else ""
        print(f"{start}{self._label}{rest}", end="", file=sys.stderr, flush=True)


def run_steps(steps: Sequence[Step]) -> None:
    """Does the steps in order, each with its progress line."""
    for number, step in enumerate(steps, start=1):
        with Progress(f"{number}/{len(steps)}", step) as progress:
            step.action(progress)


@contextlib.contextmanager
def started(
    command: Sequence[object],
    log: Path,
    what: str,
    mend: str = "",
    env: Optional[Mapping[str, str]] = None,
) -> Iterator[Callable[[Progress], None]]:
    """Starts a command with its output appended to a log, and gives what waits for its end, with a
    Failure if it fails. An exception within the block ends the command."""
    words = [str(word) for word in command]
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as output:
        output.write(f"$ {shlex.join(words)}\n")
        output.flush()
        streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": subprocess.STDOUT}
        with contextlib.ExitStack() as stack:
            try:
                process = stack.enter_context(session(words, env=env, **streams))
            except OSError as error:
                raise Failure(f"{what}: {error}", mend) from error

            def finish(progress: Progress) -> None:
                while process.poll() is None:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(timeout=0.5)
                    progress.tick(counter(log))
                if process.returncode != 0:
                    raise Failure(f"{what} failed (exit code {process.returncode}).", mend, log)

            yield finish


@contextlib.contextmanager
def session(command: Sequence[str], **options: object) -> Iterator[subprocess.Popen]:
    """A process that leads a session of its own, all of which ends if the block is left by an
    exception."""
    # An exception before there is an object to end it by would leave it running.
    held: list[int] = []
    process = None
    try:
        with ending_signals(lambda number, _: held.append(number)):
            process = subprocess.Popen(command, start_new_session=True, **options)
        for number in held:
            signal.raise_signal(number)
        yield process
    except BaseException:
        if process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()
        raise


def counter(log: Path) -> str:
    """The last "[12/80]" or "[ 15%]" that a build wrote to its log, if any."""
    found = re.findall(r"^\[\s*(\d+(?:/\d+|%))\]", "\n".join(tail(log, 5)), re.M)
    return found[-1] if found else ""


def tail(log: Path, count: int = TAIL_LINES) -> list[str]:
    """The last lines of a file, read from its end."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 200 * count))
        return file.read().decode("utf-8", "replace").splitlines()[-count:]


def first_errors(log: Path) -> list[str]:
    """The first errors that the last command of a log told, from compilers, CMake or pip."""
    errors: list[str] = []
    with log.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("$ "):
                errors.clear()
            elif len(errors) < ERROR_LINES and re.search(r"error:|^CMake Error|^ERROR", line):
                errors.append(line.rstrip())
    return errors


def shown(path: Path) -> str:
    """A path as the user would write it: relative where that is shorter."""
    relative = os.path.relpath(path)
    return relative if len(relative) < len(str(path)) else str(path)


def note(text: str) -> None:
    """A line of information, apart from what the command was asked to print."""
    print(text, file=sys.stderr, flush=True)


def similar(name: str, known: Iterable[str]) -> str:
    """A question for the name that was meant, where one of the known names is like it."""
    found = difflib.get_close_matches(name, list(known), 1)
    return f" (did you mean {found[0]}?)" if found else ""


def jobs() -> int:
    """How many files to compile, or simulations to run, at once: all processors, where memory
    allows."""
    processors = os.cpu_count() or 1
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (ValueError, OSError):
        return processors
    return max(1, min(processors, int(memory / GIGABYTES_PER_JOB)))


def simulation_environment() -> dict[str, str]:
    """The environment of simulations: glibc (2.35 on) may back their memory by huge pages, and keeps
    more of what was freed at hand.

    A fabric of a thousand hosts is spread over so many pages that much of its time goes into
    finding them; and packets that one host frees are made again by another. What the user has set
    in GLIBC_TUNABLES is left as it is.
    """
    tunables = "glibc.malloc.hugetlb=1:glibc.malloc.tcache_count=2000"
    return {"GLIBC_TUNABLES": tunables, **os.environ}
