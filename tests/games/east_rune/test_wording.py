"""East Rune: French and Japanese translations in which a wrong word would change the meaning."""

from __future__ import annotations

import pytest

from companion.core.text import Text
from companion.games.east_rune.rules import OPTIONS, Claim
from companion.games.east_rune.shown import describe
from companion.games.kit.tricks import alerts
from companion.ui.translations import Translator
from tests.games.reports import NAMES
from tests.games.table import FULL, asked

from .tables import card, table, unclaimed

LIGHT = table().starts(0).turns_up("light")
BLANK = table(blank_chair=True).starts(0).turns_up("blank")
LIKE_ANY_CARD = OPTIONS[0].choices[1].label


def worded(language: str, text: Text) -> str:
    """Return a text translated, with narrow spaces replaced by plain ones."""
    return Translator(language, NAMES)(text).replace("\u202f", " ")


@pytest.mark.parametrize(
    "text",
    [
        asked(LIGHT, FULL).text,
        asked(BLANK, FULL).text,
        describe(Claim(None)),
        describe(Claim(1, card("noon36"))),
        *alerts(unclaimed().state),
    ],
)
def test_in_french_nobody_takes_a_chair_by_a_claim(text: Text) -> None:
    assert "prend" not in worded("fr", text)


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("fr", asked(LIGHT, FULL).text, "Qui pose lumière ?"),
        ("fr", asked(BLANK, FULL).text, " vierge ?"),
        ("fr", describe(Claim(None)), "Personne ne pose"),
        ("fr", alerts(unclaimed().state)[0], "Chaise lumière sans monarque : cherchez-le"),
        ("ja", LIKE_ANY_CARD, "他のカードと同じ"),
    ],
)
def test_a_sentence_says_what_the_rules_say(language: str, text: Text, words: str) -> None:
    assert Translator(language).aloud(worded(language, text)).endswith(words)
