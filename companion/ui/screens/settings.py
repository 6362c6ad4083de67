"""The settings: language, sound, people, and a row for each feature of the machine that has one."""

from __future__ import annotations

from collections.abc import Iterator

from companion.ui.screens.contents import (
    AWAY,
    ListContents,
    OpenedListScreen,
    Row,
    back_to,
    home_from,
    menu,
)
from companion.ui.screens.help import TextScreen, keys_of
from companion.ui.translations import NAMES, _, languages
from companion.ui.view import ListBody

from .commands import OnMachine, SetLanguage
from .context import Screen, ScreenContents, ScreenContext, Transition
from .machine.sound_switch import SetSound, SoundStatus
from .manage_people import PeopleScreen

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
        return menu(self, context.words, _("Settings"), self._items(context), self.before, home=home)


class LanguageScreen(OpenedListScreen, frozen=True):
    """The choice of a language, each in its own language; at the first start there is no way back."""

    first: bool = False

    @classmethod
    def opening(cls, before: Screen, language: str) -> LanguageScreen:
        return cls(before, chosen=languages().index(language))

    def show(self, context: ScreenContext) -> ScreenContents:
        words, there = context.words, languages()
        title = (
            "Language · Langue · 言語"
            if self.first
            else words(_("Language of the box") if context.on_page else _("Language"))
        )
        return ListContents(
            self,
            ListBody(title, tuple((NAMES[language], "") for language in there), self.chosen),
            "" if self.first else words(_("* back")),
            lambda row: Transition(self.before, SetLanguage(there[row])),
            () if self.first else (back_to(self.before, words), home_from(self, words)),
            words(_("choose")),
            _("Choose by number"),
        )
