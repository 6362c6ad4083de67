"""The commands that a screen's transition can give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from companion.core.events import Line
from companion.core.game import LogHeader
from companion.core.prompt import DetailLevel

if TYPE_CHECKING:
    from .context import Screen


class EnterLine(Struct, frozen=True):
    """Command: add a line to the open game's log.

    Attributes:
        line: The line.
        keys: The keys typed for its answers; empty if some were chosen. None for a line that answers no question.
    """

    line: Line
    keys: str | None = None


class BeginGame(Struct, frozen=True):
    """Command: begin a new game."""

    header: LogHeader
    tracking: DetailLevel


class ResumeGame(Struct, frozen=True):
    """Command: open a game of the journal.

    Attributes:
        name: The game's name in the journal.
        listed: The list of games it is opened from, if any; a finished game is then read-only.
    """

    name: str
    listed: Screen | None = None


class ReopenGame(Struct, frozen=True):
    """Command: make the finished game changeable."""


class SetTracking(Struct, frozen=True):
    """Command: record the open game at another level of detail."""

    tracking: DetailLevel


class LeaveGame(Struct, frozen=True):
    """Command: close the open game.

    Attributes:
        to: The next screen; None is home.
    """

    to: Screen | None = None


class SetSound(Struct, frozen=True):
    """Command: switch the sound on or off."""

    loud: bool


class SetLanguage(Struct, frozen=True):
    """Command: change the language."""

    language: str


class RenamePerson(Struct, frozen=True):
    """Command: rename somebody, from the next game on."""

    old: str
    new: str


class HidePerson(Struct, frozen=True):
    """Command: hide a name from lists, or show it again."""

    name: str
    hidden: bool


class LookAtPhones(Struct, frozen=True):
    """Command: find out the page's address and whether the own Wi-Fi is on."""


class OpenPairing(Struct, frozen=True):
    """Command: show a new PIN, with which one phone can be paired."""


class EndPairing(Struct, frozen=True):
    """Command: make the PIN useless."""


class RevokePhone(Struct, frozen=True):
    """Command: end the pairing of a phone, by its number."""

    number: int


class AllowGuests(Struct, frozen=True):
    """Command: let phones that are not paired watch, or no longer."""

    allowed: bool


class UseOwnWifi(Struct, frozen=True):
    """Command: switch the box's own Wi-Fi on or off."""

    on: bool


class LookForDrive(Struct, frozen=True):
    """Command: find out whether a USB drive is plugged in."""


class BackUp(Struct, frozen=True):
    """Command: back up all games to the USB drive."""


class LookForUpdate(Struct, frozen=True):
    """Command: look for a newer version of the program."""


class InstallUpdate(Struct, frozen=True):
    """Command: install the newer version that was found."""


class BeginPanelTest(Struct, frozen=True):
    """Command: show the test picture."""


class TryOtherController(Struct, frozen=True):
    """Command: drive the panel as the other controller."""


class EndPanelTest(Struct, frozen=True):
    """Command: end the test of the panel.

    Attributes:
        keep: Whether the other controller is used from now on; else the panel is driven as before.
    """

    keep: bool = False


class LookAtClock(Struct, frozen=True):
    """Command: ask for the machine's clock and time zone."""


class ChooseZone(Struct, frozen=True):
    """Command: set the time zone, such as ``Europe/Paris``."""

    zone: str


class MoveClock(Struct, frozen=True):
    """Command: move the machine's clock on, or back if the seconds are negative."""

    seconds: int


Command = (
    EnterLine
    | BeginGame
    | ResumeGame
    | ReopenGame
    | SetTracking
    | LeaveGame
    | SetSound
    | SetLanguage
    | RenamePerson
    | HidePerson
    | OpenPairing
    | EndPairing
    | RevokePhone
    | AllowGuests
    | UseOwnWifi
    | LookAtPhones
    | LookForDrive
    | BackUp
    | LookForUpdate
    | InstallUpdate
    | BeginPanelTest
    | TryOtherController
    | EndPanelTest
    | LookAtClock
    | ChooseZone
    | MoveClock
)
