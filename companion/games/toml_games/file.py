"""Reads a game's file: its sections, keys and words as TOML, or what is wrong with it, with line and column."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, reduce
from types import UnionType
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import fields

from companion.core.games import OTHERS
from companion.core.text import N_, NC_, Phrase, SentenceError, Text
from companion.decoding import convert

from .formulas import Formula

Path = tuple[str | int, ...]
"""The keys and list positions that lead to a value: ``("ask", 0, "most")``."""

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_KEY = re.compile(r"[A-Za-z0-9_-]+|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
_WORD = re.compile(r"[^,\]}#\r\n]*")


class TextPosition(NamedTuple):
    """A place in a text, line and column counted from 1."""

    line: int
    column: int

    def right(self, columns: int) -> TextPosition:
        return TextPosition(self.line, self.column + columns)


class Places(NamedTuple):
    """Where the keys of a file stand, and where their values begin."""

    keys: dict[Path, TextPosition]
    values: dict[Path, TextPosition]


def places(text: str) -> Places:
    r"""Return the places of all keys and values.

    >>> places('[a]\nb = [1, {c = 2}]').values["a", "b", 1, "c"]
    TextPosition(line=2, column=14)
    """
    scanner = _Scanner(text)
    scanner.file()
    return Places(scanner.keys, scanner.values)


class _Scanner:
    """Goes over a text that is TOML, and notes where its keys and values stand."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]  # where each line begins
        self._lists: dict[Path, int] = {}  # the number of tables in each list of tables so far
        self.keys: dict[Path, TextPosition] = {}
        self.values: dict[Path, TextPosition] = {}

    @property
    def _place(self) -> TextPosition:
        line = bisect(self._lines, self._at)
        return TextPosition(line, self._at - self._lines[line - 1] + 1)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        assert found is not None  # the text is valid
        self._at = found.end()
        return found[0]

    def _is_next(self, sign: str) -> bool:
        """Return whether a sign stands here; then go on behind it, and behind the blanks after it."""
        self._skip(_BLANK)
        if not self._text.startswith(sign, self._at):
            return False
        self._at += len(sign)
        self._skip(_BLANK)
        return True

    def file(self) -> None:
        base: Path = ()
        self._skip(_BLANK)
        while self._at < len(self._text):
            if self._is_next("[["):
                base = self._table(several=True)
            elif self._is_next("["):
                base = self._table(several=False)
            else:
                self._pair(base)
            self._skip(_BLANK)

    def _key(self, base: Path) -> Path:
        """Return the path of a dotted key; the last table of a list is meant where one is named."""
        while True:
            place, written = self._place, self._skip(_KEY)
            base = (*base, next(iter(tomllib.loads(f"{written} = 0"))))
            self.keys.setdefault(base, place)
            if not self._is_next("."):
                return base
            if base in self._lists:
                base = (*base, self._lists[base] - 1)

    def _table(self, several: bool) -> Path:
        begins = self._place
        path = self._key(())
        self._is_next("]]" if several else "]")
        if several:
            number = self._lists.get(path, 0)
            self._lists[path] = number + 1
            path = (*path, number)
            self.keys[path] = begins
        return path

    def _pair(self, base: Path) -> None:
        path = self._key(base)
        self._is_next("=")
        self._value(path)

    def _value(self, path: Path) -> None:
        self.values[path] = self._place
        self.keys.setdefault(path, self.values[path])
        if self._is_next("["):
            number = 0
            while not self._is_next("]"):
                self._value((*path, number))
                self._is_next(",")
                number += 1
        elif self._is_next("{"):
            while not self._is_next("}"):
                self._pair(path)
                self._is_next(",")
        else:
            self._skip(STRING if self._text[self._at] in "\"'" else _WORD)


# Sections and keys


LARGEST_FILE = 60_000  # characters
LONGEST_LINE = 1000
MOST_DOTS = 40  # in a line; a key of hundreds of parts takes long to read
MOST_FINDINGS = 50


OLD_KEYS = {"sits": "sits_out"}
"""Keys of earlier versions, which are understood, with those of today."""


class OptionValues(tuple[tuple[Phrase | None, int], ...]):
    """The values of an option, each with its word if it has one; the first is usual."""

    __slots__ = ()


class Choices(tuple[tuple[Phrase, int], ...]):
    """What can be chosen: words, each with the number that stands for it."""

    __slots__ = ()


