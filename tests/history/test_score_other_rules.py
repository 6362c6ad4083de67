"""Rescoring: a recorded game under other rules, and what cannot be known of it."""

from __future__ import annotations

import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.core.text import tell
from companion.gamelog import LogError, read
from companion.history.score_other_rules import Rescored, rescored
from tests.example_counts import examples
from tests.games.seeds import Dealt, games
from tests.oracle import eternity, gear
from tests.oracle.shared import seats_of

FOLDER = Path(__file__).parents[1] / "transcripts"
NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve")
Line = dict[str, Any]


def log(game: str, seats: int, *lines: Line, **rules: Any) -> bytes:
    header: Line = {"format": 1, "game": game, "players": NAMES[:seats], "rules": rules}
    return "".join(json.dumps(line) + "\n" for line in (header, *lines)).encode()


def whole(tricks: str, trees: str, **more: Any) -> Line:
    counts = [[int(count) for count in figures.split()] for figures in (tricks, trees)]
    return {"type": "round", "tricks": counts[0], "trees": counts[1], **more}


def sheet(tricks: str, aces: str, last: int, prices: str = "") -> Line:
    counts = [[int(count) for count in figures.split()] for figures in (tricks, aces, prices)]
    more = {"prices": counts[2]} if prices else {}
    return {"type": "round", "tricks": counts[0], "aces": counts[1], "last": last, **more}


def starts(seat: int) -> Line:
    return {"type": "start", "player": seat}


def said(made: Rescored) -> list[str]:
    return [tell(sentence, NAMES) for sentence in made.sentences]


def changed(data: bytes, **rules: Any) -> Rescored:
    """Return a log's score under other rules."""
    return rescored(read(data), rules)


THREE = (
    starts(0),
    whole("4 3 3", "4 1 5", last=2),  # 6 1 0, and to a target 7 0 0
    whole("5 3 2", "2 3 1", last=1),  # 2 7 1, and to a target 0 6 0
    whole("2 4 4", "0 4 8", last=0),  # 0 11 0, and to a target 0 7 0
)
GOES_ON = "By these rules the game goes on after round {}; nobody knows how."
OVER = "By these rules the game is over after round {}; what follows does not count."
RUNNING = "The game is not over; the points of its finished rounds are compared."
STARTED = "By these rules {} would have started round {}; the cards count as played."


def unfit(entry: int, why: str, round_: int = 1) -> str:
    return f"Entry {entry} does not fit these rules: {why}. From round {round_} on nothing is known."


@pytest.mark.parametrize(
    ("rules", "totals", "winners", "sentences"),
    [
        ({}, (8, 19, 1), (1,), []),
        ({"edition": "fr"}, (8, 19, 1), (1,), [STARTED.format("Cyr", 3)]),
        ({"ending": {"target": 7}}, (7, 0, 0), (0,), [OVER.format(1)]),
        ({"ending": {"target": 13}}, (7, 13, 0), (1,), []),
        ({"ending": {"target": 14}}, (7, 13, 0), None, [GOES_ON.format(3)]),
        ({"tokens": "limited"}, (8, 19, 1), (1,), []),
    ],
)
def test_a_game_of_eternity_by_rounds(
    rules: Line, totals: tuple[int, ...], winners: tuple[int, ...] | None, sentences: list[str]
) -> None:
    made = changed(log("eternity", 3, *THREE), **rules)
    assert (made.recorded.totals, made.recorded.winners) == ((8, 19, 1), (1,))
    assert (made.other.totals, made.other.winners, said(made)) == (totals, winners, sentences)
    assert made.complete == (OVER.format(1) not in sentences)


def test_a_game_to_a_target_ends_after_three_rounds() -> None:
    rounds = (*THREE, whole("5 4 1", "5 0 8", last=0))
    made = changed(log("eternity", 3, *rounds, ending={"target": 15}), ending={"rounds": 3})
    assert made.recorded.course == ((0, 0, 0), (7, 0, 0), (7, 6, 0), (7, 13, 0), (15, 13, 0))
    assert made.other.course == ((0, 0, 0), (6, 1, 0), (8, 8, 1), (8, 19, 1))
    assert (made.other.winners, made.complete, said(made)) == ((1,), False, [OVER.format(3)])


