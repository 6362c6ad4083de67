"""Where a line may break: at spaces, and between the phrases of Japanese.

A phrase is a run of one script with the particles behind it. So a line breaks within no katakana word, no name, not
between a suit and its rank, a number and its counter, or a key and its verb. No line begins with a closing sign or ends
with an opening one (kinsoku).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

_NO_START: Final = (
    "、。，．・：；？！」』）］｝〕〉》】ー々ゝゞヽヾ゛゜｡､｣･ｰﾞﾟ…‥’”),.:;!?]}»%"
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
)
_NO_END: Final = "「『（［｛〔〈《【｢([{«‘“"
_CJK: Final = r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]"
_HIRAGANA: Final = r"[\u3041-\u309f]"
_KATAKANA: Final = r"[\u30a1-\u30fa\u30fc-\u30ff]"
_KANJI: Final = r"[\u4e00-\u9fff々]"
_KEY: Final = r"[#*●‹›][ \u3000]?で?"
_SPACES: Final = " \t\u3000"


def units(paragraph: str) -> Iterator[tuple[str, str]]:
    """Yield the unbreakable units of a paragraph, each with the spaces before it.

    >>> [unit for _gap, unit in units("海5、はるなの番。*で1つ戻る")]
    ['海5、はるなの', '番。', '*で1つ', '戻る']
    """
    french_space, unit, _piece = _patterns()
    for match in unit.finditer(french_space.sub("\u00a0", paragraph)):
        if match["unit"]:
            yield match["gap"], match["unit"]


def pieces(unit: str) -> list[str]:
    """Return the pieces of a unit that is wider than a line: words of katakana stay whole, if a line can hold them.

    >>> pieces("インストールしました。")
    ['インストール', 'し', 'ま', 'し', 'た。']
    """
    _french_space, _unit, piece = _patterns()
    return piece.findall(unit)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the compiled patterns; compiled on first use to keep start-up fast."""
    starts, ends = re.escape(_NO_END), re.escape(_NO_START)
    word = rf"(?:(?!{_CJK})[^{_SPACES}])+"
    kanji = rf"{_KANJI}+(?:[りれきえち]{_KANJI}+)?"  # also a compound such as 取り消す
    run = rf"(?:{_KATAKANA}+|{kanji}|(?!{_HIRAGANA}){_CJK})"
    counted = rf"\d*{run}(?:\d+{run}?)?"
    suffix = rf"{_HIRAGANA}*[{ends}]*(?:(?<=[」』）]){_HIRAGANA}+[{ends}]*)?"
    said = rf"(?:{counted}|{word}(?:(?<=[\d\u00a0=]){run})?)?"
    phrase = rf"[{starts}]*(?:{_KEY})?(?:[おご](?={_KANJI})|やり(?=直))?{said}{suffix}"
    piece = rf"[{starts}]*(?:{_KATAKANA}+|{_CJK}|{word}|.)?[{ends}]*"
    return (
        re.compile(r"(?<=«) | (?=[:;?!»%])"),
        re.compile(rf"(?P<gap>[{_SPACES}]*)(?P<unit>{phrase})"),
        re.compile(rf"(?=.){piece}", re.DOTALL),
    )
