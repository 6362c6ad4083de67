"""The players on the table's page in a real browser: nothing in a tile or a row is cut without a sign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from companion.ui.live_page.content import LivePageContent
from companion.ui.screens.phones import THIS_COMPUTER
from companion.ui.symbols import glyph
from companion.ui.translations import languages
from companion.ui.view import SeatRow
from companion.web import live_markup
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at
from tests.web.live_page_samples import MOMENTS, sample
from tests.web.loop_double import LoopDouble, frame
from tests.web.test_live_markup import entered

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = pytest.mark.browser

LATIN = (
    *("Konstantin-Alexander", "Bernard", "Maximilian von Berg", "Bartholomew-Augustus"),
    *("Zoé Lüdenscheid-Masc", "Eva", "Alexandrine de Roche", "Wilhelmina-Charlotte"),
)
JAPANESE = (
    *("健太", "はるなさんとそのともだちのなまえです", "さくら", "マクシミリアンフォンベルクさんとその弟"),
    *("ゆうき", "東京都千代田区丸の内一丁目の山田太郎", "あおい", "アレクサンドリーヌドゥロッシュさんだよ"),
)
TOTALS = ("0", "7", "12", "120", "−8", "−120", "1412", "−12345")
WIDTHS = (320, 360, 390, 768, 1366)

CUT = """
const box = (one) => one.getBoundingClientRect();
const wrong = [];
const largest = Math.max(...[...document.querySelectorAll('#seats .name')].filter((one) => one.dataset.fit === 'whole')
  .map((one) => parseFloat(getComputedStyle(one).fontSize)));
