"""Applying events: one function for each kind of event, and checks that several games make in the same words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from companion.core.errors import IllegalEvent
from companion.core.events import Event
from companion.core.seat_checks import check_seat
from companion.core.text import N_, Seat


class HasPhase(Protocol):
    """A state that says in which phase the game is."""

    @property
    def phase(self) -> str:
        """The phase; ``over`` when the game is."""


S = TypeVar("S", bound=HasPhase)


def applier(handlers: Mapping[type[Event], Callable[[S, Any], S]]) -> Callable[[S, Event], S]:
    """Return a game's ``apply``: each kind of event has its own function, and none fits once the game is over."""

    def apply(state: S, event: Event) -> S:
        """Return the state after an event.

        Raises:
            IllegalEvent: The event cannot be; the state stands as it was.
        """
        if state.phase == "over":
            raise IllegalEvent("over", N_("the game is over"))
        return handlers[type(event)](state, event)

    return apply


@dataclass(frozen=True)
class PhaseChecks:
    """What comes next in each phase, for the refusal of an event of another phase.

    Attributes:
        sentences: The template of the sentence, by phase.
    """

    sentences: Mapping[str, str]

    def refused(self, phase: str) -> IllegalEvent:
        """Return the refusal that says what comes now instead."""
        return IllegalEvent("phase", self.sentences[phase])

    def expect(self, phase: str, expected: str) -> None:
        """Refuse an event that belongs to another phase than the present one.

        Raises:
            Refused: ``phase``.
        """
        if phase != expected:
            raise self.refused(phase)


def check_trick_begins(table: Sequence[Any]) -> None:
    """Refuse a whole trick while cards of one lie on the table.

    Raises:
        Refused: ``table``.
    """
    if table:
        raise IllegalEvent("table", N_("a whole trick is entered where a trick begins"))


def check_no_negative(*columns: Sequence[int]) -> None:
    """Refuse figures below 0.

    Raises:
        Refused: ``sheet``.
    """
    if min(map(min, columns)) < 0:
        raise IllegalEvent("sheet", N_("no figure is below 0"))


def check_last(last: int, tricks: Sequence[int]) -> None:
    """Refuse a winner of the last trick who has no trick.

    Raises:
        Refused: ``seat`` or ``last``.
    """
    check_seat(last, len(tricks))
    if not tricks[last]:
        raise IllegalEvent("last", N_("{player} has no trick, so not the last one"), player=Seat(last))
