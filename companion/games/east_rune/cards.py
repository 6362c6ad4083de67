"""Cards of East Rune: the deck (vassals, monarchs, chairs), with domains, attributes and virtues."""

from __future__ import annotations

from companion.core.cards import Card, Deck, Suit
from companion.core.text import N_, Glyph, HasLabel, Text

VASSALS_IN_ALL = 18
MONARCHS_IN_ALL = 6
EACH_VIRTUE = 2
"""Number of chairs, and of monarchs, with the same virtue."""


class Attribute(HasLabel):
    """An attribute or a virtue, with the digit typed for it. Each exists once, so they are compared by identity."""

    __slots__ = ("key", "name", "sign", "word")

    def __init__(self, name: str, word: str, key: int) -> None:
        self.name = name
        self.word = word
        self.key = key
        self.sign = Glyph(name)

    @property
    def label(self) -> Text:
        return Text(self.word)

    def __repr__(self) -> str:
        return self.name


NOON = Suit("noon", N_("Noon"), (255, 190, 0))
DUSK = Suit("dusk", N_("Dusk"), (255, 40, 0))
NIGHT = Suit("night", N_("Night"), (40, 0, 255))
DAWN = Suit("dawn", N_("Dawn"), (0, 190, 160))
DOMAINS = (NOON, DUSK, NIGHT, DAWN)
"""The domains in cyclic order."""
AFTER = dict(zip(DOMAINS, (*DOMAINS[1:], NOON), strict=True))
ANY = Suit("any", N_("Any"), sign="anyday")
"""Wildcard domain of the blank character."""
SEATING = Suit("chair", N_("Chair"))
"""Pseudo-suit of the chairs, which have no domain."""

SACRED = Attribute("sacred", N_("sacred"), 1)
MINERAL = Attribute("mineral", N_("mineral"), 2)
ANIMAL = Attribute("animal", N_("animal"), 3)
TECHNOLOGY = Attribute("technology", N_("technology"), 4)
CULTURE = Attribute("culture", N_("culture"), 5)
ATTRIBUTES = (SACRED, MINERAL, ANIMAL, TECHNOLOGY, CULTURE)
LIGHT = Attribute("light", N_("light"), 6)
BEAUTY = Attribute("beauty", N_("beauty"), 7)
REASON = Attribute("reason", N_("reason"), 8)
VIRTUES = (LIGHT, BEAUTY, REASON)

# The rules do not list the printed combinations, so every possible one is a card here.
_VASSALS = [(domain, attribute) for domain in DOMAINS for attribute in ATTRIBUTES]
_MONARCHS = [(domain, attribute, virtue) for domain, attribute in _VASSALS for virtue in VIRTUES]

VASSALS = tuple(
    Card(
        f"{domain.name}-{attribute.name}",
        domain,
        attribute.key,
        1 << place,
        (str(attribute.key),),
        Text(N_("{domain} {attribute}"), domain=domain, attribute=attribute),
    )
    for place, (domain, attribute) in enumerate(_VASSALS)
)
MONARCHS = tuple(
    Card(
        f"{domain.name}-{attribute.name}-{virtue.name}",
        domain,
        attribute.key * 10 + virtue.key,
        1 << place,
        (f"{attribute.key}{virtue.key}",),
        Text(N_("{domain} {attribute}, {virtue}"), domain=domain, attribute=attribute, virtue=virtue),
        Text("{key}{virtue}", key=attribute.key, virtue=virtue.sign),
    )
    for place, (domain, attribute, virtue) in enumerate(_MONARCHS, 20)
)
BLANK = Card("blank-blank", ANY, 6, 1 << 80, ("6",), Text(N_("blank character")), "")
CHAIRS = tuple(
    Card(
        virtue.name,
        SEATING,
        virtue.key,
        1 << place,
        (str(virtue.key),),
        Text(N_("Chair of {virtue}"), virtue=virtue),
        Text("{virtue}", virtue=virtue.sign),
    )
    for place, virtue in enumerate(VIRTUES, 81)
)
BLANK_CHAIR = Card("blank", SEATING, 9, 1 << 84, ("9",), Text(N_("Blank chair")), Text("{any}", any=ANY.sign))
DECK = Deck((*VASSALS, *MONARCHS, BLANK, *CHAIRS, BLANK_CHAIR))

ATTRIBUTE_OF = {
    **dict(zip(VASSALS, (attribute for _, attribute in _VASSALS), strict=True)),
    **dict(zip(MONARCHS, (attribute for _, attribute, _ in _MONARCHS), strict=True)),
}
"""Attribute of every character except the blank one."""
MONARCH_VIRTUE = dict(zip(MONARCHS, (virtue for _, _, virtue in _MONARCHS), strict=True))
CHAIR_VIRTUE = dict(zip(CHAIRS, VIRTUES, strict=True))
"""Virtue of every chair except the blank one."""
IS_VASSAL = frozenset((*VASSALS, BLANK))


def dealt_to_each(seats: int) -> int:
    """Return the number of cards dealt to each player (East Rune, material)."""
    return 8 if seats == 3 else 6
