"""The whole program on simulated devices, from key presses to the pixels on the panel."""

from __future__ import annotations

import datetime
import gc
import json
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from unittest.mock import patch
from urllib.request import Request, urlopen

import pytest
from PIL import Image

from companion.app.outputs import Outputs, PanelTimeouts
from companion.app.state import PANEL
from companion.cli import main
from companion.cli.device import WELL
from companion.cli.serving import TELEVISION
from companion.core.text import Text
from companion.journal import Journal
from companion.ui.keys import POWER, parse
from companion.ui.pictures import goodbye, hello, sentence
from companion.web.access import COOKIE
from hardware.keys.presses import LONG
from hardware.keys.source import KeyReader
from hardware.panel import LumaPanel
from tests.app.boxes import new_box
from tests.fakes.machine import MemoryUpdater
from tests.fakes.ssd1306 import Ssd1306
from tests.hardware.devices import Device, device
from tests.hardware.pictures import blank
from tests.waiting import LAST_RESORT, until

NEW_GAME = "1 1 C 2 # C 3 # C 4 # C 5 # # #"
"""Keys that begin Eternity with A, D, G and J and the default rules."""


@pytest.fixture(params=["ssd1306", "sh1106"])
def pi(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Device]:
    with device(tmp_path, chip=request.param) as made:
        yield made


def test_what_is_pressed_on_the_keypad_is_seen_on_the_glass_key_by_key(pi: Device) -> None:
    reference = new_box()

    def evening(pi: Device) -> None:
        pi.shows(reference.picture)
        for key in parse(f"{NEW_GAME} 1 A3 B9 A4 DB11 9 C5 h# *"):
            reference.take(PANEL, key)
            pi.press(str(key))
            pi.shows(reference.picture)

    assert pi.run(evening) == 0
    assert pi.chip.glass() == blank()
    assert pi.time.gpio.shorts == 0


def test_garbage_is_collected_once_the_first_question_is_shown(pi: Device) -> None:
    collected: list[bool] = []

    def evening(pi: Device) -> None:
        pi.shows(new_box().picture)
        collected.append(gc.isenabled())

    show = LumaPanel.show

    def shown(panel: LumaPanel, picture: Image.Image) -> None:
        collected.append(gc.isenabled())
        show(panel, picture)

    with patch.object(LumaPanel, "show", shown):
        assert pi.run(evening) == 0
    assert collected[:2] == [False, False]  # the greeting, and the first question
    assert collected[-1]


def test_a_panel_that_is_lost_for_a_while_does_not_hold_up_the_game(pi: Device) -> None:
    reference = new_box()

    def evening(pi: Device) -> None:
        pi.shows(reference.picture)
        pi.bus.unplug()
        pi.press(NEW_GAME)
        for key in parse(NEW_GAME):
            reference.take(PANEL, key)
        pi.bus.plug()
        pi.shows(reference.picture)

    assert pi.run(evening) == 0
    journal = Journal(pi.data, writes=False)
    assert json.loads(journal.games()[0].header)["players"] == ["A", "D", "G", "J"]


