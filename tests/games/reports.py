"""What the report of an event says, as the tests of every game's face read it."""

from __future__ import annotations

from companion.core.game import Outcome
from companion.core.game_view import GameView
from companion.core.text import Text, tell

NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve")


def told(text: Text | None) -> str:
    """Return a text in words, names and all."""
    return tell(text, NAMES)


def lines(made: Outcome) -> list[str]:
    """Return a report's sentences."""
    return [told(line) for line in made.lines]


def finished(made: Outcome) -> GameView:
    """Return the stage with the trick that has just ended."""
    assert made.finished is not None
    return made.finished


def left(made: Outcome) -> list[str]:
    """Return what every seat laid in it, and who led and won it."""
    return [
        ", ".join((told(place.laid), *["led"] * place.leads, *["won"] * place.won)) for place in finished(made).places
    ]
