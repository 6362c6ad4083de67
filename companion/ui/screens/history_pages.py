"""Shared by the screens of the history: pages to turn, and the sentence while games are being read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.core.text import Text
from companion.ui.history_reader import StillReading
from companion.ui.translations import _
from companion.ui.view import TableBody, TextBody, View

from .context import Screen, ScreenContents, ScreenContext, Transition
from .screen_contents import KeyBinding, KeysOnlyContents, PageContents, back_to, home_from

UNKNOWN = _("A and B turn the page, * goes back")
"""The message for any other key on a page."""

Page = TableBody | TextBody


def turned_pages(
    screen: Screen,
    before: Screen,
    context: ScreenContext,
    pages: tuple[Page, ...],
    at: int,
    turned: Callable[[int], Screen],
    opens: Transition | None = None,
    foot: str | None = None,
) -> ScreenContents:
    """Return a page's contents; ``A`` and ``B`` turn to the pages beside it.

    Args:
        screen: The screen.
        before: The screen that back leads to.
        context: The screens' context.
        pages: All pages.
        at: The number of the page, from 0; the last one is shown if there are fewer, as in another language.
        turned: Returns the screen at another page.
        opens: What OK opens; None if it leads back, too.
        foot: The bottom line; None for how to open and go back.
    """
    words, count = context.words, len(pages)
    at = min(at, count - 1)
    back = back_to(before, words)
    turning = [
        KeyBinding(key, label, partial(Transition, turned((at + step) % count)))
        for key, label, step in (("A", "◀", -1), ("2", "", -1), ("B", "▶", 1), ("8", "", 1))
    ]
    ok = KeyBinding("#", back.label, back.do) if opens is None else KeyBinding("#", words(_("open")), lambda: opens)
    hint = f"{at + 1}/{count}" if context.key_layout.few else f"A B {at + 1}/{count}"
    return PageContents(
        screen,
        View(
            pages[at],
            foot or words(_("* back") if opens is None else _("# open   * back")),
            hint=hint if count > 1 else "",
        ),
        (*(turning if count > 1 else ()), ok, home_from(screen, words), back),
        UNKNOWN,
    )


def sentence_page(screen: Screen, before: Screen, context: ScreenContext, title: str, sentence: Text) -> ScreenContents:
    """Return contents with a sentence in place of what cannot be shown."""
    words = context.words
    back = back_to(before, words)
    return KeysOnlyContents(
        screen,
        View(TextBody(title, (words(sentence),)), words(_("* back"))),
        (home_from(screen, words), back),
        _("* goes back"),
    )


def reading_page(
    screen: Screen, before: Screen, context: ScreenContext, title: str, reading: StillReading
) -> ScreenContents:
    """Return contents that say how many games are left to read, or that they cannot be read."""
    sentence = (
        _("Something went wrong; every game is kept")
        if reading.failed
        else _("Games still to be read: {count}", count=reading.left)
    )
    return sentence_page(screen, before, context, title, sentence)


def back_or_unreadable(context: ScreenContext) -> str:
    """Return the bottom line of a page with figures: how to go back, and how many games they leave out."""
    words, count = context.words, context.history.unreadable
    return words(_("* back   Unreadable: {count}", count=count) if count else _("* back"))


def percent(share: float) -> Text:
    """Return a share as a percentage."""
    return _("{number} %", number=round(100 * share))
