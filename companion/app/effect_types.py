"""The types of effects: what a step asks to be done, such as to write a line, to draw, to sound."""

from __future__ import annotations

from msgspec import Struct

from companion.core.prompt import DetailLevel
from companion.ui.screens.commands import MachineAction
from companion.ui.screens.context import Screen

from .ports import Motif


class Effect(Struct, frozen=True):
    """Base of everything that is done beside replacing the state."""


class Act(Effect, frozen=True):
    """Do something on the machine. It is done before the picture is drawn, because the picture shows its result."""

    action: MachineAction
    screen: Screen  # the screen that says so if the machine refuses


class Move(Effect, frozen=True):
    """Remove a game, or bring one back. It is done before the picture is drawn, because lists show its result."""

    name: str
    away: bool
    screen: Screen  # the screen that says so if the disk refuses


class JournalEffect(Effect, frozen=True):
    """Base of what is written to the journal, after the picture is drawn and before it is shown."""


class PutAwayEmpty(JournalEffect, frozen=True):
    """Put away a game without an entry; it stays in the lists if the disk refuses."""

    name: str


class BeginLog(JournalEffect, frozen=True):
    """Begin the log of a game."""

    name: str
    header: str
    tracking: DetailLevel


class WriteLine(JournalEffect, frozen=True):
    """Add a line to a game's log."""

    name: str  # the game's name in the journal
    line: str
    tracking: DetailLevel  # the level of detail recorded
    keys: str | None  # the keys typed for its answers; None for a line that answers no question
    over: bool  # whether the game is over with it
    empty: bool = False  # whether no entry counts after it
    players: tuple[str, ...] = ()  # the names by seat, if a line changed those of the header


class MovePhones(JournalEffect, frozen=True):
    """Let phones follow the people whose names a line has changed."""

    before: tuple[str, ...]  # the names by seat
    after: tuple[str, ...]


class WriteTracking(JournalEffect, frozen=True):
    """Keep at which level of detail a game is recorded."""

    name: str
    tracking: DetailLevel


class WriteOpenGameName(JournalEffect, frozen=True):
    """Keep which game is open; None for no game."""

    name: str | None


class WriteSetting(JournalEffect, frozen=True):
    """Keep a setting."""

    name: str
    value: str


class WriteDraft(JournalEffect, frozen=True):
    """Keep what was begun in a game; without a game, in a set-up."""

    name: str | None  # the game's name in the journal
    values: object  # the draft; empty for none
    sync: bool  # whether to wait until the disk has it


class Show(Effect, frozen=True):
    """Show the new state. It is drawn before anything is written."""


class Sound(Effect, frozen=True):
    """Play a motif. If the state refuses something, the motif of refusals is played in its place."""

    motif: Motif
    blinks: bool = False  # whether the lamp blinks once


class RetryHistory(Effect, frozen=True):
    """Read the history again, if it could not be read."""
