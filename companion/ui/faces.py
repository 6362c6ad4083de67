"""People's faces: a colour and one to three letters in a circle, the same on phones, wall, charts and history.

The colour belongs to the person, not to the seat. People who played on this box have a place each, in the order in
which they first sat in a game of its journal (`places_of`); the colour is the place, counted round eight colours. A
renamed person keeps the place. Anybody else has a colour by name. People at one table never share a colour: where two
would, the later seat takes the next one that nobody at this table has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from zlib import crc32

from msgspec import Struct

from companion.gamelog import name_key
from companion.history.renamed_and_hidden import People

COLOURS = 8
"""The number of colours: those of the classes p0 to p7 in ``design.css``."""


class Face(Struct, frozen=True):
    """The letters and the colour that stand for a person."""

    letters: str
    colour: int  # 0 to 7


class Faces(Struct, frozen=True):
    """The faces of everybody whom a page may show.

    >>> Faces.at(("Céline", "Cem"), {"céline": 0, "cem": 9}).of("Cem")
    Face(letters='Ce', colour=1)
    """

    places: Mapping[str, int] = {}  # the places of people by the keys of their names; see `places_of`
    table: Mapping[str, Face] = {}  # the faces of those at the table, told apart

    @classmethod
    def at(cls, names: Sequence[str], places: Mapping[str, int], own: Sequence[int | None] = ()) -> Faces:
        """Return the faces with those at a table told apart.

        Args:
            names: The names by seat.
            places: The places of people by key.
            own: The places by seat where those by the names are not meant, because a name is an old one.
        """
        keys = [*map(name_key, names)]
        return cls(places, dict(zip(keys, at_one_table(names, own or [*map(places.get, keys)]), strict=True)))

    def of(self, name: str) -> Face:
        """Return a person's face."""
        key = name_key(name)
        return self.table.get(key) or at_one_table((name,), (self.places.get(key),))[0]

    def colours(self, names: Iterable[str]) -> tuple[int, ...]:
        """Return people's colours."""
        return tuple(self.of(name).colour for name in names)


def at_one_table(names: Sequence[str], places: Sequence[int | None] = ()) -> tuple[Face, ...]:
    """Return the faces of people at one table, by seat; up to eight share no colour, and none share letters.

    >>> [face.letters for face in at_one_table(("Anna", "Bernard", "Anton", "P1", "P2"))]
    ['Ann', 'B', 'Ant', 'P1', 'P2']
    """
    wanted = [
        (crc32(name_key(name).encode()) if place is None else place) % COLOURS
        for name, place in zip(names, places or (None,) * len(names), strict=True)
    ]
    return tuple(map(Face, _letters(names), _colours(wanted)))


def places_of(games: Iterable[tuple[int, Sequence[str]]], people: People) -> dict[str, int]:
    """Return everybody's place by the key of the current name, in the order in which people first played.

    Args:
        games: The numbers of games and the names by seat, the first game first.
        people: Who was renamed.
    """
    places: dict[str, int] = {}
    seen = set[object]()
    for number, names in games:
        group = *names, people.renamed_since(number)
        for name in () if group in seen else names:
            places.setdefault(name_key(people.now(name, number)), len(places))
        seen.add(group)
    return places


def _colours(wanted: Sequence[int]) -> list[int]:
    """Return the colours by seat: the wanted ones, and for the later of two who want the same, the next free one."""
    given = list(wanted)
    taken = set(wanted)
    for seat, colour in enumerate(wanted):
        if colour in wanted[:seat]:
            others = ((colour + step) % COLOURS for step in range(1, COLOURS))
            given[seat] = next((other for other in others if other not in taken), colour)
            taken.add(given[seat])
    return given


def _letters(names: Sequence[str]) -> list[str]:
    """Return the letters by seat: one each, and more for those who would share them."""
    ways = [list(_shortenings(name, seat)) for seat, name in enumerate(names, 1)]
    chosen = [0] * len(names)
    while True:
        letters = [way[place] for way, place in zip(ways, chosen, strict=True)]
        alike = [
            seat for seat, own in enumerate(letters) if letters.count(own) > 1 and chosen[seat] < len(ways[seat]) - 1
        ]
        if not alike:
            return letters
        for seat in alike:
            chosen[seat] += 1


def _shortenings(name: str, seat: int) -> Iterator[str]:
    """Yield the letters that may stand for a name, the shortest first; the last ones are the seat's alone."""
    words = name.split() or ["?"]
    first = _graphemes(words[0])
    initial = first[0].upper()
    yield initial
    if len(words) > 1:
        yield initial + _graphemes(words[-1])[0].upper()
    for length in range(2, 1 + min(3, len(first))):
        yield initial + "".join(first[1:length])
    if len(first) > 3:
        yield initial + first[-1]
    yield f"{initial}{seat}"


def _graphemes(word: str) -> list[str]:
    """Return the first letters of a word and its last, as people count them: an emoji is one."""
    if word.isascii():
        return list(word)
    from grapheme import graphemes  # nearly no name needs it

    return list(islice(graphemes(word), 80))
