"""The commands ``history`` and ``stats``: print finished games, a person's statistics or the league."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from datetime import date
from difflib import get_close_matches
from typing import Any, NamedTuple

import msgspec

from companion.app.terminal import say, table
from companion.gamelog import name_key
from companion.games import GAMES
from companion.history.days import written
from companion.history.evenings import duration
from companion.history.game_titles import title
from companion.history.history import History
from companion.history.identity import Persons
from companion.history.json_export import left_seats
from companion.history.league import LEAST, LeagueRow, league
from companion.history.ratings import rated
from companion.history.records import Record, Records, records
from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult, written_points
from companion.history.selection import Selection, counted, find_game, select
from companion.history.sides import in_order
from companion.history.statistics import GameFigures, PersonFigures, PersonStatistics, PointRecord, statistics

from .common import (
    WRONG,
    CommandError,
    existing_folder,
    find_added_games,
    journal_read_in,
    standard_output,
    with_data,
    write_data,
)


class _Selected(NamedTuple):
    """The games asked for and every game, oldest first, the people, and the exit status."""

    found: list[GameResult]
    every: list[GameResult]
    people: People
    status: int


def history_arguments(one: ArgumentParser) -> None:
    _with_selection(one)
    one.add_argument("--person", metavar="PERSON", help="only games that this person played")


def stats_arguments(one: ArgumentParser) -> None:
    _with_selection(one)
    one.add_argument("person", metavar="PERSON", nargs="?", help="whose statistics (default: the league table)")
    one.add_argument(
        "--least", metavar="GAMES", type=int, help="how many games a place in the table needs (default: 3)"
    )
    one.add_argument("--ended-early", action="store_true", help="count games that the table ended early, too")


def _with_selection(one: ArgumentParser) -> None:
    with_data(one)
    title = "only this game, by its title or its name in a log"
    one.add_argument("--game", metavar="GAME", dest="only_game", help=title)
    one.add_argument("--since", metavar="DATE", type=_day, help="only games from this day on, such as 2026-11-20")
    one.add_argument("--until", metavar="DATE", type=_day, help="only games up to this day; it ends at 5:00")
    one.add_argument("--json", action="store_true", help="print JSON")


def _day(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise ArgumentTypeError(f"{written!r} is not a date such as 2026-11-20") from None


def history(arguments: Namespace) -> int:
    """Print the finished games, oldest first. Return 1 if games that cannot be read are left out."""
    found, _every, people, status = _selected(arguments, ended_early=True)
    if arguments.json:
        _print_json([_as_json(result, people) for result in found])
        return status
    heads = ("number", "date", "game", "time", "won", "points")
    _print_table(heads, [_row(result, people) for result in found], "><<>")
    return status


def stats(arguments: Namespace) -> int:
    """Print a person's statistics, or the league table. Return 1 if games that cannot be read are left out."""
    selected = _selected(arguments, ended_early=arguments.ended_early)
    if arguments.person is None:
        _print_league(arguments, selected)
    else:
        _print_person(arguments, selected)
    return selected.status


# Reading


def _selected(arguments: Namespace, *, ended_early: bool) -> _Selected:
    """Return the games asked for; those that the table ended early only if they are wanted."""
    find_added_games(arguments)
    place = existing_folder(arguments)
    with journal_read_in(place) as journal:
        journal.read_recent()  # a box may have gone on with a game since it wrote the index of games
        history = History(journal, place)
        people, every = history.people(), counted(history.results(), ended_early=ended_early)
    if history.unreadable:
        say(f"companion: games that cannot be read, and are left out: {len(history.unreadable)}", error=True)
    if not every:
        raise CommandError(f"there is no finished game in {place} yet")
    if arguments.person is not None:
        _check_known(arguments.person, every, people)
    game = None if arguments.only_game is None else _named_game(arguments.only_game, every)
    selection = Selection(game, arguments.since, arguments.until, arguments.person)
    found = select(every, selection, people)
    if not found:
        raise CommandError(f"there is no finished game {_selection_in_words(selection)} in {place}")
    return _Selected(found, every, people, WRONG if history.unreadable or journal.left_out else 0)


