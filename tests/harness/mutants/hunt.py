"""Collects the tests once, and tries every fault in a process forked from there."""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from functools import cache
from inspect import unwrap
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import coverage
import pytest
from _pytest.runner import runtestprotocol

from .afresh import survives_afresh
from .faults import Fault

MEMORY = 2 << 30
"""The most memory that a process may add to what it has, in bytes; an endless loop often fills a list meanwhile."""
PATIENCE = 2.0
"""Seconds of processor time that any test may take, plus five times its time without a fault."""
SLOW = 4.0
"""Seconds of a test under coverage above which it is left out."""
QUICK = 0.3
"""Seconds of a test above which it is left out in a new process."""
CONTROLS = 20
"""How many tests are run without a fault, as a control."""
BEGINNING = ""
"""Coverage's name for the time before the first test: the import of the rules."""


class Fate(Enum):
    """The outcome of a fault; out of reach of the tests that are run here, it may be noticed by those left out."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"
    OUT_OF_REACH = "out of reach"


class Hunt:
    """A pytest plugin that runs, for each fault, the tests that reach its lines, until one fails.

    Attributes:
        left_out: The tests that are too slow, or that fail under coverage or in a forked process.
    """

    def __init__(
        self, faults: Sequence[Fault], seen: coverage.Coverage, jobs: int, tell: Callable[[Fault, Fate], None]
    ) -> None:
        """Keep the faults and begin without results.

        Args:
            faults: The faults.
            seen: The coverage measurement, running since before the rules were imported.
            jobs: How many faults are tried at a time.
            tell: Called with the outcome of each fault.
        """
        self._faults = faults
        self._seen = seen
        self._jobs = jobs
        self._tell = tell
        self._tests: dict[str, pytest.Item] = {}
        self._took: dict[str, float] = {}
        self.left_out: set[str] = set()
        self._reaching: dict[str, dict[int, list[str]]] = {}
        self._killers: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all tests once to learn what they reach, and then some of them for each fault."""
        for item in session.items:
            self._learn(item)
        self._seen.stop()
        self._try_without_faults()
        data = self._seen.get_data()
        self._reaching = {path: data.contexts_by_lineno(path) for path in data.measured_files()}
        gc.freeze()  # what is here now need not be looked through in every process
        waiting = list(self._faults)[::-1]
        running: dict[int, tuple[Fault, list[str], int]] = {}
        while waiting or running:
            while waiting and len(running) < self._jobs:
                fault = waiting.pop()
                tests = self._in_order(fault, self._reach(fault))
                if not tests and BEGINNING not in self._reach(fault):
                    self._tell(fault, Fate.OUT_OF_REACH)
                    continue
                pid, out = self._fork(fault, tests)
                running[pid] = fault, tests, out
            if running:
                pid, status = os.wait()
                _end_group(pid)
                self._note(*running.pop(pid), status)
        return True

    def _learn(self, item: pytest.Item) -> None:
        self._seen.switch_context(item.nodeid)
        began = time.process_time()
        reports = runtestprotocol(item, log=False)
        took = time.process_time() - began
        if took > SLOW or any(report.failed for report in reports):
            self.left_out.add(item.nodeid)
        elif not any(report.skipped for report in reports):
            self._tests[item.nodeid], self._took[item.nodeid] = item, took

    def _try_without_faults(self) -> None:
        """Leave out every test that fails in a forked process, as those do that need a thread from before."""
        waiting = list(self._tests)
        while waiting:
            out, inside = os.pipe()
            pid = os.fork()
            if not pid:
                _limit()
                for test in waiting:
                    os.write(inside, b"-" if self._fails(test) else b"+")
                os._exit(0)
            os.close(inside)
            with os.fdopen(out) as report:
                outcomes = report.read()
            os.waitpid(pid, 0)
            _end_group(pid)
            failed = [test for test, outcome in zip(waiting, outcomes, strict=False) if outcome == "-"]
            for test in (*failed, *waiting[len(outcomes) : len(outcomes) + 1]):  # the last one ended the process
                self.left_out.add(test)
                del self._tests[test]
            waiting = waiting[len(outcomes) + 1 :]

    def _fails(self, test: str) -> bool:
        """Run a test; return whether it fails. One that takes far too long ends the process."""
        signal.setitimer(signal.ITIMER_PROF, PATIENCE + 5 * self._took[test])
        signal.setitimer(signal.ITIMER_REAL, 10 * (PATIENCE + self._took[test]))
        return any(report.failed for report in runtestprotocol(self._tests[test], log=False))

    def _reach(self, fault: Fault) -> set[str]:
        lines = self._reaching.get(str(fault.path.resolve()), {})
        return {test for line in fault.lines for test in lines.get(line, ())}

    def _in_order(self, fault: Fault, tests: set[str]) -> list[str]:
        """Return tests in running order: first those that noticed a fault of the same function, then quick ones."""
        killers = self._killers[fault.holders]
        order = sorted(tests & self._tests.keys(), key=lambda test: (-killers[test], self._took[test]))
        return order if fault.put is not None else order[:CONTROLS]

    def _fork(self, fault: Fault, tests: list[str]) -> tuple[int, int]:
        """Try a fault in a forked process; return its process id, and the file descriptor with the failed test."""
        out, inside = os.pipe()
        pid = os.fork()
        if pid:
            os.close(inside)
            return pid, out
        try:
            _limit()
            _exchange(fault)
            _forget()
            for number, test in enumerate(tests):
                if self._fails(test):
                    os.write(inside, str(number).encode())
                    os._exit(1)
            for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
                signal.setitimer(timer, 0)
            at_import = BEGINNING in self._reach(fault)
            quick = {test for test, took in self._took.items() if took < QUICK}
            os._exit(0 if not at_import or survives_afresh(fault, self._in_order(fault, quick)) else 1)
        except BaseException:
            os._exit(1)  # a module that cannot be imported, a test that leaves pytest

    def _note(self, fault: Fault, tests: list[str], out: int, status: int) -> None:
        with os.fdopen(out) as report:
            failed = report.read()
        if failed:
            self._killers[fault.holders][tests[int(failed)]] += 1
        if os.WIFSIGNALED(status):
            self._tell(fault, Fate.TIMED_OUT)
        else:
            self._tell(fault, Fate.KILLED if os.WEXITSTATUS(status) else Fate.SURVIVED)


