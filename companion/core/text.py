"""Translatable sentences as data: a template and its arguments; and the errors that are told to people.

Holds the kinds of arguments, the formatting, the errors, and why a disk refuses. Other sentences belong to the games
and screens.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # with a default, as the standard one has from Python 3.13 on

    Told_co = TypeVar("Told_co", covariant=True, default=str)
else:
    from typing import TypeVar

    Told_co = TypeVar("Told_co", covariant=True)
# What the texts of a struct are: strings of one language, or, as ``Struct[object]``, whatever `tell` makes strings of.


def N_(template: str) -> str:  # gettext's tools look for this name  # noqa: N802
    """Mark a template for extraction into the catalogues."""
    return template


def NC_(context: str, template: str) -> str:  # the same, for an English word with two translations  # noqa: N802
    """Mark a template for extraction, with its context."""
    return f"{context}\x04{template}"


PLURAL = "\0"
"""Separates the forms of a template: for one thing, for more."""


def NN_(one: str, many: str, context: str = "") -> str:  # the same, for a sentence with a plural  # noqa: N802
    """Mark a template with two forms in English; the argument ``count`` of its text says which one is used."""
    return NC_(context, f"{one}{PLURAL}{many}") if context else f"{one}{PLURAL}{many}"


def plain(template: str, count: int = 1) -> str:
    """Return a template in English, without its context.

    >>> plain(NN_("{count} game", "{count} games"), 3)
    '{count} games'
    """
    one, _mark, many = template.rpartition("\x04")[2].partition(PLURAL)
    return many if many and count != 1 else one


class Seat(int):
    """A seat, counted clockwise from 0; shown as the player's name."""


class Glyph(str):
    """The name of a small symbol drawn within a line of text."""

    __slots__ = ()


class Phrase(str):
    """A template that brings its own translations, as the words of a declared game do.

    >>> Phrase("Bid", {"fr": "Annonce"}).translations["fr"]
    'Annonce'
    """

    translations: Mapping[str, str]  # by language

    def __new__(cls, template: str, translations: Mapping[str, str]) -> Phrase:
        phrase = super().__new__(cls, template)
        phrase.translations = translations
        return phrase


class Text:
    """A template and its arguments: texts, seats, cards, glyphs, numbers or words.

    >>> str(Text("{who} leads with {suit}", who=Seat(0), suit="Sea"))
    'seat 1 leads with Sea'
    >>> str(Text(NN_("{count} game", "{count} games"), count=1))
    '1 game'
    """

    __slots__ = ("args", "template")

    def __init__(self, template: str, **args: object) -> None:
        self.template = template
        self.args = args

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.template == other.template and self.args == other.args

    def __hash__(self) -> int:
        return hash(self.template)

    def __repr__(self) -> str:
        return f"Text({self.template!r}, {self.args!r})"

    def __str__(self) -> str:
        return tell(self)

    @property
    def count(self) -> int:
        """The number that chooses the form of a template with a plural; 1 for other templates."""
        count = self.args.get("count", 1) if PLURAL in self.template else 1
        return count if isinstance(count, int) else 1


class Part:
    """A part of a text, such as its first letters where there is little room: cut once it is in a language.

    >>> str(Text("{word}", word=Part("Monarch", lambda word: word[:3])))
    'Mon'
    """

    __slots__ = ("cut", "text")

    def __init__(self, text: object, cut: Callable[[str], str]) -> None:
        self.text = text
        self.cut = cut


