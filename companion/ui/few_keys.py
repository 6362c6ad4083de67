"""Boards with few keys: everything that can be chosen now, likeliest first, and the selector that moves over it.

Each option has the stable name of a choice or an answer. Many answers are divided into groups, which choosing opens:
first the suits, then the ranks of one suit. A joystick's up and down move by groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Suit
from companion.core.prompt import Answer, ChooseItem, EnterNumber, LayCard, LayPair, Prompt, Skip, TakeAlternative
from companion.core.text import Glyph, Seat, Text, joined
from companion.ui.keys import AnswerCodes, Key, Labels, answer_name
from companion.ui.screens.list_selection import NUMBERED, PAGE, move_name, numbered, row_name
from companion.ui.screens.names import ALPHABETS, LATIN, TypedName
from companion.ui.screens.questions import answer_label, kept
from companion.ui.translations import _
from companion.ui.view import ListBody, OpenGame, TableBody, TextBody, TypingBody, View

FLAT = 7
"""Maximum number of answers that are not grouped."""

SHOWN = 4
"""How many of a key's letters name its group."""

SPACE = "_"

LEAP = 5
"""Step of a joystick's up and down in a list of numbers."""


class Option(Struct, frozen=True):
    """An option that can be chosen."""

    label: object
    name: str = ""  # the name of the choice or answer
    row: int | None = None  # its row in the list, if it is one
    short: object = ""  # a shorter label; empty if there is none


class OptionGroup(Struct, frozen=True):
    """Options under a common name, and a shorter one if there is any, opened by choosing it."""

    label: object
    options: tuple[Option, ...]
    short: object = ""

    @property
    def alone(self) -> bool:
        return len(self.options) == 1


class SelectableOptions(Struct, frozen=True):
    """All options of a screen; after the last comes the first."""

    groups: tuple[OptionGroup, ...]  # the groups, in the order of turning right
    start: int = 0  # the group selected first
    before: Option | None = None  # what turning left from the first group does, in a list too long for numbers
    after: Option | None = None  # what turning right from it does
    page: tuple[Option | None, Option | None] = (None, None)  # what a joystick's left and right do there
    back: str = ""  # the choice of holding choose: it steps back; empty if nothing does
    # the group that holding choose selects on the game's screen, on a board without a back key: what steps back. None
    # if holding choose steps back at once
    held_choose: int | None = None
    leap: int = 1  # how many groups a joystick's down goes on, if no group has to be opened; up goes back
    asked: Prompt | None = None  # the prompt that the options answer, if a game asks one

    @property
    def grouped(self) -> bool:
        return not all(group.alone for group in self.groups)

    @property
    def rows(self) -> bool:
        return any(group.options[0].row is not None for group in self.groups)

    def does(self, name: str) -> bool:
        """Return whether an option other than a row has this name."""
        return any(option.name == name and option.row is None for group in self.groups for option in group.options)


def plain(options: Sequence[Option], back: str) -> SelectableOptions:
    """Return a ring of options, the nearest first."""
    return SelectableOptions(_singles(options or [Option("")]), back=back)


def scrolled(ok: Option, before: Option | None, after: Option | None, back: str) -> SelectableOptions:
    """Return the ring of a page of text or figures, which turning scrolls: OK alone."""
    return SelectableOptions(_singles([ok]), before=before, after=after, back=back)


def _singles(options: Iterable[Option]) -> tuple[OptionGroup, ...]:
    return tuple(OptionGroup(option.label, (option,)) for option in options)


# Prompts of a game


