"""The settings: language, names of people, and the rows of the devices."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.text import Text
from companion.history.renamed_and_hidden import is_same_name
from companion.ui.screens.contents import (
    AWAY,
    OpenedListScreen,
    menu,
    sentences,
    typing_name,
)
from companion.ui.screens.context import (
    CHOOSE,
    MachineAction,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    SetLanguage,
    SetPeople,
    Status,
    Transition,
    placeholder_names,
    refuse,
)
from companion.ui.screens.names import TypedName, fault, trimmed
from companion.ui.translations import NAMES, _, languages

IN_ALL_GAMES = _("in all games")
"""Said beside the new name of a person: which games have it."""


class PeopleScreen(OpenedListScreen, frozen=True):
    """Everybody who ever played, latest first."""

    def show(self, context: ScreenContext) -> ScreenContents:
        names = context.everybody
        if not names:
            return sentences(self, _("Names"), [_("Nobody has played yet")], unknown=CHOOSE)

        def row(here: Screen, name: str) -> Row:
            return Row(name, Transition(PersonScreen(here, name)), _("hidden") if context.people.hides(name) else "")

        return menu(self, _("Names"), self.rows(names, row), self.before)


class PersonScreen(OpenedListScreen, frozen=True):
    """The choices for one person: rename, hide, show. The new name is typed here, too: the one place where it is."""

    person: str
    name: TypedName | None = None  # the new name that is typed, if one is
    done: Screen | None = None  # where a new name leads; None if it leads back

    def show(self, context: ScreenContext) -> ScreenContents:
        if self.name is not None:
            return typing_name(self, self.name, context)
        hidden = context.people.hides(self.person)
        typed = TypedName.begin(context.words.language, self.person)
        people = context.people.hide(self.person, not hidden)
        said = _("{name} is shown", name=self.person) if hidden else _("{name} is hidden", name=self.person)
        rows = (
            Row(_("Rename"), Transition(replace(self, name=typed)), below=IN_ALL_GAMES),
            Row(_("Show") if hidden else _("Hide"), Transition(self.before, SetPeople(people), said)),
        )
        return menu(self, self.person, rows, self.before)

    def write(self, text: str, context: ScreenContext) -> Transition:
        if self.name is None:
            return super().write(text, context)
        old, new = self.person, trimmed(text)
        wrong = fault(new)
        if wrong is not None:
            return refuse(self, wrong)
        done, game = self.done or self.before, context.changeable
        seated, others = _seated(old, new, context)
        names = (*context.everybody, *others, *placeholder_names(context.words))
        if any(is_same_name(new, name) for name in names if not is_same_name(name, old)):
            return refuse(self, _("{name} is on the list already", name=new))
        if seated and not is_same_name(context.renamed(new), old):
            earlier = fault_of_earlier_name(new, context)
            if earlier is not None:
                return refuse(self, earlier)
        if new == old and not seated:
            return Transition(done)
        latest = max((0 if game is None else game.number, *(listed.number for listed in context.game_list.games)))
        people = context.people if new == old else context.people.rename(old, new, latest)
        return Transition(done, SetPeople(people, seated), _("{old} is now {new}", old=old, new=new))

    @property
    def expected_text(self) -> Text | None:
        return None if self.name is None else _("New name of {name}", name=self.person)


def _seated(old: str, new: str, context: ScreenContext) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names by seat in the open game once a person has a new one, and the names of the others there.

    The first are empty if the game keeps its names.
    """
    game = context.changeable
    if game is None:
        return (), ()
    now = tuple(map(context.renamed, game.players))
    seats = [seat for seat, name in enumerate(now) if is_same_name(name, old)]
    own = min(seats, key=lambda seat: not is_same_name(game.players[seat], old), default=-1)
    others = tuple(name for names in (now, game.players) for seat, name in enumerate(names) if seat != own)
    seated = tuple(new if seat == own else name for seat, name in enumerate(game.players))
    return () if seated == game.players else seated, others


def fault_of_earlier_name(name: str, context: ScreenContext) -> Text | None:
    """Return why nobody can sit down under a name in the open game: it is somebody's earlier name there."""
    now = context.renamed(name)
    return None if is_same_name(now, name) else _("{old} is called {new} now", old=name, new=now)


class SoundStatus(Status, frozen=True):
    """Whether sounds are played. Its row stands near the top, not among the machine's."""

    on: bool


class SetSound(MachineAction, frozen=True):
    """Action: switch the sound on or off."""

    on: bool


KEYS = _("Keys of the box")


class SettingsScreen(OpenedListScreen, frozen=True):
    """The list of settings."""

    def _items(self, context: ScreenContext) -> Iterator[Row]:
        label = _("Language of the box") if context.on_page else _("Language")
        language = context.box_language or context.words.language
        yield Row(label, Transition(LanguageScreen.opening(self, language)), NAMES[language])
        sound = context.machine.get(SoundStatus)
        if sound is not None:
            switched = Transition(self, SetSound(not sound.on))
            yield Row(_("Sounds"), switched, _("on") if sound.on else _("off"))
        yield Row(_("Names"), Transition(PeopleScreen(self)))
        yield from filter(None, (status.row(self) for status in context.machine.statuses))
        if context.game is not None:
            from companion.ui.screens.help import TextScreen, keys_of  # no start needs it

            yield Row(KEYS, Transition(TextScreen(self, KEYS, keys_of(context.game, context.key_layout))))

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
        return menu(
            self,
            title,
            (Row(NAMES[language], Transition(self.before, SetLanguage(language))) for language in there),
            None if self.first else self.before,
            foot="" if self.first else _("* back"),
            unknown=_("Choose by number"),
        )
