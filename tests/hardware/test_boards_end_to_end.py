"""Every board with the whole program, from key presses to the pixels on its panel."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.sounds import KEY
from companion.app.state import PANEL
from companion.games.eternity.rules import SUITS
from companion.journal import Journal
from companion.ui.keys import KEYPAD, KeyLayout, parse
from hardware.board import BUZZER, LAMP, load
from hardware.lamp import mixed
from tests.app.boxes import begin, press
from tests.board_keys import BOARD_KEYS
from tests.fakes.clock import FixedClock
from tests.fakes.lamp_and_buzzer import MemoryBuzzer
from tests.hardware.devices import Device, device
from tests.hardware.pictures import blank

# Dimming and tunes need PWM: the lines of lamp and buzzer are lgpio's, all others the kernel's.
FITTED = '[lamp]\non = true\nbrightness = 0.5\n[sounds]\nbuzzer = "passive"\n'
DARK = (0, 0, 0)


def in_a_game(journal: Journal, keyed: KeyLayout = KEYPAD) -> Box:
    """Return an application with a buzzer, in a game that has a trump."""
    clock = FixedClock()
    outputs = Outputs(MemoryPanel(), clock, buzzer=MemoryBuzzer())
    return press(begin(Box(journal, outputs, clock, board=keyed)), "1 A3 B9")


def left_in_a_game(folder: Path) -> None:
    journal = Journal(folder)
    in_a_game(journal)
    journal.close()


def play(pi: Device, reference: Box, keys: str) -> None:
    """Press keys on a device; after each, the panel must show the reference's picture."""
    pi.shows(reference.picture)
    for key in parse(keys):
        reference.take(PANEL, key)
        pi.press(str(key))
        pi.shows(reference.picture)


@pytest.mark.parametrize("name", BOARD_KEYS)
def test_what_is_pressed_on_a_board_is_seen_and_heard_of_it(name: str, tmp_path: Path) -> None:
    reference, threads = in_a_game(Journal(), load(name).keyed()), set(threading.enumerate())
    with device(tmp_path, name, settings=FITTED) as pi:
        left_in_a_game(pi.data)
        lamp = [pi.pwm.pin(line) for line in pi.wiring.lines(LAMP)]
        buzzer = pi.pwm.pin(pi.wiring.pins[BUZZER])

        def evening(pi: Device) -> None:
            play(pi, reference, BOARD_KEYS[name].evening)
            assert [pin.state for pin in lamp] == list(mixed(SUITS[0].colour, 0.5))

        assert pi.run(evening) == 0
        assert "".join(map(str, pi.put)) == BOARD_KEYS[name].evening.replace(" ", "")
        assert {hertz for hertz, _seconds in KEY} <= set(buzzer.heard)

        assert pi.glass() == blank()
        assert [pin.state for pin in lamp] == list(DARK)
        assert not buzzer.sounding
        assert pi.time.gpio.shorts == 0
        assert pi.bus.handles == 0
        assert not [*pi.pins.pins, *pi.pwm.pins]
        assert set(threading.enumerate()) <= threads
