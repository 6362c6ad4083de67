"""Computes an evening from its events; an impossible event is refused and changes nothing."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import N_
from companion.gamelog import LogError
from companion.gamelog.player_names import check_names, name_key

from . import evening_state as events
from .evening_state import ClubEvening, Entrant, EveningError, Presence, SeatedRound, SeatedTable, Sizes

TWO_NAMES = N_("two players are called {name}")
TWO_NUMBERS = N_("two players have the number {number}")
LONGEST_NAME = 60  # of an evening, so that the heads of lists fit
MOST_PLAYERS = 1000


class Moment(Struct, frozen=True):
    """An evening after one of its events, and the moment before that event; events taken back have none."""

    event: events.Event
    evening: ClubEvening
    before: Moment | None = None


def begin(event: events.Event) -> Moment:
    """Return the first moment of an evening; raise EveningError if the event does not begin one."""
    if not isinstance(event, events.EveningBegun):
        raise EveningError("the first event must begin the evening")  # of a file
    return Moment(event, _settled(ClubEvening("", Sizes(0, 0, 0), event.best, event.seed), event))


def _settled(evening: ClubEvening, event: events.EveningBegun | events.EveningSettled) -> ClubEvening:
    """Return an evening with its name, sizes, game and how it is won."""
    if not event.name.strip() or len(event.name) > LONGEST_NAME or not event.name.isprintable():
        raise EveningError(N_("The name of an evening has 1 to {most} printable characters."), most=LONGEST_NAME)
    if not event.smallest <= event.wanted <= event.largest:
        raise EveningError(N_("The wanted size of a table is from the smallest to the largest."))
    if len(event.game) > LONGEST_NAME or not event.game.isprintable():
        raise EveningError(N_("The name of a game has up to {most} printable characters."), most=LONGEST_NAME)
    sizes = Sizes(event.wanted, event.smallest, event.largest)
    return replace(evening, name=event.name, sizes=sizes, best=event.best, game=event.game, deals=event.deals)


def follow(moment: Moment, event: events.Event) -> Moment:
    """Return the moment after one more event; raise EveningError if it cannot be."""
    if isinstance(event, events.EventTakenBack):
        if moment.before is None:
            raise EveningError(N_("There is nothing to take back."))
        return moment.before
    return Moment(event, _changed(moment.evening, event), moment)


def _changed(evening: ClubEvening, event: events.Event) -> ClubEvening:
    match event:
        case events.EveningSettled():
            return _settled(evening, event)
        case events.EntrantsAdded(players):
            return replace(evening, entrants=_registered(evening.entrants, players))
        case events.EntrantCame(player):
            if evening.entrant(player).presence is Presence.PRESENT:
                raise EveningError(N_("{name} is here already."), name=evening.names[player])
            return _with(evening, player, presence=Presence.PRESENT)
        case events.EntrantLeft(player):
            if evening.entrant(player).presence is Presence.GONE:
                raise EveningError(N_("{name} has gone already."), name=evening.names[player])
            return _left_round(_with(evening, player, presence=Presence.GONE), player)
        case events.EntrantRemoved(player):
            return _without(evening, evening.entrant(player))
        case events.EntrantRenamed(player, name):
            others = tuple(each for each in evening.entrants if each is not evening.entrant(player))
            _registered(others, (replace(evening.entrant(player), name=name),))
            return _with(evening, player, name=name)
        case events.TeamMade(team, players):
            for player in players:
                evening.entrant(player)
                evening = _with(evening, player, team=team)
            return evening
        case events.PlayersApart(one, other, apart):
            pair = frozenset((evening.entrant(one).number, evening.entrant(other).number))
            if len(pair) < 2:
                raise EveningError(N_("Name two players."))
            if (pair in evening.apart) == apart:
                raise EveningError(N_("They sit apart already.") if apart else N_("They may sit together already."))
            return replace(evening, apart=evening.apart | {pair} if apart else evening.apart - {pair})
        case events.PenaltyGiven(player, hundredths):
            return replace(evening, penalties=(*evening.penalties, (evening.entrant(player).number, hundredths)))
        case events.RoundDrawn():
            return replace(evening, rounds=(*evening.rounds, _seated(evening, event)))
        case events.TablesMerged(table, into):
            return _merged(evening, table, into)
        case events.TableResult():
            return _with_result(evening, event)
        case events.TableVoid(number, table):
            if evening.round(number).table(table).void:
                raise EveningError(N_("Table {table} of round {number} is void already."), table=table, number=number)
            void = replace(evening.round(number).table(table), points=(), ranks=(), void=True)
            return _with_table(evening, number, void)
        case _:
            raise EveningError("the evening has begun already")  # of a file


def _registered(known: tuple[Entrant, ...], added: tuple[Entrant, ...]) -> tuple[Entrant, ...]:
    if not added:
        raise EveningError(N_("There is nobody to register."))
    numbers = {entrant.number for entrant in known}
    keys = {name_key(entrant.name) for entrant in known}
    for entrant in added:
        try:
            (name,) = check_names([entrant.name])
        except LogError as error:
            raise EveningError(error.text) from None
        if name != entrant.name:
            raise EveningError("blanks surround the name {name}", name=repr(entrant.name))  # of a file
        if name_key(name) in keys:
            raise EveningError(TWO_NAMES, name=name)
        if entrant.number in numbers:
            raise EveningError(TWO_NUMBERS, number=entrant.number)
        keys.add(name_key(name))
        numbers.add(entrant.number)
    if len(known) + len(added) > MOST_PLAYERS:
        raise EveningError(N_("Players that can be registered: up to {most}."), most=MOST_PLAYERS)
    return known + added


def _with(evening: ClubEvening, player: int, **changes: Any) -> ClubEvening:
    """Return the evening with something changed of a player."""
    entrants = (replace(each, **changes) if each.number == player else each for each in evening.entrants)
    return replace(evening, entrants=tuple(entrants))


def _without(evening: ClubEvening, entrant: Entrant) -> ClubEvening:
    """Return the evening without a player, and without what was arranged for him."""
    if entrant.number in evening.seated:
        raise EveningError(N_("{name} has had a place in a round, and stays on the list."), name=entrant.name)
    return replace(
        evening,
        entrants=tuple(each for each in evening.entrants if each is not entrant),
        apart=frozenset(pair for pair in evening.apart if entrant.number not in pair),
        penalties=tuple(each for each in evening.penalties if each[0] != entrant.number),
    )


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
    return _with_last(evening, replace(last, tables=tuple(table for table in tables if table.players), byes=byes))


def _with_last(evening: ClubEvening, last: SeatedRound) -> ClubEvening:
    return replace(evening, rounds=(*evening.rounds[:-1], last))


def _seated(evening: ClubEvening, event: events.RoundDrawn) -> SeatedRound:
    """Return the round that an event begins, once everybody present is in it once, at a table of an allowed size."""
    if evening.rounds and (still := evening.rounds[-1].open_tables):
        where: dict[str, object] = {"number": len(evening.rounds), "tables": ", ".join(map(str, still))}
        raise EveningError(N_("Round {number} still plays at table {tables}."), **where)
    seated = Counter(chain(*event.tables, event.byes))
    if any(count > 1 for count in seated.values()) or set(seated) != set(evening.present):
        raise EveningError("a round must seat everybody present once, and nobody else")  # of a file
    sizes = evening.sizes
    if not event.tables or not all(sizes.smallest <= len(table) <= sizes.largest for table in event.tables):
        raise EveningError("a table has {least} to {most} players", least=sizes.smallest, most=sizes.largest)
    tables = tuple(SeatedTable(number, each) for number, each in enumerate(event.tables, 1))
    return SeatedRound(tables, event.byes, len(tables))


def _merged(evening: ClubEvening, number: int, into: int) -> ClubEvening:
    last = evening.round(len(evening.rounds))
    gone, stays = last.table(number), last.table(into)
    if number == into:
        raise EveningError(N_("A table cannot be merged with itself."))
    for table in (gone, stays):
        if table.points or table.void:
            why = N_("Table {table} has its result.") if table.points else N_("Table {table} is void.")
            raise EveningError(why, table=table.number)
    players = stays.players + gone.players
    check_room(evening, len(players))
    tables = (replace(each, players=players) if each is stays else each for each in last.tables if each is not gone)
    return _with_last(evening, replace(last, tables=tuple(tables)))


def check_room(evening: ClubEvening, players: int) -> None:
    """Raise EveningError if so many players are too many for a table."""
    if players > (most := evening.sizes.largest):
        raise EveningError(
            N_("Too many for a table: {players}; up to {most} may sit there."), players=players, most=most
        )


def _with_result(evening: ClubEvening, event: events.TableResult) -> ClubEvening:
    its_round = evening.round(event.round)
    table = its_round.table(event.table)
    where: dict[str, object] = {"table": event.table, "number": event.round}
    if len(table.players) == 1:
        raise EveningError(N_("Table {table} of round {number} has one player, who has the bye."), **where)
    if (table.points or table.void) and not event.corrects:
        raise EveningError(N_("Table {table} of round {number} has a result: correct it."), **where)
    if event.corrects and not (table.points or table.void):
        raise EveningError(N_("Table {table} of round {number} has no result to correct."), **where)
    players = len(table.players)
    if not len(event.points) == players == len(event.ranks or event.points):
        raise EveningError("table {table} of round {number} has other players", **where)  # of a file
    if any(not 1 <= rank <= players for rank in event.ranks):
        raise EveningError("a rank at table {table} of round {number} is beyond its players", **where)  # of a file
    return _with_table(evening, event.round, replace(table, points=event.points, ranks=event.ranks, void=False))


def _with_table(evening: ClubEvening, number: int, table: SeatedTable) -> ClubEvening:
    """Return the evening with another state of a table in a round."""
    its_round = evening.round(number)
    tables = tuple(table if each.number == table.number else each for each in its_round.tables)
    rounds = list(evening.rounds)
    rounds[number - 1] = replace(its_round, tables=tables)
    return replace(evening, rounds=tuple(rounds))
