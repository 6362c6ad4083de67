"""``companion doctor --panel``, on simulated panels."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest

from companion.cli import panel_check
from companion.cli.panel_check import check_panel
from companion.core.text import SentenceError
from tests.fakes.i2c import FakeI2c
from tests.fakes.sh1106 import Sh1106
from tests.fakes.ssd1306 import Ssd1306
from tests.line_tables import Row, cases, given, says


def looking_at(chip: Ssd1306 | Sh1106) -> Callable[[str], str]:
    """Answer as somebody who sees whether there is a line at each edge."""

    def answer(_question: str) -> str:
        glass = chip.glass()
        places = [(0, 20), (127, 20), (0, 50), (127, 50), (20, 0), (20, 63), (100, 0), (100, 63)]
        return "1" if all(glass.getpixel(place) for place in places) else "2"

    return answer


CHIPS: dict[str, Callable[[], Ssd1306 | Sh1106]] = {
    "ssd1306": lambda: Ssd1306(tolerant="obeyed"),
    "ssd1306 that ignores": lambda: Ssd1306(tolerant="ignored"),
    "sh1106": lambda: Sh1106(tolerant=True),
    "nothing": Ssd1306,
}


def checked(
    folder: Path, chip: str, settings: str = "", answer: str = "", service: str = "inactive", holder: str = ""
) -> int:
    """Test a panel with a chip, as somebody who looks at it, or gives an answer; return the exit status."""
    (folder / "set.toml").write_text(settings)
    simulated = CHIPS[chip]()
    with (
        patch("companion.cli.panel_check.answer", lambda *_command: service),
        patch("companion.cli.panel_check.busy", lambda _lines: {5: holder} if holder else {}),
        patch("smbus2.SMBus", FakeI2c({} if chip == "nothing" else {0x3C: simulated}).smbus),
    ):
        looks = (lambda _question: answer.strip("-")) if answer else looking_at(simulated)
        return check_panel(folder / "set.toml", folder / "data", looks)


def panel_tests(given: str | bytes) -> str:
    """Return what a test of a panel prints, its status, and what is kept beside the journal.

    After the chip, parted by `` ; ``: ``settings TEXT``, ``answer 2`` (to each question; ``-`` is none), ``service
    STATE``, ``holder PROGRAM``, ``no folder``, ``again``.
    """
    chip, *facts = str(given).split(" ; ")
    words = dict(fact.split(" ", 1) for fact in facts if fact not in ("no folder", "again"))
    with TemporaryDirectory() as top, redirect_stdout(io.StringIO()) as out:
        kept = Path(top, "data/panel-controller")
        if "no folder" in facts:
            Path(top, "data").write_text("")
        for _time in range(1 + ("again" in facts)):
            try:
                status = str(checked(Path(top), chip, **words))
            except SentenceError as fault:
                status = str(fault).replace(f"{top}/", "")
        told = (status, kept.read_text().strip() if kept.exists() else "nothing is kept", *out.getvalue().splitlines())
    return " | ".join(told)


@pytest.mark.parametrize(("name", "rows"), cases("panel-tests"))
def test_of_each_panel_is_said_what_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


@pytest.mark.needs("root")
def test_what_root_finds_belongs_to_the_owner_of_the_folder_and_follows_no_link() -> None:
    with TemporaryDirectory() as top:
        Path(top).chmod(0o755)
        target, data = Path(top, "of-root"), Path(top, "data")
        target.write_text("root's")
        data.mkdir()
        (data / ".panel-controller.new").symlink_to(target)
        os.chown(data, 54321, 54321)
        assert checked(Path(top), "sh1106") == 0
        assert target.read_text() == "root's"
        assert (data / "panel-controller").lstat().st_uid == 54321


@pytest.mark.parametrize(("typed", "answer"), [("1\n", "1"), ("x\n2\n", "2"), ("", "")])
def test_the_question_is_asked_until_it_is_answered(
    typed: str, answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "typed").write_text(typed)
    with (tmp_path / "typed").open() as file:
        monkeypatch.setattr("sys.stdin", file)
        assert panel_check._ask("? ") == answer


def test_nobody_is_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("select.select", lambda *_given: ([], [], []))
    assert panel_check._ask("? ") == ""
