# SPDX-License-Identifier: GPL-2.0-only
"""The program of an experiment, which makes one run; several of them at once, and how far they are."""

from __future__ import annotations

import collections
import contextlib
import ctypes
import json
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Optional

from aidc.experiments.folder import Failure

FATAL = ("msg=\"", "aborted. ", "NS_ASSERT", "file=")
"""How the messages of ns-3's fatal errors begin; see fatal-error.h, abort.h and assert.h of ns-3."""

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end an experiment."""


class Interrupted(KeyboardInterrupt):
    """A signal that ends the experiment: SIGINT, SIGTERM or SIGHUP."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def ending_signals(handler: Callable[[int, Any], None]) -> Iterator[None]:
    """In the block, a handler gets the signals that end a program, except signals that are ignored, as
    by nohup. Afterwards, they have the handlers that they had."""
    before = {
        number: signal.signal(number, handler)
        for number in ENDING
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, one in before.items():
            signal.signal(number, signal.SIG_DFL if one is None else one)  # None is one of C


def die_with_parent() -> None:
    """Has the kernel end this process with its parent, where it can (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


@dataclass(frozen=True)
class Run:
    """One run of a scheme in a scenario."""

    scenario: str
    scheme: str
    number: int

    @property
    def kind(self) -> str:
        """Scheme and scenario."""
        return f"{self.scheme}@{self.scenario}"

    def __str__(self) -> str:
        return f"run {self.number} of {self.kind}"


@dataclass(frozen=True)
class Program:
    """The program of an experiment with the options of all its runs."""

    name: str
    """How it names itself, aidc-EXPERIMENT."""

    path: Path
    arguments: Sequence[str]
    processes: int = 1
    """The processes of a parallel simulation, which share each run."""

    env: Optional[Mapping[str, str]] = None

    def plan(self) -> dict[str, Any]:
        """What the program says it can run with these options; a Failure with its message."""
        try:
            ended = subprocess.run(
                [self.path, *self.arguments, "--plan"], env=self.env, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
            )
        except OSError as error:
            raise Failure(f"cannot run {self.path}: {error.strerror}") from None
        if ended.returncode:
            said = ended.stderr.rstrip("\n")
            fatal = [line for line in said.splitlines() if line.startswith(FATAL)]
            raise Failure((fatal or [said or end_of(ended.returncode)])[0])
        return json.loads(ended.stdout.splitlines()[-1])

    def command(self, run: Run, folder: Path) -> list[str]:
        """The command of a run, which writes files to a folder."""
        own = [f"--only={run.kind}", f"--run={run.number}", f"--out={folder}", "--json"]
        return [*self._launcher(), str(self.path), *self.arguments, *own]

    def _launcher(self) -> list[str]:
        if self.processes == 1:
            return []
        machines = os.environ.get("SLURM_JOB_NUM_NODES", "1")
        if machines.isdigit() and int(machines) > 1:  # srun starts the processes there
            return ["srun", "--kill-on-bad-exit=1", "--overcommit", f"--ntasks={self.processes}"]
        launcher = shutil.which("mpirun") or shutil.which("mpiexec")
        if not launcher:
            raise Failure(
                f"--processes={self.processes}: found no mpirun or mpiexec, which starts them; expected "
                "the package openmpi-bin (Debian and Ubuntu), openmpi (Fedora) or open-mpi (Homebrew), or "
                "--processes=1"
            )
        return [launcher, "-n", str(self.processes)]

    def environment(self) -> dict[str, str]:
        """The environment of runs. Open MPI has to be told, unless the user has, what root has to
        confirm, and that there may be more processes than processors, each on any of them."""
        env = dict(os.environ if self.env is None else self.env)
        if self.processes > 1:
            if os.geteuid() == 0:
                env.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
                env.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            env.setdefault("OMPI_MCA_rmaps_base_oversubscribe", "1")
            env.setdefault("OMPI_MCA_hwloc_base_binding_policy", "none")
            env.setdefault("OMPI_MCA_opal_signal", "")  # no traces of the stack
            env.setdefault("SLURM_MPI_TYPE", "pmix")  # which Debian's Open MPI needs of srun
        return env

    def describe(self, run: Run, status: int, said: str) -> tuple[str, str]:
        """What a run that has failed has said before, and why it has failed."""
        own = re.search(f"^{re.escape(self.name)}: ", said, re.M)
        fatal = re.search(f"^({'|'.join(map(re.escape, FATAL))}).*", said, re.M)
        if self.processes > 1:
            told = "".join(f"{line}\n" for line in said.splitlines() if line.startswith("aidc: "))
            if own:
                return told, said[own.start() :].splitlines()[0]
            return told, self._describe_processes(said, f": {fatal[0]} ({run})" if fatal else "")
        if own:
            return said[: own.start()], said[own.start() :].rstrip("\n")
        if fatal and status == -signal.SIGABRT:
            return said[: fatal.start()], f"{fatal[0]} ({run})"
        text = f"{run} {end_of(status)}"
        if status == -signal.SIGKILL:
            text += "; if memory was too small, a smaller --jobs needs less"
        return said, text

    def _describe_processes(self, said: str, fatal: str) -> str:
        """Why processes have failed that do not say so, by what mpirun says, and maybe a fatal error."""
        found = re.search(r"process rank (\d+) .*?exited\s+on\s+signal (\d+) \(([^)]*)\)", said, re.S)
        if not found:
            return f"cannot run {self.processes} processes; mpirun says:\n{said.rstrip()}"
        if fatal and int(found[2]) == signal.SIGABRT:
            return f"process {found[1]}{fatal}"
        if int(found[2]) == signal.SIGKILL:
            return f"process {found[1]} was killed; systems do so when memory is too small"
        return f"process {found[1]} was ended by signal {found[2]} ({found[3]})"


def end_of(status: int) -> str:
    """How a process has ended that was not done."""
    if status >= 0:
        return f"has ended with exit status {status} before it was done"
    return f"was ended by signal {-status} ({signal.strsignal(-status)})"


class _Process:
    """A run that is being made."""

    def __init__(self, program: Program, number: int, run: Run, folder: Path) -> None:
        self.number = number
        self.run = run
        self.folder = folder
        self.outcome: Optional[dict[str, Any]] = None
        self.errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self.rest = b""
        folder.mkdir(parents=True)
        self.popen = subprocess.Popen(
            program.command(run, folder), env=program.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.errors, preexec_fn=die_with_parent,
            start_new_session=program.processes > 1,  # Ctrl-C is for this process, which ends mpirun
        )
        assert self.popen.stdout is not None
        self.output = self.popen.stdout

    def lines(self, data: bytes) -> Iterator[dict[str, Any]]:
        """What the program tells; other lines that it prints come with its errors."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            text = line.decode("utf-8", "replace")
            if text.startswith('{"progress":'):
                yield json.loads(text)
            elif text.startswith('{"metrics":'):
                self.outcome = json.loads(text)
            elif text:
                self.errors.write(text + "\n")

    def said(self) -> str:
        """What it has said in addition to that."""
        self.errors.seek(0)
        with self.errors:
            return self.errors.read()

    def end(self) -> None:
        """Ends it, if it has not ended."""
        with contextlib.suppress(ProcessLookupError):
            self.popen.terminate()
        try:
            self.popen.wait(3)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        self.output.close()
        self.errors.close()


def make_all(
    program: Program,
    runs: Sequence[Run],
    at_once: int,
    folder: Path,
    progress: Progress,
    take: Callable[[Run, dict[str, Any], Path], None],
) -> None:
    """Makes runs. Where there are some at once, the first ones of each kind begin before all others, so
    that it is known early what they cost. take(run, outcome, files) gets them in their order."""
    order = sorted(range(len(runs)), key=lambda i: at_once > 1 and runs[i].number != 1)
    running: dict[int, _Process] = {}
    done: dict[int, tuple[dict[str, Any], str, Path]] = {}
    taken = 0
    has_numbers = at_once > 1 and any(run.number > 1 for run in runs)
    with selectors.DefaultSelector() as selector:
        try:
            while taken < len(runs):
                while order and len(running) < at_once:
                    number = order.pop(0)
                    run = runs[number]
                    process = _Process(program, number, run, folder / f"{number}")
                    running[number] = process
                    selector.register(process.output, selectors.EVENT_READ, process)
                    suffix = f" run {run.number}" if has_numbers else ""
                    progress.begin(number, run.kind + suffix)
                for key, _ in selector.select():
                    process = key.data
                    if data := os.read(key.fd, 65536):
                        for told in process.lines(data):
                            progress.tell(process.number, told["text"], told["progress"] or 0.0)
                        continue
                    selector.unregister(key.fileobj)
                    done[process.number] = _finish(program, process, progress)
                    del running[process.number]
                    progress.end(process.number)
                while taken in done:
                    outcome, said, files = done.pop(taken)
                    progress.print(said)
                    take(runs[taken], outcome, files)
                    taken += 1
        finally:
            for process in running.values():
                process.end()


def _finish(
    program: Program, process: _Process, progress: Progress
) -> tuple[dict[str, Any], str, Path]:
    """What a run that has ended has measured and said, and where its files are."""
    status = process.popen.wait()
    process.output.close()
    said = process.said()
    if status == -signal.SIGINT:
        raise Interrupted(signal.SIGINT)  # of all processes, as a terminal sends it
    if status or process.outcome is None:
        told, reason = program.describe(process.run, status, said)
        progress.print(told)
        raise Failure(reason)
    return process.outcome, said, process.folder


SOON, LATE = 0.5, 10.0
"""Seconds between lines on a terminal, and elsewhere."""

ROOM = 48
"""Characters for names, so that a line of a terminal does not break."""

LEAST_SHARE = 0.01
"""Part of a run, before which its end is a guess."""

CLEAR = "\r\033[K"


class Progress:
    """Tells the user; runs of one kind (a scheme in a scenario) cost about the same."""

    def __init__(self, kinds: Sequence[str], at_once: int) -> None:
        self._kinds = kinds
        self._at_once = at_once
        self._due = collections.Counter(kinds)
        self._done: dict[str, list[float]] = {}
        self._runs: dict[int, SimpleNamespace] = {}
        self._n_done = 0
        self._last = time.monotonic()
        self._terminal = sys.stderr.isatty()
        self._has_written = False
        self._is_open = False

    def begin(self, run: int, name: str) -> None:
        """A run begins."""
        self._runs[run] = SimpleNamespace(name=name, begin=time.monotonic(), text="", share=0.0, has_told=False)
        self._due[self._kinds[run]] -= 1

    def tell(self, run: int, text: str, share: float) -> None:
        """A run has come so far."""
        told = self._runs[run]
        is_first = not told.has_told
        told.text, told.share, told.has_told = text, share, True
        # Each run has its line when it begins, or all of them have one
        if self._at_once > 1:
            is_due = not self._has_written
        else:
            is_due = is_first and (self._terminal or self._n_done == 0 or self._is_new_tenth())
        if is_due or time.monotonic() - self._last >= (SOON if self._terminal else LATE):
            self._write()

    def end(self, run: int) -> None:
        """A run has ended."""
        kind = self._kinds[run]
        self._done.setdefault(kind, []).append(time.monotonic() - self._runs.pop(run).begin)
        self._n_done += 1
        if self._at_once > 1 and (self._terminal or self._is_new_tenth()):
            self._write()

    def print(self, said: str) -> None:
        """Prints what a run has said."""
        if said:
            self.close()
            print(said.rstrip("\n"), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Clears the line of a terminal."""
        if self._is_open:
            print(CLEAR, end="", file=sys.stderr, flush=True)
            self._is_open = False

    def _is_new_tenth(self) -> bool:
        """Has the last run that has ended completed a tenth of all?"""
        tenths = [10 * n // len(self._kinds) for n in (self._n_done - 1, self._n_done)]
        return tenths[0] != tenths[1]

    def _write(self) -> None:
        self._last = now = time.monotonic()
        left = remaining(
            [(self._kinds[i], now - run.begin, run.share) for i, run in self._runs.items()],
            self._done, self._due, self._at_once,
        )
        if self._at_once > 1:
            line = f"[{self._n_done}/{len(self._kinds)} done] {self._names()}".rstrip()
        else:
            number, run = next(iter(self._runs.items()))
            line = f"[{number + 1}/{len(self._kinds)}] {run.name}{run.text}"
        if left is not None and left >= 1:
            line += f", about {_duration(left)} left"
        begin, end = (CLEAR, "") if self._terminal else ("", "\n")
        print(begin + line, end=end, file=sys.stderr, flush=True)
        self._is_open = self._terminal
        self._has_written = True

    def _names(self) -> str:
        names = ""
        for n, (_, run) in enumerate(sorted(self._runs.items())):
            longer = f"{names}, {run.name}" if names else run.name
            if n and len(longer) > ROOM:
                return f"{names} and {len(self._runs) - n} more"
            names = longer
        return names


def remaining(
    running: Sequence[tuple[str, float, float]],
    done: dict[str, list[float]],
    due: dict[str, int],
    at_once: int,
) -> Optional[float]:
    """Estimates the seconds that are left, from the kind, the seconds and the share of each run that is
    being made, the seconds of runs that are done, and the number of runs that have not begun."""
    costs = {kind: sum(times) / len(times) for kind, times in done.items()}
    for kind, passed, share in running:
        if share >= LEAST_SHARE and kind not in done:
            costs[kind] = max(costs.get(kind, 0.0), passed / share)
    if not costs:
        return None
    most = max(costs.values())
    lefts = [costs.get(kind, most) * (1 - share) for kind, _, share in running]
    total = sum(lefts) + sum(n * costs.get(kind, most) for kind, n in due.items())
    longest = max([*lefts, *(costs.get(kind, most) for kind, n in due.items() if n > 0)], default=0.0)
    return max(total / at_once, longest)


def _duration(seconds: float) -> str:
    """A time in s, min or h."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
