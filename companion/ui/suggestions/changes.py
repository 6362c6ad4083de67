"""Lists the changes to a round's entries that are worth trying, each with the probability of the slip it undoes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from math import log
from typing import Any, NamedTuple

from companion.core.errors import IllegalEventError
from companion.core.game import Game
from companion.core.prompt import Answer, DetailLevel, EnterNumber, LayCard, LayPair, Prompt, Question, Skip, TallySheet
from companion.ui.key_grammar import AnswerCodes

from .entry_keys_and_odds import EntryToCheck
from .mistyping import other_answers
from .search_reason import NoticedFault
from .search_types import Priors


class ChangeToTry(NamedTuple):
    """A change to try: entries are dropped at a place of the round, and others put there."""

    place: int  # the index of the first dropped entry
    drop: int  # how many entries are dropped
    put: tuple[EntryToCheck | tuple[Answer, ...], ...]  # what is put there: entries, or the answers that make one
    chance: float  # the logarithm of the probability of the slip
    # answers with much the same effect as the one that is put, each with its own chance; they are tried only if that
    # one is legal
    alike: tuple[tuple[Answer, float], ...] = ()
    tracking: DetailLevel = DetailLevel.FULL


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

    def _by_turn(self, place: int) -> bool:
        """Return whether an entry is always made by the player to act."""
        event = self._entries[place].event
        return event is None or isinstance(event, self._game.optional.by_turn)

    def _replaced(self, place: int) -> Iterator[ChangeToTry]:
        """Yield other answers to each question of an entry."""
        entry = self._entries[place]
        tracking = entry.tracking
        codes: list[AnswerCodes] = []
        spelled: list[str] = []
        for count, answer in enumerate(entry.answers):
            asked = self._asked(place, tracking, entry.answers[:count])
            if asked is None:
                return
            codes.append(asked)
            spelled.append(asked.spell_any(answer))
        sheet = codes[-1].prompt.sheet if codes and codes[-1].prompt.whole else None
        told = {asked.prompt.question: answer for asked, answer in zip(codes, entry.answers, strict=True)}
        for count, answer in enumerate(entry.answers):
            before, after = spelled[:count], spelled[count + 1 :]
            typed = spelled[count] if entry.typed is None else _between(entry.typed, before, after)
            keys = None if entry.typed == "" else typed
            for other, chance in other_answers(codes[count], answer, keys, self._priors).items():
                answers = (*entry.answers[:count], other, *entry.answers[count + 1 :])
                if sheet is not None and codes[count].prompt.cell is not None:
                    answers = self._filled_in(place, answers[: count + 1], sheet, told)
                yield ChangeToTry(place, 1, (answers,), self._chance(chance / len(codes)), tracking=tracking)

    def _filled_in(
        self, place: int, answers: tuple[Answer, ...], sheet: TallySheet, told: Mapping[Question, Answer]
    ) -> tuple[Answer, ...]:
        """Return the answers that fill in a sheet after another figure: all others stay as they were.

        Args:
            sheet: The sheet as it was.
            told: The answers as they were, by their questions; a question that was not asked before agrees, or skips.
        """
        tracking = self._entries[place].tracking
        asked = self._asked(place, tracking, answers)
        while asked is not None:
            cell = asked.prompt.cell
            figure = None if cell is None else sheet.rows[cell[0]][cell[1]]
            answer = told.get(asked.prompt.question, Skip()) if figure is None else EnterNumber(figure)
            if answer not in asked.prompt.answers:
                break
            answers = (*answers, answer)
            asked = self._asked(place, tracking, answers)
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
        if chance and self._by_turn(place):
            yield ChangeToTry(place, 1, (), self._chance(chance))

    def _swapped(self, place: int) -> Iterator[ChangeToTry]:
        """Yield the exchange of an entry and the one before it."""
        if self._by_turn(place) and self._by_turn(place - 1):
            both = self._entries[place], self._entries[place - 1]
            yield ChangeToTry(place - 1, 2, both, self._chance(self._priors.swapped))

    def _inserted(self, place: int) -> Iterator[ChangeToTry]:
        """Yield forgotten entries before an entry: of each group of cards the first and the last, then the others."""
        codes = self._asked(place, DetailLevel.FULL, ())
        if codes is None or codes.prompt.seat is None:
            return
        short = {answer for keys, answer in codes.codes.items() if len(keys) == 1}
        for group in _groups(codes.prompt):
            chances = {
                answer: self._chance(self._priors.forgotten + self._priors.omitted * (answer in short))
                for answer in group
            }
            for end in dict.fromkeys((group[0], group[-1])):
                others = tuple(each for each in chances.items() if each[0] != end)
                yield ChangeToTry(place, 0, ((end,),), chances[end], others)

    def _chance(self, chance: float) -> float:
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


def _between(typed: str, before: list[str], after: list[str]) -> str:
    """Return the part of an entry's keys that belongs to one of its answers, given the keys of the others."""
    return typed[sum(map(len, before)) : len(typed) - sum(map(len, after))]


def _groups(prompt: Prompt) -> Iterator[tuple[Answer, ...]]:
    """Yield groups of answers that have much the same effect: the cards of a suit by rank; any other answer alone."""
    groups: dict[object, list[Answer]] = {}
    for answer in prompt.answers:
        match answer:
            case LayCard(card, alternate):
                suit: object = (card.suit, alternate)
            case LayPair(first, second):
                suit = (first.suit, second.suit)
            case _:
                suit = answer
        groups.setdefault(suit, []).append(answer)
    for group in groups.values():
        yield tuple(sorted(group, key=_rank))


def _rank(answer: Answer) -> int:
    match answer:
        case LayCard(card) | LayPair(card):
            return card.rank
    return 0
