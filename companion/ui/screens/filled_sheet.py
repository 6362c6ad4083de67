"""Fills in the old sheet of an entry that is corrected, so that only the wrong row is entered again."""

from __future__ import annotations

from companion.core.correction import Correction
from companion.core.prompt import Answer, Prompt, TakeAlternative

from .cached_game_state import CachedGameState


def filled_in(position: CachedGameState, correction: Correction | None) -> tuple[Answer, ...]:
    """Return the answers that fill in the old sheet, and ask whose row is wrong.

    They are none if no correction is under way, or if its first entry is no sheet that is shown whole.

    Args:
        position: The game before that entry.
    """
    if correction is None or correction.inserts or correction.why is not None:
        return ()
    answers = (*position.game.answers(position.state, correction.was)[:-1], TakeAlternative())
    whole = position.ask(answers[:-1])
    if not isinstance(whole, Prompt) or whole.sheet is None or whole.cell is not None:
        return ()
    return answers if TakeAlternative() in whole.answers else ()
