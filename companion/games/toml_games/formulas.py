"""Formulas of declared games: whole numbers, names, comparisons, if/else and a few functions; nothing else.

A formula is read with Python's own parser, checked piece by piece, and turned into nested functions. It is worked out
for a seat: a name means this seat's figure. `sum(tricks)` and the other functions of `OVER_SEATS` look at every seat;
in them `my(tricks)` means the figure of the seat for which the formula is worked out.
Numbers stay within `LARGEST`, and dividing by 0 gives 0, so that no formula fails at the table.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property, reduce
from itertools import pairwise
from typing import Any
from warnings import catch_warnings

from msgspec import Struct

from companion.core.text import N_, Text

_PIECE = re.compile(r"[A-Za-z_]\w*|[0-9.]+|//|=[<>]|<>|[<>=!]=|&&|\|\||\*\*|\S")
_WORDS = ("and", "or", "in", "is", "if", "else")  # that stand between two operands, as operators do
_INSTEAD = {
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not",
    "?": "a if b else c",
    "=>": ">=",
    "=<": "<=",
    "<>": "!=",
    "−": "-",
    "–": "-",
    "×": "*",
    "·": "*",
    "÷": "//",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
}
"""What is written instead of signs of mathematics and of other languages."""


def mistake(text: str) -> tuple[int, Text]:
    """Return the first mistake of a text that is no formula, with its column from 0.

    >>> column, sentence = mistake("10 if tricks")
    >>> column, str(sentence)
    (3, 'if needs else: write a if b else c')
    """
    opened: list[int] = []
    ifs: list[int] = []
    wants_operand = True
    for found in _PIECE.finditer(text):
        piece, column = found[0], found.start()
        if piece in _INSTEAD:
            return column, foreign(piece)
        is_operand = piece in ("(", "not") or (piece[0].isalnum() and piece not in _WORDS)
        if is_operand and not wants_operand and not (piece == "(" and text[column - 1].isalnum()):
            return column, Text(N_("an operator is missing before {piece}"), piece=piece)
        if not is_operand and wants_operand and piece not in ("-", ")"):
            return column, Text(N_("a number or a name is missing before {piece}"), piece=piece)
        match piece:
            case "(":
                opened.append(column)
            case ")" if not opened:
                return column, Text(N_("no bracket is open here"))
            case ")" if wants_operand and text[:column].rstrip()[-1:] != "(":
                return column, Text(N_("a number or a name is missing before {piece}"), piece=piece)
            case ")":
                opened.pop()
            case "if":
                ifs.append(column)
            case "else" if ifs:
                ifs.pop()
        wants_operand = piece != ")" and (piece in ("(", "not") or not is_operand)
    if opened:
        return opened[-1], Text(N_("the bracket is not closed"))
    if wants_operand:
        return len(text.rstrip()), Text(N_("a number or a name is missing at the end"))
    if ifs:
        return ifs[-1], Text(N_("if needs else: write a if b else c"))
    return 0, Text(N_("this is no complete formula"))


def foreign(sign: str) -> Text:
    """Return the sentence on a sign that cannot stand in a formula."""
    shown = sign if sign.isprintable() else ascii(sign)
    if sign in _INSTEAD:
        return Text(
            N_("the sign {sign} cannot stand in a formula: write {instead}"), sign=shown, instead=_INSTEAD[sign]
        )
    return Text(N_("the sign {sign} cannot stand in a formula"), sign=shown)


# Formulas


LONGEST = 300  # characters
DEEPEST = 30  # pieces within pieces
LARGEST = 10**9

OVER_SEATS = ("sum", "min", "max", "any", "all", "count", "ours", "theirs")
"""Functions that look at the figures of several seats: all, those of the own side, or all others."""
FUNCTIONS = (*OVER_SEATS, "abs", "my", "pick")
NAME = re.compile(r"[a-z][a-z0-9_]{0,19}")
_SINGLE_EQUALS = re.compile(r"(?<![=<>!:])=(?![=<>])")
RESERVED = frozenset(
    (*OVER_SEATS, "abs", "and", "or", "not", "if", "else", "in", "is", "for", "lambda", "true", "false")
)


class Scope:
    """The figures that the formulas of a game see: one by seat for each name, looked up when it is needed."""

    def __init__(
        self,
        seats: int,
        sides: Callable[[], tuple[int, ...]],
        figures: Callable[[str], tuple[int, ...]],
        defined: Mapping[str, Formula] | None = None,
    ) -> None:
        """Take functions that return the number of each seat's side, and the figures by seat of a name.

        Args:
            defined: Names that stand for formulas; each is worked out once for a seat.
        """
        self.seats = range(seats)
        self._sides, self._look_up, self._defined = sides, figures, defined or {}
        self._figures: dict[str, tuple[int, ...]] = {}
        self._known: dict[tuple[Any, int | None], int] = {}

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """Return the number of each seat's side."""
        return self._sides()

    def figure(self, name: str, seat: int) -> int:
        """Return the figure that a name means for a seat."""
        found = self._figures.get(name)
        if found is not None:
            return found[seat]
        if name in self._defined:
            return self.once((name, seat), lambda: self._defined[name].value(self, seat))
        found = self._figures[name] = self._look_up(name)
        return found[seat]

    def __getitem__(self, name: str) -> tuple[int, ...]:
        """Return the figures by seat that a name means."""
        return tuple(self.figure(name, seat) for seat in self.seats)

    def once(self, key: tuple[Any, int | None], work: Callable[[], int]) -> int:
        """Return a value that is the same whenever it is needed, and is worked out once."""
        if key not in self._known:
            self._known[key] = work()
        return self._known[key]