def asked(book: AnswerCodes, typed: str, others: Sequence[Option] = (), back: str = "") -> SelectableOptions:
    """Return the ring of a prompt's answers: likely ones right; skip, alternative and alternate mode left.

    Args:
        others: What is no answer, the nearest to the left first.
    """
    prompt = book.prompt
    open_answers = prompt.answers
    if typed:  # begun on a keypad
        begun = book.begun(typed)
        open_answers = tuple(answer for answer in prompt.answers if answer in begun) or open_answers

    def option(answer: Answer) -> Option:
        name = answer_name(answer)
        if answer == prompt.stays:
            return Option(kept(prompt)[0], name)
        if isinstance(answer, ChooseItem):
            signs = {key: each.sign if isinstance(each, Suit) else each for key, each in answer.label.args.items()}
            return Option(answer.label, name, short=Text(answer.label.template, **signs))
        label = answer_label(prompt, answer)
        if not isinstance(answer, LayCard):
            return Option(label, name)
        return Option(label, name, short=joined((*_mode(prompt, answer.alternate), answer.card.sign), ""))

    right: list[OptionGroup] = []
    left: list[OptionGroup] = list(_singles(option(answer) for answer in open_answers if isinstance(answer, Skip)))
    left += _singles(option(answer) for answer in open_answers if isinstance(answer, TakeAlternative))
    for name, short, alternate, answers in _grouped(prompt, open_answers):
        groups = _singles(map(option, answers))
        if len(open_answers) > FLAT and len(answers) > 1 and len(answers) < len(open_answers):
            groups = (OptionGroup(name, tuple(map(option, answers)), short),)
        (left if alternate else right).extend(groups)
    if not right:
        right, left = left, []
    numbers = [answer.value for answer in open_answers if isinstance(answer, EnterNumber)]
    likely = prompt.stays
    if likely is None and numbers and len(numbers) == len(right):
        likely = EnterNumber(prompt.likely(numbers))
    first = "" if likely is None else answer_name(likely)
    groups = (*right, *reversed(_singles(others)), *reversed(left))
    names = [group.options[0].name for group in groups]
    return SelectableOptions(
        groups,
        start=names.index(first) if first in names else 0,
        back=back,
        leap=-LEAP if len(numbers) > LEAP else isqrt(len(right)) if len(right) > FLAT else 1,
        asked=prompt,
    )


def _mode(prompt: Prompt, alternate: bool) -> tuple[Glyph, ...]:
    """Return the sign of the alternate mode, if a card is laid in it."""
    return (prompt.alternate.sign,) if alternate and prompt.alternate is not None else ()


def _grouped(prompt: Prompt, answers: tuple[Answer, ...]) -> Iterable[tuple[object, object, bool, tuple[Answer, ...]]]:
    """Yield the groups of answers but skip and alternative: name, short name, whether in alternate mode, answers.

    The suits that a bare rank means come first. Cards come before pairs, unless the prompt asks for a pair.
    """
    groups: dict[tuple[object, ...], list[Answer]] = {}
    for answer in answers:
        match answer:
            case LayCard(card, alternate):
                groups.setdefault((alternate, card.suit), []).append(answer)
            case LayPair(first, second):
                groups.setdefault((first.suit, second.suit, "pair"), []).append(answer)
            case Skip() | TakeAlternative():
                pass
            case _:
                groups.setdefault((answer,), []).append(answer)
    pair = (*(prompt.combination or ()), "pair")

    def likelihood(key: tuple[object, ...]) -> int:
        """Return the sort key of a group: 0 is the likeliest."""
        if key == pair:
            return 0
        suits = prompt.bare if isinstance(key[0], bool) else ()
        return suits.index(key[1]) if suits and key[1] in suits else len(prompt.bare)

    for key in sorted(groups, key=likelihood):
        match key:
            case (bool(alternate), Suit() as suit):
                mode = _mode(prompt, alternate)
                yield joined((*mode, suit)), joined((*mode, suit.sign), ""), alternate, tuple(groups[key])
            case (Suit() as one, Suit() as other, _pair):
                yield joined((one.sign, other.sign), ""), "", False, tuple(groups[key])
            case _:
                yield "", "", False, tuple(groups[key])


# Other screens


