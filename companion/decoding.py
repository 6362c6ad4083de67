"""Reads JSON and plain data as values of a kind, by msgspec, from whatever thread.

msgspec looks at a struct's fields when the struct is first used, and keeps what it found. A thread that uses a struct
while another one still looks at it reads what is not there yet, which ends the process (seen with msgspec 0.22, where a
struct holds other structs). Here one thread at a time looks, so the rest of the program asks here instead of msgspec.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import RLock
from typing import Any, TypeVar, overload

import msgspec

Kind = TypeVar("Kind")
Hook = Callable[[type, Any], Any]
"""Makes a value of a kind that msgspec does not know; raises ValueError, TypeError or NotImplementedError."""

JsonDecoder = msgspec.json.Decoder

_looking = RLock()


@cache
def _look_at(kind: Any) -> None:
    with _looking:
        msgspec.json.Decoder(kind)


@overload
def convert(value: object, kind: type[Kind], hook: Hook | None = None, *, strict: bool = True) -> Kind: ...
@overload
def convert(value: object, kind: Any, hook: Hook | None = None, *, strict: bool = True) -> Any: ...
def convert(value: object, kind: Any, hook: Hook | None = None, *, strict: bool = True) -> Any:
    """Return plain data as a value of a kind.

    >>> convert([1, 2], tuple[int, ...])
    (1, 2)

    Args:
        strict: Whether a text of digits is no number.

    Raises:
        msgspec.ValidationError: It is of another kind.
    """
    _look_at(kind)
    return msgspec.convert(value, kind, dec_hook=hook, strict=strict)


@overload
def from_json(text: bytes | str, kind: type[Kind], *, strict: bool = True) -> Kind: ...
@overload
def from_json(text: bytes | str, kind: Any = Any, *, strict: bool = True) -> Any: ...
def from_json(text: bytes | str, kind: Any = Any, *, strict: bool = True) -> Any:
    """Return a JSON text as a value of a kind; `strict` is as for `convert`.

    Raises:
        msgspec.DecodeError: It is no JSON, or of another kind.
    """
    _look_at(kind)
    return msgspec.json.decode(text, type=kind, strict=strict)


def json_decoder(kind: Any, hook: Hook | None = None) -> JsonDecoder[Any]:
    """Return a decoder of JSON texts of a kind, for many of them."""
    _look_at(kind)
    return msgspec.json.Decoder(kind, dec_hook=hook)


def msgpack_decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    """Return a decoder of MessagePack texts of a kind."""
    _look_at(kind)
    return msgspec.msgpack.Decoder(kind)
