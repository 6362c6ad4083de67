"""The cards that a small phone offers, in a real browser, over whole games."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import decode_header, decode_line
from companion.ui.translations import languages
from tests.games.seeds import deal
from tests.harness.slips.honest import HABITS
from tests.harness.taps.log_to_taps import taps_of
from tests.harness.taps.tapper import Tapper
from tests.web.loop_double import LoopDouble
from tests.web.test_tiles import open_at, put

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = pytest.mark.browser

HOLDER = """
document.body.className = 'role-seat mine';
const you = document.createElement('label');
you.id = 'you';
const name = document.createElement('option');
const choice = document.createElement('select');
name.textContent = 'Bernard';
choice.append(name);
you.append('あなた：', choice);
document.querySelector('#top').prepend(you);
"""
"""Makes the page that of a player who is asked."""

WRONG = """
const box = (one) => one.getBoundingClientRect();
const cards = [...document.querySelectorAll('.answers button')].filter((one) => one.offsetParent);
const apart = (one, two) => one.right - two.left < 1 || two.right - one.left < 1
  || one.bottom - two.top < 1 || two.bottom - one.top < 1;
const wrong = [];
cards.forEach((one, at) => cards.slice(at + 1).forEach((two) => {
  if (!apart(box(one), box(two))) wrong.push(`${one.textContent.trim()} lies on ${two.textContent.trim()}`);
}));
for (const one of cards) if (one.scrollWidth > one.clientWidth) wrong.push(`${one.textContent.trim()} is cut`);
const bar = box(document.querySelector('#acts .bar'));
const lowest = Math.max(...[...document.querySelectorAll('.suit:not(.beside) .card')].map((one) => box(one).bottom));
if (arguments[1] && lowest > bar.top) wrong.push(`cards are ${lowest - bar.top} pixels under the bar`);
if (bar.bottom > innerHeight + .5) wrong.push('the bar is below the screen');
if (document.documentElement.scrollWidth > arguments[0]) wrong.push('the page is wider than the phone');
return wrong;
"""


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("game", "seed", "all_fit"),
    [("eternity", 3, True), ("eternity", 5, True), ("east-rune", 3, True), ("gear", 3, False)],
)
def test_cards_lie_beside_each_other_within_a_small_phone_and_above_its_bar(
    browser: Browser, standin: LoopDouble, game: str, seed: int, all_fit: bool, language: str
) -> None:
    dealt = deal(game, seed, **HABITS)
    header = decode_header(json.dumps(dealt.header))
    page = Tapper(language)
    page.box.begin(header, DetailLevel.FULL)
    browser.be_a_phone(360, 600)
    open_at(browser, standin, page.content)
    browser.run(HOLDER)
    session, found = Session(header), {}
    for number, written in enumerate(dealt.lines[:100]):
        line = decode_line(json.dumps(written), header)
        page.tap(*(name for name, _taps in taps_of(session, line)))
        session = session.add(line)
        if number % 6 == 0 and page.content.question.suits:
            put(browser, page.content, "head", "seats", "notice", "ask", "acts")
            wrong = browser.run(WRONG, 360, all_fit)
            if wrong:
                found[number] = wrong
    assert found == {}
