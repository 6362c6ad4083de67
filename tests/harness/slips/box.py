"""A box without a panel: a session, an unfinished entry and keys."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from companion.core.game import Event, EventOutcome
from companion.core.prompt import Answer, ChooseItem, DetailLevel, LayCard, Prompt
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.ui.keys import AnswerCodes


@dataclass(frozen=True, slots=True)
class Entered:
    """A key completed an entry."""

    event: Event
    outcome: EventOutcome


@dataclass(frozen=True, slots=True)
class Refused:
    """The game refused an entry; the event is None if the answers make none."""

    event: Event | None
    answers: tuple[Answer, ...]
    keys: str


@dataclass(frozen=True, slots=True)
class Meaningless:
    """The key means nothing here."""


class Box:
    """Takes keys like the screen of a game does; every card is entered.

    Attributes:
        session: The game so far.
        typed: The keys typed for each entry, by its number.
        answers: The answers to the unfinished entry.
        buffer: The keys of the unfinished answer.
        keys: All keys of the unfinished entry.
    """

    def __init__(self, session: Session, typed: dict[int, str]) -> None:
        self.session = session
        self.typed = typed
        self.answers: tuple[Answer, ...] = ()
        self.buffer = ""
        self.keys = ""
        self._codes: AnswerCodes | None = None

    @property
    def prompt(self) -> Prompt | None:
        """Return the question; None if the game is over."""
        codes = self.codes
        return None if codes is None else codes.prompt

    @property
    def codes(self) -> AnswerCodes | None:
        """Return the keys of the answers; None if the game is over."""
        if self._codes is None:
            asked = self.session.header.game.ask(self.session.state, DetailLevel.FULL, self.answers)
            assert not isinstance(asked, Event)
            self._codes = None if asked is None else AnswerCodes(asked)
        return self._codes

    def press(self, key: str) -> Entered | Refused | Meaningless | None:
        """Press a key; return what it completed, None if it is one of several."""
        codes = self.codes
        if codes is None:
            return Meaningless()
        figure = None if self.buffer else codes.rows.get(key)
        made = codes.press(self.buffer, key) if figure is None else figure
        if made is None:
            return Meaningless()
        self.keys += key
        if not isinstance(made, str):
            return self._answered(made)
        self.buffer = made
        return None

    def spell(self, answer: Answer) -> str | None:
        """Return the keys of an answer, offered or not; None if the question is not about such things."""
        codes = self.codes
        if codes is None:
            return None
        offered = [each for each in codes.prompt.answers if same(each, answer)]
        if offered:
            return codes.spell(offered[0])
        spellings = [code for code, each in codes.not_offered.items() if same(each, answer)]
        return min(spellings, key=len) if spellings else None

    def _answered(self, answer: Answer) -> Entered | Refused | None:
        answers = (*self.answers, answer)
        keys, self.keys, self.answers, self.buffer, self._codes = self.keys, "", (), "", None
        game, before = self.session.header.game, self.session.state
        event: Event | None = None
        try:
            made = game.ask(before, DetailLevel.FULL, answers)
            if isinstance(made, Prompt):
                self.answers, self.keys, self._codes = answers, keys, AnswerCodes(made)
                return None
            assert made is not None
            event = made
            self.session = self.session.add(made)
        except IllegalEventError:
            return Refused(event or meant(self.session, answers), answers, keys)
        self.typed[self.session.head.number] = keys
        return Entered(made, game.outcome(before, made, self.session.state))


def same(one: Answer, other: Answer) -> bool:
    """Return whether two answers say the same; the label of an item may differ."""
    if isinstance(one, ChooseItem) and isinstance(other, ChooseItem):
        return one.value == other.value
    return one == other


def meant(session: Session, answers: tuple[Answer, ...]) -> Event | None:
    """Return the event of refused answers, if they are complete but for having been seen (Eternity)."""
    state = session.state
    if not hasattr(state, "seen") or not all(isinstance(answer, LayCard) for answer in answers):
        return None
    try:
        made = session.header.game.ask(replace(state, seen=0), DetailLevel.FULL, answers)
    except IllegalEventError:
        return None
    return made if isinstance(made, Event) else None
