"""Selects options with left, right and choose, for boards with few keys.

A joystick's up and down go by whole groups: by suits, by the letters of a key; in numbers by five.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from .keys import Key
from .options import Option, OptionRing
from .translations import Translator, _
from .view import GameBody, ListBody, PilesBody, TableBody, TextBody, TypingBody, View

STEPS = {"<": -1, "^": -1, ">": 1, "v": 1}


class Selector(Struct, frozen=True):
    """The option that is selected now.

    Attributes:
        joystick: Whether up and down are keys of their own.
        at: The group pointed at; None is the one to begin with.
        within: The spoke pointed at in a group that was opened; None where none is open.
    """

    joystick: bool = False
    at: int | None = None
    within: int | None = None

    @property
    def home(self) -> Selector:
        """Return the wheel as it stands when something else is asked."""
        return Selector(self.joystick)

    def press(self, key: Key, ring: OptionRing) -> tuple[Selector, str]:
        """Return the wheel after a key, and the keys of the keypad that it comes to, if it comes to any.

        Args:
            key: One of those that boards with few keys have.
            ring: What can be turned to.
        """
        if key.held:
            return self._back(ring)
        if key.name != "o":
            return self._turned(key, ring)
        at = self._at(ring)
        if self.within is None and not (self.joystick or ring.groups[at].alone):
            return replace(self, at=at, within=0), ""
        return self.home, ring.keys(self.spoke(ring))

    def _back(self, ring: OptionRing) -> tuple[Selector, str]:
        """Step back: out of a group first, at the table to what is aside of the answers, where one taps for it."""
        if self.within is not None and not self.joystick:
            return replace(self, within=None), ""
        if ring.held_choose is None:
            return self.home, "*"
        if self._at(ring) != ring.held_choose:
            return replace(self, at=ring.held_choose), ""
        return self.home, ring.keys(self.spoke(ring))

    def _turned(self, key: Key, ring: OptionRing) -> tuple[Selector, str]:
        at, step = self._at(ring), STEPS[key.name]
        upright = self.joystick and key.name in "^v"
        group = ring.groups[at]
        if self.joystick and not upright and any(ring.page) and at == 0:
            return self.home, ring.page[step > 0]
        if at == 0 and (pressed := ring.before if step < 0 else ring.after):
            return self.home, pressed
        if (self.within is not None or self.joystick) and not (upright or group.alone):
            return replace(self, at=at, within=((self.within or 0) + step) % len(group.options)), ""
        if upright and not ring.grouped:
            step *= ring.leap
        return replace(self, at=(at + step) % len(ring.groups), within=None), ""

    def _at(self, ring: OptionRing) -> int:
        return self.at if self.at is not None and self.at < len(ring.groups) else ring.start

    def spoke(self, ring: OptionRing) -> Option:
        """Return what would be chosen; of a group that is not open, its first."""
        spokes = ring.groups[self._at(ring)].options
        return spokes[(self.within or 0) % len(spokes)]

    def label(self, ring: OptionRing, *, short: bool = False) -> str:
        """Return what is pointed at, in words, as short as it can be if need be."""
        group = ring.groups[self._at(ring)]
        if group.alone or self.joystick or self.within is not None:
            spoke = self.spoke(ring)
            return (short and spoke.short) or spoke.label
        return f"{(short and group.short) or group.label}…"

    # What is seen

    def shown(self, view: View, ring: OptionRing, labels: Mapping[str, str], words: Translator) -> View:
        """Show what is pointed at, and nothing of keys that are not there."""
        foot = "" if ring.asked is None else view.question
        match view.body:
            case ListBody():
                return self._listed(view, view.body, ring, labels, words)
            case TextBody() | TableBody() if ring.before or ring.after or len(ring.groups) == 1:
                return replace(view, question=f"● {self.label(ring)}")
            case TypingBody():
                view = replace(view, body=replace(view.body, help=_letters(ring), matches=()))
            case GameBody(players=players) | PilesBody(players=players):
                plain = tuple(replace(player, key="") for player in players)
                view = replace(view, body=replace(view.body, players=plain))
            case TableBody(names=names) if ring.asked is not None and len(names) == len(words.players):
                view = replace(view, body=replace(view.body, names=words.players))
        return replace(view, question=foot, hint="", choice=self.label(ring), short=self.label(ring, short=True))

    def _listed(
        self, view: View, body: ListBody, ring: OptionRing, labels: Mapping[str, str], words: Translator
    ) -> View:
        """Show what else can be done below the rows of a list."""
        others = [group.options[0] for group in ring.groups if group.options[0].row is None]
        rows = (*body.rows, *(("", spoke.label) for spoke in others))
        here = self.spoke(ring)
        chosen = len(body.rows) + others.index(here) if here.row is None else here.row
        foot = f"● {words(_('OK'))}"
        if "*" in labels:
            foot += "   " + words(_("hold ●: {does}", does=labels["*"]))
        return replace(view, body=replace(body, rows=rows, chosen=chosen, plain=body.by_number), question=foot, hint="")

    def labels(self, ring: OptionRing, labels: Mapping[str, str]) -> dict[str, str]:
        """Say what the keys of a board with few do."""
        does = {"o": self.label(ring), "#": labels.get("#", self.label(ring))}
        for name in "<>^v" if self.joystick else "<>":
            turned, keys = self._turned(Key(name), ring)
            does[name] = labels.get(keys, keys) if keys else turned.label(ring)
        if self.within is not None and not self.joystick:
            does["ho"] = ring.groups[self._at(ring)].label
        elif ring.held_choose is not None:
            aside = ring.groups[ring.held_choose].label
            does["ho"] = aside if self._at(ring) == ring.held_choose else f"{aside}…"
        elif "*" in labels:
            does["ho"] = labels["*"]
        return does


def _letters(ring: OptionRing) -> tuple[str, ...]:
    """Return the groups of letters that can be turned to, line by line."""
    names = [group.label for group in ring.groups if not group.alone]
    short = [name if name.isascii() else name[:3] for name in names]
    return tuple("  ".join(short[first : first + 4]) for first in range(0, len(short), 4))
