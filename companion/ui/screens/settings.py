"""What is chosen once for the box: its language, whether it is heard, who plays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.core.text import Text
from companion.ui.keys import Key
from companion.ui.view import Rows, View
from companion.ui.words import NAMES, Words, _, languages

from .choosing import moved, row_labels, settled
from .desk import CHOOSE, HOME, Desk, Labels, Loud, Move, Screen, Speak, leave, no
from .roster import Roster


class Item(NamedTuple):
    """A row of the settings and what it does."""

    text: Text
    value: Text
    move: Move


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings.

    Attributes:
        before: The screen they were opened from.
        chosen: The row that is highlighted.
    """

    before: Screen
    chosen: int = 0

    def _items(self, desk: Desk) -> tuple[Item, ...]:
        spoken = Text(NAMES[desk.words.language])
        items = [Item(_("Language"), spoken, Move(Languages.opening(self, desk.words)))]
        if desk.loud is not None:
            value = _("on") if desk.loud else _("off")
            items.append(Item(_("Sounds"), value, Move(self, Loud(not desk.loud))))
        items.append(Item(_("Names"), Text(""), Move(Roster(self))))
        return tuple(items)

    def press(self, key: Key, desk: Desk) -> Move:
        """Do what a row says, or go back."""
        if key == HOME:
            return leave(self)
        if key.name == "*":
            return Move(self.before)
        items = self._items(desk)
        row = settled(len(items), self.chosen, key)
        if row is not None:
            return items[row].move
        row = moved(len(items), self.chosen, key)
        return Move(replace(self, chosen=row)) if row is not None else no(self, CHOOSE)

    def view(self, desk: Desk) -> View:
        """Show the rows and how they are set."""
        words = desk.words
        rows = tuple((words(item.text), words(item.value)) for item in self._items(desk))
        return View(Rows(words(_("Settings")), rows, self.chosen), words(_("* back")))

    def labels(self, desk: Desk) -> Labels:
        """Say what each key does."""
        words = desk.words
        home = {} if desk.game is None else {"h*": words(_("home"))}  # else it is back that leads there
        return {**row_labels(self.view(desk).body), "#": words(_("choose")), **home, "*": words(_("back"))}


@dataclass(frozen=True, slots=True)
class Languages:
    """The languages, each by its own name, so that whoever reads none of the others finds it.

    Attributes:
        before: The screen they were opened from.
        chosen: The row that is highlighted.
        first: Whether it is asked at the first start, where nothing lies before it.
    """

    before: Screen
    chosen: int = 0
    first: bool = False

    @classmethod
    def opening(cls, before: Screen, words: Words) -> Languages:
        """Open the list at the language that is spoken."""
        return cls(before, languages().index(words.language))

    def press(self, key: Key, desk: Desk) -> Move:
        """Speak a language, or go back."""
        if key == HOME and not self.first:
            return leave(self)
        if key.name == "*" and not self.first:
            return Move(self.before)
        there = languages()
        row = settled(len(there), self.chosen, key)
        if row is not None:
            return Move(self.before, Speak(there[row]))
        row = moved(len(there), self.chosen, key)
        return Move(replace(self, chosen=row)) if row is not None else no(self, _("Choose by number"))

    def view(self, desk: Desk) -> View:
        """Show the languages."""
        rows = tuple((NAMES[language], "") for language in languages())
        title = "Language · Langue · 言語" if self.first else desk.words(_("Language"))
        return View(Rows(title, rows, self.chosen), "" if self.first else desk.words(_("* back")))

    def labels(self, desk: Desk) -> Labels:
        """Say what each key does."""
        back = {} if self.first else {"h*": desk.words(_("home")), "*": desk.words(_("back"))}
        return {**row_labels(self.view(desk).body), "#": desk.words(_("choose")), **back}
