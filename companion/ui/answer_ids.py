"""Names of answers that never change with the language: for pages, drafts and boards with few keys."""

from __future__ import annotations

from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TakeAlternative,
)


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
            return "skip"
        case TakeAlternative():
            return "other"


def answer_named(prompt: Prompt, name: str) -> Answer | None:
    """Return the answer of a prompt with a name; None if it is neither offered nor an item that can be typed."""
    digits = name.removeprefix("number ")
    if prompt.open_numbers and digits.removeprefix("-").isdecimal() and len(digits) < 10:
        answer = EnterNumber(int(digits))
        return answer if answer_name(answer) == name and prompt.takes(answer) else None
    return next((answer for answer in (*prompt.answers, *prompt.picks) if answer_name(answer) == name), None)


def numbered_name(kind: str, name: str) -> int | None:
    """Return the number in a name of a kind, such as 3 in ``row 3``; None if the name is of another kind.

    >>> numbered_name("row", "row 3")
    3
    """
    first, _space, number = name.partition(" ")
    return int(number) if first == kind and number.isdecimal() and len(number) < 5 else None
