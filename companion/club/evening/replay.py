"""Computes an evening from its events; an impossible event is refused and changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.gamelog import LogError
from companion.gamelog.player_names import check_names, name_key

from .evening_state import (
    ClubEvening,
    Entrant,
    EntrantCame,
    EntrantLeft,
    EntrantRenamed,
    EntrantsAdded,
    EveningBegun,
    EveningError,
    Event,
    EventTakenBack,
    PenaltyGiven,
    PlayersApart,
    Presence,
    RoundDrawn,
    SeatedRound,
    SeatedTable,
    Sizes,
    TableResult,
    TablesMerged,
    TableVoid,
    TeamMade,
)

LONGEST_NAME = 60  # of an evening, so that the heads of lists fit
MOST_PLAYERS = 1000


class Moment(Struct, frozen=True):
    """An evening after one of its events, and the moment before that event; events taken back have none."""

    event: Event
    evening: ClubEvening
    before: Moment | None = None


def begin(event: Event) -> Moment:
    """Return the first moment of an evening; raise EveningError if the event does not begin one."""
    if not isinstance(event, EveningBegun):
        raise EveningError("the first event must begin the evening")
    if not event.name.strip() or len(event.name) > LONGEST_NAME or not event.name.isprintable():
        raise EveningError(f"the name of an evening has 1 to {LONGEST_NAME} characters that can be printed")
    if not event.smallest <= event.wanted <= event.largest:
        raise EveningError("the wanted size of a table must be from the smallest to the largest")
    if len(event.game) > LONGEST_NAME or not event.game.isprintable():
        raise EveningError(f"the name of a game has up to {LONGEST_NAME} characters that can be printed")
    sizes = Sizes(event.wanted, event.smallest, event.largest)
    return Moment(event, ClubEvening(event.name, sizes, event.best, event.seed, event.game, event.deals))


def follow(moment: Moment, event: Event) -> Moment:
    """Return the moment after one more event; raise EveningError if it cannot be."""
    if isinstance(event, EventTakenBack):
        if moment.before is None:
            raise EveningError("there is nothing to take back")
        return moment.before
    return Moment(event, _changed(moment.evening, event), moment)


def replay(events: Iterable[Event]) -> Moment:
    """Return the last moment of an evening; raise EveningError if there is no event, or one that cannot be."""
    moment: Moment | None = None
    for event in events:
        moment = begin(event) if moment is None else follow(moment, event)
    if moment is None:
        raise EveningError("the evening has no event")
    return moment


def _changed(evening: ClubEvening, event: Event) -> ClubEvening:
    match event:
        case EntrantsAdded(players):
            return replace(evening, entrants=_registered(evening.entrants, players))
        case EntrantCame(player):
            if evening.entrant(player).presence is Presence.PRESENT:
                raise EveningError(f"{evening.names[player]} is here already")
            return _with(evening, player, presence=Presence.PRESENT)
        case EntrantLeft(player):
            if evening.entrant(player).presence is Presence.GONE:
                raise EveningError(f"{evening.names[player]} has gone already")
            return _left_round(_with(evening, player, presence=Presence.GONE), player)
        case EntrantRenamed(player, name):
            others = tuple(each for each in evening.entrants if each is not evening.entrant(player))
            _registered(others, (replace(evening.entrant(player), name=name),))
            return _with(evening, player, name=name)
        case TeamMade(team, players):
            for player in players:
                evening.entrant(player)
                evening = _with(evening, player, team=team)
            return evening
        case PlayersApart(one, other, apart):
            pair = frozenset((evening.entrant(one).number, evening.entrant(other).number))
            if len(pair) < 2 or (pair in evening.apart) == apart:
                raise EveningError("name two players who may sit together" if apart else "they may sit together")
            return replace(evening, apart=evening.apart | {pair} if apart else evening.apart - {pair})
        case PenaltyGiven(player, hundredths):
            return replace(evening, penalties=(*evening.penalties, (evening.entrant(player).number, hundredths)))
        case RoundDrawn():
            return replace(evening, rounds=(*evening.rounds, _seated(evening, event)))
        case TablesMerged(table, into):
            return _merged(evening, table, into)
        case TableResult():
            return _with_result(evening, event)
        case TableVoid(number, table):
            if evening.round(number).table(table).void:
                raise EveningError(f"table {table} of round {number} is void already")
            void = replace(evening.round(number).table(table), points=(), ranks=(), void=True)
            return _with_table(evening, number, void)
        case _:
            raise EveningError("the evening has begun already")


def _registered(known: tuple[Entrant, ...], added: tuple[Entrant, ...]) -> tuple[Entrant, ...]:
    if not added:
        raise EveningError("there is nobody to register")
    numbers = {entrant.number for entrant in known}
    keys = {name_key(entrant.name) for entrant in known}
    for entrant in added:
        try:
            (name,) = check_names([entrant.name])
        except LogError as error:
            raise EveningError(str(error)) from None
        if name != entrant.name:
            raise EveningError(f"blanks surround the name {entrant.name!r}")
        if name_key(name) in keys:
            raise EveningError(f"two players are called {name}")
        if entrant.number in numbers:
            raise EveningError(f"two players have the number {entrant.number}")
        keys.add(name_key(name))
        numbers.add(entrant.number)
    if len(known) + len(added) > MOST_PLAYERS:
        raise EveningError(f"more than {MOST_PLAYERS} players are registered")
    return known + added


def _with(evening: ClubEvening, player: int, **changes: Any) -> ClubEvening:
    """Return the evening with something changed of a player."""
    entrants = (replace(each, **changes) if each.number == player else each for each in evening.entrants)
    return replace(evening, entrants=tuple(entrants))


def _left_round(evening: ClubEvening, player: int) -> ClubEvening:
    """Take a player who leaves out of the last round, while it runs. What has a result, or is void, stays."""
    if not evening.rounds or not evening.rounds[-1].open_tables:
        return evening
    last = evening.rounds[-1]
    tables = (
        replace(table, players=tuple(each for each in table.players if each != player))
        if not (table.points or table.void)
        else table
        for table in last.tables
    )
    byes = tuple(each for each in last.byes if each != player)
    return _with_last(evening, SeatedRound(tuple(table for table in tables if table.players), byes))


def _with_last(evening: ClubEvening, last: SeatedRound) -> ClubEvening:
    return replace(evening, rounds=(*evening.rounds[:-1], last))


def _seated(evening: ClubEvening, event: RoundDrawn) -> SeatedRound:
    """Return the round that an event begins, once everybody present is in it once, at a table of an allowed size."""
    if evening.rounds and (still := evening.rounds[-1].open_tables):
        numbers = ", ".join(map(str, still))
        raise EveningError(f"round {len(evening.rounds)} still plays at table {numbers}")
    seated = Counter(_seats(event))
    if any(count > 1 for count in seated.values()) or set(seated) != set(evening.present):
        raise EveningError("a round must seat everybody present once, and nobody else")
    sizes = evening.sizes
    if not event.tables or not all(sizes.smallest <= len(table) <= sizes.largest for table in event.tables):
        raise EveningError(f"a table has {sizes.smallest} to {sizes.largest} players")
    return SeatedRound(tuple(SeatedTable(number, each) for number, each in enumerate(event.tables, 1)), event.byes)


def _seats(event: RoundDrawn) -> Iterator[int]:
    for table in event.tables:
        yield from table
    yield from event.byes


def _merged(evening: ClubEvening, number: int, into: int) -> ClubEvening:
    if not evening.rounds:
        raise EveningError("no round is drawn yet")
    last = evening.rounds[-1]
    gone, stays = last.table(number), last.table(into)
    if number == into:
        raise EveningError("a table cannot be merged with itself")
    if gone.points or stays.points:
        raise EveningError(f"table {number if gone.points else into} has its result")
    if gone.void or stays.void:
        raise EveningError(f"table {number if gone.void else into} is void")
    players = stays.players + gone.players
    if len(players) > evening.sizes.largest:
        raise EveningError(f"{len(players)} players are too many for a table; {evening.sizes.largest} may sit there")
    tables = (replace(each, players=players) if each is stays else each for each in last.tables if each is not gone)
    return _with_last(evening, replace(last, tables=tuple(tables)))


def _with_result(evening: ClubEvening, event: TableResult) -> ClubEvening:
    its_round = evening.round(event.round)
    table = its_round.table(event.table)
    where = f"table {event.table} of round {event.round}"
    if len(table.players) == 1:
        raise EveningError(f"{where} has one player, who has the bye")
    if (table.points or table.void) and not event.corrects:
        raise EveningError(f"{where} has a result; correct it")
    if event.corrects and not (table.points or table.void):
        raise EveningError(f"{where} has no result to correct")
    count = len(table.players)
    for what, given in (("points", event.points), ("ranks", event.ranks or event.points)):
        if len(given) != count:
            raise EveningError(f"{where} has {count} players, so {count} {what} are wanted")
    if any(not 1 <= rank <= count for rank in event.ranks):
        raise EveningError(f"a rank at {where} is from 1 to {count}")
    return _with_table(evening, event.round, replace(table, points=event.points, ranks=event.ranks, void=False))


def _with_table(evening: ClubEvening, number: int, table: SeatedTable) -> ClubEvening:
    """Return the evening with another state of a table in a round."""
    its_round = evening.round(number)
    tables = tuple(table if each.number == table.number else each for each in its_round.tables)
    rounds = list(evening.rounds)
    rounds[number - 1] = replace(its_round, tables=tables)
    return replace(evening, rounds=tuple(rounds))
