"""The score sheet in a real browser: figures stand clear of each other, and names are as long as there is room."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from companion.web.live_markup import HYPHEN
from tests.games.seeds import Dealt
from tests.web.tapped_evening import set_up
from tests.web.test_evening import simulating

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = pytest.mark.browser

PEOPLE = ("Bernard", "Haruka", "Céline", "David", "Eva", "Maximiliane Elisabet", "Gwendoline", "Hu")

# Returns for each two figures beside each other in a row their texts, and the gap in parts of an em.
GAPS = """
const shown = (text) => text.textContent.trim() && text.parentElement.getClientRects().length;
const row = (tr) => {
  const walk = document.createTreeWalker(tr, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    if (!shown(walk.currentNode) || walk.currentNode.parentElement.closest('.name')) continue;
    const words = walk.currentNode.textContent;
    range.setStart(walk.currentNode, words.length - words.trimStart().length);
    range.setEnd(walk.currentNode, words.trimEnd().length);
    const size = parseFloat(getComputedStyle(walk.currentNode.parentElement).fontSize);
    found.push([words.trim(), range.getBoundingClientRect(), size]);
  }
  return found.slice(1).map(([words, box, size], at) => {
    const [other, before] = found[at];
    const below = (box.top + box.bottom) / 2 > before.bottom; // a question stands below its round
    return [other, words, below ? Infinity : (box.left - before.right) / size];
  }).filter(([, , gap]) => gap < Infinity);
};
return [...document.querySelectorAll('.sheet tbody tr, .sheet tfoot tr')].flatMap(row);
"""
# Returns the part of each name that is seen, in letters.
LETTERS = """
return [...document.querySelectorAll('.sheet thead .name')].map((name) => {
  const text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode();
  const box = name.getBoundingClientRect();
  const seen = (at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const one = range.getBoundingClientRect();
    return one.bottom <= box.bottom + 1 && one.left >= box.left - 1 && one.right <= box.right + 1;
  };
  return [...text.textContent].filter((_, at) => seen(at)).join('');
});
"""
TALLY = [-120, -30, 0, 10, 20, 110, 135]
GAMES: dict[str, tuple[dict[str, Any], list[int]]] = {
    "tally": ({}, TALLY),
    "great tally": ({}, [1250, -980, 45]),
    "ended": ({"over": True}, TALLY),
}


def at_sheet(folder: Path, name: str, players: int) -> None:
    """Begin a game of points with six rounds; it may be over."""
    how, figures = GAMES[name]
    chance = Random(3)
    lines: list[dict[str, Any]] = [
        {"type": "points", "figures": [chance.choice(figures) for _player in range(players)]} for _round in range(6)
    ]
    if how.get("over"):
        lines.append({"type": "finish"})
    header = {"format": 1, "game": "tally", "players": list(PEOPLE[:players]), "rules": {}}
    set_up(folder, Dealt(0, header, lines, Random(0)), entered=len(lines))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("players", [5, 8])
def test_figures_never_run_into_each_other(browser: Browser, tmp_path: Path, name: str, players: int) -> None:
    at_sheet(tmp_path, name, players)
    with simulating(tmp_path) as url:
        for width in (320, 360, 390):
            browser.open_table(url, width, 780)
            gaps = browser.run(GAPS)
            assert len(gaps) >= 6 * players
            assert [gap for gap in gaps if gap[2] < 0.3] == []
            assert browser.run("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("players", "width", "least"), [(5, 320, 4), (5, 360, 5), (5, 390, 6), (8, 390, 3), (8, 320, 3)]
)
def test_as_many_letters_of_a_name_as_fit_stand_below_its_face(
    browser: Browser, tmp_path: Path, players: int, width: int, least: int
) -> None:
    at_sheet(tmp_path, "ended", players)
    with simulating(tmp_path) as url:
        browser.open_table(url, width, 780)
        for name, letters in zip(PEOPLE, browser.run(LETTERS), strict=False):
            seen = letters.replace(HYPHEN, "")
            assert name.startswith(seen)
            assert len(seen) >= min(least, len(name)), (name, seen)


def test_totals_after_each_round_stand_where_they_have_room(browser: Browser, tmp_path: Path) -> None:
    at_sheet(tmp_path, "tally", 4)
    shown = "return document.querySelector('.sheet td small').offsetParent !== null"
    with simulating(tmp_path) as url:
        browser.open_table(url, 700, 780)
        assert browser.run(shown)
        browser.be_a_phone(360, 780)
        browser.until(lambda: not browser.run(shown), "the narrow sheet")
        browser.be_a_phone(700, 780)
        browser.until(lambda: browser.run(shown), "the wide sheet")


def test_on_a_laptop_the_course_of_a_game_that_is_over_is_as_large_as_its_sheet(
    browser: Browser, tmp_path: Path
) -> None:
    at_sheet(tmp_path, "ended", 5)
    with simulating(tmp_path) as url:
        browser.open_table_on_laptop(url)
        sheet, chart, top = browser.run(
            "const place = (one) => document.querySelector(`#ask > ${one}`).getBoundingClientRect();"
            "return [place('.sheet').width, place('.chart').width, place('.chart').top]"
        )
    assert chart >= 0.9 * sheet
    assert chart > 500
    assert top < 300
