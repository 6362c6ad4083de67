"""The fonts: their characters, how text is drawn, shortened and wrapped, and where a line may break.

That symbols are told apart by their shapes alone is tried in `test_glyphs`.
"""

from __future__ import annotations

import re
import string
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw

from companion.games import GAMES as INSTALLED
from companion.games.kit.tricks import FRENCH_SUITS
from companion.ui.fonts import FaceName, face, pieces, units, with_fallbacks
from companion.ui.live_page.svg import picture
from companion.ui.pictures import PICTURES, has_drawing, large, read_art
from companion.ui.symbols import GLYPHS, glyph
from tests.games.fifth import LAST_STONE
from tools.bake_fonts import DRAWINGS
from tools.catalogues import CATALOGUES, PLURAL, read

TEXT_FACES: tuple[FaceName, ...] = ("text", "small")
NUMERAL_FACES: tuple[FaceName, ...] = ("numerals",)
EACH_TEXT_FACE = pytest.mark.parametrize("name", TEXT_FACES)

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

SUITS = ("sea", "sky", "earth", "red", "black", "sun", "moon", "globe", "noon", "dusk", "night", "dawn", "anyday")
OTHER_SUITS = "coins cups swords batons acorns leaves bells roses shields joker"

PERSONS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Co", "Cn")), min_size=1, max_size=20).filter(str.strip)
"""Player names that a log may contain."""
WORDS = st.text(st.sampled_from("Aki Béa Cyrïl 春菜さくら、。「」ー œuvre iW…!? №\u3000\n"), max_size=40)
LONERS = st.text(st.characters(exclude_categories=("M", "C")), max_size=20)
"""Texts without combining characters."""


def drawn(name: FaceName, text: str) -> Image.Image:
    setting = face(name)
    canvas = Image.new("1", (max(1, setting.width(text)), setting.height))
    setting.draw(canvas, (0, 0), text)
    return canvas


def ink(canvas: Image.Image) -> int:
    return canvas.histogram()[255]


# Characters


@EACH_TEXT_FACE
def test_both_text_faces_hold_every_character_of_the_languages_spoken_at_the_table(name: FaceName) -> None:
    assert [each for each in FRENCH + ENGLISH + LATIN + KANA + KANJI if not face(name).has(each)] == []


@EACH_TEXT_FACE
@pytest.mark.parametrize(
    "letters", ["eéèêëēėęě", "aàáâãäåāăą", "cçćĉċč", "EÉÈÊË", "oôöœ", "1l", "1I", "58", "−+", "uv", "5S"]
)
def test_letters_and_their_accents_differ(name: FaceName, letters: str) -> None:
    assert len({drawn(name, letter).tobytes() for letter in letters}) == len(letters)


@pytest.mark.parametrize(("name", "height"), [("text", 10), ("small", 8), ("cards", 10), ("numerals", 16)])
def test_each_face_is_as_high_as_the_screens_rely_on_and_its_digits_line_up_and_differ(
    name: FaceName, height: int
) -> None:
    assert face(name).height == height
    assert len({drawn(name, digit).tobytes() for digit in string.digits}) == 10
    assert name == "cards" or len({face(name).width(digit) for digit in string.digits}) == 1
    assert name not in NUMERAL_FACES or all(face(name).has(character) for character in "0123456789-−+. ")


@pytest.mark.parametrize("name", [*TEXT_FACES, "cards", *NUMERAL_FACES])
def test_nothing_is_drawn_outside_the_line_box(name: FaceName) -> None:
    setting = face(name)
    signs = "".join(GLYPHS.values()) * (name not in NUMERAL_FACES)
    letters = LATIN + ENGLISH + KANA + KANJI[:500] if name in TEXT_FACES else "0123456789-+."
    for character in letters + signs:
        canvas = Image.new("1", (40, setting.height + 20))
        setting.draw(canvas, (10, 10), character)
        left, top, right, bottom = canvas.getbbox() or (10, 10, 10, 10)
        assert (left >= 10, top >= 10) == (True, True), character
        assert (right <= 10 + setting.width(character), bottom <= 10 + setting.height) == (True, True), character


