"""Base classes and helpers of the oracle: log with undo and corrections, random dealer. No rule of any game.

* `Log` takes lines and refuses illegal ones: events, undo, redo, amend, splice, players, substitute, finish.
* `Dealer` plays at random and writes log lines.
* `scribble` adds random corrections to a game; `wrong_corrections` returns lines that every game must refuse.
* `check_keys` and `check_whole` check the shape of events; `write_header` sometimes leaves out defaults.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable
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

    def refuses(self, line: Event) -> RefusedError | None:
        """Return the reason why a line is refused, or None; the log does not change."""
        trial = type(self)(self.header)
        trial.past, trial.future = list(self.past), list(self.future)
        try:
            trial.add(line)
        except RefusedError as refused:
            return refused
        return None

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

    @classmethod
    def refusal_of(cls, header: Header, lines: list[Event]) -> str | None:
        """Return the reason why the last of these lines is refused, or None."""
        refused = cls.of(header, lines[:-1]).refuses(lines[-1])
        return None if refused is None else str(refused)


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


# --- undo, redo, amend, splice ------------------------------------------------------------------------------


def some_amend(rng: random.Random, book: Log[Any], other_of: Callable[[Event], Event]) -> Event:
    """Return an amend line for a random event; it may be illegal."""
    place = rng.randrange(len(book.events))
    return {"type": "amend", "event": place + 1, "to": another(book.events[place], other_of)}


def another(event: Event, other_of: Callable[[Event], Event]) -> Event:
    """Return another event than a given one; nothing but the finish can stand for the finish."""
    return event if event == FINISH else other_of(event)


def some_splice(rng: random.Random, book: Log[Any], other_of: Callable[[Event], Event]) -> Event:
    """Return a splice line that replaces some random events, or none; it may be illegal."""
    first = len(book.events) - 12 if rng.random() < 0.7 else 0
    place = rng.randint(max(0, first), len(book.events))
    dropped = book.events[place : place + rng.choice([0, 0, 1, 2, 2, 3, 9])]
    put = list(dropped)
    wish = rng.random()
    if wish < 0.25:
        put.reverse()
    elif wish < 0.5:
        put = rng.sample(put, rng.randint(0, len(put)))
    elif wish < 0.75:
        put = [another(event, other_of) if rng.random() < 0.5 else event for event in put]
    if book.events and (put == dropped or rng.random() < 0.2):
        near = book.events[max(0, place - 3) : place + 4]
        put.insert(rng.randint(0, len(put)), another(rng.choice(near), other_of))
    if not dropped and not put:
        put = [{"type": "start", "player": rng.randrange(seats_of(book.header))}]
    return {"type": "splice", "event": place + 1, "drop": len(dropped), "put": put}


def some_correction(rng: random.Random, book: Log[Any], other_of: Callable[[Event], Event]) -> Event:
    """Return a random amend or splice line; it may be illegal."""
    return (some_splice if rng.random() < 0.6 or not book.events else some_amend)(rng, book, other_of)


def scribble(
    rng: random.Random,
    book: Kept,
    lines: list[Event],
    share: float,
    other_of: Callable[[Event], Event],
    *,
    fits: Callable[[Kept], bool] = lambda book: True,
    eager: bool = False,
    splices: float = 0.0,
) -> list[Event]:
    """Return the lines of the same game with random corrections; the last few of them may change the game.

    Args:
        rng: Random generator.
        book: Log that takes the lines.
        lines: Lines of the game.
        share: Probability of an undo, redo or amend at each line.
        other_of: Callback: returns an event that differs from a given one.
        fits: Callback: whether the log is acceptable after a line; otherwise the line is left out.
        eager: Whether to call ``other_of`` at every line.
        splices: Probability, at each line, of wrong entries that a splice puts right.
    """
    if not share and not splices:
        return lines
    out: list[Event] = []

    def attempt(line: Event) -> bool:
        if line["type"] == "redo" and book.phase == "over":
            return False
        past, future = list(book.past), list(book.future)
        try:
            book.add(line)
        except RefusedError:
            return False
        if line["type"] not in ("undo", "redo") and not fits(book):
            book.past, book.future = past, future
            return False
        out.append(line)
        return True

    def to_and_fro() -> None:
        steps = rng.randint(1, 4)
        done = 0
        while done < steps and len(book.past) > 1 and book.phase_in(book.past[-2][1]) != "over":
            done += attempt({"type": "undo"})
        for _ in range(done):
            assert attempt({"type": "redo"})

    def garble() -> Event | None:
        """Enter a wrong splice, and return the splice that undoes it."""
        for _ in range(6):
            wrong = some_splice(rng, book, other_of)
            place, drop = wrong["event"] - 1, wrong["drop"]
            right = {**wrong, "drop": len(wrong["put"]), "put": book.events[place : place + drop]}
            if attempt(wrong):
                return right
        return None

    index = 0
    while index < len(lines):
        right = garble() if splices > 0 and rng.random() < splices else None
        if right is not None:
            for _ in range(rng.randrange(4)):
                if index >= len(lines) or not attempt(lines[index]):
                    break
                index += 1
            assert attempt(right)
            if rng.random() < 0.4:
                attempt({"type": "undo"})
                if not attempt({"type": "redo"}):
                    return out
            continue
        line = lines[index]
        wish = rng.random() if rng.random() < share else 1.0
        other = other_of(line) if eager or wish < 0.3 or 0.6 <= wish < 0.8 else line
        if wish < 0.3 and other != line and attempt(other):
            number = len(book.events)
            for _ in range(rng.randrange(6)):
                if index + 1 >= len(lines) or not attempt(lines[index + 1]):
                    break
                index += 1
            assert attempt({"type": "amend", "event": number, "to": line})
            if rng.random() < 0.4:
                attempt({"type": "undo"})
                if not attempt({"type": "redo"}):
                    return out
            index += 1
            continue
        assert attempt(line)
        index += 1
        if wish < 0.6:
            to_and_fro()
        elif wish < 0.8:
            assert attempt({"type": "undo"})
            if attempt(other):
                assert attempt({"type": "undo"})
            assert attempt(line)
        elif wish < 1.0 and attempt(some_amend(rng, book, other_of)):
            assert attempt({"type": "undo"})
    for _ in range(rng.randrange(12)):
        if splices > 0 and rng.random() < 0.2:
            names = some_names(rng, seats_of(book.header))
            substitute = {"type": "substitute", "player": rng.randrange(len(names)), "name": names[0]}
            attempt(rng.choice([{"type": "players", "names": names}, substitute, FINISH]))
        elif splices > 0:
            attempt(some_correction(rng, book, other_of))
        elif book.events:
            attempt(some_amend(rng, book, other_of))
    return out


# --- illegal events -----------------------------------------------------------------------------------------


def variants(sound: Event, **values: list[Any]) -> list[Event]:
    """Return one copy of an event for each alternative value, with that value replaced."""
    return [{**sound, key: value} for key, others in values.items() for value in others]


def without_one_key(sound: Event) -> list[Event]:
    return [{name: value for name, value in sound.items() if name != key} for key in sound]


def some_wrong_corrections(
    rng: random.Random,
    book: Log[Any],
    other_of: Callable[[Event], Event],
    surely: Callable[[RefusedError], bool] = lambda refused: True,
) -> list[Event]:
    """Return some illegal corrections, except those whose refusal is not certain."""
    found = [some_correction(rng, book, other_of) for _ in range(6) if book.events]
    return [line for line in found if (refused := book.refuses(line)) is not None and surely(refused)]


def wrong_corrections(book: Log[Any]) -> list[Event]:
    """Return corrections that are illegal in any game, or that have nothing to correct."""
    start = {"type": "start", "player": 0}
    lines: list[Event] = [{"type": "undo"}, {"type": "redo"}, {"type": "amend", "event": 1, "to": start}]
    lines.append({"type": "splice", "event": 1, "drop": 0, "put": [start]})
    sound: Event = {"type": "amend", "event": 1, "to": start}
    found = [*variants(sound, event=[0, len(book.events) + 1], to=lines), {"type": "amend", "event": 1}]
    found += wrong_splices(len(book.events), lines)
    names = some_names(random.Random(len(book.events)), seats_of(book.header))
    found += variants(
        {"type": "players", "names": names}, names=[names[1:], [*names, "Ida"], [names[0]] * len(names), ""]
    )
    sound = {"type": "substitute", "player": 0, "name": "Ida"}
    found += variants(sound, player=[-1, len(names), True, None], name=["", " ", "I" * 21, 4, None])
    found += [*without_one_key(sound)[1:], {**sound, "seat": 0}, {**FINISH, "player": 0}]
    now = book.names or book.header["players"]
    found.append({**sound, "name": f" {now[1].upper()} "})
    if book.phase == "over":
        found += [sound, FINISH]
    if book.finished:
        found += [start, {"type": "splice", "event": len(book.events) + 1, "drop": 0, "put": [FINISH]}]
    if not book.future:
        found.append({"type": "redo"})
    if len(book.past) == 1:
        found.append({"type": "undo"})
    return found


def wrong_splices(count: int, lines: list[Event]) -> list[Event]:
    """Return splices that are illegal in any game of this many events, some with lines that are not events."""
    start = {"type": "start", "player": 0}
    sound: Event = {"type": "splice", "event": 1, "drop": 0, "put": [start]}
    nothing = {**sound, "put": []}
    return [
        *variants(sound, event=[0, count + 2, True, "1"], drop=[count + 1, -1, False, None], to=[start]),
        *variants(sound, put=[[], start, None, [None], [[start]], [{}], [start] * 1000, *([line] for line in lines)]),
        *({**nothing, "event": event, "drop": drop} for event, drop in ((0, 1), (-1, 3), (count + 1, -1))),
        {**nothing, "drop": count + 1},
        {**nothing, "event": count + 1},
        {**sound, "event": count + 1, "drop": 1},
        *without_one_key(sound)[1:],
    ]
