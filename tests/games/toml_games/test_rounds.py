"""Declared games entered by rounds: questions, bounds, sums, refused figures, sides, ends."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.core.game import Event, Start
from companion.core.games import registered
from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    EnterNumber,
    Prompt,
    Skip,
    TakeAlternative,
)
from companion.core.text import IllegalEventError, Text
from companion.games.toml_games.state import GameEnded

from .files import BIDS, FULL, ROUND, TALLY, entered, game, refusal, refused

KINDS = """
name = "kinds"
title = "Kinds"
seats = "3-5"
best = "lowest"
dealer = true
sides = "pair"
sits_out = "dealer and seats > 3"
[[ask]]
name = "pair"
kind = "seats"
up_to = 2
nobody = "nobody"
[[ask]]
name = "game"
kind = "choice"
per = "round"
text = "Which game?"
when = "any(pair)"
choices = { "solo" = 1, "grand" = 4 }
[[ask]]
name = "caller"
kind = "seat"
nobody = "nobody"
when = "game == 4"
[[ask]]
name = "cards"
least = -2
most = 8
step = 2
when = "not pair"
order = "seats"
[score]
points = "ours(cards) + 10*game*caller + mark"
carry.mark = "mark + pair"
[end]
when = "round == 2"
tie = "seat"
"""
SIDES = """
name = "sides"
title = "Sides"
seats = "2-6"
sides = "partners"
[[ask]]
name = "won"
per = "side"
sum = "10"
most = 10
text = "Won by {player}"
[[ask]]
name = "best"
kind = "choice"
choices = { "no" = 0, "yes" = 1 }
[score]
points = "won + 100*ours(best)"
"""


def numbers(*values: int) -> tuple[Answer, ...]:
    """Return numbers as answers."""
    return tuple(map(EnterNumber, values))


def started(text: str, seats: int, dealer: int = 0, **rules: int) -> tuple[Any, Any]:
    """Return a game and its state once the dealer is known."""
    made = registered(game(text)).popitem()[1]
    state = made.start(seats, made.rules(**rules))
    return made, entered(made, state, FULL, ChooseSeat(dealer))


def prompt(of: Any, state: Any, *answers: Answer, tracking: Any = FULL) -> Prompt:
    """Return the prompt after these answers."""
    asked = of.ask(state, tracking, answers)
    assert isinstance(asked, Prompt)
    return asked


def test_a_round_goes_from_question_to_question_left_of_the_dealer_first() -> None:
    made, state = started(BIDS, 3, dealer=1)
    assert str(made.moment(state)) == "round 1"
    assert str(prompt(made, state).text) == "Bid: seat 3"
    assert str(prompt(made, state, *numbers(1, 1)).text) == "Bid: seat 2"
    state = entered(made, state, FULL, *numbers(1, 1, 0))
    assert made.snapshot(state)["answers"] == {"bid": [1, 0, 1]}
    assert [str(line.figures) for line in made.view(state).seats] == ["1", "0", "1"]
    state = entered(made, state, FULL, *numbers(1, 2))  # the last figure follows from the sum
    assert state.rounds == ((0, 10, 11),)
    assert (state.round, state.dealer) == (2, 2)
    assert made.progress(state).totals == (0, 10, 11)


def test_figures_that_end_a_round_are_shown_whole_before_they_count() -> None:
    made, state = started(BIDS, 3, dealer=1)
    state = entered(made, state, FULL, *numbers(1, 1, 0))  # the tricks end the round, so the bids count at once
    whole = prompt(made, state, *numbers(1, 2))
    assert str(whole.text) == "Same on the table?"
    assert whole.sheet is not None
    assert (whole.sheet.rows, whole.cell) == (((1, 2), (0, 0), (1, 1)), None)  # the bids stand beside the tricks
    assert isinstance(made.ask(state, FULL, (*numbers(1, 2), Skip())), Event)
    again = (*numbers(1, 2), TakeAlternative())  # a figure is wrong: all are asked again
    assert prompt(made, state, *again).text == prompt(made, state).text
    event = made.ask(state, FULL, (*again, *numbers(2, 1), TakeAlternative(), *numbers(0, 3), Skip()))
    assert event == made.ask(state, FULL, (*numbers(0, 3), Skip()))
    both = prompt(made, started(BIDS, 3)[1], *numbers(1, 1, 0), *numbers(1, 1), tracking=ROUND)
    assert both.sheet is not None
    assert (both.sheet.rows, both.cell) == (((0, 1), (1, 1), (1, 1)), None)


def test_a_question_of_a_whole_round_is_entered_again_alone() -> None:
    made, state = started(BIDS, 3)
    said = (*numbers(1, 1, 0), *numbers(1, 1), TakeAlternative())
    wrong = prompt(made, state, *said, tracking=ROUND)
    assert str(wrong.text) == "What is wrong?"
    bids, tricks = wrong.answers[:2]
    assert [str(each.label) for each in (bids, tricks) if isinstance(each, ChooseItem)] == ["Bid", "Tricks"]
    asked = prompt(made, state, *said, bids, tracking=ROUND)
    assert (asked.skip, asked.sheet and asked.sheet.rows) == (Text("keep {figure}", figure=1), ((0, 1), (1, 1), (1, 1)))
    event = made.ask(state, ROUND, (*said, bids, Skip(), *numbers(0), Skip(), Skip()))
    assert event == made.ask(state, ROUND, (*numbers(1, 0, 0), *numbers(1, 1), Skip()))
    event = made.ask(state, ROUND, (*said, tricks, *numbers(2, 1), Skip()))
    assert event == made.ask(state, ROUND, (*numbers(1, 1, 0), *numbers(2, 1), Skip()))


def test_figures_that_a_question_entered_again_changes_follow_it() -> None:
    made, state = started(BIDS.replace('sum = "cards"', 'sum = "cards"\nwhen = "bid or seat == 1"'), 3)
    said = (*numbers(1, 1, 0), *numbers(1, 1), TakeAlternative())
    bids = prompt(made, state, *said, tracking=ROUND).answers[0]
    whole = prompt(
        made, state, *said, bids, *numbers(0, 1, 0), tracking=ROUND
    )  # the second seat's tricks are not asked
    assert whole.sheet is not None
    assert (whole.sheet.rows, whole.cell) == (((0, 2), (0, 0), (1, 1)), None)


TOLD = """
name = "told"
title = "Told"
seats = 4
sides = "partners"
dealer = true
[[ask]]
name = "call"
kind = "choice"
order = "seats"
choices = { "none" = 0, "small" = 1, "grand" = 2 }
[[ask]]
name = "first"
kind = "seat"
nobody = "nobody"
[[ask]]
name = "match"
kind = "choice"
per = "round"
choices = { "no" = 0, "yes" = 1 }
[[ask]]
name = "double"
kind = "choice"
per = "side"
when = "match"
choices = { "no" = 0, "yes" = 1 }
[[ask]]
name = "last"
kind = "seat"
nobody = "nobody"
when = "match"
[[ask]]
name = "steps"
per = "round"
when = "match"
most = 3
[[ask]]
name = "cards"
per = "side"
most = 9
[score]
points = "cards + call + first + match + double + last + steps"
"""


def chosen(value: int, label: str) -> ChooseItem:
    return ChooseItem(value, Text(label))


def test_a_whole_sheet_says_what_else_was_answered_about_the_round() -> None:
    made, state = started(TOLD, 4)
    none, small, no, yes = chosen(0, "none"), chosen(1, "small"), chosen(0, "no"), chosen(1, "yes")

    def told(*answers: Answer) -> list[str]:
        sheet = prompt(made, state, *answers, *numbers(6, 3), tracking=ROUND).sheet
        assert sheet is not None
        assert sheet.rows == ((3,), (6,), (3,), (6,))
        return [str(each) for each in sheet.told]

    assert told(small, none, small, none, ChooseSeat(2), yes, yes, no, Skip(), EnterNumber(2)) == [
        "First: seat 3",
        "Match: yes",
        "Last: nobody",
        "Steps: 2",
        "seat 1 small, seat 3 small",
        "Double: seat 2+seat 4 yes",
    ]
    assert told(none, none, none, none, Skip(), no) == ["First: nobody"]  # a choice that counts 0 need not be said
    assert str(made.describe(made.ask(state, FULL, (none,) * 4))) == "Call: none"


def test_a_refused_figure_gets_the_sentence_of_the_file() -> None:
    made, state = started(BIDS, 3)
    assert refused(lambda: made.ask(state, FULL, numbers(1, 1, 1))) == ("refused", "The bids must not add up")
    unsaid = BIDS.replace('because = "The bids must not add up"\n', "")
    plain, begun = started(unsaid, 3)
    assert refused(lambda: plain.ask(begun, FULL, numbers(1, 1, 1))) == ("refused", "Bid: this figure cannot be")


def test_the_game_ends_when_its_formula_says_so() -> None:
    made, state = started(BIDS, 3, rounds=2)
    for cards in (3, 2):
        before = entered(made, state, FULL, *numbers(0, 0, 0))
        state = entered(made, before, FULL, *numbers(cards))
    assert state.winners == (0,)
    assert made.ask(state, FULL, ()) is None
    assert str(made.score_sheet(state).title) == "seat 1 wins the game"
    assert [(each.what, each.seat) for each in made.optional.counted_actions(before, None, state)] == [
        ("exact", 0),
        ("exact", 1),
    ]
    assert refusal(made, state, Start(0)) == ("over", "the game is over")


def test_a_whole_round_is_one_event_and_what_is_known_of_it_is_not_asked_again() -> None:
    made, state = started(BIDS, 3)
    whole = entered(made, state, ROUND, *numbers(1, 1, 0), *numbers(1, 1))
    assert whole.rounds == ((0, 11, 11),)
    state = entered(made, state, FULL, *numbers(1, 1, 0))
    assert entered(made, state, ROUND, *numbers(1, 1)).rounds == whole.rounds
    kind = made.optional.whole_round[0]
    assert str(made.describe(kind(bid=(1, 1, 0), tricks=(1, 1, 1)))) == "R: Bid: 1 1 0, Tricks: 1 1 1"
    for event, reason, said in (
        (kind(bid=(1, 1, 0), tricks=(1, 1, 1)), "known", "Bid of this round is known already"),
        (kind(), "missing", "Tricks of this round is missing"),
        (
            kind(tricks=(1, 1, 2)),
            "figures",
            "these figures do not fit together: they must add up to 3, not 4",
        ),
        (kind(tricks=(1, 1)), "figures", "Tricks: a figure for each is needed"),
    ):
        assert refusal(made, state, event) == (reason, said)
    round_ = kind(bid=(1, 1, 0), tricks=(1, 1, 1))
    assert refusal(made, made.start(3, made.rules()), round_) == ("phase", "first say who deals")


def test_a_figure_that_a_sum_settles_is_not_said_to_be_unasked() -> None:
    made, state = started(BIDS.replace("sum = ", 'when = "bid or asked_last or seat > 0"\nsum = '), 3)
    state = entered(made, state, FULL, *numbers(1, 1, 0))
    kind = made.optional.whole_round[0]
    said = "these figures do not fit together: they must add up to 3, not 2"
    assert refusal(made, state, kind(tricks=(1, 1, 0))) == ("figures", said)


def test_rules_are_values_or_typed_numbers_within_bounds() -> None:
    made = game(BIDS)
    assert [str(choice.label) for choice in made.options[0].choices] == ["three", "two", "another number"]
    assert str(made.options[0].choices[2].with_number(7)) == "7"
    assert [choice.number(7) for choice in made.options[0].choices if choice.number] == [7]
    assert made.start(3, made.rules(rounds=7))
    assert len(game(BIDS.replace(", typed = true", "")).options[0].choices) == 2
    assert refused(lambda: made.start(3, made.rules(rounds=-1))) == ("rule", "rounds cannot be −1")


def test_every_kind_of_question_is_asked_and_written_down() -> None:
    made, state = started(KINDS, 5, dealer=4)
    assert [line.sits_out for line in made.view(state).seats] == [False, False, False, False, True]
    assert [answer.seat for answer in prompt(made, state).answers if isinstance(answer, ChooseSeat)] == [0, 1, 2, 3]
    assert str(prompt(made, state).skip) == "nobody"
    assert str(prompt(made, state, ChooseSeat(2)).skip) == "no more"
    state = entered(made, state, FULL, ChooseSeat(2), ChooseSeat(0))
    choice = prompt(made, state)
    assert str(made.optional.keys(3, made.rules())[0]) == "Game: 1 solo 4 grand"
    assert str(choice.text) == "Which game?"
    assert str(choice.legend) == "1 solo 4 grand"
    state = entered(made, state, FULL, ChooseItem(4, choice.answers[1].label))  # type: ignore[union-attr]
    assert str(prompt(made, state).text) == "Caller?"
    state = entered(made, state, FULL, ChooseSeat(1))
    asked = prompt(made, state)
    assert [answer.value for answer in asked.answers if isinstance(answer, EnterNumber)] == [-2, 0, 2, 4, 6, 8]
    state = entered(made, state, FULL, EnterNumber(-2), EnterNumber(8))
    assert state.past == ({"pair": (0, 2), "game": (4,), "caller": (1,), "cards": (0, -2, 0, 8, 0)},)
    assert state.rounds == ((0, 46, 0, 6, 6),)
    assert state.carry == ((1, 0, 1, 0, 0),)
    assert made.optional.declarers(state) == ((0, 2),)


def test_a_question_that_is_not_asked_counts_zero() -> None:
    made, state = started(KINDS, 3)
    state = entered(made, state, FULL, Skip())
    assert made.progress(state).phase == "cards"
    state = entered(made, state, FULL, Skip())  # the rest is 0
    assert state.rounds == ((0, 0, 0),)
    state = entered(made, state, ROUND, Skip(), *numbers(2, 4), EnterNumber(0))
    assert state.winners == (2,)
    assert str(made.score_sheet(state).title) == "seat 3 wins the game"


@pytest.mark.parametrize(
    ("events", "reason", "said"),
    [
        ({"pair": (2, 0)}, "figures", "these figures do not fit together"),  # seats are in order
        ({"pair": (9,)}, "answer", "Pair: that cannot be chosen"),
        ({"pair": (0, 1), "game": 3}, "answer", "Game: that cannot be chosen"),
        ({"pair": (), "game": 4}, "phase", "first enter Cards"),
        ({"pair": (0,), "game": 1, "cards": (2, 0, 0)}, "not asked", "Cards of seat 1 is not asked for"),
        ({"pair": (0,), "game": 1, "cards": (-2, 0, 0)}, "not asked", "Cards of seat 1 is not asked for"),
        ({"pair": (0,), "game": 1, "cards": (0, 1, 0)}, "figure", "Cards: from −2 to 8 in steps of 2, not 1"),
    ],
)
def test_what_a_log_says_is_checked_like_what_people_say(events: dict[str, Any], reason: str, said: str) -> None:
    made, state = started(KINDS, 3)
    *before, (last, value) = events.items()
    kinds: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in made.events}
    for name, earlier in before:
        state = made.apply(state, kinds[name](earlier))
    assert refusal(made, state, kinds[last](value)) == (reason, said)


def test_partners_share_their_points_and_a_side_is_asked_once() -> None:
    made = game(SIDES)
    state = made.start(4, made.rules())
    assert str(prompt(made, state).text) == "Won by seat 1+seat 3"
    state = entered(made, state, FULL, EnterNumber(7))
    choice = prompt(made, state).answers
    state = entered(made, state, FULL, choice[0], choice[1], choice[0], choice[0])
    assert state.rounds == ((7, 103, 7, 103),)
    assert made.optional.sides is not None
    assert [made.optional.sides(seats, {}) for seats in (3, 4)] == [((0,), (1,), (2,)), ((0, 2), (1, 3))]
    assert str(made.score_sheet(made.apply(state, GameEnded())).title) == "seat 2 and seat 4 win"
    assert made.start(3, made.rules()).asked == "won"


def test_a_game_without_an_end_is_ended_by_the_table_between_rounds() -> None:
    made = game(TALLY)
    state = made.start(2, made.rules())
    assert prompt(made, state).alternative is None
    with pytest.raises(IllegalEventError):
        made.apply(state, GameEnded())
    state = entered(made, state, FULL, *numbers(5, -3))
    assert str(prompt(made, state).alternative) == "game over"
    assert prompt(made, state, *numbers(5)).alternative is None
    ended = entered(made, state, FULL, TakeAlternative())
    assert ended.winners == (0,)
    assert str(made.describe(GameEnded())) == "The game is over"
    assert made.outcome(state, GameEnded(), ended).table == made.score_sheet(ended)
    assert list(made.trackings) == [FULL]


def test_a_game_with_a_loser_is_won_by_all_others() -> None:
    made = game(TALLY + '[end]\nwhen = "max(total) >= 9"\nloser = true\n')
    state = entered(made, made.start(3, made.rules()), FULL, *numbers(9, 2, 1))
    assert state.winners == (0, 1)
    assert str(made.score_sheet(state).title) == "seat 3 loses the game"
    even = entered(made, made.start(2, made.rules()), FULL, *numbers(9, 9))
    assert even.winners == (0, 1)


def test_who_wins_with_the_finished_rounds_is_found_as_at_the_end_of_the_last_one() -> None:
    ends = '[end]\nwhen = "round == 9"\ntie = "100*round*points + dealer"\n'
    made, state = started(TALLY.replace("[[ask]]", "dealer = true\n[[ask]]", 1) + ends, 3)
    assert made.optional.winners_so_far(state) == (0,)  # who deals the first round
    for points in ((1, 3, 1), (1, 3, 3)):  # from the left of the dealer
        state = entered(made, state, FULL, *numbers(*points))
    assert (state.round, state.totals, state.dealer) == (3, (4, 4, 4), 2)
    assert made.optional.winners_so_far(state) == (1,)  # who dealt the second
    loses: Any = game(TALLY + '[end]\nwhen = "round == 9"\nloser = true\n')
    state = entered(loses, loses.start(3, loses.rules()), FULL, *numbers(9, 2, 1))
    assert loses.optional.winners_so_far(state) == (0, 1)


def test_figures_that_cannot_reach_the_sum_are_refused_in_a_sentence() -> None:
    made = game(TALLY.replace("least = -999", "most = 3\nsum = 10"))
    said = refused(lambda: made.ask(made.start(3, made.rules()), FULL, ()))
    assert said == ("sum", "Points: the figures do not add up to 10")


def test_a_round_without_any_question_is_asked_all_the_same() -> None:
    made = game(TALLY.replace("least = -999", "most = 0"))
    state = entered(made, made.start(2, made.rules()), FULL, EnterNumber(0))
    assert state.rounds == ((0, 0),)


def test_every_event_is_described_and_strange_ones_are_refused() -> None:
    made, _state = started(KINDS, 3)
    kinds = {kind.__struct_config__.tag: kind for kind in made.events}
    assert [
        str(made.describe(event)) for event in (kinds["pair"]((0, 2)), kinds["pair"](()), kinds["game"](4), Start(1))
    ] == [
        "Pair: seat 1 seat 3",
        "Pair: nobody",
        "Game: grand",
        "seat 2 deals",
    ]
    assert str(made.describe(kinds["cards"]((1, 2, 3)))) == "Cards: 1 2 3"
    with pytest.raises(TypeError):
        made.describe(Event())
    with pytest.raises(TypeError):
        made.answers(_state, Event())
    assert [kind.__name__ for kind in made.events if not kind.__struct_config__.frozen] == []
    assert msgspec.json.encode(kinds["cards"]((1, 2, 3))) == b'{"type":"cards","figures":[1,2,3]}'


def test_the_rules_card_is_the_lines_of_the_file_four_a_page() -> None:
    made = game(
        TALLY.replace('title = "Points"', 'title = "Points"\nabout = "Unofficial"\ncard = ["a", "b", "c", "d"]')
    )
    assert made.optional.rules_card is not None
    pages = made.optional.rules_card(3, None)
    assert [[str(line) for line in page.lines] for page in pages] == [["a", "b", "c", "d"], ["Unofficial"]]  # type: ignore[union-attr]
    assert game(TALLY).optional.rules_card is None


def test_a_seat_can_be_refused() -> None:
    partner = (
        '[[ask]]\nname = "partner"\nkind = "seats"\nrefuse = "caller"\nbecause = "The caller has no partner seat"\n'
    )
    called = game(KINDS.replace('[[ask]]\nname = "cards"', f'{partner}[[ask]]\nname = "cards"'))
    state = called.apply(called.start(3, called.rules()), Start(0))
    for answer in (ChooseSeat(0), ChooseItem(4, Text("grand")), ChooseSeat(1)):
        state = entered(called, state, FULL, *([answer, Skip()] if answer == ChooseSeat(0) else [answer]))
    assert refused(lambda: called.ask(state, FULL, (ChooseSeat(1),))) == ("refused", "The caller has no partner seat")
    assert refused(lambda: called.ask(state, FULL, (ChooseSeat(0), ChooseSeat(1))))[0] == "refused"
    event = called.ask(state, FULL, (ChooseSeat(0), Skip()))
    assert isinstance(event, Event)
    assert called.apply(state, event)
    kind: Any = type(event)
    assert called.apply(state, kind(players=(0, 1)))  # a log of a version that asked without looking can be read


ORDER = """
name = "places"
title = "Places"
seats = "3-5"
[[ask]]
name = "place"
kind = "order"
[[ask]]
name = "extra"
when = "place == seats"
most = 5
[score]
points = "pick(place, 10, 5) - extra"
"""


def test_seats_are_named_in_the_order_in_which_they_finish_and_the_last_follows() -> None:
    made = game(ORDER)
    state = made.start(4, made.rules())
    named = (ChooseSeat(2), ChooseSeat(0))
    assert [str(prompt(made, state, *named[:count]).text) for count in range(3)] == [
        "Place 1: who?",
        "Place 2: who?",
        "Place 3: who?",
    ]
    second = prompt(made, state, ChooseSeat(2))
    assert (second.answers, second.skip) == ((ChooseSeat(0), ChooseSeat(1), ChooseSeat(3)), None)
    event = made.ask(state, FULL, (*named, ChooseSeat(3)))
    assert isinstance(event, Event)
    assert msgspec.json.encode(event) == b'{"type":"place","players":[2,0,3,1]}'
    assert str(made.describe(event)) == "Place: seat 3 seat 1 seat 4 seat 2"
    state = entered(made, state, FULL, *named, ChooseSeat(3))
    assert [str(line.figures) for line in made.view(state).seats] == ["2", "4", "1", "3"]
    assert str(prompt(made, state).text) == "Extra: seat 2"
    assert entered(made, state, FULL, EnterNumber(3)).rounds == ((5, -3, 10, 0),)
    for players in ((2, 0, 3), (2, 0, 3, 3), (2, 0, 3, 1, 1), (2, 0, 3, 4)):
        assert refusal(made, made.start(4, made.rules()), type(event)(players))[0] in ("answer", "named", "figures")


def test_an_order_may_name_the_first_alone_or_nobody() -> None:
    made = game(
        ORDER.replace('kind = "order"', 'kind = "order"\nup_to = 2\nnobody = "nobody"\nrefuse = "place*seat == 6"')
    )
    state = made.start(5, made.rules())
    assert [str(prompt(made, state, *named).skip) for named in ((), (ChooseSeat(1),))] == ["nobody", "None"]
    assert entered(made, state, FULL, ChooseSeat(4), ChooseSeat(0)).rounds == ((5, 0, 0, 0, 10),)
    assert entered(made, state, FULL, Skip()).rounds == ((0,) * 5,)
    assert refused(lambda: made.ask(state, FULL, (ChooseSeat(0), ChooseSeat(2))))[0] == "refused"


def test_totals_and_carried_figures_can_begin_at_other_numbers_than_0() -> None:
    score = 'start = "10*rounds + seat"\ncarry.mark = "mark - 1"\nfirst.mark = "seats"\npoints = "100*mark if 1 else '
    made = game(BIDS.replace('points = "', score))
    state = made.start(3, made.rules(rounds=2))
    assert made.progress(state).totals == (21, 22, 23)
    assert [str(line.figures) for line in made.view(state).seats] == ["21", "22", "23"]
    state = entered(made, state, FULL, ChooseSeat(0))
    for bids, tricks, totals in ((2, 3, (321, 322, 323)), (1, 2, (521, 522, 523))):
        state = entered(made, entered(made, state, FULL, *numbers(0, 0, bids)), FULL, *numbers(tricks))
        assert state.totals == totals


def test_partners_begin_with_the_total_of_their_side() -> None:
    made = game(SIDES.replace("[score]", '[score]\nstart = "20*seat"'))
    assert made.start(4, made.rules()).totals == (20, 40, 20, 40)


def test_a_formula_says_who_wins_and_nobody_may_win() -> None:
    made: Any = game(TALLY + '[end]\nwhen = "round == 2"\nwinners = "sum(total) >= 10 and total > 0"\n')
    assert not made.optional.one_loses
    for points, winners, said in (
        ((5, 4, 0), (), "Nobody wins"),
        ((5, 5, 0), (0, 1), "The win is shared"),
        ((0, 0, 9), (2,), "seat 3 wins the game"),
    ):
        state = entered(made, made.start(3, made.rules()), FULL, *numbers(0, 0, 1 if len(winners) == 1 else 0))
        assert made.optional.winners_so_far(state) == ()
        state = entered(made, state, FULL, *numbers(*points))
        assert (state.winners, made.progress(state).over) == (winners, True)
        sheet = made.score_sheet(state)
        assert (str(sheet.title), sheet.marked) == (said, winners)


def test_partners_win_together() -> None:
    made = game(SIDES + '[end]\nwinners = "seat == 2"\n')
    state = made.start(4, made.rules())
    choice = prompt(made, entered(made, state, FULL, EnterNumber(7))).answers
    state = entered(made, entered(made, state, FULL, EnterNumber(7)), FULL, *[choice[0]] * 4)
    assert made.apply(state, GameEnded()).winners == (1, 3)


ONCE = """
name = "once"
title = "Once"
seats = "2-3"
dealer = true
[[ask]]
name = "deal"
kind = "choice"
per = "round"
once = "dealer"
choices = { "hearts" = 1, "queens" = 2, "last" = 3 }
[score]
points = "deal"
"""


def offered(of: Any, state: Any, *answers: Answer) -> list[int]:
    """Return the choices that are offered."""
    return [answer.value for answer in prompt(of, state, *answers).answers if isinstance(answer, ChooseItem)]


def test_a_dealer_is_not_offered_a_choice_again_until_all_others_were_taken() -> None:
    made, state = started(ONCE, 2)
    hearts, queens, last = chosen(1, "hearts"), chosen(2, "queens"), chosen(3, "last")
    asked = []
    for choice in (queens, hearts, hearts, last):
        asked.append(offered(made, state))
        before, state = state, entered(made, state, FULL, choice)
    assert asked == [[1, 2, 3], [1, 2, 3], [1, 3], [2, 3]]
    assert str(prompt(made, before).legend) == "2 queens 3 last"
    assert refused(lambda: made.ask(before, FULL, (hearts,))) == ("once", "Deal: hearts was chosen before")
    assert refusal(made, before, made.events[0](1))[0] == "once"


def test_a_choice_counts_once_for_a_seat_or_in_the_game() -> None:
    by_seat, state = started(ONCE.replace('per = "round"\nonce = "dealer"', 'once = "seat"'), 2)
    state = entered(by_seat, state, FULL, chosen(3, "last"), chosen(1, "hearts"))
    assert (offered(by_seat, state), offered(by_seat, state, chosen(2, "queens"))) == ([2, 3], [1, 2])
    by_game, state = started(ONCE.replace('once = "dealer"', 'once = "game"'), 2)
    for taken, left in ((1, [2, 3]), (3, [1, 2, 3])):  # the last one follows by itself, but a round has an entry
        state = entered(by_game, state, FULL, chosen(taken, {1: "hearts", 3: "last"}[taken]))
        if taken == 3:
            assert offered(by_game, state) == [2]
            state = entered(by_game, state, FULL, chosen(2, "queens"))
        assert offered(by_game, state) == left


def test_the_text_of_a_question_says_the_total_and_what_is_left() -> None:
    made, state = started(
        BIDS.replace('name = "tricks"', 'name = "tricks"\ntext = "{player} {total}: {left}"\nleft = "bid - seat"'), 3
    )
    state = entered(made, entered(made, state, FULL, *numbers(0, 0, 0)), FULL, EnterNumber(3))
    state = entered(made, state, FULL, *numbers(2, 1, 0))
    assert str(prompt(made, state).text) == "seat 3 10: −1"
    assert str(prompt(made, state, EnterNumber(1)).text) == "seat 1 10: 0"
    partners = game(
        SIDES.replace("Won by {player}", "{player} of {total}, {left} left", 1).replace("sum =", "left = 5\nsum =")
    )
    assert str(prompt(partners, partners.start(4, partners.rules())).text) == "seat 1+seat 3 of 0, 5 left"


def test_a_formula_says_who_deals_next() -> None:
    made, state = started(BIDS.replace("dealer = true", 'dealer = "tricks == 3 - round or seat == 1"'), 3, dealer=1)
    dealers = [state.dealer]
    for taken in ((1, 2), (0, 1)):  # from the left of the dealer
        state = entered(made, entered(made, state, FULL, *numbers(0, 0, 0)), FULL, *numbers(*taken))
        dealers.append(state.dealer)
    assert dealers == [1, 0, 2]
    stays, state = started(ONCE.replace("dealer = true", 'dealer = "deal == 2"'), 3, dealer=2)
    state = entered(stays, state, FULL, chosen(3, "last"))
    assert state.dealer == 2  # it holds for nobody
    assert entered(stays, state, FULL, chosen(2, "queens")).dealer == 0  # it holds for all


def test_the_head_of_a_game_is_its_top_line_while_it_is_played() -> None:
    head = 'dealer = true\nhead = "{rounds} rounds, {streak}: {player}"'
    made, state = started(
        BIDS.replace("dealer = true", head).replace("[score]", '[score]\ncarry.streak = "streak + sum(bid)"'),
        3,
        rounds=2,
    )
    assert str(made.view(made.start(3, made.rules())).status) == "R1"  # nobody deals yet
    assert str(made.view(state).status) == "2 rounds, 0: seat 1"
    for bids, tricks in ((1, 3), (0, 2)):
        state = entered(made, entered(made, state, FULL, *numbers(0, 0, bids)), FULL, *numbers(tricks))
        assert str(made.view(state).status) == ("R2" if state.winners else "2 rounds, 1: seat 2")


TURNS = """
name = "turns"
title = "Turns"
seats = "2-3"
asks = "players"
[[ask]]
name = "weather"
kind = "choice"
per = "round"
choices = { "fair" = 0, "foul" = 1 }
[[ask]]
name = "box"
kind = "choice"
once = "seat"
choices = { "ones" = 1, "twos" = 2 }
[[ask]]
name = "dice"
most = "5"
[[ask]]
name = "extra"
when = "dice == 5"
refuse = "extra == 3"
[[ask]]
name = "gift"
per = "round"
[score]
points = "box*dice + extra + gift + weather"
"""


def test_all_questions_of_a_player_can_be_asked_before_those_of_the_next() -> None:
    made = game(TURNS)
    assert [*map(str, made.trackings.values())] == ["Rounds only"]
    state = made.start(2, made.rules())
    said: tuple[Answer, ...] = ()
    asked, sheets = [], []
    for answer in (
        *(chosen(0, "fair"), chosen(2, "twos"), EnterNumber(5), EnterNumber(7)),
        *(chosen(1, "ones"), EnterNumber(3), EnterNumber(9)),
    ):
        now = prompt(made, state, *said)
        asked.append(str(now.text))
        sheets.append(None if now.sheet is None else (now.sheet.rows, now.sheet.cell))
        said = (*said, answer)
    assert asked == [
        *("Weather:", "Box: seat 1", "Dice: seat 1", "Extra: seat 1"),
        *("Box: seat 2", "Dice: seat 2", "Gift:"),
    ]
    assert sheets == [
        *(None, None, (((None, None), (None, None)), (0, 0)), (((5, None), (None, None)), (0, 1))),
        *(None, (((5, 7), (None, None)), (1, 0)), None),
    ]
    whole = prompt(made, state, *said)
    assert whole.sheet is not None
    assert whole.sheet.rows == ((5, 7), (3, 0))
    assert refused(lambda: made.ask(state, FULL, (*said[:3], EnterNumber(3))))[0] == "refused"
    state = entered(made, state, FULL, *said)
    assert state.rounds == ((26, 12),)
    assert offered(made, state, chosen(0, "fair")) == []  # one box is left, and is not asked for
    assert str(prompt(made, state, chosen(0, "fair")).text) == "Dice: seat 1"
    kind: Any = made.optional.whole_round[0]
    event = kind(weather=0, box=(1, 2), dice=(0, 5), extra=(1, 0), gift=0)
    assert refusal(made, state, event) == ("not asked", "Extra of seat 1 is not asked for")


def test_the_rest_is_not_0_where_0_is_refused() -> None:
    made = game(TALLY.replace("least = -999", 'refuse = "points == 0 and seat == 2"'))
    state = made.start(4, made.rules())
    assert [str(prompt(made, state, *numbers(*said)).skip) for said in ((), (3,), (3, 5))] == [
        "rest: 0",
        "None",
        "rest: 0",
    ]
