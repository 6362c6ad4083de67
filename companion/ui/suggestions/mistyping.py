"""How keys are mistyped: which keys may have been meant by the typed ones, and how likely that is."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.prompt import Answer, ChooseItem, LayCard, LayPair, Prompt
from companion.ui.key_grammar import OK_KEY, AnswerCodes
from companion.ui.keys import NAMES

from .search_types import Priors

_WIDTH = 4
_DIAGONAL = 0.1
"""How likely a key that touches the right one at a corner is hit, beside one that touches it at an edge."""


def _neighbours(key: str) -> dict[str, float]:
    """Return the keys around a key of the keypad, each with its share of the misses."""
    row, column = divmod(NAMES.index(key), _WIDTH)
    near = {
        NAMES[_WIDTH * other_row + other]: _DIAGONAL if other_row != row and other != column else 1.0
        for other_row in range(max(0, row - 1), min(_WIDTH, row + 2))
        for other in range(max(0, column - 1), min(_WIDTH, column + 2))
        if (other_row, other) != (row, column)
    }
    whole = sum(near.values())
    return {other: share / whole for other, share in near.items()}


NEIGHBOURS = {key: _neighbours(key) for key in NAMES}


def meant(typed: str, priors: Priors) -> Iterator[tuple[str, float]]:
    """Yield the keys that may have been meant, each with the probability that a slip makes the typed ones of them."""
    count = len(typed)
    for place, key in enumerate(typed):
        for other in NEIGHBOURS.get(key, ()):
            share = NEIGHBOURS[other][key] * priors.neighbour / count
            yield typed[:place] + other + typed[place + 1 :], share
        if place and typed[place - 1] == key:
            yield typed[:place] + typed[place + 1 :], priors.doubled / (count - 1)
    for place in range(count + 1):
        for other in NAMES:
            yield typed[:place] + other + typed[place:], priors.omitted / (count + 1)


def other_answers(codes: AnswerCodes, answer: Answer, typed: str | None, priors: Priors) -> dict[Answer, float]:
    """Return the answers that may have been meant instead, with the probability of the slip that made this one of each.

    Args:
        typed: The keys typed for it; None if it was chosen, so that no key can have been missed.
    """
    found: dict[Answer, float] = {}

    def add(other: Answer | None, chance: float) -> None:
        if other is not None and other != answer:
            found[other] = found.get(other, 0.0) + chance

    for keys, chance in () if typed is None else meant(typed, priors):
        add(codes.codes.get(keys) or (codes.codes.get(keys[:-1]) if keys.endswith(OK_KEY) else None), chance)
    for other, chance in _confused(codes.prompt, answer, priors):
        add(other, chance)
    return found


def _confused(prompt: Prompt, answer: Answer, priors: Priors) -> Iterator[tuple[Answer, float]]:
    """Yield the same card in the other mode, and the cards of the same rank in other suits."""
    others: list[Answer] = []
    for other in prompt.answers:
        if other == answer:
            continue
        if isinstance(answer, LayCard) and isinstance(other, LayCard) and other.card is answer.card:
            yield other, priors.mode
        elif _same_but_suit(answer, other):
            others.append(other)
    yield from ((other, priors.suit / len(others)) for other in others)


def _same_but_suit(one: Answer, other: Answer) -> bool:
    match one, other:
        case LayCard(card, alternate), LayCard(another, mode):
            return alternate == mode and card.keys == another.keys
        case LayPair(card), LayPair(another):
            return card.keys == another.keys
        case ChooseItem(suit=suit, figure=figure), ChooseItem(suit=another, figure=its):
            return suit is not None and another is not None and figure == its
    return False
