"""Every screen says the same as it did, in every language and on every kind of board.

`tests/transcripts/scenes` has the words of each scene on a keypad, and what other boards say in their place. A language
other than English has what it says instead where that was not said for the same English words before. After an intended
change `make accept` writes it anew; `git diff` says what has changed.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from functools import cache
from pathlib import Path

import pytest

from companion.ui.translations import languages
from hardware.board import load
from tests.scenes.screenshots import box_at
from tests.ui.scenes import BY_NAME

FOLDER = Path(__file__).parents[1] / "transcripts" / "scenes"
KEYPAD, *OTHERS = ("keypad-4x4", "three-buttons", "oled-bonnet")


@cache
def words(scene: str, language: str, board: str) -> tuple[str, ...]:
    """Return the words of a scene on a board."""
    box = box_at(BY_NAME[scene], language, load(board).keyed())
    return tuple(" ".join(line.split()) for line in box.frame.words)


def on_boards(scene: str, language: str) -> dict[str, tuple[str, ...]]:
    """Return the words of a scene on a keypad, and those that other boards have in their place."""
    said = {KEYPAD: words(scene, language, KEYPAD)}
    for board in () if BY_NAME[scene].few else OTHERS:
        said[board] = tuple(Counter(words(scene, language, board)) - Counter(said[KEYPAD]))
    return said


def told(scene: str, said: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield a scene on a keypad, and below it what is said elsewhere on other boards, once for all that say it."""
    boards: dict[str, list[str]] = {}
    for board in OTHERS:
        boards.setdefault(" | ".join(said.get(board, ())), []).append(board)
    boards.pop("", None)
    if said[KEYPAD] or boards:
        yield f"{scene}: {' | '.join(said[KEYPAD])}".rstrip()
    yield from (f"  {', '.join(where)}: {lines}" for lines, where in boards.items())


def translated(language: str) -> Iterator[str]:
    """Yield what each scene says in a language where that was not said for the same English words before."""
    known: dict[str, str] = {}
    for scene in BY_NAME:
        new: dict[str, tuple[str, ...]] = {}
        for board, english in on_boards(scene, "en").items():
            said = on_boards(scene, language)[board]
            pairs = [*zip(english, said, strict=False)]
            new[board] = said if len(english) != len(said) else tuple(to for of, to in pairs if known.get(of, of) != to)
            known.update(pairs)
        yield from told(scene, new)


def text(language: str) -> str:
    """Return all scenes in a language."""
    if language == "en":
        lines = [line for scene in BY_NAME for line in told(scene, on_boards(scene, language))]
    else:
        lines = [*translated(language)]
    wrapped = [
        textwrap.wrap(line, 120, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
        for line in lines
    ]
    return "\n".join(row for rows in wrapped for row in rows) + "\n"


@pytest.mark.unmeasured
@pytest.mark.one_python
@pytest.mark.parametrize("language", languages())
def test_every_screen_says_what_was_accepted(language: str) -> None:
    accepted, shown = (FOLDER / f"{language}.txt").read_text(), text(language)
    differs = [*unified_diff(accepted.splitlines(), shown.splitlines(), "accepted", "shown now", lineterm="", n=0)]
    if differs:
        pytest.fail("\n".join((*differs, "If that is meant: make accept, and read git diff.")), pytrace=False)


if __name__ == "__main__":
    for language in languages():
        (FOLDER / f"{language}.txt").write_text(text(language))
