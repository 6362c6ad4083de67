"""East Rune's domains, attributes, virtues and cards."""

from __future__ import annotations

from companion.core.cards import Card, Deck, Suit
from companion.core.text import N_, Glyph, Labelled, Text

VASSALS_IN_ALL = 18
MONARCHS_IN_ALL = 6
EACH_VIRTUE = 2
"""How many chairs, and how many monarchs, bear the same virtue."""


class Icon(Labelled):
    """An attribute or a virtue; one object each.

    Attributes:
        name: As in the log.
        word: Its template in the catalogues.
        key: What is typed for it.
        sign: Its glyph.
    """

    __slots__ = ("key", "name", "sign", "word")

    def __init__(self, name: str, word: str, key: int) -> None:
        """Name the icon, in the log, for people and on the keypad."""
        self.name = name
        self.word = word
        self.key = key
        self.sign = Glyph(name)

    @property
    def label(self) -> Text:
        """Return the icon's name in words."""
        return Text(self.word)

    def __repr__(self) -> str:
        return self.name


NOON = Suit("noon", N_("Noon"), (255, 190, 0))
DUSK = Suit("dusk", N_("Dusk"), (255, 40, 0))
NIGHT = Suit("night", N_("Night"), (40, 0, 255))
DAWN = Suit("dawn", N_("Dawn"), (0, 190, 160))
DOMAINS = (NOON, DUSK, NIGHT, DAWN)
"""In their cycle."""
AFTER = dict(zip(DOMAINS, (*DOMAINS[1:], NOON), strict=True))
ANY = Suit("any", N_("Any"), sign="anyday")
"""Where a domain stands for every other: the blank character's."""
SEATING = Suit("chair", N_("Chair"))
"""What the chairs are typed as; no domain is on them."""

SACRED = Icon("sacred", N_("sacred"), 1)
MINERAL = Icon("mineral", N_("mineral"), 2)
ANIMAL = Icon("animal", N_("animal"), 3)
TECHNOLOGY = Icon("technology", N_("technology"), 4)
CULTURE = Icon("culture", N_("culture"), 5)
ATTRIBUTES = (SACRED, MINERAL, ANIMAL, TECHNOLOGY, CULTURE)
LIGHT = Icon("light", N_("light"), 6)
BEAUTY = Icon("beauty", N_("beauty"), 7)
REASON = Icon("reason", N_("reason"), 8)
VIRTUES = (LIGHT, BEAUTY, REASON)

# Which combinations are printed is said nowhere: every one that could be is a card here, as often as counts allow.
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
"""The attribute of every character but the blank one."""
MONARCH_VIRTUE = dict(zip(MONARCHS, (virtue for _, _, virtue in _MONARCHS), strict=True))
CHAIR_VIRTUE = dict(zip(CHAIRS, VIRTUES, strict=True))
"""The virtue of every chair but the blank one."""
IS_VASSAL = frozenset((*VASSALS, BLANK))


def dealt_to_each(seats: int) -> int:
    """Return how many cards a hand has at first (East Rune, material)."""
    return 8 if seats == 3 else 6
