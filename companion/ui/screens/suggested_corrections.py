"""The screen that offers the likeliest corrections after an alert or a refusal: "Did you mean …?"."""

from __future__ import annotations

from companion.core.correction import Correction, CorrectionKind
from companion.core.prompt import Prompt
from companion.ui.suggestions import SearchReason, offers, question_kind, suggest
from companion.ui.translations import _
from companion.ui.view import ListBody

from .commands import EnterLine
from .context import CurrentGame, GameScreenProtocol, Screen, ScreenContents, ScreenContext, Transition
from .screen_contents import KeyBinding, ListContents, ListScreen, back_to, home_from
from .suggestion_texts import TITLE, OfferedCorrections, offer_text, told_apart


def offered(game: CurrentGame, alarm: SearchReason, known: OfferedCorrections | None = None) -> OfferedCorrections:
    """Return the corrections to offer; they are searched for if they are not known yet."""
    if known is not None and known.meets(game.session, alarm):
        return known
    return told_apart(game.session, alarm, offers(suggest(game.session, alarm)))


def doubt_of_question(game: CurrentGame, prompt: Prompt | None) -> SearchReason | None:
    """Return the reason to search after stepping back at a question of another kind than the one before, or None."""
    head, declared = game.session.head, game.session.header.game
    if head.event is None or head.before is None or head.event is not game.session.latest:
        return None
    before = declared.ask(head.before.state, game.tracking, ())
    same = prompt is None or question_kind(before) == question_kind(prompt)
    return None if same else SearchReason(undone=head.event, keys=head.typed)


class SuggestionsScreen(ListScreen, frozen=True):
    """The corrections offered; choosing one makes it. The key that opened them opens the menu from here."""

    table: GameScreenProtocol
    menu: Screen
    offered: OfferedCorrections

    def show(self, context: ScreenContext) -> ScreenContents:
        game, words = context.require_game(), context.words
        found = self.offered
        rows = tuple((words(text), "") for text in found.sentences)
        below = [
            (words(where), words(_("{share}%", share=round(100 * offer.weight))))
            for where, offer in zip(found.instead_of, found.offers, strict=True)
        ]
        return ListContents(
            self,
            ListBody(words(TITLE), rows, self.chosen, below=tuple(below)),
            words(_("# correct   * back")),
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
        text = offer_text(game.session, offer)
        return Transition(self.table.reset(), EnterLine(offer.likeliest.line), _("Corrected: {entry}", entry=text))
