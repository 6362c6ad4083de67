"""Fixtures: a folder in memory, and the journal files of an evening."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .folders import Files, memory
from .recorded import Told, evening_kept


@pytest.fixture
def place() -> Iterator[Path]:
    """Yield an empty folder in memory."""
    with memory() as folder:
        yield folder


@pytest.fixture(scope="session")
def killed() -> tuple[Files, Told]:
    """Return the files of an evening that was killed during a game, and what the journal was told."""
    with memory() as folder:
        return evening_kept(folder / "box", killed=True)


@pytest.fixture(scope="session")
def kept() -> tuple[Files, Told]:
    """Return the files of an evening and what the journal was told; tests must not change them."""
    with memory() as folder:
        return evening_kept(folder / "box")
