"""Asks the box for likely corrections of a case."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Amend, Event, Undo
from companion.core.session import Session
from companion.ui.offered_corrections import SearchReason, Suggestion
from companion.ui.suggestions import suggest

from .case import Case, entries


def suggestions(found: Case) -> Sequence[Suggestion] | None:
    """Return the suggestions for a case, the best first; None if the box has no reason to look for any."""
    session = asked(found)
    if found.right or entries(session) == sought(found):
        return None
    match found.alarm:
        case "alert":
            return suggest(session, SearchReason())
        case "refused" if found.refused_answers:
            return suggest(session, SearchReason(found.refused_answers, found.refused_keys))
        case "kind" if found.entries:
            number = found.session.head.number
            return suggest(session, SearchReason(undone=found.entries[-1], keys=found.typed[number]))
        case "round end" if found.result is not None:
            alarm = SearchReason(replaced=found.entries[-1], keys=found.typed[session.head.number])
            return suggest(session, alarm)
    return None


def asked(found: Case) -> Session:
    """Return the session in which the box looks: with the keys typed, a strange question taken back, figures put."""
    session = Session(found.header)
    for number, event in enumerate(found.entries, 1):
        session = session.add(event, found.typed[number])
    if found.alarm == "round end" and found.result is not None:
        return session.add(Amend(session.head.number, found.result))
    return session.add(Undo()) if found.alarm == "kind" and found.entries else session


def sought(found: Case) -> tuple[Event, ...]:
    """Return the events that the true correction leaves: the true ones, as far as they are entered."""
    return found.truth[:-1] if found.alarm == "kind" else found.truth
