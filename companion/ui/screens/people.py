"""The list of known people: rename, hide or show them. Old games keep their names."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core.text import Text
from companion.ui.people import same
from companion.ui.translations import _
from companion.ui.view import ListBody, TextBody, View

from .contents import Binding, Contents, KeyedContents, ListContents, ListScreen, NameTypingScreen, back_to, home_from
from .context import CHOOSE, Context, HidePerson, RenamePerson, Screen, Transition, no, nobodies
from .name_typing import TypedName, fault, trimmed


@dataclass(frozen=True, slots=True)
class PeopleScreen(ListScreen):
    """Everybody who ever played, most recent first.

    Attributes:
        before: The screen it was opened from.
    """

    before: Screen

    def show(self, desk: Context) -> Contents:
        """List the names, and say which are hidden; choose somebody, or go back."""
        words, names = desk.words, desk.everybody
        title, foot = words(_("Names")), words(_("* back"))
        leaving = home_from(self, words), back_to(self.before, words)
        if not names:
            return KeyedContents(
                self, View(TextBody(title, (words(_("Nobody has played yet")),)), foot), leaving, CHOOSE
            )
        rows = tuple((name, words(_("hidden")) if desk.people.hides(name) else "") for name in names)
        return ListContents(
            self,
            ListBody(title, rows, self.chosen),
            foot,
            lambda row: Transition(PersonScreen(replace(self, chosen=row), names[row])),
            (Binding("#", words(_("choose"))), *leaving),
        )


@dataclass(frozen=True, slots=True)
class PersonScreen(ListScreen):
    """The choices for one person: rename, hide, show.

    Attributes:
        roster: The list it stands on.
        name: The name.
    """

    roster: PeopleScreen
    name: str

    def _rows(self, desk: Context) -> tuple[tuple[Text, Transition], ...]:
        hidden = desk.people.hides(self.name)
        said = _("{name} is shown", name=self.name) if hidden else _("{name} is hidden", name=self.name)
        return (
            (_("Rename"), Transition(RenameScreen(self, name=TypedName(self.name)))),
            (_("Show") if hidden else _("Hide"), Transition(self.roster, HidePerson(self.name, not hidden), said)),
        )

    def show(self, desk: Context) -> Contents:
        """Show what can be done; rename, hide or show, or go back."""
        words, rows = desk.words, self._rows(desk)
        return ListContents(
            self,
            ListBody(self.name, tuple((words(text), "") for text, _move in rows), self.chosen),
            words(_("* back")),
            lambda row: rows[row][1],
            (Binding("#", words(_("choose"))), home_from(self, words), back_to(self.roster, words)),
        )


@dataclass(frozen=True, slots=True)
class RenameScreen(NameTypingScreen):
    """Typing a person's new name.

    Attributes:
        person: Whose name it is.
    """

    person: PersonScreen

    def show(self, desk: Context) -> Contents:
        """Show the name so far; type, take a letter back, or settle it."""
        return self.typing(desk, self.person)

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
