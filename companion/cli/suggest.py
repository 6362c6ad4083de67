"""The command ``suggest``: prints likely corrections of a log."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from companion.app.printing import say

from .common import WRONG, CommandError, read_input, standard_output, why

if TYPE_CHECKING:
    from companion.core.session import Session
    from companion.ui.suggestions import SearchReason


def suggest(arguments: argparse.Namespace) -> int:
    """Print each likely correction as a line of the log, with its probability as ``weight``, the best first."""
    from companion.core.events import ReplaceEvents
    from companion.gamelog import InvalidLineError, encode, read
    from companion.ui.suggestions import suggest

    typed = {} if arguments.keys is None else _typed(arguments.keys)
    log = _content(arguments.log)
    try:
        session = read(log, typed)
    except InvalidLineError as error:
        say(f"{arguments.log}:{error}", error=True)
        return WRONG
    beyond = len(log.splitlines()) + 1
    alarm = _alarm(session, arguments.refused, typed.get(beyond))
    if alarm is None:
        return 0
    out = standard_output().buffer
    for each in suggest(session, alarm):
        line = encode(ReplaceEvents(each.line.event, each.line.drop, each.line.put))
        out.write(line[:-1] + b',"weight":' + f"{each.weight:.6f}".encode() + b"}\n")
    out.flush()
    return 0


def _alarm(session: Session, refused: str | None, keys: str | None) -> SearchReason | None:
    """Return why a correction is looked for; None if nothing is wrong.

    Args:
        session: The game.
        refused: The refused event as JSON; None to look at the last entry.
        keys: The keys typed for the refused event, if they are known.
    """
    from companion.core.errors import IllegalEventError
    from companion.core.events import Event
    from companion.gamelog import LogError, decode_line
    from companion.ui.suggestions import SearchReason

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
    for row, line in enumerate(_content(name).decode(errors="replace").splitlines(), 1):
        number, tab, keys = line.partition("\t")
        if not tab or not number.isdecimal():
            raise CommandError(f"{name}:{row}: a line number, a tab and keys are wanted")
        typed[int(number)] = keys.strip()
    return typed


def _content(name: str) -> bytes:
    try:
        return read_input(name)
    except OSError as error:
        raise CommandError(f"{name}: {why(error)}") from None
