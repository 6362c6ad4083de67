"""Reads a list of players: CSV as spreadsheets and clubs' programs write it, or names that were typed."""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from io import StringIO
from operator import itemgetter

from companion.core.text import N_, Text, joined
from companion.gamelog import LogError
from companion.gamelog.player_names import check_names, name_key
from companion.ui.translations import Translator, languages

from .evening_state import Entrant, EveningError, Presence
from .lists import PRESENCES
from .replay import TWO_NAMES, TWO_NUMBERS

MOST_BYTES = 1024 * 1024
MOST_FAULTS = 10  # wrong lines that a sentence names
_HEADS = {
    **dict.fromkeys(("name", "player", "spieler", "joueur", "名前", "氏名"), "name"),
    **dict.fromkeys(("first name", "firstname", "given name", "vorname", "prénom", "prenom", "姓"), "first"),
    **dict.fromkeys(("last name", "lastname", "surname", "family name", "nachname", "nom", "名"), "last"),
    **dict.fromkeys(("number", "nummer", "nr", "nr.", "numéro", "numero", "n°", "番号"), "number"),
    **dict.fromkeys(("presence", "présence", "出席"), "presence"),
}
"""What a column holds, by its head: a name, its first or last part, a number, the presence."""


@cache
def _presences() -> dict[str, Presence]:
    """Return the presences by their words in all languages: the ranking of an evening is a list, too."""
    translators = [Translator(language) for language in languages()]
    return {words(Text(word)): Presence(of) for words in translators for of, word in PRESENCES.items()}


_Fault = tuple[int, Text]  # the line, and what is wrong with it
_JAPANESE = re.compile("(?:[\u3040-\u30ff\u3400-\u9fff々 ]|[\x00-\x7f])*")
_MIXED = re.compile("[A-Za-z][\u3040-\u9fff]|[\u3040-\u9fff][A-Za-z]")  # as where another encoding is read as Japanese
_BESIDE_LETTERS = "’‘°ºª"
"""The signs beyond ASCII, without letters, in names and in heads such as “N°”."""


class _Row:
    """One player of a list, and the line it is on."""

    def __init__(self, line: int, name: str, number: str = "", presence: str = "") -> None:
        try:
            (self.name,) = check_names([name])
        except LogError as error:
            raise EveningError(error.text) from None
        if number and not (number.isascii() and number.isdecimal() and len(number) <= 4 and int(number)):
            raise EveningError(N_("“{typed}” is no number from 1 to 9999"), typed=number)
        if presence and presence not in _presences():
            raise EveningError(N_("“{typed}” is not present, late or gone"), typed=presence)
        self.line = line
        self.number = int(number) if number else None
        self.presence = _presences()[presence] if presence else None


def read_players(
    data: bytes, known: Iterable[Entrant] = (), presence: Presence = Presence.PRESENT
) -> tuple[Entrant, ...]:
    r"""Return the players of a CSV file, as spreadsheets write it: comma, semicolon or tab.

    The text is UTF-8 or UTF-16, or what Excel writes on a Western or Japanese Windows or on a Macintosh. With a header,
    columns "name", "first name", "last name", "number" and "presence" count; beside a first name, a name is the last
    one. Without a header, a line is a name and perhaps its presence; a number may stand before the name. Who has no
    number gets the next one that is free.

    Args:
        data: The file's content.
        known: The players who are registered already.
        presence: The presence of those whose line does not say it.

    Raises:
        EveningError: The file is too large, no text, or has wrong lines. The sentence names the lines.

    >>> [(each.number, each.name) for each in read_players(b"number;name\n7;Aki\n;Bea\n")]
    [(7, 'Aki'), (1, 'Bea')]
    """
    if len(data) > MOST_BYTES:
        raise EveningError(N_("the list is too large, more than {most} MB"), most=MOST_BYTES >> 20)
    rows, faults = _rows(_text(data))
    return _numbered(rows, tuple(known), presence, faults)


def entrants_named(names: Iterable[str], known: Sequence[Entrant], presence: Presence) -> tuple[Entrant, ...]:
    """Return players with these names, with numbers that are free; who is registered already is left out."""
    keys = {name_key(entrant.name) for entrant in known}
    rows = [_Row(line, name) for line, name in enumerate(names, 1) if name_key(name) not in keys]
    return _numbered(rows, tuple(known), presence, [])


