"""The choices of a live page: their names, and the keys of the keypad that each stands for."""

from __future__ import annotations

from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    SecondOffer,
    Skip,
)
from companion.ui.screens.screen_contents import Buttons

OTHERS = ("skip", "other")
"""The names of skipping the question, and of its alternative."""

BESIDE = 16
"""Maximum number of cards in the alternate mode that are shown beside the others."""


def is_mode(prompt: Prompt) -> bool:
    """Return whether the alternate mode is switched on first, as its cards are too many to stand beside the others."""
    cards = [answer for answer in prompt.answers if isinstance(answer, LayCard)]
    aside = sum(card.alternate for card in cards)
    return BESIDE < aside < len(cards)


def answer_name(answer: Answer) -> str:
    """Return the name of an answer, unique among the answers to a question.

    >>> answer_name(ChooseSeat(1))
    'seat 2'
    """
    match answer:
        case LayCard(card, alternate):
            return f"{card.name} aside" if alternate else card.name
        case LayPair(first, second):
            return f"{first.name} {second.name}"
        case ChooseItem(value):
            return f"item {value}"
        case ChooseSeat(seat):
            return f"seat {seat + 1}"
        case EnterNumber(value):
            return f"number {value}"
        case Skip():
            return OTHERS[0]
        case SecondOffer():
            return OTHERS[1]


def is_answer(name: str, taps: Buttons) -> bool:
    """Return whether a choice answers the prompt; the others are rows, actions and offers."""
    return _answer(name, taps) is not None


def keys_of(name: str, taps: Buttons) -> str | None:
    """Return the keys of a choice in text notation; None if there is no such choice now."""
    kind, _space, number = name.partition(" ")
    place = int(number) - 1 if number.isdecimal() and len(number) < 5 else -1
    if kind == "row":
        return taps.rows[place] if 0 <= place < len(taps.rows) else None
    if kind == "offer":
        return f"h#{place + 1}" if 0 <= place < len(taps.offers) else None
    if name in taps.actions:
        return name
    answer = _answer(name, taps)
    return None if answer is None or taps.codes is None else "*" * len(taps.typed) + taps.codes.spell(answer)


def _answer(name: str, taps: Buttons) -> Answer | None:
    answers = () if taps.codes is None else taps.codes.prompt.answers
    return next((answer for answer in answers if answer_name(answer) == name), None)
