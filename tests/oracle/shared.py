"""Base classes and helpers of the oracle: log with undo and corrections, random dealer. No rule of any game.

* `Log` takes lines and refuses illegal ones: events, undo, redo, amend, splice, players, substitute, finish.
* `Dealer` plays at random and writes log lines.
* `twisted` returns a line that is a little different; `corrected` adds slips and corrections to a game.
* `check_keys` and `check_whole` check the shape of events; `write_header` sometimes leaves out defaults.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Any, Generic, Self, TypeVar

Event = dict[str, Any]
Header = dict[str, Any]

State = TypeVar("State")


FINISH: Event = {"type": "finish"}


class RefusedError(ValueError):
    """Refusal of a line, with the reason."""


def need(fine: bool, reason: str) -> None:
    """Raise `RefusedError` unless the condition holds."""
    if not fine:
        raise RefusedError(reason)


def check_keys(event: Event, wanted: list[str], optional: list[str]) -> None:
    """Raise if keys are missing or unknown."""
    for key in wanted:
        need(key in event, f"{key} is missing")
    for key in event:
        need(key in ["type", *wanted, *optional], f"{key} is unknown")


def check_whole(value: Any, least: int, most: int | None, what: str) -> None:
    """Raise unless the value is an integer in this range."""
    fine = type(value) is int and value >= least and (most is None or value <= most)
    need(fine, f"{what} {value!r} cannot be")


def check_each(values: Any, seats: int, most: int | None, what: str) -> None:
    """Raise unless the value is a list of integers, one for each seat."""
    need(isinstance(values, list) and len(values) == seats, f"{what} are needed for each seat")
    for value in values:
        check_whole(value, 0, most, what)


def leading(results: list[Any]) -> list[int]:
    """Return the seats with the highest result."""
    return [seat for seat, result in enumerate(results) if result == max(results)]


# --- header -------------------------------------------------------------------------------------------------


def seats_of(header: Header) -> int:
    return len(header["players"])


def check_seat(header: Header, value: Any, what: str = "player") -> None:
    check_whole(value, 0, seats_of(header) - 1, what)


def rule_of(header: Header, name: str, defaults: Event) -> Any:
    """Return the value of a rule, or its default."""
    return header.get("rules", {}).get(name, defaults[name])


def some_names(rng: random.Random, seats: int) -> list[str]:
    return rng.sample(["Aki", "Bea", "Cyr", "Dai", "Eve", "Ōno", "Zoë-Maria", "李"], seats)


def write_header(rng: random.Random, game: str, names: list[str], chosen: Event, defaults: Event) -> Header:
    """Return a header with these players and rules; some defaults are left out."""
    if rng.random() < 0.7:
        chosen = {name: value for name, value in chosen.items() if value != defaults[name]}
    header: Header = {"format": 1, "game": game, "players": names}
    if chosen or rng.random() < 0.5:
        header["rules"] = chosen
    return header


# --- the log ------------------------------------------------------------------------------------------------


class Log(ABC, Generic[State]):
    """Base of the referees: a log with all past states, and what was undone."""

    def __init__(self, header: Header) -> None:
        self.header = header
        # events with the finish, the state without it, and the names of a players or substitute line that stands
        self.past: list[tuple[list[Event], State, list[str] | None]] = [([], self.new(), None)]
        self.future: list[tuple[list[Event], State, list[str] | None]] = []

    @abstractmethod
    def new(self) -> State:
        """Return the state of a new game."""

    @abstractmethod
    def entered(self, state: State, event: Event) -> State:
        """Return the state after one event; the old state is not changed."""

    @abstractmethod
    def phase_in(self, state: State) -> str:
        """Return the phase of a state: what must be entered next."""

    @abstractmethod
    def snapshot(self) -> dict[str, Any]:
        """Return the snapshot of the current state."""

    @property
    def events(self) -> list[Event]:
        return self.past[-1][0]

    @property
    def state(self) -> State:
        return self.past[-1][1]

    def winners_in(self, found: dict[str, Any]) -> list[int]:
        """Return who wins if the game ends with a snapshot that was taken between two rounds."""
        return leading(found["totals"])

    @property
    def played(self) -> list[Event]:
        """Return the events without the finish."""
        return self.events[:-1] if self.finished else self.events

    @property
    def finished(self) -> bool:
        return self.events[-1:] == [FINISH]

    @property
    def phase(self) -> str:
        return "over" if self.finished else self.phase_in(self.state)

    def add(self, line: Event) -> None:
        """Add one line; if it is illegal, raise and change nothing."""
        need(isinstance(line, dict), "a line is an object")
        kind = line.get("type")
        if kind == "undo":
            check_keys(line, [], [])
            need(len(self.past) > 1, "nothing to undo")
            self.future.append(self.past.pop())
        elif kind == "redo":
            check_keys(line, [], [])
            need(self.future != [], "nothing to redo")
            self.past.append(self.future.pop())
        elif kind == "amend":
            self.take(self.amended(line))
        elif kind == "splice":
            self.take(self.spliced(line))
        elif kind == "players":
            self.past.append((self.events, self.state, self.seated(line)))
            self.future = []
        elif kind == "substitute":
            self.past.append((self.events, self.state, self.substituted(line)))
            self.future = []
        else:
            self.past.append(([*self.events, line], self.grown(self.events, self.state, line), self.names))
            self.future = []

    def grown(self, events: list[Event], state: State, event: Event) -> State:
        """Return the state after some events and one more, which may be the finish."""
        need(FINISH not in events, "the table has ended the game")
        if event.get("type") != "finish":
            return self.entered(state, event)
        check_keys(event, [], [])
        need(self.phase_in(state) != "over", "the game is over")
        return state

    @property
    def names(self) -> list[str] | None:
        """Return the names by seat that a later line gave; None while those of the header count."""
        return self.past[-1][2]

    def seated(self, line: Event) -> list[str]:
        """Return the names of a players line."""
        check_keys(line, ["names"], [])
        return self.allowed(line["names"])

    def substituted(self, line: Event) -> list[str]:
        """Return the names after a substitute line."""
        check_keys(line, ["player", "name"], [])
        check_seat(self.header, line["player"])
        need(self.phase != "over", "the game is over")
        names = list(self.names or self.header["players"])
        names[line["player"]] = line["name"]
        return self.allowed(names)

    def allowed(self, names: Any) -> list[str]:
        """Return names by seat as they are kept; raise `RefusedError` if a header cannot have them."""
        need(isinstance(names, list) and all(isinstance(name, str) for name in names), "names are needed, in a list")
        trimmed = [name.strip() for name in names]
        need(len(trimmed) == seats_of(self.header), "a name is needed for each seat")
        need(all(1 <= len(name) <= 20 for name in trimmed), "a name has 1 to 20 characters")
        need(len({name.casefold() for name in trimmed}) == len(trimmed), "two players have the same name")
        return trimmed

    def told(self) -> dict[str, Any]:
        """Return the snapshot as a log has it: with the players' names if a line gave them, and after the finish."""
        found = self.ended() if self.finished else self.snapshot()
        return found if self.names is None else {**found, "players": self.names}

    def ended(self) -> dict[str, Any]:
        """Return the snapshot after the finish: as the running round began, but the game is over."""
        book = type(self)(self.header)
        begun = book.snapshot()
        for event in self.played:
            book.add(event)
            now = book.snapshot()
            begun = now if now["round"] > begun["round"] else begun
        begun.update((name, None) for name in ("turn", "leader", "may_start") if name in begun)
        return {**begun, "phase": "over", "winners": self.winners_in(begun), "finished": True}

    def amended(self, line: Event) -> list[Event]:
        """Return the events with one replaced by an amend line."""
        check_keys(line, ["event", "to"], [])
        need(type(line["event"]) is int and 1 <= line["event"] <= len(self.events), "no such event")
        need(isinstance(line["to"], dict), "an event is an object")
        events = list(self.events)
        events[line["event"] - 1] = line["to"]
        return events

    def spliced(self, line: Event) -> list[Event]:
        """Return the events with adjacent ones replaced by a splice line."""
        check_keys(line, ["event", "drop", "put"], [])
        event, drop, put = line["event"], line["drop"], line["put"]
        check_whole(event, 1, len(self.events) + 1, "event")
        check_whole(drop, 0, len(self.events) + 1 - event, "drop")
        need(isinstance(put, list) and all(isinstance(new, dict) for new in put), "events are put, in a list")
        need(drop > 0 or put != [], "nothing is dropped and nothing is put")
        return [*self.events[: event - 1], *put, *self.events[event - 1 + drop :]]

    def take(self, events: list[Event]) -> None:
        """Replace the current events by others."""
        state = self.new()
        for number, event in enumerate(events, 1):
            try:
                state = self.grown(events[: number - 1], state, event)
            except RefusedError as refused:
                raise type(refused)(f"event {number}: {refused}") from refused
        self.past.append((events, state, self.names))
        self.future = []

    def tried(self, line: Event) -> Self:
        """Return another log with one line more; raise if the line is illegal."""
        trial = type(self)(self.header)
        trial.past, trial.future = list(self.past), list(self.future)
        trial.add(line)
        return trial

    def verdict(self, line: Event) -> bool | None:
        """Return whether a line is legal; None where the rules leave it open."""
        try:
            return self.tried(line).plausible or None
        except RefusedError as refused:
            return None if self.is_doubtful(refused) else False

    @property
    def plausible(self) -> bool:
        """Whether what was entered can have happened with real cards, as far as the rules of the log do not say it."""
        return True

    def is_doubtful(self, refused: RefusedError) -> bool:
        """Return whether the rules forbid something only in general terms."""
        return False

    @classmethod
    def of(cls, header: Header, lines: list[Event]) -> Self:
        book = cls(header)
        for line in lines:
            book.add(line)
        return book

    @classmethod
    def snapshot_of(cls, header: Header, lines: list[Event]) -> dict[str, Any]:
        """Return the snapshot after these lines; raise `RefusedError` if one is illegal."""
        return cls.of(header, lines).told()

    @classmethod
    def snapshots_of(cls, header: Header, lines: list[Event]) -> list[dict[str, Any]]:
        book = cls(header)
        found = []
        for line in lines:
            book.add(line)
            found.append(book.told())
        return found


