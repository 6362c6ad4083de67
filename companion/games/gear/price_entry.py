"""Prices as answers: a low one is one answer, a higher one is said digit by digit."""

from __future__ import annotations

from msgspec import Struct

from companion.core.prompt import Alternative, Answer, EnterNumber
from companion.core.text import N_, Seat, Text

MOST_AT_ONCE = 19
"""The highest price that is typed as it is: a 2 shall never wait for another digit."""

# A bid up to the bidder's points is typed as it is, and any up to 19 where 1 is too low to be meant; on a sheet, whose
# cells follow each other, that is only what has one digit. A price may be of any height: an Extra for every digit above
# the fewest, then its digits are asked one by one.


class PriceInput(Struct, frozen=True):
    """A price being said.

    Attributes:
        value: The price, once it is complete.
        shown: Its digits so far.
        offered: What can be answered next, but for the extra answer.
        extra: What the extra answer is called, where there is one.
    """

    value: int | None
    shown: str = ""
    offered: tuple[Answer, ...] = ()
    extra: Text | None = None

    def question(self, player: Seat) -> Text:
        """Return what is asked next."""
        if self.shown:
            return Text(N_("Price {digits}: {player}"), digits=self.shown, player=player)
        return Text(N_("Price: {player}"), player=player)


def _at_once(least: int, points: int) -> range:
    """Return the prices that are one answer; none where all have two digits or more.

    Args:
        least: The lowest price that can be said.
        points: What the bidder has; 0 on a sheet.
    """
    if least > 9:
        return range(0)
    return range(least, MOST_AT_ONCE + 1 if least > 1 else max(9, min(points, MOST_AT_ONCE)) + 1)


def amount(rest: list[Answer], least: int, points: int = 0) -> PriceInput:
    """Take the answers that say a price from the front of some answers; see ``_at_once``."""
    length = len(str(least))
    whole = _at_once(least, points)
    if whole and not (rest and isinstance(rest[0], Alternative)):
        match rest:
            case [EnterNumber(value), *_]:
                rest.pop(0)
                return PriceInput(value)
        return PriceInput(None, offered=tuple(map(EnterNumber, whole)), extra=_or_more(whole[-1] + 1))
    while rest and isinstance(rest[0], Alternative):
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
    """Return the answers that say a price; see ``_at_once``."""
    if value in _at_once(least, points):
        return (EnterNumber(value),)
    digits = str(value)
    more = len(digits) - len(str(least))
    return (*(Alternative(),) * more, *(EnterNumber(int(digit)) for digit in digits))
