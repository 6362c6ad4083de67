"""Keys, the key layouts of boards, the text notation of keys, and which keys enter which answer.

The key grammar of the 4x4 keypad: every answer has one or more codes. A code is a sequence of key names. An answer is
complete when the typed keys are its code and no other answer's code begins with them. ``#`` completes it earlier, if
the typed keys are a code or only one answer begins with them. Where the prompt allows it, a suit's letter and ``#``
mean its highest card. A number without a bound that people know ends with ``#`` alone: no digit of a longer one counts
for the next player.

In a sheet the letters A to C mean 1 to 3 and 0 for the rest of the row, where no number is below zero.

A suit's letter alone never completes a card, even the last card of the suit. Otherwise a rank typed after it out of
habit would count for the next player.

The names of answers (`answer_name`) never change with the language: pages, drafts and boards with few keys use them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

from msgspec import Struct

from companion.core.cards import Suit
from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TakeAlternative,
)
from companion.core.text import SentenceError

NAMES = "123A456B789C*0#D"
"""The names of the keypad's keys, row by row."""

FEW = "<o>^v"
"""The keys of boards without a keypad: left, choose, right, and a joystick's up and down."""

HOLDABLE = "*#o"
"""The keys that have a second meaning when held."""

Labels = Mapping[str, object]
"""Short labels, as texts, by the key in text notation."""


class Key(NamedTuple):
    """A key that was pressed, or held."""

    name: str  # one of ``NAMES`` or ``FEW``
    held: bool = False  # whether it was held rather than pressed

    def __str__(self) -> str:
        return f"h{self.name}" if self.held else self.name


class QuickSecondPress(Key):
    """A key pressed again within `TWICE` of its last press, at the same place. It equals a `Key`."""

    __slots__ = ()


TWICE = 0.15  # seconds; a finger that presses twice on purpose is slower


HOME = Key("*", held=True)
"""The held back key: it leads home, except at the table, where it opens the list of entries."""

POWER = Key("off", held=True)
"""The menu key held long enough to switch the machine off. No screen receives it, and it has no text notation."""

MISSED = Key("missed")
"""A press of which only the column of the keypad is known. No screen receives it, and it has no text notation."""


class KeyLayout(Struct, frozen=True):
    """The keys of a board."""

    kind: Literal["keypad", "buttons", "knob", "joystick"]
    keys: str

    @classmethod
    def of(cls, names: Collection[str], knob: bool = False) -> KeyLayout:
        """Return the layout of a board with these keys; left, right and choose may be a rotary knob."""
        keys = "".join(names)
        if "o" not in keys:
            return cls("keypad", keys)
        return cls("joystick" if "^" in keys else "knob" if knob else "buttons", keys)

    @property
    def few(self) -> bool:
        """Return whether the board has no keypad, so that answers are selected from a ring."""
        return self.kind != "keypad"


KEYPAD = KeyLayout("keypad", NAMES)
BUTTONS = KeyLayout("buttons", "<o>")


class UnknownKeyError(SentenceError):
    """A text names a key that does not exist or that the board lacks."""


def parse(written: str, board: KeyLayout | None = None) -> tuple[Key, ...]:
    """Parse keys in text notation: ``A12 D7 h#``, ``>>o``. An ``h`` before a key means that it is held.

    Args:
        board: If given, every key must exist on this board.

    Raises:
        UnknownKeyError: A character is not a key, the key cannot be held, or the board lacks it.

    >>> parse("A12 h#")[-1]
    Key(name='#', held=True)
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
            raise UnknownKeyError(f"{shown!r} is no key; keys are 0-9 A-D * # < o > ^ v, and h# h* ho held")
        if board is not None and name not in board.keys:
            raise UnknownKeyError(f"this board has no key {name}; it has {' '.join(board.keys)}")
        keys.append(Key(name, held))
        held = False
    if held:
        raise UnknownKeyError("an h stands before the key it holds")
    return tuple(keys)


# Names of answers


def answer_name(answer: Answer) -> str:
    """Return the name of an answer, unique among the answers to a question.

    >>> answer_name(ChooseSeat(1))
    'seat 2'
    """
    match answer:
        case LayCard(card, alternate):
            return f"{card.name} aside" if alternate else card.name
        case LayPair(first, second):
            return f"{first.name} {second.name}"
        case ChooseItem(value):
            return f"item {value}"
        case ChooseSeat(seat):
            return f"seat {seat + 1}"
        case EnterNumber(value):
            return f"number {value}"
        case Skip():
            return "skip"
        case TakeAlternative():
            return "other"


def answer_named(prompt: Prompt, name: str) -> Answer | None:
    """Return the answer of a prompt with a name; None if it is neither offered nor an item that can be typed."""
    digits = name.removeprefix("number ")
    if prompt.open_numbers and digits.removeprefix("-").isdecimal() and len(digits) < 10:
        answer = EnterNumber(int(digits))
        return answer if answer_name(answer) == name and prompt.takes(answer) else None
    return next((answer for answer in (*prompt.answers, *prompt.picks) if answer_name(answer) == name), None)


def numbered_name(kind: str, name: str) -> int | None:
    """Return the number in a name of a kind, such as 3 in ``row 3``; None if the name is of another kind.

    >>> numbered_name("row", "row 3")
    3
    """
    first, _space, number = name.partition(" ")
    return int(number) if first == kind and number.isdecimal() and len(number) < 5 else None


# The key grammar


SUIT_KEYS = "ABCD"
OK_KEY = "#"
MINUS_KEY = "A"
"""The key of the sign of a number below zero. A question for numbers asks for no suit."""
ROW_KEYS = "ABC"
"""The keys of 1, 2 and 3 with 0 for the rest of a sheet's row."""
NUMBERED = (ChooseSeat, EnterNumber, ChooseItem)
"""The answers that have numbers; beside them a number means no card."""


