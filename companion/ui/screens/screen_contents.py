"""What a screen shows, and what its keys do on boards with many or few keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial

from msgspec import Struct, field
from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.answer_ids import numbered_name
from companion.ui.few_key_choices import SelectableOptions, letters, listed, paged, plain
from companion.ui.keys import HOME, Key, Labels
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody, View

from .commands import leave
from .context import CHOOSE, Screen, ScreenContext, Transition, refuse
from .list_selection import MOVES_ONLY, confirmed_row, moved_row, numbered, row_labels
from .live_page_buttons import LivePageButtons
from .name_typing import TAKE, TOO_LONG, TypedName

AWAY = _("home")
"""The default label of the key that leads home."""


class KeyBinding(Struct, frozen=True):
    """A key of a screen, with its label and action."""

    key: str  # the key in text notation: ``7``, ``#``, ``h*``
    label: str  # a short label; empty for none
    # returns the key's transition; None for a key that chooses the highlighted row of a list
    do: Callable[[], Transition] | None = None
    types: bool = False  # whether it leads to typing by keys: a page has a field for text instead


def back_to(screen: Screen, words: Translator) -> KeyBinding:
    """Return the binding of the back key that leads to another screen."""
    return KeyBinding("*", words(_("back")), lambda: Transition(screen))


def home_from(screen: Screen, words: Translator) -> KeyBinding:
    """Return the binding of the held back key that leads home."""
    return KeyBinding(str(HOME), words(AWAY), lambda: leave(screen))


class OpenedScreen(Screen, frozen=True):
    """A screen that was opened from the screen ``before``, to which back leads."""

    before: Screen


class KeysOnlyContents(Struct, frozen=True, dict=True):
    """Contents with an explicit list of keys."""

    screen: Screen
    view: View
    bindings: tuple[KeyBinding, ...]
    unknown: Text  # the message for any other key
    # returns the transition that highlights a row of its list; None if it has no list to choose from
    highlight: Callable[[int], Transition] | None = None

    @property
    def taps(self) -> LivePageButtons:
        """Return the labelled keys with an action, and the rows that can be highlighted."""
        return LivePageButtons(self._rows, _actions(self.bindings))

    @property
    def _rows(self) -> int:
        body = self.view.body
        return len(body.rows) if self.highlight is not None and isinstance(body, ListBody) else 0

    @cached_property
    def labels(self) -> Labels:
        return _labels(self.bindings)

    @cached_property
    def ring(self) -> SelectableOptions:
        body = self.view.body
        return (
            listed(body, self.labels, _with_action(self.bindings)) if isinstance(body, ListBody) else plain(self.labels)
        )

    def press(self, key: Key) -> Transition:
        binding = _bound(self.bindings, key)
        return refuse(self.screen, self.unknown) if binding is None or binding.do is None else binding.do()

    def answer(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition that highlights a row; None for any other name."""
        row = _row(name, self._rows)
        return None if row is None or self.highlight is None else self.highlight(row)


class PageContents(KeysOnlyContents, frozen=True, dict=True):
    """Pages of text; ``A`` and ``B`` turn the page."""

    @cached_property
    def ring(self) -> SelectableOptions:
        """Return a ring with OK only; turning scrolls."""
        return paged(self.labels)


# Lists


class ListScreen(Screen, frozen=True, kw_only=True):
    """A screen with a list to choose from, and the highlighted row."""

    chosen: int = 0


class OpenedListScreen(ListScreen, frozen=True):
    """A list that was opened from the screen ``before``, to which back leads."""

    before: Screen


