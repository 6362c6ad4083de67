"""Who sits where in the open game: swaps two players, puts somebody else on a seat, corrects a name."""

from __future__ import annotations

from functools import partial
from itertools import combinations

from companion.core.text import Text
from companion.history.renamed_and_hidden import is_same_name
from companion.ui.translations import _
from companion.ui.view import BETWEEN

from .confirm_seat_change import ConfirmSeatChangeScreen
from .context import GameScreenProtocol, ScreenContents, ScreenContext, Transition, refuse
from .list_menu import Row, menu
from .name_matching import matching
from .name_typing import TypedName, fault, trimmed
from .screen_contents import KeyBinding, NameTypingScreen, OpenedListScreen


class ChangePlayersScreen(OpenedListScreen, frozen=True):
    """The list of all pairs of players, to swap two seats; the key C leads to their names."""

    table: GameScreenProtocol

    def show(self, context: ScreenContext) -> ScreenContents:
        words, names = context.words, context.words.players
        pairs = map(BETWEEN.join, combinations(names, 2))
        rows = (
            (pair, "", self._reviewed(row, after))
            for row, (pair, after) in enumerate(zip(pairs, swaps(names), strict=True))
        )
        by_name = KeyBinding("C", words(_("names")), lambda: Transition(SeatsScreen(self, table=self.table)))
        foot = _("C names   * back")
        return menu(
            self, words, _("Swap who?"), rows, self.before, names=names, foot=foot, choose=_("swap"), others=(by_name,)
        )

    def _reviewed(self, row: int, names: tuple[str, ...]) -> Transition:
        return Transition(
            ConfirmSeatChangeScreen(ChangePlayersScreen(self.before, self.table, chosen=row), self.table, names)
        )


class SeatsScreen(OpenedListScreen, frozen=True):
    """The seats, to choose the one that somebody else has, or whose name is wrong."""

    table: GameScreenProtocol

    def show(self, context: ScreenContext) -> ScreenContents:
        rows = (
            (name, "", Transition(SeatScreen(SeatsScreen(self.before, self.table, chosen=seat), self.table, seat)))
            for seat, name in enumerate(context.words.players)
        )
        return menu(self, context.words, _("Whose name is wrong?"), rows, self.before)


class SeatScreen(OpenedListScreen, frozen=True):
    """Who sits on a seat: the same person under a corrected name, somebody new, or somebody known."""

    table: GameScreenProtocol
    seat: int

    def show(self, context: ScreenContext) -> ScreenContents:
        words, name = context.words, context.words.players[self.seat]
        rows: list[Row] = [
            (_("Correct the name"), "", Transition(SeatNameScreen(self, name=TypedName.begin(words.language, name)))),
            (_("New name"), "", Transition(SeatNameScreen(self, name=TypedName.begin(words.language)))),
            *((each, "", partial(self.write, each, context)) for each in self.known(context)),
        ]
        return menu(self, words, _("Not {name}, but …", name=name), rows, self.before)

    def known(self, context: ScreenContext) -> tuple[str, ...]:
        """Return the known names of people who do not sit at the table."""
        return tuple(name for name in context.roster if not _sits(name, context))

    def write(self, text: str, context: ScreenContext) -> Transition:
        name, names = trimmed(text), context.words.players
        wrong = fault(name)
        if wrong is not None:
            return refuse(self, wrong)
        others = names[: self.seat] + names[self.seat + 1 :]
        if any(is_same_name(name, other) for other in others):
            return refuse(self, _("{name} already has a seat", name=name))
        seated = (*names[: self.seat], name, *names[self.seat + 1 :])
        return Transition(ConfirmSeatChangeScreen(self, self.table, seated))

    def expected_text(self, context: ScreenContext) -> str:
        return context.words(_("Name of seat {number}", number=self.seat + 1))


class SeatNameScreen(NameTypingScreen, frozen=True):
    """Typing the name of a seat."""

    seat: SeatScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        return self.typing(context, self.seat, matching(self.name, self.seat.known(context)))

    def write(self, text: str, context: ScreenContext) -> Transition:
        """Return the transition of confirming the name; if it is refused, the typed name stays."""
        move = self.seat.write(text, context)
        return refuse(self, move.message or Text("")) if move.refused else move

    def expected_text(self, context: ScreenContext) -> str:
        return self.seat.expected_text(context)


def swaps(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return names with two of them swapped, for each pair.

    >>> swaps(("Aki", "Bea", "Cyr"))
    [('Bea', 'Aki', 'Cyr'), ('Cyr', 'Bea', 'Aki'), ('Aki', 'Cyr', 'Bea')]
    """
    pairs = combinations(names, 2)
    return [tuple({one: other, other: one}.get(name, name) for name in names) for one, other in pairs]


def _sits(name: str, context: ScreenContext) -> bool:
    return any(is_same_name(name, other) for other in context.words.players)
