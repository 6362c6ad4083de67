"""Games that people add, in a folder of the test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from companion.app import games
from companion.app.games import GameFinder, find_added_games
from companion.games import GAMES, shipped

OURS = """\
name = "ours"
title = "Ours"
seats = "3-8"
best = "lowest"
[[ask]]
name = "bid"
[[ask]]
name = "tricks"
[score]
points = "bid + tricks"
"""

PACKAGE = """\
INTERFACE = {interface}
from msgspec.structs import replace
from tests.games.golf import GOLF
OURS = replace(GOLF, name="packed", title="Packed")
OTHER = replace(GOLF, name="packed-too")
NOTHING = 3
"""


def looked_for_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Go to a folder, and look for added games there while the test lasts; nobody is at the terminal."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.stdin", StringIO())
    monkeypatch.setattr(games, "SYSTEM", folder / "system")
    monkeypatch.setattr(GameFinder.__init__, "__defaults__", (folder / "system",))
    find_added_games(lambda: folder / "data")
    yield
    GAMES.use(shipped)


def laid(name: str = "ours", text: str = OURS, folder: str = "data/added-games") -> Path:
    """Lay a game's file into a folder."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    file = Path(folder, f"{name}.toml")
    file.write_text(text)
    return file


def installed(monkeypatch: pytest.MonkeyPatch, interface: object = 1, **points: str) -> None:
    """Install a package with games at some entry points."""
    Path("packed_games.py").write_text(PACKAGE.format(interface=interface))
    Path("packed_raises.py").write_text("raise ZeroDivisionError('at import')")
    about = Path("packed_games-2.1.dist-info")
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: packed-games\nVersion: 2.1\n")
    lines = [f"{name.replace('_', '-')} = {value}" for name, value in points.items()]
    (about / "entry_points.txt").write_text("\n".join(["[tabletop_companion.games]", *lines]))
    monkeypatch.syspath_prepend(Path.cwd())
    monkeypatch.delitem(sys.modules, "packed_games", raising=False)
