"""Rescoring: what a game would have come to under other rules, with the cards played as they were."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, json

from companion.core.game import Event, Finish, LogHeader, Progress, Start
from companion.core.games import checked
from companion.core.session import EventStep, Session, last_round_end
from companion.core.text import N_, IllegalEventError, Seat, Text, joined
from companion.decoding import from_json
from companion.gamelog import decode_header

from .results import course_until


class RunningScore(Struct, frozen=True):
    """The score of a game as far as its last finished round."""

    course: tuple[tuple[int, ...], ...]  # the totals before the first round and after each finished one, by seat
    # the winning seats, also of a game that the table ended before its end; None if the game is not over
    winners: tuple[int, ...] | None

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the last totals."""
        return self.course[-1]


class Rescored(Struct, frozen=True):
    """The score of a game under other rules, beside the recorded one."""

    header: LogHeader  # the header with the other rules
    recorded: RunningScore  # the score by the game's own rules
    other: RunningScore  # the score by the other rules, as far as it can be known
    complete: bool  # whether every entry counts in both scores
    sentences: tuple[Text, ...]  # what differs besides the points, and what cannot be known and why


def rescored(session: Session, rules: Mapping[str, Any]) -> Rescored:
    r"""Return what a game, finished or running, would have come to under other rules.

    The entries are applied in order under the other rules. Who started a round at the table starts it there, too. The
    game's own rules hold for those that are not given. Raises LogError if they are not rules of this game.

    >>> from companion.gamelog import read
    >>> header = b'{"format":1,"game":"gear","players":["Ann","Bo"],"rules":{"ending":{"rounds":1}}}'
    >>> sheet = b'{"type":"round","tricks":[5,3],"aces":[2,1],"last":0,"prices":[9,0]}'
    >>> made = rescored(read(header + b"\n" + sheet), {"ending": {"target": 20}})
    >>> made.recorded.totals, made.recorded.winners, made.other.winners
    ((7, 10), (1,), None)
    >>> str(made.sentences[0])
    'By these rules the game goes on after round 1; nobody knows how.'
    """
    header = _header_with(session.header, rules)
    replay = _Replay(header)
    for step in session.entries():
        if not replay.apply(step):
            break
    replay.finish(session)
    return Rescored(header, _score(session), _score(replay.other), replay.complete, tuple(replay.sentences))


def _header_with(header: LogHeader, rules: Mapping[str, Any]) -> LogHeader:
    """Return a header with some rules changed."""
    line = from_json(header.written)
    return decode_header(json.encode({**line, "rules": {**line.get("rules", {}), **rules}}))


def _score(session: Session) -> RunningScore:
    """Return the score of a game at its end, or as far as its last finished round."""
    over, game = session.progress.over, session.header.game
    end = session.counted if over else last_round_end(game, session.head) or session.step(0)
    return RunningScore(course_until(game, end), session.progress.winners)


class _Replay:
    """The entries of a game applied one by one under other rules."""

    def __init__(self, header: LogHeader) -> None:
        self.game = header.game
        self.other = Session(header)  # the game under the other rules
        self.complete = True  # whether every entry so far counts
        self.sentences: list[Text] = []  # what is to be said of them

    @property
    def _rounds(self) -> int:
        return self.game.optional.finished_rounds(self.other.head.state)

    def apply(self, step: EventStep) -> bool:
        """Apply an entry of the recorded game, and return whether the next one can be applied."""
        recorded, event, head = step.before.state, step.event, self.other.head
        state, progress = head.state, self.other.progress
        if progress.over:
            template = N_("By these rules the game is over after round {round}; what follows does not count.")
            return self._stop(Text(template, round=self._rounds))
        if isinstance(event, Start) and self._rounds and self.game.optional.refit is not None:
            return True  # the next entry tells who started
        try:
            fitted = state if self.game.optional.refit is None else self.game.optional.refit(recorded, event, state)
            if fitted is not state:
                self._note_starter(progress, fitted)
            elif not isinstance(event, self.game.optional.whole_round):
                self._check_next(recorded, event, state, progress)
            self.other = Session(self.other.header, EventStep(event, self.game.apply(fitted, event), head))
        except IllegalEventError as refused:
            return self._unknown(step.number, refused.text)
        return True

    def finish(self, session: Session) -> None:
        """Say whether the game is over under both rules, once all entries are applied."""
        over, would = session.progress.over and not session.finished, self.other.progress.over
        if session.finished:
            self.other = self.other if would else self.other.add(Finish())
            self.sentences.append(
                Text(N_("The table ended the game early; the points of its finished rounds are compared."))
            )
        elif not over:
            self.sentences.append(Text(N_("The game is not over; the points of its finished rounds are compared.")))
        if self.complete and over != would:
            template = N_("By these rules the game goes on after round {round}; nobody knows how.")
            ended = N_("By these rules the game is over after round {round}.")
            self.sentences.append(Text(ended if would else template, round=self._rounds))

    def _check_next(self, recorded: Any, event: Event, state: Any, progress: Progress) -> None:
        """Raise unless the same is to be entered next as in the recorded game."""
        expected = checked(self.game, recorded)
        if (expected.phase, expected.turn) == (progress.phase, progress.turn):
            return
        self.game.apply(state, event)  # raises for a reason of its own, where there is one
        raise IllegalEventError("play", N_("something else would have come before it"))

    def _note_starter(self, progress: Progress, fitted: Any) -> None:
        """Say who would have started a round, if it was not who started it at the table."""
        seats = progress.may_start or (progress.leader,)
        if checked(self.game, fitted).leader not in seats:
            template = N_("By these rules {players} would have started round {round}; the cards count as played.")
            players = joined((Seat(seat) for seat in seats if seat is not None), " / ")
            self.sentences.append(Text(template, players=players, round=self._rounds + 1))

    def _unknown(self, number: int, why: Text) -> bool:
        template = N_("Entry {number} does not fit these rules: {why}. From round {round} on nothing is known.")
        return self._stop(Text(template, number=number, why=why, round=self._rounds + 1))

    def _stop(self, sentence: Text) -> bool:
        self.complete = False
        self.sentences.append(sentence)
        return False
