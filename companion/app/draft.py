"""What is half entered: the keys pressed since nothing was, so that pulling the plug does not lose the answers."""

from __future__ import annotations

from companion.journal import Journal, JournalFault
from companion.ui.keys import Key, UnknownKey, parse
from companion.ui.screens.desk import Desk, Loud, Screen, Speak
from companion.ui.screens.play import Play
from companion.ui.screens.repair import Repair


class Draft:
    """Follows the keys of the entry under way.

    Attributes:
        keys: Those pressed since nothing was half entered, as they are written.
    """

    def __init__(self, journal: Journal) -> None:
        """Begin with nothing half entered."""
        self.keys = ""
        self._journal = journal
        self._half = Play().half
        self._table: tuple[Screen, str] = (Play(), "")  # as it was last seen, and the keys that led there

    def typed(self, key: Key) -> None:
        """Take note of a key."""
        self.keys += str(key)

    def entered(self) -> None:
        """Take note that nothing is half entered any more, nor kept."""
        self.keys = ""
        self._half = Play().half

    def keep(self, screen: Screen, game: int) -> None:
        """Write down what is half entered; digits of an answer that is not complete are not worth a write."""
        if not isinstance(screen, Play | Repair):
            return
        if screen == Play():
            self.keys = ""
        elif screen == self._table[0]:  # a walk through menus led back: it is no part of what is half entered
            self.keys = self._table[1]
        self._table = screen, self.keys
        if screen.half != self._half:
            self._half = screen.half
            try:
                self._journal.keep_draft(game, self.keys)
            except JournalFault:  # no line is lost by it, and the next line will say what is wrong
                return

    def take_up(self, desk: Desk, screen: Screen) -> Screen:
        """Press the keys of what was half entered when the plug was pulled, and return the screen they lead to."""
        try:
            keys = parse(self._journal.draft(desk.at_the_table().number))
        except UnknownKey:  # nothing that was ever kept; the game goes on without it
            return screen
        table = screen
        for key in keys:
            move = screen.press(key, desk)
            if move.act is not None and not isinstance(move.act, Speak | Loud):  # which was done when it was pressed
                screen, self.keys = table, self._table[1]
                break
            screen = move.screen
            self.typed(key)
            if isinstance(screen, Play | Repair):
                self._half = screen.half
                table, self._table = screen, (screen, self.keys)
        return screen
