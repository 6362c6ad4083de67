"""East Rune's end-of-game sheet: the figures of every seat, and who captured the last chair where that matters.

The table says chairs by seat, then monarchs, then cards in hand; with 2 players there are no chairs. What the
others have not captured went to the last seat: that figure is filled in, not asked, unless something was left over.
``#`` says that all hands that are left are empty.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from companion.core.prompt import Alternative, Answer, ChooseSeat, EnterNumber, Prompt, Skip, TallySheet
from companion.core.text import N_, Glyph, Seat, Text

from .cards import MONARCHS_IN_ALL, VASSALS_IN_ALL
from .events import Result
from .rules import most_in_hand
from .scoring import leaders
from .state import State

CHAIRS, MONARCHS, HAND = range(3)
CHAIR, CROWN = Glyph("chair"), Glyph("crown")
HEADS = (Text("{chair}", chair=CHAIR), Text("{crown}", crown=CROWN), Text(N_("hand")))
REST = Text(N_("rest 0"))


@dataclass
class _Form:
    """The sheet while it is walked through.

    Attributes:
        state: The game it ends.
        figures: What is settled so far, by column and seat.
        left_over: Whether something was captured by nobody, from which column on.
        asks_last: Whether it is to be said now who captured the last chair.
        last: Who did, once that is said.
    """

    state: State
    figures: tuple[list[int], list[int], list[int]]
    left_over: bool = False
    asks_last: bool = False
    last: int | UnsetType | None = field(default=UNSET)

    @property
    def column(self) -> int | None:
        """Return which column is being filled in, None once all are."""
        return next((column for column in range(3) if len(self.figures[column]) < self.state.seats), None)

    def count(self, column: int) -> int:
        """Return how many there are of what a column counts, chairs or monarchs."""
        return self.state.rounds if column == CHAIRS else MONARCHS_IN_ALL

    def left(self, column: int) -> int:
        """Return how many of what a column counts are left for the seats to come."""
        return self.count(column) - sum(self.figures[column])

    def settle(self) -> None:
        """Fill in what the sum decides."""
        for column in (CHAIRS, MONARCHS):
            said = self.figures[column]
            while len(said) < self.state.seats:
                last = len(said) == self.state.seats - 1
                if self.left(column) and (self.left_over or not last):
                    return
                said.append(self.left(column))

    def take(self, answer: Answer) -> None:
        """Go on by an answer."""
        column = self.column
        match answer:
            case EnterNumber(value):
                assert column is not None  # a figure was asked for
                self.figures[column].append(value)
            case ChooseSeat(seat):
                self.last, self.asks_last = seat, False
            case Skip() if column == HAND and not self.asks_last:
                self.figures[HAND].extend([0] * (self.state.seats - len(self.figures[HAND])))
            case Skip():
                self.last, self.asks_last = None, False
            case _ if column == HAND:  # the extra answer's meaning is the column's
                self.asks_last = True
            case _:
                self.left_over = True
        self.settle()

    def result(self) -> Result:
        """Return the event the figures make."""
        chairs, monarchs, hand = map(tuple, self.figures)
        return Result(chairs, monarchs, hand, self.last)


def _walked(state: State, answers: tuple[Answer, ...]) -> _Form:
    form = _Form(state, ([0, 0] if state.seats == 2 else [], [], []))
    for answer in answers:
        form.take(answer)
    return form


def ask_result(state: State, answers: tuple[Answer, ...]) -> Prompt | Result:
    """Return the sheet's next question, or the event once it is complete."""
    form = _walked(state, answers)
    column = form.column
    if form.asks_last:
        return _ask_last(form)
    if column is None:
        result = form.result()
        if form.last is not UNSET or not _tied(state, result):
            return result
        if form.left(MONARCHS if state.seats == 2 else CHAIRS):  # the last one is among those nobody captured
            return replace(result, last_chair=None)
        return _ask_last(form)
    seat = len(form.figures[column])
    if column == HAND:
        most = most_in_hand(state, seat)
        if state.seats == 2:
            most = min(most, VASSALS_IN_ALL - sum(form.figures[HAND]))
        extra = None if form.last is not UNSET else _LAST[state.seats == 2]
    else:
        most = form.left(column)
        extra = None if form.left_over else Text(N_("not all"))
    figures: tuple[Answer, ...] = tuple(EnterNumber(value) for value in range(most + 1))
    others: tuple[Answer, ...] = () if extra is None else (Alternative(),)
    may_rest = column == HAND and seat < state.seats - 1
    return Prompt(
        _question(column, Seat(seat)),
        (*figures, *others, Skip()) if may_rest else (*figures, *others),
        seat=seat,
        extra=extra,
        skip=REST if may_rest else None,
        sheet=_sheet(form, (column, seat)),
    )


def _question(column: int, player: Seat) -> Text:
    if column == HAND:
        return Text(N_("In hand: {player}"), player=player)
    return Text(N_("{sign}: {player}"), sign=(CHAIR, CROWN)[column], player=player)


_LAST = (Text(N_("last {chair}"), chair=CHAIR), Text(N_("last {crown}"), crown=CROWN))


def _sheet(form: _Form, asked: tuple[int, int] | None) -> TallySheet:
    columns = (MONARCHS, HAND) if form.state.seats == 2 else (CHAIRS, MONARCHS, HAND)
    rows = tuple(
        tuple(said[seat] if seat < len(said := form.figures[column]) else None for column in columns)
        for seat in range(form.state.seats)
    )
    cell = None if asked is None else (asked[1], columns.index(asked[0]))
    return TallySheet(Text(N_("The end")), tuple(HEADS[column] for column in columns), rows, cell)


def _ask_last(form: _Form) -> Prompt:
    state = form.state
    captured = form.figures[MONARCHS if state.seats == 2 else CHAIRS]
    return Prompt(
        Text(N_("Last {crown}: who?"), crown=CROWN)
        if state.seats == 2
        else Text(N_("Last {chair}: who?"), chair=CHAIR),
        (*(ChooseSeat(seat) for seat, count in enumerate(captured) if count), Skip()),
        skip=Text(N_("nobody")),
        sheet=_sheet(form, None),
    )


def _tied(state: State, result: Result) -> bool:
    figures = replace(state, chairs=result.chairs, monarchs=result.monarchs, hand=result.hand)
    return len(leaders(figures)) > 1


def answers_of_result(state: State, event: Result) -> tuple[Answer, ...]:
    """Return the answers that fill in the sheet of a result."""
    form = _walked(state, ())
    given: list[Answer] = []

    def say(*answers: Answer) -> None:
        for answer in answers:
            given.append(answer)
            form.take(answer)

    figures = (event.chairs, event.monarchs, event.hand)
    counted = MONARCHS if state.seats == 2 else CHAIRS
    last = () if event.last_chair is UNSET else (Skip() if event.last_chair is None else ChooseSeat(event.last_chair),)
    asked = _tied(state, event) and form.count(counted) == sum(figures[counted])
    follows = _tied(state, event) and event.last_chair is None  # or is asked for, with the same answer
    while (column := form.column) is not None:
        seat = len(form.figures[column])
        if column != HAND and not form.left_over and sum(figures[column]) < form.count(column):
            say(Alternative())
        elif column == HAND and seat == 0 and last and not asked and not follows:
            say(Alternative(), *last)
        if column == HAND and seat < state.seats - 1 and not any(event.hand[seat:]):
            say(Skip())
        else:
            say(EnterNumber(figures[column][seat]))
    return (*given, *last) if asked else tuple(given)