_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""The letters of Hebrew, Arabic and other scripts that are written from right to left."""

_RUN = f"\u2068?([{_RIGHT_TO_LEFT}]+(?:[-'’ \u200c\u200d][{_RIGHT_TO_LEFT}]+)*)\u2069?"  # compiled by `re` on first use


def isolated(text: str) -> str:
    """Return a sentence in which no name that is written from right to left moves the figures beside it.

    Such names stand between the signs FSI and PDI, which browsers know; the panel's font does not.

    >>> isolated("Ann 7, משה 12") == "Ann 7, \N{FIRST STRONG ISOLATE}משה\N{POP DIRECTIONAL ISOLATE} 12"
    True
    """
    return text if text.isascii() else re.sub(_RUN, "\u2068\\1\u2069", text)


_UNSAFE = (
    "[\x00-\x1f\x7f-\x9f"  # control characters; a terminal's commands begin with one
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # they turn the direction of what follows
    "\u200b\u2028\u2029\u2060\ufeff"  # invisible, or a line of their own
    "\ud800-\udfff]"  # bytes of a file's name that are no text
)
"""The characters that are escaped, a pattern. `re` compiles it on first use: a start that goes well prints nothing."""


def printable(text: object) -> str:
    r"""Return a text as one line without control characters: they are written as in a Python string.

    >>> print(printable("a file\x1b[2J\ninstalled: 9.9"))
    a file\x1b[2J\ninstalled: 9.9
    """
    return re.sub(_UNSAFE, lambda found: found[0].encode("unicode_escape").decode(), str(text))


def joined(texts: Iterable[object], between: str = " ") -> Text:
    """Return texts one after the other, with the same between each two of them."""
    parts = tuple(texts)
    names, template = _places(len(parts), between)
    return Text(template, **dict(zip(names, parts, strict=True)))


@lru_cache(maxsize=64)
def _places(count: int, between: str) -> tuple[list[str], str]:
    """Return the names of so many parts and their template; most texts are joined by the same few."""
    names = [f"part{number}" for number in range(count)]
    return names, between.join([f"{{{name}}}" for name in names])


class HasLabel:
    """Anything with a label of its own, usable as an argument of a text."""

    __slots__ = ()

    @property
    def label(self) -> Text:
        raise NotImplementedError


COMMA = Text(N_("{one}, {other}"), one="", other="")
"""The comma between two items of a list, as the reader's language writes it."""


def listed(items: Iterable[object]) -> Text:
    """Return the items of a list, with what stands between them in the reader's language; nothing of no items.

    >>> str(listed(["Ann", "Bo", "Cy"]))
    'Ann, Bo, Cy'
    """
    parts: list[object] = list(items)
    while len(parts) > 1:  # in halves, so that a long list is not nested as deep as it is long
        pairs = zip(parts[::2], parts[1::2], strict=False)
        odd = parts[-1:] if len(parts) % 2 else []
        parts = [*(Text(COMMA.template, one=one, other=other) for one, other in pairs), *odd]
    return Text("{list}", list=parts[0]) if parts else Text("")


def tell(
    text: object,
    players: Sequence[str] = (),
    translate: Callable[[str, int], str] = plain,
    draw: Callable[[str], str] = "<{}>".format,
) -> str:
    """Return a text as a string in the reader's language.

    Args:
        players: The names by seat; a seat beyond them is shown by its number, from 1.
        translate: Returns a template in the reader's language, in the form for a number of things.
        draw: Returns the character that draws a glyph.

    A number below zero has a true minus sign.

    >>> tell(Text("{who} leads by {points}", who=Seat(0), points=3), players=("Ann", "Bo"))
    'Ann leads by 3'
    """
    if type(text) is int:
        return str(text).replace("-", "−")
    if isinstance(text, Text):
        if not text.template:
            return ""  # gettext returns its header for it
        template = translate(text.template, text.count if PLURAL in text.template else 1)
        words = text.args.copy()
        for name, value in words.items():
            if type(value) is not str:  # most are plain words; testing for other types would take longer
                words[name] = draw(value) if type(value) is Glyph else tell(value, players, translate, draw)
        return template.format_map(words) if words else template
    if isinstance(text, Seat):
        if 0 <= text < len(players):
            return players[text]
        return tell(Text(N_("seat {number}"), number=int(text) + 1), translate=translate)
    if isinstance(text, Glyph):
        return draw(text)
    if isinstance(text, HasLabel):
        return tell(text.label, players, translate, draw)
    if isinstance(text, Part):
        return text.cut(tell(text.text, players, translate, draw))
    return str(text)


# Errors


class SentenceError(Exception):
    """The base of errors whose message is a sentence for people: a command prints it and ends.

    Attributes:
        at_places: Whether each line of the message begins with its place in a file, as compilers write it.
    """

    at_places = False


class IllegalEventError(Exception):
    """A game refuses an event; its state is unchanged. The reason is a stable code, for programs and tests."""

    def __init__(self, reason: str, template: str, **args: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.text = Text(template, **args)

    def __str__(self) -> str:
        return str(self.text)


class GameDeclarationError(SentenceError):
    """A part of a game's declaration is missing or wrong."""

    def __init__(self, game: str, wrong: str) -> None:
        super().__init__(f"{game}: {wrong}")


# Why a disk refuses


_WHY = {
    errno.ENOSPC: N_("the disk is full"),
    errno.EDQUOT: N_("the disk is full"),
    errno.EROFS: N_("the disk can only be read"),
    errno.EIO: N_("the disk is failing"),
    errno.EBADMSG: N_("the disk is failing"),  # with the next: what the file system says of its own damage
    errno.EUCLEAN: N_("the disk is failing"),
    errno.EACCES: N_("there is no permission"),
    errno.EPERM: N_("there is no permission"),
    errno.EEXIST: N_("that is not a folder"),
    errno.ENOTDIR: N_("that is not a folder"),
}


def why(error: OSError) -> Text:
    known = _WHY.get(error.errno or 0)
    return Text("{error}", error=error.strerror or str(error)) if known is None else Text(known)
