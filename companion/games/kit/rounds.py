"""What several games ask: who starts, who wins, and whole rounds: figures by seat, row by row.

Figures that follow from the others are filled in. A whole form is shown before it counts. It then asks who won or
captured last, if that is needed, else whether it is right; ``D`` enters a row again, in which each figure can stand as
it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import eq

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import Start
from companion.core.prompt import Answer, ChooseSeat, EnterNumber, LayCard, Prompt, Skip, TakeAlternative, TallySheet
from companion.core.text import N_, NC_, IllegalEventError, Text


def with_others(prompt: Prompt) -> Prompt:
    """Return a prompt that also offers `TakeAlternative` and `Skip`, each if the prompt has a label for it."""
    others = (*(TakeAlternative(),) * (prompt.alternative is not None), *(Skip(),) * (prompt.skip is not None))
    return replace(prompt, answers=(*prompt.answers, *others))


def ask_start(
    may_start: Iterable[int] | None, answers: tuple[Answer, ...], text: str = N_("Who starts?")
) -> Prompt | Start:
    """Return the prompt "Who starts?", or the `Start` event once that is answered.

    >>> ask_start((0, 1), ()).answers
    (ChooseSeat(seat=0), ChooseSeat(seat=1))
    >>> ask_start((0, 1), (ChooseSeat(1),))
    Start(player=1)
    """
    match answers:
        case (ChooseSeat(player),):
            return Start(player)
    return Prompt(Text(text), sits(may_start or ()))


def sits(seats: Iterable[int]) -> tuple[Answer, ...]:
    """Return one `ChooseSeat` answer for each seat.

    >>> sits((0, 2))
    (ChooseSeat(seat=0), ChooseSeat(seat=2))
    """
    return tuple(map(ChooseSeat, seats))


def lays(cards: Iterable[Card], aside: bool = False) -> tuple[Answer, ...]:
    """Return one `LayCard` answer for each card; ``aside`` if in the prompt's alternate mode."""
    return tuple([LayCard(card, aside) for card in cards])


def cards_of(answers: Iterable[Answer]) -> tuple[Card, ...]:
    """Return the cards of the `LayCard` answers, in order; other answers are ignored."""
    return tuple(answer.card for answer in answers if isinstance(answer, LayCard))


# Forms


REST = Text(N_("rest 0"))
ZEROS = Text("→0")
"""0 for all that follow, in a few signs."""
ROW_HELP = Text(N_("Sheet: B = 2, rest of the row 0"))
"""The line of help on the letters of a sheet."""
CARDS_HELD = Text(N_("By a name: cards in hand"))
"""The line of help on the figure beside a name."""
CHANGE = Text(N_("change"))
RIGHT = Text(NC_("answer", "yes"))
WHO, ROW = "who", "row"


