"""Builds the contents of live pages in the languages that somebody looks at."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.live_page.build import live_page_content
from companion.ui.live_page.content import LivePageContent
from companion.ui.screens.context import ScreenContents, for_pages
from companion.ui.translations import Translator
from companion.ui.view import View

from .app_state import AppState


def live_page_contents(
    languages: Iterable[str], state: AppState, contents: ScreenContents, number: int, unsaved: Text | None
) -> dict[str, LivePageContent]:
    """Return what live pages show of a state, by language; the empty language is the box's own.

    ``number`` is that of the question; ``unsaved`` the sentence that says what is not saved, if anything.
    """
    own = state.context.words.language
    wanted = {language: language or own for language in languages}
    made = {language: _in_language(language, state, contents, number, unsaved) for language in {*wanted.values()}}
    return {language: made[name] for language, name in wanted.items()}


def _in_language(
    language: str, state: AppState, contents: ScreenContents, number: int, unsaved: Text | None
) -> LivePageContent:
    context = state.context
    if language != context.words.language:
        context = replace(context, words=_translator(language).at(context.words.players))
        contents = state.screen.show(context)
    words, view = context.words, contents.view
    if state.message is not None:
        view = _with_notice(view, words.sentence(for_pages(state.message)), state.refused)
    made = live_page_content(state.screen, context, contents, view, number, state.refused)
    return made if unsaved is None else replace(made, unsaved=words(unsaved))


def _with_notice(view: View, notice: str, refused: bool) -> View:
    return replace(view, notice=(notice,), alert=refused)


@lru_cache(maxsize=8)
def _translator(language: str) -> Translator:
    return Translator(language)
