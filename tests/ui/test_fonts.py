"""The fonts: their characters, how text is drawn, shortened and wrapped, and that symbols are distinguishable.

Lines break where readers expect it: no word, name, card or key is torn apart. The signs of playing cards are drawn once
for all games; other large drawings lie in a game's package.
"""

from __future__ import annotations

import re
import string
import subprocess
import sys
import unicodedata
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw

from companion.games import GAMES as INSTALLED
from companion.games.kit.playing_cards import FRENCH_SUITS
from companion.ui import fonts
from companion.ui.fonts import BitmapFont, FaceName, face, pieces, units, with_fallbacks
from companion.ui.live_page.svg import picture_path
from companion.ui.pictures import PICTURES, has_drawing, large, read_art
from companion.ui.symbols import GLYPHS, glyph
from tests.games.fifth import LAST_STONE
from tools.bake_fonts import DRAWINGS
from tools.catalogues import CATALOGUES, PLURAL, read

TEXT_FACES: tuple[FaceName, ...] = ("text", "small")
NUMERAL_FACES: tuple[FaceName, ...] = ("numerals", "display")

FRENCH = "àâäæçéèêëîïôöœùûüÿÀÂÄÆÇÉÈÊËÎÏÔÖŒÙÛÜŸ«»€…–—’‘“”°\u00a0\u202f"
ENGLISH = string.ascii_letters + string.digits + string.punctuation + " "
LATIN = "".join(map(chr, (*range(0xA1, 0xAD), *range(0xAE, 0x180)))).replace("ŉ", "")
KANA = "".join(map(chr, (*range(0x3041, 0x3094), *range(0x30A1, 0x30F7), *range(0xFF61, 0xFFA0)))) + "ーゝゞ々、。「」"
KANJI = "".join(
    bytes((row, column)).decode("euc_jp")
    for row in range(0xB0, 0xF5)
    for column in range(0xA1, 0xFF)
    if not (row == 0xCF and column > 0xD3) and not (row == 0xF4 and column > 0xA6)
)
GAMES = {
    "eternity": ("sea", "sky", "earth"),
    "gear": ("red", "black", "mixed"),
    "hipparchus": ("sun", "moon", "globe"),
    "east rune": ("noon", "dusk", "night", "dawn", "anyday"),
}
"""The large drawings of each game, which must be distinguishable."""
PLATE = (26, 20)
"""Size in pixels of the dark plate behind a two-digit rank."""
NOT_AT_THE_START = "、。」）ー！？」』っゃ"

PERSONS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Co", "Cn")), min_size=1, max_size=20).filter(str.strip)
"""Player names that a log may contain."""

WORDS = st.text(st.sampled_from("Aki Béa Cyrïl 春菜さくら、。「」ー œuvre iW…!? №\u3000\n"), max_size=40)


def drawn(name: FaceName, text: str) -> Image.Image:
    setting = face(name)
    canvas = Image.new("1", (max(1, setting.width(text)), setting.height))
    setting.draw(canvas, (0, 0), text)
    return canvas


def boxed(name: FaceName) -> bytes:
    """Return the pixels of the replacement box."""
    setting = face(name)
    canvas = Image.new("1", (round(setting._font.getlength("\ufffd")), setting.height))
    ImageDraw.Draw(canvas).text((0, setting.ascent), "\ufffd", fill=255, font=setting._font, anchor="ls")
    assert ink(canvas) > 0
    return canvas.tobytes()


def ink(canvas: Image.Image) -> int:
    return canvas.histogram()[255]