@EACH_TEXT_FACE
def test_every_symbol_is_in_both_text_faces_and_no_higher_than_the_line(name: FaceName) -> None:
    drawings = read_art(DRAWINGS / f"inline-{10 if name == 'text' else 8}.txt")
    assert drawings.keys() == GLYPHS.keys() >= set(PICTURES)
    for symbol, character in GLYPHS.items():
        assert face(name).has(character), symbol
        assert len(drawings[symbol].rows) <= face(name).height, symbol
        assert drawn(name, character).getbbox() is not None, symbol


def test_laid_cards_have_ranks_and_suits_higher_than_any_line_of_text() -> None:
    assert all(face("cards").has(character) for character in (*string.digits, *"A ", *GLYPHS.values()))
    for character in (*string.digits, "A", *map(glyph, SUITS)):
        _left, top, _right, bottom = drawn("cards", character).getbbox() or (0, 0, 0, 0)
        assert bottom - top == 10, character


def test_playing_cards_are_drawn_in_every_size() -> None:
    suits = [*FRENCH_SUITS, *OTHER_SUITS.split()]
    assert set(suits) <= set(PICTURES)
    assert all(face(name).has(GLYPHS[suit]) for name in (*TEXT_FACES, "cards") for suit in suits)
    assert all(face(name).has(rank) for name in (*TEXT_FACES, "cards", *NUMERAL_FACES) for rank in "JQKA")


# Large drawings


def test_large_drawings_fill_the_room_that_is_read_from_two_metres() -> None:
    for name in PICTURES:
        image = large(name, "")
        left, top, right, bottom = image.getbbox() or (0, 0, 0, 0)
        assert (image.mode, image.size) == ("1", (32, 32))
        assert max(right - left, bottom - top) == 32, name
        assert min(right - left, bottom - top) >= 24, name


@pytest.mark.parametrize(("word", "times"), [("Sky", 2), ("海", 2), ("Mountain", 3), ("Étoile polaire", 2)])
def test_a_large_drawing_that_nobody_has_made_is_its_word_or_first_letter_enlarged(word: str, times: int) -> None:
    made = large("lava", word)
    left, top, right, bottom = made.getbbox() or (0, 0, 0, 0)
    assert made.size == (32, 32)
    assert max(right - left, bottom - top) > 32 * times // (times + 1)


def test_without_a_drawing_a_name_stands_in_and_without_a_name_nothing() -> None:
    assert large("L", "") == large("lava", "L")
    assert large("", "").getbbox() is None
    assert large("sea", "Sky") == large("sea", "Sea") != large("", "Sky")
    assert (glyph("sea"), glyph("lava")) == (GLYPHS["sea"], "lava")


@pytest.mark.parametrize("rows", ["##\n#\n", "#x\n"])
def test_a_drawing_of_ragged_rows_or_other_signs_is_refused(tmp_path: Path, rows: str) -> None:
    art = tmp_path / "art.txt"
    art.write_text(f"@ pebble\n{rows}", encoding="utf-8")
    with pytest.raises(ValueError, match="pebble"):
        read_art(art)


def test_a_large_drawing_in_a_games_package_is_scaled_and_centred(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "stones"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "drawings.txt").write_text("@ stone\n.##.\n####\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert not has_drawing("stone")
    monkeypatch.setitem(
        INSTALLED, "last-stone", replace(LAST_STONE, optional=replace(LAST_STONE.optional, package="stones"))
    )
    large.cache_clear()
    assert has_drawing("stone")
    assert large("stone", "Stone").getbbox() == (0, 8, 32, 24)
    assert picture("stone", "Pebble").box == "0 0 32 32"
    sys.modules.pop("stones", None)
    large.cache_clear()


# What a face lacks


def test_numerals_draw_a_box_for_a_character_they_lack_and_never_nothing() -> None:
    for name in NUMERAL_FACES:
        for stranger in "🂡ກ\u0301\n":
            assert not face(name).has(stranger)
            assert ink(drawn(name, stranger)) > 0, (name, stranger)


@EACH_TEXT_FACE
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
        (unicodedata.normalize("NFD", "Béa Cyrïl が"), "Béa Cyrïl が"),
    ],
)
def test_what_a_text_face_lacks_is_spelled_in_latin_letters(name: FaceName, written: str, shown: str) -> None:
    assert drawn(name, written).tobytes() == drawn(name, shown).tobytes()
    assert face(name).width(written) == face(name).width(shown)


