"""Presentation of a box state: the game is asked once for view, labels and lamp, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PIL import Image

from companion.core.text import Text
from companion.ui.key_labels import on_keys
from companion.ui.options import OptionRing
from companion.ui.screens.context import Labels, TextInputScreen
from companion.ui.translations import Translator
from companion.ui.view import View, spoken

from .app_state import AppState
from .ports import Colour, Frame


@dataclass(frozen=True, slots=True)
class Presentation:
    """View, labels, lamp and sound of a state, without the sentence and the mark of a disk that refuses.

    Attributes:
        view: What is on the panel.
        lamp: What the lamp shines in.
        labels: What each key does; empty where nobody looks.
        wanted: What can be written as a whole, if anything can.
        words: The language it is worded in.
    """

    view: View
    lamp: Colour | None
    labels: Labels
    wanted: str
    words: Translator

    def seen(self, message: Text | None, refused: bool, unsaved: int | None) -> View:
        """Return the view with a sentence over it, and how many entries are not saved."""
        view = replace(self.view, unsaved=unsaved)
        return view if message is None else replace(view, notice=(self.words.sentence(message),), alert=refused)

    def frame(self, view: View, picture: Image.Image, unsaved: Text | None) -> Frame:
        """Return everything that mirrors show: a picture, and the same in words.

        Args:
            view: What the picture shows.
            picture: The picture.
            unsaved: The sentence about what is not saved, if something is not.
        """
        labels = {key: self.words.aloud(label) for key, label in self.labels.items()}
        shown = on_keys(labels, self.words.players)
        return Frame(
            picture,
            self.lamp,
            labels,
            (*(() if unsaved is None else (self.words(unsaved),)), *spoken(view, self.words.aloud)),
            wanted=self.wanted,
            language=self.words.language,
            shown={key: lines for key, lines in shown.items() if lines != labels[key]},
        )


def present(state: AppState, ring: OptionRing | None, *, mirrored: bool) -> Presentation:
    """Work out what a box shows.

    Args:
        state: Where it stands.
        ring: What few keys can turn to; None where answers are typed.
        mirrored: Whether anybody looks at more than panel and lamp.
    """
    screen, desk = state.screen, state.desk
    turned = state.wheel is not None and state.wheel != state.wheel.home
    view = screen.view(replace(desk, report=None) if turned else desk)
    labels = screen.labels(desk) if mirrored or ring is not None else {}
    if state.wheel is not None and ring is not None:
        view = state.wheel.shown(view, ring, labels, desk.words)
        labels = {**labels, **state.wheel.labels(ring, labels)}
    wanted = screen.wanted(desk) if mirrored and isinstance(screen, TextInputScreen) else ""
    return Presentation(view, _lamp(state), labels, wanted, desk.words)


def _lamp(state: AppState) -> Colour | None:
    game = state.desk.game
    sign = None if game is None else game.session.header.game.face(game.session.state).sign
    return None if sign is None else sign.colour
