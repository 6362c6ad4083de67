"""What a screen shows, and what its keys do on many or few keys: bindings, lists, menus, pages of text, names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import NC_, Glyph, Text, joined
from companion.ui.few_keys import Option, SelectableOptions, letters, listed, scrolled
from companion.ui.fonts import page_pieces, page_starts
from companion.ui.keys import HOME, Key, Labels
from companion.ui.screens.context import (
    BACK_AT,
    CHOOSE,
    HOME_AT,
    Choice,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    Transition,
    leave,
    refuse,
)
from companion.ui.screens.list_selection import (
    COLON,
    NUMBERED,
    confirmed_row,
    distinguishable,
    moved_row,
    moved_to,
    numbered,
    row_labels,
    row_name,
    row_named,
)
from companion.ui.screens.names import ALPHABETS, TAKE, TOO_LONG, TypedName
from companion.ui.translations import _
from companion.ui.view import ListBody, TableBody, TextBody, View

if TYPE_CHECKING:
    from companion.ui.club import ClubTableStatus

AWAY = _("home")
"""The default label of the way home."""


def back_to(screen: Screen) -> Choice:
    """Return the choice that leads back to another screen."""
    return Choice("back", _("back"), lambda: Transition(screen), "*", near=BACK_AT)


def home_from(screen: Screen, label: object = AWAY) -> Choice:
    """Return the choice that leads home."""
    return Choice("home", label, lambda: leave(screen), str(HOME), near=HOME_AT)


def only_key(key: str, do: Callable[[], Transition]) -> Choice:
    """Return what a key does that is labelled nowhere, and offered neither on pages nor with few keys."""
    return Choice("", "", do, key)


class OpenedScreen(Screen, frozen=True):
    """A screen that was opened from the screen ``before``, to which back leads."""

    before: Screen


class Contents(ScreenContents, Struct, frozen=True, dict=True):
    """Contents of choices alone."""

    screen: Screen
    view: View[object]
    choices: tuple[Choice, ...]
    unknown: Text


EARLIER, LATER = "earlier", "later"
"""The names of the choices that turn pages. Where they only scroll, no page has a button for them."""


class PageContents(Contents, frozen=True, dict=True):
    """Pages of text or figures, which two choices turn."""

    @property
    def ring(self) -> SelectableOptions:
        """Return a ring with OK only; turning scrolls."""
        named = {choice.name: Option(choice.label, choice.name) for choice in self.choices}
        ok = next(choice for choice in self.choices if choice.key == "#")
        return scrolled(named[ok.name], named.get(EARLIER), named.get(LATER), self.back)


def turning(keys: str, label: str, do: Callable[[], Transition], *, knob: bool = False) -> tuple[Choice, ...]:
    """Return the choice that turns to an earlier or a later page, by its arrow, with one key or several.

    ``knob`` makes it an option of boards with few keys, where turning does not scroll.
    """
    name, scrolls = (EARLIER if label in "◀▲" else LATER), label in "▲▼"
    return (
        Choice(name, label, do, keys[0], page="" if scrolls else "actions", knob=knob),
        *(only_key(key, do) for key in keys[1:]),
    )


# Lists

R = TypeVar("R")


class ListScreen(Screen, frozen=True, kw_only=True):
    """A screen with a list to choose from, and the highlighted row."""

    chosen: int = 0

    def rows(self, every: Iterable[R], row: Callable[[Self, R], Row], first: int = 0) -> list[Row]:
        """Return a row for each of some things, made of it and of this screen with the row highlighted.

        Args:
            first: How many rows stand above them.
        """
        return [row(replace(self, chosen=place), each) for place, each in enumerate(every, first)]


class OpenedListScreen(ListScreen, frozen=True):
    """A list that was opened from the screen ``before``, to which back leads."""

    before: Screen


class ListContents(ScreenContents, Struct, frozen=True, dict=True):
    """A list; a row is chosen by number, or highlighted and confirmed."""

    screen: ListScreen
    body: ListBody[object]
    foot: object
    leading: tuple[Row, ...]
    choices: tuple[Choice, ...]
    confirm: object  # the label of the key that chooses the highlighted row
    unknown: Text
    confirms: str  # the key that chooses the highlighted row

    @property
    def view(self) -> View[object]:
        return View(self.body, self.foot, names=self.body.names)

    @property
    def rows(self) -> int:
        return len(self.leading)

    @property
    def for_scorers(self) -> frozenset[str]:
        rows = frozenset(row_name(place) for place, row in enumerate(self.leading) if row.for_scorers)
        return super().for_scorers | rows

    @property
    def typed_labels(self) -> Labels:
        places = enumerate(self.leading, self.body.start)
        named = {str(number % NUMBERED): row.label for number, row in places if row.label}
        own = distinguishable(named) if numbered(self.rows) else {}
        return {**row_labels(self.body), **own, self.confirms: self.confirm}

    @property
    def ring(self) -> SelectableOptions:
        return listed(self.body, self.typed_labels, self.options, self.back)

    def typed(self, key: Key) -> Transition | None:
        """Return the transition of choosing a row or moving the highlight."""
        count, chosen = self.rows, self.body.chosen
        confirms = count and str(key) == self.confirms
        row = chosen if confirms else confirmed_row(count, chosen, key, self.body.start)
        if row is not None:
            return self.leading[row].chosen
        row = moved_row(count, chosen, key)
        return None if row is None else self._highlighting(row)

    def named(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of choosing a row, or moving the highlight; in a long list, it is highlighted, too."""
        moved = moved_to(name, self.rows, self.body.chosen)
        if moved is not None:
            return self._highlighting(moved)
        row = row_named(name, self.rows)
        if row is None or numbered(self.rows):
            return None if row is None else self.leading[row].chosen
        return replace(self.screen, chosen=row).show(context).press(Key("5"))

    def _highlighting(self, row: int) -> Transition:
        return Transition(replace(self.screen, chosen=row))


