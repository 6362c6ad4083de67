"""The result of a finished game, folded from its log: points, sides, ranks and the margin of the winners."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice, pairwise, takewhile, zip_longest
from operator import sub
from typing import Any, NamedTuple

from msgspec import Struct, ValidationError, json
from msgspec.structs import astuple

from companion.core.game import Best, CountedAction, Game, Start
from companion.core.games import GameFaultError, checked, is_partition
from companion.core.session import Session, Step
from companion.decoding import convert, from_json
from companion.games import GAMES

PAUSE = 1800.0  # seconds without an entry after which a table is taken to have paused
IMPORTED = "imported-"  # how the name of an imported play begins; games of the journal have a number there


class EarlierPlayer(Struct, frozen=True, array_like=True, gc=False):
    """Somebody who left a seat to somebody else during a game, and what they made there."""

    seat: int
    name: str  # the name as it was then
    first: int  # the number of the first round that ended while they sat there, from 1
    last: int  # the number of the last one; less than ``first`` if there was none
    counts: dict[str, int]  # the amount of each counted action


class GameResult(Struct, frozen=True, array_like=True, gc=False):
    """The result of a finished game. It counts for those who sat there at the end."""

    name: str  # its name in the journal
    number: int  # its number in the journal
    game: str  # the name of the game played
    players: tuple[str, ...]  # the players' names as they were then, by seat, at the end
    rules: str  # the rules chosen, as JSON
    begun: float  # when it began, in seconds since 1970; 0 if the clock was not set
    ended: float  # when its last entry was made, likewise
    seconds: float  # how long it was played, without pauses
    tracking: str  # the level of detail recorded
    starter: int | None  # the seat that started the first round; None if it is not known
    scores: tuple[int | None, ...]  # the final points by seat; None where an imported play does not tell them
    winners: tuple[int, ...]  # the winning seats
    rounds: tuple[tuple[int, ...], ...]  # the points of each round, by seat
    course: tuple[tuple[int, ...], ...]  # the totals before the first round and after each, by seat
    counts: dict[str, tuple[int, ...]]  # the amount of each counted action by seat; each game declares its actions
    entries: int  # the number of entries that stand
    # the rank of each seat from 1, where it does not follow from winners and points; else empty
    places: tuple[int, ...] = ()
    # the seats of the declarer's side in each round; empty if the game has no such sides
    declarers: tuple[tuple[int, ...], ...] = ()
    # of an imported play: which points are the best, None if it does not say so; the number of each seat's team from 0,
    # empty if all played alone
    best: Best | None = None
    teams: tuple[int, ...] = ()
    ended_early: bool = False  # whether the table ended it before its end: only the finished rounds are in it
    earlier: tuple[EarlierPlayer, ...] = ()  # who left a seat to somebody else, by seat, the earliest first


class Maker(Struct, frozen=True):
    """Somebody who made points and counted actions in a game."""

    seat: int
    name: str  # the name as it was then
    rounds: tuple[int, ...]  # the numbers of the rounds, from 1
    counts: dict[str, int]  # the amount of each counted action that the game has
    left: bool = False  # whether they left the seat to somebody else


def makers(result: GameResult, seats: Iterable[int] | None = None) -> list[Maker]:
    """Return who made the points and actions of a game: for each seat who left it, then who sat there at the end.

    Args:
        result: The game.
        seats: The seats that are wanted; all by default.
    """
    found = []
    for seat in range(len(result.players)) if seats is None else seats:
        rounds = range(1, len(result.rounds) + 1)
        own = {what: by_seat[seat] for what, by_seat in result.counts.items()}
        for each in result.earlier:
            if each.seat == seat:
                own = {what: amount - each.counts.get(what, 0) for what, amount in own.items()}
                made = {what: each.counts.get(what, 0) for what in own}
                found.append(Maker(seat, each.name, tuple(rounds[: each.last - each.first + 1]), made, left=True))
                rounds = rounds[each.last - each.first + 1 :]
        found.append(Maker(seat, result.players[seat], tuple(rounds), own))
    return found


def written_points(points: int | None) -> str:
    """Return points as a string; a dash where they are not known."""
    return "–" if points is None else str(points)


def figure(points: int | None) -> str:
    """Return points as people write them, with a true minus sign; a dash where they are not known.

    >>> figure(-5), figure(None)
    ('−5', '–')
    """
    return written_points(points).replace("-", "−")


class ActionEntry(Struct, frozen=True):
    """A counted action, and the entry that shows it."""

    entry: int  # the number of the entry, from 1
    action: CountedAction


def course_until(game: Game[Any], step: Step) -> tuple[tuple[int, ...], ...]:
    """Return the totals before the first round and after each one finished until a step, by seat.

    The last are the final points once the game is over, even if it was not played to the end of a round.
    """
    return _course(game, _steps(step))


def counted_actions(session: Session) -> Iterator[ActionEntry]:
    """Yield the counted actions of a game, in the order of its entries.

    Actions of entries that a whole round replaces do not count, nor those of a round within which the game was ended.
    """
    return _actions(session.header.game, _steps(session.counted))


def _steps(last: Step) -> list[Step]:
    """Return a step and all before it, step 0 first."""
    step: Step | None = last
    steps = []
    while step is not None:
        steps.append(step)
        step = step.before
    steps.reverse()
    return steps


def _round_ends(game: Game[Any], steps: Sequence[Step]) -> list[Step]:
    """Return step 0 and each step that ended a round."""
    finished, round_ends = game.optional.finished_rounds, [steps[0]]
    count = 0
    for step in steps:
        if (now := finished(step.state)) > count:
            count = now
            round_ends.append(step)
    return round_ends


def _course(game: Game[Any], steps: Sequence[Step]) -> tuple[tuple[int, ...], ...]:
    round_ends = _round_ends(game, steps)
    totals = [checked(game, step.state).totals for step in round_ends]
    if round_ends[-1] is not steps[-1] and (final := checked(game, steps[-1].state)).over:
        totals.append(final.totals)
    return tuple(totals)


def _actions(game: Game[Any], steps: Sequence[Step]) -> Iterator[ActionEntry]:
    finished, actions = game.optional.finished_rounds, game.optional.counted_actions
    running: list[ActionEntry] = []
    for before, after in pairwise(steps):
        event = after.event
        assert event is not None  # only step 0 has none
        if isinstance(event, game.optional.whole_round):
            running.clear()
        running += [
            ActionEntry(after.number, action) for action in actions(before.state, event, after.state) if action.amount
        ]
        if finished(after.state) > finished(before.state):
            yield from running
            running.clear()
    yield from running


def played_seconds(times: Sequence[float]) -> float:
    """Return how long a table played: the time between entries, in seconds, without pauses.

    >>> played_seconds([0, 60, 100_000, 100_030])
    90.0
    """
    return float(sum(gap for before, after in pairwise(times) if 0 < (gap := after - before) <= PAUSE))


def result_of(name: str, number: int, session: Session, times: Sequence[float], tracking: str) -> GameResult | None:
    """Return the result of a game; None if it is not over.

    The times are those of the header and each line after it, in seconds since 1970; 0 where it is not known.

    Raises:
        GameFaultError: The game has given something else than points for each seat.
    """
    if not session.progress.over:
        return None
    game = session.header.game
    try:
        result = _worked_out(name, number, session, times, tracking)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise GameFaultError(game.title, f"{type(error).__name__}: {error}"[:120]) from error
    return _checked(game, result)


def _worked_out(name: str, number: int, session: Session, times: Sequence[float], tracking: str) -> GameResult:
    """Return the result as the game gives it."""
    game, header, progress = session.header.game, session.header, session.progress
    steps = _steps(session.counted)
    totals = _course(game, steps)
    if game.optional.round_points is not None:
        rounds = tuple(map(tuple, game.optional.round_points(session.state)))
    else:
        growth = islice(pairwise(totals), game.optional.finished_rounds(session.state))
        rounds = tuple(tuple(map(sub, after, before)) for before, after in growth)
    # by seat: no seat is counted from the end
    counts = {what: dict.fromkeys(range(len(header.players)), 0) for what in game.optional.action_names}
    actions = list(_actions(game, steps))
    for each in actions:
        counts[each.action.what][each.action.seat] += each.action.amount
    known = [moment for moment in times if moment]
    return GameResult(
        name=name,
        number=number,
        game=game.name,
        players=header.players,
        rules=json.encode(header.rules).decode(),
        begun=times[0] if times else 0,
        ended=known[-1] if known else 0,
        seconds=played_seconds(known),
        tracking=tracking,
        starter=_first_starter(game, steps),
        scores=progress.totals,
        winners=progress.winners or (),
        rounds=rounds,
        course=totals,
        counts={what: tuple(amounts.values()) for what, amounts in counts.items() if any(amounts.values())},
        entries=session.head.number,
        declarers=() if game.optional.declarers is None else game.optional.declarers(session.state),
        ended_early=session.finished,
        earlier=tuple(_earlier(session, _round_ends(game, steps)[1:], actions)) if session.sat_before else (),
    )


def _checked(game: Game[Any], result: GameResult) -> GameResult:
    """Return a result of its types, with points for each seat: a wrong one would stop the figures of all."""
    try:
        result = convert(astuple(result), GameResult)
    except ValidationError as error:
        raise GameFaultError(game.title, f"its result is wrong: {error}") from None
    seats = range(len(result.players))
    if any(len(by_seat) != len(seats) for by_seat in (result.scores, *result.rounds, *result.course)):
        raise GameFaultError(game.title, f"its result does not have points for each of {len(seats)} seats")
    if not {*result.winners, *chain(*result.declarers)} <= {*seats}:
        raise GameFaultError(game.title, f"its result names a seat that {len(seats)} players do not have")
    return result


def _earlier(session: Session, round_ends: Sequence[Step], actions: Sequence[ActionEntry]) -> Iterator[EarlierPlayer]:
    """Yield who left a seat to somebody else, and finished a round there or did something that is counted."""
    for seat, player in enumerate(session.header.players):
        begun, rounds = 0, 0  # the last entry made there by somebody else before, and the rounds that had ended
        later = (*(each.names[seat] for each in session.sat_before[1:]), player)
        for sitters, name in zip(session.sat_before, later, strict=True):
            if sitters.names[seat] == name:
                continue
            last = sum(step.number <= sitters.until for step in round_ends)
            counts: dict[str, int] = {}
            for each in actions:
                if each.action.seat == seat and begun < each.entry <= sitters.until:
                    counts[each.action.what] = counts.get(each.action.what, 0) + each.action.amount
            if last > rounds or counts:
                yield EarlierPlayer(seat, sitters.names[seat], rounds + 1, last, counts)
            begun, rounds = sitters.until, last


def _first_starter(game: Game[Any], steps: Sequence[Step]) -> int | None:
    """Return who started the first round; None if it was entered as a whole."""
    first = takewhile(lambda step: not game.optional.finished_rounds(step.state), steps)
    return next((step.event.player for step in first if isinstance(step.event, Start)), None)


# Sides: each player alone, or partners

Sides = tuple[tuple[int, ...], ...]  # the seats of each side


def sides(result: GameResult) -> Sides:
    """Return the sides of a game, as the game declares them; without a declaration each player is alone.

    An imported play has the teams that it says, whatever its title: no rules are known.

    >>> sides(GameResult("", 1, "gear", tuple("ABCD"), '{"teams":true}', 0, 0, 0, "", 0, (), (), (), (), {}, 0))
    ((0, 2), (1, 3))
    """
    if not result.number:
        return _teams(result.teams or tuple(range(len(result.players))))
    return _sides(GAMES.get(result.game), len(result.players), result.rules)


@lru_cache(maxsize=256)
def _teams(teams: tuple[int, ...]) -> Sides:
    return tuple(tuple(seat for seat, own in enumerate(teams) if own == team) for team in dict.fromkeys(teams))


@lru_cache(maxsize=256)
def _sides(game: Game[Any] | None, seats: int, rules: str) -> Sides:
    declared = None if game is None else game.optional.sides
    if declared is not None and rules:
        with suppress(GameFaultError):  # a game that fails must not take the results of others with it
            found = declared(seats, from_json(rules))
            if is_partition(found, seats):
                return found
    return tuple((seat,) for seat in range(seats))


def best_of(result: GameResult) -> Best:
    """Return which points are the best in a game."""
    return result.best or _best(GAMES.get(result.game), result.rules)


@lru_cache(maxsize=256)
def _best(game: Game[Any] | None, rules: str) -> Best:
    with suppress(ValueError):  # a rule of an older version may say anything
        return Best.HIGHEST if game is None else game.best(from_json(rules) if rules else {})
    return Best.HIGHEST


def side_of(result: GameResult, seat: int) -> int:
    """Return the number of the side that a seat is on."""
    return next(number for number, side in enumerate(sides(result)) if seat in side)


def in_order(result: GameResult) -> list[int]:
    """Return the seats by rank, then by points, the best first, and unknown points last."""
    ranks, best = seat_ranks(result), best_of(result)

    def key(seat: int) -> tuple[int, bool, int]:
        points = result.scores[seat]
        return ranks[seat], points is None, 0 if points is None else best.key(points)

    return sorted(range(len(result.players)), key=key)


class SideScore(NamedTuple):
    """A side of a finished game, with its points."""

    seats: tuple[int, ...]
    points: int | None  # the points of the side; None if they are not known
    won: bool


def by_side(result: GameResult) -> list[SideScore]:
    """Return the sides with their points, the best first: each player alone, or partners with those of both.

    >>> by_side(GameResult("", 1, "gear", tuple("ABCD"), '{"teams":true}', 0, 0, 0, "", 0, (6, 5, 11, 4), (0, 2), (),
    ...     (), {}, 0))
    [SideScore(seats=(0, 2), points=17, won=True), SideScore(seats=(1, 3), points=9, won=False)]
    """
    of = sides(result)
    points = result.scores if len(of) == len(result.players) else _points(result, of) or (None,) * len(of)
    order = dict.fromkeys(side_of(result, seat) for seat in in_order(result))
    return [SideScore(of[side], points[side], of[side][0] in result.winners) for side in order]


def losers(result: GameResult) -> tuple[int, ...]:
    """Return the seats that lost, in a game that ends with losers; of other games none."""
    one_loses = result.number and result.game in GAMES and GAMES[result.game].optional.one_loses
    if not one_loses or not result.winners:
        return ()
    return tuple(seat for seat in range(len(result.players)) if seat not in result.winners)


def nobody_won(result: GameResult) -> bool:
    """Return whether a game was played to its end, and all have lost."""
    return not result.winners and not result.ended_early


def ended_level(result: GameResult) -> bool:
    """Return whether the table ended a game early while nobody was ahead."""
    return result.ended_early and len(result.winners) in (0, len(result.players))


def somebody_won(result: GameResult) -> bool:
    """Return whether somebody won a game and somebody did not, or all tied in a game of all against all.

    If all have won together, or nobody, nobody was better: the game moves no rating, rank share or record.
    """
    if len(result.winners) < len(result.players):
        return bool(result.winners)
    together = result.number and result.game in GAMES and GAMES[result.game].optional.all_can_win
    return not together and None not in result.scores


def round_points(result: GameResult, written: Callable[[int], str] = str) -> list[tuple[str, ...]]:
    """Return the points of each round by seat, with a star for each seat of the declarer's side."""
    rounds = zip_longest(result.rounds, result.declarers[: len(result.rounds)], fillvalue=())
    return [
        tuple(written(own) + "*" * (seat in declared) for seat, own in enumerate(points)) for points, declared in rounds
    ]