def _named_game(written: str, every: Sequence[GameResult]) -> str:
    """Return the name of a game; raise CommandError for one that there is not, with those that may be meant."""
    found = find_game(written, every)
    if found is None:
        played = map(title, dict.fromkeys(result.game for result in every))
        similar = " or ".join(get_close_matches(written, [*played], cutoff=0.5))
        there = f"did you mean {similar}?" if similar else f"there are {', '.join(GAMES.titles())}"
        raise CommandError(f"there is no game {written!r}; {there}")
    return found


def _check_known(person: str, every: Sequence[GameResult], people: People) -> None:
    """Raise CommandError for somebody who never played, with names that are near."""
    persons = Persons(people)
    if name_key(person) not in persons.called(every):
        similar = " or ".join(persons.similar(person, every))
        meant = f"; did you mean {similar}?" if similar else ""
        raise CommandError(f"nobody called {person} has finished a game{meant}")


def _selection_in_words(selection: Selection) -> str:
    parts = (
        selection.game and f"of {title(selection.game)}",
        selection.person and f"with {selection.person}",
        selection.since and f"since {selection.since}",
        selection.until and f"until {selection.until}",
    )
    return " ".join(str(part) for part in parts if part)


# Games


def _row(result: GameResult, people: People) -> tuple[str, ...]:
    names, order = Persons(people).names(result), in_order(result)
    return (
        str(result.number or "imported"),
        _date(result.begun or result.ended),
        title(result.game),
        _time(result.seconds),
        "ended early" if result.ended_early else ", ".join(names[seat] for seat in result.winners) or "nobody",
        ", ".join(f"{names[seat]} {written_points(result.scores[seat])}" for seat in order),
    )


def _as_json(result: GameResult, people: People) -> dict[str, Any]:
    fields = {"deeds" if name == "counts" else name: value for name, value in msgspec.structs.asdict(result).items()}
    del fields["earlier"]
    return fields | {
        "left": left_seats(result, people),
        "players": Persons(people).names(result),
        "rules": msgspec.json.decode(result.rules),
        "begun": _date(result.begun, "T") or None,
        "ended": _date(result.ended, "T") or None,
    }


def _date(time: float, between: str = " ") -> str:
    return written(time, f"%Y-%m-%d{between}%H:%M")


def _time(seconds: float) -> str:
    return str(duration(seconds)) if seconds else ""


# The league table


def _print_league(arguments: Namespace, selected: _Selected) -> None:
    """Print the league table, for one kind of game its records, too."""
    found, every, people, _status = selected
    least = LEAST if arguments.least is None else max(1, arguments.least)
    rows = league(found, people, rated(every, people), one_game=arguments.only_game is not None, least=least)
    best = None if arguments.only_game is None else records(found, people)
    if arguments.json:
        _print_json({"league": rows} | ({} if best is None else {"records": best}))
        return
    cells = [(str(row.place or "-"), row.name, *_shares(row, row.rating)) for row in rows]
    _print_table(("place", "name", "games", "won", "win rate", "rank share", "rating"), cells, "><>>>>>")
    if best is not None:
        say(out=standard_output())
        _print_table(("record", "", "game", "who"), _record_rows(best, found), "<><<")


def _record_rows(best: Records, found: Sequence[GameResult]) -> list[tuple[str, ...]]:
    games = {
        result.name: f"{result.number or 'imported'} {_date(result.begun or result.ended)}".rstrip() for result in found
    }

    def row(what: str, record: Record | None, worded: Callable[[float], str]) -> list[tuple[str, ...]]:
        return [] if record is None else [(what, worded(record.value), games[record.game], ", ".join(record.names))]

    return [
        *row("highest score", best.highest, str),
        *row("lowest score", best.lowest, str),
        *row("longest game", best.longest, _time),
        *row("closest win", best.closest, "by {}".format),
    ]


