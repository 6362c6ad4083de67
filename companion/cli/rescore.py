"""The command ``rescore``: prints what a game would have come to under other rules."""

from __future__ import annotations

import argparse
from typing import Any

import msgspec

from companion.app.terminal import say
from companion.core.text import tell
from companion.gamelog import InvalidLineError, LogError, read
from companion.history.score_other_rules import RunningScore, rescored

from .common import WRONG, CommandError, naming, read_input, say_refused


def rescore(arguments: argparse.Namespace) -> int:
    """Print the recorded and the other total of each player, the winners, and what cannot be known."""
    rules = _rules(arguments.rules)
    try:
        with naming(arguments.log):
            session = read(read_input(arguments.log))
    except InvalidLineError as error:
        say_refused(arguments.log, error, arguments)
        return WRONG
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


def _rules(written: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(written.encode(errors="replace"), type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise CommandError(f"--rules: an object as in a log's header is wanted: {error}") from None


def _winners(score: RunningScore, players: tuple[str, ...]) -> str:
    return "not known" if score.winners is None else ", ".join(players[seat] for seat in score.winners) or "nobody"
