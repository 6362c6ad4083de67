"""The kinds of slips: to which entries they can happen, and what the person types then."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.cards import Card
from companion.core.game import LogHeader
from companion.core.prompt import Answer, ChooseItem, DetailLevel, LayCard, LayPair, Prompt
from companion.games.hipparchus.asks import PICKS
from companion.games.hipparchus.rules import MOST

from .box import same
from .case import Slip
from .honest import Honest, Said

KEYPAD = ("123A", "456B", "789C", "*0#D")
"""The keys of the keypad as they lie."""

KEYS: tuple[Slip, ...] = ("neighbour", "doubled", "omitted")
"""Slips of a single key."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a person types for one entry.

    Attributes:
        count: How many entries of the honest game the person has made after it.
        said: The entry; None if it is forgotten.
        wrong: The place of an answer, and the keys typed instead of its own.
        instead: The place of an answer, and another answer given in its place.
    """

    count: int
    said: Said | None
    wrong: tuple[int, str] | None = None
    instead: tuple[int, Answer] | None = None


def can_happen(honest: Honest, slip: Slip, place: int) -> bool:
    """Return whether a slip can happen to the entry at a place, counted from 0."""
    said = honest.said[place]
    match slip:
        case "mode":
            return other_mode(honest.header, said) is not None
        case "suit":
            return bool(other_suits(honest.header, said))
        case "swapped":
            if not said.laid or said.sheet is not None or place + 1 == len(honest.said):
                return False
            return honest.said[place + 1].seat not in (None, said.seat)
        case "forgotten" | "twice":
            return said.laid
    return place > 0


def turns(honest: Honest, slip: Slip, place: int, rng: random.Random) -> Iterator[Turn]:
    """Yield what the person types from the slip on."""
    said, count = honest.said[place], place + 1
    rest = [Turn(number, each) for number, each in enumerate(honest.said[count:], count + 1)]
    match slip:
        case "forgotten":
            yield Turn(count, None)
        case "twice":
            yield from (Turn(count, said), Turn(count, said))
        case "swapped":
            yield from (Turn(count, honest.said[count]), Turn(count + 1, said))
            rest = rest[1:]
        case "mode":
            yield Turn(count, said, instead=other_mode(honest.header, said))
        case "suit":
            others = other_suits(honest.header, said)
            yield Turn(
                count, said, instead=rng.choice([each for each in others if possible(honest, place, each)] or others)
            )
        case _:
            yield Turn(count, said, wrong=wrong_keys(said, slip, rng))
    yield from rest


def wrong_keys(said: Said, slip: Slip, rng: random.Random) -> tuple[int, str]:
    """Return the place of an answer, and the keys typed for it with one slip."""
    every = [(number, at) for number, (_answer, keys) in enumerate(said.answers) for at in range(len(keys))]
    number, at = rng.choice(every)
    keys = said.answers[number][1]
    key = {"neighbour": rng.choice(neighbours(keys[at])), "doubled": keys[at] * 2, "omitted": ""}[slip]
    return number, keys[:at] + key + keys[at + 1 :]


def neighbours(key: str) -> list[str]:
    """Return the keys beside, above and below a key, without ``*``, which takes the slip back.

    >>> neighbours("7")
    ['4', '8']
    """
    row = next(number for number, keys in enumerate(KEYPAD) if key in keys)
    column = KEYPAD[row].index(key)
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [KEYPAD[y][x] for y, x in around if 0 <= y < 4 and 0 <= x < 4 and KEYPAD[y][x] != "*"]


def other_mode(header: LogHeader, said: Said) -> tuple[int, Answer] | None:
    """Return the answer with play and pledge, or hand and front, confused; None where there are no two modes."""
    match said.answers:
        case ((LayCard(card, alternate), _keys),) if said.laid and header.game.name in ("eternity", "east-rune"):
            return 0, LayCard(card, not alternate)
    return None


def other_suits(header: LogHeader, said: Said) -> list[tuple[int, Answer]]:
    """Return the answers with another suit; none for an entry in which no player lays a card."""
    found: list[tuple[int, Answer]] = []
    for place, (answer, _keys) in enumerate(said.answers if said.laid else ()):
        match answer:
            case LayCard(card, alternate):
                found += [(place, LayCard(other, alternate)) for other in of_rank(header, card) if other is not card]
            case LayPair(first, second):
                ranked = of_rank(header, first)
                pairs = [(one, other) for number, one in enumerate(ranked) for other in ranked[number:]]
                found += [(place, LayPair(*pair)) for pair in pairs if set(pair) != {first, second}]
            case ChooseItem(value):
                found += [(place, each) for each in PICKS if each.value != value and (each.value - value) % MOST == 0]
    return found


def possible(honest: Honest, place: int, instead: tuple[int, Answer]) -> bool:
    """Return whether an answer is among those that the box offers: a card that was seen is rarely misread."""
    number, answer = instead
    session, said = honest.after(place), honest.said[place]
    before = tuple(each for each, _keys in said.answers[:number])
    prompt = session.header.game.ask(session.state, DetailLevel.FULL, before)
    return isinstance(prompt, Prompt) and any(same(each, answer) for each in prompt.answers)


def of_rank(header: LogHeader, card: Card) -> list[Card]:
    """Return the cards of all suits with the rank of a card."""
    wild = ("any", "chair")  # East Rune: the blank character and the chairs lie in no suit
    return (
        []
        if card.suit.name in wild
        else [each for each in header.game.cards.values() if each.rank == card.rank and each.suit.name not in wild]
    )