class Form(Struct, frozen=True):
    """A form with the figures entered so far."""

    title: Text
    heads: tuple[Text, ...]
    seats: int
    able: Callable[[Form], Sequence[int]]  # callback: returns the possible values of the next figure of a form
    # callback: returns whether a form whose figures are whole needs to know who won or captured last
    needs_who: Callable[[Form], bool] = lambda _form: False
    # callback: raises IllegalEventError if the figures of a whole form cannot be, as after a row was entered again
    check: Callable[[Form], object] = lambda _form: None
    # the seats in the order in which they are asked, without those that sit out; empty if all are asked in the order of
    # the seats
    order: tuple[int, ...] = ()
    figures: tuple[int | None, ...] = ()  # the figures so far, row by row; None in a row that is entered again
    before: tuple[int | None, ...] = ()  # the figures before a row was entered again
    rest_open: bool = False  # whether the last row can be other than what the other rows leave
    asks: str = ""  # what a whole form asks: who won or captured last, which row to change, or whether it is right
    who: int | UnsetType | None = UNSET  # that seat; None for nobody, UNSET if not answered yet
    agreed: bool = False  # whether the players have said that it is right

    @property
    def asked(self) -> Sequence[int]:
        """Return the seats that are asked, in order."""
        return self.order or range(self.seats)

    @property
    def complete(self) -> bool:
        """Return whether all figures are entered."""
        return self._next == len(self.asked) * len(self.heads)

    @property
    def again(self) -> bool:
        """Return whether a row is entered again."""
        return None in self.figures

    @property
    def _next(self) -> int:
        return self.figures.index(None) if self.again else len(self.figures)

    @property
    def was(self) -> int | None:
        """Return the next figure as it was before its row was entered again; None in no such row."""
        return self.before[self._next] if self.again else None

    @property
    def _can_stand(self) -> bool:
        """Return whether the next figure can stay as it was."""
        return self.was in self.able(self)

    @property
    def cell(self) -> tuple[int, int]:
        """Return the seat and the column of the next figure."""
        row, column = divmod(self._next, len(self.heads))
        return self.asked[row], column

    @property
    def last_row(self) -> bool:
        """Return whether the next figure is in the last row, which has what the other rows leave."""
        return self.cell[0] == self.asked[-1] and not self.rest_open

    def column(self, number: int) -> tuple[int, ...]:
        """Return the figures of a column by seat; 0 where none is entered yet."""
        return tuple(figure or 0 for figure in self.of_seats(number))

    def left(self, column: int, most: int) -> int:
        """Return how much of a column's sum is left for the next figure; all of it for a row that is entered again."""
        return most if self.again else most - sum(self.column(column))

    def of_seats(self, number: int) -> tuple[int | None, ...]:
        """Return the figures of a column by seat; None if a figure is not known, or its seat is not asked."""
        known = dict(zip(self.asked, self.figures[number :: len(self.heads)], strict=False))
        return tuple(map(known.get, range(self.seats)))

    def settled(self) -> Form:
        """Return the form with all next figures filled in that have only one possible value."""
        form = self
        while not form.complete and len(able := form.able(form)) == 1:
            form = form._with(able[0])
        if form.asks or not form.complete:
            return form
        if form.problem is not None:
            return replace(form, asks=ROW)
        return replace(form, asks=WHO) if form.who is UNSET and form.needs_who(form) else form

    @property
    def problem(self) -> Text | None:
        """Return why the figures of a whole form cannot be; None if they can."""
        try:
            self.check(self)
        except IllegalEventError as refused:
            return refused.text
        return None

    def _with(self, figure: int) -> Form:
        place = self._next
        return replace(self, figures=(*self.figures[:place], figure, *self.figures[place + 1 :]))

    def put(self, *figures: int) -> Form:
        """Return the form with more figures."""
        form = self
        for figure in figures:
            form = form._with(figure)
        return form.settled()

    def take(self, answer: Answer) -> Form:
        """Return the form after an answer: a figure, 0 for the rest, or what a whole form asks."""
        if not self.complete:
            match answer:
                case EnterNumber(value):
                    return self.put(value)
                case Skip():
                    return self._rest_at_zero() if self.was is None else self.put(self.was)
            return replace(self, rest_open=True).settled()
        match self.asks, answer:
            case "who", ChooseSeat() | Skip():
                who = answer.seat if isinstance(answer, ChooseSeat) else None
                return replace(self, who=who, asks="", agreed=self.needs_who(self))
            case "row", ChooseSeat(seat):
                return self._entered_again(seat)
            case _, Skip():
                needed = self.who is UNSET and self.needs_who(self)
                return replace(self, asks=WHO if needed else "", agreed=not needed)
            case "row", _:
                return replace(self, asks=WHO)
        return replace(self, asks=ROW)

    def _entered_again(self, seat: int) -> Form:
        first = self.asked.index(seat) * len(self.heads)
        last = first + len(self.heads)
        figures = (*self.figures[:first], *(None,) * len(self.heads), *self.figures[last:])
        return replace(self, figures=figures, before=self.figures, rest_open=True, asks="", who=UNSET).settled()

    def after(self, answers: Iterable[Answer]) -> Form:
        form = self.settled()
        for answer in answers:
            form = form.take(answer)
        return form

    def _in_rest(self, form: Form) -> bool:
        """Return whether a later form asks for the rest: of this form's row, or of all rows if there is one column."""
        return not form.complete and (len(self.heads) == 1 or form.cell[0] == self.cell[0])

    def _rest_at_zero(self) -> Form:
        """Return the form with 0 for the rest, but for figures that follow from the others."""
        form = self
        while self._in_rest(form):
            form = form.put(0)
        return form

    @property
    def _rest_asked(self) -> bool:
        """Return whether 0 for the rest is one answer instead of several."""
        return 0 in self.able(self) and self._in_rest(self.put(0))

    def rests_at_zero(self, figures: Sequence[int]) -> bool:
        """Return whether 0 for the rest leads to these figures, given row by row, and saves an answer."""
        return self._rest_asked and all(map(eq, self._rest_at_zero().figures, figures))

    def sheet(self) -> TallySheet:
        form = self
        if self.again:
            figures = tuple(was if new is None else new for new, was in zip(self.figures, self.before, strict=True))
            form = replace(self, figures=figures)
        rows = tuple(zip(*map(form.of_seats, range(len(self.heads))), strict=True))
        return TallySheet(self.title, self.heads, rows, None if self.complete else self.cell, by_row=True)

    def ask(
        self,
        text: Text,
        answers: tuple[Answer, ...] | None = None,
        extra: Text | None = None,
        skips: bool = True,
    ) -> Prompt:
        """Return the prompt for the next figure.

        Args:
            skips: Whether 0 for the rest is offered where that saves an answer, or the figure as it was.
        """
        figures = tuple(map(EnterNumber, self.able(self))) if answers is None else answers
        seat, _column = self.cell
        skip = short = None
        if skips and self.again and self._can_stand:
            skip, short = Text(N_("keep {figure}"), figure=self.was), Text("{figure}", figure=self.was)
        elif skips and not self.again and self._rest_asked:
            skip, short = REST, ZEROS
        asked = Prompt(text, figures, seat=seat, alternative=extra, skip=skip, skip_short=short, sheet=self.sheet())
        return with_others(asked)

    def ask_whole(
        self, who: Text, able: Iterable[int] = (), nobody: Text | None = None, extra: Text | None = None
    ) -> Prompt:
        """Return what a whole form asks: who won or captured last, which row to change, or whether it is right.

        Args:
            who: The question who won or captured last.
            able: The seats that may have.
            nobody: The label of that question's other answer, if it has one.
            extra: The label of answering that question though it is not needed; None if it makes no sense.
        """
        if self.asks == WHO:
            return with_others(
                Prompt(
                    who, sits(able), skip=nobody, alternative=CHANGE if self.who is UNSET else None, sheet=self.sheet()
                )
            )
        if self.asks == ROW:
            text, seats, problem = Text(N_("Which row is wrong?")), sits(self.asked), self.problem
            if problem is not None:
                return Prompt(text, seats, sheet=self.sheet(), note=problem)
            return with_others(Prompt(text, seats, skip=RIGHT, alternative=extra, sheet=self.sheet()))
        return so_on_the_table(self.sheet())