def seat_ranks(result: GameResult) -> tuple[int, ...]:
    """Return the rank of each seat's side, from 1, by seat.

    Winners share the first rank; other sides with equal points share a rank. If nobody has won, all share the last.

    >>> seat_ranks(GameResult("", 1, "", tuple("ABC"), "", 0, 0, 0, "", 0, (5, 9, 5), (1,), (), (), {}, 0))
    (2, 1, 2)
    """
    of = sides(result)
    if nobody_won(result):
        return (len(of),) * len(result.players)
    best = best_of(result)
    if len(of) == len(result.players):
        return result.places or _ranks(_points(result, of), result.winners, best)
    if result.places:  # of seats; partners share the better one
        places = [min(result.places[seat] for seat in side) for side in of]
        of_sides = tuple(1 + sum(other < own for other in places) for own in places)
    else:
        winners = [number for number, side in enumerate(of) if side[0] in result.winners]
        of_sides = _ranks(_points(result, of), winners, best)
    return tuple(of_sides[side_of(result, seat)] for seat in range(len(result.players)))


def _ranks(points: tuple[int, ...], winners: Any, best: Best) -> tuple[int, ...]:
    """Return the rank of each side, from the points and the winners of the sides."""
    others = [own for side, own in enumerate(points) if side not in winners]
    others.sort(reverse=best is Best.HIGHEST)
    first = 1 + len(points) - len(others)
    return tuple([1 if side in winners else first + others.index(own) for side, own in enumerate(points)])


