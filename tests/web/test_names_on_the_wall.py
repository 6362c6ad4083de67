"""The wall in a real browser: a name is cut only where its row has no room left, and no part covers another."""

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

COVERED = """
const parts = ['#head', '#trump > .word', '#trump > .winner', '#columns', '#seats', '#course', '#notice']
  .map((part) => [part, document.querySelector(part)])
  .filter(([, element]) => element && element.getClientRects().length)
  .map(([part, element]) => [part, element.getBoundingClientRect()])
  .filter(([, box]) => box.width && box.height);
return parts.flatMap(([part, box], at) => parts.slice(at + 1)
  .filter(([, other]) => Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1
    && Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1)
  .map(([other]) => `${part} and ${other}`));
"""


def round_over(content: LivePageContent) -> LivePageContent:
    """Return the same game with the figures of a round that has just ended."""
    assert content.table is not None
    seats = content.table.seats
    rows = tuple(("3", "2", "+5", seat.total) for seat in seats)
    names = tuple(seat.name for seat in seats)
    return replace(content, body=TableBody("Round 1 is over", ("tricks", "trees", "pts", "total"), names, rows))


def show(browser: Browser, content: LivePageContent, page: Path) -> None:
    """Show the wall as a file, with its style and without its script."""
    html = re.sub("<script.*?</script>|<link[^>]*>", "", wall.render(content))
    page.write_text(html.replace("</head>", f"<style>{STYLE}</style></head>"))
    browser.go(page.as_uri())


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
            show(browser, shown, page)
            cut = browser.run(CUT)
            assert [each for each in cut if each[1] > each[2] + 30] == [], moment.name
            assert length > 1 or not cut, moment.name


@pytest.mark.parametrize("size", [(768, 1024), (820, 1180), (800, 1280), (1280, 720)])
def test_no_part_of_the_wall_covers_another(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    browser.resize(*size)
    for moment in MOMENTS:
        content = sample(moment, "fr")
        for shown in (content, round_over(content)):
            show(browser, shown, tmp_path / "wall.html")
            assert browser.run(COVERED) == [], moment.name


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080)])
def test_eight_players_and_their_chart_fill_the_wall(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    browser.resize(*size)
    few = sample(next(each for each in MOMENTS if each.name == "gear"))
    assert few.table is not None
    assert few.table.course is not None
    names = tuple(f"Player {number}" for number in range(8))
    seats = tuple(replace(few.table.seats[0], name=name, cards="", leads=False) for name in names)
    course = replace(few.table.course, names=names, totals=tuple((5, 10 * number) for number in range(8)))
    show(browser, replace(few, table=replace(few.table, seats=seats, course=course)), tmp_path / "wall.html")
    assert browser.run(COVERED) == []
    letters = "const { height } = document.querySelector('.across text').getBoundingClientRect(); return height"
    assert browser.run(letters) / size[1] > 0.026
    show(browser, sample(next(each for each in MOMENTS if each.name == "gear-auction")), tmp_path / "wall.html")
    rows = "const { height } = document.querySelector('#seats').getBoundingClientRect(); return height"
    assert browser.run(rows) / size[1] > 0.5  # no chart takes the room