def so_on_the_table(sheet: TallySheet) -> Prompt:
    """Return the prompt that shows a whole sheet before it counts; its alternative enters figures again."""
    return with_others(Prompt(Text(N_("Same on the table?")), (), skip=RIGHT, alternative=CHANGE, sheet=sheet))


def numbers(form: Form, figures: Sequence[int]) -> tuple[Answer, ...]:
    """Return the answers that fill in a form with these figures, given row by row.

    >>> form = Form(Text("Round"), (Text("tricks"),), 2, lambda form: range(8) if not form.figures else (7,))
    >>> numbers(form.settled(), (3, 7))  # the second figure has one possible value, so it is not asked
    (EnterNumber(value=3),)
    """
    given: tuple[Answer, ...] = ()
    while not form.complete:
        answer: Answer = Skip() if form.rests_at_zero(figures) else EnterNumber(figures[len(form.figures)])
        given, form = (*given, answer), form.take(answer)
    return given


def agreement(form: Form, who: Answer | None) -> tuple[Answer, ...]:
    """Return the answers with which a whole form counts.

    Args:
        who: The answer to the question who won or captured last; None if it is not given.
    """
    if form.asks == WHO:
        return () if who is None else (who,)
    said = () if who is None else (TakeAlternative(), TakeAlternative(), who)
    return (*said, Skip())