def blurred_difference(one: Image.Image, other: Image.Image, cells: int) -> float:
    """Return the mean difference of two pictures seen from afar: 0 if equal, 1 if opposite."""
    pair = []
    for image in (one, other):
        square = Image.new("L", (36, 36))
        grey = image.convert("L")
        square.paste(grey, ((36 - image.width) // 2, (36 - image.height) // 2))
        pair.append(square.resize((cells, cells), Image.Resampling.BOX))
    shades = ImageChops.difference(*pair).histogram()
    return sum(level * count for level, count in enumerate(shades)) / 255 / cells**2


def plated(name: str) -> Image.Image:
    """Return a large drawing with the dark plate of a two-digit rank in its middle."""
    image = large(name, "").copy()
    width, height = PLATE
    left, top = (image.width - width) // 2, (image.height - height) // 2
    image.paste(0, (left, top, left + width, top + height))
    return image


@pytest.mark.parametrize("name", TEXT_FACES)
@pytest.mark.parametrize(
    "characters", [FRENCH, ENGLISH, LATIN, KANA, KANJI], ids=["fr", "en", "latin", "kana", "kanji"]
)
def test_both_text_faces_hold_every_character_of_the_languages_spoken_at_the_table(
    name: FaceName, characters: str
) -> None:
    assert [character for character in characters if not face(name).has(character)] == []


@pytest.mark.parametrize("name", TEXT_FACES)
@pytest.mark.parametrize(
    "letters", ["eéèêëēėęě", "aàáâãäåāăą", "cçćĉċč", "EÉÈÊË", "oôöœ", "1l", "1I", "58", "−+", "uv", "5S"]
)
def test_letters_and_their_accents_differ(name: FaceName, letters: str) -> None:
    for one, other in combinations(letters, 2):
        assert drawn(name, one).tobytes() != drawn(name, other).tobytes(), (one, other)


@pytest.mark.parametrize("name", TEXT_FACES)
def test_digits_are_of_one_width_so_that_columns_line_up(name: FaceName) -> None:
    assert len({face(name).width(digit) for digit in string.digits}) == 1


@pytest.mark.parametrize("name", NUMERAL_FACES)
def test_numerals_hold_signed_numbers_and_are_of_one_width(name: FaceName) -> None:
    numerals = face(name)
    assert all(numerals.has(character) for character in "0123456789-−+. ")
    assert len({numerals.width(digit) for digit in string.digits}) == 1
    assert len({drawn(name, digit).tobytes() for digit in string.digits}) == 10


@pytest.mark.parametrize(
    ("name", "height"), [("text", 10), ("small", 8), ("cards", 10), ("numerals", 16), ("display", 28)]
)
def test_each_face_is_as_high_as_the_screens_rely_on(name: FaceName, height: int) -> None:
    assert face(name).height == height


@pytest.mark.parametrize("name", [*TEXT_FACES, "cards", *NUMERAL_FACES])
def test_nothing_is_drawn_outside_the_line_box(name: FaceName) -> None:
    setting = face(name)
    signs = "".join(GLYPHS.values()) * (name not in NUMERAL_FACES)
    letters = LATIN + ENGLISH + KANA + KANJI[:500] if name in TEXT_FACES else "0123456789-+."
    sample = letters + signs
    for character in sample:
        canvas = Image.new("1", (40, setting.height + 20))
        setting.draw(canvas, (10, 10), character)
        if box := canvas.getbbox():
            assert box[1] >= 10, character
            assert box[3] <= 10 + setting.height, character
            assert box[0] >= 10, character
            assert box[2] <= 10 + setting.width(character), character


@pytest.mark.parametrize("name", TEXT_FACES)
def test_every_symbol_is_in_both_text_faces_and_no_higher_than_the_line(name: FaceName) -> None:
    drawings = read_art(DRAWINGS / f"inline-{10 if name == 'text' else 8}.txt")
    assert drawings.keys() == GLYPHS.keys()
    for symbol, character in GLYPHS.items():
        assert face(name).has(character), symbol
        assert len(drawings[symbol].rows) <= face(name).height, symbol
        assert drawn(name, character).getbbox() is not None, symbol


def test_laid_cards_have_ranks_and_suits_higher_than_any_line_of_text() -> None:
    suits = {sign for signs in GAMES.values() for sign in signs} - {"mixed"}
    assert all(face("cards").has(character) for character in (*string.digits, *"A ", *GLYPHS.values()))
    for character in (*string.digits, "A", *(GLYPHS[suit] for suit in suits)):
        box = drawn("cards", character).getbbox()
        assert box is not None
        assert box[3] - box[1] == 10, character
    assert len({drawn("cards", character).tobytes() for character in (*string.digits, "A")}) == 11


@pytest.mark.parametrize("name", [*TEXT_FACES, "cards"])
def test_symbols_in_a_line_cannot_be_mistaken_for_one_another(name: FaceName) -> None:
    for one, other in combinations(GLYPHS, 2):
        pair = [drawn(name, GLYPHS[symbol]) for symbol in (one, other)]
        width, height = max(image.width for image in pair), face(name).height
        canvases = [Image.new("1", (width, height)) for _ in pair]
        for canvas, image in zip(canvases, pair, strict=True):
            canvas.paste(image, (0, 0))
        different = ink(ImageChops.logical_xor(*canvases))
        assert different >= 0.25 * min(map(ink, canvases)), (one, other)


def test_large_drawings_fill_the_room_that_is_read_from_two_metres() -> None:
    for name in PICTURES:
        image = large(name, "")
        box = image.getbbox()
        assert image.mode == "1"
        assert image.size == (32, 32)
        assert box is not None
        sides = box[2] - box[0], box[3] - box[1]
        assert max(sides) == 32, name
        assert min(sides) >= 24, name


@pytest.mark.parametrize("game", GAMES)
def test_large_drawings_of_a_game_stay_apart_when_blurred_to_a_quarter_of_their_size(game: str) -> None:
    for one, other in combinations(GAMES[game], 2):
        assert blurred_difference(large(one, ""), large(other, ""), 9) > 0.25, (one, other)


def test_gears_are_told_apart_by_their_rims_when_a_rank_covers_their_middle() -> None:
    bare = blurred_difference(Image.new("1", PLATE), Image.new("1", PLATE, 255), 9)
    assert blurred_difference(plated("red"), plated("black"), 9) > 0.25 * (1 - bare)


def test_every_large_drawing_has_a_small_one_of_the_same_name() -> None:
    assert set(PICTURES) <= GLYPHS.keys()


@pytest.mark.parametrize(("word", "times"), [("Sky", 2), ("海", 2), ("Mountain", 3), ("Étoile polaire", 2)])
def test_a_large_drawing_that_nobody_has_made_is_its_word_or_first_letter_enlarged(word: str, times: int) -> None:
    made = large("lava", word)
    assert made.size == (32, 32)
    ink = made.getbbox()
    assert ink is not None
    assert max(ink[2] - ink[0], ink[3] - ink[1]) > 32 * times // (times + 1)


def test_a_large_drawing_without_a_word_is_its_name_and_without_a_name_it_is_blank() -> None:
    assert large("L", "") == large("lava", "L")
    assert large("", "").getbbox() is None
    assert large("sea", "Sky") == large("sea", "Sea") != large("", "Sky")


def test_a_glyph_that_nobody_has_drawn_is_its_name() -> None:
    assert glyph("sea") == GLYPHS["sea"]
    assert glyph("lava") == "lava"


def test_a_drawing_of_ragged_rows_is_refused(tmp_path: Path) -> None:
    art = tmp_path / "ragged.txt"
    art.write_text("@ ragged\n##\n#\n", encoding="utf-8")
    with pytest.raises(ValueError, match="ragged"):
        read_art(art)


def test_a_drawing_of_other_signs_is_refused(tmp_path: Path) -> None:
    art = tmp_path / "odd.txt"
    art.write_text("@ odd\n#x\n", encoding="utf-8")
    with pytest.raises(ValueError, match="odd"):
        read_art(art)


def test_numerals_draw_a_box_for_a_character_they_lack_and_never_nothing() -> None:
    for name in NUMERAL_FACES:
        for stranger in "🂡ກ\u0301\n":
            assert not face(name).has(stranger)
            assert ink(drawn(name, stranger)) > 0, (name, stranger)


@pytest.mark.parametrize("name", TEXT_FACES)
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("محمد", "mhmd"),
        ("김철수", "GimCheolSu"),
        ("นภา", "npha"),
        ("नेहा", "neha"),
        ("שרה", "srh"),
        ("Béa 张", "Béa Zhang"),
        ("🇫🇷", "FR"),
        ("q\u0303", "q"),  # has no composed form
        ("\u0301", "?"),
        (" \u0301", " ?"),
        ("\ufffd", "?"),
        ("\U0010fffd", "?"),
        ("\U0001fbff", "?"),  # unassigned
        ("\u3164", "?"),  # Hangul filler
        ("a\u200db", "ab"),
        ("a\u00adb", "ab"),
        ("a\tb\u2028c", "a b c"),
    ],
)
def test_what_a_text_face_lacks_is_spelled_in_latin_letters(name: FaceName, written: str, shown: str) -> None:
    assert drawn(name, written).tobytes() == drawn(name, shown).tobytes()
    assert face(name).width(written) == face(name).width(shown)


