"""Checks a correction that a club's director sent: refused if the table has gone on, or somebody enters something."""

from __future__ import annotations

from companion.core.correction import correction_in_words
from companion.core.errors import IllegalEventError
from companion.core.events import CorrectionLine, ReplaceEvent, ReplaceEvents
from companion.core.text import Text
from companion.gamelog import LogError, decode_line, encode_line
from companion.ui.translations import _

from .inputs import DirectorCorrection
from .state import State

TOLD = _("{who} corrects entry {number}: {entry}. * takes it back")
TOLD_WITH_FEW_KEYS = _("{who} corrects entry {number}: {entry}. Hold ● to take it back")
LONGEST_NAME = 20  # characters of the director's name that the panel shows


def checked(asked: DirectorCorrection, state: State) -> tuple[CorrectionLine, Text] | Text | None:
    """Return the line to enter and the message for the table, or the reason why the correction does not count.

    Return None if it is the latest line already: it was taken before, and the answer did not arrive.
    """
    game = state.table.changeable
    if game is None or game.name != asked.game:
        return _("This game is not open at the table now")
    try:
        line = decode_line(asked.line, game.session.header)
        if not isinstance(line, ReplaceEvent | ReplaceEvents):
            return _("This line corrects nothing")
        if line == game.session.latest:
            return None
        if state.entry.answers or state.panel.typing:
            return _("Somebody is entering something at the table")
        entries = game.session.entries(line.event)[: line.drop]
        if not line.drop or asked.was != tuple(encode_line(entry.event) for entry in entries):
            return _("The entries at the table have changed")
        game.session.add(line)
    except (LogError, IllegalEventError) as refused:
        return refused.text
    entry = correction_in_words(game.session.header.game, line)
    who = "".join(filter(str.isprintable, asked.who))[:LONGEST_NAME]
    message = TOLD if "*" in state.table.key_layout.keys else TOLD_WITH_FEW_KEYS
    return line, Text(message.template, who=who, number=line.event, entry=entry)
