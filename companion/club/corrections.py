"""A director's corrections: chosen by the game's own questions, tried, sent to the box, and what the box answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.bridge.mqtt import Message
from companion.bridge.records import Correction, CorrectionAnswer
from companion.core.correction import correction_in_words
from companion.core.game import Amend, Event, Splice, tracking_of
from companion.core.prompt import (
    Answer,
    DetailLevel,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TakeAlternative,
)
from companion.core.session import Session
from companion.core.text import N_, IllegalEventError, Text
from companion.gamelog import encode_line
from companion.ui.keys import answer_name, answer_named
from companion.ui.screens.questions import answer_label
from companion.ui.translations import Translator

from .database import Connection, StoredGame

MOST_LINKS = 30
"""The most numbers that are links; more are typed."""


class CorrectionForm(Struct, frozen=True):
    """A correction of one entry while a director fills it in."""

    entry: str  # the entry in words
    question: str = ""  # what is asked next; empty once all is answered
    answers: tuple[tuple[str, str], ...] = ()  # each name and label that can be chosen
    numbers: range | None = None  # numbers that are typed, as there are too many to choose from
    refusal: str = ""  # why it cannot be
    line: str = ""  # the line that corrects; empty until all is answered
    sentence: str = ""  # what stands there then
    was: tuple[str, ...] = ()  # the entry, as a line of a log
    scores: tuple[tuple[str, int, int], ...] = ()  # each player's points before and after


class SentCorrection(Struct, frozen=True):
    """A correction that was sent to a box."""

    at: float
    who: str
    sentence: str
    taken: bool | None  # None until the box has answered
    answer: str  # why it was not taken

    @property
    def outcome(self) -> Text:
        if self.taken is None:
            return Text(N_("waits for the table"))
        return Text(N_("taken")) if self.taken else Text(N_("not taken: {why}"), why=self.answer)


def draft(
    session: Session, number: int, chosen: Sequence[str], words: Translator, *, take_out: bool = False
) -> CorrectionForm:
    """Return the correction of an entry after some answers.

    Args:
        session: The game.
        number: The number of the entry, from 1.
        chosen: The names of the answers to the game's questions so far.
        words: Translates.
        take_out: Whether the entry is taken out instead of replaced.

    Raises:
        IllegalEventError: There is no such entry.
    """
    game, words = session.header.game, words.at(session.header.players)
    old = session.entry(number)
    begun = CorrectionForm(words.sentence(game.describe(old.event)), was=(encode_line(old.event),))
    if take_out:
        return _tried(session, number, (), begun, words)
    state = session.before(number)
    try:
        tracking = tracking_of(game, DetailLevel.FULL, state, old.event)
    except LookupError:
        tracking = next(iter(game.trackings))
    given: tuple[Answer, ...] = ()
    try:
        for name in chosen:
            asked = game.ask(state, tracking, given)
            answer = answer_named(asked, name) if isinstance(asked, Prompt) else None
            if answer is None:
                return msgspec.structs.replace(begun, refusal=words(Text(N_("This answer is not offered."))))
            given = (*given, answer)
        asked = game.ask(state, tracking, given)
    except IllegalEventError as refused:
        return msgspec.structs.replace(begun, refusal=words.sentence(refused.text))
    if isinstance(asked, Prompt):
        listed = [answer.value for answer in asked.answers if isinstance(answer, EnterNumber)]
        many = len(listed) > MOST_LINKS
        offered = tuple(
            (answer_name(answer), _label(asked, answer, words))
            for answer in asked.answers
            if not (many and isinstance(answer, EnterNumber))
        )
        numbers = asked.open_numbers or (range(min(listed), max(listed) + 1) if many else None)
        return msgspec.structs.replace(begun, question=words.sentence(asked.text), answers=offered, numbers=numbers)
    if asked is None:
        return msgspec.structs.replace(begun, refusal=words(Text(N_("Nothing is asked there."))))
    return _tried(session, number, (asked,), begun, words)


def _tried(
    session: Session, number: int, put: tuple[Event, ...], begun: CorrectionForm, words: Translator
) -> CorrectionForm:
    """Return the whole correction, or why it does not fit."""
    game = session.header.game
    old = session.entry(number).event
    if put == (old,):
        return msgspec.structs.replace(begun, refusal=words(Text(N_("This is what stands there."))))
    line = Amend(number, put[0]) if put else Splice[Any](number, 1, ())
    try:
        after = session.add(line)
    except IllegalEventError as refused:
        return msgspec.structs.replace(begun, refusal=words.sentence(refused.text))
    totals = zip(words.players, session.progress.totals, after.progress.totals, strict=True)
    sentence = words.sentence(correction_in_words(game, line))
    return msgspec.structs.replace(begun, line=encode_line(line), sentence=sentence, scores=tuple(totals))


def _label(asked: Prompt, answer: Answer, words: Translator) -> str:
    """Return an answer in words: as on a key of the box, but cards in full."""
    match answer:
        case LayCard(card, alternate):
            return f"{words(card)} ({words(asked.alternate.label)})" if alternate and asked.alternate else words(card)
        case LayPair(first, second):
            return f"{words(first)} {words(second)}"
        case Skip() if asked.skip is None:
            return "–"
        case TakeAlternative() if asked.alternative is None:
            return words(Text(N_("other")))
    return words(answer_label(asked, answer))


# Sending and answers


def record(connection: Connection, game: StoredGame, number: int, made: CorrectionForm, who: str) -> None:
    """Note a correction in the database; `unanswered` has the message for its box."""
    sentence = f"{number}. {made.entry} → {made.sentence}"
    with connection.transaction():
        connection.execute(
            "INSERT INTO correction (who, game, entry, was, line, sentence) VALUES (%s, %s, %s, %s, %s, %s)",
            [who, game.id, number, [*made.was], made.line, sentence],
        )


def topic_of(prefix: str, device: str, id: int) -> str:
    """Return the topic of one correction: of each topic the broker keeps only the latest message."""
    return f"{prefix}/{device}/correction/{id}"


def unanswered(connection: Connection, prefix: str) -> list[Message]:
    """Return the messages of all corrections without an answer: a power cut may have taken them from the broker.

    The broker keeps each until the box has answered.
    """
    asked = """
        SELECT device, correction.id, game.name, line, was, who
        FROM correction JOIN game ON game.id = game JOIN device USING (device)
        WHERE taken IS NULL AND NOT removed ORDER BY correction.id
    """
    with connection.transaction():
        rows = connection.execute(asked).fetchall()
    return [
        (topic_of(prefix, device, id), msgspec.json.encode(Correction(id, name, line, tuple(was), who)))
        for device, id, name, line, was, who in rows
    ]


def note_answer(connection: Connection, device: str, answer: CorrectionAnswer) -> None:
    """Note what a box answers. Only the first answer counts, and only that of the box whose game it is."""
    with connection.transaction():
        connection.execute(
            "UPDATE correction SET taken = %s, answer = %s, answered_at = now() "
            "WHERE id = %s AND taken IS NULL AND game IN (SELECT id FROM game WHERE device = %s)",
            [answer.taken, answer.why.replace("\0", "")[:500], answer.id, device],
        )


def sent_to(connection: Connection, game: int) -> list[SentCorrection]:
    """Return the corrections of a game, the latest first."""
    asked = "SELECT at, who, sentence, taken, answer FROM correction WHERE game = %s ORDER BY id DESC"
    with connection.transaction():
        rows = connection.execute(asked, [game]).fetchall()
    return [SentCorrection(row[0].timestamp(), *row[1:]) for row in rows]
