"""The list of parts, in the order of the table. Each has a whole form, and a short one for the suite."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from .table import Row

PARTS = ("games", "length", "panel", "process", "many", "history", "keys", "slips", "boards", "phones")


def rows(part: str, *, short: bool = False) -> Iterator[Row]:
    """Yield every figure of a part as soon as it is measured."""
    module = import_module(f"tests.harness.bench.{part}")
    yield from module.rows(module.SHORT if short else module.WHOLE)


def what(part: str) -> str:
    """Return what a part measures, in a line."""
    return (import_module(f"tests.harness.bench.{part}").__doc__ or "").partition("\n")[0]
