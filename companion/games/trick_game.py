"""Trick games as Python packages: a deck, functions and questions, on the engine of the games in files.

Every key of a game's file can be given beside them, as docs/games-as-toml.md explains it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.core.cards import Card, Deck, Suit
from companion.core.game import Game
from companion.core.text import GameDeclarationError

from .kit.tricks import TrickOrder
from .toml_games import game_of
from .toml_games.cards import OwnCards, suits_in
from .toml_games.checks import declaration
from .toml_games.file import Findings, Path, Places, TextPosition, converted
from .toml_games.formulas import Formula, Scope
from .toml_games.state import State
from .toml_games.trial import check_examples

Keys = dict[str, Any]
"""Keys of a game's file and their values: ``{"name": "maker", "kind": "seat"}``."""
Figures = Scope
"""The figures of a round by seat, by the names that formulas have: answers, options, ``tricks``, ``total`` and more."""

T = TypeVar("T")


def trick_game(
    deck: Deck,
    suit_of: Callable[[Card, Suit | None], Suit | None],
    beats: Callable[[Card, Card, Suit | None], bool],
    hand: int | str,
    before: Sequence[Keys],
    score: Callable[[Figures], Sequence[int]],
    *,
    when: str | int = 1,
    values: Mapping[Card, int] | Mapping[str, int] | None = None,
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
        before: What is asked before the cards; it may be empty.
        score: Returns the points of a round, by seat; with ``sides="partners"`` both partners have the same.
        when: A formula that holds in rounds in which cards are played: none are where everybody has passed.
        values: The points of cards, if tricks have points: the play then answers a question ``points``, too. They are
            said of cards, or as in a file: of ranks, suits and names of cards, of trumps with ``trump-`` before them.
        after: What is asked after the cards.
        tricks: The other keys of ``[tricks]``: ``trump``, ``lead``, ``follow``, ``sits_out``, ``laid``, ``all``,
            ``last_by``; with values ``last`` and ``rest``; of the deck ``without`` and ``copies``.
        keys: The other keys of a file: ``name``, ``title``, ``seats``, ``dealer``, ``sides``, ``options``, ``end`` …

    Raises:
        GameDeclarationError: A key says something wrong or has no effect, or `suit_of` returns no suit.
    """
    name = str(keys.get("name", ""))
    counted: list[Keys] = [{"name": "tricks", "most": hand, "sum": hand, "when": when}]
    if values:
        counted.append({"name": "points", "when": when})
    worth = {getattr(key, "name", key): points for key, points in (values or {}).items()}
    data = keys | {
        "ask": [*before, *counted, *after],
        "tricks": (tricks or {}) | {"hand": hand, "values": worth},
        "score": {"points": 0},
    }
    paths = [*_paths(data)]
    findings = Findings(Places({path: TextPosition(number, 1) for number, path in enumerate(paths)}, {}))
    content = converted(data, findings)
    own = OwnCards(deck, TrickOrder(_suits(name, deck, suit_of), _checked(beats)))
    declared = None if content is None else declaration(content, findings, own)
    if declared is not None:
        declared = replace(declared, score=replace(declared.score, points=_Function(score)))
        check_examples(declared, findings)
    wrong = [*_without_effect(keys, tricks or {}, bool(values))]
    wrong = wrong or [f"{_said(paths[each.line], data)}: {each.text}" for each in (*findings.all, *findings.warnings)]
    if declared is None or wrong:
        raise GameDeclarationError(name, "; ".join(wrong))
    return game_of(declared)


def _paths(data: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of a value and of all within it."""
    yield path
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list | tuple) else ()
    for key, value in inner:
        yield from _paths(value, (*path, key))


def _said(path: Path, data: Keys) -> str:
    """Return a path in words: ``ask.maker.when``."""
    if path[:1] == ("ask",) and len(path) > 1 and isinstance(data["ask"][path[1]], dict):
        path = ("ask", data["ask"][path[1]].get("name", path[1]), *path[2:])
    return ".".join(map(str, path))


# Keys of a file that say nothing here, and where it is said


_ELSEWHERE = {
    "hand": "it is an argument of its own",
    "values": "they are an argument of their own",
    "tricks": "the play answers the question tricks",
    "points": "with values, the play answers the question points",
    "instead": "suit_of and beats say which card is higher",
}
_OF_DECK = ("without", "copies")
_OF_POINTS = ("last", "rest")


def _without_effect(keys: Keys, tricks: Keys, values: bool) -> Iterator[str]:
    if "ask" in keys:
        yield "ask has no effect: questions are in before and after"
    if "family" in keys:
        yield "family has no effect: the list of games has packages among the others"
    for key in tricks:
        if key in _ELSEWHERE:
            yield f"tricks.{key} has no effect: {_ELSEWHERE[key]}"
        elif key in _OF_POINTS and not values:
            yield f"tricks.{key} has no effect without values"
    deck = tricks.get("deck")
    for key in deck if isinstance(deck, dict) else ():
        if key not in _OF_DECK:
            yield f"tricks.deck.{key} has no effect: the deck, suit_of and beats say it"


# The functions of a package


def _called(name: str, function: Callable[..., T], *arguments: Any) -> T:
    """Return what a function returns; an error in it names it."""
    try:
        return function(*arguments)
    except Exception as error:
        raise RuntimeError(f"{name} fails ({type(error).__name__}: {error})") from error


def _suits(
    name: str, deck: Deck, suit_of: Callable[[Card, Suit | None], Suit | None]
) -> Callable[[Card, Suit | None], Suit | None]:
    """Return a function that knows the suits of all cards; raise GameDeclarationError if one is no suit."""
    known: dict[tuple[Card, Suit | None], Suit | None] = {}
    for card, trump in product(deck, (None, *suits_in(deck))):
        try:
            suit = _called("suit_of", suit_of, card, trump)
        except RuntimeError as error:
            raise GameDeclarationError(name, f"{error} for {card} with trump {trump}") from error
        if suit is not None and not isinstance(suit, Suit):
            raise GameDeclarationError(name, f"suit_of returns {suit!r} for {card} with trump {trump}: a Suit, or None")
        known[card, trump] = suit
    return lambda card, trump: known[card, trump]


def _checked(beats: Callable[[Card, Card, Suit | None], bool]) -> Callable[[Card, Card, Suit | None], bool]:
    """Return a function that fails unless another returns true or false."""

    def checked(card: Card, best: Card, trump: Suit | None) -> bool:
        wins = _called("beats", beats, card, best, trump)
        if not isinstance(wins, bool):
            raise TypeError(f"beats returns {type(wins).__name__}: it is True or False")
        return wins

    return checked


class _Function(Formula):
    """A formula whose value is worked out by a function."""

    def __init__(self, function: Callable[[Figures], Sequence[int]]) -> None:
        super().__init__(0)
        self._function = function

    def value(self, scope: Scope, seat: int) -> int:
        """Return the value for a seat."""
        points: Any = _called("score", self._function, scope)
        seats = len(scope.seats)
        if not isinstance(points, Sequence) or len(points) != seats or not all(type(each) is int for each in points):
            raise TypeError("score returns something else than a whole number for each seat")
        return int(points[seat])
