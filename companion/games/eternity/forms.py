"""Eternity's sheet of a round: tricks by seat, trees by seat, and the winner of the last trick where it matters."""

from __future__ import annotations

from msgspec import UNSET

from companion.core.events import Event
from companion.core.prompt import Alternative, Answer, ChooseSeat, EnterNumber, Prompt, Skip, TallySheet
from companion.core.text import N_, Seat, Text

from .cards import most_trees, most_trees_of_seat, tricks_in_round
from .events import Round
from .rules import apply
from .state import State

LAST = Text(N_("last trick"))


class _Tally:
    """A round's figures, read from the answers so far; a figure that can only be one number is filled in.

    Attributes:
        state: The game.
        figures: The tricks by seat, then the trees by seat.
        last: Who won the last trick, where that was said.
    """

    def __init__(self, state: State, answers: tuple[Answer, ...]) -> None:
        """Read the answers in their order."""
        self.state = state
        self.figures: list[int] = []
        self.last: int | None = None
        self._fill()
        for answer in answers:
            match answer:
                case EnterNumber(value):
                    self.figures.append(value)
                case ChooseSeat(seat):
                    self.last = seat
            self._fill()

    @property
    def tricks(self) -> tuple[int, ...]:
        """Return the tricks by seat, as far as they are known."""
        return tuple(self.figures[: self.state.seats])

    @property
    def trees(self) -> tuple[int, ...]:
        """Return the trees by seat, as far as they are known."""
        return tuple(self.figures[self.state.seats :])

    def able(self) -> range:
        """Return what the next figure can be."""
        state, cell = self.state, len(self.figures)
        if cell >= state.seats:
            won = self.figures[cell - state.seats]
            left = most_trees(state.seats, state.rules.tokens == "limited") - sum(self.trees)
            return range(min(left, most_trees_of_seat(state.seats, won)) + 1)
        left = tricks_in_round(state.seats) - sum(self.figures)
        if cell == state.seats - 1:
            return range(left, left + 1)
        later = self.last is not None and self.last > cell  # who won the last trick has at least one
        return range(int(cell == self.last), left - later + 1)

    def _fill(self) -> None:
        """Add the figures that can only be one number."""
        while len(self.figures) < 2 * self.state.seats and len(self.able()) == 1:
            self.figures.append(self.able()[0])

    def sheet(self, cell: tuple[int, int] | None) -> TallySheet:
        """Return the sheet as it is filled in so far."""
        seats, tricks, trees = range(self.state.seats), self.tricks, self.trees
        rows = tuple(
            (tricks[seat] if seat < len(tricks) else None, trees[seat] if seat < len(trees) else None) for seat in seats
        )
        title = Text(N_("Round {round}"), round=self.state.round)
        return TallySheet(title, (Text(N_("tricks")), Text(N_("trees"))), rows, cell)


def ask_round(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Ask for the next figure of a round, or return the event the answers make."""
    tally = _Tally(state, answers)
    tricks, last = tally.tricks, tally.last
    if len(tally.trees) == state.seats:
        event = Round(tricks, tally.trees, UNSET if last is None else last)
        if last is None and not (answers and isinstance(answers[-1], Skip)) and _leaves_open(state, event):
            winners = tuple(ChooseSeat(seat) for seat, won in enumerate(tricks) if won)
            return Prompt(
                Text(N_("Who won last?")),
                (*winners, Skip()),
                skip=Text(N_("unknown")),
                sheet=tally.sheet(None),
            )
        return event
    if answers and isinstance(answers[-1], Alternative):
        sitting = tuple(ChooseSeat(seat) for seat in range(state.seats) if seat >= len(tricks) or tricks[seat])
        return Prompt(Text(N_("Who won last?")), sitting, sheet=tally.sheet(None))
    column, seat = divmod(len(tally.figures), state.seats)
    question = N_("Trees: {player}") if column else N_("Tricks: {player}")
    figures: tuple[Answer, ...] = tuple(map(EnterNumber, tally.able()))
    return Prompt(
        Text(question, player=Seat(seat)),
        figures if last is not None else (*figures, Alternative()),
        seat=seat,
        extra=None if last is not None else LAST,
        sheet=tally.sheet((seat, column)),
    )


def _leaves_open(state: State, event: Round) -> bool:
    """Tell whether the next starter would be asked for because nobody said who won the last trick."""
    return state.rules.edition == "jp" and apply(state, event).phase == "start"


def _figures(state: State, before: tuple[Answer, ...], figures: tuple[int, ...]) -> tuple[Answer, ...]:
    """Return some answers with those after them that fill a sheet in."""
    given = before
    while len(known := _Tally(state, given).figures) < 2 * state.seats:
        given = (*given, EnterNumber(figures[len(known)]))
    return given


def round_answers(state: State, event: Round) -> tuple[Answer, ...]:
    """Return the answers that make a whole round."""
    figures = event.tricks + event.trees
    asked = _leaves_open(state, Round(event.tricks, event.trees))
    if not isinstance(event.last, int):
        return (*_figures(state, (), figures), *(Skip(),) * asked)
    winner = ChooseSeat(event.last)
    return (*_figures(state, (), figures), winner) if asked else _figures(state, (Alternative(), winner), figures)
