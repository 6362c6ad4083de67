"""TOML that people write, read strictly; whatever is wrong with it is said in one sentence that names the key.

Here live the reading and the sentences, and nothing of what the keys mean.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_LONGEST = 40
_LARGEST_FILE = 65_536  # bytes; beyond, it is some other file, or never ends
_LONGEST_LINE = 2_000  # characters; tomllib takes a time that grows with the square of a dotted key
_WHERE = r"(?s)(?P<what>.*?)(?:: .*)? \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)"


class TomlFault(Exception):
    """A file that cannot be read; the message is a sentence for people."""


def read(path: Path, into: type[T]) -> T:
    """Read a file.

    Args:
        path: The file.
        into: A msgspec struct; its field names are the keys.

    Raises:
        TomlFault: It is not there, cannot be read, or is not what it should be.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise TomlFault(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError as error:
        raise TomlFault(f"{path}: byte {error.start} is not UTF-8 text") from None
    if len(data) > _LARGEST_FILE:
        raise TomlFault(f"{path}: it is longer than {_LARGEST_FILE} bytes")
    try:
        return parse(text, into)
    except TomlFault as fault:
        raise TomlFault(f"{path}: {fault}") from None


def parse(text: str, into: type[T]) -> T:
    """Read a document; see ``read``.

    Raises:
        TomlFault: It is no TOML, or a key or value in it is wrong.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _LONGEST_LINE:
            raise TomlFault(f"line {number} is longer than {_LONGEST_LINE} characters")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlFault(_broken(str(error))) from None
    except RecursionError:
        raise TomlFault("it is nested too deeply") from None
    try:
        return msgspec.convert(document, into)
    except msgspec.ValidationError as error:
        raise TomlFault(_complaint(document, msgspec.inspect.type_info(into), "") or str(error)) from None


def shown(value: object, depth: int = _LONGEST) -> str:
    """Write a value as it stands in the file, shortened."""
    match value:
        case bool():
            written = str(value).lower()
        case str():
            written = f'"{"".join(map(_written, value))}"'
        case dict():
            return "a table"
        case list():
            inner = ", ".join(shown(each, depth - 1) for each in value[:_LONGEST]) if depth else ""
            written = f"[{inner}]"
        case _:
            written = str(value)
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 1]}…"


def _written(character: str) -> str:
    """Write a character so that it can be seen, and told from the quotes."""
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\u{ord(character):04x}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Ask whether a known name was meant: ``(did you mean that?)``, or nothing if none is like it."""
    import difflib  # noqa: PLC0415  # only when something is wrong

    close = difflib.get_close_matches(name.lower(), list(known), 1)
    return f" (did you mean {under('', close[0])}?)" if close else ""


def under(path: str, key: str) -> str:
    """Write the way to a key as TOML does."""
    bare = key if re.fullmatch(rf"[A-Za-z0-9_-]{{1,{_LONGEST}}}", key) else shown(key)
    return f"{path}.{bare}" if path else bare


def listed(names: Iterable[str], last: str = "and") -> str:
    """Write names as people do: a, b and c."""
    *most, final = names
    return f"{', '.join(most)} {last} {final}" if most else final


def _broken(message: str) -> str:
    """Say what tomllib found, and where."""
    found = re.fullmatch(_WHERE, message)
    if found is None:
        return f"it is not TOML: {message}"
    what = found["what"][:1].lower() + found["what"][1:]
    where = f"line {found['line']}, column {found['column']}" if found["line"] else "at its end"
    return f"{where}: it is not TOML: {what}"


# What is wrong. msgspec has said that something is; here it is found again, to be said with its key.


def _complaint(value: Any, kind: msgspec.inspect.Type, path: str) -> str | None:
    """Say what is the first thing wrong with a value, or None."""
    info = msgspec.inspect
    kind = _meant(value, kind)
    match kind:
        case info.StructType():
            return _in_table(value, kind, path) if isinstance(value, dict) else _mismatch(value, kind, path)
        case info.DictType() if isinstance(value, dict):
            return _first(value, lambda key: _complaint(value[key], kind.value_type, under(path, key)))
        case info.VarTupleType() if isinstance(value, list):
            return _first(range(len(value)), lambda at: _complaint(value[at], kind.item_type, f"{path}[{at}]"))
        case info.TupleType() if isinstance(value, list) and len(value) == len(kind.item_types):
            types = kind.item_types
            return _first(range(len(value)), lambda at: _complaint(value[at], types[at], f"{path}[{at}]"))
    return None if _fits(value, kind) else _mismatch(value, kind, path)


def _first(places: Iterable[Any], complaint: Callable[[Any], str | None]) -> str | None:
    return next((said for said in map(complaint, places) if said is not None), None)


def _in_table(table: Mapping[str, Any], kind: msgspec.inspect.StructType, path: str) -> str | None:
    if kind.tag_field is not None and table.get(kind.tag_field) != kind.tag:
        return _mismatch(table, kind, path)
    fields = {field.encode_name: field for field in kind.fields}
    known = [*([kind.tag_field] if kind.tag_field else []), *fields]
    for key, value in table.items():
        if key not in known:
            place = f"[{path}]" if path else "the file"
            return f"{under(path, key)} is unknown{nearest(key, known)}; {place} can say {listed(known)}"
        if key in fields and (said := _complaint(value, fields[key].type, under(path, key))):
            return said
    missing = next((key for key, field in fields.items() if field.required and key not in table), None)
    return None if missing is None else f"{under(path, missing)} is missing"


def _meant(value: Any, kind: msgspec.inspect.Type) -> msgspec.inspect.Type:
    """Return which of several kinds a value was meant to be, if that can be told."""
    if not isinstance(kind, msgspec.inspect.UnionType):
        return kind
    for each in kind.types:
        tagged = isinstance(each, msgspec.inspect.StructType) and isinstance(value, dict)
        if tagged and value.get(each.tag_field) == each.tag:  # type: ignore[attr-defined]
            return each
    return kind


def _fits(value: Any, kind: msgspec.inspect.Type) -> bool:
    info = msgspec.inspect
    match kind:
        case info.Metadata():
            return _complaint(value, kind.type, "") is None
        case info.UnionType():
            return any(_complaint(value, each, "") is None for each in kind.types)
        case info.BoolType():
            return isinstance(value, bool)
        case info.LiteralType():
            return any(type(value) is type(each) and value == each for each in kind.values)
        case info.StrType():
            return isinstance(value, str)
        case info.IntType() | info.FloatType():
            number = isinstance(value, int if isinstance(kind, info.IntType) else int | float)
            return number and not isinstance(value, bool) and _between(value, kind)
    return False


def _between(value: float, kind: msgspec.inspect.IntType | msgspec.inspect.FloatType) -> bool:
    return (kind.ge is None or value >= kind.ge) and (kind.le is None or value <= kind.le)


def _mismatch(value: Any, kind: msgspec.inspect.Type, path: str) -> str:
    kinds = kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)
    options = [option for each in kinds if isinstance(each, msgspec.inspect.LiteralType) for option in each.values]
    hint = nearest(value, map(str, options)) if isinstance(value, str) else ""
    return f"{path} is {shown(value)}{hint}, but has to be {_wanted(kind)}"


def _wanted(kind: msgspec.inspect.Type) -> str:
    """Say what a kind of value looks like in the file."""
    info = msgspec.inspect
    match kind:
        case info.Metadata():
            return str((kind.extra_json_schema or {})["description"])
        case info.UnionType():
            if all(isinstance(each, info.StructType) for each in kind.types):
                tags = [f'{each.tag_field} = "{each.tag}"' for each in kind.types]  # type: ignore[attr-defined]
                return f"a table with {listed(tags, 'or')}"
            return listed([_wanted(each) for each in kind.types if not isinstance(each, info.NoneType)], "or")
        case info.LiteralType():
            return listed([shown(each) for each in sorted(kind.values, key=str)], "or")
        case info.BoolType():
            return "true or false"
        case info.StrType():
            return 'text in quotes ("")'
        case info.IntType() | info.FloatType():
            name = "a whole number" if isinstance(kind, info.IntType) else "a number"
            return name if kind.le is None else f"{name} from {kind.ge} to {kind.le}"
        case info.TupleType():
            return f"a list of {len(kind.item_types)}, each {_wanted(kind.item_types[0])}"
        case info.VarTupleType():
            return f"a list [ ] of values, each {_wanted(kind.item_type)}"
    return "a table"
