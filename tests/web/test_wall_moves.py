"""The wall in a real browser: what changes moves, unless somebody wants it still; and the switch of the light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from companion.ui.live_page.content import LivePageContent
from companion.ui.translations import languages
from tests.scenes.scenes import FOUR, ROUND_ONE, ROUND_TWO, Scene
from tests.web.loop_double import LoopDouble, frame
from tests.web.test_wall import shown

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = pytest.mark.browser

WATCH = """
window.moved = [];
window.counted = [];
addEventListener('animationstart', (event) => moved.push(event.animationName), true);
new MutationObserver((changes) => {
  for (const { target } of changes) if (target.matches('.total')) counted.push(target.textContent);
}).observe(document.querySelector('main'), { childList: true, subtree: true });
"""

TRICK = "1 A3 B9 A4"


def show(standin: LoopDouble, content: LivePageContent) -> None:
    pages = {("wall", language): content for language in languages()}
    standin.mirror.show(replace(frame(""), live_pages=pages))


def change(browser: Browser, standin: LoopDouble, before: LivePageContent, after: LivePageContent) -> None:
    """Open the wall, and wait until it has changed."""
    show(standin, before)
    browser.go(f"{standin.server.local_url}wall")
    browser.until(lambda: not browser.run("return document.getElementById('cannot-follow')"), "the stream")
    browser.run(WATCH)
    show(standin, after)
    said = after.table.status if after.table is not None and after.body is None else "is over"
    browser.until(lambda: said in browser.run("return document.querySelector('.status').textContent"), said)


def until_moved(browser: Browser, *animations: str) -> None:
    """Wait until these animations have begun."""
    browser.until(lambda: set(animations) <= set(browser.run("return moved")), ", ".join(animations))


def still(browser: Browser) -> bool:
    """Return whether no animation has begun, nor does in the next two frames."""
    browser.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return not browser.run("return [...moved, ...counted]")


def test_a_card_that_is_laid_slides_into_its_row(browser: Browser, standin: LoopDouble) -> None:
    browser.resize(1280, 720)
    before, after = shown(Scene("led", "1 A3 B9", FOUR)), shown(Scene("laid", TRICK, FOUR))
    change(browser, standin, before, after)
    until_moved(browser, "come")


def test_the_row_of_who_wins_a_trick_lifts_and_another_trump_takes_the_place_of_the_old_one(
    browser: Browser, standin: LoopDouble
) -> None:
    before, after = shown(Scene("laid", f"{TRICK} DB11 9", FOUR)), shown(Scene("won", f"{TRICK} DB11 9 C5", FOUR))
    change(browser, standin, before, after)
    until_moved(browser, "come", "lift", "pop")
    started = shown(Scene("trump", "", FOUR))
    change(browser, standin, started, before)
    until_moved(browser, "fade")
    assert before.table is not None
    assert before.table.symbol is not None
    other = replace(before.table.symbol, picture="earth", word="Earth")
    earth = replace(before, number=before.number + 1, table=replace(before.table, symbol=other, status="Earth"))
    change(browser, standin, before, earth)
    until_moved(browser, "fade", "leave")
    browser.until(lambda: browser.run("return document.querySelectorAll('#trump .picture').length") == 1, "one trump")


def test_totals_count_up_when_a_round_is_over(browser: Browser, standin: LoopDouble) -> None:
    before = shown(Scene("round", "h#51 A3", FOUR, (ROUND_ONE,)))
    change(browser, standin, before, shown(Scene("round", "", FOUR, (ROUND_ONE, ROUND_TWO))))
    browser.until(
        lambda: (
            browser.run("return [...document.querySelectorAll('.total')].map((one) => one.textContent)")
            == ["10", "10", "6", "0"]
        ),
        "the totals",
    )
    assert "5" in browser.run("return counted")


def test_nothing_moves_where_motion_is_not_wanted(browser: Browser, standin: LoopDouble) -> None:
    with browser.still():
        before, after = shown(Scene("laid", f"{TRICK} DB11 9", FOUR)), shown(Scene("won", f"{TRICK} DB11 9 C5", FOUR))
        change(browser, standin, before, after)
        assert still(browser)
        over = shown(Scene("round", "", FOUR, (ROUND_ONE, ROUND_TWO)))
        change(browser, standin, shown(Scene("round", "h#51 A3", FOUR, (ROUND_ONE,))), over)
        assert still(browser)


def test_the_wall_is_dark_whatever_the_browser_prefers_until_somebody_chooses(
    browser: Browser, standin: LoopDouble
) -> None:
    light = "return document.documentElement.dataset.light"
    ground = "return getComputedStyle(document.body).backgroundColor"
    show(standin, shown(Scene("laid", TRICK, FOUR)))
    with browser.preferring("prefers-color-scheme", "light"):
        browser.go(f"{standin.server.local_url}wall?light=dark")
        browser.until(lambda: browser.run("return !document.getElementById('light').hidden"), "the switch")
        assert browser.run(ground) == "rgb(11, 13, 18)"
        from selenium.webdriver.common.keys import Keys

        browser.type(Keys.ENTER)  # finds the switch
        assert browser.run(light) == "dark"
        browser.type(Keys.ENTER)
        assert browser.run(light) == "bright"
        assert browser.run(ground) == "rgb(246, 243, 236)"
        browser.go(f"{standin.server.local_url}wall")
        browser.until(lambda: browser.run(light) == "bright", "the light that was chosen")
        browser.go(f"{standin.server.local_url}wall?light=dark")
        browser.until(lambda: browser.run(light) == "dark", "the light of the address")
