"""How many keys it takes to correct a slip that is noticed late."""

from __future__ import annotations

import random
from collections.abc import Iterable

from companion.cli.log_to_keys import LogToKeys
from companion.core.game import Amend, CorrectionLine, Event, event_from_answers
from companion.core.prompt import Answer, DetailLevel, Prompt
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.ui.keys import parse

from .case import Slip, correction, entries
from .honest import Honest, answers_for
from .turns import can_happen

LATER = 12
"""How many entries after it a slip is noticed."""

CORRECTED: tuple[Slip, ...] = ("forgotten", "twice", "swapped")
"""The slips that are corrected here."""


def keys_to_correct(honest: Honest, slip: Slip, rng: random.Random) -> tuple[int | None, ...]:
    """Return the keys that correct a slip 12 entries later: None if no keys do; nothing if no slip lasts so long."""
    found = late(honest, slip, rng)
    if found is None:
        return ()
    session, line = found
    try:
        return (len(parse(LogToKeys(session).spell(line))),)
    except IllegalEventError:
        return (None,)


def late(honest: Honest, slip: Slip, rng: random.Random) -> tuple[Session, CorrectionLine] | None:
    """Return what the box has 12 entries after a slip, and the line that corrects it; None if it is always refused.

    A card that cannot be entered twice is followed by another one, as when a key is pressed twice.
    """
    last = len(honest.said) - LATER - 1
    places = [place for place in range(last) if can_happen(honest, slip, place)]
    rng.shuffle(places)
    for place in places:
        end = place + 1 + (slip == "swapped") + LATER
        session = _wrong(honest, slip, place, end, rng)
        if session is not None and entries(session) != honest.events(end):  # two players may lay the same card
            splice = correction(entries(session), honest.events(end))
            return session, Amend(splice.event, *splice.put) if splice.drop == len(splice.put) == 1 else splice
    return None


def _wrong(honest: Honest, slip: Slip, place: int, end: int, rng: random.Random) -> Session | None:
    """Return the session with a slip at a place, up to some entry; None if an entry does not fit."""
    events = [said.event for said in honest.said[place:end]]
    begun: Session | None = honest.after(place)
    if slip == "forgotten":
        return _entered(begun, events[1:])
    if slip == "swapped":
        return _entered(begun, [events[1], events[0], *events[2:]])
    begun, rest = _entered(begun, events[:1]), events[1:]
    again = _entered(begun, events[:1])
    if again is not None or begun is None:
        return _entered(again, rest)
    prompt = begun.header.game.ask(begun.state, DetailLevel.FULL, ())
    others = list(prompt.answers) if isinstance(prompt, Prompt) else []
    rng.shuffle(others)
    tries = (_entered(_answered(begun, (other,)), rest) for other in others)
    return next((session for session in tries if session is not None), None)


def _entered(session: Session | None, events: Iterable[Event]) -> Session | None:
    """Return the session after some entries, made by whoever has the turn; None if one does not fit."""
    for event in events:
        session = None if session is None else _answered(session, answers_for(session, event) or ())
    return session


def _answered(session: Session, answers: tuple[Answer, ...]) -> Session | None:
    try:
        event = event_from_answers(session.header.game, session.state, DetailLevel.FULL, answers)
        return None if event is None else session.add(event)
    except IllegalEventError:
        return None
