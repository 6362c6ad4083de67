"""Changes that other programs and people make to a journal's folder while a box runs."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.journal import Journal

from .folders import Files, laid
from .recorded import Teller, Told, evening
from .starts import logged, started
from .tracing import during


@dataclass(frozen=True, slots=True)
class OutsideChange:
    """A change to a folder.

    Attributes:
        do: Makes the change.
        harms: Whether it changes the files, so that it must be reported.
        keeps: Whether finished games remain.
        until: Undoes it, if the journal can save nothing until then.
    """

    do: Callable[[Path], object]
    harms: bool = True
    keeps: bool = True
    until: Callable[[Path], object] | None = None


def _files(box: Path) -> list[Path]:
    return [file for file in box.rglob("*.jsonl") if file.is_file() and "damaged" not in file.parts]


def _moved(box: Path) -> None:
    shutil.rmtree(box.with_name("moved"), ignore_errors=True)
    box.rename(box.with_name("moved"))


def _file_instead(path: Path) -> None:
    if path.exists():
        shutil.rmtree(path)
    path.write_text("a file")


def _touched(box: Path) -> None:
    for file in _files(box):
        os.utime(file)


def _written_again(box: Path) -> None:
    for file in _files(box):
        copy = file.with_name("sync.tmp")
        copy.write_bytes(file.read_bytes())
        copy.rename(file)


def _trimmed(box: Path) -> None:
    for file in _files(box):
        file.write_bytes(file.read_bytes().rstrip(b"\0"))


def _strangers(box: Path) -> None:
    for folder in (box, box / "games", box / "copies"):
        if folder.is_dir():
            (folder / "x.sync-conflict-1.jsonl").write_text("x")
            (folder / ".x.tmp").write_text("x")
            (folder / ".stversions").mkdir(exist_ok=True)
            for file in folder.glob("0*.jsonl"):
                shutil.copyfile(file, file.with_name(f"{file.stem}.sync-conflict-20261122.jsonl"))


def _as_earlier(box: Path) -> None:
    for file in _files(box):
        body = file.read_bytes().rstrip(b"\0")
        file.write_bytes(body[: body.rfind(b"\n", 0, -1) + 1])


def _garbled(box: Path) -> None:
    for file in _files(box):
        file.write_bytes(b"\xff" * 100)


def mishaps(other: Files) -> dict[str, OutsideChange]:
    """Return all changes by name; one puts another journal's files in place of the folder."""

    def another(box: Path) -> None:
        _moved(box)
        laid(box, other)

    return {
        "nothing": OutsideChange(lambda box: None, harms=False),
        "every file is touched": OutsideChange(_touched, harms=False),
        "every file is written again": OutsideChange(_written_again, harms=False),
        "zeros are cut off": OutsideChange(_trimmed, harms=False),
        "strange files appear": OutsideChange(_strangers, harms=False),
        "every file is one line shorter": OutsideChange(_as_earlier, keeps=False),
        "every file is garbled": OutsideChange(_garbled, keeps=False),
        "the folder is removed": OutsideChange(shutil.rmtree, keeps=False),
        "the folder is moved": OutsideChange(_moved, keeps=False),
        "another folder is in its place": OutsideChange(another, keeps=False),
        "games/ is removed": OutsideChange(lambda box: shutil.rmtree(box / "games", ignore_errors=True)),
        "copies/ is removed": OutsideChange(lambda box: shutil.rmtree(box / "copies", ignore_errors=True)),
        "games/ is a file": OutsideChange(
            lambda box: _file_instead(box / "games"), until=lambda box: (box / "games").unlink()
        ),
        "copies/ is a file": OutsideChange(
            lambda box: _file_instead(box / "copies"), until=lambda box: (box / "copies").unlink()
        ),
    }


class _Interrupted(Teller):
    """Makes a change after a number of the journal's answers.

    Attributes:
        done: Whether the change was made.
    """

    def __init__(self, journal: Journal, number: int, do: Callable[[], object]) -> None:
        super().__init__(journal)
        self._number, self._do = number, do
        self.done = False

    def _answered(self, *, half: bool = False, synced: bool = False) -> None:
        super()._answered(half=half, synced=synced)
        self._number -= 1
        if self._number == 0:
            self._do()
            self.done = True


def happened(place: Path, name: str, mishap: OutsideChange, number: int) -> Counter[str]:
    """Make a change during an evening; in the end the open game, settings and draft are all there."""
    for old in ("box", "moved"):
        shutil.rmtree(place / old, ignore_errors=True)
    with logged(), during(f"{name} after {number} answers"), closing(Journal(place / "box")) as journal:
        teller = _Interrupted(journal, number, lambda: mishap.do(place / "box"))
        evening(teller)
        said = bool(journal.notices)
        if mishap.until is not None and teller.done:
            assert teller.save(), "not saved in the other folder"
            mishap.until(place / "box")
        assert teller.save(), f"not saved: {journal.fault}"
        said |= bool(journal.notices)
        journal.close()
        start = started(place / "box")
        said |= bool(start.notices)
        _compare(start.games, start.settings, teller.told, keeps=mishap.keeps)
        assert start.open_game == teller.told.opens[-1]
        assert start.halves[start.open_game] == teller.told.halves[-1].keys
        assert mishap.harms or not said, "said needlessly"
        lost = start.games != teller.told.games
        assert said or not lost, "lost unsaid"
    return Counter(mishaps=1, said=said)


def _compare(games: dict[str, list[str]], settings: dict[str, str | None], told: Told, *, keeps: bool) -> None:
    last = list(told.games)[-1]
    assert games.get(last) == told.games[last], "the open game is not there"
    assert not keeps or games == told.games, "a game is not there"
    assert settings == {name: values[-1] for name, values in told.settings.items()}
