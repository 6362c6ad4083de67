"""What people mistype: the changes to a round's entries that may undo a slip, and how likely each slip is.

Keys: a neighbour was pressed, one was doubled, one left out. Cards: the right rank in the wrong suit or mode. Entries:
one was forgotten, made twice, or exchanged with its neighbour. The keys that were really typed are kept with each
entry, and are compared with those that would have been right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import cached_property
from itertools import chain
from math import log
from operator import itemgetter
from typing import Any, NamedTuple

from msgspec import Struct

from companion.core.entries_after_correction import reseated
from companion.core.errors import IllegalEventError
from companion.core.event_from_answers import event_from_answers, tracking_of
from companion.core.events import Event
from companion.core.game import Game
from companion.core.prompt import (
    Answer,
    ChooseItem,
    DetailLevel,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Question,
    Skip,
    TallySheet,
)
from companion.ui.key_grammar import OK_KEY, AnswerCodes
from companion.ui.keys import NAMES


class Priors(Struct, frozen=True):
    """How often each kind of slip happens, and what else raises an alarm; only the ratios matter."""

    neighbour: float = 1.0  # a neighbouring key was pressed
    doubled: float = 1.0  # a key was pressed twice
    omitted: float = 1.0  # a key was left out
    forgotten: float = 1.0  # an entry was forgotten
    twice: float = 1.0  # an entry was made twice
    swapped: float = 1.0  # two neighbouring entries were made in the wrong order
    mode: float = 1.0  # an entry was made in the other mode: a pledge as a play, from the hand instead of the front
    suit: float = 1.0  # the rank was right, the suit wrong
    other: float = 0.2  # something else: a breach of the rules, or two slips. As a share of all the kinds above


class NoticedFault(Enum):
    """What people notice though nothing raises an alarm."""

    TOO_MANY = "many"  # a card was entered that nobody laid
    TOO_FEW = "few"  # a card was laid that nobody entered


# Entries


class EntryToCheck(Struct, frozen=True, eq=False, dict=True):
    """An entry of the round."""

    game: Game[Any]
    event: Event | None  # the event; None for an entry that the game refused
    before: Any  # the state before it
    answers: tuple[Answer, ...]  # the answers that make it there
    typed: str | None  # the keys typed for it, empty if it was chosen; None if they are not known
    log_probability: float  # how likely people hold and lay such cards

    @property
    def by_turn(self) -> bool:
        """Return whether such an entry is always made by the player to act."""
        return self.event is None or isinstance(self.event, self.game.optional.by_turn)

    @cached_property
    def tracking(self) -> DetailLevel:
        """Return the level of detail at which the entry was made; the most detailed one if that is not known."""
        with suppress(LookupError, IllegalEventError):
            if self.event is not None:
                return tracking_of(self.game, DetailLevel.FULL, self.before, self.event)
        return DetailLevel.FULL

    def entered(self, state: Any) -> tuple[Event, Any]:
        """Return the event that the entry makes in another state, and the state after it.

        The entry goes to the player whose turn it is. If it does not fit then, its answers are given again: the same
        key can end a turn, or pass.

        Raises:
            IllegalEventError: It makes no legal event there.
        """
        if self.event is not None:
            event = reseated(self.game, state, self.event)
            with suppress(IllegalEventError):
                return event, self.game.apply(state, event)
        return answered(self.game, state, self.answers, self.tracking)


def answered(
    game: Game[Any], state: Any, answers: tuple[Answer, ...], tracking: DetailLevel = DetailLevel.FULL
) -> tuple[Event, Any]:
    """Return the event that answers make in a state, and the state after it; raise if they make none.

    A sheet that is whole with these answers is agreed to: other figures can end the round.
    """
    if tracking is DetailLevel.FULL:  # the usual case, made without the questions on the way
        made = game.ask(state, tracking, answers)
        if isinstance(made, Prompt) and made.whole:
            made = game.ask(state, tracking, (*answers, Skip()))
    else:
        made = event_from_answers(game, state, tracking, answers)
    if made is None or isinstance(made, Prompt):
        raise IllegalEventError("unfinished", "")
    return made, game.apply(state, made)


# Changes of entries


class ChangeToTry(NamedTuple):
    """A change to try: entries are dropped at a place of the round, and others put there."""

    place: int  # the index of the first dropped entry
    drop: int  # how many entries are dropped
    put: tuple[EntryToCheck | tuple[Answer, ...], ...]  # what is put there: entries, or the answers that make one
    log_probability: float  # how likely the slip is that the change undoes
    tracking: DetailLevel = DetailLevel.FULL
    alike: tuple[ChangeToTry, ...] = ()  # changes with much the same effect; they are tried only if this one is legal


class ChangesToTry:
    """Yields the single changes of a round that may undo a slip, and counts how often the game was asked."""

    def __init__(
        self, game: Game[Any], entries: Sequence[EntryToCheck], priors: Priors, wrong: NoticedFault | None = None
    ) -> None:
        self._game, self._entries, self._priors, self._wrong = game, entries, priors, wrong
        self.asked = 0
        self._known: dict[tuple[int, DetailLevel, tuple[Answer, ...]], AnswerCodes | None] = {}

    def __iter__(self) -> Iterator[ChangeToTry]:
        """Yield the changes: first those that the typed keys or the neighbours tell, then forgotten entries."""
        for place in range(len(self._entries)):
            if self._wrong is None:
                yield from self._replaced(place)
            if place and self._wrong is not NoticedFault.TOO_FEW:
                yield from self._deleted(place)
            if place and self._wrong is None:
                yield from self._swapped(place)
        for place in reversed(range(len(self._entries))):
            if self._wrong is not NoticedFault.TOO_MANY:
                yield from self._inserted(place)

    def _replaced(self, place: int) -> Iterator[ChangeToTry]:
        """Yield other answers to each question of an entry."""
        entry = self._entries[place]
        codes: list[AnswerCodes] = []
        for count in range(len(entry.answers)):
            asked = self._asked(place, entry.tracking, entry.answers[:count])
            if asked is None:
                return
            codes.append(asked)
        spelled = [asked.spell_any(answer) for asked, answer in zip(codes, entry.answers, strict=True)]
        sheet = codes[-1].prompt.sheet if codes and codes[-1].prompt.whole else None
        told = {asked.prompt.question: answer for asked, answer in zip(codes, entry.answers, strict=True)}
        for count, answer in enumerate(entry.answers):
            keys: str | None = spelled[count]
            if entry.typed is not None:  # the keys that are left by those of the other answers
                end = len(entry.typed) - sum(map(len, spelled[count + 1 :]))
                keys = entry.typed[sum(map(len, spelled[:count])) : end] if entry.typed else None
            for other, chance in other_answers(codes[count], answer, keys, self._priors).items():
                answers = (*entry.answers[:count], other, *entry.answers[count + 1 :])
                if sheet is not None and codes[count].prompt.cell is not None:
                    answers = self._filled_in(place, answers[: count + 1], sheet, told)
                yield ChangeToTry(place, 1, (answers,), self._log(chance / len(codes)), entry.tracking)

    def _filled_in(
        self, place: int, answers: tuple[Answer, ...], sheet: TallySheet, told: Mapping[Question, Answer]
    ) -> tuple[Answer, ...]:
        """Return the answers that fill in a sheet after another figure: all others stay as they were.

        Args:
            sheet: The sheet as it was.
            told: The answers as they were, by their questions; a question that was not asked before agrees, or skips.
        """
        tracking = self._entries[place].tracking
        while (asked := self._asked(place, tracking, answers)) is not None:
            cell = asked.prompt.cell
            figure = None if cell is None else sheet.rows[cell[0]][cell[1]]
            answer = told.get(asked.prompt.question, Skip()) if figure is None else EnterNumber(figure)
            if answer not in asked.prompt.answers:
                break
            answers = (*answers, answer)
        return answers

    def _deleted(self, place: int) -> Iterator[ChangeToTry]:
        """Yield the deletion of an entry that repeats the one before it, or that one's last key.

        If people say that one is too many, it can be any.
        """
        first, again = self._entries[place - 1], self._entries[place]
        typed_alike = bool(first.typed) and first.typed == again.typed
        chance = self._priors.twice * (first.answers == again.answers or typed_alike)
        chance += self._priors.other * (self._wrong is NoticedFault.TOO_MANY)
        if first.typed and again.typed == first.typed[-1]:
            chance += self._priors.doubled / len(first.typed)
        if chance and again.by_turn:
            yield ChangeToTry(place, 1, (), self._log(chance))

    def _swapped(self, place: int) -> Iterator[ChangeToTry]:
        """Yield the exchange of an entry and the one before it."""
        first, second = self._entries[place - 1], self._entries[place]
        if first.by_turn and second.by_turn:
            yield ChangeToTry(place - 1, 2, (second, first), self._log(self._priors.swapped))

    def _inserted(self, place: int) -> Iterator[ChangeToTry]:
        """Yield forgotten entries before an entry: of each group of cards the first and the last, then the others."""
        codes = self._asked(place, DetailLevel.FULL, ())
        if codes is None or codes.prompt.seat is None:
            return
        short = {answer for keys, answer in codes.codes.items() if len(keys) == 1}
        for group in _groups(codes.prompt):
            chances = (self._priors.forgotten + self._priors.omitted * (answer in short) for answer in group)
            changes = [
                ChangeToTry(place, 0, ((answer,),), self._log(chance))
                for answer, chance in zip(group, chances, strict=True)
            ]
            for end in dict.fromkeys((0, len(changes) - 1)):
                yield changes[end]._replace(alike=(*changes[:end], *changes[end + 1 :]))

    def _log(self, chance: float) -> float:
        """Return the logarithm of the probability that a slip happened to a certain entry."""
        return log(max(chance, 1e-12) / len(self._entries))

    def _asked(self, place: int, tracking: DetailLevel, answers: tuple[Answer, ...]) -> AnswerCodes | None:
        """Return the key codes of the question after some answers at a place; None if there is none; ask it once."""
        key = place, tracking, answers
        if key not in self._known:
            self.asked += 1
            prompt = None
            with suppress(IllegalEventError):
                prompt = self._game.ask(self._entries[place].before, tracking, answers)
            self._known[key] = AnswerCodes(prompt) if isinstance(prompt, Prompt) else None
        return self._known[key]


def _groups(prompt: Prompt) -> Iterator[list[Answer]]:
    """Yield groups of answers that have much the same effect: the cards of a suit by rank; any other answer alone."""
    groups: dict[object, list[tuple[int, Answer]]] = {}
    for answer in prompt.answers:
        suit: object = answer
        rank = 0
        match answer:
            case LayCard(card, alternate):
                suit, rank = (card.suit, alternate), card.rank
            case LayPair(card, second):
                suit, rank = (card.suit, second.suit), card.rank
        groups.setdefault(suit, []).append((rank, answer))
    for group in groups.values():
        yield [answer for _rank, answer in sorted(group, key=itemgetter(0))]


# Keys and cards


def other_answers(codes: AnswerCodes, answer: Answer, typed: str | None, priors: Priors) -> dict[Answer, float]:
    """Return the answers that may have been meant instead, with the probability of the slip that made this one of each.

    Args:
        typed: The keys typed for it; None if it was chosen, so that no key can have been missed.
    """
    keyed = () if typed is None else meant(typed, priors)
    coded = ((codes.codes.get(keys) or codes.codes.get(keys.removesuffix(OK_KEY)), chance) for keys, chance in keyed)
    found: dict[Answer, float] = {}
    for other, chance in chain(coded, _confused(codes.prompt, answer, priors)):
        if other is not None and other != answer:
            found[other] = found.get(other, 0.0) + chance
    return found


def meant(typed: str, priors: Priors) -> Iterator[tuple[str, float]]:
    """Yield the keys that may have been meant, each with the probability that a slip makes the typed ones of them."""
    count = len(typed)
    for place, key in enumerate(typed):
        for other in NEIGHBOURS.get(key, ()):
            share = NEIGHBOURS[other][key] * priors.neighbour / count
            yield typed[:place] + other + typed[place + 1 :], share
        if place and typed[place - 1] == key:
            yield typed[:place] + typed[place + 1 :], priors.doubled / (count - 1)
    for place in range(count + 1):
        for other in NAMES:
            yield typed[:place] + other + typed[place:], priors.omitted / (count + 1)


_WIDTH = 4
_DIAGONAL = 0.1
"""How likely a key that touches the right one at a corner is hit, beside one that touches it at an edge."""


def _neighbours(key: str) -> dict[str, float]:
    """Return the keys around a key of the keypad, each with its share of the misses."""
    row, column = divmod(NAMES.index(key), _WIDTH)
    near = {
        NAMES[_WIDTH * other_row + other]: _DIAGONAL if other_row != row and other != column else 1.0
        for other_row in range(max(0, row - 1), min(_WIDTH, row + 2))
        for other in range(max(0, column - 1), min(_WIDTH, column + 2))
        if (other_row, other) != (row, column)
    }
    whole = sum(near.values())
    return {other: share / whole for other, share in near.items()}


NEIGHBOURS = {key: _neighbours(key) for key in NAMES}


def _confused(prompt: Prompt, answer: Answer, priors: Priors) -> Iterator[tuple[Answer, float]]:
    """Yield the same card in the other mode, and the cards of the same rank in other suits."""
    others = [other for other in prompt.answers if other != answer]
    if isinstance(answer, LayCard):
        modes = (other for other in others if isinstance(other, LayCard) and other.card is answer.card)
        yield from ((other, priors.mode) for other in modes)
    suits = [other for other in others if _same_but_suit(answer, other)]
    yield from ((other, priors.suit / len(suits)) for other in suits)


def _same_but_suit(one: Answer, other: Answer) -> bool:
    match one, other:
        case LayCard(card, alternate), LayCard(another, mode):
            return alternate == mode and card.keys == another.keys
        case LayPair(card), LayPair(another):
            return card.keys == another.keys
        case ChooseItem(suit=suit, figure=figure), ChooseItem(suit=another, figure=its):
            return suit is not None and another is not None and figure == its
    return False
