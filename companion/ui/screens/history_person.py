"""A person in the history: figures over all games, in one kind of game, and against others.

Every figure leads to the games it is from.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import Text
from companion.games import GAMES
from companion.history.game_titles import title_text
from companion.history.statistics import GameFigures, PersonFigures, PointRecord
from companion.ui.history_reader import PersonHistory, StillReading
from companion.ui.translations import _

from .context import Screen, ScreenContents, ScreenContext, Transition
from .history_game import FinishedGameScreen
from .history_games import FinishedGamesScreen
from .list_menu import menu
from .paged_text import sentences
from .screen_contents import OpenedListScreen
from .shared_history_sentences import back_or_unreadable, percent, reading_page


class FigureRow(Struct, frozen=True):
    """A row of a person's page."""

    label: Text
    value: Text
    games: tuple[str, ...] = ()  # the games it is from, by their names in the journal
    opens: Screen | None = None  # the screen behind it, if that is not a list of these games


class PersonListScreen(OpenedListScreen, frozen=True):
    """Base of the lists about a person."""

    name: str

    def figures(self, person: PersonHistory) -> Iterator[FigureRow]:
        raise NotImplementedError

    def title(self) -> Text:
        return Text("{name}", name=self.name)

    def show(self, context: ScreenContext) -> ScreenContents:
        person = context.history.person(self.name)
        if isinstance(person, StillReading):
            return reading_page(self, context, self.title(), person)
        figures = () if person is None else self.figures(person)
        rows = [(each.label, each.value, partial(self._behind, each, row)) for row, each in enumerate(figures)]
        if not rows:
            return sentences(self, context, self.title(), [_("No game is finished yet")])
        return menu(self, context.words, self.title(), rows, self.before, foot=back_or_unreadable(context))

    def _behind(self, figure: FigureRow, row: int) -> Transition:
        here = replace(self, chosen=row)
        if figure.opens is not None:
            return Transition(replace(figure.opens, before=here))
        if len(figure.games) == 1:
            return Transition(FinishedGameScreen(here, figure.games[0]))
        return Transition(FinishedGamesScreen(here, figure.label, figure.games))


class PersonFiguresScreen(PersonListScreen, frozen=True):
    """A person's figures over all games."""

    def figures(self, person: PersonHistory) -> Iterator[FigureRow]:
        whole = person.statistics.overall
        yield from _figures(whole, person.rating)
        yield FigureRow(_("By game"), _number(len(person.statistics.by_game)), opens=PlayedKindsScreen(self, self.name))
        others = person.statistics.head_to_head
        if others:
            yield FigureRow(_("Against others"), _number(len(others)), opens=HeadToHeadScreen(self, self.name))


class PlayedKindsScreen(PersonListScreen, frozen=True):
    """The kinds of games that a person played."""

    def figures(self, person: PersonHistory) -> Iterator[FigureRow]:
        for kind, figures in person.statistics.by_game.items():
            value = _("{won} of {games}", won=len(figures.won), games=len(figures.games))
            opens = PersonByKindScreen(self, self.name, kind=kind)
            yield FigureRow(title_text(kind), value, figures.games, opens)


class PersonByKindScreen(PersonListScreen, frozen=True, kw_only=True):
    """A person's figures in one kind of game."""

    kind: str

    def title(self) -> Text:
        return _("{name}: {game}", name=self.name, game=title_text(self.kind))

    def figures(self, person: PersonHistory) -> Iterator[FigureRow]:
        figures = person.statistics.by_game.get(self.kind)
        if figures is not None:
            yield from _figures(figures, person.by_game.get(self.kind))
            yield from _best(figures)
            for what, action in figures.counts.items():
                yield FigureRow(GAMES[self.kind].optional.action_names[what], _number(action.total), action.games)


class HeadToHeadScreen(PersonListScreen, frozen=True):
    """A person compared with everybody else."""

    def title(self) -> Text:
        return _("{name} ahead : behind", name=self.name)

    def figures(self, person: PersonHistory) -> Iterator[FigureRow]:
        for each in person.statistics.head_to_head:
            value = _("{ahead} : {behind}", ahead=len(each.ahead), behind=len(each.behind))
            yield FigureRow(Text("{name}", name=each.other), value, (*each.ahead, *each.behind, *each.level))


def _figures(figures: PersonFigures, rating: int | None) -> Iterator[FigureRow]:
    yield FigureRow(_("Games"), _number(len(figures.games)), figures.games)
    won = _("{count}, {share}", count=len(figures.won), share=percent(figures.win_rate))
    yield FigureRow(_("Wins"), won, figures.won)
    yield FigureRow(_("Rank share"), percent(figures.rank_share), figures.games)
    if rating is not None:
        yield FigureRow(_("Rating"), _number(rating), figures.games)
    yield FigureRow(_("Wins in a row"), _number(len(figures.streak)), figures.streak)
    yield FigureRow(_("Most in a row"), _number(len(figures.longest_streak)), figures.longest_streak)
    if figures.started:
        value = Text("{won}/{games}", won=len(figures.won_as_starter), games=len(figures.started))
        yield FigureRow(_("Won as starter"), value, figures.started)


def _best(figures: GameFigures) -> Iterator[FigureRow]:
    best: tuple[tuple[Text, PointRecord | None], ...] = (
        (_("Best game"), figures.best_game),
        (_("Worst game"), figures.worst_game),
        (_("Best round"), figures.best_round),
        (_("Worst round"), figures.worst_round),
    )
    for label, points in best:
        if points is not None:
            yield FigureRow(label, _number(points.points), (points.game,))


def _number(count: int) -> Text:
    return Text("{count}", count=count)