def test_nothing_is_spelled_as_nothing() -> None:
    assert with_fallbacks("", str.isascii) == ""


@pytest.mark.parametrize("name", TEXT_FACES)
def test_what_a_text_face_holds_is_never_spelled(name: FaceName) -> None:
    for text in ("Béa œuvre Œ", "はるな", "春菜さん", *GLYPHS.values()):
        assert with_fallbacks(text, face(name).has) == text


def room_of_its_own(character: str) -> bool:
    return unicodedata.category(character)[0] not in "MCZ" and not character.isspace()


@pytest.mark.parametrize("name", TEXT_FACES)
@given(text=PERSONS)
def test_every_character_of_a_name_in_any_script_leaves_ink_and_none_is_a_box(name: FaceName, text: str) -> None:
    assert ink(drawn(name, text)) > 0
    box = boxed(name)
    for character in filter(room_of_its_own, unicodedata.normalize("NFC", text)):
        assert ink(drawn(name, character)) > 0, ascii(character)
        assert drawn(name, character).tobytes() != box, ascii(character)


@pytest.mark.parametrize("name", TEXT_FACES)
@given(text=PERSONS, width=st.integers(20, 128))
def test_a_name_in_any_script_fits_its_room_or_ends_in_an_ellipsis(name: FaceName, text: str, width: int) -> None:
    shown = face(name).fit(text, width)
    assert face(name).width(shown) <= width
    assert drawn(name, shown).tobytes() == drawn(name, text).tobytes() or shown.endswith("…")


