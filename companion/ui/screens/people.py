"""The list of known people: rename, hide or show them. Old games keep their names."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.text import Text
from companion.history.renamed_and_hidden import is_same_name
from companion.ui.translations import _
from companion.ui.view import ListBody, TextBody, View

from .commands import HidePerson, RenamePerson
from .context import CHOOSE, Screen, ScreenContext, Transition, placeholder_names, refuse
from .name_typing import TypedName, fault, trimmed
from .screen_contents import (
    KeyBinding,
    KeysOnlyContents,
    ListContents,
    ListScreen,
    NameTypingScreen,
    ScreenContents,
    back_to,
    home_from,
)


class PeopleScreen(ListScreen, frozen=True):
    """Everybody who ever played, latest first.

    Attributes:
        before: The screen it was opened from.
    """

    before: Screen

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list of names, with hidden ones marked."""
        words, names = context.words, context.everybody
        title, foot = words(_("Names")), words(_("* back"))
        leaving = home_from(self, words), back_to(self.before, words)
        if not names:
            return KeysOnlyContents(
                self, View(TextBody(title, (words(_("Nobody has played yet")),)), foot), leaving, CHOOSE
            )
        rows = tuple((name, words(_("hidden")) if context.people.hides(name) else "") for name in names)
        return ListContents(
            self,
            ListBody(title, rows, self.chosen),
            foot,
            lambda row: Transition(PersonScreen(replace(self, chosen=row), names[row])),
            (KeyBinding("#", words(_("choose"))), *leaving),
        )


class PersonScreen(ListScreen, frozen=True):
    """The choices for one person: rename, hide, show.

    Attributes:
        roster: The list of people.
        name: The person's name.
    """

    roster: PeopleScreen
    name: str

    def _rows(self, context: ScreenContext) -> tuple[tuple[Text, Transition], ...]:
        hidden = context.people.hides(self.name)
        said = _("{name} is shown", name=self.name) if hidden else _("{name} is hidden", name=self.name)
        return (
            (_("Rename"), Transition(RenameScreen(self, name=TypedName(self.name)))),
            (_("Show") if hidden else _("Hide"), Transition(self.roster, HidePerson(self.name, not hidden), said)),
        )

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list of choices."""
        words, rows = context.words, self._rows(context)
        return ListContents(
            self,
            ListBody(self.name, tuple((words(text), "") for text, _move in rows), self.chosen),
            words(_("* back")),
            lambda row: rows[row][1],
            (KeyBinding("#", words(_("choose"))), home_from(self, words), back_to(self.roster, words)),
        )


class RenameScreen(NameTypingScreen, frozen=True):
    """Typing a person's new name.

    Attributes:
        person: The screen of the person.
    """

    person: PersonScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the name so far, with keys that type, delete and confirm."""
        return self.typing(context, self.person)

    def write(self, text: str, context: ScreenContext) -> Transition:
        """Return the transition of confirming the name."""
        old, new = self.person.name, trimmed(text)
        wrong = fault(new)
        if wrong is not None:
            return refuse(self, wrong)
        others = (
            name for name in (*context.everybody, *placeholder_names(context.words)) if not is_same_name(name, old)
        )
        if any(is_same_name(new, name) for name in others):
            return refuse(self, _("{name} is on the list already", name=new))
        if new == old:
            return Transition(self.person.roster)
        return Transition(self.person.roster, RenamePerson(old, new), _("{old} is now {new}", old=old, new=new))

    def expected_text(self, context: ScreenContext) -> str:
        """Return the label of the text to enter."""
        return context.words(_("New name of {name}", name=self.person.name))
