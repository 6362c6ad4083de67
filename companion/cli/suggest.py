"""The command ``suggest``: prints likely corrections of a log."""

from __future__ import annotations

import argparse

from companion.core.game import Event, Splice
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.gamelog import InvalidLineError, LogError, decode_line, encode, read
from companion.ui.offered_corrections import SearchReason
from companion.ui.suggestions import suggest as corrections

from .common import WRONG, CommandError, naming, read_input, say_refused, write_data


def suggest(arguments: argparse.Namespace) -> int:
    """Print each likely correction as a line of the log, with its probability as ``weight``, the best first."""
    typed = {} if arguments.keys is None else _typed(arguments.keys)
    with naming(arguments.log):
        log = read_input(arguments.log)
    try:
        session = read(log, typed)
    except InvalidLineError as error:
        say_refused(arguments.log, error, arguments)
        return WRONG
    beyond = len(log.splitlines()) + 1
    alarm = _alarm(session, arguments.refused, typed.get(beyond))
    if alarm is None:
        return 0
    for each in corrections(session, alarm):
        line = encode(Splice(each.line.event, each.line.drop, each.line.put))
        write_data(line[:-1] + b',"weight":' + f"{each.weight:.6f}".encode() + b"}\n")
    return 0


def _alarm(session: Session, refused: str | None, keys: str | None) -> SearchReason | None:
    """Return why a correction is looked for: an event refused, as JSON, or else the last entry; None if all is well.

    ``keys`` are those typed for the refused event, if they are known.
    """
    if refused is None:
        head, game = session.head, session.header.game
        if head.event is None or head.before is None:
            return None
        return SearchReason() if game.outcome(head.before.state, head.event, head.state).alert else None
    try:
        event = decode_line(refused, session.header)
    except LogError as error:
        raise CommandError(f"--refused: {error}") from None
    if not isinstance(event, Event):
        raise CommandError("--refused: an event is wanted, not undo, redo or a correction")
    try:
        session.header.game.apply(session.state, event)
    except IllegalEventError:
        return SearchReason.of_event(session, event, keys)
    return None


def _typed(name: str) -> dict[int, str]:
    """Return the keys of each line of a log by the line's number."""
    typed: dict[int, str] = {}
    with naming(name):
        content = read_input(name)
    for row, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        number, tab, keys = line.partition("\t")
        if not tab or not number.isdecimal():
            raise CommandError(f"{name}:{row}: a line number, a tab and keys are wanted")
        typed[int(number)] = keys.strip()
    return typed
