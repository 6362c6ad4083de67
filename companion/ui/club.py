"""What the hub of a club tells a box, and what the box shows of it, as plain data."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.core.text import Text
from companion.gamelog.player_names import MOST_CODE_POINTS
from companion.ui.translations import _

Number = Annotated[int, Meta(ge=1, le=9999)]
Name = Annotated[str, Meta(min_length=1, max_length=MOST_CODE_POINTS)]


CALLS = _("The table calls the director")
CALLS_NO_MORE = _("The table no longer calls the director")
ROUND_OVER = _("The time of this round is over")


def minutes_left(minutes: int) -> Text:
    return _("{count} minutes left in this round", count=minutes)


class SeatCall(Struct, frozen=True):
    """A seat call: the players of a table in a round of an evening."""

    round: Number
    table: Number
    names: Annotated[tuple[Name, ...], Meta(min_length=2, max_length=9)]  # by seat; the first deals first
    ends: float = 0.0  # when the round ends, in seconds since 1970; 0 without a clock

    @property
    def call(self) -> tuple[int, int, tuple[str, ...]]:
        """Return what a table has to do for it: with another end, it is still the same call."""
        return self.round, self.table, self.names

    @property
    def title(self) -> Text:
        return _("Table {table}, round {round}", table=self.table, round=self.round)


class HubMessage(Struct, frozen=True):
    """The whole message of the hub to one box; it replaces the one before."""

    seats: SeatCall | None = None
    attended: int = 0  # the number of the box's latest call that the director has ticked off; 0 for none


class ClubTableStatus(Struct, frozen=True):
    """What a table shows of its club: the seat call, the minutes left in its round, whether it calls the director."""

    seats: SeatCall | None = None
    minutes: int | None = None  # None without a clock
    calls: bool = False

    @property
    def left(self) -> Text:
        """Return the minutes left; empty without a clock."""
        return Text("") if self.minutes is None else _("{count} min", count=self.minutes)

    @property
    def clock(self) -> Text:
        """Return the same as short as it can be."""
        return Text("") if self.minutes is None else _("{count}'", count=self.minutes)

    def denies(self, message: Text) -> bool:
        """Return whether a message about the club is no longer true."""
        true = [CALLS if self.calls else CALLS_NO_MORE]
        if self.minutes is not None:
            true.append(minutes_left(self.minutes) if self.minutes else ROUND_OVER)
        if self.seats is not None:
            true.append(self.seats.title)
        return message.template in _TEMPLATES and message not in true

    @property
    def hint(self) -> Text:
        """Return the hint at the key that calls the director, or ends the call."""
        return _("C end call") if self.calls else _("C director")


_TEMPLATES = {text.template for text in (CALLS, CALLS_NO_MORE, ROUND_OVER, minutes_left(0), SeatCall(1, 1, ()).title)}
