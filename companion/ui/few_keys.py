"""Boards with few keys: everything that can be chosen now, likeliest first, and the selector that moves over it.

Each option is the stable name of an answer, or the keys of an action of the screen. Many answers are divided into
groups, which choosing opens: first the suits, then the ranks of one suit. A joystick's up and down move by groups.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import isqrt

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Suit
from companion.core.prompt import Answer, ChooseItem, EnterNumber, LayCard, LayPair, Prompt, Skip, TakeAlternative
from companion.core.text import Text
from companion.ui.key_grammar import AnswerCodes, answer_name
from companion.ui.keys import HOME, Key, KeyLayout, Labels
from companion.ui.screens.list_selection import NUMBERED, PAGE, numbered
from companion.ui.screens.names import ALPHABETS, LATIN, TAKE, TypedName
from companion.ui.screens.questions import answer_label, kept
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody, OpenGame, TableBody, TextBody, TypingBody, View

FLAT = 7
"""Maximum number of answers that are not grouped."""

ORDER = ("#", *"1234567890", *"ABCD", "h#", "h*", "*")
"""The order of keys that are not answers."""

MENU = "h#"
FAR = ("h*", MENU, "*")
"""The table's keys that are not answers, placed after the answers: entries, menu, back or undo."""

NEAR = "DC"
"""The keys nearest to the left of a list's first row: more names, then a new name."""

MOVES = "▲▼"
"""The characters in labels of keys that only move the highlight."""

SHOWN = 4
"""How many of a key's letters name its group."""

SPACE = "_"

BACK = "back"
"""The name of the option that drops the digits typed and goes back."""

LEAP = 5
"""Step of a joystick's up and down in a list of numbers."""


class Option(Struct, frozen=True):
    """An option that can be chosen."""

    label: str
    name: str = ""  # the name of the answer it gives, or the keys of the action it stands for, in text notation
    row: int | None = None  # its row in the list, if it is one
    short: str = ""  # a shorter label; empty if there is none


class OptionGroup(Struct, frozen=True):
    """Options under a common name, and a shorter one if there is any, opened by choosing it."""

    label: str
    options: tuple[Option, ...]
    short: str = ""

    @property
    def alone(self) -> bool:
        return len(self.options) == 1


class SelectableOptions(Struct, frozen=True):
    """All options of a screen; after the last comes the first."""

    groups: tuple[OptionGroup, ...]  # the groups, in the order of turning right
    start: int = 0  # the group selected first
    before: str = ""  # the keypad key for turning left from the first group, in a list too long for numbers
    after: str = ""  # the keypad key for turning right from it
    # the keypad keys for a joystick's left and right in such a list: a page back, a page on
    page: tuple[str, str] = ("", "")
    # the group that holding choose selects on the game's screen, on a board without a back key. It is back or undo, or
    # else the menu. None if holding choose steps back at once
    held_choose: int | None = None
    leap: int = 1  # how many groups a joystick's down goes on, if no group has to be opened; up goes back
    asked: Prompt | None = None  # the prompt that the options answer, if a game asks one

    @property
    def grouped(self) -> bool:
        return not all(group.alone for group in self.groups)

    @property
    def rows(self) -> bool:
        return any(group.options[0].row is not None for group in self.groups)

    def does(self, key: str) -> bool:
        """Return whether an option other than a row stands for this key."""
        return any(option.name == key and option.row is None for group in self.groups for option in group.options)


def plain(labels: Labels) -> SelectableOptions:
    """Return a ring of the labelled keys, with home last."""
    nearest = sorted(_others(labels), key=lambda option: option.name == str(HOME))
    return SelectableOptions(_singles(nearest or [Option("", "#")]))


def paged(labels: Labels) -> SelectableOptions:
    """Return the choices of a page of text or figures: OK alone, because turning scrolls."""
    before, after = ("A" if "A" in labels else ""), ("B" if "B" in labels else "")
    return SelectableOptions(_singles([Option(labels["#"], "#")]), before=before, after=after)


def at_table(
    book: AnswerCodes | None, typed: str, labels: Labels, words: Translator, board: KeyLayout
) -> SelectableOptions:
    """Return the ring of the game's screen. Holding choose selects back or undo, or else the menu."""
    if book is None:
        ring = SelectableOptions(_singles(_others(labels)))
    else:
        ring = asked(book, typed, labels, words, home=words(_("home")))
    if HOME.name in board.keys:  # the board has a back key; holding it leads home
        return ring
    names = [group.options[0].name for group in ring.groups]
    return replace(ring, held_choose=names.index("*" if "*" in names else MENU))


def _singles(options: Iterable[Option]) -> tuple[OptionGroup, ...]:
    return tuple(OptionGroup(option.label, (option,)) for option in options)


def _others(labels: Labels, without: str = "") -> list[Option]:
    return [Option(labels[key], key) for key in ORDER if key in labels and key not in (*without,)]


# Prompts of a game


