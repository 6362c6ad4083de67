"""What a screen shows, and what its keys do on many or few keys: bindings, lists, menus, pages of text, names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from companion.core.text import NC_, Glyph, Text
from companion.ui.few_keys import SelectableOptions, letters, listed, paged, plain
from companion.ui.key_grammar import numbered_name
from companion.ui.keys import HOME, Key, Labels
from companion.ui.screens.commands import leave
from companion.ui.screens.context import CHOOSE, Screen, ScreenContents, ScreenContext, Transition, refuse
from companion.ui.screens.list_selection import (
    COLON,
    MOVES_ONLY,
    NUMBERED,
    confirmed_row,
    moved_row,
    numbered,
    row_labels,
)
from companion.ui.screens.live_page_buttons import LivePageButtons
from companion.ui.screens.names import TAKE, TOO_LONG, TypedName
from companion.ui.text_pages import page_pieces, page_starts
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody, TableBody, TextBody, View

if TYPE_CHECKING:
    pass


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


R = TypeVar("R")

Row = tuple[object, object, Transition | Callable[[], Transition]]
"""A row's text, its value, and where it leads. Text and value are translated, but names as they are."""

GO_BACK, CHOSEN = _("* back"), _("choose")

PAGE = NUMBERED - 1
"""Rows per page of a long list; the tenth row leads to older ones."""

ON_PAGE = 100
"""The same on a phone, which scrolls."""


class PagedListScreen(OpenedListScreen, frozen=True, kw_only=True):
    """A long list, page by page; page 0 has the latest rows."""

    page: int = 0

    def listed(self, every: Sequence[R], context: ScreenContext, above: int = 0) -> Sequence[R]:
        """Return the rows of this page; a list with rows of its own above them has a smaller page."""
        size = _size(context, above)
        return every[self.page * size : (self.page + 1) * size]

    def older(self, every: Sequence[object], label: Text, context: ScreenContext, above: int = 0) -> list[Row]:
        """Return the row that leads to the next page; none on the last page."""
        size = _size(context, above)
        more = len(every) > (self.page + 1) * size
        return [(label, "", Transition(replace(self, page=self.page + 1, chosen=0)))] if more else []

    @property
    def newer(self) -> Screen:
        """Return the screen that back leads to: the page before, or the screen that opened the list."""
        return replace(self, page=self.page - 1, chosen=PAGE) if self.page else self.before


def _size(context: ScreenContext, above: int) -> int:
    return ON_PAGE if context.on_page else PAGE - above


def menu(
    screen: ListScreen,
    words: Translator,
    title: object,
    rows: Iterable[Row],
    before: Screen,
    *,
    below: Iterable[tuple[str, str]] = (),
    names: Iterable[str] = (),
    named: Mapping[str, str] | None = None,
    home: object = AWAY,
    foot: object = GO_BACK,
    choose: object = CHOSEN,
    others: Iterable[KeyBinding] = (),
) -> ListContents:
    """Return a list whose rows lead somewhere; its other keys lead back and home.

    Args:
        below: The second line of each row, left and right.
        names: The names in the rows; where a row does not fit they are shortened first.
        named: Labels of rows, by key, that differ from the row's text.
        home: The label of the held back key; None if it leads back, too.
        others: Further keys.
    """
    listed, back = tuple(rows), back_to(before, words)

    def chosen(row: int) -> Transition:
        move = listed[row][2]
        return move if isinstance(move, Transition) else move()

    return ListContents(
        screen,
        ListBody(
            words(title),
            tuple((words(text), words(value)) for text, value, _move in listed),
            max(0, min(screen.chosen, len(listed) - 1)),
            below=tuple(below),
            names=tuple(dict.fromkeys(names)),
            colon=words(COLON),
        ),
        words(foot),
        chosen,
        (
            *others,
            KeyBinding("#", words(choose)),
            replace(back, key="h*", label="") if home is None else replace(home_from(screen, words), label=words(home)),
            back,
        ),
        named=named or {},
    )


