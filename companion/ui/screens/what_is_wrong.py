"""Offers corrections for what people notice by themselves: a card too many, one too few, figures that differ."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.correction import Correction
from companion.core.prompt import DetailLevel
from companion.ui.suggestions import NoticedFault, SearchReason
from companion.ui.translations import _

from .context import CurrentGame, GameScreenProtocol, Screen, ScreenContents, ScreenContext, Transition, refuse
from .list_menu import Row, menu
from .round_comparison import comparable
from .screen_contents import KeyBinding, OpenedListScreen
from .sheet_differences import whole_sheet
from .suggested_corrections import SuggestionsScreen, offered
from .suggestion_texts import OfferedCorrections

QUESTION = _("What is wrong?")
TOO_MANY, TOO_FEW, FIGURES = _("A card too many"), _("A card is missing"), _("Figures of the round")

NOTHING = _("Nothing is known that would explain it")


def offers_or_question(menu: Screen, table: GameScreenProtocol, context: ScreenContext) -> Screen:
    """Return the corrections that are offered where the game stands; if there are none, the question what is wrong."""
    game = context.require_game()
    found = standing_offers(table, game, context)
    if found is not None and found.offers:
        return SuggestionsScreen(table, menu, found)
    return WhatIsWrongScreen(before=menu, table=table)


def standing_offers(table: GameScreenProtocol, game: CurrentGame, context: ScreenContext) -> OfferedCorrections | None:
    """Return the corrections for what was noticed where the game stands now, also before later entries were undone."""
    alarm, known, session = table.alarm(context), context.offered, game.session
    if alarm is not None:
        return offered(game, alarm, known)
    if known is not None and known.session.head is session.head:
        return OfferedCorrections(session, known.alarm, known.offers)
    head, declared = session.head, session.header.game
    if head.event is None or head.before is None:
        return None
    alerts = declared.outcome(head.before.state, head.event, head.state).alert
    return offered(game, SearchReason()) if alerts else None


class WhatIsWrongScreen(OpenedListScreen, frozen=True, kw_only=True):
    """Asks what people have noticed: a card too many, one too few, figures that differ."""

    table: GameScreenProtocol
    menu: Screen | None = None  # what the held menu key opens; None if the menu has led here

    def show(self, context: ScreenContext) -> ScreenContents:
        words, opened = context.words, self.menu
        keys = () if opened is None else (KeyBinding("h#", words(_("menu")), lambda: Transition(opened)),)
        return menu(self, words, QUESTION, self._rows(context.require_game()), self.before, others=keys)

    def _rows(self, game: CurrentGame) -> Iterator[Row]:
        """Yield what can be wrong: the figures of a round entered as a whole; else a card, and the round's figures."""
        head, declared = game.session.head, game.session.header.game
        before, last = head.before, head.event
        if before is not None and last is not None and whole_sheet(declared, before.state, last) is not None:
            correction = Correction.opening(game.session, head.number)
            yield FIGURES, "", Transition(self.table.enter_correction(game, correction))
            return
        yield TOO_MANY, "", lambda: self._searched(game, NoticedFault.TOO_MANY)
        yield TOO_FEW, "", lambda: self._searched(game, NoticedFault.TOO_FEW)
        if DetailLevel.ROUND in declared.trackings and comparable(game) is not None:
            yield FIGURES, "", Transition(self.table.compare_figures(game))

    def _searched(self, game: CurrentGame, wrong: NoticedFault) -> Transition:
        found = offered(game, SearchReason(wrong=wrong))
        if not found.offers:
            return refuse(self, NOTHING)
        return Transition(SuggestionsScreen(self.table, self.menu or self.before, found))
