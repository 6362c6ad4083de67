"""The buzzer's motifs, one for each event worth hearing, and when to keep silent.

A motif has to be known by ear beside a table of people talking, on a piezo without a case: few notes, wide
steps, all within the two octaves where a piezo is loud. Motifs differ in contour as well as in rhythm, and a
rest parts any two notes, so they are told apart even on a buzzer that has only one pitch.
"""

from __future__ import annotations

from datetime import time
from itertools import chain

from companion.core.game import Outcome

from .ports import Motif

LOWEST = 1047
HIGHEST = 4186
"""Hertz, two octaves from C to C: what a motif's notes lie between."""

Night = tuple[time, time]
"""From when until when the table shall not be heard; over midnight where the second is the earlier one."""


def _parted(*notes: tuple[int, int], rest: int = 25) -> Motif:
    """Return notes given in hertz and milliseconds, each parted from the next by a rest."""
    parts = chain.from_iterable(((0, rest), note) for note in notes)
    return tuple((hertz, milliseconds / 1000) for hertz, milliseconds in parts)[1:]


_C6, _G6, _C7, _E7, _G7, _C8 = 1047, 1568, 2093, 2637, 3136, 4186

KEY = _parted((_G7, 20))
"""A key was taken."""

REFUSED = _parted((_C6, 90), (_C6, 90))
"""A key or an entry was refused."""

TRICK = _parted((_E7, 60), (_C8, 160))
"""A trick was won."""

ALERT = _parted(*((_G7, 120), (_C7, 120)) * 3)
"""Somebody revoked."""

TRUMPS = (
    _parted((_G6, 100), (_C7, 100), (_G7, 230)),  # rising: short short long
    _parted((_G7, 230), (_C7, 100), (_G6, 100)),  # falling: long short short
    _parted((_C7, 143), (_G7, 144), (_C7, 143)),  # up and down again: even
    _parted((_C7, 101), (_C7, 101), (_C7, 101), (_C7, 102)),  # the same note four times
)
"""The trump is now the suit of this place in its game; all of them last equally long."""


def of(report: Outcome | None) -> Motif:
    """Return how a key sounds: like what it brought about, if it brought about something."""
    if report is None:
        return KEY
    if report.alert:
        return ALERT
    if report.new_trump is not None:
        return TRUMPS[report.new_trump]
    return TRICK if report.won else KEY


def check(motif: Motif) -> None:
    """Make sure that a motif can be played.

    Raises:
        ValueError: A note is no rest and lies outside a piezo's two octaves, or does not last.
    """
    for hertz, seconds in motif:
        if hertz and not LOWEST <= hertz <= HIGHEST:
            raise ValueError(f"a note of {hertz} Hz; notes lie between {LOWEST} and {HIGHEST} Hz, 0 is a rest")
        if not seconds > 0:
            raise ValueError(f"a note of {seconds} s")


def quiet(now: time, night: Night | None) -> bool:
    """Tell whether it is night, the first moment of it included, the last not.

    Args:
        now: The time on the table's clock.
        night: From when until when; None, or twice the same time, is no night at all.
    """
    if night is None:
        return False
    dusk, dawn = night
    return dusk <= now < dawn if dusk <= dawn else now >= dusk or now < dawn
