"""The commands that a screen's transition can give."""

from __future__ import annotations

from msgspec import Struct

from companion.core.events import Line
from companion.core.game import LogHeader
from companion.core.prompt import DetailLevel

from .context import Command, Screen, Transition


class EnterLine(Command, frozen=True):
    """Command: add a line to the open game's log."""

    line: Line
    # the keys typed for its answers; empty if some were chosen. None for a line that answers no question
    keys: str | None = None
    figures: bool = False  # whether the figures on the table take the place of a round's cards


class StartAtRandom(Command, frozen=True):
    """Command: let chance say who starts."""


class RetryFailedGame(Command, frozen=True):
    """Command: try a game again that was put aside because it failed."""

    name: str  # its name in a log's header


class BeginGame(Command, frozen=True):
    """Command: begin a new game."""

    header: LogHeader
    tracking: DetailLevel


class OpenSavedGame(Command, frozen=True):
    """Command: open a game of the journal; a finished one opened from a list is read-only."""

    name: str
    listed: Screen | None = None


class ReopenGame(Command, frozen=True):
    """Command: make the finished game changeable."""


class SetDetailLevel(Command, frozen=True):
    """Command: record the open game at another level of detail."""

    tracking: DetailLevel


class LeaveGame(Command, frozen=True):
    """Command: close the open game; without a next screen, home follows."""

    to: Screen | None = None


class PutAwayOrBringBack(Command, frozen=True):
    """Command: remove a game, or bring back one that was."""

    name: str
    away: bool


class SetLanguage(Command, frozen=True):
    """Command: change the language."""

    language: str


class RenamePerson(Command, frozen=True):
    """Command: rename somebody, from the next game on."""

    old: str
    new: str


class HidePerson(Command, frozen=True):
    """Command: hide a name from lists, or show it again."""

    name: str
    hidden: bool


class MachineAction(Struct, frozen=True):
    """Base of what a screen asks of the machine around the box, such as to set its clock."""


class RefreshMachineStatus(MachineAction, frozen=True):
    """Action: find out what the rows of the settings show, such as the USB drive that is plugged in."""


class OnMachine(Command, frozen=True):
    """Command: do something on the machine. It leaves an unfinished entry as it is."""

    do: MachineAction


def leave(screen: Screen) -> Transition:
    """Return the transition home, which closes the open game."""
    return Transition(screen, LeaveGame())
