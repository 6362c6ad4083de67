"""The draw of a round: everybody present is seated or has the bye, byes and the first deal go round."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.evening.evening_state import EntrantLeft, EveningError, PlayersApart, Sizes, TeamMade
from companion.club.evening.replay import Moment, follow
from companion.club.evening.seating import draw, meet_again, meetings, table_sizes

from .evenings import NAMES, after, begun, moments, replay, result, seated, with_round


@pytest.mark.parametrize(
    ("players", "sizes", "found"),
    [
        (8, Sizes(4, 3, 5), (4, 4)),
        (9, Sizes(4, 3, 5), (5, 4)),
        (10, Sizes(4, 3, 5), (4, 3, 3)),
        (6, Sizes(4, 3, 5), (3, 3)),
        (5, Sizes(4, 3, 5), (5,)),
        (10, Sizes(4, 4, 4), (4, 4)),
        (11, Sizes(5, 4, 5), (5, 5)),
        (7, Sizes(2, 2, 2), (2, 2, 2)),
        (3, Sizes(2, 2, 5), (3,)),
        (2, Sizes(4, 3, 5), ()),
        (0, Sizes(4, 3, 5), ()),
    ],
)
def test_tables_are_as_near_to_the_wanted_size_as_the_fewest_byes_allow(
    players: int, sizes: Sizes, found: tuple[int, ...]
) -> None:
    assert table_sizes(players, sizes) == found


@given(st.integers(0, 60), st.lists(st.integers(2, 5), min_size=3, max_size=3).map(sorted))
def test_no_other_tables_have_fewer_byes(players: int, three: list[int]) -> None:
    smallest, wanted, largest = three
    found = table_sizes(players, Sizes(wanted, smallest, largest))
    assert all(smallest <= size <= largest for size in found)
    reached = {0}  # all numbers of players that tables of allowed sizes can seat
    for total in range(1, players + 1):
        if any(total - size in reached for size in range(smallest, largest + 1)):
            reached.add(total)
    assert sum(found) == max(reached)


@given(moments(), st.integers(0, 99))
def test_everybody_present_sits_once_or_has_the_bye_at_tables_of_allowed_sizes(moment: Moment, leaving: int) -> None:
    evening = moment.evening
    if len(evening.present) > evening.sizes.smallest:
        moment = follow(moment, EntrantLeft(evening.present[leaving % len(evening.present)]))
        evening = moment.evening
    drawn = draw(evening)
    assert sorted([*drawn.byes, *(player for table in drawn.tables for player in table)]) == sorted(evening.present)
    assert all(evening.sizes.smallest <= len(table) <= evening.sizes.largest for table in drawn.tables)
    assert draw(evening) == drawn, "the same evening makes the same draw"


@given(st.integers(2, 5), st.integers(1, 4), st.lists(st.integers(-30, 30), min_size=1, max_size=9))
def test_nobody_has_the_bye_again_before_everybody_had_it(size: int, more: int, points: list[int]) -> None:
    players = [f"P{number}" for number in range(size + more % size)]
    moment = replay(begun(players, Sizes(size, size, size)))
    had: Counter[int] = Counter()
    for _round in range(6):
        moment = with_round(moment, points)
        had.update(moment.evening.rounds[-1].byes)
        counts = [had[player] for player in moment.evening.present]
        assert max(counts) - min(counts) <= 1


def test_the_bye_goes_to_the_lowest_in_the_ranking_whose_turn_it_is() -> None:
    fixed = Sizes(4, 4, 4)
    evening = after(seated([1, 2, 3, 4], byes=[5]), result(1, 40, 30, 20, 10), players=NAMES[:5], sizes=fixed)
    assert draw(evening).byes == (4,)


@given(moments())
def test_the_first_seat_of_a_table_goes_to_one_who_had_it_least_often(moment: Moment) -> None:
    dealt: Counter[int] = Counter()
    for each in moment.evening.rounds:
        for table in each.tables:
            assert dealt[table.players[0]] == min(dealt[player] for player in table.players)
        dealt.update(table.players[0] for table in each.tables)


def test_nobody_meets_again_while_that_can_be() -> None:
    moment = replay(begun([f"P{number}" for number in range(32)]))
    for _round in range(4):
        moment = with_round(moment, (31, 7, -4, 12, 0, 25))
    assert max(meetings(moment.evening, 9).values()) == 1


def test_another_seed_makes_another_draw() -> None:
    evening = after(players=NAMES)
    assert len({draw(evening, seed) for seed in range(5)}) == 5
    assert draw(evening, evening.seed) == draw(evening)


def test_too_few_players_are_refused() -> None:
    with pytest.raises(EveningError, match="Players present: 2; a table has at least 3"):
        draw(after(players=NAMES[:2]))


@given(moments())
def test_pairs_that_meet_again_are_counted_round_by_round(moment: Moment) -> None:
    met = set[frozenset[int]]()
    for number, each in enumerate(moment.evening.rounds, 1):
        pairs = {frozenset(pair) for table in each.tables for pair in combinations(table.players, 2)}
        assert meet_again(moment.evening, number) == len(pairs & met)
        met |= pairs


def test_the_players_of_a_team_sit_together_and_teams_meet_others_each_round() -> None:
    moment = replay([*begun(NAMES[:12]), *(TeamMade(n, (2 * n - 1, 2 * n)) for n in range(1, 7))])
    for _round in range(3):
        moment = with_round(moment, (5, 5, 1, 1))
    met = [
        tuple(sorted({(player + 1) // 2 for player in table.players}))
        for each in moment.evening.rounds
        for table in each.tables
    ]
    assert [len(teams) for teams in met] == [2] * 9
    assert len({*met}) == 9  # no two teams meet twice
    assert [meet_again(moment.evening, number) for number in (1, 2, 3)] == [0, 0, 0]


def test_a_team_has_the_bye_as_a_whole_and_a_single_player_sits_beside_teams() -> None:
    teams = [TeamMade(n, (2 * n - 1, 2 * n)) for n in range(1, 6)]
    evening = replay([*begun(NAMES[:10], Sizes(4, smallest=4, largest=4)), *teams]).evening
    one, other = draw(evening).byes
    assert (one + 1) // 2 == (other + 1) // 2
    mixed = replay([*begun(NAMES[:9]), *teams[:2]]).evening
    tables = draw(mixed).tables
    assert all(any({2 * n - 1, 2 * n} <= {*table} for table in tables) for n in (1, 2))


def test_players_who_are_kept_apart_sit_at_different_tables() -> None:
    for seed in range(20):
        evening = replay([*begun(NAMES[:8], seed=seed), PlayersApart(1, 2), PlayersApart(3, 4)]).evening
        for table in draw(evening).tables:
            assert not {1, 2} <= {*table}
            assert not {3, 4} <= {*table}
