"""Every screen says the same as it did, in every language and on every kind of board.

`tests/transcripts/scenes` has the words of each scene on a keypad, and what other boards say in their place. After an
intended change `make accept` writes it anew; `git diff` says what has changed.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import pytest

from companion.cli.board_key_layout import board_named
from companion.ui.translations import languages
from tests.scenes.scenes import SCENES, Scene
from tests.scenes.screenshots import box_at

FOLDER = Path(__file__).parents[1] / "transcripts" / "scenes"
KEYPAD, *OTHERS = ("keypad-4x4", "three-buttons", "oled-bonnet")


def words(scene: Scene, language: str, board: str) -> list[str]:
    """Return the words of a scene on a board."""
    return [" ".join(line.split()) for line in box_at(scene, language, board_named(board)).frame.words]


def told(scene: Scene, language: str) -> Iterator[str]:
    """Yield a scene on a keypad, and what is said elsewhere on other boards."""
    known = words(scene, language, KEYPAD)
    yield f"{scene.name}: {' | '.join(known)}"
    others: dict[str, list[str]] = {}
    for board in () if scene.few else OTHERS:
        new = Counter(words(scene, language, board)) - Counter(known)
        others.setdefault(" | ".join(new), []).append(board)
    yield from (f"  {', '.join(boards)}: {said}" for said, boards in others.items() if said)


def wrap(line: str) -> list[str]:
    return textwrap.wrap(line, 120, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def text(language: str) -> str:
    """Return all scenes in a language."""
    lines = [line for scene in SCENES for line in told(scene, language)]
    return "\n".join(row for line in lines for row in wrap(line)) + "\n"


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
