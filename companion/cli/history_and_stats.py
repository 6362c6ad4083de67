"""The commands ``history`` and ``stats``: print finished games, a person's statistics or the league."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from functools import partial
from typing import Any, NamedTuple

import msgspec

from companion.app.terminal import say, table
from companion.decoding import from_json
from companion.gamelog import name_key
from companion.games import GAMES
from companion.history.days import duration, written
from companion.history.exports import left_seats
from companion.history.history import History
from companion.history.renamed_and_hidden import People
from companion.history.reports import Figure, Figures, PersonReport, person_report, record_figures, standing
from companion.history.results import GameResult, in_order, written_points
from companion.history.selection import Selection, counted, find_game, select, title
from companion.history.statistics import LEAST, league, rated, records

from .common import (
    WRONG,
    CommandError,
    existing_folder,
    journal_read_in,
    standard_output,
    with_data,
    write_data,
)


def history_arguments(one: ArgumentParser) -> None:
    _with_selection(one)
    one.add_argument("--person", metavar="PERSON", help="only games that this person played")


def stats_arguments(one: ArgumentParser) -> None:
    _with_selection(one)
    one.add_argument("person", metavar="PERSON", nargs="?", help="whose statistics (default: the league table)")
    least = "how many games a place in the table needs (default: 3)"
    one.add_argument("--least", metavar="GAMES", type=int, default=LEAST, help=least)
    early = "count games that the table ended early, as they stood (the default), or leave them out"
    one.add_argument("--ended-early", action=BooleanOptionalAction, default=True, help=early)


def _with_selection(one: ArgumentParser) -> None:
    with_data(one)
    game = "only this game, by its title or its name in a log"
    one.add_argument("--game", metavar="GAME", dest="only_game", help=game)
    one.add_argument("--since", metavar="DATE", type=_day, help="only games from this day on, such as 2026-11-20")
    one.add_argument("--until", metavar="DATE", type=_day, help="only games up to this day; it ends at 5:00")
    one.add_argument("--json", action="store_true", help="print JSON")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a date such as 2026-11-20") from None


Table = tuple[Sequence[str], Sequence[Sequence[str]], str]
"""A table as `companion.app.terminal.table` takes it: heads, rows, and which columns are aligned to the right."""


def history(arguments: Namespace) -> int:
    """Print the finished games, oldest first. Return 1 if games that cannot be read are left out."""
    selected = _selected(arguments, list)
    if arguments.json:
        _print_json([_as_json(result, selected.people) for result in selected.found])
    else:
        heads = ("Number", "Date", "Game", "Time", "Won", "Points")
        _print_tables([(heads, [_row(result, selected.people) for result in selected.found], "><<>")])
    return selected.status


def stats(arguments: Namespace) -> int:
    """Print a person's statistics, or the league table. Return 1 if games that cannot be read are left out."""
    selected = _selected(arguments, partial(counted, ended_early=arguments.ended_early))
    if arguments.person is None:
        _print_league(arguments, selected)
    else:
        _print_person(arguments, selected)
    return selected.status


def _print_tables(tables: Iterable[Table], name: str | None = None) -> None:
    """Print tables, below the name of the person they are about; none but the first without rows."""
    standard_output()  # in UTF-8
    if name is not None:
        say(name)
    for place, (heads, rows, right) in enumerate(tables):
        if place and rows:
            say()
        for line in table(heads, rows, right) if rows or not place else ():
            say(line)