Kept = TypeVar("Kept", bound=Log[Any])


# --- dealing ------------------------------------------------------------------------------------------------


class Dealer(Generic[Kept]):
    """Base of the dealers: plays a random game and writes its log."""

    def __init__(
        self,
        rng: random.Random,
        header: Header,
        book: Kept,
        *,
        coarse: float = 0.1,
        misplay: float = 0.05,
        stop: float = 0.0,
    ) -> None:
        self.rng = rng
        self.header = header
        self.coarse = coarse
        self.misplay = misplay
        self.stop = stop
        self.seats = seats_of(header)
        self.book = book
        self.lines: list[Event] = []
        self.quiet = False
        self.stopped = False

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def enter(self, event: Event) -> None:
        self.book.add(event)
        self.lines.append(event)

    def write(self, event: Event) -> None:
        """Write an event to the log, unless the round will be entered as a whole."""
        if not self.quiet and not self.stopped:
            self.enter(event)

    def hush(self) -> None:
        """Decide at random to enter only the end of this round, or to stop the game."""
        if self.chance(self.stop):
            self.stopped = True
        if self.chance(self.coarse / 12):
            self.quiet = True


class RoundDealer(Dealer[Kept]):
    """Base of the dealers of games whose state is a list of rounds."""

    @abstractmethod
    def play_round(self) -> None: ...

    def play_game(self, most_rounds: int = 12) -> None:
        """Play until the game is over, the table stops, or the most rounds are played."""
        while not self.stopped and self.book.phase != "over" and len(self.book.state) <= most_rounds:
            self.play_round()


