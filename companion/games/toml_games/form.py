"""A game's file as a form: the fields that its text fills, and the text that filled-in fields make of it.

The text is the truth. Fields change the values that they show, and everything else stays as it stands there. Comments
would be lost, so a text that has some is shown as a text alone.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any, Literal

from msgspec import Struct, ValidationError
from msgspec.structs import force_setattr

from companion.core.text import Phrase
from companion.decoding import convert

from .checks import EVENTS, GIVEN
from .file import STRING, parts, read
from .formulas import NAME, RESERVED

Data = dict[str, Any]
"""A game's file as tomllib reads it."""

BEGINNING = """\
# A game for the scorekeeper. It can be played as it is; change what you want, then: companion game add {name}.toml
name = "{name}"
title = "{title}"
seats = "2-8"           # how many can play: "3-6", or 4
best = "highest"        # or "lowest"
options.rounds = {{ label = "Rounds", values = [5, 10], typed = true }}   # chosen before the game; the first is usual

[[ask]]                 # asked of each player in every round; add another [[ask]] for another question
name = "points"
least = -100
most = 200

[score]
points = "points"       # a player's points of the round, from the answers: "10 + bid if tricks == bid else 0"

[end]
when = "round == rounds"

{example}[words.fr]              # what stands above, in other languages
Rounds = "Manches"
"""
EXAMPLE = """\
[[example]]             # a round, and the points that it must have: it is tried whenever the file is checked
points = [12, 0, -5]
score = [12, 0, -5]

"""


def beginning(name: str, title: str, *, example: bool = True) -> str:
    """Return a file that can be played as it is.

    Args:
        example: Whether it has a worked round. The form begins without one: people type a round of their own there.
    """
    return BEGINNING.format(name=name, title=title, example=EXAMPLE if example else "")


# The fields


class Written(str):
    """A number or a formula, as it stands in a text."""

    __slots__ = ()


class Row(Struct, frozen=True):
    """A question of the form."""

    name: str  # in formulas
    label: str = ""
    kind: str = "number"
    per: str = "seat"
    least: Written = Written("0")
    most: Written = Written("999")
    choices: dict[str, Any] = {}

    def __post_init__(self) -> None:
        """Give it the label that it has unless it says another."""
        force_setattr(self, "label", self.label or _label(self.name))


class _Score(Struct, frozen=True):
    points: Written


class _End(Struct, frozen=True):
    when: Written = Written("")


class _File(Struct, frozen=True):
    """The parts of a file that the form shows."""

    title: str
    name: str
    seats: Written
    ask: list[Row]
    score: _Score
    best: Literal["highest", "lowest"] = "highest"
    sides: str = "none"
    dealer: bool | int | str = False
    end: _End = _End()
    options: dict[str, dict[str, Any]] = {}
    words: dict[str, dict[str, Any]] = {}
    example: list[dict[str, Any]] = []
    tricks: dict[str, Any] = {}


def _as_written(_kind: type, value: object) -> Written:
    """Return a number or a formula as it stands in a text; msgspec asks it."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError("another kind")
    return Written(value)


def _rows(data: Data) -> list[Row]:
    """Return the questions of a text that has a form."""
    return convert(data["ask"], list[Row], _as_written)


class GameForm(Struct, frozen=True):
    """The values of the form's fields, read from a text."""

    title: str
    players: tuple[str, str]  # the fewest and the most
    lowest: bool
    rows: tuple[Row, ...]
    adds_up: bool  # whether the points are the sum of the answers
    points: str
    ends: str  # rounds, points, never, or text: in a way that only the text can say
    number: str  # of the rounds or points that end it
    when: str
    dealer: bool
    deals: str  # the formula of the next dealer, if the text has one
    sides: str
    seats: int  # of the worked round
    worked: Mapping[str, str]  # the answers of the worked round, by the names of their fields
    kept: tuple[str, ...]  # the keys that only the text shows

    @property
    def names(self) -> Iterator[str]:
        """Yield what formulas call the questions, with the label where that is another."""
        for row in self.rows:
            yield row.name if row.label == _label(row.name) else f"{row.name} ({row.label})"


