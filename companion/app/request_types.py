"""Requests that come in from pages and from the bridge: taps, typed answers, pairing, corrections, news of the hub.

The values are msgspec structs, because importing dataclasses would delay the first picture.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from companion.core.text import Text
    from companion.ui.hub_message import HubMessage
    from companion.ui.phone_roles import Phone, Role


class Source(Struct, frozen=True):
    """Who gives an answer: the keys of the box, or a phone. Two phones may have the same name."""

    phone: int | None = None  # the phone's number, 0 for a browser on this computer; None for the keys of the box
    name: str = ""  # the phone's name for people


KEYS = Source()
"""The keys of the box, and its own page."""


class TypedAnswer(Struct, frozen=True):
    """An answer written as text on a page."""

    text: str
    by: Source = KEYS


class Tap(Struct, frozen=True):
    """An answer or action chosen on a live page."""

    number: int  # the number of the question that the page showed
    choice: str  # the name of the choice; empty if a text is entered
    phone: Phone  # who chose it
    reply: Callable[[Text | None], None]  # called with None once the answer counts, or with the reason why it does not
    text: str = ""  # the text entered


class FrameRequest(Struct, frozen=True):
    """A request for the current frame, with the contents of live pages in a further language."""

    reply: Callable[[None], None]


class PairingRequest(Struct, frozen=True):
    """A request to pair a phone."""

    code: str  # the PIN that was typed, or the token of the link
    name: str  # the phone's name for people; may be empty
    address: str  # where the request comes from
    # called with the secret of the phone's cookie, or with the reason why it is not paired
    reply: Callable[[str | Text], None]


class ChooseRole(Struct, frozen=True):
    """A paired phone says who it is."""

    phone: Phone
    role: Role  # what it may do from now on
    person: str  # who holds it, if it answers for one person; else empty
    reply: Callable[[Text | None], None]  # called with None, or with the reason why not


class DirectorCorrection(Struct, frozen=True):
    """A correction that the director of a club sends through the bridge, for the game that is open."""

    game: str  # the game's name in the journal
    line: str  # the line of its log that corrects
    was: tuple[str, ...]  # the entries that it replaces, as lines of a log: others are not corrected
    who: str  # the director's name
    reply: Callable[[Text | None], None]  # called with None once it counts, or with the reason why it does not


class HubNews(Struct, frozen=True):
    """What the hub of a club tells the box, through the bridge."""

    message: HubMessage
    reply: Callable[[Text | None], None]  # called with None once it is taken


PageRequest = Tap | FrameRequest | PairingRequest | ChooseRole | DirectorCorrection | HubNews
"""A request of a page that the loop answers."""