# --- slips and corrections ---------------------------------------------------------------------------------


WILD: list[Any] = [None, True, -1, 99, 1.0, "", "sea-99", [], {}]
"""Values that no event has where they may be put."""


def twisted(rng: random.Random, line: Any, words: list[str]) -> Any:
    """Return a line, or a part of one, that differs from a given one in one place, and may be illegal."""
    if isinstance(line, dict) and line and rng.random() > 0.05:
        key = rng.choice([*line])
        if key == "type":
            return {
                **line,
                "type": rng.choice(["play", "pledge", "pass", "stop", "stuck", "end", "start", line["type"]]),
            }
        if rng.random() < 0.1:
            return {name: value for name, value in line.items() if name != key}
        return {**line, key: twisted(rng, line[key], words)}
    if isinstance(line, dict):
        return {**line, rng.choice(["shown", "second", "last", "last_chair", "card", "more"]): rng.choice(WILD)}
    if rng.random() < 0.1:
        return rng.choice(WILD)
    if isinstance(line, list) and line:
        place = rng.randrange(len(line))
        wish = rng.random()
        if wish < 0.15:
            return rng.sample(line, len(line))
        if wish < 0.3:
            return rng.choice([line[:place] + line[place + 1 :], [*line, line[place]]])
        return [*line[:place], twisted(rng, line[place], words), *line[place + 1 :]]
    if isinstance(line, int) and not isinstance(line, bool):
        return rng.choice([line - 1, line + 1, rng.randrange(5)])
    return rng.choice(words) if isinstance(line, str) else rng.randrange(4)


