"""The whole program on simulated devices: fingers on the keypad at one end, light on the glass at the other."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from PIL import Image

from companion.app.ports import DeviceFault
from companion.cli import main
from companion.journal.opening import read_journal
from companion.ui.keys import Key, parse
from companion.ui.splash import goodbye, hello, sentence
from hardware.fakes.i2c import FakeI2c
from hardware.fakes.matrix import Board, Matrix
from hardware.fakes.oled import PageController
from hardware.fakes.sh1106 import Sh1106
from hardware.fakes.ssd1306 import Ssd1306
from hardware.panel import LumaPanel
from hardware.pinkeys import Keys
from tests.app.boxes import new_box
from tests.hardware.keyrigs import COLUMNS, KEYPAD, ROWS
from tests.hardware.pictures import blank

PATIENCE = 10.0
ATTENTION = 2.0
HOLD, TOUCH = 0.7, 0.05
NEW_GAME = "1 1 C 2 # C 3 # C 4 # C 5 # # #"
"""Eternity with A, D, G and J, by the rules as they are."""


class Device:
    """A Pi with a keypad and a panel, the program running on it."""

    def __init__(self, folder: Path, chip: PageController, name: str) -> None:
        self.chip = chip
        self.bus = FakeI2c({0x3C: chip})
        self.board = Board()
        self.keypad = Matrix(self.board, ROWS, COLUMNS, KEYPAD)
        self.data = folder / "data"
        self.config = folder / "companion.toml"
        self.config.write_text(f'[panel]\nchip = "{name}"\n[sleep]\nshift = 0\n')
        self.put: list[Key] = []
        self.heard = threading.Condition()
        self.failures: list[BaseException] = []

    def press(self, keys: str) -> None:
        """Press keys one after the other, as a finger does: again, if nothing came of it."""
        for key in parse(keys):
            while not self._pressed(key):
                pass

    def _pressed(self, key: Key) -> bool:
        before = len(self.put)
        self.keypad.press(key.name)
        with self.heard:
            self.heard.wait_for(lambda: len(self.put) > before, HOLD if key.held else TOUCH)
        self.keypad.release(key.name)
        with self.heard:
            came = self.heard.wait_for(lambda: len(self.put) > before, ATTENTION)
        time.sleep(TOUCH)  # so that the same key again is another press
        return came

    def shows(self, picture: Image.Image) -> None:
        """Wait until a picture is on the glass."""
        end = time.monotonic() + PATIENCE
        while self.chip.glass() != picture:
            assert time.monotonic() < end, "the glass does not show the picture"
            time.sleep(0.005)

    def run(self, evening: Callable[[Device], None]) -> int:
        """Run the program until an evening is over; the evening runs beside it."""

        def watch() -> None:
            try:
                evening(self)
            except BaseException as error:  # it is raised again where the test can see it
                self.failures.append(error)
            finally:
                os.kill(os.getpid(), signal.SIGTERM)

        start = Keys.start

        def listened(keys: Keys, put: Callable[[Key], None]) -> None:
            def told(key: Key) -> None:
                put(key)
                with self.heard:
                    self.put.append(key)
                    self.heard.notify_all()

            start(keys, told)

        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        thread = threading.Thread(target=watch)
        with (
            patch("smbus2.SMBus", self.bus.smbus),
            patch("hardware.chips.choose", lambda _name: self.board.factory),
            patch.object(Keys, "start", listened),
        ):
            thread.start()
            try:
                status = main(["run", "--data", str(self.data), "--config", str(self.config)])
            finally:
                thread.join()
                for number, handler in before.items():
                    signal.signal(number, handler)
        if self.failures:
            raise self.failures[0]
        return status


@contextmanager
def device(folder: Path, chip: PageController, name: str) -> Iterator[Device]:
    made = Device(folder, chip, name)
    with made.board, patch("companion.cli.device.FAREWELL", 0), patch("companion.cli.device.READING", 0):
        yield made


@pytest.fixture(params=["ssd1306", "sh1106"])
def pi(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Device]:
    chip: PageController = Ssd1306() if request.param == "ssd1306" else Sh1106()
    with device(tmp_path, chip, request.param) as made:
        yield made


def test_what_is_pressed_on_the_keypad_is_seen_on_the_glass_key_by_key(pi: Device) -> None:
    reference = new_box()

    def evening(pi: Device) -> None:
        pi.shows(reference.picture)
        for key in parse(f"{NEW_GAME} 1 A3 B9 A4 DB11 9 C5 h# *"):
            reference.press(key)
            pi.press(str(key))
            pi.shows(reference.picture)

    assert pi.run(evening) == 0
    assert pi.chip.glass() == blank()
    assert pi.board.shorts == 0


def test_a_panel_that_is_lost_for_a_while_does_not_hold_up_the_game(pi: Device) -> None:
    reference = new_box()

    def evening(pi: Device) -> None:
        pi.shows(reference.picture)
        pi.bus.unplug()
        pi.press(NEW_GAME)
        for key in parse(NEW_GAME):
            reference.press(key)
        pi.bus.plug()
        pi.shows(reference.picture)

    assert pi.run(evening) == 0
    journal = read_journal(pi.data)
    try:
        assert json.loads(journal.games()[0].header)["players"] == ["A", "D", "G", "J"]
    finally:
        journal.close()


def test_the_first_picture_is_the_splash_and_the_last_the_farewell(pi: Device) -> None:
    pictures: list[Image.Image] = []
    show = LumaPanel.show

    def watched(panel: LumaPanel, picture: Image.Image) -> None:
        pictures.append(picture)
        show(panel, picture)

    with patch.object(LumaPanel, "show", watched):
        assert pi.run(lambda pi: pi.shows(new_box().picture)) == 0
    assert pictures[0] == hello()
    assert pictures[-1] == goodbye("Every entry is saved")


def test_it_takes_up_where_it_was_left(pi: Device) -> None:
    reference = new_box()
    for key in parse(f"{NEW_GAME} 1 A3"):
        reference.press(key)

    def first(pi: Device) -> None:
        pi.shows(new_box().picture)
        pi.press(f"{NEW_GAME} 1 A3")
        pi.shows(reference.picture)

    assert pi.run(first) == 0
    again = Device(pi.data.parent, pi.chip, "ssd1306" if isinstance(pi.chip, Ssd1306) else "sh1106")
    with again.board:
        assert again.run(lambda pi: pi.shows(reference.picture)) == 0


def test_a_box_that_cannot_have_its_keys_says_why_on_the_panel(pi: Device, capsys: pytest.CaptureFixture[str]) -> None:
    why = "There is no GPIO chip /dev/gpiochip*: is this a Pi?"

    def no_chip(_name: str) -> object:
        raise DeviceFault(why)

    with patch("smbus2.SMBus", pi.bus.smbus), patch("hardware.chips.choose", no_chip):
        assert main(["run", "--data", str(pi.data), "--config", str(pi.config)]) == 1
    assert pi.chip.glass() == sentence(why)
    assert capsys.readouterr().err == f"companion: {why}\n"


def test_settings_that_are_wrong_are_said_on_the_usual_panel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with device(tmp_path, Ssd1306(), "ssd1307") as pi, patch("smbus2.SMBus", pi.bus.smbus):
        assert main(["run", "--data", str(pi.data), "--config", str(pi.config)]) == 1
        said = capsys.readouterr().err.removeprefix("companion: ").rstrip("\n")
        assert "panel.chip" in said
        assert pi.chip.glass() == sentence(said)
