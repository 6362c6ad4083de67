"""A trick game as a package: cards, revokes, offers, rounds and rules card come from the engine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.core.games import registered
from companion.core.prompt import ChooseItem, ChooseSeat, EnterNumber, Skip
from companion.core.text import GameDeclarationError, Text
from companion.games.toml_games.declaration import Play
from companion.games.trick_game import trick_game
from tests.games.euchre_cards import DECK, EUCHRE, beats, suit_of

from .toml_games.files import FULL, ROUND, entered, laid, refusal

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


def made(**keys: Any) -> Any:
    """Return a game of these cards for three to five, in which tricks are points."""
    usual = {"hand": 4, "before": [{"name": "maker", "kind": "seat"}], "score": lambda figures: figures["tricks"]}
    named = {"name": "odd", "title": "Odd", "seats": "3-5", "dealer": True, "end": {"when": "round == 2"}}
    functions = {"suit_of": suit_of, "beats": beats}
    said: Any = {"deck": DECK} | functions | usual | named | keys
    return trick_game(**said)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"when": "any(makers)"}, "ask.tricks.when: there is no name makers; do you mean maker?"),
        ({"end": {"when": "total > 9"}}, "end.when: this is worked out for one seat, and total differs by seat: "),
        ({"hand": 9}, "tricks.hand: 9 cards for each of 3 players are more than the 24 of the deck"),
        (
            {"example": [{"maker": 1, "tricks": [2, 1, 1], "score": [2, 2, 0]}]},
            "example.0.score: score: the rules give 2 1 1",
        ),
        ({"ask": []}, "ask has no effect: questions are in before and after"),
        ({"family": "tricks-alone"}, "family has no effect: the list of games has packages among the others"),
        ({"define": {3: "1"}}, 'define: keys are texts: write "3"'),
        ({"counts": {"exact": {3: "1"}}}, 'counts.exact: keys are texts: write "3"'),
        ({"before": [{"name": "maker", 3: "1"}]}, 'ask.maker: keys are texts: write "3"'),
        (
            {"options": {"rounds": {"label": "R", "values": {3: "1"}}}},
            'options.rounds.values: keys are texts: write "3"',
        ),
        ({"tricks": {"deck": {"without": {3: "clubs-9"}}}}, 'tricks.deck.without: keys are texts: write "3"'),
        (
            {"tricks": {"deck": {"without": {"3": "clubs-9 clubs-7"}}}},
            'tricks.deck.without.3: write the number of players = cards, as in 3 = "clubs-9"',
        ),
        ({"tricks": {"trmup": "suit"}}, "tricks.trmup: there is no key 'trmup'; do you mean trump?"),
        ({"tricks": {"lead": "clubs-2"}}, "tricks.lead: expected one of left, dealer, maker, clubs-9"),
        ({"tricks": {"trump": "acorns"}}, "tricks.trump: expected one of none, asked, suit, turned, led, clubs, "),
        ({"tricks": {"laid": {"maker": "clubs-2"}}}, "tricks.laid.maker: there is no card clubs-2, or it stands twice"),
        ({"tricks": {"hand": 3}}, "tricks.hand has no effect: it is an argument of its own"),
        ({"tricks": {"values": {"A": 1}}}, "tricks.values has no effect: they are an argument of their own"),
        ({"tricks": {"instead": []}}, "tricks.instead has no effect: suit_of and beats say which card is higher"),
        ({"tricks": {"rest": True}}, "tricks.rest has no effect without values"),
        ({"tricks": {"deck": {"bowers": "J"}}}, "tricks.deck.bowers has no effect: the deck, suit_of and beats say it"),
        ({"values": {"7": 1}}, "tricks.values.7: expected a rank, a suit, a joker or a card, with at most 1000 points"),
        ({"suit_of": lambda *_: "nonsense"}, "suit_of returns 'nonsense' for clubs-9 with trump None: a Suit, or None"),
        ({"suit_of": lambda *_: 1 // 0}, "suit_of fails (ZeroDivisionError: "),
    ],
    ids=lambda each: each if isinstance(each, str) else "-".join(each),
)
def test_what_is_wrong_or_has_no_effect_is_said_with_its_key(keys: Any, said: str) -> None:
    with pytest.raises(GameDeclarationError, match=re.escape(f"odd: {said}")):
        made(**keys)


def cards_begun(game: Any, seats: int) -> Any:
    """Return the state in which the first of so many seats leads, hearts being trump."""
    state = entered(game, game.start(seats, game.rules()), FULL, ChooseSeat(seats - 1))
    return entered(game, state, FULL, ChooseSeat(0))


def test_cards_are_set_aside_by_number_of_players_and_have_copies() -> None:
    deck = {"copies": 2, "without": {"5": "clubs-9 spades-9"}}
    game = made(hand="44//seats", tricks={"trump": "hearts", "deck": deck})
    aside = {}
    for seats in game.seats:
        answers = game.ask(cards_begun(game, seats), FULL, ()).answers
        aside[seats] = {*DECK} - {answer.card for answer in answers}
    assert aside == {3: set(), 4: set(), 5: {DECK.by_name["clubs-9"], DECK.by_name["spades-9"]}}
    state = laid(game, cards_begun(game, 4), "clubs-A clubs-A")
    assert refusal(game, state, Play(2, DECK.by_name["clubs-A"]))[0] == "seen"


@pytest.mark.parametrize(
    ("values", "points"),
    [({"A": 11, "hearts": 1, "hearts-K": 6, "trump-9": 14}, 32), ({DECK.by_name["clubs-A"]: 11}, 11)],
    ids=("as in files", "of cards"),
)
def test_values_are_said_of_cards_or_as_in_files(values: Any, points: int) -> None:
    game = made(values=values, tricks={"trump": "hearts", "last": 10, "rest": True}, sides="maker")
    state = laid(game, cards_begun(game, 4), "clubs-A hearts-K hearts-9 hearts-Q")
    assert state.play.points == (0, points, 0, 0)
