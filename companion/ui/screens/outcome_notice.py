"""Adds the outcome of the last entry to the game's screen, and shows a finished game."""

from __future__ import annotations

from msgspec import structs

from companion.core.game import EventOutcome
from companion.core.text import Text
from companion.ui.displayed_table import seat_rows, table_body
from companion.ui.translations import Translator, _
from companion.ui.view import View

from .context import CurrentGame, ScreenContext
from .round_comparison import ON_TABLE, ONLY_NO


def noticed(view: View, words: Translator, report: EventOutcome | None) -> View:
    """Return the view with the outcome of the last entry as its notice."""
    if report is None or not report.lines:
        return view
    return structs.replace(view, notice=tuple(map(words, report.lines)), alert=report.alert)


def cards_laid(words: Translator, report: EventOutcome | None) -> tuple[str, ...]:
    """Return the cards that each seat laid in the trick that just ended a round or the game."""
    if report is None or report.finished is None:
        return ()
    return tuple(seat.laid for seat in seat_rows(words, report.finished))


def finished_game(context: ScreenContext, game: CurrentGame, compares: bool) -> View:
    """Return the view of a finished game: the last round's result or the score sheet, and the last entry's outcome.

    Args:
        compares: Whether the last round's figures can be compared with the table.
    """
    words, report = context.words, context.report
    keys = _("# home   * games") if game.read_only else _("# home   * undo")
    table = game.session.header.game.score_sheet(game.session.state)
    hint, brief, scores = "" if game.read_only else words(_("1 again")), "", True
    if compares and report is not None and report.table is not None:
        table, keys, scores = report.table, ON_TABLE, False
        hint, brief = words(Text("{home}  {no}", home=_("# home"), no=ONLY_NO)), words(ONLY_NO)
    body = structs.replace(table_body(words, table), laid=cards_laid(words, report), scores=scores)
    return noticed(View(body, words(keys), hint=hint, brief=brief), words, report)
