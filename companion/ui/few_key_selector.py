"""Selects options with left, right and choose, for boards with few keys.

A joystick's up and down move by whole groups: by suit, by the letters of a key, or by five in numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from .few_key_choices import Option, SelectableOptions
from .keys import Key
from .translations import Translator, _
from .view import ListBody, OpenGame, TableBody, TextBody, TypingBody, View

STEPS = {"<": -1, "^": -1, ">": 1, "v": 1}


class OptionCursor(Struct, frozen=True):
    """Which option is selected; moves the selection and chooses."""

    joystick: bool = False  # whether the board has up and down keys
    at: int | None = None  # the selected group; None is the ring's start
    within: int | None = None  # the selected option of the open group; None if no group is open

    @property
    def home(self) -> OptionCursor:
        return OptionCursor(self.joystick)

    def press(self, key: Key, ring: SelectableOptions) -> tuple[OptionCursor, str]:
        """Return the selector after a key, and the name of the answer or action that it chooses; empty for none."""
        if key.held:
            return self._back(ring)
        if key.name != "o":
            return self._turned(key, ring)
        at = self._at(ring)
        if self.within is None and not (self.joystick or ring.groups[at].alone):
            return replace(self, at=at, within=0), ""
        return self.home, self.option(ring).name

    def _back(self, ring: SelectableOptions) -> tuple[OptionCursor, str]:
        """Close the open group; else select the ring's `held_choose` group or choose it; without one, press back."""
        if self.within is not None and not self.joystick:
            return replace(self, within=None), ""
        if ring.held_choose is None:
            return self.home, "*"
        if self._at(ring) != ring.held_choose:
            return replace(self, at=ring.held_choose), ""
        return self.home, self.option(ring).name

    def _turned(self, key: Key, ring: SelectableOptions) -> tuple[OptionCursor, str]:
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

    def _at(self, ring: SelectableOptions) -> int:
        return self.at if self.at is not None and self.at < len(ring.groups) else ring.start

    def option(self, ring: SelectableOptions) -> Option:
        """Return the selected option; the first option of a closed group."""
        options = ring.groups[self._at(ring)].options
        return options[(self.within or 0) % len(options)]

    def label(self, ring: SelectableOptions, *, short: bool = False) -> str:
        """Return the label of the selected option or closed group, the shorter one on request."""
        group = ring.groups[self._at(ring)]
        if group.alone or self.joystick or self.within is not None:
            option = self.option(ring)
            return (short and option.short) or option.label
        return f"{(short and group.short) or group.label}…"

    # Views and labels

    def shown(self, view: View, ring: SelectableOptions, labels: Mapping[str, str], words: Translator) -> View:
        """Return a view with the selected option, and without hints about keys that the board lacks."""
        foot = "" if ring.asked is None else view.question
        match view.body:
            case ListBody():
                return self._listed(view, view.body, ring, labels, words)
            case TextBody() | TableBody() if ring.before or ring.after or len(ring.groups) == 1:
                return replace(view, question=f"● {self.label(ring)}")
            case TypingBody():
                view = replace(view, body=replace(view.body, help=_letters(ring), matches=()))
            case OpenGame(seats=seats):
                view = replace(view, body=replace(view.body, seats=tuple(replace(seat, key="") for seat in seats)))
            case TableBody(names=names) if ring.asked is not None and len(names) == len(words.players):
                view = replace(view, body=replace(view.body, names=words.players))
        return replace(view, question=foot, hint="", choice=self.label(ring), short=self.label(ring, short=True))

    def _listed(
        self, view: View, body: ListBody, ring: SelectableOptions, labels: Mapping[str, str], words: Translator
    ) -> View:
        others = [group.options[0] for group in ring.groups if group.options[0].row is None]
        rows = (*body.rows, *(("", option.label) for option in others))
        here = self.option(ring)
        chosen = len(body.rows) + others.index(here) if here.row is None else here.row
        foot = f"● {words(_('OK'))}"
        if "*" in labels:
            foot += "   " + words(_("hold ●: {does}", does=labels["*"]))
        return replace(view, body=replace(body, rows=rows, chosen=chosen, plain=body.by_number), question=foot, hint="")

    def labels(self, ring: SelectableOptions, labels: Mapping[str, str]) -> dict[str, str]:
        does = {"o": self.label(ring), "#": labels.get("#", self.label(ring))}
        for name in "<>^v" if self.joystick else "<>":
            turned, keys = self._turned(Key(name), ring)
            does[name] = labels.get(keys, labels.get(keys[0], keys)) if keys else turned.label(ring)
        if self.within is not None and not self.joystick:
            does["ho"] = ring.groups[self._at(ring)].label
        elif ring.held_choose is not None:
            label = ring.groups[ring.held_choose].label
            does["ho"] = label if self._at(ring) == ring.held_choose else f"{label}…"
        elif "*" in labels:
            does["ho"] = labels["*"]
        return does


def _letters(ring: SelectableOptions) -> tuple[str, ...]:
    names = [group.label for group in ring.groups if not group.alone]
    short = [name if name.isascii() else name[:3] for name in names]
    return tuple("  ".join(short[first : first + 4]) for first in range(0, len(short), 4))
