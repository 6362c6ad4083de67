"""An evening is the replay of its events; an event that cannot be is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.evening.evening_state import (
    Entrant,
    EntrantCame,
    EntrantLeft,
    EntrantRemoved,
    EntrantRenamed,
    EntrantsAdded,
    EveningBegun,
    EveningError,
    Event,
    EventTakenBack,
    PenaltyGiven,
    PlayersApart,
    Presence,
    SeatedTable,
    Sizes,
    TableResult,
    TablesMerged,
    TableVoid,
    TeamMade,
    decode,
    encode,
)
from companion.club.evening.ranking import ranking
from companion.club.evening.replay import Moment, follow
from companion.core.game import Best

from .evenings import NAMES, after, begun, moments, replay, result, seated

TWO_TABLES = seated([1, 2, 3, 4], [5, 6, 7, 8])


def events_of(moment: Moment | None) -> list[Event]:
    """Return the events that stand."""
    events = []
    while moment is not None:
        events.append(moment.event)
        moment = moment.before
    return events[::-1]


@given(moments())
def test_a_replay_of_the_written_events_is_the_same_evening(moment: Moment) -> None:
    assert replay(decode(encode(event)) for event in events_of(moment)) == moment


@given(moments(), st.data())
def test_undo_leads_back_to_the_moment_before_and_what_follows_is_as_if_it_had_never_been(
    moment: Moment, data: st.DataObject
) -> None:
    before = moment.before
    assert before is not None
    assert follow(moment, EventTakenBack()) == before
    events = events_of(moment)
    mistakes = data.draw(st.lists(st.integers(1, len(events) - 1), max_size=4))
    with_mistakes: list[Event] = []
    for number, event in enumerate(events):
        with_mistakes += [event, EventTakenBack()] * (number in mistakes) + [event]
    assert replay(with_mistakes) == moment


def test_undo_takes_back_one_event_after_the_other_but_never_the_beginning() -> None:
    events = [*begun(), TWO_TABLES, EntrantLeft(3)]
    assert replay([*events, EventTakenBack(), EventTakenBack()]) == replay(begun())
    with pytest.raises(EveningError, match="There is nothing to take back"):
        replay([*events, *[EventTakenBack()] * 4])


def test_a_player_who_leaves_in_the_middle_of_a_round_leaves_the_table_and_the_others_play_on() -> None:
    evening = after(TWO_TABLES, EntrantLeft(2), result(1, 5, 6, 7))
    assert evening.rounds[0].table(1) == SeatedTable(1, (1, 3, 4), (5, 6, 7))
    assert evening.present == (1, 3, 4, 5, 6, 7, 8)


def test_a_player_who_leaves_keeps_the_results_of_tables_that_have_played() -> None:
    evening = after(TWO_TABLES, result(1, 5, 6, 7, 8), EntrantLeft(2))
    assert evening.rounds[0].table(1).players == (1, 2, 3, 4)


def test_a_player_who_leaves_keeps_the_half_of_a_table_that_is_void() -> None:
    evening = after(TWO_TABLES, TableVoid(1, 1), EntrantLeft(1))
    assert evening.rounds[0].table(1).players == (1, 2, 3, 4)
    assert {row.entrant.number: row.rank_share for row in ranking(evening)}[1] == Fraction(1, 2)


def test_a_player_with_the_bye_who_leaves_loses_it_while_the_round_runs_and_keeps_it_afterwards() -> None:
    first = seated([1, 2, 3, 4], byes=[5])
    assert after(first, EntrantLeft(5), players=NAMES[:5]).rounds[0].free == ()
    assert after(first, result(1, 1, 2, 3, 4), EntrantLeft(5), players=NAMES[:5]).rounds[0].free == (5,)


def test_somebody_left_alone_at_a_table_has_the_bye_and_nobody_leaves_an_empty_one() -> None:
    left: list[Event] = [TWO_TABLES, EntrantLeft(5), EntrantLeft(6), EntrantLeft(7)]
    evening = after(*left)
    assert evening.rounds[0].free == (8,)
    assert evening.rounds[0].open_tables == (1,)
    assert [table.number for table in after(*left, EntrantLeft(8)).rounds[0].tables] == [1]


def test_a_table_merged_with_another_keeps_the_other_s_number() -> None:
    evening = after(TWO_TABLES, EntrantLeft(1), EntrantLeft(2), EntrantLeft(7), TablesMerged(1, into=2))
    assert evening.rounds[0].tables == (SeatedTable(2, (5, 6, 8, 3, 4)),)


def test_a_result_is_corrected_in_an_earlier_round_too() -> None:
    evening = after(
        TWO_TABLES,
        result(1, 1, 2, 3, 4),
        result(2, 1, 2, 3, 4),
        seated([1, 5, 2, 6], [3, 7, 4, 8]),
        TableResult(1, 2, (9, 9, 9, -9), corrects=True),
    )
    assert evening.rounds[0].table(2).points == (9, 9, 9, -9)
    assert evening.rounds[0].table(1).points == (1, 2, 3, 4)


def test_a_player_has_another_name_and_keeps_number_and_results() -> None:
    evening = after(TWO_TABLES, result(1, 1, 2, 3, 4), EntrantRenamed(1, "aki"), EntrantRenamed(1, "Akiko"))
    assert evening.names[1] == "Akiko"
    assert [row.entrant.name for row in ranking(evening) if row.tables].count("Akiko") == 1


def test_a_table_that_is_void_counts_a_half_for_each_until_it_gets_a_result() -> None:
    evening = after(TWO_TABLES, result(1, 1, 2, 3, 4), TableVoid(1, 1), result(2, 1, 2, 3, 4))
    assert evening.rounds[0].open_tables == ()
    assert {row.entrant.number: (row.rank_share, row.byes) for row in ranking(evening)}[1] == (Fraction(1, 2), 1)
    again = after(TWO_TABLES, TableVoid(1, 1), TableResult(1, 1, (4, 3, 2, 1), corrects=True))
    assert again.rounds[0].table(1) == SeatedTable(1, (1, 2, 3, 4), (4, 3, 2, 1))


def test_a_player_who_was_registered_by_mistake_comes_off_the_list_before_the_first_round() -> None:
    evening = after(TeamMade(1, (8, 7)), PlayersApart(8, 1), PenaltyGiven(8, 50), EntrantRemoved(8))
    assert [each.number for each in evening.entrants] == [1, 2, 3, 4, 5, 6, 7]
    assert (evening.apart, evening.penalties) == (frozenset(), ())
    seven = after(EntrantRemoved(8), seated([1, 2, 3], [4, 5, 6], byes=[7]))
    assert seven.seated == {1, 2, 3, 4, 5, 6, 7}


def test_late_players_are_seated_once_they_have_come() -> None:
    late: Event = EntrantsAdded((Entrant(9, "Ida", Presence.LATE),))
    assert after(late).present == tuple(range(1, 9))
    assert after(late, EntrantCame(9)).present == tuple(range(1, 10))
    assert after(EntrantLeft(3), EntrantCame(3)).present == tuple(range(1, 9))


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ([begun()[0]], "the evening has begun already"),
        ([EntrantsAdded(())], "There is nobody to register."),
        ([EntrantsAdded((Entrant(9, "AKI"),))], "two players are called AKI"),
        ([EntrantsAdded((Entrant(8, "Ida"),))], "two players have the number 8"),
        ([EntrantsAdded((Entrant(9, " Ida"),))], "blanks surround the name ' Ida'"),
        ([EntrantsAdded((Entrant(9, "I\ta"),))], "a name has a character that cannot be shown: U+0009"),
        (
            [EntrantsAdded(tuple(Entrant(n, f"P{n}") for n in range(9, 1002)))],
            "Players that can be registered: up to 1000.",
        ),
        ([EntrantCame(1)], "Aki is here already."),
        ([EntrantCame(9)], "There is no player “9”."),
        ([EntrantLeft(1), EntrantLeft(1)], "Aki has gone already."),
        ([seated([1, 2, 3, 4], [5, 6, 7])], "a round must seat everybody present once, and nobody else"),
        ([seated([1, 2, 3, 4], [5, 6, 7, 8, 8])], "a round must seat everybody present once, and nobody else"),
        ([EntrantLeft(8), TWO_TABLES], "a round must seat everybody present once, and nobody else"),
        ([seated([1, 2, 3, 4], [5, 6], byes=[7, 8])], "a table has 3 to 5 players"),
        ([seated(byes=range(1, 9))], "a table has 3 to 5 players"),
        ([TWO_TABLES, result(1, 1, 2, 3, 4), TWO_TABLES], "Round 1 still plays at table 2."),
        ([result(1, 1, 2, 3, 4)], "No round is drawn yet."),
        ([TWO_TABLES, result(1, 1, 2, 3, 4, round_=2)], "There is no round 2; rounds drawn: 1."),
        ([TWO_TABLES, result(3, 1, 2, 3, 4)], "There is no table 3 in this round."),
        ([TWO_TABLES, result(1, 1, 2, 3)], "table 1 of round 1 has other players"),
        (
            [TWO_TABLES, TableResult(1, 2, (1, 2, 3, 4), (1,))],
            "table 2 of round 1 has other players",
        ),
        (
            [TWO_TABLES, TableResult(1, 1, (1, 2, 3, 4), (1, 2, 3, 5))],
            "a rank at table 1 of round 1 is beyond its players",
        ),
        ([TWO_TABLES, *[result(1, 1, 2, 3, 4)] * 2], "Table 1 of round 1 has a result: correct it."),
        ([TWO_TABLES, TableResult(1, 1, (1, 2, 3, 4), corrects=True)], "Table 1 of round 1 has no result to correct."),
        (
            [TWO_TABLES, EntrantLeft(1), EntrantLeft(2), EntrantLeft(3), result(1, 1)],
            "Table 1 of round 1 has one player, who has the bye.",
        ),
        ([EntrantRemoved(9)], "There is no player “9”."),
        ([TWO_TABLES, EntrantRemoved(8)], "Hal has had a place in a round, and stays on the list."),
        ([EntrantLeft(8), seated([1, 2, 3], [4, 5, 6], byes=[7]), EntrantRemoved(7)],
         "Gus has had a place in a round, and stays on the list."),
        ([EntrantRenamed(9, "Ida")], "There is no player “9”."),
        ([EntrantRenamed(1, "BEA")], "two players are called BEA"),
        ([EntrantRenamed(1, " Ann")], "blanks surround the name ' Ann'"),
        ([TeamMade(1, (1, 9))], "There is no player “9”."),
        ([PlayersApart(1, 1)], "Name two players."),
        ([PlayersApart(1, 2), PlayersApart(2, 1)], "They sit apart already."),
        ([PlayersApart(1, 2, apart=False)], "They may sit together already."),
        ([PenaltyGiven(9, 50)], "There is no player “9”."),
        ([TWO_TABLES, TableVoid(1, 3)], "There is no table 3 in this round."),
        ([TWO_TABLES, TableVoid(1, 1), TableVoid(1, 1)], "Table 1 of round 1 is void already."),
        ([TWO_TABLES, TableVoid(1, 1), result(1, 1, 2, 3, 4)], "Table 1 of round 1 has a result: correct it."),
        ([TablesMerged(1, 2)], "No round is drawn yet."),
        ([TWO_TABLES, TablesMerged(1, 1)], "A table cannot be merged with itself."),
        ([TWO_TABLES, TablesMerged(1, 2)], "Too many for a table: 8; up to 5 may sit there."),
        ([TWO_TABLES, result(2, 1, 2, 3, 4), TablesMerged(1, 2)], "Table 2 has its result."),
        ([TWO_TABLES, result(1, 1, 2, 3, 4), TablesMerged(1, 2)], "Table 1 has its result."),
        ([TWO_TABLES, TableVoid(1, 1), EntrantLeft(5), EntrantLeft(6), EntrantLeft(7), TablesMerged(2, 1)],
         "Table 1 is void."),
        ([TWO_TABLES, TableVoid(1, 2), EntrantLeft(1), EntrantLeft(2), EntrantLeft(3), TablesMerged(2, 1)],
         "Table 2 is void."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_a_sentence(events: list[Event], sentence: str) -> None:
    with pytest.raises(EveningError) as refused:
        after(*events)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ([TWO_TABLES], "the first event must begin the evening"),
        (begun(sizes=Sizes(5, 2, 4)), "The wanted size of a table is from the smallest to the largest."),
        (
            [EveningBegun(1, " ", 4, 3, 5, Best.HIGHEST, 1)],
            "The name of an evening has 1 to 60 printable characters.",
        ),
        (
            [EveningBegun(1, "a\0b", 4, 3, 5, Best.HIGHEST, 1)],
            "The name of an evening has 1 to 60 printable characters.",
        ),
        (
            [EveningBegun(1, "x", 4, 3, 5, Best.HIGHEST, 1, game="a\0b")],
            "The name of a game has up to 60 printable characters.",
        ),
        (
            [EveningBegun(1, "x" * 61, 4, 3, 5, Best.HIGHEST, 1)],
            "The name of an evening has 1 to 60 printable characters.",
        ),
    ],
)
def test_an_evening_begins_as_it_must(events: list[Event], sentence: str) -> None:
    with pytest.raises(EveningError) as refused:
        replay(events)
    assert str(refused.value) == sentence
