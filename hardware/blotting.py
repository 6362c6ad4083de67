"""Blots names, addresses and passwords out of a text that strangers will read.

A name is found in any case and script, with or without accents, and as it is written in a host name or an address:
both sides are compared in plain letters.
"""

from __future__ import annotations

import ipaddress
import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from urllib.parse import unquote

BLOT = "▒▒▒"
"""Stands for what was blotted out; its length says nothing."""

SHORT = 2
"""Letters of a name that is only found as a word of its own: shorter ones are part of too many words."""

OPEN = frozenset({"0.0.0.0", "127.0.0.1", "::", "::1"})
"""Addresses that say nothing about anybody."""

_UNITS = (".service", ".socket", ".mount", ".target", ".slice", ".timer", ".device", ".scope")
_ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
_BYTES = re.compile(r"(?:\\x[0-9a-fA-F]{2})+|(?:%[0-9a-fA-F]{2})+")

_MAIL = re.compile(r"[^\s<>\"'(),;:@=\[\]]+@[^\s<>\"'(),;:@=\[\]]+")
_MAC = re.compile(r"(?i)\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5,7}\b")
_ADDRESS = re.compile(r"(?i)(?<![0-9a-z.:])(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*:[0-9a-f.]*)(?:%\w+)?")
_HOME = re.compile(r"(/home/|/Users/)[^/\s\"':,;]+")
_SECRET = re.compile(
    r"(?i)(\b(?:e?ssid|psk|pass(?:word|phrase)?|secret|token|cookie|wi-?fi|network name)[\"']?\s*[=:]\s*)"
    r"(\"[^\"\n]*\"|'[^'\n]*'|[^\n]+)"
)
_PIN = re.compile(r"(?i)(\bpins?\b\D{0,20})[0-9][0-9 ]{2,}[0-9]")


class Blotter:
    """Blots out names that are known, and everything that has the form of an address or a secret.

    >>> Blotter(["Zoë"]).blot("ZOE's phone, 192.168.1.7, in /home/zoe, says 20:15")
    "▒▒▒'s phone, ▒▒▒, in /home/▒▒▒, says 20:15"

    Args:
        people: Names of people; each word of a name counts.
        others: Names of other things, such as networks; only the whole name counts.
    """

    def __init__(self, people: Iterable[str], others: Iterable[str] = ()) -> None:
        patterns: set[str] = set()
        self._literal: set[str] = set()
        for name in people:
            whole = _plain(name)
            patterns.add(whole)
            patterns.update(part for part in re.split("[^a-z0-9]+", whole) if len(part) >= SHORT)
            self._add_literal(name)
        for name in others:
            patterns.add(_plain(name))
            self._add_literal(name)
        self._patterns = [
            re.compile(re.escape(one) if len(one) > SHORT else rf"(?<![a-z0-9]){re.escape(one)}(?![a-z0-9])")
            for one in patterns
            if re.search("[a-z0-9]", one)
        ]

    def _add_literal(self, name: str) -> None:
        name = unicodedata.normalize("NFKC", name.strip())
        if name and not name.isascii():
            self._literal.add(name.casefold())

    def blot(self, text: str) -> str:
        """Return a text without names, addresses and secrets."""
        text = unicodedata.normalize("NFKC", _unescaped(text))
        text = _MAIL.sub(lambda found: found[0] if found[0].endswith(_UNITS) else BLOT, text)
        text = _MAC.sub(BLOT, text)
        text = _ADDRESS.sub(lambda found: BLOT if _is_address(found[0]) else found[0], text)
        text = _HOME.sub(rf"\1{BLOT}", text)
        text = _SECRET.sub(rf"\1{BLOT}", text)
        text = _PIN.sub(rf"\1{BLOT}", text)
        return self._without_names(text)

    def _without_names(self, text: str) -> str:
        spans = [*self._found(text, _letters, self._patterns)]
        spans += self._found(text, str.casefold, [re.compile(re.escape(one)) for one in self._literal])
        parts, end = [], 0
        for start, stop in sorted(spans):
            if start >= end:
                parts += [text[end:start], BLOT]
            end = max(end, stop)
        return "".join((*parts, text[end:]))

    @staticmethod
    def _found(text: str, fold: Callable[[str], str], patterns: Iterable[re.Pattern[str]]) -> Iterable[tuple[int, int]]:
        """Yield the places of patterns in a text whose characters are folded one by one."""
        folded = [fold(character) for character in text]
        origin = [place for place, letters in enumerate(folded) for _letter in letters]
        whole = "".join(folded)
        for pattern in patterns:
            for found in pattern.finditer(whole):
                yield origin[found.start()], origin[found.end() - 1] + 1


def _plain(name: str) -> str:
    """Return a name in plain small letters."""
    return "".join(map(_letters, unicodedata.normalize("NFKC", name))).strip()


@lru_cache(maxsize=4096)
def _letters(character: str) -> str:
    """Return a character in plain small letters: none for a mark, several for a sign.

    >>> _letters("ß"), _letters("ハ"), _letters("Ж")
    ('ss', 'ha', 'zh')
    """
    if character.isascii():
        return character.lower()
    if unicodedata.category(character)[0] in "MC":
        return ""
    from anyascii import anyascii  # slow, and needed only here

    return anyascii(character).lower()


def _unescaped(text: str) -> str:
    r"""Return a text in which characters written as codes are themselves again: ``\u306f``, ``\xe3``, ``%E3``."""
    text = _ESCAPED.sub(lambda found: _from_json(found[0]), text)
    return _BYTES.sub(lambda found: unquote(found[0].replace("\\x", "%"), errors="replace"), text)


def _from_json(escaped: str) -> str:
    whole: str = json.loads(f'"{escaped}"')
    return whole.encode("utf-8", "replace").decode()


def _is_address(text: str) -> bool:
    if text in OPEN:
        return False
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