class Manager:
    """A service manager that only receives."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))

    def hear(self, what: str) -> None:
        """Wait until a message arrives."""
        self._socket.settimeout(LAST_RESORT)
        while what not in self._socket.recv(4096).decode().splitlines():
            pass

    def heard(self) -> list[str]:
        """Return the messages since the last call."""
        told: list[str] = []
        self._socket.settimeout(0)
        with suppress(BlockingIOError):
            while True:
                told += self._socket.recv(4096).decode().splitlines()
        return told

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Manager]:
    """Return a service manager whose watchdog needs thirty pings a second."""
    path = tmp_path / "notify"
    monkeypatch.setenv("NOTIFY_SOCKET", str(path))
    monkeypatch.setenv("WATCHDOG_USEC", "100000")
    made = Manager(path)
    yield made
    made.close()


def test_the_service_manager_hears_of_everything(pi: Device, manager: Manager) -> None:
    def evening(pi: Device) -> None:
        manager.hear("READY=1")
        manager.hear("WATCHDOG=1")
        pi.bus.unplug()
        pi.press("1")
        manager.hear("STATUS=The panel does not answer.")
        pi.bus.plug()
        manager.hear(f"STATUS={WELL}")

    assert pi.run(evening) == 0
    manager.hear("STOPPING=1")


def test_the_service_manager_hears_no_more_once_no_key_would_be_noticed(pi: Device, manager: Manager) -> None:
    asked = SimpleQueue[None]()

    def broken(_reader: KeyReader) -> bool:
        asked.put(None)
        return True

    def evening(_pi: Device) -> None:
        manager.hear("WATCHDOG=1")
        with patch.object(KeyReader, "broken", property(broken)):
            asked.get(timeout=LAST_RESORT)
            manager.heard()  # drop earlier messages
            for _ in range(3):
                asked.get(timeout=LAST_RESORT)
            assert "WATCHDOG=1" not in manager.heard()
        manager.hear("WATCHDOG=1")

    assert pi.run(evening) == 0


def test_the_front_is_as_the_settings_say(tmp_path: Path) -> None:
    fronts: list[dict[str, Any]] = []

    class Noted(Outputs):
        def __init__(self, *devices: Any, **more: Any) -> None:
            fronts.append(more)
            super().__init__(*devices, **more)

    text = 'dim = 20\n[sounds]\nnight = ["22:00", "07:00"]'
    with device(tmp_path, settings=text) as pi, patch("companion.app.outputs.Outputs", Noted):
        assert pi.run(lambda pi: pi.shows(new_box().picture)) == 0
    assert fronts[0]["timeouts"] == PanelTimeouts(dim=20, shift=0)
    assert fronts[0]["night"] == (datetime.time(22), datetime.time(7))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_television_at_the_box_is_told_where_the_wall_is_and_let_in(
    tmp_path: Path, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, told = free_port(), tmp_path / TELEVISION
    told.write_text("of the start before")
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))

    def is_told() -> bool:
        with suppress(FileNotFoundError):  # what the start before told is removed first
            return told.read_text("utf-8").startswith("# http")
        return False

    def evening(_pi: Device) -> None:
        until(is_told, "the wall's address")
        address, *cookies = told.read_text("utf-8").splitlines()
        assert address == f"# http://127.0.0.1:{port}/wall?lang=en"
        assert told.stat().st_mode & 0o777 == 0o640
        given = [line.split("\t") for line in cookies]
        assert [(line[0], line[2], line[5]) for line in given] == [("127.0.0.1", "/", COOKIE)] * (host == "0.0.0.0")
        asked = Request(address[2:], headers={"Cookie": "; ".join(f"{line[5]}={line[6]}" for line in given)})
        with urlopen(asked, timeout=LAST_RESORT) as answer:
            assert answer.url == address[2:]

    with device(tmp_path, settings=f'[page]\non = true\nhost = "{host}"\nport = {port}') as pi:
        assert pi.run(evening) == 0


def test_without_a_page_a_television_is_told_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (told := tmp_path / TELEVISION).write_text("of the start before")
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    with device(tmp_path) as pi:
        assert pi.run(lambda pi: pi.shows(new_box().picture)) == 0
    assert not told.exists()


def test_the_menu_key_held_long_switches_the_pi_off(pi: Device) -> None:
    switched = threading.Event()

    class Logind:
        def may(self) -> bool:
            return True

        def off(self) -> None:
            switched.set()

    def evening(pi: Device) -> None:
        pi.shows(new_box().picture)
        with pi.held("#"):
            pi.time.wait(LONG + 1)
            assert pi.put[-1] == POWER
        assert switched.wait(LAST_RESORT)

    with patch("hardware.system.LogindPower", Logind):
        assert pi.run(evening) == 0


def test_a_box_that_may_not_be_switched_off_has_nothing_to_do_it(tmp_path: Path) -> None:
    with (
        device(tmp_path, settings="[power]\noff = false") as pi,
        patch("hardware.system.LogindPower", side_effect=AssertionError("somebody may switch it off")),
    ):
        assert pi.run(lambda pi: pi.shows(new_box().picture)) == 0


def test_a_service_with_a_sentence_on_the_panel_counts_as_started_and_is_tried_again(
    tmp_path: Path, manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "24000000")
    with device(tmp_path, chip="ssd1307") as pi, pi.reached(), patch("companion.cli.device.READING", 0.001):
        assert main(["run", "--data", str(pi.data), "--config", str(pi.config)]) == os.EX_CONFIG
        seen = pi.chip.glass()
    heard = manager.heard()
    assert [line.partition("=")[0] for line in heard[:3]] == ["READY", "STATUS", "WATCHDOG"]
    assert heard[-1] == "STOPPING=1"
    assert seen == sentence(heard[1].removeprefix("STATUS="))


def test_a_service_that_is_stopped_while_its_sentence_is_read_goes_dark_at_once(
    tmp_path: Path, manager: Manager, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop() -> None:
        manager.hear("WATCHDOG=1")
        os.kill(os.getpid(), signal.SIGTERM)

    stopper = threading.Thread(target=stop)
    with device(tmp_path, chip="ssd1307") as pi, pi.reached(), patch("companion.cli.device.READING", LAST_RESORT):
        stopper.start()
        assert main(["run", "--data", str(pi.data), "--config", str(pi.config)]) == 0
        assert pi.chip.glass() == blank()
    stopper.join()
    assert "panel.chip" in capsys.readouterr().err


def test_a_journal_that_another_program_uses_is_no_failure_of_this_version(pi: Device) -> None:
    other = Journal(pi.data)
    try:
        with pi.reached():
            assert main(["run", "--data", str(pi.data), "--config", str(pi.config)]) == os.EX_TEMPFAIL
    finally:
        other.close()


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
        reference.take(PANEL, key)

    def first(pi: Device) -> None:
        pi.shows(new_box().picture)
        pi.press(f"{NEW_GAME} 1 A3")
        pi.shows(reference.picture)

    assert pi.run(first) == 0
    with device(pi.data.parent, chip="ssd1306" if isinstance(pi.chip, Ssd1306) else "sh1106") as again:
        assert again.run(lambda pi: pi.shows(reference.picture)) == 0


def test_an_installed_box_offers_updates_and_says_once_that_it_was_updated(tmp_path: Path) -> None:
    installed = MemoryUpdater(here="0.3.0")
    told = new_box()
    told.upkeep.tell_news(Text("Updated to 0.3.0"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data/version").write_text("0.2.0\n")

    def look(pi: Device) -> None:
        pi.shows(new_box().picture)
        pi.press("2 4 #")
        until(lambda: installed.asked == 1, "the update")

    with (
        patch("hardware.machine.update.system_updater", lambda _clock: installed),
        patch("companion.cli.start_notices._is_newer", lambda version, than: version > than),
    ):
        for evening in (lambda pi: pi.shows(told.picture), look):
            with device(tmp_path) as pi:
                assert pi.run(evening) == 0
    assert (tmp_path / "data/version").read_text() == "0.3.0\n"


def test_a_box_that_cannot_have_its_keys_says_why_on_the_panel(pi: Device, capsys: pytest.CaptureFixture[str]) -> None:
    why = "There is no GPIO chip /dev/gpiochip*: is this a Pi?"

    with pi.reached(), patch("hardware.gpio_chips.find_chip", side_effect=FileNotFoundError):
        assert main(["run", "--data", str(pi.data), "--config", str(pi.config)]) == os.EX_UNAVAILABLE
    assert pi.chip.glass() == sentence(why)
    assert capsys.readouterr().err == f"companion: {why}\n"


def test_settings_that_are_wrong_are_said_on_the_usual_panel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_hand = patch("companion.cli.device.READING", LAST_RESORT)  # nothing waits then
    with device(tmp_path, chip="ssd1307") as pi, pi.reached(), by_hand:
        assert main(["run", "--data", str(pi.data), "--config", str(pi.config)]) == os.EX_CONFIG
        said = capsys.readouterr().err.removeprefix("companion: ").rstrip("\n")
        assert "panel.chip" in said
        assert pi.chip.glass() == sentence(said)


def test_a_setting_of_a_newer_version_is_said_and_the_box_plays(tmp_path: Path) -> None:
    journal = Journal()
    journal.notices.append(Text("A setting is unknown: {name}", name="page.colour"))
    told = new_box(journal)
    with device(tmp_path, settings='[page]\ncolour = "red"') as pi:
        assert pi.run(lambda pi: pi.shows(told.picture)) == 0
