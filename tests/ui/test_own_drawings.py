"""The signs of playing cards are drawn once for all games; other large drawings lie in a game's package."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.kit.playing_cards import FRENCH_SUITS
from companion.ui.fonts import GLYPHS, PICTURES, face, has_drawing, large
from companion.ui.live_page.svg import picture_path
from tests.games.fifth import LAST_STONE

OTHER_SUITS = "coins cups swords batons acorns leaves bells roses shields joker"
DRAWING = "@ stone\n.##.\n####\n"


@pytest.mark.parametrize("suit", [*FRENCH_SUITS, *OTHER_SUITS.split()])
def test_the_suits_of_playing_cards_are_drawn_in_every_size(suit: str) -> None:
    assert suit in PICTURES
    assert all(face(name).has(GLYPHS[suit]) for name in ("text", "small", "cards"))


@pytest.mark.parametrize("rank", "JQKA")
def test_the_ranks_of_court_cards_are_drawn_wherever_a_rank_is(rank: str) -> None:
    assert all(face(name).has(rank) for name in ("text", "small", "cards", "numerals", "display"))


def test_a_large_drawing_in_a_games_package_is_scaled_and_centred(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "stones"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "drawings.txt").write_text(DRAWING)
    monkeypatch.syspath_prepend(tmp_path)
    assert not has_drawing("stone")
    monkeypatch.setitem(
        GAMES, "last-stone", replace(LAST_STONE, optional=replace(LAST_STONE.optional, package="stones"))
    )
    large.cache_clear()
    assert has_drawing("stone")
    assert large("stone", "Stone").getbbox() == (0, 8, 32, 24)
    assert picture_path("stone", "Pebble")[1:] == (32, 32)
    sys.modules.pop("stones", None)
    large.cache_clear()