for (const seat of document.querySelectorAll('#seats li')) {
  const parts = ['who', 'name', 'laid', 'round', 'total'].map((name) => [name, seat.querySelector(`.${name}`)]);
  const tell = (why) => wrong.push(`${seat.querySelector('.name').textContent.replace(/\\u00ad/g, '')}: ${why}`);
  const room = box(seat);
  const words = (one) => { // what is seen of it, without the words for the ear
    const all = document.createTreeWalker(one, NodeFilter.SHOW_ALL, { acceptNode: (node) =>
      node.className === 'aloud' || node.nodeName === 'use' ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT });
    const boxes = [];
    while (all.nextNode()) {
      const part = document.createRange();
      part.selectNode(all.currentNode);
      const inked = all.currentNode.nodeName === 'svg' || (all.currentNode.data || '').trim();
      if (inked) boxes.push(box(part));
    }
    const least = (side) => Math.min(...boxes.map((each) => each[side]));
    const most = (side) => Math.max(...boxes.map((each) => each[side]));
    return { left: least('left'), top: least('top'), right: most('right'), bottom: most('bottom') };
  };
  const seen = parts.filter(([, part]) => part.textContent.trim() && part.getClientRects().length)
    .map(([name, part]) => [name, name === 'name' ? box(part) : words(part)]);
  for (const [name, part] of seen) {
    if (part.left < room.left - .6 || part.right > room.right + .6) tell(`${name} is beside its tile`);
    if (part.top < room.top - .6 || part.bottom > room.bottom + .6) tell(`${name} is above or below its tile`);
  }
  seen.forEach(([name, one], at) => seen.slice(at + 1).forEach(([other, two]) => {
    const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
    const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    if (across > 1 && down > 4) tell(`${name} and ${other} are over each other`);
  }));
  for (const mark of seat.querySelectorAll('.who svg')) if (box(mark).width < 5) tell('a mark is gone');
  const name = seat.querySelector('.name');
  if (name.scrollWidth > name.clientWidth + 1) tell('the name is cut beside');
  const size = parseFloat(getComputedStyle(name).fontSize);
  if (name.dataset.fit === 'least' && size > .8 * largest) tell('a name that is cut is as large as the others');
  const small = name.dataset.fit !== 'whole' && name.dataset.fit !== 'hyphens';
  if (name.scrollHeight > name.clientHeight + 2 && name.dataset.fit !== 'least') tell('the name might be smaller');
  if (small && name.textContent.length < 8) tell('a short name is small');
  for (const unit of seat.querySelectorAll('.round > span')) {
    if (unit.getClientRects().length > 1) tell('a figure is away from its sign');
  }
}
if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page is wider than the screen');
return wrong;
"""


BAR = """
const buttons = [...document.querySelectorAll('#acts .bar > button')].filter((one) => one.offsetParent);
const rows = {};
for (const one of buttons) {
  const top = Math.round(one.getBoundingClientRect().top);
  rows[top] = [...(rows[top] || []), one.offsetWidth];
}
return [Object.values(rows), buttons.filter((one) => one.scrollWidth > one.clientWidth).length];
"""


def with_seats(content: LivePageContent, names: tuple[str, ...], totals: tuple[str, ...]) -> LivePageContent:
    """Return a page with so many players, who have the figures of those of a game in turn."""
    assert content.table is not None
    own = content.table.seats
    seats = tuple(
        replace(own[at % len(own)], name=name, total=totals[at], leads=at == 0, won=at == 0, turn=at == 1)
        for at, name in enumerate(names)
    )
    return replace(content, number=content.number + 1, table=replace(content.table, seats=seats, course=None))


def figures_of(language: str) -> dict[str, LivePageContent]:
    """Return a page of each kind of figures: the four games, and games of files with tricks and bids."""
    running = [moment for moment in MOMENTS if moment.name in ("eternity", "gear", "hipparchus", "east-rune")]
    pages = {moment.name: sample(moment, language) for moment in running}
    base = pages["eternity"]
    assert base.table is not None
    chair, monarch, dawn = map(glyph, ("chair", "crown", "dawn"))

    def of(*seats: tuple[str, str]) -> LivePageContent:
        assert base.table is not None
        rows = tuple(SeatRow("", cards, figures) for cards, figures in seats)
        return replace(base, table=replace(base.table, seats=rows, pile_signs=()))

    pledged = f"{glyph('pledge')}{glyph('sky')}14"
    pages["eternity-full"] = of((pledged, f"10{glyph('peninsula')}12{glyph('tree')}"))
    pages["east-rune-full"] = of(("", f"× 3 1{chair} 2{monarch} {dawn}5"), ("", f"12 3{chair}"))
    pages["spades"] = of((f"{glyph('spades')}10", "1/5"), (f"{glyph('hearts')}Q", "0/0"))
    pages["hearts"] = of((f"{glyph('hearts')}A", "13"))
    pages["tarot"] = of(("★21", "0*"), (f"{glyph('clubs')}C", "71"))
    return pages


def open_at(browser: Browser, standin: LoopDouble, content: LivePageContent) -> None:
    pages = {(0, language): content for language in languages()}
    standin.mirror.show(replace(frame(""), live_pages=pages))
    browser.go(f"{standin.server.local_url}table")
    browser.listen()


def put(browser: Browser, content: LivePageContent, *names: str, waits: bool = False) -> None:
    """Put parts of a page into the one that is open, as they are while this phone waits or is asked."""
    parts = live_markup.parts(content)
    browser.run(
        "const [parts, waits] = arguments;"
        "return import('/live.js').then(({ built }) => {"
        " for (const [name, markup] of Object.entries(parts)) document.getElementById(name).replaceWith(built(markup));"
        " document.querySelector('main').classList.toggle('waits', waits);"
        " dispatchEvent(new Event('resize')); });",
        {name: parts[name] for name in ("symbols", *names)},
        waits,
    )


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_that_a_player_is_shown_with_is_cut_without_a_sign(
    browser: Browser, standin: LoopDouble, width: int, language: str
) -> None:
    pages = figures_of(language)
    browser.resize(width, 800)
    open_at(browser, standin, pages["eternity"])
    found = {}
    for game, content in pages.items():
        for seats in range(2, 9):
            for place, totals in enumerate((TOTALS[:seats], TOTALS[-seats:], ("12",) * seats)):
                names = (LATIN, JAPANESE)[(seats + place) % 2][:seats]
                put(browser, with_seats(content, names, totals), "seats", waits=place == 1 and seats % 3 == 0)
                wrong = browser.run(CUT)
                if wrong:
                    found[game, seats, place] = wrong
    assert found == {}


@pytest.mark.parametrize("language", languages())
def test_what_stands_before_a_row_of_cards_has_room(browser: Browser, standin: LoopDouble, language: str) -> None:
    browser.resize(360, 640)
    content = entered(4, language).content  # a card was led
    open_at(browser, standin, content)
    put(browser, content, "ask")
    outside = browser.run(
        "return [...document.querySelectorAll('.which')].flatMap((which) => [...which.querySelectorAll('svg, small')]"
        ".filter((one) => one.getBoundingClientRect().right > which.getBoundingClientRect().right + 1"
        " || one.getBoundingClientRect().left < which.getBoundingClientRect().left - 1).map((one) => one.outerHTML))"
    )
    assert browser.run("return document.querySelectorAll('.led .which').length") == 1
    assert outside == []


@pytest.mark.parametrize("width", [320, 390, 768])
def test_the_buttons_at_the_thumb_are_equal_and_none_stands_alone(
    browser: Browser, standin: LoopDouble, width: int
) -> None:
    for language in languages():
        for content in (entered(6, language).content, entered(6, language).tap("entries").content):
            browser.resize(width, 640)
            open_at(browser, standin, content)
            put(browser, content, "acts")
            rows, cut = browser.run(BAR)
            assert rows, language
            assert all(len(row) > 1 and max(row) - min(row) <= 2 for row in rows), (language, rows)
            assert cut == 0, language


def shown_of(scene: str, language: str) -> LivePageContent:
    """Return what a phone shows in the state of a scene."""
    box = box_at(next(each for each in SCENES if each.name == scene), language)
    state = box.state.having(0, replace(box.state.panel, phone=THIS_COMPUTER))
    return box._live_pages.contents(((0, language),), state, None)[0, language]


@pytest.mark.parametrize("width", [320, 360, 390])
def test_no_word_on_a_button_at_the_thumb_is_cut(browser: Browser, standin: LoopDouble, width: int) -> None:
    browser.resize(width, 640)
    for language in languages():
        for scene in ("rules", "insert-review", "correction-breaks", "winner"):
            content = shown_of(scene, language)
            open_at(browser, standin, content)
            put(browser, content, "acts")
            assert browser.run(BAR)[1] == 0, (scene, language)
        content = entered(6, language).tap("undo").content
        open_at(browser, standin, content)
        put(browser, content, "acts")
        rows, cut = browser.run(BAR)
        assert ([len(row) for row in rows], cut) == ([4], 0), language


@pytest.mark.parametrize("width", [768, 1366])
def test_a_name_above_a_column_is_whole_where_there_is_room(browser: Browser, standin: LoopDouble, width: int) -> None:
    browser.resize(width, 768)
    for scene in ("eight-sheet", "winner-five"):
        content = shown_of(scene, "fr")
        open_at(browser, standin, content)
        put(browser, content, "ask", "sheet")
        cut = browser.run(
            "return [...document.querySelectorAll('.sheet .name')].filter((one) => one.scrollWidth"
            " > one.clientWidth || one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent)"
        )
        assert cut == [], scene