def test_a_table_whose_names_the_faces_hold_imports_no_other_scripts() -> None:
    shown = "from companion.ui.fonts import face; face('text').width('Béa 春菜')"
    program = f"import sys; {shown}; print('anyascii' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said == "False\n"


def test_a_name_typed_with_combining_accents_looks_as_if_typed_whole() -> None:
    apart = unicodedata.normalize("NFD", "Béa Cyrïl が")
    assert drawn("text", apart).tobytes() == drawn("text", "Béa Cyrïl が").tobytes()
    assert face("text").fit(apart, 200) == "Béa Cyrïl が"


def test_text_is_crisp_on_a_grey_picture() -> None:
    canvas = Image.new("L", (80, 11))
    pen = ImageDraw.Draw(canvas)
    face("text").draw(pen, (0, 0), "Béa 春菜")
    shades = canvas.histogram()
    assert sum(shades[1:255]) == 0
    assert shades[255] > 0
    assert pen.fontmode != "1"


def test_ink_can_be_paper_for_a_line_in_reverse() -> None:
    canvas = Image.new("1", (30, 10), 255)
    face("text").draw(canvas, (0, 0), "Béa", ink=0)
    assert ink(canvas) == 30 * 10 - ink(drawn("text", "Béa"))


@pytest.mark.parametrize("name", TEXT_FACES)
def test_a_letter_in_reverse_is_closed_on_every_side_even_where_nothing_is_lit(name: FaceName) -> None:
    for character in f"Égjp言{GLYPHS['sea']}":
        dark, lit = Image.new("1", (30, 20)), Image.new("1", (30, 20))
        face(name).draw(dark, (5, 5), character, ink=0)
        face(name).draw(lit, (5, 5), character)
        for x, y in ((x, y) for x in range(1, 29) for y in range(1, 19) if lit.getpixel((x, y))):
            around = lit.crop((x - 1, y - 1, x + 2, y + 2)), dark.crop((x - 1, y - 1, x + 2, y + 2))
            assert ImageChops.logical_xor(*around).getextrema() == (255, 255), (character, x, y)