def form_of(text: str) -> GameForm | None:
    """Return the fields of a text; None if it is no TOML, has comments, or values that would be lost.

    >>> form_of(beginning("ours", "Ours")).players
    ('2', '8')
    """
    try:
        data = tomllib.loads(text)
        if _has_comments(text) or tomllib.loads(written(data)) != data:
            return None
        shown = convert(data, _File, _as_written)
    except (ValueError, RecursionError, ValidationError):
        return None
    if not re.fullmatch(r"\d+(-\d+)?", shown.seats):
        return None
    first, last = _players(data)
    example = _simple_example(data)
    ends, number, _option = _end(data)
    return GameForm(
        title=shown.title,
        players=(first, last),
        lowest=shown.best == "lowest",
        rows=tuple(shown.ask),
        adds_up=shown.score.points == _sum(data),
        points=shown.score.points,
        ends=ends,
        number=str(number),
        when=shown.end.when,
        dealer=shown.dealer is not False,
        deals="" if isinstance(shown.dealer, bool) else str(shown.dealer),
        sides=shown.sides,
        seats=min(max(len(example["score"]) if example else int(first), 2), 8),
        worked=_worked_fields(shown.ask, example),
        kept=tuple(_kept(data)),
    )


def _has_comments(text: str) -> bool:
    """Return whether a text has comments other than those of a new file."""
    pieces = re.finditer(f"{STRING.pattern}|(#[^\\n]*)", text, re.DOTALL)
    ours = {line.partition("#")[2].strip() for line in (BEGINNING + EXAMPLE).split("\n")}
    comments = [found[1][1:].strip() for found in pieces if found[1]]
    return any(each not in ours and not each.startswith("A game for the scorekeeper.") for each in comments)


def _players(data: Data) -> tuple[str, str]:
    first, _, last = str(data["seats"]).partition("-")
    return first, last or first


def _label(name: str) -> str:
    """Return the label that a question has unless it says another."""
    return name.capitalize().replace("_", " ")


def _sum(data: Data) -> str:
    """Return the formula that adds up the answers, those of partners together; 0 if none is a number."""
    partners = data.get("sides") == "partners"
    rows = [row for row in _rows(data) if row.kind == "number"]
    return " + ".join(f"ours({row.name})" if partners and row.per == "seat" else row.name for row in rows) or "0"


_ENDS = {"rounds": "round == {number}", "points": "max(total) >= {number}"}
_OPTION = {"rounds": ("rounds", "Rounds"), "points": ("target", "Target")}
_WHEN = re.compile(r"(?:(round [=>]=)|max\(total\) >=) ?(\w+)|any\(total >= ?(\w+)\)")


def _end(data: Data) -> tuple[str, int | str, str]:
    """Return how the game ends, after how many rounds or points, and the option that has their number, if one has."""
    when = data.get("end", {}).get("when")
    if when is None:
        return "never", "", ""
    found = _WHEN.fullmatch(str(when))
    if found is None:
        return "text", "", ""
    ends, said = "rounds" if found[1] else "points", found[2] or found[3]
    if said.isdecimal():
        return ends, int(said), ""
    values = data.get("options", {}).get(said, {}).get("values")
    if isinstance(values, list) and values and type(values[0]) is int:
        return ends, values[0], said
    return "text", "", ""


def _simple_example(data: Data) -> Data | None:
    """Return the first example, if it is a single round by the usual rules."""
    example: Data = next(iter(data.get("example", [])), {})
    simple = isinstance(example.get("score"), list) and not {"options", "dealer", "then"} & example.keys()
    return example if simple else None


def _worked_fields(rows: Sequence[Row], example: Data | None) -> dict[str, str]:
    """Return the answers of an example by the names of their fields."""
    fields: dict[str, str] = {}
    for row in rows:
        answer = "" if example is None else example.get(row.name, "")
        if row.kind in ("seats", "order") and isinstance(answer, list):
            fields[f"worked-{row.name}-0"] = " ".join(map(str, answer))
        else:
            for place, each in enumerate(answer if isinstance(answer, list) else [answer] if answer != "" else []):
                fields[f"worked-{row.name}-{place}"] = str(each)
    return fields


_SHOWN = {"name", "title", "about", "family", "seats", "best", "dealer", "sides", "ask", "score", "end"}


def _kept(data: Data) -> Iterator[str]:
    """Yield the keys of a text that the form does not show."""
    yield from (key for key in data if key not in {*_SHOWN, "options", "example"})
    if {*data.get("options", {})} - {_end(data)[2]}:
        yield "options"
    if len(data.get("example", [])) > (_simple_example(data) is not None):
        yield "example"
    if any({*row} - {*Row.__struct_fields__} | ({"choices"} & {*row}) for row in data["ask"]):
        yield "ask"
    if {*data["score"]} - {"points"}:
        yield "score"
    if {*data.get("end", {})} - {"when"}:
        yield "end"


# The text that the fields make


Fields = Mapping[str, str]
"""The values that a form sends, by the names of its fields."""


