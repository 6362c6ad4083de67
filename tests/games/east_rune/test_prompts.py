"""East Rune: prompts, the answers they offer, and the events they produce."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.game import Event, Start
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, LayCard, Skip, TakeAlternative
from companion.games.east_rune.asks import FRONT, answers, ask
from companion.games.east_rune.rules import (
    BLANK,
    CHAIRS,
    DOMAINS,
    MONARCHS,
    SEATING,
    VASSALS,
    Claim,
    EndTurn,
    Pass,
    Play,
    Reveal,
)
from companion.ui.keys import AnswerCodes
from tests.games.reports import told
from tests.games.table import FULL, ROUND, asked, made, seats_of

from .tables import Table, card, chair, claimed, lay, offered, pair, result, table, unclaimed

CLAIM = table().starts(0).turns_up("light")
CAPTURED = claimed().goes("dusk1 night2 dawn1 noon2 - - -").turns_up("light").unclaimed()


@pytest.mark.parametrize("tracking", [FULL, ROUND])
def test_who_deals_first_is_asked_however_closely_the_game_is_followed(tracking: DetailLevel) -> None:
    prompt = asked(table(), tracking)
    assert (told(prompt.text), seats_of(prompt)) == ("Who deals first?", [0, 1, 2])
    assert made(table(), tracking, ChooseSeat(2)) == Start(2)


# Revealed cards


def test_a_chair_is_one_key() -> None:
    prompt = asked(table().starts(1), FULL)
    assert (told(prompt.text), prompt.seat, offered(prompt)) == ("Chair:", 1, ["light", "beauty", "reason"])
    assert (prompt.deck, prompt.suits, prompt.bare) == (CHAIRS, (SEATING,), (SEATING,))
    assert [AnswerCodes(prompt).spell(answer) for answer in prompt.answers] == ["6", "7", "8"]
    assert told(prompt.legend) == " 6<light>  7<beauty>  8<reason>"
    assert made(table().starts(1), FULL, LayCard(chair("light"))) == Reveal(chair("light"))


def test_a_chair_that_was_seen_twice_is_not_offered() -> None:
    at = CLAIM.unclaimed().goes("- - -").turns_up("light").unclaimed().goes("- - -")
    assert offered(asked(at, FULL)) == ["beauty", "reason"]


def test_the_blank_chair_is_offered_where_it_is_in_the_deck() -> None:
    at = table(blank_chair=True).starts(0)
    assert AnswerCodes(asked(at, FULL)).spell(LayCard(chair("blank"))) == "9"
    assert "blank" not in offered(asked(at.turns_up("blank").unclaimed().goes("- - -"), FULL))


def test_with_two_players_a_monarch_is_asked_for() -> None:
    prompt = asked(table(2).starts(1), FULL)
    assert (told(prompt.text), prompt.seat, len(prompt.answers), prompt.deck) == ("Monarch:", 1, 60, MONARCHS)
    assert AnswerCodes(prompt).spell(lay("night37")) == "C37"
    again = pair("noon36").goes("- -").turns_up("noon36").goes("- -")
    assert len(asked(again, FULL).answers) == 40


# Claims


def test_who_claims_is_asked_then_with_which_monarch_of_the_virtue() -> None:
    prompt = asked(CLAIM, FULL)
    assert (told(prompt.text), told(prompt.skip)) == ("Who claims <light>?", "nobody")
    assert prompt.answers == (ChooseSeat(0), ChooseSeat(1), ChooseSeat(2), Skip())
    assert made(CLAIM, FULL, Skip()) == Claim(None)
    monarch = asked(CLAIM, FULL, ChooseSeat(1))
    assert (told(monarch.text), monarch.seat, len(monarch.answers)) == ("Bea lays:", 1, 20)
    assert AnswerCodes(monarch).spell(lay("dusk46")) == "B4"
    assert made(CLAIM, FULL, ChooseSeat(1), lay("dusk46")) == Claim(1, card("dusk46"))


def test_only_those_who_can_have_such_a_monarch_are_offered() -> None:
    assert seats_of(asked(Table(replace(CLAIM.state, hand=(1, 0, 1))), FULL)) == [0, 2]
    seen = Table(replace(CLAIM.state, monarchs_seen=(card("dusk16"), card("noon46"))))
    assert asked(seen, FULL).answers == (Skip(),)


def test_a_vassal_claims_the_blank_chair() -> None:
    at = table(blank_chair=True, blank_character=True).starts(1).turns_up("blank")
    assert told(asked(at, FULL).text) == "Blank <chair>: who?"
    assert seats_of(asked(at, FULL)) == [0, 1, 2]
    for seat in range(3):
        any_hand = asked(at, FULL, ChooseSeat(seat))
        assert len(any_hand.answers) == 21
        assert AnswerCodes(any_hand).spell(lay("blank")) == "6"
    assert seats_of(asked(Table(replace(at.state, hand=(0, 1, 0))), FULL)) == [1]
    assert offered(asked(Table(replace(at.state, vassals_seen=18)), FULL, ChooseSeat(0))) == ["blank-blank"]
    assert len(asked(table(blank_chair=True).starts(1).turns_up("blank"), FULL, ChooseSeat(0)).answers) == 20


# Turns


def test_a_bare_attribute_is_the_needed_domain() -> None:
    prompt = asked(claimed(), FULL)
    assert (told(prompt.text), prompt.seat, prompt.bare, prompt.suits) == ("Aki:", 0, DOMAINS[1:2], DOMAINS)
    assert offered(prompt) == ["dusk-sacred", "dusk-mineral", "dusk-animal", "dusk-technology", "dusk-culture"]
    assert (prompt.deck, prompt.alternate, prompt.alternative, told(prompt.skip)) == (VASSALS, FRONT, None, "pass")
    assert [AnswerCodes(prompt).spell(answer) for answer in prompt.answers] == [*"12345", "#"]
    assert made(claimed(), FULL, lay("dusk3")) == Play(0, card("dusk3"), "hand")
    assert made(claimed(), FULL, Skip()) == Pass(0)


def test_where_any_domain_may_come_it_is_said() -> None:
    prompt = asked(unclaimed(), FULL)
    assert (prompt.bare, len(offered(prompt))) == ((), 20)
    assert AnswerCodes(prompt).spell(lay("dawn5")) == "D5"


def test_a_turn_that_may_go_on_can_be_stopped() -> None:
    at = claimed().goes("dusk3")
    assert (told(asked(at, FULL).text), told(asked(at, FULL).skip)) == ("Aki, another:", "stop")
    assert made(at, FULL, Skip()) == EndTurn(0)


def test_the_extra_turn_is_asked_for_as_such() -> None:
    at = claimed().goes("dusk1 - -")
    assert (told(asked(at, FULL).text), told(asked(at, FULL).skip)) == ("Aki, extra:", "pass")
    assert made(at, FULL, Skip()) == Pass(0)
    assert told(asked(at.goes("night1"), FULL).text) == "Aki, another:"
    assert made(at.goes("night1"), FULL, Skip()) == EndTurn(0)


def test_uncovered_vassals_that_fit_are_offered_from_the_front() -> None:
    prompt = asked(CAPTURED.goes("noon3"), FULL)
    assert (offered(prompt, aside=True), prompt.alternate) == (["dusk-sacred"], FRONT)
    assert AnswerCodes(prompt).spell(lay("dusk1", aside=True)) == "01"
    assert made(CAPTURED.goes("noon3"), FULL, lay("dusk1", aside=True)) == Play(1, card("dusk1"), "front")
    assert offered(asked(CAPTURED.goes("dawn3"), FULL), aside=True) == []  # noon 2 is covered


def test_of_two_alike_one_is_offered() -> None:
    at = CAPTURED.goes("dusk1 - - -").turns_up("beauty").unclaimed().goes("noon5")
    assert offered(asked(at, FULL), aside=True) == ["dusk-sacred"]


def test_an_empty_hand_lays_only_from_the_front() -> None:
    at = CAPTURED.goes("noon3")
    empty = Table(replace(at.state, hand=(5, 0, 7)))
    assert asked(empty, FULL).answers == (lay("dusk1", aside=True), Skip())
    assert asked(Table(replace(claimed().state, vassals_seen=18)), FULL).answers == (Skip(),)


def test_the_blank_character_fits_anywhere_and_has_a_key_of_its_own() -> None:
    prompt = asked(claimed(blank_character=True), FULL)
    assert offered(prompt)[-1] == "blank-blank"
    assert prompt.deck == (*VASSALS, BLANK)
    assert AnswerCodes(prompt).spell(lay("blank")) == "6"
    other = claimed(blank_character=True).goes("dusk1")
    assert (other.state.turn, offered(asked(other, FULL))[-1]) == (1, "blank-blank")
    assert "blank-blank" not in offered(asked(claimed(blank_character=True).goes("blank"), FULL))
    assert "blank-blank" not in offered(asked(claimed(blank_character=True).goes("blank ."), FULL))
    assert "blank-blank" not in offered(asked(Table(replace(other.state, hand=(8, 0, 8))), FULL))
    front = claimed(blank_character=True).goes("blank . - - -").turns_up("light").claims(1, "noon16")
    assert offered(asked(front, FULL), aside=True) == ["blank-blank"]


def test_a_monarch_is_laid_behind_its_own_key_where_the_table_plays_so() -> None:
    at = claimed(monarchs="playable")
    prompt = asked(at, FULL)
    assert (told(prompt.alternative), prompt.answers[-2:]) == ("a monarch", (Skip(), TakeAlternative()))
    assert AnswerCodes(prompt).spell(lay("dusk3")) == "3"
    monarch = asked(at, FULL, TakeAlternative())
    assert (told(monarch.text), len(monarch.answers), monarch.bare) == ("Aki, <crown>:", 15, DOMAINS[1:2])
    assert (monarch.seat, monarch.deck) == (0, MONARCHS)
    assert AnswerCodes(monarch).spell(lay("dusk37")) == "37"
    assert made(at, FULL, TakeAlternative(), lay("dusk37")) == Play(0, card("dusk37"), "hand")
    assert asked(Table(replace(at.state, hand=(0, 8, 8))), FULL).alternative is None


@pytest.mark.parametrize("tracking", [FULL, ROUND])
def test_nothing_is_asked_after_the_end(tracking: DetailLevel) -> None:
    assert ask(claimed().enters(result("1 2 3", "0 0 0", "0 0 0")).state, tracking, ()) is None


@pytest.mark.parametrize(
    ("at", "event", "given"),
    [
        (table(), Start(1), (ChooseSeat(1),)),
        (table().starts(0), Reveal(chair("reason")), (LayCard(chair("reason")),)),
        (CLAIM, Claim(None), (Skip(),)),
        (CLAIM, Claim(2, card("noon36")), (ChooseSeat(2), lay("noon36"))),
        (claimed(), Play(0, card("dusk3"), "hand"), (lay("dusk3"),)),
        (CAPTURED.goes("noon3"), Play(1, card("dusk1"), "front"), (lay("dusk1", aside=True),)),
        (claimed(monarchs="playable"), Play(0, card("dusk36"), "hand"), (TakeAlternative(), lay("dusk36"))),
        (claimed(), Pass(0), (Skip(),)),
        (claimed().goes("dusk3"), EndTurn(0), (Skip(),)),
    ],
)
def test_an_event_is_turned_back_into_its_answers(at: Table, event: Event, given: tuple[Answer, ...]) -> None:
    assert answers(at.state, event) == given
    assert ask(at.state, FULL, given) == event
