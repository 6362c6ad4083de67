"""The keys of every kind of board, and how people write them down."""

from __future__ import annotations

from typing import NamedTuple

NAMES = "123A456B789C*0#D"
"""The keys row by row, as they lie on the keypad."""

FEW = "<o>^v"
"""The keys of boards with few: left, choose, right, and a joystick's up and down."""

HOLDABLE = "*#o"
"""The keys that mean something else when they are held."""


class Key(NamedTuple):
    """A key pressed, or held until it said so.

    Attributes:
        name: One of ``NAMES`` or ``FEW``.
        held: Whether it was held rather than pressed.
    """

    name: str
    held: bool = False

    def __str__(self) -> str:
        return f"h{self.name}" if self.held else self.name


POWER = Key("off", held=True)
"""The menu key held so long that the machine is to be switched off; no screen sees it, and it is never written."""


class UnknownKey(ValueError):
    """Something in a row of keys that is no key of the keypad."""


def parse(written: str) -> tuple[Key, ...]:
    """Read keys as people write them: ``A12 D7 h#``, ``>>o``; an ``h`` before a key holds it.

    Raises:
        UnknownKey: A character is no key, or a key is held that cannot be.
    """
    keys: list[Key] = []
    held = False
    for character in written:
        if character.isspace():
            continue
        if character == "h" and not held:
            held = True
            continue
        name = character.upper() if character.upper() in NAMES else character.lower()
        if name not in NAMES + FEW or (held and name not in HOLDABLE):
            shown = f"h{character}" if held else character
            raise UnknownKey(f"{shown!r} is no key; keys are 0-9 A-D * # < o > ^ v, and h# h* ho held")
        keys.append(Key(name, held))
        held = False
    if held:
        raise UnknownKey("an h stands before the key it holds")
    return tuple(keys)


def write(keys: tuple[Key, ...]) -> str:
    """Write keys down so that ``parse`` reads them."""
    return "".join(map(str, keys))
