"""Finds the line and column of every key and value of a TOML text that is known to be valid."""

from __future__ import annotations

import re
from typing import NamedTuple

Path = tuple[str | int, ...]
"""The keys and list positions that lead to a value: ``("ask", 0, "most")``."""

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_KEY = re.compile(r"[ \t]*(?:([A-Za-z0-9_-]+)|\"((?:[^\"\\\n]|\\.)*)\"|'([^'\n]*)')[ \t]*")
_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
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
    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._line, self._line_begins, self._counted = 1, 0, 0
        self._lists: dict[Path, int] = {}  # the number of tables in each list of tables so far
        self.keys: dict[Path, TextPosition] = {}
        self.values: dict[Path, TextPosition] = {}

    def _place(self, at: int) -> TextPosition:
        newlines = self._text.count("\n", self._counted, at)
        if newlines:
            self._line += newlines
            self._line_begins = self._text.rindex("\n", 0, at) + 1
        self._counted = at
        return TextPosition(self._line, at - self._line_begins + 1)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        assert found is not None  # the text is valid
        self._at = found.end()
        return found[0]

    def _is_next(self, sign: str) -> bool:
        if self._text.startswith(sign, self._at):
            self._at += len(sign)
            return True
        return False

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
            found = _KEY.match(self._text, self._at)
            assert found is not None  # the text is valid
            place = self._place(self._at + len(found[0]) - len(found[0].lstrip()))
            self._at = found.end()
            base = (*base, next(part for part in found.groups() if part is not None))
            self.keys.setdefault(base, place)
            if not self._is_next("."):
                return base
            if base in self._lists:
                base = (*base, self._lists[base] - 1)

    def _table(self, several: bool) -> Path:
        begins = self._place(self._at)
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
        self._skip(_BLANK)
        self._value(path)

    def _value(self, path: Path) -> None:
        self.values[path] = self._place(self._at)
        self.keys.setdefault(path, self.values[path])
        if self._is_next("["):
            number = 0
            self._skip(_BLANK)
            while not self._is_next("]"):
                self._value((*path, number))
                self._skip(_BLANK)
                self._is_next(",")
                self._skip(_BLANK)
                number += 1
        elif self._is_next("{"):
            self._skip(_BLANK)
            while not self._is_next("}"):
                self._pair(path)
                self._skip(_BLANK)
                self._is_next(",")
                self._skip(_BLANK)
        elif self._text[self._at] in "\"'":
            self._skip(_STRING)
        else:
            self._skip(_WORD)
