"""Plays honest games with one slip each, until somebody notices it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import accumulate

from companion.core.game import Event, Table
from companion.core.prompt import Answer, LayCard
from companion.core.session import Session

from .box import Box, Entered, Meaningless, Refused
from .case import SLIPS, Case, Noticed, Slip, entries
from .honest import Honest, answers_for, honest_game, sheet_of
from .turns import Turn, can_happen, turns

__all__ = ["Case", "case", "cases", "honest_game"]


def cases(game: str, seeds: Iterable[int], slips: tuple[Slip, ...] = SLIPS) -> Iterator[Case]:
    """Yield a case of each kind of slip for each seed; kinds that a game does not have are left out."""
    for seed in seeds:
        honest = honest_game(game, seed)
        for slip in slips:
            found = case(honest, slip, seed)
            if found is not None:
                yield found


def case(honest: Honest, slip: Slip, seed: int) -> Case | None:
    """Return an honest game with one slip of a kind; None if the game has no entry that it can happen to."""
    rng = random.Random(f"{slip} {seed}")
    places = [place for place in range(len(honest.said)) if can_happen(honest, slip, place)]
    if not places:
        return None
    place = rng.choice(places)
    return Person(honest, place).play(slip, turns(honest, slip, place, rng))


class Alarmed(Exception):
    """The person notices that something is wrong."""

    def __init__(self, alarm: Noticed, refused: Refused | None = None, result: Event | None = None) -> None:
        super().__init__(alarm)
        self.alarm = alarm
        self.refused = refused
        self.result = result


class Person:
    """A person who types a game from some entry on.

    Attributes:
        honest: The game.
        box: The box.
        count: How many entries of the game the person has made, the one being typed included.
    """

    def __init__(self, honest: Honest, place: int) -> None:
        self.honest = honest
        self.count = place
        self.box = Box(honest.after(place), {number: said.keys for number, said in enumerate(honest.said[:place], 1)})
        self._ends = tuple(accumulate((said.sheet is not None for said in honest.said), initial=0))
        """How many rounds of the game each number of entries ends."""
        self._box_ends = self._ends[place]
        self._place = place
        self._sheet: Table | None = None
        self._figures: tuple[Alarmed, int, Session, dict[int, str]] | None = None

    def play(self, slip: Slip, turns: Iterable[Turn]) -> Case:
        """Type entries until something is noticed, or to the end."""
        try:
            for turn in turns:
                self.count = turn.count
                self._type(turn)
                self._compare()
            noticed = Alarmed("never-harmless" if self._totals_are_right() else "never-wrong")
        except Alarmed as alarmed:
            noticed = alarmed
        first, count, session, typed = self._figures or (noticed, self.count, self.box.session, self.box.typed)
        return Case(
            header=self.honest.header,
            truth=self.honest.events(count),
            session=session,
            typed=typed,
            alarm=first.alarm,
            refused=first.refused.event if first.refused else None,
            refused_answers=first.refused.answers if first.refused else (),
            refused_keys=first.refused.keys if first.refused else "",
            result=first.result,
            slip=slip,
            at=self._place + 1,
            unasked=noticed.alarm,
        )

    @property
    def _right(self) -> bool:
        """Return whether everything in the log is right, up to the entry being typed."""
        held, meant = entries(self.box.session), self.honest.events(self.count)
        return held in (meant, meant[:-1])

    def _type(self, turn: Turn) -> None:
        if turn.said is None:
            return
        honest = tuple(answer for answer, _keys in turn.said.answers)
        answers = answers_for(self.box.session, turn.said.event) or honest
        for place, answer in enumerate(answers):
            if turn.wrong is not None and turn.wrong[0] == place:
                keys: str | None = turn.wrong[1]
            else:
                instead = turn.instead is not None and turn.instead[0] == place
                keys = self._spelt(turn.instead[1] if instead and turn.instead else answer, turn.said.by_player)
            if keys is None:
                raise self._lost()
            for key in keys:
                self._press(key)

    def _spelt(self, answer: Answer, by_player: bool) -> str | None:
        """Return the keys of an answer; None if the box asks for something else."""
        prompt = self.box.prompt
        if prompt is None or (isinstance(answer, LayCard) and by_player != (prompt.seat is not None)):
            return None
        return self.box.spell(answer)

    def _press(self, key: str) -> None:
        match self.box.press(key):
            case Meaningless():
                raise self._lost()
            case Refused() as refused:
                raise Alarmed("refused", refused)
            case Entered() as done:
                self._see(done)

    def _lost(self) -> Alarmed:
        """Return what it means that the box asks for something else, or does not know a key."""
        return Alarmed("at once" if self._right else "kind")

    def _see(self, done: Entered) -> None:
        """Look at what an entry shows."""
        game, session = self.honest.header.game, self.box.session
        expected = game.optional.alerts(self.honest.after(self.count).state)
        if done.outcome.alert and len(game.optional.alerts(session.state)) > len(expected):
            raise Alarmed("alert")
        if sheet_of(done, session) is None:
            return
        self._sheet = sheet_of(done, session)
        self._box_ends += 1
        if self._box_ends > self._ends[self.count]:
            raise Alarmed("round end")

    def _compare(self) -> None:
        """Compare the end of a round with the box."""
        said = self.honest.said[self.count - 1]
        if said.sheet is None:
            return
        before, after = self.honest.after(self.count - 1).state, said.after.state
        as_whole_round = self.honest.header.game.optional.as_whole_round
        assert as_whole_round is not None  # every game has sheets
        result = as_whole_round(before, said.event, after)
        if self._box_ends < self._ends[self.count]:
            raise Alarmed("at once") if self._right else Alarmed("round end", result=result)
        if self._figures is None and said.sheet != self._sheet:
            self._figures = Alarmed("round end", result=result), self.count, self.box.session, dict(self.box.typed)

    def _totals_are_right(self) -> bool:
        game = self.honest.header.game
        box, honest = (game.snapshot(each.state) for each in (self.box.session, self.honest.said[-1].after))
        return all(box[name] == honest[name] for name in ("totals", "winners"))
