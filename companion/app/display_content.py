"""Computes what a state shows: view, key labels, lamp colour, and which text may be typed next."""

from __future__ import annotations

from msgspec import Struct, structs
from msgspec.structs import replace
from PIL import Image

from companion.core.text import Text
from companion.ui.fit_key_labels import on_keys
from companion.ui.keys import Labels
from companion.ui.screens.context import ScreenContents
from companion.ui.translations import Translator
from companion.ui.view import CodeBody, TestPictureBody, View, spoken

from .app_state import AppState
from .ports import BoxOutput, Colour


class DisplayContent(Struct, frozen=True):
    """View, key labels, lamp colour, and which text may be typed next; without messages."""

    view: View  # the view on the panel
    lamp: Colour | None  # the lamp's colour
    labels: Labels  # what each key does; empty if no output needs it
    expected_text: str  # what can be entered as text, if anything
    words: Translator  # translates into the current language

    def seen(self, message: Text | None, refused: bool, unsaved: int | None) -> View:
        """Return the view with a message over it, and the number of unsaved entries."""
        view = self.view if unsaved is None else structs.replace(self.view, unsaved=unsaved)
        return view if message is None else structs.replace(view, notice=(self.words.sentence(message),), alert=refused)

    def frame(self, view: View, picture: Image.Image, unsaved: Text | None) -> BoxOutput:
        """Return the complete frame for mirrors; ``unsaved`` says what is not saved, if anything."""
        labels = {key: self.words.aloud(label) for key, label in self.labels.items()}
        shown = on_keys(labels, self.words.players)
        return BoxOutput(
            picture,
            self.lamp,
            labels,
            (*(() if unsaved is None else (self.words(unsaved),)), *spoken(view, self.words.aloud)),
            expected_text=self.expected_text,
            language=self.words.language,
            code=isinstance(view.body, CodeBody),
            exact=isinstance(view.body, TestPictureBody),
            key_lines={key: lines for key, lines in shown.items() if lines != labels[key]},
        )


def present(state: AppState, contents: ScreenContents, *, mirrored: bool) -> DisplayContent:
    """Compute what a state and its screen show; mirrors also need key labels and expected text."""
    screen, context, selector = state.screen, state.context, state.selector
    labels = contents.labels if mirrored or selector is not None else {}
    if selector is None:
        view = contents.view
    else:
        seen, ring = (
            contents if selector == selector.home else screen.show(replace(context, report=None)),
            contents.ring,
        )
        view = selector.shown(seen.view, ring, labels, context.words)
        labels = {**labels, **selector.labels(ring, labels)}
    club = context.machine.club
    if club is not None and context.game is not None:
        view = structs.replace(view, clock=context.words(club.clock))
    sign = None if context.game is None else context.game.position.face.headline
    lamp = None if sign is None else sign.colour
    return DisplayContent(view, lamp, labels, screen.expected_text(context) if mirrored else "", context.words)