def filled(text: str, fields: Fields, named: Callable[[str], str] | None = None) -> str:
    """Return a text with the values of fields; what they do not show stays.

    Args:
        text: What `form_of` returned the fields of.
        named: Returns the name of a new game by its title; None keeps the name.
    """
    data = tomllib.loads(text)
    before = {*_phrases(data)}
    _fill_head(data, fields, named)
    sides, sums = data.get("sides", "none"), str(data["score"]["points"]) == _sum(data)
    _set(data, "sides", fields.get("sides", sides), "none")
    same = data.get("sides", "none") == sides
    if not (_fill_questions(data, fields) and same and _fits(data)):  # its answers belong to other questions
        example = _simple_example(data)
        if example is not None:
            data["example"].remove(example)
    formula = _with_names(fields.get("formula", "").strip(), data)
    typed = formula not in ("", str(data["score"]["points"]))
    adds_up = fields.get("points", "sum" if sums else "formula") == "sum"
    if adds_up and not (sums and typed):
        data["score"]["points"] = _plain(_sum(data))
    elif typed:
        data["score"]["points"] = _plain(formula)
    _fill_end(data, fields)
    _drop_unused_words(data, before)
    return written({key: value for key, value in data.items() if value or key not in ("end", "options", "example")})


def _with_names(formula: str, data: Data) -> str:
    """Return a formula in which the question that is labelled so may be called as its label says."""
    known = {*_names(data)}
    for row in _rows(data):
        called = slug(row.label).replace("-", "_")
        if called and called not in {*known, *RESERVED, *GIVEN}:
            formula = re.sub(rf"\b{called}\b", row.name, formula)
    return formula


MOST_COUNTED = 99_999


def _counts(typed: str) -> bool:
    """Return whether what was typed is a number of rounds, points or players."""
    return re.fullmatch(r"[0-9]{1,5}", typed) is not None and 1 <= int(typed) <= MOST_COUNTED


def ignored(fields: Fields) -> Iterator[str]:
    """Yield the fields that `filled` leaves out, as no number of rounds, points or players stands in them."""
    for name in ("f-players", "l-players", f"end-{fields.get('ends', '')}"):
        if name in fields and not _counts(fields[name].strip()):
            yield name


def no_numbers(text: str, fields: Fields) -> Iterator[str]:
    """Yield the fields of the worked round in which a number should stand, and something else does."""
    for row in _rows(tomllib.loads(text)):
        for name in (f"worked-{row.name}-{place}" for place in range(8)):
            said = re.split(r"[\s,、]+" if row.kind in ("seats", "order") else "$", fields.get(name, "").strip())
            if row.kind != "choice" and not all(isinstance(_plain(each), int) for each in said if each):
                yield name


def _fill_head(data: Data, fields: Fields, named: Callable[[str], str] | None) -> None:
    title = fields.get("title", "").strip()
    if title and title != data["title"]:
        if named is not None and data["name"].startswith((slug(data["title"]), NEW)):
            data["name"] = named(title)
        data["title"] = title
    first, last = (
        fields.get(f"{end}-players", "").strip() or old for end, old in zip("fl", _players(data), strict=True)
    )
    if first.isdecimal() and last.isdecimal():
        least, most = sorted((int(first), int(last)))
        seats: int | str = least if least == most else f"{least}-{most}"
        if str(seats) != str(data["seats"]):
            data["seats"] = seats
            _drop_decks(data, least, most)
    if "best" in fields and fields["best"] != data.get("best", "highest"):
        data["best"] = fields["best"]
    dealer = "dealer" in fields  # a browser sends no box that is not checked
    if "of" in fields and dealer != (data.get("dealer", False) is not False):
        data["dealer"] = dealer and (_plain(fields.get("deals", "")) or True)
    if data.get("dealer") is False:
        del data["dealer"]


def _drop_decks(data: Data, least: int, most: int) -> None:
    """Take away what the deck is without at tables that cannot play the game any more."""
    deck = data.get("tricks", {}).get("deck", {})
    without = deck.get("without") if isinstance(deck, dict) else None
    if isinstance(without, dict):
        deck["without"] = {key: cards for key, cards in without.items() if key in map(str, range(least, most + 1))}
        if not deck["without"]:
            del deck["without"]