def test_the_french_edition_asks_who_starts_where_the_japanese_one_knows() -> None:
    tied = (starts(0), whole("4 3 3", "4 4 4", last=2), whole("4 3 3", "0 0 0", last=1), whole("10 0 0", "0 0 0"))
    assert said(changed(log("eternity", 3, *tied), edition="fr")) == []
    french = (tied[0], tied[1], starts(1), tied[2], starts(2), tied[3])
    made = changed(log("eternity", 3, *french, edition="fr"), edition="jp")
    assert made.other == made.recorded
    assert said(made) == [STARTED.format("Cyr", 2), STARTED.format("Bea", 3)]


def test_a_starter_whom_nobody_named_is_not_missed() -> None:
    made = changed(log("eternity", 3, *(whole("4 3 3", "4 4 4") for _ in range(3))), edition="fr")
    assert (made.complete, said(made)) == (True, [])
    assert made.other == made.recorded


CARDS: tuple[Line, ...] = (
    starts(0),
    {"type": "deal", "board": ["sea-1", "sky-1"]},
    {"type": "play", "player": 0, "card": "sea-2"},
    {"type": "play", "player": 1, "card": "sky-3"},
    {"type": "play", "player": 2, "card": "sea-4"},
)


def test_another_trump_would_have_led_to_other_play() -> None:
    made = changed(log("eternity", 3, *CARDS), tiles=["sky", "sea", "earth"])
    assert (made.other.course, made.complete) == (((0, 0, 0),), False)
    assert said(made) == [unfit(3, "another suit would have been trump"), RUNNING]


def test_a_round_entered_after_its_cards_may_count_all_the_same() -> None:
    data = log("eternity", 3, *CARDS, *THREE[1:])
    made = changed(data, tiles=["sky", "sea", "earth"])
    assert said(made) == [unfit(3, "another suit would have been trump")]


PAIRS: tuple[Line, ...] = (
    starts(0),
    {"type": "reveal", "cards": ["sea-1", "sky-1"]},
    {"type": "trick", "winner": 0, "pledges": []},
    {"type": "trick", "winner": 0, "pledges": []},
)


def test_neutral_pairs_that_were_not_turned_up_are_missing() -> None:
    made = changed(log("eternity", 2, *PAIRS), neutral="columns")
    assert said(made) == [unfit(4, "first enter the neutral pair"), RUNNING]


@pytest.mark.parametrize(
    ("trees", "recorded", "other", "sentences"),
    [
        ("6 6 6", "substitute", "limited", []),
        ("7 6 6", "substitute", "limited", [unfit(2, "19 trees in all, but 18 is the most")]),
        ("6 6 5", "limited", "substitute", []),
        ("6 6 6", "limited", "substitute", [unfit(2, "all trees were out; further pledges were not written down")]),
    ],
)
def test_a_whole_round_tells_its_trees_unless_they_ran_out(
    trees: str, recorded: str, other: str, sentences: list[str]
) -> None:
    made = changed(log("eternity", 3, starts(0), whole("4 3 3", trees), tokens=recorded), tokens=other)
    assert said(made) == [*sentences, RUNNING]


ROUNDS = (
    starts(0),
    sheet("5 1 1 1", "2 0 0 0", 0, "0 0 0 0"),  # 11 1 1 1
    sheet("0 0 8 0", "0 0 4 0", 2, "0 0 5 0"),  # 0 0 15 0
    sheet("1 4 2 1", "0 0 0 0", 1, "3 2 0 0"),  # -2 6 2 1
)


@pytest.mark.parametrize(
    ("rules", "totals", "winners", "sentences"),
    [
        ({}, (14, 12, 23, 7), (2,), []),
        ({"teams": True}, (14, 12, 23, 7), (0, 2), []),
        ({"ending": {"rounds": 1}}, (16, 6, 6, 6), (0,), [OVER.format(1)]),
        ({"ending": {"rounds": 4}}, (14, 12, 23, 7), None, [GOES_ON.format(3)]),
        ({"ending": {"target": 21}}, (16, 6, 21, 6), (2,), [OVER.format(2)]),
        ({"auction": False}, (5, 5, 5, 5), None, [unfit(2, "in the easy game nobody pays")]),
    ],
)
def test_a_game_of_gear(
    rules: Line, totals: tuple[int, ...], winners: tuple[int, ...] | None, sentences: list[str]
) -> None:
    made = changed(log("gear", 4, *ROUNDS, ending={"rounds": 3}), **rules)
    assert (made.recorded.totals, made.recorded.winners) == ((14, 12, 23, 7), (2,))
    assert (made.other.totals, made.other.winners, said(made)) == (totals, winners, sentences)


