"""Forms: sheets of figures by seat that are asked one by one; a figure that can only be one number is not asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from msgspec import UNSET, UnsetType

from companion.core.prompt import Answer, ChooseSeat, EnterNumber, Prompt, Skip, TallySheet
from companion.core.text import Text

from .prompts import sits, with_others


@dataclass(frozen=True, slots=True)
class Form:
    """A sheet as far as it is filled in.

    Attributes:
        title: What is counted.
        heads: What each column counts.
        seats: How many play.
        able: From the form so far to all that the next figure can be.
        by_seat: Whether all figures of a seat are asked before those of the next; else column by column.
        figures: The figures so far, in the order in which they are asked.
        asks_who: Whether it is asked now which seat won or captured the last.
        who: That seat once it was said; None for nobody.
    """

    title: Text
    heads: tuple[Text, ...]
    seats: int
    able: Callable[[Form], Sequence[int]]
    by_seat: bool = False
    figures: tuple[int, ...] = ()
    asks_who: bool = False
    who: int | UnsetType | None = UNSET

    @property
    def complete(self) -> bool:
        """Tell whether every figure is known."""
        return len(self.figures) == self.seats * len(self.heads)

    @property
    def cell(self) -> tuple[int, int]:
        """Return the seat and the column of the next figure."""
        if self.by_seat:
            return divmod(len(self.figures), len(self.heads))
        column, seat = divmod(len(self.figures), self.seats)
        return seat, column

    def column(self, number: int) -> tuple[int, ...]:
        """Return a column by seat, as far as it is known."""
        if self.by_seat:
            return self.figures[number :: len(self.heads)]
        return self.figures[number * self.seats : (number + 1) * self.seats]

    def settled(self) -> Form:
        """Return the form with every next figure filled in that can only be one number."""
        form = self
        while not form.complete and len(able := form.able(form)) == 1:
            form = replace(form, figures=(*form.figures, able[0]))
        return form

    def put(self, *figures: int) -> Form:
        """Return the form with the next figures."""
        return replace(self, figures=self.figures + figures).settled()

    def take(self, answer: Answer) -> Form:
        """Return the form after an answer: a figure, a seat, or 0 for the rest of the column (column by column)."""
        match answer:
            case EnterNumber(value):
                return self.put(value)
            case ChooseSeat(seat):
                return replace(self, who=seat, asks_who=False).settled()
            case Skip() if not (self.asks_who or self.complete):
                return self.put(*(0,) * (self.seats - self.cell[0]))
            case Skip():
                return replace(self, who=None, asks_who=False)
        return replace(self, asks_who=True)

    def after(self, answers: Iterable[Answer]) -> Form:
        """Return the form after some answers."""
        form = self.settled()
        for answer in answers:
            form = form.take(answer)
        return form

    def rests_at_zero(self, column: Sequence[int]) -> bool:
        """Tell whether the rest of a column is 0, and more than the next figure of it would be asked."""
        seat, asked = self.cell
        if any(column[seat:]):
            return False
        following = self.put(0)
        return not following.complete and following.cell[1] == asked

    def sheet(self) -> TallySheet:
        """Return the sheet as it is shown, with the cell that is asked for."""
        columns = [self.column(number) for number in range(len(self.heads))]
        rows = tuple(
            tuple(column[seat] if seat < len(column) else None for column in columns) for seat in range(self.seats)
        )
        return TallySheet(self.title, self.heads, rows, None if self.asks_who or self.complete else self.cell)

    def ask(
        self,
        text: Text,
        answers: tuple[Answer, ...] | None = None,
        extra: Text | None = None,
        skip: Text | None = None,
        legend: Text | None = None,
    ) -> Prompt:
        """Ask for the next figure.

        Args:
            text: The question.
            answers: What can be answered, if it is not any figure that can be.
            extra: What the extra answer is called, where there is one.
            skip: What 0 for the rest of the column is called, where that can be said.
            legend: Which keys mean what.
        """
        figures = tuple(map(EnterNumber, self.able(self))) if answers is None else answers
        seat, _column = self.cell
        return with_others(
            Prompt(text, figures, seat=seat, alternative=extra, skip=skip, sheet=self.sheet(), legend=legend)
        )

    def ask_who(self, text: Text, seats: Iterable[int], skip: Text | None = None) -> Prompt:
        """Ask for a seat beside the figures."""
        return with_others(Prompt(text, sits(seats), skip=skip, sheet=self.sheet()))


def numbers(form: Form, figures: Sequence[int]) -> tuple[Answer, ...]:
    """Return the answers that fill a form in, from all its figures in the order in which they are asked."""
    given: tuple[Answer, ...] = ()
    while not form.complete:
        number = EnterNumber(figures[len(form.figures)])
        given, form = (*given, number), form.take(number)
    return given
