"""The list of known people: rename, hide or show them. Old games keep their names."""

from __future__ import annotations

from msgspec.structs import replace

from companion.history.renamed_and_hidden import is_same_name
from companion.ui.screens.contents import NameTypingScreen, OpenedListScreen, Row, menu, sentences
from companion.ui.screens.names import TypedName, fault, trimmed
from companion.ui.translations import _

from .commands import HidePerson, RenamePerson
from .context import CHOOSE, ScreenContents, ScreenContext, Transition, placeholder_names, refuse


class PeopleScreen(OpenedListScreen, frozen=True):
    """Everybody who ever played, latest first."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words, names = context.words, context.everybody
        if not names:
            return sentences(self, context, _("Names"), [_("Nobody has played yet")], unknown=CHOOSE)
        rows = (
            (
                name,
                _("hidden") if context.people.hides(name) else "",
                Transition(PersonScreen(replace(self, chosen=row), name)),
            )
            for row, name in enumerate(names)
        )
        return menu(self, words, _("Names"), rows, self.before)


class PersonScreen(OpenedListScreen, frozen=True):
    """The choices for one person: rename, hide, show."""

    name: str

    def _rows(self, context: ScreenContext) -> tuple[Row, ...]:
        hidden = context.people.hides(self.name)
        typed = TypedName.begin(context.words.language, self.name)
        said = _("{name} is shown", name=self.name) if hidden else _("{name} is hidden", name=self.name)
        return (
            (_("Rename"), "", Transition(RenameScreen(self, name=typed))),
            (_("Show") if hidden else _("Hide"), "", Transition(self.before, HidePerson(self.name, not hidden), said)),
        )

    def show(self, context: ScreenContext) -> ScreenContents:
        return menu(self, context.words, self.name, self._rows(context), self.before)


class RenameScreen(NameTypingScreen, frozen=True):
    """Typing a person's new name."""

    person: PersonScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        return self.typing(context, self.person)

    def write(self, text: str, context: ScreenContext) -> Transition:
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
            return Transition(self.person.before)
        return Transition(self.person.before, RenamePerson(old, new), _("{old} is now {new}", old=old, new=new))

    def expected_text(self, context: ScreenContext) -> str:
        return context.words(_("New name of {name}", name=self.person.name))
