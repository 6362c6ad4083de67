"""The list of finished games: when each was played, who won it, and by how much."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import Glyph, Text
from companion.history.days import local
from companion.history.game_titles import title_text
from companion.history.results import IMPORTED, GameResult
from companion.history.sides import losers, margin
from companion.ui.dates import day_of, weekday_of
from companion.ui.saved_games import ListedGame
from companion.ui.translations import _
from companion.ui.view import BETWEEN

from .context import ScreenContents, ScreenContext, Transition
from .history_game import FinishedGameScreen, players_of
from .list_menu import PagedListScreen, menu
from .list_selection import distinguishable
from .paged_text import sentences
from .shared_history_sentences import reading_page


class ImportedPlayRow(Struct, frozen=True):
    """What a list shows of a play that was imported from another program."""

    name: str  # its name in the history
    title: Text
    begun: datetime | None  # when it began, in local time; None if that is not known


class FinishedGamesScreen(PagedListScreen, frozen=True):
    """Finished games, all or those with some names, the latest first; choosing one shows it."""

    title: Text
    names: tuple[str, ...] | None = None

    def show(self, context: ScreenContext) -> ScreenContents:
        words = context.words
        unlisted = context.history.unlisted() if self.names is None else None
        if unlisted is not None:
            return reading_page(self, context, self.title, unlisted)
        every = self._every(context)
        listed = self.listed(every)
        if not listed:
            none = _("No game is finished yet") if self.names is None else _("None so far")
            return sentences(self, context, self.title, [none])
        results = context.history.results([each.name for each in listed])
        rows = (
            (each.title, _day(context, each), Transition(FinishedGameScreen(replace(self, chosen=row), each.name)))
            for row, each in enumerate(listed)
        )
        below = [(winners_of(context, results.get(each.name)), _weekday(context, each)) for each in listed]
        chosen = listed[min(self.chosen, len(listed) - 1)].begun
        parts = ((_day(context, each), _weekday(context, each), words(each.title)) for each in listed)
        named = {str(row): " ".join(filter(None, each)) for row, each in enumerate(parts, 1)}
        title = words(self.title) + ("" if chosen is None else f" {chosen.year}")
        names = (name for result in results.values() for name in players_of(context, result))
        listing = [*rows, *self.older(every, _("Older games"))]
        return menu(self, words, title, listing, self.newer, below=below, names=names, named=distinguishable(named))

    def _every(self, context: ScreenContext) -> tuple[ListedGame | ImportedPlayRow, ...]:
        """Return the games, the latest first; imported plays are among them by their dates."""
        own, plays = finished_games(context, self.names), imported_plays(context, self.names or ())
        return own if not plays else tuple(sorted((*own, *plays), key=_begun, reverse=True))


def finished_games(context: ScreenContext, names: tuple[str, ...] | None = None) -> tuple[ListedGame, ...]:
    """Return all finished games, or those with some names, the latest first."""
    wanted = None if names is None else frozenset(names)
    return tuple(each for each in context.game_list.games if each.over and (wanted is None or each.name in wanted))


def imported_plays(context: ScreenContext, names: tuple[str, ...]) -> tuple[ImportedPlayRow, ...]:
    """Return the imported plays among some finished games, by their names in the history."""
    imported = [name for name in names if name.startswith(IMPORTED)]
    results = context.history.results(imported) if imported else {}
    return tuple(
        ImportedPlayRow(name, title_text(result.game), local(result.begun) if result.begun else None)
        for name in imported
        if (result := results.get(name)) is not None
    )


def _begun(listed: ListedGame | ImportedPlayRow) -> datetime:
    return listed.begun or datetime.min


def _day(context: ScreenContext, listed: ListedGame | ImportedPlayRow) -> str:
    return "" if listed.begun is None else context.words(day_of(listed.begun))


def _weekday(context: ScreenContext, listed: ListedGame | ImportedPlayRow) -> str:
    return "" if listed.begun is None else context.words(weekday_of(listed.begun))


def winners_of(context: ScreenContext, result: GameResult | None) -> str:
    """Return who won, and by how many points, or who lost, in a part of a row."""
    words = context.words
    if result is None:
        return words(_("unreadable"))
    players, ahead, lost = players_of(context, result), margin(result), losers(result)
    if lost:
        return words(_("{names} lost", names=BETWEEN.join(players[seat] for seat in lost)))
    points = "" if ahead is None else f" +{ahead}" if ahead else " ="
    winners = BETWEEN.join(players[seat] for seat in result.winners)
    return f"{words(Glyph('winner'))} {winners}{points}"
