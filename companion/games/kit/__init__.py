"""What several games use: events to handlers, options of a set-up, tuples by seat, tables, counts, snapshots."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import chain, repeat
from typing import Any, Protocol, TypeVar

from msgspec import UNSET, Struct, UnsetType

from companion.core.game import CountedAction, Event, RuleOption, RuleValue, Table, TextPage, check_seat
from companion.core.text import N_, IllegalEventError, Phrase, Seat, Text


class HasPhase(Protocol):
    """Protocol: a game state with a `phase`."""

    @property
    def phase(self) -> str:
        """Name of the phase; ``over`` once the game has ended."""


S = TypeVar("S", bound=HasPhase)


def applier(
    handlers: Mapping[type[Event], tuple[Collection[str], Callable[[S, Any], S]]], phases: Mapping[str, str]
) -> Callable[[S, Event], S]:
    """Return a game's ``apply`` function: it calls the handler of the event's class, and refuses all once ``over``.

    >>> from types import SimpleNamespace
    >>> from companion.core.game import Start
    >>> def begin(state, event): return SimpleNamespace(phase="play", leader=event.player)
    >>> apply = applier({Start: (["start"], begin)}, {"play": "the cards of a trick come next"})
    >>> apply(SimpleNamespace(phase="start"), Start(1))
    namespace(phase='play', leader=1)

    Args:
        handlers: By class of event the phases in which it is accepted, all if none is named, and what it does.
        phases: For each phase the sentence on what it expects, with which other events are refused.
    """

    def apply(state: S, event: Event) -> S:
        """Return the state after an event."""
        if state.phase == "over":
            raise IllegalEventError("over", N_("the game is over"))
        accepted, handler = handlers[type(event)]
        if accepted and state.phase not in accepted:
            raise IllegalEventError("phase", phases[state.phase])
        return handler(state, event)

    return apply


def check_trick_begins(table: Sequence[Any]) -> None:
    """Raise if cards already lie on the table: a whole trick can only be entered when none has begun."""
    if table:
        raise IllegalEventError("table", N_("a whole trick is entered where a trick begins"))


def check_no_negative(*columns: Sequence[int]) -> None:
    """Raise if any figure is below 0."""
    if min(map(min, columns)) < 0:
        raise IllegalEventError("sheet", N_("no figure is below 0"))


def check_sheet(seats: int, template: str, *columns: Sequence[int]) -> None:
    """Raise unless each column has a figure of 0 or more for each seat; the template says that each is needed."""
    if any(len(column) != seats for column in columns):
        raise IllegalEventError("sheet", template, count=seats)
    check_no_negative(*columns)


def check_sum(figures: Sequence[int], most: int, reason: str, template: str) -> None:
    """Raise if figures add up to more than there are."""
    if sum(figures) > most:
        raise IllegalEventError(reason, template, count=sum(figures), most=most)


def check_last(last: int, tricks: Sequence[int]) -> None:
    """Raise if the alleged winner of the last trick has no trick, or is no seat of this table."""
    check_seat(last, len(tricks))
    if not tricks[last]:
        raise IllegalEventError("last", N_("{player} has no trick, so not the last one"), player=Seat(last))


# Options


NO_YES = {False: N_("no"), True: N_("yes")}


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """Option: the game ends after a number of rounds, or once a player reaches a target; exactly one is set.

    >>> Ending(rounds=3).reached(3, (12, 9)), Ending(target=20).reached(3, (12, 9))
    (True, False)
    """

    rounds: int | UnsetType = UNSET
    target: int | UnsetType = UNSET

    def check(self) -> None:
        """Raise if both or neither are set, or if the target is below 1."""
        if (self.rounds is UNSET) == (self.target is UNSET):
            raise IllegalEventError("ending", N_("the ending is either rounds or a target"))
        if isinstance(self.target, int) and self.target < 1:
            raise IllegalEventError("ending", N_("the target is 1 or more"))

    def reached(self, finished: int, totals: Sequence[int]) -> bool:
        """Return whether the game is over after this number of finished rounds, with these totals."""
        return max(totals) >= self.target if isinstance(self.target, int) else finished == self.rounds


def to_a_total(proposed: int) -> RuleValue:
    """Return the option value "to a total", whose target is typed."""
    return RuleValue(Text(N_("to a total")), {"target": proposed}, lambda number: {"target": number}, N_("to {count}"))


def option(
    name: str,
    label: str,
    seats: range,
    words: Mapping[Any, str],
    proposed: Callable[[str, Mapping[str, Any]], Any] | None = None,
) -> RuleOption:
    """Return a set-up option with a fixed list of values, by their names' templates; the first is the default."""
    choices = tuple(RuleValue(Text(word), value) for value, word in words.items())
    return RuleOption(name, Text(label), choices, seats, proposed)