UNKNOWN = _("A and B turn the page, * goes back")
"""The message for any other key on a page."""

GOES_BACK = _("* goes back")

Page = TableBody | TextBody


class PagesScreen(OpenedScreen, frozen=True, kw_only=True):
    """A screen of pages, at one of them, counted from 0."""

    at: int = 0


def turned_pages(
    screen: PagesScreen,
    context: ScreenContext,
    pages: tuple[Page, ...],
    opens: Transition | None = None,
    foot: str | None = None,
) -> ScreenContents:
    """Return a page's contents; ``A`` and ``B`` turn to the pages beside it.

    The last page is shown if there are fewer than the screen's number, as in another language.

    Args:
        opens: What OK opens; None if it leads back, too.
        foot: The bottom line; None for how to open and go back.
    """
    words, count = context.words, len(pages)
    at = min(screen.at, count - 1)
    back = back_to(screen.before, words)
    turning = [
        KeyBinding(key, label, partial(Transition, replace(screen, at=(at + step) % count)))
        for key, label, step in (("A", "◀", -1), ("2", "", -1), ("B", "▶", 1), ("8", "", 1))
    ]
    ok = KeyBinding("#", back.label, back.do) if opens is None else KeyBinding("#", words(_("open")), lambda: opens)
    hint = f"{at + 1}/{count}" if context.key_layout.few else f"A B {at + 1}/{count}"
    return PageContents(
        screen,
        View(
            pages[at], foot or words(GO_BACK if opens is None else _("# open   * back")), hint=hint if count > 1 else ""
        ),
        (*(turning if count > 1 else ()), ok, home_from(screen, words), back),
        UNKNOWN,
    )


class SentencesScreen(Screen, frozen=True, kw_only=True):
    """A screen of sentences, page by page; ``top`` is the first one shown, from 0."""

    top: int = 0


def review(
    screen: SentencesScreen,
    context: ScreenContext,
    title: Text,
    sentences: Iterable[str],
    agreed: Callable[[], Transition],
    left: Callable[[], Transition],
) -> ScreenContents:
    """Return what a change would do, in pages that begin with a sentence's first line: # agrees, * leaves it.

    Args:
        title: What would be changed; a pen stands before it.
        agreed: Is called to make the change.
        left: Is called to leave everything as it was.
    """
    words, whole = context.words, tuple(sentences)
    pieces = page_pieces(whole)
    starts = page_starts(pieces)
    at = max(page for page, start in enumerate(starts) if start <= max(0, screen.top))
    beside = (("A", "▲", at - 1), ("B", "▼", at + 1))
    turning = tuple(
        KeyBinding(key, label, partial(Transition, replace(screen, top=starts[page])))
        for key, label, page in beside
        if 0 <= page < len(starts)
    )
    body = TextBody(words(Glyph("pen")) + words(title), pieces, starts[at], whole)
    hint = "A B" if turning and not context.key_layout.few else ""
    bindings = (
        *turning,
        home_from(screen, words),
        KeyBinding("*", words(_("back")), left),
        KeyBinding("#", words(Text(NC_("answer", "yes"))), agreed),
    )
    view = View(body, words(_("# yes   * back")), hint=hint)
    return PageContents(screen, view, bindings, _("# goes on, * leaves all as it was"))


def sentences(
    screen: OpenedScreen | OpenedListScreen,
    context: ScreenContext,
    title: object,
    told: Iterable[Text | str],
    keys: Iterable[KeyBinding] = (),
    foot: Text = GO_BACK,
    unknown: Text = GOES_BACK,
) -> ScreenContents:
    """Return contents with sentences, and some keys beside those that lead back and home."""
    words = context.words
    return KeysOnlyContents(
        screen,
        View(TextBody(words(title), tuple(map(words, told))), words(foot)),
        (*keys, home_from(screen, words), back_to(screen.before, words)),
        unknown,
    )
