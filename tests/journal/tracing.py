"""An evening of a journal, call by call: the files that a kill or a power cut leaves after each call."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from companion.journal import Journal, JournalError

from . import power_cuts
from .calls import Call, Calls, Killed, Watch, refusing
from .damages import Damage
from .folders import Files, laid, longest, taken
from .power_cuts import PowerCutDisk
from .recorded import SETTINGS, Teller, Told, evening
from .starts import check, logged, started

Act = Callable[[Teller], object]


@dataclass(frozen=True, slots=True)
class Left:
    """The files that a kill or a power cut may leave.

    Attributes:
        files: The files.
        told: What the journal was told until then.
        killed: Whether it was only a kill.
        when: The moment, for people.
    """

    files: Files
    told: Told
    killed: bool
    when: str


def record(
    folder: Path,
    act: Act,
    chance: random.Random,
    *,
    states: int = 2,
    told: Told | None = None,
    before: Watch | None = None,
) -> list[Left]:
    """Use a journal; return what a kill or a power cut may leave after each call that changes the disk.

    Args:
        folder: The folder; it may already hold a journal.
        act: Uses the journal.
        chance: Chooses the unsynced changes that remain.
        states: How many random states to return after each call, besides the one without unsynced changes.
        told: What the journal was told before.
        before: Called before each call; may refuse it.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    disk = PowerCutDisk(folder.parent)
    left: list[Left] = []
    teller: list[Teller] = []
    already = Told() if told is None else told

    def watch(call: Call) -> object:
        if before is None:
            return None
        try:
            return before(call)
        except OSError:
            disk.fail(call)
            raise

    def after(call: Call) -> None:
        disk.take(call)
        if call.changes:
            now = (teller[0].told if teller else already).copy()
            when = f"call {calls.count}, {call.name} {Path(call.path).relative_to(folder.parent)}"
            left.append(Left(disk.seen(), now, True, f"killed after {when}"))
            choices = (power_cuts.none, *(power_cuts.by(chance) for _ in range(states)))
            left.extend(Left(disk.left(choose), now, False, f"plug pulled after {when}") for choose in choices)

    calls = Calls(folder.parent, watch, after)
    with calls.watched():
        journal = Journal(folder)
        teller.append(Teller(journal, already))
        act(teller[0])
        now = teller[0].told.copy()
        left.append(Left(disk.left(power_cuts.none), now, False, "plug pulled at the end"))
        journal.close()
        assert taken(folder.parent) == disk.seen(), "a call was overlooked"
    return left


def look(place: Path, lefts: list[Left], folder: str = "box") -> Counter[str]:
    """Start on each: everything called saved is there, and no loss is reported."""
    seen: Counter[str] = Counter()
    done: set[int] = set()
    for left in lefts:
        key = hash((tuple(sorted(left.files.items())), repr(left.told), left.killed))
        if key not in done:
            done.add(key)
            laid(place, left.files)
            with during(left.when):
                start = started(place / folder)
                check(start, left.told, killed=left.killed)
                lost = [notice for notice in start.notices if "is mended from its copy" not in notice]
                assert not lost, f"said needlessly: {lost}"
            seen["killed" if left.killed else "pulled"] += 1
    return seen


@contextmanager
def during(when: str) -> Iterator[None]:
    """Add the moment to the message of an exception raised within the block.

    Raises:
        AssertionError: An exception was raised.
    """
    try:
        yield
    except Exception as error:
        raise AssertionError(f"{when}: {error}") from error


def mended(
    place: Path, files: Files, told: Told, wound: Damage, chance: random.Random, *, states: int = 1
) -> Counter[str]:
    """Start on a damaged file, with a kill or a power cut after any call: nothing is lost."""
    told = told.copy()
    if wound.file in ("draft.jsonl", "typed.jsonl"):  # keys that were typed have no second copy
        told.saved_open = told.killed_half = 0
    told.saved_half = told.killed_half  # all of it was synced by now
    box = laid(place / "disk" / "box", files)
    wound.do(box)
    with logged():
        left = record(box, _read_all, chance, states=states, told=told)
    with during(f"{wound.file}, {wound.told}"):
        return look(place / "left", left)


def mended_two(
    place: Path, files: Files, told: Told, wounds: Sequence[Damage], chance: random.Random, *, states: int = 1
) -> Counter[str]:
    """Start on a game with both files damaged, with a kill or a power cut after any call.

    Every line that could be proved before is there at the next start, and each damaged file is still there as it was.
    """
    box = laid(place / "disk" / "box", files)
    for wound in wounds:
        wound.do(box)
    before = taken(box)
    (name,) = {Path(wound.file).stem for wound in wounds}
    contents = [before.get(f"{folder}/{name}.jsonl", b"") for folder in ("games", "copies")]
    least = min(len(longest(name[-8:].encode(), *contents)), len(told.games[name]))
    with logged(), during(" and ".join(f"{wound.file}, {wound.told}" for wound in wounds)):
        lefts = record(box, _read_all, chance, states=states, told=told)
        for left in lefts:
            laid(place / "left", left.files)
            with during(left.when):
                start = started(place / "left" / "box")
                found = start.games.get(name, [])
                assert found == told.games[name][: len(found)], f"not as it was entered: {found}"
                assert len(found) >= least, f"{len(found)} of {least} lines that could be proved"
                chain = start.files.get(f"games/{name}.jsonl", b"").rstrip(b"\0")
                for content in filter(None, contents):
                    assert chain.startswith(content.rstrip(b"\0")) or _kept(content, start.files), "not kept as it was"
    return Counter(states=len(lefts), lines=least)


