"""Makes the screen of an unfinished entry again, from its draft."""

from __future__ import annotations

from msgspec import MsgspecError, convert
from msgspec.structs import replace

from companion.core.correction import Correction
from companion.core.errors import IllegalEventError
from companion.core.events import Event
from companion.core.prompt import Prompt
from companion.gamelog import LogError, decode_line
from companion.ui.key_grammar import answer_named
from companion.ui.screens.compare import comparable
from companion.ui.screens.context import CurrentGame, Screen
from companion.ui.screens.corrections import ConflictScreen, ReviewScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import _

from .saved_drafts import NOTHING, CorrectionDraft, DraftError, EntryDraft

DROPPED = _("What was half entered is gone: enter it again")
"""The sentence when a draft cannot be taken up."""


def resumed_entry(kept: object, game: CurrentGame) -> Screen:
    """Return the screen of a game with its unfinished entry; raise DraftError if that does not fit."""
    try:
        draft = convert(kept, EntryDraft) if kept else NOTHING
        correction = None if draft.correction is None else _correction(draft.correction, game)
        if correction is not None and draft.page == "conflict" and correction.why is not None:
            return ConflictScreen(PlayScreen(), correction)
        if correction is not None and draft.page == "review" and correction.fits:
            return ReviewScreen(PlayScreen(), correction, top=draft.top)
        if draft.page or (correction is not None and correction.fits):
            raise DraftError("the correction asks something else")
        ended = correction is not None and correction.first == game.session.head.number and comparable(game)
        if draft.compares and not ended:
            raise DraftError("it compares the figures of another round")
        screen = PlayScreen(correction=correction, tracking=draft.tracking, compares=draft.compares)
        position = screen.position(game)
        for name, keys in draft.given:
            prompt = position.ask(screen.answers)
            answer = answer_named(prompt, name) if isinstance(prompt, Prompt) else None
            if answer is None:
                raise DraftError(name)
            screen = replace(screen, answers=(*screen.answers, answer), keys=(*screen.keys, keys))
        asked = position.ask(screen.answers)
        if not isinstance(asked, Prompt) and asked is not None:
            raise DraftError("the entry is complete")
    except (MsgspecError, IllegalEventError, LogError) as error:
        raise DraftError(str(error)) from error
    return replace(screen, typed=draft.typed)


def _correction(draft: CorrectionDraft, game: CurrentGame) -> Correction:
    header = game.session.header
    lines = [None if line is None else decode_line(line, header) for line in draft.given]
    given = [line if isinstance(line, Event) else None for line in lines]
    return Correction.resumed(game.session, draft.number, draft.edit, given)
