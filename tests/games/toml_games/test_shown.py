"""What a declared game shows and asks from entry to entry: a round written out, checked by reading it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec import ValidationError, convert
from msgspec.structs import replace

from companion.core.prompt import Answer, ChooseItem, ChooseSeat, DetailLevel, EnterNumber, LayCard, Prompt, Skip
from companion.core.text import Text, tell
from companion.games import shipped
from companion.games.toml_games import declared
from companion.games.toml_games.declaration import in_brief
from companion.games.toml_games.state import Play
from companion.ui.translations import Translator
from companion.ui.view import colour_code

from .files import FULL, ROUND, game, random_event

PARTNERS = """
name = "partners"
title = "Partners"
seats = "3-5"
dealer = true
sides = "partners"
sits = "seats > 4 and dealer"
[[ask]]
name = "contract"
kind = "choice"
per = "round"
choices = { "low" = 1, "high" = 2 }
[[ask]]
name = "bid"
per = "side"
most = 4
[[ask]]
name = "points"
most = 13
[[ask]]
name = "best"
kind = "seat"
nobody = "no one"
[tricks]
hand = 2
trump = "asked"
values = { A = 5, K = 3 }
deck.ranks = "9 10 K A"
[score]
points = "ours(points) + 2*bid*contract"
"""


def told(of: Any, state: Any) -> str:
    """Return what is shown and asked, in a line."""
    view, asked = of.view(state), of.ask(state, FULL, ())
    picture = "-" if view.headline is None else f"{view.headline.word} {colour_code(view.headline.colour)}"
    seats = " ".join(
        f"{seat.laid}[{seat.figures}]{'>' * seat.leads}{'!' * seat.won}{'~' * seat.sits_out}" for seat in view.seats
    )
    return f"{view.status} {picture}|{seats}|{question(asked)}"


def question(asked: Any) -> str:
    if not isinstance(asked, Prompt):
        return str(asked)
    answers = [str(each.card) if isinstance(each, LayCard) else name(each) for each in asked.answers]
    few = answers if len(answers) < 9 else [*answers[:2], f"… {len(answers)}"]
    bare = "".join(suit.name[0].upper() for suit in asked.bare)
    return f"{asked.text} {asked.seat} ({', '.join(few)}) {bare}".strip()


def name(answer: Answer) -> str:
    match answer:
        case ChooseItem(value, label):
            return f"{value}={label}"
        case EnterNumber(value):
            return str(value)
        case ChooseSeat(seat):
            return f"seat {seat + 1}"
    return "skip" if isinstance(answer, Skip) else "other"


def entered(of: Any, state: Any, *answers: Answer) -> tuple[Any, str]:
    """Return the state after an entry, and what is told of it."""
    event = of.ask(state, FULL, answers)
    after = of.apply(state, event)
    outcome = of.outcome(state, event, after)
    finished = outcome.finished
    laid = "" if finished is None else " ".join(str(seat.laid) + "!" * seat.won for seat in finished.seats)
    shown = "" if finished is None else f" {finished.result}: {laid}"
    table = outcome.table
    rows = "" if table is None else ", ".join(" ".join(map(str, row)) for row in table.rows)
    result = "" if table is None else f" {table.title} {rows}"
    return after, f"{of.describe(event)}{shown}{''.join(map(str, outcome.lines))}{result}"


def course(of: Any, state: Any, entries: list[tuple[Answer, ...]]) -> list[str]:
    lines = [told(of, state)]
    for answers in entries:
        state, said = entered(of, state, *answers)
        lines += [said, told(of, state)]
    return lines


EXPECTED = """
R1 -|[0] [0] [0] [0]|Who deals? None (seat 1, seat 2, seat 3, seat 4)
seat 4 deals
R1 seat 4 deals -|[0] [0] [0] [0]|Contract: None (1=low, 2=high)
Contract: high
R1 seat 4 deals -|[0] [0] [0] [0]|Bid: seat 1+seat 3 0 (0, 1, 2, 3, 4, skip)
Bid: 1 3
R1 seat 4 deals -|[1] [3] [1] [3]|Trump: None (1=Clubs, 2=Diamonds, 3=Hearts, 4=Spades, 0=no trump)
Trump: Hearts
R1 T1 Hearts #ff1414|[0/1]> [0/3] [0/1] [0/3]|Leads: seat 1 0 (clubs-9, clubs-10, … 16)
Clubs 9, seat 1
R1 T1 Hearts #ff1414|<clubs>9[0/1]> [0/3] [0/1] [0/3]|Card: seat 2 1 (clubs-10, clubs-K, … 15) CHDS
Clubs K, seat 2
R1 T1 Hearts #ff1414|<clubs>9[0/1]> <clubs>K[0/3] [0/1] [0/3]|Card: seat 3 2 (clubs-10, clubs-A, … 14) CHDS
Hearts 9, seat 3
R1 T1 Hearts #ff1414|<clubs>9[0/1]> <clubs>K[0/3] <hearts>9[0/1] [0/3]|Card: seat 4 3 (clubs-10, clubs-A, … 13) CHDS
Clubs A, seat 4 Trick: seat 3: <clubs>9 <clubs>K <hearts>9! <clubs>A
R1 T2 Hearts #ff1414|[0/1] [0/3] [8/1]> [0/3]|Leads: seat 3 2 (clubs-10, diamonds-9, … 12)
Hearts A, seat 3
R1 T2 Hearts #ff1414|[0/1] [0/3] <hearts>A[8/1]> [0/3]|Card: seat 4 3 (clubs-10, diamonds-9, … 11) HCDS
Spades 9, seat 4
R1 T2 Hearts #ff1414|[0/1] [0/3] <hearts>A[8/1]> <spades>9[0/3]|Card: seat 1 0 (clubs-10, diamonds-9, … 10) HCDS
Spades A, seat 1
R1 T2 Hearts #ff1414|<spades>A[0/1] [0/3] <hearts>A[8/1]> <spades>9[0/3]|Card: seat 2 1 (clubs-10, diamonds-9, … 9) HCDS
Hearts 10, seat 2 Trick: seat 3: <spades>A <hearts>10 <hearts>A! <spades>9
R1 T2 Hearts #ff1414|[1/0] [3/0] [1/18]> [3/0]|Best? None (seat 1, seat 2, seat 3, seat 4, skip)
Best: seat 3 R1 over 1 0 +22 22, 3 0 +12 12, 1 18 +22 22, 3 0 +12 12
R2 seat 1 deals -|[22] [12] [22] [12]|Contract: None (1=low, 2=high, other)
""".strip().splitlines()
LAID = "clubs-9 clubs-K hearts-9 clubs-A hearts-A spades-9 spades-A hearts-10"


def test_a_round_is_shown_and_asked_from_entry_to_entry() -> None:
    made = game(PARTNERS)
    said: list[tuple[Answer, ...]] = [
        (ChooseItem(2, Text("high")),),
        (EnterNumber(1), EnterNumber(3)),
        (ChooseItem(3, Text("Hearts")),),
    ]
    laid = ((LayCard(made.cards[each]),) for each in LAID.split())
    entries: list[tuple[Answer, ...]] = [(ChooseSeat(3),), *said, *laid, (ChooseSeat(2),)]
    assert course(made, made.start(4, made.rules()), entries) == EXPECTED


def test_who_sits_out_is_marked() -> None:
    made = game(PARTNERS)
    state, _said = entered(made, made.start(5, made.rules()), ChooseSeat(1))
    assert [seat.sits_out for seat in made.view(state).seats] == [False, True, False, False, False]


@pytest.mark.parametrize(
    ("seats", "questions", "best", "tricks", "said"),
    [
        ("3-5", 1, "highest", "", "3 to 5 players, 1 question a round"),
        ("4", 2, "highest", "", "4 players, 2 questions a round"),
        ("2-8", 1, "lowest", "", "2 players or more, 1 question a round, the fewest points win"),
        ("3-4", 1, "highest", "[tricks]\nhand = 2\n", "3 to 4 players, 1 question a round, card by card"),
    ],
)
def test_a_game_in_one_line(seats: str, questions: int, best: str, tricks: str, said: str) -> None:
    asked = "".join(f'[[ask]]\nname = "{each}"\n' for each in ("tricks", "two")[:questions])
    head = f'name = "brief"\ntitle = "Brief"\nseats = "{seats}"\ndealer = true\nbest = "{best}"\n'
    text = f'{head}{asked}{tricks}[score]\npoints = "tricks"\n'
    assert str(in_brief(declared(text, "brief.toml"))) == said


def until_round(
    name: str, seats: int, tracking: DetailLevel, wanted: Callable[[Any], bool]
) -> tuple[Any, Any, Any, Any]:
    """Play a shipped game at random until a round ends with wanted points; return game, state before, event, state."""
    of, rng = shipped.game(name), Random(1)
    after = of.start(seats, of.rules())
    while True:
        event: Any = random_event(of, after, tracking, rng)
        before, after = after, of.apply(after, event)
        if len(after.rounds) > len(before.rounds) and wanted(after.rounds[-1]):
            return of, before, event, after


def test_the_last_trick_of_a_round_counts_in_the_figures_beside_the_seats() -> None:
    of, before, event, after = until_round("hearts", 4, FULL, any)
    taken = [int(tell(seat.figures)) for seat in of.outcome(before, event, after).finished.seats]
    assert taken == list(after.past[-1]["taken"])
    assert sum(taken) == 26


def test_points_below_zero_have_a_true_minus_sign() -> None:
    of, before, event, after = until_round("tally", 2, ROUND, lambda points: min(points) < 0)
    rows = of.outcome(before, event, after).table.rows
    assert "-" not in "".join(tell(cell) for row in rows for cell in row)
    assert "-" not in tell(of.describe(event))


def played(of: Any, seats: int, *entries: tuple[Answer, ...]) -> Any:
    """Return the state after some entries."""
    state = of.start(seats, of.rules())
    for answers in entries:
        state, _said = entered(of, state, *answers)
    return state


def figures(*values: int) -> tuple[Answer, ...]:
    return tuple(map(EnterNumber, values))


SPADES = shipped.game("spades")
BEGUN = ((ChooseSeat(3),), figures(3, 4, 3, 2))
"""A game of Spades until its bids."""


def card(of: Any, name: str) -> tuple[Answer, ...]:
    return (LayCard(of.cards[name]),)


def test_a_moment_is_the_trick_of_its_round_once_cards_are_laid_and_only_the_round_before() -> None:
    state = played(SPADES, 4, (ChooseSeat(3),))
    assert (str(SPADES.moment(state)), str(SPADES.short(state))) == ("round 1", "R1")
    state = played(SPADES, 4, *BEGUN, *(card(SPADES, f"clubs-{rank}") for rank in ("2", "3", "4", "5")))
    assert (str(SPADES.moment(state)), str(SPADES.short(state))) == ("trick 2", "R1 T2")
    assert [str(seat.figures) for seat in SPADES.view(state).seats] == ["0/3", "0/4", "0/3", "1/2"]
    assert [suit.name for suit in SPADES.view(state).suits] == ["clubs", "diamonds", "hearts", "spades"]


def test_bags_that_are_carried_have_a_column_and_the_winners_of_a_game_a_mark() -> None:
    of = game(TWO.replace("[score]", '[score]\ncarry.waits = "waits + points"\nshown.waits = "Waits"'))
    state = played(of, 2, (*figures(1, 2), Skip()), (*figures(4, 3), Skip()))
    sheet = of.score_sheet(state)
    assert [str(head) for head in sheet.columns] == ["R1", "R2", "Waits", "total"]
    assert (state.winners, sheet.marked) == ((0, 1), (0, 1))
    assert of.score_sheet(played(of, 2, (*figures(1, 2), Skip()))).marked == ()


TWO = """
name = "two"
title = "Two"
seats = 2
[[ask]]
name = "points"
[score]
points = "points"
[end]
when = "round == 2"
"""


def test_who_was_named_first_has_a_star_and_nobody_else() -> None:
    belote = shipped.game("belote")
    state = played(belote, 4, (ChooseSeat(3),), (ChooseSeat(1),))
    assert [str(seat.figures) for seat in belote.view(state).seats] == ["0", "0*", "0", "0"]


def test_a_sheet_points_at_the_cell_that_is_asked_for() -> None:
    state = played(SPADES, 4, (ChooseSeat(3),))
    asked = SPADES.ask(state, FULL, figures(3))
    assert isinstance(asked, Prompt)
    assert asked.cell == (1, 0)


def test_a_card_a_lead_and_a_trump_begin_a_round() -> None:
    whist = shipped.game("whist")
    state = played(whist, 4, (ChooseSeat(3),))
    assert not state.entered
    asked = whist.ask(state, FULL, ())
    assert isinstance(asked, Prompt)
    assert [suit.name for suit in asked.suits] == ["clubs", "diamonds", "hearts", "spades"]
    assert played(whist, 4, (ChooseSeat(3),), (asked.answers[0],)).entered
    laid = SPADES.apply(replace(played(SPADES, 4, *BEGUN), entered=False), Play(0, SPADES.cards["clubs-2"]))
    assert laid.entered


def test_only_a_game_with_tricks_has_turns_and_only_one_of_partners_sides() -> None:
    assert SPADES.optional.by_turn == (Play,)
    assert SPADES.optional.sides is not None
    assert (game(TWO).optional.by_turn, game(TWO).optional.sides) == ((), None)
    with pytest.raises(ValidationError):
        convert({"none": 1}, SPADES.rules)


ASKED = """
name = "asked"
title = "Asked"
seats = 4
sides = "partners"
[[ask]]
name = "taker"
label = "Who took it?"
kind = "seat"
nobody = "passed out"
[[ask]]
name = "valat"
label = "Valat?"
kind = "choice"
per = "round"
when = "any(taker)"
choices = { "no" = 0, "yes" = 1 }
[[ask]]
name = "won"
when = "any(taker)"
[score]
points = "ours(won) + valat"
[words.fr]
"Valat?" = "Valat ?"
"""


def test_a_question_mark_at_a_labels_end_stands_alone() -> None:
    of = game(ASKED)
    state = of.start(4, of.rules())
    assert question(of.ask(state, FULL, ())).startswith("Who took it? None")
    state, said = entered(of, state, ChooseSeat(1))
    assert said == "Who took it: seat 2"
    assert question(of.ask(state, FULL, ())) == "Valat? None (0=no, 1=yes)"
    said_yes: Any = of.ask(state, FULL, (ChooseItem(1, Text("yes")),))
    assert Translator("fr").sentence(of.describe(said_yes)) == "Valat\N{NARROW NO-BREAK SPACE}: oui"


def test_a_round_that_was_passed_out_shows_no_figures_nobody_was_asked_for() -> None:
    of = game(ASKED)
    passed, said = entered(of, of.start(4, of.rules()), Skip())
    assert said.endswith(" R1 over 0 0, 0 0, 0 0, 0 0")
    state = played(of, 4, (ChooseSeat(1),), (ChooseItem(1, Text("yes")),))
    _state, said = entered(of, state, *figures(3, 4, 5, 6), Skip())
    assert said.endswith(" R1 over 3 +9 9, 4 +11* 11, 5 +9 9, 6 +11 11")
    assert [str(head) for head in of.score_sheet(passed).columns] == ["R1", "total"]


def test_figures_that_nobody_was_asked_for_do_not_stand_beside_the_seats() -> None:
    of = game(ASKED.replace("[score]", '[[ask]]\nname = "extra"\nwhen = "valat"\n[[ask]]\nname = "last"\n[score]'))
    state = played(of, 4, (ChooseSeat(1),), (ChooseItem(0, Text("no")),), figures(3, 4, 5, 6))
    assert [str(seat.figures) for seat in of.view(state).seats] == ["3", "4*", "5", "6"]


def test_a_star_marks_on_the_score_sheet_who_declared() -> None:
    belote = shipped.game("belote")
    state = played(belote, 4, (ChooseSeat(3),), (Skip(),))
    state = belote.apply(state, belote.optional.whole_round[0](1, 100, 0, 0))
    sheet = belote.score_sheet(state)
    assert [" ".join(map(str, row)) for row in sheet.rows] == ["0 62 62", "0 100* 100", "0 62 62", "0 100 100"]
    tarot = shipped.game("tarot")
    whole = tarot.optional.whole_round[0]
    state = tarot.apply(played(tarot, 4, (ChooseSeat(3),)), whole(2, None, 1, 1, 60, 0, 0, 0))
    assert [str(row[0]) for row in tarot.score_sheet(state).rows] == ["−34", "−34", "102*", "−34"]