Work = Callable[[Scope, int, int], int]
"""Works a piece out: of a scope, for a seat, within a formula that is worked out for the last seat."""


class FormulaError(Exception):
    """A formula is wrong; the column is counted from 0 in its text."""

    def __init__(self, column: int, said: str | Text, **args: object) -> None:
        self.column, self.text = column, said if isinstance(said, Text) else Text(said, **args)
        super().__init__(self.text)


class Fold(Struct, frozen=True):
    """A function over several seats in a formula, and the names in it."""

    function: str
    column: int
    names: tuple[str, ...]


class UnknownNameError(FormulaError):
    """A name in a formula is not known."""


def _bounded(value: int) -> int:
    return value if -LARGEST <= value <= LARGEST else LARGEST if value > 0 else -LARGEST


_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: lambda one, other: one // other if other else 0,
    ast.Mod: lambda one, other: one % other if other else 0,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FOLDS: dict[str, Callable[[Iterator[int]], int]] = {
    "sum": sum,
    "min": min,
    "max": max,
    "any": lambda values: int(any(values)),
    "all": lambda values: int(all(values)),
    "count": lambda values: sum(map(bool, values)),
    "ours": sum,
    "theirs": sum,
}


def _nothing(_scope: Scope, _seat: int, _mine: int) -> int:
    """Return 0: the value of a part that is wrong."""
    return 0


def _tree(text: str) -> ast.expr:
    """Return the pieces of a formula; raise FormulaError if it is none."""
    if len(text) > LONGEST:
        raise FormulaError(0, N_("a formula has at most {most} characters"), most=LONGEST)
    if not text.isascii() or not text.isprintable():
        place = next(place for place, sign in enumerate(text) if not (sign.isascii() and sign.isprintable()))
        raise FormulaError(place, foreign(text[place]))
    single = _SINGLE_EQUALS.search(text)
    if single:
        raise FormulaError(single.start(), N_("equal is written ==, not ="))
    try:
        with catch_warnings(action="ignore"):  # of the parser, such as for "1if"
            return ast.parse(text, mode="eval").body
    except SyntaxError:
        raise FormulaError(*mistake(text)) from None


