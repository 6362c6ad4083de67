"""The walk through the figures that a declared game asks for, and the check of an event by that walk."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from itertools import groupby, product

from msgspec.structs import replace

from companion.core.text import N_, IllegalEventError, Seat, Text
from companion.games.kit import put
from companion.games.kit.rounds import Cell, Walk, follow
from companion.games.toml_games.declaration import LARGEST, Answers, Declaration, Given
from companion.games.toml_games.file import Question
from companion.games.toml_games.state import State, playing, scope, side_numbers

NOBODY = -1
"""The value of a cell that names no seat, or no more."""


class AskedFigure(Cell, frozen=True, kw_only=True):
    """A figure to be said; its column is the name of its question."""

    question: Question
    seat: int | None  # the seat that is asked, if it is one
    answers: Answers  # the answers so far, with the figures so far of this question
    together: tuple[Question, ...] = ()  # the questions that one seat is asked before the next one is, this one too

    @property
    def rests(self) -> bool:
        return super().rests and self.question.kind == "number" and len(self.together) == 1


def cells(
    game: Declaration, state: State, questions: Sequence[Question], logged: bool = False
) -> Walk[AskedFigure, Answers]:
    """Yield the figures that questions need, in order; return all answers with theirs.

    Args:
        logged: Whether a log has the answers. A choice or seat that the file refuses now may stand in it: earlier
            versions of file and program did not refuse it.
    """
    by_player = game.asks == "players"
    for at_once, group in groupby(questions, lambda each: by_player and each.per == "seat"):
        several = tuple(group)
        for together in (several,) if at_once else ((question,) for question in several):
            walk = _named_seats if together[0].names_seats else _figures
            state = yield from walk(game, state, together, logged)
    return state.given


def answered(state: State, question: Question, answer: Given) -> State:
    return replace(state, given={**state.given, question.name: answer})


def _named_seats(
    game: Declaration, state: State, together: tuple[Question, ...], logged: bool
) -> Generator[AskedFigure, int, State]:
    """Walk through the seats that an answer names."""
    (question,) = together
    if question.when is not None and not question.when.value(scope(game, state), 0):
        return answered(state, question, ())
    able = sorted(playing(game, state))
    most = 1 if question.kind == "seat" else min(question.up_to, len(able))
    named: list[int] = []
    while len(named) < most:
        values = [seat for seat in able if seat not in named]
        if question.kind == "seats" or (question.nobody and not named):
            values.append(NOBODY)
        now = answered(state, question, tuple(named)).given
        seat = yield AskedFigure(
            question.name, len(named), values, names_seat=True, question=question, seat=None, answers=now
        )
        if seat == NOBODY:
            break
        named.append(seat)
        if not logged and len(values) > 1:
            _check_refused(game, answered(state, question, tuple(named)), question, seat, ())
    return answered(state, question, tuple(named if question.kind == "order" else sorted(named)))


def _figures(
    game: Declaration, state: State, together: tuple[Question, ...], logged: bool
) -> Generator[AskedFigure, int, State]:
    """Walk through the figures of a question, of each seat, each side or the round.

    Of several questions, each seat is asked all before the next seat is.
    """
    first, *others = together
    before, asked = scope(game, state), seats_asked(game, state, first)
    if first.when is not None and not others:
        asked = tuple(seat for seat in asked if first.when.value(before, seat))
    whole = None if first.sum is None or others else first.sum.value(before, 0)
    rows = {"seat": state.seats, "round": 1, "side": len(set(side_numbers(game, state.seats)))}[first.per]
    for question in together:
        state = answered(state, question, (0,) * rows)
    for seat, question in product(asked, together):
        now = scope(game, state) if others or question.name in game.stopping else before
        if question.when is not None and now is not before and not question.when.value(now, seat):
            if others:
                continue
            break
        row, said = index_of(game, state, question, seat), state.given[question.name]
        values: Sequence[int]
        if question.kind == "choice":
            values = _choices(state, question, row)
        elif whole is None:
            values = _between(question, question.least.value(now, seat), question.most.value(now, seat))
        else:
            open_ = asked[asked.index(seat) :]
            lows, most = ([each.value(now, seat) for seat in open_] for each in (question.least, question.most))
            values = _adding_up(question, whole, said, lows, most)
        of_seat = None if question.per == "round" else seat
        figure = yield AskedFigure(
            question.name, row, values, question=question, seat=of_seat, answers=state.given, together=together
        )
        state = answered(state, question, put(said, row, figure))
        if question.kind == "number" or not logged:
            _check_refused(game, state, question, seat, asked[-1:])
    return state


def _between(question: Question, least: int, most: int) -> range:
    """Return the numbers from one bound to the other; of bounds that cross the least holds."""
    return range(least, min(max(least, most), LARGEST) + 1, question.step)


def _adding_up(question: Question, whole: int, said: Sequence[int], lows: Sequence[int], most: Sequence[int]) -> range:
    """Return what the next figure can be if all add up to a sum; raise if they cannot.

    Args:
        lows: The least of this figure and of those that follow.
        most: The most of them.
    """
    rest = whole - sum(said)
    least, highest = max(lows[0], rest - sum(most[1:])), min(most[0], rest - sum(lows[1:]))
    if len(lows) == 1:
        least = max(least, rest)
    values = range(least, min(highest, LARGEST) + 1, question.step)
    if not values:
        raise IllegalEventError(
            "sum", N_("{label}: the figures do not add up to {sum}"), label=Text(question.subject), sum=whole
        )
    return values


def _choices(state: State, question: Question, index: int) -> list[int]:
    """Return the choices that are offered at an index of the answer: if each counts once, those taken least often."""
    values = [value for _label, value in question.choices]
    if not question.once:
        return values
    rounds = zip(state.past, state.dealers, strict=True)
    of_dealer = question.once == "dealer"
    past = [answers[question.name][index] for answers, dealer in rounds if not of_dealer or dealer == state.dealer]
    least = min(map(past.count, values))
    return [value for value in values if past.count(value) == least]


def seats_asked(game: Declaration, state: State, question: Question) -> tuple[int, ...]:
    """Return the seats that a question asks: those that play, the first of each side, or any one for the round."""
    seats = playing(game, state)
    if question.per == "round":
        return seats[:1]
    if question.per == "side":
        sides = side_numbers(game, state.seats)
        return tuple({sides[seat]: seat for seat in reversed(seats)}.values())[::-1]
    return seats if question.order == "left" else tuple(sorted(seats))


def seats_with_figure(game: Declaration, state: State, question: Question) -> tuple[int, ...]:
    """Return the seats that a question asked, or whose side or round it asked, by the answers of the round.

    Where a figure ends the questions, those that need not be asked any more count as asked.
    """
    asked = seats_asked(game, state, question)
    if question.when is not None and not (question.name in game.stopping and any(state.given.get(question.name, ()))):
        figures = scope(game, state)
        asked = tuple(seat for seat in asked if question.when.value(figures, seat))
    rows = {index_of(game, state, question, seat) for seat in asked}
    return tuple(seat for seat in playing(game, state) if index_of(game, state, question, seat) in rows)


def was_asked(game: Declaration, state: State, question: Question) -> bool:
    """Return whether a question was asked of anybody, by the answers of the round."""
    return bool(seats_with_figure(game, state, question))


def index_of(game: Declaration, state: State, question: Question, seat: int) -> int:
    if question.per == "round":
        return 0
    return seat if question.per == "seat" else side_numbers(game, state.seats)[seat]


def _check_refused(game: Declaration, state: State, question: Question, seat: int, last: Sequence[int]) -> None:
    if question.refuse is not None and question.refuse.value(scope(game, state, last=last), seat):
        if question.because:
            raise IllegalEventError("refused", question.because)
        is_figure = question.kind == "number"
        why = N_("{label}: this figure cannot be") if is_figure else N_("{label}: that cannot be chosen")
        raise IllegalEventError("refused", why, label=Text(question.subject))


def in_text(game: Declaration, state: State, cell: AskedFigure) -> dict[str, int]:
    """Return what the text of a question names: the total of its seat, and what is left."""
    text, seat = cell.question.text or "", cell.seat or 0
    found = {"total": state.totals[seat]} if "{total}" in text else {}
    if cell.question.left is not None:
        found["left"] = cell.question.left.value(scope(game, replace(state, given=cell.answers)), seat)
    return found


def settles_itself(game: Declaration, state: State, questions: Sequence[Question]) -> bool:
    """Return whether no figure of these questions is to be asked, because each can have one value only."""
    return follow(cells(game, state, questions), lambda _cell: None).made is not None


def settled(game: Declaration, state: State, question: Question) -> Given | None:
    """Return the answer to a question that needs no asking; None if it is to be asked."""
    answers = follow(cells(game, state, (question,)), lambda _cell: None).made
    return None if answers is None else answers[question.name]


def checked_value(cell: AskedFigure, value: int, seats: int) -> int:
    """Return the value of a figure in a game of so many seats; raise unless it is possible."""
    if value in cell.values:
        return value
    label, step = Text(cell.question.subject), cell.question.step
    if cell.question.kind == "number":
        why = N_("{label}: from {least} to {most}, not {figure}")
        if step > 1:
            why = N_("{label}: from {least} to {most} in steps of {step}, not {figure}")
        bounds = {"least": cell.values[0], "most": cell.values[-1], "step": step}
        raise IllegalEventError("figure", why, label=label, figure=value, **bounds)
    chosen = next((Text(word) for word, each in cell.question.choices if each == value), None)
    if chosen is not None:
        raise IllegalEventError("once", N_("{label}: {choice} was chosen before"), label=label, choice=chosen)
    if cell.question.kind == "choice" or value not in range(seats):
        raise IllegalEventError("answer", N_("{label}: that cannot be chosen"), label=label)
    if value in cell.answers.get(cell.question.name, ()):
        raise IllegalEventError("named", N_("{player} is named already"), player=Seat(value))
    raise IllegalEventError("sits out", N_("{player} sits out this round"), player=Seat(value))


def checked(game: Declaration, state: State, given: Answers) -> Answers:
    """Return all answers with those of an event; raise unless they are exactly what the questions allow."""
    questions = [question for question in game.questions if question.name in given]
    first = partial(settles_itself, game, state, questions)
    walk = cells(game, state, questions, logged=True)
    answers = follow(walk, lambda cell: _said(cell, given[cell.question.name], state.seats), asks_first=first).end
    for question in questions:
        _check_same(game, question, answers[question.name], given[question.name])
    return answers


def _check_same(game: Declaration, question: Question, asked: Given, said: Given) -> None:
    """Raise unless the answer in an event is the one that its figures make."""
    if (
        asked == said or question.name in game.stopping
    ):  # logs may hold figures from after the end of a game: they do not count
        return
    if question.when is not None and question.per == "seat" and question.kind in ("number", "choice"):
        extra = [seat for seat, pair in enumerate(zip(asked, said, strict=True)) if pair[1] and not pair[0]]
        if extra:
            why = N_("{label} of {player} is not asked for")
            raise IllegalEventError("not asked", why, label=Text(question.subject), player=Seat(extra[0]))
    if sum(asked) != sum(said) and question.sum is not None:
        why = N_("these figures do not fit together: they must add up to {sum}, not {figure}")
        raise IllegalEventError("figures", why, sum=sum(asked), figure=sum(said))
    raise IllegalEventError("figures", N_("these figures do not fit together"))


def _said(cell: AskedFigure, answer: Given, seats: int) -> int:
    """Return the figure of an answer for a cell; raise unless it is possible."""
    if cell.names_seat:
        return checked_value(cell, answer[cell.row] if cell.row < len(answer) else NOBODY, seats)
    if len(answer) != len(cell.answers[cell.question.name]):
        label = Text(cell.question.subject)
        raise IllegalEventError("figures", N_("{label}: a figure for each is needed"), label=label)
    return checked_value(cell, answer[cell.row], seats)
