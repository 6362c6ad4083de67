"""The contents of a screen: its view and its key bindings; presses, labels and few-key choices follow from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Protocol

from companion.core.text import Text
from companion.ui.keys import Key
from companion.ui.options import OptionRing, letters, listed, paged, plain
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody, View

from .context import CHOOSE, HOME, Context, Labels, Screen, Transition, leave, refuse
from .list_selection import confirmed_row, moved_row, row_labels
from .name_typing import TAKE, TypedName

AWAY = _("home")
"""The usual label of the key that leads home."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A key of a screen, and what it does.

    Attributes:
        key: The key as it is written: ``7``, ``#``, ``h*``.
        label: What it does, in short words; empty where it needs no label.
        do: Returns what it leads to; None for a key that chooses the highlighted row of a list.
    """

    key: str
    label: str
    do: Callable[[], Transition] | None = None


def back_to(screen: Screen, words: Translator) -> Binding:
    """Return the binding of the back key that leads to another screen."""
    return Binding("*", words(_("back")), lambda: Transition(screen))


def home_from(screen: Screen, words: Translator, label: Text = AWAY) -> Binding:
    """Return the binding of the held back key, which leads home."""
    return Binding(str(HOME), words(label), lambda: leave(screen))


class Contents(Protocol):
    """What a screen shows and what can be done there."""

    @property
    def view(self) -> View:
        """Return what is on the panel."""

    @property
    def labels(self) -> Labels:
        """Return what each key does, by the key as it is written; short words."""

    @property
    def ring(self) -> OptionRing:
        """Return what boards with few keys can turn to."""

    def press(self, key: Key) -> Transition:
        """Return what a key leads to."""


@dataclass(frozen=True)
class KeyedContents:
    """Contents whose keys are listed one by one.

    Attributes:
        screen: The screen.
        view: What is on the panel.
        bindings: The keys.
        unknown: What is said to any other key.
    """

    screen: Screen
    view: View
    bindings: tuple[Binding, ...]
    unknown: Text

    @cached_property
    def labels(self) -> Labels:
        """Return what each key does."""
        return _labels(self.bindings)

    @cached_property
    def ring(self) -> OptionRing:
        """Return the rows of a list, or the keys."""
        body = self.view.body
        return listed(body, self.labels, _own(self.bindings)) if isinstance(body, ListBody) else plain(self.labels)

    def press(self, key: Key) -> Transition:
        """Do what a key is bound to."""
        binding = _bound(self.bindings, key)
        return refuse(self.screen, self.unknown) if binding is None or binding.do is None else binding.do()


@dataclass(frozen=True)
class PageContents(KeyedContents):
    """Something to read page by page, where ``A`` and ``B`` move."""

    @cached_property
    def ring(self) -> OptionRing:
        """Return the way back; turning moves."""
        return paged(self.labels)


# Lists


@dataclass(frozen=True, slots=True)
class ListScreen(Screen, Protocol):
    """A screen with a list to choose from.

    Attributes:
        chosen: The row that is highlighted.
    """

    chosen: int = field(default=0, kw_only=True)


@dataclass(frozen=True)
class ListContents:
    """A list that is chosen from by number, or by moving and settling.

    Attributes:
        screen: The screen.
        rows: The list.
        foot: The bottom line.
        choose: Returns what choosing a row leads to.
        bindings: The keys that do something else; OK among them has its label here, and mostly chooses.
        unknown: What is said to any other key.
        named: The labels of rows that say something else than the row's text, by key.
    """

    screen: ListScreen
    rows: ListBody
    foot: str
    choose: Callable[[int], Transition]
    bindings: tuple[Binding, ...]
    unknown: Text = CHOOSE
    named: Mapping[str, str] = field(default_factory=dict)

    @property
    def view(self) -> View:
        """Return what is on the panel."""
        return View(self.rows, self.foot)

    @cached_property
    def labels(self) -> Labels:
        """Return what each key does."""
        return {**row_labels(self.rows), **self.named, **_labels(self.bindings)}

    @cached_property
    def ring(self) -> OptionRing:
        """Return the rows, and what else can be done."""
        return listed(self.rows, self.labels, _own(self.bindings))

    def press(self, key: Key) -> Transition:
        """Do what a key is bound to, choose a row, or move."""
        count, chosen = len(self.rows.rows), self.rows.chosen
        binding = _bound(self.bindings, key)
        if binding is not None and binding.do is not None:
            return binding.do()
        row = confirmed_row(count, chosen, key, self.rows.start) if binding is None or not count else chosen
        if row is not None:
            return self.choose(row)
        row = moved_row(count, chosen, key)
        return refuse(self.screen, self.unknown) if row is None else Transition(replace(self.screen, chosen=row))


# Names


@dataclass(frozen=True, slots=True)
class NameTypingScreen(Screen, Protocol):
    """A screen on which a name is typed.

    Attributes:
        name: The name as it is typed.
    """

    name: TypedName = field(default_factory=TypedName, kw_only=True)

    def typing(self, context: Context, before: Screen, known: tuple[str, ...] = ()) -> NameContents:
        """Return the contents.

        Args:
            context: What the screens know.
            before: The screen that back leads to.
            known: Known names that it may become.
        """
        view = View(self.name.typing(self.expected_text(context), known), self.name.foot(context.words))
        return NameContents(
            self, view, self.name.labels(context.words, known), before, known, partial(self.write, context=context)
        )


@dataclass(frozen=True)
class NameContents:
    """A name being typed.

    Attributes:
        screen: The screen.
        view: What is on the panel.
        labels: What each key does.
        before: The screen that back leads to.
        known: Known names that it may become; a key takes the first.
        settle: Returns what settling on a name leads to.
    """

    screen: NameTypingScreen
    view: View
    labels: Labels
    before: Screen
    known: tuple[str, ...]
    settle: Callable[[str], Transition]

    @cached_property
    def ring(self) -> OptionRing:
        """Return the letters, and what settles the name."""
        return letters(self.screen.name, self.labels)

    def press(self, key: Key) -> Transition:
        """Type, take a letter back, or settle the name as typed or as known."""
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
        return refuse(self.screen, _("{key} types nothing here", key=str(key)))


def _bound(bindings: tuple[Binding, ...], key: Key) -> Binding | None:
    return next((binding for binding in bindings if binding.key == str(key)), None)


def _labels(bindings: tuple[Binding, ...]) -> dict[str, str]:
    return {binding.key: binding.label for binding in bindings if binding.label}


def _own(bindings: tuple[Binding, ...]) -> set[str]:
    """Return the keys that do something of their own."""
    return {binding.key for binding in bindings if binding.do is not None}
