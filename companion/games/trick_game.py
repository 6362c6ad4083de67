"""Trick games as Python packages: a deck, functions and questions, on the engine of the games in files.

Every key of a game's file can be given beside them, as docs/games-as-toml.md explains it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.cards import Card, Deck, Suit
from companion.core.game import Game
from companion.core.text import GameDeclarationError

from .kit.tricks import TrickOrder
from .toml_games import game_of
from .toml_games.cards import CardsOfRound
from .toml_games.checks import declaration
from .toml_games.file import Findings, Places, converted
from .toml_games.formulas import Formula, Scope
from .toml_games.state import State

Keys = dict[str, Any]
"""Keys of a game's file and their values: ``{"name": "maker", "kind": "seat"}``."""
Figures = Mapping[str, tuple[int, ...]]
"""The figures of a round by seat, by the names that formulas have: answers, options, ``tricks``, ``total`` and more."""


def trick_game(
    deck: Deck,
    suit_of: Callable[[Card, Suit | None], Suit | None],
    beats: Callable[[Card, Card, Suit | None], bool],
    hand: int | str,
    before: Sequence[Keys],
    score: Callable[[Figures], Sequence[int]],
    *,
    when: str | int = 1,
    values: Mapping[Card, int] | None = None,
    after: Sequence[Keys] = (),
    tricks: Keys | None = None,
    **keys: Any,
) -> Game[State]:
    """Return a trick game, played card by card, by tricks or by rounds.

    Args:
        deck: All cards; their suits can be trump.
        suit_of: Returns the suit that a card belongs to with a trump (None without); None if it follows no suit.
        beats: Returns whether a card beats the best one laid before it, with a trump.
        hand: The cards of each player, a number or a formula.
        before: What is asked before the cards.
        score: Returns the points of a round, by seat; with ``sides="partners"`` both partners have the same.
        when: A formula that holds in rounds in which cards are played: none are where everybody has passed.
        values: The points of cards, if tricks have points: the play then answers a question ``points``, too.
        after: What is asked after the cards.
        tricks: The other keys of ``[tricks]``: ``trump``, ``lead``, ``follow``, ``sits_out``, ``last``.
        keys: The other keys of a file: ``name``, ``title``, ``seats``, ``dealer``, ``sides``, ``options``, ``end`` …

    Raises:
        GameDeclarationError: A key says something wrong.
    """
    counted: list[Keys] = [{"name": "tricks", "most": hand, "sum": hand, "when": when}]
    if values:
        counted.append({"name": "points", "when": when})
    data = keys | {
        "ask": [*before, *counted, *after],
        "tricks": {"hand": hand} | (tricks or {}),
        "score": {"points": 0} | keys.get("score", {}),
    }
    findings = Findings(Places({}, {}))
    content = converted(data, findings)
    declared = None if content is None else declaration(content, findings)
    if declared is None or declared.trick_rules is None:
        raise GameDeclarationError(str(keys.get("name", "")), "; ".join(str(each.text) for each in findings.all))
    rules = replace(
        declared.trick_rules,
        deck=deck,
        suits=tuple(dict.fromkeys(card.suit for card in deck)),
        rounds=(
            CardsOfRound(TrickOrder(suit_of, beats), {card.name: own for card, own in (values or {}).items()}, {}),
        ),
    )
    points = replace(declared.score, points=_Function(score))
    return game_of(replace(declared, trick_rules=rules, score=points))


class _Function(Formula):
    """A formula whose value is worked out by a function."""

    def __init__(self, function: Callable[[Figures], Sequence[int]]) -> None:
        super().__init__(0)
        self._function = function

    def value(self, scope: Scope, seat: int) -> int:
        """Return the value for a seat."""
        return self._function(_Figures(scope))[seat]


class _Figures(dict[str, tuple[int, ...]]):
    """The figures that formulas see, each looked up when it is first needed."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self._scope = scope

    def __missing__(self, name: str) -> tuple[int, ...]:
        figures = tuple(self._scope.figure(name, seat) for seat in self._scope.seats)
        self[name] = figures
        return figures
