"""A table of Gear for tests: cards are written ``r7 bA``, pairs ``r7+b7``, and seats numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.errors import IllegalEvent
from companion.core.events import Event, Start
from companion.core.prompt import Alternative, Answer, EnterNumber, LayCard, LayPair, Prompt, Tracking
from companion.core.text import tell
from companion.games.gear.cards import DECK
from companion.games.gear.events import Bid, Lots, Play, Prices, Round, Trick
from companion.games.gear.options import Rules
from companion.games.gear.prompts import ask
from companion.games.gear.rules import apply
from companion.games.gear.state import Overbid, Revoke, State, start
from companion.games.kit.options import Ending

_WRITER = msgspec.json.Encoder(enc_hook=repr)  # cards and suits show as their names

FULL, QUICK, ROUND = Tracking.FULL, Tracking.QUICK, Tracking.ROUND
NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve")
COLOURS = {"r": "red", "b": "black"}


def written(state: object) -> bytes:
    """Return all there is to a state."""
    return _WRITER.encode(state)


def card(word: str) -> Card:
    """Return a card, ``r7``."""
    return DECK.by_name[f"{COLOURS[word[0]]}-{word[1:]}"]


def cards(words: str) -> tuple[Card, ...]:
    """Return cards, ``r7 bA``, or those of one play, ``r7+b7``."""
    return tuple(card(word) for word in words.replace("+", " ").split())


def counts(words: str) -> tuple[int, ...]:
    """Return figures by seat, ``3 2 3``."""
    return tuple(map(int, words.split()))


def lots(*words: str) -> Lots:
    """Return lots, six cards each."""
    return Lots(tuple(msgspec.convert(cards(six), tuple[Card, Card, Card, Card, Card, Card]) for six in words))


def paid(prices: str, who: str = "") -> Prices:
    """Return a whole auction; ``who`` gets each lot, where the lots were entered."""
    return Prices(counts(prices), counts(who) if who else UNSET)


def whole(tricks: str, aces: str, last: int, prices: str = "") -> Round:
    """Return a whole round."""
    return Round(counts(tricks), counts(aces), last, counts(prices) if prices else UNSET)


@dataclass(frozen=True)
class Table:
    """A game at one moment; every entry gives the table after it."""

    state: State

    def enters(self, event: Event) -> Table:
        """Enter an event."""
        return Table(apply(self.state, event))

    def starts(self, seat: int) -> Table:
        """Name who starts."""
        return self.enters(Start(seat))

    def bids(self, words: str) -> Table:
        """Bid, each by the seat whose turn it is: ``2=3`` is 3 for lot 2."""
        table = self
        for word in words.split():
            turn = table.state.turn
            assert turn is not None
            lot, price = word.split("=")
            table = table.enters(Bid(turn, int(lot), int(price)))
        return table

    def pays(self, prices: str, who: str = "") -> Table:
        """Enter a whole auction."""
        return self.enters(paid(prices, who))

    def lays(self, words: str) -> Table:
        """Lay cards, each play by the seat whose turn it is."""
        table = self
        for word in words.split():
            turn = table.state.turn
            assert turn is not None
            table = table.enters(Play(turn, cards(word)))
        return table

    def trick(self, winner: int, count: int = 1, aces: int = 0) -> Table:
        """Enter a whole trick."""
        return self.enters(Trick(winner, count, aces))

    def tricks(self, *winners: int) -> Table:
        """Enter whole tricks of one card each without an ace."""
        table = self
        for winner in winners:
            table = table.trick(winner)
        return table

    def round(self, tricks: str, aces: str, last: int, prices: str = "") -> Table:
        """Enter a whole round."""
        return self.enters(whole(tricks, aces, last, prices))

    def refuses(self, event: Event) -> str:
        """Return why an event is refused, having seen that nothing happened."""
        before = written(self.state)
        with pytest.raises(IllegalEvent) as caught:
            apply(self.state, event)
        assert written(self.state) == before
        assert str(caught.value)
        return caught.value.reason

    def refuses_cards(self, words: str) -> str:
        """Return why the seat whose turn it is cannot lay some cards."""
        turn = self.state.turn
        assert turn is not None
        return self.refuses(Play(turn, cards(words)))

    @property
    def revokes(self) -> list[tuple[int, int]]:
        """Return who revoked, and at which card."""
        return [(alert.player, alert.card_no) for alert in self.state.alerts if isinstance(alert, Revoke)]

    @property
    def overbids(self) -> list[tuple[int, int]]:
        """Return the round and seat of every bid above one's points."""
        return [(alert.round, alert.player) for alert in self.state.alerts if isinstance(alert, Overbid)]


def table(seats: int = 4, *, rounds: int | None = None, target: int | None = None, **rules: Any) -> Table:
    """Open a game."""
    ending = Ending(rounds=4) if rounds is None else Ending(rounds=rounds)
    if target is not None:
        ending = Ending(target=target)
    return Table(start(seats, replace(Rules(), ending=ending, **rules)))


def easy(seats: int = 4, leader: int = 0, **rules: Any) -> Table:
    """Open an easy game whose first trick is about to begin."""
    return table(seats, auction=False, **rules).starts(leader)


def sold(seats: int = 4, leader: int = 0, **rules: Any) -> Table:
    """Open a game whose first trick is about to begin; nobody paid anything."""
    return table(seats, **rules).starts(leader).pays(" ".join("0" * seats))


THREE_LOTS = ("r2 r3 r4 b5 b5 rA", "r2 b3 b4 b7 b8 r9", "r5 r6 r7 r8 b9 b10")


def open_hands(leader: int = 0) -> Table:
    """Open an easy game of three whose open hands are known: ``THREE_LOTS``, by seat."""
    return easy(3, leader).enters(lots(*THREE_LOTS))


# Questions and answers


def asked(at: Table, tracking: Tracking, *given: Answer) -> Prompt:
    """Return the question."""
    prompt = ask(at.state, tracking, given)
    assert isinstance(prompt, Prompt)
    return prompt


def made(at: Table, tracking: Tracking, *given: Answer) -> Event:
    """Return the event."""
    event = ask(at.state, tracking, given)
    assert isinstance(event, Event)
    return event


def question(at: Table, tracking: Tracking, *given: Answer) -> str:
    """Return the question in words."""
    return tell(asked(at, tracking, *given).text, NAMES)


def laid(words: str) -> tuple[Answer, ...]:
    """Return cards as answers, pairs ``r7+b7`` among them."""
    return tuple(LayPair(*map(card, word.split("+"))) if "+" in word else LayCard(card(word)) for word in words.split())


def numbers(values: str) -> tuple[Answer, ...]:
    """Return numbers as answers; ``+`` is the extra answer."""
    return tuple(Alternative() if value == "+" else EnterNumber(int(value)) for value in values.split())


def figures(prompt: Prompt) -> list[int]:
    """Return the numbers that are offered."""
    return [answer.value for answer in prompt.answers if isinstance(answer, EnterNumber)]


def offered(prompt: Prompt) -> set[str]:
    """Return the cards that are offered, pairs not among them."""
    return {answer.card.name for answer in prompt.answers if isinstance(answer, LayCard)}


def pairs(prompt: Prompt) -> set[tuple[str, str]]:
    """Return the pairs that are offered."""
    return {(answer.first.name, answer.second.name) for answer in prompt.answers if isinstance(answer, LayPair)}