def slipped(rng: random.Random, line: Event, words: list[str]) -> Event:
    """Return a line of the same kind that differs in one place, as after a slip; the same if there is no other.

    It may be illegal.
    """
    others = (twisted(rng, line, words) for _ in range(30))
    alike = (other for other in others if isinstance(other, dict) and [*other] == [*line])
    return next((other for other in alike if other["type"] == line["type"] and other != line), line)


def some_amend(rng: random.Random, book: Log[Any], words: list[str]) -> Event:
    """Return a random amend line; it may be illegal."""
    place = rng.randint(max(0, len(book.events) - 12) if rng.random() < 0.7 else 0, len(book.events))
    near = book.events[max(0, place - 1) : place + 2] or [{"type": "start", "player": 0}]
    return {"type": "amend", "event": max(1, place), "to": twisted(rng, rng.choice(near), words)}


def some_slip(rng: random.Random, book: Log[Any], words: list[str]) -> Event:
    """Return an amend line that puts another entry of the same kind in the place of one; it may be illegal."""
    place = rng.randrange(max(1, len(book.events)))
    entry = book.events[place] if book.events else {"type": "start", "player": 0}
    return {"type": "amend", "event": place + 1, "to": slipped(rng, entry, words)}


def some_splice(rng: random.Random, book: Log[Any], words: list[str]) -> Event:
    """Return a random splice line; it may be illegal."""
    place = rng.randint(max(0, len(book.events) - 12) if rng.random() < 0.7 else 0, len(book.events))
    dropped = book.events[place : place + rng.choice([0, 0, 1, 2, 2, 3, 9])]
    near = book.events[max(0, place - 3) : place + 4] or [{"type": "start", "player": 0}]
    put = rng.choice([dropped[::-1], rng.sample(dropped, rng.randint(0, len(dropped))), dropped])
    if put == dropped:
        put = [*put, twisted(rng, rng.choice(near), words)]
    return {"type": "splice", "event": place + 1, "drop": len(dropped), "put": put}


def some_seating(rng: random.Random, book: Log[Any]) -> Event:
    """Return a random line about who sits there, or the finish."""
    names = some_names(rng, seats_of(book.header))
    return rng.choice(
        [
            {"type": "players", "names": names},
            {"type": "substitute", "player": rng.randrange(len(names)), "name": names[0]},
            FINISH,
        ]
    )


def corrected(
    rng: random.Random, book: Log[Any], lines: list[Event], edits: float, splices: float, words: list[str]
) -> list[Event]:
    """Return the lines of the same game with slips that are put right; the last few may change the game.

    Args:
        rng: Random generator.
        book: Log that takes the lines.
        lines: Lines of the game.
        edits: Probability of a slip that an undo or an amend puts right, at each line.
        splices: Probability of one that a splice puts right.
        words: Cards and other words of the game.
    """
    if not edits and not splices:
        return lines
    out: list[Event] = []

    def attempt(line: Event) -> bool:
        fits = book.verdict(line) is True
        if fits:
            book.add(line)
            out.append(line)
        return fits

    for line in lines:
        wish = rng.random()
        if wish < edits / 2 and (slip := slipped(rng, line, words)) != line and attempt(slip):
            amend = {"type": "amend", "event": len(book.events), "to": line}
            if rng.random() < 0.5 and attempt(amend):
                continue
            attempt({"type": "undo"})
        elif wish < edits:
            for _ in range(sum(attempt({"type": "undo"}) for _ in range(rng.randint(1, 4)))):
                attempt({"type": "redo"})
        elif wish < edits + splices:
            wrong, before = some_splice(rng, book, words), book.events
            if attempt(wrong):
                place, drop = wrong["event"] - 1, wrong["drop"]
                put = before[place : place + drop]
                attempt({**wrong, "drop": len(wrong["put"]), "put": put})
        if not attempt(line):
            break
    for _ in range(rng.randrange(12)):
        if splices and rng.random() < 0.2:
            attempt(some_seating(rng, book))
        else:
            wrong = (some_splice if splices and rng.random() < 0.6 else some_slip)(rng, book, words)
            if wrong["type"] != "amend" or wrong["to"] not in book.events:  # else there may be nothing to amend
                attempt(wrong)
    return out
