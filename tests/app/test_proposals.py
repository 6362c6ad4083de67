"""Rules proposed by the set-up: those of the last game, or the game's defaults for the language."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.box import Box
from companion.app.memory_panel import MemoryPanel
from companion.app.output_devices import Outputs
from companion.core.game import LogHeader
from companion.journal import Journal
from companion.ui.screens.rule_values import ChosenRule, agreed_before, picked
from tests.app.boxes import FOUR, begin, press
from tests.fakes.clock import FixedClock
from tests.games.fifth import LAST_STONE
from tests.games.fifth import Rules as Stones

TWO = "1 1 1 1 #"
"""Keys from home to the rules of Eternity for two new players."""
EDITION, ENDING, NEUTRAL = "2", "3", "6"


def box_of(language: str, journal: Journal) -> Box:
    """Return an application in a language."""
    clock = FixedClock()
    return Box(journal, Outputs(MemoryPanel(), clock), clock, language=language)


def rules(language: str, keys: str, journal: Journal | None = None) -> dict[str, Any]:
    """Return the rules of the game that some keys begin."""
    journal = journal or Journal()
    press(box_of(language, journal), keys)
    found: dict[str, Any] = json.loads(journal.games()[0].header)["rules"]
    return found


def played(players: tuple[str, ...], **rules: Any) -> Journal:
    """Return a journal in which a game was played by given rules; no game is open."""
    journal = Journal()
    press(begin(box_of("en", journal), players, **rules), "h#8")
    return journal


@pytest.mark.parametrize(
    ("language", "edition", "neutral"), [("en", "jp", "aside"), ("ja", "jp", "aside"), ("fr", "fr", "columns")]
)
def test_the_edition_of_the_language_is_proposed_and_the_neutral_pairs_of_the_edition(
    language: str, edition: str, neutral: str
) -> None:
    found = rules(language, f"{TWO} #")
    assert (found["edition"], found["neutral"]) == (edition, neutral)
    assert rules(language, "1 1 1 1 1 # #")["edition"] == edition


@pytest.mark.parametrize(("language", "edition", "neutral"), [("en", "fr", "columns"), ("fr", "jp", "aside")])
def test_another_edition_proposes_its_own_neutral_pairs(language: str, edition: str, neutral: str) -> None:
    found = rules(language, f"{TWO} {EDITION} #")
    assert (found["edition"], found["neutral"]) == (edition, neutral)


@pytest.mark.parametrize(
    "keys", [f"{NEUTRAL} {EDITION}", f"{NEUTRAL} {EDITION} {EDITION}", f"{EDITION} {NEUTRAL} {NEUTRAL}"]
)
def test_neutral_pairs_chosen_by_hand_stay_whatever_the_edition(keys: str) -> None:
    assert rules("en", f"{TWO} {keys} #")["neutral"] == "columns"


@pytest.mark.parametrize(
    ("keys", "neutral"),
    [
        (f"{TWO} {EDITION} * #", "columns"),
        (f"{TWO} {EDITION} {NEUTRAL} * #", "aside"),
        (f"{TWO} {NEUTRAL} {EDITION} * #", "columns"),
        (f"1 1 1 1 1 # {EDITION} * * #", "columns"),
    ],
)
def test_after_a_step_back_only_what_was_chosen_by_hand_is_kept_and_the_rest_follows_it(
    keys: str, neutral: str
) -> None:
    found = rules("en", f"{keys} #")
    assert (found["edition"], found["neutral"]) == ("fr", neutral)


def test_a_number_that_is_typed_leaves_the_proposals_as_they_are() -> None:
    found = rules("fr", f"{TWO} {ENDING} 25# #")
    assert (found["edition"], found["ending"], found["neutral"]) == ("fr", {"target": 25}, "columns")


@pytest.mark.parametrize("neutral", ["aside", "columns"])
@pytest.mark.parametrize("edition", ["jp", "fr"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_was_agreed_last_time_is_proposed_again_whatever_the_language(
    language: str, edition: str, neutral: str
) -> None:
    journal = played(("Aki", "Bea"), edition=edition, neutral=neutral)
    found = rules(language, "2 1 1 #", journal)
    assert (found["edition"], found["neutral"]) == (edition, neutral)


def test_neutral_pairs_that_were_agreed_last_time_stay_when_the_edition_is_changed() -> None:
    journal = played(("Aki", "Bea"), edition="jp", neutral="aside")
    found = rules("en", f"2 1 1 {EDITION} #", journal)
    assert (found["edition"], found["neutral"]) == ("fr", "aside")


def test_four_who_played_agreed_on_no_neutral_pairs() -> None:
    journal = played(FOUR, edition="fr")
    found = rules("en", "2 1 2 3 # #", journal)
    assert (found["edition"], found["neutral"]) == ("fr", "columns")


def test_a_log_that_leaves_a_rule_out_means_its_first_choice() -> None:
    journal = played(("Aki", "Bea"), edition="fr")
    found = rules("fr", "2 1 1 #", journal)
    assert (found["edition"], found["neutral"]) == ("fr", "aside")


def test_a_value_that_no_choice_gives_is_not_known_from_before() -> None:
    (stones,) = LAST_STONE.options
    header = LogHeader(LAST_STONE, ("Aki", "Bea"), Stones(12), None, "")
    assert agreed_before((stones,), header) == {"stones": ChosenRule(1, 12)}  # a number that was typed
    ten = replace(stones, choices=stones.choices[:1])
    assert agreed_before((ten,), header) == {}


def test_a_game_proposes_by_the_language_and_by_what_stands_before() -> None:
    (stones,) = LAST_STONE.options
    first = replace(stones, name="first", proposed=lambda language, values: 15 if language == "fr" else 10)
    second = replace(stones, name="second", proposed=lambda _language, values: values["first"])
    options = (first, second, replace(stones, name="third"))
    assert [pick.value for pick in picked(options, {}, "en")] == [10, 10, 10]
    assert [pick.value for pick in picked(options, {}, "fr")] == [15, 15, 10]
    chosen = picked(options, {"second": ChosenRule(0, 10)}, "fr")
    assert chosen == (ChosenRule(1, 15, agreed=False), ChosenRule(0, 10), ChosenRule(0, 10, agreed=False))