@EACH_TEXT_FACE
def test_what_a_text_face_holds_is_never_spelled_nor_is_nothing(name: FaceName) -> None:
    for text in ("", "Béa œuvre Œ", "はるな", "春菜さん", *GLYPHS.values()):
        assert with_fallbacks(text, face(name).has) == text


@EACH_TEXT_FACE
@given(text=PERSONS)
def test_every_character_of_a_name_in_any_script_leaves_ink(name: FaceName, text: str) -> None:
    assert ink(drawn(name, text)) > 0
    for character in unicodedata.normalize("NFC", text):
        if unicodedata.category(character)[0] not in "MCZ" and not character.isspace():
            assert ink(drawn(name, character)) > 0, ascii(character)


def test_a_table_whose_names_the_faces_hold_imports_no_other_scripts() -> None:
    shown = "from companion.ui.fonts import face; face('text').width('Béa 春菜')"
    program = f"import sys; {shown}; print('anyascii' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said == "False\n"


# Ink


def test_text_is_crisp_on_a_grey_picture() -> None:
    canvas = Image.new("L", (80, 11))
    pen = ImageDraw.Draw(canvas)
    face("text").draw(pen, (0, 0), "Béa 春菜")
    shades = canvas.histogram()
    assert sum(shades[1:255]) == 0
    assert shades[255] > 0
    assert pen.fontmode != "1"


@EACH_TEXT_FACE
def test_a_letter_in_reverse_is_closed_on_every_side_even_where_nothing_is_lit(name: FaceName) -> None:
    for character in f"Égjp言{GLYPHS['sea']}":
        dark, lit = Image.new("1", (30, 20)), Image.new("1", (30, 20))
        face(name).draw(dark, (5, 5), character, ink=0)
        face(name).draw(lit, (5, 5), character)
        for x, y in ((x, y) for x in range(1, 29) for y in range(1, 19) if lit.getpixel((x, y))):
            around = lit.crop((x - 1, y - 1, x + 2, y + 2)), dark.crop((x - 1, y - 1, x + 2, y + 2))
            assert ImageChops.logical_xor(*around).getextrema() == (255, 255), (character, x, y)


def test_drawing_tells_where_the_next_text_may_begin() -> None:
    canvas = Image.new("1", (face("text").width("Béa 3"), face("text").height))
    after = face("text").draw(canvas, (0, 0), "Béa ")
    face("text").draw(canvas, (after, 0), "3")
    assert canvas.tobytes() == drawn("text", "Béa 3").tobytes()


@given(text=LONERS, more=LONERS)
def test_widths_add_up(text: str, more: str) -> None:
    setting, both = face("text"), unicodedata.normalize("NFC", text + more)
    assume(not any(unicodedata.category(character).startswith("M") for character in both))  # NFC decomposes some
    assert setting.width(both) == sum(setting.width(character) for character in both)


# Room


@pytest.mark.parametrize(
    ("text", "room", "shown"),
    [
        ("Maximilienne-Éléonore", "Maximilien…", "Maximilien…"),
        ("张伟", "Zhan…", "Zhan…"),  # as many of its Latin letters as there is room for
        ("Béa", "Béa", "Béa"),
        (unicodedata.normalize("NFD", "Béa Cyrïl が"), "Béa Cyrïl が", "Béa Cyrïl が"),
        ("Aki and Béa", "Aki …", "Aki…"),  # no space before the ellipsis
        ("Béa", "", ""),
    ],
)
def test_a_name_too_long_for_its_room_ends_in_an_ellipsis(text: str, room: str, shown: str) -> None:
    assert face("text").fit(text, face("text").width(room)) == shown