class Longest(NamedTuple):
    """Beside the kind of a text: the most characters that it may have."""

    characters: int
    may_be_empty: bool = False


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that is chosen at set-up."""

    label: Annotated[Phrase, Longest(24)]
    values: Annotated[OptionValues, Longest(24)]
    typed: bool = False  # whether another number can be typed

    def allows(self, number: int) -> bool:
        return number in [value for _word, value in self.values] or (self.typed and 1 <= number <= 100_000)


class Question(Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """Something that is asked in every round."""

    name: str
    label: Annotated[Phrase, Longest(14)]  # its name on sheets: unless a file says another, made of the name
    kind: str = "number"  # number, choice, seat, seats or order: the seats in the order in which they finish
    per: str = "seat"  # number and choice: asked once for each seat, side or round
    # the question; ``{player}``, ``{total}`` and ``{left}`` stand for those of the seat
    text: Annotated[Phrase | None, Longest(40, may_be_empty=True)] = None
    left: Formula | None = None  # what ``{left}`` in its text says
    least: Formula = Formula(0)
    most: Formula = Formula(999)
    step: int = 1
    sum: Formula | None = None  # what the figures of all seats add up to
    refuse: Formula | None = None  # when a figure is refused
    because: Annotated[Phrase | None, Longest(80, may_be_empty=True)] = None  # the sentence for a refused figure
    when: Formula | None = None  # when it is asked; otherwise its figure is 0
    order: str = "left"  # left of the dealer first, or by seats
    choices: Annotated[Choices, Longest(20)] = Choices()
    once: str = ""  # by seat, by dealer or in the game: a choice is offered again once all others were taken
    nobody: Annotated[Phrase | None, Longest(14, may_be_empty=True)] = None  # the answer that names no seat
    up_to: int = 8  # seats and order: how many can be named

    @property
    def names_seats(self) -> bool:
        """Return whether its answer is seats, not figures."""
        return self.kind in ("seat", "seats", "order")

    @property
    def subject(self) -> Phrase:
        """Return its label for sentences in which more follows: without a question mark."""
        return Phrase(_unmarked(self.label), {word: _unmarked(text) for word, text in self.label.translations.items()})


def _unmarked(label: str) -> str:
    """Return a label without a question mark at its end: ``Played out?`` is ``Played out``."""
    return label.rstrip("?？ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}") or label


class HeadSection(Struct, frozen=True, forbid_unknown_fields=True):
    """A table ``[[heads]]``: the top line of some rounds."""

    text: Annotated[Phrase, Longest(40)]
    when: Formula


class ScoreSection(Struct, frozen=True, forbid_unknown_fields=True):
    """The points of a round, and what is carried to the next one."""

    points: Formula
    start: Formula | None = None  # the total before the first round
    carry: Annotated[dict[str, Formula], Meta(max_length=12)] = {}
    first: dict[str, Formula] = {}  # by name: the carried figures before the first round
    # by name: the labels of carried figures that score tables show
    shown: Annotated[dict[str, Phrase], Longest(8)] = {}


class EndSection(Struct, frozen=True, forbid_unknown_fields=True):
    """When the game is over, and who wins it."""

    when: Formula | None = None
    winners: Formula | None = None  # who wins; without it, who has the best total
    pays: bool = False  # whether the end tells who pays whom
    # keys of earlier versions: `checks.with_winners` turns them into `winners`
    tie: Formula | None = None  # of equal totals, the higher figure wins
    loser: bool = False  # whether the last alone loses, and all others win


class Count(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that statistics count for each player."""

    label: Annotated[Phrase, Longest(14)]
    count: Formula


