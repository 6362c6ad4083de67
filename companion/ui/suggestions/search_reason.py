"""The reason for a search of corrections: an alert, a refusal or a result."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from companion.core.entries_after_correction import player_by_turn
from companion.core.events import Event
from companion.core.game_checks import checked
from companion.core.prompt import Answer
from companion.core.session import Session


class NoticedFault(Enum):
    """What people notice though nothing raises an alarm."""

    TOO_MANY = "many"  # a card was entered that nobody laid
    TOO_FEW = "few"  # a card was laid that nobody entered


class SearchReason(Struct, frozen=True):
    """Why corrections are searched; by default an alert that the last entry raised."""

    # the answers of an entry that the game refused; each suggestion then contains this entry, too, or what was meant
    # instead
    refused: tuple[Answer, ...] = ()
    keys: str | None = None  # the keys typed for the refused entry, if they are known
    seat: int | None = None  # the player who must have made the refused entry, if that is known
    # the last card of a round, whose place the table's figures have taken, since they differ from those of the cards. A
    # suggestion puts cards back that lead to these figures
    replaced: Event | None = None
    # the figures on the table at the end of the round, as one event, since they differ from those of the cards; a
    # suggestion leads to them
    result: Event | None = None
    wrong: NoticedFault | None = None  # what people say is wrong; only such corrections are suggested then
    # the entry that was just taken back because of the question after it; a suggestion contains it, too, and leads to a
    # question of another kind
    undone: Event | None = None

    @classmethod
    def of_event(cls, session: Session, event: Event, keys: str | None = None) -> SearchReason:
        """Return the alarm for an event that the game refuses.

        If its player is not the one whose turn it is, a suggestion must make it that player's turn.
        """
        game, state = session.header.game, session.state
        player = player_by_turn(game, event)
        return cls(game.answers(state, event), keys, None if checked(game, state).turn in (None, player) else player)
