"""The buzzer's motifs, one for each audible event, and the silent hours.

A card ticks by its kind, so that a slip is heard while the key that mends it is near.

A motif has to be recognizable beside a table of people talking, on a piezo without a case. So it has few notes
and wide steps, within the two octaves where a piezo is loud. Motifs differ in contour and in rhythm. A rest
separates any two notes, so motifs can be told apart even on a buzzer with only one pitch.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from itertools import chain

from companion.app.ports import Motif
from companion.core.game import CardSound, EventOutcome

LOWEST = 1047
HIGHEST = 4186  # range of a motif's notes in hertz: two octaves from C to C

Night = tuple[time, time]
"""Start and end of the silent hours. If the end is the earlier time, they pass midnight."""


def _parted(*notes: tuple[int, int], rest: int = 25) -> Motif:
    """Return notes, given in hertz and milliseconds, with a rest between any two."""
    parts = chain.from_iterable(((0, rest), note) for note in notes)
    return tuple((hertz, milliseconds / 1000) for hertz, milliseconds in parts)[1:]


_C6, _G6, _C7, _E7, _G7, _C8 = 1047, 1568, 2093, 2637, 3136, 4186

KEY = _parted((_G7, 20))  # a key was accepted

LAID: Mapping[CardSound, Motif] = {
    CardSound.LEAD: _parted((_G7, 110)),  # one long
    CardSound.FOLLOW: _parted((_G7, 20), (_C7, 20), rest=50),  # two short
    CardSound.OFF_SUIT: _parted((_G7, 110), (_C7, 20), (_C7, 20), rest=50),  # one long, two short
    CardSound.ALTERNATE: _parted((_C8, 20), (_C8, 20), (_C8, 20), rest=50),  # three short
}
"""A card was laid. A key that is not yet a card ticks once, short."""

REFUSED = _parted((_C6, 90), (_C6, 90))  # a key or an entry was refused
TRICK = _parted((_E7, 60), (_C8, 160))  # a trick was won
ALERT = _parted(*((_G7, 120), (_C7, 120)) * 3)  # somebody revoked

TRUMPS = (
    _parted((_G6, 100), (_C7, 100), (_G7, 230)),  # rising: short short long
    _parted((_G7, 230), (_C7, 100), (_G6, 100)),  # falling: long short short
    _parted((_C7, 143), (_G7, 144), (_C7, 143)),  # up and down again: even
    _parted((_C7, 101), (_C7, 101), (_C7, 101), (_C7, 102)),  # the same note four times
)
"""The trump has changed; the index is its suit's place in the game. All four last equally long."""


PAUSE = 0.12  # seconds between the tick of a card and the motif of the trick that it ended


def of(report: EventOutcome | None) -> Motif:
    """Return the motif for an outcome: a card's tick, then what it led to; an alert alone; KEY without any."""
    if report is None:
        return KEY
    if report.alert:
        return ALERT
    tick: Motif = () if report.laid_as is None else LAID[report.laid_as]
    after: Motif = () if report.new_trump is None else TRUMPS[report.new_trump]
    after = after or (TRICK if report.won else ())
    return (*tick, (0, PAUSE), *after) if tick and after else tick or after or KEY


def quiet(now: time, night: Night | None) -> bool:
    """Return whether a time is in the silent hours: from their first moment until just before their end.

    None or equal times mean no silent hours.
    """
    if night is None:
        return False
    dusk, dawn = night
    return dusk <= now < dawn if dusk <= dawn else now >= dusk or now < dawn