def test_a_game_without_prices_cannot_become_an_auction() -> None:
    made = changed(
        log("gear", 2, starts(0), {"type": "play", "player": 0, "cards": ["red-7"]}, auction=False), auction=True
    )
    assert said(made) == [unfit(2, "first comes the auction"), RUNNING]


def test_a_running_game_may_be_over_by_other_rules() -> None:
    made = changed(log("gear", 4, *ROUNDS), ending={"rounds": 3})
    assert (made.recorded.winners, made.other.winners) == (None, (2,))
    assert said(made) == [RUNNING, "By these rules the game is over after round 3."]


EAST = FOLDER / "east-rune" / "whole-game-of-three.jsonl"


@pytest.mark.parametrize(
    ("rules", "sentences"),
    [
        ({"monarchs": "playable"}, []),
        ({"blank_chair": True}, [GOES_ON.format(6)]),
        ({"blank_character": True}, []),
    ],
)
def test_a_game_of_east_rune(rules: Line, sentences: list[str]) -> None:
    made = rescored(read(EAST.read_bytes()), rules)
    assert made.recorded.totals == made.other.totals == (4, 2, 2)
    assert said(made) == sentences


def test_chains_that_could_have_gone_on_are_not_known() -> None:
    lines: tuple[Line, ...] = (
        starts(0),
        {"type": "reveal", "card": "light"},
        {"type": "claim", "player": 0, "card": "noon-sacred-light"},
        {"type": "play", "player": 0, "card": "dusk-mineral", "from": "hand"},
    )
    for next_ in ({"type": "pass", "player": 1}, {"type": "play", "player": 1, "card": "night-animal", "from": "hand"}):
        made = changed(log("east-rune", 3, *lines, next_), sacred_is_mineral=True)
        assert not made.complete
        assert said(made)[0].startswith("Entry 5 does not fit these rules: ")


def test_a_card_that_would_have_continued_a_chain_is_not_taken_for_a_turn() -> None:
    lines: tuple[Line, ...] = (
        starts(0),
        {"type": "reveal", "card": "light"},
        {"type": "claim", "player": None},
        {"type": "play", "player": 0, "card": "noon-culture", "from": "hand"},
        {"type": "play", "player": 1, "card": "dusk-animal", "from": "hand"},
        {"type": "pass", "player": 2},
        {"type": "play", "player": 0, "card": "night-sacred-light", "from": "hand"},
        {"type": "pass", "player": 1},
        {"type": "play", "player": 0, "card": "dawn-mineral-beauty", "from": "hand"},
        {"type": "play", "player": 0, "card": "noon-technology", "from": "hand"},
    )
    made = changed(log("east-rune", 3, *lines, monarchs="playable"), sacred_is_mineral=True)
    assert said(made) == [unfit(10, "something else would have come before it"), RUNNING]


def test_the_rules_must_be_those_of_the_game_and_its_players() -> None:
    session = read(log("gear", 2, *()))
    wrong: tuple[Line, ...] = ({"edition": "fr"}, {"teams": True}, {"auction": 1}, {"ending": {}})
    for rules in wrong:
        with pytest.raises(LogError):
            rescored(session, rules)


# Against the oracle


@settings(max_examples=examples(12, 400))
@given(
    games("eternity", stop=0.0, most_rounds=12),
    st.sampled_from(("jp", "fr")),
    st.sampled_from(({"rounds": 3}, {"target": 1}, {"target": 9}, {"target": 20})),
)
def test_other_editions_and_endings_give_the_points_the_oracle_gives(dealt: Dealt, edition: str, ending: Line) -> None:
    made = rescored(dealt.session(), {"edition": edition, "ending": ending})
    header = {**dealt.header, "rules": {**dealt.header.get("rules", {}), "edition": edition, "ending": ending}}
    records = [each for each in eternity.Book.of(dealt.header, dealt.lines).state if eternity.is_finished(header, each)]
    records = records[:3] if "rounds" in ending else records
    over = next((count for count in range(1, len(records) + 1) if eternity.is_over(header, records[:count])), None)
    records = records[:over]
    rounds = eternity.written(header, records)
    assert made.other.course == summed((0,) * seats_of(header), rounds)
    assert made.other.winners == (None if over is None else tuple(eternity.winners_of(header, records)))


