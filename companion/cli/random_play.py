"""Plays any game at random: answers its questions until the game is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache, partial
from random import Random
from typing import Any

from companion.core.game import Event, Game, LogHeader
from companion.core.prompt import Answer, DetailLevel, Prompt, Skip, TakeAlternative
from companion.core.session import Session
from companion.core.text import IllegalEventError, tell
from companion.gamelog import decode_header, encode
from companion.ui.screens.questions import given

MOST_QUESTIONS = 60
"""The most questions of one entry."""
MOST_TRIES = 200
"""The most entries that the rules refuse in a row."""
MOST_ANSWERS = 100
"""The most answers to one question that the rules refuse in a row."""


class NoAnswerError(IllegalEventError):
    """A game refuses all answers to a question that were tried."""

    def __init__(self, question: Prompt, given: tuple[Answer, ...], refused: IllegalEventError) -> None:
        super().__init__(refused.reason, refused.text.template, **refused.text.args)
        self.question, self.given = question, given


class StuckGameError(Exception):
    """No entry can be made, though the game is not over; the message says why."""


def random_header(game: Game[Any], seats: int, chance: Random) -> str:
    """Return the first line of a log, with rules chosen at random among those offered to so many players."""
    rules = {}
    for option in game.options:
        choice = chance.choice(option.choices) if seats in option.seats else option.choices[0]
        rules[option.name] = choice.value if choice.number is None else choice.number(chance.randint(1, 9))
    players = ["Aki", "Bea", "Cyr", "Dai", "Eve", "Fay", "Gus", "Hal"][:seats]
    return encode({"format": 1, "game": game.name, "players": players, "rules": rules}).decode()


def random_game(
    header: str | LogHeader, chance: Random, tracking: DetailLevel | None = None, most: int = 3000
) -> Iterator[Session]:
    """Yield a game after each entry, the beginning included, until it is over or has so many entries.

    Each entry is made at a level of detail chosen at random, or at the given one. Raises StuckGameError if no answer
    that it offers can be entered.
    """
    session = Session(decode_header(header) if isinstance(header, str) else header)
    yield session
    levels = [*session.header.game.trackings]
    while not session.progress.over and session.head.number < most:
        session = _with_entry(session, tracking, levels, chance)
        yield session


def _with_entry(session: Session, tracking: DetailLevel | None, levels: list[DetailLevel], chance: Random) -> Session:
    """Return the session with one more entry."""
    game, wrong = session.header.game, "nothing is asked, though the game is not over"
    for _ in range(MOST_TRIES):
        level = tracking or chance.choice(levels)
        try:
            event = random_event(game, session.state, level, chance)
            if event is not None:
                return session.add(event)
        except IllegalEventError as refused:
            wrong = _nothing_enters(session, level, refused)
        except StuckGameError as endless:  # at random, a sheet whose figures cannot be may be changed for long
            wrong = str(endless)
    raise StuckGameError(wrong)


def _nothing_enters(session: Session, level: DetailLevel, refused: IllegalEventError) -> str:
    """Return the sentence that a question takes no answer; the question is the first if an entry is refused whole."""
    told, question = partial(tell, players=session.header.players), ""
    if isinstance(refused, NoAnswerError):
        after = f" after {told(given(refused.given))}" if refused.given else ""
        question = f"“{told(refused.question.text)}”{after}: "
    else:
        with suppress(IllegalEventError):
            asked = session.header.game.ask(session.state, level, ())
            question = f"“{told(asked.text)}”: " if isinstance(asked, Prompt) else ""
    return f"{question}no answer that was tried can be entered: {told(refused.text)}"


def random_event(game: Game[Any], state: Any, tracking: DetailLevel, chance: Random) -> Event | None:
    """Return the event that random answers make; None if nothing is asked.

    Raises NoAnswerError if the game refuses all answers that are tried, StuckGameError if its questions never end.
    """
    given: tuple[Any, ...] = ()
    asked = game.ask(state, tracking, given)
    for _ in range(MOST_QUESTIONS):
        if not isinstance(asked, Prompt):
            return asked
        given, asked = _with_answer(game, state, tracking, given, asked, chance)
    raise StuckGameError(f"an entry of more than {MOST_QUESTIONS} questions makes no event")


def _with_answer(
    game: Game[Any], state: Any, tracking: DetailLevel, given: tuple[Any, ...], asked: Prompt, chance: Random
) -> tuple[tuple[Any, ...], Prompt | Event | None]:
    """Return the answers with one more, and what is asked then; an answer that is refused is replaced by another."""
    refused = 0
    while True:
        answers = (*given, _random_answer(asked, chance))
        try:
            return answers, game.ask(state, tracking, answers)
        except IllegalEventError as why:
            refused += 1
            if refused == MOST_ANSWERS:
                raise NoAnswerError(asked, given, why) from why


def _random_answer(asked: Prompt, chance: Random) -> Any:
    """Choose what is asked for, or one time in five anything offered: an offer as often, however many figures."""
    usual, rare = _parted(asked.answers)
    return chance.choice(usual if usual and (not rare or chance.random() < 0.8) else rare)


@lru_cache(maxsize=64)  # a question is often asked again, and may have thousands of answers
def _parted(answers: tuple[Answer, ...]) -> tuple[list[Answer], list[Answer]]:
    """Return what is asked for, and what is offered beside it."""
    rare: list[Answer] = [answer for answer in answers if isinstance(answer, Skip | TakeAlternative)]
    return [answer for answer in answers if not isinstance(answer, Skip | TakeAlternative)], rare
