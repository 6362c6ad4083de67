"""Compares the figures of a round that has just ended with those on the table.

The figures of the cards are proposed as a whole sheet. A row that differs is entered again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from companion.core.correction import Correction
from companion.core.event_from_answers import tracking_of
from companion.core.events import Event, ReplaceEvent
from companion.core.game import Game
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, Prompt, Skip, TakeAlternative, TallySheet
from companion.core.text import NC_, Seat, Text, listed
from companion.ui.screens.context import CurrentGame, EnterLine, ScreenContext
from companion.ui.screens.position import CachedGameState
from companion.ui.suggestions import SearchReason
from companion.ui.translations import _


def whole_sheet(game: Game[Any], state: object, event: Event) -> TallySheet | None:
    """Return the sheet that is shown whole before an event counts; None if none is.

    Args:
        state: The game before that event.
    """
    try:
        tracking = tracking_of(game, DetailLevel.FULL, state, event)
    except LookupError:
        return None
    prompt = game.ask(state, tracking, game.answers(state, event)[:-1])
    if not isinstance(prompt, Prompt) or not prompt.whole:
        return None
    return prompt.sheet


def differing(before: TallySheet, sheet: TallySheet) -> tuple[tuple[int, int], ...]:
    """Return the cells, by seat and column, whose figure is known and differs from the one before."""
    return tuple(
        (seat, column)
        for seat, row in enumerate(sheet.rows)
        for column, figure in enumerate(row)
        if figure is not None and figure != before.rows[seat][column]
    )


def sentences(before: TallySheet, sheet: TallySheet) -> Iterator[Text]:
    """Yield how the figures of a sheet differ from those before."""
    for seat, column in differing(before, sheet):
        yield _(
            "{player}: {what} {figure}, not {before}",
            player=Seat(seat),
            figure=sheet.rows[seat][column],
            what=sheet.columns[column],
            before=before.rows[seat][column],
        )


def figures(sheet: TallySheet, cells: tuple[tuple[int, int], ...]) -> Text:
    """Return some figures of a sheet, with whose and which they are."""
    return listed(
        _("{player}: {what} {figure}", player=Seat(seat), what=sheet.columns[column], figure=sheet.rows[seat][column])
        for seat, column in cells
    )


ON_TABLE = _("Same on the table?")
"""The question at a round's end; going on says yes."""

YES_OR_NO, ONLY_NO = _("# yes  * no"), _("* no")

YES, NO = Text(NC_("answer", "yes")), Text(NC_("answer", "no"))
"""The labels of the keys that answer it."""

SAME = _("Same as on the table")

FIGURES_STAND = _("The table's figures were kept")


class Proposal(Struct, frozen=True):
    """The figures of the cards, as answers to the sheet of the round."""

    answers: tuple[Answer, ...]  # the answers that fill in the sheet, and ask whose row is wrong
    sheet: TallySheet


def can_compare(context: ScreenContext) -> bool:
    """Return whether the last entry ended a round that was not entered as a whole, just now."""
    report = context.report
    return report is not None and report.table is not None and comparable(context.require_game()) is not None


def comparable(game: CurrentGame) -> Event | None:
    """Return the round that the last entry has ended, as one event; None if it ended none, or is a whole round."""
    declared, head = game.session.header.game, game.session.head
    if declared.optional.as_whole_round is None or head.event is None or head.before is None:
        return None
    before = head.before.state
    if declared.outcome(before, head.event, head.state).table is None:
        return None
    if tracking_of(declared, game.tracking, before, head.event) is DetailLevel.ROUND:
        return None
    return declared.optional.as_whole_round(before, head.event, head.state)


def comparing(game: CurrentGame) -> Correction:
    """Return the correction that enters the figures of the table in place of the last entry."""
    return Correction.opening(game.session, game.session.head.number)


def proposal(game: CurrentGame, position: CachedGameState) -> Proposal:
    """Return the sheet that the cards of the finished round give, to be compared with the table's figures."""

    def propose() -> Proposal:
        event = comparable(game)
        assert event is not None  # only then are figures compared
        answers = (*position.game.answers(position.state, event)[:-1], TakeAlternative())
        prompt = position.ask(answers)
        assert isinstance(prompt, Prompt)  # a sheet asks last whose row is wrong
        assert prompt.sheet is not None
        return Proposal(answers, prompt.sheet)

    return position.once("proposal", propose)


def figures_on_table(position: CachedGameState, answers: tuple[Answer, ...]) -> Event | None:
    """Return the round that a whole sheet makes, whoever won last; None if the sheet is not whole."""
    prompt = position.ask(answers)
    if not isinstance(prompt, Prompt) or not prompt.whole:
        return None
    ends = (answer for answer in prompt.answers if isinstance(answer, Skip | ChooseSeat))
    made = (position.ask((*answers, answer)) for answer in ends)
    return next((event for event in made if isinstance(event, Event)), None)


def compared(game: CurrentGame, figures: Event) -> EnterLine | None:
    """Return the line that lets the table's figures stand; None if they are those of the cards.

    The figures take the place of the round's last card.
    """
    head = game.session.entry(game.session.head.number)
    return (
        None
        if _table(game, figures) == _table(game, head.event)
        else EnterLine(ReplaceEvent(head.number, figures), figures=True)
    )


def doubt_of_figures(game: CurrentGame, figures: Event | None) -> SearchReason | None:
    """Return the reason to search corrections that lead to the figures on the table; None if the cards do."""
    if figures is None or compared(game, figures) is None:
        return None
    return SearchReason(result=figures)


def _table(game: CurrentGame, event: Event) -> object:
    declared, before = game.session.header.game, game.session.entry(game.session.head.number).before.state
    return declared.outcome(before, event, declared.apply(before, event)).table