# Values by seat


V = TypeVar("V")


def changed(counts: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    """Return per-seat counts with a number added to one of them.

    >>> changed((1, 2, 3), 1, 5)
    (1, 7, 3)
    """
    return (*counts[:seat], counts[seat] + by, *counts[seat + 1 :])


def put(values: tuple[V, ...], seat: int, value: V) -> tuple[V, ...]:
    """Return per-seat values with one of them replaced.

    >>> put(("a", "b"), 1, "c")
    ('a', 'c')
    """
    return (*values[:seat], value, *values[seat + 1 :])


def added(totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """Return the per-seat sums of two sequences.

    >>> added((10, 20), (1, -2))
    (11, 18)
    """
    return tuple(before + more for before, more in zip(totals, points, strict=True))


def from_left(dealer: int, seats: int, out: Collection[int] = ()) -> tuple[int, ...]:
    """Return the seats clockwise, from the left of the dealer to the dealer, without those that sit out.

    >>> from_left(1, 4), from_left(1, 4, out=(1,))
    ((2, 3, 0, 1), (2, 3, 0))
    """
    around = ((dealer + step) % seats for step in range(1, seats + 1))
    return tuple(seat for seat in around if seat not in out)


# Tables


PTS = Text(N_("pts"))
TOTAL = Text(N_("total"))
"""Heads of columns."""
Columns = Sequence[tuple[object, Sequence[object]]]
"""Columns of a table: each a head and its figures by seat (glyphs, numbers, words or texts)."""


def cell(figure: object) -> Text:
    return figure if isinstance(figure, Text) else Text("{figure}", figure=figure)


def seat_table(title: Text, columns: Columns, marked: tuple[int, ...] | None = None) -> Table:
    rows = zip(*(map(cell, figures) for _head, figures in columns), strict=True)
    return Table(title, tuple(cell(head) for head, _figures in columns), tuple(rows), marked or ())


def gain(points: int) -> str:
    """Return the points of one round with their sign.

    >>> [gain(3), gain(0), gain(-2)]
    ['+3', '0', '−2']
    """
    return f"{points:+}".replace("-", "−") if points else "0"


def named_table(title: Text, rows: Iterable[tuple[Text, object]]) -> Table:
    """Return a table with one named row per figure, for a rules card."""
    names, figures = zip(*rows, strict=True)
    return Table(title, (Text(""),), tuple((cell(figure),) for figure in figures), names=names)


def notes(title: str, *lines: str) -> TextPage:
    """Return a page of text lines for a rules card, from templates without arguments."""
    return TextPage(Text(title), tuple(map(Text, lines)))


def round_columns(
    rounds: Iterable[Sequence[object]], declarers: Iterable[Collection[int]] = ()
) -> list[tuple[object, Sequence[object]]]:
    """Return one column per finished round, from the points of each seat; a star marks the declarer's side.

    >>> [points for _head, points in round_columns([(3, 5), (4, 0)])]
    [(3, 5), (4, 0)]
    >>> [points for _head, points in round_columns([(3, 5), (4, 0)], [(1,), ()])]
    [(3, '5*'), (4, 0)]
    >>> [points for _head, points in round_columns([(-30, 0)], [(0,)])]
    [('−30*', 0)]
    """
    return [
        (
            Text(N_("R{round}"), round=number),
            tuple(f"{own}*".replace("-", "−") if seat in declared else own for seat, own in enumerate(points))
            if declared
            else points,
        )
        for number, (points, declared) in enumerate(zip(rounds, chain(declarers, repeat(())), strict=False), 1)
    ]


def who_won(winners: tuple[int, ...] | None, running: Text, losers: Sequence[int] = (), partners: bool = False) -> Text:
    """Return the sentence that names the winners, or the only loser, or ``running`` while the game goes on.

    Args:
        partners: Whether two winners are partners, who have not shared the win but won together.

    >>> str(who_won((0, 1), Text(""), losers=(2,)))
    'seat 3 loses the game'
    """
    if winners is None:
        return running
    if not winners:
        return Text(N_("Nobody wins"))
    if len(losers) == 1:
        return Text(N_("{player} loses the game"), player=Seat(losers[0]))
    if len(winners) == 1:
        return Text(N_("{player} wins the game"), player=Seat(winners[0]))
    if partners and len(winners) == 2:
        return Text(N_("{one} and {other} win"), one=Seat(winners[0]), other=Seat(winners[1]))
    return Text(N_("The win is shared"))


def round_table(state: Any, columns: Columns, losers: Sequence[int] = (), partners: bool = False) -> Table:
    """Return the table of the round that has just ended; `who_won` has the other arguments."""
    title = who_won(state.winners, Text(N_("R{round} over"), round=len(state.rounds)), losers, partners)
    return seat_table(title, columns, state.winners)


def score_table(state: Any, columns: Columns, losers: Sequence[int] = (), partners: bool = False) -> Table:
    """Return the score sheet; `who_won` has the other arguments."""
    return seat_table(who_won(state.winners, Text(N_("Scores")), losers, partners), columns, state.winners)


def slashed(*columns: Sequence[int]) -> str:
    """Return several figures per seat in one line.

    >>> slashed((1, 2), (3, 4))
    '1/3 2/4'
    """
    return " ".join("/".join(map(str, row)) for row in zip(*columns, strict=True))


# Snapshots and counts


def snapshot_of(game: str, state: object, names: str, **figures: object) -> dict[str, Any]:
    """Return the snapshot of a state.

    >>> from types import SimpleNamespace
    >>> snapshot_of("gear", SimpleNamespace(phase="play", round=2, seen=7), "phase round seen", seen=["red-2"])
    {'game': 'gear', 'phase': 'play', 'round': 2, 'seen': ['red-2']}

    Args:
        names: Attributes of the state to include, in this order, separated by spaces.
        figures: Values that replace the state's own.
    """
    return {"game": game} | {name: figures[name] if name in figures else getattr(state, name) for name in names.split()}


def by_seat(**amounts: Iterable[int]) -> Iterator[CountedAction]:
    """Yield what each seat did, from the amounts by seat of each action.

    >>> list(by_seat(tricks=(2, 1)))
    [CountedAction(what='tricks', seat=0, amount=2), CountedAction(what='tricks', seat=1, amount=1)]
    """
    for what, figures in amounts.items():
        for seat, amount in enumerate(figures):
            yield CountedAction(what, seat, int(amount))


def revokes(before: Any, after: Any, kind: type[Any]) -> Iterator[CountedAction]:
    """Yield the revokes that an event has reported, from the states before and after it."""
    for alert in after.alerts[len(before.alerts) :]:
        if isinstance(alert, kind):
            yield CountedAction("revokes", alert.player)


# Translations of a package


def phrases(package: str, file: str = "words.toml") -> Callable[[str], Phrase]:
    """Return a function that makes a text of the game from its English words.

    The file has a section for each language, with the translation of each text: ``[fr]``, then ``"Bid" = "Annonce"``.
    The same English words may read differently in another game. A text that is not in the file is looked up among the
    common words, and is English if it is not there either.
    """
    content = (files(package) / file).read_text(encoding="utf-8")
    languages: dict[str, dict[str, str]] = tomllib.loads(content)

    def phrase(text: str) -> Phrase:
        return Phrase(text, {language: words[text] for language, words in languages.items() if text in words})

    return phrase