class Joker(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that follow no suit, and win or lose a trick."""

    label: Annotated[Phrase, Longest(14)]
    number: int
    wins: bool
    key: str = ""  # what is typed for it


class OwnSuit(Struct, frozen=True, forbid_unknown_fields=True):
    """A suit of the game's own."""

    label: Annotated[Phrase, Longest(14)]
    sign: str = ""  # the name of its drawing, if it is another than the suit's
    ranks: str = ""  # if it has not all


class DeckSection(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards: suits, and ranks from the lowest to the highest."""

    suits: str = "clubs diamonds hearts spades"
    ranks: str = "2 3 4 5 6 7 8 9 10 J Q K A"
    trump_ranks: str = ""  # the order within the trump suit, if it is another
    bowers: str = ""  # the rank whose card of the trump suit is highest, that of the other suit of its colour next
    always: str = ""  # cards that belong to the trump suit and are above all others, from the lowest to the highest
    copies: int = 1  # how many of each card there are
    later: str = ""  # cards of which, of two alike in a trick, the later one wins
    own: dict[str, OwnSuit] = {}
    without: dict[str, str] = {}  # by number of players: the cards that are laid aside
    jokers: dict[str, Joker] = {}


class InsteadSection(Struct, frozen=True, forbid_unknown_fields=True):
    """A table ``[[tricks.instead]]``: what differs in some rounds; what it does not say is as usual."""

    when: Formula | None = None  # in which rounds
    named: Annotated[Phrase | None, Longest(20)] = None  # or its name, where it is chosen in place of a trump
    trump: str = ""  # a suit, or none
    ranks: str = ""
    trump_ranks: str = ""
    bowers: str | None = None
    always: str | None = None
    values: dict[str, int] | None = None


class TricksSection(Struct, frozen=True, forbid_unknown_fields=True):
    """The section ``[tricks]`` of a file: how the game is played card by card."""

    deck: DeckSection = DeckSection()
    hand: Formula | None = None  # cards of each player; without it, the deck is dealt out
    sits_out: Formula | None = None  # who lays no cards in this round
    trump: str = "none"  # none, a suit, asked, suit, turned, led, or a question that names it
    lead: str = "left"  # left, dealer, a question that names a seat, or the card whose holder leads
    follow: bool | str = True  # whether the led suit must be followed; or-trump: or trumped, the best trump kept
    values: dict[str, int] = {}  # points of cards: by rank, suit, joker or card; trump- before a rank
    last: int = 0  # points of the last trick
    rest: bool = False  # whether the declarer gets the points of the cards that nobody lays
    tricks: str = "tricks"  # the question that the tricks of each seat answer
    points: str = "points"  # the question that the points taken answer
    last_by: str = "last"  # the question that the winner of the last trick answers
    laid: dict[str, str] = {}  # by question: the card whose player it names; in place of the suit a choice may stand
    all: str = "all"  # the question that says whether one side took all tricks
    instead: Annotated[list[InsteadSection], Meta(max_length=12)] = []


class GameFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole file."""

    name: str
    title: Annotated[Phrase, Longest(24)]
    seats: range  # an empty one if no number of seats can be read
    questions: Annotated[list[Question], Meta(max_length=16)] = field(name="ask")
    score: ScoreSection
    # where it comes from: a trademark, an edition
    about: Annotated[Phrase | None, Longest(80, may_be_empty=True)] = None
    family: str = OTHERS  # under which the list of games has it
    best: str = "highest"
    asks: str = "questions"  # or players: all questions of one seat before those of the next
    # who deals the next round: the first one to the left for whom it holds; without it nobody deals
    dealer: Formula | None = None
    head: Annotated[Phrase | None, Longest(40)] = None  # the panel's top line, with names of figures in braces
    heads: Annotated[list[HeadSection], Meta(max_length=12)] = []  # in its place, the first whose formula holds
    sides: str = "none"  # none, partners, or the question that names the declarer's side
    sits_out: Formula | None = None  # who sits out a round
    options: Annotated[dict[str, Option], Meta(max_length=8)] = {}
    define: Annotated[dict[str, Formula], Meta(max_length=30)] = {}
    tricks: TricksSection | None = None
    end: EndSection = EndSection()
    counts: Annotated[dict[str, Count], Meta(max_length=12)] = {}
    card: Annotated[list[Phrase], Longest(60), Meta(max_length=40)] = []  # the lines of the rules card
    example: Annotated[list[dict[str, Any]], Meta(max_length=40)] = []  # rounds with the points that they should have
    words: dict[str, dict[str, str]] = {}


Part = tuple[Path, Formula | Phrase, Longest | None]
"""A formula or a text of a file, where it stands, and how long the text may be."""


def parts(content: GameFile) -> Iterator[Part]:
    """Yield all formulas and texts of a file, in the order of its keys."""
    return _parts((), content, None)


def _parts(path: Path, value: object, longest: Longest | None) -> Iterator[Part]:
    match value:
        case Formula() | Phrase():
            yield path, value, longest
        case Struct():
            for name, (key, most) in _in_section(GameFile if isinstance(value, GameFile) else type(value)).items():
                yield from _parts((*path, key), getattr(value, name), most)
        case OptionValues() | Choices():
            yield from (((*path, word), word, longest) for word, _number in value if word is not None)
        case dict():
            for key, inner in value.items():
                yield from _parts((*path, key), inner, longest)
        case list():
            for place, inner in enumerate(value):
                yield from _parts((*path, place), inner, longest)


@cache
def _in_section(section: type[Struct]) -> dict[str, tuple[str, Longest | None]]:
    """Return by field of a section its key, and how long the texts there may be."""
    hints = get_type_hints(section, include_extras=True)
    limits = {
        name: next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Longest)), None)
        for name, hint in hints.items()
    }
    return {each.name: (each.encode_name, limits[each.name]) for each in fields(section)}


