"""What is half entered: the keys pressed since nothing was, so that pulling the plug does not lose the answers."""

from __future__ import annotations

from contextlib import suppress

from companion.journal import Journal, JournalFault
from companion.ui.keys import Key, UnknownKey, parse
from companion.ui.screens.desk import Desk, Hide, Loud, Rename, Screen, Speak
from companion.ui.screens.play import Play
from companion.ui.screens.repair import Repair


class Draft:
    """Follows the keys of the entry under way; a walk through menus that leads back is no part of it.

    Attributes:
        keys: Those pressed since nothing was half entered, as they are written.
    """

    def __init__(self, journal: Journal) -> None:
        """Begin with nothing half entered."""
        self.keys = ""
        self._journal = journal
        self._half = Play().half
        self._path: list[tuple[Screen, int]] = []  # each screen since then, and how many of the keys led there

    def typed(self, key: Key) -> None:
        """Take note of a key."""
        self.keys += str(key)

    def entered(self) -> None:
        """Take note that nothing is half entered any more, nor kept."""
        self.keys = ""
        self._half = Play().half
        self._path.clear()

    def keep(self, screen: Screen, game: int) -> None:
        """Write down what is half entered; digits of an answer that is not complete are not worth a write."""
        self._reach(screen)
        if not isinstance(screen, Play | Repair) or screen.half == self._half:
            return
        self._half = screen.half
        with suppress(JournalFault):  # no line is lost by it, and the next line will say what is wrong
            self._journal.keep_draft(game, self.keys)

    def _reach(self, screen: Screen) -> None:
        """Forget the keys that led from a screen back to it: there may be settings among them, and they are many."""
        if screen == Play():
            self.keys = ""
            self._path.clear()
        for place in reversed(range(len(self._path))):
            if self._path[place][0] == screen:
                self.keys = self.keys[: self._path[place][1]]
                del self._path[place + 1 :]
                return
        self._path.append((screen, len(self.keys)))

    def take_up(self, desk: Desk, screen: Screen) -> Screen:
        """Press the keys of what was half entered when the plug was pulled, and return the screen they lead to."""
        try:
            keys = parse(self._journal.draft(desk.at_the_table().number))
        except (UnknownKey, JournalFault):  # nothing that was ever kept, or not to be read; the game goes on without
            return screen
        table = screen
        self._reach(table)
        for key in keys:
            move = screen.press(key, desk)
            if move.act is None or isinstance(move.act, Speak | Loud | Rename | Hide):  # what was done is done
                screen = move.screen
            else:  # what would enter something was refused then, or there would be no draft
                screen = move.otherwise or screen
            self.typed(key)
            self._reach(screen)
            if isinstance(screen, Play | Repair):
                table, self._half = screen, screen.half
        self._reach(table)
        return table