# Names


def typing_name(screen: Screen, name: TypedName, context: ScreenContext, known: tuple[str, ...] = ()) -> NameContents:
    """Return the contents of a screen, with a field ``name``, while a name is typed there that it is to `write`.

    Args:
        known: The known names that match.
    """
    before = replace(screen, name=None)
    settle = partial(screen.write, context=context)
    shorter = name.press(Key("*"))
    deletes = _("back") if shorter is None else _("delete")
    delete, turned = (Transition(replace(screen, name=after)) for after in (shorter, name.next_alphabet))
    first = tuple(Choice("known", one, partial(settle, one), TAKE, knob=name.whole != "") for one in known[:1])
    choices = (
        *first,
        Choice("ok", _("OK"), partial(settle, name.whole), "#", page="", knob=name.whole != ""),
        replace(back_to(before), key="", knob=False),
        home_from(screen),
        Choice("delete", deletes, lambda: delete, "*", HOME_AT + 1, page=""),
        Choice("alphabet", ALPHABETS[name.next_alphabet.alphabet][0], lambda: turned, near=HOME_AT + 2, page=""),
    )
    return NameContents(screen, View(name.typing(screen.expected_text, known), name.foot), choices, TOO_LONG, name)


class NameContents(Contents, frozen=True, dict=True):
    """Contents of a screen on which a name is typed; a page has a field for it, so no letter is deleted there."""

    name: TypedName

    @property
    def typed_labels(self) -> Labels:
        return self.name.labels

    @property
    def ring(self) -> SelectableOptions:
        return letters(self.name, self.options, self.back)

    def typed(self, key: Key) -> Transition:
        """Return the transition of a key of a letter."""
        name = self.name.press(key)
        if name is not None:
            return Transition(replace(self.screen, name=name))
        full = key.name.isdigit()  # every digit types a letter if there is room
        return refuse(self.screen, TOO_LONG if full else _("{key} types nothing here", key=str(key)))

    def named(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of a letter by its name."""
        kind, _space, letter = name.partition(" ")
        typed = self.name.with_letter(letter) if kind == "letter" else None
        if typed is None:
            return None
        return refuse(self.screen, TOO_LONG) if typed.too_long else Transition(replace(self.screen, name=typed))


GO_BACK, CHOSEN = _("* back"), _("choose")

PAGE = NUMBERED - 1
"""Rows per page of a long list; the tenth row leads to older ones."""

ON_PAGE = 100
"""The same on a phone, which scrolls."""


class PagedListScreen(OpenedListScreen, frozen=True, kw_only=True):
    """A long list, page by page; page 0 has the latest rows."""

    page: int = 0

    def listed(self, every: Sequence[R], context: ScreenContext, above: int = 0) -> Sequence[R]:
        """Return what this page lists; a list with rows of its own above has a smaller page."""
        size = _size(context, above)
        return every[self.page * size : (self.page + 1) * size]

    def paged(
        self,
        every: Sequence[R],
        row: Callable[[Self, R], Row],
        older: Text,
        context: ScreenContext,
        above: Sequence[Row] = (),
    ) -> list[Row]:
        """Return the rows of this page, those above them, and the row that leads to the next page, if there is one."""
        rows = [*above, *self.rows(self.listed(every, context, len(above)), row, len(above))]
        more = len(every) > (self.page + 1) * _size(context, len(above))
        return [*rows, Row(older, Transition(replace(self, page=self.page + 1, chosen=0)))] if more else rows

    @property
    def newer(self) -> Screen:
        """Return the screen that back leads to: the page before, or the screen that opened the list."""
        return replace(self, page=self.page - 1, chosen=PAGE) if self.page else self.before


def _size(context: ScreenContext, above: int) -> int:
    return ON_PAGE if context.on_page else PAGE - above


def menu(
    screen: ListScreen,
    title: object,
    rows: Iterable[Row],
    before: Screen | None = None,
    *,
    home: object = AWAY,
    foot: object = GO_BACK,
    choose: object = CHOSEN,
    others: Iterable[Choice] = (),
    unknown: Text = CHOOSE,
    confirms: str = "#",
    start: int = 1,
    game: object = "",
) -> ListContents:
    """Return a list whose rows lead somewhere; its other keys lead back and home.

    Args:
        before: Where back leads; None if the list has no way back and home but those among the others.
        home: The label of the way home; None if its key leads back, too.
        choose: The label of the key that chooses the highlighted row.
        others: Further choices.
        unknown: The message for any other key.
        confirms: The key that chooses the highlighted row.
        start: The number of the first row.
        game: The title of the game that is set up.
    """
    leading, leaving = tuple(rows), tuple[Choice, ...]()
    if before is not None:
        back = back_to(before)
        leaving = (back, only_key("h*", back.do) if home is None else home_from(screen, home))
    body = ListBody(
        title,
        tuple((row.text, row.value) for row in leading),
        max(0, min(screen.chosen, len(leading) - 1)),
        start=start,
        below=tuple((row.below, row.beside) for row in leading),
        headings=tuple(row.heading for row in leading),
        addresses=tuple(row.address for row in leading),
        names=tuple(dict.fromkeys(name for row in leading for name in row.names)),
        colon=COLON,
        game=game,
    )
    return ListContents(screen, body, foot, leading, (*others, *leaving), choose, unknown, confirms)


UNKNOWN = _("A and B turn the page, * goes back")
"""The message for any other key on a page."""

GOES_BACK = _("* goes back")

Page = TableBody[object] | TextBody[object]


class PagesScreen(OpenedScreen, frozen=True, kw_only=True):
    """A screen of pages, at one of them, counted from 0."""

    at: int = 0


def turned_pages(
    screen: PagesScreen,
    context: ScreenContext,
    pages: tuple[Page, ...],
    opens: Transition | None = None,
    foot: object = None,
    keys: str = "A B ",
    unknown: Text = UNKNOWN,
) -> ScreenContents:
    """Return a page's contents; ``A`` and ``B`` turn to the pages beside it.

    The last page is shown if there are fewer than the screen's number, as in another language.

    Args:
        opens: What OK opens; None if it leads back, too.
        foot: The bottom line; None for how to open and go back.
        keys: The keys that turn, before the page's number; empty if the bottom line has them.
        unknown: The message for any other key.
    """
    count = len(pages)
    at = min(screen.at, count - 1)
    back = back_to(screen.before)
    arrows = (("A2", "◀", -1), ("B8", "▶", 1))
    turns = (
        turning(arrow, label, partial(Transition, replace(screen, at=(at + step) % count)))
        for arrow, label, step in arrows * (count > 1)
    )
    ok = replace(back, key="#", page="", knob=False) if opens is None else Choice("open", _("open"), lambda: opens, "#")
    hint = f"{at + 1}/{count}" if context.key_layout.few else f"{keys}{at + 1}/{count}"
    return PageContents(
        screen,
        View(pages[at], foot or (GO_BACK if opens is None else _("# open   * back")), hint=hint if count > 1 else ""),
        (*chain.from_iterable(turns), ok, back, home_from(screen)),
        unknown,
    )


class SentencesScreen(Screen, frozen=True, kw_only=True):
    """A screen of sentences, page by page; ``top`` is the first one shown, from 0."""

    top: int = 0


YES = Text(NC_("answer", "yes"))
AGREE, AGREES = _("# yes   * back"), _("# goes on, * leaves all as it was")


def review(
    screen: SentencesScreen,
    context: ScreenContext,
    title: Text,
    sentences: Iterable[object],
    agreed: Callable[[], Transition],
    left: Callable[[], Transition],
    deed: Text = YES,
    on_pages: Iterable[object] | None = None,
    others: tuple[Choice, ...] = (),
    foot: Text = AGREE,
    unknown: Text = AGREES,
) -> ScreenContents:
    """Return what a change would do, in pages that begin with a sentence's first line: # agrees, * goes back.

    Args:
        title: What would be changed; a pen stands before it.
        agreed: Is called to make the change.
        left: Is called to go back, with everything as it was.
        deed: What # does, where keys have words.
        on_pages: The sentences of pages, which have more room; None for the same.
        others: Further choices.
        foot: The bottom line.
        unknown: The message for any other key.
    """
    whole = tuple(map(context.words, sentences))
    told = whole if on_pages is None else tuple(map(context.words, on_pages))
    pieces = page_pieces(whole)
    starts = page_starts(pieces)
    at = max(page for page, start in enumerate(starts) if start <= max(0, screen.top))
    beside = (("A", "▲", at - 1), ("B", "▼", at + 1))
    turns = tuple(
        turning(key, label, partial(Transition, replace(screen, top=starts[page])))
        for key, label, page in beside
        if 0 <= page < len(starts)
    )
    body = TextBody(joined((Glyph("pen"), title), ""), pieces, starts[at], told)
    hint = "A B" if turns and not context.key_layout.few else ""
    choices = (
        *chain.from_iterable(turns),
        Choice("yes", deed, agreed, "#"),
        Choice("back", _("back"), left, "*", BACK_AT),
        *others,
        home_from(screen),
    )
    return PageContents(screen, View(body, foot, hint=hint), choices, unknown)


def sentences(
    screen: OpenedScreen | OpenedListScreen,
    title: object,
    told: Iterable[Text | str],
    others: Iterable[Choice] = (),
    foot: Text = GO_BACK,
    unknown: Text = GOES_BACK,
) -> ScreenContents:
    """Return contents with sentences, and some choices beside those that lead back and home."""
    return Contents(
        screen,
        View(TextBody(title, tuple(told)), foot),
        (*others, back_to(screen.before), home_from(screen)),
        unknown,
    )


def director_keys(club: ClubTableStatus | None, after: Screen) -> tuple[Choice, ...]:
    """Return the choice that calls the director and then leads to a screen; none on a box of no club."""
    if club is None:
        return ()
    from companion.ui.screens.club import director_key  # for a club's boxes

    return (director_key(club, after),)
