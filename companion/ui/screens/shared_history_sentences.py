"""Sentences of all screens of the history: that games are being read, and that some are not counted."""

from __future__ import annotations

from companion.core.text import Text
from companion.ui.history_reader import StillReading
from companion.ui.translations import _

from .context import ScreenContents, ScreenContext
from .paged_text import sentences
from .screen_contents import OpenedListScreen, OpenedScreen


def reading_page(
    screen: OpenedScreen | OpenedListScreen, context: ScreenContext, title: object, reading: StillReading
) -> ScreenContents:
    """Return contents that say how many games are left to read, or that they cannot be read."""
    sentence = (
        _("Something went wrong; every game is kept")
        if reading.failed
        else _("Games still to be read: {count}", count=reading.remaining)
    )
    return sentences(screen, context, title, [sentence])


def back_or_unreadable(context: ScreenContext) -> str:
    """Return the bottom line of a page with figures: how to go back, and how many games they leave out."""
    words, count = context.words, context.history.unreadable
    return words(_("* back   Unreadable: {count}", count=count) if count else _("* back"))


def percent(share: float) -> Text:
    return _("{share}%", share=round(100 * share))
