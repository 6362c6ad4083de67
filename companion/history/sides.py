"""Sides of a finished game: each player alone, or partners; who is ahead, their ranks and the winners' margin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from companion.core.game import Best, Game
from companion.core.games import GameFaultError, is_partition
from companion.decoding import from_json
from companion.games import GAMES

from .results import GameResult

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


def seat_shares(result: GameResult) -> tuple[float, ...] | None:
    """Return the rank share of each seat's side; None if nobody was better than others."""
    count = len(sides(result))
    return tuple(rank_share(count, rank) for rank in seat_ranks(result)) if somebody_won(result) else None


def mean_share(shares: Sequence[float]) -> float | None:
    """Return the mean of a person's rank shares; None without any."""
    return sum(shares) / len(shares) if shares else None


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
