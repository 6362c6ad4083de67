"""The picture of the table for a screen without a browser is the same as its golden picture.

After an intended change, write the golden pictures again with ``python -m tests.ui.test_wall_picture`` and look at
them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops

from companion.history.chart import Course
from companion.ui.live_page.content import LivePageContent, Question
from companion.ui.live_page.wall import wall_picture
from companion.ui.pictures import pairing_link
from companion.ui.translations import languages
from companion.ui.view import LargeSymbol, OpenGame, SeatRow, TableBody
from tests.web.live_page_samples import LONG, MOMENTS, empty, sample

GOLDEN = Path(__file__).parents[1] / "golden_wall"
SIZE = (480, 270)
ADDRESS, PIN = "http://192.168.178.123:8080", "483921"
PAIRING = (ADDRESS, PIN, pairing_link(ADDRESS, "MZXW6YTBOI3TAMJSGQZTQNJWG4"))
NAMED = {moment.name: moment for moment in MOMENTS}


def contents(language: str) -> dict[str, LivePageContent]:
    """Return the contents of the golden pictures, by name."""
    game = sample(NAMED["gear"], language)
    alert = replace(game, notice=("Bea may have revoked",), alert=True, unsaved="2 entries are not saved")
    return {
        **{moment.name: sample(moment, language) for moment in MOMENTS},
        "alert": alert,
        "pairing": sample(NAMED["eternity"], language, *PAIRING),
        "over-pairing": sample(NAMED["gear-over"], language, *PAIRING),
        "empty": empty(language, ADDRESS),
        "empty-pairing": empty(language, *PAIRING),
        "empty-alone": empty(language),
    }


def sheet_of(language: str) -> Image.Image:
    """Return the pictures of a language, two in a row."""
    made = [wall_picture(content, SIZE) for content in contents(language).values()]
    sheet = Image.new("RGB", (2 * SIZE[0], (len(made) + 1) // 2 * SIZE[1]))
    for place, picture in enumerate(made):
        sheet.paste(picture, (place % 2 * SIZE[0], place // 2 * SIZE[1]))
    return sheet


@pytest.mark.parametrize("language", languages())
def test_every_picture_looks_as_it_did(language: str) -> None:
    with Image.open(GOLDEN / f"{language}.png") as golden:
        assert ImageChops.difference(golden.convert("RGB"), sheet_of(language)).getbbox() is None


def test_without_a_pin_the_code_stays() -> None:
    content = empty("en", *PAIRING)
    boxes = [wall_picture(replace(content, pin=pin), SIZE).getbbox() for pin in ("", PIN)]
    assert boxes[0] == boxes[1]
    pictures = [wall_picture(replace(content, pin=pin), SIZE).tobytes() for pin in ("", PIN)]
    assert pictures[0] != pictures[1]


def test_there_is_a_golden_picture_for_every_language_and_no_other() -> None:
    assert {file.stem for file in GOLDEN.glob("*")} == set(languages())


@pytest.mark.parametrize("size", [(320, 200), (400, 240), (426, 240), (512, 300), (640, 480), (240, 400)])
@pytest.mark.parametrize("name", contents("en"))
def test_a_picture_of_any_size_is_drawn(name: str, size: tuple[int, int]) -> None:
    assert wall_picture(contents("en")[name], size).size == size


def test_a_dimmed_picture_is_darker() -> None:
    content = sample(NAMED["eternity"])
    lit, dimmed = (max(wall_picture(content, SIZE, dimmed=dark).tobytes()) for dark in (False, True))
    assert (lit, dimmed) == (255, 102)


def test_without_segno_address_and_pin_stand_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "segno", None)
    link = pairing_link("http://10.0.0.9", "A")  # of no other test: codes are cached
    alone, none = (wall_picture(empty("en", "http://10.0.0.9", pin, link), SIZE) for pin in ("000000", ""))
    assert (255, 255, 255) not in {colour for _count, colour in alone.getcolors() or ()}
    assert alone.tobytes() != none.tobytes()


@pytest.mark.parametrize(("seats", "rounds"), [(2, 0), (5, 1), (6, 3), (8, 30)])
@pytest.mark.parametrize("over", [False, True])
def test_other_games_with_long_names_and_many_rounds_are_drawn(seats: int, rounds: int, over: bool) -> None:
    names, heads = tuple(LONG[place % 5] * 2 for place in range(seats)), tuple(map(str, range(rounds)))
    lines = tuple(SeatRow(name, "7", "1 2 3", "many", leads=True) for name in names)
    scores = TableBody("", (*heads, "total"), names, ((*["1"] * rounds, str(rounds)),) * seats)
    course = Course(names, heads, (tuple(range(rounds + 1)),) * seats) if rounds else None
    trump = LargeSymbol("whale", "Whale", "#0046ff", "9")
    table = OpenGame("R1", trump, (), (), lines, "", scores, game="A game", course=course, over=over)
    content = LivePageContent("en", 1, table, Question("Which whale?", begun="Whale"))
    plain = replace(table, seats=tuple(replace(seat, total="") for seat in lines))
    assert wall_picture(replace(content, table=plain), SIZE) != wall_picture(content, SIZE)


def write_anew() -> None:
    """Write the golden pictures."""
    for language in languages():
        sheet_of(language).quantize(32).save(GOLDEN / f"{language}.png", optimize=True)


if __name__ == "__main__":
    write_anew()
