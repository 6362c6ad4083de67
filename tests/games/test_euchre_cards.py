"""A trick game as a package: cards, revokes, offers, rounds and rules card come from the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.core.games import registered
from companion.core.prompt import ChooseItem, ChooseSeat, EnterNumber, Skip
from companion.core.text import GameDeclarationError, Text
from companion.games.toml_games.state import Play
from companion.games.trick_game import trick_game
from tests.games.euchre_cards import DECK, EUCHRE, beats, suit_of

from .toml_games.files import FULL, ROUND, entered, laid

FILE = Path(__file__).with_name("euchre_cards.py")
NO, YES = ChooseItem(0, Text("no")), ChooseItem(1, Text("yes"))
SPADES = ChooseItem(4, Text("Spades"), letter="D")


def dealt(*answers: Any) -> Any:
    """Return the state after the last seat has dealt and these answers."""
    state = entered(EUCHRE, EUCHRE.start(4, EUCHRE.rules()), FULL, ChooseSeat(3))
    for answer in answers:
        state = entered(EUCHRE, state, FULL, answer)
    return state


def test_check_game_finds_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert registered(EUCHRE)
    assert main(["check-game", str(FILE), "--games", "3"]) == 0
    assert "nothing is wrong" in capsys.readouterr().out
    assert len(FILE.read_text("utf-8").splitlines()) <= 60


def test_bowers_win_and_belong_to_the_trump_suit() -> None:
    state = dealt(ChooseSeat(0), NO, SPADES)
    assert laid(EUCHRE, state, "spades-A clubs-J spades-9 spades-J").play.leader == 3
    assert laid(EUCHRE, state, "clubs-J spades-A clubs-A hearts-J").play.leader == 0
    off = laid(EUCHRE, state, "spades-9 hearts-9 spades-10 spades-Q hearts-10 hearts-Q hearts-A")
    shown = EUCHRE.apply(off, Play(2, DECK.by_name["clubs-9"]))
    assert shown.alerts == ()
    proved = laid(EUCHRE, shown, "clubs-J")
    assert [str(text) for text in EUCHRE.optional.alerts(proved)] == [
        "R1 T1: seat 2 may have revoked, then Clubs J (trump)"
    ]


def test_a_round_scores_and_may_be_played_alone_entered_whole_or_passed_out() -> None:
    state = dealt(ChooseSeat(0), YES, SPADES)
    tricks = "spades-J clubs-9 hearts-9 clubs-J clubs-10 hearts-10 spades-A clubs-Q hearts-Q spades-K clubs-K hearts-K"
    assert laid(EUCHRE, state, f"{tricks} spades-Q clubs-A hearts-A").totals == (4, 0, 4, 0)
    whole = entered(
        EUCHRE, dealt(), ROUND, ChooseSeat(1), NO, EnterNumber(1), EnterNumber(0), EnterNumber(1)
    )  # the last has what is left
    assert whole.totals == (0, 1, 0, 1)
    passed = entered(EUCHRE, dealt(), FULL, Skip())
    assert passed.rounds == ((0, 0, 0, 0),)


def test_a_wrong_key_is_said_by_the_games_name() -> None:
    with pytest.raises(GameDeclarationError, match="odd: there is no name makers; do you mean maker"):
        trick_game(
            DECK,
            suit_of,
            beats,
            hand=5,
            before=[{"name": "maker", "kind": "seat"}],
            score=lambda figures: (0,) * 4,
            when="any(makers)",
            **{"name": "odd", "title": "Odd", "seats": 4, "dealer": True},  # type: ignore[arg-type]
        )
