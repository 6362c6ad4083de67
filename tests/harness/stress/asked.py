"""The question a box asks, as a value to compare before and after a power cut."""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.box import Box
from companion.gamelog import encode
from companion.ui.screens.table import PlayScreen


@dataclass(frozen=True, slots=True)
class Asked:
    """The question a box asks.

    Attributes:
        game: The open game: its number, lines, snapshot and tracking.
        entry: At the table, the draft, the entry being corrected and the prompt; None elsewhere.
    """

    game: tuple[object, ...] | None
    entry: tuple[object, ...] | None

    def like(self, other: Asked) -> bool:
        """Return whether two boxes ask the same question, as far as both are at the table."""
        here = None in (self.entry, other.entry) or self.entry == other.entry
        return self.game == other.game and here


def asked(box: Box) -> Asked:
    game, screen = box.game, box.state.panel.screen
    if game is None:
        return Asked(None, None)
    snapshot = encode(game.session.header.game.snapshot(game.session.state))
    stands = (int(game.name[:6]), box.lines, snapshot, game.tracking)
    if not isinstance(screen, PlayScreen):
        return Asked(stands, None)
    return Asked(stands, (screen.draft, screen.position(game).ask(screen.answers)))