# A person


def _print_person(arguments: Namespace, selected: _Selected) -> None:
    found, every, people, _status = selected
    person_statistics, ratings = statistics(found, people, arguments.person), rated(every, people)
    if person_statistics is None:  # who left every seat to somebody else
        raise CommandError(f"{arguments.person} has finished no such game")
    key = name_key(person_statistics.name)
    last = {game: figures.games[-1] for game, figures in person_statistics.by_game.items()}
    shown = {game: ratings.after(last[game], key, one_game=True).displayed for game in last}
    overall = ratings.after(person_statistics.overall.games[-1], key).displayed
    if arguments.json:
        _print_json({"statistics": person_statistics, "ratings": {"overall": overall, "by_game": shown}})
        return
    say(person_statistics.name, out=standard_output())
    rows = [_figures("all games", person_statistics.overall, overall)] if len(person_statistics.by_game) > 1 else []
    rows += [_figures(title(game), figures, shown[game]) for game, figures in person_statistics.by_game.items()]
    heads = ("", "games", "won", "win rate", "rank share", "rating", "streak", "longest", "as starter", "time", "last")
    _print_table(heads, rows, "<>>>>>>>>>")
    _print_points(person_statistics, found)
    _print_counts(person_statistics)
    if person_statistics.head_to_head:
        say(out=standard_output())
        met = [
            (each.other, *(str(len(games)) for games in (each.ahead, each.behind, each.level)))
            for each in person_statistics.head_to_head
        ]
        _print_table(("against", "ahead", "behind", "level"), met, "<>>>")


def _figures(what: str, figures: PersonFigures, rating: int | None) -> tuple[str, ...]:
    rate = figures.starter_win_rate
    return (
        what,
        *_shares(figures, rating),
        str(len(figures.streak)),
        str(len(figures.longest_streak)),
        "" if rate is None else f"{len(figures.won_as_starter)} of {len(figures.started)}",
        _time(figures.seconds),
        _date(figures.last),
    )


def _shares(figures: LeagueRow | PersonFigures, rating: int | None) -> tuple[str, ...]:
    """Return the games, the victories, their share, the rank share and the rating."""
    shares = f"{figures.win_rate:.0%}", "" if figures.rank_share is None else f"{figures.rank_share:.0%}"
    return str(len(figures.games)), str(len(figures.won)), *shares, "" if rating is None else str(rating)


def _print_points(person_statistics: PersonStatistics, found: Sequence[GameResult]) -> None:
    numbers = {result.name: f"game {result.number}" if result.number else "imported" for result in found}

    def cell(points: PointRecord | None) -> str:
        if points is None:
            return ""
        where = numbers[points.game] + ("" if points.round is None else f", round {points.round}")
        return f"{points.points} ({where})"

    def row(game: str, each: GameFigures) -> tuple[str, ...]:
        return (title(game), *map(cell, (each.best_game, each.worst_game, each.best_round, each.worst_round)))

    say(out=standard_output())
    heads = ("", "best game", "worst game", "best round", "worst round")
    _print_table(heads, [row(game, figures) for game, figures in person_statistics.by_game.items()])


def _print_counts(person_statistics: PersonStatistics) -> None:
    rows = []
    for game, figures in person_statistics.by_game.items():
        names = GAMES[game].optional.action_names if game in GAMES else {}
        for what, name in names.items():
            action = figures.counts.get(what)
            if action is not None:
                rows.append((title(game), str(name), str(action.total), f"{action.mean:.1f}"))
    if rows:
        say(out=standard_output())
        _print_table(("", "", "total", "a game"), rows, "<<>>")


def _print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> None:
    for line in table(heads, rows, right):
        say(line, out=standard_output())


def _print_json(value: object) -> None:
    write_data(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