def listed(
    body: ListBody[object], labels: Labels, others: Sequence[Option], back: str, chooses: str = ""
) -> SelectableOptions:
    """Return the ring of a list: its rows, and to their left the other options, the nearest first.

    Args:
        labels: The labels of rows, by their numbers.
        chooses: The name of what choosing the highlighted row does; empty if each row has its own name.
    """
    if not body.rows:
        return plain(others, back)
    left = tuple(reversed(others))
    if body.by_number and numbered(len(body.rows)):
        keys = (str((row + body.start) % NUMBERED) for row in range(len(body.rows)))
        rows = (Option(labels[key], row_name(row), row=row) for row, key in enumerate(keys))
        return SelectableOptions(_singles([*rows, *left]), start=body.chosen, back=back)
    chosen = Option(body.rows[body.chosen][0], chooses or row_name(body.chosen), row=body.chosen)
    up, down = body.chosen > 0, body.chosen < len(body.rows) - 1
    before = (Option("▲", move_name(-1)), Option("▲▲", move_name(-PAGE))) if up else (None, None)
    after = (Option("▼", move_name(1)), Option("▼▼", move_name(PAGE))) if down else (None, None)
    return SelectableOptions(
        _singles([chosen, *left]), before=before[0], after=after[0], page=(before[1], after[1]), back=back
    )


def amounts(most: int, start: int, others: Sequence[Option], leaves: Option, back: str) -> SelectableOptions:
    """Return the ring of all numbers from 1, starting at one of them; other options are just left of it.

    Args:
        leaves: The option after the last number.
    """
    options = [Option(str(number), f"number {number}") for number in range(1, most + 1)]
    place = min(start, most) - 1
    options[place:place] = others
    return SelectableOptions(_singles([*options, leaves]), start=place + len(others), leap=-LEAP, back=back)