class ListContents(Struct, frozen=True, dict=True):
    """A list; a row is chosen by number, or highlighted and confirmed."""

    screen: ListScreen
    rows: ListBody
    foot: str
    choose: Callable[[int], Transition]  # returns the transition of choosing a row
    # the other keys. They include OK for its label; OK chooses the highlighted row unless it has an action
    bindings: tuple[KeyBinding, ...]
    unknown: Text = CHOOSE  # the message for any other key
    named: Mapping[str, str] = field(default_factory=dict)  # labels of rows, by key, that differ from the row's text

    @property
    def view(self) -> View:
        return View(self.rows, self.foot, names=self.rows.names)

    @cached_property
    def labels(self) -> Labels:
        return {**row_labels(self.rows), **self.named, **_labels(self.bindings)}

    @cached_property
    def ring(self) -> SelectableOptions:
        return listed(self.rows, self.labels, _with_action(self.bindings))

    @property
    def taps(self) -> LivePageButtons:
        """Return the rows, and the other keys with an action."""
        return LivePageButtons(len(self.rows.rows), _actions(self.bindings))

    def press(self, key: Key) -> Transition:
        """Return the transition of a key: its action, choosing a row, or moving the highlight."""
        count, chosen = len(self.rows.rows), self.rows.chosen
        binding = _bound(self.bindings, key)
        if binding is not None and binding.do is not None:
            return binding.do()
        row = confirmed_row(count, chosen, key, self.rows.start) if binding is None or not count else chosen
        if row is not None:
            return self.choose(row)
        row = moved_row(count, chosen, key)
        return refuse(self.screen, self.unknown) if row is None else Transition(replace(self.screen, chosen=row))

    def answer(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of choosing a row; in a long list, the row is highlighted, too."""
        row = _row(name, len(self.rows.rows))
        if row is None or numbered(len(self.rows.rows)):
            return None if row is None else self.choose(row)
        return replace(self.screen, chosen=row).show(context).press(Key("5"))


# Names


BACK = "back"
"""The name by which a page leaves the typing of a name, whatever is typed."""


class NameTypingScreen(Screen, frozen=True, kw_only=True):
    """A screen on which a name is typed."""

    name: TypedName = field(default_factory=TypedName)

    def typing(self, context: ScreenContext, before: Screen, known: tuple[str, ...] = ()) -> NameContents:
        """Return the contents, with the known names that match."""
        view = View(self.name.typing(self.expected_text(context), known), self.name.foot(context.words))
        labels = self.name.labels(context.words, known)
        settle = partial(self.write, context=context)
        return NameContents(self, view, labels, before, known, settle, context.words(_("back")))


class NameContents(Struct, frozen=True, dict=True):
    """Contents of a screen on which a name is typed."""

    screen: NameTypingScreen
    view: View
    labels: Labels
    before: Screen  # the screen that back leads to
    known: tuple[str, ...]  # known names that match; a key takes the first
    settle: Callable[[str], Transition]  # returns the transition of confirming a name
    back: str  # the label of the way back, whatever is typed

    @cached_property
    def ring(self) -> SelectableOptions:
        return letters(self.screen.name, self.labels)

    @property
    def taps(self) -> LivePageButtons:
        """Return the first known name and the ways out; the name itself is entered as text, so no letter is deleted."""
        known = {TAKE: self.labels[TAKE]} if TAKE in self.labels else {}
        return LivePageButtons(actions={**known, BACK: self.back, str(HOME): self.labels[str(HOME)]})

    def press(self, key: Key) -> Transition:
        """Return the transition of a key: type, delete, confirm the name, or take a known one."""
        if key == HOME:
            return leave(self.screen)
        if key == Key("#"):
            return self.settle(self.screen.name.whole)
        if key == Key(TAKE) and self.known:
            return self.settle(self.known[0])
        typed = self.screen.name.press(key)
        if typed is not None:
            return Transition(replace(self.screen, name=typed))
        if key.name == "*":
            return Transition(self.before)
        full = key.name.isdigit()  # every digit types a letter if there is room
        return refuse(self.screen, TOO_LONG if full else _("{key} types nothing here", key=str(key)))

    def answer(self, name: str, context: ScreenContext) -> Transition | None:
        if name == BACK:
            return Transition(self.before)
        kind, _space, letter = name.partition(" ")
        typed = self.screen.name.with_letter(letter) if kind == "letter" else None
        if typed is None:
            return None
        if typed.too_long:
            return refuse(self.screen, TOO_LONG)
        return Transition(replace(self.screen, name=typed))


def _row(name: str, count: int) -> int | None:
    number = numbered_name("row", name)
    return None if number is None or not 0 < number <= count else number - 1


def _bound(bindings: tuple[KeyBinding, ...], key: Key) -> KeyBinding | None:
    return next((binding for binding in bindings if binding.key == str(key)), None)


def _labels(bindings: tuple[KeyBinding, ...]) -> dict[str, str]:
    return {binding.key: binding.label for binding in bindings if binding.label}


def _actions(bindings: tuple[KeyBinding, ...]) -> dict[str, str]:
    """Return the labels of the keys with an action that a page needs, too: none that only moves or types."""
    return {
        binding.key: binding.label
        for binding in bindings
        if binding.do is not None and binding.label and not binding.types and binding.label not in MOVES_ONLY
    }


def _with_action(bindings: tuple[KeyBinding, ...]) -> set[str]:
    return {binding.key for binding in bindings if binding.do is not None}
