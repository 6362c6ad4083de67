"""What is chosen once for the box: its language, whether it is heard, who plays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.core.text import Text
from companion.ui.keys import Key
from companion.ui.translations import NAMES, Translator, _, languages
from companion.ui.view import ListBody, View

from .context import CHOOSE, HOME, Context, Labels, Screen, SetLanguage, SetSound, Transition, leave, no
from .list_selection import moved, row_labels, settled
from .people import PeopleScreen


class SettingsRow(NamedTuple):
    """A row of the settings and what it does."""

    text: Text
    value: Text
    move: Transition


@dataclass(frozen=True, slots=True)
class SettingsScreen:
    """The settings.

    Attributes:
        before: The screen they were opened from.
        chosen: The row that is highlighted.
    """

    before: Screen
    chosen: int = 0

    def _items(self, desk: Context) -> tuple[SettingsRow, ...]:
        spoken = Text(NAMES[desk.words.language])
        items = [SettingsRow(_("Language"), spoken, Transition(LanguageScreen.opening(self, desk.words)))]
        if desk.loud is not None:
            value = _("on") if desk.loud else _("off")
            items.append(SettingsRow(_("Sounds"), value, Transition(self, SetSound(not desk.loud))))
        items.append(SettingsRow(_("Names"), Text(""), Transition(PeopleScreen(self))))
        return tuple(items)

    def press(self, key: Key, desk: Context) -> Transition:
        """Do what a row says, or go back."""
        if key == HOME:
            return leave(self)
        if key.name == "*":
            return Transition(self.before)
        items = self._items(desk)
        row = settled(len(items), self.chosen, key)
        if row is not None:
            return items[row].move
        row = moved(len(items), self.chosen, key)
        return Transition(replace(self, chosen=row)) if row is not None else no(self, CHOOSE)

    def view(self, desk: Context) -> View:
        """Show the rows and how they are set."""
        words = desk.words
        rows = tuple((words(item.text), words(item.value)) for item in self._items(desk))
        return View(ListBody(words(_("Settings")), rows, self.chosen), words(_("* back")))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        words = desk.words
        home = {} if desk.game is None else {"h*": words(_("home"))}  # else it is back that leads there
        return {**row_labels(self.view(desk).body), "#": words(_("choose")), **home, "*": words(_("back"))}


@dataclass(frozen=True, slots=True)
class LanguageScreen:
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
    def opening(cls, before: Screen, words: Translator) -> LanguageScreen:
        """Open the list at the language that is spoken."""
        return cls(before, languages().index(words.language))

    def press(self, key: Key, desk: Context) -> Transition:
        """Speak a language, or go back."""
        if key == HOME and not self.first:
            return leave(self)
        if key.name == "*" and not self.first:
            return Transition(self.before)
        there = languages()
        row = settled(len(there), self.chosen, key)
        if row is not None:
            return Transition(self.before, SetLanguage(there[row]))
        row = moved(len(there), self.chosen, key)
        return Transition(replace(self, chosen=row)) if row is not None else no(self, _("Choose by number"))

    def view(self, desk: Context) -> View:
        """Show the languages."""
        rows = tuple((NAMES[language], "") for language in languages())
        title = "Language · Langue · 言語" if self.first else desk.words(_("Language"))
        return View(ListBody(title, rows, self.chosen), "" if self.first else desk.words(_("* back")))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        back = {} if self.first else {"h*": desk.words(_("home")), "*": desk.words(_("back"))}
        return {**row_labels(self.view(desk).body), "#": desk.words(_("choose")), **back}
