"""``companion doctor --panel``, on simulated panels."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.cli import panel_check
from companion.cli.common import CommandError
from companion.cli.panel_check import check_panel
from hardware.gpio_chips import CONSUMER
from hardware.owner_settings import SettingsError
from tests.fakes.i2c import FakeI2c
from tests.fakes.sh1106 import Sh1106
from tests.fakes.ssd1306 import Ssd1306


@contextmanager
def machine(service: str = "inactive", holder: str = "") -> Iterator[None]:
    """Let systemd and the pins answer."""
    with (
        patch("companion.cli.panel_check.answer", lambda *_command: service),
        patch("companion.cli.panel_check.busy", lambda _lines: {5: holder} if holder else {}),
    ):
        yield


def looking_at(chip: Ssd1306 | Sh1106) -> Callable[[str], str]:
    """Answer as somebody who sees whether there is a line at each edge."""

    def answer(_question: str) -> str:
        glass = chip.glass()
        places = [(0, 20), (127, 20), (0, 50), (127, 50), (20, 0), (20, 63), (100, 0), (100, 63)]
        return "1" if all(glass.getpixel(place) for place in places) else "2"

    return answer


def checked(tmp_path: Path, chip: Ssd1306 | Sh1106, ask: Callable[[str], str] | None = None, settings: str = "") -> int:
    (tmp_path / "set.toml").write_text(settings)
    with machine(), patch("smbus2.SMBus", FakeI2c({0x3C: chip}).smbus):
        return check_panel(tmp_path / "set.toml", tmp_path / "data", ask or looking_at(chip))


def test_a_panel_that_is_set_right_stays_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, Ssd1306()) == 0
    assert "set right" in capsys.readouterr().out
    assert not (tmp_path / "data").exists()


@pytest.mark.needs("root")
def test_what_root_finds_belongs_to_the_owner_of_the_folder_and_follows_no_link() -> None:
    with tempfile.TemporaryDirectory() as top:
        Path(top).chmod(0o755)
        target, data = Path(top, "of-root"), Path(top, "data")
        target.write_text("root's")
        data.mkdir()
        (data / ".panel-controller.new").symlink_to(target)
        os.chown(data, 54321, 54321)
        assert checked(Path(top), Sh1106(tolerant=True)) == 0
        assert target.read_text() == "root's"
        assert (data / "panel-controller").lstat().st_uid == 54321


@pytest.mark.parametrize(
    ("chip", "settings", "other"),
    [
        (Sh1106(tolerant=True), "", "SH1106"),
        (Ssd1306(tolerant="obeyed"), '[panel]\nchip = "sh1106"', "SSD1306"),
        (Ssd1306(tolerant="ignored"), '[panel]\nchip = "sh1106"', "SSD1306"),
    ],
)
def test_the_other_controller_is_tried_and_kept(
    chip: Ssd1306 | Sh1106, settings: str, other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(tmp_path, chip, settings=settings) == 0
    assert f"From now on the box drives the panel as {other}." in capsys.readouterr().out
    assert checked(tmp_path, chip, settings=settings) == 0
    assert "set right" in capsys.readouterr().out


def test_with_neither_whole_nothing_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, Ssd1306(tolerant="obeyed"), lambda _question: "2") == 1
    assert "It stays SSD1306. Look at the panel's wires" in capsys.readouterr().out
    assert not (tmp_path / "data").exists()


def test_without_an_answer_nothing_is_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, Ssd1306(), lambda _question: "") == 1
    assert "Nothing was changed" in capsys.readouterr().out


def test_a_choice_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    with pytest.raises(CommandError, match=r"cannot be kept.*Ask with sudo"):
        checked(tmp_path, Sh1106(tolerant=True))


def test_a_panel_that_does_not_answer_is_said(tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_text("")
    nothing = patch("smbus2.SMBus", FakeI2c({}).smbus)
    with machine(), nothing, pytest.raises(CommandError, match="sudo companion doctor"):
        check_panel(tmp_path / "set.toml", tmp_path, lambda _question: "1")


def test_wrong_settings_are_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="sounds has to be a table"):
        checked(tmp_path, Ssd1306(), settings="sounds = 3")


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (("active", ""), "sudo systemctl stop companion.service, then ask again"),
        (("inactive", CONSUMER), "another companion uses this board"),
    ],
)
def test_a_panel_on_which_another_program_draws_is_left_alone(
    answers: tuple[str, str], said: str, tmp_path: Path
) -> None:
    (tmp_path / "set.toml").write_text("")
    with machine(*answers), pytest.raises(CommandError, match=said):
        check_panel(tmp_path / "set.toml", tmp_path)


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