@EACH_TEXT_FACE
@given(text=PERSONS | st.text(max_size=30), width=st.integers(0, 128))
def test_a_fitted_text_is_never_wider_than_its_room_and_whole_or_ends_in_an_ellipsis(
    name: FaceName, text: str, width: int
) -> None:
    shown = face(name).fit(text, width)
    assert face(name).width(shown) <= width
    whole = drawn(name, shown).tobytes() == drawn(name, text).tobytes()
    assert whole or shown.endswith("…") or width < face(name).width("W…")


# Where a line breaks


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("Trump is now the sky, and Béa leads.", 80, ["Trump is now", "the sky, and", "Béa leads."]),
        ("切り札は海です", 30, ["切り札", "は", "海です"]),
        ("Anticonstitutionnellement", 50, ["Anticonsti", "tutionnell", "ement"]),
        ("Aki\n\nBéa", 100, ["Aki", "", "Béa"]),
        ("インストールします", 75, ["インストールし", "ます"]),
        ("インストール", 35, ["インス", "トール"]),
    ],
)
def test_a_sentence_is_wrapped_into_lines(text: str, width: int, lines: list[str]) -> None:
    assert face("text").wrap(text, width) == lines


@EACH_TEXT_FACE
@given(text=WORDS | st.text(max_size=40), width=st.just(1) | st.integers(20, 128))
def test_wrapping_loses_no_character_but_spaces_and_no_line_is_too_wide(name: FaceName, text: str, width: int) -> None:
    lines = face(name).wrap(text, width)
    whole = "".join(line for part in text.split("\n") for line in face(name).wrap(part, 10_000))
    assert "".join("".join(lines).split()) == "".join(whole.split())
    assert width == 1 or all(face(name).width(line) <= width for line in lines)


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
    "phrases",
    [
        "はるなの メニュー",
        "カードがあります。 もう 一度",
        "海5、 Béatriceの 番",
        "トリック10枚",
        "#で開始、 *で元のまま",
        "「設定」の 「スマホ」で",
        "再試行中です",
        "やり直す 入力がありません",
        "切り札を 取り消しました",
        "君主がいません。 ご確認ください",
        "0\u00a0なし、 1\u00a0小",
    ],
)
def test_a_japanese_line_breaks_between_phrases(phrases: str) -> None:
    assert " ".join(unit for _gap, unit in units(phrases.replace(" ", ""))) == phrases


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A=クラブ B=ダイヤ", ["A=クラブ", "B=ダイヤ"]),
        ("Aki pose 3 ? Non.", ["Aki", "pose", "3\u00a0?", "Non."]),
        ("« Tour » : à vous !", ["«\u00a0Tour\u00a0»\u00a0:", "à", "vous\u00a0!"]),
        ("", []),
    ],
)
def test_a_mark_stays_with_its_word(text: str, expected: list[str]) -> None:
    assert [unit for _gap, unit in units(text)] == expected


def test_a_phrase_that_is_wider_than_a_line_keeps_its_words_of_katakana() -> None:
    assert pieces("インストールします") == ["インストール", "し", "ま", "す"]
    assert "".join(pieces("# 「決定」")) == "# 「決定」"


@EACH_TEXT_FACE
def test_no_japanese_sentence_is_torn(name: FaceName) -> None:
    said = read(CATALOGUES / "ja" / "LC_MESSAGES" / "companion.po").values()
    for words in {form for each in said for form in re.split(f"{PLURAL}|\u3000", each)}:
        lines = "\n".join(face(name).wrap(words, 122))
        assert not [torn for torn in TORN if re.search(torn, lines)], lines