def _points(result: GameResult, of: Sides) -> tuple[int, ...]:
    """Return the points of each side; empty if those of a seat are not known."""
    if None in result.scores:
        return ()
    known: Any = result.scores
    if len(of) == len(result.players):
        return tuple(known)
    if not result.number:  # teams of other programs write the points of the team at each player, or each player's own
        shared = all(len({known[seat] for seat in side}) == 1 for side in of)
    else:
        shared = result.game in GAMES and GAMES[result.game].optional.shared_points
    return tuple(known[side[0]] if shared else sum(known[seat] for seat in side) for side in of)


def rank_share(count: int, rank: int) -> float:
    """Return (n − rank) / (n − 1) among n sides: 1 for the first, 0 for the last, whatever the size of the table."""
    return (count - rank) / (count - 1)


def margin(result: GameResult) -> int | None:
    """Return how many points the winners were ahead of the best other side; 0 if sides share the win.

    None if no side won or all together, if the winners did not have the best points, if nobody has any, or if
    somebody's are not known.
    """
    of, best, won, lost = sides(result), best_of(result), list[int](), list[int]()
    if None in result.scores or not any(result.scores) or not somebody_won(result):
        return None
    for side, points in zip(of, _points(result, of), strict=True):
        (won if side[0] in result.winners else lost).append(best.key(points))
    if lost and (not won or max(won) > min(lost)):
        return None
    shared = len(won) > 1 and not losers(result)
    return min(lost) - max(won) if lost and not shared else 0
