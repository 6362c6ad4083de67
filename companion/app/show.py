"""What a state shows: the picture on the panel, the frame for mirrors of it, and what each live page shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, structs
from msgspec.structs import replace

from companion.app.ports import BoxOutput, Colour, PageKey
from companion.app.state import State, Viewer
from companion.app.store import Recent, Store
from companion.core.text import Text
from companion.ui.fit_key_labels import on_keys
from companion.ui.keys import Labels
from companion.ui.panel import draw
from companion.ui.phone_roles import Phone, Role
from companion.ui.screens.context import ScreenContents, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.settings import LanguageScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator
from companion.ui.view import CodeBody, TestPictureBody, View, spoken

if TYPE_CHECKING:
    from companion.ui.live_page.content import LivePageContent


WATCHER = Phone(0, "", Role.SPECTATOR)
"""The phone of guests and of the wall, as pages know it."""


class PanelContent(Struct, frozen=True):
    """View, lamp colour and key labels of the panel, and which text may be typed next; without messages."""

    view: View
    lamp: Colour | None
    labels: Labels  # what each key does; empty if no output needs it
    expected_text: str  # what can be entered as text, if anything
    words: Translator  # translates into the language of the box
    stays: bool  # whether the panel does not go off

    def seen(self, panel: Viewer, unsaved: int | None) -> View:
        """Return the view with the message over it, and the number of unsaved entries."""
        view = self.view if unsaved is None else structs.replace(self.view, unsaved=unsaved)
        if panel.message is None:
            return view
        return structs.replace(view, notice=(self.words.sentence(panel.message),), alert=panel.refused)


def panel_content(state: State, contents: ScreenContents, *, mirrored: bool) -> PanelContent:
    """Compute what the panel shows; mirrors also need key labels and expected text."""
    panel = state.panel
    screen, context, selector = panel.screen, state.context(panel), panel.selector
    labels = contents.labels if mirrored or selector is not None else {}
    view = contents.view
    if selector is not None:
        ring = contents.ring
        seen = contents if selector == selector.home else screen.show(replace(context, report=None))
        view = selector.shown(seen.view, ring, labels, context.words)
        labels = {**labels, **selector.labels(ring, labels)}
    club = context.machine.club
    if club is not None and context.game is not None:
        view = structs.replace(view, clock=context.words(club.clock))
    sign = None if context.game is None else context.game.position.face.headline
    lamp = None if sign is None else sign.colour
    stays = isinstance(screen, LanguageScreen) and screen.first  # nobody knows yet that a key wakes it
    return PanelContent(view, lamp, labels, screen.expected_text(context) if mirrored else "", context.words, stays)


def frame(content: PanelContent, view: View, unsaved: Text | None, *, mirrored: bool) -> BoxOutput:
    """Return the frame of a view: the picture, and for mirrors the words. Raises what drawing it raises.

    ``unsaved`` says what is not saved, if anything.
    """
    code, exact = isinstance(view.body, CodeBody), isinstance(view.body, TestPictureBody)
    shown = BoxOutput(draw(view), content.lamp, {}, (), code=code, exact=exact, stays=content.stays)
    if not mirrored:
        return shown
    words = content.words
    labels = {key: words.aloud(label) for key, label in content.labels.items()}
    lines = on_keys(labels, words.players)
    return structs.replace(
        shown,
        labels=labels,
        words=(*(() if unsaved is None else (words(unsaved),)), *spoken(view, words.aloud)),
        expected_text=content.expected_text,
        language=words.language,
        key_lines={key: line for key, line in lines.items() if line != labels[key]},
    )


class LivePages:
    """Builds what live pages show, each screen once for all viewers that see the same in one language."""

    def __init__(self, known: Store) -> None:
        self._known = known
        self._made: Recent[LivePageContent] = Recent()

    def contents(
        self, wanted: Iterable[PageKey], state: State, unsaved: Text | None
    ) -> Mapping[PageKey, LivePageContent]:
        """Return what live pages show, by who looks and the language; the wall and guests see the table."""
        watched, found = watching(state), {}
        for who, language in wanted:
            viewer = watched if who == "wall" else state.viewers.get(who, watched)
            found[who, language] = self._content(structs.replace(viewer, language=language), state, unsaved)
        return found

    def _content(self, viewer: Viewer, state: State, unsaved: Text | None) -> LivePageContent:
        context = self._known.context_of(state, viewer)
        key = viewer.screen, viewer.message, viewer.refused, viewer.number, unsaved
        return self._made.of(context, key, lambda: self._new_content(viewer, context, unsaved))

    def _new_content(self, viewer: Viewer, context: ScreenContext, unsaved: Text | None) -> LivePageContent:
        from companion.ui.live_page.build import live_page_content  # for pages, which may come much later
        from companion.ui.screens.context import for_pages

        words, contents = context.words, self._known.contents_of(viewer.screen, context)
        view = contents.view
        if viewer.message is not None:
            notice = (words.sentence(for_pages(viewer.message)),)
            view = structs.replace(view, notice=notice, alert=viewer.refused)
        content = live_page_content(viewer.screen, context, contents, view, viewer.number, viewer.refused)
        if unsaved is not None:
            content = structs.replace(content, unsaved=words(unsaved))
        return content


def watching(state: State) -> Viewer:
    """Return the viewer that only sees the table: the wall, and guests."""
    entry, game = state.entry, state.table.game
    numbers = [each.number for each in state.viewers.values() if each.at_rest and not each.away]
    number = max(numbers, default=state.number)
    if game is None:
        return Viewer(HomeScreen(), phone=WATCHER, number=number)
    there = PlayScreen(entry.answers, entry.keys, compared=entry.compared)
    return Viewer(there, phone=WATCHER, number=number)
