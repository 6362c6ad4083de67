"""The types of input that change the state: keys, choices on phones, messages, lists that were read."""

from __future__ import annotations

from msgspec import Struct

from companion.core.errors import IllegalEventError
from companion.core.text import Text
from companion.ui.keys import Key
from companion.ui.screens.context import Command, MachineStatus, Screen
from companion.ui.screens.suggestion_texts import OfferedCorrections

from .request_types import KEYS, Source, TypedAnswer


class ChosenOption(Struct, frozen=True):
    """An answer or action chosen by its name, on a phone or with a knob."""

    name: str
    by: Source = KEYS


class KeyForOldQuestion(Struct, frozen=True):
    """A key that was meant for the question that a phone has just answered: it was pressed a moment too late."""


class Notice(Struct, frozen=True):
    """Something to show that is not the result of a key: a message, the machine's status, or both."""

    message: Text | None = None  # the message; None keeps the one that is shown
    refused: bool = False  # whether it is an error
    machine: MachineStatus | None = None  # what is known of the machine now; None if that has not changed
    sounds: bool = False  # whether it answers a key


class MachineAnswered(Struct, frozen=True):
    """The machine has done what a screen asked for, or refused."""

    machine: MachineStatus  # what is known of the machine now
    refusal: IllegalEventError | None  # why it refused, if it did
    screen: Screen  # the screen that says so


class OldGamesChecked(Struct, frozen=True):
    """All old games have been checked: lists on the screen may have more rows now."""


class HistoryRead(Struct, frozen=True):
    """More of the history has been read: the screen may know more."""


Input = (
    Key
    | ChosenOption
    | KeyForOldQuestion
    | TypedAnswer
    | Command
    | Notice
    | MachineAnswered
    | OfferedCorrections
    | OldGamesChecked
    | HistoryRead
)
"""What changes the state. A command begins a game as if it had been set up with keys."""
