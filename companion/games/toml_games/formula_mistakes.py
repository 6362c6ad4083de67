"""Says what is wrong with a text that is no formula: a bracket that is not closed, a missing sign, Python's `&&`."""

from __future__ import annotations

import re

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