class Formula:
    """A formula of a file, turned into functions: its names, how it is worked out, and what is wrong with it.

    >>> formula = Formula("20 + 10*tricks if bid == tricks else -10*abs(bid - tricks)")
    >>> scope = Scope(2, lambda: (0, 1), {"bid": (3, 1), "tricks": (3, 4)}.__getitem__)
    >>> formula.value(scope, 0), formula.value(scope, 1)
    (50, -30)
    """

    def __init__(self, source: int | str) -> None:
        """Read a formula as it is written: a number, or a text."""
        self.source = source
        self.names: dict[str, int] = {}  # each with its first column
        # the names outside functions over seats, each with its column: they mean the figure of the seat for which the
        # formula is worked out; `ours` and `theirs` are among them, because they mean its side
        self.own: dict[str, int] = {}
        self.folds: list[Fold] = []
        self.doubts: list[FormulaError] = []  # what can hardly be meant so
        self._wrong: list[FormulaError] = []
        self._is_own = True  # whether the names that are read mean the seat for which the formula is worked out
        self._in_my: dict[str, int] = {}  # the names within my(), at which the function around it does not look
        self._whole: Work = _nothing
        try:
            self._whole = self._part(_tree(str(source)), 0)
        except FormulaError as error:
            self._wrong.append(error)
        self.names = self._in_my | self.names

    def value(self, scope: Scope, seat: int) -> int:
        """Return its value for a seat."""
        return self._whole(scope, seat, seat)

    @cached_property
    def conditions(self) -> tuple[Formula, ...]:
        """The parts that must all hold for it to hold: those that ``and`` joins, or itself.

        >>> [each.source for each in Formula("round > 1 and not bid").conditions]
        ['round > 1', 'not bid']
        """
        whole = _tree(str(self.source))
        if isinstance(whole, ast.BoolOp) and isinstance(whole.op, ast.And):
            return tuple(Formula(ast.unparse(part)) for part in whole.values)
        return (self,)

    def wrong(self, known: Mapping[str, Text | None]) -> Iterator[FormulaError]:
        """Yield everything that is wrong with it.

        Args:
            known: The names that can be used. A name with a sentence is known, but cannot be used here for this reason.
        """
        yield from self._wrong
        for name, column in self.names.items():
            if name not in known:
                yield _unknown(name, column, known)
            elif (why_not := known[name]) is not None:
                yield FormulaError(column, why_not)

    def _part(self, piece: ast.expr, depth: int, within: int = 0) -> Work:
        """Return the function that works a piece out; note what is wrong with it, each sentence once.

        Args:
            within: How many functions over all seats it stands in.
        """
        try:
            return self._work(piece, depth, within)
        except FormulaError as error:
            if error.text not in [other.text for other in self._wrong]:
                self._wrong.append(error)
            return _nothing

    def _work(self, piece: ast.expr, depth: int, within: int) -> Work:
        if depth > DEEPEST:
            raise FormulaError(piece.col_offset, N_("a formula is nested too deeply"))

        def part(inner: ast.expr) -> Work:
            return self._part(inner, depth + 1, within)

        match piece:
            case ast.Constant(value) if type(value) is int:
                return self._number(piece, value)
            case ast.Name(name):
                return self._name(piece, name)
            case ast.BinOp(left, sign, right) if type(sign) in _ARITHMETIC:
                operation, one, other = _ARITHMETIC[type(sign)], part(left), part(right)
                return lambda scope, seat, mine: _bounded(operation(one(scope, seat, mine), other(scope, seat, mine)))
            case ast.UnaryOp(ast.USub(), operand):
                negated = part(operand)
                return lambda scope, seat, mine: -negated(scope, seat, mine)
            case ast.UnaryOp(ast.Not(), operand):
                denied = part(operand)
                return lambda scope, seat, mine: int(not denied(scope, seat, mine))
            case ast.BoolOp(word, operands):
                return reduce(_both if isinstance(word, ast.And) else _either, map(part, operands))
            case ast.IfExp(test, body, orelse):
                asked, yes, no = part(test), part(body), part(orelse)
                return lambda scope, seat, mine: (yes if asked(scope, seat, mine) else no)(scope, seat, mine)
            case ast.Compare(left, signs, others) if all(type(each) in _COMPARISONS for each in signs):
                self._doubt_truth(piece)
                return _chain([part(left), *map(part, others)], [_COMPARISONS[type(each)] for each in signs])
            case ast.Call(ast.Name(name), arguments, []) if name in FUNCTIONS:
                return self._call(piece, name, arguments, depth, within)
        raise self._strange(piece)

    def _number(self, piece: ast.expr, value: int) -> Work:
        if value > LARGEST:
            raise FormulaError(piece.col_offset, N_("a number is at most {most}"), most=LARGEST)
        return lambda _scope, _seat, _mine: value

    def _name(self, piece: ast.expr, name: str) -> Work:
        self.names.setdefault(name, piece.col_offset)
        if self._is_own:
            self.own.setdefault(name, piece.col_offset)
        return lambda scope, seat, _mine: scope.figure(name, seat)

    def _doubt_truth(self, piece: ast.Compare) -> None:
        """Note a comparison like any(total) >= 100, which never holds or always does."""
        match piece:
            case ast.Compare(ast.Call(ast.Name("any" | "all" as name), [figure]), [sign], [ast.Constant(int(number))]):
                if number not in (0, 1):
                    meant = ast.unparse(ast.Compare(figure, [sign], piece.comparators))
                    why = N_("{name}() is 1 or 0: do you mean {name}({meant})?")
                    self.doubts.append(FormulaError(piece.col_offset, why, name=name, meant=meant))

    def _call(self, piece: ast.expr, name: str, arguments: list[ast.expr], depth: int, within: int) -> Work:
        if name == "pick":
            return self._pick(piece, arguments, depth, within)
        if len(arguments) != 1:
            if not arguments or name not in ("min", "max"):
                raise FormulaError(piece.col_offset, N_("{name}() takes one figure"), name=name)
            several = [self._part(each, depth + 1, within) for each in arguments]
            extreme = min if name == "min" else max
            return lambda scope, seat, mine: extreme([each(scope, seat, mine) for each in several])
        if name == "abs":
            figure = self._part(arguments[0], depth + 1, within)
            return lambda scope, seat, mine: abs(figure(scope, seat, mine))
        if name == "my":
            return self._my(piece, arguments[0], depth, within)
        if within == 2:
            raise FormulaError(
                piece.col_offset, N_("{name}() stands in two functions over all seats already"), name=name
            )
        if name in ("ours", "theirs") and self._is_own:
            self.own.setdefault(name, piece.col_offset)
        before, self.names, is_own, self._is_own = self.names, {}, self._is_own, False
        work = self._part(arguments[0], depth + 1, within + 1)
        self.folds.append(Fold(name, piece.col_offset, tuple(self.names)))
        self.names = before | {each: column for each, column in self.names.items() if each not in before}
        self._is_own = is_own
        calls = (each.func for each in ast.walk(arguments[0]) if isinstance(each, ast.Call))
        return _over_seats(name, work, any(isinstance(each, ast.Name) and each.id == "my" for each in calls))

    def _my(self, piece: ast.expr, argument: ast.expr, depth: int, within: int) -> Work:
        """Return the work of ``my(tricks)`` in a function over seats: for the seat of the whole formula."""
        if not within:
            raise FormulaError(piece.col_offset, N_("my() stands in a function over all seats: count(bid > my(bid))"))
        before, self.names, is_own, self._is_own = self.names, {}, self._is_own, True
        work = self._part(argument, depth + 1, within)
        self._in_my |= self.names
        self.names, self._is_own = before, is_own
        return lambda scope, _seat, mine: work(scope, mine, mine)

    def _pick(self, piece: ast.expr, arguments: list[ast.expr], depth: int, within: int) -> Work:
        """Return the work of ``pick(n, a, b)``: a if n is 1, b if it is 2, else 0."""
        if len(arguments) < 3:
            raise FormulaError(piece.col_offset, N_("pick() takes a number and two figures or more: pick(n, 10, 20)"))
        number, *figures = [self._part(each, depth + 1, within) for each in arguments]

        def pick(scope: Scope, seat: int, mine: int) -> int:
            place = number(scope, seat, mine)
            return figures[place - 1](scope, seat, mine) if 1 <= place <= len(figures) else 0

        return pick

    def _strange(self, piece: ast.expr) -> FormulaError:
        match piece:
            case ast.Constant(float()):
                return FormulaError(piece.col_offset, N_("only whole numbers: use // for division"))
            case ast.BinOp(_, ast.Div(), _):
                return FormulaError(piece.col_offset, N_("use // for division, which gives whole numbers"))
            case ast.Call(ast.Name(name)):
                return FormulaError(
                    piece.col_offset,
                    N_("{name}() cannot be used; there are {names}"),
                    name=_short(name),
                    names=", ".join(f"{each}()" for each in FUNCTIONS),
                )
        return FormulaError(
            piece.col_offset, N_("only numbers, names, + - * // %, comparisons, and, or, not, if/else can stand here")
        )