def _fill_questions(data: Data, fields: Fields) -> bool:
    """Fill the rows of questions; return whether an example still has answers to them."""
    same = True
    for place, (asked, row) in enumerate(zip(data["ask"], _rows(data), strict=True)):
        _set(asked, "label", fields.get(f"label-{place}", "").strip() or row.label, _label(row.name))
        if row.kind != "number":
            continue
        per = fields.get(f"per-{place}", row.per)
        same = same and per == row.per
        _set(asked, "per", per, "seat")
        _set(asked, "least", _plain(fields.get(f"least-{place}", row.least)), 0)
        _set(asked, "most", _plain(fields.get(f"most-{place}", row.most)), 999)
    dropped = fields.get("drop", "")
    if dropped.isdecimal() and int(dropped) < len(data["ask"]):
        del data["ask"][int(dropped)]
        same = False
    label = fields.get("label-new", "").strip()
    if label:
        taken = {*_names(data)}
        asked = {"name": _free(slug(label).replace("-", "_")[:17] or "answer", taken)}
        _set(asked, "label", label, _label(asked["name"]))
        data["ask"].append(asked)
    return same


def _fits(data: Data) -> bool:
    """Return whether the worked round has a number of players that the game has."""
    example, (first, last) = _simple_example(data), _players(data)
    return example is None or int(first) <= len(example["score"]) <= int(last)


def _set(asked: Data, key: str, value: object, usual: object) -> None:
    """Set a key, if it has another value; one with its usual value is left out."""
    if asked.get(key, usual) == value:
        return
    if value in ("", usual):
        asked.pop(key, None)
    else:
        asked[key] = value


def _plain(typed: str) -> int | str:
    """Return a formula as it stands in a file: a number as such."""
    said = typed.strip().replace("−", "-")
    return int(said) if re.fullmatch(r"-?\d{1,9}", said) else said


def _fill_end(data: Data, fields: Fields) -> None:
    ends, typed = fields.get("ends", ""), fields.get(f"end-{fields.get('ends', '')}", "").strip()
    if not _counts(typed):
        typed = ""
    was, number, option = _end(data)
    if ends in ("", "text") or (ends == was and typed in ("", str(number))):
        return
    if ends == was and typed.isdecimal() and option:
        values = data["options"][option]["values"]
        data["options"][option]["values"] = [int(typed), *(each for each in values[1:] if each != int(typed))]
        return
    end: Data = data.setdefault("end", {})
    end.pop("when", None)
    if ends in _ENDS:
        wanted = int(typed) if typed.isdecimal() else 10 if ends == "rounds" else 100
        name, label = _OPTION[ends]
        if option and option != name:
            _drop_option(data, option)
        if name in {*_names(data)} - {option}:
            end["when"] = _ENDS[ends].format(number=wanted)
        else:
            data.setdefault("options", {})[name] = {"label": label, "values": [wanted], "typed": True}
            end["when"] = _ENDS[ends].format(number=name)
    elif option:
        _drop_option(data, option)


def _drop_option(data: Data, option: str) -> None:
    """Take an option away that nothing asks for any more."""
    others = {key: value for key, value in data.items() if key not in ("options", "words")}
    if not any(re.search(rf"\b{option}\b", each) for each in _texts(others)):
        del data["options"][option]


def _names(data: Data) -> Iterator[str]:
    """Yield the names that formulas know."""
    yield from (asked["name"] for asked in data["ask"])
    for part in (data.get("options"), data.get("define"), data["score"].get("carry")):
        yield from part if isinstance(part, dict) else ()


