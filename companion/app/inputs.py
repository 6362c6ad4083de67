"""What reaches the application: keys, answers of pages, requests of pages and of the bridge, news of its own tasks.

The values are msgspec structs, because importing dataclasses would delay the first picture.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from companion.core.text import IllegalEventError, Text
from companion.ui.keys import Key
from companion.ui.offered_corrections import OfferedCorrections
from companion.ui.screens.context import Command, Screen
from companion.ui.screens.phones import Phone, Role

if TYPE_CHECKING:
    from companion.ui.club import HubMessage


class TypedAnswer(Struct, frozen=True):
    """An answer written as text on a page."""

    text: str


class Tap(Struct, frozen=True):
    """A choice or a text of a live page, with the number of the question that the page showed."""

    number: int
    choice: str  # the name of the choice; empty if a text is entered
    text: str = ""
    language: str = ""  # the language of the page
    phone: Phone | None = None  # the phone as it is now


class Look(Struct, frozen=True):
    """Somebody opens a live page."""

    language: str
    phone: Phone | None = None  # the phone as it is now; None for a guest


class Notice(Struct, frozen=True):
    """Something to show that is not the result of a key: a message, what is new of the machine, or both."""

    message: Text | None = None  # the message; None keeps the one that is shown
    refused: bool = False  # whether it is an error
    sounds: bool = False  # whether it answers a key
    for_panel: bool = False  # whether the panel shows it, even if a phone was the last to ask something of the machine


class Refresh(Struct, frozen=True):
    """More of the saved games has been read, or the machine has done what a screen asked for, or refused."""

    refusal: IllegalEventError | None = None  # why it refused, if it did
    screen: Screen | None = None  # the screen that says so


class DirectorCorrection(Struct, frozen=True):
    """A correction that the director of a club sends through the bridge, for the game that is open."""

    game: str  # the game's name in the journal
    line: str  # the line of its log that corrects
    was: tuple[str, ...]  # the entries that it replaces, as lines of a log: others are not corrected
    who: str  # the director's name


class SetUpGame(Struct, frozen=True):
    """Somebody wants to play a game that a page has shown: its set-up opens for them."""

    game: str  # the game's name


Input = (
    Key | TypedAnswer | Tap | Look | Command | Notice | Refresh | DirectorCorrection | OfferedCorrections | SetUpGame
)
"""What changes the state. A command begins a game as if it had been set up with keys."""


# Requests of pages


class ClaimPairing(Struct, frozen=True):
    """A request to pair a phone; answered with the secret of its cookie, or with the reason why it is not paired."""

    code: str  # the PIN that was typed, or the token of the link
    name: str  # the phone's name for people; may be empty
    address: str  # where the request comes from
    role: Role = Role.SCORER  # what it may do at first


class ChooseRole(Struct, frozen=True):
    """A paired phone says who it is."""

    role: Role  # what it may do from now on
    person: str  # who holds it, if it answers for one person; else empty


class HubNews(Struct, frozen=True):
    """What the hub of a club tells the box, through the bridge."""

    message: HubMessage


class KeepRemark(Struct, frozen=True):
    """Somebody who scores writes down where a game was played, and a few lines about it."""

    game: str  # the id of the game as a play in other programs
    value: Any  # the remark, as the journal keeps it


class PageRequest(Struct, frozen=True):
    """A request of a page or of the bridge that the loop answers."""

    asked: Tap | Look | ClaimPairing | ChooseRole | DirectorCorrection | HubNews | KeepRemark | SetUpGame
    phone: Phone | None  # who asks; None for a guest, and for the bridge
    reply: Callable[[Any], None]  # called in any case; with None, or the reason why the request does not count
