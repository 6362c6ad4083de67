"""Views of outcomes at the table: the notice of the last entry, a trick's cards, a finished game."""

from __future__ import annotations

from msgspec import structs

from companion.core.game import EventOutcome
from companion.core.text import Text
from companion.ui.open_game import seat_rows, table_body
from companion.ui.translations import Translator, _
from companion.ui.view import View

from .context import CurrentGame, ScreenContext


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


def finished_game(context: ScreenContext, game: CurrentGame, not_so: Text | None) -> View:
    """Return the view of a finished game: the last round's result or the score sheet, and the last entry's outcome.

    Args:
        not_so: What the back key is for, if the last round's figures can be compared with the table.
    """
    words, report = context.words, context.report
    keys = _("# home   * games") if game.read_only else _("# home   * undo")
    table = game.session.header.game.score_sheet(game.session.state)
    if not_so is not None and report is not None and report.table is not None:
        table, keys = report.table, Text("{home}   {not_so}", home=_("# home"), not_so=not_so)
    body = structs.replace(table_body(words, table), laid=cards_laid(words, report))
    again = "" if game.read_only else words(_("1 again"))
    return noticed(View(body, words(keys), hint=again, brief=""), words, report)
