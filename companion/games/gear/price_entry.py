"""Enters prices: low ones with one answer, higher ones digit by digit."""

from __future__ import annotations

from msgspec import Struct

from companion.core.prompt import Answer, EnterNumber, TakeAlternative
from companion.core.text import N_, Seat, Text

MOST_AT_ONCE = 19
"""Highest price entered as one answer, so that a typed 2 never waits for a second digit."""

# A bid is one answer up to the bidder's points, or up to 19 if 1 is too low to be a bid. On a form, where a cell
# follows at once, only a single digit is one answer. Prices are unlimited: one `TakeAlternative` answer for each digit
# above the fewest possible, then the digits one by one.


class PriceInput(Struct, frozen=True):
    """A price as far as it is entered."""

    value: int | None  # the price once complete; else None
    shown: str = ""  # the digits so far, with ``_`` for each missing one
    offered: tuple[Answer, ...] = ()  # possible next answers, without the alternative
    extra: Text | None = None  # label of the alternative answer, if there is one

    def question(self, player: Seat) -> Text:
        if self.shown:
            return Text(N_("Price {digits}: {player}"), digits=self.shown, player=player)
        return Text(N_("Price: {player}"), player=player)


def _at_once(least: int, points: int) -> range:
    """Return the prices that are entered as one answer; empty if all prices have two digits or more.

    Args:
        points: The bidder's points; 0 on a form.
    """
    if least > 9:
        return range(0)
    return range(least, MOST_AT_ONCE + 1 if least > 1 else max(9, min(points, MOST_AT_ONCE)) + 1)


def amount(rest: list[Answer], least: int, points: int = 0) -> PriceInput:
    """Read a price from the front of a list of answers, and remove the answers read; see ``_at_once``."""
    length = len(str(least))
    whole = _at_once(least, points)
    if whole and not (rest and isinstance(rest[0], TakeAlternative)):
        match rest:
            case [EnterNumber(value), *_]:
                rest.pop(0)
                return PriceInput(value)
        return PriceInput(None, offered=tuple(map(EnterNumber, whole)), extra=_or_more(whole[-1] + 1))
    while rest and isinstance(rest[0], TakeAlternative):
        rest.pop(0)
        length += 1
    digits = ""
    while len(digits) < length and rest and isinstance(rest[0], EnterNumber):
        digits += str(rest[0].value)
        rest.pop(0)
    if len(digits) == length:
        return PriceInput(int(digits))
    lowest = max(least, 10 ** (length - 1))
    able = (digit for digit in range(10) if int(f"{digits}{digit}".ljust(length, "9")) >= lowest)
    shown = digits + "_" * (length - len(digits))
    figures = tuple(EnterNumber(digit) for digit in able)
    return PriceInput(None, shown, figures, None if digits else _or_more(10**length))


def _or_more(least: int) -> Text:
    return Text(N_("{least}+"), least=least)


def amount_answers(value: int, least: int, points: int = 0) -> tuple[Answer, ...]:
    if value in _at_once(least, points):
        return (EnterNumber(value),)
    digits = str(value)
    more = len(digits) - len(str(least))
    return (*(TakeAlternative(),) * more, *(EnterNumber(int(digit)) for digit in digits))