def _print_json(value: object) -> None:
    write_data(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


# The games asked for


class _Selected(NamedTuple):
    """The games asked for and every game, oldest first, the people, and the exit status."""

    found: list[GameResult]
    every: list[GameResult]
    people: People
    status: int


def _selected(arguments: Namespace, wanted: Callable[[list[GameResult]], list[GameResult]]) -> _Selected:
    """Return the games asked for, among those that a function leaves of all."""
    place = existing_folder(arguments)
    with journal_read_in(place) as journal:
        journal.read_recent()  # a box may have gone on with a game since it wrote the index of games
        history = History(journal, place)
        people, every = history.people(), wanted(history.results())
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
        parts = (
            game and f"of {title(game)}",
            arguments.person and f"with {arguments.person}",
            arguments.since and f"since {arguments.since}",
            arguments.until and f"until {arguments.until}",
        )
        raise CommandError(f"there is no finished game {' '.join(filter(None, parts))} in {place}")
    return _Selected(found, every, people, WRONG if history.unreadable or journal.left_out else 0)


def _named_game(wanted: str, every: Sequence[GameResult]) -> str:
    """Return the name of a game; raise CommandError for one that there is not, with those that may be meant."""
    found = find_game(wanted, every)
    if found is None:
        played = map(title, dict.fromkeys(result.game for result in every))
        similar = " or ".join(get_close_matches(wanted, [*played], cutoff=0.5))
        there = f"did you mean {similar}?" if similar else f"there are {', '.join(GAMES.titles())}"
        raise CommandError(f"there is no game {wanted!r}; {there}")
    return found


def _check_known(person: str, every: Sequence[GameResult], people: People) -> None:
    """Raise CommandError for somebody who never played, with names that are near."""
    if name_key(person) not in people.called(every):
        similar = " or ".join(people.similar(person, every))
        meant = f"; did you mean {similar}?" if similar else ""
        raise CommandError(f"nobody called {person} has finished a game{meant}")


# Cells


def _row(result: GameResult, people: People) -> tuple[str, ...]:
    names = people.names(result)
    won = [*(names[seat] for seat in result.winners), *["ended early"] * result.ended_early]
    return (
        *_number_and_date(result),
        title(result.game),
        _time(result.seconds),
        ", ".join(won) or "nobody",
        ", ".join(f"{names[seat]} {written_points(result.scores[seat])}" for seat in in_order(result)),
    )


def _number_and_date(result: GameResult) -> tuple[str, str]:
    return str(result.number or "imported"), _date(result.begun or result.ended)


def _as_json(result: GameResult, people: People) -> dict[str, Any]:
    fields = {"deeds" if name == "counts" else name: value for name, value in msgspec.structs.asdict(result).items()}
    del fields["earlier"]
    return fields | {
        "left": left_seats(result, people),
        "players": people.names(result),
        "rules": from_json(result.rules),
        "begun": _date(result.begun, "T") or None,
        "ended": _date(result.ended, "T") or None,
    }


def _date(time: float, between: str = " ") -> str:
    return written(time, f"%Y-%m-%d{between}%H:%M")


def _time(seconds: float) -> str:
    return str(duration(seconds)) if seconds else ""


def _made_in(figure: Figure, numbers: Mapping[str, str]) -> str:
    """Return a figure with the game and the round that it was made in."""
    if figure.at is None:
        return str(figure.value)
    where = numbers[figure.at] + ("" if figure.round is None else f", round {figure.round}")
    return f"{figure.value} ({where})"


STANDING = ("games", "won", "win rate", "rank share", "rating")
MORE = ("streak", "longest streak", "started", "time", "last")
"""The figures of the tables, in the order of their columns; each table fits into a terminal."""


def _figure_table(
    heads: Sequence[str], right: str, lines: Sequence[tuple[tuple[str, ...], Figures]], names: Sequence[str]
) -> Table:
    """Return a table of figures, by their names; each line has other cells before them, with heads of their own."""
    labels = [str(lines[0][1][name].label) for name in names] if lines else []
    rows = [(*cells, *(str(figures[name].value) for name in names)) for cells, figures in lines]
    return (*heads, *labels), rows, right + ">" * len(labels)


# The league table


def _print_league(arguments: Namespace, selected: _Selected) -> None:
    """Print the league table, for one kind of game its records, too."""
    found, every, people, _status = selected
    one_game = arguments.only_game is not None
    rows = league(found, people, rated(every, people), one_game=one_game, least=max(1, arguments.least))
    best = records(found, people) if one_game else None
    if arguments.json:
        _print_json({"league": rows} | ({} if best is None else {"records": best}))
        return
    places = [((str(row.place or "–"), row.name), standing(row, row.rating)) for row in rows]
    named = {result.name: " ".join(_number_and_date(result)).rstrip() for result in found}
    held = [
        (str(each.label), str(each.value), named[each.at or ""], ", ".join(each.people))
        for each in ({} if best is None else record_figures(best)).values()
    ]
    places_table = _figure_table(("Place", "Name"), "><", places, STANDING)
    _print_tables([places_table, (("Record", "", "Game", "Who"), held, "<><<")])


# A person


def _print_person(arguments: Namespace, selected: _Selected) -> None:
    chosen, every, people, _status = selected
    report = person_report(chosen, people, arguments.person, rated(every, people))
    if report is None:  # who left every seat to somebody else
        raise CommandError(f"{arguments.person} has finished no such game")
    if arguments.json:
        ratings = {"overall": report.rating, "by_game": report.by_game}
        found = msgspec.structs.asdict(report.statistics)
        del found["played"]
        _print_json({"statistics": found, "ratings": ratings})
        return
    numbers = {result.name: f"game {result.number}" if result.number else "imported" for result in chosen}
    _print_tables(_tables_of(report, numbers), report.statistics.name)


def _tables_of(report: PersonReport, numbers: Mapping[str, str]) -> Iterator[Table]:
    """Yield the tables of a person: the figures, the records, counted actions, the others."""
    kinds = [(title(game), kind) for game, kind in report.kinds.items()]  # plays of another program may have our title
    whole = "all games" if len(kinds) > 1 else kinds[0][0]
    lines = [((whole,), report.figures)] if len(kinds) > 1 else []
    lines += [((named,), kind.figures) for named, kind in kinds]
    yield _figure_table(("",), "<", lines, STANDING)
    yield _figure_table(("",), "<", lines, MORE)
    best = [(named, each) for named, kind in kinds for each in kind.records.values()]
    best += [(whole, each) for each in report.records.values()]
    made = [(named, str(each.label), _made_in(each, numbers)) for named, each in best]
    yield ("", "Record", ""), made, "<<<"
    counts = [
        (named, str(each.label), str(each.value), str(each.more or ""))
        for named, kind in kinds
        for each in kind.actions.values()
    ]
    yield ("", "", "Total", "A game"), counts, "<<>>"
    others = [((other,), compared) for other, compared in report.others.items()]
    yield _figure_table(("Against",), "<", others, ("ahead", "behind", "level"))