def _limit() -> None:
    """Silence the process, give it a group of its own, and limit its memory."""
    os.setpgid(0, 0)
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    os.dup2(1, 2)
    has = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (has + MEMORY, has + MEMORY))


def _end_group(pid: int) -> None:
    """End what a process has started and left."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _exchange(fault: Fault) -> None:
    """Replace the code of the running function by the faulty one."""
    live, faulty = sys.modules[fault.module], ModuleType(fault.module)
    faulty.__dict__.update(__package__=live.__package__, __file__=live.__file__)
    exec(compile(fault.source, str(fault.path), "exec"), faulty.__dict__)
    old, new = (_function(module, fault.holders) for module in (live, faulty))
    old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__


def _forget() -> None:
    """Forget what the program has made and kept, such as declared games, so that it is made with the fault."""
    kept = type(cache(int))
    for name, module in list(sys.modules.items()):
        if name.startswith("companion."):
            for value in list(vars(module).values()):
                if isinstance(value, kept):
                    value.cache_clear()


def _function(module: ModuleType, holders: tuple[str, ...]) -> FunctionType:
    found: Any = module
    for name in holders:
        found = vars(found)[name]
    for inside in ("fget", "func", "__func__"):
        found = getattr(found, inside, found)
    found = unwrap(found)  # of what a decorator has made of it
    assert isinstance(found, FunctionType)
    return found
