"""Lines break where readers expect it: no word, name, card or key is torn apart."""

from __future__ import annotations

import re

import pytest

from companion.ui.fonts import FaceName, face
from companion.ui.fonts.break_points import pieces, units
from tools.catalogues import CATALOGUES, PLURAL, read

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
