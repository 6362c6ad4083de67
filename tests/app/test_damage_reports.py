"""Messages about damage, and checks of old games while no key is pressed."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.box import Box
from companion.app.idle import BETWEEN, SLICE, UNDISTURBED
from companion.app.loop import run
from companion.app.outputs import MemoryPanel, Outputs
from companion.core.text import Text
from companion.journal import Journal
from companion.ui.keys import Key
from tests.app.boxes import begin, new_box, press, says
from tests.app.test_loop import Evening
from tests.fakes.clock import FixedClock


def games(folder: Path, number: int) -> list[Path]:
    """Play games of Eternity, each unfinished, the last one still open; return their files."""
    journal = Journal(folder)
    for _game in range(number):
        press(begin(new_box(journal)), "1 A3 B9 A4")
    journal.close()
    return sorted((folder / "games").iterdir())


def damage(file: Path, *, copy: bool = False) -> None:
    """Change a byte in the last line of a file, and optionally of its copy."""
    for each in (file, *((file.parents[1] / "copies" / file.name,) * copy)):
        content = bytearray(each.read_bytes())
        content[len(content.rstrip(b"\0")) - 30] ^= 1
        each.write_bytes(content)


def started(folder: Path, clock: FixedClock | None = None) -> tuple[Box, Journal]:
    """Return an application that has just started on a folder."""
    journal = Journal(folder)
    return new_box(journal, clock), journal


def test_a_damaged_file_of_the_open_game_is_mended_and_said_once(tmp_path: Path) -> None:
    (file,) = games(tmp_path, 1)
    damage(file)
    box, journal = started(tmp_path)
    assert "Game 1: a damaged file is mended from its copy" in says(box)
    assert box.view().alert
    assert box.lines == 3
    assert "mended" not in says(press(box, "5"))
    journal.close()
    assert "mended" not in says(started(tmp_path)[0])


def test_what_both_copies_have_lost_is_said(tmp_path: Path) -> None:
    (file,) = games(tmp_path, 1)
    damage(file, copy=True)
    box, journal = started(tmp_path)
    assert "Game 1: entries that can be read: 2. Its files hold something else, too, and are kept" in says(box)
    assert box.lines == 2
    journal.close()


def test_damage_in_an_old_game_is_found_and_said_while_nobody_presses_a_key(tmp_path: Path) -> None:
    first, *_others = games(tmp_path, 40)
    damage(first)
    clock = FixedClock()
    box, journal = started(tmp_path, clock)
    assert "mended" not in says(box)
    run(box, Evening(clock, [], end=UNDISTURBED + 41 * BETWEEN), clock)
    assert "Game 1: a damaged file is mended" in says(box)
    assert "Bea:" in says(box)
    journal.close()


def test_sentences_about_damage_are_told_one_by_one_and_many_are_counted() -> None:
    journal = Journal()
    journal.notices = [Text("damage {number}", number=number) for number in range(1, 8)]
    box = begin(new_box(journal))
    told = [says(box), *(says(press(box, key)) for key in ("1", "A", "3", "B", "9", "A", "4"))]
    heard = [said.split(" | ")[0] for said in told if "amage" in said.split(" | ")[0]]
    assert heard == ["Damage 1", "Damage 2", "Damage 3", "More damage was found: 4"]
    assert journal.notices == []
    journal.notices = [Text("Another damage")]
    assert "Another damage" in says(press(box, "h#"))


TURN = SLICE + BETWEEN
"""Seconds from the beginning of a slice to that of the next one."""


def later(begun: float, *seconds: float) -> list[float]:
    """Return times after a beginning, in whole milliseconds."""
    return [round(begun + each, 3) for each in seconds]


class Counting(Journal):
    """A journal in memory with old games that have not been checked; each check takes a time."""

    def __init__(self, clock: FixedClock, games: int, seconds: float = SLICE) -> None:
        super().__init__()
        self.clock, self.games_left, self.looked, self.seconds = clock, games, list[float](), seconds

    def check_next(self) -> bool:
        self.looked.append(round(self.clock.passed(), 3))
        self.clock.let_pass(self.seconds)
        self.games_left -= 1
        return self.games_left > 0


def test_old_games_are_looked_at_one_after_the_other_soon_after_the_start() -> None:
    clock = FixedClock()
    journal = Counting(clock, 3)
    evening = Evening(clock, [], end=3600)
    run(Box(journal, Outputs(MemoryPanel(), clock), clock), evening, clock)
    assert journal.looked == later(1.0, 0, TURN, 2 * TURN)
    assert evening.wakes == 4


def test_quick_checks_share_a_slice() -> None:
    clock = FixedClock()
    journal = Counting(clock, 5, SLICE / 2)
    run(Box(journal, Outputs(MemoryPanel(), clock), clock), Evening(clock, [], end=3600), clock)
    half = SLICE / 2
    assert journal.looked == later(1.0, 0, half, TURN, TURN + half, 2 * TURN)


@pytest.mark.parametrize("key", ["1", "9"])
def test_no_old_game_is_looked_at_within_a_second_of_a_key(key: str) -> None:
    clock = FixedClock()
    journal = Counting(clock, 3)
    keys = [(0.9, Key(key)), (1.5, Key(key)), (2.51, Key(key)), (2.51, Key(key))]
    run(Box(journal, Outputs(MemoryPanel(), clock), clock), Evening(clock, keys, end=3600), clock)
    assert journal.looked == [*later(2.5, 0, TURN), 3.51]
