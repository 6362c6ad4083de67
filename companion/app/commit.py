"""Commits a change of state: draws it, writes it to the journal and shows it, or none of the three."""

from __future__ import annotations

from functools import partial
from random import SystemRandom

from msgspec.structs import replace
from PIL import Image

from companion.core.text import Text
from companion.ui.render import draw
from companion.ui.screens.context import Screen, ScreenContents, ScreenContext
from companion.ui.screens.settings import LanguageScreen
from companion.ui.splash import SIZE
from companion.ui.translations import _
from companion.ui.view import CodeBody, TestPictureBody, View

from .app_state import AppState, UncommittedState
from .command_handler import CommandHandler
from .display_content import DisplayContent, present
from .journal_maintenance import JournalUpkeep
from .outputs import Outputs
from .ports import Frame
from .survive_errors import survive


class CommittedState:
    """The state that is in the journal and on the panel.

    Attributes:
        state: The state.
        picture: The picture on the panel.
        writing: Whether a write has begun that `state` does not include yet.
        number: The number of the question; it changes with the screen or the game.
    """

    def __init__(self, state: AppState, handler: CommandHandler, upkeep: JournalUpkeep, outputs: Outputs) -> None:
        """Begin with a state that is not shown yet."""
        self.state = state
        self.picture = Image.new("1", SIZE)
        self.writing = False
        self.number = SystemRandom().randrange(1 << 30)  # a page opened before a restart holds no number of today
        self._handler = handler
        self._upkeep = upkeep
        self._outputs = outputs
        self._contents: tuple[Screen, ScreenContext, ScreenContents] | None = None

    def settle(self, pending: UncommittedState) -> None:
        """Draw a pending change, write it to the journal and show it."""
        state, mark = pending.state, self._upkeep.mark
        if pending.warns or not _asks_the_same(state, self.state):
            self.number += 1
        presented = self._presented(state, mirrored=self._outputs.mirrored)
        frame = self._frame(presented, state)
        self.writing = bool(pending.writes)
        for write in pending.writes:
            write()
            self._upkeep.written()
        self.state = kept = state.keep(self._handler.keep_draft)
        self.writing = False
        trouble = self._upkeep.trouble(later=kept is not state and not pending.writes)  # an unfinished answer was typed
        state = kept
        if trouble is not None:  # the disk refuses or was damaged; the game goes on
            self.state = state = state.saying(trouble)
        if trouble is not None or self._upkeep.mark != mark:
            frame = self._frame(presented, state)
        self._outputs.sound_on = state.context.sound_on
        self.show(frame)

    def show(self, frame: Frame) -> None:
        """Show a frame. The change is committed already, so an error here only gets logged."""
        self.picture = frame.picture
        survive("showing a picture", partial(self._outputs.show, frame))

    @property
    def view(self) -> View:
        """Return the view on the panel."""
        return self._seen(self._presented(self.state, mirrored=False), self.state)

    @property
    def frame(self) -> Frame:
        """Return the complete frame: the picture and everything that mirrors show."""
        presented = self._presented(self.state, mirrored=True)
        return presented.frame(self._seen(presented, self.state), self.picture, self._lost)

    @property
    def lost(self) -> Text:
        """Return the sentence that says how much is not saved."""
        mark = self._upkeep.mark
        return _("Entries not saved: {count}", count=mark) if mark else _("Not saved")

    @property
    def _lost(self) -> Text | None:
        return None if self._upkeep.mark is None else self.lost

    def show_again(self) -> None:
        """Show the state on the mirrors again: somebody looks at it in a further language."""
        presented = self._presented(self.state, mirrored=True)
        seen = presented.frame(self._seen(presented, self.state), self.picture, self._lost)
        self._outputs.mirror(self._with_native(seen, self.state))

    def ask_again(self) -> None:
        """Show the screen anew: it may know more now."""
        self.settle(UncommittedState(replace(self.state, context=replace(self.state.context))))

    def contents(self, state: AppState) -> ScreenContents:
        """Return the contents of a state's screen, cached until screen or context changes."""
        known = self._contents
        if known is None or known[0] is not state.screen or known[1] is not state.context:
            self._contents = known = state.screen, state.context, state.screen.show(state.context)
        return known[2]

    def _presented(self, state: AppState, *, mirrored: bool) -> DisplayContent:
        return present(state, self.contents(state), mirrored=mirrored)

    def _seen(self, presented: DisplayContent, state: AppState) -> View:
        return presented.seen(state.message, state.refused, self._upkeep.mark)

    def _frame(self, presented: DisplayContent, state: AppState) -> Frame:
        view = self._seen(presented, state)
        picture = draw(view)
        stays = isinstance(state.screen, LanguageScreen) and state.screen.first  # nobody knows yet that a key wakes it
        if self._outputs.mirrored:
            return replace(self._with_native(presented.frame(view, picture, self._lost), state), stays=stays)
        code, exact = isinstance(view.body, CodeBody), isinstance(view.body, TestPictureBody)
        return Frame(picture, presented.lamp, {}, (), code=code, exact=exact, stays=stays)

    def _with_native(self, frame: Frame, state: AppState) -> Frame:
        """Return a frame with the contents of the live pages that somebody looks at."""
        languages = self._outputs.languages
        if not languages:
            return frame
        from .live_page_contents import live_page_contents  # for pages, which may come much later

        pages = live_page_contents(languages, state, self.contents(state), self.number, self._lost)
        return replace(frame, live_pages=pages)


def _asks_the_same(state: AppState, before: AppState) -> bool:
    """Return whether two states ask the same question."""
    game, stood = state.context.game, before.context.game
    same_game = game is stood or (game is not None and stood is not None and game.session is stood.session)
    return same_game and state.screen == before.screen
