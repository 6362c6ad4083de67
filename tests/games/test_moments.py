"""The short moment of a state: the round, and the trick or turn once it has begun."""

from __future__ import annotations

import pytest

from companion.gamelog import decode_line
from tests.core.test_entries_after_correction import ETERNITY, RUNES, game, sea

START = '"type":"start","player":0'
EAST = (*RUNES, '"type":"play","player":0,"card":"dusk-animal","from":"hand"')


def lay(player: int, suit: str, count: int) -> str:
    return f'"type":"play","player":{player},"suit":"{suit}","count":{count}'


def passes(*players: int) -> tuple[str, ...]:
    return tuple(f'"type":"pass","player":{player}' for player in players)


STUCK = (START, lay(0, "sun", 1), lay(1, "moon", 1), lay(1, "sun", 1), '"type":"stuck","player":0')


@pytest.mark.parametrize(
    ("name", "players", "lines", "moments"),
    [
        (
            "eternity",
            4,
            (*ETERNITY, *(sea(seat, seat + 4) for seat in range(4))),
            "R1|R1|R1 T1|R1 T1|R1 T1|R1 T1|R1 T2",
        ),
        ("eternity", 4, ('"type":"round","tricks":[10,0,0,0],"trees":[0,0,0,0],"last":0',), "R1|R2"),
        ("gear", 2, (START, '"type":"prices","prices":[0,0]'), "R1|R1|R1 T1"),
        (
            "gear",
            2,
            (START, '"type":"prices","prices":[0,0]', '"type":"trick","winner":0,"cards":2,"aces":0'),
            "*R1 T3",
        ),
        ("hipparchus", 2, (START, lay(0, "sun", 1), lay(1, "moon", 1)), "R1|R1 T1|R1 T1|R1 T2"),
        ("hipparchus", 2, (START, '"type":"trick","winner":1,"captured":{"sun":1,"moon":1}'), "R1|R1 T1|R1 T2"),
        ("hipparchus", 2, STUCK, "*R2 T1"),
        ("east-rune", 3, EAST, "R1|R1|R1|R1 turn 1|R1 turn 1"),
        ("east-rune", 3, (*RUNES, *passes(0, 1, 2)), "R1|R1|R1|R1 turn 1|R1 turn 2|R1 turn 3|R2"),
        ("east-rune", 3, (*EAST, '"type":"stop","player":0', *passes(1, 2)), "*R1 turn 4"),
    ],
)
def test_the_short_moment_names_the_round_and_the_trick_or_turn(
    name: str, players: int, lines: tuple[str, ...], moments: str
) -> None:
    session = game(name, players)
    short = session.header.game.optional.short_moment
    assert short is not None
    seen = [str(short(session.state))]
    for line in lines:
        session = session.add(decode_line("{" + line + "}", session.header))
        seen.append(str(short(session.state)))
    assert (seen[-1:] if moments[0] == "*" else seen) == moments.removeprefix("*").split("|")


def test_turns_are_counted_from_one_in_every_round() -> None:
    session = game(
        "east-rune", 3, *RUNES, *passes(0, 1, 2), '"type":"reveal","card":"light"', '"type":"claim","player":null'
    )
    short = session.header.game.optional.short_moment
    assert short is not None
    assert str(short(session.state)) == "R2 turn 1"
