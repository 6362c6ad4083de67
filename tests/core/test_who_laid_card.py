"""A refused card that was seen before: the sentence says who laid it, and when."""

from __future__ import annotations

import json

import pytest

from companion.core.game import Event, Start
from companion.core.prompt import LayCard
from companion.core.session import Session, seen_in, sentence
from companion.core.text import IllegalEventError, tell
from companion.gamelog import decode_header
from companion.games.east_rune.rules import DECK as CHARACTERS
from companion.games.east_rune.rules import Claim, Pass, Reveal
from companion.games.eternity.rules import DECK, Deal, Play

card = DECK.by_name.__getitem__
PLAYERS = ("Aki", "Bea", "Cyr", "Dai")


def session(game: str, *events: Event, rules: dict[str, object] | None = None) -> Session:
    """Return a game after some events."""
    header = {"format": 1, "game": game, "players": PLAYERS, "rules": rules or {}}
    started = Session(decode_header(json.dumps(header)))
    for event in events:
        started = started.add(event)
    return started


def refusal(at: Session, event: Event) -> IllegalEventError:
    """Return the refusal of an event."""
    with pytest.raises(IllegalEventError) as caught:
        at.add(event)
    return caught.value


BEGUN = (Start(0), Deal((card("sea-3"), card("sky-9"))), Play(0, card("sea-4")), Play(1, card("sea-6")))


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("sea-4", "Sea 4 was already seen in this round: Aki, trick 1"),
        ("sea-6", "Sea 6 was already seen in this round: Bea, trick 1"),
        ("sky-9", "Sky 9 was already seen in this round: Columns: <sea>3 <sky>9"),
    ],
)
def test_a_card_that_was_laid_names_who_and_when_one_on_the_table_the_entry(word: str, said: str) -> None:
    at = session("eternity", *BEGUN)
    refused = refusal(at, Play(2, card(word)))
    assert tell(sentence(at.header.game, refused, seen_in(refused, at.head)), PLAYERS) == said


def test_an_entry_that_is_only_the_card_is_named_by_its_moment() -> None:
    blank = Reveal(CHARACTERS.by_name["blank"])
    at = session("east-rune", Start(0), blank, Claim(None), *map(Pass, range(4)), rules={"blank_chair": True})
    refused = refusal(at, blank)
    assert (
        tell(sentence(at.header.game, refused, seen_in(refused, at.head)), PLAYERS)
        == "Blank chair was turned up already: round 1"
    )


def test_of_two_entries_with_a_card_the_latest_is_found() -> None:
    at = session("eternity", *BEGUN)
    found = seen_in(refusal(at, Play(2, card("sea-6"))), at.head)
    assert found is at.head


def test_a_card_given_just_now_belongs_to_no_entry() -> None:
    at = session("eternity", *BEGUN)
    refused = refusal(at, Play(2, card("sea-4")))
    assert seen_in(refused, at.head, (LayCard(card("sea-4")),)) is None
    assert seen_in(refused, at.head, (LayCard(card("sea-5")),)) is at.entry(3)
    assert sentence(at.header.game, refused, None) is refused.text


def test_a_refusal_for_another_reason_is_about_no_card() -> None:
    at = session("eternity", *BEGUN)
    refused = refusal(at, Play(3, card("sea-5")))
    assert refused.reason != "seen"
    assert seen_in(refused, at.head) is None
