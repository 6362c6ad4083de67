"""What several games ask: who starts, who wins, and the figures of whole rounds.

A walk yields the figures of an entry in order, and is sent what each is. A form walks to ask people, and to write
down the answers that make an event, so that both agree. Figures that follow from the others are filled in. A whole form
is shown before it counts. It then asks who won or captured last, if that is needed, else whether it is right; ``D``
enters a row or a question again, in which each figure can stay as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Generic, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import Start
from companion.core.prompt import (
    Answer,
    ChooseSeat,
    EnterNumber,
    LayCard,
    Prompt,
    Skip,
    TakeAlternative,
    TallySheet,
)
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


# Walks


T = TypeVar("T")
Key = tuple[Any, int]
"""A column and a row."""
Known = Mapping[Key, int]
"""Figures by what they answer."""


class Cell(Struct, frozen=True):
    """A figure that a walk asks for."""

    column: Any
    row: int  # the seat; in a question that is not asked by seat, the place in its answer
    values: Sequence[int]  # what it can be
    alternative: Text | None = None  # the label of saying that a figure can be other than what the others leave
    names_seat: bool = False  # whether its answer is a seat, or skips: then skipping neither keeps a figure nor says 0

    @property
    def key(self) -> Key:
        return self.column, self.row

    @property
    def rests(self) -> bool:
        """Return whether it can be said that it, and what follows in its group, is 0."""
        return 0 in self.values and not self.names_seat


C = TypeVar("C", bound=Cell)
Walk = Generator[C, int, T]
"""Yields the figures of an entry one after the other, is sent what each is, and returns what they make."""


class Figures(Struct, frozen=True):
    """The figures of an entry that are known before a walk through it."""

    kept: Known = {}
    before: Known = {}  # what the figures were that are entered again
    free: bool = False  # whether a figure can be other than what the others leave
    last: int | UnsetType | None = UNSET  # who won or captured last; None for nobody

    def left(self, most: int, others: Iterable[int]) -> int:
        """Return how much of a sum is left; all of it where a row is entered again."""
        return most if self.before else most - sum(others)

    def able(self, left: int, last: bool) -> range:
        """Return what a figure of a sum can be: the last one is what the others leave, unless it is free."""
        return range(left if last and not self.free else 0, left + 1)


class Walked(Struct, Generic[C, T], frozen=True):
    """A walk as far as it has got: to a figure that is not known, or to its end."""

    walk: Walk[C, T]
    said: dict[Key, int]
    cell: C | None = None
    made: T | None = None  # what a whole walk returns

    @property
    def end(self) -> T:
        """Return what the walk returns; it is whole."""
        assert self.made is not None
        return self.made

    def following(self, value: int) -> C | None:
        """Return the figure that is asked for next if this one has a value; the walk is used up by that.

        Raises:
            IllegalEventError: It cannot have this value.
        """
        try:
            cell = self.walk.send(value)
            while len(cell.values) == 1:
                cell = self.walk.send(cell.values[0])
        except StopIteration:
            return None
        return cell


class NoLongerFitsError(Exception):
    """A figure that was kept is refused now."""

    def __init__(self, key: Key) -> None:
        self.key = key


def follow(
    walk: Walk[C, T],
    source: Callable[[C], int | None],
    kept: Known | None = None,
    asks_first: Callable[[], bool] | None = None,
) -> Walked[C, T]:
    """Send a walk its figures, and return how far it gets.

    A figure with one possible value is not asked for.

    Args:
        source: Returns a figure; None to stop there.
        kept: Figures that are known; one that cannot be any more is asked for.
        asks_first: Returns whether the first figure is asked for though it can have one value only.

    Raises:
        IllegalEventError: A figure is refused.
        NoLongerFitsError: It is one of those that are known.
    """
    said: dict[Key, int] = {}
    stays = False  # whether the last figure is one of those that are known
    try:
        cell = next(walk)
        while True:
            value = kept.get(cell.key) if kept else None
            stays = value is not None and value in cell.values
            if not stays:
                settled = len(cell.values) == 1 and (said or asks_first is None or not asks_first())
                value = cell.values[0] if settled else source(cell)
            if value is None:
                return Walked(walk, said, cell)
            said[cell.key] = value
            cell = walk.send(value)
    except IllegalEventError as refused:
        if stays:
            raise NoLongerFitsError(cell.key) from refused
        raise
    except StopIteration as stopped:
        return Walked(walk, said, made=stopped.value)


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
NOTHING_WRONG = Text(NC_("answer", "nothing"))


class Asks(Enum):
    """What a whole form asks."""

    WHO = "who"  # who won or captured last
    WRONG = "wrong"  # what is entered again
    RIGHT = "right"  # whether it is the same on the table


class Last(Struct, Generic[T], frozen=True):
    """The question who won or captured last, asked over a whole form."""

    text: Text
    able: Callable[[T], Iterable[int]]  # callback: returns the seats that may have
    needed: Callable[[T], bool]  # callback: returns whether the rules need to know it
    nobody: Text | None = None  # the label of the question's other answer, if it has one
    extra: Text | None = None  # the label of answering it though it is not needed; None if that makes no sense


class Form(Struct, Generic[C, T], frozen=True):
    """The figures of an entry, by seat and column; once whole, it is shown before it counts."""

    title: Text
    heads: Mapping[Any, Text]  # by column, in order
    seats: int
    walk: Callable[[Figures], Walk[C, T]]  # callback: returns a walk through the figures
    text: Callable[[C], Text]  # callback: returns the question for a figure
    # callback: raises IllegalEventError if whole figures cannot be, as after a row was entered again
    check: Callable[[T], object] = lambda _made: None
    last: Last[T] | None = None
    shown: Callable[[T], bool] = lambda _made: True  # callback: returns whether it is shown whole before it counts

    rest: Text = REST  # the label of saying that the rest is 0
    rest_apart: bool = False  # whether the key that ends a number does not say it
    # callback: returns whether the first figure is asked for though it can have one value only
    asks_first: Callable[[], bool] | None = None

    # What a form of another kind does in its own way

    def read(self, _cell: C, answers: list[Answer]) -> int | None:
        """Take a figure from the front of some answers; take nothing, and return None, if they are too few."""
        answer = answers.pop(0)
        if isinstance(answer, ChooseSeat):
            return answer.seat
        assert isinstance(answer, EnterNumber)  # no other is offered
        return answer.value

    def spelled(self, cell: C, value: int) -> tuple[Answer, ...]:
        """Return the answers that give a figure: the opposite of `read`."""
        return (ChooseSeat(value) if cell.names_seat else EnterNumber(value),)

    def label(self, _cell: C, value: int) -> object:
        """Return what a figure is called."""
        return value

    def prompt(self, cell: C, known: Known, _typed: Sequence[Answer]) -> Prompt:
        """Return the question for a figure.

        Args:
            known: All figures that are known.
            _typed: Answers that do not make a whole figure yet.
        """
        answers = tuple(answer for value in cell.values for answer in self.spelled(cell, value))
        sheet, seat = self.sheet(known, cell), None if cell.names_seat else cell.row
        return Prompt(self.text(cell), answers, seat=seat, alternative=cell.alternative, sheet=sheet)

    def sheet(self, known: Known, cell: C | None) -> TallySheet:
        """Return the figures so far, and which one is asked for."""
        rows = tuple(tuple(known.get((column, seat)) for column in self.heads) for seat in range(self.seats))
        at = None if cell is None or cell.column not in self.heads else (cell.row, [*self.heads].index(cell.column))
        return TallySheet(self.title, tuple(self.heads.values()), rows, at, by_row=True)

    def group(self, key: Key) -> Any:
        """Return what a figure belongs to: figures of a group can all be 0 at once, and are entered again together."""
        return key[1] if len(self.heads) > 1 else None

    def whole_sheet(self, walked: Walked[C, T]) -> TallySheet:
        """Return the figures that are shown before they count."""
        return self.sheet(walked.said, None)

    def which_wrong(self, known: Known, sheet: TallySheet) -> Prompt:
        """Return the question which group is entered again."""
        seats = sits(dict.fromkeys(seat for _column, seat in known))
        return Prompt(Text(N_("Which row is wrong?")), seats, sheet=sheet)

    def group_meant(self, answer: Answer) -> Any:
        """Return the group that an answer to `which_wrong` names; None for any other answer."""
        return answer.seat if isinstance(answer, ChooseSeat) else None

    # What every form does

    def ask(self, answers: Sequence[Answer]) -> Prompt | T:
        """Return the next question, or what the figures make once they are whole and agreed to."""
        figures, rest = Figures(), list(answers)
        while True:
            figures, walked = self._walked(figures, rest)
            if walked.cell is not None:
                return self._question(figures, walked, walked.cell, rest)
            if not self.shown(walked.end):
                return walked.end
            problem = self._problem(walked.end)
            asks = Asks.WRONG if problem else Asks.WHO if self._needs_last(walked.end, figures) else Asks.RIGHT
            while rest:
                answer = rest.pop(0)
                again = self._entered_again(figures, asks, answer)
                if again is not None:
                    figures = again
                    break
                needed = self._needs_last(walked.end, figures)
                if asks is Asks.WHO and isinstance(answer, ChooseSeat | Skip):
                    figures = replace(figures, last=answer.seat if isinstance(answer, ChooseSeat) else None)
                    figures, walked = self._walked(figures, [])
                    if needed:
                        return walked.end
                    asks = Asks.RIGHT
                elif isinstance(answer, Skip):
                    if not needed:
                        return walked.end
                    asks = Asks.WHO
                else:
                    asks = Asks.WHO if asks is Asks.WRONG else Asks.WRONG
            else:
                return self._whole(asks, walked, problem, figures)

    def answers(
        self, columns: Mapping[Any, Sequence[int]], last: int | UnsetType | None = UNSET, free: bool = False
    ) -> tuple[Answer, ...]:
        """Return the answers that give figures, and with which they count.

        Args:
            columns: The figures by column, and by seat or place.
            last: Who won or captured last; None for nobody, UNSET if that is not said.
            free: Whether it is said that a figure can be other than what the others leave.
        """
        asked: list[tuple[C, int]] = []

        def source(cell: C) -> int:
            asked.append((cell, columns[cell.column][cell.row]))
            return asked[-1][1]

        walked = follow(self.walk(Figures(free=free)), source, asks_first=self.asks_first)
        given: tuple[Answer, ...] = (TakeAlternative(),) if free else ()
        while asked:
            cell, value = asked[0]
            groups = [self.group(each.key) for each, _figure in asked]
            rest = [each for each, group in zip(asked, groups, strict=True) if group == groups[0]]
            if groups[:2] == [groups[0]] * 2 and all(each.rests and not figure for each, figure in rest):
                given = (*given, Skip())
                asked = [each for each, group in zip(asked, groups, strict=True) if group != groups[0]]
            else:
                given, asked = (*given, *self.spelled(cell, value)), asked[1:]
        if not self.shown(walked.end):
            return given
        needed = self._needs_last(walked.end, Figures())
        if last is UNSET and not needed:
            return (*given, Skip())
        who = ChooseSeat(last) if isinstance(last, int) else Skip()
        return (*given, who) if needed else (*given, TakeAlternative(), TakeAlternative(), who, Skip())

    def _walked(self, figures: Figures, rest: list[Answer]) -> tuple[Figures, Walked[C, T]]:
        """Return where a walk stops after answers, which are taken from the front, and what is known then."""
        zeros: list[Any] = []  # the group whose other figures are 0

        def source(cell: C) -> int | None:
            if self.group(cell.key) in zeros and cell.rests:
                return 0
            if not rest or (isinstance(rest[0], TakeAlternative) and cell.alternative is not None):
                return None
            if not (isinstance(rest[0], Skip) and not cell.names_seat):
                return self.read(cell, rest)
            rest.pop(0)
            if cell.key not in figures.before:
                zeros.append(self.group(cell.key))
            return figures.before.get(cell.key, 0)

        answers = list(rest)
        try:
            walked = follow(self.walk(figures), source, figures.kept, self.asks_first)
        except NoLongerFitsError as misfit:  # it is asked for again
            rest[:] = answers
            kept = {key: value for key, value in figures.kept.items() if key != misfit.key}
            return self._walked(replace(figures, kept=kept), rest)
        if walked.cell is None:
            return replace(figures, kept=walked.said), walked
        if walked.cell.alternative is not None and rest and isinstance(rest[0], TakeAlternative):
            rest.pop(0)
            return self._walked(replace(figures, kept={**figures.kept, **walked.said}, free=True), rest)
        return figures, walked

    def _entered_again(self, figures: Figures, asks: Asks, answer: Answer) -> Figures | None:
        """Return what is known while a group is entered again; None if an answer does not mean that."""
        group, groups = self.group_meant(answer), {self.group(key) for key in figures.kept}
        if asks is not Asks.WRONG and isinstance(answer, TakeAlternative) and len(groups) == 1:
            (group,) = groups
        elif asks is not Asks.WRONG or group is None:
            return None
        again = {key: value for key, value in figures.kept.items() if self.group(key) == group}
        kept = {key: value for key, value in figures.kept.items() if key not in again}
        return Figures(kept, before=again, free=True)

    def _rest_saves(self, walked: Walked[C, T], cell: C) -> bool:
        """Return whether 0 for the rest is one answer instead of several."""
        if not cell.rests:
            return False
        try:
            following = walked.following(0)
        except IllegalEventError:
            return False  # it cannot be 0
        return following is not None and self.group(following.key) == self.group(cell.key)

    def _question(self, figures: Figures, walked: Walked[C, T], cell: C, typed: list[Answer]) -> Prompt:
        """Return the question for a figure, with what skips it."""
        prompt = self.prompt(cell, {**figures.kept, **figures.before, **walked.said}, typed)
        was = figures.before.get(cell.key)
        if was is not None and was in cell.values and not (cell.names_seat or typed):
            label = self.label(cell, was)
            prompt = replace(
                prompt, skip=Text(N_("keep {figure}"), figure=label), skip_short=Text("{figure}", figure=label)
            )
        elif not figures.before and not typed and self._rest_saves(walked, cell):
            prompt = replace(prompt, skip=self.rest, skip_short=ZEROS, skip_apart=self.rest_apart)
        return with_others(prompt)

    def _whole(self, asks: Asks, walked: Walked[C, T], problem: Text | None, figures: Figures) -> Prompt:
        """Return the question of a whole form."""
        sheet = self.whole_sheet(walked)
        if asks is Asks.RIGHT:
            return with_others(Prompt(Text(N_("Same on the table?")), (), skip=RIGHT, alternative=CHANGE, sheet=sheet))
        if asks is Asks.WRONG:
            prompt = self.which_wrong(walked.said, sheet)
            if problem is not None:
                return replace(prompt, note=problem)
            return with_others(replace(prompt, skip=NOTHING_WRONG, alternative=self.last.extra if self.last else None))
        assert self.last is not None  # only then it is asked
        change = CHANGE if figures.last is UNSET else None
        able = sits(self.last.able(walked.end))
        return with_others(Prompt(self.last.text, able, skip=self.last.nobody, alternative=change, sheet=sheet))

    def _problem(self, made: T) -> Text | None:
        """Return why whole figures cannot be; None if they can."""
        try:
            self.check(made)
        except IllegalEventError as refused:
            return refused.text
        return None

    def _needs_last(self, made: T, figures: Figures) -> bool:
        return self.last is not None and figures.last is UNSET and self.last.needed(made)
