"""Corrections that may be meant, offered beside an alert or a refusal: "Or was it …?"."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from companion.core.correction import Correction, CorrectionKind
from companion.core.game import Game
from companion.core.session import Session
from companion.core.text import Seat, Text
from companion.ui.keys import KeyLayout
from companion.ui.suggestions import Offer, SearchReason, offers, suggest
from companion.ui.translations import _
from companion.ui.view import ListBody

from .commands import EnterLine
from .context import CurrentGame, GameScreenProtocol, Screen, ScreenContext, Transition
from .screen_contents import KeyBinding, ListContents, ListScreen, ScreenContents, back_to, home_from

TITLE = _("Or was it …?")


class OffersForReason(Struct, frozen=True, dict=True):
    """The corrections offered for an alarm.

    Attributes:
        session: The game.
        alarm: Why they are offered.
        offers: The offers, the most likely first.
    """

    session: Session
    alarm: SearchReason
    offers: tuple[Offer, ...]

    def meets(self, session: Session, alarm: SearchReason | None) -> bool:
        """Return whether these are the offers for an alarm in a game."""
        return self.session is session and self.alarm == alarm

    @cached_property
    def sentences(self) -> tuple[Text, ...]:
        """Return a short sentence for each offer."""
        return tuple(_offer_text(self.session.header.game, offer) for offer in self.offers)

    def lines(self, board: KeyLayout) -> tuple[Text, ...]:
        """Return the lines to show beside the alert: how to choose, and what."""
        head = _("# held: or was it") if "#" in board.keys else TITLE
        numbered = (_("{number} {entry}", number=number, entry=text) for number, text in enumerate(self.sentences, 1))
        return (head, *numbered)


def offered(game: CurrentGame, alarm: SearchReason, known: OffersForReason | None = None) -> OffersForReason:
    """Return the corrections to offer; they are searched for if they are not known yet."""
    if known is not None and known.meets(game.session, alarm):
        return known
    return OffersForReason(game.session, alarm, offers(suggest(game.session, alarm)))


class SuggestionsScreen(ListScreen, frozen=True):
    """The corrections offered; choosing one makes it.

    Attributes:
        table: The screen it was opened from.
        menu: The menu, which the same key opens from here.
        offered: The corrections.
    """

    table: GameScreenProtocol
    menu: Screen
    offered: OffersForReason

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list of corrections: what may have been meant, and below it what stands there now."""
        game, words = context.require_game(), context.words
        declared = self.offered.session.header.game
        found = self.offered
        rows = tuple(
            (words(text), f"{round(100 * offer.weight)} %")
            for text, offer in zip(found.sentences, found.offers, strict=True)
        )
        told = [_instead_of(declared, found.session, offer) for offer in found.offers]
        below = [("", "")] * len(rows)
        below[self.chosen] = words(told[self.chosen]), ""
        return ListContents(
            self,
            ListBody(words(TITLE), rows, self.chosen, below=tuple(below)),
            words(_("# corrects   * back")),
            lambda row: self._choose(game, row),
            (
                KeyBinding("#", words(_("correct"))),
                KeyBinding("h#", words(_("menu")), lambda: Transition(self.menu)),
                home_from(self, words),
                back_to(self.table, words),
            ),
        )

    def _choose(self, game: CurrentGame, row: int) -> Transition:
        offer = self.offered.offers[row]
        if offer.open and offer.likeliest.replacement.number > game.session.head.number:
            return Transition(self.table.reset(), message=_("What was left out comes next"))
        if offer.open:
            opened = Correction.opening(game.session, offer.likeliest.replacement.number, CorrectionKind.INSERT)
            return Transition(self.table.enter_correction(game, opened))
        text = _offer_text(game.session.header.game, offer)
        return Transition(self.table.reset(), EnterLine(offer.likeliest.line), _("Corrected: {entry}", entry=text))


def _offer_text(game: Game[object], offer: Offer) -> Text:
    """Return what may have been meant, short."""
    edit = offer.likeliest.replacement
    if not edit.now:
        assert edit.was[0] is not None  # a refused entry cannot be taken out of the log
        return _("{entry} twice", entry=game.describe(edit.was[0]))
    if offer.open:
        player: int | None = getattr(edit.now[0], "player", None)
        return _("something left out") if player is None else _("{player} left out", player=Seat(player))
    if not edit.was:
        return _("{entry} left out", entry=game.describe(edit.now[0]))
    if len(edit.was) > 1:
        return _("{entry} first", entry=game.describe(edit.now[0]))
    return game.describe(edit.now[0])


def _instead_of(game: Game[object], session: Session, offer: Offer) -> Text:
    """Return where a correction belongs, and what stands there now."""
    edit = offer.likeliest.replacement
    moment = game.short(session.before(min(edit.number, session.head.number + 1)))
    if edit.number > session.head.number:
        return moment
    entry = game.describe(session.entry(edit.number).event)
    if not edit.was:
        return _("{moment}: before {entry}", moment=moment, entry=entry)
    if not edit.now:
        return moment
    return _("{moment}: not {entry}", moment=moment, entry=entry)
