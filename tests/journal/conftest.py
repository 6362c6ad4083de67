"""A folder in memory, and the files of an evening in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .folders import Files, memory
from .recorded import Told, evening_kept


@pytest.fixture
def place() -> Iterator[Path]:
    """Give an empty folder in memory."""
    with memory() as folder:
        yield folder


@pytest.fixture(scope="session")
def killed() -> tuple[Files, Told]:
    """Give the same of an evening that a kill ended in the midst of a game."""
    with memory() as folder:
        return evening_kept(folder / "box", killed=True)


@pytest.fixture(scope="session")
def kept() -> tuple[Files, Told]:
    """Give the files of an evening, and what the journal was told; neither is to be changed."""
    with memory() as folder:
        return evening_kept(folder / "box")
