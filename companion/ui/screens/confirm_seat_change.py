"""Asks before the names of seats are changed, and says whose cards and points move to whom."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.events import SeatNames
from companion.core.text import Seat, Text, joined
from companion.ui.translations import _

from .commands import EnterLine
from .confirm_correction import KEPT
from .context import CurrentGame, GameScreenProtocol, Screen, ScreenContents, ScreenContext, Transition
from .paged_text import SentencesScreen, review


class ConfirmSeatChangeScreen(SentencesScreen, frozen=True):
    """What other names by seat change; they are written, or everything is left as it was."""

    before: Screen
    table: GameScreenProtocol
    names: tuple[str, ...]  # the names by seat

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        told = context.words.at(self.names)  # a seat is then the person who really sits there
        sentences = map(told, _sentences(game, self.names))
        back = Transition(self.before)
        return review(self, context, _("Players"), sentences, lambda: self._written(game), lambda: back)

    def _written(self, game: CurrentGame) -> Transition:
        if self.names == game.session.header.players:
            return Transition(self.table, message=KEPT)
        return Transition(self.table, EnterLine(SeatNames(self.names)), _("The players are corrected"))


def _sentences(game: CurrentGame, names: tuple[str, ...]) -> Iterator[Text]:
    """Yield what changes, seat by seat; a seat in a sentence is the person who sits there then."""
    before, session = game.session.header.players, game.session
    progress, seats = session.progress, session.header.game.view(session.state).seats
    changed = [seat for seat, name in enumerate(names) if name != before[seat]]
    for seat in changed:
        yield _("Seat {number}: {player}, not {before}", player=Seat(seat), before=before[seat], number=seat + 1)
    if not session.head.number:
        return
    for seat in changed:
        figures = str(seats[seat].figures).rstrip("*")
        if figures != str(progress.totals[seat]):  # where a round has no figures, the score stands there
            yield _("{player} in this round: {figures}", player=Seat(seat), figures=seats[seat].figures)
    points = (Text("{player} {points}", player=Seat(seat), points=progress.totals[seat]) for seat in range(len(names)))
    yield _("Scores: {points}", points=joined(points, " · "))
    for seat in changed:
        if seat in (progress.winners or ()):
            yield _("{player} has won, not {before}", player=Seat(seat), before=before[seat])
        elif seats[seat].leads:
            yield _("{player} leads, not {before}", player=Seat(seat), before=before[seat])
