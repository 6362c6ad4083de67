"""What a state shows: the picture on the panel, the frame for the page, and what each live page shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs
from msgspec.structs import replace

from companion.app.failures import survive
from companion.app.ports import BoxOutput, PageKey
from companion.app.state import State, Viewer
from companion.app.store import Recent, Store
from companion.app.viewers import ANSWERED, latest_answer, name_of_answer
from companion.core.text import Text, isolated
from companion.ui.panel import draw
from companion.ui.screens.context import ScreenContents, for_pages
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.phones import Phone, Role
from companion.ui.screens.settings import LanguageScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.view import CodeBody, TestPictureBody, View, spoken

if TYPE_CHECKING:
    from companion.ui.live_page.content import LivePageContent


WATCHER = Phone(0, "", Role.SPECTATOR)
"""The phone of guests and of the wall, as pages know it."""


def panel_view(state: State, contents: ScreenContents, unsaved: int | None) -> View:
    """Return the view on the panel in its language, with the message over it, and the number of unsaved entries."""
    panel = state.panel
    context, selector, view = state.context(panel), panel.selector, contents.view
    if selector is not None:
        seen = contents if selector == selector.home else panel.screen.show(replace(context, report=None))
        view = selector.shown(seen.view, contents.ring, contents.labels, len(context.words.players))
    club = context.machine.club
    if club is not None and context.game is not None:
        view = structs.replace(view, clock=club.clock)
    if unsaved is not None:
        view = structs.replace(view, unsaved=unsaved)
    if panel.message is not None:
        view = structs.replace(view, notice=(context.words.sentence(panel.message),), alert=panel.refused)
    told: View = context.words.told(view)
    return told


def frame(
    state: State, contents: ScreenContents, unsaved: int | None, sentence: Text | None, *, mirrored: bool
) -> BoxOutput:
    """Return what the outputs show: the picture, and for the page the words. Raises what drawing it raises.

    Args:
        state: The state.
        contents: Those of the panel's screen.
        unsaved: How many entries are not saved; None while the disk works.
        sentence: The sentence that says so.
        mirrored: Whether key labels, words and expected text are needed.
    """
    panel, view = state.panel, panel_view(state, contents, unsaved)
    screen, context, selector = panel.screen, state.context(panel), panel.selector
    sign = None if context.game is None else context.game.position.face.headline
    shown = BoxOutput(
        draw(view),
        None if sign is None else sign.colour,
        {},
        (),
        code=isinstance(view.body, CodeBody),
        exact=isinstance(view.body, TestPictureBody),
        stays=isinstance(screen, LanguageScreen) and screen.first,  # nobody knows yet that a key wakes it
    )
    if not mirrored:
        return shown
    words, keys = context.words, contents.labels
    if selector is not None:
        keys = {**keys, **selector.labels(contents.ring, keys)}
    labels = {key: words.aloud(words(label)) for key, label in keys.items()}
    return structs.replace(
        shown,
        labels=labels,
        words=(*(() if sentence is None else (words(sentence),)), *spoken(view, words.aloud)),
        expected_text="" if screen.expected_text is None else words(screen.expected_text),
        language=words.language,
    )


class LivePages:
    """Builds what live pages show, each screen once for all viewers that see the same in one language."""

    def __init__(self, known: Store) -> None:
        self._known = known
        self._made: Recent[LivePageContent[object]] = Recent()
        self._told: Recent[LivePageContent] = Recent()
        self._looked_at: dict[str, int] = {}  # how many alerts of the open game somebody has looked at, by its name

    def contents(
        self, wanted: Iterable[PageKey], state: State, unsaved: Text | None
    ) -> Mapping[PageKey, LivePageContent]:
        """Return what live pages show, by who looks and the language; the wall and guests see the table.

        A page that cannot be drawn shows the table, or nothing new.
        """
        watched = watching(state)
        self._note_alerts(state)
        found: dict[PageKey, LivePageContent] = {}

        def show(page: PageKey, seen: Viewer) -> None:
            found[page] = self._content(structs.replace(seen, language=page[1]), state, unsaved)

        for page in wanted:  # one that cannot be drawn does not hold up the table
            viewer = watched if page[0] == "wall" else state.viewers.get(page[0], watched)
            survive(f"showing {page[0]} its screen", partial(show, page, viewer), partial(show, page, watched))
        return found

    def _note_alerts(self, state: State) -> None:
        """Note the alerts of the open game that a viewer looks at now, and forget those that are there no more."""
        game = state.table.game
        if game is None:
            return
        from companion.ui.screens.game_menu import AlertsScreen  # no first question waits for it

        looks = any(
            isinstance(viewer.screen, AlertsScreen) and viewer.reading is None for viewer in state.viewers.values()
        )
        before = self._looked_at.get(game.name, 0)
        if looks or before:
            told = len(game.session.header.game.optional.alerts(game.session.state))
            self._looked_at = {game.name: told if looks else min(before, told)}

    def _content(self, viewer: Viewer, state: State, unsaved: Text | None) -> LivePageContent:
        from companion.ui.live_page.build import live_page_content, told  # for pages, which may come much later

        screen, context = viewer.screen, self._known.context(state, viewer)
        shown = self._made.of(
            context,
            (screen, viewer.number),
            lambda: live_page_content(screen, context, self._known.contents_of(screen, context), viewer.number),
        )

        def in_language() -> LivePageContent:
            words = state.words(viewer)
            page = told(shown, context, words, viewer.message)
            return structs.replace(
                page,
                refused=viewer.refused,
                unsaved="" if unsaved is None else words(unsaved),
                latest_by=words(by),
                entered_by=state.entered_by,
                latest_answer=isolated(words.aloud(words.sentence(for_pages(latest)))),
                alerts=max(0, shown.alerts - looked_at),
            )

        at_table = context.game is not None and context.game is state.table.game
        by, latest = name_of_answer(state), latest_answer(state) if at_table else ANSWERED
        looked_at = 0 if context.game is None else self._looked_at.get(context.game.name, 0)
        seen = viewer.language, viewer.message, viewer.refused, unsaved, looked_at, by, latest, state.entered_by
        return self._told.of(shown, seen, in_language)


def watching(state: State) -> Viewer:
    """Return the viewer that only sees the table: the wall, and guests."""
    entry, game = state.entry, state.table.game
    numbers = [each.number for each in state.viewers.values() if each.at_rest and not each.away]
    number = max(numbers, default=state.number)
    if game is None:
        return Viewer(HomeScreen(), phone=WATCHER, number=number)
    there = PlayScreen(entry.answers, entry.keys, compared=entry.compared)
    return Viewer(there, phone=WATCHER, number=number)
