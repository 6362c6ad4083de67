"""Sentences as data: a template and what goes into it, worded only where somebody reads it.

May live here: what a template may hold, and how it becomes a string. No sentence of a game or a screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence


def N_(template: str) -> str:  # the name gettext's tools look for  # noqa: N802
    """Mark a template for the catalogues without translating it yet."""
    return template


def NC_(context: str, template: str) -> str:  # the same, where one English word is two in other languages  # noqa: N802
    """Mark a template for the catalogues, and say what it means there."""
    return f"{context}\x04{template}"


def plain(template: str) -> str:
    """Return a template without its context."""
    return template.rpartition("\x04")[2]


class Seat(int):
    """A seat, numbered from 0 clockwise; worded as the name of who sits there."""


class Glyph(str):
    """The name of a small picture drawn in the line of text."""

    __slots__ = ()


class Text:
    """A template with its arguments; arguments may be texts, seats, cards, glyphs, numbers, words."""

    __slots__ = ("args", "template")

    def __init__(self, template: str, **args: object) -> None:
        """Keep the template as it stands in the catalogues, and its arguments by name."""
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


def joined(texts: Iterable[object], between: str = " ") -> Text:
    """Return one text of several, one after the other."""
    parts = {f"part{place}": text for place, text in enumerate(texts)}
    return Text(between.join(f"{{{name}}}" for name in parts), **parts)


class Labelled:
    """Anything that can be an argument of a text because it has a label of its own."""

    __slots__ = ()

    @property
    def label(self) -> Text:
        """Return the words for it."""
        raise NotImplementedError


def tell(
    text: object,
    players: Sequence[str] = (),
    translate: Callable[[str], str] = plain,
    draw: Callable[[str], str] = "<{}>".format,
) -> str:
    """Word a text for a reader.

    Args:
        text: A text or anything that may be an argument of one.
        players: The names by seat; a seat beyond them is worded by its number from 1.
        translate: Looks a template up in a language's catalogue.
        draw: Gives the character that draws a glyph.
    """
    if isinstance(text, Text):
        words = {name: tell(value, players, translate, draw) for name, value in text.args.items()}
        template = translate(text.template) if text.template else ""  # gettext answers "" with a catalogue's head
        return template.format_map(words) if words else template
    if isinstance(text, Seat):
        if 0 <= text < len(players):
            return players[text]
        return tell(Text(N_("seat {number}"), number=int(text) + 1), translate=translate)
    if isinstance(text, Glyph):
        return draw(text)
    if isinstance(text, Labelled):
        return tell(text.label, players, translate, draw)
    return str(text)
