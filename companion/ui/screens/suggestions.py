"""Offers corrections: "Did you mean …?" after an alert or a refusal; "What is wrong?" where people notice something.

The figures of a round that has just ended are compared with those on the table: those of the cards are proposed as a
whole sheet, and a row that differs is entered again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.core.correction import Correction, CorrectionKind
from companion.core.game import Amend, Event, tracking_of
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, Prompt, Skip
from companion.core.text import NC_, Text
from companion.ui.offered_corrections import (
    TITLE,
    NoticedFault,
    OfferedCorrections,
    SearchReason,
    meant,
    question_kind,
    whole_sheet,
)
from companion.ui.screens.contents import (
    ListScreen,
    OpenedListScreen,
    back_to,
    home_from,
    menu,
)
from companion.ui.screens.context import (
    MENU_AT,
    Choice,
    CurrentGame,
    EnterLine,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    TableScreen,
    Transition,
    refuse,
)
from companion.ui.screens.position import CachedGameState
from companion.ui.translations import _

QUESTION = _("What is wrong?")
ASKS = _("# held: …?")  # the same where there is little room, or nothing is found yet
TOO_MANY, TOO_FEW, FIGURES = _("A card too many"), _("A card is missing"), _("Figures of the round")
NOTHING = _("Nothing is known that would explain it")


def offered(game: CurrentGame, alarm: SearchReason, known: OfferedCorrections | None = None) -> OfferedCorrections:
    """Return the corrections to offer; they are searched for if they are not known yet."""
    if known is not None and known.meets(game.session, alarm):
        return known
    from companion.ui.suggestions import suggest  # no start needs it

    return OfferedCorrections.of(game.session, alarm, suggest(game.session, alarm))


def doubt_of_question(game: CurrentGame, prompt: Prompt | None) -> SearchReason | None:
    """Return the reason to search after stepping back at a question of another kind than the one before, or None."""
    head, declared = game.session.head, game.session.header.game
    if head.event is None or head.before is None or head.event is not game.session.latest:
        return None
    before = declared.ask(head.before.state, game.tracking, ())
    same = prompt is None or question_kind(before) == question_kind(prompt)
    return None if same else SearchReason(undone=head.event, keys=head.typed)


def offers_or_question(menu: Screen, table: TableScreen, context: ScreenContext) -> Screen:
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

    table: TableScreen
    menu: Screen
    offered: OfferedCorrections

    def after_change(self, context: ScreenContext) -> Screen:
        """Return the table: the offers were for the entries before."""
        return self.table

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        found = self.offered
        told = zip(found.sentences, found.instead_of, found.offers, strict=True)
        rows = (
            Row(
                text,
                partial(self.choose, game, row),
                below=where,
                beside=_("{share}%", share=round(100 * offer.weight)),
            )
            for row, (text, where, offer) in enumerate(told)
        )
        leaving = back_to(self.table), home_from(self), menu_choice(self.menu)
        return menu(self, TITLE, rows, foot=_("# correct   * back"), choose=_("correct"), others=leaving)

    def choose(self, game: CurrentGame, row: int) -> Transition:
        """Return the transition of making the correction in a row."""
        offer = self.offered.offers[row]
        if offer.open and offer.number > game.session.head.number:
            return Transition(self.table.reset(), message=_("What was left out comes next"))
        if offer.open:
            opened = Correction(game.session, offer.number, CorrectionKind.INSERT)
            return Transition(self.table.enter_correction(game, opened))
        text = meant(game.session, offer)
        return Transition(self.table.reset(), EnterLine(offer.line), _("Corrected: {entry}", entry=text))


class WhatIsWrongScreen(OpenedListScreen, frozen=True, kw_only=True):
    """Asks what people have noticed: a card too many, one too few, figures that differ."""

    table: TableScreen
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
            correction = Correction(game.session, head.number)
            yield Row(FIGURES, Transition(self.table.enter_correction(game, correction)))
            return
        yield Row(TOO_MANY, lambda: self._searched(game, NoticedFault.TOO_MANY))
        yield Row(TOO_FEW, lambda: self._searched(game, NoticedFault.TOO_FEW))
        if DetailLevel.ROUND in declared.trackings and comparable(game) is not None:
            yield Row(FIGURES, Transition(self.table.compare_figures(game)))

    def _searched(self, game: CurrentGame, wrong: NoticedFault) -> Transition:
        found = offered(game, SearchReason(wrong=wrong))
        if not found.offers:
            return refuse(self, NOTHING)
        return Transition(SuggestionsScreen(self.table, self.menu or self.before, found))


# The figures of a round


ON_TABLE = _("Same on the table?")
"""The question at a round's end; going on says yes."""

YES_OR_NO, ONLY_NO = _("# yes  * no"), _("* no")

YES, NO = Text(NC_("answer", "yes")), Text(NC_("answer", "no"))
"""The labels of the keys that answer it."""

SAME = _("Same as on the table")

FIGURES_STAND = _("The table's figures were kept")


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
        else EnterLine(Amend(head.number, figures), figures=True)
    )


def doubt_of_figures(game: CurrentGame, figures: Event | None) -> SearchReason | None:
    """Return the reason to search corrections that lead to the figures on the table; None if the cards do."""
    if figures is None or compared(game, figures) is None:
        return None
    return SearchReason(result=figures)


def _table(game: CurrentGame, event: Event) -> object:
    declared, before = game.session.header.game, game.session.entry(game.session.head.number).before.state
    return declared.outcome(before, event, declared.apply(before, event)).table
