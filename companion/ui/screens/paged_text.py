"""Bases of screens with text of several pages: turn pages, go back, go home."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from msgspec.structs import replace

from companion.core.text import NC_, Glyph, Text
from companion.ui.text_pages import page_pieces, page_starts
from companion.ui.translations import _
from companion.ui.view import TableBody, TextBody, View

from .context import Screen, ScreenContents, ScreenContext, Transition
from .screen_contents import (
    KeyBinding,
    KeysOnlyContents,
    OpenedListScreen,
    OpenedScreen,
    PageContents,
    back_to,
    home_from,
)

UNKNOWN = _("A and B turn the page, * goes back")
"""The message for any other key on a page."""

BACK, GOES_BACK = _("* back"), _("* goes back")

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
        View(pages[at], foot or words(BACK if opens is None else _("# open   * back")), hint=hint if count > 1 else ""),
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
    foot: Text = BACK,
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