def alternate_mode_key(prompt: Prompt) -> str:
    """Return the prefix key for a card played in the alternate mode: D if no suit uses it, else 0."""
    return "D" if len(prompt.suits) < len(SUIT_KEYS) else "0"


def alternative_key(prompt: Prompt) -> str:
    """Return the key of the prompt's alternative: D if no suit uses it, else 9."""
    return "D" if len(prompt.suits) < len(SUIT_KEYS) else "9"


def skip_key(prompt: Prompt) -> str:
    """Return the key that skips the question."""
    return "C" if prompt.skip_apart else OK_KEY


class AnswerCodes:
    """The key codes of every answer to a prompt.

    >>> from companion.core.text import Text
    >>> codes = AnswerCodes(Prompt(Text("Who starts?"), (ChooseSeat(0), ChooseSeat(1))))
    >>> codes.press("", "2")
    ChooseSeat(seat=1)
    """

    def __init__(self, prompt: Prompt) -> None:
        self.prompt = prompt
        laid = [answer for answer in prompt.answers if isinstance(answer, LayCard)]
        plain = any(not answer.alternate for answer in laid)
        self._modes = (*(False,) * (plain or prompt.alternate is None), *(True,) * (prompt.alternate is not None))
        self._prefixes = ("", alternate_mode_key(prompt) if len(self._modes) > 1 else "")
        self._letters = dict(zip(prompt.suits, SUIT_KEYS, strict=False))
        short = any(len(key) < 2 for card in prompt.deck for key in card.keys)
        shared = (
            set() if short else {key[-1] for card in (*prompt.deck, *(lay.card for lay in laid)) for key in card.keys}
        )
        # A last key that all cards share is not typed.
        self._rank_end = -1 if len(shared) == 1 and prompt.deck else None
        others = [answer for answer in prompt.answers if not isinstance(answer, LayCard)]
        self._bare_ranks = not any(isinstance(answer, NUMBERED) for answer in others)
        bare: list[LayCard] = []
        if self._bare_ranks and prompt.combination is None:
            bare = self._by_suit(laid) if prompt.bare else self._unique_ranks(laid)
        self.codes = self._coded(prompt.answers, bare)
        for lay in sorted(laid, key=lambda lay: lay.card.rank, reverse=True) if prompt.highest else ():
            self.codes.setdefault(self._prefixes[lay.alternate] + self._letters[lay.card.suit] + OK_KEY, lay)
        if prompt.stays is not None:
            self.codes.setdefault(OK_KEY, prompt.stays)

    def _by_suit(self, laid: Iterable[LayCard]) -> list[LayCard]:
        """Return the cards in the order of `prompt.bare`: a bare rank means the first of them that has it.

        Of the cards that belong to a suit, those on which it is printed come first.
        """
        belongs = dict(self.prompt.belongs)
        by_suit: dict[Suit, list[LayCard]] = {suit: [] for suit in self.prompt.bare}
        for each in sorted(laid, key=lambda lay: lay.card in belongs) if belongs else laid:
            suit = belongs.get(each.card, each.card.suit)
            if suit in by_suit:
                by_suit[suit].append(each)
        return [*chain.from_iterable(by_suit.values())]

    def _unique_ranks(self, laid: Iterable[LayCard]) -> list[LayCard]:
        """Return the cards whose rank no other offered card has."""
        usual = [each for each in laid if not each.alternate]
        ranks = Counter(each.card.rank for each in usual)
        return [each for each in usual if ranks[each.card.rank] == 1]

    @cached_property
    def rows(self) -> dict[str, EnterNumber]:
        """The keys that enter a figure of a sheet with 0 for the rest of its row, and that figure."""
        sheet = self.prompt.sheet
        if sheet is None or not sheet.by_row or sheet.cell is None or sheet.cell[1] + 1 == len(sheet.columns):
            return {}
        if any(code.startswith(MINUS_KEY) for code in self.codes):
            return {}
        figures = {key: EnterNumber(number) for number, key in enumerate(ROW_KEYS, 1)}
        return {key: figure for key, figure in figures.items() if figure in self.prompt.answers}

    @cached_property
    def not_offered(self) -> dict[str, Answer]:
        """The codes of answers that exist in the game but are not offered now."""
        offered = frozenset(self.prompt.answers)
        cards = [LayCard(card, alternate) for card in self.prompt.deck for alternate in self._modes]
        # of two with one code the first keeps it: picks before pairs, the later of two pairs, cards last
        every: tuple[Answer, ...] = (*self.prompt.picks, *reversed([*self._pairs()]), *cards)
        missing = [answer for answer in every if answer not in offered]
        laid = [answer for answer in missing if isinstance(answer, LayCard)]
        coded = self._coded(missing, self._by_suit(laid) if self._bare_ranks else ())
        return {code: answer for code, answer in coded.items() if code not in self.codes}

    def _pairs(self) -> Iterator[LayPair]:
        """Yield every pair of the deck, if the prompt asks for pairs."""
        if self.prompt.combination or any(isinstance(answer, LayPair) for answer in self.prompt.answers):
            for first in self.prompt.deck:
                yield from (LayPair(first, second) for second in self.prompt.deck if first.rank == second.rank)

    def _coded(self, answers: Iterable[Answer], bare: Iterable[LayCard]) -> dict[str, Answer]:
        """Return the codes of answers; where two have the same, it is the first one's.

        Args:
            bare: The cards that a bare rank means.
        """
        codes: dict[str, Answer] = {}
        for answer in answers:
            if isinstance(answer, LayCard):
                start = self._prefixes[answer.alternate] + self._letters.get(answer.card.suit, "")
                for rank in answer.card.keys:
                    codes.setdefault(start + rank[: self._rank_end], answer)
            elif isinstance(answer, EnterNumber):  # there can be thousands
                codes.setdefault(str(answer.value).replace("-", MINUS_KEY), answer)
            else:
                for code in self._codes_of_other(answer):
                    codes.setdefault(code, answer)
        for lay in bare:
            for rank in lay.card.keys:
                codes.setdefault(self._prefixes[lay.alternate] + rank[: self._rank_end], lay)
        return codes

    def _codes_of_other(self, answer: Answer) -> Iterator[str]:
        """Yield the codes of an answer other than a single card or a number."""
        match answer:
            case LayPair(first, second):
                suits = (first.suit, second.suit)
                places = [self._letters[suit] for suit in suits]
                either = LayPair(second, first) not in self.prompt.answers  # else each order is a separate answer
                for rank in (keys[: self._rank_end] for keys in first.keys):
                    yield "".join(places) + rank
                    if either:
                        yield "".join(reversed(places)) + rank
                    if self._bare_ranks and suits == self.prompt.combination:
                        yield rank
            case ChooseItem(value, letter=letter):
                yield from (code for code in (letter, str(value)) if code)
            case ChooseSeat(seat):
                yield str(seat + 1)
            case Skip():
                yield skip_key(self.prompt)
            case TakeAlternative():
                yield alternative_key(self.prompt)

    def begun(self, typed: str) -> set[Answer]:
        """Return the answers whose codes begin with the typed keys."""
        return {answer for code, answer in self.codes.items() if code.startswith(typed)}

    def _two_begun(self, typed: str) -> list[Answer]:
        """Return at most two of the answers that `begun` returns."""
        found: list[Answer] = []
        for code, answer in self.codes.items():
            if code.startswith(typed) and answer not in found:
                found.append(answer)
                if len(found) == 2:
                    break
        return found

    def _is_whole(self, typed: str) -> bool:
        """Return whether the typed keys are a code that no other continues.

        An ace is 1 and 14: were 1 enough while 14 can be typed, its 4 would answer the next question.
        """
        longer = (code for code in self.codes if len(code) > len(typed))
        return typed in self.codes and not any(code.startswith(typed) for code in longer)

    def press(self, typed: str, key: str) -> Answer | str | None:
        """Return the answer that a key completes, which the game may still refuse, or else the keys typed so far.

        None if they begin no answer. The keys of `rows` are none of an answer.
        """
        if key == OK_KEY:
            return self.settle(typed)
        before, typed = typed, typed + key
        if self._is_whole(typed) and not (self.prompt.open_numbers and key.isdigit()):
            return self.codes[typed]
        if self._two_begun(typed) or self._begins_number(typed):
            return typed
        # A card that is not offered can be typed all the same, so that the game says why it is not possible.
        not_offered = [code for code in self.not_offered if code.startswith(typed)]
        if not_offered == [typed]:
            return self.not_offered[typed]
        if not_offered:
            return typed
        suited = self.prompt.suits and before and before[-1] in SUIT_KEYS
        if suited and key in SUIT_KEYS:  # a second suit replaces the first
            return self.press(before[:-1], key)
        return None

    def _begins_number(self, typed: str) -> bool:
        """Return whether the typed keys begin a number that is too many to list."""
        numbers, value = self.prompt.open_numbers, _value(typed)
        if not numbers or value is None:
            return False
        return abs(value) <= max(-numbers[0] if typed.startswith(MINUS_KEY) else numbers[-1], 0)

    def settle(self, typed: str) -> Answer | None:
        """Return the answer that OK makes of the typed keys; None if it makes none."""
        for code in (typed + OK_KEY, typed):
            if code in self.codes:
                return self.codes[code]
        if typed in self.not_offered:
            return self.not_offered[typed]
        if self.prompt.open_numbers:
            value = _value(typed)
            return None if value is None or value not in self.prompt.open_numbers else EnterNumber(value)
        begun = self._two_begun(typed)
        return begun[0] if len(begun) == 1 else None  # the only possible answer

    def spell_any(self, answer: Answer) -> str:
        """Return the shortest key sequence of an answer; a longer one if it is not offered; nothing if it has none."""
        if self.prompt.takes(answer):
            return self.spell(answer)
        return min((code for code, coded in self.not_offered.items() if coded == answer), key=len, default="")

    def spell(self, answer: Answer) -> str:
        """Return the shortest key sequence of an answer; raise KeyError if the prompt does not offer it."""
        if self.prompt.open_numbers and isinstance(answer, EnterNumber) and self.prompt.takes(answer):
            return str(answer.value).replace("-", MINUS_KEY) + OK_KEY
        spellings = [self._shortest(code, answer) for code, coded in self.codes.items() if coded == answer]
        if not spellings:
            raise KeyError(answer)
        return min(spellings, key=lambda keys: (len(keys), OK_KEY in keys))

    def _shortest(self, code: str, answer: Answer) -> str:
        if code.endswith(OK_KEY):
            return code
        whole = code if self._is_whole(code) else code + OK_KEY
        for length in range(len(whole) - 1):
            if self.settle(code[:length]) == answer:
                return code[:length] + OK_KEY if length + 1 < len(whole) else whole
        return whole


def _value(typed: str) -> int | None:
    """Return the number that the typed keys mean; None if they mean none."""
    digits = typed.removeprefix(MINUS_KEY)
    if not digits.isdecimal() or (len(digits) > 1 and digits.startswith("0")):
        return None
    return -int(digits) if typed.startswith(MINUS_KEY) else int(digits)


def spelled(prompts: Sequence[Prompt], answers: Sequence[Answer]) -> Iterator[str]:
    """Yield the shortest keys of each answer to its prompt; none for zeros that the letter of a row has entered."""
    rows = [None if prompt.cell is None else prompt.cell[0] for prompt in prompts]
    entered = 0  # the answers that have been entered
    for place, (prompt, answer) in enumerate(zip(prompts, answers, strict=True)):
        if place < entered:
            yield ""
            continue
        codes = AnswerCodes(prompt)
        letter = next((key for key, figure in codes.rows.items() if figure == answer), None)
        end = place + 1
        while end < len(rows) and rows[end] == rows[place]:
            end += 1
        if letter is not None and all(each in (EnterNumber(0), Skip()) for each in answers[place + 1 : end]):
            entered = end
            yield letter
        else:
            yield codes.spell(answer)