def _unknown(name: str, column: int, known: Mapping[str, Text | None]) -> UnknownNameError:
    near = get_close_matches(name, known, 1)
    if near:
        why = N_("there is no name {name}; do you mean {near}?")
        return UnknownNameError(column, why, name=_short(name), near=near[0])
    names = ", ".join(each for each, why_not in known.items() if why_not is None)
    return UnknownNameError(column, N_("there is no name {name}; there are {names}"), name=_short(name), names=names)


def _short(name: str) -> str:
    return name if len(name) <= 24 else name[:23] + "…"


def _both(one: Work, other: Work) -> Work:
    return lambda scope, seat, mine: 1 if one(scope, seat, mine) and other(scope, seat, mine) else 0


def _either(one: Work, other: Work) -> Work:
    return lambda scope, seat, mine: 1 if one(scope, seat, mine) or other(scope, seat, mine) else 0


def _chain(parts: list[Work], comparisons: list[Callable[[int, int], bool]]) -> Work:
    if len(comparisons) == 1:
        (one, other), (holds,) = parts, comparisons
        return lambda scope, seat, mine: 1 if holds(one(scope, seat, mine), other(scope, seat, mine)) else 0

    def compare(scope: Scope, seat: int, mine: int) -> int:
        values = [part(scope, seat, mine) for part in parts]
        return int(all(holds(*pair) for holds, pair in zip(comparisons, pairwise(values), strict=True)))

    return compare


def _over_seats(name: str, part: Work, has_my: bool) -> Work:
    fold = _FOLDS[name]

    def of_all(scope: Scope, _seat: int, mine: int) -> int:
        key = of_all, mine if has_my else None
        return scope.once(key, lambda: _bounded(fold(part(scope, each, mine) for each in scope.seats)))

    if name not in ("ours", "theirs"):
        return of_all
    own = name == "ours"

    def of_side(scope: Scope, seat: int, mine: int) -> int:
        seats = (each for each in scope.seats if (scope.sides[each] == scope.sides[seat]) is own)
        return _bounded(sum(part(scope, each, mine) for each in seats))

    return of_side
