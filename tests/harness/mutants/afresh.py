"""Runs tests with a fault that is in place before the rules are imported, so that tables made then contain it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, ModuleType

import pytest

from .faults import Fault
from .suite import run

TOO_LONG = 300
"""The time limit in seconds."""


class Faulty(SourceFileLoader):
    """The loader and finder of a module with a fault in it."""

    def __init__(self, module: str, path: str, source: str) -> None:
        super().__init__(module, path)
        self._source = source

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = compile(self._source, self.path, "exec")
        return code


class InOrder:
    """A pytest plugin that runs some tests in a given order, and no others."""

    def __init__(self, tests: Sequence[str]) -> None:
        """Keep the node ids of the tests."""
        self._places = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Select the tests, in their order."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._places), key=lambda item: self._places[item.nodeid]
        )


def survives_afresh(fault: Fault, tests: Sequence[str]) -> bool:
    """Run tests in a new process; return whether all pass."""
    command = [sys.executable, "-m", "tests.harness.mutants.afresh"]
    told = json.dumps([fault.module, str(fault.path), fault.source, tests])
    try:
        done = subprocess.run(command, input=told, text=True, capture_output=True, timeout=TOO_LONG, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    *faulty, in_order = json.load(sys.stdin)
    sys.meta_path.insert(0, Faulty(*faulty))
    sys.exit(run("-x", plugins=[InOrder(in_order)]))
