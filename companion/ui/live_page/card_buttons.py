"""The cards of a question as rows of suits. A card keeps its place within a round; one that is gone leaves a gap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.core.cards import Card, Suit
from companion.core.prompt import Answer, ChooseItem, LayCard, LayPair, Prompt
from companion.ui.answer_ids import answer_name
from companion.ui.displayed_table import colour_code
from companion.ui.translations import Translator

from .content import Choice, SuitRow, SuitSign

BESIDE = 16
"""Maximum number of cards in the alternate mode that are shown beside the others."""


def is_mode(prompt: Prompt) -> bool:
    """Return whether pages need a switch between the two ways to lay a card: every card can be laid either way."""
    usual, aside = _cards(prompt, False), _cards(prompt, True)
    return bool(usual) and usual == aside


def stands_beside(prompt: Prompt) -> bool:
    """Return whether the cards in the alternate mode have rows of their own: they are few, or others than the usual."""
    aside = _cards(prompt, True)
    return bool(aside) and (len(aside) <= BESIDE or not is_mode(prompt))


def in_suit(answer: Answer) -> bool:
    """Return whether an answer is an item that stands in the row of a suit."""
    return isinstance(answer, ChooseItem) and answer.suit is not None


def suit_rows(words: Translator, prompt: Prompt) -> Iterator[SuitRow]:
    """Yield the rows of cards, of items that are cards of a suit, and of pairs of cards."""
    offered = set(prompt.answers)
    usual, aside = _cards(prompt, False), _cards(prompt, True)
    deck = tuple(dict.fromkeys((*prompt.deck, *usual, *aside))) if usual or aside else ()
    alike = dict(prompt.alike)
    for suit in dict.fromkeys((*prompt.suits, *(card.suit for card in deck))):
        own = [card for card in deck if card.suit is suit]
        left = alike.get(suit)
        value = "" if left is None or len(own) == 1 else f"×{left}"
        if left is not None:
            own = [card for card in own if card in usual or card in aside][:1] or own[:1]
        if own and (usual or any(card in aside for card in own)):
            yield SuitRow(
                (_sign(words, suit),),
                tuple(Choice(card.name, words(card.figure)) for card in own),
                _choices(words, offered, ((LayCard(card), card.figure) for card in own), value) if usual else (),
                _choices(words, offered, ((LayCard(card, True), card.figure) for card in own), value) if aside else (),
                suit is prompt.led,
                left is not None,
            )
    items = [pick for pick in prompt.picks if pick.suit is not None] if any(map(in_suit, offered)) else []
    for item_suit in dict.fromkeys(pick.suit for pick in items if pick.suit is not None):
        picks = [pick for pick in items if pick.suit is item_suit]
        yield SuitRow(
            (_sign(words, item_suit),),
            tuple(Choice(answer_name(pick), pick.figure) for pick in picks),
            _choices(words, offered, ((pick, pick.figure) for pick in picks)),
        )
    if any(isinstance(answer, LayPair) for answer in offered):
        yield from _pair_rows(words, prompt, offered)


def _pair_rows(words: Translator, prompt: Prompt, offered: set[Answer]) -> Iterator[SuitRow]:
    """Yield a row for every two suits, each pair once: which card of it is named first changes nothing."""
    for place, suit in enumerate(prompt.suits):
        for other in prompt.suits[place:]:
            pairs = [
                LayPair(first, second)
                for first in prompt.deck
                for second in prompt.deck
                if (first.suit, second.suit) == (suit, other) and first.rank == second.rank
            ]
            turned = (pair if pair in offered else LayPair(pair.second, pair.first) for pair in pairs)
            yield SuitRow(
                (_sign(words, suit), _sign(words, other)),
                tuple(Choice(answer_name(pair), words(pair.first.figure)) for pair in pairs),
                _choices(words, offered, ((pair, pair.first.figure) for pair in turned)),
            )


def _cards(prompt: Prompt, alternate: bool) -> dict[Card, None]:
    """Return the cards that can be laid in a mode, in order; equal whatever the order."""
    laid = (answer for answer in prompt.answers if isinstance(answer, LayCard))
    return {answer.card: None for answer in laid if answer.alternate is alternate}


def _choices(
    words: Translator, offered: set[Answer], answers: Iterable[tuple[Answer, object]], value: str = ""
) -> tuple[Choice | None, ...]:
    return tuple(
        Choice(answer_name(each), words(figure), value=value) if each in offered else None for each, figure in answers
    )


def _sign(words: Translator, suit: Suit) -> SuitSign:
    return SuitSign(words(suit.sign), words(suit), colour_code(suit.colour))