def test_drawing_tells_where_the_next_text_may_begin() -> None:
    canvas = Image.new("1", (128, 11))
    after = face("text").draw(canvas, (5, 0), "Béa ")
    face("text").draw(canvas, (after, 0), "3")
    whole = Image.new("1", (128, 11))
    face("text").draw(whole, (5, 0), "Béa 3")
    assert canvas.tobytes() == whole.tobytes()


def test_a_name_too_long_for_its_room_ends_in_an_ellipsis() -> None:
    short = face("text").fit("Maximilienne-Éléonore", 60)
    assert short.endswith("…")
    assert "Maximilienne-Éléonore".startswith(short[:-1])
    assert len(short) > 6


def test_of_a_name_in_another_script_as_many_letters_are_seen_as_there_is_room_for() -> None:
    assert face("text").fit("张伟", face("text").width("Zhan…")) == "Zhan…"


def test_a_name_that_fits_is_left_alone() -> None:
    assert face("text").fit("Béa", face("text").width("Béa")) == "Béa"


def test_no_space_stands_before_the_ellipsis() -> None:
    room = face("text").width("Aki …")
    assert face("text").fit("Aki and Béa", room) == "Aki…"


def test_no_room_at_all_leaves_nothing() -> None:
    assert face("text").fit("Béa", 2) == ""


@pytest.mark.parametrize("name", TEXT_FACES)
@given(text=st.text(max_size=30), width=st.integers(0, 128))
def test_a_fitted_text_is_never_wider_than_its_room(name: FaceName, text: str, width: int) -> None:
    assert face(name).width(face(name).fit(text, width)) <= width


LONERS = st.text(st.characters(exclude_categories=("M", "C")), max_size=20)
"""Texts without combining characters."""


@given(text=LONERS, more=LONERS)
def test_widths_add_up(text: str, more: str) -> None:
    setting, both = face("text"), unicodedata.normalize("NFC", text + more)
    assume(not any(unicodedata.category(character).startswith("M") for character in both))  # NFC decomposes some
    assert setting.width(both) == sum(setting.width(character) for character in both)


def test_a_sentence_breaks_between_words() -> None:
    lines = face("text").wrap("Trump is now the sky, and Béa leads.", 80)
    assert " ".join(lines) == "Trump is now the sky, and Béa leads."
    assert len(lines) > 1


def test_a_japanese_sentence_breaks_within_a_phrase_only_where_a_line_is_short() -> None:
    assert face("text").wrap("切り札は海です", 30) == ["切り札", "は", "海です"]


def test_no_line_begins_with_a_closing_mark_or_ends_with_an_opening_one() -> None:
    lines = face("text").wrap("春菜、さくら。「東ルーン」は、楽しいですか？", 50)
    assert all(line[0] not in NOT_AT_THE_START for line in lines)
    assert all(line[-1] not in "「（" for line in lines)


def test_a_french_mark_stays_with_its_word() -> None:
    lines = [line.replace("\u00a0", " ") for line in face("text").wrap("« Tour » : à vous !", 60)]
    assert all(line[0] not in ":!»" and line[-1] != "«" for line in lines)


def test_a_word_longer_than_a_line_is_broken() -> None:
    lines = face("text").wrap("Anticonstitutionnellement", 50)
    assert "".join(lines) == "Anticonstitutionnellement"
    assert all(face("text").width(line) <= 50 for line in lines)


def test_a_line_break_in_the_text_is_kept() -> None:
    assert face("text").wrap("Aki\n\nBéa", 100) == ["Aki", "", "Béa"]


