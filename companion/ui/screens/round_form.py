"""The figures of a round as one form, and the rounds of the score sheet: what pages name when one of them is tapped.

The box asks for one figure after the other. A page shows all of them as fields, and sends what is typed in one by
itself. A figure that was given already is replaced; all others stay as long as they fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, dropwhile, islice, takewhile
from typing import Any

from msgspec import Struct

from companion.core.game import Event, Game, questions_of, tracking_of
from companion.core.games import checked
from companion.core.prompt import Answer, DetailLevel, EnterNumber, Prompt, Question, Skip, TakeAlternative, TallySheet
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.ui.keys import numbered_name
from companion.ui.screens.position import CachedGameState
from companion.ui.screens.questions import explained
from companion.ui.translations import _

Place = tuple[int, int]
"""A seat and a column of a sheet."""

LONGEST = 100
"""The most digits of a figure that is looked at: one that is too great is refused with the numbers that can be."""

MOST_FIELDS = 64
"""The most figures that are looked for ahead."""


class Given(Struct, frozen=True):
    """A figure that is given in a form."""

    place: Place
    figure: int

    @classmethod
    def named(cls, name: str) -> Given | None:
        """Return the figure that a page names: ``figure 2 1 -15`` is that of the second seat in the first column.

        >>> Given.named("figure 2 1 -15")
        Given(place=(1, 0), figure=-15)
        """
        kind, *parts = name.split(" ")
        numbers = [int(part) for part in parts if part.removeprefix("-").isdecimal() and len(part) <= LONGEST]
        if kind != "figure" or len(parts) != 3 or len(numbers) != 3:
            return None
        seat, column, figure = numbers
        return cls((seat - 1, column - 1), figure)


class Field(Struct, frozen=True):
    """A figure of a form: given, asked for now, or asked for later."""

    place: Place
    least: int  # the least number that it can be
    asked: bool  # whether it is asked for now


def fields_of(position: CachedGameState, answers: tuple[Answer, ...]) -> tuple[Field, ...]:
    """Return the figures of the sheet that is asked for after some answers, in the order in which they are asked for.

    They are none if the question is of no sheet, or of one whose figures take several answers each.
    """
    prompt = position.ask(answers)
    if not isinstance(prompt, Prompt) or prompt.sheet is None or prompt.sheet.by_digits:
        return ()
    found = dict[Place, Field]()
    given = (asked for asked, _answer in _again(position, answers, prompt))
    with suppress(IllegalEventError):  # what is likely may be refused; the figures before it are fields all the same
        for asked in chain(given, islice(_ahead(position, answers), MOST_FIELDS)):
            if asked.cell is not None:
                found[asked.cell] = Field(asked.cell, _numbers(asked)[0], asked.cell == prompt.cell)
    return tuple(found.values())


def fields_in(
    sheet: TallySheet, position: CachedGameState, answers: tuple[Answer, ...]
) -> Iterator[tuple[Place, Field]]:
    """Yield the figures of another entry of a round, each with its place in a sheet of the round."""
    asked = position.ask(answers)
    if isinstance(asked, Prompt) and asked.sheet is not None:
        for field in fields_of(position, answers):
            seat, head = field.place[0], asked.sheet.columns[field.place[1]]
            if head in sheet.columns:
                yield (seat, sheet.columns.index(head)), field


def refilled(position: CachedGameState, answers: tuple[Answer, ...], given: Given) -> tuple[Answer, ...] | None:
    """Return answers with a figure given or changed; None if something else is asked first.

    All other figures that are known stay, as far as they fit.

    Raises:
        IllegalEventError: The figure cannot be.
    """
    prompt, made, placed = position.ask(answers), tuple[Answer, ...](), False
    assert isinstance(prompt, Prompt)  # only then a figure is given
    for asked, answer in _again(position, answers, prompt, given):
        made, placed = (*made, answer), placed or asked.cell == given.place
    if placed:
        return made
    after = position.ask(made)
    if isinstance(after, Prompt) and not after.whole:
        return None
    raise IllegalEventError("figure", FOLLOWS.template)


FOLLOWS = _("This figure follows from the others")
"""The refusal of a figure that is not asked for."""


def _again(
    position: CachedGameState, answers: tuple[Answer, ...], prompt: Prompt, given: Given | None = None
) -> Iterator[tuple[Prompt, Answer]]:
    """Yield the questions that lead to a prompt with their answers; or, with a figure given, all that are known.

    Where the rest was said to be 0, each figure of the rest is a question, too.

    Raises:
        IllegalEventError: The given figure cannot be.
    """
    rows = () if prompt.sheet is None else prompt.sheet.rows
    others, frees = _other_answers(position, answers)
    made = tuple[Answer, ...]()
    while isinstance(asked := position.ask(made), Prompt) and not asked.whole:
        meant = given is not None and asked.cell == given.place
        answer = _known(rows, asked.cell) if asked.cell is not None else others.get(asked.question)
        if given is not None and meant:
            answer = EnterNumber(given.figure)
        if answer is None or (given is None and asked.question == prompt.question):
            return
        if frees and not asked.takes(answer) and TakeAlternative() in asked.answers:
            answer, frees = TakeAlternative(), False
        try:
            _check(position, made, asked, answer)
        except IllegalEventError:
            if meant:
                raise
            return
        yield asked, answer
        made = (*made, answer)


def _check(position: CachedGameState, made: tuple[Answer, ...], asked: Prompt, answer: Answer) -> None:
    """Raise unless an answer is possible."""
    if not asked.takes(answer):
        why = explained(asked, "", "", None)
        raise IllegalEventError("figure", why.template, **why.args)
    position.ask((*made, answer))


def _other_answers(position: CachedGameState, answers: tuple[Answer, ...]) -> tuple[dict[Question, Answer], bool]:
    """Return the answers that give no figure of the sheet, and whether a figure can be other than what others leave."""
    found, frees = dict[Question, Answer](), False
    for place, answer in enumerate(answers):
        asked = position.ask(answers[:place])
        if isinstance(asked, Prompt) and not asked.whole:
            if asked.cell is None:
                found[asked.question] = answer
            frees = frees or isinstance(answer, TakeAlternative)
    return found, frees


def _known(rows: Sequence[Sequence[int | None]], place: Place) -> Answer | None:
    figure = rows[place[0]][place[1]] if rows else None
    return None if figure is None else EnterNumber(figure)


def _ahead(position: CachedGameState, answers: tuple[Answer, ...]) -> Iterator[Prompt]:
    """Yield the question for a figure, and those that follow it if all figures are likely ones."""
    while isinstance(asked := position.ask(answers), Prompt) and asked.cell is not None:
        yield asked
        answers = (*answers, EnterNumber(asked.likely(_numbers(asked))))


def _numbers(prompt: Prompt) -> Sequence[int]:
    """Return the numbers that can be entered, the least first."""
    return prompt.open_numbers or sorted(each.value for each in prompt.answers if isinstance(each, EnterNumber))


def as_entered(position: CachedGameState, was: Event) -> tuple[Answer, ...]:
    """Return the answers that make an entry, figure by figure, but the last one, such as that its sheet is right.

    They are none if the entry cannot be made at this level of detail.
    """
    entered = position.game, position.tracking, position.state, was
    with suppress(LookupError):  # only a log has such an entry
        if tracking_of(*entered) is position.tracking:
            return tuple(answer for _asked, answer in questions_of(*entered))[:-1]
    return ()


def before_last(session: Session, tracking: DetailLevel) -> tuple[Answer, ...]:
    """Return the answers that stay given once the last entry is taken back: of a sheet all but the last one."""
    head = session.head
    if head.event is None or head.before is None or head.event is not session.latest:
        return ()
    position = CachedGameState(session.header.game, head.before.state, tracking)
    answers = as_entered(position, head.event)
    asked = position.ask(answers)
    return answers if isinstance(asked, Prompt) and asked.sheet is not None else ()


def changes_alone(before: object, after: object, place: Place) -> bool:
    """Return whether a prompt shows the sheet of the one before but for one figure, and asks whether it is right."""
    if not (isinstance(before, Prompt) and isinstance(after, Prompt) and before.sheet and after.sheet):
        return False
    seats = enumerate(zip(before.sheet.rows, after.sheet.rows, strict=True))
    changed = {
        (seat, column)
        for seat, rows in seats
        for column, (was, now) in enumerate(zip(*rows, strict=True))
        if was != now
    }
    return after.whole and after.note is None and Skip() in after.answers and changed <= {place}


def totals_after(position: CachedGameState, answers: tuple[Answer, ...]) -> tuple[int, ...]:
    """Return the totals by seat after the entry that answers make; none if they make none."""
    with suppress(IllegalEventError):
        made = position.ask(answers)
        if isinstance(made, Event):
            return checked(position.game, position.game.apply(position.state, made)).totals
    return ()


# The rounds of the score sheet


class TappedRound(Struct, frozen=True):
    """A round of the score sheet, or the figure of a seat in it."""

    number: int  # from 1
    seat: int | None  # None for the whole round

    @classmethod
    def named(cls, name: str) -> TappedRound | None:
        """Return what a page names: ``round 3``, or ``round 3 seat 2``; None for any other name.

        >>> TappedRound.named("round 3 seat 2"), TappedRound.named("round 3")
        (TappedRound(number=3, seat=1), TappedRound(number=3, seat=None))
        """
        first, word, second = name.partition(" seat ")
        number, seat = numbered_name("round", first), numbered_name("seat", f"seat {second}")
        if number is None or (word and seat is None):
            return None
        return cls(number, None if seat is None else seat - 1)


def round_in(game: Game[Any], state: object) -> int:
    """Return the number of the round that is played in a state."""
    return game.optional.finished_rounds(state) + 1


def entries_of(session: Session, number: int) -> list[int]:
    """Return the numbers of the entries of a round."""
    game = session.header.game
    later = dropwhile(lambda step: round_in(game, step.before.state) > number, session.steps())
    return [step.number for step in takewhile(lambda step: round_in(game, step.before.state) == number, later)][::-1]