def _text(data: bytes) -> str:
    """Return the text of a file in the encoding in which it looks most like a list of names."""
    wide = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        with suppress(UnicodeDecodeError):
            text = "" if wide else data.decode("cp932")
            if text and _JAPANESE.fullmatch(text) and not _MIXED.search(text):
                return text
        if not wide and (text := _western(data)):
            return text
        line = data.count(b"\n", 0, error.start) + 1
        raise _wrong(line, Text(N_("this is no UTF-8 text; in Excel, save it as “CSV UTF-8”"))) from None


def _western(data: bytes) -> str:
    """Return the text of a file in Windows-1252 or Mac Roman; empty if it is neither.

    Both have letters at nearly every byte: in the right one the fewest stand where letters of their case do not.
    """
    found: list[tuple[int, str]] = []
    for encoding in ("cp1252", "mac_roman"):
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            if all(sign.isascii() or sign.isalpha() or sign in _BESIDE_LETTERS for sign in text):
                found.append((sum(map(_is_misplaced, f" {text}", text, f"{text} "[1:])), text))
    return min(found, key=itemgetter(0))[1] if found else ""


def _is_misplaced(before: str, sign: str, after: str) -> bool:
    """Return whether a letter beyond ASCII is large among small ones, or begins a word though it is small."""
    if sign.isascii():
        return False
    if sign.isupper():
        return before.isalpha() and (before.islower() or after.islower())
    return sign.islower() and not before.isalpha()


def _rows(text: str) -> tuple[list[_Row], list[_Fault]]:
    """Return the players of a list, and what is wrong with other lines."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = next((sign for sign in ";\t" if sign in first), ",")
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: list[str] | None = None
    rows: list[_Row] = []
    faults: list[_Fault] = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not row or cells == [""]:
                continue  # an empty line
            if columns is None:
                columns = _header(cells)
                if columns:
                    continue
            names = columns or _usual(cells)
            if len(cells) > len(names):
                many = Text(N_("{cells} cells are more than the list has columns"), cells=len(cells))
                faults.append((reader.line_num, many))
                continue
            found = {name: cell for name, cell in zip(names, cells, strict=False) if name}
            name = f"{found.get('first', '')} {found.get('last', found.get('name', ''))}".strip()
            try:
                rows.append(_Row(reader.line_num, name, found.get("number", ""), found.get("presence", "")))
            except EveningError as fault:
                faults.append((reader.line_num, fault.text))
    except csv.Error as error:
        faults.append((reader.line_num, Text("{error}", error=str(error))))
    return rows, faults


def _wrong(line: int, why: Text) -> EveningError:
    return EveningError(N_("line {number}: {why}"), number=line, why=why)


def _refuse(faults: list[_Fault]) -> None:
    """Raise EveningError with all that is wrong, if anything is, the first line first."""
    if faults:
        told: list[Text] = [_wrong(*fault).text for fault in sorted(faults, key=itemgetter(0))]
        more = [Text(N_("and {more} more"), more=len(told) - MOST_FAULTS)] if len(told) > MOST_FAULTS else []
        raise EveningError(joined([*told[:MOST_FAULTS], *more], "; "))


def _header(cells: list[str]) -> list[str]:
    """Return what each column holds; empty for a column that does not count, and without a header."""
    columns = [_HEADS.get(cell.casefold(), "") for cell in cells]
    return columns if {"name", "first", "last"}.intersection(columns) else []


def _usual(cells: list[str]) -> list[str]:
    """Return what each column holds in a line of a list without a header."""
    numbered = len(cells) > 1 and (cells[0].isdecimal() or not cells[0])
    return ["number", "name", "presence"] if numbered else ["name", "presence"]


def _numbered(
    rows: list[_Row], known: tuple[Entrant, ...], presence: Presence, faults: list[_Fault]
) -> tuple[Entrant, ...]:
    """Return players with their numbers; raise EveningError with these faults, and those of names and numbers."""
    names = {name_key(entrant.name) for entrant in known}
    numbers = {entrant.number for entrant in known}
    for row in rows:
        if name_key(row.name) in names:
            faults.append((row.line, Text(TWO_NAMES, name=row.name)))
        elif row.number in numbers:
            faults.append((row.line, Text(TWO_NUMBERS, number=row.number)))
        names.add(name_key(row.name))
        numbers |= set() if row.number is None else {row.number}
    _refuse(faults)
    free = (number for number in range(1, len(rows) + len(known) + len(numbers) + 1) if number not in numbers)
    return tuple(
        Entrant(next(free) if row.number is None else row.number, row.name, row.presence or presence) for row in rows
    )
