"""East Rune: game view, outcomes, score sheet and texts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.game import CardSound, Event, EventOutcome, Headline, PileColumn, Start
from companion.core.text import Glyph, Text
from companion.games.east_rune.rules import DUSK, Claim, EndTurn, Pass, Play, Reveal, Rules
from companion.games.east_rune.shown import describe, keys, score_sheet, view
from companion.games.kit.tricks import alerts
from tests.games.reports import heads, rows, told
from tests.games.table import said

from .tables import Table, card, cards, chair, claimed, pair, play, result, table, unclaimed

LIGHT_UNCLAIMED = "Nobody claimed light: look for its monarch"
CAPTURED = claimed().goes("dusk1 night2 dawn1 noon2 - - -")


# The game view


def test_the_needed_domain_is_large() -> None:
    assert view(claimed().state).headline == Headline("dusk", Text("Dusk"), DUSK.colour)
    assert view(unclaimed().state).headline == Headline("anyday", Text("Any"), (255, 255, 255))
    assert view(table().state).headline is None
    assert view(claimed().goes("- - -").state).headline is None


@pytest.mark.parametrize(
    ("at", "status"),
    [
        (table(), "R1"),
        (unclaimed(), "R1"),
        (claimed(), "R1 <animal>3"),
        (claimed(blank_character=True).goes("blank"), "R1 <anyday>"),
        (claimed().goes("- - -"), "R2"),
        (claimed().goes("- - -").turns_up("light").unclaimed(), "R2 <animal>3"),
    ],
)
def test_round_and_the_attribute_that_chains_stand_above(at: Table, status: str) -> None:
    assert told(view(at.state).status) == status


def test_what_lies_on_the_field_is_counted() -> None:
    assert view(claimed().goes("dusk1 night1").state).columns == (
        PileColumn(Glyph("chair"), 1),
        PileColumn(Glyph("crown"), 1),
        PileColumn(Glyph("front"), 2),
    )
    assert view(pair().state).columns == (PileColumn(Glyph("crown"), 1), PileColumn(Glyph("front"), 0))


def test_every_seat_shows_its_figures_and_what_is_uncovered() -> None:
    at = CAPTURED.turns_up("light").unclaimed().goes("-")
    stage = view(at.state)
    assert [told(place.figures) for place in stage.seats] == [
        "× 5 1<chair> <night>2",
        "7 <dusk>1",
        "7 1<crown> <dawn>1",
    ]
    assert [told(place.laid) for place in stage.seats] == ["", "", ""]


def test_one_sign_stands_for_all_of_a_domain() -> None:
    columns = (cards("noon5"), cards("noon1 dusk2"), cards("dusk1 noon3"))
    state = replace(claimed().state, front=(columns, (), ()))
    assert told(view(state).seats[0].figures) == "7 <noon>35<dusk>2"


def test_the_blank_character_is_shown_by_its_sign() -> None:
    at = claimed(blank_character=True).goes("blank . - - -")
    assert told(view(at.state).seats[1].figures) == "8 <anyday>"


def test_who_would_capture_leads() -> None:
    assert [place.leads for place in view(claimed().goes("dusk1 night2").state).seats] == [False, True, False]
    assert not any(place.leads for place in view(claimed().state).seats)
    assert [place.leads for place in view(pair().goes("dusk1").state).seats] == [True, False]


def test_a_seat_with_nothing_before_it_shows_its_hand_alone() -> None:
    assert [told(place.figures) for place in view(claimed().state).seats] == ["7", "8", "8"]


def test_two_players_have_a_line_of_cards_each() -> None:
    at = pair().goes("dusk1 night2 - -")
    stage = view(at.state)
    assert [told(place.laid) for place in stage.seats] == ["<night>2", "<dusk>1"]
    assert [told(place.figures) for place in stage.seats] == ["5", "6 1<crown>"]
    assert [told(place.laid) for place in view(pair().state).seats] == ["", ""]
    two_domains = replace(pair().state, front=((cards("noon5"), cards("dusk2")), ()))
    assert told(view(two_domains).seats[0].laid) == "<noon>5<dusk>2"


# Outcomes of events


def test_most_entries_speak_for_themselves() -> None:
    assert said(table(), Start(0)) == EventOutcome()
    assert said(table().starts(0).turns_up("light"), Claim(0, card("noon36"))) == EventOutcome(laid_as=CardSound.LEAD)
    assert said(table(monarchs="playable").starts(0).turns_up("light"), Claim(None)) == EventOutcome()
    assert said(claimed(), Play(0, card("dusk3"), "hand")) == EventOutcome(laid_as=CardSound.LEAD)
    assert said(claimed().goes("dusk1 -"), Pass(2)) == EventOutcome()
    assert said(claimed(), result("1 2 3", "0 0 0", "0 0 0")) == EventOutcome()


@pytest.mark.parametrize(
    ("before", "last", "shown"),
    [
        ("", "dusk1", "<dusk>1, Aki"),
        ("dusk3", ".", "<dusk>3, Aki"),
        ("dusk3 night3", "dawn4", "<dusk>3<night>3<dawn>4, Aki"),
        ("dusk3 night3 dawn4", "noon1", "<noon>1, Bea"),
        ("dusk1 night2 -", "dawn1", "<dawn>1, Aki"),
    ],
)
def test_all_that_was_laid_in_a_turn_is_shown_when_it_ends(before: str, last: str, shown: str) -> None:
    at = claimed().goes(before)
    assert at.state.turn is not None
    event = EndTurn(at.state.turn) if last == "." else play(at.state.turn, last)
    made = said(at, event)
    assert (made.lines, made.table, made.alert) == ((), None, False)
    assert made.finished is not None
    assert told(made.finished.result) == shown
    after = view(at.enters(event).state)
    cards = shown.split(",", maxsplit=1)[0]
    assert [told(place.laid) for place in made.finished.seats] == [cards * (seat == at.state.turn) for seat in range(3)]
    unlaid = [replace(place, laid=line.laid) for place, line in zip(made.finished.seats, after.seats, strict=True)]
    assert replace(made.finished, result=None, seats=tuple(unlaid)) == after


def test_while_a_turn_goes_on_its_cards_stand_beside_its_player() -> None:
    stage = view(claimed().goes("dusk3 night3").state)
    assert [told(place.laid) for place in stage.seats] == ["<dusk>3<night>3", "", ""]


def test_with_two_players_the_cards_of_a_turn_take_the_place_of_the_uncovered_vassals() -> None:
    at = pair().goes("dusk1 night2 - -").turns_up("noon36").goes("dusk3")
    shown = ["<night>2", "<dusk>1"]
    assert at.state.turn is not None
    shown[at.state.turn] = "<dusk>3"
    assert [told(place.laid) for place in view(at.state).seats] == shown


@pytest.mark.parametrize(
    ("before", "last", "kind"),
    [
        ("", "dusk1", CardSound.FOLLOW),
        ("", "dusk3", CardSound.LEAD),
        ("dusk3", "night3", CardSound.LEAD),
        ("dusk3", "night5", CardSound.FOLLOW),
        ("dusk1 night2 - -", "dawn2", CardSound.LEAD),
    ],
)
def test_a_card_after_which_its_player_goes_on_is_told_apart(before: str, last: str, kind: CardSound) -> None:
    at = claimed().goes(before)
    assert at.state.turn is not None
    assert said(at, play(at.state.turn, last)).laid_as is kind


def test_a_card_from_the_front_is_told_apart() -> None:
    at = CAPTURED.turns_up("light").unclaimed()
    turn = at.state.turn
    assert turn is not None
    own = at.state.front[turn][0][-1]
    assert said(at, Play(turn, own, "front")).laid_as is CardSound.ALTERNATE
    assert said(at, Play(turn, own, "hand")).laid_as is CardSound.FOLLOW


def test_while_a_turn_goes_on_and_after_a_pass_nothing_is_told() -> None:
    assert said(claimed(), Play(0, card("dusk3"), "hand")) == EventOutcome(laid_as=CardSound.LEAD)
    assert said(claimed().goes("dusk1 night2"), Pass(2)) == EventOutcome()


def test_what_was_laid_in_the_extra_turn_is_told_beside_the_capture() -> None:
    at = claimed().goes("dusk1 - -")
    assert [told(line) for line in said(at, Play(0, card("night2"), "hand")).lines] == ["<night>2, Aki"]
    assert [told(line) for line in said(at.goes("night1"), EndTurn(0)).lines] == ["<night>1, Aki"]
    assert said(at, Pass(0)).lines == ()


def test_a_capture_tells_who_gets_which_card_in_order() -> None:
    made = said(claimed().goes("dusk1 night2 dawn1 noon2 - -"), Pass(0))
    assert made.table is not None
    assert (told(made.table.title), heads(made.table)) == ("Aki captures 1<chair>", ["1", "2"])
    assert rows(made.table) == [["<night>2", ""], ["<noon>2", "<dusk>1"], ["<dawn>1", "<crown>"]]
    assert (made.lines, made.alert) == ((), False)


def test_what_the_extra_turn_added_is_dealt_out_with_it() -> None:
    at = claimed().goes("dusk1 - -")
    assert said(at, Play(0, card("night1"), "hand")) == EventOutcome(laid_as=CardSound.LEAD)
    made = said(at.goes("night1"), EndTurn(0))
    assert rows(made.table) == [["<crown>"], ["<night>1"], ["<dusk>1"]]


def test_with_two_players_monarchs_are_captured() -> None:
    made = said(pair().goes("dusk1 -"), Pass(0))
    assert made.table is not None
    assert told(made.table.title) == "Aki captures 1<crown>"
    assert rows(made.table) == [[""], ["<dusk>1"]]


def test_a_capture_is_told_without_what_was_captured_before() -> None:
    made = said(Table(replace(pair().goes("dusk1 -").state, monarchs=(2, 0))), Pass(0))
    assert made.table is not None
    assert told(made.table.title) == "Aki captures 1<crown>"


def test_a_capture_of_four_cards_each_is_still_told_in_columns() -> None:
    made = said(pair().goes("dusk3 night3 dawn3 noon3 dusk4 night1 dawn2 noon1 -"), Pass(1))
    assert made.lines == ()
    assert rows(made.table) == [
        ["<noon>1", "<night>1", "<noon>3", "<night>3"],
        ["<dawn>2", "<dusk>4", "<dawn>3", "<dusk>3"],
    ]


def test_a_long_capture_is_told_card_by_card() -> None:
    at = pair().goes("dusk3 night3 dawn3 noon3 dusk4 night1 dawn2 noon1 - dusk1 night1")
    made = said(at, EndTurn(1))
    assert [told(line) for line in made.lines] == [
        "<night>1 <dusk>1 <noon>1 <dawn>2 <night>1 <dusk>4 <noon>3 <dawn>3 <night>3 <dusk>3",
        "<dusk>1<night>1, Bea",
    ]
    assert rows(made.table) == [["5"], ["5"]]
    assert made.table is not None
    assert (told(made.table.title), heads(made.table)) == ("Bea captures 1<crown>", ["cards"])


def test_a_round_that_nobody_captures_is_told() -> None:
    assert [told(line) for line in said(claimed().goes("- -"), Pass(2)).lines] == ["Nobody captures: all stays"]


def test_the_last_capture_is_told_as_well() -> None:
    at = table(2).starts(0)
    for word in ("noon16", "noon26", "noon17", "noon27", "noon18"):
        at = at.turns_up(word).goes("- -")
    made = said(at.turns_up("noon28").goes("dusk1 -"), Pass(0))
    assert made.table is not None
    assert told(made.table.title) == "Aki captures 6<crown>"


# The score sheet


def test_the_sheet_counts_as_if_the_game_ended_now() -> None:
    scores = score_sheet(CAPTURED.state)
    assert (told(scores.title), heads(scores)) == ("Scores", ["<chair>", "<crown>", "hand", "total"])
    assert rows(scores) == [["1", "0", "5", "−3"], ["0", "0", "7", "−7"], ["0", "1", "7", "−6"]]
    assert scores.marked == ()


def test_two_players_have_no_chairs_on_it() -> None:
    assert rows(score_sheet(pair().state)) == [["0", "6", "−6"], ["0", "7", "−7"]]


def test_with_the_blank_character_the_first_dealer_has_a_point_on_it() -> None:
    scores = score_sheet(table(blank_character=True).starts(1).state)
    assert heads(scores) == ["<chair>", "<crown>", "hand", "<dealer>", "total"]
    assert rows(scores) == [["0", "0", "8", "0", "−8"], ["0", "0", "9", "1", "−8"], ["0", "0", "8", "0", "−8"]]


@pytest.mark.parametrize(
    ("event", "title", "marked"),
    [
        (result("3 2 1", "0 0 0", "0 0 0"), "Aki wins the game", (0,)),
        (result("2 2 2", "0 0 0", "0 0 0", None), "The win is shared", (0, 1, 2)),
    ],
)
def test_the_end_names_who_won(event: Event, title: str, marked: tuple[int, ...]) -> None:
    scores = score_sheet(claimed().enters(event).state)
    assert (told(scores.title), scores.marked) == (title, marked)


# Texts


def test_a_chair_that_nobody_claims_is_said_at_once_and_stands_in_the_list_of_alerts() -> None:
    at = unclaimed().goes("- - -").turns_up("light")
    made = said(at, Claim(None))
    assert ([told(line) for line in made.lines], made.table, made.alert) == ([LIGHT_UNCLAIMED], None, True)
    assert [told(text) for text in alerts(at.unclaimed().state)] == [LIGHT_UNCLAIMED] * 2
    assert alerts(CAPTURED.state) == ()


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Start(1), "Bea deals"),
        (Reveal(chair("light")), "Chair of light"),
        (Reveal(card("noon36")), "Noon animal, light"),
        (Claim(None), "Nobody claims"),
        (Claim(1, card("noon36")), "Bea claims: <noon>3<light>"),
        (Claim(1, card("noon3")), "Bea claims: <noon>3"),
        (Play(2, card("dusk5"), "hand"), "<dusk>5, Cyr"),
        (Play(2, card("blank"), "hand"), "<anyday>, Cyr"),
        (Play(2, card("dusk5"), "front"), "<front><dusk>5, Cyr"),
        (EndTurn(0), "Aki stops"),
        (Pass(0), "Aki passes"),
        (result("3 2 1", "1 2 3", "0 1 2"), "End: 3/1/0 2/2/1 1/3/2"),
    ],
)
def test_an_event_is_described_in_a_line(event: Event, words: str) -> None:
    assert told(describe(event)) == words


def test_the_keys_are_explained_with_the_signs() -> None:
    lines = [told(line) for line in keys(3, Rules())]
    assert lines[:3] == [
        "A=<noon> B=<dusk> C=<night> D=<dawn>",
        "1<sacred> 2<mineral> 3<animal> 4<technology> 5<culture>",
        "6<light> 7<beauty> 8<reason>",
    ]
    assert "# = pass, or stop" in lines


@pytest.mark.parametrize(
    ("seats", "rules", "between"),
    [
        (3, Rules(), ("Chair: 6 7 8", "Claim: seat A3, or #")),
        (3, Rules(blank_chair=True), ("Chair: 6 7 8, blank 9", "Claim: seat A3, or #")),
        (3, Rules(blank_character=True), ("Chair: 6 7 8", "Claim: seat A3, or #", "6 = blank character")),
        (4, Rules(monarchs="playable"), ("Chair: 6 7 8", "Claim: seat A3, or #", "9: a monarch, 36")),
        (2, Rules(), ("Two play: A36 turned up",)),
    ],
)
def test_only_keys_of_the_rules_in_force_are_explained(seats: int, rules: Rules, between: tuple[str, ...]) -> None:
    lines = [told(line) for line in keys(seats, rules)]
    assert tuple(lines[lines.index("# = pass, or stop") + 1 : -3]) == between
