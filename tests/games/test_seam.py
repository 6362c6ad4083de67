"""Nothing outside the package of a game names it, so that a game can be added or removed as a whole."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from companion.games import GAMES

ROOT = Path(__file__).parents[2]
PRODUCT = ("companion", "hardware")
REGISTER = ROOT / "companion" / "games" / "python_games.py"
PACKAGES = {ROOT / "companion" / "games" / name.replace("-", "_") for name in GAMES}
NAMES = re.compile("|".join(rf"\b{name.replace('-', '[ _-]')}\b" for name in GAMES), re.IGNORECASE)


def _documented(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the docstrings of a module: their examples play real games."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            yield body[0].value


def _names_in(file: Path) -> Iterator[str]:
    text = file.read_text()
    if not NAMES.search(text):
        return
    tree = ast.parse(text)
    documented = {*_documented(tree)}
    for node in ast.walk(tree):
        words = [str(value) for _name, value in ast.iter_fields(node) if isinstance(value, str)]
        if node not in documented and any(map(NAMES.search, words)):
            yield f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}: {words}"


def test_nothing_outside_a_games_package_names_the_game() -> None:
    files = [file for top in PRODUCT for file in (ROOT / top).rglob("*.py")]
    found = [file for file in files if file != REGISTER and not PACKAGES & {*file.parents}]
    assert len(found) > 200
    assert [named for file in found for named in _names_in(file)] == []


def test_every_file_of_a_game_lies_in_its_package() -> None:
    for name in GAMES:
        assert not [
            file for top in PRODUCT for file in (ROOT / top).rglob(f"*{name}*") if not PACKAGES & {file, *file.parents}
        ]
