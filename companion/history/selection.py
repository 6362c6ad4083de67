"""Selects games by kind, dates and people: a season, a group, one person's games; and titles of games."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from msgspec import Struct

from companion.core.text import Text
from companion.gamelog import name_key
from companion.games import GAMES

from .days import day_of
from .renamed_and_hidden import People, is_same_name
from .results import GameResult


def title(game: str) -> str:
    """Return the title of a game.

    >>> title("eternity"), title("Chess")
    ('Eternity', 'Chess')
    """
    return str(GAMES.title(game)) if game in GAMES else game  # a title that brings its translations is no plain text


def title_text(game: str) -> Text:
    """Return the title of a game as a text; only titles of our games are translated.

    >>> str(title_text("eternity")), str(title_text("Go {9x9}"))
    ('Eternity', 'Go {9x9}')
    """
    return Text(GAMES.title(game)) if game in GAMES else Text("{title}", title=game)


def find_game(written: str, results: Iterable[GameResult]) -> str | None:
    """Return the name of a game of ours, or of one that was played, by its name or its title; None if there is none.

    >>> find_game("East Rune", []), find_game("Golf", [])
    ('east-rune', None)
    """
    if written in GAMES:
        return written
    titles = GAMES.titles() | {game: title(game) for game in dict.fromkeys(result.game for result in results)}
    return next((name for name, other in titles.items() if is_same_name(other, written)), None)


class Selection(Struct, frozen=True):
    """A filter for games; a field that is None or empty restricts nothing."""

    game: str | None = None  # the name of the game played
    # The first local day. Games of an unknown day are left out where a day is given.
    since: date | None = None
    until: date | None = None  # the last local day
    person: str | None = None  # somebody who played, by the current name


def counts(result: GameResult) -> bool:
    """Return whether a game counts in figures: one that the table ended early does, once a round was finished."""
    return not result.ended_early or bool(result.rounds)


def counted(results: Iterable[GameResult], *, ended_early: bool = True) -> list[GameResult]:
    """Return the games that count in figures; those that the table ended early only if they are wanted."""
    return [result for result in results if counts(result) and (ended_early or not result.ended_early)]


def select(results: Iterable[GameResult], selection: Selection, people: People) -> list[GameResult]:
    """Return the games of a selection, in the order given.

    >>> result = GameResult("", 1, "gear", ("Ann", "Bo"), "", 0, 0, 0, "", 0, (5, 9), (1,), (), (), {}, 0)
    >>> [each.players for each in select([result], Selection(person="ann"), People())]
    [('Ann', 'Bo')]
    """
    if selection == Selection():
        return list(results)
    keys = set() if selection.person is None else {name_key(selection.person)}
    return [
        result
        for result in results
        if (selection.game is None or result.game == selection.game)
        and (keys.issubset(people.of(result)) or _left_by(result, people, keys))
        and _within(result, selection)
    ]


def _left_by(result: GameResult, people: People, keys: set[str]) -> bool:
    """Return whether somebody left a seat of a game to somebody else."""
    return any(people.of_name(each.name, result) in keys for each in result.earlier)


def _within(result: GameResult, selection: Selection) -> bool:
    """Return whether a game is of the selected days."""
    if selection.since is None and selection.until is None:
        return True
    day = day_of(result)
    return day is not None and (selection.since or day) <= day <= (selection.until or day)
