"""Help on the keys of the open game, as pages of text."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.keys import Key, KeyLayout
from companion.ui.translations import _
from companion.ui.view import TextBody, View

from .context import CurrentGame, ScreenContents, ScreenContext, Transition
from .list_selection import MOVES, moved_row, row_labels
from .screen_contents import KeyBinding, OpenedScreen, PageContents, back_to, home_from

GENERAL_KEYS = (_("* back, undo; held: entries"), _("# OK; held: menu"))
TURNING = (_("‹ › turn; ● chooses"), _("● held: back, undo"))
UPRIGHT = _("▲ ▼ next suit; numbers by 5")


def keys_of(game: CurrentGame, board: KeyLayout) -> tuple[Text, ...]:
    if not board.few:
        header = game.session.header
        return (*header.game.optional.keys(len(header.players), header.rules), *GENERAL_KEYS)
    beside = (text for text, key in zip(GENERAL_KEYS, "*#", strict=True) if key in board.keys)
    return (*TURNING, *((UPRIGHT,) if "^" in board.keys else ()), *beside)


class TextScreen(OpenedScreen, frozen=True):
    """Sentences over several pages: the alerts, or help about the keys."""

    title: Text
    sentences: tuple[Text, ...]
    first: int = 0

    def show(self, context: ScreenContext) -> ScreenContents:
        words = context.words
        body = TextBody(words(self.title), tuple(map(words, self.sentences)), self.first)
        labels, count = row_labels(body), len(self.sentences)
        rows = ((key, moved_row(count, self.first, Key(key))) for key in MOVES)
        return PageContents(
            self,
            View(body, words(_("A B move   * back"))),
            (
                *(KeyBinding(key, labels.get(key, ""), partial(self._at, row)) for key, row in rows if row is not None),
                *(replace(back_to(self.before, words), key=key) for key in "#*"),
                home_from(self, words),
                replace(back_to(self.before, words), key="h#", label=""),
            ),
            _("A and B move, * goes back"),
        )

    def _at(self, row: int) -> Transition:
        return Transition(replace(self, first=row))
