"""The settings: language, names of people, and the rows of the devices."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.text import Text
from companion.history.renamed_and_hidden import is_same_name
from companion.ui.screens.contents import (
    AWAY,
    ListContents,
    NameTypingScreen,
    OpenedListScreen,
    Row,
    back_to,
    home_from,
    menu,
    sentences,
)
from companion.ui.screens.context import (
    CHOOSE,
    OnMachine,
    Screen,
    ScreenContents,
    ScreenContext,
    SetLanguage,
    SetPeople,
    Transition,
    placeholder_names,
    refuse,
)
from companion.ui.screens.devices import SetSound, SoundStatus
from companion.ui.screens.help import TextScreen, keys_of
from companion.ui.screens.names import TypedName, fault, trimmed
from companion.ui.translations import NAMES, _, languages
from companion.ui.view import ListBody


class PeopleScreen(OpenedListScreen, frozen=True):
    """Everybody who ever played, latest first."""

    def show(self, context: ScreenContext) -> ScreenContents:
        names = context.everybody
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
        return menu(self, _("Names"), rows, self.before)


class PersonScreen(OpenedListScreen, frozen=True):
    """The choices for one person: rename, hide, show."""

    name: str

    def _rows(self, context: ScreenContext) -> tuple[Row, ...]:
        hidden = context.people.hides(self.name)
        typed = TypedName.begin(context.words.language, self.name)
        people = context.people.hide(self.name, not hidden)
        said = _("{name} is shown", name=self.name) if hidden else _("{name} is hidden", name=self.name)
        return (
            (_("Rename"), "", Transition(RenameScreen(self, name=typed))),
            (_("Show") if hidden else _("Hide"), "", Transition(self.before, SetPeople(people), said)),
        )

    def show(self, context: ScreenContext) -> ScreenContents:
        return menu(self, self.name, self._rows(context), self.before)


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
        latest = max((listed.number for listed in context.game_list.games), default=0)
        renamed = SetPeople(context.people.rename(old, new, latest))
        return Transition(self.person.before, renamed, _("{old} is now {new}", old=old, new=new))

    @property
    def expected_text(self) -> Text:
        return _("New name of {name}", name=self.person.name)


KEYS = _("Keys of the box")


class SettingsScreen(OpenedListScreen, frozen=True):
    """The list of settings."""

    def _items(self, context: ScreenContext) -> Iterator[Row]:
        label = _("Language of the box") if context.on_page else _("Language")
        language = context.box_language or context.words.language
        yield label, NAMES[language], Transition(LanguageScreen.opening(self, language))
        sound = context.machine.get(SoundStatus)
        if sound is not None:
            yield _("Sounds"), _("on") if sound.on else _("off"), Transition(self, OnMachine(SetSound(not sound.on)))
        yield _("Names"), "", Transition(PeopleScreen(self))
        yield from filter(None, (status.row(self) for status in context.machine.statuses))
        if context.game is not None:
            yield KEYS, "", Transition(TextScreen(self, KEYS, keys_of(context.game, context.key_layout)))

    def show(self, context: ScreenContext) -> ScreenContents:
        home = "" if context.game is None else AWAY
        return menu(self, _("Settings"), self._items(context), self.before, home=home)


class LanguageScreen(OpenedListScreen, frozen=True):
    """The choice of a language, each in its own language; at the first start there is no way back."""

    first: bool = False

    @classmethod
    def opening(cls, before: Screen, language: str) -> LanguageScreen:
        return cls(before, chosen=languages().index(language))

    def show(self, context: ScreenContext) -> ScreenContents:
        there = languages()
        title = (
            "Language · Langue · 言語"
            if self.first
            else (_("Language of the box") if context.on_page else _("Language"))
        )
        return ListContents(
            self,
            ListBody(title, tuple((NAMES[language], "") for language in there), self.chosen),
            "" if self.first else _("* back"),
            lambda row: Transition(self.before, SetLanguage(there[row])),
            () if self.first else (back_to(self.before), home_from(self)),
            _("choose"),
            _("Choose by number"),
        )
