"""Removes games, and brings them back. Nothing is deleted here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.dates import day_of
from companion.ui.saved_games import ListedGame
from companion.ui.translations import _
from companion.ui.view import BETWEEN

from .commands import PutAwayOrBringBack
from .context import ScreenContents, ScreenContext, Transition
from .list_menu import PAGE, PagedListScreen, Row, menu

PUT_AWAY = _("{game} is removed")
BROUGHT = _("{game} is back in the list")


class PutAwayScreen(PagedListScreen, frozen=True):
    """The games, to choose the one to remove; the first row leads to those that were."""

    def show(self, context: ScreenContext) -> ScreenContents:
        every, removed = context.game_list.games, len(context.game_list.removed)
        back = [(_("Bring back"), removed, Transition(BringBackScreen(replace(self, chosen=0))))] if removed else []
        size = PAGE - len(back)  # so that every row has a number
        listed = self.listed(every, size)
        rows: list[Row] = [*back, *(self._row(context, place, game) for place, game in enumerate(listed, len(back)))]
        below = ((" ", ""), *map(_players, listed)) if removed else map(_players, listed)
        older = self.older(every, _("Older games"), size)
        return menu(
            self, context.words, _("Remove which game?"), [*rows, *older], self.newer, below=below, names=_names(listed)
        )

    def _row(self, context: ScreenContext, place: int, game: ListedGame) -> Row:
        here = replace(self, chosen=place)
        ask = _("Choose {game} again to remove it", game=game.title, name=game.name)  # name: two may have one title
        move = Transition(
            replace(self, chosen=0),
            PutAwayOrBringBack(game.name, away=True),
            _told(PUT_AWAY, game),
            if_refused=here,
            warning=ask,
        )
        return game.title, _day(context, game), move


class BringBackScreen(PagedListScreen, frozen=True):
    """The games that were removed, to choose the one that comes back."""

    def show(self, context: ScreenContext) -> ScreenContents:
        every = context.game_list.removed
        listed = self.listed(every)
        rows: list[Row] = [
            (
                game.title,
                _day(context, game),
                Transition(
                    self.newer, PutAwayOrBringBack(game.name, away=False), _told(BROUGHT, game), if_refused=self
                ),
            )
            for game in listed
        ]
        older = self.older(every, _("Older games"))
        return menu(
            self,
            context.words,
            _("Bring back which game?"),
            [*rows, *older],
            self.newer,
            below=map(_players, listed),
            names=_names(listed),
        )


def _told(sentence: Text, game: ListedGame) -> Text:
    return Text(sentence.template, game=game.title)


def _day(context: ScreenContext, game: ListedGame) -> str:
    return "" if game.begun is None else context.words(day_of(game.begun))


def _players(game: ListedGame) -> tuple[str, str]:
    names = () if game.header is None else game.header.players
    return (BETWEEN.join(names), "" if game.begun is None else f"{game.begun:%H:%M}")


def _names(listed: Iterable[ListedGame]) -> Iterator[str]:
    return (name for game in listed if game.header is not None for name in game.header.players)