class Finding(Struct, frozen=True):
    """What is wrong at a place of a file."""

    line: int
    column: int
    text: Text


class GameFileError(SentenceError):
    """A game's file cannot be used; it says what is wrong, in the order of the file."""

    at_places = True

    def __init__(self, source: str, findings: list[Finding]) -> None:
        self.source, self.findings = source, tuple(sorted(findings, key=lambda each: (each.line, each.column)))
        super().__init__("\n".join(f"{source}:{each.line}:{each.column}: {each.text}" for each in self.findings))


class Findings:
    """Collects what is wrong with a file, by the paths of its keys.

    A warning is on what has no effect, or hardly the intended one. A new file is refused for it; a file that was added
    before is played on, as it was until now.
    """

    def __init__(self, found: Places) -> None:
        self._places = found
        self.all: list[Finding] = []
        self.warnings: list[Finding] = []
        self.name_refused = False  # then it is not said of any name that it is not known

    def has(self, path: Path) -> bool:
        """Return whether the file has this key."""
        return path in self._places.keys

    def rename(self, old: str, new: str) -> None:
        """Take a key for another one."""
        for found in self._places:
            if (old,) in found:
                found[new,] = found.pop((old,))

    def value(self, path: Path, said: str | Text, column: int = 0, **args: object) -> None:
        """Add a finding on the value at a path; for a piece of a text, from which column of it."""
        self._add(self.all, self._of_value(path, column), said, args)

    def key(self, path: Path, said: str | Text, **args: object) -> None:
        """Add a finding on a key, or on the table that it should stand in."""
        self._add(self.all, self._of_key(path), said, args)

    def warn(self, path: Path, said: str | Text, column: int = 0, **args: object) -> None:
        """Add a warning on the value at a path, or on the key if it is a table."""
        self._add(self.warnings, self._of_value(path, column), said, args)

    def _of_value(self, path: Path, column: int) -> TextPosition:
        at = self._places.values.get(path)
        if at is None:
            return self._of_key(path)
        return at.right(column + 1) if column else at

    def _of_key(self, path: Path) -> TextPosition:
        while path and path not in self._places.keys:
            path = path[:-1]
        return self._places.keys.get(path, TextPosition(1, 1))

    @staticmethod
    def _add(found: list[Finding], at: TextPosition, said: str | Text, args: Mapping[str, object]) -> None:
        finding = Finding(at.line, at.column, Text(said, **args) if isinstance(said, str) else said)
        if len(found) < MOST_FINDINGS and finding not in found:
            found.append(finding)


def read(text: str, source: str) -> tuple[GameFile | None, Findings]:
    """Return a file's content, and what is wrong with it; the content is None if too much is wrong to go on.

    Raises:
        GameFileError: The text is no TOML, or too long to be a game.
    """
    _check_size(text, source)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise GameFileError(source, [_toml_finding(text, str(error))]) from None
    except RecursionError:
        raise GameFileError(source, [Finding(1, 1, Text(N_("the file is nested too deeply")))]) from None
    findings = Findings(places(text))
    return converted(data, findings), findings


def converted(data: dict[str, Any], findings: Findings) -> GameFile | None:
    """Return what keys and values say; None if too much is wrong to go on, which is added to the findings."""
    reader = _reader(data)
    _complete(data, findings)
    try:
        return convert(data, GameFile, reader)
    except msgspec.ValidationError as error:
        _say(error, data, reader, findings)
        return None


