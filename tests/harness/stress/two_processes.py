"""Two programs on one journal: the second prints one sentence and changes nothing; readers read what was written."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from companion.app.box import Box
from companion.journal import Journal
from tests.waiting import LAST_RESORT

from .journal_contents import Kept, Witness, kept
from .programs import Pressing, must_agree, started
from .random_hands import Hands

READERS = 3


class Look(NamedTuple):
    """One reading of a game."""

    number: int
    lines: tuple[str, ...]


def meet(folder: Path, chance: random.Random) -> Counter[str]:
    """Play in one program while others want the journal, then kill it: the next program gets it at once.

    Args:
        folder: The folder of the journal, which may exist.
        chance: The random numbers.
    """
    seen: Counter[str] = Counter()
    hands, errors = Hands(chance), folder.with_suffix(".err")
    folder.parent.mkdir(exist_ok=True)
    file = folder.with_suffix(".json")
    header = hands.deal().session(0).header
    file.write_text(header.written, encoding="utf-8")
    tracking = chance.choice(list(header.game.trackings))
    program = Pressing(folder, errors, ("--new", str(file), "--tracking", tracking.value))
    answer = program.first()
    try:
        with closing(Journal(folder, writes=False)) as journal:
            witness = Witness(kept(journal))
        box = program.model(witness)
        assert answer == program.expected(box), answer
        for _ in range(3):
            _read_meanwhile(folder, program, box, witness, hands, seen)
            _refused(folder, file, chance, program, seen)
            seen["exports"] += 1
            _exported(folder, witness, program, hands, box)
    finally:
        program.kill()
    second = Pressing(folder, errors)
    assert second.first() == second.expected(second.model(Witness(kept(witness)))), "after the kill: another question"
    second.close()
    seen["handed over"] += 1
    return seen


def _refused(folder: Path, header: Path, chance: random.Random, holder: Pressing, seen: Counter[str]) -> None:
    """Start a second program, perhaps with the first stopped: it prints one sentence and changes no byte."""
    others = (
        ("press", "--data", str(folder), "1#"),
        ("press", "--data", str(folder), "--new", str(header), "-"),
        ("simulate", "--data", str(folder), "--port", "0"),
    )
    words = chance.choice(others)
    before = contents(folder)
    stopped = chance.random() < 0.3
    if stopped:
        holder.process.send_signal(signal.SIGSTOP)
    try:
        second = companion(*words)
    finally:
        holder.process.send_signal(signal.SIGCONT)
    assert second.returncode == 1, f"{words[0]} ended with {second.returncode}"
    assert second.stdout == "", f"{words[0]} printed {second.stdout!r}"
    assert second.stderr.startswith(f"companion: another companion already uses the journal in {folder}"), second.stderr
    assert contents(folder) == before, f"{words[0]} changed a journal that is in use"
    seen["refused"] += 1
    seen["stopped"] += stopped


def _exported(folder: Path, witness: Witness, program: Pressing, hands: Hands, box: Box) -> None:
    """Export a game while a line is written: the output is its state before or after one of the writes."""
    witness.forget()
    number = witness.moments[0].games[-1].number
    exporting = started("export", "--data", str(folder), str(number), errors=folder.with_suffix(".export"))
    program.send(hands.line(box, program.most))
    must_agree(program, program.answered(), box, "during an export")
    printed, _nothing = exporting.communicate(timeout=LAST_RESORT)
    assert exporting.returncode == 0, folder.with_suffix(".export").read_text()
    games = [game for moment in witness.moments for game in moment.games if game.number == number]
    possible = [[game.header, *game.lines] for game in games]
    assert printed.splitlines() in possible, f"what was exported was never so: {printed}"


def _read_meanwhile(
    folder: Path, program: Pressing, box: Box, witness: Witness, hands: Hands, seen: Counter[str]
) -> None:
    """Read as often as possible while lines are entered: readers see its states, in their order."""
    done, looks = Event(), [list[Look]() for _ in range(READERS)]
    readers = [Thread(target=_look, args=(folder, done, found)) for found in looks]
    witness.forget()
    for reader in readers:
        reader.start()
    try:
        for _ in range(4):
            keys = hands.line(box, program.most)
            program.send(keys)
            must_agree(program, program.answered(), box, keys)
    finally:
        done.set()
        for reader in readers:
            reader.join()
    for found in looks:
        assert found, "a reader could not read"
        _in_order(found, witness.moments)
        seen["looks"] += len(found)


def _look(folder: Path, done: Event, found: list[Look]) -> None:
    """Open, read and close a journal again and again."""
    while not done.is_set():
        with closing(Journal(folder, writes=False)) as journal:
            latest = journal.games()[0]
            found.append(Look(latest.number, tuple(journal.lines(latest.name))))


def _in_order(found: list[Look], moments: list[Kept]) -> None:
    """Check that each reading is a state of the journal, and none is older than the one before."""
    moment = 0
    for number, lines in found:
        while (number, lines) not in {(game.number, game.lines) for game in moments[moment].games}:
            moment += 1
            assert moment < len(moments), f"game {number} was never so, or not then: {len(lines)} lines"


def race(folder: Path) -> Counter[str]:
    """Start two programs at once without a journal: one gets it, the other prints a sentence."""
    errors = [folder.with_suffix(f".{number}") for number in range(2)]
    programs = [Pressing(folder, errors[0]), Pressing(folder, errors[1])]
    answers = [program.first() for program in programs]
    said = [error.read_text() for error in errors]
    assert sorted(map(bool, answers)) == [False, True], f"{answers} {said}"
    loser = answers.index("")
    assert said[loser].startswith(f"companion: another companion already uses the journal in {folder}"), said
    assert said[1 - loser] == "", said
    assert programs[loser].process.wait(LAST_RESORT) == 1
    programs[1 - loser].kill()
    with suppress(BrokenPipeError):
        programs[loser].close()
    return Counter(races=1)


def companion(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    command = [sys.executable, "-W", "error", "-m", "companion", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=LAST_RESORT
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a journal with its bytes."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
