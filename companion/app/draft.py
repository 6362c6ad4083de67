"""The draft: the keys typed since the last entry, kept so that a restart loses none of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.ui.keys import Key, UnknownKey, parse
from companion.ui.screens.desk import Desk, Hide, Loud, Rename, Screen, Speak
from companion.ui.screens.play import Play
from companion.ui.screens.repair import Repair

NOTHING = Play().half
"""The empty draft."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The keys of the entry under way; a walk through menus that leads back is no part of it.

    Attributes:
        keys: Those pressed since nothing was half entered, as they are written.
        kept: What was half entered when the journal last took these keys.
        path: Each screen since nothing was half entered, and how many of the keys led there.
    """

    keys: str = ""
    kept: tuple[object, ...] = NOTHING
    path: tuple[tuple[Screen, int], ...] = ()

    def typed(self, key: Key, screen: Screen) -> Draft:
        """Return the draft after a key that led to a screen."""
        return replace(self, keys=self.keys + str(key)).reached(screen)

    def reached(self, screen: Screen) -> Draft:
        """Forget the keys that led from a screen back to it: there may be settings among them, and they are many."""
        if screen == Play():
            return replace(self, keys="", path=((screen, 0),))
        for place, (other, keys) in reversed([*enumerate(self.path)]):
            if other == screen:
                return replace(self, keys=self.keys[:keys], path=self.path[: place + 1])
        return replace(self, path=(*self.path, (screen, len(self.keys))))

    def half(self, screen: Screen) -> tuple[object, ...]:
        """Return what is half entered on a screen; elsewhere than at the table it is as it was kept."""
        return screen.half if isinstance(screen, Play | Repair) else self.kept

    @classmethod
    def taken_up(cls, written: str, desk: Desk, table: Screen) -> tuple[Draft, Screen]:
        """Press the keys of what was half entered at a table before a restart.

        Returns:
            The draft, and the screen they lead to.
        """
        draft, screen = cls(), table
        try:
            keys = parse(written)
        except UnknownKey:  # nothing that was ever kept
            return draft, screen
        for key in keys:
            move = screen.press(key, desk)
            if move.act is None or isinstance(move.act, Speak | Loud | Rename | Hide):  # what was done is done
                screen = move.screen
            else:  # what would enter something was refused then, or there would be no draft
                screen = move.otherwise or screen
            draft = draft.typed(key, screen)
            if isinstance(screen, Play | Repair):
                table, draft = screen, replace(draft, kept=screen.half)
        return draft.reached(table), table
