"""Offers corrections: "Did you mean …?" after an alert or a refusal; "What is wrong?" where people notice something."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from companion.core.cards import Card
from companion.core.correction import Correction, CorrectionKind
from companion.core.prompt import DetailLevel, Prompt
from companion.core.session import Session
from companion.core.text import Seat, Text
from companion.ui.keys import KeyLayout
from companion.ui.screens.compare import comparable, differing, figures, whole_sheet
from companion.ui.screens.contents import (
    ListContents,
    ListScreen,
    OpenedListScreen,
    Row,
    back_to,
    home_from,
    menu,
)
from companion.ui.screens.context import (
    MENU_AT,
    Choice,
    CurrentGame,
    EnterLine,
    GameScreenProtocol,
    Screen,
    ScreenContents,
    ScreenContext,
    Transition,
    refuse,
)
from companion.ui.suggestions import NoticedFault, SearchReason, Suggestion, offers, question_kind, suggest
from companion.ui.translations import _
from companion.ui.view import ListBody

TITLE, QUESTION = _("Did you mean …?"), _("What is wrong?")
OR_WAS_IT = _("# held: did you mean")
ASKS = _("# held: …?")  # the same where there is little room, or nothing is found yet
TOO_MANY, TOO_FEW, FIGURES = _("A card too many"), _("A card is missing"), _("Figures of the round")
NOTHING = _("Nothing is known that would explain it")

FEW = 2
"""The most figures of a sheet that a correction names; if it changes more, the whole entry is described."""


class OfferedCorrections(Struct, frozen=True, dict=True):
    """The corrections offered for an alarm, the most likely first."""

    session: Session
    alarm: SearchReason
    offers: tuple[Suggestion, ...]

    @classmethod
    def of(cls, session: Session, alarm: SearchReason, found: tuple[Suggestion, ...]) -> OfferedCorrections:
        """Choose what is offered; of those that read the same, the most likely alone: nobody could tell them apart."""
        every = cls(session, alarm, offers(found))
        kept: dict[str, Suggestion] = {}
        for sentence, offer in zip(every.sentences, every.offers, strict=True):
            kept.setdefault(str(sentence), offer)
        return cls(session, alarm, tuple(kept.values()))

    def meets(self, session: Session, alarm: SearchReason | None) -> bool:
        return self.session is session and self.alarm == alarm

    @cached_property
    def sentences(self) -> tuple[Text, ...]:
        """Return what is offered, each in its own words: those that would read the same say where they belong."""
        texts = [_meant(self.session, offer) for offer in self.offers]
        return tuple(
            text if texts.count(text) == 1 else _("{moment}: {entry}", moment=_place(self.session, offer), entry=text)
            for text, offer in zip(texts, self.offers, strict=True)
        )

    @cached_property
    def instead_of(self) -> tuple[Text, ...]:
        """Return where each correction belongs, and what stands there now."""
        return tuple(_instead_of(self.session, offer) for offer in self.offers)

    def lines(self, board: KeyLayout) -> tuple[Text, ...]:
        """Return the lines to show beside the alert: how to choose, and what."""
        head = OR_WAS_IT if "#" in board.keys else TITLE
        numbered = (_("{number} {entry}", number=number, entry=text) for number, text in enumerate(self.sentences, 1))
        return (head, *numbered)


def offered(game: CurrentGame, alarm: SearchReason, known: OfferedCorrections | None = None) -> OfferedCorrections:
    """Return the corrections to offer; they are searched for if they are not known yet."""
    if known is not None and known.meets(game.session, alarm):
        return known
    return OfferedCorrections.of(game.session, alarm, suggest(game.session, alarm))


def doubt_of_question(game: CurrentGame, prompt: Prompt | None) -> SearchReason | None:
    """Return the reason to search after stepping back at a question of another kind than the one before, or None."""
    head, declared = game.session.head, game.session.header.game
    if head.event is None or head.before is None or head.event is not game.session.latest:
        return None
    before = declared.ask(head.before.state, game.tracking, ())
    same = prompt is None or question_kind(before) == question_kind(prompt)
    return None if same else SearchReason(undone=head.event, keys=head.typed)


def offers_or_question(menu: Screen, table: GameScreenProtocol, context: ScreenContext) -> Screen:
    """Return the corrections for what was noticed where the game stands; without any, the question what is wrong.

    They are still offered after later entries were undone.
    """
    game, alarm, known = context.require_game(), table.alarm(context), context.offered
    head, found = game.session.head, None
    if alarm is not None:
        found = offered(game, alarm, known)
    elif known is not None and known.session.head is head:
        found = OfferedCorrections(game.session, known.alarm, known.offers)
    elif head.event is not None and head.before is not None:
        alerts = game.session.header.game.outcome(head.before.state, head.event, head.state).alert
        found = offered(game, SearchReason()) if alerts else None
    if found is not None and found.offers:
        return SuggestionsScreen(table, menu, found)
    return WhatIsWrongScreen(before=menu, table=table)


def menu_choice(menu: Screen) -> Choice:
    """Return the choice that opens the menu."""
    return Choice("menu", _("menu"), lambda: Transition(menu), "h#", MENU_AT)


class SuggestionsScreen(ListScreen, frozen=True):
    """The corrections offered; choosing one makes it. The key that opened them opens the menu from here."""

    table: GameScreenProtocol
    menu: Screen
    offered: OfferedCorrections

    def after_change(self, context: ScreenContext) -> Screen:
        """Return the table: the offers were for the entries before."""
        return self.table

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        found = self.offered
        rows = tuple((text, "") for text in found.sentences)
        below = [
            (where, _("{share}%", share=round(100 * offer.weight)))
            for where, offer in zip(found.instead_of, found.offers, strict=True)
        ]
        return ListContents(
            self,
            ListBody(TITLE, rows, self.chosen, below=tuple(below)),
            _("# correct   * back"),
            lambda row: self.choose(game, row),
            (back_to(self.table), home_from(self), menu_choice(self.menu)),
            _("correct"),
        )

    def choose(self, game: CurrentGame, row: int) -> Transition:
        """Return the transition of making the correction in a row."""
        offer = self.offered.offers[row]
        if offer.open and offer.number > game.session.head.number:
            return Transition(self.table.reset(), message=_("What was left out comes next"))
        if offer.open:
            opened = Correction.opening(game.session, offer.number, CorrectionKind.INSERT)
            return Transition(self.table.enter_correction(game, opened))
        text = _meant(game.session, offer)
        return Transition(self.table.reset(), EnterLine(offer.line), _("Corrected: {entry}", entry=text))


class WhatIsWrongScreen(OpenedListScreen, frozen=True, kw_only=True):
    """Asks what people have noticed: a card too many, one too few, figures that differ."""

    table: GameScreenProtocol
    menu: Screen | None = None  # what the held menu key opens; None if the menu has led here

    def show(self, context: ScreenContext) -> ScreenContents:
        opened = self.menu
        keys = () if opened is None else (menu_choice(opened),)
        return menu(self, QUESTION, self._rows(context.require_game()), self.before, others=keys)

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


# The words


def _place(session: Session, offer: Suggestion) -> Text:
    """Return where a correction belongs: round and trick."""
    return session.header.game.short(session.before(min(offer.number, session.head.number + 1)))


def _meant(session: Session, offer: Suggestion) -> Text:
    """Return what may have been meant, short: of a sheet only the figures that differ."""
    game, changed = session.header.game, _changed_figures(session, offer)
    if changed is not None:
        return changed[1]
    if not offer.now:
        assert offer.was[0] is not None  # a refused entry cannot be taken out of the log
        return _("{entry} twice", entry=game.describe(offer.was[0]))
    if offer.open:
        player: int | None = getattr(offer.now[0], "player", None)
        return _("something left out") if player is None else _("{player} left out", player=Seat(player))
    if not offer.was:
        return _("{entry} left out", entry=game.describe(offer.now[0]))
    if len(offer.was) > 1:
        return _("{entry} first", entry=game.describe(offer.now[0]))
    return game.describe(offer.now[0])


def _instead_of(session: Session, offer: Suggestion) -> Text:
    """Return where a correction belongs, and what stands there now."""
    game, moment, changed = session.header.game, _place(session, offer), _changed_figures(session, offer)
    if changed is not None:
        return _("{moment}: not {entry}", moment=moment, entry=changed[0])
    if offer.number > session.head.number or not offer.now:
        return moment
    event = session.entry(offer.number).event
    card = getattr(event, "card", None)
    same_player = getattr(event, "player", None) == getattr(offer.now[0], "player", None)
    entry = Text("{card}", card=card.sign) if same_player and isinstance(card, Card) else game.describe(event)
    if not offer.was:
        return _("{moment}: before {entry}", moment=moment, entry=entry)
    return _("{moment}: not {entry}", moment=moment, entry=entry)


def _changed_figures(session: Session, offer: Suggestion) -> tuple[object, Text] | None:
    """Return the few figures of a sheet that stand, and those that may have been meant; None for any other change."""
    if len(offer.was) != 1 or len(offer.now) != 1 or offer.number > session.head.number:
        return None
    game, state = session.header.game, session.before(offer.number)
    was, now = (whole_sheet(game, state, event) for event in (session.entry(offer.number).event, offer.now[0]))
    if was is None or now is None:
        return None
    cells = differing(was, now)
    if not 0 < len(cells) <= FEW:
        return None
    seat, column = cells[0]
    return was.rows[seat][column] if len(cells) == 1 else figures(was, cells), figures(now, cells)
