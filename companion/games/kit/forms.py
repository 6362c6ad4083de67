"""Forms: figures by seat, asked one at a time; figures that follow from the others are filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.core.prompt import Answer, ChooseSeat, EnterNumber, Prompt, Skip, TallySheet
from companion.core.text import Text

from .prompts import sits, with_others


class Form(Struct, frozen=True):
    """A form with the figures entered so far."""

    title: Text
    heads: tuple[Text, ...]
    seats: int
    able: Callable[[Form], Sequence[int]]  # callback: returns the possible values of the next figure of a form
    by_seat: bool = False  # whether figures are asked row by row (seat by seat); otherwise column by column
    figures: tuple[int, ...] = ()  # the figures so far, in the order asked
    asks_who: bool = False  # whether the form now asks which seat won or captured the last trick or card
    who: int | UnsetType | None = UNSET  # that seat; None for nobody, UNSET if not answered yet
    # the seats in the order in which they are asked, such as `kit.per_seat.from_left`, without those that sit out;
    # empty if all are asked in the order of the seats
    order: tuple[int, ...] = ()

    @property
    def asked(self) -> Sequence[int]:
        """Return the seats that are asked, in order."""
        return self.order or range(self.seats)

    @property
    def complete(self) -> bool:
        return len(self.figures) == len(self.asked) * len(self.heads)

    @property
    def cell(self) -> tuple[int, int]:
        """Return the seat and the column of the next figure."""
        row, column = self._place
        return self.asked[row], column

    @property
    def _place(self) -> tuple[int, int]:
        """Return the row, in the order asked, and the column of the next figure."""
        if self.by_seat:
            return divmod(len(self.figures), len(self.heads))
        column, row = divmod(len(self.figures), len(self.asked))
        return row, column

    def column(self, number: int) -> tuple[int, ...]:
        """Return the known figures of a column, in the order asked."""
        if self.by_seat:
            return self.figures[number :: len(self.heads)]
        asked = len(self.asked)
        return self.figures[number * asked : (number + 1) * asked]

    def of_seats(self, number: int) -> tuple[int | None, ...]:
        """Return the figures of a column by seat; None if a figure is not known, or its seat is not asked."""
        known = dict(zip(self.asked, self.column(number), strict=False))
        return tuple(map(known.get, range(self.seats)))

    def settled(self) -> Form:
        """Return the form with all next figures filled in that have only one possible value."""
        form = self
        while not form.complete and len(able := form.able(form)) == 1:
            form = replace(form, figures=(*form.figures, able[0]))
        return form

    def put(self, *figures: int) -> Form:
        return replace(self, figures=self.figures + figures).settled()

    def take(self, answer: Answer) -> Form:
        """Return the form after an answer: a figure, a seat, or 0 for the rest of the column.

        Only forms asked column by column can be answered with 0 for the rest.
        """
        match answer:
            case EnterNumber(value):
                return self.put(value)
            case ChooseSeat(seat):
                return replace(self, who=seat, asks_who=False).settled()
            case Skip() if not (self.asks_who or self.complete):
                return self.put(*(0,) * (len(self.asked) - self._place[0]))
            case Skip():
                return replace(self, who=None, asks_who=False)
        return replace(self, asks_who=True)

    def after(self, answers: Iterable[Answer]) -> Form:
        form = self.settled()
        for answer in answers:
            form = form.take(answer)
        return form

    def rests_at_zero(self, column: Sequence[int]) -> bool:
        """Return whether the rest of a column is 0 and holds at least two figures that would be asked."""
        row, asked = self._place
        if any(column[row:]):
            return False
        following = self.put(0)
        return not following.complete and following.cell[1] == asked

    def sheet(self) -> TallySheet:
        rows = tuple(zip(*map(self.of_seats, range(len(self.heads))), strict=True))
        return TallySheet(self.title, self.heads, rows, None if self.asks_who or self.complete else self.cell)

    def ask(
        self,
        text: Text,
        answers: tuple[Answer, ...] | None = None,
        extra: Text | None = None,
        skip: Text | None = None,
        legend: Text | None = None,
    ) -> Prompt:
        """Return the prompt for the next figure; ``skip`` is the label of "0 for the rest of the column"."""
        figures = tuple(map(EnterNumber, self.able(self))) if answers is None else answers
        seat, _column = self.cell
        return with_others(
            Prompt(text, figures, seat=seat, alternative=extra, skip=skip, sheet=self.sheet(), legend=legend)
        )

    def ask_who(self, text: Text, seats: Iterable[int], skip: Text | None = None) -> Prompt:
        return with_others(Prompt(text, sits(seats), skip=skip, sheet=self.sheet()))


def numbers(form: Form, figures: Sequence[int]) -> tuple[Answer, ...]:
    """Return the answers that fill in a form with these figures, given in the order asked.

    >>> form = Form(Text("Round"), (Text("tricks"),), 2, lambda form: range(8) if not form.figures else (7,))
    >>> numbers(form.settled(), (3, 7))  # the second figure has one possible value, so it is not asked
    (EnterNumber(value=3),)
    """
    given: tuple[Answer, ...] = ()
    while not form.complete:
        number = EnterNumber(figures[len(form.figures)])
        given, form = (*given, number), form.take(number)
    return given