@settings(max_examples=examples(12, 400))
@given(games("eternity", coarse=0.0, stop=0.0, most_rounds=3))
def test_limited_trees_give_the_points_the_oracle_gives(dealt: Dealt) -> None:
    for tokens in ("limited", "substitute"):
        made = rescored(dealt.session(), {"tokens": tokens})
        header = {**dealt.header, "rules": {**dealt.header.get("rules", {}), "tokens": tokens}}
        records = eternity.Book.of(dealt.header, dealt.lines).state
        expected = summed((0,) * seats_of(header), eternity.written(header, records))
        assert made.other.course == expected[: len(made.other.course)]
        assert made.complete == (len(made.other.course) == len(expected))


@given(games("gear", stop=0.0, most_rounds=6), st.integers(1, 40))
def test_other_targets_give_the_points_the_oracle_gives(dealt: Dealt, target: int) -> None:
    made = rescored(dealt.session(), {"ending": {"target": target}})
    header = {**dealt.header, "rules": {**dealt.header.get("rules", {}), "ending": {"target": target}}}
    records = [each for each in gear.Book.of(dealt.header, dealt.lines).state if gear.is_finished(each)]
    over = next((count for count in range(1, len(records) + 1) if gear.is_over(header, records[:count])), None)
    assert made.other.course == summed((5,) * seats_of(header), gear.written(header, records[:over]))
    assert made.other.winners == (None if over is None else tuple(gear.winners_of(header, records[:over])))


def summed(first: tuple[int, ...], rounds: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        accumulate(
            map(tuple, rounds), lambda totals, points: tuple(map(sum, zip(totals, points, strict=True))), initial=first
        )
    )


@given(games(most_rounds=4))
def test_by_its_own_rules_a_game_is_what_it_was(dealt: Dealt) -> None:
    made = rescored(dealt.session(), {})
    assert made.other == made.recorded
    assert made.complete


# The command


def test_a_game_that_the_table_ended_early_is_compared_by_its_finished_rounds() -> None:
    data = log("eternity", 3, *THREE[:3], {"type": "deal", "board": ["sea-3", "sky-9"]}, {"type": "finish"})
    made = changed(data, ending={"target": 20})
    assert said(made) == ["The table ended the game early; the points of its finished rounds are compared."]
    assert (made.recorded.totals, made.recorded.winners) == ((8, 8, 1), (1,))  # seat 1 has more of the last round
    assert (made.other.totals, made.other.winners) == ((7, 6, 0), (0,))


def test_the_command_prints_both_totals_and_what_differs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(log("eternity", 3, *THREE))
    assert main(["rescore", str(file), "--rules", '{"ending": {"target": 14}}']) == 0
    assert capfd.readouterr().out.splitlines() == [
        "recorded  by these rules",
        "       8               7  Aki",
        "      19              13  Bea",
        "       1               0  Cyr",
        "Winners: Bea; by these rules: not known",
        GOES_ON.format(3),
    ]


@pytest.mark.parametrize(
    ("content", "rules", "message"),
    [
        (log("gear", 2), "[]", "companion: --rules: an object as in a log's header is wanted: "),
        (log("gear", 2), '{"teams": true}', "companion: --rules: the game of pairs is for 4 players"),
        (log("gear", 2, {"type": "undo"}), "{}", "FILE:2: there is nothing to take back"),
        (None, "{}", "companion: FILE: no such file or directory"),
    ],
)
def test_the_command_says_what_is_wrong(
    content: bytes | None, rules: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.jsonl"
    if content is not None:
        file.write_bytes(content)
    assert main(["rescore", str(file), "--rules", rules]) == 1
    assert capfd.readouterr().err.startswith(message.replace("FILE", str(file)))
