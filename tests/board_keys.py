"""What the tests press on each board: one row for a new board."""

from __future__ import annotations

from typing import NamedTuple


class BoardKeys(NamedTuple):
    """The keys that tests press on a board."""

    kind: str  # as what pages draw it
    opened: str  # who starts Eternity, and the two cards of its deal
    evening: str  # in a game that has a trump: every kind of key, most of them also held


BOARD_KEYS = {
    "keypad-4x4": BoardKeys("keypad", "1 A3 B9", "A4 D h# 1 # *"),
    "three-buttons": BoardKeys("buttons", "o  o >> o  > o >>>>>>>> o", "o > o < < o ho"),
    "rotary": BoardKeys("knob", "o  o >> o  > o >>>>>>>> o *", "o > o < o * ho"),
    "oled-bonnet": BoardKeys("joystick", "o  >> o  v >>>>>>>> # h#", "o v > ^ < o * h# > > #"),
    "oled-hat": BoardKeys("joystick", "o  >> #  v >>>>>>>> o *", "o v > ^ < o D * h# > > #"),
}