def letters(name: TypedName, others: Sequence[Option], back: str) -> SelectableOptions:
    """Return the letters as choices, grouped by their keys; the other options are to their left, the nearest first."""
    alphabet = ALPHABETS[name.alphabet][1]
    keys = "2345678901" if alphabet is LATIN else "1234567890"
    groups = []
    for key in keys:
        row = alphabet[key]
        turns = (replace(name, text=name.text + name.pending, key=key, turn=turn) for turn in range(len(row)))
        letters = [after.pending for after in turns]
        shown = [letter if letter.strip() else SPACE for letter in letters]
        options = (Option(label, f"letter {letter}") for label, letter in zip(shown, letters, strict=True))
        plain = next((place for place, letter in enumerate(row) if letter.isdigit()), SHOWN)
        groups.append(OptionGroup("".join(shown[: min(plain, SHOWN)]), tuple(options)))
    return SelectableOptions((*groups, *reversed(_singles(others))), back=back)


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
            turned, scrolls = self._turned(key, ring)
            return turned, "" if scrolls is None else scrolls.name
        at = self._at(ring)
        if self.within is None and not (self.joystick or ring.groups[at].alone):
            return replace(self, at=at, within=0), ""
        return self.home, self.option(ring).name

    def _back(self, ring: SelectableOptions) -> tuple[OptionCursor, str]:
        """Close the open group; else select the ring's `held_choose` group or choose it; without one, press back."""
        if self.within is not None and not self.joystick:
            return replace(self, within=None), ""
        if ring.held_choose is None:
            return self.home, ring.back
        if self._at(ring) != ring.held_choose:
            return replace(self, at=ring.held_choose), ""
        return self.home, self.option(ring).name

    def _turned(self, key: Key, ring: SelectableOptions) -> tuple[OptionCursor, Option | None]:
        """Return the selector after a key that turns, and how the key scrolls instead; None if it does not."""
        at, step = self._at(ring), STEPS[key.name]
        upright = self.joystick and key.name in "^v"
        group = ring.groups[at]
        if self.joystick and not upright and any(ring.page) and at == 0:
            return self.home, ring.page[step > 0]
        scrolls = ring.before if step < 0 else ring.after
        if at == 0 and scrolls is not None:
            return self.home, scrolls
        if (self.within is not None or self.joystick) and not (upright or group.alone):
            return replace(self, at=at, within=((self.within or 0) + step) % len(group.options)), None
        if upright and not ring.grouped:
            step *= ring.leap
        return replace(self, at=(at + step) % len(ring.groups), within=None), None

    def _at(self, ring: SelectableOptions) -> int:
        return self.at if self.at is not None and self.at < len(ring.groups) else ring.start

    def option(self, ring: SelectableOptions) -> Option:
        """Return the selected option; the first option of a closed group."""
        options = ring.groups[self._at(ring)].options
        return options[(self.within or 0) % len(options)]

    def label(self, ring: SelectableOptions, *, short: bool = False) -> object:
        """Return the label of the selected option or closed group, the shorter one on request."""
        group = ring.groups[self._at(ring)]
        if group.alone or self.joystick or self.within is not None:
            option = self.option(ring)
            return (short and option.short) or option.label
        return joined(((short and group.short) or group.label, "…"), "")

    # Views and labels

    def shown(self, view: View[object], ring: SelectableOptions, labels: Labels, seats: int) -> View[object]:
        """Return a view with the selected option, and without hints about keys that the board lacks.

        Args:
            seats: How many seats a table with a row for each has.
        """
        foot = "" if ring.asked is None else view.question
        match view.body:
            case ListBody():
                return self._listed(view, view.body, ring, labels)
            case TextBody() | TableBody() if ring.before or ring.after or len(ring.groups) == 1:
                return replace(view, question=joined(("●", self.label(ring))))
            case TypingBody():
                view = replace(view, body=replace(view.body, help=_letters(ring), matches=()))
            case OpenGame(seats=rows):
                view = replace(view, body=replace(view.body, seats=tuple(replace(row, key="") for row in rows)))
            case TableBody(names=names) if ring.asked is not None and len(names) == seats:
                view = replace(view, body=replace(view.body, names=tuple(map(Seat, range(seats)))))
        return replace(view, question=foot, hint="", choice=self.label(ring), short=self.label(ring, short=True))

    def _listed(
        self, view: View[object], body: ListBody[object], ring: SelectableOptions, labels: Labels
    ) -> View[object]:
        others = [group.options[0] for group in ring.groups if group.options[0].row is None]
        rows = (*body.rows, *(("", option.label) for option in others))
        here = self.option(ring)
        chosen = len(body.rows) + others.index(here) if here.row is None else here.row
        foot = joined(("●", _("OK")))
        if "*" in labels:
            foot = joined((foot, _("hold ●: {does}", does=labels["*"])), "   ")
        return replace(view, body=replace(body, rows=rows, chosen=chosen, plain=body.by_number), question=foot, hint="")

    def labels(self, ring: SelectableOptions, labels: Labels) -> dict[str, object]:
        does = {"o": self.label(ring), "#": labels.get("#", self.label(ring))}
        for name in "<>^v" if self.joystick else "<>":
            turned, scrolls = self._turned(Key(name), ring)
            does[name] = turned.label(ring) if scrolls is None else scrolls.label
        if self.within is not None and not self.joystick:
            does["ho"] = ring.groups[self._at(ring)].label
        elif ring.held_choose is not None:
            label = ring.groups[ring.held_choose].label
            does["ho"] = label if self._at(ring) == ring.held_choose else joined((label, "…"), "")
        elif "*" in labels:
            does["ho"] = labels["*"]
        return does


def _letters(ring: SelectableOptions) -> tuple[str, ...]:
    names = [str(group.label) for group in ring.groups if not group.alone]
    short = [name if name.isascii() else name[:3] for name in names]
    return tuple("  ".join(short[first : first + 4]) for first in range(0, len(short), 4))
