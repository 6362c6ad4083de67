"""Tests of the simulated people: each kind of slip, how it is noticed, and the true correction."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from companion.core.game import Event
from companion.core.prompt import LayCard
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.games import GAMES
from companion.games.gear.rules import Bid
from companion.ui.offered_corrections import Suggestion

from .box import Box, Entered
from .case import SLIPS, Case, Slip, correction, entries
from .cases import Person, case, cases
from .figures import Figures, Result, result, stays_wrong
from .honest import LAID, Honest, honest_game
from .late import LATER, late
from .searching import asked, sought
from .table import noticed, suggested
from .turns import Turn, can_happen, neighbours, turns

SEEDS = range(6)
games = pytest.mark.parametrize("game", GAMES)


@cache
def honest(game: str, seed: int) -> Honest:
    return honest_game(game, seed)


@cache
def some_cases(game: str) -> list[Case]:
    return [found for seed in SEEDS for slip in SLIPS if (found := case(honest(game, seed), slip, seed)) is not None]


def of_a_kind(game: str, slip: Slip) -> list[tuple[Honest, int, list[Turn]]]:
    """Return games, with the place of a slip in it and what is typed from there on."""
    found = []
    for seed in SEEDS:
        played, rng = honest(game, seed), random.Random(seed)
        places = [place for place in range(len(played.said)) if can_happen(played, slip, place)]
        if places:
            place = rng.choice(places)
            found.append((played, place, list(turns(played, slip, place, rng))))
    return found


# Honest games


@games
def test_nobody_revokes_in_an_honest_game(game: str) -> None:
    for seed in SEEDS:
        alerts = getattr(honest(game, seed).said[-1].after.state, "alerts", ())
        assert not [alert for alert in alerts if type(alert).__name__ in ("Revoke", "MissedClaim")]


@games
def test_keys_of_an_honest_game_enter_it(game: str) -> None:
    for seed in SEEDS:
        played = honest(game, seed)
        assert typed_anew(Session(played.header), [said.keys for said in played.said]) == played.events(10_000)


@games
def test_figures_of_a_round_give_the_same_scores_as_its_cards(game: str) -> None:
    ended = 0
    for seed in SEEDS:
        played = honest(game, seed)
        for count, said in enumerate(played.said, 1):
            if said.sheet is None:
                continue
            ended += 1
            before, after = played.after(count - 1), said.after
            as_whole_round = played.header.game.optional.as_whole_round
            assert as_whole_round is not None
            whole = before.add(as_whole_round(before.state, said.event, after.state))
            ours, theirs = (played.header.game.snapshot(each.state) for each in (whole, after))
            assert [ours[name] for name in SCORES] == [theirs[name] for name in SCORES]
    assert ended >= len(SEEDS)


SCORES = ("totals", "winners", "phase", "turn", "round")


def typed_anew(session: Session, keys: list[str]) -> tuple[Event, ...]:
    box = Box(session, {})
    for each in keys:
        *before, last = [box.press(key) for key in each]
        assert before == [None] * len(before)
        assert isinstance(last, Entered)
    return entries(box.session)


# Slips


def test_neighbours_of_a_key_touch_it() -> None:
    assert neighbours("5") == ["2", "4", "6", "8"]
    assert neighbours("D") == ["C", "#"]
    assert neighbours("0") == ["8", "#"]


@games
@pytest.mark.parametrize("slip", ["neighbour", "doubled", "omitted"])
def test_one_key_is_wrong(game: str, slip: Slip) -> None:
    for _played, _place, (turn, *_rest) in of_a_kind(game, slip):
        assert turn.said is not None
        assert turn.wrong is not None
        number, keys = turn.wrong
        right = turn.said.answers[number][1]
        ways = {
            "neighbour": [
                right[:at] + key + right[at + 1 :] for at in range(len(right)) for key in neighbours(right[at])
            ],
            "doubled": [right[:at] + right[at] + right[at:] for at in range(len(right))],
            "omitted": [right[:at] + right[at + 1 :] for at in range(len(right))],
        }
        assert keys in ways[slip]


@games
def test_a_forgotten_card_is_left_out(game: str) -> None:
    for played, place, typed in of_a_kind(game, "forgotten"):
        assert played.said[place].laid
        assert [turn.said for turn in typed] == [None, *played.said[place + 1 :]]


@games
def test_a_card_is_entered_twice(game: str) -> None:
    for played, place, typed in of_a_kind(game, "twice"):
        assert played.said[place].laid
        assert [turn.said for turn in typed] == [played.said[place], *played.said[place:]]


@games
def test_two_players_cards_are_swapped(game: str) -> None:
    for played, place, typed in of_a_kind(game, "swapped"):
        one, other = played.said[place : place + 2]
        assert None not in {one.seat, other.seat}
        assert one.seat != other.seat
        assert [turn.said for turn in typed] == [other, one, *played.said[place + 2 :]]


@pytest.mark.parametrize("game", ["eternity", "east-rune"])
def test_a_card_is_laid_in_the_other_mode(game: str) -> None:
    for _played, _place, (turn, *_rest) in of_a_kind(game, "mode"):
        assert turn.said is not None
        assert turn.instead is not None
        ((meant, _keys),), (_number, given) = turn.said.answers, turn.instead
        assert isinstance(meant, LayCard)
        assert given == LayCard(meant.card, not meant.alternate)


@pytest.mark.parametrize("game", ["gear", "hipparchus"])
def test_no_mode_is_mistaken_where_there_is_one_only(game: str) -> None:
    assert not of_a_kind(game, "mode")


@games
def test_a_card_has_the_wrong_suit(game: str) -> None:
    for played, place, (turn, *_rest) in of_a_kind(game, "suit"):
        assert turn.said is not None
        assert turn.instead is not None
        number, given = turn.instead
        made, meant = figures_of(given), figures_of(turn.said.answers[number][0])
        assert made[0] == meant[0]
        assert made[1] != meant[1]
        assert played.said[place].laid


def figures_of(answer: object) -> tuple[list[int], list[str]]:
    """Return ranks (Hipparchus: the number of cards) and suits of an answer."""
    value = getattr(answer, "value", None)
    if value is not None:
        return [(value - 1) % 3], [str((value - 1) // 3)]
    cards = [getattr(answer, name) for name in ("card", "first", "second") if hasattr(answer, name)]
    return [card.rank for card in cards], sorted(card.suit.name for card in cards)


# What is noticed


@games
def test_keys_typed_for_each_entry_of_the_box_make_it(game: str) -> None:
    for found in some_cases(game):
        keys = [found.typed[number] for number in range(1, found.session.head.number + 1)]
        assert typed_anew(Session(found.header), keys) == found.entries


def true_session(found: Case) -> Session:
    session = Session(found.header)
    for event in found.truth:
        session = session.add(event)
    return session


@games
def test_a_refused_event_is_refused(game: str) -> None:
    refused = [found for found in some_cases(game) if found.alarm == "refused" and found.refused is not None]
    assert refused
    for found in refused:
        assert found.refused_keys
        assert found.refused is not None
        if isinstance(found.refused, LAID):
            assert found.refused.player == found.session.state.turn
        with pytest.raises(IllegalEventError):
            found.session.add(found.refused)


@pytest.mark.parametrize("game", ["eternity", "gear"])
def test_an_alert_was_raised_by_the_last_entry(game: str) -> None:
    alerting = [found for found in some_cases(game) if found.alarm == "alert"]
    assert alerting
    for found in alerting:
        head = found.session.head
        assert head.before is not None
        assert len(found.header.game.optional.alerts(head.state)) > len(
            found.header.game.optional.alerts(head.before.state)
        )


@games
def test_what_nobody_notices_leaves_the_totals_right(game: str) -> None:
    unseen = [found for found in some_cases(game) if found.alarm == "never-harmless"]
    assert unseen or game == "east-rune"
    for found in unseen:
        scores = [found.header.game.snapshot(state) for state in (found.session.state, true_session(found).state)]
        assert scores[0]["totals"] == scores[1]["totals"]
        assert scores[0]["phase"] == scores[1]["phase"]


def test_a_round_is_compared_at_its_end() -> None:
    ends = [found for found in cases("hipparchus", range(12), ("swapped",)) if found.result is not None]
    assert ends
    for found in ends:
        before = found.session.head.before
        assert before is not None
        assert found.result is not None
        assert found.alarm == "round end"
        wrong, right = found.session.state.sheets[-1], found.header.game.apply(before.state, found.result).sheets[-1]
        assert wrong != right == true_session(found).state.sheets[-1]
    assert "never-wrong" in {found.unasked for found in ends}


def test_figures_of_a_round_put_all_right_but_prices() -> None:
    bids = 32, 61  # seeds of games in which a bid is mistyped
    found = [each for each in cases("gear", (*range(12), *bids), ("neighbour",)) if each.result is not None]
    wrong = [each for each in found if stays_wrong(each)]
    assert 0 < len(wrong) < len(found)
    assert {type(each.truth[each.at - 1]) for each in wrong} == {Bid}


def test_a_forgotten_last_card_is_missed_at_once() -> None:
    played = honest("eternity", 0)
    last = next(place for place, said in enumerate(played.said) if said.sheet is not None)
    person = Person(played, last)
    found = person.play("forgotten", turns(played, "forgotten", last, random.Random(0)))
    assert found.right


# The true correction


def perfect(found: Case) -> tuple[Suggestion, ...]:
    """Return what a search would suggest that knew the truth."""
    line = correction(entries(asked(found)), sought(found))
    return (Suggestion(line, 1.0, line.event, (), line.put),)


@games
@pytest.mark.parametrize("slip", SLIPS)
def test_a_perfect_search_finds_every_slip(game: str, slip: Slip) -> None:
    for found in some_cases(game):
        if found.slip == slip and not found.right and entries(asked(found)) != sought(found):
            got = result(found, perfect)
            assert got.rank == got.offered == 1
            assert entries(found.session.add(found.correction)) == found.truth


@games
@pytest.mark.parametrize("slip", ["forgotten", "twice", "swapped"])
def test_a_late_correction_makes_the_game_right(game: str, slip: Slip) -> None:
    for seed in SEEDS:
        found = late(honest(game, seed), slip, random.Random(seed))
        if found is not None:
            session, line = found
            count = session.head.number + {"forgotten": 1, "twice": -1, "swapped": 0}[slip]
            assert entries(session.add(line)) == honest(game, seed).events(count)
            assert line.event <= session.head.number - LATER + 1


# The table


def test_an_alert_without_the_true_correction_accuses() -> None:
    def alert(rank: int | None, offered: int | None) -> Result:
        return Result("suit", "alert", "alert", right=False, later=3, searched=True, rank=rank, offered=offered)

    figures = Figures("eternity", [alert(1, 1), alert(3, 3), alert(4, None), alert(None, None)])
    assert figures.accused() == 50
    assert figures.found(1) == 25
    assert figures.found(3) == 50


def test_a_table_tells_how_slips_are_noticed() -> None:
    results = [
        Result("suit", "alert", "alert", right=False, later=3, searched=True, rank=2, offered=2),
        Result("twice", "refused", "refused", right=True, later=0),
        Result("swapped", "round end", "never-wrong", right=False, later=9, searched=True, rank=None),
        Result("mode", "never-wrong", "never-wrong", right=False, later=9, wrong=True),
    ]
    figures = Figures("gear", results, games=2, shared=Counter(Bid=1, Play=2), keys=[1, 2])
    lines = "\n".join((*noticed(figures), *suggested(figures)))
    assert "noticed at once              25.0 %" in lines
    assert "later in the round           25.0 %   entries later: 3, 90 of 100 by 3" in lines
    assert "never, score wrong           50.0 %" in lines
    assert "people enter the figures of each round: 25.0 %" in lines
    assert "games with Bid                 50 %" in lines
    assert "keys a card without a slip   1.50" in lines
