"""Suggests single corrections where an alert, a refusal or a result shows that something was mistyped.

`suggest` searches the round for every single change that would make it legal: another answer to one question, an
entry left out, put in, or exchanged with its neighbour. Each is weighted by how likely the slip is with the keys that
were really typed, and by how likely people hold and lay such cards (`log_likelihood` in `companion.core.game`). It can
only say what is likely: a slip and a breach of the rules look alike.

What people mistype, each as often as any other: a neighbouring key was pressed, one was doubled, one left out; the
right rank in the wrong suit or mode; an entry forgotten, made twice, or exchanged with its neighbour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import accumulate, chain
from math import exp, log
from operator import itemgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.correction import apply_or_reseat, line_between
from companion.core.game import Event, Game, event_from_answers, tracking_of
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
from companion.core.session import EventStep, Session
from companion.core.text import IllegalEventError
from companion.ui.keys import NAMES, OK_KEY, AnswerCodes
from companion.ui.offered_corrections import NoticedFault, SearchReason, Suggestion, question_kind

SHORT = 8
"""If the running round has fewer entries than this, the round before it is searched, too."""

USUAL = -3.0
"""The logarithm of the probability of an entry whose own is not known."""

EFFORT = 8_000
"""Events applied at most in one search: about 0.1 s on a usual computer."""

QUESTION = 20
"""Events that take as long as one question of a game."""


OTHER = 0.2
"""How often something else raises an alarm, as a share of all slips: a breach of the rules, or two slips at once."""


class Search:
    """A search for single corrections, done in small steps."""

    def __init__(self, session: Session, reason: SearchReason | None = None) -> None:
        self._session, self._reason = session, reason or SearchReason()
        self._game = session.header.game
        self._first, self._entries = _entries_to_check(session, self._reason)
        self._events = tuple(entry.event for entry in self._entries)
        # the logarithm of the probability of all entries before each place
        self._ahead = [*accumulate((entry.log_probability for entry in self._entries), initial=0.0)]
        self._effort = EFFORT
        last = self._entries[-1].before if self._reason == SearchReason() and self._entries else session.state
        self._alerts = len(self._game.optional.alerts(last))  # those from before the one that is explained
        self._asked = None  # the kind of question that follows the entry taken back
        if self._reason.undone is not None:
            _event, state = self._entries[-1].entered(self._entries[-1].before)
            self._asked = question_kind(self._game.ask(state, DetailLevel.FULL, ()))
        self._table = None  # the figures on the table at the end of the round, if they are known
        if self._reason.replaced is not None or self._reason.result is not None:
            head = session.entry(session.head.number)
            event, before = self._reason.result or head.event, head.before.state
            self._table = self._game.outcome(before, event, self._game.apply(before, event)).table
        self._found: dict[tuple[Event, ...], tuple[ChangeToTry, float]] = {}  # by the events; with the log probability

    def steps(self) -> Iterator[None]:
        """Try one change after another; each step is short."""
        changes = ChangesToTry(self._game, self._entries, self._reason.wrong)
        for change in changes:
            if self._effort <= changes.asked * QUESTION:
                return
            if self._try(change):
                for alike in change.alike:
                    self._try(alike)
                    yield None
            yield None

    def _try(self, change: ChangeToTry) -> bool:
        """Try a change, and note it if it makes the round legal. Return whether it does."""
        states, events = [self._entries[change.place].before], list[Event]()
        try:
            for each in (*change.put, *self._entries[change.place + change.drop :]):
                self._effort -= 1
                if isinstance(each, EntryToCheck):
                    event, state = each.entered(states[-1])
                else:
                    event, state = answered(self._game, states[-1], each, change.tracking)
                if len(self._game.optional.alerts(state)) > self._alerts:
                    return False
                events.append(event)
                states.append(state)
        except IllegalEventError:
            return False
        before = (event for event in self._events[: change.place] if event is not None)  # only the last can be None
        whole = (*before, *events)
        if whole == self._events or not self._explains(states, events):
            return False
        self._effort -= len(events)
        weight = change.log_probability + self._ahead[change.place]
        weight += sum(_log_probability(self._game, *each) for each in zip(states, events, strict=False))
        if whole in self._found:  # two slips can have the same effect
            high, low = sorted((weight, self._found[whole][1]), reverse=True)
            weight = high + log(1 + exp(low - high))
        self._found[whole] = change, weight
        return True

    def _explains(self, states: list[Any], events: list[Event]) -> bool:
        """Return whether the events after a change agree with what else is known."""
        reason = self._reason
        if reason.seat is not None and (not events or getattr(events[-1], "player", None) != reason.seat):
            return False
        if reason.undone is not None and question_kind(self._game.ask(states[-1], DetailLevel.FULL, ())) == self._asked:
            return False
        if self._table is None:
            return True
        return bool(events) and self._game.outcome(states[-2], events[-1], states[-1]).table == self._table

    def suggestions(self) -> tuple[Suggestion, ...]:
        """Return what was found so far, the most likely first."""
        if not self._found:
            return ()
        best = max(weight for _change, weight in self._found.values())
        whole = sum(exp(weight - best) for _change, weight in self._found.values()) * (1 + OTHER)
        old = [step.event for step in self._session.entries()]
        made = []
        for events, (change, weight) in sorted(self._found.items(), key=lambda found: -found[1][1]):
            line = line_between(old, [*old[: self._first - 1], *events])
            if line is not None:
                was = self._events[change.place : change.place + change.drop]
                now = events[change.place : change.place + len(change.put)]
                made.append(Suggestion(line, exp(weight - best) / whole, self._first + change.place, was, now))
        return tuple(made)


def suggest(session: Session, reason: SearchReason | None = None) -> tuple[Suggestion, ...]:
    """Return the single corrections that make the running round legal, the most likely first."""
    search = Search(session, reason)
    for _step in search.steps():
        pass
    return search.suggestions()


def _entries_to_check(session: Session, reason: SearchReason) -> tuple[int, list[EntryToCheck]]:
    """Return the number of the first entry to search, and the entries from it on: those of the round.

    An entry that was refused, taken back or replaced comes last.
    """
    game, steps = session.header.game, [*session.steps()]

    def entry(event: Event, before: Any, typed: str | None) -> EntryToCheck:
        likely = _log_probability(game, before, event)
        return EntryToCheck(game, event, before, game.answers(before, event), typed, likely)

    if reason.replaced is not None:
        del steps[0]
    ended = [place for place, step in enumerate(steps) if _ends_round(game, step)]
    if (reason == SearchReason() or reason.result is not None) and ended[:1] == [0]:
        del ended[0]  # the last entry ended the round that is searched
    reach = next((place for place in ended if place >= SHORT), len(steps))
    entries = [entry(step.event, step.before.state, step.typed) for step in steps[:reach][::-1]]
    first = len(steps) - len(entries) + 1
    if reason.refused:
        entries.append(EntryToCheck(game, None, session.state, reason.refused, reason.keys, USUAL))
    elif reason.undone is not None:
        entries.append(entry(reason.undone, session.state, reason.keys))
    elif reason.replaced is not None:
        entries.append(entry(reason.replaced, session.before(session.head.number), reason.keys))
    return first, entries


def _ends_round(game: Game[Any], step: EventStep) -> bool:
    return game.outcome(step.before.state, step.event, step.state).table is not None


def _log_probability(game: Game[Any], state: Any, event: Event) -> float:
    """Return the logarithm of an event's probability; 0 in a game that cannot say."""
    return 0.0 if game.optional.log_likelihood is None else game.optional.log_likelihood(state, event)


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

        If it fits nobody, its answers are given again: the same key can end a turn, or pass.

        Raises:
            IllegalEventError: It makes no legal event there.
        """
        if self.event is not None:
            with suppress(IllegalEventError):
                return apply_or_reseat(self.game, state, self.event)
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


class ChangeToTry(Struct, frozen=True):
    """A change to try: entries are dropped at a place of the round, and others put there."""

    place: int  # the index of the first dropped entry
    drop: int  # how many entries are dropped
    put: tuple[EntryToCheck | tuple[Answer, ...], ...]  # what is put there: entries, or the answers that make one
    log_probability: float  # how likely the slip is that the change undoes
    tracking: DetailLevel = DetailLevel.FULL
    alike: tuple[ChangeToTry, ...] = ()  # changes with much the same effect; they are tried only if this one is legal


class ChangesToTry:
    """Yields the single changes of a round that may undo a slip, and counts how often the game was asked."""

    def __init__(self, game: Game[Any], entries: Sequence[EntryToCheck], wrong: NoticedFault | None = None) -> None:
        self._game, self._entries, self._wrong = game, entries, wrong
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
            for other, chance in other_answers(codes[count], answer, keys).items():
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
        chance = float(first.answers == again.answers or typed_alike)
        chance += OTHER * (self._wrong is NoticedFault.TOO_MANY)
        if first.typed and again.typed == first.typed[-1]:
            chance += 1 / len(first.typed)
        if chance and again.by_turn:
            yield ChangeToTry(place, 1, (), self._log(chance))

    def _swapped(self, place: int) -> Iterator[ChangeToTry]:
        """Yield the exchange of an entry and the one before it."""
        first, second = self._entries[place - 1], self._entries[place]
        if first.by_turn and second.by_turn:
            yield ChangeToTry(place - 1, 2, (second, first), self._log(1))

    def _inserted(self, place: int) -> Iterator[ChangeToTry]:
        """Yield forgotten entries before an entry: of each group of cards the first and the last, then the others."""
        codes = self._asked(place, DetailLevel.FULL, ())
        if codes is None or codes.prompt.seat is None:
            return
        short = {answer for keys, answer in codes.codes.items() if len(keys) == 1}
        for group in _groups(codes.prompt):
            changes = [ChangeToTry(place, 0, ((answer,),), self._log(1 + (answer in short))) for answer in group]
            for end in dict.fromkeys((0, len(changes) - 1)):
                yield replace(changes[end], alike=(*changes[:end], *changes[end + 1 :]))

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


def other_answers(codes: AnswerCodes, answer: Answer, typed: str | None) -> dict[Answer, float]:
    """Return the answers that may have been meant instead, with the probability of the slip that made this one of each.

    Args:
        typed: The keys typed for it; None if it was chosen, so that no key can have been missed.
    """
    keyed = () if typed is None else meant(typed)
    coded = ((codes.codes.get(keys) or codes.codes.get(keys.removesuffix(OK_KEY)), chance) for keys, chance in keyed)
    found: dict[Answer, float] = {}
    for other, chance in chain(coded, _confused(codes.prompt, answer)):
        if other is not None and other != answer:
            found[other] = found.get(other, 0.0) + chance
    return found


def meant(typed: str) -> Iterator[tuple[str, float]]:
    """Yield the keys that may have been meant, each with the probability that a slip makes the typed ones of them."""
    count = len(typed)
    for place, key in enumerate(typed):
        for other in NEIGHBOURS.get(key, ()):
            yield typed[:place] + other + typed[place + 1 :], NEIGHBOURS[other][key] / count
        if place and typed[place - 1] == key:
            yield typed[:place] + typed[place + 1 :], 1 / (count - 1)
    for place in range(count + 1):
        for other in NAMES:
            yield typed[:place] + other + typed[place:], 1 / (count + 1)


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


def _confused(prompt: Prompt, answer: Answer) -> Iterator[tuple[Answer, float]]:
    """Yield the same card in the other mode, and the cards of the same rank in other suits."""
    others = [other for other in prompt.answers if other != answer]
    if isinstance(answer, LayCard):
        modes = (other for other in others if isinstance(other, LayCard) and other.card is answer.card)
        yield from ((other, 1.0) for other in modes)
    suits = [other for other in others if _same_but_suit(answer, other)]
    yield from ((other, 1 / len(suits)) for other in suits)


def _same_but_suit(one: Answer, other: Answer) -> bool:
    match one, other:
        case LayCard(card, alternate), LayCard(another, mode):
            return alternate == mode and card.keys == another.keys
        case LayPair(card), LayPair(another):
            return card.keys == another.keys
        case ChooseItem(suit=suit, figure=figure), ChooseItem(suit=another, figure=its):
            return suit is not None and another is not None and figure == its
    return False
