"""The names that are remembered: called otherwise, hidden, shown again. Old games keep the names they have."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core.text import Text
from companion.ui.keys import Key
from companion.ui.people import same
from companion.ui.translations import _
from companion.ui.view import ListBody, TextBody, View

from .context import CHOOSE, HOME, Context, HidePerson, Labels, RenamePerson, Screen, Transition, leave, no, nobodies
from .list_selection import moved, row_labels, settled
from .name_typing import TypedName, fault, trimmed


@dataclass(frozen=True, slots=True)
class PeopleScreen:
    """Everybody who ever played, most recent first.

    Attributes:
        before: The screen it was opened from.
        chosen: The row that is highlighted.
    """

    before: Screen
    chosen: int = 0

    def press(self, key: Key, desk: Context) -> Transition:
        """Choose somebody, or go back."""
        if key == HOME:
            return leave(self)
        if key.name == "*":
            return Transition(self.before)
        names = desk.everybody
        row = settled(len(names), self.chosen, key)
        if row is not None:
            return Transition(PersonScreen(replace(self, chosen=row), names[row]))
        row = moved(len(names), self.chosen, key)
        return Transition(replace(self, chosen=row)) if row is not None else no(self, CHOOSE)

    def view(self, desk: Context) -> View:
        """List the names, and say which are hidden."""
        words = desk.words
        names = desk.everybody
        if not names:
            return View(TextBody(words(_("Names")), (words(_("Nobody has played yet")),)), words(_("* back")))
        rows = tuple((name, words(_("hidden")) if desk.people.hides(name) else "") for name in names)
        return View(ListBody(words(_("Names")), rows, self.chosen), words(_("* back")))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        words = desk.words
        choose = {"#": words(_("choose"))} if desk.everybody else {}
        return {**row_labels(self.view(desk).body), **choose, "h*": words(_("home")), "*": words(_("back"))}


@dataclass(frozen=True, slots=True)
class PersonScreen:
    """What can be done about a name.

    Attributes:
        roster: The list it stands on.
        name: The name.
        chosen: The row that is highlighted.
    """

    roster: PeopleScreen
    name: str
    chosen: int = 0

    def _rows(self, desk: Context) -> tuple[tuple[Text, Transition], ...]:
        hidden = desk.people.hides(self.name)
        said = _("{name} is shown", name=self.name) if hidden else _("{name} is hidden", name=self.name)
        return (
            (_("Rename"), Transition(RenameScreen(self, TypedName(self.name)))),
            (_("Show") if hidden else _("Hide"), Transition(self.roster, HidePerson(self.name, not hidden), said)),
        )

    def press(self, key: Key, desk: Context) -> Transition:
        """Rename, hide or show, or go back."""
        if key == HOME:
            return leave(self)
        if key.name == "*":
            return Transition(self.roster)
        rows = self._rows(desk)
        row = settled(len(rows), self.chosen, key)
        if row is not None:
            return rows[row][1]
        row = moved(len(rows), self.chosen, key)
        return Transition(replace(self, chosen=row)) if row is not None else no(self, CHOOSE)

    def view(self, desk: Context) -> View:
        """Show what can be done."""
        rows = tuple((desk.words(text), "") for text, _move in self._rows(desk))
        return View(ListBody(self.name, rows, self.chosen), desk.words(_("* back")))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        words = desk.words
        leaving = {"h*": words(_("home")), "*": words(_("back"))}
        return {**row_labels(self.view(desk).body), "#": words(_("choose")), **leaving}


@dataclass(frozen=True, slots=True)
class RenameScreen:
    """Typing what somebody is to be called, from what the name is now.

    Attributes:
        person: Whose name it is.
        name: The name as it is typed.
    """

    person: PersonScreen
    name: TypedName

    def press(self, key: Key, desk: Context) -> Transition:
        """Type, take a letter back, or settle the name."""
        if key == HOME:
            return leave(self)
        if key == Key("#"):
            return self.write(self.name.whole, desk)
        typed = self.name.press(key)
        if typed is not None:
            return Transition(replace(self, name=typed))
        if key.name == "*":
            return Transition(self.person)
        return no(self, _("{key} types nothing here", key=str(key)))

    def write(self, text: str, desk: Context) -> Transition:
        """Settle the name."""
        old, new = self.person.name, trimmed(text)
        wrong = fault(new)
        if wrong is not None:
            return no(self, wrong)
        others = (name for name in (*desk.everybody, *nobodies(desk.words)) if not same(name, old))
        if any(same(new, name) for name in others):
            return no(self, _("{name} is on the list already", name=new))
        if new == old:
            return Transition(self.person.roster)
        return Transition(self.person.roster, RenamePerson(old, new), _("{old} is now {new}", old=old, new=new))

    def wanted(self, desk: Context) -> str:
        """Say what is to be written."""
        return desk.words(_("New name of {name}", name=self.person.name))

    def view(self, desk: Context) -> View:
        """Show the name so far."""
        return View(self.name.typing(self.wanted(desk)), self.name.foot(desk.words))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        return self.name.labels(desk.words)