def asked(book: AnswerCodes, typed: str, labels: Labels, words: Translator, home: str = "") -> SelectableOptions:
    """Return the ring of a prompt's answers: likely ones right; skip, alternative and alternate mode left.

    Args:
        home: The label of an option that leads home; empty for none.
    """
    prompt = book.prompt
    open_answers = prompt.answers
    if typed:  # begun on a keypad
        begun = book.begun(typed)
        open_answers = tuple(answer for answer in prompt.answers if answer in begun) or open_answers

    def option(answer: Answer) -> Option:
        name = answer_name(answer)
        if answer == prompt.stays:
            return Option(kept(words, prompt)[0], name)
        if isinstance(answer, ChooseItem):
            signs = {key: each.sign if isinstance(each, Suit) else each for key, each in answer.label.args.items()}
            return Option(words(answer.label), name, short=words(Text(answer.label.template, **signs)))
        if not isinstance(answer, LayCard):
            return Option(answer_label(words, prompt, answer), name)
        alternate = f"{words(prompt.alternate.sign)} " if answer.alternate and prompt.alternate is not None else ""
        card = answer.card
        return Option(alternate + words(card), name, short=alternate.strip() + words(card.sign))

    right: list[OptionGroup] = []
    left: list[OptionGroup] = list(_singles(option(answer) for answer in open_answers if isinstance(answer, Skip)))
    left += _singles(option(answer) for answer in open_answers if isinstance(answer, TakeAlternative))
    for name, short, alternate, answers in _grouped(prompt, open_answers, words):
        groups = _singles(map(option, answers))
        if len(open_answers) > FLAT and len(answers) > 1 and len(answers) < len(open_answers):
            groups = (OptionGroup(name, tuple(map(option, answers)), short),)
        (left if alternate else right).extend(groups)
    if not right:
        right, left = left, []
    far = _singles(Option(labels[key], key) for key in FAR if key in labels)
    if "0" in labels and not any(isinstance(answer, EnterNumber | LayCard | ChooseItem) for answer in open_answers):
        left += _singles([Option(labels["0"], "0")])  # chance says who starts
    far += _singles([Option(home, str(HOME) * 2)] if home else [])
    numbers = [answer.value for answer in open_answers if isinstance(answer, EnterNumber)]
    likely = prompt.stays
    if likely is None and numbers and len(numbers) == len(right):
        likely = EnterNumber(prompt.likely(numbers))
    first = "" if likely is None else answer_name(likely)
    groups = (*right, *far, *reversed(left))
    names = [group.options[0].name for group in groups]
    return SelectableOptions(
        groups,
        start=names.index(first) if first in names else 0,
        leap=-LEAP if len(numbers) > LEAP else isqrt(len(right)) if len(right) > FLAT else 1,
        asked=prompt,
    )


def _grouped(
    prompt: Prompt, answers: tuple[Answer, ...], words: Translator
) -> Iterable[tuple[str, str, bool, tuple[Answer, ...]]]:
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
                mode = f"{words(prompt.alternate.sign)} " if alternate and prompt.alternate else ""
                yield f"{mode}{words(suit)}", f"{mode.strip()}{words(suit.sign)}", alternate, tuple(groups[key])
            case (Suit() as one, Suit() as other, _pair):
                yield words(one.sign) + words(other.sign), "", False, tuple(groups[key])
            case _:
                yield "", "", False, tuple(groups[key])


# Other screens


def listed(body: ListBody, labels: Labels, own: Collection[str]) -> SelectableOptions:
    """Return the ring of a list: its rows and those other keys that do more than choose or move."""
    if not body.rows:
        return plain(labels)
    short = body.by_number and numbered(len(body.rows))
    key = str((body.chosen + body.start) % NUMBERED) if short else "5" if body.by_number else "#"
    moves = {text: key for key, text in reversed([*labels.items()]) if text and not text.strip(MOVES)}
    others = [
        other
        for other in _others(labels, "1234567890#")
        if other.name in own
        and other.label not in moves
        and (other.name != str(HOME) or other.label not in (text for text, _value in body.rows))
    ]
    others.sort(key=lambda other: NEAR.find(other.name))
    if key != "#" and "#" in own:
        others.append(Option(labels["#"], "#"))  # OK is the nearest option to the left
    if short:
        keys = [str((row + body.start) % NUMBERED) for row in range(len(body.rows))]
        rows = [Option(labels[key], key, row=row) for row, key in enumerate(keys)]
        return SelectableOptions(_singles([*rows, *others]), start=body.chosen)
    chosen = Option(body.rows[body.chosen][0], key, row=body.chosen)
    before, after = moves.get("▲", ""), moves.get("▼", "")
    page = moves.get("▲▲", before * PAGE), moves.get("▼▼", after * PAGE)
    return SelectableOptions(_singles([chosen, *others]), before=before, after=after, page=page)


def amounts(most: int, start: int, others: Sequence[Option], back: str) -> SelectableOptions:
    """Return the ring of all numbers from 1, starting at one of them; other options are just left of it."""
    options = [Option(str(number), f"number {number}") for number in range(1, most + 1)]
    place = min(start, most) - 1
    options[place:place] = others
    return SelectableOptions(_singles([*options, Option(back, BACK)]), start=place + len(others), leap=-LEAP)


def letters(name: TypedName, labels: Labels) -> SelectableOptions:
    """Return the letters as choices, grouped by their keys; OK and the first matching name come before them."""
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
    following = Option(ALPHABETS[(name.alphabet + 1) % len(ALPHABETS)][0], "A")
    settling = [Option(labels[key], key) for key in ("#", TAKE) if key in labels and name.whole]
    leaving = _others({key: labels[key] for key in ("*", str(HOME))})[::-1]
    return SelectableOptions((*groups, *_singles([following, *leaving, *settling])))


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