def _complete(data: dict[str, Any], findings: Findings) -> None:
    """Give old keys their names of today, ``dealer = true`` its formula, and each question a label."""
    for old, new in OLD_KEYS.items():
        if old in data and new not in data:
            data[new] = data.pop(old)
            findings.rename(old, new)
    if data.get("dealer") is True:
        data["dealer"] = 1
    elif data.get("dealer") is False:
        del data["dealer"]
    questions = data.get("ask")
    for each in questions if isinstance(questions, list) else ():
        if isinstance(each, dict) and isinstance(each.get("name"), str):
            each.setdefault("label", each["name"].capitalize().replace("_", " "))


def _check_size(text: str, source: str) -> None:
    if len(text) > LARGEST_FILE:
        raise GameFileError(
            source, [Finding(1, 1, Text(N_("the file is longer than {most} characters"), most=LARGEST_FILE))]
        )
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            why = Text(N_("the line is longer than {most} characters"), most=LONGEST_LINE)
            raise GameFileError(source, [Finding(number, 1, why)])
        if line.count(".") > MOST_DOTS:
            why = Text(N_("the line has more than {most} dots"), most=MOST_DOTS)
            raise GameFileError(source, [Finding(number, 1, why)])


def _toml_finding(text: str, message: str) -> Finding:
    what, _, where = message.rpartition(" (at ")
    if where.startswith("line "):
        line, column = (int(word) for word in where.rstrip(")").replace("line ", "").split(", column "))
    elif (open_quote := _OPEN_QUOTE.search(text)) is not None:
        line, column = (
            text.count("\n", 0, open_quote.end()) + 1,
            open_quote.end() - text.rfind("\n", 0, open_quote.end()),
        )
        what = "Illegal character '\\n'"
    else:  # at end of document
        what, line, column = what or message, text.count("\n") + 1, len(text) - text.rfind("\n")
    return Finding(line, column, _toml_mistake(text.split("\n")[line - 1], what))


_OPEN_QUOTE = re.compile(r"=[ \t]*'[^'\n]*$", re.MULTILINE)
_TWICE = re.compile(r"Cannot declare \('(\w+)',\) twice")
_SEVERAL = re.compile(r"\s*\[\[\s*([^\]]*?)\s*\]\]")
_VALUE = re.compile(r"[^=]*=\s*([^,#]*)")
_UNQUOTED = re.compile(r"[A-Za-z][\w -]*|[0-9]+ *-[0-9 ]+")


def _toml_mistake(line: str, what: str) -> Text:
    """Return what is wrong with a line that is no TOML, in words about games; else what tomllib says."""
    twice, written = _TWICE.fullmatch(what), _VALUE.match(line)
    value = written[1].strip() if written else ""
    if twice:
        name = twice[1]
        several = _keys(GameFile).get(name) == list[Question]
        return Text(
            N_("write [[{name}]], with two brackets each") if several else N_("[{name}] stands twice"), name=name
        )
    if what == "Cannot overwrite a value":
        several = _SEVERAL.match(line)
        return (
            Text(N_("write [[{name}]], with two brackets each"), name=several[1])
            if several
            else Text(N_("this key stands twice"))
        )
    if what.startswith("Illegal character '\\n'"):
        return Text(N_("the quote is not closed"))
    if value in ("True", "False"):
        return Text(N_("write {word}"), word=value.lower())
    if value[:1] in ("“", "”", "„", "‘", "’", "«"):
        return Text(N_("write straight quotes: {sign}"), sign='"')
    if _UNQUOTED.fullmatch(value):
        return Text(N_("write a text in quotes: {text}"), text=f'"{value}"')
    return Text(N_("this is not TOML: {why}"), why=what)


Reader = Callable[[Any, object], object]
"""Makes a value of a kind of its own from what stands in a file; msgspec asks it."""


def _reader(data: Mapping[str, object]) -> Reader:
    """Return a reader of formulas, of texts with their translations, and of the values of options."""
    try:
        words = convert(data.get("words", {}), dict[str, dict[str, str]])
    except msgspec.ValidationError:
        words = {}  # that they are wrong is said when the whole file is read

    def read(kind: Any, value: object) -> object:
        if kind is Phrase and isinstance(value, str):
            return phrase(value, words)
        if kind in (Formula, range) and isinstance(value, int | str) and not isinstance(value, bool):
            return Formula(value) if kind is Formula else _seats(value)
        if kind is Choices or (kind is OptionValues and isinstance(value, dict)):
            return kind((phrase(word, words), number) for word, number in _plain(value, _NUMBERED).items())
        if kind is OptionValues:
            return OptionValues((None, number) for number in _plain(value, _NUMBERS))
        raise TypeError("another kind")

    return read