@pytest.mark.parametrize("name", TEXT_FACES)
@given(text=WORDS | st.text(max_size=40), width=st.integers(20, 128))
def test_wrapping_loses_no_character_but_spaces_and_no_line_is_too_wide(name: FaceName, text: str, width: int) -> None:
    lines = face(name).wrap(text, width)
    shown = "".join(map(face(name)._drawable, text.split("\n")))
    assert "".join("".join(lines).split()) == "".join(shown.split())
    assert all(face(name).width(line) <= width for line in lines)


@given(text=WORDS)
def test_even_a_line_narrower_than_a_character_comes_to_an_end(text: str) -> None:
    lines = face("text").wrap(text, 1)
    shown = "".join(map(face("text")._drawable, text.split("\n")))
    assert "".join("".join(lines).split()) == "".join(shown.split())


def test_a_face_is_opened_once() -> None:
    assert face("text") is face("text")
    assert isinstance(face("text"), BitmapFont)


# Drawings of games


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
        INSTALLED, "last-stone", replace(LAST_STONE, optional=replace(LAST_STONE.optional, package="stones"))
    )
    large.cache_clear()
    assert has_drawing("stone")
    assert large("stone", "Stone").getbbox() == (0, 8, 32, 24)
    assert picture_path("stone", "Pebble")[1:] == (32, 32)
    sys.modules.pop("stones", None)
    large.cache_clear()


# Where a line breaks


KATAKANA = "[\u30a1-\u30fa\u30fc-\u30ff]"
TORN = (
    rf"{KATAKANA}\n{KATAKANA}",
    r"[\u4e00-\u9fff]\n\d",
    r"\d\n[枚件回人点勝行]",
    r"[\u4e00-\u9fff]\n[\u3041-\u309f]",
    r"[#*]\n",
    r"\n[、。：」）？！ーっッゃャゅュょョ]",
    r"[「（]\n",
)
"""What no line break may part: katakana, a suit and its rank, a number and its counter, a verb, a key; kinsoku."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("はるなのメニュー", "はるなの メニュー"),
        ("カードがあります。もう一度", "カードがあります。 もう 一度"),
        ("海5、Béatriceの番", "海5、 Béatriceの 番"),
        ("トリック10枚", "トリック10枚"),
        ("#で開始、*で元のまま", "#で開始、 *で元のまま"),
        ("「設定」の「スマホ」で", "「設定」の 「スマホ」で"),
        ("再試行中です", "再試行中です"),
        ("やり直す入力がありません", "やり直す 入力がありません"),
        ("切り札を取り消しました", "切り札を 取り消しました"),
        ("君主がいません。ご確認ください", "君主がいません。 ご確認ください"),
        ("0\u00a0なし、1\u00a0小", "0\u00a0なし、 1\u00a0小"),
        ("A=クラブ B=ダイヤ", "A=クラブ B=ダイヤ"),
        ("Aki pose 3 ? Non.", "Aki pose 3\u00a0? Non."),
        ("", ""),
    ],
)
def test_a_line_breaks_between_phrases(text: str, expected: str) -> None:
    assert " ".join(unit for _gap, unit in units(text)) == expected


def test_a_phrase_that_is_wider_than_a_line_keeps_its_words_of_katakana() -> None:
    assert pieces("インストールします") == ["インストール", "し", "ま", "す"]
    assert "".join(pieces("# 「決定」")) == "# 「決定」"
    assert face("text").wrap("インストールします", 75) == ["インストールし", "ます"]
    assert face("text").wrap("インストール", 35) == ["インス", "トール"]


@pytest.mark.parametrize("name", ["text", "small"])
def test_no_japanese_sentence_is_torn(name: FaceName) -> None:
    said = read(CATALOGUES / "ja" / "LC_MESSAGES" / "companion.po").values()
    for words in {form for each in said for form in re.split(f"{PLURAL}|\u3000", each)}:
        lines = "\n".join(face(name).wrap(words, 122))
        assert not [torn for torn in TORN if re.search(torn, lines)], lines


def test_where_a_line_may_break_is_worked_out_when_it_is_first_asked() -> None:
    fonts._patterns.cache_clear()
    assert face("text").wrap("one two", face("text").width("one t")) == ["one", "two"]
