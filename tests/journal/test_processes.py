"""Several processes on one journal: one writes, any number read."""

from __future__ import annotations

import fcntl
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from companion.journal import Journal, JournalInUseError
from tests.waiting import LAST_RESORT

from .recorded import Teller, evening
from .starts import started

HOLDING = """
import sys, time
from pathlib import Path
from companion.journal import Journal

journal = Journal(Path(sys.argv[1]))
name = journal.name_for("gear")
journal.begin(name, "{}", "full", 0.0)
print(name, flush=True)
time.sleep(100)
"""


def test_a_second_writer_is_refused_until_the_first_is_killed(place: Path) -> None:
    command = [sys.executable, "-c", HOLDING, str(place / "box")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None
            name = holder.stdout.readline().strip()
            with pytest.raises(JournalInUseError) as fault:
                Journal(place / "box")
            assert str(fault.value) == f"another companion already uses the journal in {place}/box"
            assert str(fault.value.text) == str(fault.value)
            with closing(Journal(place / "box", writes=False)) as reader:
                assert reader.names() == [name]
        finally:
            holder.send_signal(signal.SIGKILL)
            holder.wait(LAST_RESORT)
    assert started(place / "box").games == {name: ["{}"]}


def test_a_closed_journal_can_be_opened(place: Path) -> None:
    for _ in range(3):
        Journal(place / "box").close()


def test_a_folder_that_cannot_be_locked_keeps_everything_in_memory(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(descriptor: int, operation: int) -> None:
        raise OSError(5, "Input/output error")

    with closing(Journal(place / "box")) as journal:
        pass
    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", flock)
        journal = Journal(place / "box")
        game = Teller(journal).begin()
        assert str(journal.fault) == "the disk is failing"
    assert journal.save()
    journal.close()
    assert game in started(place / "box").games


def test_readers_see_every_line_in_order_while_it_is_written(place: Path) -> None:
    done, wrong, looks = Event(), list[str](), list[int]()

    def read(before: int = 0) -> None:
        while not done.is_set():
            with closing(Journal(place / "box", writes=False)) as reader:
                lines = [line for name in reader.names() for line in reader.lines(name)]
                if len(lines) < before or reader.notices:
                    wrong.append(f"{len(lines)} lines after {before}: {reader.notices}")
                before = len(lines)
                looks.append(before)

    with closing(Journal(place / "box")) as journal:
        teller = Teller(journal)
        evening(teller, (1,))
        readers = [Thread(target=read) for _ in range(2)]
        for reader in readers:
            reader.start()
        try:
            while len(looks) < 40 and not wrong:
                evening(teller, (5, 3))
        finally:
            done.set()
            for reader in readers:
                reader.join()
    assert wrong == []