def _seats(written: int | str) -> range:
    """Return the numbers of seats that a game has; none if they cannot be read."""
    found = re.fullmatch(r"([2-8])(?:-([2-8]))?", str(written))
    return range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)


def _plain(value: object, kind: Any) -> Any:
    """Return a value of a kind that msgspec knows; to an error of its own within a reader it would add no path."""
    try:
        return convert(value, kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


_NUMBERS = Annotated[list[int], Meta(max_length=30)]
_NUMBERED = Annotated[dict[str, int], Meta(max_length=30)]
_KINDS: Mapping[Any, str] = {
    str: N_("a text"),
    int: N_("a whole number"),
    bool: N_("true or false"),
    range: N_("a text or a whole number"),
    Formula: N_("a text or a whole number"),
    Phrase: N_("a text"),
    list[Phrase]: N_("a list of texts"),
    dict[str, int]: N_("a table of whole numbers"),
    Choices: N_("a table of whole numbers"),
    dict[str, str]: N_("a table of texts"),
    dict[str, Phrase]: N_("a table of texts"),
    dict[str, dict[str, str]]: N_("tables of texts, one for each language"),
    OptionValues: N_("a list of whole numbers, or a table of them"),
}
OR_TRUMP = "or-trump"
"""The value of ``tricks.follow`` where a trump may be laid on any suit, and the highest trump kept back."""
FOLLOW = N_('true, false or "or-trump"')
_AT: Mapping[Path, str] = {("dealer",): N_("true, false or a formula"), ("tricks", "follow"): FOLLOW}
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_KEY_ITSELF = re.compile(r" - at `key` in `\$[^`]*`(?= - at )|(?<= - at )`key` in (?=`)")
_MESSAGE = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<where>[^`]*)`)?", re.DOTALL)
_UNKNOWN = re.compile(r"Object contains unknown field `(.*?)`?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(\w+)`")
_MOST = re.compile(r"of length <= (\d+)")


def _say(error: msgspec.ValidationError, data: Any, read: Reader, findings: Findings) -> None:
    """Add what msgspec has against a file, in our words, with the place that its path leads to."""
    of_key = _KEY_ITSELF.search(str(error))  # a key is no text, which a package can write
    found = _MESSAGE.fullmatch(_KEY_ITSELF.sub("", str(error)))
    assert found is not None  # it matches every text
    kind: Any = GameFile
    path: Path = ()
    inner = data
    try:
        for key, index in _STEP.findall(found["where"] or ""):
            kind = _inner(kind, key)
            step = key or (_first_wrong(inner, kind, read) if index == "..." else int(index))
            inner, path = inner[step], (*path, step)
        unknown = _UNKNOWN.fullmatch(found["what"])
        if unknown is not None:
            inner = inner[unknown[1]]
    except (LookupError, TypeError):  # a key that is not known looks like a path
        kind, path, unknown = GameFile, (), _UNKNOWN.fullmatch(str(error))
    missing, most = _MISSING.fullmatch(found["what"]), _MOST.search(found["what"])
    no_texts = [key for key in inner if not isinstance(key, str)] if of_key and isinstance(inner, dict) else []
    if no_texts:
        findings.key(path, N_("keys are texts: write {name}"), name=f'"{no_texts[0]}"')
    elif unknown is not None:
        findings.key((*path, unknown[1]), unknown_key(unknown[1], list(_keys(kind))))
    elif missing is not None:
        findings.key(path, N_("the key {name} is missing"), name=missing[1])
    elif most is not None:
        findings.key(path, N_("at most {most} can stand here"), most=int(most[1]))
    elif kind in _KINDS:
        wanted = _AT.get(path) or _KINDS[kind]
        findings.value(path, N_("expected {wanted}"), wanted=Text(wanted))
    else:
        wanted = N_("expected tables [[{name}]]") if get_origin(kind) is list else N_("expected a table")
        findings.value(path, wanted, name="".join(map(str, path[-1:])))


def _keys(section: Any) -> dict[str, Any]:
    """Return the keys of a section, each with the kind of what stands at it."""
    hints = get_type_hints(section)
    return {each.encode_name: hints[each.name] for each in fields(section)}


def _inner(kind: Any, key: str) -> Any:
    """Return the kind of what stands at a key of a section, or, without a key, in a list or a table of any keys."""
    inner = _keys(kind)[key] if key else get_args(kind)[-1]
    return get_args(inner)[0] if isinstance(inner, UnionType) else inner  # without the None of what may be missing


def _first_wrong(table: Mapping[str, object], kind: Any, read: Reader) -> str:
    """Return the key whose value is refused; msgspec does not say which one it is."""
    for key in table:
        try:
            convert(table[key], kind, read)
        except msgspec.ValidationError:
            return key
    raise LookupError("none is wrong")


def unknown_key(name: str, known: Sequence[str]) -> Text:
    """Return the sentence on a key that is not known, with the nearest one that is."""
    shown = repr(name if len(name) <= 24 else name[:23] + "…")
    for near in get_close_matches(name, known, 1):
        return Text(N_("there is no key {name}; do you mean {near}?"), name=shown, near=near)
    return Text(N_("there is no key {name} here; there are {names}"), name=shown, names=", ".join(known))


# Words


LANGUAGES = ("fr", "ja")
COMMON = (
    NC_("a declared game", "Bid"),
    NC_("a declared game", "Bids"),
    NC_("a declared game", "Tricks"),
    NC_("a declared game", "Points"),
    NC_("a declared game", "Last"),
    NC_("a declared game", "Rounds"),
    NC_("a declared game", "Target"),
    NC_("a declared game", "Declarer"),
    NC_("a declared game", "Contract"),
    NC_("a declared game", "Bonus"),
    NC_("a declared game", "Trump"),
    NC_("a declared game", "no"),
    NC_("a declared game", "yes"),
)
"""Words that a game's file need not translate."""
_BRACES = re.compile(r"[{}]")
_NAME = re.compile(r"\{([a-z]\w*)\}", re.ASCII)


def names_in(text: str | None, *without: str) -> list[str]:
    """Return the names that stand in braces in a text, without some.

    >>> names_in("East {hand}, {player} deals"), names_in("East {hand}, {player} deals", "player")
    (['hand', 'player'], ['hand'])
    """
    return [name for name in _NAME.findall(text or "") if name not in without]


def phrase(text: str, words: Mapping[str, Mapping[str, str]]) -> Phrase:
    """Return a text with its translations."""
    return Phrase(text, {language: each[text] for language, each in words.items() if text in each})


class PhraseChecks:
    """Checks the texts of a file with their translations, and notices translations that no text needs."""

    def __init__(self, content: GameFile, findings: Findings) -> None:
        self._content, self._findings = content, findings

    def check(self) -> None:
        """Add a finding for each text that is too long or cannot be shown, and for each translation of no text."""
        used: set[str] = set()
        for path, text, longest in parts(self._content):
            if not isinstance(text, Phrase) or longest is None or (not text and longest.may_be_empty):
                continue
            used.add(text)
            names = [f"{{{name}}}" for name in self._names(path, text)]
            self._check(path, text, longest.characters, names)
            for language, translated in text.translations.items():
                self._check(("words", language, text), translated, longest.characters, names)
        for language, words in self._content.words.items():
            if language not in LANGUAGES:
                self._findings.key(("words", language), N_("expected one of {words}"), words=", ".join(LANGUAGES))
            for word in words:
                if word not in used:
                    self._findings.key(("words", language, word), N_("this game has no such text"))

    def _names(self, path: Path, text: str) -> Sequence[str]:
        """Return what may stand in braces in a text."""
        match path:
            case ("head",) | ("heads", _, "text"):
                return names_in(text, *(() if self._content.dealer else ("player",)))
            case ("ask", int(place), "text"):
                asked = self._content.questions[place]
                total = asked.per != "round" and not asked.names_seats
                return ("player", *("total",) * total, *("left",) * (asked.left is not None))
        return ()

    def _check(self, path: Path, text: str, longest: int, names: Sequence[str]) -> None:
        if not text.strip() or len(text) > longest:
            self._findings.value(path, N_("a text here has 1 to {most} characters"), most=longest)
        elif any(unicodedata.category(sign)[0] == "C" for sign in text):
            self._findings.value(path, N_("a text here has no control signs and no line breaks"))
        elif path[0] in ("head", "heads") and "{player}" in text and not self._content.dealer:
            self._findings.value(path, N_("{name} stands here for who deals: the game needs dealer"), name="{player}")
        elif _BRACES.search(reduce(lambda left, name: left.replace(name, ""), names, text)):
            said = N_("braces stand only around {name}, and only in a question's text")
            self._findings.value(path, said, name=", ".join(names) or "{player}")
