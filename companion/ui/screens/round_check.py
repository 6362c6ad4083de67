"""Compares the figures of a round that has just ended with those on the table."""

from __future__ import annotations

from companion.core.event_answers import tracking_of
from companion.core.events import Event, ReplaceEvent
from companion.core.prompt import DetailLevel
from companion.ui.suggestions import SearchReason
from companion.ui.translations import _

from .commands import EnterLine
from .context import CurrentGame, ScreenContext

AS_ON_TABLE = _("so on the table? * no")
NOT_SO = _("* no")
"""The hints at a round's end, long and short: the back key asks for the figures on the table."""

SAME = _("As on the table")

FIGURES_STAND = _("The figures of the table stand")

ON_TABLE = _("On the table now? * takes back")


def can_compare(context: ScreenContext) -> bool:
    """Return whether the last entry ended a round that was not entered as a whole."""
    game, report = context.require_game(), context.report
    declared = game.session.header.game
    if report is None or report.table is None or DetailLevel.ROUND not in declared.trackings:
        return False
    head = game.session.entry(game.session.head.number)
    return tracking_of(declared, game.tracking, head.before.state, head.event) is not DetailLevel.ROUND


def compared(game: CurrentGame, figures: Event) -> tuple[SearchReason, EnterLine] | None:
    """Return the line that lets the table's figures stand, and its alarm; None if they are those of the cards.

    The figures take the place of the round's last card, so the score is right at once. Corrections that explain the
    difference are looked for meanwhile.
    """
    head, declared = game.session.entry(game.session.head.number), game.session.header.game
    before = head.before.state
    stands = declared.outcome(before, head.event, head.state).table
    if declared.outcome(before, figures, declared.apply(before, figures)).table == stands:
        return None
    return SearchReason(replaced=head.event, keys=head.typed), EnterLine(ReplaceEvent(head.number, figures))
