"""The declared games that come with the program, a file each.

A file is read when its game is asked for, and no earlier: names come from the folder, titles from a look at each text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

from companion.core.game import Game
from companion.core.games import FAMILIES, OTHERS
from companion.core.text import Phrase

FOLDER = Path(__file__).parent
# compiled by `re` on first use
_TITLE = r'(?m)^title = "([^"\n]*)"$'
_FAMILY = r'(?m)^family = "([a-z-]+)"$'
_WORDS = r"(?m)^\[words\.(\w+)\]$"


@cache
def names() -> tuple[str, ...]:
    """Return the names of all games, in the order of the alphabet."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))


@cache
def titles() -> Mapping[str, Phrase]:
    """Return the titles of all games by their names, without reading their rules.

    >>> titles()["hearts"], titles()["hearts"].translations["fr"]
    ('Hearts', 'Dame de pique')
    """
    return {name: found for name, (found, _family) in _listed().items()}


@cache
def families() -> Mapping[str, str]:
    """Return the families of all games by their names, without reading their rules."""
    return {name: found for name, (_title, found) in _listed().items()}


@cache
def _listed() -> Mapping[str, tuple[Phrase, str]]:
    """Return the titles and families of all games by their names; each file is read once."""
    return {name: (title(content := text(name), name), family(content)) for name in names()}


@cache
def fingerprint() -> str:
    """Return a text that differs once a file has changed; their content is read, once."""
    return " ".join(f"{name}:{crc32((FOLDER / f'{name}.toml').read_bytes()):x}" for name in names())


def changed(_name: str) -> float:
    """Return 0: the files stay while the program runs."""
    return 0


def text(name: str) -> str:
    """Return the text of a game's file."""
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def title(text: str, name: str) -> Phrase:
    """Return the title that a game's file declares, without reading its rules; its name if none is found."""
    written = next(iter(re.findall(_TITLE, text)), name)
    _rules, *words = re.split(_WORDS, text)
    entry = re.compile(rf'^"?{re.escape(written)}"? = "([^"\n]*)"$', re.MULTILINE)
    translations = {
        language: found[1]
        for language, section in zip(words[::2], words[1::2], strict=True)
        if (found := entry.search(section))
    }
    return Phrase(written, translations)


def family(text: str) -> str:
    """Return the family that a game's file names, without reading its rules; `OTHERS` if it names none.

    >>> family('name = "tarock"')
    'others'
    """
    return next((found for found in re.findall(_FAMILY, text) if found in FAMILIES), OTHERS)


@cache
def game(name: str) -> Game[Any]:
    """Return a game; raise KeyError if there is none of this name.

    >>> game("spades").seats
    range(4, 5)
    """
    from companion.games.toml_games import load

    if name not in names():
        raise KeyError(name)
    return load(text(name), f"{name}.toml")
