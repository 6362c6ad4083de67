"""Names are shortened only where nothing else fits: on every screen, in every language, with short and long names."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PIL import Image

from companion.core.text import N_, Seat, Text
from companion.ui.fonts import face, fit_with_names
from companion.ui.panel import draw
from companion.ui.translations import Translator, languages
from companion.ui.view import ListBody, OpenGame, SeatRow, TableBody, View
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at
from tests.ui.pixels import Written, watched

pytestmark = [pytest.mark.unmeasured, pytest.mark.one_python]

NAMES = {
    1: ("A", "B", "C", "D", "E"),
    8: ("Béatrice", "Clémence", "Domingue", "Ethelred", "Fabienne"),
    20: (
        "Konstantin-Alexander",
        "Maximilian-Ferdinand",
        "Wilhelmina-Charlotte",
        "Bartholomew-Augustus",
        "Émile-Gustave-Édouar",
    ),
}
APART = 5
"""Pixels between a text and what follows it."""

EACH = pytest.mark.parametrize("length", NAMES)
SPOKEN = pytest.mark.parametrize("language", languages())


def had_room(cut: Written, picture: Image.Image) -> bool:
    """Return whether a whole text would fit before the next ink. What lies below a box counts as whole."""
    font, times = cut.font, cut.times
    left, top = cut.place[0] + font.width(cut.shown) * times, cut.place[1]
    rows = top + 1, top + font.height * times - 1
    columns = [picture.crop((x, rows[0], x + 1, rows[1])).tobytes() for x in range(left, picture.width)]
    free = next((place for place, column in enumerate(columns) if column != columns[0]), len(columns))
    return free >= (font.width(cut.whole) - font.width(cut.shown)) * times + APART and _is_seen(cut, picture)


def _is_seen(cut: Written, picture: Image.Image) -> bool:
    wide, font = cut.font.width(cut.shown), cut.font
    alone = Image.new("1", (wide, font.height))
    font.draw(alone, (0, 0), cut.shown)
    alone = alone.resize((wide * cut.times, font.height * cut.times), Image.Resampling.NEAREST)
    box = (*cut.place, cut.place[0] + alone.width, cut.place[1] + alone.height)
    shades = picture.convert("L").crop(box).histogram(alone)
    return sum(map(bool, shades)) == 1


def needlessly_cut(view: View) -> list[str]:
    """Return each text that the panel shortens though its whole would fit."""
    with watched() as seen:
        picture = draw(view)
    return [cut.whole for cut in seen.written if cut.whole != cut.shown and had_room(cut, picture)]


def names_cut_in_list(view: View) -> list[str]:
    """Return the texts of a list that hold a part of a name; pages and screen readers want whole ones."""
    if not isinstance(view.body, ListBody):
        return []
    texts = [view.body.title, *(text for row in (*view.body.rows, *view.body.below) for text in row)]
    return [text for name in NAMES[20] for text in texts if name[:4] in text and name not in text]


@EACH
@SPOKEN
def test_no_screen_shortens_what_has_room_and_no_list_any_name(language: str, length: int) -> None:
    found: dict[str, list[str]] = {}
    for scene in SCENES:
        players = (scene.header or {}).get("players", ())
        named = {**(scene.header or {}), "players": list(NAMES[length][: len(players)])}
        view = box_at(replace(scene, header=named) if players else scene, language).view()
        found[scene.name] = needlessly_cut(view) + names_cut_in_list(view)
    assert {name: cuts for name, cuts in found.items() if cuts} == {}


@SPOKEN
def test_who_wins_loses_letters_before_the_sentence_does(language: str) -> None:
    names = NAMES[20][:4]
    won = Translator(language, names)(Text(N_("{player} wins the game"), player=Seat(0)))
    rest = won.removeprefix(names[0])
    seats = tuple(SeatRow(name, piles=(1, 2)) for name in names)
    table = TableBody(won, ("R1", "R2"), names, (("5", "15"),) * 4)
    opened = OpenGame("R1", None, (), (), seats, outcome=won)
    for body in (table, opened, replace(opened, pile_signs=("a", "b"))):
        with watched() as seen:
            draw(View(body))
        assert [text for text in seen.written if text.shown.endswith(rest)], body


@pytest.mark.parametrize(
    ("players", "room", "row"),
    [
        (("Aki", "Béatrice", "Cyr"), 126, "Aki·Béatrice·Cyr"),
        (("Aki", "Béatrice", "Cyr", "Daisuke"), 110, "Aki·Béatri·Cyr·Daisuk"),
        (("Aki", "Béatrice", "Cyr", "Daisuke", "Émile-Gustave"), 110, "Aki·Béa·Cyr·Dai·Émil"),
        (("Maximilienne-Éléonore",), 110, "Maximilienne-Éléonore"),
        (("Aki", "Béatrice", "Cyr"), 64, "Aki·Béat·Cyr"),
        (("Aki", "Bea", "Émile-Gustave"), 78, "Aki·Bea·Émile-"),
        (("Aki", "Béatrice", "はるな"), 36, "A·B·は"),
        (("Aki", "Béatrice", "はるな"), 28, "A·B…"),
        (("Aki", "Béatrice", "Cyr"), 20, "A·…"),
    ],
)
def test_names_in_a_row_keep_the_letters_that_fit(players: tuple[str, ...], room: int, row: str) -> None:
    assert fit_with_names(face("text"), "·".join(players), players, room) == row
