"""Applies events through one handler for each event type; checks shared by several games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from companion.core.game import Event, check_seat
from companion.core.text import N_, IllegalEventError, Seat


class HasPhase(Protocol):
    """Protocol: a game state with a `phase`."""

    @property
    def phase(self) -> str:
        """Name of the phase; ``over`` once the game has ended."""


S = TypeVar("S", bound=HasPhase)


def applier(handlers: Mapping[type[Event], Callable[[S, Any], S]]) -> Callable[[S, Event], S]:
    """Return a game's ``apply`` function: it calls the handler of the event's class, and refuses all once ``over``.

    >>> from types import SimpleNamespace
    >>> from companion.core.game import Start
    >>> apply = applier({Start: lambda state, event: SimpleNamespace(phase="play", leader=event.player)})
    >>> apply(SimpleNamespace(phase="start"), Start(1))
    namespace(phase='play', leader=1)
    """

    def apply(state: S, event: Event) -> S:
        """Return the state after an event."""
        if state.phase == "over":
            raise IllegalEventError("over", N_("the game is over"))
        return handlers[type(event)](state, event)

    return apply


class PhaseCheck(Struct, frozen=True):
    """Refuses events of the wrong phase, with the sentence on what the current phase expects."""

    sentences: Mapping[str, str]

    def refused(self, phase: str) -> IllegalEventError:
        return IllegalEventError("phase", self.sentences[phase])

    def expect(self, phase: str, expected: str) -> None:
        """Raise unless the current phase is the expected one."""
        if phase != expected:
            raise self.refused(phase)


def check_trick_begins(table: Sequence[Any]) -> None:
    """Raise if cards already lie on the table: a whole trick can only be entered when none has begun."""
    if table:
        raise IllegalEventError("table", N_("a whole trick is entered where a trick begins"))


def check_no_negative(*columns: Sequence[int]) -> None:
    """Raise if any figure is below 0."""
    if min(map(min, columns)) < 0:
        raise IllegalEventError("sheet", N_("no figure is below 0"))


def check_sheet(seats: int, template: str, *columns: Sequence[int]) -> None:
    """Raise unless each column has a figure of 0 or more for each seat; the template says that each is needed."""
    if any(len(column) != seats for column in columns):
        raise IllegalEventError("sheet", template, count=seats)
    check_no_negative(*columns)


def check_sum(figures: Sequence[int], most: int, reason: str, template: str) -> None:
    """Raise if figures add up to more than there are."""
    if sum(figures) > most:
        raise IllegalEventError(reason, template, count=sum(figures), most=most)


def check_last(last: int, tricks: Sequence[int]) -> None:
    """Raise if the alleged winner of the last trick has no trick, or is no seat of this table."""
    check_seat(last, len(tricks))
    if not tricks[last]:
        raise IllegalEventError("last", N_("{player} has no trick, so not the last one"), player=Seat(last))
