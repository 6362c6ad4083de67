"""The draft: the keys typed since the last entry, or for a new game; kept so that a restart loses none of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.ui.keys import Key, parse
from companion.ui.screens.context import Context, HidePerson, RenamePerson, Screen, SetLanguage, SetSound
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.setup import GameChoiceScreen
from companion.ui.screens.table import PlayScreen

NOTHING = PlayScreen().half
"""The empty draft."""

_TEXT = re.compile(r'("(?:[^"\\]|\\.)*")')
"""An answer written as a whole, among keys."""


def quoted(text: str) -> str:
    """Return an answer written as a whole, as it stands among keys.

    >>> quoted("はるな")
    '"はるな"'
    """
    return json.dumps(text, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Draft:
    """The keys of the entry, or of the set-up, under way; a walk through menus that leads back is no part of it.

    Attributes:
        keys: Those pressed since nothing was half entered, as they are written. Those of a set-up begin with the
            one that opened it.
        kept: What was half entered when the journal last took these keys.
        path: Each screen since nothing was half entered, and how many of the keys led there.
    """

    keys: str = ""
    kept: tuple[object, ...] = NOTHING
    path: tuple[tuple[Screen, int], ...] = ()

    def typed(self, keys: str, screen: Screen) -> Draft:
        """Return the draft after a key, or a written answer, that led to a screen."""
        return replace(self, keys=self.keys + keys).reached(screen)

    def reached(self, screen: Screen) -> Draft:
        """Forget the keys that led from a screen back to it: there may be settings among them, and they are many."""
        if screen == PlayScreen():
            return replace(self, keys="", path=((screen, 0),))
        for place, (other, keys) in reversed([*enumerate(self.path)]):
            if other == screen:
                return replace(self, keys=self.keys[:keys], path=self.path[: place + 1])
        return replace(self, path=(*self.path, (screen, len(self.keys))))

    def away(self, keys: str, screen: Screen) -> Draft:
        """Return the draft after a key, or a written answer, while no game is on the table: only a set-up has one."""
        return Draft(kept=self.kept) if screen.half is None else self.typed(keys, screen)

    def half(self, screen: Screen, *, table: bool) -> tuple[object, ...]:
        """Return what is half entered on a screen; its last part is the answer under way.

        Args:
            screen: The screen.
            table: Whether a game is on the table: its menus leave what is half entered there as it was kept.
        """
        if screen.half is None:
            return self.kept if table else NOTHING
        return screen.half

    @classmethod
    def taken_up(cls, written: str, desk: Context, table: Screen) -> tuple[Draft, Screen]:
        """Press the keys of what was half entered at a table before a restart.

        Returns:
            The draft, and the screen they lead to.
        """
        return cls()._replayed(written, desk, table)

    @classmethod
    def set_up(cls, written: str, desk: Context) -> tuple[Draft, Screen]:
        """Press the keys of a set-up before a restart; the first of them has opened it, on whichever row of home.

        Returns:
            The draft, and the screen they lead to.
        """
        opened = GameChoiceScreen.opening(HomeScreen())
        return cls().typed(written[:1], opened)._replayed(written[1:], desk, opened)

    def _replayed(self, written: str, desk: Context, screen: Screen) -> tuple[Draft, Screen]:
        """Return the draft after more keys, and the last screen with something half entered that they led to."""
        draft, last = replace(self, kept=screen.half or NOTHING), screen
        try:
            typed = [*_read(written)]
        except ValueError:  # nothing that was ever kept
            return draft, last
        for each in typed:
            move = screen.show(desk).press(each) if isinstance(each, Key) else screen.write(each, desk)
            if move.act is None or isinstance(
                move.act, SetLanguage | SetSound | RenamePerson | HidePerson
            ):  # what was done is done
                screen = move.screen
            else:  # what would enter something was refused then, or there would be no draft
                screen = move.otherwise or screen
            draft = draft.typed(str(each) if isinstance(each, Key) else quoted(each), screen)
            if screen.half is not None:
                last, draft = screen, replace(draft, kept=screen.half)
        return draft.reached(last), last


def _read(written: str) -> Iterator[Key | str]:
    """Yield keys, and answers written as a whole.

    Raises:
        ValueError: It is neither.
    """
    for place, piece in enumerate(_TEXT.split(written)):
        if place % 2:
            yield str(json.loads(piece))
        else:
            yield from parse(piece)
