"""The commands that read one log: ``replay``, ``keys``, ``suggest`` and ``rescore``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from companion.app.terminal import say
from companion.core.game import Event, Splice
from companion.core.session import Session
from companion.core.text import IllegalEventError, tell
from companion.decoding import from_json
from companion.gamelog import InvalidLineError, LogError, decode_line, encode, read, snapshot
from companion.gamelog import replay as steps_of
from companion.history.score_other_rules import RunningScore, rescored

from .common import (
    WRONG,
    CommandError,
    InvalidLogError,
    read_input,
    standard_output,
    with_data,
    with_place,
    write_data,
)


def _with_log(one: ArgumentParser) -> None:
    with_data(one)
    one.add_argument("log", metavar="LOG", help='a game log; "-" reads standard input')


@contextmanager
def _content_of(log: str, arguments: Namespace) -> Iterator[bytes]:
    """Read a log for a block, and name it in the sentence on a line that the block cannot read."""
    data = read_input(log)
    try:
        yield data
    except InvalidLineError as error:
        raise InvalidLogError(f"{log}:{with_place(error, arguments)}") from None


# replay


def replay_arguments(one: ArgumentParser) -> None:
    with_data(one)
    one.add_argument("--each", action="store_true", help="one line after every line below the header")
    one.add_argument("logs", metavar="LOG", nargs="+", help='a game log; "-" reads standard input')


def replay(arguments: Namespace) -> int:
    """Print the snapshot after each log's last event."""
    standard_output()  # without one, no log is to blame
    status = 0
    for name in arguments.logs:
        try:
            with _content_of(name, arguments) as data:
                _print_states(data, each=arguments.each)
        except CommandError as fault:
            say(fault, error=True)
            status = WRONG
    return status


def _print_states(log: bytes, *, each: bool) -> None:
    for reading in steps_of(log):
        if each and reading.line is not None:
            write_data(snapshot(reading.session) + b"\n")
    if not each:
        write_data(snapshot(reading.session) + b"\n")


# keys


def keys_arguments(one: ArgumentParser) -> None:
    _with_log(one)


def keys(arguments: Namespace) -> int:
    """Print the shortest keys that enter each line of a log."""
    from .log_to_keys import LogToKeys  # the screens, which no other of these commands needs

    keys_of_log = None
    with _content_of(arguments.log, arguments) as data:
        for reading in steps_of(data):
            if keys_of_log is None or reading.line is None:
                keys_of_log = LogToKeys(reading.session)
                continue
            try:
                standard_output().write(f"{reading.number}\t{keys_of_log.spell(reading.line)}\n")
            except IllegalEventError as refused:
                raise InvalidLogError(f"{arguments.log}:{reading.number}: {refused}") from None
    return 0


# suggest


def suggest_arguments(one: ArgumentParser) -> None:
    one.add_argument("--refused", metavar="EVENT", help="an event (JSON) that the log refuses, instead of an alert")
    one.add_argument("--keys", metavar="FILE", help='the keys typed, as the command "keys" prints them')
    _with_log(one)


def suggest(arguments: Namespace) -> int:
    """Print each likely correction as a line of the log, with its probability as ``weight``, the best first."""
    from companion.ui.offered_corrections import SearchReason
    from companion.ui.suggestions import suggest as corrections

    typed = {} if arguments.keys is None else _typed(arguments.keys)
    with _content_of(arguments.log, arguments) as log:
        session = read(log, typed)
    if arguments.refused is None:
        reason = SearchReason() if _alerts(session) else None
    else:
        event = _refused(session, arguments.refused)
        keys = typed.get(len(log.splitlines()) + 1)
        reason = None if event is None else SearchReason.of_event(session, event, keys)
    for each in [] if reason is None else corrections(session, reason):
        line = encode(Splice(each.line.event, each.line.drop, each.line.put))
        write_data(line[:-1] + b',"weight":' + f"{each.weight:.6f}".encode() + b"}\n")
    return 0


def _alerts(session: Session) -> bool:
    """Return whether the last entry raised an alert."""
    head, game = session.head, session.header.game
    if head.event is None or head.before is None:
        return False
    return game.outcome(head.before.state, head.event, head.state).alert


def _refused(session: Session, written: str) -> Event | None:
    """Return an event, as JSON, that the game refuses; None if it takes it."""
    try:
        event = decode_line(written, session.header)
    except LogError as error:
        raise CommandError(f"--refused: {error}") from None
    if not isinstance(event, Event):
        raise CommandError("--refused: an event is wanted, not undo, redo or a correction")
    try:
        session.header.game.apply(session.state, event)
    except IllegalEventError:
        return event
    return None


def _typed(name: str) -> dict[int, str]:
    """Return the keys of each line of a log by the line's number."""
    typed: dict[int, str] = {}
    for row, line in enumerate(read_input(name).decode(errors="replace").splitlines(), 1):
        number, tab, keys = line.partition("\t")
        if not tab or not number.isdecimal():
            raise CommandError(f"{name}:{row}: a line number, a tab and keys are wanted")
        typed[int(number)] = keys.strip()
    return typed


# rescore


def rescore_arguments(one: ArgumentParser) -> None:
    one.add_argument("--rules", metavar="JSON", required=True, help='the rules that differ: {"edition": "fr"}')
    _with_log(one)


def rescore(arguments: Namespace) -> int:
    """Print the recorded and the other total of each player, the winners, and what cannot be known."""
    try:
        rules = from_json(arguments.rules.encode(errors="replace"), dict[str, Any])
    except msgspec.DecodeError as error:
        raise CommandError(f"--rules: an object as in a log's header is wanted: {error}") from None
    with _content_of(arguments.log, arguments) as log:
        session = read(log)
    try:
        made = rescored(session, rules)
    except LogError as error:
        raise CommandError(f"--rules: {error}") from None
    players = session.header.players
    say("recorded  by these rules")
    for name, recorded, other in zip(players, made.recorded.totals, made.other.totals, strict=True):
        say(f"{recorded:8}  {other:14}  {name}")
    say(f"Winners: {_winners(made.recorded, players)}; by these rules: {_winners(made.other, players)}")
    for sentence in made.sentences:
        say(tell(sentence, players))
    return 0


def _winners(score: RunningScore, players: tuple[str, ...]) -> str:
    return "not known" if score.winners is None else ", ".join(players[seat] for seat in score.winners) or "nobody"