def _texts(value: object) -> Iterator[str]:
    """Yield all texts of a file, without their translations."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key != "words":
                yield key
                yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _phrases(data: Data) -> Iterator[str]:
    """Yield all texts of a file that can have a translation."""
    yield from _texts({key: value for key, value in data.items() if key not in ("name", "family")})
    yield from (_label(asked["name"]) for asked in data["ask"] if "label" not in asked)


def in_words(text: str, told: Callable[[Phrase], str]) -> str:
    """Return the text of a game in one language alone, without translations.

    Args:
        text: A text in which nothing is wrong.
        told: Returns a phrase in that language.
    """
    content, _findings = read(text, "")
    data, renamed = tomllib.loads(text), dict[str, str]()
    data.pop("words", None)
    assert content is not None  # nothing is wrong in it
    for path, phrase, _longest in parts(content):
        if not isinstance(phrase, Phrase) or not phrase:
            continue
        holder: Any = data
        for key in path[:-1]:
            holder = holder[key]
        words, last = told(phrase), path[-1]
        if path[-2:-1] in (("choices",), ("values",)):
            renamed[phrase] = words
            pairs = [(words if key == last else key, value) for key, value in holder.items()]
            holder.clear()
            holder.update(pairs)  # in their order
        else:
            holder[last] = words
    for example in data.get("example", []):
        _rename(example, renamed)
    return written(data)


def _rename(example: Any, renamed: Mapping[str, str]) -> None:
    """Rename the choices in an example, and in the rounds that follow in it."""
    for key, value in example.items() if isinstance(example, dict) else enumerate(example):
        if isinstance(value, str):
            example[key] = renamed.get(value, value)
        elif isinstance(value, dict | list):
            _rename(value, renamed)


def _drop_unused_words(data: Data, before: set[str]) -> None:
    """Take translations away of texts that the fields have replaced."""
    gone = before - {*_phrases(data)}
    words = {
        language: {text: told for text, told in each.items() if text not in gone}
        for language, each in data.get("words", {}).items()
    }
    data.pop("words", None)
    if any(words.values()):
        data["words"] = {language: each for language, each in words.items() if each}


# The worked round


def answers(text: str, fields: Fields) -> Data:
    """Return the answers of the worked round, by question, as an example says them; what is empty is left out."""
    said: Data = {}
    for row in _rows(tomllib.loads(text)):
        typed = [fields.get(f"worked-{row.name}-{place}", "").strip() for place in range(8)]
        if row.kind in ("seats", "order"):
            listed = [_plain(each) for each in re.split(r"[\s,、]+", typed[0]) if each]
            said |= {row.name: listed} if listed else {}
        elif any(typed):
            several = row.per != "round" and row.kind != "seat"
            cells = sum(f"worked-{row.name}-{place}" in fields for place in range(8))
            numbers = [_plain(each) if each else 0 for each in typed[:cells]]
            said[row.name] = numbers if several else numbers[0]
    return said


def with_example(text: str, said: Data, points: tuple[int, ...]) -> str:
    """Return a text with a worked round and its points, in place of the one that the form showed."""
    data = tomllib.loads(text)
    earlier = _simple_example(data)
    others = [each for each in data.get("example", []) if each is not earlier]
    data["example"] = [{**said, "score": [*points]}, *others]
    return written(data)


def without_examples(text: str, places: Container[int]) -> str:
    """Return a text without the examples at some places."""
    data = tomllib.loads(text)
    data["example"] = [each for place, each in enumerate(data["example"]) if place not in places]
    return written({key: value for key, value in data.items() if value or key != "example"})


def is_kept(text: str, said: Data, points: tuple[int, ...]) -> bool:
    """Return whether a worked round with these points is in a text."""
    return _simple_example(tomllib.loads(text)) == {**said, "score": [*points]}


# Names


NEW = "our-game"
"""The name of a game that has none yet."""


def slug(title: str) -> str:
    """Return the small letters, digits and hyphens of a title; empty if there are none.

    >>> slug("Échelle à 10!")
    'echelle-a-10'
    """
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters).lstrip("-0123456789")[:36].strip("-")


def _free(name: str, taken: Container[str]) -> str:
    """Return a name of a question that is not taken, with a number if need be."""
    made = name if NAME.fullmatch(name) else "answer"
    known = {*RESERVED, *GIVEN, *EVENTS, "score", "options", "then"}
    names = chain([made], (f"{made}{number}" for number in count(2)))
    return next(each for each in names if each not in known and each not in taken)


# TOML


WIDEST = 110  # characters of a line, where it can be cut


def written(data: Data) -> str:
    """Return data as a TOML text; raise ValueError if a value has another kind than those of a game's file.

    >>> print(written({"name": "x", "ask": [{"name": "bid", "most": 3}], "end": {"when": "round == 2"}}), end="")
    name = "x"
    <BLANKLINE>
    [[ask]]
    name = "bid"
    most = 3
    <BLANKLINE>
    [end]
    when = "round == 2"
    """
    return "\n".join(_lines((), data)).strip() + "\n"


def _lines(path: tuple[str, ...], content: Data) -> Iterator[str]:
    """Yield the lines of a table: first its values, then the tables in it."""
    tables: dict[str, list[Data]] = {}
    for key, value in content.items():
        several = isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
        line = f"{_key(key)} = {_value(value)}"
        if isinstance(value, dict) and (path in ((), ("words",)) or len(line) > WIDEST):
            tables[key] = [value]
        elif several:
            tables[key] = value
        elif isinstance(value, list) and len(line) > WIDEST:
            yield f"{_key(key)} = ["
            yield from (f"    {_value(each)}," for each in value)
            yield "]"
        else:
            yield line
    for key, each in ((key, each) for key, listed in tables.items() for each in listed):
        inner = (*path, key)
        name = ".".join(map(_key, inner))
        lines = [*_lines(inner, each)]
        if isinstance(content[key], list) or lines[:1] != [""]:  # a table of tables needs no head
            yield from ("", f"[[{name}]]" if isinstance(content[key], list) else f"[{name}]")
        yield from lines


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _value(key)


def _value(value: object) -> str:
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    raise ValueError("another kind")
