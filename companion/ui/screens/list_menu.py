"""Makes lists whose rows open other screens, with the ways back and home."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody

from .context import Screen, Transition
from .list_selection import COLON, NUMBERED
from .screen_contents import AWAY, KeyBinding, ListContents, ListScreen, OpenedListScreen, back_to, home_from

if TYPE_CHECKING:
    from companion.ui.hub_message import ClubTableStatus

R = TypeVar("R")

Row = tuple[object, object, Transition | Callable[[], Transition]]
"""A row's text, its value, and where it leads. Text and value are translated, but names as they are."""

BACK, CHOSEN = _("* back"), _("choose")

PAGE = NUMBERED - 1
"""Rows per page of a long list; the tenth row leads to older ones."""


class PagedListScreen(OpenedListScreen, frozen=True, kw_only=True):
    """A long list, page by page; page 0 has the latest rows."""

    page: int = 0

    def listed(self, every: Sequence[R], size: int = PAGE) -> Sequence[R]:
        """Return the rows of this page; a list with a row of its own above them has a smaller page."""
        return every[self.page * size : (self.page + 1) * size]

    def older(self, every: Sequence[object], label: Text, size: int = PAGE) -> list[Row]:
        """Return the row that leads to the next page; none on the last page."""
        more = len(every) > (self.page + 1) * size
        return [(label, "", Transition(replace(self, page=self.page + 1, chosen=0)))] if more else []

    @property
    def newer(self) -> Screen:
        """Return the screen that back leads to: the page before, or the screen that opened the list."""
        return replace(self, page=self.page - 1, chosen=PAGE) if self.page else self.before


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
    foot: object = BACK,
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


def director_keys(club: ClubTableStatus | None, after: Screen, words: Translator) -> tuple[KeyBinding, ...]:
    """Return the key that calls the director and then leads to a screen; none on a box of no club."""
    if club is None:
        return ()
    from .machine.club_status import director_key  # for a club's boxes

    return (director_key(club, after, words),)
