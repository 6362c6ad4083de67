"""Reads TOML strictly; an error is one sentence that names the key.

It knows nothing about the meaning of keys.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.core.text import SentenceError

T = TypeVar("T")

_LONGEST = 40
_LARGEST_FILE = 65_536  # bytes; anything larger is another kind of file
_MOST_UNKNOWN = 20  # keys; a file with more is of another kind
_LONGEST_LINE = 2_000  # characters; tomllib's time grows with the square of a dotted key's length
# msgspec's error names the place of a value in its text only, and tomllib knows no schema.
_PATH = r"(?s)(.*?)(?: - at `\$((?:\.\w+|\[(?:\d+|\.\.\.)\])+)`)?"
_TYPES = {
    "string": 'text in quotes ("")',
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list [ ]",
    "object": "a table",
}


class TomlError(SentenceError):
    """A TOML file is invalid; the message is a sentence for the owner."""


class _UnknownKeyError(TomlError):
    """A key is unknown; it is removed from the document."""


def read(path: Path, into: type[T], unknown: list[str] | None = None) -> T:
    """Read a file into a msgspec struct, whose field names are the keys; raise TomlError if it is missing or invalid.

    ``unknown`` takes a sentence for each unknown key, which is passed over then; without it such a key is an error.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
        if len(data) > _LARGEST_FILE:
            raise TomlError(f"it is longer than {_LARGEST_FILE} bytes")
        return parse(data.decode("utf-8-sig"), into, unknown)
    except OSError as error:
        raise TomlError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError as error:
        raise TomlError(f"{path}: byte {error.start} is not UTF-8 text") from None
    except TomlError as fault:
        raise TomlError(f"{path}: {fault}") from None


def parse(text: str, into: type[T], unknown: list[str] | None = None) -> T:
    """Parse a document; see ``read``. Raises TomlError if it is not TOML, or a key or value in it is wrong."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _LONGEST_LINE:
            raise TomlError(f"line {number} is longer than {_LONGEST_LINE} characters")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"it is not TOML: {error}") from None
    except RecursionError:
        raise TomlError("it is nested too deeply") from None
    while True:
        try:
            return msgspec.convert(document, into)
        except msgspec.ValidationError as error:
            fault = _sentence(str(error), document, into)
        if unknown is None or not isinstance(fault, _UnknownKeyError) or len(unknown) == _MOST_UNKNOWN:
            raise fault
        unknown.append(str(fault))


def as_written(value: object) -> str:
    """Return a value as written in the file, shortened."""
    match value:
        case bool():
            written = str(value).lower()
        case str():
            written = f'"{"".join(map(_written, value))}"'
        case dict():
            return "a table"
        case list():
            return f"a list of {len(value)}"
        case _:
            written = str(value)
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 1]}…"


def _written(character: str) -> str:
    """Return a character in a visible form that differs from the quotes."""
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\u{ord(character):04x}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``(did you mean that?)`` if a known name is similar, else an empty string."""
    import difflib  # only when something is wrong

    close = difflib.get_close_matches(name.lower(), list(known), 1)
    return f" (did you mean {key_path('', close[0])}?)" if close else ""


def key_path(path: str, key: str) -> str:
    bare = key if re.fullmatch(rf"[A-Za-z0-9_-]{{1,{_LONGEST}}}", key) else as_written(key)
    return f"{path}.{bare}" if path else bare


def listed(names: Iterable[str], last: str = "and") -> str:
    *most, final = names
    return f"{', '.join(most)} {last} {final}" if most else final


def _sentence(error: str, document: dict[str, Any], into: type[Any]) -> TomlError:
    """Translate msgspec's error into a sentence, using the document and the JSON schema."""
    what, path = re.fullmatch(_PATH, error).groups("")  # type: ignore[union-attr]
    schema = msgspec.json.schema(into)
    value: Any = document
    kind = _resolved(schema, schema, value)
    name = ""
    for step in re.findall(r"\w+|\.\.\.", path):
        if isinstance(value, list):
            kind = next(each for each in kind.get("anyOf", [kind]) if each.get("type") == "array")
            value, kind, name = value[int(step)], kind.get("items") or kind["prefixItems"][int(step)], f"{name}[{step}]"
        elif step == "...":  # msgspec does not name the key of the table
            key = _wrong_key(value, error, document, into)
            value, kind, name = value[key], kind["additionalProperties"], key_path(name, key)
        else:
            value, kind, name = value.get(step), kind["properties"][step], key_path(name, step)
        kind = _resolved(kind, schema, value)
    if what.startswith("Object contains unknown"):
        known = kind["properties"]
        key = next((key for key in value if key not in known), what)
        place = f"[{name}]" if name else "the file"
        del value[key]
        return _UnknownKeyError(
            f"{key_path(name, key)} is unknown{nearest(key, known)}; {place} can say {listed(known)}"
        )
    if what.startswith("Object missing"):
        return TomlError(f"{key_path(name, what.split('`')[1])} is missing")
    options = [option for each in kind.get("anyOf", [kind]) for option in each.get("enum", ())]
    hint = nearest(value, map(str, options)) if isinstance(value, str) else ""
    return TomlError(f"{name} is {as_written(value)}{hint}, but has to be {_expected(kind)}")


def _wrong_key(table: dict[str, Any], error: str, document: dict[str, Any], into: type[Any]) -> str:
    """Return the table's key whose value alone causes the same error; only that key stays in the table."""
    every = dict(table)
    for key, value in every.items():
        table.clear()
        table[key] = value
        try:
            msgspec.convert(document, into)
        except msgspec.ValidationError as again:
            if str(again) == error:
                return key
    raise AssertionError(error)


def _resolved(kind: dict[str, Any], schema: dict[str, Any], value: Any) -> dict[str, Any]:
    """Follow references. If several kinds of table are possible, choose by the value's tag."""
    if "$ref" in kind:
        return dict(schema["$defs"][kind["$ref"].rpartition("/")[2]])
    if "discriminator" in kind and isinstance(value, dict):
        tag, mapping = kind["discriminator"].values()
        meant = mapping.get(str(value.get(tag)))
        return _resolved({"$ref": meant}, schema, value) if meant else {"properties": {tag: {"enum": list(mapping)}}}
    return kind


def _expected(kind: dict[str, Any]) -> str:
    """Return in words what a value has to be."""
    match kind:
        case {"anyOf": [*kinds]}:
            return listed([_expected(each) for each in kinds if each != {"type": "null"}], "or")
        case {"enum": [*values]}:
            return listed(map(as_written, values), "or")
        case {"type": "object"} | {"$ref": _}:
            return "a table"
        case {"description": str(description)}:
            return description
        case {"minimum": low, "maximum": high, "type": str(name)}:
            return f"{_TYPES[name]} from {low} to {high}"
    return _TYPES[kind["type"]]
