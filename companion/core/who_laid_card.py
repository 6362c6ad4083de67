"""When a card is refused as already seen, finds who laid it and when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from .cards import Card
from .errors import IllegalEventError
from .game import Game
from .session import Step
from .text import N_, Seat, Text

SEEN = "seen"
"""The reason of an IllegalEventError for a card seen before; its argument ``card`` is the card."""


def seen_in(refused: IllegalEventError, step: Step, given: tuple[object, ...] = ()) -> Step | None:
    """Return the latest step that holds the card refused as seen; None if it is among the answers given now."""
    card = refused.text.args.get("card") if refused.reason == SEEN else None
    at: Step | None = step
    while card is not None and at is not None and not holds(given, card):
        if holds(at.event, card):
            return at
        at = at.before
    return None


def holds(part: object, card: object) -> bool:
    return any(held is card for _holder, held in _cards(part))


def sentence(game: Game[Any], refused: IllegalEventError, seen: Step | None) -> Text:
    """Return the refusal's sentence, with who laid the card before and when."""
    if seen is None or seen.event is None or seen.before is None:
        return refused.text
    holder, card = next(each for each in _cards(seen.event) if each[1] is refused.text.args["card"])
    when, entry = game.moment(seen.before.state), game.describe(seen.event)
    player = getattr(holder, "player", None)
    if player is not None:
        return Text(N_("{why}: {player}, {when}"), why=refused.text, player=Seat(player), when=when)
    return Text(N_("{why}: {told}"), why=refused.text, told=when if entry == card.label else entry)


def _cards(part: object, holder: object = None) -> Iterator[tuple[object, Card]]:
    """Yield the cards within an event or an answer, each after the innermost struct that holds it."""
    match part:
        case Card():
            yield holder, part
        case Struct():
            for name in part.__struct_fields__:
                yield from _cards(getattr(part, name), part)
        case tuple():
            for each in part:
                yield from _cards(each, holder)
