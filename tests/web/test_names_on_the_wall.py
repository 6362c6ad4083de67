"""The wall in a real browser: a name is cut only where its row has no room left."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from companion.ui.live_page.content import LivePageContent
from companion.ui.translations import languages
from companion.ui.view import TableBody
from companion.web import wall
from tests.ui.test_names import NAMES
from tests.web.live_page_samples import MOMENTS, sample

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = pytest.mark.browser

PAGE = Path(wall.__file__).with_name("page")
STYLE = "".join((PAGE / name).read_text("utf-8") for name in ("design.css", "wall.css", "chart.css"))
CUT = """
const words = (cell) => {
  const all = document.createRange();
  all.selectNodeContents(cell);
  return all.getBoundingClientRect().left;
};
const totals = Math.min(...[...document.querySelectorAll('#seats .total')].map(words)); // they are one column
const free = (name) => {
  const row = name.closest('tr');
  const end = name.getBoundingClientRect().right;
  const next = [...row.querySelectorAll('.leads, .laid, .pile, .figures, .gain, .total')]
    .filter((cell) => cell.textContent.trim() && cell.getBoundingClientRect().left >= end - 1)
    .map((cell) => cell.matches('.total') ? totals : words(cell));
  return Math.min(...next) - end;
};
return [...document.querySelectorAll('#seats .name')]
  .filter((name) => name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 2)
  .map((name) => [name.textContent, Math.round(free(name)), name.scrollWidth - name.clientWidth]);
"""


def round_over(content: LivePageContent) -> LivePageContent:
    """Return the same game with the figures of a round that has just ended."""
    assert content.table is not None
    seats = content.table.seats
    rows = tuple(("3", "2", "+5", seat.total) for seat in seats)
    names = tuple(seat.name for seat in seats)
    return replace(content, body=TableBody("Round 1 is over", ("tricks", "trees", "pts", "total"), names, rows))


@pytest.mark.parametrize("length", NAMES)
@pytest.mark.parametrize("language", languages())
def test_a_name_is_cut_only_where_its_row_is_full(browser: Browser, tmp_path: Path, language: str, length: int) -> None:
    page = tmp_path / "wall.html"
    browser.resize(1280, 720)
    for moment in MOMENTS:
        table = sample(moment, language).table
        assert table is not None
        content = sample(replace(moment, names=NAMES[length][: len(table.seats)]), language)
        for shown in (content, round_over(content)):
            html = re.sub("<script.*?</script>|<link[^>]*>", "", wall.render(shown))
            page.write_text(html.replace("</head>", f"<style>{STYLE}</style></head>"))
            browser.go(page.as_uri())
            cut = browser.run(CUT)
            assert [each for each in cut if each[1] > each[2] + 30] == [], moment.name
            assert length > 1 or not cut, moment.name
