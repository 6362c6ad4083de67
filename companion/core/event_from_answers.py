"""Makes an event of the answers to prompts, and finds the questions that lead to an event."""

from __future__ import annotations

from typing import Any

from .errors import IllegalEventError
from .events import Event
from .game import Game
from .prompt import Answer, DetailLevel, EnterNumber, LayCard, Prompt, Skip
from .text import Text

NOTHING = EnterNumber(0)


def tracking_of(game: Game[Any], present: DetailLevel, state: Any, event: Event) -> DetailLevel:
    """Return the tracking in which an event can be entered; the present one is preferred.

    Raises:
        LookupError: The event can be entered in no tracking of this game.
    """
    for tracking in (present, *game.trackings):
        if event_from_answers(game, state, tracking, game.answers(state, event)) == event:
            return tracking
    raise LookupError(event)


def event_from_answers(game: Game[Any], state: Any, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Event | None:
    """Return the event that answers to successive prompts make; None if they do not make one."""
    for count, answer in enumerate(answers):
        prompt = game.ask(state, tracking, answers[:count])
        if not isinstance(prompt, Prompt) or not prompt.takes(answer):
            return None
    made = game.ask(state, tracking, answers)
    return made if isinstance(made, Event) else None


def questions_of(game: Game[Any], tracking: DetailLevel, state: Any, event: Event) -> list[tuple[Prompt, Answer]]:
    """Return the questions that lead to an event, each with its answer.

    Where all the rest of a row, a column or a sheet is said to be 0, each figure of the rest is a question, too.

    Raises:
        LookupError: The event can be entered in no tracking of this game.
    """
    tracking = tracking_of(game, tracking, state, event)
    given, said = list(game.answers(state, event)), list[Answer]()
    found: list[tuple[Prompt, Answer]] = []
    rest: int | None = None  # the row or column whose other figures are 0
    while isinstance(prompt := game.ask(state, tracking, tuple(said)), Prompt):
        line = None
        if prompt.sheet is not None and prompt.sheet.cell is not None:
            line = prompt.sheet.cell[0 if prompt.sheet.by_row else 1]
        if line is not None and line == rest:
            answer: Answer = NOTHING
        elif given:
            answer = given.pop(0)
            if line is not None and isinstance(answer, Skip) and NOTHING in prompt.answers:
                rest, answer = line, NOTHING
        elif line is not None and NOTHING in prompt.answers:  # the rest of the whole sheet was said to be 0
            answer = NOTHING
        else:
            break
        found.append((prompt, answer))
        said.append(answer)
    return found


def cells_of(game: Game[Any], tracking: DetailLevel, state: Any, event: Event) -> list[tuple[Text, int]]:
    """Return the cells of a sheet, column and row, among the questions that lead to an event.

    Raises:
        LookupError: The event can be entered in no tracking of this game.
    """
    cells = []
    for prompt, _answer in questions_of(game, tracking, state, event):
        if prompt.sheet is not None and prompt.sheet.cell is not None:
            row, column = prompt.sheet.cell
            cells.append((prompt.sheet.columns[column], row))
    return cells


def refusal_of(
    game: Game[Any], state: Any, tracking: DetailLevel, answers: tuple[Answer, ...]
) -> IllegalEventError | None:
    """Return why the answers so far cannot lead to a legal event; None if they still may.

    Each further prompt is given its first answer, or an impossible one if it has none.
    """
    try:
        made = game.ask(state, tracking, answers)
        if isinstance(made, Event):
            game.apply(state, made)
    except IllegalEventError as refused:
        return refused
    if not isinstance(made, Prompt) or made.note is not None:  # after a note another answer may still put it right
        return None
    agrees = tuple(answer for answer in made.answers if made.whole and isinstance(answer, Skip))
    following = (*agrees, *made.answers, *map(LayCard, made.deck), *made.picks)[:1]
    return refusal_of(game, state, tracking, (*answers, *following)) if following else None
