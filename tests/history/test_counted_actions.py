"""Statistics: what players did in a game, compared with the oracle's count from the raw lines."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from companion.core.session import Session
from companion.core.text import tell
from companion.gamelog import read
from companion.games import GAMES
from companion.games.eternity import rules as eternity
from companion.games.gear import rules as gear
from companion.games.hipparchus import rules as hipparchus
from companion.history.results import counted_actions, result_of
from tests.example_counts import examples
from tests.games.seeds import Dealt, deal, games
from tests.oracle import deeds as oracle

FOLDER = Path(__file__).parents[1] / "transcripts"
WHOLE: dict[str, Any] = {"stop": 0.0, "most_rounds": 12}
"""Habits of players who play to the end."""


def counted(session: Session) -> dict[str, tuple[int, ...]]:
    """Return the amounts of a finished game's deeds."""
    result = result_of("game", 1, session, (), "full")
    assert result is not None
    return result.counts


def finished(path: Path) -> bool:
    """Return whether a transcript is of a whole game."""
    told = json.loads(path.with_suffix(".json").read_text())
    return told["phase"] == "over" and "finished" not in told


TRANSCRIPTS = sorted(path for game in GAMES for path in (FOLDER / game).glob("*.jsonl") if finished(path))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_deeds_of_a_transcript_are_those_the_oracle_counts(path: Path) -> None:
    data = path.read_bytes()
    header, *lines = map(json.loads, data.splitlines())
    assert counted(read(data)) == oracle.count(header, lines)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_the_deeds_of_a_game_are_those_the_oracle_counts(name: str, seed: int) -> None:
    dealt = deal(name, seed, **WHOLE, coarse=(0.0, 0.1, 0.5)[seed], edits=0.0, misplay=0.1)
    assert counted(dealt.session()) == oracle.count(dealt.header, dealt.lines)


@settings(max_examples=examples(15, 1200))
@given(games(**WHOLE))
def test_the_deeds_of_a_corrected_game_are_those_the_oracle_counts(dealt: Dealt) -> None:
    session = dealt.session()
    assume(session.progress.over)
    assert counted(session) == oracle.count(dealt.header, dealt.lines)


@given(games("eternity", "gear", "hipparchus", coarse=0.0, edits=0.0), st.randoms(use_true_random=False))
def test_a_whole_round_takes_the_deeds_of_what_it_replaces_back(dealt: Dealt, rng: Any) -> None:
    """Enter a round by its sheet at any point of it: then only the sheet counts."""
    session = dealt.session()
    finished = session.header.game.optional.finished_rounds
    steps = list(session.steps())[::-1]
    first = [step for step in steps if not finished(step.state)]
    assume(len(first) < len(steps))
    sheet = WHOLE_ROUND[session.header.game.name](steps[len(first)].state)
    cut = Session(session.header)
    for step in first[: rng.randint(0, len(first))]:
        assert step.event is not None
        cut = cut.add(step.event)
    anew = Session(session.header)
    auctioned = cut.header.game.name == "gear" and cut.state.phase == "play" and cut.state.rules.auction
    assume(not auctioned)  # then the prices are known already
    assert amounts(cut.add(sheet)) == amounts(anew.add(sheet))


def amounts(session: Session) -> Counter[tuple[str, int]]:
    """Return the amount of each deed of a seat, whether or not the game is over."""
    tally: Counter[tuple[str, int]] = Counter()
    for each in counted_actions(session):
        tally[each.action.what, each.action.seat] += each.action.amount
    return tally


def _of_eternity(state: Any) -> Any:
    return eternity.Round(*state.sheets[0])


def _of_gear(state: Any) -> Any:
    tally = state.tallies[0]
    last = next(seat for seat, tricks in enumerate(tally.tricks) if tricks)
    return gear.Round(tally.tricks, tally.aces, last, tally.prices if state.rules.auction else UNSET)


def _of_hipparchus(state: Any) -> Any:
    ours, theirs = (hipparchus.RoundPile(*counts) for counts in state.sheets[0])
    return hipparchus.Round((ours, theirs), 1)


WHOLE_ROUND = {"eternity": _of_eternity, "gear": _of_gear, "hipparchus": _of_hipparchus}


def test_a_whole_round_leaves_what_was_counted_before_it() -> None:
    """Three rounds: tricks with pledges, the same and then the sheet, the sheet alone."""
    header = {"format": 1, "game": "eternity", "players": ["Aki", "Bea", "Cyr"], "rules": {"ending": {"target": 99}}}
    start, board = {"type": "start", "player": 0}, {"type": "deal", "board": ["sea-1", "sky-1"]}
    trick = {"type": "trick", "winner": 0, "pledges": [{"player": 1, "card": "sky-7"}]}
    plain = {"type": "trick", "winner": 0, "pledges": []}
    sheet = {"type": "round", "tricks": [10, 0, 0], "trees": [0, 0, 0], "last": 0}
    lines = [header, start, board, trick, *[plain] * 9, board, trick, sheet, sheet]
    session = read("".join(json.dumps(line) + "\n" for line in lines).encode())
    found = [(each.entry, each.action.what, each.action.seat) for each in counted_actions(session)]
    assert [each for each in found if each[1] in ("pledges", "bids", "changes")] == [
        (3, "pledges", 1),
        (3, "bids", 1),
        (3, "changes", 1),
    ]
    assert amounts(session)["tricks", 0] == 30
    assert amounts(session)["kept", 1] == 2


@settings(max_examples=examples(10, 1200))
@given(games(**WHOLE))
def test_every_deed_that_counts_leads_to_its_entry(dealt: Dealt) -> None:
    session = dealt.session()
    game, seats = session.header.game, range(len(session.header.players))
    for each in counted_actions(session):
        step = session.step(each.entry)
        assert step.before is not None
        assert step.event is not None
        assert each.action in game.optional.counted_actions(step.before.state, step.event, step.state)
        assert each.action.what in game.optional.action_names
        assert each.action.seat in seats
        assert each.action.amount > 0


@pytest.mark.parametrize("name", GAMES)
def test_the_names_of_deeds_differ_and_fit_a_list_on_the_panel(name: str) -> None:
    names = [tell(label) for label in GAMES[name].optional.action_names.values()]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= 14