def _kept(content: bytes, files: Files) -> bool:
    """Return whether any file holds what a damaged one held, but for a line that was not written whole."""
    body = content.rstrip(b"\0")
    ends = (body, body[: body.rfind(b"\n") + 1])
    return any(each.rstrip(b"\0").startswith(end) for each in files.values() for end in ends)


def _read_all(teller: Teller) -> None:
    teller.journal.games()
    teller.journal.check_all()


def killed_then_pulled(place: Path, number: int, chance: random.Random) -> bool:
    """Kill an evening at a call, start again, and cut the power: what that start showed is there.

    A game without entries may be gone, as a start does not sync names.

    Returns:
        Whether there was a call of that number.
    """
    shutil.rmtree(place / "disk", ignore_errors=True)
    (place / "disk").mkdir()
    disk, box = PowerCutDisk(place / "disk"), place / "disk" / "box"

    def kill(_call: Call) -> None:
        if calls.count == number:
            calls.kill()

    calls = Calls(place / "disk", kill, disk.take)
    with calls.watched(), suppress(Killed):
        with closing(Journal(box)) as journal:
            evening(Teller(journal))
        return False
    again = Calls(place / "disk", None, disk.take)
    with again.watched(), closing(Journal(box)) as journal, during(f"killed at call {number}"):
        shown = {saved.name: [saved.header, *journal.lines(saved.name)] for saved in journal.games()}
        settings = {name: journal.setting(name) for name in SETTINGS}
        assert journal.unsaved() == 0
        for choose in (power_cuts.none, power_cuts.by(chance)):
            laid(place / "left", disk.left(choose))
            start = started(place / "left" / "box")
            entered = {name: lines for name, lines in shown.items() if len(lines) > 1 or name in start.games}
            assert start.games == entered, "lines that were shown are gone"
            assert start.settings == settings, "a setting that was shown is gone"
    return True


def refused(place: Path, numbers: range, error: int, *, torn: int | None = None) -> Counter[str]:
    """Refuse calls of an evening: it goes on, and everything is saved when the disk accepts it again."""
    shutil.rmtree(place / "box", ignore_errors=True)
    before, refused = refusing(numbers, error, torn=torn)
    calls = Calls(place / "box", before)
    told = Told()
    with calls.watched(), logged(), during(f"{os.strerror(error)}, calls {numbers}"):
        try:
            journal = Journal(place / "box")
        except JournalError:
            assert refused
            return Counter({"no start": 1, "refused": len(refused)})
        with closing(journal):
            teller = Teller(journal, told)
            evening(teller)
            unsaved = journal.unsaved()
            calls.before = None
            assert teller.save(), f"not saved: {journal.fault}"
            assert journal.unsaved() == 0
        start = started(place / "box")
        check(start, told)
        assert start.games == told.games, "something was not saved"
        assert not [notice for notice in start.notices if "is mended from its copy" not in notice]
    return Counter(evenings=1, refused=len(refused), kept=unsaved) if refused else Counter()


class Retrying(Teller):
    """Tries to save again whenever something is unsaved."""

    def _answered(self, *, half: bool = False, synced: bool = False) -> None:
        if self.journal.fault is not None and self.journal.save():
            half = synced = True
        super()._answered(half=half, synced=synced)


def failed_sync(
    place: Path, number: int, error: int, chance: random.Random, lines: Sequence[int] = (3, 5, 4)
) -> Counter[str]:
    """Fail a sync of an evening, then cut the power after any later call: what was called saved is there."""
    shutil.rmtree(place / "disk", ignore_errors=True)
    count = 0

    def fail(call: Call) -> None:
        nonlocal count
        if call.name in ("fsync", "fdatasync"):
            count += 1
            if count - 1 == number:
                raise OSError(error, os.strerror(error))

    def act(teller: Teller) -> None:
        again = Retrying(teller.journal, teller.told)
        evening(again, lines, size=600)  # so that the next line is not written into the same sector
        assert again.save() or again.save()

    with logged(), during(f"sync {number} failed, {os.strerror(error)}"):
        left = record(place / "disk" / "box", act, chance, before=fail, states=1)
        return look(place / "left", left) + Counter(syncs=1) if count > number else Counter()
