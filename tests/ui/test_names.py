"""Names are shortened only where nothing else fits: on every screen, in every language, with short and long names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from PIL import Image

from companion.core.text import N_, Seat, Text
from companion.ui.fonts import BitmapFont, face, fit_with_names
from companion.ui.live_page.wall import PixelCanvas, wall_picture
from companion.ui.panel import _above_foot, draw
from companion.ui.translations import Translator, languages
from companion.ui.view import CodeBody, ListBody, OpenGame, SeatRow, TableBody, View
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at
from tests.ui.test_wall_picture import NAMED, PAIRING, SIZE
from tests.web.live_page_samples import sample

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


class Cut(NamedTuple):
    """A text that was drawn shortened."""

    font: BitmapFont
    place: tuple[int, int]
    times: int
    shown: str
    whole: str

    def had_room(self, picture: Image.Image) -> bool:
        """Return whether the whole text would fit before the next ink. What lies below a box counts as whole."""
        font, times = self.font, self.times
        left, top = self.place[0] + font.width(self.shown) * times, self.place[1]
        rows = top + 1, top + font.height * times - 1
        columns = [picture.crop((x, rows[0], x + 1, rows[1])).tobytes() for x in range(left, picture.width)]
        free = next((place for place, column in enumerate(columns) if column != columns[0]), len(columns))
        return free >= (font.width(self.whole) - font.width(self.shown)) * times + APART and self._is_seen(picture)

    def _is_seen(self, picture: Image.Image) -> bool:
        wide, font = self.font.width(self.shown), self.font
        alone = Image.new("1", (wide, font.height))
        font.draw(alone, (0, 0), self.shown)
        alone = alone.resize((wide * self.times, font.height * self.times), Image.Resampling.NEAREST)
        box = (*self.place, self.place[0] + alone.width, self.place[1] + alone.height)
        shades = picture.convert("L").crop(box).histogram(alone)
        return sum(map(bool, shades)) == 1


def cuts_of(view: View) -> Iterator[str]:
    """Yield each text that the panel shortens though its whole would fit."""
    fit, write = BitmapFont.fit, BitmapFont.draw
    whole: dict[str, str] = {}
    drawn: list[Cut] = []
    _above_foot.cache_clear()  # a body drawn before would not be fitted again

    def fitted(self: BitmapFont, text: str, width: int) -> str:
        shown = fit(self, text, width)
        if shown and self.width(text) > width:
            whole[shown] = text
        return shown

    def written(self: BitmapFont, target: Any, place: tuple[int, int], text: str, ink: int = 1) -> int:
        cut = next((shown for shown in whole if shown in text), "")
        if cut:
            drawn.append(Cut(self, place, 1, text, text.replace(cut, whole[cut])))
        return write(self, target, place, text, ink)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BitmapFont, "fit", fitted)
        patch.setattr(BitmapFont, "draw", written)
        picture = draw(view)
    return (cut.whole for cut in drawn if cut.had_room(picture))


@EACH
@SPOKEN
def test_no_screen_shortens_what_has_room(language: str, length: int) -> None:
    found: dict[str, list[str]] = {}
    for scene in SCENES:
        players = (scene.header or {}).get("players", ())
        named = {**(scene.header or {}), "players": list(NAMES[length][: len(players)])}
        view = box_at(replace(scene, header=named) if players else scene, language).view()
        found[scene.name] = [*cuts_of(view)]
    assert {name: cuts for name, cuts in found.items() if cuts} == {}


@SPOKEN
def test_a_list_holds_whole_names_for_pages_and_screen_readers(language: str) -> None:
    long, found = NAMES[20], 0
    for scene in SCENES:
        players = (scene.header or {}).get("players", ())
        named = {**(scene.header or {}), "players": list(long[: len(players)])}
        body = box_at(replace(scene, header=named) if players else scene, language).view().body
        if isinstance(body, ListBody):
            texts = [body.title, *(text for row in (*body.rows, *body.below) for text in row)]
            begun = [(name, text) for name in long for text in texts if name[:4] in text]
            found += len(begun)
            assert [text for name, text in begun if name not in text] == []
    assert found > 20


def written_on(view: View) -> list[str]:
    """Return the texts that the panel draws."""
    write = BitmapFont.draw
    texts: list[str] = []

    def written(self: BitmapFont, target: Any, place: tuple[int, int], text: str, ink: int = 1) -> int:
        texts.append(text)
        return write(self, target, place, text, ink)

    _above_foot.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BitmapFont, "draw", written)
        draw(view)
    return texts


@SPOKEN
def test_who_wins_loses_letters_before_the_sentence_does(language: str) -> None:
    names = NAMES[20][:4]
    won = Translator(language, names)(Text(N_("{player} wins the game"), player=Seat(0)))
    rest = won.removeprefix(names[0])
    seats = tuple(SeatRow(name, piles=(1, 2)) for name in names)
    table = TableBody(won, ("R1", "R2"), names, (("5", "15"),) * 4)
    opened = OpenGame("", "R1", None, (), (), seats, outcome=won)
    for body in (table, opened, replace(opened, pile_signs=("a", "b"))):
        assert [text for text in written_on(View(body)) if text.endswith(rest)], body


@EACH
@SPOKEN
def test_neither_does_the_wall_on_a_screen_without_a_browser(language: str, length: int) -> None:
    write = PixelCanvas.text
    drawn: list[Cut] = []

    def written(self: PixelCanvas, place: tuple[int, int], text: str, colour: Any, times: int = 1, **more: Any) -> int:
        end = write(self, place, text, colour, times, **more)
        room = more.get("width")
        font = face(more.get("name", "text"))
        shown = text if room is None else font.fit(text, room // times)
        if shown != text and not more.get("align"):
            drawn.append(Cut(font, (end - font.width(shown) * times, place[1]), times, shown, text))
        return end

    for moment in NAMED.values():
        for pairing in ((), PAIRING):
            seats = sample(moment, language).table
            assert seats is not None
            named = replace(moment, names=NAMES[length][: len(seats.seats)])
            drawn.clear()
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(PixelCanvas, "text", written)
                picture = wall_picture(sample(named, language, *pairing), SIZE)
            assert [cut.whole for cut in drawn if cut.had_room(picture)] == [], moment.name


@pytest.mark.parametrize("address", ["10.77.0.1:8443", "192.168.178.123:8080", "companion-of-the-house.local:8080"])
def test_an_address_beside_a_code_is_never_cut(address: str) -> None:
    fit = BitmapFont.fit
    cut: list[str] = []

    def watched(self: BitmapFont, text: str, width: int) -> str:
        cut.extend([text] if self.width(text) > width else [])
        return fit(self, text, width)

    written: list[str] = []
    write = BitmapFont.draw

    def drawn(self: BitmapFont, target: Any, place: tuple[int, int], text: str, ink: int = 1) -> int:
        written.append(text)
        end = write(self, target, place, text, ink)
        assert end <= 128
        return end

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BitmapFont, "fit", watched)
        patch.setattr(BitmapFont, "draw", drawn)
        draw(View(CodeBody("", ("#" * 33,) * 33, (address,), "483921"), "* back"))
    assert address in "".join(written)
    assert cut == []


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
    ],
)
def test_names_in_a_row_keep_the_letters_that_fit(players: tuple[str, ...], room: int, row: str) -> None:
    assert fit_with_names(face("text"), "·".join(players), players, room) == row
